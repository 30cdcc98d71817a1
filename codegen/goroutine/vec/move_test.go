package vec

import (
	"slices"
	"testing"
)

// TestMove compares moves with loops that copy one element after the other, for all places in a short array.
func TestMove(t *testing.T) {
	const size = 9
	for i := range size {
		for j := range size {
			for n := -1; n <= size-max(i, j); n++ {
				x := []int{0, 1, 2, 3, 4, 5, 6, 7, 8}
				want := slices.Clone(x)
				for k := range n {
					want[i+k] = want[j+k]
				}
				Move(&x[0], i, &x[0], j, n)
				if !slices.Equal(x, want) {
					t.Errorf("%d elements from %d to %d: %v, want %v", n, j, i, x, want)
				}
			}
		}
	}
}
