//go:build !goexperiment.simd

package torture

// Without vectors a kernel has few variants, and those are run with the experiment too.
const defaultKernels = 100
