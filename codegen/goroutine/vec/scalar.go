package vec

import "unsafe"

// Ptr returns the address of the first element of s, nil if s is nil: the base that the other functions of this
// package take.
func Ptr[T any](s []T) *T { return unsafe.SliceData(s) }

// bit returns 1 for true and 0 for false.
func bit(b bool) (x uint8) {
	if b {
		x = 1 // compiled without a branch
	}
	return x
}
