package ops

// Map applies f to every element.
//
//	y[i] = f(a[i])        0 ≤ i < len(a)
//
// Shape: n → n. Work O(n), span O(1). Strongest schedule: independent. The result is fresh;
// elements that f returns as views stay views. Paper: Table I, map.
func Map[A, R any](f func(A) R, a []A) []R {
	y := make([]R, len(a))
	for i := range a {
		y[i] = f(a[i])
	}
	return y
}

// Map2 applies f to the elements of two sequences at the same position.
//
//	y[i] = f(a[i], b[i])        0 ≤ i < len(a)
//
// Shape: n, n → n. Work O(n), span O(1). Strongest schedule: independent. The result is fresh.
// Error: "length" if the lengths differ. Paper: Table I, map.
func Map2[A, B, R any](f func(A, B) R, a []A, b []B) []R {
	sameLength("Map2", "a", len(a), "b", len(b))
	y := make([]R, len(a))
	for i := range a {
		y[i] = f(a[i], b[i])
	}
	return y
}

// Map3 applies f to the elements of three sequences at the same position.
//
//	y[i] = f(a[i], b[i], c[i])        0 ≤ i < len(a)
//
// Shape: n, n, n → n. Work O(n), span O(1). Strongest schedule: independent. The result is fresh.
// Error: "length" if the lengths differ. Paper: Table I, map.
func Map3[A, B, C, R any](f func(A, B, C) R, a []A, b []B, c []C) []R {
	sameLength("Map3", "a", len(a), "b", len(b))
	sameLength("Map3", "a", len(a), "c", len(c))
	y := make([]R, len(a))
	for i := range a {
		y[i] = f(a[i], b[i], c[i])
	}
	return y
}

// Map4 applies f to the elements of four sequences at the same position.
//
//	y[i] = f(a[i], b[i], c[i], d[i])        0 ≤ i < len(a)
//
// Shape: n, n, n, n → n. Work O(n), span O(1). Strongest schedule: independent. The result is
// fresh. Error: "length" if the lengths differ. Paper: Table I, map.
func Map4[A, B, C, D, R any](f func(A, B, C, D) R, a []A, b []B, c []C, d []D) []R {
	sameLength("Map4", "a", len(a), "b", len(b))
	sameLength("Map4", "a", len(a), "c", len(c))
	sameLength("Map4", "a", len(a), "d", len(d))
	y := make([]R, len(a))
	for i := range a {
		y[i] = f(a[i], b[i], c[i], d[i])
	}
	return y
}
