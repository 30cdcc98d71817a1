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
