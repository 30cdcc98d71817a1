package exec

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
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

// offsetsOf are the offsets of rows of these lengths.
func offsetsOf(lengths ...int) []int32 {
	offsets := []int32{3}
	for _, n := range lengths {
		offsets = append(offsets, offsets[len(offsets)-1]+int32(n))
	}
	return offsets
}

// An average element lies in a row of Σl²/Σl, as near as 16 elements tell, whatever the average row is.
func TestEqualRows(t *testing.T) {
	for name, c := range map[string]struct {
		offsets []int
		want    float64
	}{
		"none": {nil, 1}, "no rows": {[]int{0}, 1}, "one row": {[]int{0, 9}, 1}, "two": {[]int{2, 5, 8}, 1}, "two others": {[]int{2, 5, 9}, 0},
		"equal": {ints(slices.Repeat([]int{7}, 1000)), 1}, "one after the other": {ints(slices.Repeat([]int{3, 4}, 500)), 0},
		"twos": {ints(slices.Repeat([]int{3, 3, 4, 4}, 4)), 8.0 / 15}, "descending": {[]int{9, 4, 0}, 0},
	} {
		if got := EqualRows(c.offsets); got != c.want {
			t.Errorf("%s: %g, want %g", name, got, c.want)
		}
	}
}

// ints are the offsets of rows with the given lengths.
func ints(lengths []int) []int {
	offsets := []int{0}
	for _, n := range lengths {
		offsets = append(offsets, offsets[len(offsets)-1]+n)
	}
	return offsets
}

func TestElementRow(t *testing.T) {
	repeat := func(times int, lengths ...int) []int { return slices.Repeat(lengths, times) }
	for name, c := range map[string]struct {
		offsets []int32
		part    float64 // of Σl²/Σl by which it may be wrong
	}{
		"equal rows": {offsetsOf(repeat(2000, 35)...), 0}, "one row": {offsetsOf(50_000), 0}, "empty rows around": {offsetsOf(append(append(repeat(100_000, 0), 90_000), repeat(77, 0)...)...), 0},
		"829 among 23 of 1": {offsetsOf(repeat(500, append(repeat(23, 1), 829)...)...), 0.1},
		"half in one row":   {offsetsOf(append(repeat(40_000, 2), 80_000)...), 0.07},
		"all in a tenth":    {offsetsOf(append(repeat(9000, 0), repeat(1000, 64)...)...), 0},
	} {
		sum, squares := 0.0, 0.0
		for i := range len(c.offsets) - 1 {
			n := float64(c.offsets[i+1] - c.offsets[i])
			sum, squares = sum+n, squares+n*n
		}
		if got, want := ElementRow(c.offsets), squares/sum; math.Abs(got-want) > c.part*want {
			t.Errorf("%s: %g, want %g", name, got, want)
		}
	}
	for name, c := range map[string]struct {
		offsets []int32
		want    float64
	}{
		"no offsets": {nil, 0}, "no rows": {[]int32{5}, 0}, "empty rows": {[]int32{3, 3, 3}, 0}, "too few": {offsetsOf(1, 30_000), 15_000.5},
		"descending":  {[]int32{9, 4, 0}, -4.5},
		"up and down": {[]int32{0, 90_000, 0, 90_000}, 90_000},
	} {
		if got := ElementRow(c.offsets); got != c.want {
			t.Errorf("%s: %g, want %g", name, got, c.want)
		}
	}
	random := make([]int32, 400) // nonsense, which the checks of a kernel refuse before anything depends on it
	for seed := range 200 {
		for i := range random {
			random[i] = int32((i*7919+seed*104729)%65537 - 9000)
		}
		random[len(random)-1] = 1 << 20
		if got := ElementRow(random); math.IsNaN(got) || got < 0 {
			t.Errorf("nonsense %d: %g", seed, got)
		}
	}
}

func BenchmarkElementRow(b *testing.B) {
	equal, power := make([]int32, 1<<20), make([]int32, 1<<20)
	for i := range equal {
		equal[i], power[i] = int32(i), int32(math.Pow(float64(i), 1.5))
	}
	for name, offsets := range map[string][]int32{"equal": equal, "longer and longer": power, "small": power[:200], "medium": power[:5000]} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				ElementRow(offsets)
			}
		})
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

// TestJoinedBy checks rows that several threads copy, each as many elements.
func TestJoinedBy(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, most := range []int{1, 40, leastJoined / 40} {
		rows := make([][]int64, 100)
		n := 0
		for i := range rows {
			rows[i] = make([]int64, r.IntN(most))
			for j := range rows[i] {
				rows[i][j] = r.Int64()
			}
			n += len(rows[i])
		}
		rows = append(rows, nil)
		want := joined(rows, nil)
		for _, threads := range []int{1, 2, 3, 7, 200} {
			if got := joinedBy(threads, rows, make([]int64, 0, n), n); !slices.Equal(got, want) {
				t.Errorf("rows of fewer than %d elements, %d threads: other elements", most, threads)
			}
		}
	}
}
