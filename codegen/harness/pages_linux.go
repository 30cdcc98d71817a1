package harness

import (
	"syscall"
	"unsafe"
)

// huge asks for huge pages behind a large slice that nothing has touched yet: the arrays of a program that cares for
// speed lie on them, and what is measured should not be how many pages the processor can remember.
func huge[T any](s []T) []T {
	const page, advice = 2 << 20, 14 // MADV_HUGEPAGE
	if n := uintptr(len(s)) * unsafe.Sizeof(*new(T)); n >= 2*page {
		start := uintptr(unsafe.Pointer(unsafe.SliceData(s)))
		first := (start + page - 1) &^ (page - 1)
		last := (start + n) &^ (page - 1)
		part := unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(s)), first-start)), last-first)
		_ = syscall.Madvise(part, advice) // a system without them does without
	}
	return s
}
