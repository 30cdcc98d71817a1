package scans

import "github.com/surge-ndp/surge/ops"

// Kept filters what is computed of elements, and counts it.
//
//surge:kernel
func Kept(x []int64) ([]int64, int) {
	kept := ops.Filter(func(v int64) bool { return v%3 != 0 }, ops.Map(func(v int64) int64 { return v*v + 1 }, x))
	return kept, len(kept)
}

// Halves puts the small ones before the others.
//
//surge:kernel
func Halves(x []float64, at float64) ([]float64, int) {
	return ops.Partition(func(v float64) bool { return v < at }, x)
}

// Ordered sorts values by keys that are computed.
//
//surge:kernel
func Ordered(keys []int32, values []float64) ([]int32, []float64) {
	return ops.SortByKey(ops.Map(func(k int32) int32 { return k % 5 }, keys), values)
}

// Routed puts elements at places, over what is there.
//
//surge:kernel
func Routed(x []int64, at []int, y []int64) []int64 {
	return ops.Scatter(ops.Map(func(v int64) int64 { return 3 * v }, x), at, y)
}

// Composed scans by a function whose neutral element is not known.
//
//surge:kernel
func Composed(x []int64, by int64) []int64 {
	return ops.Scan(func(a, b int64) int64 { return a + b + by }, ops.Map(func(v int64) int64 { return v * v }, x), 3)
}
