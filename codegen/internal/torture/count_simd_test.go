//go:build goexperiment.simd

package torture

const (
	defaultKernels = 300
	// writtenCodes is how many codes of a kernel that somebody wrote are run.
	writtenCodes = 120
	// noDevices says why tests of OpenCL do not run in this mode.
	noDevices = "code for devices does not depend on the experiment: it is tested without"
)
