//go:build !goexperiment.simd

package needs

const experiment = false
