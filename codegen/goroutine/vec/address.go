package vec

import "unsafe"

// Addr returns the address of p[i] as the start of n elements; for n == 0 it returns p, so that an address behind the end
// of an array is never formed.
func Addr[T any](p *T, i, n int) *T {
	if n == 0 {
		return p
	}
	return (*T)(unsafe.Add(unsafe.Pointer(p), i*int(unsafe.Sizeof(*p))))
}

// Int64s returns p as a pointer to the lanes of vectors of ints. Vectors exist on 64-bit machines only.
func Int64s(p *int) *int64 { return (*int64)(unsafe.Pointer(p)) }

// Value returns x; an expression of it is not a constant expression.
func Value[T any](x T) T { return x }
