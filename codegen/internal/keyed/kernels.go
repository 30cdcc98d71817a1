package keyed

import (
	"math"

	"github.com/surge-ndp/surge/ops"
)

func add(a, b float64) float64 { return a + b }
func addInts(a, b int) int     { return a + b }

// larger keeps the first of two equal ones, as no operation known to the compiler does; a NaN wins.
func larger(a, b float64) float64 {
	if b > a || math.IsNaN(b) && !math.IsNaN(a) {
		return b
	}
	return a
}

//surge:kernel
func JoinTwo(x, y []float64) []float64 {
	return ops.Map(func(p ops.Pair[float64, float64]) float64 { return 8*p.First - p.Second }, ops.Join(x, y))
}

//surge:kernel
func JoinThree(x []float64, k []int32) float64 {
	return ops.Reduce(add, ops.Map(func(p ops.Triple[float64, int32, float64]) float64 {
		return p.First*float64(p.Second) - p.Third
	}, ops.Join3(x, k, x)), 0)
}

//surge:kernel
func TransposeRows(rows [][]float64) [][]float64 { return ops.Transpose(rows) }

//surge:kernel
func ColumnSums(rows [][]float64) []float64 {
	return ops.Map(func(c []float64) float64 { return ops.Reduce(add, c, 0) }, ops.Transpose(rows))
}

//surge:kernel
func RowSum(x []float64, width int) []float64 {
	return ops.Reduce(func(a, b []float64) []float64 { return ops.Map2(add, a, b) },
		ops.Map(func(i int) []float64 {
			return ops.Map(func(j int) float64 { return x[i] * float64(j) }, ops.Range(0, width, 1))
		}, ops.Range(0, len(x), 1)), ops.Replicate(1.0, width))
}

//surge:kernel
func ArgMin(x []float64) int {
	return ops.Reduce(smaller, ops.Zip(x, ops.Range(0, len(x), 1)), at{First: math.Inf(1), Second: math.MaxInt}).Second
}

// at is an element and where it stands.
type at = ops.Pair[float64, int]

// smaller takes the first of two equal elements, and a NaN only where there is nothing else: without that rule the
// order of combination would matter.
func smaller(a, b at) at {
	switch nanA, nanB := math.IsNaN(a.First), math.IsNaN(b.First); {
	case nanA != nanB:
		if nanA {
			return b
		}
		return a
	case b.First < a.First, (b.First == a.First || nanA) && b.Second < a.Second:
		return b
	}
	return a
}

//surge:kernel
func RowArgMax(x []float64, width int) []int {
	return ops.Map(func(row []float64) int {
		return ops.Reduce(smaller, ops.Zip(ops.Map(func(v float64) float64 { return -v }, row), ops.Range(0, len(row), 1)), at{First: math.Inf(1), Second: math.MaxInt}).Second
	}, ops.Split(x, width))
}

//surge:kernel
func Count(k []int32, bins int) []int {
	return ops.Histogram(addInts, bins, k, ops.Replicate(1, len(k)), 0)
}

//surge:kernel
func SumByBin(x []float64, k []int32, bins int) []float64 { return ops.Histogram(add, bins, k, x, 0.5) }

//surge:kernel
func MaxByBin(x []float64, k []int32, bins int) []float64 {
	return ops.Histogram(larger, bins, k, ops.Map(func(v float64) float64 { return 2 * v }, x), -3)
}

//surge:kernel
func MeanByBin(x []float64, k []int32, bins int) []float64 {
	type sum struct{ Total, Count float64 }
	sums := ops.Histogram(func(a, b sum) sum { return sum{a.Total + b.Total, a.Count + b.Count} }, bins, k,
		ops.Map(func(v float64) sum { return sum{v, 1} }, x), sum{})
	return ops.Map(func(s sum) float64 { return s.Total / max(s.Count, 1) }, sums)
}

//surge:kernel
func RowsByBin(x []float64, k []int32, bins, width int) [][]float64 {
	return ops.Histogram(func(a, b []float64) []float64 { return ops.Map2(add, a, b) }, bins, k, ops.Map(func(v float64) []float64 {
		return ops.Map(func(j int) float64 { return v + float64(j) }, ops.Range(0, width, 1))
	}, x), ops.Replicate(0.5, width))
}

//surge:kernel
func LargestRows(x []float64, k []int32, bins, width int) (largest [][]float64, at []float64) {
	rows := ops.Split(x, width)
	most := ops.Histogram(func(a, b []float64) []float64 { return ops.Map2(larger, a, b) }, bins, k[:len(rows)], rows, ops.Replicate(-3.0, width))
	return most, ops.Map(func(row []float64) float64 { return ops.Reduce(add, row, 0) }, most)
}

//surge:kernel
func Products(x []float64, width int) ([][]float64, []float64) {
	rows := ops.Split(x, width)
	columns := ops.Transpose(rows)
	dots := ops.Map(func(row []float64) []float64 {
		return ops.Map(func(j int) float64 {
			return ops.Reduce(add, ops.Map2(func(c []float64, v float64) float64 { return c[j] * v }, columns, row), 0.25)
		}, ops.Range(0, len(rows), 1))
	}, rows)
	least := ops.Map(func(row []float64) float64 { // the products are used twice, and with the row's own sum
		half := ops.Map(func(j int) float64 {
			return 0.5 * ops.Reduce(add, ops.Map2(func(c []float64, v float64) float64 { return c[j] - v }, columns, row), 0)
		}, ops.Range(0, len(rows), 1))
		return ops.Reduce(add, row, 0) + ops.Reduce(add, half, 0) - ops.Reduce(add, ops.Map(func(v float64) float64 { return v * v }, half), 0)
	}, rows)
	return dots, least
}

//surge:kernel
func CountRows(k []int32, bins, width int) [][]int {
	return ops.Map(func(row []int32) []int {
		return ops.Histogram(addInts, bins, row, ops.Replicate(1, len(row)), 0)
	}, ops.Split(k, width))
}

//surge:kernel
func Runs(x []float64, k []int32) ([]int32, []float64) { return ops.ReduceByKey(add, x, k, 0) }

//surge:kernel
func RunMax(x []float64, k []int32) ([]int32, []float64) { return ops.ReduceByKey(larger, x, k, -1) }

//surge:kernel
func FloatRuns(x []float64) ([]float64, []int) {
	return ops.ReduceByKey(addInts, ops.Replicate(1, len(x)), x, 0)
}

//surge:kernel
func RowRuns(x []float64, k []int32, width int) ([]int32, [][]float64) {
	rows := ops.Map(func(i int) []float64 {
		return ops.Map(func(j int) float64 { return x[i] + float64(j) }, ops.Range(0, width, 1))
	}, ops.Range(0, len(x), 1))
	return ops.ReduceByKey(func(a, b []float64) []float64 { return ops.Map2(add, a, b) }, rows, k, ops.Replicate(0.0, width))
}

//surge:kernel
func RunsInRows(x []float64, k []int32, width int) []float64 {
	return ops.Map2(func(row []float64, keys []int32) float64 {
		_, sums := ops.ReduceByKey(add, row, keys, 0)
		return ops.Reduce(func(a, b float64) float64 { return max(a, b) }, sums, -1000)
	}, ops.Split(x, width), ops.Split(k, width))
}

//surge:kernel
func Positive(x []float64) []float64 { return ops.Filter(func(v float64) bool { return v > 0 }, x) }

//surge:kernel
func PositivePairs(x []float64, k []int32) ([]float64, []int32) {
	kept := ops.Filter(func(p ops.Pair[float64, int32]) bool { return p.First > float64(p.Second) }, ops.Zip(x, k))
	return ops.Map(func(p ops.Pair[float64, int32]) float64 { return p.First }, kept),
		ops.Map(func(p ops.Pair[float64, int32]) int32 { return p.Second }, kept)
}

//surge:kernel
func PositiveInRows(x []float64, width int) []float64 {
	return ops.Map(func(row []float64) float64 {
		kept := ops.Filter(func(v float64) bool { return v > 0 }, row)
		return ops.Reduce(add, ops.Reverse(kept), 0) - float64(len(kept))
	}, ops.Split(x, width))
}

//surge:kernel
func Parted(x []float64) ([]float64, int) {
	return ops.Partition(func(v float64) bool { return v > 0 }, x)
}

//surge:kernel
func Scattered(x []float64, k []int32, bins int) []float64 {
	return ops.Scatter(x, k, ops.Replicate(-1.0, bins))
}

//surge:kernel
func Sorted(x []float64, k []int32) ([]int32, []float64) { return ops.SortByKey(k, x) }

//surge:kernel
func SortedFloats(x []float64) ([]float64, []int) { return ops.SortByKey(x, ops.Range(0, len(x), 1)) }

// Resorted sorts numbers by key, and gives them other keys.
//
//surge:kernel
func Resorted(x []float64, k []int32) ([]float64, []int32) {
	keys, y := ops.SortByKey(k, x)
	return y, ops.Map2(func(k int32, i int) int32 { return (7*k + int32(i)) % 101 }, keys, ops.Range(0, len(keys), 1))
}

//surge:kernel
func SortedComputed(x []float32, k []int64) ([]float32, []int64) {
	return ops.SortByKey(ops.Map(func(v float32) float32 { return -v }, x), k)
}

//surge:kernel
func Medians(x []float64, width int) []float64 {
	return ops.Map(func(row []float64) float64 {
		sorted, _ := ops.SortByKey(row, row)
		return sorted[len(sorted)/2]
	}, ops.Split(x, width))
}

//surge:kernel
func SumsOfSorted(x []float64, k []int32) ([]int32, []float64) {
	keys, values := ops.SortByKey(k, x)
	return ops.ReduceByKey(add, values, keys, 0)
}

//surge:kernel
func KeptRows(x []float64, width int) [][]float64 {
	return ops.Map(func(row []float64) []float64 {
		return ops.Filter(func(v float64) bool { return v > 0 }, row)
	}, ops.Split(x, width))
}

//surge:kernel
func SortedRows(x []float64, width int) [][]float64 {
	return ops.Map(func(row []float64) []float64 {
		sorted, _ := ops.SortByKey(row, row)
		return sorted
	}, ops.Split(x, width))
}

//surge:kernel
func RunRows(x []float64, k []int32, width int) [][]float64 {
	return ops.Map2(func(row []float64, keys []int32) []float64 {
		_, sums := ops.ReduceByKey(add, row, keys, 0)
		return sums
	}, ops.Split(x, width), ops.Split(k, width))
}

//surge:kernel
func Nested(x []float64, k []int32, bins, width int) []float64 {
	sums := ops.Map2(func(row []float64, keys []int32) float64 {
		order, y := ops.SortByKey(keys, row)
		h := ops.Histogram(add, bins, order, y, 0)
		kept := ops.Filter(func(v float64) bool { return v != 0 }, h)
		_, split := ops.Partition(func(v float64) bool { return v > 0 }, kept)
		return ops.Reduce(add, ops.InclusiveScan(add, kept, 0), 0) + float64(split)
	}, ops.Split(x, width), ops.Split(k, width))
	return ops.Filter(func(v float64) bool { return v != 1 }, sums)
}
