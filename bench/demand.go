package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/training"
	"github.com/surge-ndp/surge/training/input"
)

// demanded are the cases whose kernels are compiled on demand and run in a process of their own, as surge run does it.
func demanded() []measured {
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
			dir: "./codegen/kernels", kernel: "Recenter",
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
				for i, u := range lcg(n, 131) {
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
	return cs
}

// sample is n values between lo and hi, from the generator of the peers' inputs.
func sample[T float32 | float64](n int, seed uint64, lo, hi float64) []T {
	s := make([]T, n)
	for i, u := range lcg(n, seed) {
		s[i] = T(lo + (hi-lo)*u)
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

var sessions = map[string]*training.Session{}

func closeSessions() {
	for _, s := range sessions {
		_ = s.Close()
	}
}

// algorithm is one of the algorithms of a kernel with its fastest variants.
type algorithm struct {
	name  string
	best  []selector.Variant
	texts []string
	time  time.Duration
}

// onDemand prepares a case whose kernel is compiled on demand: it finds the fastest variants of every algorithm of the
// kernel, one computation at a time, and of these the fastest algorithm.
func onDemand(ctx context.Context, c measured, threads int) (sides, error) {
	s := sessions[c.dir]
	if s == nil {
		var err error
		if s, err = training.Open(ctx, c.dir, training.Options{Platforms: []string{"goroutine"}}); err != nil {
			return sides{}, err
		}
		sessions[c.dir] = s
	}
	args, bytes, err := c.inputs(ctx)
	if err != nil {
		return sides{}, err
	}
	b, err := s.Bind(ctx, c.kernel, args, training.BindOptions{Threads: threads})
	if err != nil {
		return sides{}, err
	}
	args = nil
	all, err := s.Variants(ctx, c.kernel)
	if err != nil {
		return sides{}, err
	}
	all = slices.DeleteFunc(all, func(v selector.Variant) bool { return v.Int(selector.NumThreads, 1) > threads })
	var algorithms []*algorithm
	for _, v := range all {
		name, _, _ := strings.Cut(v.Computation, ".")
		if !slices.ContainsFunc(algorithms, func(a *algorithm) bool { return a.name == name }) {
			algorithms = append(algorithms, &algorithm{name: name})
		}
	}
	var fastest *algorithm
	for _, a := range algorithms {
		if err := a.search(ctx, b, all); err != nil {
			return sides{}, err
		}
		if fastest == nil || a.time < fastest.time {
			fastest = a
		}
	}
	var last *training.RunResult
	run := func(texts []string) func(context.Context, int) (float64, error) {
		took := fastest.time
		return func(ctx context.Context, reps int) (float64, error) {
			r, err := b.Run(ctx, training.RunOptions{Variants: texts, Repeat: reps, Warmup: warmUps(took)})
			if err != nil {
				return 0, err
			}
			last, took = r, r.Median()
			return float64(r.Median()) / 1e6, nil
		}
	}
	return sides{ours: run(fastest.texts), chosen: run(nil), best: fastest.best, bytes: bytes, release: func() { _ = b.Release(ctx) },
		checksum: func() float64 {
			if c.check == nil {
				return last.Checksums[0]
			}
			r, err := b.Run(ctx, training.RunOptions{Variants: fastest.texts, Values: true})
			if err != nil {
				return math.NaN()
			}
			return c.check(r)
		}}, nil
}

// warmUps is how many runs of a time are a warm-up.
func warmUps(run time.Duration) int { return 1 + int(warmUp/max(run, time.Microsecond)) }

// search finds the fastest variant of each computation of the algorithm.
func (a *algorithm) search(ctx context.Context, b *training.Bound, all []selector.Variant) error {
	var computations []string
	for _, v := range all {
		if strings.HasPrefix(v.Computation, a.name+".") && !slices.Contains(computations, v.Computation) {
			computations = append(computations, v.Computation)
		}
	}
	for _, c := range computations {
		type candidate struct {
			v    selector.Variant
			time time.Duration
		}
		var cs []candidate
		var of []selector.Variant
		for _, v := range all {
			if v.Computation == c {
				of = append(of, v)
			}
		}
		quick, err := b.Bench(ctx, training.BenchOptions{Variants: of, Rounds: 2, Hopeless: 2, NoVerify: true}) // the check sum is checked in the end
		if err != nil {
			return err
		}
		for _, m := range quick {
			if m.Status == training.Failed {
				return fmt.Errorf("%s: %s", m.Variant, m.Reason)
			}
			if len(m.Times) > 0 {
				cs = append(cs, candidate{m.Variant, m.Median})
			}
		}
		byTime := func(x, y candidate) int { return int(x.time - y.time) }
		slices.SortFunc(cs, byTime)
		cs = cs[:min(len(cs), 6)]
		chosen, err := b.Run(ctx, training.RunOptions{Variants: a.texts})
		if err != nil {
			return err
		}
		for _, d := range chosen.Decisions { // what is chosen without training is one of ours too
			if d.Computation == c && !slices.ContainsFunc(cs, func(x candidate) bool { return x.v.String() == d.Variant.String() }) {
				cs = append(cs, candidate{d.Variant, chosen.Median()})
			}
		}
		turns := make([][]float64, len(cs))
		for range 3 { // in turns, as the machine is not equally fast all the time
			for i, x := range cs {
				r, err := b.Run(ctx, training.RunOptions{Variants: append(slices.Clone(a.texts), x.v.String()), Repeat: 5, Warmup: warmUps(x.time)})
				if err != nil {
					return fmt.Errorf("%s: %w", x.v, err)
				}
				turns[i] = append(turns[i], float64(r.Median()))
			}
		}
		for i := range cs {
			cs[i].time = time.Duration(median(turns[i]))
		}
		slices.SortFunc(cs, byTime)
		a.best, a.texts, a.time = append(a.best, cs[0].v), append(a.texts, cs[0].v.String()), cs[0].time
	}
	return nil
}
