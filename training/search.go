package training

import (
	"cmp"
	"context"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/selector"
)

// Search is a [Strategy] that measures a part of the variants. On each input it begins with those that a surrogate
// predicts to be fast and a few random ones, and then goes through the neighbourhood of the best in parameter space
// as long as that gets better. The surrogate predicts a variant's time, relative to the best one's, from its times on
// the inputs that were measured before, the more similar the more they count, and from those of its neighbours.
type Search struct {
	rng     *rand.Rand
	tables  map[string]*neighbourhood
	history map[string][]experience
	asked   map[string]bool // on the input at hand
	rounds  int

	thorough bool // it goes on until all variants are measured, with those first that may be fast
}

// SearchMost is the part of the variants that a [Search] tries on an input at most.
const SearchMost = 0.3

// neighbourhood lists for each variant those that differ in one setting.
type neighbourhood struct {
	index map[string]int
	near  [][]int
}

type experience struct {
	features []float64
	relative map[string]float64 // log of time over the best one's
}

// The sizes of a search, as parts of the space: what the first input begins with, and what later ones do.
const (
	searchFirst = 0.15
	searchLater = 0.07
	// searchRest is how many variants a thorough search adds when the best has no neighbours left.
	searchRest = 6
)

// NewSearch returns a search. The same seed and the same times give the same search.
func NewSearch(seed uint64) *Search {
	return &Search{rng: rand.New(rand.NewPCG(seed, seed)), tables: map[string]*neighbourhood{}, history: map[string][]experience{}}
}

// Pick implements [Strategy].
func (s *Search) Pick(computation string, features []selector.Feature, all []selector.Variant, known map[string]float64) []selector.Variant {
	table := s.tables[computation]
	if table == nil || len(table.near) != len(all) {
		table = newNeighbourhood(all)
		s.tables[computation] = table
	}
	point := coordinates(features)
	if len(known) == 0 {
		s.asked, s.rounds = map[string]bool{}, 0
		return s.first(computation, point, all, table)
	}
	for text := range known { // also what was measured unasked: what is chosen without a model
		s.asked[text] = true
	}
	s.rounds++
	if next := s.neighbours(all, table, known); len(next) > 0 && (s.rounds < 6 || s.thorough) {
		return next
	}
	if s.thorough && len(s.asked) < len(all) {
		return s.rest(computation, point, all, table, known)
	}
	s.history[computation] = append(s.history[computation], experience{point, relative(known)})
	return nil
}

// expect makes a search that knows nothing of a computation begin near what is chosen for it without a model.
func (s *Search) expect(d exec.Decision) {
	if len(s.history[d.Computation]) == 0 {
		s.history[d.Computation] = []experience{{coordinates(d.Features), map[string]float64{d.Variant.String(): 0}}}
	}
}

// coordinates is the point of an input, where features lie on logarithmic scales.
func coordinates(features []selector.Feature) []float64 {
	point := make([]float64, len(features))
	for i, f := range features {
		point[i] = math.Log(max(f.Value, 1e-9))
	}
	return point
}

func (s *Search) ask(picked []int, all []selector.Variant) []selector.Variant {
	var out []selector.Variant
	for _, i := range picked {
		text := all[i].String()
		if !s.asked[text] {
			s.asked[text] = true
			out = append(out, all[i])
		}
	}
	return out
}

// first returns what an input begins with.
func (s *Search) first(computation string, point []float64, all []selector.Variant, table *neighbourhood) []selector.Variant {
	past := s.history[computation]
	random := s.rng.Perm(len(all))
	if len(past) == 0 {
		return s.ask(random[:min(len(all), max(8, int(searchFirst*float64(len(all)))))], all)
	}
	predicted := s.predict(past, point, all, table)
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(predicted[a], predicted[b]), a-b) })
	n := min(len(all), max(6, int(searchLater*float64(len(all)))))
	return s.ask(append(order[:n:n], random[:min(len(all), 1+n/4)]...), all)
}

// rest returns some of what is left when the best has no neighbours left, by what the others say about them.
func (s *Search) rest(computation string, point []float64, all []selector.Variant, table *neighbourhood, known map[string]float64) []selector.Variant {
	predicted := s.predict(append(slices.Clip(s.history[computation]), experience{point, relative(known)}), point, all, table)
	order := slices.DeleteFunc(s.rng.Perm(len(all)), func(i int) bool { return s.asked[all[i].String()] })
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(predicted[a], predicted[b]) })
	return s.ask(order[:min(len(order), searchRest)], all)
}

// predict returns for each variant the expected log of its time over the best one's.
func (s *Search) predict(past []experience, point []float64, all []selector.Variant, table *neighbourhood) []float64 {
	const untried = 0.7
	predicted := make([]float64, len(all))
	texts := make([]string, len(all))
	for i, v := range all {
		texts[i] = v.String()
	}
	for i := range all {
		// A prior of little weight, so that what was never tried is neither promising nor hopeless.
		sum, weight := untried*0.05, 0.05
		for _, e := range past {
			square := 0.0
			for f := range point {
				square += (point[f] - e.features[f]) * (point[f] - e.features[f])
			}
			w := math.Exp(-square / 8)
			if r, ok := e.relative[texts[i]]; ok {
				sum, weight = sum+w*r, weight+w
				continue
			}
			for _, n := range table.near[i] {
				if r, ok := e.relative[texts[n]]; ok {
					sum, weight = sum+0.1*w*r, weight+0.1*w
				}
			}
		}
		predicted[i] = sum / weight
	}
	return predicted
}

// neighbours returns the untried neighbours of the best variants, none when the best has none left or enough was tried.
func (s *Search) neighbours(all []selector.Variant, table *neighbourhood, known map[string]float64) []selector.Variant {
	type timed struct {
		at   int
		time float64
	}
	var fastest []timed
	for text, t := range known {
		if at, ok := table.index[text]; ok && t > 0 {
			fastest = append(fastest, timed{at, t})
		}
	}
	if len(fastest) == 0 {
		return s.ask(s.rng.Perm(len(all))[:min(8, len(all))], all)
	}
	slices.SortFunc(fastest, func(a, b timed) int { return cmp.Or(cmp.Compare(a.time, b.time), a.at-b.at) })
	most := int(SearchMost * float64(len(all)))
	if s.thorough {
		most = len(all)
	}
	var picked []int
	for _, f := range fastest[:min(2, len(fastest))] {
		if f.time > 1.05*fastest[0].time {
			break
		}
		for _, n := range table.near[f.at] {
			if !s.asked[all[n].String()] && !slices.Contains(picked, n) && len(s.asked)+len(picked) < most {
				picked = append(picked, n)
			}
		}
	}
	return s.ask(picked, all)
}

func relative(known map[string]float64) map[string]float64 {
	least := math.Inf(1)
	for _, t := range known {
		if t > 0 {
			least = min(least, t)
		}
	}
	out := map[string]float64{}
	for text, t := range known {
		if t > 0 {
			out[text] = math.Log(t / least)
		} else {
			out[text] = 1.5 // stopped or failed
		}
	}
	return out
}

func newNeighbourhood(all []selector.Variant) *neighbourhood {
	n := &neighbourhood{index: map[string]int{}, near: make([][]int, len(all))}
	for i, v := range all {
		n.index[v.String()] = i
		for j, w := range all {
			if i != j && adjacent(v, w) {
				n.near[i] = append(n.near[i], j)
			}
		}
	}
	return n
}

// adjacent reports whether two variants differ in the value of one setting, or in what one setting brings with it.
func adjacent(v, w selector.Variant) bool {
	different, missing := 0, 0
	for _, s := range v.Policy {
		switch value, ok := w.Get(s.Name); {
		case !ok:
			missing++
		case value != s.Value:
			different++
		}
	}
	for _, s := range w.Policy {
		if _, ok := v.Get(s.Name); !ok {
			missing++
		}
	}
	if v.Schedule != w.Schedule || v.Form != w.Form {
		different++
	}
	return different <= 1 && missing <= 3
}

// search measures variants of one computation on the bound arguments until their ranking is settled: those that a
// strategy asks for, given the features of the input, or all of opt.Variants without one. What is chosen without a
// model is measured first, in any case, also where it is not among them. With an error it returns what was measured
// until then.
func (b *Bound) search(ctx context.Context, strategy Strategy, untrained selector.Variant, features []selector.Feature, opt SettleOptions) (measured []Measurement, err error) {
	all := opt.Variants
	if !slices.ContainsFunc(all, untrained.Equal) {
		all = append([]selector.Variant{untrained}, all...)
	}
	prior := map[string]Measurement{}
	maps.Copy(prior, opt.Prior)
	opt.Prior = prior
	known := map[string]float64{}
	for {
		opt.Variants = all
		if strategy != nil {
			opt.Variants = strategy.Pick(untrained.Computation, features, all, known)
			if len(known) == 0 && !slices.ContainsFunc(opt.Variants, untrained.Equal) {
				opt.Variants = append([]selector.Variant{untrained}, opt.Variants...)
			}
		}
		if len(opt.Variants) == 0 {
			return measured, nil
		}
		some, err := b.Settle(ctx, opt)
		for _, m := range some {
			text := m.Variant.String()
			if err != nil && m.Status == Dropped && m.Reason == notMeasured {
				continue
			}
			measured = append(measured, m)
			known[text], prior[text] = 0, Measurement{Status: m.Status, Reason: m.Reason, Times: m.Times}
			if len(m.Times) > 0 && m.Status == OK {
				known[text] = quartile(m.Times)
				if opt.rival == nil || m.Median < opt.rival.Median {
					opt.rival = &m
				}
			}
		}
		if err != nil || strategy == nil {
			return measured, err
		}
	}
}
