//go:build !amd64

package vec

import "unsafe"

// No CPU here has a level at which these are called.

func sumTileF64x8(acc, a unsafe.Pointer, rows int, b unsafe.Pointer, vectors, aStep, bStep, n int) {
	panic("vec: no vectors")
}

func sumTileF64x4(acc, a unsafe.Pointer, rows int, b unsafe.Pointer, vectors, aStep, bStep, n int) {
	panic("vec: no vectors")
}

func sumTileF32x16(acc, a unsafe.Pointer, rows int, b unsafe.Pointer, vectors, aStep, bStep, n int) {
	panic("vec: no vectors")
}

func sumTileF32x8(acc, a unsafe.Pointer, rows int, b unsafe.Pointer, vectors, aStep, bStep, n int) {
	panic("vec: no vectors")
}
