package main

import (
	"context"
	"fmt"
	"maps"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/codegen/cluster"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/training"
	"github.com/surge-ndp/surge/training/input"
)

// targetBeam is the value of --target that adds the level of a cluster.
const targetBeam = "beam"

// beamFlags are the flags of surge run for --target beam.
type beamFlags struct {
	target, runner, block, blockBytes, temp, program string
	fanIn, workers                                   int
	dry, reproducible                                bool
	flags                                            []string
}

func (f *beamFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.target, "target", "", "run block by block on a cluster: `beam` for Apache Beam")
	flags.StringVar(&f.runner, "runner", "prism", "with --target beam, the `RUNNER`: prism, flink, spark, universal, dataflow")
	flags.StringVar(&f.block, "block", "", "with --target beam, `N` elements of the outermost level in a block")
	flags.StringVar(&f.blockBytes, "block-bytes", "", "with --target beam and without --block, about `N` bytes in a block (default what suits --workers)")
	flags.IntVar(&f.workers, "workers", 0, "with --target beam, the `N` workers that there are: for the size of blocks, and what --dry-run estimates (default 1)")
	flags.IntVar(&f.fanIn, "fan-in", 0, "with --target beam, combine the partial results of `N` blocks at first (default 16)")
	flags.StringVar(&f.temp, "temp", "", "with --target beam, a `FOLDER` that all workers can write to (default that of the system)")
	flags.StringVar(&f.program, "program", "", "with --target beam, write the program that workers run to `FILE`, and run nothing")
	flags.BoolVar(&f.dry, "dry-run", false, "with --target beam, print the plan and what it would send, and run nothing")
	flags.BoolVar(&f.reproducible, "reproducible", false, "with --target beam, the same bits whatever workers there are: each sum in the order of the source")
	flags.StringArrayVar(&f.flags, "beam", nil, "with --target beam, a `FLAG=VALUE` of Beam, such as endpoint=host:8099")
}

// reachable refuses a runner whose job service does not answer, before anything is built.
func (f *beamFlags) reachable(cmd *cobra.Command) error {
	const is = "endpoint="
	at := slices.IndexFunc(f.flags, func(flag string) bool { return strings.HasPrefix(strings.TrimLeft(flag, "-"), is) })
	if at < 0 {
		return usage(cmd, problem{Code: "usage", What: "--runner " + f.runner + " needs the address of its job service", Fix: "add --beam " + is + "HOST:PORT"})
	}
	address := strings.TrimPrefix(strings.TrimLeft(f.flags[at], "-"), is)
	c, err := net.DialTimeout("tcp", address, 10*time.Second)
	if err != nil {
		return problem{Code: "cluster", What: "the job service of " + f.runner + " cannot be reached: " + err.Error(), Fix: "start it, or correct the address in --beam " + is + address}
	}
	return c.Close()
}

// onlyBeam refuses flags that mean nothing without --target.
func onlyBeam(cmd *cobra.Command) error {
	for _, flag := range []string{"runner", "block", "block-bytes", "workers", "fan-in", "temp", "program", "dry-run", "reproducible", "beam"} {
		if cmd.Flags().Changed(flag) {
			return usage(cmd, problem{Code: "usage", What: "--" + flag + " is for runs on a cluster", Fix: "add --target " + targetBeam})
		}
	}
	return nil
}

// onWorkers are the platforms that workers have code for: the host's, and the one that is named.
func (a *app) onWorkers(cmd *cobra.Command, reproducible bool) ([]string, error) {
	switch {
	case a.platform == platformAuto || a.platform == selector.Host:
		return []string{selector.Host}, nil
	case a.platform == platformAll:
		return nil, usage(cmd, problem{Code: "usage", What: "--platform " + a.platform + " does not go with --target " + targetBeam,
			Why: "all workers take the same platform", Fix: "name one, or leave out --platform"})
	case reproducible:
		return nil, usage(cmd, problem{Code: "usage", What: "--reproducible does not go with --platform " + a.platform,
			Why: "the order of the source is known of goroutines alone", Fix: "leave one of them out"})
	}
	return []string{selector.Host, a.platform}, nil
}

// runBeam runs a kernel on Apache Beam.
func (a *app) runBeam(ctx context.Context, cmd *cobra.Command, cfg *kernelConfig, f *runFlags) error {
	if f.beam.target != targetBeam {
		return usage(cmd, unknown("target", "target", f.beam.target, []string{targetBeam}))
	}
	for _, flag := range []string{"variant", "repeat", "explain", "plain", "threads", "unchecked"} {
		if cmd.Flags().Changed(flag) {
			return usage(cmd, problem{Code: "usage", What: "--" + flag + " does not go with --target " + targetBeam,
				Why: "workers choose for themselves, and nothing is compared or timed run by run", Fix: "leave one of them out"})
		}
	}
	platforms, err := a.onWorkers(cmd, f.beam.reproducible)
	if err != nil {
		return err
	}
	address, ok := cluster.Runners[f.beam.runner]
	if !ok {
		return usage(cmd, unknown("runner", "runner", f.beam.runner, slices.Sorted(maps.Keys(cluster.Runners))))
	}
	if address && !f.beam.dry && f.beam.program == "" {
		if err := f.beam.reachable(cmd); err != nil {
			return err
		}
	}
	if f.verify && f.beam.dry {
		return usage(cmd, problem{Code: "usage", What: "--verify does not go with --dry-run", Why: "nothing is run that could be compared", Fix: "leave one of them out"})
	}
	outs, err := split(cmd, "out", f.out, "result=y/*.npy")
	if err != nil {
		return err
	}
	_, model, models, err := a.modelFile(f.model)
	if err != nil {
		return err
	}
	opt := training.Options{CacheDir: a.cache, NoSIMD: a.noSIMD, Progress: a.progress, Platforms: platforms, Model: string(model)}
	prog, cut, err := training.BeamPlan(ctx, a.dir, f.kernel, models, opt)
	if err != nil {
		return err
	}
	if f.beam.program != "" {
		return a.writeProgram(ctx, cmd, f, prog, cut, opt)
	}
	request := cluster.Request{Kernel: cut.Kernel.Source.Name, FanIn: f.beam.fanIn, Workers: f.beam.workers, Runner: f.beam.runner, DryRun: f.beam.dry, Reproducible: f.beam.reproducible, Temp: f.beam.temp, Model: string(model), Out: map[string]string{}}
	if len(platforms) > 1 {
		request.Platform = platforms[1]
	}
	if request.Size, err = number(cmd, "block", f.beam.block); err != nil {
		return err
	}
	if request.Bytes, err = number(cmd, "block-bytes", f.beam.blockBytes); err != nil {
		return err
	}
	if f.beam.workers < 0 || cmd.Flags().Changed("workers") && f.beam.workers == 0 {
		return usage(cmd, problem{Code: "usage", What: fmt.Sprintf("--workers %d: want at least 1", f.beam.workers)})
	}
	if f.beam.fanIn < 0 || cmd.Flags().Changed("fan-in") && f.beam.fanIn == 0 {
		return usage(cmd, problem{Code: "usage", What: fmt.Sprintf("--fan-in %d: want at least 1", f.beam.fanIn)})
	}
	var named []string
	for i := range cut.Plan.Results {
		named = append(named, cut.Kernel.ResultName(i))
	}
	for _, o := range outs {
		at := slices.Index(named, o.Name)
		if at < 0 {
			return unknown("result", "result", o.Name, named)
		}
		q := cut.Plan.Results[at]
		if err := (cluster.Result{Name: o.Name, Rank: q.Type.Rank, Block: q.Block}).Fits(o.Value); err != nil {
			return usage(cmd, problem{Code: "usage", What: "--out: " + err.Error(), Fix: "for example --out " + o.Name + "=y/*.npy"})
		}
		if there, err := filepath.Glob(o.Value); err == nil && len(there) > 0 && !input.Remote(o.Value) {
			return problem{Code: "exists", What: cluster.There(there), Why: "results of a run do not take the place of others", Fix: "remove what another run has left, or name another place with --out"}
		}
		request.Out[o.Name] = o.Value
	}
	r := &beamReport{Kernel: request.Kernel}
	for _, one := range cut.Plan.Alone {
		r.Alone = append(r.Alone, aloneReport{one.Pos.String(), one.Why})
	}
	values, err := a.beamInputs(ctx, cmd, cfg, &f.dataFlags, cut, &request, r)
	if err != nil {
		return err
	}
	if f.verify {
		if err := verifiable(cmd, request.Shards, request.Out); err != nil {
			return err
		}
	}
	imports, err := imported(slices.Concat(request.Shards, slices.Collect(maps.Values(request.Out)), []string{request.Temp}))
	if err != nil {
		return err
	}
	answer, results, err := a.onBeam(ctx, prog, cut, request, values, f.beam.flags, opt, imports)
	if err != nil {
		return err
	}
	r.Elements, r.Block, r.Blocks, r.Stages, r.Sent, r.Read, r.Counters = answer.Length, answer.Size, answer.Blocks, answer.Stages, answer.Broadcast, answer.Cut, answer.Counters
	if r.Variants, err = variantReports(answer.Variants); err != nil {
		return err
	}
	r.Selectors = answer.Selectors
	for _, e := range answer.Estimates {
		r.Estimate = append(r.Estimate, estimateReport{e.Workers, e.Sent, e.Shuffled, e.Combined, e.Send, e.Blocked, e.Combine, e.Seconds})
	}
	if r.Plan, r.Chosen = answer.Plan, answer.Chosen; !f.beam.dry {
		r.WallNS = int64(answer.Wall)
		if err := r.results(cut, results, request.Out); err != nil {
			return err
		}
	}
	var failed error
	if f.verify {
		if failed, err = a.verifyBeam(ctx, cut, &request, values, results, r); err != nil {
			return err
		}
	}
	if a.json {
		if err := a.printJSON(r); err != nil {
			return err
		}
		return failed
	}
	a.printBeam(r)
	return failed
}

// onBeam has a program carry out a request. A dry run makes do without one that would have to be built, if it can.
func (a *app) onBeam(ctx context.Context, prog *codegen.Program, cut *codegen.Cut, request cluster.Request, values []input.Value, flags []string, opt training.Options, imports []string) (*cluster.Answer, []cluster.Value, error) {
	var b *training.Beam
	var err error
	if request.DryRun {
		if b, err = training.FindBeam(ctx, a.dir, cut, opt, imports...); err != nil {
			return nil, nil, err
		}
		if b == nil {
			if answer, err := training.PlanBeam(ctx, cut, request, values); answer != nil || err != nil {
				return answer, nil, err
			}
		}
	}
	if b == nil {
		if b, err = training.OpenBeam(ctx, a.dir, prog, cut, opt, imports...); err != nil {
			return nil, nil, err
		}
	}
	defer b.Close()
	var all []string
	for _, text := range flags {
		all = append(all, "--"+strings.TrimLeft(text, "-"))
	}
	return b.Run(ctx, request, values, all)
}

// number reads a flag that is an expression of numbers, 0 where it is not given.
func number(cmd *cobra.Command, flag, text string) (int, error) {
	if text == "" {
		return 0, nil
	}
	t, err := input.ParseType("int")
	if err != nil {
		return 0, err
	}
	values, err := input.Bind([]input.Parameter{{Name: flag, Type: t, Expr: text}}, nil, input.Options{})
	if err != nil {
		return 0, usage(cmd, problem{Code: "usage", What: "--" + flag + ": " + err.Error(), Fix: "give a number, such as 100k or 32Mi"})
	}
	n := int(values[0].Float64(0))
	if n < 1 {
		return 0, usage(cmd, problem{Code: "usage", What: fmt.Sprintf("--%s %s: want at least 1", flag, text)})
	}
	return n, nil
}

// beamInputs says for each column of the kernel which shards hold it, or binds it to a value.
func (a *app) beamInputs(ctx context.Context, cmd *cobra.Command, cfg *kernelConfig, f *dataFlags, cut *codegen.Cut, request *cluster.Request, r *beamReport) ([]input.Value, error) {
	data, err := split(cmd, "data", f.data, "x='x/*.npy'")
	if err != nil {
		return nil, err
	}
	bind, err := split(cmd, "bind", f.bind, "tileSize=4096")
	if err != nil {
		return nil, err
	}
	data, bind = input.Merge(cfg.Data, data), input.Merge(cfg.Bind, bind)
	columns := cut.Columns()
	bound := len(columns) - cut.Hidden()
	request.Shards = make([]string, bound)
	k := &input.Kernel{Name: cut.Kernel.Source.Name, Partial: true}
	var at []int // of the parameters of k
	for i, name := range columns {
		p := cut.Plan.Params[i]
		column := columnReport{Name: name, Type: p.Var.T.String(), Is: "to every worker", Why: p.Why}
		if p.Cut {
			column.Is = "cut"
		}
		if i >= bound {
			column.Source = "as the package has it" // the program that starts the run knows it
			r.Columns = append(r.Columns, column)
			continue
		}
		t, err := input.ParseType(p.Var.T.String())
		if err != nil {
			return nil, err
		}
		if d := slices.IndexFunc(data, func(e input.Entry) bool { return e.Name == name && input.AreShards(e.Value) }); d >= 0 {
			request.Shards[i], column.Source = data[d].Value, data[d].Value
			// Before anything is built: what is wrong with the files shows at once.
			if err := checkShards(request.Shards[i], t); err != nil {
				return nil, err
			}
			data = slices.Delete(data, d, d+1)
		} else {
			k.Params, at = append(k.Params, input.Parameter{Name: name, Type: t}), append(at, i)
		}
		r.Columns = append(r.Columns, column)
	}
	args, _, err := input.NewSet(input.Options{Cache: a.inputCache()}).Bind(ctx, k, data, bind)
	if err != nil {
		return nil, err
	}
	values := make([]input.Value, bound)
	for n, arg := range args {
		values[at[n]] = arg.Value
		r.Columns[at[n]].Source = arg.Expr + ", " + arg.Value.String()
	}
	return values, nil
}

// checkShards says what is wrong with shards, as far as this program, which has neither Beam nor Arrow, can tell.
func checkShards(pattern string, t input.Type) error {
	switch {
	case input.Remote(pattern):
		return nil
	case input.Columnar(pattern):
		_, err := input.ListShards(pattern)
		return err
	}
	all, err := input.OpenShards(pattern)
	if err == nil {
		_, err = all.As(t)
	}
	return err
}
