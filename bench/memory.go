package main

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// huge returns n float64s on huge pages where the system gives them, as the peers' arrays are.
func huge(n int) []float64 {
	p := pages(8 * n)
	if p == nil {
		return make([]float64, n)
	}
	return unsafe.Slice((*float64)(p), n)
}

func hugeInts(s []int32) []int32 {
	p := pages(4 * len(s))
	if p == nil {
		return s
	}
	t := unsafe.Slice((*int32)(p), len(s))
	copy(t, s)
	return t
}

// pages maps memory for large arrays and asks for huge pages; nil for small ones.
func pages(bytes int) unsafe.Pointer {
	const page = 2 << 20
	if bytes < 2*page {
		return nil
	}
	m, err := unix.Mmap(-1, 0, bytes+page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return nil
	}
	_ = unix.Madvise(m, unix.MADV_HUGEPAGE)
	off := -uintptr(unsafe.Pointer(&m[0])) & (page - 1)
	return unsafe.Pointer(&m[off])
}
