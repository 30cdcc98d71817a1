package vec

import "unsafe"

// Zero sets n elements from p on to their zero value, none if n is negative.
func Zero[T any](p *T, n int) { clear(unsafe.Slice(p, max(n, 0))) }
