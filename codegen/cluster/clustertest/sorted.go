package clustertest

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/surge-ndp/surge/codegen/cluster"
)

// Sorted sorts values by keys, stably, and says where each came from and is.
var Sorted = &cluster.Kernel{
	Name: "Sorted", Pos: "sorted.go:1:6",
	Params: []cluster.Param{{Name: "keys", Kind: "float64", Rank: 1, Cut: true}, {Name: "x", Kind: "int32", Rank: 1, Cut: true}},
	Cuts:   []cluster.Cut{each, {Param: 1, By: -1, Times: one, Lo: zero, Hi: one}},
	Length: 0, Wholes: 4, Parts: 10,
	Stages: []cluster.Stage{
		{
			Block: step(nil, []int{0, 1}, []int{4, 5}, func(_ cluster.Place, _, p values) (values, error) {
				return values{p[0], p[1]}, nil
			}),
			Partials: []cluster.Partial{{Whole: 2, Listed: true}, {Whole: 3, Listed: true}},
			Sort:     &cluster.Sort{Keys: 4, Moved: []int{4, 5}, Out: []int{6, 7}, From: 8, Splitters: [2]int{2, 3}},
		},
		{
			Block: step(nil, []int{8}, []int{9}, func(at cluster.Place, _, p values) (values, error) {
				places := []int{}
				for i := range p[0].([]int) {
					places = append(places, at.First+i)
				}
				return values{places}, nil
			}),
		},
	},
	Results: []cluster.Result{{Name: "keys", Kind: "float64", Rank: 1, Block: true, Slot: 6}, {Name: "y", Kind: "int32", Rank: 1, Block: true, Slot: 7},
		{Name: "from", Kind: "int", Rank: 1, Block: true, Slot: 8}, {Name: "at", Kind: "int", Rank: 1, Block: true, Slot: 9}},
}

func sorted(r *rand.Rand, n int) Case {
	keys := make([]float64, n)
	for i := range keys { // some are equal, infinite or negative zeros
		keys[i] = []float64{0, math.Copysign(0, -1), math.Inf(-1), r.Float64(), float64(r.IntN(5))}[r.IntN(5)]
	}
	return SortedBy(keys)
}

// SortedBy is a case of Sorted.
func SortedBy(keys []float64) Case {
	n := len(keys)
	x, order, at := make([]int32, n), make([]int, n), make([]int, n)
	for i := range keys {
		x[i], order[i], at[i] = int32(7*i), i, i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(keys[i], keys[j]) })
	sorted, y := make([]float64, n), make([]int32, n)
	for i, from := range order {
		sorted[i], y[i] = keys[from], x[from]
	}
	return Case{Sorted, cluster.Slices{keys, x}, []cluster.Value{sorted, y, order, at}}
}

// Turned is the first of x, as many as are kept, the last one of them first.
var Turned = &cluster.Kernel{
	Name: "Turned", Pos: "turned.go:1:6",
	Params: []cluster.Param{{Name: "x", Kind: "int32", Rank: 1, Cut: true}, {Name: "kept", Kind: "int"}},
	Cuts:   []cluster.Cut{each},
	Length: 0, Wholes: 2, Parts: 6,
	Stages: []cluster.Stage{{
		Block: step([]int{1}, []int{0}, []int{2, 3}, func(at cluster.Place, w, p values) (values, error) {
			to := []int{}
			for i := range p[0].([]int32) { // behind those that are kept it is negative
				to = append(to, w[0].(int)-1-(at.First+i))
			}
			return values{to, p[0]}, nil
		}),
		Sort: &cluster.Sort{Keys: 2, Moved: []int{3}, Out: []int{4}, From: 5, Placed: true, Width: 1},
	}},
	Results: []cluster.Result{{Name: "y", Kind: "int32", Rank: 1, Block: true, Slot: 4}},
}

func turned(n int) Case {
	x, y := make([]int32, n), make([]int32, n*2/3)
	for i := range x {
		x[i] = int32(7 * i)
	}
	for i := range y {
		y[i] = x[len(y)-1-i]
	}
	return Case{Turned, cluster.Slices{x, len(y)}, []cluster.Value{y}}
}
