package slices

// Compact leaves one of equal elements that follow each other, at the beginning of s, and zeros behind.
func Compact[S ~[]E, E comparable](s S) S {
	n := len(s)
	k := min(n, 1)
	for i := 1; i < n; i++ {
		if s[i] != s[i-1] {
			s[k] = s[i]
			k++
		}
	}
	var zero E
	for i := k; i < n; i++ {
		s[i] = zero
	}
	return s[:k]
}

// CompactFunc is [Compact] with a function that says what is equal.
func CompactFunc[S ~[]E, E any](s S, eq func(E, E) bool) S {
	n := len(s)
	k := min(n, 1)
	for i := 1; i < n; i++ {
		if !eq(s[i], s[i-1]) {
			s[k] = s[i]
			k++
		}
	}
	var zero E
	for i := k; i < n; i++ {
		s[i] = zero
	}
	return s[:k]
}

// DeleteFunc leaves the elements of which del is false, at the beginning of s, and zeros behind.
func DeleteFunc[S ~[]E, E any](s S, del func(E) bool) S {
	n, k := len(s), 0
	for i := 0; i < n; i++ {
		if v := s[i]; !del(v) {
			s[k] = v
			k++
		}
	}
	var zero E
	for i := k; i < n; i++ {
		s[i] = zero
	}
	return s[:k]
}

// Repeat returns count times x.
func Repeat[S ~[]E, E any](x S, count int) S {
	if count < 0 {
		panic("cannot be negative")
	}
	n := len(x)
	out := make(S, n*count)
	for i := range count {
		for j := range n {
			out[i*n+j] = x[j]
		}
	}
	return out
}

// stableByIndex sorts x by less, and keeps the order of equal elements. It sorts the indices of x, as less compares
// the elements at two places.
//
//lint:ignore U1000 package load calls it where a kernel calls sort.SliceStable
func stableByIndex[E any](x []E, less func(i, j int) bool) {
	n := len(x)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	SortStableFunc(order, func(i, j int) int {
		if less(i, j) {
			return -1
		}
		return 0
	})
	sorted := make([]E, n)
	for i, at := range order {
		sorted[i] = x[at]
	}
	for i := range n {
		x[i] = sorted[i]
	}
}
