package training

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/training/input"
)

// grids are cases of the kernel SpMV, by the sides of the grids that the matrices are of.
func grids(t *testing.T, sides ...int) (all []Case) {
	for _, n := range sides {
		all = append(all, Case{Name: fmt.Sprint("grid ", n), Load: func(context.Context) ([]input.Value, error) { return poisson(t, n), nil }})
	}
	return all
}

// smallPlan is a plan that takes seconds, with files of its own.
func smallPlan(t *testing.T, s *Session) Plan {
	dir := t.TempDir()
	return Plan{Session: s, Learn: grids(t, 3, 12, 40), Search: true, Ranker: "tree", Threads: 1,
		Measurements: []string{filepath.Join(dir, "m.jsonl")}, Model: filepath.Join(dir, "models")}
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// A plan runs to a report: the model is in its file, one input that cannot be read is left out, and the same plan
// measures nothing again.
func TestTrainRunsToAReport(t *testing.T) {
	p := smallPlan(t, open(t, spmv, Options{}))
	p.Learn = append(p.Learn, Case{Name: "broken", Load: func(context.Context) ([]input.Value, error) {
		return nil, &input.Error{File: "broken", Code: "unreadable", What: "there is nothing in it"}
	}})
	var said []string
	var stages []*Stage
	names := map[string]bool{}
	finished := 0
	p.Say = func(text string) { said = append(said, text) }
	p.Progress = func(now Progress) {
		if now.Stage != nil && (len(stages) == 0 || stages[len(stages)-1] != now.Stage) {
			stages = append(stages, now.Stage)
		}
		names[now.Name] = true
	}
	p.Finish = func(*Trained) error {
		if _, err := os.Stat(p.Model); err == nil {
			t.Error("the model is installed before the result is handed out")
		}
		finished++
		return nil
	}
	p.Force = true // to install what may lose on so few inputs
	r, err := Train(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Trained) != 1 || finished != 1 || r.Measurements != p.Measurements[0] {
		t.Fatalf("%d results, %d handed out, measurements in %s", len(r.Trained), finished, r.Measurements)
	}
	one := r.Trained[0]
	if one.Kernel != "SpMV" || one.Platform != selector.Host || one.Learn != 3 || one.Judge != 0 || one.Spent <= 0 || one.Model != p.Model || len(one.Judged) != 1 {
		t.Errorf("the result is %+v", one)
	}
	models, err := selector.ParseModels(readFile(t, p.Model))
	if err != nil || len(models) != 1 || models[0].Kernel != "SpMV" {
		t.Errorf("the model file has %d models: %v", len(models), err)
	}
	if len(said) != 1 || said[0] != "broken is left out: there is nothing in it [unreadable]" {
		t.Errorf("it said %q", said)
	}
	if len(stages) < 2 || stages[0].Inputs != 4 || !names["grid 12"] || !names["final comparison 1, grid 12"] {
		t.Errorf("progress: %d stages, about %v", len(stages), names)
	}

	before, model := readFile(t, p.Measurements[0]), readFile(t, p.Model)
	p.Finish, p.Progress = nil, nil
	again, err := Train(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(readFile(t, p.Measurements[0]), before) || !bytes.Equal(readFile(t, p.Model), model) || again.Trained[0].Spent != 0 {
		t.Errorf("the same plan measures again: %s", again.Trained[0].Spent)
	}

	// What is recorded is enough to learn from, and tells how long the rest would take.
	p.Replay, p.Search, p.Learn = true, false, nil
	replayed, err := Train(context.Background(), p)
	if err != nil || !bytes.Equal(readFile(t, p.Model), model) {
		t.Errorf("replayed, the model is another one: %v, %+v", err, replayed)
	}
	p.Replay, p.Search, p.Learn = false, true, grids(t, 3, 12, 50)
	e, err := Estimates(context.Background(), p)
	if err != nil || len(e) != 1 || e[0].Learn != 3 || e[0].Known != 2 || e[0].Measure != 1 || e[0].Time <= 0 {
		t.Errorf("the estimate is %+v, %v", e, err)
	}
}

// When the context ends nothing of what was measured is lost, and the same plan continues.
func TestTrainContinues(t *testing.T) {
	s := open(t, spmv, Options{})
	p := smallPlan(t, s)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	measured := 0
	p.Progress = func(now Progress) {
		if now.State.Last != nil {
			if measured++; measured == 25 {
				cancel()
			}
		}
	}
	if r, err := Train(ctx, p); !errors.Is(err, context.Canceled) || r != nil {
		t.Fatalf("%+v, %v", r, err)
	}
	if _, err := os.Stat(p.Model); err == nil {
		t.Error("a model is installed")
	}
	kept := readFile(t, p.Measurements[0])
	lines := bytes.Count(kept, []byte(`"variant"`))
	if lines < 25 {
		t.Errorf("%d of %d measurements are kept", lines, measured)
	}

	p.Session, p.Progress = open(t, spmv, Options{}), nil // the other one has ended with its context
	r, err := Train(context.Background(), p)
	if err != nil || len(r.Trained) != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	if all := readFile(t, p.Measurements[0]); !bytes.HasPrefix(all, kept) || len(all) == len(kept) {
		t.Error("it does not continue behind what was kept")
	}
	whole, err := OpenMeasurements(p.Measurements, true)
	if err != nil || len(whole.Warnings) > 0 {
		t.Errorf("%v, %q", err, whole.Warnings)
	}
}

// A plan that cannot be carried out is refused before anything is measured, with what to do.
func TestTrainRefuses(t *testing.T) {
	s := open(t, spmv, Options{})
	several := filepath.Join(t.TempDir(), "several")
	if err := os.WriteFile(several, readFile(t, "../selector/testdata/spmv.model"), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		change func(p *Plan)
		code   string
		says   []string
	}{
		"no session":    {func(p *Plan) { p.Session = nil }, CodePlan, []string{"no session", "Open"}},
		"kernel":        {func(p *Plan) { p.Kernel = "SpMW" }, CodeKernel, []string{"SpMW", "did you mean SpMV"}},
		"no sizes":      {func(p *Plan) { p.Ranker, p.Features = "threshold", []string{"row_length_deviation"} }, CodePlan, []string{"features are named", "leave the features out"}},
		"ranker":        {func(p *Plan) { p.Ranker = "forest" }, CodePlan, []string{"forest", "svm or tree or threshold"}},
		"threads":       {func(p *Plan) { p.Threads = -1 }, CodePlan, []string{"-1 threads", "all cores"}},
		"budget":        {func(p *Plan) { p.Budget = -time.Second }, CodePlan, []string{"-1s", "no limit"}},
		"little budget": {func(p *Plan) { p.Budget = 1 }, CodeBudget, []string{"spent after 0 inputs", "give more time"}},
		"no inputs":     {func(p *Plan) { p.Learn = nil }, CodeInputs, []string{"no inputs", "name some"}},
		"no loader":     {func(p *Plan) { p.Learn[1].Load = nil }, CodePlan, []string{"cannot be loaded", "function"}},
		"feature":       {func(p *Plan) { p.Features = []string{"row_length_maximun"} }, CodeFeature, []string{"row_length_maximun", "did you mean row_length_maximum"}},
		"overlap":       {func(p *Plan) { p.Judge = grids(t, 12) }, CodeOverlap, []string{"grid 12", "Force"}},
		"nothing recorded": {func(p *Plan) {
			p.Replay = true
			if err := os.WriteFile(p.Measurements[0], nil, 0o666); err != nil {
				t.Fatal(err)
			}
		}, CodeMeasurements, []string{"no measurements", "--replay"}},
		"no measurements":  {func(p *Plan) { p.Replay = true }, CodeMeasurements, []string{"cannot be read"}},
		"several to tune":  {func(p *Plan) { p.Single = true }, CodePlan, []string{"3 inputs to learn from", "train"}},
		"a better model":   {func(p *Plan) { p.Single, p.Learn, p.Model = true, grids(t, 3), several }, CodeModel, []string{"trained on", "--force"}},
		"unknown platform": {func(p *Plan) { p.Platforms = []string{"abacus"} }, CodeTraining, []string{"no variant for the platform abacus"}},
	} {
		p := smallPlan(t, s)
		c.change(&p)
		r, err := Train(context.Background(), p)
		var e *Error
		if r != nil || !errors.As(err, &e) || e.Code != c.code {
			t.Errorf("%s: %+v, %v", name, r, err)
			continue
		}
		for _, w := range c.says {
			if !strings.Contains(strings.ToLower(err.Error()), strings.ToLower(w)) {
				t.Errorf("%s: the message does not say %q: %v", name, w, err)
			}
		}
		if e.Do == "" && e.Code != CodeTraining && name != "no measurements" {
			t.Errorf("%s: the message does not say what to do: %v", name, err)
		}
	}
}

// Tuning keeps the best variants of one input, in the place of what was tuned before.
func TestTuneOneInput(t *testing.T) {
	p := smallPlan(t, open(t, spmv, Options{}))
	p.Learn = p.Learn[:1]
	for range 2 {
		r, err := Tune(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		one := r.Trained[0]
		if len(one.Models) != 1 || len(one.Models[0].Computations) != 1 || len(one.Models[0].Computations[0].Variants) != 1 || one.Lost != nil || one.Model != p.Model {
			t.Errorf("the result is %+v", one)
		}
	}
	models, err := selector.ParseModels(readFile(t, p.Model))
	if err != nil || len(models) != 1 || models[0].Computations[0].Summary.Inputs != 1 {
		t.Errorf("%d models, %v", len(models), err)
	}
}

// Cases of specs and expressions are read and bound where they are measured; what no input can mend is refused, and not
// left out.
func TestTrainBindsCases(t *testing.T) {
	s := open(t, spmv, Options{})
	info, err := s.Kernel("")
	if err != nil {
		t.Fatal(err)
	}
	k, err := s.Inputs(info)
	if err != nil {
		t.Fatal(err)
	}
	bind := []input.Entry{{Name: "values", Value: "A.values"}, {Name: "columns", Value: "A.columns"}, {Name: "rowOffsets", Value: "A.row_offsets"}, {Name: "x", Value: "random(A.cols)"}}
	cases, err := input.Cases(nil, []input.Entry{{Name: "A", Value: "gen:poisson2d:3x3"}, {Name: "A", Value: "gen:poisson2d:9x9"}}, bind, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	p := smallPlan(t, s)
	p.Say = func(text string) { t.Error(text) }
	p.Learn = nil
	for _, c := range cases {
		p.Learn = append(p.Learn, CaseOf(k, c, input.Options{}))
	}
	if e, err := Estimates(context.Background(), p); err != nil || len(e) != 1 || e[0].Learn != 2 || e[0].Measure != 2 {
		t.Errorf("%+v, %v", e, err)
	}
	cases[1].Data = append(cases[1].Data, input.Entry{Name: "B", Value: "gen:ones:n=3"})
	p.Learn[1] = CaseOf(k, cases[1], input.Options{})
	for what, err := range map[string]error{"the estimate": func() error { _, err := Estimates(context.Background(), p); return err }(),
		"training": func() error { _, err := Train(context.Background(), p); return err }()} {
		if of := (*input.Error)(nil); !errors.As(err, &of) || of.Code != input.CodeUnknownData {
			t.Errorf("%s: %v", what, err)
		}
	}
}
