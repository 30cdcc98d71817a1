package training

import (
	"context"
	"errors"
	"time"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/selector"
)

// The choice among the algorithms for a kernel (surge:variant-of) is trained as one more computation of the kernel,
// number 0, whose variants are the algorithms: each is timed as a whole, with the best known variants of its own
// computations.

// measureAlternatives measures the computations of the other algorithms on an input. An algorithm that does not work
// on it is one that is not chosen for it.
func (t *Trainer) measureAlternatives(ctx context.Context, c Case, progress func(TrainProgress)) error {
	for _, a := range t.Alternatives {
		a.Strategy, a.Deadline, a.Threads, a.Few, a.Noting = t.Strategy, t.Deadline, t.Threads, t.Few, t.Noting
		before := a.Spent
		_, err := a.Measure(ctx, c, progress)
		t.Spent += a.Spent - before
		if !works(err) {
			continue
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// works reports whether an algorithm can be run on an input, given the error of trying: nil is fine, and so is what has
// nothing to do with the algorithm.
func works(err error) bool {
	var wrong *exec.Error
	var failing *Error
	return !errors.As(err, &wrong) && !(errors.As(err, &failing) && failing.Code == CodeTraining)
}

// algorithmRounds is the number of turns that each algorithm gets in a pass.
const algorithmRounds = 2

// fewPasses are the passes that make a comparison of them, where there are to be no more than that.
const fewPasses = (compareTimes + algorithmRounds - 1) / algorithmRounds

// CompareAlgorithms makes pass number pass, below [ComparePasses], of timing the algorithms for the kernel as a whole
// on an input that was measured, taking turns; see [Trainer.Compare], which comes first, in all its passes. It does
// nothing for a kernel with one algorithm, nor for what is known from an earlier run.
func (t *Trainer) CompareAlgorithms(ctx context.Context, c Case, id string, pass int) error {
	if len(t.Alternatives) == 0 || len(t.Kernel.Computations) == 0 {
		return nil
	}
	name := t.Kernel.Name + selector.AlgorithmNumber
	first := t.Store.find(t.Kernel.Hash, t.Device, t.Kernel.Computations[0].Name, id)
	if first == nil {
		return nil
	}
	type contender struct {
		variant selector.Variant
		forced  []string
	}
	var all []contender
	known := t.Store.find(t.Kernel.Hash, t.Device, name, id)
	complete, number := known != nil, 1
	if known != nil {
		number = max(known.finals, 1)
	}
	for _, a := range append([]*Trainer{t}, t.Alternatives...) {
		v := selector.Algorithm(t.Kernel.Name, a.Kernel.Name, t.Platform, a.Kernel.Hash)
		all = append(all, contender{v, a.fastest(id)})
		if known == nil {
			continue
		}
		switch m := known.variants[v.String()]; {
		case m == nil && pass == 0 && known.finals > 0:
			complete, number = false, known.finals+1
		case m == nil || m.number != number || m.status != Failed && len(m.final) < (pass+1)*algorithmRounds:
			complete = false
		}
	}
	if complete && t.hasFeatures(known) {
		return nil
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
	intro := t.record(name, id)
	intro.Name, intro.Untrained, intro.Features = c.Name, all[0].variant.String(), first.Features
	for _, d := range bound.Decisions() {
		if d.Computation == name {
			intro.Untrained = d.Variant.String()
		}
	}
	if err := t.Store.put(intro); err != nil {
		return err
	}
	failed := map[int]bool{}
	for round := 1; round <= algorithmRounds; round++ {
		for k := range all {
			i := (k + round) % len(all)
			if failed[i] {
				continue
			}
			line := t.record(name, id)
			line.Variant, line.Final, line.Round, line.Status = all[i].variant.String(), number, pass*algorithmRounds+round, OK
			if len(all[i].forced) == 0 {
				line.Status, line.Reason, failed[i] = Failed, "no variant of it works on this input", true
			} else {
				last := time.Now()
				res, err := bound.Run(ctx, RunOptions{Variants: all[i].forced, Repeat: turnRuns, Verify: pass == 0 && round == 1})
				switch {
				case err != nil && (works(err) || ctx.Err() != nil):
					return err
				case err != nil:
					line.Status, line.Reason, failed[i] = Failed, err.Error(), true
				case !res.Verified():
					line.Status, line.Reason, failed[i] = Failed, "wrong: "+describeBad(firstBad(res.Comparisons)), true
				default:
					for _, d := range res.Times {
						line.Times = append(line.Times, float64(d))
					}
				}
				line.Took = float64(time.Since(last))
			}
			if err := t.Store.put(line); err != nil {
				return err
			}
		}
	}
	return nil
}

// fastest returns how to force the kernel with the fastest known variant of each computation; nil where none works.
func (t *Trainer) fastest(id string) []string {
	forced := []string{t.Kernel.Name}
	for _, c := range t.Kernel.Computations {
		in := t.Store.find(t.Kernel.Hash, t.Device, c.Name, id)
		if in == nil {
			return nil
		}
		best := in.fastest()
		if best == "" {
			return nil
		}
		forced = append(forced, best)
	}
	return forced
}
