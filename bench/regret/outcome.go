package main

import (
	"fmt"
	"math"
	"os"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/surge-ndp/surge/codegen/harness"
	"github.com/surge-ndp/surge/selector"
)

// method is how well a way to choose does.
type method struct {
	Name  string  `json:"name"`
	Mean  float64 `json:"mean_regret"`
	Worst float64 `json:"worst_regret"`
	Right int     `json:"within_noise"`
	// Standard errors, NaN where they are not known.
	MeanError  harness.Float `json:"mean_error"`
	WorstError harness.Float `json:"worst_error"`
}

// mean and worst are the regrets with their standard errors.
func (m method) mean() string  { return uncertain(m.Mean, m.MeanError) }
func (m method) worst() string { return uncertain(m.Worst, m.WorstError) }

func uncertain(x float64, e harness.Float) string {
	if !(e > 0) {
		return percent(x)
	}
	return fmt.Sprintf("%.1f ± %s", 100*x, percent(float64(e)))
}

// outcome is the part of what surge train --json prints that is shown.
type outcome struct {
	TrainInputs  int     `json:"training_inputs"`
	TestInputs   int     `json:"test_inputs"`
	Seconds      float64 `json:"training_seconds"`
	Part         float64 `json:"search_part"`
	Installed    bool    `json:"installed"`
	Why          string  `json:"why_not"`
	Report       string  `json:"report"`
	Overlap      int     `json:"overlap"`
	Model        string  `json:"model"`
	Computations []struct {
		Computation string   `json:"computation"`
		Features    []string `json:"features"`
		Cost        float64  `json:"feature_cost"`
		Space       int      `json:"space"`
		Explored    float64  `json:"explored"`
		Variants    []string `json:"variants"`
		Ranker      string   `json:"ranker"`
		Share       float64  `json:"share"`
		Seconds     float64  `json:"seconds"`
		Methods     []method `json:"methods"`
		Repeated    []struct {
			Table float64 `json:"table_regret"`
			Duel  float64 `json:"regret"`
		} `json:"compared_again"`
	} `json:"computations"`
	Totals []struct {
		Kernel       string   `json:"kernel"`
		Computations int      `json:"computations"`
		Methods      []method `json:"methods"`
	} `json:"totals"`
}

// shows reports whether a computation has a row of its own.
func (o *outcome) shows(i int) bool {
	c := &o.Computations[i]
	return len(o.Totals) == 0 || c.Share >= leastShare || strings.HasSuffix(c.Computation, ".0")
}

// leastShare is the part of a kernel's time below which a computation has no row of its own.
const leastShare = 0.05

func percent(x float64) string { return fmt.Sprintf("%.1f %%", 100*x) }

// rows adds a row for each computation that matters, and one for all of them together.
func (s *study) rows(t table.Writer, full, searched *outcome) error {
	decisions, err := decisionTimes(full.Model)
	if err != nil {
		return err
	}
	of := methodOf
	others := func(methods []method) []any {
		var cells []any
		for _, name := range []string{"svm", "tree", "threshold", "untrained", "single best", "1-nearest neighbour", "oracle among the model's"} {
			cells = append(cells, percent(of(methods, name).Mean))
		}
		return cells
	}
	inputs := fmt.Sprintf("%d / %d", full.TrainInputs, full.TestInputs)
	within := func(m method) string { return fmt.Sprintf("%d of %d", m.Right, full.TestInputs) }
	for i, c := range full.Computations {
		if !full.shows(i) {
			continue
		}
		m, found := of(c.Methods, "model"), of(searched.Computations[i].Methods, "model")
		again := "–"
		if n := len(c.Repeated); n > 0 {
			before, after := 0.0, 0.0
			for _, r := range c.Repeated {
				before += r.Table / float64(n)
				after += r.Duel / float64(n)
			}
			again = fmt.Sprintf("%d: %s → %s", n, percent(before), percent(after))
		}
		features := strings.Join(c.Features, ", ")
		if c.Cost > 0 {
			features += " (" + percent(c.Cost) + ")"
		}
		row := table.Row{c.Computation, features, inputs, c.Space, len(c.Variants), c.Ranker, m.mean(), m.worst(), within(m), again}
		row = append(row, others(c.Methods)...)
		part := searched.Part
		t.AppendRow(append(row, fmt.Sprintf("%.0f s", c.Seconds), fmt.Sprintf("%.0f ns", decisions[c.Computation]), percent(part), found.mean(), found.worst()))
	}
	for i, total := range full.Totals {
		m, found := of(total.Methods, "model"), of(searched.Totals[i].Methods, "model")
		row := table.Row{fmt.Sprintf("%s, all %d", total.Kernel, total.Computations), "", inputs, "", "", "", m.mean(), m.worst(), within(m), ""}
		row = append(row, others(total.Methods)...)
		t.AppendRow(append(row, fmt.Sprintf("%.0f s", full.Seconds), "", percent(searched.Part), found.mean(), found.worst()))
	}
	t.AppendSeparator()
	return nil
}

// decisionTimes returns for each computation of a model file what a decision takes that is not remembered, in
// nanoseconds.
func decisionTimes(path string) (map[string]float64, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	models, err := selector.ParseModels(text)
	if err != nil {
		return nil, err
	}
	times := map[string]float64{}
	for _, m := range models {
		for _, c := range m.Computations {
			var features []selector.Feature
			for _, f := range c.Features {
				features = append(features, selector.Feature{Name: f.Name, Unit: f.Unit, Value: (f.Low + f.High) / 2})
			}
			least := math.Inf(1)
			for range 100 {
				const n = 200
				time.Sleep(2 * time.Millisecond) // so that not all of it falls into one slow moment of the machine
				start := time.Now()
				for range n {
					if _, ok := c.Decide(features); !ok {
						return nil, fmt.Errorf("%s does not decide between its training inputs: %s", c.Computation, c.Refusal(features))
					}
				}
				least = min(least, float64(time.Since(start))/n)
			}
			times[c.Computation] = least
		}
	}
	return times, nil
}
