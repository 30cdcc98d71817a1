// Package sort is what package sort does.
package sort

import "slices"

// Ints sorts x in ascending order.
func Ints(x []int) { slices.Sort(x) }

// Float64s sorts x in ascending order; NaNs come first.
func Float64s(x []float64) { slices.Sort(x) }

// Search returns the smallest i in [0, n) with f(i), n if there is none.
func Search(n int, f func(int) bool) int {
	lo, hi := 0, n
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if f(mid) {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

// Find returns the smallest i in [0, n) with cmp(i) <= 0, and whether it is 0 there.
func Find(n int, cmp func(int) int) (i int, found bool) {
	lo, hi := 0, n
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if cmp(mid) > 0 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, lo < n && cmp(lo) == 0
}

// SearchInts returns where x is in the ascending numbers a, or where it would be inserted.
func SearchInts(a []int, x int) int {
	lo, hi := 0, len(a)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if a[mid] < x {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// SearchFloat64s is [SearchInts] of float64s.
func SearchFloat64s(a []float64, x float64) int {
	lo, hi := 0, len(a)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if a[mid] >= x { // not so where either is NaN
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

// IntsAreSorted reports whether x is ascending.
func IntsAreSorted(x []int) bool {
	for i := 1; i < len(x); i++ {
		if x[i] < x[i-1] {
			return false
		}
	}
	return true
}

// Float64sAreSorted reports whether x is ascending; NaNs come first.
func Float64sAreSorted(x []float64) bool {
	for i := 1; i < len(x); i++ {
		if x[i] < x[i-1] || x[i] != x[i] && x[i-1] == x[i-1] {
			return false
		}
	}
	return true
}
