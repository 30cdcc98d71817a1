package vec

import "unsafe"

// pack8x8 transposes 8 rows of n elements of 8 bytes, with AVX-512.
//
//go:noescape
func pack8x8(dst, src unsafe.Pointer, n int)

// pack8x4 transposes 4 rows of n elements of 8 bytes, with AVX2.
//
//go:noescape
func pack8x4(dst, src unsafe.Pointer, n int)
