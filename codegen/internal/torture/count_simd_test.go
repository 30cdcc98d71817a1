//go:build goexperiment.simd

package torture

const defaultKernels = 300
