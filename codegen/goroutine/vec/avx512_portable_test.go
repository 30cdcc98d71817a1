//go:build !(goexperiment.simd && amd64)

package vec

func avx512Off() bool { return false }
func avx512On()       {}
