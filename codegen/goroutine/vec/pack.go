package vec

import "unsafe"

// The routines of this file transpose: rows that lie one behind the other become columns, so that what the rows have
// at one place is a vector in memory. Like those of strips.go they check nothing, n may be 0, and source and
// destination must not overlap.

// PackRowsF64 sets dst[j*lanes+r] = src[r*n+j] for 0 <= r < lanes and 0 <= j < n.
func PackRowsF64(dst, src *float64, lanes, n int) {
	pack8(unsafe.Pointer(dst), unsafe.Pointer(src), lanes, n)
}

// PackRowsI64 is [PackRowsF64] for int64.
func PackRowsI64(dst, src *int64, lanes, n int) {
	pack8(unsafe.Pointer(dst), unsafe.Pointer(src), lanes, n)
}

// PackRowsF32 is [PackRowsF64] for float32.
func PackRowsF32(dst, src *float32, lanes, n int) {
	packPortable((*uint32)(unsafe.Pointer(dst)), (*uint32)(unsafe.Pointer(src)), lanes, n)
}

// PackRowsI32 is [PackRowsF64] for int32.
func PackRowsI32(dst, src *int32, lanes, n int) {
	packPortable((*uint32)(unsafe.Pointer(dst)), (*uint32)(unsafe.Pointer(src)), lanes, n)
}

// PackRows is [PackRowsF64] for integers of any size.
func PackRows[T uint64 | uint32 | uint16 | int16 | uint8 | int8](dst, src *T, lanes, n int) {
	packPortable(dst, src, lanes, n)
}

// pack8 transposes elements of 8 bytes.
func pack8(dst, src unsafe.Pointer, lanes, n int) {
	switch {
	case lanes == 8 && level >= levelAVX512:
		pack8x8(dst, src, n)
	case lanes == 4 && level >= levelAVX2:
		pack8x4(dst, src, n)
	default:
		packPortable((*uint64)(dst), (*uint64)(src), lanes, n)
	}
}

// packPortable transposes any elements.
func packPortable[T uint64 | uint32 | uint16 | int16 | uint8 | int8](dst, src *T, lanes, n int) {
	r := 0
	for ; r+4 <= lanes; r += 4 {
		at, k := r*n, r
		for range n {
			a, b, c, d := *Elem(src, at), *Elem(src, at+n), *Elem(src, at+2*n), *Elem(src, at+3*n)
			*Elem(dst, k), *Elem(dst, k+1), *Elem(dst, k+2), *Elem(dst, k+3) = a, b, c, d
			at, k = at+1, k+lanes
		}
	}
	for ; r < lanes; r++ {
		for j := range n {
			*Elem(dst, j*lanes+r) = *Elem(src, r*n+j)
		}
	}
}
