package rt

import "golang.org/x/sys/cpu"

// clearUpper clears the upper halves of the vector registers. When the system
// has switched threads they count as in use, and scalar floating point code,
// which the Go compiler prints in its old encoding, waits for them: each of
// its instructions for the one before that wrote the same register.
func clearUpper() {
	if cpu.X86.HasAVX {
		zeroUpper()
	}
}

//go:noescape
func zeroUpper()
