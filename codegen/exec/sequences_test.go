package exec

import (
	"math"
	"runtime"
	"testing"
)

// The ratio of tiles is that of their average length: the last one may be short, and the only one far shorter than a
// tile.
func TestTileRatio(t *testing.T) {
	for _, c := range []struct {
		tiles, elements int
		want            float64
	}{{7, 7000, 0.007}, {1, 5, 0.2}, {2, 1001, 2 / 500.5}, {0, 0, 0}, {3, 3, 3}, {4, 2, 4}} {
		if got := TileRatio(c.tiles, c.elements); got != c.want {
			t.Errorf("%d tiles of %d elements: %g, want %g", c.tiles, c.elements, got, c.want)
		}
	}
}

// Rows in equal numbers are equal shares of the work or not, whatever their number; nothing else makes an imbalance.
func TestImbalance(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	equal := func(rows, length int) []int {
		offsets := []int{3}
		for range rows {
			offsets = append(offsets, offsets[len(offsets)-1]+length)
		}
		return offsets
	}
	for name, c := range map[string]struct {
		cores   int
		offsets []int
		want    float64
	}{
		"no offsets": {2, nil, 1}, "no rows": {2, []int{5}, 1}, "one row": {2, []int{5, 9}, 1}, "empty rows": {2, []int{3, 3, 3}, 1},
		"descending": {2, []int{9, 4, 0}, 1}, "equal rows": {2, equal(7, 5), 1}, "equal rows, three cores": {3, equal(1000, 7), 1},
		"all in the last row": {2, []int{0, 0, 0, 0, 12}, 2}, "and four cores": {4, []int{0, 0, 0, 0, 12}, 4},
		"fewer rows than cores": {8, []int{0, 1, 6}, 5.0 / 3}, "one core": {1, []int{0, 1, 6}, 5.0 / 3},
		"many cores": {64, append(equal(63, 0), 67), 16}, "the longer half": {2, []int{0, 1, 2, 5, 8}, 1.5},
	} {
		runtime.GOMAXPROCS(c.cores)
		if got := Imbalance(c.offsets); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %g, want %g", name, got, c.want)
		}
	}
}

func BenchmarkImbalance(b *testing.B) {
	offsets := make([]int32, 1<<20)
	for i := range offsets {
		offsets[i] = int32(i)
	}
	for b.Loop() {
		Imbalance(offsets)
	}
}
