package training

import (
	"math"
	"slices"

	"github.com/surge-ndp/surge/codegen/harness"
	"github.com/surge-ndp/surge/selector"
)

// recordVersion is the version of a line. Lines of another one are skipped.
const recordVersion = 1

// recordStart is what the line of a record begins with, also where it was cut.
const recordStart = `{"v":`

// record is a line of a measurement file. A line without a variant introduces an input: its features for one
// computation, and what is chosen for it without a model; or it adds the paths. A line with a variant adds runs of it
// on that input.
type record struct {
	Version     int    `json:"v"`
	Kernel      string `json:"kernel"`
	Hash        string `json:"hash"`
	Device      string `json:"device"`
	Computation string `json:"computation"`
	Input       string `json:"input"` // fingerprint of the arguments' content

	Name      string            `json:"name,omitempty"`
	Features  []harness.Feature `json:"features,omitempty"`
	Untrained string            `json:"untrained,omitempty"`
	// Paths are the variants that are taken, without a model, for each path that thresholds may lead to.
	Paths []string `json:"paths,omitempty"`

	Variant string    `json:"variant,omitempty"`
	Status  Status    `json:"status,omitempty"`
	Reason  string    `json:"reason,omitempty"`
	Times   []float64 `json:"ns,omitempty"`
	Took    float64   `json:"took,omitempty"` // nanoseconds that the turn took in all, verification included
	// Final is the number of the final comparison, from 1, in which the variants that matter took turns for longer; 0 for
	// runs before that. Round is its round, from 1.
	Final int `json:"final,omitempty"`
	Round int `json:"round,omitempty"`
	// Duel is the number of the comparison, from 1, in which a choice that looked bad met those that looked better.
	Duel int `json:"duel,omitempty"`
	// Done says that the variants of this input need no more measuring, with the number of them.
	Done int `json:"done,omitempty"`
}

// add takes a line into the tables, and reports whether it makes sense.
func (m *Measurements) add(r *record) bool {
	if r.Kernel == "" || r.Hash == "" || r.Device == "" || r.Computation == "" || r.Input == "" {
		return false
	}
	if !(r.Took >= 0) || math.IsInf(r.Took, 0) || r.Final < 0 || r.Duel < 0 || r.Done < 0 {
		return false
	}
	for i, f := range r.Features {
		// A value that is no number is that of an input that nothing can be learned from, and is reported there.
		if cost := float64(f.Cost); f.Name == "" || !(cost >= 0) || math.IsInf(cost, 0) || slices.ContainsFunc(r.Features[:i], func(g harness.Feature) bool { return g.Name == f.Name }) {
			return false
		}
	}
	key := inputKey{r.Hash, r.Device, r.Computation, r.Input}
	in := m.inputs[key]
	if r.Variant == "" && r.Done == 0 {
		if len(r.Features) == 0 && r.Name == "" {
			return false
		}
		if in != nil && len(r.Paths) > 0 {
			in.Paths, in.noting = r.Paths, r.Took
			return true
		}
		if in == nil {
			m.inputs[key] = &measuredInput{record: *r, variants: map[string]*measuredVariant{}}
			m.order = append(m.order, key)
			return true
		}
		// Features that are new, or computed anew.
		old := in.Features
		in.Features = slices.Clone(r.Features)
		for _, f := range old {
			if !slices.ContainsFunc(r.Features, func(g harness.Feature) bool { return g.Name == f.Name }) {
				in.Features = append(in.Features, f)
			}
		}
		return true
	}
	if in == nil {
		return false // runs of an input whose features are not known
	}
	if r.Done > 0 {
		in.done = max(in.done, r.Done)
		return true
	}
	if slices.ContainsFunc(r.Times, func(t float64) bool { return !(t > 0) || math.IsInf(t, 0) }) {
		return false
	}
	switch r.Status {
	case OK, Dropped, Failed:
	default:
		return false
	}
	v := in.variants[r.Variant]
	if v == nil {
		if _, err := selector.Parse(r.Variant); err != nil {
			return false
		}
		v = &measuredVariant{}
		in.variants[r.Variant] = v
		in.order = append(in.order, r.Variant)
	}
	switch {
	case (r.Final > 0 || r.Duel > 0) && (r.Round < 1 || r.Round > 1000):
		return false
	case r.Duel > 0:
		if r.Duel != v.duels {
			v.duel, v.duels = nil, r.Duel
			in.duels = max(in.duels, r.Duel)
		}
		v.duel = withRound(v.duel, r)
		return true // whatever happened in it, the variant is what it was
	case r.Final > 0:
		if r.Final != v.number {
			v.final, v.number = nil, r.Final
			in.finals = max(in.finals, r.Final)
		}
		v.final = withRound(v.final, r)
	default:
		v.times = append(v.times, r.Times...)
		v.took += r.Took
	}
	v.status, v.reason = r.Status, r.Reason
	return true
}

// withRound sets the time of a line's round.
func withRound(times []float64, r *record) []float64 {
	for len(times) < r.Round {
		times = append(times, math.NaN())
	}
	if len(r.Times) > 0 {
		times[r.Round-1] = lowerQuartile(r.Times)
	}
	return times
}
