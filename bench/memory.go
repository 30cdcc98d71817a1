package main

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// huge asks for huge pages behind a large slice that nothing has touched yet, as the peers' arrays have.
func huge[T any](s []T) []T {
	const page = 2 << 20
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(*new(T))))
	if skip := int(-uintptr(unsafe.Pointer(unsafe.SliceData(bytes))) & (page - 1)); skip+page <= len(bytes) {
		part := bytes[skip:]
		_ = unix.Madvise(part[:len(part)/page*page], unix.MADV_HUGEPAGE) // a system without them does without
	}
	return s
}

// copied is a copy on huge pages.
func copied[T any](s []T) []T {
	t := huge(make([]T, len(s)))
	copy(t, s)
	return t
}
