//go:build !goexperiment.simd

package torture

const (
	// Without vectors a kernel has few variants, and those are run with the experiment too.
	defaultKernels = 100
	writtenCodes   = 40
	noDevices      = ""
)
