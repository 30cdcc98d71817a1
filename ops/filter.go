package ops

// Filter keeps the elements that satisfy pred, in order.
//
//	y = s[i₀], s[i₁], …        i₀ < i₁ < … are the i with pred(s[i])
//
// Shape: n → at most n. Work O(n), span O(log n): a scan counts, then every element that stays is put in its place.
// Strongest schedule: cooperative for the scan, independent for the placing. The result is fresh. Beside Table I of the
// paper.
func Filter[T any](pred func(T) bool, s []T) []T {
	y := []T{}
	for _, x := range s {
		if pred(x) {
			y = append(y, x)
		}
	}
	return y
}

// Partition puts the elements that satisfy pred before the others; both keep their order.
//
//	y = s[i₀], s[i₁], …, s[j₀], s[j₁], …        pred(s[iₖ]), not pred(s[jₖ]), i₀ < i₁ < …, j₀ < j₁ < …
//
// split is the number of elements that satisfy pred: y[:split] are these, y[split:] the others. Shape: n → n, scalar.
// Work O(n), span O(log n). Strongest schedule: cooperative for the scan that counts, independent for the placing. The
// result is fresh. Beside Table I of the paper.
func Partition[T any](pred func(T) bool, s []T) (y []T, split int) {
	y = make([]T, 0, len(s))
	var others []T
	for _, x := range s {
		if pred(x) {
			y = append(y, x)
		} else {
			others = append(others, x)
		}
	}
	return append(y, others...), len(y)
}
