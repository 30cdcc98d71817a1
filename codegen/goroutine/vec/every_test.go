//go:build linux

package vec

import (
	"syscall"
	"testing"
	"unsafe"
)

// lastly returns a copy of s that ends where memory ends: what is read behind it is a fault.
func lastly[T number | uint8 | int8 | uint16 | int16](t *testing.T, s []T) []T {
	t.Helper()
	page := syscall.Getpagesize()
	memory, err := syscall.Mmap(-1, 0, 2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = syscall.Munmap(memory) })
	if err := syscall.Mprotect(memory[page:], syscall.PROT_NONE); err != nil {
		t.Skip(err)
	}
	bytes := len(s) * int(unsafe.Sizeof(s[0]))
	end := unsafe.Slice((*T)(unsafe.Pointer(&memory[page-bytes])), len(s))
	copy(end, s)
	return end
}

func narrowValues[T uint8 | int8 | uint16 | int16](n int) []T {
	s := make([]T, n)
	for i := range s {
		s[i] = T(random.Intn(1 << 16))
	}
	return s
}

// everyOr is the element of s that is written to place k, the first one to place 0 and the others each by further on,
// or what is there.
func everyOr[T any](s []T, by, k int, there T) T {
	if k >= 0 && k%by == 0 && k/by < len(s) {
		return s[k/by]
	}
	return there
}
