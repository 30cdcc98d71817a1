package vec

import (
	"math"
	"testing"
)

// testTile compares a routine with the plain loops, on operands whose rows overlap, come in any order, and have any
// stride.
func testTile[T float64 | float32](t *testing.T, lanes, rows, vectors int, f func(sums, a *T, rows *int, aStep int, b *T, bStep, vStep, n int)) {
	t.Helper()
	columns := lanes * vectors
	for _, n := range []int{0, 1, 2, 7, 100} {
		for _, aStep := range []int{1, 3} {
			for _, bStep := range []int{0, 1, columns, columns + 5} {
				for _, vStep := range []int{lanes, 3, n*bStep + lanes} {
					a, b := numbers[T](rows*7+n*aStep), numbers[T](n*bStep+lanes+(vectors-1)*vStep)
					at := make([]int, rows)
					for r := range at {
						at[r] = (rows - 1 - r) * 7
					}
					want := make([]T, rows*columns)
					if n > 0 {
						sumTilePortable(&want[0], &a[0], &at[0], aStep, &b[0], bStep, vStep, n, rows, vectors, lanes)
					}
					sums := guarded(make([]T, rows*columns))
					f(&sums[guard], &a[0], &at[0], aStep, &b[0], bStep, vStep, n)
					for i, w := range want {
						if got := sums[guard+i]; math.Abs(float64(got-w)) > 1e-5*(math.Abs(float64(w))+1) {
							t.Fatalf("n %d, steps %d, %d and %d: sum %d is %v, want %v", n, aStep, bStep, vStep, i, got, w)
						}
					}
					untouched(t, sums, rows*columns)
				}
			}
		}
	}
}

func TestSumTile(t *testing.T) {
	best := level
	if best >= levelAVX2 || !amd64 {
		testTile(t, 4, 2, 1, SumTile2x1F64x4)
		testTile(t, 4, 2, 2, SumTile2x2F64x4)
		testTile(t, 4, 4, 1, SumTile4x1F64x4)
		testTile(t, 4, 4, 2, SumTile4x2F64x4)
		testTile(t, 4, 8, 1, SumTile8x1F64x4)
		testTile(t, 8, 2, 1, SumTile2x1F32x8)
		testTile(t, 8, 2, 2, SumTile2x2F32x8)
		testTile(t, 8, 4, 1, SumTile4x1F32x8)
		testTile(t, 8, 4, 2, SumTile4x2F32x8)
		testTile(t, 8, 8, 1, SumTile8x1F32x8)
	}
	if best >= levelAVX512 || !amd64 {
		testTile(t, 8, 2, 1, SumTile2x1F64x8)
		testTile(t, 8, 2, 2, SumTile2x2F64x8)
		testTile(t, 8, 4, 1, SumTile4x1F64x8)
		testTile(t, 8, 4, 2, SumTile4x2F64x8)
		testTile(t, 8, 8, 1, SumTile8x1F64x8)
		testTile(t, 8, 8, 2, SumTile8x2F64x8)
		testTile(t, 16, 2, 1, SumTile2x1F32x16)
		testTile(t, 16, 2, 2, SumTile2x2F32x16)
		testTile(t, 16, 4, 1, SumTile4x1F32x16)
		testTile(t, 16, 4, 2, SumTile4x2F32x16)
		testTile(t, 16, 8, 1, SumTile8x1F32x16)
		testTile(t, 16, 8, 2, SumTile8x2F32x16)
	}
}
