//go:build goexperiment.simd && amd64

package vec

// avx512Off makes the operations that prefer an AVX-512 instruction do without and tells whether that changed anything.
func avx512Off() bool { old := avx512; avx512 = false; return old }

// avx512On undoes avx512Off.
func avx512On() { avx512 = true }
