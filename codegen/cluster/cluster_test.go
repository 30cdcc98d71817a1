package cluster_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/cluster"
	"github.com/surge-ndp/surge/codegen/cluster/clustertest"
)

// TestRun compares kernels that are cut with plain Go, over numbers of elements and sizes of blocks.
func TestRun(t *testing.T) {
	for _, n := range []int{0, 1, 2, 7, 100, 1000} {
		for _, size := range []int{1, 3, 7, 64, 1000, math.MaxInt} {
			for _, c := range clustertest.Cases(n) {
				got, err := cluster.Run(t.Context(), c.Kernel, c.Inputs, size)
				if err != nil {
					t.Fatalf("%s of %d in blocks of %d: %v", c.Kernel.Name, n, size, err)
				}
				if !reflect.DeepEqual(got, c.Want) {
					t.Errorf("%s of %d in blocks of %d: %v, want %v", c.Kernel.Name, n, size, got, c.Want)
				}
			}
		}
	}
}

// TestForget drops the totals of blocks, which are listed for one step and nothing behind it.
func TestForget(t *testing.T) {
	wholes := []cluster.Value{3, []int64{5, 7}, nil, nil}
	if err := clustertest.Scan.Once(t.Context(), 1, wholes); err != nil {
		t.Fatal(err)
	}
	if want := []cluster.Value{3, nil, []int64{0, 5}, int64(12)}; !reflect.DeepEqual(wholes, want) {
		t.Errorf("%v, want %v", wholes, want)
	}
}

// TestErrorOfElement looks for the position of a bad element in the whole input, whatever block has it.
func TestErrorOfElement(t *testing.T) {
	for _, size := range []int{1, 7, 1000} {
		c := clustertest.Cases(100)[0]
		cols := c.Inputs[1].([]int32)
		bad := len(cols) * 3 / 4
		cols[bad] = 60
		_, err := cluster.Run(t.Context(), c.Kernel, c.Inputs, size)
		var found *clustertest.NotFound
		var e *cluster.Error
		if !errors.As(err, &found) || found.Position != bad || !errors.As(err, &e) || e.Kernel != "SpMV" {
			t.Errorf("blocks of %d: %v, want position %d", size, err, bad)
		}
	}
}

// TestExtents cuts a parameter by values that are not in order, are negative, or do not fit an int.
func TestExtents(t *testing.T) {
	term := func(n int) cluster.Term { return cluster.Term{Slot: -1, Const: n} }
	kernel := func(kind string, cut cluster.Cut) *cluster.Kernel {
		return &cluster.Kernel{Name: "K",
			Params: []cluster.Param{{Name: "at", Kind: kind, Rank: 1, Cut: true}, {Name: "x", Kind: "int8", Rank: 1, Cut: true}},
			Cuts:   []cluster.Cut{{Param: 0, By: -1, Times: term(1), Lo: term(0), Hi: term(1)}, cut}, Wholes: 2, Parts: 4}
	}
	x := make([]int8, 10)
	for i := range x {
		x[i] = int8(i)
	}
	by := cluster.Cut{Param: 1, By: 0, Times: term(1), Lo: term(0), Hi: term(1)}
	twice := cluster.Cut{Param: 1, By: 0, Times: term(-2), Lo: term(9), Hi: term(10)}
	huge := cluster.Cut{Param: 1, By: 0, Times: term(math.MaxInt), Lo: term(math.MinInt), Hi: term(math.MaxInt)}
	for _, c := range []struct {
		name   string
		cut    cluster.Cut
		at     cluster.Value
		place  cluster.Place
		lo, hi int
	}{
		{"in no order", by, []int{7, 3, 5}, cluster.Place{Count: 3}, 3, 8},
		{"one of them", by, []int{7, 3, 5}, cluster.Place{First: 1, Count: 1}, 3, 4},
		{"outside", by, []int64{-4, 30}, cluster.Place{Count: 2}, 0, 10},
		{"far outside", by, []uint64{math.MaxUint64, 2}, cluster.Place{Count: 2}, 2, 10},
		{"all far outside", by, []uint64{math.MaxUint64}, cluster.Place{Count: 1}, 10, 10},
		{"least", by, []int64{math.MinInt64}, cluster.Place{Count: 1}, 0, 0},
		{"none", by, []int{4}, cluster.Place{First: 1}, 0, 0},
		{"descending", twice, []int8{0, 1, 3}, cluster.Place{Count: 3}, 3, 10},
		{"of huge terms", huge, []int{-1, 1}, cluster.Place{Count: 2}, 0, 10},
	} {
		kind, _ := cluster.TypeOf(c.at)
		k := kernel(kind, c.cut)
		src := cluster.Slices{c.at, x}
		wholes, err := k.Begin(t.Context(), src)
		if err != nil {
			t.Fatal(err)
		}
		parts, err := k.Read(t.Context(), src, c.place, wholes, nil)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if lo := parts[3].(int); lo != c.lo || len(parts[1].([]int8)) != c.hi-c.lo {
			t.Errorf("%s: [%d, %d), want [%d, %d)", c.name, lo, lo+len(parts[1].([]int8)), c.lo, c.hi)
		}
	}
}

// TestGathered combines partials in random orders, which must give the same, bit by bit.
func TestGathered(t *testing.T) {
	k := clustertest.Sum
	for _, n := range []int{1, 2, 3, 7, 8, 100} {
		values := make([]float64, n)
		r := rand.New(rand.NewPCG(1, uint64(n)))
		for i := range values {
			values[i] = r.NormFloat64() * math.Pow(10, float64(r.IntN(20)))
		}
		var want float64
		for try := range 20 {
			piles := make([]cluster.Gathered, 1+r.IntN(4))
			order := r.Perm(n)
			if try == 0 {
				for i := range order {
					order[i] = i
				}
			}
			var err error
			for _, b := range order {
				p := r.IntN(len(piles))
				if piles[p], err = k.Add(t.Context(), 0, piles[p], b, []cluster.Value{values[b], 1}); err != nil {
					t.Fatal(err)
				}
			}
			all := cluster.Gathered{}
			for _, p := range piles {
				coded, err := p.Append(nil)
				if err != nil {
					t.Fatal(err)
				}
				back, rest, err := cluster.DecodeGathered(coded)
				if err != nil || len(rest) > 0 {
					t.Fatal(rest, err)
				}
				if all, err = k.Merge(t.Context(), 0, all, back); err != nil {
					t.Fatal(err)
				}
			}
			wholes := make([]cluster.Value, k.Wholes)
			if err := k.Finish(t.Context(), 0, all, n, wholes); err != nil {
				t.Fatal(err)
			}
			if try == 0 {
				want = wholes[1].(float64)
			}
			if wholes[1] != want || wholes[2] != n {
				t.Errorf("%d blocks: %v, want %v", n, wholes, want)
			}
		}
	}
	var g cluster.Gathered
	for _, block := range []int{0, 1, 2, 4} {
		g, _ = k.Add(t.Context(), 0, g, block, []cluster.Value{1.0, 1})
	}
	if _, err := k.Add(t.Context(), 0, g, 1, []cluster.Value{1.0, 1}); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Error("a block twice:", err)
	}
	if err := k.Finish(t.Context(), 0, g, 5, make([]cluster.Value, k.Wholes)); err == nil || !strings.Contains(err.Error(), "block 3") {
		t.Error("a block is missing:", err)
	}
}

// TestBadInputs are one error with the kernel's name.
func TestBadInputs(t *testing.T) {
	c := clustertest.Cases(10)[0]
	with := func(i int, v cluster.Value) cluster.Slices {
		s := append(cluster.Slices(nil), c.Inputs...)
		s[i] = v
		return s
	}
	for _, bad := range []struct {
		inputs cluster.Slices
		say    string
	}{
		{with(3, []float32{1}), "x has elements of float32"},
		{with(1, []int{1}), "cols has elements of int "},
		{with(1, "text"), "no value of a kernel"},
		{with(0, []int{}), "cannot be cut"},
		{c.Inputs[:2], "parameter 2 of 2 values"},
	} {
		if _, err := cluster.Run(t.Context(), c.Kernel, bad.inputs, 3); err == nil || !strings.Contains(err.Error(), bad.say) {
			t.Errorf("%v, want %q", err, bad.say)
		}
	}
	if _, err := cluster.Run(t.Context(), c.Kernel, c.Inputs, 0); err == nil || !strings.Contains(err.Error(), "SpMV") {
		t.Error("blocks of no element:", err)
	}
	k := *clustertest.Stencil
	k.Stages = []cluster.Stage{{Block: &cluster.Step{Out: []int{9}}}}
	if err := k.Check(); err == nil {
		t.Error("a step that yields a value that there is not")
	}
	k.Stages = []cluster.Stage{{Block: &cluster.Step{Out: []int{2}, Run: func(context.Context, cluster.Place, []cluster.Value, []cluster.Value) ([]cluster.Value, error) {
		return nil, nil
	}}}}
	if _, err := cluster.Run(t.Context(), &k, cluster.Slices{[]float32{1}}, 1); err == nil || !strings.Contains(err.Error(), "Stencil") {
		t.Error("a step that yields nothing:", err)
	}
}
