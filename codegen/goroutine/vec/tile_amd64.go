package vec

import "unsafe"

// The steps of these are in bytes; rows and vectors are arrays of addresses.

//go:noescape
func sumTileF64x8(acc, a unsafe.Pointer, rows int, b unsafe.Pointer, vectors, aStep, bStep, n int)

//go:noescape
func sumTileF64x4(acc, a unsafe.Pointer, rows int, b unsafe.Pointer, vectors, aStep, bStep, n int)

//go:noescape
func sumTileF32x16(acc, a unsafe.Pointer, rows int, b unsafe.Pointer, vectors, aStep, bStep, n int)

//go:noescape
func sumTileF32x8(acc, a unsafe.Pointer, rows int, b unsafe.Pointer, vectors, aStep, bStep, n int)
