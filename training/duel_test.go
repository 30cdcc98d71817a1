package training

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/harness"
	"github.com/surge-ndp/surge/training/fit"
)

// Doubtful choices meet what looks better once more; what that gave counts from then on, also in a replay, and is not
// asked for again.
func TestDuelsAreRecordedAndReplayed(t *testing.T) {
	path := fixture(t)
	tr := replayer(t, path)
	train, test := halves(t, tr)
	store, err := OpenMeasurements([]string{path}, false)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	tr.Store = store
	l, err := tr.Fit(train, test)
	if err != nil {
		t.Fatal(err)
	}
	before := l.Judged[0].Method(fit.ByModel)
	sets := tr.Duels(l, nil, test)
	if before.Worst > fit.Doubtful != (len(sets) > 0) || len(sets) == 0 {
		t.Fatalf("worst regret %.3f, and %d inputs in doubt: the fixture has to have some", before.Worst, len(sets))
	}
	for id, byComputation := range sets {
		for computation, set := range byComputation {
			if len(set) < 2 {
				t.Errorf("%d variants meet", len(set))
			}
			for round := 1; round <= 4; round++ {
				for _, v := range set { // they turn out to be equal
					line := tr.record(computation, id)
					line.Variant, line.Status, line.Duel, line.Round, line.Times = v.String(), OK, 1, round, []float64{100 * float64(round)}
					if err := store.put(line); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	}
	again := replayer(t, path)
	replayed, err := again.Fit(train, test)
	if err != nil {
		t.Fatal(err)
	}
	j := replayed.Judged[0]
	if after := j.Method(fit.ByModel); len(j.Repeated()) != len(sets) || after.Worst > fit.Doubtful || !slices.Equal(after.Chosen, before.Chosen) {
		t.Errorf("%d choices were compared again, worst regret %.3f", len(j.Repeated()), after.Worst)
	}
	if more := again.Duels(replayed, nil, test); len(more) > 0 {
		t.Errorf("%d inputs are still in doubt", len(more))
	}
}

// Features are those that all inputs have; a declared one counts in its present version only; later lines replace
// values.
func TestFeaturesOfMeasurements(t *testing.T) {
	m, err := OpenMeasurements([]string{filepath.Join(t.TempDir(), "m.jsonl")}, false)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	intro := func(input string, features ...harness.Feature) {
		t.Helper()
		r := record{Kernel: "K", Hash: "h", Device: "d", Computation: "K.1", Input: input, Name: input, Features: features}
		if err := m.put(r); err != nil {
			t.Fatal(err)
		}
		r.Variant, r.Status, r.Times = "K.1/nest/sequential/goroutine", OK, []float64{10}
		if err := m.put(r); err != nil {
			t.Fatal(err)
		}
	}
	length := harness.Feature{Name: "length", Value: 3}
	skew := func(version string) harness.Feature {
		return harness.Feature{Name: "Skew", Value: 7, Cost: 5, Version: version}
	}
	intro("a", length, skew("v1"))
	intro("b", length, skew("v1"), harness.Feature{Name: "only b", Value: 1})
	names := func(declared ...harness.Feature) string {
		t.Helper()
		table, _, err := m.table("h", "d", "K.1", []string{"a", "b"}, nil, declared, nil, true)
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, f := range table.Features {
			all = append(all, f.Name)
		}
		return strings.Join(all, " ")
	}
	if got := names(skew("v1")); got != "length Skew" {
		t.Error(got)
	}
	if got := names(skew("v2")); got != "length" {
		t.Errorf("another version: %s", got)
	}
	if got := names(); got != "length" {
		t.Errorf("no longer declared: %s", got)
	}
	intro("a", skew("v2"))
	if got := names(skew("v2")); got != "length" {
		t.Errorf("one input has it: %s", got)
	}
	second := skew("v2")
	second.Value = 8
	intro("b", length, second)
	if got := names(skew("v2")); got != "Skew length" && got != "length Skew" {
		t.Errorf("both have it: %s", got)
	}
	table, _, err := m.table("h", "d", "K.1", []string{"a", "b"}, nil, []harness.Feature{second}, nil, true)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(table.Inputs[1].Features, func(x float64) bool { return x == 8 })
	if at < 0 || table.Inputs[1].Costs[at] != 5 || math.IsNaN(table.Inputs[1].Times[0]) {
		t.Errorf("%+v", table.Inputs[1])
	}
}

// Inputs to learn from that nobody would have predicted are measured once more, once each, and learned from as that
// says.
func TestDoubtfulLabels(t *testing.T) {
	path := fixture(t)
	tr := replayer(t, path)
	train, test := halves(t, tr)
	store, err := OpenMeasurements([]string{path}, false)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	tr.Store = store
	l, err := tr.Fit(train, test)
	if err != nil {
		t.Fatal(err)
	}
	sets := tr.Duels(l, train, nil)
	if len(sets) == 0 {
		t.Fatal("the fixture has to have inputs that are hard to predict")
	}
	for id, byComputation := range sets {
		if !slices.Contains(train, id) {
			t.Errorf("%s is not one to learn from", id)
		}
		for computation, set := range byComputation {
			for round := 1; round <= 4; round++ {
				for _, v := range set {
					line := tr.record(computation, id)
					line.Variant, line.Status, line.Duel, line.Round, line.Times = v.String(), OK, 1, round, []float64{100}
					if err := store.put(line); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	}
	again, err := tr.Fit(train, test)
	if err != nil {
		t.Fatal(err)
	}
	for id := range tr.Duels(again, train, nil) {
		if sets[id] != nil {
			t.Errorf("%s is measured a third time", id)
		}
	}
	if after, before := again.Judged[0].Estimate, l.Judged[0].Estimate; after >= before {
		t.Errorf("the estimate is %.4f, and was %.4f before noise was found to be noise", after, before)
	}
	for i, id := range train {
		in := &again.Judged[0].Train.Inputs[i]
		for _, set := range sets[id] {
			for _, v := range set {
				at := slices.IndexFunc(again.Judged[0].Train.Variants, v.Equal)
				if r := in.Regret(at); r > 1e-9 {
					t.Errorf("%s on %s: regret %.3f after a draw", v, in.Name, r)
				}
			}
		}
	}
}
