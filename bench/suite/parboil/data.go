package parboil

import (
	"math"
	"math/rand/v2"
)

// Inputs are small, for comparing all codes with plain Go; sets have the sizes of Parboil's, as far as two cores go.

// set is a set with its name, and how it is made: one value a parameter.
type set = struct {
	Name string
	Make func() []any
}

func made[T any](n int, f func(i int) T) []T {
	s := make([]T, n)
	for i := range s {
		s[i] = f(i)
	}
	return s
}

func uniform(n int, r *rand.Rand) []float32 {
	return made(n, func(int) float32 { return r.Float32() - 0.5 })
}

func seeded() *rand.Rand { return rand.New(rand.NewPCG(7, 7)) }

func mriq(voxels, samples int, r *rand.Rand) []any {
	return []any{uniform(voxels, r), uniform(voxels, r), uniform(voxels, r),
		made(samples, func(int) Sample { return Sample{r.Float32(), r.Float32(), r.Float32(), r.Float32()} })}
}

// InputsMRIQ are some voxels and samples.
func InputsMRIQ(n int, r *rand.Rand) []any { return mriq(n/8, 13, r) }

// SetsMRIQ are a slice of the small and of the large set.
func SetsMRIQ() []set {
	return []set{
		{Name: "32768 voxels, 512 samples", Make: func() []any { return mriq(32768, 512, seeded()) }},
		{Name: "4096 voxels, 2048 samples", Make: func() []any { return mriq(4096, 2048, seeded()) }},
	}
}

func sgemm(m, n, k int, r *rand.Rand) []any {
	return []any{uniform(m*k, r), uniform(k*n, r), uniform(m*n, r), m, n, k, float32(1.5), float32(0.5)}
}

// InputsSGEMM are small matrices.
func InputsSGEMM(n int, r *rand.Rand) []any {
	side := int(math.Sqrt(float64(n)))
	return sgemm(side/2, side+3, side, r)
}

// SetsSGEMM are products of the same work from flat to deep.
func SetsSGEMM() []set {
	of := func(name string, m, n, k int) set {
		return set{Name: name, Make: func() []any { return sgemm(m, n, k, seeded()) }}
	}
	return []set{of("128×160, 96 deep", 128, 160, 96), of("512×512, 512 deep", 512, 512, 512),
		of("2048×2048, 32 deep", 2048, 2048, 32), of("16×16, 2¹⁹ deep", 16, 16, 1<<19), of("1×1, 2²⁴ deep", 1, 1, 1<<24)}
}

func stencil(nx, ny, nz, steps int, r *rand.Rand) []any {
	return []any{uniform(nx*ny*nz, r), nx, ny, nz, steps}
}

// InputsStencil are small boxes.
func InputsStencil(n int, r *rand.Rand) []any { return stencil(5, 4, n/20, 3, r) }

// SetsStencil are the box of 128 by 128 by 32, and a cube of 128.
func SetsStencil() []set {
	return []set{
		{Name: "128×128×32, 100 steps", Make: func() []any { return stencil(128, 128, 32, 100, seeded()) }},
		{Name: "256³, 4 steps", Make: func() []any { return stencil(256, 256, 256, 4, seeded()) }},
	}
}

func sky(n int, r *rand.Rand) []Direction {
	return made(n, func(int) Direction {
		z, a := 2*r.Float64()-1, 2*math.Pi*r.Float64()
		s := math.Sqrt(1 - z*z)
		return Direction{float32(s * math.Cos(a)), float32(s * math.Sin(a)), float32(z)}
	})
}

func tpacf(n int, r *rand.Rand) []any {
	limits := made(20, func(i int) float32 { return float32(math.Cos(math.Pow(10, float64(i)/5-2) / 60 * math.Pi / 180 * 60)) })
	return []any{sky(n, r), sky(n, r), limits}
}

// InputsTPACF are some points.
func InputsTPACF(n int, r *rand.Rand) []any { return tpacf(n/20, r) }

// SetsTPACF are 4096 and 487 points.
func SetsTPACF() []set {
	return []set{
		{Name: "4096 points", Make: func() []any { return tpacf(4096, seeded()) }},
		{Name: "487 points", Make: func() []any { return tpacf(487, seeded()) }},
	}
}

func histo(n, bins int, r *rand.Rand) []any {
	return []any{made(n, func(int) uint32 {
		x := r.NormFloat64()*float64(bins)/8 + float64(bins)/2
		return uint32(min(max(x, 0), float64(bins-1)))
	}), bins}
}

// InputsHisto are pixels of 50 values.
func InputsHisto(n int, r *rand.Rand) []any { return histo(n, 50, r) }

// SetsHisto are pictures of a million pixels, of many values and of few.
func SetsHisto() []set {
	return []set{
		{Name: "996×1040, 8192 bins", Make: func() []any { return histo(996*1040, 8192, seeded()) }},
		{Name: "996×1040, 256 bins", Make: func() []any { return histo(996*1040, 256, seeded()) }},
	}
}

func spmv(rows, width int, r *rand.Rand) []any {
	return []any{uniform(rows*width, r), made(rows*width, func(int) int32 { return int32(r.IntN(rows)) }), width, uniform(rows, r)}
}

// InputsSPMV are rows of seven.
func InputsSPMV(n int, r *rand.Rand) []any { return spmv(1+n/7, 7, r) }

// SetsSPMV are matrices with a million entries.
func SetsSPMV() []set {
	return []set{
		{Name: "146689 rows of 7", Make: func() []any { return spmv(146689, 7, seeded()) }},
		{Name: "11948 rows of 80", Make: func() []any { return spmv(11948, 80, seeded()) }},
	}
}
