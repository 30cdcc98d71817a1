package blockwise

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/surge-ndp/surge/codegen/cluster"
)

// What Prism takes on one machine, as docs/measurements/cluster.md has it, and a network of 10 Gbit/s, which nobody
// has measured. Other engines are taken for the same.
const (
	pipelineSeconds = 0.1
	blockSeconds    = 0.0002
	scheduleSeconds = 0.0001
	networkRate     = 1.25e9
	diskRate        = 1e9
	mergeRate       = 1e9
	// usualRate is at which a kernel is thought to read its input, where that may not be measured.
	usualRate = 100e6
	// mostBlock bounds the bytes of a block whose size is chosen: a worker has up to eight of them at once.
	mostBlock = 32 << 20
	// DefaultFanIn is of how many blocks partials are combined at first, if that is not said.
	DefaultFanIn = 16
)

// Machines are so many workers like this one, with what Prism takes besides; partials are combined of fanIn blocks at
// first, 0 for [DefaultFanIn].
func Machines(workers, fanIn int) cluster.Machines {
	if fanIn < 1 {
		fanIn = DefaultFanIn
	}
	return cluster.Machines{Workers: max(workers, 1), FanIn: fanIn, Network: networkRate, Disk: diskRate, Merge: mergeRate,
		Pipeline: pipelineSeconds, Block: blockSeconds, Schedule: scheduleSeconds}
}

// begin returns the inputs, and the whole values behind the first step.
func (r Run) begin(ctx context.Context) (src cluster.Source, wholes []cluster.Value, err error) {
	k := r.Kernel
	if err := k.Check(); err != nil {
		return nil, nil, err
	}
	if src, err = r.Inputs.Complete(k).Source(k); err != nil {
		return nil, nil, err
	}
	if wholes, err = k.Begin(ctx, src); err != nil {
		return nil, nil, err
	}
	return src, wholes, k.Once(ctx, 0, wholes)
}

// work finds out what a run takes: lengths, and, of the first elements, how long the kernel takes and what they yield.
// Rounds says that the results depend on the size of blocks, as floats are combined.
func (r Run) work(ctx context.Context, src cluster.Source, wholes []cluster.Value) (w cluster.Work, rounds bool, err error) {
	k, in := r.Kernel, r.Inputs.Complete(r.Kernel)
	blocks, err := k.Blocks(wholes, 1<<62)
	if err != nil {
		return w, false, err
	}
	w.Elements = blocks[0].Count
	for i, p := range k.Params {
		switch {
		case !p.Cut:
			w.Broadcast += int64(cluster.Size(wholes[i]))
		case in[i].Shards == "": // workers cut it, which get it whole
			w.Broadcast += int64(cluster.Size(in[i].Value))
		}
	}
	for i, stage := range k.Stages {
		if stage.Block == nil {
			continue
		}
		w.Steps++
		read, err := reads(ctx, k, src, i)
		if err != nil {
			return w, false, err
		}
		w.Read += read
		if len(stage.Partials) > 0 {
			w.Turns++
		}
		if sort := stage.Sort; sort != nil { // keys, what moves with them, and where they were
			w.Steps += 2
			w.Moved += int64(w.Elements) * 8 * int64(len(sort.Slots())+1)
		}
	}
	if slices.ContainsFunc(k.Results, func(r cluster.Result) bool { return r.Block }) {
		w.Steps++
	}
	if k.Stages[0].Block == nil || w.Elements == 0 {
		return w, false, nil
	}
	if err = sample(ctx, k, src, wholes, &w, &rounds); r.Interpreted || err != nil {
		w.PerElement = float64(w.Read) / float64(w.Elements) / usualRate
	}
	return w, rounds, err
}

// reads returns how many bytes the blocks of a stage read.
func reads(ctx context.Context, k *cluster.Kernel, src cluster.Source, stage int) (read int64, err error) {
	for j, c := range k.Cuts {
		if !k.Needed(stage)(j) {
			continue
		}
		n, err := src.Len(ctx, c.Param)
		if err != nil {
			return 0, err
		}
		read += bytesOf(k, src, c.Param, n)
	}
	return read, nil
}

// sample runs the first stage on the first elements, of which it takes more until the kernel takes a while. Later
// stages are taken for as long.
func sample(ctx context.Context, k *cluster.Kernel, src cluster.Source, wholes []cluster.Value, w *cluster.Work, rounds *bool) error {
	stages := float64(max(w.Turns, 1))
	warm := false // the first run binds, and starts threads
	for n := 1; ; {
		at := cluster.Place{Count: n}
		parts, err := k.Load(ctx, src, 0, at, wholes, nil)
		if err != nil {
			return err
		}
		began := time.Now()
		yields, err := k.Each(ctx, 0, at, wholes, parts)
		if err != nil {
			return err
		}
		took := time.Since(began)
		bytes := cluster.Size(parts...)
		if !warm {
			warm = true
			continue
		}
		if took < 20*time.Millisecond && n < w.Elements && bytes < mostBlock {
			n = min(4*n, w.Elements)
			continue
		}
		k.Keep(1, parts)
		w.PerElement = took.Seconds() / float64(n) * stages
		ofAll := func(bytes int) int64 { return int64(float64(bytes) / float64(n) * float64(w.Elements)) }
		for i, y := range yields {
			p := k.Stages[0].Partials[i]
			if _, rank := cluster.TypeOf(y); !p.Listed || rank == 0 || k.Stages[0].Samples(i) {
				w.Partial += int64(float64(cluster.Size(y)) * stages)
				continue
			}
			w.Kept += ofAll(cluster.Size(y))
			if slices.ContainsFunc(k.Stages, func(s cluster.Stage) bool { return s.Block != nil && slices.Contains(s.Block.Wholes, p.Whole) }) {
				w.Broadcast += ofAll(cluster.Size(y))
			}
		}
		w.Kept += ofAll(cluster.Size(parts...))
		for _, y := range yields {
			if kind, _ := cluster.TypeOf(y); strings.HasPrefix(kind, "float") {
				*rounds = true
			}
		}
		return nil
	}
}

// Measure fills in how many elements there are, of how many bytes, and so how many of them a block of a request has.
func (r Run) Measure(ctx context.Context, q *cluster.Request, a *cluster.Answer) error {
	k := r.Kernel
	src, wholes, err := r.begin(ctx)
	if err != nil {
		return err
	}
	a.Length, a.Stages = wholes[k.Length].(int), len(k.Stages)
	for i, p := range k.Params {
		if p.Cut {
			a.Cut += bytesOf(k, src, i, wholes[i].(int))
		} else {
			a.Broadcast += int64(cluster.Size(wholes[i]))
		}
	}
	switch {
	case q.Size > 0:
		a.Size = q.Size
	case q.Bytes == 0:
		w, rounds, err := r.work(ctx, src, wholes)
		if ctx.Err() != nil || r.Interpreted && err != nil {
			return err
		}
		rounds = rounds || err != nil // the run will say what it is, and where
		machines := Machines(q.Workers, r.FanIn)
		if q.Reproducible {
			machines, rounds = Machines(1, 0), true // whatever there is today
		}
		a.Size, a.Chosen = r.choose(w, rounds, machines)
	default:
		each := max(a.Cut/int64(max(a.Length, 1)), 1)
		a.Size = int(max(int64(q.Bytes)/each, 1))
	}
	a.Blocks = max(a.Length-1, 0)/a.Size + 1
	return nil
}

// choose returns the size of blocks for so many workers, and why. Where results depend on it, it does not depend on how
// fast this machine is today.
func (r Run) choose(w cluster.Work, rounds bool, m cluster.Machines) (size int, why string) {
	switch {
	case rounds:
		w.PerElement = float64(w.Read) / float64(max(w.Elements, 1)) / usualRate
		why = "whatever the kernel takes, as sums of floats depend on it"
	case r.Interpreted:
		why = "which a run does anew, as soon as it knows how long the kernel takes"
	default:
		why = "as the kernel takes that long here"
	}
	return w.BlockSize(m, mostBlock), fmt.Sprintf("chosen for %s, %s", plural(m.Workers, "worker"), why)
}
