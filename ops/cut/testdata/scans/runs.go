package scans

import "github.com/surge-ndp/surge/ops"

func sum(a, b int64) int64 { return a + b }

// Grouped sums by neighbours that have one key, each sum from an initial value on.
//
//surge:kernel
func Grouped(keys []int32, x []int64, from int64) ([]int32, []int64) {
	return ops.ReduceByKey(sum, ops.Map(func(v int64) int64 { return v*v + 1 }, x), keys, from)
}

// Means groups by keys that are sorted first, and divides sums by how many there are, two ReduceByKeys of one order.
//
//surge:kernel
func Means(keys []int32, x []int64) ([]int32, []int64) {
	k, v := ops.SortByKey(keys, x)
	ks, sums := ops.ReduceByKey(sum, v, k, 0)
	_, counts := ops.ReduceByKey(sum, ops.Replicate(int64(1), len(k)), k, 0)
	return ks, ops.Map2(func(s, n int64) int64 { return 1000 * s / max(n, 1) }, sums, counts)
}

// Longest keeps the keys of runs that are longer than others may be, and how long the longest is. Keys that are not
// numbers are runs of one.
//
//surge:kernel
func Longest(x []float64, most int) ([]float64, int) {
	ks, counts := ops.ReduceByKey(func(a, b int) int { return a + b }, ops.Replicate(1, len(x)), x, 0)
	long := ops.Filter(func(p ops.Pair[float64, int]) bool { return p.Second > most }, ops.Zip(ks, counts))
	return ops.Map(func(p ops.Pair[float64, int]) float64 { return p.First }, long),
		ops.Reduce(func(a, b int) int { return max(a, b) }, counts, 0)
}

// Pairs has keys of two components, of which one is computed, and sums of two.
//
//surge:kernel
func Pairs(a []int64, b []int32, x, y []int64) ([]ops.Pair[int64, int32], []ops.Pair[int64, int64]) {
	return ops.ReduceByKey(func(p, q ops.Pair[int64, int64]) ops.Pair[int64, int64] {
		return ops.Pair[int64, int64]{First: p.First + q.First, Second: max(p.Second, q.Second)}
	}, ops.Zip(x, y), ops.Zip(ops.Map(func(v int64) int64 { return v / 2 }, a), b), ops.Pair[int64, int64]{})
}

// Within sums each run's values that are larger than that of its first element: that reads places of all of the run.
//
//surge:kernel
func Within(keys []int32, x []int64) []int64 {
	ks, heads := ops.ReduceByKey(func(a, b int64) int64 { return min(a, b) }, x, keys, 1<<40)
	return ops.Map2(func(k int32, v int64) int64 { return int64(k) * v }, ks, heads)
}

// Latest scans by a function that does not commute: the last one that is not zero.
//
//surge:kernel
func Latest(x []int64) []int64 {
	return ops.InclusiveScan(func(a, b int64) int64 {
		if b%3 != 0 {
			return b
		}
		return a
	}, x, 7)
}
