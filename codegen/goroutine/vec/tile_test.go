package vec

import (
	"math/rand/v2"
	"testing"
)

// TestSumTile sums tiles of every shape on every level of instruction sets that this CPU has. The factors are small whole
// numbers, so that all sums are exact, and no place of the memory is read twice.
func TestSumTile(t *testing.T) {
	best := level
	defer func() { level = best }()
	for level = levelPortable; level <= best; level++ {
		sumTiles(t, 8, SumTileF64x8)
		sumTiles(t, 4, SumTileF64x4)
		sumTiles(t, 16, SumTileF32x16)
		sumTiles(t, 8, SumTileF32x8)
	}
}

func sumTiles[T float32 | float64](t *testing.T, lanes int, sum func(acc *T, a *[8]*T, rows int, b *[2]*T, vectors, aStep, bStep, n int)) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, uint64(lanes)))
	numbers := func(n int) []T {
		s := make([]T, n)
		for i := range s {
			s[i] = T(rng.IntN(31) - 15)
		}
		return s
	}
	for _, shape := range [][2]int{{8, 1}, {4, 2}, {4, 1}, {2, 2}, {2, 1}, {1, 2}, {1, 1}} {
		for _, n := range []int{0, 1, 2, 3, 33} {
			aStep, bStep := 1+rng.IntN(5), lanes+rng.IntN(3)
			var rows, vectors [][]T
			var a [8]*T
			var b [2]*T
			for r := range shape[0] {
				rows = append(rows, numbers(n*aStep+1))
				a[r] = &rows[r][0]
			}
			for v := range shape[1] {
				vectors = append(vectors, numbers(n*bStep+1))
				b[v] = &vectors[v][0]
			}
			acc := make([]T, shape[0]*shape[1]*lanes+1)
			acc[len(acc)-1] = 77
			sum(&acc[0], &a, len(rows), &b, len(vectors), aStep, bStep, n)
			for r := range rows {
				for v := range vectors {
					for k := range lanes {
						want := T(0)
						for j := range n {
							want += rows[r][j*aStep] * vectors[v][j*bStep+k]
						}
						if got := acc[(r*len(vectors)+v)*lanes+k]; got != want {
							t.Fatalf("level %d, %v of %d %T, %d products: row %d, vector %d, lane %d is %v, not %v", level, shape, lanes, want, n, r, v, k, got, want)
						}
					}
				}
			}
			if acc[len(acc)-1] != 77 {
				t.Fatalf("level %d, %v: wrote behind the end", level, shape)
			}
		}
	}
}
