//lint:file-ignore U1000 used where there is no assembly, and by tests of the assembly

package vec

import "unsafe"

// number is an element type of strips.
type number interface {
	float64 | float32 | int64 | int32
}

// gatherPortable sets dst[k] = base[idx[k]] for 0 <= k < n.
func gatherPortable[T uint64 | uint32, I int64 | int32](dst, base unsafe.Pointer, idx *I, n int) {
	d, b := (*T)(dst), (*T)(base)
	for k := 0; k < n; k++ {
		*Elem(d, k) = *Elem(b, int(*Elem(idx, k)))
	}
}

func gather8x32Portable(dst, base unsafe.Pointer, idx *int32, n int) {
	gatherPortable[uint64](dst, base, idx, n)
}

func gather4x32Portable(dst, base unsafe.Pointer, idx *int32, n int) {
	gatherPortable[uint32](dst, base, idx, n)
}

func gather8x64Portable(dst, base unsafe.Pointer, idx *int64, n int) {
	gatherPortable[uint64](dst, base, idx, n)
}

func gather4x64Portable(dst, base unsafe.Pointer, idx *int64, n int) {
	gatherPortable[uint32](dst, base, idx, n)
}

func dotGatherF64Portable(a, base *float64, idx *int32, n int) (s float64) {
	for k := 0; k < n; k++ {
		s += *Elem(a, k) * *Elem(base, int(*Elem(idx, k)))
	}
	return s
}

func dotGatherF32Portable(a, base *float32, idx *int32, n int) (s float32) {
	for k := 0; k < n; k++ {
		s += *Elem(a, k) * *Elem(base, int(*Elem(idx, k)))
	}
	return s
}

// scanExPortable sets dst[k] = seed + src[0] + … + src[k-1] for 0 <= k < n and returns the sum of all; dst may be src.
func scanExPortable[T number](dst, src *T, n int, seed T) T {
	for k := 0; k < n; k++ {
		x := *Elem(src, k)
		*Elem(dst, k) = seed
		seed += x
	}
	return seed
}

// scanInPortable sets dst[k] = seed + src[0] + … + src[k] for 0 <= k < n and returns the sum of all; dst may be src.
func scanInPortable[T number](dst, src *T, n int, seed T) T {
	for k := 0; k < n; k++ {
		seed += *Elem(src, k)
		*Elem(dst, k) = seed
	}
	return seed
}

func streamPortable(dst, src unsafe.Pointer, n int) {
	if n > 0 {
		copy(unsafe.Slice((*byte)(dst), n), unsafe.Slice((*byte)(src), n))
	}
}

// good32Portable returns how many leading elements it has found to be at most last, as unsigned numbers: none, it
// does not look.
func good32Portable(idx *int32, n int, last uint32) int { return 0 }

// good64Portable is good32Portable for int64.
func good64Portable(idx *int64, n int, last uint64) int { return 0 }

// sumTilePortable sets sums[(r*vectors+v)*lanes+j] to the sum over k < n of a[rows[r]+k*aStep] *
// b[k*bStep+v*vStep+j], for r < height, v < vectors and j < lanes.
func sumTilePortable[T float64 | float32](sums, a *T, rows *int, aStep int, b *T, bStep, vStep, n, height, vectors, lanes int) {
	for r := range height {
		for v := range vectors {
			for j := range lanes {
				var s T
				for k := 0; k < n; k++ {
					s += *Elem(a, *Elem(rows, r)+k*aStep) * *Elem(b, k*bStep+v*vStep+j)
				}
				*Elem(sums, (r*vectors+v)*lanes+j) = s
			}
		}
	}
}
