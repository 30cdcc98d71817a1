package vec

import (
	"slices"
	"testing"
)

// TestPackRows packs rows of every small length, and of some long ones, on every level of instruction sets that this
// CPU has, and looks at every element and at what lies behind the last one. Unpacked, they are what they were.
func TestPackRows(t *testing.T) {
	best := level
	defer func() { level = best }()
	for level = levelPortable; level <= best; level++ {
		for _, lanes := range []int{4, 8, 16} {
			for _, n := range []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 31, 32, 33, 100, 1027} {
				packs(t, lanes, n, func(x int) float64 { return float64(x) })
				packs(t, lanes, n, func(x int) float32 { return float32(x) })
				packs(t, lanes, n, func(x int) int64 { return int64(x) })
				packs(t, lanes, n, func(x int) int32 { return int32(x) })
				packs(t, lanes, n, func(x int) int8 { return int8(x) })
				packs(t, lanes, n, func(x int) uint16 { return uint16(x) })
			}
		}
	}
}

func packs[T float64 | float32 | int64 | int32 | uint16 | int8](t *testing.T, lanes, n int, of func(int) T) {
	t.Helper()
	src, dst := make([]T, lanes*n+1), make([]T, lanes*n+2)
	for i := range src {
		src[i] = of(i + 1)
	}
	dst[lanes*n] = of(-1)
	PackRows(&dst[0], &src[0], lanes, n)
	for r := range lanes {
		for j := range n {
			if got, want := dst[j*lanes+r], src[r*n+j]; got != want {
				t.Fatalf("level %d, %d rows of %d %T: place %d of row %d is %v, not %v", level, lanes, n, got, j, r, got, want)
			}
		}
	}
	if dst[lanes*n] != of(-1) {
		t.Fatalf("level %d, %d rows of %d: wrote behind the end", level, lanes, n)
	}
	back := make([]T, lanes*n+1)
	back[lanes*n] = src[lanes*n]
	UnpackRows(&back[0], &dst[0], lanes, n)
	if !slices.Equal(back, src) {
		t.Fatalf("level %d, %d rows of %d %T: what is packed and unpacked is %v, not %v", level, lanes, n, dst[0], back, src)
	}
}
