// Package slices is what package slices does, without recursion.
package slices

import "cmp"

// run is how many elements are sorted by insertion, before such runs are merged.
const run = 12

// Sort sorts x in ascending order; NaNs come first.
//
// All sorting here is by insertion in short runs, which are then merged, pair by pair: that needs no recursion, and
// keeps the order of equal elements.
func Sort[S ~[]E, E cmp.Ordered](x S) {
	n := len(x)
	for lo := 0; lo < n; lo += run {
		hi := min(lo+run, n)
		for i := lo + 1; i < hi; i++ {
			v, j := x[i], i
			for j > lo && cmp.Less(v, x[j-1]) {
				x[j] = x[j-1]
				j--
			}
			x[j] = v
		}
	}
	if n > run {
		left := make([]E, n)
		for width := run; width < n; width *= 2 {
			for lo := 0; lo < n-width; lo += 2 * width {
				hi := min(lo+2*width, n)
				for i := range width {
					left[i] = x[lo+i]
				}
				i, j, k := 0, lo+width, lo
				for i < width && j < hi {
					if cmp.Less(x[j], left[i]) {
						x[k] = x[j]
						j++
					} else {
						x[k] = left[i]
						i++
					}
					k++
				}
				for i < width {
					x[k] = left[i]
					i++
					k++
				}
			}
		}
	}
}

// SortStableFunc sorts x in the order of cmp, and keeps the order of equal elements.
func SortStableFunc[S ~[]E, E any](x S, cmp func(a, b E) int) {
	n := len(x)
	for lo := 0; lo < n; lo += run {
		hi := min(lo+run, n)
		for i := lo + 1; i < hi; i++ {
			v, j := x[i], i
			for j > lo && cmp(v, x[j-1]) < 0 {
				x[j] = x[j-1]
				j--
			}
			x[j] = v
		}
	}
	if n > run {
		left := make([]E, n)
		for width := run; width < n; width *= 2 {
			for lo := 0; lo < n-width; lo += 2 * width {
				hi := min(lo+2*width, n)
				for i := range width {
					left[i] = x[lo+i]
				}
				i, j, k := 0, lo+width, lo
				for i < width && j < hi {
					if cmp(x[j], left[i]) < 0 {
						x[k] = x[j]
						j++
					} else {
						x[k] = left[i]
						i++
					}
					k++
				}
				for i < width {
					x[k] = left[i]
					i++
					k++
				}
			}
		}
	}
}

// IsSorted reports whether x is ascending; NaNs come first.
func IsSorted[S ~[]E, E cmp.Ordered](x S) bool {
	for i := 1; i < len(x); i++ {
		if cmp.Less(x[i], x[i-1]) {
			return false
		}
	}
	return true
}

// IsSortedFunc reports whether x is in the order of cmp.
func IsSortedFunc[S ~[]E, E any](x S, cmp func(a, b E) int) bool {
	for i := 1; i < len(x); i++ {
		if cmp(x[i], x[i-1]) < 0 {
			return false
		}
	}
	return true
}

// BinarySearch returns where target is in the ascending x, or where it would be inserted.
func BinarySearch[S ~[]E, E cmp.Ordered](x S, target E) (int, bool) {
	lo, hi := 0, len(x)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if cmp.Less(x[mid], target) {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, lo < len(x) && (x[lo] == target || x[lo] != x[lo] && target != target)
}

// BinarySearchFunc is [BinarySearch] in the order of cmp.
func BinarySearchFunc[S ~[]E, E, T any](x S, target T, cmp func(E, T) int) (int, bool) {
	lo, hi := 0, len(x)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if cmp(x[mid], target) < 0 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, lo < len(x) && cmp(x[lo], target) == 0
}
