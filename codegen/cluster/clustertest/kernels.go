// Package clustertest has kernels that are cut by hand, with what plain Go computes, for tests of what runs them.
//
// It is for tests alone, and may import package cluster.
package clustertest

import (
	"context"
	"fmt"

	"github.com/surge-ndp/surge/codegen/cluster"
)

// Whole and block values of a kernel are numbered by hand as [cluster.Kernel] says.
type values = []cluster.Value

// Kernels returns all kernels of this package.
func Kernels() []*cluster.Kernel {
	return []*cluster.Kernel{SpMV, Sum, Histogram, Scan, Stencil, Repeat, Reverse, Sorted, Turned, Put}
}

// step makes a step of a function of one turn.
func step(wholes, parts, out []int, run func(at cluster.Place, w, p values) (values, error)) *cluster.Step {
	return &cluster.Step{Wholes: wholes, Parts: parts, Out: out,
		Run: func(_ context.Context, at cluster.Place, w, p values) (values, error) { return run(at, w, p) }}
}

// count makes the step that yields the number of elements, from the length of a parameter.
func count(param, out, less int) *cluster.Step {
	return step([]int{param}, nil, []int{out}, func(_ cluster.Place, w, _ values) (values, error) {
		return values{w[0].(int) - less}, nil
	})
}

// NotFound is what SpMV reports of a column that there is not.
type NotFound struct{ Position, Column, Columns int }

// Error names the position.
func (e *NotFound) Error() string {
	return fmt.Sprintf("spmv.go:1:1: SpMV: cols[%d] = %d is outside of [0, %d)", e.Position, e.Column, e.Columns)
}

// Moved implements [cluster.Movable].
func (e *NotFound) Moved(base func(string) (position, elements, limit int)) error {
	position, _, _ := base("cols")
	return &NotFound{e.Position + position, e.Column, e.Columns}
}

// SpMV multiplies a sparse matrix, whose rows are cut, by a vector that each worker has.
var SpMV = &cluster.Kernel{
	Name: "SpMV", Pos: "spmv.go:1:6",
	Params: []cluster.Param{
		{Name: "offsets", Kind: "int", Rank: 1, Cut: true, Offsets: true},
		{Name: "cols", Kind: "int32", Rank: 1, Cut: true},
		{Name: "vals", Kind: "float64", Rank: 1, Cut: true},
		{Name: "x", Kind: "float64", Rank: 1},
	},
	Cuts: []cluster.Cut{
		{Param: 0, By: -1, To: 1, Times: one, Lo: zero, Hi: one},
		{Param: 1, By: 0, To: 1, Times: one, Lo: zero, Hi: zero},
		{Param: 2, By: 0, To: 1, Times: one, Lo: zero, Hi: zero},
	},
	Length: 4, Wholes: 5, Parts: 7,
	Stages: []cluster.Stage{{
		Whole: count(0, 4, 1),
		Block: step([]int{3}, []int{0, 1, 2, 4}, []int{6}, func(_ cluster.Place, w, p values) (values, error) {
			x, offsets, cols, vals, base := w[0].([]float64), p[0].([]int), p[1].([]int32), p[2].([]float64), p[3].(int)
			y := make([]float64, len(offsets)-1)
			for i := range y {
				for j := offsets[i] - base; j < offsets[i+1]-base; j++ {
					if int(cols[j]) >= len(x) {
						return nil, &NotFound{j, int(cols[j]), len(x)}
					}
					y[i] += vals[j] * x[cols[j]]
				}
			}
			return values{y}, nil
		}),
	}},
	Results: []cluster.Result{{Name: "y", Kind: "float64", Rank: 1, Block: true, Slot: 6}},
}

var (
	zero = cluster.Term{Slot: -1}
	one  = cluster.Term{Slot: -1, Const: 1}
	each = cluster.Cut{Param: 0, By: -1, Times: one, Lo: zero, Hi: one} // element i for element i
)

// Sum adds all elements, and counts them.
var Sum = &cluster.Kernel{
	Name: "Sum", Pos: "sum.go:1:6",
	Params: []cluster.Param{{Name: "x", Kind: "float64", Rank: 1, Cut: true}},
	Cuts:   []cluster.Cut{each}, Length: 0, Wholes: 3, Parts: 2,
	Stages: []cluster.Stage{{
		Block: step(nil, []int{0}, nil, func(_ cluster.Place, _, p values) (values, error) {
			s := 0.0
			for _, x := range p[0].([]float64) {
				s += x
			}
			return values{s, len(p[0].([]float64))}, nil
		}),
		Partials: []cluster.Partial{{Whole: 1}, {Whole: 2}},
		Combine: func(_ context.Context, a, b values) (values, error) {
			return values{a[0].(float64) + b[0].(float64), a[1].(int) + b[1].(int)}, nil
		},
	}},
	Results: []cluster.Result{{Name: "sum", Kind: "float64", Slot: 1}, {Name: "count", Kind: "int", Slot: 2}},
}

// Histogram counts the elements of each value below a number of values.
var Histogram = &cluster.Kernel{
	Name: "Histogram", Pos: "histogram.go:1:6",
	Params: []cluster.Param{{Name: "x", Kind: "int32", Rank: 1, Cut: true}, {Name: "bins", Kind: "int"}},
	Cuts:   []cluster.Cut{each}, Length: 0, Wholes: 3, Parts: 2,
	Stages: []cluster.Stage{{
		Block: step([]int{1}, []int{0}, nil, func(_ cluster.Place, w, p values) (values, error) {
			h := make([]int64, w[0].(int))
			for _, x := range p[0].([]int32) {
				h[x]++
			}
			return values{h}, nil
		}),
		Partials: []cluster.Partial{{Whole: 2}},
		Combine: func(_ context.Context, a, b values) (values, error) {
			h := append([]int64(nil), a[0].([]int64)...)
			for i, n := range b[0].([]int64) {
				h[i] += n
			}
			return values{h}, nil
		},
	}},
	Results: []cluster.Result{{Name: "counts", Kind: "int64", Rank: 1, Slot: 2}},
}

// Scan sums what lies before each element: in two passes, over the totals of blocks.
var Scan = &cluster.Kernel{
	Name: "Scan", Pos: "scan.go:1:6",
	Params: []cluster.Param{{Name: "x", Kind: "int64", Rank: 1, Cut: true}},
	Cuts:   []cluster.Cut{each}, Length: 0, Wholes: 4, Parts: 4,
	Stages: []cluster.Stage{
		{
			Block: step(nil, []int{0}, []int{2}, func(_ cluster.Place, _, p values) (values, error) {
				total, y := int64(0), []int64{}
				for _, x := range p[0].([]int64) {
					y, total = append(y, total), total+x
				}
				return values{y, total}, nil
			}),
			Partials: []cluster.Partial{{Whole: 1, Listed: true}},
		},
		{
			Whole: step([]int{1}, nil, []int{2, 3}, func(_ cluster.Place, w, _ values) (values, error) {
				total, before := int64(0), []int64{}
				for _, t := range w[0].([]int64) {
					before, total = append(before, total), total+t
				}
				return values{before, total}, nil
			}),
			Block: step([]int{2}, []int{2}, []int{3}, func(at cluster.Place, w, p values) (values, error) {
				y := append([]int64(nil), p[0].([]int64)...)
				for i := range y {
					y[i] += w[0].([]int64)[at.Block]
				}
				return values{y}, nil
			}),
		},
	},
	Results: []cluster.Result{{Name: "before", Kind: "int64", Rank: 1, Block: true, Slot: 3}, {Name: "total", Kind: "int64", Slot: 3}},
}

// Stencil averages an element with its neighbours, those at the ends with themselves.
var Stencil = &cluster.Kernel{
	Name: "Stencil", Pos: "stencil.go:1:6",
	Params: []cluster.Param{{Name: "x", Kind: "float32", Rank: 1, Cut: true}},
	Cuts:   []cluster.Cut{{Param: 0, By: -1, From: -1, To: 1, Times: one, Lo: zero, Hi: one}},
	Length: 0, Wholes: 1, Parts: 3,
	Stages: []cluster.Stage{{
		Block: step([]int{0}, []int{0, 1}, []int{2}, func(at cluster.Place, w, p values) (values, error) {
			n, x, base := w[0].(int), p[0].([]float32), p[1].(int)
			y := make([]float32, at.Count)
			for i := range y {
				j := at.First + i
				y[i] = (x[max(j-1, 0)-base] + x[j-base] + x[min(j+1, n-1)-base]) / 3
			}
			return values{y}, nil
		}),
	}},
	Results: []cluster.Result{{Name: "y", Kind: "float32", Rank: 1, Block: true, Slot: 2}},
}

// Repeat doubles each row behind itself: its parameter and its result are sequences of sequences.
var Repeat = &cluster.Kernel{
	Name: "Repeat", Pos: "repeat.go:1:6",
	Params: []cluster.Param{{Name: "rows", Kind: "uint8", Rank: 2, Cut: true}},
	Cuts:   []cluster.Cut{each}, Length: 0, Wholes: 1, Parts: 3,
	Stages: []cluster.Stage{{
		Block: step(nil, []int{0}, []int{2}, func(_ cluster.Place, _, p values) (values, error) {
			rows := p[0].(cluster.Rows)
			all, offsets := []uint8{}, []int{0}
			for i := range len(rows.Offsets) - 1 {
				row := rows.Data.([]uint8)[rows.Offsets[i]:rows.Offsets[i+1]]
				all = append(append(all, row...), row...)
				offsets = append(offsets, len(all))
			}
			return values{cluster.Rows{Data: all, Offsets: offsets}}, nil
		}),
	}},
	Results: []cluster.Result{{Name: "twice", Kind: "uint8", Rank: 2, Block: true, Slot: 2}},
}

// Reverse doubles elements and turns their order around: in two stages, as an element is written by another block than
// it is read by.
var Reverse = &cluster.Kernel{
	Name: "Reverse", Pos: "reverse.go:1:6",
	Params: []cluster.Param{{Name: "x", Kind: "int32", Rank: 1, Cut: true}},
	Cuts:   []cluster.Cut{each}, Length: 0, Wholes: 2, Parts: 3,
	Stages: []cluster.Stage{
		{
			Block: step(nil, []int{0}, nil, func(_ cluster.Place, _, p values) (values, error) {
				twice := []int32{}
				for _, x := range p[0].([]int32) {
					twice = append(twice, 2*x)
				}
				return values{twice}, nil
			}),
			Partials: []cluster.Partial{{Whole: 1, Listed: true}},
		},
		{
			Block: step([]int{0, 1}, nil, []int{2}, func(at cluster.Place, w, _ values) (values, error) {
				y := make([]int32, at.Count)
				for i := range y {
					y[i] = w[1].([]int32)[w[0].(int)-1-at.First-i]
				}
				return values{y}, nil
			}),
		},
	},
	Results: []cluster.Result{{Name: "y", Kind: "int32", Rank: 1, Block: true, Slot: 2}},
}
