package torture

const (
	defaultKernels = 200
	shortKernels   = 7
	// writtenCodes is how many codes of a kernel that somebody wrote are run; a short test runs a twentieth.
	writtenCodes = 120
)
