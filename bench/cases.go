package main

import (
	"context"
	"fmt"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/codegen/harness"
	"github.com/surge-ndp/surge/examples/reduction"
	"github.com/surge-ndp/surge/examples/scan"
	"github.com/surge-ndp/surge/examples/spmv"
	"github.com/surge-ndp/surge/training"
	"github.com/surge-ndp/surge/training/input"
)

// runner is one bound kernel with the checksum of its last result.
type runner struct {
	run      func(ctx context.Context) error
	checksum func() float64
}

// measured is a benchmark case: a peer program and what of ours does the same.
type measured struct {
	name    string
	program string   // peer
	args    []string // of the peer
	bench   string   // its benchmark
	dir     string   // package of our kernel
	kernel  string
	// load gives a kernel in generated code with its arguments.
	load func(ctx context.Context) (bind func(opts ...exec.Option) (runner, error), bytes float64, err error)

	// For a kernel that is compiled on demand, in place of load:
	inputs func(ctx context.Context) (args []input.Value, bytes float64, err error)
	// check computes the peer's checksum from the results; nil stands for the checksum of the first one.
	check     func(r *training.RunResult) float64
	tolerance float64           // of the checksum, relative; 1e-9 at least
	params    map[string]string // of the peer's line, where a program prints several instances
}

func cases() []measured {
	var cs []measured
	for _, log := range []int{10, 14, 18, 22, 26} {
		n := 1 << log
		tile := min(n, 1<<14)
		load := func(seed uint64) []float64 { return lcg(n, seed) }
		cs = append(cs,
			measured{name: fmt.Sprintf("reduction, flat, 2^%d", log), program: "reduce", args: []string{fmt.Sprint(n / tile), fmt.Sprint(tile)}, bench: "reduce",
				dir: "./examples/reduction", kernel: "Sum",
				load: func(context.Context) (func(...exec.Option) (runner, error), float64, error) {
					s := load(11)
					return func(opts ...exec.Option) (runner, error) {
						b, err := reduction.BindSum(s, opts...)
						var r float64
						return runner{func(ctx context.Context) (err error) { r, err = b.Run(ctx); return err }, func() float64 { return r }}, err
					}, 8 * float64(n), nil
				}},
			measured{name: fmt.Sprintf("reduction, Listing 3, 2^%d", log), program: "reduce", args: []string{fmt.Sprint(n / tile), fmt.Sprint(tile)}, bench: "reduce",
				dir: "./examples/reduction", kernel: "Reduction",
				load: func(context.Context) (func(...exec.Option) (runner, error), float64, error) {
					s := load(11)
					return func(opts ...exec.Option) (runner, error) {
						b, err := reduction.BindReduction(s, tile, opts...)
						var r float64
						return runner{func(ctx context.Context) (err error) { r, err = b.Run(ctx); return err }, func() float64 { return r }}, err
					}, 8 * float64(n), nil
				}},
			measured{name: fmt.Sprintf("scan, flat, 2^%d", log), program: "scan", args: []string{fmt.Sprint(n)}, bench: "scan",
				dir: "./examples/scan", kernel: "PrefixSums",
				load: func(context.Context) (func(...exec.Option) (runner, error), float64, error) {
					s, dst := load(12), huge(n)
					return func(opts ...exec.Option) (runner, error) {
						b, err := scan.BindPrefixSums(s, 10, append(opts, exec.Into(dst))...)
						return runner{func(ctx context.Context) error { _, err := b.Run(ctx); return err }, func() float64 { return checksum(dst) }}, err
					}, 16 * float64(n), nil
				}},
			measured{name: fmt.Sprintf("scan, Listing 4, 2^%d", log), program: "scan", args: []string{fmt.Sprint(n)}, bench: "scan",
				dir: "./examples/scan", kernel: "Scan",
				load: func(context.Context) (func(...exec.Option) (runner, error), float64, error) {
					s, dst := load(12), huge(n)
					return func(opts ...exec.Option) (runner, error) {
						b, err := scan.BindScan(s, tile, 10, append(opts, exec.Into(dst))...)
						return runner{func(ctx context.Context) error { _, err := b.Run(ctx); return err }, func() float64 { return checksum(dst) }}, err
					}, 16 * float64(n), nil
				}},
		)
	}
	for kind, rows := range map[string]int{"short": 1 << 20, "long": 8192, "power": 1 << 18, "banded": 1 << 18} {
		cs = append(cs, measured{name: "spmv, " + kind, program: "spmv", args: []string{kind, fmt.Sprint(rows)}, bench: "spmv", dir: "./examples/spmv", kernel: "SpMV",
			load: func(ctx context.Context) (func(...exec.Option) (runner, error), float64, error) {
				a, err := input.Open(ctx, fmt.Sprintf("gen:%s:rows=%d", kind, rows), input.Options{})
				if err != nil {
					return nil, 0, err
				}
				vs, err := input.Bind([]input.Parameter{
					{Name: "values", Type: input.Type{Kind: input.Float64, Rank: 1}, Expr: "A.values"},
					{Name: "columns", Type: input.Type{Kind: input.Int32, Rank: 1}, Expr: "A.columns"},
					{Name: "rowOffsets", Type: input.Type{Kind: input.Int32, Rank: 1}, Expr: "A.row_offsets"},
				}, map[string]*input.Source{"A": a}, input.Options{})
				if err != nil {
					return nil, 0, err
				}
				values, columns, offsets := huge(vs[0].Len()), vs[1].Data.([]int32), vs[2].Data.([]int32)
				copy(values, vs[0].Data.([]float64))
				columns = hugeInts(columns)
				x, dst := lcg(rows, 34), huge(rows)
				return func(opts ...exec.Option) (runner, error) {
					b, err := spmv.BindSpMV(values, columns, offsets, x, append(opts, exec.Into(dst))...)
					return runner{func(ctx context.Context) error { _, err := b.Run(ctx); return err }, func() float64 { return checksum(dst) }}, err
				}, 12*float64(len(values)) + 4*float64(rows+1) + 16*float64(rows), nil
			}})
	}
	return append(append(cs, demanded()...), comdForce(20))
}

// lcg is the generator of the peers' inputs, which package input has too; the seeds are theirs.
func lcg(n int, seed uint64) []float64 {
	s := huge(n)
	for i := range s {
		seed = seed*6364136223846793005 + 1442695040888963407
		s[i] = float64(seed>>11) / (1 << 53)
	}
	return s
}

func checksum(s []float64) float64 { return harness.Checksum(s) }
