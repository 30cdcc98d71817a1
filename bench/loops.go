package main

import (
	"context"
	"fmt"

	"github.com/surge-ndp/surge/training/input"
)

// loops are programs with a loop at the top: bench/kernels/loops.go against bench/peers/loops.cpp.
func loops(kernels string) (cs []measured) {
	add := func(name, kernel string, size, turns int, tolerance, bytes float64, args func() []input.Value) {
		cs = append(cs, measured{name: fmt.Sprintf("loop, %s, %d", name, size), program: "loops", args: []string{name, fmt.Sprint(size), fmt.Sprint(turns)},
			bench: "loop_" + name, dir: kernels, kernel: kernel, tolerance: tolerance,
			inputs: func(context.Context) ([]input.Value, float64, error) { return args(), bytes, nil }})
	}
	floats := func(n int, seed uint64) input.Value { return input.Vector(sample[float64](n, seed, 0, 1)) }
	add("jacobi", "Jacobi", 1000, 20, 0, 16*1000*1000*20, func() []input.Value {
		return []input.Value{floats(1000*1000, 142), input.Scalar(1000), input.Scalar(20)}
	})
	add("heat", "Heat", 128, 10, 0, 16*128*128*128*10, func() []input.Value {
		return []input.Value{floats(128*128*128, 142), input.Scalar(128), input.Scalar(10)}
	})
	add("cg", "Conjugate", 300, 20, 1e-8, (5*12+10*8)*300*300*20, func() []input.Value {
		values, columns, offsets := laplacian(300)
		return []input.Value{input.Vector(values), input.Vector(columns), input.Vector(offsets), floats(300*300, 143), input.Scalar(20)}
	})
	add("pagerank", "PageRank", 100_000, 0, 1e-8, 12*800_000*10, func() []input.Value {
		offsets, links := graph(100_000, 8)
		out := make([]int32, 100_000)
		for _, page := range links {
			out[page]++
		}
		return []input.Value{input.Vector(links), input.Vector(offsets), input.Vector(out), input.Scalar(1e-6)}
	})
	add("lu", "Decompose", 512, 0, 0, 16.0/3*512*512*512, func() []input.Value {
		m := sample[float64](512*512, 144, 0, 1)
		for i := range 512 {
			m[i*512+i] += 512
		}
		return []input.Value{input.Vector(m), input.Scalar(512)}
	})
	add("floyd", "Distances", 512, 0, 0, 8*512*512*512, func() []input.Value {
		return []input.Value{input.Vector(sample[float32](512*512, 145, 1, 100)), input.Scalar(512)}
	})
	add("bfs", "Levels", 125_000, 0, 0, 8*1_000_000, func() []input.Value {
		offsets, edges := graph(125_000, 8)
		return []input.Value{input.Vector(offsets), input.Vector(edges), input.Scalar(0)}
	})
	add("life", "Life", 512, 10, 0, 8*512*512*10, func() []input.Value {
		cells := make([]int32, 512*512)
		for i, u := range sample[float64](len(cells), 146, 0, 1) {
			if u < 0.3 {
				cells[i] = 1
			}
		}
		return []input.Value{input.Vector(cells), input.Scalar(512), input.Scalar(10)}
	})
	add("radix", "SortBits", 1_000_000, 16, 0, 8*1_000_000*16, func() []input.Value {
		keys := make([]int32, 1_000_000)
		for i, u := range sample[float64](len(keys), 147, 0, 1) {
			keys[i] = int32(u * (1 << 16))
		}
		return []input.Value{input.Vector(keys), input.Scalar(16)}
	})
	return cs
}

// graph is the peer's: each node has so many edges on average, to any nodes.
func graph(nodes, degree int) (offsets, to []int32) {
	at := uint64(141)
	next := func() float64 {
		at = at*6364136223846793005 + 1442695040888963407
		return float64(at>>11) / (1 << 53)
	}
	offsets = []int32{0}
	for range nodes {
		for k := int(next() * float64(2*degree+1)); k > 0; k-- {
			to = append(to, int32(next()*float64(nodes)))
		}
		offsets = append(offsets, int32(len(to)))
	}
	return offsets, to
}

// laplacian is the peer's matrix: that of the five points of a grid, with a heavier diagonal.
func laplacian(side int) (values []float64, columns, offsets []int32) {
	offsets = []int32{0}
	for i := range side * side {
		add := func(there bool, j int, v float64) {
			if there {
				values, columns = append(values, v), append(columns, int32(j))
			}
		}
		add(i >= side, i-side, -1)
		add(i%side > 0, i-1, -1)
		add(true, i, 4.5)
		add(i%side < side-1, i+1, -1)
		add(i+side < side*side, i+side, -1)
		offsets = append(offsets, int32(len(values)))
	}
	return values, columns, offsets
}
