package scans

import "github.com/surge-ndp/surge/ops"

// Twice sorts what is sorted by other keys, and reads what was there before the first sort.
//
//surge:kernel
func Twice(keys []int32, others []float64, values []int64) ([]float64, []int64, []int64) {
	_, by := ops.SortByKey(keys, others)
	_, sorted := ops.SortByKey(keys, values)
	at, twice := ops.SortByKey(by, sorted)
	return at, twice, ops.Map2(func(a, b int64) int64 { return a - b }, twice, values)
}

// Equals scans what is sorted, and counts elements that are equal to the one before.
//
//surge:kernel
func Equals(keys []int32, values []int64) ([]int64, int) {
	k, v := ops.SortByKey(keys, values)
	sums := ops.InclusiveScan(func(a, b int64) int64 { return a + b }, v, 0)
	same := ops.Map(func(i int) int {
		if i > 0 && k[i] == k[i-1] {
			return 1
		}
		return 0
	}, ops.Range(0, len(k), 1))
	return sums, ops.Reduce(func(a, b int) int { return a + b }, same, 0)
}

// Places yields where elements come from, and where the least key is.
//
//surge:kernel
func Places(keys []float64) ([]int, int) {
	_, from := ops.SortByKey(keys, ops.Range(0, len(keys), 1))
	least := -1
	if len(from) > 0 {
		least = from[0]
	}
	return from, least
}

// Early has a result that is made before the sort, one behind it, and one of both.
//
//surge:kernel
func Early(x []int64) ([]int64, []int64, []int64) {
	early := ops.Map(func(v int64) int64 { return v*v - 3*v }, x)
	_, late := ops.SortByKey(early, x)
	return early, late, ops.Map2(func(a, b int64) int64 { return a*10 + b }, early, late)
}
