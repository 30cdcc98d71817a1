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

// pack4x16 transposes 16 rows of n >= 4 elements of 4 bytes, with AVX-512.
//
//go:noescape
func pack4x16(dst, src unsafe.Pointer, n int)

// pack4x8 transposes 8 rows of n >= 4 elements of 4 bytes, with AVX2.
//
//go:noescape
func pack4x8(dst, src unsafe.Pointer, n int)

// unpack8x4 sets 4 rows of n elements of 8 bytes to 4 elements each of columns that are so many bytes apart, as far as
// fours of columns go, with AVX2.
//
//go:noescape
func unpack8x4(dst, src unsafe.Pointer, n, apart int)

// unpack4x8 sets 8 rows of n elements of 4 bytes to 8 elements each of columns that are so many bytes apart, as far as
// fours of columns go, with AVX2.
//
//go:noescape
func unpack4x8(dst, src unsafe.Pointer, n, apart int)
