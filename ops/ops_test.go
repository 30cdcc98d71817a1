package ops_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/surge-ndp/surge/ops"
)

// The equations are tested over integers, where every ⊕ below is exact, and with a ⊕ that is
// associative but not commutative where an operator promises an order.

var (
	ints  = rapid.SliceOf(rapid.IntRange(-100, 100))
	sizes = rapid.IntRange(1, 12)
)

func plus(a, b int) int          { return a + b }
func concat(a, b string) string  { return a + b }
func letters(s []int) []string   { return ops.Map(func(x int) string { return fmt.Sprint(x, ";") }, s) }
func indices(n int) []int        { return ops.Range(0, n, 1) }
func sum(s []int) int            { return ops.Reduce(plus, s, 0) }
func bits(x float64) uint64      { return math.Float64bits(x) }
func fplus(a, b float64) float64 { return a + b }

func equal(t rapid.TB, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%s: got %v, want %v", what, got, want)
	}
}

func TestMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := ints.Draw(t, "a")
		before := slices.Clone(a)
		f := func(x int) int64 { return int64(3*x + 1) }
		y := ops.Map(f, a)
		equal(t, "length", len(y), len(a))
		for i := range a {
			equal(t, "y[i]", y[i], f(a[i]))
		}
		g := func(x int64) string { return fmt.Sprint(x) }
		equal(t, "map g ∘ map f = map (g ∘ f)", ops.Map(g, y), ops.Map(func(x int) string { return g(f(x)) }, a))
		equal(t, "input", a, before)

		// Map2 to Map4 are Map over zipped sequences.
		b, c, d := ops.Reverse(a), letters(a), indices(len(a))
		equal(t, "Map2",
			ops.Map2(func(a, b int) int { return a - 2*b }, a, b),
			ops.Map(func(p ops.Pair[int, int]) int { return p.First - 2*p.Second }, ops.Zip(a, b)))
		equal(t, "Map3",
			ops.Map3(func(a, b int, c string) string { return fmt.Sprint(a, b, c) }, a, b, c),
			ops.Map(func(p ops.Triple[int, int, string]) string { return fmt.Sprint(p.First, p.Second, p.Third) }, ops.Zip3(a, b, c)))
		equal(t, "Map4",
			ops.Map4(func(a, b int, c string, d int) string { return fmt.Sprint(a, b, c, d) }, a, b, c, d),
			ops.Map(func(p ops.Quad[int, int, string, int]) string {
				return fmt.Sprint(p.First, p.Second, p.Third, p.Fourth)
			}, ops.Zip4(a, b, c, d)))
	})
}

func TestReduce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, p, size := ints.Draw(t, "s"), rapid.IntRange(-9, 9).Draw(t, "p"), sizes.Draw(t, "size")
		want := p
		for _, x := range s {
			want += x
		}
		equal(t, "sum", ops.Reduce(plus, s, p), want)
		equal(t, "over tiles", ops.Reduce(plus, ops.Map(sum, ops.Split(s, size)), p), want)
		equal(t, "over cyclic rows", ops.Reduce(plus, ops.Map(sum, ops.Cyclic(s, size)), p), want)

		// In sequence order, with the prefix first.
		equal(t, "order", ops.Reduce(concat, letters(s), "p"), "p"+ops.Reduce(concat, letters(s), ""))
		equal(t, "order over tiles",
			ops.Reduce(concat, ops.Map(func(tile []string) string { return ops.Reduce(concat, tile, "") }, ops.Split(letters(s), size)), ""),
			ops.Reduce(concat, letters(s), ""))
	})
}

func TestReduceByKey(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.SliceOf(rapid.SampledFrom([]string{"a", "b", "c"})).Draw(t, "k")
		s := ops.Map(func(i int) int { return i*i - 7 }, indices(len(k)))
		p := rapid.IntRange(-9, 9).Draw(t, "p")
		keys, sums := ops.ReduceByKey(plus, s, k, p)

		// Its equation, with the runs found in another way: by their boundaries.
		offsets := []int{0}
		for i := 1; i < len(k); i++ {
			if k[i] != k[i-1] {
				offsets = append(offsets, i)
			}
		}
		if len(k) > 0 {
			offsets = append(offsets, len(k))
		}
		equal(t, "sums", sums, ops.Map(func(run []int) int { return ops.Reduce(plus, run, p) }, ops.Nest(s, offsets)))
		equal(t, "keys", keys, ops.Map(func(run []string) string { return run[0] }, ops.Nest(k, offsets)))
		equal(t, "runs differ from their neighbours", keys, slices.Compact(slices.Clone(keys)))
	})

	nan := math.NaN()
	_, sums := ops.ReduceByKey(plus, []int{1, 2, 3, 4}, []float64{nan, nan, 0, math.Copysign(0, -1)}, 0)
	equal(t, "each NaN is a run, and -0 equals 0", sums, []int{1, 2, 7})
}

func TestScan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, p := letters(ints.Draw(t, "s")), rapid.SampledFrom([]string{"", "p"}).Draw(t, "p")
		y, z := ops.Scan(concat, s, p), ops.InclusiveScan(concat, s, p)
		equal(t, "length", len(y), len(s))
		equal(t, "length", len(z), len(s))
		for i := range s {
			equal(t, "exclusive", y[i], ops.Reduce(concat, s[:i], p))
			equal(t, "inclusive", z[i], ops.Reduce(concat, s[:i+1], p))
		}
		equal(t, "inclusive = exclusive ⊕ s", z, ops.Map2(concat, y, s))
		if len(s) > 0 {
			equal(t, "exclusive = p, inclusive without its last", y, ops.Concat([]string{p}, z[:len(s)-1]))
			equal(t, "last = reduction", z[len(s)-1], ops.Reduce(concat, s, p))
		}

		// Listing 4: the scan of tiles, each seeded by the scan of the reductions.
		tiles := ops.Split(s, sizes.Draw(t, "size"))
		sums := ops.Map(func(tile []string) string { return ops.Reduce(concat, tile, "") }, tiles)
		equal(t, "by tiles", ops.Flatten(ops.Map2(func(tile []string, p string) []string {
			return ops.Scan(concat, tile, p)
		}, tiles, ops.Scan(concat, sums, p))), y)
	})
}

func TestNaN(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	if y := ops.Reduce(fplus, []float64{1, nan, 2}, 0); y == y {
		t.Errorf("a NaN does not reach the sum: %v", y)
	}
	if y := ops.Reduce(func(a, b float64) float64 { return max(a, b) }, []float64{nan, 1}, math.Inf(-1)); y == y {
		t.Errorf("a NaN does not reach the built-in max: %v", y)
	}
	equal(t, "comparison keeps what is there", ops.Reduce(func(a, b float64) float64 {
		if b > a {
			return b
		}
		return a
	}, []float64{nan, 1, nan}, 0), 1.0)

	y := ops.Scan(fplus, []float64{1, nan, 2, inf}, 0)
	for i, poisoned := range []bool{false, false, true, true} {
		if math.IsNaN(y[i]) != poisoned {
			t.Errorf("Scan: y[%d] = %v", i, y[i])
		}
	}
	if y := ops.Scan(fplus, []float64{1, nan}, 0); y[1] != 1 {
		t.Errorf("Scan: the last element entered: %v", y)
	}

	// Operators that move elements keep their bits: signs of zeros, payloads of NaNs.
	odd := []float64{math.Copysign(0, -1), math.Float64frombits(0x7ff8dead00000001), -inf, 5e-324}
	for name, moved := range map[string][]float64{
		"Gather":   ops.Gather(odd, []int8{0, 1, 2, 3}),
		"Scatter":  ops.Scatter(odd, []uint{0, 1, 2, 3}, make([]float64, 4)),
		"Reverse":  ops.Reverse(ops.Reverse(odd)),
		"Striding": ops.Striding(odd, 1),
		"Flatten":  ops.Flatten(ops.Split(odd, 3)),
		"Cyclic":   ops.Flatten(ops.Cyclic(odd, 1)),
		"Map":      ops.Map(func(x float64) float64 { return x }, odd),
		"Concat":   ops.Concat(odd[:1], odd[1:]),
	} {
		equal(t, name, ops.Map(bits, moved), ops.Map(bits, odd))
	}
}

func TestGatherScatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.SliceOfN(rapid.Int(), 1, 20).Draw(t, "s")
		idx := rapid.SliceOf(rapid.Int32Range(0, int32(len(s)-1))).Draw(t, "idx")
		before := slices.Clone(s)
		y := ops.Gather(s, idx)
		equal(t, "length", len(y), len(idx))
		for i := range idx {
			equal(t, "y[i] = s[idx[i]]", y[i], s[idx[i]])
		}
		equal(t, "scatter what was gathered", ops.Scatter(y, idx, s), s)

		perm := rapid.Permutation(indices(len(s))).Draw(t, "perm")
		equal(t, "scatter to distinct places", ops.ScatterUnique(s, perm, make([]int, len(s))), ops.Scatter(s, perm, make([]int, len(s))))
		equal(t, "gather ∘ scatter", ops.Gather(ops.Scatter(s, perm, make([]int, len(s))), perm), s)
		equal(t, "scatter ∘ gather", ops.Scatter(ops.Gather(s, perm), perm, make([]int, len(s))), s)

		// With repeated positions, each one holds the last that was written there.
		z := ops.Scatter(indices(len(idx)), idx, ops.Replicate(-1, len(s)))
		for j := range z {
			last := -1
			for i, p := range idx {
				if int(p) == j {
					last = i
				}
			}
			equal(t, "last wins", z[j], last)
		}
		equal(t, "input", s, before)
	})
}

func TestRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, e := rapid.IntRange(-50, 50).Draw(t, "s"), rapid.IntRange(-50, 50).Draw(t, "e")
		d := rapid.IntRange(-9, 9).Filter(func(d int) bool { return d != 0 }).Draw(t, "d")
		want := []int{}
		for x := s; d > 0 && x < e || d < 0 && x > e; x += d {
			want = append(want, x)
		}
		equal(t, "int", ops.Range(s, e, d), want)
		equal(t, "int8", ops.Range(int8(s), int8(e), int8(d)), ops.Map(func(x int) int8 { return int8(x) }, want))
		equal(t, "float32", ops.Range(float32(s), float32(e), float32(d)), ops.Map(func(x int) float32 { return float32(x) }, want))

		// Halves, thirds and tenths do not divide evenly: the definition decides where it ends.
		q := rapid.SampledFrom([]float64{2, 3, 10}).Draw(t, "q")
		start, end, stride := float64(s)/q, float64(e)/q, float64(d)/q
		y := ops.Range(start, end, stride)
		before := func(x float64) bool { return d > 0 && x < end || d < 0 && x > end }
		for i, x := range y {
			if want := start + float64(float64(i)*stride); x != want || !before(x) {
				t.Fatalf("y[%d] = %v, want %v, before %v", i, x, want, end)
			}
		}
		if next := start + float64(float64(len(y))*stride); before(next) {
			t.Fatalf("%d elements, but %v is before %v", len(y), next, end)
		}
	})

	equal(t, "whole int8", len(ops.Range[int8](-128, 127, 1)), 255)
	equal(t, "last of it", ops.Range[int8](-128, 127, 1)[254], int8(126))
	equal(t, "down", ops.Range[int8](127, -128, -100), []int8{127, 27, -73})
	equal(t, "uint8", ops.Range[uint8](250, 255, 2), []uint8{250, 252, 254})
	equal(t, "end of int64", ops.Range[int64](math.MaxInt64-1, math.MaxInt64, math.MaxInt64), []int64{math.MaxInt64 - 1})
	equal(t, "all of int64", ops.Range[int64](math.MinInt64, math.MaxInt64, math.MaxInt64), []int64{math.MinInt64, -1, math.MaxInt64 - 1})
	equal(t, "down all of int64", ops.Range[int64](math.MaxInt64, math.MinInt64, math.MinInt64), []int64{math.MaxInt64, -1})
	equal(t, "1, 1.3, 0.1", len(ops.Range(1, 1.3, 0.1)), 3)
	equal(t, "overflow to infinity", ops.Range(-math.MaxFloat64, math.MaxFloat64, math.MaxFloat64), []float64{-math.MaxFloat64, 0})
}

func TestReplicateZipJoin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := ints.Draw(t, "a"), letters(rapid.SliceOfN(rapid.Int(), 0, 5).Draw(t, "b"))
		c := indices(rapid.IntRange(0, 3).Draw(t, "c"))
		equal(t, "Replicate", ops.Replicate(7, len(a)), ops.Map(func(int) int { return 7 }, a))

		pairs := []ops.Pair[int, string]{}
		triples := []ops.Triple[int, string, int]{}
		for _, x := range a {
			for _, y := range b {
				pairs = append(pairs, ops.Pair[int, string]{First: x, Second: y})
				for _, z := range c {
					triples = append(triples, ops.Triple[int, string, int]{First: x, Second: y, Third: z})
				}
			}
		}
		equal(t, "Join", ops.Join(a, b), pairs)
		equal(t, "Join3", ops.Join3(a, b, c), triples)

		z := ops.Zip(a, letters(a))
		equal(t, "unzip first", ops.Map(func(p ops.Pair[int, string]) int { return p.First }, z), ops.Concat(a, nil))
		equal(t, "unzip second", ops.Map(func(p ops.Pair[int, string]) string { return p.Second }, z), letters(a))
	})
}

func TestSplitCyclic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, size := ints.Draw(t, "s"), sizes.Draw(t, "size")
		tiles, rows := ops.Split(s, size), ops.Cyclic(s, size)
		equal(t, "tiles", len(tiles), (len(s)+size-1)/size)
		equal(t, "rows", len(rows), size)
		equal(t, "flatten ∘ split", ops.Flatten(tiles), ops.Concat(s, nil))
		for i, tile := range tiles {
			if i+1 < len(tiles) && len(tile) != size || len(tile) == 0 || len(tile) > size {
				t.Fatalf("tile %d of %d has %d elements", i, len(tiles), len(tile))
			}
		}

		// Cyclic is the transpose of Split: column j of the tiles, where a short tile has none.
		for j, row := range rows {
			column := []int{}
			for _, tile := range tiles {
				if j < len(tile) {
					column = append(column, tile[j])
				}
			}
			equal(t, "row = column", row, column)
			if j < len(s) {
				equal(t, "row = striding", row, ops.Striding(s[j:], size))
			}
		}
	})
	equal(t, "huge tile", ops.Split([]int{1, 2, 3}, math.MaxInt), [][]int{{1, 2, 3}})
}

func TestNest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lengths := rapid.SliceOfN(rapid.IntRange(0, 4), 0, 10).Draw(t, "lengths")
		first := rapid.IntRange(0, 3).Draw(t, "first")
		offsets := ops.Concat(ops.Scan(plus, lengths, first), []int{first + sum(lengths)})
		s := indices(first + sum(lengths) + rapid.IntRange(0, 3).Draw(t, "after"))
		y := ops.Nest(s, offsets)
		equal(t, "row lengths", ops.Map(func(row []int) int { return len(row) }, y), lengths)
		equal(t, "flatten ∘ nest", ops.Flatten(y), s[offsets[0]:offsets[len(offsets)-1]])

		size := sizes.Draw(t, "size")
		starts := ops.Concat(ops.Range(0, len(s), size), []int{len(s)})
		equal(t, "split is a nest", ops.Nest(s, starts), ops.Split(s, size))
		equal(t, "index type", ops.Nest(s, ops.Map(func(x int) uint8 { return uint8(x) }, starts)), ops.Split(s, size))
	})
}

func TestReorder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, stride := ints.Draw(t, "s"), sizes.Draw(t, "stride")
		fresh := ops.Concat(s, nil)
		equal(t, "reverse ∘ reverse", ops.Reverse(ops.Reverse(s)), fresh)
		equal(t, "reverse is a gather", ops.Reverse(s), ops.Gather(s, ops.Range(len(s)-1, -1, -1)))
		equal(t, "striding is a gather", ops.Striding(s, stride), ops.Gather(s, ops.Range(0, len(s), stride)))
		equal(t, "concat", ops.Concat(s[:len(s)/2], s[len(s)/2:]), fresh)
		equal(t, "concat is a flatten", ops.Concat(s, s), ops.Flatten([][]int{s, s}))
	})
	equal(t, "huge stride", ops.Striding([]int{1, 2, 3}, math.MaxInt), []int{1})
}

// TestOwnership checks that views are views that end at their capacity, and that the rest is fresh.
func TestOwnership(t *testing.T) {
	s := []int{0, 1, 2, 3}
	for name, y := range map[string][][]int{"Split": ops.Split(s, 2), "Nest": ops.Nest(s, []int{0, 2, 4})} {
		if &y[1][0] != &s[2] {
			t.Errorf("%s: a row is not a view", name)
		}
		_ = append(y[0], 99)
		equal(t, name+" after appending to a row", s, []int{0, 1, 2, 3})
	}
	rows := ops.Cyclic(s, 2)
	_ = append(rows[0], 99)
	equal(t, "Cyclic after appending to a row", rows, [][]int{{0, 2}, {1, 3}})
	for name, y := range map[string][]int{
		"Gather": ops.Gather(s, []int{0, 1, 2, 3}), "Scatter": ops.Scatter(nil, []int{}, s), "Striding": ops.Striding(s, 1),
		"Flatten": ops.Flatten([][]int{s}), "Concat": ops.Concat(s, nil), "Cyclic": ops.Cyclic(s, 1)[0],
	} {
		equal(t, name, y, s)
		if &y[0] == &s[0] {
			t.Errorf("%s: the result is a view", name)
		}
	}
}

// TestEmpty checks that every result without elements is an empty slice, not nil.
func TestEmpty(t *testing.T) {
	keys, sums := ops.ReduceByKey(plus, nil, []string(nil), 0)
	for name, y := range map[string]any{
		"Map":          ops.Map(func(x int) int { return x }, nil),
		"Map2":         ops.Map2(plus, nil, nil),
		"Map3":         ops.Map3(func(a, b, c int) int { return a }, nil, nil, nil),
		"Map4":         ops.Map4(func(a, b, c, d int) int { return a }, nil, nil, nil, nil),
		"keys":         keys,
		"sums":         sums,
		"Scan":         ops.Scan(plus, nil, 7),
		"Inclusive":    ops.InclusiveScan(plus, nil, 7),
		"Gather":       ops.Gather[int, int](nil, nil),
		"Scatter":      ops.Scatter[int, int](nil, nil, nil),
		"Unique":       ops.ScatterUnique[int, int](nil, nil, nil),
		"Range":        ops.Range(3, 3, 1),
		"Range away":   ops.Range(3, 0, 1),
		"Replicate":    ops.Replicate(1, 0),
		"Zip":          ops.Zip[int, int](nil, nil),
		"Zip3":         ops.Zip3[int, int, int](nil, nil, nil),
		"Zip4":         ops.Zip4[int, int, int, int](nil, nil, nil, nil),
		"Join":         ops.Join[int](nil, []int{1}),
		"Join3":        ops.Join3[int](nil, []int{1}, []int{1}),
		"Split":        ops.Split[int](nil, 3),
		"Cyclic's row": ops.Cyclic[int](nil, 3)[2],
		"Nest":         ops.Nest([]int{1, 2}, []int{1}),
		"Nest's row":   ops.Nest[int](nil, []int{0, 0})[0],
		"Flatten":      ops.Flatten([][]int{nil, nil}),
		"Striding":     ops.Striding[int](nil, 2),
		"Reverse":      ops.Reverse[int](nil),
		"Concat":       ops.Concat[int](nil, nil),
	} {
		if v := reflect.ValueOf(y); v.IsNil() || v.Len() != 0 {
			t.Errorf("%s: %#v", name, y)
		}
	}
	equal(t, "Reduce", ops.Reduce(plus, nil, 7), 7)
}

func TestFilterPartition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := ints.Draw(t, "s")
		even := func(x int) bool { return x%2 == 0 }
		odd := func(x int) bool { return x%2 != 0 }
		kept, rest := ops.Filter(even, s), ops.Filter(odd, s)
		equal(t, "lengths", len(kept)+len(rest), len(s))
		equal(t, "all satisfy", ops.Filter(even, kept), kept)
		y, split := ops.Partition(even, s)
		equal(t, "split", split, len(kept))
		equal(t, "partition = filter, filter of the others", y, ops.Concat(kept, rest))
		a, b := ops.Split(s, max(1, len(s)/2)), [][]int(nil)
		for _, part := range a {
			b = append(b, ops.Filter(even, part))
		}
		equal(t, "filter of a concatenation", ops.Flatten(b), kept)
	})
}

func TestHistogram(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, n := ints.Draw(t, "s"), sizes.Draw(t, "n")
		keys := ops.Map(func(x int) int { return (x + 100) * 7 % n }, s)
		y := ops.Histogram(plus, n, keys, s, 0)
		equal(t, "length", len(y), n)
		for b := range y {
			at := ops.Filter(func(i int) bool { return keys[i] == b }, indices(len(s)))
			equal(t, "y[b]", y[b], sum(ops.Gather(s, at)))
		}
		// It is reduce_by_key of the sorted sequence, scattered.
		sk, sv := ops.SortByKey(keys, s)
		rk, rs := ops.ReduceByKey(plus, sv, sk, 0)
		equal(t, "by sorting", y, ops.Scatter(rs, rk, make([]int, n)))
	})
}

func TestSortByKey(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := ints.Draw(t, "k")
		keys, order := ops.SortByKey(k, indices(len(k)))
		equal(t, "keys", keys, ops.Gather(k, order))
		for i := 1; i < len(keys); i++ {
			if keys[i-1] > keys[i] || keys[i-1] == keys[i] && order[i-1] >= order[i] {
				t.Fatalf("not sorted, or not stably: %v %v", keys, order)
			}
		}
	})
	keys, order := ops.SortByKey([]float64{1, math.NaN(), math.Copysign(0, -1), math.Inf(-1), 0, math.NaN()}, indices(6))
	equal(t, "order", order, []int{1, 5, 3, 2, 4, 0})
	equal(t, "NaN first", math.IsNaN(keys[0]) && math.IsNaN(keys[1]), true)
}

func TestTranspose(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, n := sizes.Draw(t, "m"), sizes.Draw(t, "n")
		s := ops.Split(indices(m*n), n)
		y := ops.Transpose(s)
		equal(t, "twice", ops.Transpose(y), s)
		equal(t, "cyclic", y, ops.Cyclic(indices(m*n), n))
	})
	equal(t, "no rows", ops.Transpose([][]int{}), [][]int{})
}
