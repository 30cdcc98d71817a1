package vec

import "unsafe"

// Zero sets n elements from p on to their zero value.
func Zero[T any](p *T, n int) { clear(unsafe.Slice(p, n)) }
