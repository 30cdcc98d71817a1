package training

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/surge-ndp/surge/codegen/harness"
	"github.com/surge-ndp/surge/selector"
)

// A path leaves out of a variant what its mapping does not say.
func TestPathOf(t *testing.T) {
	for text, want := range map[string]string{
		"K.1/nest/independent>cooperative/goroutine/num_threads=4,omp_schedule_1=static,chunk_size_1=0,execution_resource_1=pool,execution_resource_2=lane,vector_width_2=8": "K.1/nest/independent>cooperative/goroutine/num_threads=4,execution_resource_1=pool,execution_resource_2=lane",
		"K.1/flat/independent/goroutine/num_threads=1,execution_resource_1=pool,unroll_1=2":                                                                                  "K.1/flat/independent/goroutine/num_threads=1,execution_resource_1=pool",
		"K.1/nest/independent/goroutine/num_threads=2,execution_resource_1=pool":                                                                                             "K.1/nest/independent/goroutine/num_threads=2,execution_resource_1=pool",
		"K.1/nest/sequential/goroutine/unroll_1=4":                                                                                                                           "K.1/nest/sequential/goroutine",
		"K.1/nest/independent/opencl/block_size_x=64,execution_resource_1=grid":                                                                                              "K.1/nest/independent/opencl/execution_resource_1=grid",
	} {
		v, err := selector.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := pathOf(v); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// What is timed for a path is the variant that is taken for most inputs, of equals that of the first.
func TestRepresentatives(t *testing.T) {
	store := &Measurements{inputs: map[inputKey]*measuredInput{}}
	tr := &Trainer{Kernel: &harness.KernelInfo{Name: "K", Hash: "h"}, Device: "d", Store: store}
	variant := func(settings string) string { return "K.1/nest/" + settings }
	sequential, unrolled := variant("sequential/goroutine/unroll_1=1"), variant("sequential/goroutine/unroll_1=4")
	static, guided := variant("independent/goroutine/omp_schedule_1=static,execution_resource_1=pool"), variant("independent/goroutine/omp_schedule_1=guided,execution_resource_1=pool")
	for id, paths := range map[string][]string{"a": {sequential, static}, "b": {unrolled, guided}, "c": {unrolled, "K.1/broken", "K.2/nest/sequential/goroutine"}} {
		store.inputs[inputKey{"h", "d", "K.1", id}] = &measuredInput{record: record{Paths: paths}}
	}
	for _, c := range []struct {
		ids  []string
		want []string
	}{{[]string{"a", "b", "c", "none"}, []string{unrolled, static}}, {[]string{"b", "a"}, []string{unrolled, guided}}, {nil, nil}} {
		var got []string
		for _, v := range tr.representatives("K.1", c.ids) {
			got = append(got, v.String())
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("of %v: %v, want %v", c.ids, got, c.want)
		}
	}
}

// A plan for thresholds measures paths only. Interrupted, it goes on where it was, and then measures nothing again;
// what it measured is of use for a plan that measures everything, and can be told from that again.
func TestThresholdsMeasurePaths(t *testing.T) {
	p := smallPlan(t, open(t, spmv, Options{}))
	p.Ranker, p.Search, p.Threads, p.Force = "threshold", false, 0, true
	p.Learn = grids(t, 3, 12, 40, 200)
	ctx, cancel := context.WithCancel(context.Background())
	turns := 0
	p.Progress = func(now Progress) {
		if now.State.Last != nil {
			if turns++; turns == 30 { // on the second input
				cancel()
			}
		}
	}
	if _, err := Train(ctx, p); !errors.Is(err, context.Canceled) {
		t.Fatalf("interrupted: %v", err)
	}
	part := readFile(t, p.Measurements[0])
	if n := bytes.Count(part, []byte(`"paths":`)); n != 4 {
		t.Errorf("paths are noted for %d inputs, want 4", n)
	}
	p.Session = open(t, spmv, Options{}) // the other harness ended
	p.Progress = nil
	r, err := Train(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	all, model := readFile(t, p.Measurements[0]), readFile(t, p.Model)
	if !bytes.HasPrefix(all, part) || !strings.Contains(string(model), "\nranker threshold\n") || bytes.Count(all, []byte(`"paths":`)) != 4 {
		t.Errorf("it does not go on where it was: %d and %d bytes, %s", len(part), len(all), model)
	}
	if bytes.Contains(all, []byte(`"final":`)) || bytes.Contains(all, []byte(`"done":`)) {
		t.Error("more than the paths is measured")
	}
	table := r.Trained[0].Judged[0].Train
	if tried, timed := table.Explored(); tried < 8 || tried > 25 || timed < 2 || len(table.Variants) < 3*int(tried) {
		t.Errorf("%.1f of %d variants are tried, %.1f timed", tried, len(table.Variants), timed)
	}
	again, err := Train(context.Background(), p)
	if err != nil || again.Trained[0].Spent != 0 || !bytes.Equal(readFile(t, p.Measurements[0]), all) || !bytes.Equal(readFile(t, p.Model), model) {
		t.Errorf("the same plan measures again: %v", err)
	}

	p.Learn, p.Ranker, p.CompareSearch = p.Learn[:2], "", true
	full, err := Train(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	j := full.Trained[0].Judged[0]
	if kind := j.Classifier.Machine.Kind(); kind == "threshold" || j.Method("threshold") == nil || j.Method("threshold").Mean > 4 {
		t.Errorf("measured in full, the model is a %s", kind)
	}
	p.Ranker, p.Replay, p.Search, p.CompareSearch = "threshold", true, true, false
	var said []string
	p.Say = func(text string) { said = append(said, text) }
	if _, err := Train(context.Background(), p); err != nil {
		t.Fatal(err)
	}
	if len(said) == 0 || !strings.HasPrefix(said[0], "the paths take ") || strings.HasPrefix(said[0], "the paths take 100") {
		t.Errorf("it said %q", said)
	}
}

// Where the budget is not enough for all inputs, thresholds are learned from those that it is enough for; the same
// command goes on with the others.
func TestThresholdsOnABudget(t *testing.T) {
	p := smallPlan(t, open(t, spmv, Options{}))
	p.Ranker, p.Search, p.Threads, p.Force = "threshold", false, 0, true
	p.Learn, p.Budget = grids(t, 3, 5, 7, 9, 12, 15, 20, 200, 210, 220, 230, 240, 250, 260, 270), 200*time.Millisecond
	learned := []int{0}
	for range 20 {
		r, err := Train(context.Background(), p)
		var e *Error
		switch {
		case errors.As(err, &e) && e.Code == CodeBudget:
			learned = append(learned, 0) // not even two
		case err != nil:
			t.Fatal(err)
		default:
			learned = append(learned, r.Trained[0].Learn)
		}
		if learned[len(learned)-1] == len(p.Learn) {
			break
		}
		p.Budget += p.Budget / 3
	}
	if n := len(learned); learned[1] == len(p.Learn) || learned[n-1] != len(p.Learn) || !slices.IsSorted(learned) {
		t.Errorf("learned from %v inputs of %d", learned, len(p.Learn))
	}
}
