package vec

import (
	"fmt"
	"testing"
)

// plainDot is the loop that DotGatherF64 competes with.
func plainDot(a, base []float64, idx []int32) (s float64) {
	for k, j := range idx {
		s += a[k] * base[j]
	}
	return s
}

// uncheckedDot is the same without bounds checks.
func uncheckedDot(a, base *float64, idx *int32, n int) (s float64) {
	for k := 0; k < n; k++ {
		s += At(a, k) * At(base, int(At(idx, k)))
	}
	return s
}

// BenchmarkDotGather multiplies rows of n elements, one after the other, with a vector in the first level cache.
func BenchmarkDotGather(b *testing.B) {
	for _, n := range []int{1, 2, 3, 5, 8, 12, 16, 64, 1000} {
		rows := max(1, 2000/n)
		a, base, idx := make([]float64, n*rows), make([]float64, 1000), indexes[int32](n*rows, 1000)
		y := make([]float64, rows)
		run := func(name string, f func(r int) float64) {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				for b.Loop() {
					for r := range y {
						y[r] = f(r * n)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*rows), "ns/row")
			})
		}
		run("plain", func(o int) float64 { return plainDot(a[o:o+n], base, idx[o:o+n]) })
		run("unchecked", func(o int) float64 { return uncheckedDot(&a[o], &base[0], &idx[o], n) })
		best := level
		run(fmt.Sprint("vec", level), func(o int) float64 { return DotGatherF64(&a[o], &base[0], &idx[o], n) })
		level = min(best, levelAVX2)
		run(fmt.Sprint("vec", level), func(o int) float64 { return DotGatherF64(&a[o], &base[0], &idx[o], n) })
		level = best
	}
}

// BenchmarkGatherStrip gathers strips of 512 elements within the first level cache.
func BenchmarkGatherStrip(b *testing.B) {
	const n = 512
	base, idx, dst := make([]float64, 1000), indexes[int32](n, 1000), make([]float64, n)
	best := level
	for l := int(best); l >= 0; l-- {
		level = uint8(l)
		b.Run(fmt.Sprint(l), func(b *testing.B) {
			for b.Loop() {
				GatherStripF64(&dst[0], &base[0], &idx[0], n)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n/8), "ns/8")
		})
	}
	level = best
}

// BenchmarkGatherVector gathers by vectors of 8, adding them up.
func BenchmarkGatherVector(b *testing.B) {
	const n = 512
	base, idx := make([]float64, 1000), indexes[int32](n, 1000)
	report := func(b *testing.B) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n/8), "ns/8")
	}
	b.Run("F64x8", func(b *testing.B) {
		need8(b)
		for b.Loop() {
			var s F64x8
			for k := 0; k < n; k += 8 {
				s = s.Add(GatherF64x8(&base[0], LoadI32x8(&idx[0], k)))
			}
			sink = s.Sum()
		}
		report(b)
	})
	b.Run("F64x4", func(b *testing.B) {
		for b.Loop() {
			var s F64x4
			for k := 0; k < n; k += 4 {
				s = s.Add(GatherF64x4(&base[0], LoadI32x4(&idx[0], k)))
			}
			sink = s.Sum()
		}
		report(b)
	})
	b.Run("MaskF64x8", func(b *testing.B) {
		need8(b)
		for b.Loop() {
			var s F64x8
			m := FirstM64x8(5)
			for k := 0; k < n; k += 8 {
				s = s.Add(GatherMaskF64x8(&base[0], LoadI32x8(&idx[0], k), m, F64x8{}))
			}
			sink = s.Sum()
		}
		report(b)
	})
	b.Run("strip", func(b *testing.B) {
		need8(b)
		var buf [n]float64
		for b.Loop() {
			GatherStripF64(&buf[0], &base[0], &idx[0], n)
			var s F64x8
			for k := 0; k < n; k += 8 {
				s = s.Add(LoadF64x8(&buf[0], k))
			}
			sink = s.Sum()
		}
		report(b)
	})
	b.Run("scalar", func(b *testing.B) {
		for b.Loop() {
			var s [4]float64
			for k := 0; k < n; k += 4 {
				s[0] += At(&base[0], int(At(&idx[0], k)))
				s[1] += At(&base[0], int(At(&idx[0], k+1)))
				s[2] += At(&base[0], int(At(&idx[0], k+2)))
				s[3] += At(&base[0], int(At(&idx[0], k+3)))
			}
			sink = s[0] + s[1] + s[2] + s[3]
		}
		report(b)
	})
}

var sink float64

func need8(b *testing.B) {
	if level < levelAVX512 {
		b.Skip("no AVX-512")
	}
}

// BenchmarkScan scans arrays in the first level cache and in memory; bytes are those read.
func BenchmarkScan(b *testing.B) {
	for _, n := range []int{1000, 1 << 24} {
		src, dst := make([]float64, n), make([]float64, n)
		run := func(name string, f func()) {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				b.SetBytes(int64(n) * 8)
				for b.Loop() {
					f()
				}
			})
		}
		run("plain", func() {
			s := 0.0
			for k, x := range src {
				dst[k] = s
				s += x
			}
		})
		run("ScanAddF64", func() { ScanAddF64(&dst[0], &src[0], n, 0) })
		run("ScanAddStreamF64", func() { ScanAddStreamF64(&dst[0], &src[0], n, 0) })
		var strip [512]float64
		run("scan+stream", func() {
			s := 0.0
			for k := 0; k < n; k += 512 {
				m := min(512, n-k)
				s = ScanAddF64(&strip[0], &src[k], m, s)
				StreamF64(&dst[k], &strip[0], m)
			}
		})
		run("StreamF64", func() { StreamF64(&dst[0], &src[0], n) })
		run("copy", func() { copy(dst, src) })
		best := level
		level = min(best, levelAVX2)
		run("ScanAddF64-AVX2", func() { ScanAddF64(&dst[0], &src[0], n, 0) })
		level = best
	}
}

// BenchmarkCheckIndex checks indexes in the first level cache.
func BenchmarkCheckIndex(b *testing.B) {
	idx := indexes[int32](4000, 1000)
	b.SetBytes(16000)
	for b.Loop() {
		if CheckIndexI32(&idx[0], len(idx), 1000) != -1 {
			b.Fatal("wrong")
		}
	}
}
