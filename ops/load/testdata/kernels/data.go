package kernels

import (
	"math"

	"github.com/surge-ndp/surge/ops"
	"github.com/surge-ndp/surge/ops/load/testdata/kernels/helpers"
)

// point is a struct of scalars.
type point struct {
	x, y float64
	id   int32
}

func (p point) unused() float64 { return p.x }

func norm(p point) float64 { return math.Sqrt(p.x*p.x + p.y*p.y) }

const eps = 1e-3

//surge:kernel
func SpMV(values []float64, columns, rowOffsets []int32, x []float64) []float64 {
	rows, cols := ops.Nest(values, rowOffsets), ops.Nest(columns, rowOffsets)
	return ops.Map2(func(row []float64, col []int32) float64 {
		products := ops.Map2(func(a, b float64) float64 { return a * b }, row, ops.Gather(x, col))
		return ops.Reduce(func(a, b float64) float64 { return a + b }, products, 0)
	}, rows, cols)
}

// ArgMax reduces pairs: several accumulators.
//
//surge:kernel
func ArgMax(s []float64) (best float64, at int) {
	type best2 = ops.Pair[float64, int]
	r := ops.Reduce(func(a, b best2) best2 {
		if b.First > a.First || b.First == a.First && b.Second < a.Second {
			return b
		}
		return a
	}, ops.Zip(s, ops.Range(0, len(s), 1)), best2{math.Inf(-1), math.MaxInt})
	return r.First, r.Second
}

// Points goes through structs: literals, fields, assignment of fields, equality.
//
//surge:kernel
func Points(xs, ys []float64) ([]float64, []int32) {
	pts := ops.Map3(func(x, y float64, i int) point {
		p := point{x: x, id: int32(i)}
		p.y = y
		if p == (point{}) {
			p.id = -1
		}
		return p
	}, xs, ys, ops.Range(0, len(xs), 1))
	far := ops.Map(norm, pts)
	ids := ops.Map(func(p point) int32 { return p.id }, ops.Reverse(pts))
	return far, ids
}

// Running has a scan over triples and an inclusive one.
//
//surge:kernel
func Running(a, b []float64, seed float64) ([]float64, []float64, []float64) {
	sum := ops.InclusiveScan(func(p, q ops.Triple[float64, float64, bool]) ops.Triple[float64, float64, bool] {
		return ops.Triple[float64, float64, bool]{First: p.First + q.First, Second: max(p.Second, q.Second), Third: p.Third || q.Third}
	}, ops.Zip3(a, b, ops.Map(func(x float64) bool { return x > 0 }, a)), ops.Triple[float64, float64, bool]{First: seed, Second: -1})
	plus := func(a, b float64) float64 { return a + b }
	return ops.Map(func(t ops.Triple[float64, float64, bool]) float64 { return t.First + t.Second }, sum), ops.Scan(plus, b, seed), ops.Scan(func(x, y float64) float64 { return min(x, y, 3) }, a, -1)
}

// Views uses every operator that only renames.
//
//surge:kernel
func Views(s []float64, idx []int32, size int) ([][]float64, []float64, [][]float64, []float64, []float64) {
	tiles := ops.Split(s, size)
	sums := ops.Map(func(t []float64) float64 { return ops.Reduce(func(a, b float64) float64 { return a + b }, t, 0) }, ops.Cyclic(s, size))
	return tiles, sums, ops.Map(func(t []float64) []float64 { return ops.Reverse(t) }, tiles),
		ops.Concat(ops.Striding(s, size), ops.Gather(s, idx)), ops.Flatten(ops.Replicate(s, 2))
}

// Slices reads and cuts.
//
//surge:kernel
func Slices(s []float64, lo, hi int) (float64, []float64, int) {
	part := s[lo:hi]
	t := part[1:]
	u := s[:hi]
	var none []float64
	return part[0] + s[len(s)-1] + t[len(t)-1], u, len(t) + len(none)
}

// Helpers are inlined from another package of the module, and constants read.
//
//surge:kernel
func Helpers(s []float64) []float64 {
	apply := func(f func(float64) float64, x float64) float64 { return f(x) + eps }
	return ops.Map(func(x float64) float64 {
		y := apply(helpers.Cube, x) * helpers.Limit
		lo, hi := minmax(x, y)
		return apply(math.Sqrt, hi-lo) + func() float64 { return 2 }()
	}, s)
}

func minmax(a, b float64) (lo, hi float64) {
	lo, hi = a, b
	if lo > hi {
		lo, hi = hi, lo
	}
	return
}

// Kinds mixes element kinds, conversions, shifts and constants.
//
//surge:kernel
func Kinds(a []int32, b []uint8, c []float32, n int) ([]int64, []uint8, []float32, []bool, []uint64) {
	const big = 1 << 40
	wide := ops.Map(func(x int32) int64 { return int64(x)<<3 + big>>n&^1 }, a)
	small := ops.Map(func(x uint8) uint8 { x += 200; x <<= 1; return ^x }, b)
	floats := ops.Map(func(x float32) float32 { return float32(math.Sqrt(float64(x)))/3 + 0.1 }, c)
	flags := ops.Map2(func(x int32, y uint8) bool { return !(x > 0) != (y == 'a') }, a, b)
	hash := ops.Map(func(x int32) uint64 { h := uint64(x) * 0x9E3779B97F4A7C15; h ^= h >> 32; return h % 1000 }, a)
	return wide, small, floats, flags, hash
}

// Powers needs the operators nested in branches and loops.
//
//surge:kernel
func Powers(s [][]float64, k int) []float64 {
	plus := func(a, b float64) float64 { return a + b }
	return ops.Map(func(row []float64) float64 {
		if len(row) == 0 {
			return math.NaN()
		}
		norm := 0.0
		for p := range k {
			if p == 0 {
				norm = ops.Reduce(plus, row, 0)
			} else {
				norm += ops.Reduce(plus, ops.Map(func(x float64) float64 { return math.Pow(x, float64(p)) }, row), 0)
			}
			if math.IsInf(norm, 0) || norm > 1e12 {
				break
			}
		}
		return norm
	}, s)
}
