package slices

import "cmp"

// Min returns the smallest element of x, NaN if there is one. It fails if x is empty.
func Min[S ~[]E, E cmp.Ordered](x S) E {
	if len(x) == 0 {
		panic("slices.Min: empty list")
	}
	m := x[0]
	for i := 1; i < len(x); i++ {
		m = min(m, x[i])
	}
	return m
}

// Max returns the largest element of x, NaN if there is one. It fails if x is empty.
func Max[S ~[]E, E cmp.Ordered](x S) E {
	if len(x) == 0 {
		panic("slices.Max: empty list")
	}
	m := x[0]
	for i := 1; i < len(x); i++ {
		m = max(m, x[i])
	}
	return m
}

// MinFunc returns the first of the smallest elements of x in the order of cmp. It fails if x is empty.
func MinFunc[S ~[]E, E any](x S, cmp func(a, b E) int) E {
	if len(x) == 0 {
		panic("slices.MinFunc: empty list")
	}
	m := x[0]
	for i := 1; i < len(x); i++ {
		if cmp(x[i], m) < 0 {
			m = x[i]
		}
	}
	return m
}

// MaxFunc returns the first of the largest elements of x in the order of cmp. It fails if x is empty.
func MaxFunc[S ~[]E, E any](x S, cmp func(a, b E) int) E {
	if len(x) == 0 {
		panic("slices.MaxFunc: empty list")
	}
	m := x[0]
	for i := 1; i < len(x); i++ {
		if cmp(x[i], m) > 0 {
			m = x[i]
		}
	}
	return m
}

// Index returns where v is first in s, -1 if it is not.
func Index[S ~[]E, E comparable](s S, v E) int {
	for i := range s {
		if v == s[i] {
			return i
		}
	}
	return -1
}

// IndexFunc returns where f is first true, -1 if it is nowhere.
func IndexFunc[S ~[]E, E any](s S, f func(E) bool) int {
	for i := range s {
		if f(s[i]) {
			return i
		}
	}
	return -1
}

// Contains reports whether v is in s.
func Contains[S ~[]E, E comparable](s S, v E) bool {
	for i := range s {
		if v == s[i] {
			return true
		}
	}
	return false
}

// ContainsFunc reports whether f is true of an element.
func ContainsFunc[S ~[]E, E any](s S, f func(E) bool) bool {
	for i := range s {
		if f(s[i]) {
			return true
		}
	}
	return false
}

// Equal reports whether a and b have the same length and elements; no NaN is equal to anything.
func Equal[S ~[]E, E comparable](a, b S) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// EqualFunc is [Equal] with a function for the elements.
func EqualFunc[A ~[]E, B ~[]F, E, F any](a A, b B, eq func(E, F) bool) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !eq(a[i], b[i]) {
			return false
		}
	}
	return true
}

// Compare compares the first elements that differ, or else the lengths.
func Compare[S ~[]E, E cmp.Ordered](a, b S) int {
	for i := range min(len(a), len(b)) {
		if c := cmp.Compare(a[i], b[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(a), len(b))
}

// CompareFunc is [Compare] with a function for the elements.
func CompareFunc[A ~[]E, B ~[]F, E, F any](a A, b B, order func(E, F) int) int {
	for i := range min(len(a), len(b)) {
		if c := order(a[i], b[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(a), len(b))
}

// Reverse reverses the order of the elements.
func Reverse[S ~[]E, E any](s S) {
	n := len(s)
	for i := range n / 2 {
		s[i], s[n-1-i] = s[n-1-i], s[i]
	}
}

// Clone returns a copy of s.
func Clone[S ~[]E, E any](s S) S {
	out := make(S, len(s))
	for i := range s {
		out[i] = s[i]
	}
	return out
}
