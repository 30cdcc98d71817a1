package vec

// ClearUpper clears the upper halves of the vector registers, in any build, where the CPU has such. When the system
// has switched threads they count as in use, and scalar floating point code, which the Go compiler prints in its old
// encoding, waits for them: each of its instructions for the one before that wrote the same register. [Clear] is for
// the end of vector code.
func ClearUpper() {
	if level >= levelAVX2 {
		zeroUpper()
	}
}

func zeroUpper()
