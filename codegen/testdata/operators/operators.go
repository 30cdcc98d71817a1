// Package operators has one kernel for each operator of package ops, alone and (…Inside) in each element of a Map. The
// table in docs/operators.md is made from how they compile.
package operators

import (
	"math"

	"github.com/surge-ndp/surge/ops"
)

func add(a, b float64) float64       { return a + b }
func count(a, b int) int             { return a + b }
func twice(a float64) float64        { return 2 * a }
func positive(a float64) bool        { return a > 0 }
func rows(a, b []float64) []float64  { return ops.Map2(add, a, b) }
func total(s []float64) float64      { return ops.Reduce(add, s, 0) }
func totals(s [][]float64) []float64 { return ops.Map(total, s) }
func each(x []float64, n int) []float64 {
	return ops.Map(func(r []float64) float64 { return total(r) }, ops.Split(x, n))
}

//surge:kernel
func Map(x []float64) []float64 { return ops.Map(twice, x) }

//surge:kernel
func MapInside(x []float64, n int) [][]float64 {
	return ops.Map(func(r []float64) []float64 { return ops.Map(twice, r) }, ops.Split(x, n))
}

//surge:kernel
func Reduce(x []float64) float64 { return total(x) }

//surge:kernel
func ReduceInside(x []float64, n int) []float64 { return each(x, n) }

//surge:kernel
func ReduceRows(x []float64, n int) []float64 {
	return ops.Reduce(rows, ops.Split(x, n), ops.Replicate(0.0, n))
}

//surge:kernel
func ReduceRowsInside(x []float64, n int) []float64 {
	return ops.Map(func(r []float64) float64 { return total(ops.Reduce(rows, ops.Split(r, 2), ops.Replicate(0.0, 2))) }, ops.Split(x, n))
}

//surge:kernel
func ReduceInLoop(x []float64, n int) float64 {
	s := 0.0
	for i := range n {
		s = ops.Reduce(add, x, s*float64(i))
	}
	return s
}

//surge:kernel
func ScanInLoop(x []float64, n int) float64 {
	s := 0.0
	for range n {
		y := ops.Scan(add, x, s)
		s = y[len(x)/2]
	}
	return s
}

//surge:kernel
func Scan(x []float64) []float64 { return ops.Scan(add, x, 0) }

//surge:kernel
func ScanInside(x []float64, n int) [][]float64 {
	return ops.Map(func(r []float64) []float64 { return ops.Scan(add, r, 0) }, ops.Split(x, n))
}

//surge:kernel
func InclusiveScan(x []float64) []float64 { return ops.InclusiveScan(add, x, 0) }

//surge:kernel
func ScanRows(x []float64, n int) [][]float64 {
	return ops.Scan(rows, ops.Split(x, n), ops.Replicate(0.0, n))
}

//surge:kernel
func ScanRowsInside(x []float64, n int) []float64 {
	return ops.Map(func(r []float64) float64 {
		return total(totals(ops.Scan(rows, ops.Split(r, 2), ops.Replicate(0.0, 2))))
	}, ops.Split(x, n))
}

//surge:kernel
func ReduceByKey(x []float64, k []int32) ([]int32, []float64) { return ops.ReduceByKey(add, x, k, 0) }

//surge:kernel
func ReduceByKeyInside(x []float64, k []int32, n int) []float64 {
	return ops.Map2(func(r []float64, k []int32) float64 {
		_, sums := ops.ReduceByKey(add, r, k, 0)
		return total(sums)
	}, ops.Split(x, n), ops.Split(k, n))
}

//surge:kernel
func ReduceByKeyRows(x []float64, k []int32, n int) ([]int32, [][]float64) {
	return ops.ReduceByKey(rows, ops.Split(x, n), k, ops.Replicate(0.0, n))
}

//surge:kernel
func ReduceByKeyRowsInside(x []float64, k []int32, n int) []float64 {
	return ops.Map2(func(r []float64, k []int32) float64 {
		_, sums := ops.ReduceByKey(rows, ops.Split(r, 2), k, ops.Replicate(0.0, 2))
		return total(totals(sums))
	}, ops.Split(x, 2*n), ops.Split(k, n))
}

//surge:kernel
func Histogram(x []float64, k []int32, n int) []float64 { return ops.Histogram(add, n, k, x, 0) }

//surge:kernel
func HistogramInside(k []int32, n int) [][]int {
	return ops.Map(func(r []int32) []int { return ops.Histogram(count, 8, r, ops.Replicate(1, len(r)), 0) }, ops.Split(k, n))
}

//surge:kernel
func HistogramRows(x []float64, k []int32, n int) [][]float64 {
	return ops.Histogram(rows, 8, k, ops.Split(x, n), ops.Replicate(0.0, n))
}

//surge:kernel
func SortByKey(x []float64, k []int32) ([]int32, []float64) { return ops.SortByKey(k, x) }

//surge:kernel
func SortByKeyInside(x []float64, n int) []float64 {
	return ops.Map(func(r []float64) float64 {
		sorted, _ := ops.SortByKey(r, r)
		return sorted[0]
	}, ops.Split(x, n))
}

//surge:kernel
func SortByKeyInLoop(x []float64, n int) float64 {
	s := 0.0
	for range n {
		y, _ := ops.SortByKey(ops.Map(func(v float64) float64 { return v * s }, x), x)
		s = y[len(x)/2]
	}
	return s
}

//surge:kernel
func SortByKeyRows(x []float64, k []int32, n int) ([]int32, [][]float64) {
	return ops.SortByKey(k, ops.Split(x, n))
}

//surge:kernel
func Filter(x []float64) []float64 { return ops.Filter(positive, x) }

//surge:kernel
func FilterInside(x []float64, n int) []float64 {
	return ops.Map(func(r []float64) float64 { return total(ops.Reverse(ops.Filter(positive, r))) }, ops.Split(x, n))
}

//surge:kernel
func FilterRows(x []float64, n int) [][]float64 {
	return ops.Filter(func(r []float64) bool { return r[0] > 0 }, ops.Split(x, n))
}

//surge:kernel
func FilterRowsInside(x []float64, n int) []float64 {
	return ops.Map(func(r []float64) float64 {
		return total(totals(ops.Filter(func(q []float64) bool { return q[0] > 0 }, ops.Split(r, 2))))
	}, ops.Split(x, n))
}

//surge:kernel
func Partition(x []float64) ([]float64, int) { return ops.Partition(positive, x) }

//surge:kernel
func PartitionInside(x []float64, n int) []float64 {
	return ops.Map(func(r []float64) float64 {
		y, split := ops.Partition(positive, r)
		return total(y[split:])
	}, ops.Split(x, n))
}

//surge:kernel
func Gather(x []float64, k []int32) []float64 { return ops.Gather(x, k) }

//surge:kernel
func GatherInside(x []float64, k []int32, n int) []float64 {
	return ops.Map(func(k []int32) float64 { return total(ops.Gather(x, k)) }, ops.Split(k, n))
}

//surge:kernel
func Scatter(x []float64, k []int32, d []float64) []float64 { return ops.Scatter(x, k, d) }

//surge:kernel
func ScatterInside(x []float64, k []int32, d []float64, n int) []float64 {
	return ops.Map2(func(r []float64, k []int32) float64 { return total(ops.Reverse(ops.Scatter(r, k, d))) }, ops.Split(x, n), ops.Split(k, n))
}

//surge:kernel
func ScatterUnique(x []float64, k []int32, d []float64) []float64 { return ops.ScatterUnique(x, k, d) }

//surge:kernel
func ScatterRows(x []float64, k []int32, n int) [][]float64 {
	return ops.Scatter(ops.Split(x, n), k, ops.Split(x, 2))
}

//surge:kernel
func Range(n int) []int { return ops.Range(0, n, 1) }

//surge:kernel
func Replicate(x float64, n int) []float64 { return ops.Replicate(x, n) }

//surge:kernel
func Zip(x, y []float64) []float64 {
	return ops.Map(func(p ops.Pair[float64, float64]) float64 { return p.First - p.Second }, ops.Zip(x, y))
}

//surge:kernel
func Split(x []float64, n int) []float64 { return totals(ops.Split(x, n)) }

//surge:kernel
func Cyclic(x []float64, n int) []float64 { return totals(ops.Cyclic(x, n)) }

//surge:kernel
func Nest(x []float64, offsets []int32) []float64 { return totals(ops.Nest(x, offsets)) }

//surge:kernel
func Join(x, y []float64) []float64 {
	return ops.Map(func(p ops.Pair[float64, float64]) float64 { return p.First - p.Second }, ops.Join(x, y))
}

//surge:kernel
func JoinInside(x, y []float64, n int) []float64 {
	return ops.Map(func(r []float64) float64 {
		return ops.Reduce(add, ops.Map(func(p ops.Pair[float64, float64]) float64 { return p.First - p.Second }, ops.Join(r, y)), 0)
	}, ops.Split(x, n))
}

//surge:kernel
func Striding(x []float64, n int) []float64 { return ops.Striding(x, n) }

//surge:kernel
func Reverse(x []float64) []float64 { return ops.Reverse(x) }

//surge:kernel
func Concat(x, y []float64) []float64 { return ops.Concat(x, y) }

//surge:kernel
func ConcatInside(x []float64, n int) []float64 {
	return ops.Map(func(r []float64) float64 { return total(ops.Concat(r, x)) }, ops.Split(x, n))
}

//surge:kernel
func ConcatRows(x []float64, n int) [][]float64 { return ops.Concat(ops.Split(x, n), ops.Split(x, 2)) }

//surge:kernel
func Flatten(x []float64, n int) []float64 {
	return ops.Flatten(ops.Map(func(r []float64) []float64 { return ops.Map(twice, r) }, ops.Split(x, n)))
}

//surge:kernel
func FlattenInside(x []float64, n int) []float64 {
	return ops.Map(func(r []float64) float64 {
		return total(ops.Flatten(ops.Map(func(v float64) []float64 { return ops.Replicate(v, int(v)) }, r)))
	}, ops.Split(x, n))
}

//surge:kernel
func Transpose(x []float64, n int) [][]float64 { return ops.Transpose(ops.Split(x, n)) }

//surge:kernel
func TransposeInside(x []float64, n int) []float64 {
	return ops.Map(func(r []float64) float64 { return total(totals(ops.Transpose(ops.Split(r, 2)))) }, ops.Split(x, n))
}

// smaller is the lesser of two elements with their places, the first of equal ones.
func smaller(a, b place) place {
	if b.Value < a.Value || b.Value == a.Value && b.At < a.At {
		return b
	}
	return a
}

type place struct {
	Value float64
	At    int
}

func arg(x []float64) int {
	return ops.Reduce(smaller, ops.Map2(func(v float64, i int) place { return place{v, i} }, x, ops.Range(0, len(x), 1)), place{math.Inf(1), 0}).At
}

//surge:kernel
func ArgMin(x []float64) int { return arg(x) }

//surge:kernel
func ArgMinInside(x []float64, n int) []int { return ops.Map(arg, ops.Split(x, n)) }
