package report

import (
	"cmp"
	"math"
	"slices"

	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/training/fit"
)

// classRow is a variant of the model.
type classRow struct {
	Colour, ID, Text string
	// Train and Chosen are the numbers of training inputs where it is the best of the model's, and of judged inputs where
	// it was chosen.
	Train, Chosen int
}

func classRows(j *fit.Judgement) []classRow {
	rows := make([]classRow, len(j.Classes))
	for c, v := range j.Classifier.Variants {
		rows[c] = classRow{Colour: palette[c%len(palette)], ID: v.ID(), Text: short(v)}
	}
	for i := range j.Train.Inputs {
		rows[j.Label(&j.Train.Inputs[i])].Train++
	}
	for _, v := range j.Method(fit.ByModel).Chosen {
		if c := slices.Index(j.Classes, v); c >= 0 {
			rows[c].Chosen++
		}
	}
	return rows
}

// confusion counts the judged inputs by the best of the model's variants and by the chosen one.
type confusion struct {
	Columns []string
	Rows    []confusionRow
}

type confusionRow struct {
	ID    string
	Cells []confusionCell
}

type confusionCell struct {
	Count int
	// Cost is the mean regret of these choices.
	Cost     float64
	Diagonal bool
}

func confusionOf(j *fit.Judgement) confusion {
	var c confusion
	n := len(j.Classes)
	sum := make([]float64, n*n)
	count := make([]int, n*n)
	for i, v := range j.Method(fit.ByModel).Chosen {
		in := &j.Test.Inputs[i]
		chosen := slices.Index(j.Classes, v)
		if chosen < 0 {
			continue
		}
		count[j.Label(in)*n+chosen]++
		r, _ := in.Judged(v)
		sum[j.Label(in)*n+chosen] += r
	}
	for a, v := range j.Classifier.Variants {
		c.Columns = append(c.Columns, v.ID())
		row := confusionRow{ID: v.ID()}
		for b := range n {
			at := confusionCell{Count: count[a*n+b], Diagonal: a == b}
			if at.Count > 0 {
				at.Cost = sum[a*n+b] / float64(at.Count)
			}
			row.Cells = append(row.Cells, at)
		}
		c.Rows = append(c.Rows, row)
	}
	return c
}

// winner is a variant that is the fastest on some training input.
type winner struct {
	ID, Text   string
	Timed      int // inputs where its time is known
	Wins, Near int // inputs where it is the fastest, and where it is within the noise of the fastest
	Regret     float64
}

func winners(j *fit.Judgement) []winner {
	var all []winner
	t := j.Train
	for v := range t.Variants {
		w := winner{ID: t.Variants[v].ID(), Text: short(t.Variants[v])}
		sum := 0.0
		for i := range t.Inputs {
			in := &t.Inputs[i]
			best, _ := in.Best()
			if best == v {
				w.Wins++
			}
			if in.Regret(v) <= fit.Noise {
				w.Near++
			}
			if r := in.Regret(v); !math.IsInf(r, 1) {
				w.Timed++
				sum += r
			}
		}
		w.Regret = sum / float64(w.Timed)
		if w.Wins > 0 || w.Near*10 >= len(t.Inputs)*3 {
			all = append(all, w)
		}
	}
	slices.SortStableFunc(all, func(a, b winner) int { return cmp.Or(b.Wins-a.Wins, b.Near-a.Near) })
	return all[:min(len(all), 15)]
}

// parameter is a parameter with what fixing it costs.
type parameter struct {
	Name   string
	Values []parameterValue
	// Spread is the largest mean cost of a value less the smallest: what setting the parameter wrongly costs at least.
	Spread float64
}

// parameterValue is a value with the mean, over the training inputs, of the best time with that value over the best
// time of all, less 1; and the number of inputs whose best variant has it.
type parameterValue struct {
	Value string
	Cost  float64
	Best  int
}

func parameters(j *fit.Judgement) []parameter {
	t := j.Train
	values := map[string][]string{}
	var names []string
	note := func(name, value string) {
		if values[name] == nil {
			names = append(names, name)
		}
		if !slices.Contains(values[name], value) {
			values[name] = append(values[name], value)
		}
	}
	get := func(v selector.Variant, name string) string {
		if name == "schedule" {
			return v.Schedule
		}
		value, _ := v.Get(name)
		return value
	}
	for _, v := range t.Variants {
		note("schedule", v.Schedule)
		for _, s := range v.Policy {
			note(s.Name, s.Value)
		}
	}
	var all []parameter
	for _, name := range names {
		p := parameter{Name: name}
		if len(values[name]) < 2 {
			continue
		}
		low, high := math.Inf(1), 0.0
		for _, value := range values[name] {
			pv := parameterValue{Value: value}
			sum, n := 0.0, 0
			for i := range t.Inputs {
				in := &t.Inputs[i]
				best, least := in.Best()
				own := math.Inf(1)
				for v := range t.Variants {
					if get(t.Variants[v], name) == value && in.Times[v] < own {
						own = in.Times[v]
					}
				}
				if !math.IsInf(own, 1) {
					sum += own/least - 1
					n++
				}
				if get(t.Variants[best], name) == value {
					pv.Best++
				}
			}
			pv.Cost = math.Inf(1)
			if n > 0 {
				pv.Cost = sum / float64(n)
				low, high = min(low, pv.Cost), max(high, pv.Cost)
			}
			p.Values = append(p.Values, pv)
		}
		p.Spread = max(high-low, 0)
		all = append(all, p)
	}
	slices.SortStableFunc(all, func(a, b parameter) int { return cmp.Compare(b.Spread, a.Spread) })
	return all
}
