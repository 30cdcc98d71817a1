package vec

import "unsafe"

// The routines of this file sum the products of a register tile: of some rows, from which one factor is taken at a time,
// and one or two vectors beside each other. They are assembly where the CPU has the vectors, and loops elsewhere. There are
// 1, 2, 4 or 8 rows and one vector, or 1, 2 or 4 rows and two. Nothing is checked.

// SumTileF64x8 sets acc[(r*vectors+v)*8+k] to the sum of a[r][j*aStep] * b[v][j*bStep+k] over 0 <= j < n, for every row r,
// vector v and lane k, added in the order of j by fused multiply-adds where the CPU has them.
func SumTileF64x8(acc *float64, a *[8]*float64, rows int, b *[2]*float64, vectors, aStep, bStep, n int) {
	if level >= levelAVX512 {
		sumTileF64x8(unsafe.Pointer(acc), unsafe.Pointer(a), rows, unsafe.Pointer(b), vectors, aStep*8, bStep*8, n)
		return
	}
	sumTilePortable(acc, a[:rows], b[:vectors], aStep, bStep, n, 8)
}

// SumTileF64x4 is [SumTileF64x8] for vectors of 4.
func SumTileF64x4(acc *float64, a *[8]*float64, rows int, b *[2]*float64, vectors, aStep, bStep, n int) {
	if level >= levelAVX2 {
		sumTileF64x4(unsafe.Pointer(acc), unsafe.Pointer(a), rows, unsafe.Pointer(b), vectors, aStep*8, bStep*8, n)
		return
	}
	sumTilePortable(acc, a[:rows], b[:vectors], aStep, bStep, n, 4)
}

// SumTileF32x16 is [SumTileF64x8] for vectors of 16.
func SumTileF32x16(acc *float32, a *[8]*float32, rows int, b *[2]*float32, vectors, aStep, bStep, n int) {
	if level >= levelAVX512 {
		sumTileF32x16(unsafe.Pointer(acc), unsafe.Pointer(a), rows, unsafe.Pointer(b), vectors, aStep*4, bStep*4, n)
		return
	}
	sumTilePortable(acc, a[:rows], b[:vectors], aStep, bStep, n, 16)
}

// SumTileF32x8 is [SumTileF64x8] for vectors of 8.
func SumTileF32x8(acc *float32, a *[8]*float32, rows int, b *[2]*float32, vectors, aStep, bStep, n int) {
	if level >= levelAVX2 {
		sumTileF32x8(unsafe.Pointer(acc), unsafe.Pointer(a), rows, unsafe.Pointer(b), vectors, aStep*4, bStep*4, n)
		return
	}
	sumTilePortable(acc, a[:rows], b[:vectors], aStep, bStep, n, 8)
}

func sumTilePortable[T float32 | float64](acc *T, a, b []*T, aStep, bStep, n, lanes int) {
	for r := range a {
		for v := range b {
			for k := range lanes {
				var s T
				for j := range n {
					s += At(a[r], j*aStep) * At(b[v], j*bStep+k)
				}
				Set(acc, (r*len(b)+v)*lanes+k, s)
			}
		}
	}
}
