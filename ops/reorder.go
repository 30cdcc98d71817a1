package ops

// Striding takes every stride-th element, from the first.
//
//	y[i] = s[i·stride]        i·stride < n
//
// Shape: n → ⌈n/stride⌉. Work O(n/stride), span O(1). Strongest schedule: independent. The result
// is fresh. Error: "stride" if stride is not positive. Paper: Table I, striding.
func Striding[T any](s []T, stride int) []T {
	if stride <= 0 {
		misuse("Striding", CodeStride, "stride is %d; it must be positive", stride)
	}
	y := make([]T, ceilDiv(len(s), stride))
	for i := range y {
		y[i] = s[i*stride]
	}
	return y
}

// Reverse turns a sequence around.
//
//	y[i] = s[n-1-i]        0 ≤ i < n
//
// Shape: n → n. Work O(n), span O(1). Strongest schedule: independent. The result is fresh. Paper:
// Table I, reverse.
func Reverse[T any](s []T) []T {
	y := make([]T, len(s))
	for i, x := range s {
		y[len(s)-1-i] = x
	}
	return y
}

// Concat puts one sequence after another.
//
//	y[i] = a[i]        0 ≤ i < n = len(a)
//	y[n+j] = b[j]      0 ≤ j < m = len(b)
//
// Shape: n, m → n+m. Work O(n+m), span O(1). Strongest schedule: independent. The result is fresh.
// Beside Table I of the paper.
func Concat[T any](a, b []T) []T {
	y := make([]T, 0, len(a)+len(b))
	return append(append(y, a...), b...)
}
