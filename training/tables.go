package training

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"slices"

	"github.com/surge-ndp/surge/codegen/harness"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/training/fit"
)

// table collects the measurements of a computation on inputs, in their order, and a hash of them. Variants are those
// of the list, which is the order of the search space, and then others that were measured. declared are the features
// that the package declares now. If only is not nil, other measurements count as not made; without final, comparisons
// count as not made.
func (m *Measurements) table(hash, device, computation string, inputs []string, variants []selector.Variant, declared []harness.Feature, only func(input, variant string) bool, final bool) (*fit.Table, string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	t := &fit.Table{Computation: computation}
	index := map[string]int{}
	add := func(v selector.Variant, text string) {
		if _, known := index[text]; !known {
			index[text] = len(t.Variants)
			t.Variants = append(t.Variants, v)
		}
	}
	for _, v := range variants {
		if v.Computation == computation {
			add(v, v.String())
		}
	}
	var found []*measuredInput
	for _, id := range inputs {
		in := m.inputs[inputKey{hash, device, computation, id}]
		if in == nil {
			continue
		}
		found = append(found, in)
		for _, text := range in.order {
			v, err := selector.Parse(text)
			if err != nil {
				return nil, "", err
			}
			add(v, text)
		}
	}
	t.Features = commonFeatures(found, declared)
	sum := sha256.New()
	finals, compared := 0, map[int]int{}
	for _, in := range found {
		row := fit.Input{Name: in.Name, Times: make([]float64, len(t.Variants)), Duel: make([]float64, len(t.Variants)), Untrained: -1}
		for _, f := range t.Features {
			at := slices.IndexFunc(in.Features, func(g harness.Feature) bool { return g.Name == f.Name })
			row.Features = append(row.Features, float64(in.Features[at].Value))
			row.Costs = append(row.Costs, float64(in.Features[at].Cost))
		}
		for v := range row.Times {
			row.Times[v], row.Duel[v] = math.NaN(), math.NaN()
		}
		fmt.Fprintln(sum, in.Input)
		in = in.restricted(only)
		if !final {
			in = in.explored()
		}
		row.Explored = len(in.order)
		for _, text := range slices.Sorted(slices.Values(in.order)) {
			v := in.variants[text]
			fmt.Fprintln(sum, text, v.status, v.times, v.final, v.duel)
		}
		row.Passes, row.DuelPasses = make([][]float64, len(t.Variants)), make([][]float64, len(t.Variants))
		in.fill(row.Times, row.Passes, index)
		in.fillDuel(row.Duel, row.DuelPasses, index)
		if in.finals > 0 {
			finals++
			for text, v := range in.variants {
				if in.compared(v) {
					compared[index[text]]++
				}
			}
		}
		if at, ok := index[in.Untrained]; ok {
			row.Untrained = at
		}
		t.Inputs = append(t.Inputs, row)
	}
	// Only variants whose times can be trusted almost everywhere are worth learning, if there are any.
	for v, n := range compared {
		if 10*n >= 9*finals {
			if t.Candidates == nil {
				t.Candidates = make([]bool, len(t.Variants))
			}
			t.Candidates[v] = true
		}
	}
	return t, hex.EncodeToString(sum.Sum(nil)[:8]), nil
}

// commonFeatures returns the features that all inputs have, in the order of the first. Values of a declared feature
// count only if they are of the version that is declared now.
func commonFeatures(found []*measuredInput, declared []harness.Feature) []selector.Feature {
	var all []selector.Feature
	if len(found) == 0 {
		return nil
	}
	for _, f := range found[0].Features {
		at := slices.IndexFunc(declared, func(d harness.Feature) bool { return d.Name == f.Name })
		if at < 0 && f.Version != "" {
			continue // it is not declared any more
		}
		missing := slices.ContainsFunc(found, func(in *measuredInput) bool {
			return !slices.ContainsFunc(in.Features, func(g harness.Feature) bool {
				return g.Name == f.Name && (at < 0 || g.Version == declared[at].Version)
			})
		})
		if !missing {
			all = append(all, selector.Feature{Name: f.Name, Unit: f.Unit})
		}
	}
	return all
}

// fillDuel sets the times of the variants that met in the latest duel, relative to each other, and those of its passes.
func (in *measuredInput) fillDuel(times []float64, passes [][]float64, index map[string]int) {
	var turns [][]float64
	rounds := 0
	met := func(v *measuredVariant) bool {
		return in.duels > 0 && v.duels == in.duels && len(v.duel) >= compareTimes && v.status != Failed
	}
	for _, v := range in.variants {
		if met(v) {
			turns = append(turns, v.duel)
			rounds = max(rounds, len(v.duel))
		}
	}
	all := roundTimes(turns, rounds)
	for text, v := range in.variants {
		if met(v) {
			own := relativeTo(v.duel, all)
			times[index[text]], passes[index[text]] = centre(own), byPass(own)
		}
	}
}

// restricted returns what there would be if only some variants had been measured.
func (in *measuredInput) restricted(only func(input, variant string) bool) *measuredInput {
	if only == nil {
		return in
	}
	out := &measuredInput{record: in.record, finals: in.finals, duels: in.duels, variants: map[string]*measuredVariant{}}
	for _, text := range in.order {
		if only(in.Input, text) {
			out.order = append(out.order, text)
			out.variants[text] = in.variants[text]
		}
	}
	return out
}

// explored returns what there was before any comparison.
func (in *measuredInput) explored() *measuredInput {
	out := *in
	out.finals, out.duels = 0, 0
	return &out
}

// byPass returns the means of the rounds of each pass, NaN for one that has none.
func byPass(rounds []float64) []float64 {
	var all []float64
	for pass := range slices.Chunk(rounds, passRounds) {
		all = append(all, centre(pass))
	}
	return all
}

// compared reports whether a variant was in the latest final comparison.
func (in *measuredInput) compared(v *measuredVariant) bool {
	return v != nil && in.finals > 0 && v.number == in.finals && v.status != Failed && len(v.final) >= compareTimes
}

// fill sets the times of the variants that were measured, and for those of the final comparison the relative ones of
// its passes. Those of the final comparison are relative to the others in the same round. The other variants were
// measured before, when the machine may have been faster or slower: they are scaled by what the variants that were
// measured both times say, and are not faster than the best of the final comparison.
func (in *measuredInput) fill(times []float64, passes [][]float64, index map[string]int) {
	var turns [][]float64
	rounds := 0
	for _, v := range in.variants {
		if in.compared(v) {
			turns = append(turns, v.final)
			rounds = max(rounds, len(v.final))
		}
	}
	all := roundTimes(turns, rounds)
	middle, best := 1.0, math.Inf(1)
	if rounds > 0 {
		middle = lowerQuartile(all)
	}
	var ratios []float64
	for text, v := range in.variants {
		if in.compared(v) {
			own := relativeTo(v.final, all)
			t := middle * centre(own)
			times[index[text]], passes[index[text]] = t, byPass(own)
			best = min(best, t)
			if len(v.times) > 0 {
				ratios = append(ratios, t/lowerQuartile(v.times))
			}
		}
	}
	scale := 1.0
	if len(ratios) > 0 {
		scale = medianOf(ratios)
	}
	for text, v := range in.variants {
		switch at := index[text]; {
		case v.status == Failed:
			times[at] = math.Inf(1)
		case in.compared(v):
		case len(v.times) > 0:
			times[at] = scale * lowerQuartile(v.times)
			if !math.IsInf(best, 1) {
				times[at] = max(times[at], best)
			}
		}
	}
}
