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
		s += *Elem(a, k) * *Elem(base, int(*Elem(idx, k)))
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
				s = s.Add(GatherF64x8(&base[0], *AddrI32x8(&idx[0], k)))
			}
			sink = SumF64x8(s)
		}
		report(b)
	})
	b.Run("F64x4", func(b *testing.B) {
		for b.Loop() {
			var s F64x4
			for k := 0; k < n; k += 4 {
				s = s.Add(GatherF64x4(&base[0], *AddrI32x4(&idx[0], k)))
			}
			sink = SumF64x4(s)
		}
		report(b)
	})
	b.Run("MaskF64x8", func(b *testing.B) {
		need8(b)
		for b.Loop() {
			var s F64x8
			m := FirstM64x8(5)
			for k := 0; k < n; k += 8 {
				s = s.Add(GatherMaskF64x8(&base[0], *AddrI32x8(&idx[0], k), m, F64x8{}))
			}
			sink = SumF64x8(s)
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
				s = s.Add(*AddrF64x8(&buf[0], k))
			}
			sink = SumF64x8(s)
		}
		report(b)
	})
	b.Run("scalar", func(b *testing.B) {
		for b.Loop() {
			var s0, s1, s2, s3 float64
			p, q := Ptr(base), Ptr(idx)
			for k := 0; k < n; k += 4 {
				s0 += *Elem(p, int(*Elem(q, k)))
				s1 += *Elem(p, int(*Elem(q, k+1)))
				s2 += *Elem(p, int(*Elem(q, k+2)))
				s3 += *Elem(p, int(*Elem(q, k+3)))
			}
			sink = s0 + s1 + s2 + s3
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

// BenchmarkRowSum adds up rows of n elements by vectors and stores each sum: what it costs to go from vector to
// scalar code and back.
func BenchmarkRowSum(b *testing.B) {
	need8(b)
	for _, n := range []int{8, 64} {
		const rows = 64
		a, y := make([]float64, n*rows), make([]float64, rows)
		run := func(name string, f func()) {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				for b.Loop() {
					f()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*rows), "ns/row")
			})
		}
		p, q := Ptr(a), Ptr(y)
		run("F64x8", func() {
			for r := 0; r < rows; r++ {
				var s F64x8
				for k := r * n; k < r*n+n; k += 8 {
					s = s.Add(*AddrF64x8(p, k))
				}
				*Elem(q, r) = SumF64x8(s)
			}
		})
		run("F64x8+scalar", func() {
			for r := 0; r < rows; r++ {
				var s F64x8
				for k := r * n; k < r*n+n; k += 8 {
					s = s.Add(*AddrF64x8(p, k))
				}
				sum := SumF64x8(s)
				*Elem(q, r) = *Elem(q, r) + sum
			}
		})
		run("F64x4", func() {
			for r := 0; r < rows; r++ {
				var s F64x4
				for k := r * n; k < r*n+n; k += 4 {
					s = s.Add(*AddrF64x4(p, k))
				}
				*Elem(q, r) = SumF64x4(s)
			}
		})
		run("splat", func() {
			for r := 0; r < rows; r++ {
				x := SplatF64x8(*Elem(q, r))
				for k := r * n; k < r*n+n; k += 8 {
					*AddrF64x8(p, k) = x.Mul(*AddrF64x8(p, k))
				}
			}
		})
		run("loadsplat", func() {
			for r := 0; r < rows; r++ {
				x := LoadSplatF64x8(q, r)
				for k := r * n; k < r*n+n; k += 8 {
					*AddrF64x8(p, k) = x.Mul(*AddrF64x8(p, k))
				}
			}
		})
		run("plain", func() {
			for r := 0; r < rows; r++ {
				s := 0.0
				for k := r * n; k < r*n+n; k++ {
					s += *Elem(p, k)
				}
				*Elem(q, r) = s
			}
		})
	}
}
