package vec

import "unsafe"

// The routines of this file work on whole strips of memory. On amd64 they are assembly, chosen by the CPU's
// instruction sets when the program starts, whether or not the program was built with GOEXPERIMENT=simd; elsewhere
// they are plain loops. In all of them n may be 0, and then the pointers may be nil; nothing is checked: the caller
// has made sure that all positions exist. Source and destination must not overlap unless the comment allows it.

// GatherStripF64 sets dst[k] = base[idx[k]] for 0 <= k < n.
func GatherStripF64(dst, base *float64, idx *int32, n int) {
	gather8x32(unsafe.Pointer(dst), unsafe.Pointer(base), idx, n)
}

// GatherStripF32 sets dst[k] = base[idx[k]] for 0 <= k < n.
func GatherStripF32(dst, base *float32, idx *int32, n int) {
	gather4x32(unsafe.Pointer(dst), unsafe.Pointer(base), idx, n)
}

// GatherStripI64 sets dst[k] = base[idx[k]] for 0 <= k < n.
func GatherStripI64(dst, base *int64, idx *int32, n int) {
	gather8x32(unsafe.Pointer(dst), unsafe.Pointer(base), idx, n)
}

// GatherStripI32 sets dst[k] = base[idx[k]] for 0 <= k < n.
func GatherStripI32(dst, base *int32, idx *int32, n int) {
	gather4x32(unsafe.Pointer(dst), unsafe.Pointer(base), idx, n)
}

// GatherStripF64I64 sets dst[k] = base[idx[k]] for 0 <= k < n.
func GatherStripF64I64(dst, base *float64, idx *int64, n int) {
	gather8x64(unsafe.Pointer(dst), unsafe.Pointer(base), idx, n)
}

// GatherStripF32I64 sets dst[k] = base[idx[k]] for 0 <= k < n.
func GatherStripF32I64(dst, base *float32, idx *int64, n int) {
	gather4x64(unsafe.Pointer(dst), unsafe.Pointer(base), idx, n)
}

// GatherStripI64I64 sets dst[k] = base[idx[k]] for 0 <= k < n.
func GatherStripI64I64(dst, base *int64, idx *int64, n int) {
	gather8x64(unsafe.Pointer(dst), unsafe.Pointer(base), idx, n)
}

// GatherStripI32I64 sets dst[k] = base[idx[k]] for 0 <= k < n.
func GatherStripI32I64(dst, base *int32, idx *int64, n int) {
	gather4x64(unsafe.Pointer(dst), unsafe.Pointer(base), idx, n)
}

// DotGatherF64 returns the sum of a[k] * base[idx[k]] over 0 <= k < n: the product of a sparse row with a dense
// vector. The terms are added in an order that depends on n and on the CPU's instruction sets only, with fused
// multiply-adds where the CPU has them.
func DotGatherF64(a, base *float64, idx *int32, n int) float64 { return dotGatherF64(a, base, idx, n) }

// DotGatherF32 returns the sum of a[k] * base[idx[k]] over 0 <= k < n, like [DotGatherF64].
func DotGatherF32(a, base *float32, idx *int32, n int) float32 { return dotGatherF32(a, base, idx, n) }

// StreamF64 copies n elements from src to dst with stores that bypass the caches, for results that are larger than
// the caches and not read soon. The stores are visible to other goroutines after the usual synchronisation.
func StreamF64(dst, src *float64, n int) { stream(unsafe.Pointer(dst), unsafe.Pointer(src), n*8) }

// StreamF32 is [StreamF64] for float32.
func StreamF32(dst, src *float32, n int) { stream(unsafe.Pointer(dst), unsafe.Pointer(src), n*4) }

// StreamI64 is [StreamF64] for int64.
func StreamI64(dst, src *int64, n int) { stream(unsafe.Pointer(dst), unsafe.Pointer(src), n*8) }

// StreamI32 is [StreamF64] for int32.
func StreamI32(dst, src *int32, n int) { stream(unsafe.Pointer(dst), unsafe.Pointer(src), n*4) }

// CheckIndexI32 returns the first k in [0, n) with idx[k] < 0 or idx[k] >= limit, or -1 if there is none.
func CheckIndexI32(idx *int32, n int, limit int) int {
	if limit <= 0 {
		if n > 0 {
			return 0
		}
		return -1
	}
	k := 0
	if n >= 32 {
		k = good32(idx, n, uint32(min(int64(limit), 1<<31)-1))
	}
	for ; k < n; k++ {
		if x := *Elem(idx, k); x < 0 || int(x) >= limit {
			return k
		}
	}
	return -1
}

// CheckIndexI64 returns the first k in [0, n) with idx[k] < 0 or idx[k] >= limit, or -1 if there is none.
func CheckIndexI64(idx *int64, n int, limit int) int {
	if limit <= 0 {
		if n > 0 {
			return 0
		}
		return -1
	}
	k := 0
	if n >= 32 {
		k = good64(idx, n, uint64(limit-1))
	}
	for ; k < n; k++ {
		if x := *Elem(idx, k); x < 0 || x >= int64(limit) {
			return k
		}
	}
	return -1
}
