package cluster_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/surge-ndp/surge/codegen/cluster"
	"github.com/surge-ndp/surge/codegen/cluster/clustertest"
)

// keysOf makes keys that are hard on a sort by splitters.
var keysOf = map[string]func(r *rand.Rand, i int) float64{
	"all equal":         func(*rand.Rand, int) float64 { return 3 },
	"two values":        func(r *rand.Rand, _ int) float64 { return float64(r.IntN(2)) },
	"next to all equal": func(r *rand.Rand, _ int) float64 { return float64(r.IntN(100) / 99) },
	"skewed":            func(r *rand.Rand, _ int) float64 { return math.Floor(math.Exp(12 * r.Float64() * r.Float64())) },
	"ascending":         func(_ *rand.Rand, i int) float64 { return float64(i) },
	"descending":        func(_ *rand.Rand, i int) float64 { return -float64(i) },
	"periods":           func(_ *rand.Rand, i int) float64 { return float64(i % 64) },
	"not numbers": func(r *rand.Rand, i int) float64 {
		return []float64{math.NaN(), math.Copysign(0, -1), 0, float64(i % 3), math.Inf(1), math.Inf(-1)}[r.IntN(6)]
	},
}

// TestSort sorts keys of many kinds, as plain Go does: stably, bit by bit, NaN first.
func TestSort(t *testing.T) {
	for name, key := range keysOf {
		r := rand.New(rand.NewPCG(1, 2))
		for _, n := range []int{0, 1, 2, 100, 1500} {
			keys := make([]float64, n)
			for i := range keys {
				keys[i] = key(r, i)
			}
			c := clustertest.SortedBy(keys)
			want, err := cluster.AppendValues(nil, c.Want)
			if err != nil {
				t.Fatal(err)
			}
			for _, size := range []int{1, 7, 100, 1499, 1500, math.MaxInt} {
				if size < 100 && n > 100 { // as many pieces as n²
					continue
				}
				results, err := cluster.Run(t.Context(), c.Kernel, c.Inputs, size)
				if err != nil {
					t.Fatalf("%s, %d in blocks of %d: %v", name, n, size, err)
				}
				if got, err := cluster.AppendValues(nil, results); err != nil || !bytes.Equal(got, want) {
					t.Errorf("%s, %d in blocks of %d: the results differ from those of plain Go", name, n, size)
				}
			}
		}
	}
}

// TestSplitters bounds how many elements a block gets, whatever the keys are.
func TestSplitters(t *testing.T) {
	const size, blocks = 1000, 20
	for name, key := range keysOf {
		r := rand.New(rand.NewPCG(3, 4))
		keys := make([]float64, size*blocks)
		for i := range keys {
			keys[i] = key(r, i)
		}
		k := clustertest.Sorted
		src := clustertest.SortedBy(keys).Inputs
		wholes, err := k.Begin(t.Context(), src)
		if err != nil {
			t.Fatal(err)
		}
		places, err := k.Blocks(wholes, size)
		if err != nil {
			t.Fatal(err)
		}
		var gathered cluster.Gathered
		var all [][]cluster.Value
		for _, at := range places {
			parts, err := k.Load(t.Context(), src, 0, at, wholes, nil)
			if err != nil {
				t.Fatal(err)
			}
			partials, err := k.Each(t.Context(), 0, at, wholes, parts)
			if err != nil {
				t.Fatal(err)
			}
			if gathered, err = k.Add(t.Context(), 0, gathered, at.Block, partials); err != nil {
				t.Fatal(err)
			}
			all = append(all, parts)
		}
		if err := k.Finish(t.Context(), 0, gathered, blocks, wholes); err != nil {
			t.Fatal(err)
		}
		got := make([]int, blocks)
		for i, at := range places {
			for _, p := range k.Pieces(0, at, blocks, wholes, all[i]) {
				got[p.To] += cluster.Len(p.Values[0])
			}
		}
		for b, n := range got {
			if n > size*4/3 {
				t.Errorf("%s: block %d has %d elements, and its share is %d", name, b, n, size)
			}
		}
	}
}

// TestPiecesMissing joins no block of which a piece is missing or there twice.
func TestPiecesMissing(t *testing.T) {
	k := clustertest.Sorted
	piece := func(of int) cluster.Piece {
		return cluster.Piece{Of: of, To: 1, Values: []cluster.Value{[]float64{1}, []int32{1}, []int{0}}}
	}
	if _, _, err := k.Join(0, 1, 2, nil, []cluster.Piece{piece(1), piece(0)}); err != nil {
		t.Error(err)
	}
	for _, bad := range [][]cluster.Piece{nil, {piece(0)}, {piece(1)}, {piece(0), piece(0)}, {piece(0), piece(1), piece(2)}} {
		if _, _, err := k.Join(0, 1, 2, nil, bad); err == nil {
			t.Errorf("%d pieces are joined", len(bad))
		}
	}
}

// TestPut puts elements at places as plain Go does, whatever the places are, more of them than elements, or fewer.
func TestPut(t *testing.T) {
	for name, place := range map[string]func(r *rand.Rand, i, width int) int{
		"all at one":   func(_ *rand.Rand, _, width int) int { return width / 2 },
		"anywhere":     func(r *rand.Rand, _, width int) int { return r.IntN(width) },
		"in order":     func(_ *rand.Rand, i, width int) int { return i % width },
		"backwards":    func(_ *rand.Rand, i, width int) int { return width - 1 - i%width },
		"few are left": func(r *rand.Rand, _, width int) int { return max(r.IntN(10*width)-9*width, -1) },
	} {
		r := rand.New(rand.NewPCG(1, 2))
		for _, n := range []int{0, 1, 2, 100} {
			for _, width := range []int{1, 2, 50, 1000} {
				x, at, y := make([]int32, n), make([]int, n), make([]int32, width)
				for i := range x {
					x[i], at[i] = int32(i+1), place(r, i, width)
				}
				c := clustertest.PutAt(x, at, y)
				want, err := cluster.AppendValues(nil, c.Want)
				if err != nil {
					t.Fatal(err)
				}
				for _, size := range []int{1, 7, math.MaxInt} {
					results, err := cluster.Run(t.Context(), c.Kernel, c.Inputs, size)
					if err != nil {
						t.Fatalf("%s, %d to %d in blocks of %d: %v", name, n, width, size, err)
					}
					if got, err := cluster.AppendValues(nil, results); err != nil || !bytes.Equal(got, want) {
						t.Errorf("%s, %d to %d in blocks of %d: %v, want %v", name, n, width, size, results, c.Want)
					}
				}
			}
		}
	}
}
