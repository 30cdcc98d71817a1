// Command beam runs four kernels block by block on Apache Beam, and compares them with plain Go.
package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"math"
	"os"
	"path/filepath"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/surge-ndp/surge/codegen/beamrt"
	"github.com/surge-ndp/surge/codegen/cluster"
	"github.com/surge-ndp/surge/examples/beam/kernels"
	"github.com/surge-ndp/surge/training/input"
)

func main() {
	n := flag.Int("n", 100_000, "rows, elements, points and pages")
	block := flag.Int("block", 4096, "how many of them are in a block")
	flag.Parse()
	beam.Init()
	// What Beam tells of each pipeline would drown what the example tells.
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})))
	dir, err := os.MkdirTemp("", "beam-example-*")
	if err == nil {
		err = run(context.Background(), dir, *n, *block, nil)
		os.RemoveAll(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run runs all of the example, in pools of workers if there are any.
func run(ctx context.Context, dir string, n, block int, pools []string) error {
	for _, part := range []func(context.Context, job) error{multiply, count, means, ranks} {
		if err := part(ctx, job{dir, n, block, pools}); err != nil {
			return err
		}
	}
	return nil
}

// job is what the parts of the example have in common.
type job struct {
	dir      string
	n, block int
	pools    []string
}

// run runs a kernel on inputs, of which those that are cut become shards.
func (j job) run(ctx context.Context, k *cluster.Kernel, values cluster.Slices, out map[string]string) (*beamrt.Results, error) {
	in := make(beamrt.Inputs, len(values))
	for i, v := range values {
		if in[i].Value = v; !k.Params[i].Cut {
			continue
		}
		in[i] = beamrt.Input{Shards: filepath.Join(j.dir, k.Name+"-"+k.Params[i].Name+"-*.npy")}
		kind, err := input.ParseKind(k.Params[i].Kind)
		if err != nil {
			return nil, err
		}
		const pieces = 3
		for p := range pieces {
			lo, hi := cluster.Len(v)*p/pieces, cluster.Len(v)*(p+1)/pieces
			file := filepath.Join(j.dir, fmt.Sprintf("%s-%s-%d.npy", k.Name, k.Params[i].Name, p))
			if err := input.Write(file, input.Value{Kind: kind, Dims: []int{hi - lo}, Data: cluster.Slice(v, lo, hi)}); err != nil {
				return nil, err
			}
		}
	}
	return beamrt.Run(ctx, beamrt.Options{Kernel: k, Inputs: in, BlockSize: j.block, Out: out, Pools: j.pools})
}

// multiply writes the product of a sparse matrix and a vector as shards, and reads them.
func multiply(ctx context.Context, j job) error {
	offsets, columns, values, x := []int{0}, []int32{}, []float64{}, make([]float64, 1000)
	for i := range x {
		x[i] = float64(i % 11)
	}
	for i := range j.n {
		for c := range i % 7 {
			columns, values = append(columns, int32((i*31+c*17)%len(x))), append(values, float64(c+1))
		}
		offsets = append(offsets, len(columns))
	}
	out := filepath.Join(j.dir, "y", "*.npy")
	r, err := j.run(ctx, beamrt.Named("SpMV"), kernels.BlocksSpMV(values, columns, offsets, x), map[string]string{beamrt.Named("SpMV").Results[0].Name: out})
	if err != nil {
		return err
	}
	shards, err := input.OpenShards(out)
	if err != nil {
		return err
	}
	y, err := shards.Read(ctx, 0, shards.Len(1))
	if err != nil {
		return err
	}
	if err := agree("SpMV", y.([]float64), kernels.SpMV(values, columns, offsets, x), 0); err != nil {
		return err
	}
	fmt.Printf("SpMV: %d rows in %d blocks, as in plain Go\n", j.n, r.Counters["blocks"])
	return nil
}

// count makes a histogram.
func count(ctx context.Context, j job) error {
	x := make([]int32, j.n)
	for i := range x {
		x[i] = int32(i * i % 97)
	}
	r, err := j.run(ctx, beamrt.Named("Histogram"), kernels.BlocksHistogram(x, 97), nil)
	if err != nil {
		return err
	}
	if err := agree("Histogram", r.Values[0].([]int), kernels.Histogram(x, 97), 0); err != nil {
		return err
	}
	fmt.Printf("Histogram: %d elements in %d blocks, as in plain Go\n", j.n, r.Counters["blocks"])
	return nil
}

// means is k-means: a loop in this process, whose turns are pipelines.
func means(ctx context.Context, j job) error {
	const d, clusters, most = 4, 5, 8
	points := make([]float64, j.n*d)
	for i := range points {
		points[i] = float64(i*7919%1000) / 1000
	}
	centroids := append([]float64(nil), points[:min(len(points), clusters*d)]...)
	for turn := range most {
		r, err := j.run(ctx, beamrt.Named("Assign"), kernels.BlocksAssign(points, d, centroids), nil)
		if err != nil {
			return err
		}
		sums, counts := r.Values[0].([]float64), r.Values[1].([]int)
		plainSums, plainCounts := kernels.Assign(points, d, centroids)
		if err := agree("Assign", counts, plainCounts, 0); err != nil {
			return err
		}
		if err := agree("Assign", sums, plainSums, 1e-9); err != nil { // they are added in another order
			return err
		}
		moved := 0.0
		for i := range centroids {
			if counts[i/d] > 0 {
				next := sums[i] / float64(counts[i/d])
				moved = max(moved, math.Abs(next-centroids[i]))
				centroids[i] = next
			}
		}
		fmt.Printf("k-means: turn %d, %d points in %d blocks, centroids moved by %.3f at most\n", turn+1, j.n, r.Counters["blocks"], moved)
		if moved < 1e-3 {
			break
		}
	}
	return nil
}

// ranks is PageRank: what each page hands on is found in this process, and the turn that follows every link is a
// pipeline.
func ranks(ctx context.Context, j job) error {
	const damping, most = 0.85, 20
	from, offsets, out := []int32{}, []int{0}, make([]int, j.n)
	for i := range j.n {
		for k := range i % 6 {
			page := (i*i + 7*k + k*k*i) % j.n
			from = append(from, int32(page))
			out[page]++
		}
		offsets = append(offsets, len(from))
	}
	ranks, shares := make([]float64, j.n), make([]float64, j.n)
	for i := range ranks {
		ranks[i] = 1 / float64(j.n)
	}
	for turn := range most {
		lost := 0.0 // of pages that have no links
		for i, r := range ranks {
			if out[i] == 0 {
				lost += r
			} else {
				shares[i] = r / float64(out[i])
			}
		}
		base := (1 - damping + damping*lost) / float64(max(j.n, 1))
		r, err := j.run(ctx, beamrt.Named("Rank"), kernels.BlocksRank(from, offsets, shares, ranks, base, damping), nil)
		if err != nil {
			return err
		}
		next, moved := r.Values[0].([]float64), r.Values[1].(float64)
		plain, plainMoved := kernels.Rank(from, offsets, shares, ranks, base, damping)
		if err := agree("Rank", next, plain, 1e-12); err != nil { // the links of a page are added in another order
			return err
		}
		if math.Abs(moved-plainMoved) > 1e-12 {
			return fmt.Errorf("Rank: ranks moved by %v at most, and by %v in plain Go", moved, plainMoved)
		}
		sum := 0.0
		for _, r := range next {
			sum += r
		}
		if j.n > 0 && math.Abs(sum-1) > 1e-9 {
			return fmt.Errorf("Rank: the ranks of all pages are %v together, and not 1", sum)
		}
		ranks = next
		fmt.Printf("PageRank: turn %d, %d pages in %d blocks, ranks moved by %.3g at most\n", turn+1, j.n, r.Counters["blocks"], moved)
		if moved < 1e-6 {
			break
		}
	}
	return nil
}

// agree compares with plain Go.
func agree[T int | float64](what string, got, want []T, tolerance float64) error {
	if len(got) != len(want) {
		return fmt.Errorf("%s: %d results, and %d of plain Go", what, len(got), len(want))
	}
	for i, w := range want {
		if math.Abs(float64(got[i])-float64(w)) > tolerance*math.Abs(float64(w)) {
			return fmt.Errorf("%s: result %d is %v, and %v in plain Go", what, i, got[i], w)
		}
	}
	return nil
}
