package beamrt

import (
	"context"
	"fmt"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/surge-ndp/surge/codegen/cluster"
	"github.com/surge-ndp/surge/training/blockwise"
)

// Begin returns the collection of the state before any step: of blocks of so many elements.
func Begin(ctx context.Context, s beam.Scope, k *cluster.Kernel, in Inputs, blockSize int) (beam.PCollection, error) {
	state, err := begin(ctx, k, in, blockSize)
	if err != nil {
		return beam.PCollection{}, err
	}
	return beam.Create(s, state), nil
}

// begin makes the state before any step. Whole parameters in shards are left to the workers.
func begin(ctx context.Context, k *cluster.Kernel, in Inputs, blockSize int) (State, error) {
	in = in.Complete(k)
	if blockSize < 1 {
		return State{}, fmt.Errorf("%s: blocks of %d elements", k.Name, blockSize)
	}
	src, err := in.Source(k)
	if err != nil {
		return State{}, err
	}
	s := State{Wholes: make([]cluster.Value, k.Wholes), Inputs: in, Size: blockSize}
	for i, p := range k.Params {
		n, err := src.Len(ctx, i)
		if err != nil {
			return State{}, fmt.Errorf("%s: %s: %w", k.Name, p.Name, err)
		}
		if kind, rank := cluster.TypeOf(in[i].Value); in[i].Shards == "" && (kind != p.Kind || rank != p.Rank) {
			return State{}, fmt.Errorf("%s: %s: a %T is not of the parameter's type", k.Name, p.Name, in[i].Value)
		}
		if p.Cut {
			s.Wholes[i] = n
		} else if in[i].Shards == "" {
			s.Wholes[i] = in[i].Value
		}
	}
	s.Inputs = slices.Clone(in)
	for i, p := range k.Params {
		switch {
		case in[i].Shards != "": // workers may have other working directories
			if s.Inputs[i].Shards, err = absolute(in[i].Shards); err != nil {
				return State{}, err
			}
		case !p.Cut: // goes to workers as a whole value
			s.Inputs[i].Value = nil
		}
	}
	return s, nil
}

// Apply adds the steps of a registered kernel to a pipeline, from a collection of a [State]. It returns the collections
// of blocks and of the state behind the last step. Partials are combined of fanIn blocks at first, 0 for 16; results do
// not depend on it.
func Apply(s beam.Scope, k *cluster.Kernel, state beam.PCollection, fanIn int) (blocks, after beam.PCollection) {
	blocks, after, _ = apply(s, func() worker { return worker{Kernel: nameOf(k)} }, k, state, fanIn, 1, nil)
	return blocks, after
}

// apply deals out blocks to pools. With outputs what is written of each block is the last collection: the same worker
// writes it right behind the last step, so that results of blocks are never all on their way.
func apply(s beam.Scope, w func() worker, k *cluster.Kernel, state beam.PCollection, fanIn, pools int, out *Outputs) (blocks, after, written beam.PCollection) {
	s = s.Scope(k.Name)
	if fanIn < 1 {
		fanIn = blockwise.DefaultFanIn
	}
	for i, stage := range k.Stages {
		s := s.Scope(fmt.Sprintf("stage %d", i))
		if stage.Whole != nil {
			state = beam.ParDo(s, &onceFn{worker: w(), Stage: i}, state)
		}
		if i == 0 {
			blocks = beam.Reshuffle(s, beam.ParDo(s, &cutFn{w()}, state))
		}
		if stage.Block == nil {
			continue
		}
		last := stage.Sort == nil && !slices.ContainsFunc(k.Stages[i+1:], func(s cluster.Stage) bool { return s.Block != nil })
		all := deal(s, blocks, pools, func(s beam.Scope, blocks beam.PCollection) []beam.PCollection {
			side := beam.SideInput{Input: state}
			blocks, partials := beam.ParDo2(s, &eachFn{worker: w(), Stage: i, More: stage.Sort != nil || more(k, i+1)}, blocks, side)
			if !last || out == nil {
				return []beam.PCollection{blocks, partials}
			}
			return []beam.PCollection{blocks, partials, beam.ParDo(s, &writeFn{worker: w(), Out: *out}, blocks, side)}
		})
		blocks = all[0]
		if len(all) > 2 {
			written = all[2]
		}
		state = beam.ParDo(s, &finishFn{worker: w(), Stage: i}, state, beam.SideInput{Input: gather(s, w, i, fanIn, all[1])})
		if stage.Sort != nil {
			blocks = exchange(s, w, i, pools, blocks, state)
		}
	}
	if out != nil && !written.IsValid() { // no stage has blocks
		written = beam.ParDo(s, &writeFn{worker: w(), Out: *out}, blocks, beam.SideInput{Input: state})
	}
	return blocks, state, written
}

// more tells whether a stage from this one on, or a result, reads block values.
func more(k *cluster.Kernel, stage int) bool {
	return slices.ContainsFunc(k.Stages[stage:], func(s cluster.Stage) bool { return s.Block != nil }) ||
		slices.ContainsFunc(k.Results, func(r cluster.Result) bool { return r.Block })
}

// gather combines partials in two turns: those of some blocks next to each other, and then all.
func gather(s beam.Scope, w func() worker, stage, fanIn int, partials beam.PCollection) beam.PCollection {
	fn := &gatherFn{worker: w(), Stage: stage}
	some := beam.CombinePerKey(s, fn, beam.ParDo(s, &keyFn{fanIn}, partials))
	return beam.Combine(s, fn, beam.ParDo(s, &unkeyFn{}, some))
}

// Outputs says where results go.
type Outputs struct {
	Run   string // the run's own part of temporary names
	Sinks []Sink
}

// Sink is where a result goes.
type Sink struct {
	Result  int
	Pattern string // with a * for the number of the shard
	Coded   bool   // not .npy, but as [cluster.AppendValues] writes it
}

// Write adds to a pipeline what writes results. All files get their names at the end, if there is no error.
func Write(s beam.Scope, k *cluster.Kernel, blocks, state beam.PCollection, out Outputs) {
	s = s.Scope(k.Name + " results")
	commit(s, k, state, beam.ParDo(s, &writeFn{worker: worker{Kernel: nameOf(k)}, Out: out}, blocks, beam.SideInput{Input: state}), out)
}

// commit gives all files their names.
func commit(s beam.Scope, k *cluster.Kernel, state, written beam.PCollection, out Outputs) {
	beam.ParDo0(s, &commitFn{worker: worker{Kernel: nameOf(k)}, Out: out}, state, beam.SideInput{Input: written})
}
