// Package cmp is what package cmp does.
package cmp

import "cmp"

// Less reports whether x is less than y; NaN is less than every number that is none.
func Less[T cmp.Ordered](x, y T) bool { return x < y || x != x && y == y }

// Compare returns -1, 0 or 1, as x is less than, equal to or greater than y, in the order of [Less].
func Compare[T cmp.Ordered](x, y T) int {
	if x < y || x != x && y == y {
		return -1
	}
	if x > y || x == x && y != y {
		return 1
	}
	return 0
}

// Or returns the first of the values that is not zero, or zero.
func Or[T comparable](vals ...T) T {
	var zero T
	for _, v := range vals {
		if v != zero {
			return v
		}
	}
	return zero
}
