package main

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/codegen/harness"
	"github.com/surge-ndp/surge/examples/reduction"
	"github.com/surge-ndp/surge/examples/scan"
	"github.com/surge-ndp/surge/training"
	"github.com/surge-ndp/surge/training/input"
)

// measured is a benchmark case: a peer program and what of ours does the same.
type measured struct {
	name    string
	program string            // peer
	args    []string          // of the peer
	bench   string            // its benchmark
	params  map[string]string // of the peer's line, where a program prints several instances
	dir     string            // package of our kernel
	kernel  string
	// inputs gives the arguments, and the bytes that the computation has to move.
	inputs func(ctx context.Context) (args []input.Value, bytes float64, err error)
	// bind binds code that was generated into this repository to the arguments, which then runs in this process: a
	// run takes as long as in a program. Where there is none, the process that searched runs it, which adds a tenth
	// of a microsecond to a run and to each computation.
	bind func(args []input.Value, opts ...exec.Option) (program, error)
	// check computes the peer's checksum from the results; nil stands for the checksum of the first one.
	check     func(r *training.RunResult) float64
	tolerance float64 // of the checksum, relative; 1e-9 at least
}

// program is generated code with bound arguments.
type program struct {
	run      func(ctx context.Context) error
	checksum func() float64 // of the last result
}

// number is a program whose result is a number.
func number(run func(ctx context.Context) (float64, error), err error) (program, error) {
	var r float64
	return program{func(ctx context.Context) (err error) { r, err = run(ctx); return err }, func() float64 { return r }}, err
}

// vector is a program whose result is written to dst.
func vector(run func(ctx context.Context) ([]float64, error), dst []float64, err error) (program, error) {
	return program{func(ctx context.Context) error { _, err := run(ctx); return err }, func() float64 { return harness.Checksum(dst) }}, err
}

func cases() []measured {
	var cs []measured
	floats := func(v input.Value) []float64 { return v.Data.([]float64) }
	for _, log := range []int{10, 14, 18, 22, 26} {
		n := 1 << log
		tile := min(n, 1<<14)
		add := func(name, rival string, args []string, dir, kernel string, bytes float64, seed uint64, bind func([]input.Value, ...exec.Option) (program, error), more ...input.Value) {
			cs = append(cs, measured{name: fmt.Sprintf("%s, 2^%d", name, log), program: rival, args: args, bench: rival, dir: dir, kernel: kernel, bind: bind,
				inputs: func(context.Context) ([]input.Value, float64, error) {
					return append([]input.Value{input.Vector(sample[float64](n, seed, 0, 1))}, more...), bytes, nil
				}})
		}
		tiles := []string{fmt.Sprint(n / tile), fmt.Sprint(tile)}
		add("reduction, flat", "reduce", tiles, "./examples/reduction", "Sum", 8*float64(n), 11, func(args []input.Value, opts ...exec.Option) (program, error) {
			b, err := reduction.BindSum(floats(args[0]), opts...)
			return number(b.Run, err)
		})
		add("reduction, Listing 3", "reduce", tiles, "./examples/reduction", "Reduction", 8*float64(n), 11, func(args []input.Value, opts ...exec.Option) (program, error) {
			b, err := reduction.BindReduction(floats(args[0]), tile, opts...)
			return number(b.Run, err)
		}, input.Scalar(tile))
		add("scan, flat", "scan", []string{fmt.Sprint(n)}, "./examples/scan", "PrefixSums", 16*float64(n), 12, func(args []input.Value, opts ...exec.Option) (program, error) {
			dst := huge(make([]float64, n))
			b, err := scan.BindPrefixSums(floats(args[0]), 10, append(opts, exec.Into(dst))...)
			return vector(b.Run, dst, err)
		}, input.Scalar(10.0))
		add("scan, Listing 4", "scan", []string{fmt.Sprint(n)}, "./examples/scan", "Scan", 16*float64(n), 12, func(args []input.Value, opts ...exec.Option) (program, error) {
			dst := huge(make([]float64, n))
			b, err := scan.BindScan(floats(args[0]), tile, 10, append(opts, exec.Into(dst))...)
			return vector(b.Run, dst, err)
		}, input.Scalar(tile), input.Scalar(10.0))
	}
	cs = append(cs, sparse()...)
	return append(append(cs, computations()...), comdForce(20))
}

// computations are the cases beside the three of the paper.
func computations() []measured {
	const kernels = "./bench/kernels"
	var cs []measured
	for _, n := range []int{100_000, 1_000_000} {
		const d, k = 32, 10
		load := func() (points, centroids []float64) {
			points = sample[float64](n*d, 51, 0, 1)
			return points, slices.Clone(points[:k*d])
		}
		cs = append(cs, measured{
			name: fmt.Sprintf("k-means iteration, %.0e", float64(n)), program: "kmeans", args: []string{fmt.Sprint(n)}, bench: "kmeans_iter",
			dir: "./examples/kmeans", kernel: "Step",
			inputs: func(context.Context) ([]input.Value, float64, error) {
				points, centroids := load()
				return []input.Value{input.Vector(points), input.Scalar(d), input.Vector(centroids)}, float64(n) * (8*d + 4), nil
			}}, measured{
			name: fmt.Sprintf("k-means centroids, %.0e", float64(n)), program: "kmeans", args: []string{fmt.Sprint(n)}, bench: "kmeans_recalc",
			dir: "./internal/kernels", kernel: "Recenter",
			inputs: func(context.Context) ([]input.Value, float64, error) {
				points, centroids := load()
				labels := make([]int32, n)
				for i := range labels {
					labels[i] = nearest(points[i*d:(i+1)*d], centroids)
				}
				return []input.Value{input.Vector(points), input.Scalar(d), input.Vector(labels), input.Vector(centroids)}, float64(n) * (8*d + 4), nil
			}})
	}
	cs = append(cs, measured{name: "n-body, 8192", program: "nbody", args: []string{"8192"}, bench: "nbody", dir: kernels, kernel: "NBody", tolerance: 1e-3,
		inputs: func(context.Context) ([]input.Value, float64, error) {
			const n = 8192
			return []input.Value{input.Vector(sample[float32](n, 91, -1, 1)), input.Vector(sample[float32](n, 92, -1, 1)),
				input.Vector(sample[float32](n, 93, -1, 1)), input.Vector(sample[float32](n, 94, 0, 1))}, 28 * n, nil
		},
		check: func(r *training.RunResult) float64 { // over (ax, ay, az) interleaved
			sum := 0.0
			for k, v := range r.Values {
				for i := range v.Len() {
					sum += v.Float64(i) * (1 + float64((3*i+k)%7)/8)
				}
			}
			return sum
		}}, measured{name: "Black-Scholes, 2^20", program: "option", args: []string{"1048576", "16"}, bench: "blackscholes", dir: kernels, kernel: "BlackScholes",
		inputs: func(context.Context) ([]input.Value, float64, error) {
			const n = 1 << 20
			return []input.Value{input.Vector(sample[float64](n, 111, 5, 30)), input.Vector(sample[float64](n, 112, 1, 100)),
				input.Vector(sample[float64](n, 113, 0.25, 10)), input.Scalar(0.02), input.Scalar(0.30)}, 40 * n, nil
		},
		check: func(r *training.RunResult) float64 { return r.Checksums[0] + r.Checksums[1] }})
	for _, log := range [][2]int{{7, 10}, {9, 7}} { // of the result's side, and of the inner length
		side, inner := 1<<log[0], 1<<log[1]
		total := fmt.Sprint(2*log[0] + log[1])
		cs = append(cs, measured{name: fmt.Sprintf("matrix product, %d×%d×%d", side, inner, side), program: "matmul", args: []string{total, fmt.Sprint(log[0]), fmt.Sprint(log[0])},
			bench: "matmul", dir: kernels, kernel: "MatMul", tolerance: 1e-3,
			inputs: func(context.Context) ([]input.Value, float64, error) {
				return []input.Value{input.Vector(sample[float32](side*inner, 81, 0, 1)), input.Vector(sample[float32](side*inner, 82, 0, 1)),
					input.Scalar(inner), input.Scalar(side)}, 4 * float64(2*side*inner+side*side), nil
			}})
	}
	for _, side := range []int{512, 4096} {
		cs = append(cs, measured{name: fmt.Sprintf("hotspot, %d×%d", side, side), program: "hotspot", args: []string{fmt.Sprint(side), fmt.Sprint(side), "1"}, bench: "hotspot",
			dir: kernels, kernel: "Hotspot", tolerance: 1e-6,
			inputs: func(context.Context) ([]input.Value, float64, error) {
				step, rx, ry, rz := coefficients(side)
				return []input.Value{input.Vector(sample[float32](side*side, 101, 320, 340)), input.Vector(sample[float32](side*side, 102, 0, 1e-3)),
					input.Scalar(side), input.Scalar(step), input.Scalar(rx), input.Scalar(ry), input.Scalar(rz)}, 12 * float64(side*side), nil
			}})
	}
	for _, bins := range []int{256, 65536} {
		for _, skewed := range []bool{false, true} {
			const n = 1 << 22
			kind := map[bool]string{false: "uniform", true: "cubed"}[skewed]
			keys := func() []int32 {
				k := make([]int32, n)
				for i, u := range sample[float64](n, 131, 0, 1) {
					if skewed {
						u = u * u * u
					}
					k[i] = int32(u * float64(bins))
				}
				return k
			}
			c := measured{program: "hist", args: []string{fmt.Sprint(n), fmt.Sprint(bins)}, dir: kernels, params: map[string]string{"keys": kind}}
			c.name, c.bench, c.kernel = fmt.Sprintf("histogram, %d bins, %s", bins, kind), "hist_count", "Count"
			c.inputs = func(context.Context) ([]input.Value, float64, error) {
				return []input.Value{input.Vector(keys()), input.Scalar(bins)}, 4*n + 4*float64(bins), nil
			}
			cs = append(cs, c)
			c.name, c.bench, c.kernel = fmt.Sprintf("weighted histogram, %d bins, %s", bins, kind), "hist_wsum", "Weigh"
			c.inputs = func(context.Context) ([]input.Value, float64, error) {
				return []input.Value{input.Vector(keys()), input.Vector(sample[float64](n, 132, 0, 1)), input.Scalar(bins)}, 12*n + 8*float64(bins), nil
			}
			cs = append(cs, c)
		}
	}
	for _, kind := range []string{"uniform", "power", "giant"} {
		const n = 1 << 24
		cs = append(cs, measured{name: "segmented reduction, " + kind, program: "segred", args: []string{kind, fmt.Sprint(n)}, bench: "segreduce", dir: kernels, kernel: "SegmentSums",
			inputs: func(context.Context) ([]input.Value, float64, error) {
				offsets := segments(kind, n)
				return []input.Value{input.Vector(sample[float64](n, 42, 0, 1)), input.Vector(offsets)}, 8*n + 16*float64(len(offsets)-1), nil
			}})
	}
	return append(cs, loops(kernels)...)
}

// sample is n values between lo and hi, from the generator of the peers' inputs.
func sample[T float32 | float64](n int, seed uint64, lo, hi float64) []T {
	s := huge(make([]T, n))
	for i := range s {
		seed = seed*6364136223846793005 + 1442695040888963407
		s[i] = T(lo + (hi-lo)*(float64(seed>>11)/(1<<53)))
	}
	return s
}

// nearest is the number of the centroid that is nearest to a point.
func nearest(point, centroids []float64) int32 {
	best, at := math.Inf(1), int32(0)
	for j := int32(0); int(j)*len(point) < len(centroids); j++ {
		d := 0.0
		for i, x := range point {
			e := x - centroids[int(j)*len(point)+i]
			d += e * e
		}
		if d < best {
			best, at = d, j
		}
	}
	return at
}

// coefficients are those of the peer's hotspot for a square grid.
func coefficients(side int) (step, rx, ry, rz float32) {
	const t = 0.0005
	h := 0.016 / float64(side)
	capacity := 0.5 * 1.75e6 * t * h * h
	return float32(1e-6 / (3e6 / (0.5 * t * 1.75e6)) / capacity), float32(2 * 100 * t), float32(2 * 100 * t), float32(100 * h * h / t)
}

// segments are the offsets of the peer's segments.
func segments(kind string, n int) []int {
	offsets, at, u := []int{0}, 0, uint64(41)
	for at < n {
		length := 32
		switch kind {
		case "power":
			u = u*6364136223846793005 + 1442695040888963407
			length = int(min(float64(n)/8, math.Floor(2/(float64(u>>11)/(1<<53)))))
		case "giant":
			if length = 8; at == n/4 {
				length = n / 2
			}
		}
		at += min(length, n-at)
		offsets = append(offsets, at)
	}
	return offsets
}
