package scan_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/surge-ndp/surge/examples/scan"
)

// adversarial sizes lie at and around the widths of vectors, the tile sizes and their multiples.
var adversarial = []int{0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 1000, 4095, 4096, 4097}

// TestScan compares with a loop. The elements are integers, so that every order of summation gives
// exactly the same sums.
func TestScan(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range adversarial {
		s := make([]float64, n)
		for i := range s {
			s[i] = float64(rng.IntN(2001) - 1000)
		}
		for _, tileSize := range []int{1, 2, 3, 8, 31, 32, 33, 4096, math.MaxInt} {
			for _, prefix := range []float64{0, -5} {
				got := scan.Scan(s, tileSize, prefix)
				if len(got) != n {
					t.Fatalf("%d elements in tiles of %d: %d results", n, tileSize, len(got))
				}
				sum := prefix
				for i, x := range s {
					if got[i] != sum {
						t.Fatalf("%d elements in tiles of %d from %v: y[%d] = %v, want %v", n, tileSize, prefix, i, got[i], sum)
					}
					sum += x
				}
			}
		}
	}
}

// TestScanNaN checks that a NaN reaches all later elements and no earlier one.
func TestScanNaN(t *testing.T) {
	for at := range 9 {
		s := make([]float64, 9)
		s[at] = math.NaN()
		for i, y := range scan.Scan(s, 4, 1) {
			if math.IsNaN(y) != (i > at) {
				t.Errorf("NaN at %d: y[%d] = %v", at, i, y)
			}
		}
	}
}

func ExampleScan() {
	fmt.Println(scan.Scan([]float64{1, 2, 3, 4, 5}, 2, 10))
	// Output: [10 11 13 16 20]
}
