//go:build !goexperiment.simd

package torture

const (
	// Without vectors a kernel has few variants, and those are run with the experiment too.
	defaultKernels = 100
	shortKernels   = 12
	// writtenCodes is how many codes of a kernel that somebody wrote are run; a short test runs an eighth.
	writtenCodes = 40
)
