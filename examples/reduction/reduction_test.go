package reduction_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/surge-ndp/surge/examples/reduction"
)

// adversarial sizes lie at and around the widths of vectors, the tile sizes and their multiples.
var adversarial = []int{0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 1000, 4095, 4096, 4097}

// TestReduction compares with a loop. The elements are integers, so that every order of summation
// gives exactly the same sum.
func TestReduction(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range adversarial {
		s := make([]float64, n)
		want := 0.0
		for i := range s {
			s[i] = float64(rng.IntN(2001) - 1000)
			want += s[i]
		}
		for _, tileSize := range []int{1, 2, 3, 8, 31, 32, 33, 4096, math.MaxInt} {
			if got := reduction.Reduction(s, tileSize); got != want {
				t.Errorf("%d elements in tiles of %d: %v, want %v", n, tileSize, got, want)
			}
		}
	}
}

// TestReductionNaN checks that a NaN anywhere reaches the sum, and so do infinities.
func TestReductionNaN(t *testing.T) {
	for i := range 9 {
		s := make([]float64, 9)
		s[i] = math.NaN()
		if got := reduction.Reduction(s, 4); !math.IsNaN(got) {
			t.Errorf("NaN at %d: %v", i, got)
		}
		s[i] = math.Inf(-1)
		if got := reduction.Reduction(s, 4); !math.IsInf(got, -1) {
			t.Errorf("-Inf at %d: %v", i, got)
		}
	}
}

func ExampleReduction() {
	fmt.Println(reduction.Reduction([]float64{1, 2, 3, 4, 5}, 2))
	// Output: 15
}
