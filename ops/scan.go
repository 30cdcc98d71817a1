package ops

// Scan gives the reductions of all proper beginnings of s, starting from the prefix p: the
// exclusive scan.
//
//	y[0] = p,   y[i] = y[i-1] ⊕ s[i-1]        0 < i < n
//
// op must be associative; p need not be neutral. The last element of s does not enter the result.
// Shape: n → n (an empty sequence gives an empty one, without p). Work O(n), span O(log n).
// Strongest schedule: cooperative. The result is fresh. Paper: Table I, scan.
func Scan[T any](op func(T, T) T, s []T, p T) []T {
	y := make([]T, len(s))
	sum := p
	for i, x := range s {
		y[i] = sum
		if i+1 < len(s) { // the last element enters nothing, so op is not called on it
			sum = op(sum, x)
		}
	}
	return y
}

// InclusiveScan gives the reductions of all beginnings of s up to and including each element,
// starting from the prefix p.
//
//	y[0] = p ⊕ s[0],   y[i] = y[i-1] ⊕ s[i]        0 < i < n
//
// op must be associative; p need not be neutral. The last element is [Reduce](op, s, p). Shape:
// n → n. Work O(n), span O(log n). Strongest schedule: cooperative, as for [Scan]. The result is
// fresh. Beside Table I of the paper, which has the exclusive scan only.
func InclusiveScan[T any](op func(T, T) T, s []T, p T) []T {
	y := make([]T, len(s))
	sum := p
	for i, x := range s {
		sum = op(sum, x)
		y[i] = sum
	}
	return y
}
