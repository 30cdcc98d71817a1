package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"github.com/surge-ndp/surge/codegen/beamrt"
	"github.com/surge-ndp/surge/codegen/cluster"
	"github.com/surge-ndp/surge/training/input"
)

const (
	dims     = 32
	clusters = 16
	rowLen   = 16      // nonzeros of a row
	columns  = 1 << 20 // of the matrix
	bins     = 1 << 12
)

// inputs writes shards of 64 MiB and so, unless they are there.
func inputs(k *cluster.Kernel, n int, dir string) (beamrt.Inputs, error) {
	write := func(name string, kind input.Kind, first, rows, width int, data any) error {
		shape := []int{rows, width}
		if width == 1 {
			shape = shape[:1]
		}
		file := filepath.Join(dir, fmt.Sprintf("%s-%s-%012d.npy", k.Name, name, first))
		if _, err := os.Stat(file); err == nil {
			return nil
		}
		return input.Write(file, input.Value{Kind: kind, Dims: shape, Data: data})
	}
	pattern := func(name string) beamrt.Input {
		return beamrt.Input{Shards: filepath.Join(dir, k.Name+"-"+name+"-*.npy")}
	}
	const piece = 1 << 18
	for number, first := 0, 0; first < n; number, first = number+1, first+piece {
		rows := min(piece, n-first)
		if k == kmeans {
			points := make([]float64, rows*dims)
			for i := range points {
				points[i] = float64((first*dims+i)*2654435761%1000) / 1000
			}
			if err := write("points", input.Float64, number, rows, dims, points); err != nil {
				return nil, err
			}
			continue
		}
		if k == histogram {
			x := make([]int32, rows)
			for i := range x {
				x[i] = int32(uint32(first+i) * 2654435761 % bins)
			}
			if err := write("x", input.Int32, number, rows, 1, x); err != nil {
				return nil, err
			}
			continue
		}
		extra := 0
		if first+rows == n {
			extra = 1
		}
		offsets, cols, vals := make([]int64, rows+extra), make([]int32, rows*rowLen), make([]float64, rows*rowLen)
		for i := range offsets {
			offsets[i] = int64(first+i) * rowLen
		}
		for i := range cols {
			cols[i], vals[i] = int32(uint32(first*rowLen+i)*2654435761%columns), float64(i%7)
		}
		if err := errors.Join(write("offsets", input.Int64, number, len(offsets), 1, offsets), write("cols", input.Int32, number, len(cols), 1, cols),
			write("vals", input.Float64, number, len(vals), 1, vals)); err != nil {
			return nil, err
		}
	}
	if k == kmeans {
		return beamrt.Inputs{pattern("points"), {Value: centroids()}}, nil
	}
	if k == histogram {
		return beamrt.Inputs{pattern("x"), {Value: bins}}, nil
	}
	x := make([]float64, columns)
	for i := range x {
		x[i] = float64(i % 5)
	}
	return beamrt.Inputs{pattern("offsets"), pattern("cols"), pattern("vals"), {Value: x}}, nil
}

func centroids() []float64 {
	c := make([]float64, clusters*dims)
	for i := range c {
		c[i] = float64(i*7919%1000) / 1000
	}
	return c
}

// parallel divides n elements among all processors.
func parallel(n int, part func(number, lo, hi int)) int {
	p := runtime.GOMAXPROCS(0)
	var wait sync.WaitGroup
	for i := range p {
		wait.Go(func() { part(i, n*i/p, n*(i+1)/p) })
	}
	wait.Wait()
	return p
}

func constant(n int) cluster.Term { return cluster.Term{Slot: -1, Const: n} }

// kmeans is one turn: sums and numbers of the points that are the nearest to each centroid.
var kmeans = &cluster.Kernel{
	Name: "KMeans", Pos: "kmeans.go:1:6",
	Params: []cluster.Param{{Name: "points", Kind: "float64", Rank: 1, Cut: true}, {Name: "centroids", Kind: "float64", Rank: 1}},
	Cuts:   []cluster.Cut{{Param: 0, By: -1, To: 1, Times: constant(dims), Lo: constant(0), Hi: constant(0)}},
	Length: 2, Wholes: 5, Parts: 2,
	Stages: []cluster.Stage{{
		Whole: &cluster.Step{Wholes: []int{0}, Out: []int{2}, Run: func(_ context.Context, _ cluster.Place, w, _ []cluster.Value) ([]cluster.Value, error) {
			return []cluster.Value{w[0].(int) / dims}, nil
		}},
		Block: &cluster.Step{Wholes: []int{1}, Parts: []int{0}, Run: func(_ context.Context, at cluster.Place, w, p []cluster.Value) ([]cluster.Value, error) {
			return nearest(at.Count, p[0].([]float64), w[0].([]float64)), nil
		}},
		Partials: []cluster.Partial{{Whole: 3}, {Whole: 4}},
		Combine: func(_ context.Context, a, b []cluster.Value) ([]cluster.Value, error) {
			sums, counts := slices.Clone(a[0].([]float64)), slices.Clone(a[1].([]int64))
			for i, x := range b[0].([]float64) {
				sums[i] += x
			}
			for i, n := range b[1].([]int64) {
				counts[i] += n
			}
			return []cluster.Value{sums, counts}, nil
		},
	}},
	Results: []cluster.Result{{Name: "sums", Kind: "float64", Rank: 1, Slot: 3}, {Name: "counts", Kind: "int64", Rank: 1, Slot: 4}},
}

func nearest(n int, points, centroids []float64) []cluster.Value {
	p := runtime.GOMAXPROCS(0)
	sums, counts := make([][]float64, p), make([][]int64, p)
	parallel(n, func(number, lo, hi int) {
		s, c := make([]float64, len(centroids)), make([]int64, clusters)
		for i := lo; i < hi; i++ {
			x := points[i*dims:][:dims]
			best, least := 0, 0.0
			for j := range clusters {
				d := 0.0
				for k, y := range centroids[j*dims:][:dims] {
					d += (x[k] - y) * (x[k] - y)
				}
				if j == 0 || d < least {
					best, least = j, d
				}
			}
			c[best]++
			for k, y := range x {
				s[best*dims+k] += y
			}
		}
		sums[number], counts[number] = s, c
	})
	for i := 1; i < p; i++ {
		for j, x := range sums[i] {
			sums[0][j] += x
		}
		for j, x := range counts[i] {
			counts[0][j] += x
		}
	}
	return []cluster.Value{sums[0], counts[0]}
}

// spmv multiplies a matrix, whose rows are cut, by a vector.
var spmv = &cluster.Kernel{
	Name: "SpMV", Pos: "spmv.go:1:6",
	Params: []cluster.Param{
		{Name: "offsets", Kind: "int", Rank: 1, Cut: true, Offsets: true}, {Name: "cols", Kind: "int32", Rank: 1, Cut: true},
		{Name: "vals", Kind: "float64", Rank: 1, Cut: true}, {Name: "x", Kind: "float64", Rank: 1},
	},
	Cuts: []cluster.Cut{
		{Param: 0, By: -1, To: 1, Times: constant(1), Lo: constant(0), Hi: constant(1)},
		{Param: 1, By: 0, To: 1, Times: constant(1), Lo: constant(0), Hi: constant(0)},
		{Param: 2, By: 0, To: 1, Times: constant(1), Lo: constant(0), Hi: constant(0)},
	},
	Length: 4, Wholes: 5, Parts: 7,
	Stages: []cluster.Stage{{
		Whole: &cluster.Step{Wholes: []int{0}, Out: []int{4}, Run: func(_ context.Context, _ cluster.Place, w, _ []cluster.Value) ([]cluster.Value, error) {
			return []cluster.Value{w[0].(int) - 1}, nil
		}},
		Block: &cluster.Step{Wholes: []int{3}, Parts: []int{0, 1, 2, 4}, Out: []int{6}, Run: func(_ context.Context, at cluster.Place, w, p []cluster.Value) ([]cluster.Value, error) {
			x, offsets, cols, vals, base := w[0].([]float64), p[0].([]int), p[1].([]int32), p[2].([]float64), p[3].(int)
			y := make([]float64, at.Count)
			parallel(at.Count, func(_, lo, hi int) {
				for i := lo; i < hi; i++ {
					for j := offsets[i] - base; j < offsets[i+1]-base; j++ {
						y[i] += vals[j] * x[cols[j]]
					}
				}
			})
			return []cluster.Value{y}, nil
		}},
	}},
	Results: []cluster.Result{{Name: "y", Kind: "float64", Rank: 1, Block: true, Slot: 6}},
}

// histogram counts the elements of each value.
var histogram = &cluster.Kernel{
	Name: "Histogram", Pos: "histogram.go:1:6",
	Params: []cluster.Param{{Name: "x", Kind: "int32", Rank: 1, Cut: true}, {Name: "bins", Kind: "int"}},
	Cuts:   []cluster.Cut{{Param: 0, By: -1, To: 0, Times: constant(1), Lo: constant(0), Hi: constant(1)}},
	Length: 0, Wholes: 3, Parts: 2,
	Stages: []cluster.Stage{{
		Block: &cluster.Step{Wholes: []int{1}, Parts: []int{0}, Run: func(_ context.Context, at cluster.Place, w, p []cluster.Value) ([]cluster.Value, error) {
			return []cluster.Value{counted(p[0].([]int32), w[0].(int))}, nil
		}},
		Partials: []cluster.Partial{{Whole: 2}},
		Combine: func(_ context.Context, a, b []cluster.Value) ([]cluster.Value, error) {
			h := slices.Clone(a[0].([]int64))
			for i, n := range b[0].([]int64) {
				h[i] += n
			}
			return []cluster.Value{h}, nil
		},
	}},
	Results: []cluster.Result{{Name: "counts", Kind: "int64", Rank: 1, Slot: 2}},
}

func counted(x []int32, bins int) []int64 {
	all := make([][]int64, runtime.GOMAXPROCS(0))
	parallel(len(x), func(number, lo, hi int) {
		h := make([]int64, bins)
		for _, v := range x[lo:hi] {
			h[v]++
		}
		all[number] = h
	})
	for _, h := range all[1:] {
		for i, n := range h {
			all[0][i] += n
		}
	}
	return all[0]
}
