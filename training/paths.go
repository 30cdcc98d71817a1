package training

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/selector/param"
	"github.com/surge-ndp/surge/training/fit"
)

// Thresholds need little: a time of one variant of each mapping on each input (incremental flattening, section 4.2). A
// path is what can be asked for to get to a mapping: a form, a schedule, what runs each level, and how many threads.
// Which variant that is, is what the rules without training take for it on that input, which is noted; the one
// that they take most often is timed on all of them, as a model has the same for all.

// pathRounds is how many turns a path gets on an input.
const pathRounds = 2

// pathOf is the part of a variant's text that is its path.
func pathOf(v selector.Variant) string {
	v.Policy = slices.DeleteFunc(slices.Clone(v.Policy), func(s selector.Setting) bool {
		return !param.ExecutionResource.Is(s) && !param.NumThreads.Is(s)
	})
	return v.String()
}

// paths lists the paths of a computation in the order of the space.
func (t *Trainer) paths(computation string) (all []string) {
	for _, v := range t.Variants {
		if v.Computation != computation || t.Threads > 0 && param.NumThreads.Or(v.Policy, 0, 1) > t.Threads {
			continue
		}
		if path := pathOf(v); !slices.Contains(all, path) {
			all = append(all, path)
		}
	}
	return all
}

// notePaths notes which variant is taken for each path on the bound arguments, as a line like r.
func (t *Trainer) notePaths(ctx context.Context, bound *Bound, r record) error {
	start := time.Now()
	line := r
	line.Paths = nil
	for _, path := range t.paths(r.Computation) {
		res, err := bound.Run(ctx, RunOptions{Variants: append(t.own(), path)})
		var wrong *exec.Error
		switch {
		case errors.As(err, &wrong): // it does not run here
			continue
		case err != nil:
			return err
		}
		for _, d := range res.Decisions {
			if d.Computation == r.Computation && pathOf(d.Variant) == path {
				line.Paths = append(line.Paths, d.Variant.String())
			}
		}
	}
	if len(line.Paths) == 0 {
		return &Error{Where: r.Name, Code: CodeTraining, What: fmt.Sprintf("no variant of %s runs on this input", r.Computation), Do: "run it with --verify to see more: surge run --verify"}
	}
	line.Took = float64(time.Since(start))
	return t.Store.put(line)
}

// own forces the kernel itself where there are other algorithms for it.
func (t *Trainer) own() []string {
	if len(t.Alternatives) > 0 {
		return []string{t.Kernel.Name}
	}
	return nil
}

// representatives returns the variants that are timed for the paths of a computation: for each the one that was noted
// for most of the inputs, of equals the one that was noted first.
func (t *Trainer) representatives(computation string, ids []string) (all []selector.Variant) {
	votes := map[string]int{}
	first := map[string][]string{} // the variants that were noted, by path
	var order []string
	for _, id := range ids {
		in := t.Store.find(t.Kernel.Hash, t.Device, computation, id)
		if in == nil {
			continue
		}
		for _, text := range in.Paths {
			v, err := selector.Parse(text)
			if err != nil || v.Computation != computation {
				continue
			}
			path := pathOf(v)
			if len(first[path]) == 0 {
				order = append(order, path)
			}
			if votes[text]++; votes[text] == 1 {
				first[path] = append(first[path], text)
			}
		}
	}
	for _, path := range order {
		best := slices.MaxFunc(first[path], func(a, b string) int { return cmp.Compare(votes[a], votes[b]) })
		if v, err := selector.Parse(best); err == nil {
			all = append(all, v)
		}
	}
	return all
}

// Representatives returns those of every computation of the kernel and of its other algorithms.
func (t *Trainer) Representatives(ids []string) map[string][]selector.Variant {
	all := map[string][]selector.Variant{}
	for _, a := range append([]*Trainer{t}, t.Alternatives...) {
		for _, c := range a.Kernel.Computations {
			all[c.Name] = a.representatives(c.Name, ids)
		}
	}
	return all
}

// MeasurePaths times the representatives, and what is chosen without a model, on an input for which paths were noted:
// unless that was done in an earlier run.
func (t *Trainer) MeasurePaths(ctx context.Context, c Case, id string, representatives map[string][]selector.Variant, progress func(TrainProgress)) error {
	for _, a := range append([]*Trainer{t}, t.Alternatives...) {
		before := a.Spent
		err := a.measurePaths(ctx, c, id, representatives, progress)
		if a != t {
			t.Spent += a.Spent - before
		}
		if err != nil && (a == t || works(err)) {
			return err
		}
	}
	return nil
}

func (t *Trainer) measurePaths(ctx context.Context, c Case, id string, representatives map[string][]selector.Variant, progress func(TrainProgress)) error {
	wanted := map[string][]selector.Variant{}
	for _, comp := range t.Kernel.Computations {
		in := t.Store.find(t.Kernel.Hash, t.Device, comp.Name, id)
		if in == nil {
			return nil // the algorithm does not run on it
		}
		set := slices.Clone(representatives[comp.Name])
		if v, err := selector.Parse(in.Untrained); err == nil && !slices.ContainsFunc(set, v.Equal) {
			set = append(set, v)
		}
		if slices.ContainsFunc(set, func(v selector.Variant) bool { return in.variants[v.String()] == nil }) {
			wanted[comp.Name] = set
		}
	}
	if len(wanted) == 0 {
		if progress != nil {
			progress(TrainProgress{Known: true})
		}
		return nil
	}
	if !t.Deadline.IsZero() && time.Now().After(t.Deadline) {
		return ErrBudget
	}
	args, err := c.Load(ctx)
	if err != nil {
		return err
	}
	bound, err := t.Session.Bind(ctx, t.Kernel.Name, args, BindOptions{Threads: t.Threads, Platform: t.Platform})
	if err != nil {
		return err
	}
	defer bound.Release(context.WithoutCancel(ctx))
	start := time.Now()
	defer func() { t.Spent += time.Since(start) }()
	for _, comp := range t.Kernel.Computations {
		if len(wanted[comp.Name]) == 0 {
			continue
		}
		r := t.record(comp.Name, id)
		r.Name = c.Name
		put := t.recorder(r, progress)
		_, err := bound.Settle(ctx, SettleOptions{Variants: wanted[comp.Name], Rounds: pathRounds, Prior: t.prior(r), Progress: func(p BenchProgress, fresh []time.Duration) error {
			return put(p, 0, fresh)
		}})
		if err != nil {
			return err
		}
		if in := t.Store.find(r.Hash, r.Device, r.Computation, r.Input); !in.any() {
			return &Error{Where: r.Name, Code: CodeTraining, What: fmt.Sprintf("every path of %s fails on this input", r.Computation), Why: in.firstReason(),
				Do: "run it with --verify to see more: surge run --verify"}
		}
	}
	return nil
}

// ReplayPaths lets Fit know nothing of recorded measurements but the exploring runs of the representatives, and returns
// the part that these have of the measuring time. It is false where no paths were noted.
func (t *Trainer) ReplayPaths(ids []string) (part float64, noted bool) {
	known := t.Representatives(ids)
	spent, all := 0.0, 0.0
	for _, a := range append([]*Trainer{t}, t.Alternatives...) {
		a.Few = true
		a.only = func(input, variant string) bool {
			computation, _, _ := strings.Cut(variant, "/")
			in := a.Store.inputs[inputKey{a.Kernel.Hash, a.Device, computation, input}] // the store calls this
			return strings.HasSuffix(computation, selector.AlgorithmNumber) || in != nil && in.Untrained == variant ||
				slices.ContainsFunc(known[computation], func(v selector.Variant) bool { return v.String() == variant })
		}
		for _, c := range a.Kernel.Computations {
			noted = noted || len(known[c.Name]) > 0
			spent += a.spent(c.Name, ids)
			all += a.Store.seconds(a.Kernel.Hash, a.Device, c.Name, ids, nil)
		}
	}
	return spent / all, noted
}

// PathFinalists returns the variants of each computation that thresholds would choose among, as far as paths were noted
// and timed.
func (t *Trainer) PathFinalists(train []string) (map[string][]selector.Variant, error) {
	s := *t
	s.Alternatives = nil
	for _, a := range t.Alternatives {
		other := *a
		s.Alternatives = append(s.Alternatives, &other)
	}
	s.ReplayPaths(train)
	all := map[string][]selector.Variant{}
	for _, a := range append([]*Trainer{&s}, s.Alternatives...) {
		for _, c := range a.Kernel.Computations {
			table, _, err := a.Store.table(a.Kernel.Hash, a.Device, c.Name, train, a.Variants, a.Kernel.Features, a.only, false)
			if err != nil {
				return nil, err
			}
			for _, v := range fit.Paths(table) {
				all[c.Name] = append(all[c.Name], table.Variants[v])
			}
		}
	}
	return all, nil
}

// spent is how many seconds measuring the inputs for a computation took, as far as Fit knows about it.
func (t *Trainer) spent(computation string, ids []string) float64 {
	total := t.Store.seconds(t.Kernel.Hash, t.Device, computation, ids, t.only)
	for _, id := range ids {
		if in := t.Store.find(t.Kernel.Hash, t.Device, computation, id); in != nil && t.Few {
			total += in.noting / 1e9
		}
	}
	return total
}
