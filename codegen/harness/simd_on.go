//go:build goexperiment.simd && amd64

package harness

const builtSIMD = true
