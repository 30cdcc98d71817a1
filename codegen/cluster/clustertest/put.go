package clustertest

import (
	"math/rand/v2"
	"slices"

	"github.com/surge-ndp/surge/codegen/cluster"
)

// Put puts x at places, over what y has there, and says which element each place has, -1 for none. The last one of each
// place stays.
var Put = &cluster.Kernel{
	Name: "Put", Pos: "put.go:1:6",
	Params: []cluster.Param{{Name: "x", Kind: "int32", Rank: 1, Cut: true}, {Name: "at", Kind: "int", Rank: 1, Cut: true}, {Name: "y", Kind: "int32", Rank: 1, Cut: true}},
	Cuts:   []cluster.Cut{each, {Param: 1, By: -1, Times: one, Lo: zero, Hi: one}, {Param: 2, By: -1, Times: one, Lo: zero, Hi: one}},
	Length: 0, Wholes: 3, Parts: 11,
	Stages: []cluster.Stage{
		{
			Block: step(nil, []int{0, 1}, []int{6, 7}, func(_ cluster.Place, _, p values) (values, error) {
				return values{p[1], p[0]}, nil
			}),
			Sort: &cluster.Sort{Keys: 6, Moved: []int{7}, Out: []int{8}, From: 9, Placed: true, Sparse: true, Width: 2},
		},
		{
			Block: step(nil, []int{2, 8, 9}, []int{10}, func(_ cluster.Place, _, p values) (values, error) {
				z := slices.Clone(p[0].([]int32))
				for i, from := range p[2].([]int) {
					if from >= 0 {
						z[i] = p[1].([]int32)[i]
					}
				}
				return values{z}, nil
			}),
		},
	},
	Results: []cluster.Result{{Name: "z", Kind: "int32", Rank: 1, Block: true, Slot: 10}, {Name: "from", Kind: "int", Rank: 1, Block: true, Slot: 9}},
}

func put(r *rand.Rand, n int) Case {
	x, at, y := make([]int32, n), make([]int, n), make([]int32, n/2+3)
	for i := range x {
		x[i], at[i] = int32(7*i), r.IntN(len(y)+1)-1 // some are dropped
	}
	for i := range y {
		y[i] = int32(-i)
	}
	return PutAt(x, at, y)
}

// PutAt is a case of Put.
func PutAt(x []int32, at []int, y []int32) Case {
	z, from := slices.Clone(y), slices.Repeat([]int{-1}, len(y))
	for i, p := range at {
		if p >= 0 {
			z[p], from[p] = x[i], i
		}
	}
	return Case{Put, cluster.Slices{x, at, y}, []cluster.Value{z, from}}
}
