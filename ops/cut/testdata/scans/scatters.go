package scans

import "github.com/surge-ndp/surge/ops"

// Inverse is the inverse of a permutation, and -1 at places that it does not have.
//
//surge:kernel
func Inverse(at []int) []int {
	return ops.Scatter(ops.Range(0, len(at), 1), at, ops.Replicate(-1, len(at)))
}

// Shifted puts pairs at places, of which one part is computed, over what is computed, and sums what is there then.
//
//surge:kernel
func Shifted(x []int64, k []int32, at []int32, y []int64, z []int32) ([]ops.Pair[int64, int32], int64) {
	all := ops.Scatter(ops.Zip(ops.Map(func(v int64) int64 { return v*v - 1 }, x), k), at, ops.Zip(ops.Map(func(v int64) int64 { return -v }, y), z))
	return all, ops.Reduce(sum, ops.Map(func(p ops.Pair[int64, int32]) int64 { return p.First + int64(p.Second) }, all), 0)
}

// Routes puts elements at places twice: what is at a place then goes on to another one.
//
//surge:kernel
func Routes(x []int64, at []int, y []int64, further []int, z []int64) []int64 {
	return ops.Scatter(ops.Scatter(x, at, y), further, z)
}

// Left puts the elements that are left at places, which elements have with them.
//
//surge:kernel
func Left(x []int64, at []int, y []int64) ([]int64, int) {
	left := ops.Filter(func(p ops.Pair[int64, int]) bool { return p.First > 1 }, ops.Zip(x, at))
	return ops.Scatter(ops.Map(func(p ops.Pair[int64, int]) int64 { return 2 * p.First }, left),
		ops.Map(func(p ops.Pair[int64, int]) int { return p.Second }, left), y), len(left)
}

// Last is a histogram of which element each bin has last, by which another sequence is read in the order of bins, and
// the elements before.
//
//surge:kernel
func Last(bins []int32, x []int64, most int) ([]int64, []int) {
	last := ops.Histogram(func(a, b int) int { return max(a, b) }, most, bins, ops.Range(0, len(bins), 1), -1)
	return ops.Map(func(i int) int64 {
		if i < 0 {
			return -7
		}
		return x[i] - x[max(i-1, 0)]
	}, last), last
}

// Unique puts elements at places of which each may be there once.
//
//surge:kernel
func Unique(x []int64, at []int, y []int64) []int64 {
	return ops.ScatterUnique(x, at, y)
}
