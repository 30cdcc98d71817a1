package training

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/surge-ndp/surge/codegen/harness"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/training/fit"
	"github.com/surge-ndp/surge/training/input"
)

// Where many variants are measured, the fastest on an input is in part the luckiest, and what a choice loses to it is
// in part noise. So choices that look bad meet those that look better once more, in turns, and that counts: for
// judging, and for learning, where it is the label that may be wrong.

const (
	// duelBest is how many of the fastest variants are in a duel.
	duelBest = 3
	// mostDuels is how many an input has at most: what is learned from one may choose otherwise, and be in doubt again.
	mostDuels = 2
)

// duel is an input and the variants that meet on it, by computation.
type duel map[string][]selector.Variant

// Duels returns by input what [Trainer.Duel] has to measure: for judged inputs where the model's choice looks worse
// than fit.Doubtful, the choice, what it is compared with, and the fastest variants; for inputs to learn from where
// one that did not know the input would choose as badly, the model's variants and the fastest, because that may be
// the fault of the measurement. What met already is left out, and so is an input that had its share, so that
// repeating it comes to an end.
func (t *Trainer) Duels(l *Learned, train, test []string) map[string]map[string][]selector.Variant {
	all := map[string]map[string][]selector.Variant{}
	for _, a := range append([]*Trainer{t}, t.Alternatives...) {
		for _, j := range l.Judged {
			if !a.owns(j.Train.Computation) {
				continue
			}
			collect := func(ids []string, set func(row int) []selector.Variant) {
				row := 0
				for _, id := range ids {
					in := a.Store.find(a.Kernel.Hash, a.Device, j.Train.Computation, id)
					if in == nil {
						continue // it has no row
					}
					if vs := set(row); len(vs) > 0 && in.duels < mostDuels {
						if all[id] == nil {
							all[id] = duel{}
						}
						all[id][j.Train.Computation] = vs
					}
					row++
				}
			}
			if j.HeldOut {
				collect(test, func(row int) []selector.Variant { return judgedDuel(j, row) })
			}
			if j.Validated != nil {
				collect(train, func(row int) []selector.Variant { return learnedDuel(j, row) })
			}
		}
	}
	return all
}

// owns reports whether a computation, of which the variants can be run, is one of the kernel.
func (t *Trainer) owns(computation string) bool {
	for _, c := range t.Kernel.Computations {
		if c.Name == computation {
			return true
		}
	}
	return false
}

// judgedDuel returns the variants that have to meet on a judged input, none if there is no doubt or no need.
func judgedDuel(j *fit.Judgement, row int) []selector.Variant {
	in := &j.Test.Inputs[row]
	chosen := j.Method(fit.ByModel).Chosen[row]
	if chosen < 0 || !(in.Regret(chosen) > fit.Doubtful) {
		return nil
	}
	return meeting(j.Test, in, chosen, j.Method(fit.BySingle).Chosen[row], j.Method(fit.ByUntrained).Chosen[row])
}

// learnedDuel is judgedDuel for an input to learn from. Each has one duel at most: it stays hard to predict if it is.
func learnedDuel(j *fit.Judgement, row int) []selector.Variant {
	in := &j.Train.Inputs[row]
	if !(j.Validated[row]-in.Cost() > fit.Doubtful) || slices.ContainsFunc(in.Duel, func(x float64) bool { return !math.IsNaN(x) }) {
		return nil
	}
	return meeting(j.Train, in, j.Classes...)
}

// meeting returns the wanted variants and the fastest on the input, as far as they work; nil if they met already.
func meeting(t *fit.Table, in *fit.Input, wanted ...int) []selector.Variant {
	works := func(v int) bool { return v >= 0 && !math.IsNaN(in.Times[v]) && !math.IsInf(in.Times[v], 0) }
	var order []int
	for v := range in.Times {
		if works(v) {
			order = append(order, v)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(in.Times[a], in.Times[b]) })
	all := order[:min(duelBest, len(order)):min(duelBest, len(order))]
	for _, v := range wanted {
		if works(v) {
			all = append(all, v)
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	met := !slices.ContainsFunc(all, func(v int) bool { return in.Duel == nil || math.IsNaN(in.Duel[v]) })
	if met || len(all) < 2 {
		return nil
	}
	var set []selector.Variant
	for _, v := range all {
		set = append(set, t.Variants[v])
	}
	return set
}

// Duel makes pass number pass, below [ComparePasses] or for inputs to judge by [JudgePasses], of measuring variants
// on an input in turns, none of which is dropped, and records that. As in [Trainer.Compare], a pass goes through all
// inputs before the next one begins.
func (t *Trainer) Duel(ctx context.Context, c Case, id string, pass int, sets map[string][]selector.Variant, progress func(TrainProgress)) error {
	args, err := c.Load(ctx)
	if err != nil {
		return err
	}
	for _, a := range append([]*Trainer{t}, t.Alternatives...) {
		if err := a.duel(ctx, args, id, pass, sets, progress); err != nil {
			return err
		}
		if a != t {
			t.Spent, a.Spent = t.Spent+a.Spent, 0
		}
	}
	return nil
}

func (t *Trainer) duel(ctx context.Context, args []input.Value, id string, pass int, sets map[string][]selector.Variant, progress func(TrainProgress)) error {
	if !slices.ContainsFunc(t.Kernel.Computations, func(c harness.ComputationInfo) bool { return len(sets[c.Name]) > 0 }) {
		return nil
	}
	bound, err := t.Session.Bind(ctx, t.Kernel.Name, args, BindOptions{Threads: t.Threads, Platform: t.Platform})
	if err != nil {
		return err
	}
	defer bound.Release(context.WithoutCancel(ctx))
	start := time.Now()
	defer func() { t.Spent += time.Since(start) }()
	for _, comp := range t.Kernel.Computations {
		in := t.Store.find(t.Kernel.Hash, t.Device, comp.Name, id)
		if in == nil || len(sets[comp.Name]) == 0 {
			continue
		}
		number := in.duels
		if pass == 0 {
			number++
		}
		if err := t.rounds(ctx, bound, record{Computation: comp.Name, Input: id, Duel: number}, pass, sets[comp.Name], progress); err != nil {
			return err
		}
	}
	return nil
}
