package training

import (
	"context"
	"errors"
	"reflect"
	"slices"

	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/codegen/cluster"
	"github.com/surge-ndp/surge/ops/cut"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/eval"
	"github.com/surge-ndp/surge/training/blockwise"
	"github.com/surge-ndp/surge/training/input"
)

// What is interpreted for a plan is bounded, so that a plan takes a second at most: the statements of a step, and the
// elements of its arguments.
const (
	planSteps    = 2_000_000
	planElements = 2_000_000
)

// errTooLong says that a plan is not made by interpretation, which would take too long.
var errTooLong = errors.New("the steps that run once are too much to be interpreted")

// PlanBeam says what a request would run, and about how long, without a program that could run it: the steps of the
// kernel are interpreted. The answer is nil if it takes a program to know: as that would take too long, shards are
// opened by Beam or Arrow, or the kernel reads package-level variables or fails.
func PlanBeam(ctx context.Context, c *codegen.Cut, r cluster.Request, inputs []input.Value) (*cluster.Answer, error) {
	in := make(blockwise.Inputs, len(r.Shards))
	for i, shards := range r.Shards {
		if input.Remote(shards) || input.Columnar(shards) {
			return nil, nil
		}
		if in[i].Shards = shards; shards == "" {
			in[i].Value = clusterValue(inputs[i])
		}
	}
	if c.Hidden() > 0 {
		return nil, nil
	}
	run := blockwise.Run{Kernel: interpreted(c), Inputs: in, FanIn: r.FanIn, Interpreted: true}
	a := &cluster.Answer{}
	err := run.Measure(ctx, &r, a)
	if err == nil {
		err = run.Dry(ctx, &r, a)
	}
	switch {
	case errors.Is(err, errTooLong), errors.As(err, new(*eval.CheckError)): // a program says best what it is
		return nil, nil
	case err != nil:
		bad := said(r.Kernel, err.Error())
		bad.Err = err
		return nil, bad
	}
	return a, nil
}

// interpreted is the kernel of a cut whose steps the interpreter of the IR runs.
func interpreted(c *codegen.Cut) *cluster.Kernel {
	p := c.Plan
	k := &cluster.Kernel{Name: c.Kernel.Source.Name, Length: p.Length, Wholes: p.Wholes, Parts: p.Parts}
	for _, q := range p.Params {
		k.Params = append(k.Params, cluster.Param{Name: q.Var.Name, Kind: q.Var.T.Kind.String(), Rank: q.Var.T.Rank, Cut: q.Cut, Offsets: q.Offsets})
	}
	term := func(t cut.Term) cluster.Term { return cluster.Term{Slot: t.Slot, Const: t.Const} }
	for _, x := range p.Cuts {
		k.Cuts = append(k.Cuts, cluster.Cut{Param: x.Param, By: x.By, From: x.From, To: x.To, Times: term(x.Times), Lo: term(x.Lo), Hi: term(x.Hi)})
	}
	known := map[int]any{} // whole values, which stay as they are, by place
	for _, s := range p.Stages {
		stage := cluster.Stage{Whole: interpretedStep(s.Whole, known, false), Block: interpretedStep(s.Block, known, true)}
		for _, q := range s.Partials {
			stage.Partials = append(stage.Partials, cluster.Partial{Whole: q.Whole, Listed: q.Listed})
		}
		if s.Combine != nil {
			stage.Combine = func(_ context.Context, earlier, later []cluster.Value) ([]cluster.Value, error) {
				return interpret(s.Combine, nil, slices.Concat(earlier, later))
			}
		}
		if t := s.Sort; t != nil {
			stage.Sort = &cluster.Sort{Keys: t.Keys, From: t.From, Moved: t.Moved, Out: t.Out, Splitters: t.Splitters, Placed: t.Placed, Width: t.Width, Sparse: t.Sparse}
		}
		k.Stages = append(k.Stages, stage)
	}
	for i, r := range p.Results {
		k.Results = append(k.Results, cluster.Result{Name: c.Kernel.ResultName(i), Kind: r.Type.Kind.String(), Rank: r.Type.Rank, Block: r.Block, Slot: r.Slot})
	}
	return k
}

func interpretedStep(s *cut.Step, known map[int]any, block bool) *cluster.Step {
	if s == nil {
		return nil
	}
	run := func(_ context.Context, at cluster.Place, wholes, parts []cluster.Value) ([]cluster.Value, error) {
		var args []any
		if block {
			args = []any{eval.Int(at.First), eval.Int(at.Count), eval.Int(at.Block)}
		}
		room := planElements
		for i, v := range wholes {
			if known[s.Wholes[i]] == nil {
				known[s.Wholes[i]] = interpretedValue(v, &room)
			}
			args = append(args, known[s.Wholes[i]])
		}
		if room < 0 {
			return nil, errTooLong
		}
		return interpret(s.Func, args, parts)
	}
	return &cluster.Step{Wholes: s.Wholes, Parts: s.Parts, Out: s.Out, Run: run}
}

// interpret runs a function on arguments, of which the last ones are not yet as the interpreter has them.
func interpret(f *ir.Func, args []any, more []cluster.Value) ([]cluster.Value, error) {
	room := planElements
	for _, v := range more {
		args = append(args, interpretedValue(v, &room))
	}
	if room < 0 {
		return nil, errTooLong
	}
	results, err := eval.Run(f, args, eval.Options{Steps: planSteps})
	if errors.Is(err, eval.ErrSteps) {
		return nil, errTooLong
	} else if err != nil {
		return nil, err
	}
	out := make([]cluster.Value, len(results))
	for i, t := range f.Results() {
		out[i] = compiledValue(results[i], t)
	}
	return out, nil
}

// interpretedValue is a value as the interpreter has it. Of one with more elements than there is room for it returns
// something else.
func interpretedValue(v cluster.Value, room *int) any {
	if rows, ok := v.(cluster.Rows); ok {
		all := make([]any, cluster.Len(rows))
		for i := range all {
			all[i] = interpretedValue(cluster.Slice(rows.Data, rows.Offsets[i], rows.Offsets[i+1]), room)
		}
		return all
	}
	kind, rank := cluster.TypeOf(v)
	k, _ := ir.ParseKind(kind)
	number := func(x reflect.Value) any {
		switch {
		case x.Kind() == reflect.Bool:
			return ir.BoolConst(x.Bool())
		case x.CanFloat():
			return ir.FloatConst(k, x.Float())
		case x.CanUint():
			return ir.IntConst(k, int64(x.Uint()))
		}
		return ir.IntConst(k, x.Int())
	}
	x := reflect.ValueOf(v)
	if rank == 0 {
		return number(x)
	}
	if *room -= x.Len(); *room < 0 {
		return []any{}
	}
	all := make([]any, x.Len())
	for i := range all {
		all[i] = number(x.Index(i))
	}
	return all
}

// compiledValue is a value of the interpreter as compiled steps have it.
func compiledValue(v any, t ir.Type) cluster.Value {
	goType := cluster.ElementType(t.Kind.String())
	number := func(x any) reflect.Value {
		c, out := x.(ir.Const), reflect.New(goType).Elem()
		switch {
		case out.Kind() == reflect.Bool:
			out.SetBool(c.Bits != 0)
		case out.CanFloat():
			out.SetFloat(c.Float())
		case out.CanUint():
			out.SetUint(uint64(c.Int()))
		default:
			out.SetInt(c.Int())
		}
		return out
	}
	flat := func(all reflect.Value, xs []any) reflect.Value {
		for _, x := range xs {
			all = reflect.Append(all, number(x))
		}
		return all
	}
	none := reflect.MakeSlice(reflect.SliceOf(goType), 0, 0)
	switch t.Rank {
	case 0:
		return number(v).Interface()
	case 1:
		return flat(none, v.([]any)).Interface()
	}
	offsets := []int{0}
	for _, row := range v.([]any) {
		none = flat(none, row.([]any))
		offsets = append(offsets, none.Len())
	}
	return cluster.Rows{Data: none.Interface(), Offsets: offsets}
}
