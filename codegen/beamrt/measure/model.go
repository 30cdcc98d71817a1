package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/surge-ndp/surge/codegen/beamrt"
	"github.com/surge-ndp/surge/codegen/cluster"
	"github.com/surge-ndp/surge/training/blockwise"
)

// sized is a kernel with the elements that are measured, those of a large input, and the size of its blocks.
type sized struct {
	kernel       *cluster.Kernel
	what         string
	n, block     int
	many, larger int // of the table: elements, and the size of blocks
}

// The inputs of docs/measurements/cluster.md.
var measured = []sized{
	{spmv, "SpMV, 16 nonzeros a row, a vector of 8 MB", 1 << 22, 1 << 17, 40_000_000, 1 << 17},
	{kmeans, "k-means, 32 dimensions, 16 centroids", 1 << 22, 1 << 17, 10_000_000, 1 << 17},
	{histogram, "histogram of 4096 bins", 1 << 28, 1 << 23, 1_000_000_000, 1 << 23},
}

// model writes what a pipeline and a block take, and for each kernel what the model says beside what was measured on
// 1, 2 and 4 worker processes of one thread each, and what it says for 1 to 1,000 workers.
func model(ctx context.Context, rounds int, dir, note string) error {
	pools := map[int][]string{}
	for _, n := range []int{1, 2, 4} {
		for len(pools[n]) < n {
			address, stop, err := pool("GOMAXPROCS=1")
			if err != nil {
				return err
			}
			defer stop()
			pools[n] = append(pools[n], address)
		}
	}
	fmt.Printf("# Beam, and the model of its cost\n\n%s, %s, %s/%s, %d processors. %s\n\n", time.Now().Format("2006-01-02"), runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), note)
	fmt.Printf("Made by `go run ./measure -measured model -rounds %d -dir DIR` in `codegen/beamrt`, with kernels that are cut by hand.\nWorkers are processes of this machine with one thread each, and Prism is in the process that starts them; times are\nthe least of %d.\n\n", rounds, rounds)
	if err := overheads(ctx, rounds, pools, dir); err != nil {
		return err
	}
	fmt.Printf("## Measured, and what the model says\n\nThe model is `cluster.Work.Estimate`, of the time that one thread takes for the whole input without Beam, which\nis measured in turn with the others, and of the constants of `training/blockwise/estimate.go`; at most %d workers have a\nprocessor, as the machine has no more. Beyond one worker the model says\ntoo little, most of all where much is broadcast. Why was not profiled; that values are sent anew with bundles of blocks,\nand that the scheduler of Prism needs a processor too, are guesses.\n\n", runtime.NumCPU())
	fmt.Printf("| kernel | elements | blocks | one thread, no Beam | workers | measured | model | measured / model |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n")
	works := make([]cluster.Work, len(measured))
	for i, m := range measured {
		var err error
		if works[i], err = beside(ctx, m, rounds, pools, dir); err != nil {
			return err
		}
	}
	table(works)
	return nil
}

// overheads measures pipelines of blocks that are next to nothing.
func overheads(ctx context.Context, rounds int, pools map[int][]string, dir string) error {
	fmt.Printf("## What Prism takes\n\n| blocks of one element | workers | measured | for one more block |\n| --- | --- | --- | --- |\n")
	for _, workers := range []int{1, 2} {
		first := 0.0
		for _, blocks := range []int{1, 20, 200, 600} {
			in := beamrt.Inputs{{Value: make([]int32, blocks)}, {Value: bins / 64}}
			took, err := least(ctx, rounds, beamrt.Options{Kernel: histogram, Inputs: in, BlockSize: 1, Pools: pools[workers], Temp: dir})
			if err != nil {
				return err
			}
			more := ""
			if blocks == 1 {
				first = took
			} else {
				more = fmt.Sprintf("%.1f ms", 1e3*(took-first)/float64(blocks-1))
			}
			fmt.Printf("| %d | %d | %.2f s | %s |\n", blocks, workers, took, more)
		}
	}
	fmt.Println()
	return nil
}

// least runs a kernel some times and returns the least time, in seconds.
func least(ctx context.Context, rounds int, o beamrt.Options) (float64, error) {
	best := 0.0
	for i := range rounds {
		began := time.Now()
		if _, err := beamrt.Run(ctx, o); err != nil {
			return 0, err
		}
		for _, pattern := range o.Out {
			os.RemoveAll(filepath.Dir(pattern))
		}
		if took := time.Since(began).Seconds(); i == 0 || took < best {
			best = took
		}
	}
	return best, nil
}

// beside prints what was measured beside what the model says.
func beside(ctx context.Context, m sized, rounds int, pools map[int][]string, dir string) (cluster.Work, error) {
	in, err := inputs(m.kernel, m.n, dir)
	if err != nil {
		return cluster.Work{}, err
	}
	o := beamrt.Options{Kernel: m.kernel, Inputs: in, BlockSize: m.block, Temp: dir}
	plan, err := beamrt.Dry(ctx, o)
	if err != nil {
		return cluster.Work{}, err
	}
	work := plan.Work
	if m.kernel == spmv {
		o.Out = map[string]string{"y": filepath.Join(dir, "results", "*.npy")}
	}
	took := map[int]float64{} // by the number of workers, 0 for the kernel without Beam
	for range rounds {
		for _, workers := range []int{0, 1, 2, 4} {
			var seconds float64
			if o.Pools = pools[workers]; workers == 0 {
				seconds, err = alone(ctx, o)
			} else {
				seconds, err = least(ctx, 1, o)
			}
			if err != nil {
				return work, err
			}
			if took[workers] == 0 || seconds < took[workers] {
				took[workers] = seconds
			}
		}
	}
	work.PerElement = took[0] / float64(work.Elements)
	for _, workers := range []int{1, 2, 4} {
		machines := blockwise.Machines(workers, 0)
		machines.AtOnce, machines.Disk = runtime.NumCPU(), math.Inf(1) // reading is in the rate
		e := work.Estimate(machines, m.block)
		fmt.Printf("| %s | %d | %d | %.2f s | %d | %.2f s | %.2f s | %.2f |\n", m.what, m.n, e.Blocks, took[0], workers, took[workers], e.Seconds, took[workers]/e.Seconds)
	}
	return work, nil
}

// alone runs a kernel on one thread without Beam and returns how many seconds it took.
func alone(ctx context.Context, o beamrt.Options) (float64, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	src, err := o.Inputs.Source(o.Kernel)
	if err != nil {
		return 0, err
	}
	began := time.Now()
	_, err = cluster.Run(ctx, o.Kernel, src, o.BlockSize)
	return time.Since(began).Seconds(), err
}

// table prints estimates for large inputs on many workers.
func table(works []cluster.Work) {
	fmt.Printf("\n## 1 to 1,000 workers, on paper\n\nNothing here was measured but the rate of one thread: each worker is one like it with a network of %.3g GB/s, and the\nengine hands out blocks as Prism does. \"Best\" is the size of blocks that the model chooses, of at most 32 MiB.\n", blockwise.Machines(1, 0).Network/1e9)
	for i, m := range measured {
		w := works[i]
		grow := float64(m.many) / float64(w.Elements)
		w.Elements, w.Read, w.Kept = m.many, int64(float64(w.Read)*grow), int64(float64(w.Kept)*grow)
		fmt.Printf("\n%s: %d elements, %.3g GB in shards, %.3g µs an element.\n\n", m.what, m.many, float64(w.Read)/1e9, 1e6*w.PerElement)
		fmt.Printf("| workers | blocks | sent | shuffled | combined at the end | blocks | sending | combining | in all | speedup | best block, blocks, in all |\n|%s\n", strings.Repeat(" --- |", 11))
		one := 0.0
		for _, workers := range []int{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000} {
			machines := blockwise.Machines(workers, 0)
			machines.Disk = math.Inf(1) // reading is in the rate
			e := w.Estimate(machines, m.larger)
			if workers == 1 {
				one = e.Seconds
			}
			best := w.Estimate(machines, w.BlockSize(machines, 32<<20))
			fmt.Printf("| %d | %d | %.3g MB | %.3g MB | %.3g MB | %.3g s | %.3g s | %.3g s | %.3g s | %.3g | %d, %d, %.3g s |\n", workers, e.Blocks, float64(e.Sent)/1e6, float64(e.Shuffled)/1e6,
				float64(e.Combined)/1e6, e.Blocked, e.Send, e.Combine, e.Seconds, one/e.Seconds, best.BlockSize, best.Blocks, best.Seconds)
		}
	}
}
