package vec

import (
	"cmp"
	"unsafe"
)

// Addr returns the address of p[i] as the start of n elements; for n == 0 it returns p, so that an address behind the
// end of an array is never formed.
func Addr[T any](p *T, i, n int) *T {
	if n == 0 {
		return p
	}
	return (*T)(unsafe.Add(unsafe.Pointer(p), i*int(unsafe.Sizeof(*p))))
}

// AddrIn returns the address of p[i], one of n elements; where there is no such element it returns p.
func AddrIn[T any](p *T, i, n int) *T {
	if uint(i) >= uint(n) {
		return p
	}
	return (*T)(unsafe.Add(unsafe.Pointer(p), i*int(unsafe.Sizeof(*p))))
}

// Elem returns the address of p[i] without a bounds check. The caller has checked that p[i] is part of the array that
// p points into. Generated code reads and writes elements through it: an access is an instruction of the line that it
// stands on, where the compiler would add one for an inlined call that reads or writes.
func Elem[T any](p *T, i int) *T {
	return (*T)(unsafe.Add(unsafe.Pointer(p), i*int(unsafe.Sizeof(*p))))
}

// Slice returns the n elements of p from i on as a slice without room behind it, for a function of the program.
func Slice[T any](p *T, i, n int) []T {
	if n == 0 {
		return []T{}
	}
	return unsafe.Slice(Elem(p, i), n)
}

// Int64s returns p as a pointer to the lanes of vectors of such integers. Vectors exist on 64-bit machines only.
func Int64s[T int | uint | uint64](p *T) *int64 { return (*int64)(unsafe.Pointer(p)) }

// Int32s returns p as a pointer to the lanes of vectors of uint32.
func Int32s(p *uint32) *int32 { return (*int32)(unsafe.Pointer(p)) }

// Value returns x; an expression of it is not a constant expression.
func Value[T any](x T) T { return x }

// Choose returns x if c holds, and y if not.
func Choose[T any](c bool, x, y T) T {
	if c {
		return x
	}
	return y
}

// lineBytes is the size of a cache line, and of the largest vectors.
const lineBytes = 64

// Line returns the address of the first element from p on that begins a cache line: one of as many as a line holds. A
// vector of 512 bits that does not begin a line lies in two, and storing and loading it takes twice as long or more.
func Line[T any](p *T) *T {
	return (*T)(unsafe.Add(unsafe.Pointer(p), -uintptr(unsafe.Pointer(p))&(lineBytes-1)))
}

// Min is the built-in function min, for packages that declare another one.
func Min[T cmp.Ordered](a, b T) T { return min(a, b) }

// Max is the built-in function max, for packages that declare another one.
func Max[T cmp.Ordered](a, b T) T { return max(a, b) }
