package blockwise

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/surge-ndp/surge/codegen/cluster"
	"github.com/surge-ndp/surge/training/input"
)

// Input says where a parameter's value comes from: a pattern of .npy files that every worker can read, or a value that
// goes to every worker.
type Input struct {
	Shards string
	Value  cluster.Value
}

// Inputs are those of all parameters, in order. Behind them the package-level variables that a kernel reads are
// parameters, too, which need not be given: they have the values that they have where the run is started.
type Inputs []Input

// Complete adds the values of package-level variables that the kernel reads, if they are not there.
func (in Inputs) Complete(k *cluster.Kernel) Inputs {
	if k.Hidden == nil || len(in) == len(k.Params) {
		return in
	}
	return slices.Concat(in, Values(k.Hidden()))
}

// Source opens inputs for a kernel. Values of whole parameters in shards are read once.
func (in Inputs) Source(k *cluster.Kernel) (cluster.Source, error) { return in.Open(k, false) }

// Open opens inputs; sent says that those of whole parameters that are no shards go to workers in another way.
func (in Inputs) Open(k *cluster.Kernel, sent bool) (cluster.Source, error) {
	if len(in) != len(k.Params) {
		return nil, fmt.Errorf("%s: %d inputs for %d parameters", k.Name, len(in), len(k.Params))
	}
	s := &source{kernel: k, shards: make([]*input.Shards, len(in)), values: make(cluster.Slices, len(in)), whole: make([]func() (any, error), len(in))}
	for i, p := range k.Params {
		s.values[i] = in[i].Value
		if in[i].Shards == "" {
			if in[i].Value == nil && (p.Cut || !sent) {
				return nil, fmt.Errorf("%s: there is no value for %s", k.Name, p.Name)
			}
			continue
		}
		kind, err := input.ParseKind(p.Kind)
		if err != nil {
			return nil, err
		}
		all, err := input.OpenShards(in[i].Shards)
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", k.Name, p.Name, err)
		}
		if s.shards[i], err = all.As(input.Type{Kind: kind, Rank: p.Rank}); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", k.Name, p.Name, err)
		}
		if !p.Cut {
			s.whole[i] = sync.OnceValues(func() (any, error) { return s.read(context.Background(), i, 0, s.shards[i].Len(p.Rank)) })
		}
	}
	return s, nil
}

// source implements [cluster.Source].
type source struct {
	kernel *cluster.Kernel
	shards []*input.Shards // nil for values
	values cluster.Slices
	whole  []func() (any, error) // reads a whole parameter
}

// Len implements [cluster.Source].
func (s *source) Len(ctx context.Context, param int) (int, error) {
	if s.shards[param] != nil {
		return s.shards[param].Len(s.kernel.Params[param].Rank), nil
	}
	return s.values.Len(ctx, param)
}

// Read implements [cluster.Source].
func (s *source) Read(ctx context.Context, param, lo, hi int) (cluster.Value, error) {
	switch {
	case s.shards[param] == nil:
		return s.values.Read(ctx, param, lo, hi)
	case s.whole[param] != nil:
		return s.whole[param]()
	}
	return s.read(ctx, param, lo, hi)
}

func (s *source) read(ctx context.Context, param, lo, hi int) (any, error) {
	if s.kernel.Params[param].Rank < 2 {
		return s.shards[param].Read(ctx, lo, hi)
	}
	d := s.shards[param].Columns()
	data, err := s.shards[param].Read(ctx, lo*d, hi*d)
	offsets := make([]int, hi-lo+1)
	for i := range offsets {
		offsets[i] = i * d
	}
	return cluster.Rows{Data: data, Offsets: offsets}, err
}

// Values are inputs that are values: what the generated function BlocksKERNEL returns.
func Values(values cluster.Slices) Inputs {
	in := make(Inputs, len(values))
	for i, v := range slices.All(values) {
		in[i].Value = v
	}
	return in
}
