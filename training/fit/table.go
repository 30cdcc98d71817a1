package fit

import (
	"fmt"
	"math"
	"slices"

	"github.com/surge-ndp/surge/selector"
)

// Table holds the measurements of one computation.
type Table struct {
	Computation string
	// Features are the names and units of what Input.Features has the values of.
	Features []selector.Feature
	Variants []selector.Variant
	// Candidates says which variants a model may choose among; nil stands for all.
	Candidates []bool
	Inputs     []Input
}

// Input is one row of a table.
type Input struct {
	// Name is for people.
	Name string
	// Features has a value for each feature of the table.
	Features []float64
	// Costs has for each feature what computing it takes, in nanoseconds; nil where all are inferred in constant time.
	Costs []float64
	// Times has the time of each variant in nanoseconds: NaN where it was not measured, +Inf where it failed.
	Times []float64
	// Duel has times of the variants that were compared once more because a choice looked bad, which are relative to each
	// other: NaN for the others. It may be nil.
	Duel []float64
	// Passes has, for each variant of the final comparison, its mean time in each pass, relative to the others in the same
	// pass; nil for the others. DuelPasses has the same for those that were compared once more. Either may be nil.
	Passes, DuelPasses [][]float64
	// Explored is how many variants were tried on the input, also those that were given up before they were timed.
	Explored int
	// Untrained is the index of the variant that is chosen without a model, -1 if that is not known.
	Untrained int
}

// Best returns the index of the fastest variant and its time; -1 when none was measured.
func (in *Input) Best() (int, float64) { return Fastest(in.Times) }

// Fastest returns the index of the least of the times and that time; -1 when there is none.
func Fastest(times []float64) (int, float64) {
	best, least := -1, math.Inf(1)
	for v, t := range times {
		if t < least {
			best, least = v, t
		}
	}
	return best, least
}

// Regret returns how much longer variant v takes than the best one, as a part of the best one's time: 0 for the best,
// 0.5 for half as long again. It is +Inf where v was not measured or failed.
func (in *Input) Regret(v int) float64 {
	_, least := in.Best()
	if v < 0 || math.IsNaN(in.Times[v]) {
		return math.Inf(1)
	}
	return in.Times[v]/least - 1
}

// Cost returns what computing the features takes, as a part of the best variant's time.
func (in *Input) Cost() float64 {
	sum := 0.0
	for _, c := range in.Costs {
		sum += c
	}
	if sum == 0 {
		return 0
	}
	_, least := in.Best()
	return sum / least
}

// Comparison returns the times of the variants that the regret of variant v is computed from: where v was compared
// once more with those that seemed to be better, that comparison counts, and again is true. The fastest variants by
// the table were in it, so that no other is taken for better. A unit of the times is unit nanoseconds; of one more
// comparison, which says only how they are to each other, it is the median over its variants by the table, NaN if the
// table has none of them.
func (in *Input) Comparison(v int) (times []float64, unit float64, again bool) {
	if v < 0 || in.Duel == nil || math.IsNaN(in.Duel[v]) {
		return in.Times, 1, false
	}
	if unit = in.duelScale(); unit == 0 {
		unit = math.NaN()
	}
	return in.Duel, unit, true
}

// Judged returns the regret of variant v by the [Input.Comparison] that counts for it, and whether that was one more.
func (in *Input) Judged(v int) (regret float64, again bool) {
	times, _, again := in.Comparison(v)
	if !again {
		return in.Regret(v), false
	}
	_, least := Fastest(times)
	return times[v]/least - 1, true
}

// Uncertainty returns the standard error of what [Input.Judged] returns: from how much the passes of the comparison
// differ. It is NaN where v was not compared in several passes.
func (in *Input) Uncertainty(v int) float64 {
	times, passes := in.Times, in.Passes
	if _, again := in.Judged(v); again {
		times, passes = in.Duel, in.DuelPasses
	}
	if v < 0 || v >= len(passes) {
		return math.NaN()
	}
	best, _ := Fastest(times)
	if best < 0 || best >= len(passes) {
		return math.NaN()
	}
	var regrets []float64
	for p := range min(len(passes[v]), len(passes[best])) {
		if r := passes[v][p]/passes[best][p] - 1; !math.IsNaN(r) {
			regrets = append(regrets, r)
		}
	}
	return standardError(regrets)
}

// standardError returns that of the mean of xs, NaN for fewer than two.
func standardError(xs []float64) float64 {
	if len(xs) < 2 {
		return math.NaN()
	}
	mean, squares := meanOf(xs), 0.0
	for _, x := range xs {
		squares += (x - mean) * (x - mean)
	}
	n := float64(len(xs))
	return math.Sqrt(squares / (n - 1) / n)
}

// Explored returns the means over the inputs of how many variants were tried, and of how many a time is known: a search
// leaves variants out, and what is hopeless is stopped before it is timed.
func (t *Table) Explored() (tried, timed float64) {
	tried = t.mean(func(in *Input) float64 { return float64(in.Explored) })
	timed = t.mean(func(in *Input) float64 {
		n := 0.0
		for _, ns := range in.Times {
			if !math.IsNaN(ns) && !math.IsInf(ns, 0) {
				n++
			}
		}
		return n
	})
	return tried, timed
}

// comparable reports whether there is a time of variant v both in the table and of the comparison that was made once
// more.
func (in *Input) comparable(v int) bool {
	return !math.IsNaN(in.Duel[v]) && in.Times[v] > 0 && !math.IsInf(in.Times[v], 1)
}

// duelScale returns how many nanoseconds a unit of Duel is: the median over the variants of what the table says; 0 if
// there is none.
func (in *Input) duelScale() float64 {
	var ratios []float64
	for v, d := range in.Duel {
		if in.comparable(v) {
			ratios = append(ratios, in.Times[v]/d)
		}
	}
	if len(ratios) == 0 {
		return 0
	}
	slices.Sort(ratios)
	return ratios[len(ratios)/2]
}

// Settled returns t with the times of variants that were compared once more in the place of earlier ones. What was
// not in that comparison was not among the fastest, and is no faster than the best of those that were.
func (t *Table) Settled() *Table {
	u := *t
	u.Inputs = slices.Clone(t.Inputs)
	for i := range u.Inputs {
		in := &u.Inputs[i]
		scale := in.duelScale()
		if scale == 0 {
			continue
		}
		least := math.Inf(1)
		for v, d := range in.Duel {
			if in.comparable(v) {
				least = min(least, d)
			}
		}
		times := slices.Clone(in.Times)
		for v := range times {
			if d := in.Duel[v]; !math.IsNaN(d) && !math.IsInf(times[v], 1) {
				times[v] = scale * d
			} else if !math.IsNaN(times[v]) {
				times[v] = max(times[v], scale*least)
			}
		}
		in.Times = times
	}
	return &u
}

// With returns t with only the features that keep says.
func (t *Table) With(keep func(name string) bool) *Table {
	u := *t
	u.Features, u.Inputs = nil, nil
	var kept []int
	for f := range t.Features {
		if keep(t.Features[f].Name) {
			kept = append(kept, f)
			u.Features = append(u.Features, t.Features[f])
		}
	}
	// The ready-made features come from one sample, whose cost is that of the first of them that is there.
	ready := func(f int) bool {
		return slices.ContainsFunc(selector.ReadyMade[:], func(r selector.Feature) bool { return r.Name == t.Features[f].Name })
	}
	sampled := slices.IndexFunc(kept, ready)
	for _, in := range t.Inputs {
		row := in
		row.Features, row.Costs = make([]float64, len(kept)), nil
		for k, f := range kept {
			row.Features[k] = in.Features[f]
			if in.Costs != nil {
				row.Costs = append(row.Costs, in.Costs[f])
			}
		}
		for f := range in.Costs {
			if sampled >= 0 && ready(f) {
				row.Costs[sampled] = max(row.Costs[sampled], in.Costs[f])
			}
		}
		u.Inputs = append(u.Inputs, row)
	}
	return &u
}

// Check reports what makes a table useless: no inputs, an input without a variant that works, a feature that is not a
// number.
func (t *Table) Check() error {
	if len(t.Inputs) == 0 {
		return fmt.Errorf("%s: there are no inputs to learn from", t.Computation)
	}
	for _, in := range t.Inputs {
		if len(in.Features) != len(t.Features) || len(in.Times) != len(t.Variants) {
			return fmt.Errorf("%s: input %s has %d features and %d times, want %d and %d", t.Computation, in.Name, len(in.Features), len(in.Times), len(t.Features), len(t.Variants))
		}
		for i, f := range in.Features {
			if math.IsNaN(f) || math.IsInf(f, 0) {
				return fmt.Errorf("%s: the %s of input %s is %g: a feature has to be a number", t.Computation, t.Features[i].Name, in.Name, f)
			}
		}
		if best, _ := in.Best(); best < 0 {
			return fmt.Errorf("%s: no variant works on input %s", t.Computation, in.Name)
		}
	}
	return nil
}

// usable reports whether v may be chosen, and ran on every input that it was tried on: one that fails somewhere is not.
func (t *Table) usable(v int) bool {
	if t.Candidates != nil && !t.Candidates[v] {
		return false
	}
	return !slices.ContainsFunc(t.Inputs, func(in Input) bool { return math.IsInf(in.Times[v], 1) })
}

// Single returns the variant with the least mean regret: the one to take if it were always the same. Only variants that
// were measured on every input count; -1 if there is none.
func (t *Table) Single() int {
	best, least := -1, math.Inf(1)
	for v := range t.Variants {
		if !t.usable(v) {
			continue
		}
		if r := t.mean(func(in *Input) float64 { return in.Regret(v) }); r < least {
			best, least = v, r
		}
	}
	return best
}

// mean averages over the inputs.
func (t *Table) mean(f func(*Input) float64) float64 {
	sum := 0.0
	for i := range t.Inputs {
		sum += f(&t.Inputs[i])
	}
	return sum / float64(len(t.Inputs))
}

// without returns t with the inputs for which drop is false.
func (t *Table) without(drop func(i int) bool) *Table {
	u := *t
	u.Inputs = nil
	for i, in := range t.Inputs {
		if !drop(i) {
			u.Inputs = append(u.Inputs, in)
		}
	}
	return &u
}
