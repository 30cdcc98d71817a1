package vec

import "unsafe"

// The routines of this file transpose: rows that lie one behind the other become columns, so that what the rows have
// at one place is a vector in memory. Like those of strips.go they check nothing, n may be 0, and source and
// destination must not overlap.

// PackRows sets dst[j*lanes+r] = src[r*n+j] for 0 <= r < lanes and 0 <= j < n.
func PackRows[T float64 | float32 | int64 | int32 | uint64 | uint32 | uint16 | int16 | uint8 | int8](dst, src *T, lanes, n int) {
	switch to, from := unsafe.Pointer(dst), unsafe.Pointer(src); unsafe.Sizeof(*dst) {
	case 8:
		pack8(to, from, lanes, n)
	case 4:
		pack4(to, from, lanes, n)
	default:
		packPortable(dst, src, lanes, n)
	}
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

// pack4 transposes elements of 4 bytes.
func pack4(dst, src unsafe.Pointer, lanes, n int) {
	switch {
	case n < 4: // less than what is transposed at a time
		packPortable((*uint32)(dst), (*uint32)(src), lanes, n)
	case lanes == 16 && level >= levelAVX512:
		pack4x16(dst, src, n)
	case lanes == 8 && level >= levelAVX2:
		pack4x8(dst, src, n)
	default:
		packPortable((*uint32)(dst), (*uint32)(src), lanes, n)
	}
}

// packPortable transposes any elements.
func packPortable[T any](dst, src *T, lanes, n int) {
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

// UnpackRows sets dst[r*n+j] = src[j*lanes+r] for 0 <= r < lanes and 0 <= j < n: what [PackRows] undoes.
func UnpackRows[T float64 | float32 | int64 | int32 | uint64 | uint32 | uint16 | int16 | uint8 | int8](dst, src *T, lanes, n int) {
	size := int(unsafe.Sizeof(*dst))
	rows, unpack := 4, unpack8x4
	if size == 4 {
		rows, unpack = 8, unpack4x8
	}
	j := 0
	if level >= levelAVX2 && size >= 4 && lanes%rows == 0 && n >= 4 {
		for r := 0; r < lanes; r += rows {
			unpack(unsafe.Pointer(Elem(dst, r*n)), unsafe.Pointer(Elem(src, r)), n, lanes*size)
		}
		j = n &^ 3
	}
	for ; j < n; j++ {
		for r := range lanes {
			*Elem(dst, r*n+j) = *Elem(src, j*lanes+r)
		}
	}
}
