package vec

import "unsafe"

// At returns p[i] without a bounds check. The caller has checked that p[i] is part of the array that p points into.
func At[T any](p *T, i int) T {
	return *(*T)(unsafe.Add(unsafe.Pointer(p), i*int(unsafe.Sizeof(*p))))
}

// Set sets p[i] to v without a bounds check, under the condition of [At].
func Set[T any](p *T, i int, v T) {
	*(*T)(unsafe.Add(unsafe.Pointer(p), i*int(unsafe.Sizeof(*p)))) = v
}

// Ptr returns the address of the first element of s, nil if s is nil: the base that the other functions of this package take.
func Ptr[T any](s []T) *T { return unsafe.SliceData(s) }

// bit returns 1 for true and 0 for false.
func bit(b bool) (x uint8) {
	if b {
		x = 1 // compiled without a branch
	}
	return x
}
