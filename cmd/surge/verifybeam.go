package main

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/codegen/cluster"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/training"
	"github.com/surge-ndp/surge/training/input"
)

// verifiable refuses to verify what this program cannot read.
func verifiable(cmd *cobra.Command, shards []string, out map[string]string) error {
	for _, name := range slices.Concat(shards, slices.Collect(maps.Values(out))) {
		if input.Remote(name) || input.Columnar(name) {
			return usage(cmd, problem{Code: "usage", What: "--verify does not go with " + name, Why: "what is compared with plain Go is read here, from .npy files of this machine",
				Fix: "verify on such files, or leave out --verify"})
		}
	}
	return nil
}

// verifyBeam compares the results of a run on Beam with those of plain Go on this machine, which therefore needs memory
// for all of the input and all results, whatever the shards are for. Where they differ, what was written is removed,
// and failed says so.
func (a *app) verifyBeam(ctx context.Context, cut *codegen.Cut, request *cluster.Request, inputs []input.Value, results []cluster.Value, r *beamReport) (failed, err error) {
	args := make([]input.Value, len(inputs))
	for i, v := range inputs {
		if args[i] = v; request.Shards[i] == "" {
			continue
		}
		if args[i], err = wholeShards(ctx, request.Shards[i], cut.Plan.Params[i].Var.T.String()); err != nil {
			return nil, err
		}
	}
	got := make([]input.Value, len(r.Results))
	for i, q := range r.Results {
		if q.File == "" {
			got[i], err = training.InputValue(results[i])
		} else {
			got[i], err = wholeShards(ctx, q.File, q.Type)
		}
		if err != nil {
			return nil, err
		}
	}
	session, err := training.Open(ctx, a.dir, training.Options{CacheDir: a.cache, NoSIMD: a.noSIMD, Platforms: []string{selector.Host}, Kernel: request.Kernel, Progress: a.progress})
	if err != nil {
		return nil, err
	}
	defer session.Close()
	bound, err := session.Bind(ctx, request.Kernel, args, training.BindOptions{})
	if err != nil {
		return nil, err
	}
	compared, err := bound.Compare(ctx, got)
	if err != nil {
		return nil, err
	}
	wrong := false
	for i := range compared {
		r.Results[i].Compared = &compared[i]
		wrong = wrong || !compared[i].OK
	}
	if !wrong {
		return nil, nil
	}
	for i := range r.Results {
		if file := r.Results[i].File; file != "" {
			shards, _ := filepath.Glob(file)
			for _, shard := range shards {
				os.Remove(shard)
			}
			r.Results[i].File, r.Results[i].Checksum = "", checksum(got[i])
		}
	}
	return problem{Code: "wrong", What: "the results of " + request.Kernel + " in blocks differ from those of plain Go by more than the tolerance",
		Why: "blocks combine floats in another order, which differs by rounding, not by this much, unless the operator is not associative",
		Fix: "if the operators of the kernel are associative, " + a.reportIt()}, nil
}

// wholeShards reads all shards of an array, or a file that is one, as a value of a type.
func wholeShards(ctx context.Context, pattern, text string) (input.Value, error) {
	t, err := input.ParseType(text)
	if err != nil {
		return input.Value{}, err
	}
	if t.Rank == 0 { // one file
		one := &input.Kernel{Params: []input.Parameter{{Name: "x", Type: t}}}
		args, _, err := input.NewSet(input.Options{}).Bind(ctx, one, []input.Entry{{Name: "x", Value: pattern}}, nil)
		if err != nil {
			return input.Value{}, err
		}
		return args[0].Value, nil
	}
	all, err := input.OpenShards(pattern)
	if err != nil {
		return input.Value{}, err
	}
	shards, err := all.As(t)
	if err != nil {
		return input.Value{}, err
	}
	n := shards.Len(t.Rank)
	if t.Rank == 1 {
		data, err := shards.Read(ctx, 0, n)
		return input.Value{Kind: t.Kind, Dims: []int{n}, Data: data}, err
	}
	data, err := shards.Read(ctx, 0, n*shards.Columns())
	return input.Value{Kind: t.Kind, Dims: []int{n, shards.Columns()}, Data: data}, err
}
