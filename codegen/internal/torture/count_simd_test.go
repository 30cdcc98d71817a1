//go:build goexperiment.simd

package torture

const (
	defaultKernels = 300
	shortKernels   = 14
	// writtenCodes is how many codes of a kernel that somebody wrote are run; a short test runs an eighth.
	writtenCodes = 120
)
