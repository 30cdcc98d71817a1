package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/training"
	"github.com/surge-ndp/surge/training/fit"
)

// A model that is installed although it is no better than the choice without it, as far as can be told, says so.
func TestNoGainIsSaid(t *testing.T) {
	if err := fit.Available(""); err != nil {
		t.Skip(err)
	}
	for _, c := range []struct {
		untrained float64 // its time, where the best takes 1
		said      bool
	}{{1, true}, {1.001, true}, {1.4, false}} {
		table := &fit.Table{Computation: "K.1", Features: []selector.Feature{{Name: "length", Unit: "rows"}}}
		for v := range 2 {
			table.Variants = append(table.Variants, selector.Variant{Computation: "K.1", Form: "nest", Schedule: "sequential", Platform: "goroutine",
				Policy: []selector.Setting{{Name: "unroll_1", Value: fmt.Sprint(v)}}})
		}
		for i := range 6 {
			table.Inputs = append(table.Inputs, fit.Input{Name: fmt.Sprint("input", i), Features: []float64{float64(i)}, Times: []float64{1, c.untrained}, Untrained: 1})
		}
		j, err := fit.Learn(table, table, [][]string{{"length"}}, fit.Options{})
		if err != nil {
			t.Fatal(err)
		}
		j.Classifier.Summary.Measurements = "0123456789abcdef"
		dir := t.TempDir()
		var out bytes.Buffer
		a := &app{out: &out, err: &out, dir: dir}
		model := &selector.Model{Kernel: "K", Hash: "0123456789abcdef", Platform: "goroutine", Device: "a machine", Computations: []*selector.Classifier{j.Classifier}}
		learned := &training.Learned{Models: []*selector.Model{model}, Judged: []*fit.Judgement{j}}
		trained := &training.Trained{Kernel: "K", Hash: model.Hash, Platform: "goroutine", Device: "a machine", Learned: learned, NoGain: fit.NoGain(learned.Judged),
			Measurements: filepath.Join(dir, "m.jsonl"), Model: filepath.Join(dir, training.ModelName)}
		if err := writePage(trained, &trainFlags{}); err != nil {
			t.Fatal(err)
		}
		r := reportTraining(trained, &trainFlags{})
		a.printTraining(r)
		const line = "\nthe model is no better than the choice without a model beyond noise for K.1 (mean regret 0.0 % with it, 0."
		if text := out.String(); !strings.Contains(text, "\nthe model is in ") || strings.Contains(text, line) != c.said {
			t.Errorf("untrained %g:\n%s", c.untrained, text)
		}
	}
}
