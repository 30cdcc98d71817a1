package selector

import (
	"math"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/selector/param"
)

// TestStrided checks which level gets the lanes where the rows' elements lie at a distance from each other.
func TestStrided(t *testing.T) {
	code := func(schedule, policy string) Code {
		v := Variant{Computation: "SumCols.1", Form: "nest", Schedule: schedule, Platform: "goroutine"}
		var err error
		if v.Policy, err = param.Parse(policy, 1); err != nil {
			t.Fatal(err)
		}
		return Code{Variant: v}
	}
	codes := []Code{
		code("sequential>cooperative", "unroll_1=1,execution_resource_2=lane,vector_width_2=8,unroll_2=4"),
		code("independent>sequential", "execution_resource_1=lane,vector_width_1=8,unroll_2=1"),
		code("sequential>sequential", "unroll_1=1,unroll_2=4"),
		code("sequential>sequential", "unroll_1=1,unroll_2=1"),
	}
	for _, c := range []struct {
		name          string
		strided       int
		codes         []Code
		width, height float64
		want          Code
	}{
		{"rows side by side", 0, codes, 1000, 1000, codes[0]},
		{"columns", 2, codes, 1000, 1000, codes[1]},
		{"another level", 1, codes, 1000, 1000, codes[0]},
	} {
		choices, err := Untrained{}.Rank(Input{Cores: 1, Strided: c.strided, Codes: c.codes,
			Features: []Feature{{Name: Length, Value: c.height}, {Name: AspectRatio, Value: c.height / c.width}}})
		if err != nil || choices[0].Variant.String() != c.want.Variant.String() {
			t.Errorf("%s: %v, %v; want %s", c.name, choices, err, c.want.Variant)
		}
	}
}

// Rows of 829 among many of 1 take the code for long rows, whatever the average is; that of rows which are all as short
// stays.
func TestUnevenRows(t *testing.T) {
	code := func(schedule, policy string) Code {
		v := Variant{Computation: "Sums.1", Form: "nest", Schedule: schedule, Platform: "goroutine"}
		var err error
		if v.Policy, err = param.Parse(policy, 1); err != nil {
			t.Fatal(err)
		}
		return Code{Variant: v}
	}
	codes := []Code{
		code("sequential>cooperative", "unroll_1=1,execution_resource_2=lane,vector_width_2=8,unroll_2=4"),
		code("sequential>sequential", "unroll_1=1,unroll_2=4"),
		code("sequential>sequential", "unroll_1=1,unroll_2=2"),
		code("sequential>sequential", "unroll_1=1,unroll_2=1"),
		code("independent>sequential", "execution_resource_1=pool,unroll_2=1"),
		code("sequential>sequential", "unroll_1=1,unroll_2=1"),
	}
	for _, c := range []struct {
		name          string
		average, long float64
		want          int
	}{
		{"equal rows of 9", 9, 9, 2},
		{"by chance around 9", 9, 10, 2},
		{"829 among 99 of 1", 9.2, 746, 0},
		{"829 among 999 of 1", 1.8, 380, 0},
		{"829 among 999 of none", 0.8, 829, 0},
		{"3 among many of none", 0.01, 3, 3},
		{"equal rows of 829", 829, 829, 0},
		{"not known", 9, 0, 2},
		{"nonsense", 9, math.Inf(1), 2},
	} {
		features := []Feature{{Name: Length, Value: 1e5}, {Name: AverageRowLength, Value: c.average}, {Name: ElementRowLength, Value: c.long}}
		choices, err := Untrained{}.Rank(Input{Cores: 1, Codes: codes, Features: features})
		if err != nil || choices[0].Variant.String() != codes[c.want].Variant.String() {
			t.Errorf("%s: %v, %v; want %s", c.name, choices, err, codes[c.want].Variant)
		}
	}
}

// TestShared checks when chunks are shared with the computation before: what both read has to exceed the caches as a
// whole, and to fit into one chunk by chunk.
func TestShared(t *testing.T) {
	code := func(schedule, policy string, launch ...Launch) Code {
		v := Variant{Computation: "Step.4", Form: "nest", Schedule: schedule, Platform: "goroutine"}
		var err error
		if v.Policy, err = param.Parse(policy, 1); err != nil {
			t.Fatal(err)
		}
		return Code{Variant: v, Launch: launch}
	}
	lanes := "execution_resource_2=lane,vector_width_2=8,unroll_2=4"
	codes := func(shared ...string) []Code {
		return []Code{code("cooperative>independent", "execution_resource_1=pool,"+lanes, Launch{Name: "num_threads", Values: nil}, Launch{Name: "omp_schedule_1", Values: []string{"static"}},
			Launch{Name: "chunk_size_1", Values: []string{"0"}}, Launch{Name: "shared_chunk_1", Values: shared}), code("sequential>independent", "unroll_1=1,"+lanes)}
	}
	all := codes("0", "256", "1024")
	for _, c := range []struct {
		name         string
		codes        []Code
		length, row  float64
		threads      int
		want         string
		wantsThreads int
	}{
		{"many points", all, 1e6, 32, 2, "1024", 2},
		{"many points on one thread", all, 1e6, 32, 1, "1024", 1},
		{"long rows", all, 1e5, 128, 2, "256", 2},
		{"rows of which few fit into a cache", all, 1e5, 1000, 2, "0", 2},
		{"points that stay in a cache", all, 1e4, 32, 2, "0", 2},
		{"points that stay in a cache, on one thread", all, 1e4, 32, 1, "", 0},
		{"forbidden", codes("0"), 1e6, 32, 2, "0", 2},
		{"asked for", codes("256"), 1e4, 32, 2, "256", 2},
	} {
		choices, err := Untrained{}.Rank(Input{Cores: 2, Threads: c.threads, Codes: c.codes,
			Features: []Feature{{Name: Length, Value: c.length}, {Name: AspectRatio, Value: c.length / c.row}}})
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := choices[0].Variant.Get("shared_chunk_1"); got != c.want || param.NumThreads.Or(choices[0].Variant.Policy, 0, 0) != c.wantsThreads {
			t.Errorf("%s: %s, want chunks of %q on %d threads", c.name, choices[0].Variant, c.want, c.wantsThreads)
		}
	}
}

// TestCosts checks what the costs of elements decide: which level has the lanes, how many vectors are in flight, and
// threads.
func TestCosts(t *testing.T) {
	code := func(schedule, policy string) Code {
		v := Variant{Computation: "Pull.1", Form: "nest", Schedule: schedule, Platform: "goroutine"}
		var err error
		if v.Policy, err = param.Parse(policy, 2); err != nil {
			t.Fatal(err)
		}
		return Code{Variant: v}
	}
	inner := func(unroll string) Code {
		return code("sequential>cooperative", "unroll_1=1,execution_resource_2=lane,vector_width_2=8,unroll_2="+unroll)
	}
	outer := code("independent>sequential", "execution_resource_1=lane,vector_width_1=8,unroll_2=1")
	plain := code("sequential>sequential", "unroll_1=1,unroll_2=1")
	workers := code("independent>sequential", "execution_resource_1=pool,unroll_2=1")
	workers.Launch = []Launch{{Name: "num_threads"}}
	both := code("independent>sequential", "execution_resource_1=pool+lane,vector_width_1=8,unroll_2=1")
	both.Launch = []Launch{{Name: "num_threads"}}
	level := func(operations float64, scalarised ...float64) LevelCost {
		return LevelCost{Operations: operations, Runs: 1, Scalarised: scalarised}
	}
	for _, c := range []struct {
		name  string
		codes []Code
		costs []LevelCost
		row   float64
		want  Code
	}{
		{"long rows of cheap elements", []Code{inner("1"), inner("4"), plain}, []LevelCost{level(2, 0, 0), level(4, 0, 0)}, 1000, inner("4")},
		{"long rows of dear elements", []Code{inner("4"), inner("1"), plain}, []LevelCost{level(2, 0, 0), level(40, 0, 0)}, 1000, inner("1")},
		{"short rows that all elements share", []Code{inner("1"), outer, plain}, []LevelCost{level(2, 0, 0), level(10, 0, 0)}, 9, outer},
		{"short rows that are not consecutive", []Code{inner("1"), outer, plain}, []LevelCost{level(2, 0, 0), level(4, 4, 0)}, 4, plain},
		{"short rows of dear elements", []Code{inner("1"), outer, plain}, []LevelCost{level(2, 0, 0), level(40, 4, 0)}, 8, inner("1")},
		{"loops that do not turn as often", []Code{inner("1"), outer, plain}, []LevelCost{level(2, 0, 0), level(400, 400, 400)}, 100, plain},
		{"cheap sides of conditions", []Code{inner("1"), plain}, []LevelCost{level(2, 0, 0), {Operations: 40, Runs: 1, Scalarised: []float64{0, 0}, Masked: []float64{0, 40}}}, 100, inner("1")},
		{"dear sides of conditions that lanes take in vain", []Code{inner("1"), plain}, []LevelCost{level(2, 0, 0), {Operations: 40, Runs: 1, Scalarised: []float64{0, 0}, Masked: []float64{0, 400}}}, 100, plain},
		{"work for one thread", []Code{workers, plain}, []LevelCost{level(2, 0, 0), level(4, 0, 0)}, 20, plain},
		{"work for two threads", []Code{plain, workers}, []LevelCost{level(2, 0, 0), level(40, 0, 0)}, 20, workers},
		{"rows on lanes for several threads", []Code{both, outer, plain}, []LevelCost{level(2, 0, 0), level(40, 0, 4)}, 1000, both},
		{"operators in a loop", []Code{plain, workers}, []LevelCost{level(2, 0, 0), {Operations: 4, Runs: 27, Scalarised: []float64{0, 0}}}, 20, workers},
	} {
		choices, err := Untrained{}.Rank(Input{Cores: 2, Costs: c.costs, Codes: c.codes,
			Features: []Feature{{Name: Length, Value: 100}, {Name: AverageRowLength, Value: c.row}}})
		if err != nil || choices[0].Variant.Schedule != c.want.Schedule || !choices[0].Variant.subsumes(c.want.Policy) {
			t.Errorf("%s: %v, %v; want %s", c.name, choices, err, c.want.Variant)
		}
	}
}

// TestLoopOperations checks that what a probe counts replaces what is guessed of loops: for threads, lanes and
// algorithms.
func TestLoopOperations(t *testing.T) {
	code := func(schedule string, policy ...Setting) Code {
		c := Code{Variant: Variant{Computation: "Pull.1", Form: "nest", Schedule: schedule, Platform: "goroutine", Policy: policy}}
		if policy[0].Value == "pool" {
			c.Launch = []Launch{{Name: "num_threads"}}
		}
		return c
	}
	workers, plain := code("independent", Setting{Name: "execution_resource_1", Value: "pool"}, Setting{Name: "unroll_1", Value: "1"}), code("sequential", Setting{Name: "unroll_1", Value: "1"})
	lanes := code("independent", Setting{Name: "execution_resource_1", Value: "lane"}, Setting{Name: "vector_width_1", Value: "8"}, Setting{Name: "unroll_1", Value: "1"})
	for _, c := range []struct {
		name       string
		codes      []Code
		scalarised float64 // of the 100 operations, 80 of them in loops
		counted    float64
		want       Code
		least      float64 // operations by estimate
	}{
		{"nothing counted", []Code{plain, workers}, 0, 0, workers, 100*1000 + 6},
		{"loops that hardly turn", []Code{workers, plain}, 0, 4, plain, 24*1000 + 6},
		{"loops that turn often", []Code{plain, workers}, 0, 8000, workers, 8020*1000 + 6},
		{"reads one by one in loops that hardly turn", []Code{plain, lanes}, 5, 4, lanes, 6 + 125*(24+5*scalarisedCost*8*24/100.0)},
		{"reads one by one in loops that turn often", []Code{lanes, plain}, 20, 8000, plain, 8020*1000 + 6},
	} {
		in := Input{Cores: 2, Codes: c.codes, Costs: []LevelCost{{Operations: 100, Runs: 1, Scalarised: []float64{c.scalarised}, Guessed: 80}},
			Features: []Feature{{Name: Length, Value: 1000}, {Name: LoopOperations, Value: c.counted}}}
		choices, err := Untrained{}.Rank(in)
		if err != nil || choices[0].Variant.Schedule != c.want.Schedule || !choices[0].Variant.subsumes(c.want.Policy) {
			t.Errorf("%s: %v, %v; want %s", c.name, choices, err, c.want.Variant)
		}
		operations, guessed := in.Estimate()
		if operations != c.least || (guessed == 0) != (c.counted > 0) {
			t.Errorf("%s: %g operations, %g of them guessed; want %g", c.name, operations, guessed, c.least)
		}
	}
}

// TestReadStep checks that lanes are taken for what is read at a step where that is 1, and not where it is another one.
func TestReadStep(t *testing.T) {
	lanes := Code{Variant: Variant{Computation: "Conv.1", Form: "nest", Schedule: "independent", Platform: "goroutine",
		Policy: []Setting{{Name: "execution_resource_1", Value: "lane"}, {Name: "vector_width_1", Value: "8"}, {Name: "unroll_1", Value: "1"}}}}
	plain := Code{Variant: Variant{Computation: "Conv.1", Form: "nest", Schedule: "sequential", Platform: "goroutine", Policy: []Setting{{Name: "unroll_1", Value: "1"}}}}
	for step, want := range map[float64]Code{1: lanes, 2: plain, 0: plain, -1: plain} {
		in := Input{Cores: 1, Codes: []Code{lanes, plain}, Costs: []LevelCost{{Operations: 100, Runs: 1, Scalarised: []float64{30}, Stepped: []float64{29}}},
			Features: []Feature{{Name: Length, Value: 1000}, {Name: ReadStep, Value: step}}}
		choices, err := Untrained{}.Rank(in)
		if err != nil || choices[0].Variant.Schedule != want.Schedule {
			t.Errorf("a step of %g: %v, %v; want %s", step, choices, err, want.Variant)
		}
	}
	codes := []Code{lanes, plain}
	if n := Reach(Input{Codes: codes, Costs: []LevelCost{{Operations: 100, Runs: 1, Scalarised: []float64{30}, Stepped: []float64{29}}},
		Features: []Feature{{Name: Length}, {Name: ReadStep}}}); n[0] == 0 || n[1] == 0 {
		t.Errorf("codes are reached %v times", n)
	}
}

// TestEqualRows checks that lanes take a row each where so many rows are equally long, and else those inside of rows,
// or none.
func TestEqualRows(t *testing.T) {
	code := func(schedule, policy string) Code {
		c := Code{Variant: Variant{Computation: "Sign.1", Form: "nest", Schedule: schedule, Platform: "goroutine"}}
		var err error
		if c.Policy, err = param.Parse(policy, 2); err != nil {
			t.Fatal(err)
		}
		return c
	}
	rows := code("independent>sequential", "execution_resource_1=lane,vector_width_1=8,unroll_2=1")
	inside := code("sequential>independent", "unroll_1=1,execution_resource_2=lane,vector_width_2=8,unroll_2=1")
	plain := code("sequential>sequential", "unroll_1=1,unroll_2=1")
	costs := []LevelCost{{Operations: 1000, Runs: 1, Scalarised: []float64{0, 0}}, {Operations: 10, Runs: 10, Scalarised: []float64{0, 0}}}
	all, some := []Code{plain, rows, inside}, []Code{rows, plain}
	for _, c := range []struct {
		codes []Code
		equal float64
		want  Code
	}{
		{all, 1, rows}, {all, 0.99, rows}, {all, 0.5, inside}, {all, 0, inside}, {some, 1, rows}, {some, 0, plain}, {all, -1, rows}, // -1: not known
	} {
		in := Input{Cores: 1, Codes: c.codes, Costs: costs, Features: []Feature{{Name: Length, Value: 1000}, {Name: AspectRatio, Value: 1000.0 / 64}}}
		if c.equal >= 0 {
			in.Features = append(in.Features, Feature{Name: EqualRows, Value: c.equal})
		}
		choices, err := Untrained{}.Rank(in)
		if err != nil || choices[0].Variant.Schedule != c.want.Schedule {
			t.Errorf("%g of %d codes: %v, %v; want %s", c.equal, len(c.codes), choices, err, c.want.Variant)
		}
	}
	if n := Reach(Input{Codes: all, Costs: costs, Features: []Feature{{Name: Length}, {Name: AspectRatio}, {Name: EqualRows}}}); n[1] == 0 || n[2] == 0 {
		t.Errorf("codes are reached %v times", n)
	}
}

// subsumes reports whether v has all the settings.
func (v Variant) subsumes(policy []Setting) bool {
	for _, s := range policy {
		if value, ok := v.Get(s.Name); !ok || value != s.Value {
			return false
		}
	}
	return true
}

// TestRowsFillVectors checks that threads are left out which would not have a whole vector of rows each.
func TestRowsFillVectors(t *testing.T) {
	both := Code{Launch: []Launch{{Name: "num_threads"}}, Variant: Variant{Computation: "Columns.1", Form: "nest", Schedule: "independent>sequential", Platform: "goroutine",
		Policy: []Setting{{Name: "execution_resource_1", Value: "pool+lane"}, {Name: "vector_width_1", Value: "8"}, {Name: "unroll_2", Value: "1"}}}}
	for columns, want := range map[float64]int{8: 1, 15: 1, 16: 2, 100: 2} {
		choices, err := Untrained{}.Rank(Input{Cores: 2, Codes: []Code{both}, Costs: []LevelCost{{Operations: 1, Runs: 1, Scalarised: []float64{0, 0}}, {Operations: 4, Runs: 1, Scalarised: []float64{0, 1}}},
			Features: []Feature{{Name: Length, Value: columns}, {Name: AspectRatio, Value: columns / 15e3}}})
		if err != nil || param.NumThreads.Or(choices[0].Variant.Policy, 0, 0) != want {
			t.Errorf("%g columns: %v, %v; want %d threads", columns, choices, err, want)
		} else if want == 1 && !strings.Contains(choices[0].Reason, "fewer rows than two threads need") {
			t.Error(choices[0].Reason)
		}
	}
}

// TestElementsFillVectors checks that the elements of a single level are divided among as many threads as they give
// whole vectors, however much work each is.
func TestElementsFillVectors(t *testing.T) {
	both := Code{Launch: []Launch{{Name: "num_threads"}}, Variant: Variant{Computation: "Heston.1", Form: "nest", Schedule: "independent", Platform: "goroutine",
		Policy: []Setting{{Name: "execution_resource_1", Value: "pool+lane"}, {Name: "vector_width_1", Value: "8"}, {Name: "unroll_1", Value: "1"}}}}
	for elements, want := range map[float64]int{2: 1, 15: 1, 16: 2, 1000: 2} {
		choices, err := Untrained{}.Rank(Input{Cores: 2, Codes: []Code{both}, Costs: []LevelCost{{Operations: 1e8, Runs: 1, Scalarised: []float64{0}}},
			Features: []Feature{{Name: Length, Value: elements}}})
		if err != nil || param.NumThreads.Or(choices[0].Variant.Policy, 0, 0) != want {
			t.Errorf("%g elements: %v, %v; want %d threads", elements, choices, err, want)
		} else if want == 1 && !strings.Contains(choices[0].Reason, "fewer elements than two threads need") {
			t.Error(choices[0].Reason)
		}
	}
}

// TestInsideOneElement checks the rules for operators in sequential code at the top of a kernel: the level around
// them has one element, and each run of the levels inside is a nest of its own.
func TestInsideOneElement(t *testing.T) {
	code := func(schedule, policy string) Code {
		v := Variant{Computation: "Smooth.1", Form: "nest", Schedule: schedule, Platform: "goroutine"}
		var err error
		if v.Policy, err = param.Parse(policy, 2); err != nil {
			t.Fatal(err)
		}
		c := Code{Variant: v}
		if strings.Contains(policy, "pool") {
			c.Launch = []Launch{{Name: "num_threads"}}
		}
		return c
	}
	short := code("sequential>sequential>cooperative", "unroll_2=1,execution_resource_3=pool,unroll_3=1")
	rows := code("sequential>independent>sequential", "execution_resource_2=pool,unroll_2=1,unroll_3=1")
	plain := code("sequential>sequential>sequential", "unroll_1=1,unroll_2=1,unroll_3=1")
	lanes := code("independent>sequential>sequential", "execution_resource_1=lane,vector_width_1=8,unroll_2=1,unroll_3=1")
	unrolled := code("sequential>sequential>sequential", "unroll_1=1,unroll_2=1,unroll_3=4")
	for _, c := range []struct {
		name   string
		codes  []Code
		length float64 // of a row of the second level
		want   Code
		says   string
	}{
		{"many rows", []Code{short, rows, plain}, 1e5, rows, "regular nest of 100000 rows of 4 elements"},
		{"few rows", []Code{short, rows, plain}, 100, plain, "too little work"},
		{"only short rows can have regions", []Code{short, plain}, 1e5, plain, "too little work"},
		{"what is left to the rules has a region for each short row", []Code{lanes, short, unrolled}, 1e5, unrolled, "for its parallel regions"},
	} {
		costs := []LevelCost{{Operations: 10, Runs: 1, Scalarised: make([]float64, 3)}, {Operations: 4, Runs: 32, Scalarised: make([]float64, 3)}, {Operations: 2, Runs: 1, Scalarised: make([]float64, 3)}}
		choices, err := Untrained{}.Rank(Input{Cores: 2, Costs: costs, Codes: c.codes,
			Features: []Feature{{Name: Length, Value: 1}, {Name: AspectRatio, Value: 1 / c.length}, {Name: InnerRowLength, Value: 4}}})
		if err != nil || choices[0].Variant.Schedule != c.want.Schedule || !strings.Contains(choices[0].Reason, c.says) {
			t.Errorf("%s: %v, %v; want %s", c.name, choices, err, c.want.Variant)
		}
	}
}

// TestOneRow checks that one row has its lanes where the work would be enough for two threads.
func TestOneRow(t *testing.T) {
	var codes []Code
	for _, of := range [][2]string{
		{"independent>independent", "execution_resource_1=pool,execution_resource_2=lane,vector_width_2=8,unroll_2=1"},
		{"sequential>independent", "unroll_1=1,execution_resource_2=lane,vector_width_2=8,unroll_2=1"},
		{"sequential>sequential", "unroll_1=1,unroll_2=1"},
	} {
		v := Variant{Computation: "Hough.1", Form: "nest", Schedule: of[0], Platform: "goroutine"}
		var err error
		if v.Policy, err = param.Parse(of[1], 2); err != nil {
			t.Fatal(err)
		}
		codes = append(codes, Code{Variant: v})
	}
	costs := []LevelCost{{Operations: 1e4, Runs: 1, Scalarised: make([]float64, 2)}, {Operations: 16, Runs: 256, Scalarised: make([]float64, 2)}}
	for length, want := range map[float64]string{1: "sequential>independent", 2: "independent>independent"} {
		choices, err := Untrained{}.Rank(Input{Cores: 2, Costs: costs, Codes: codes,
			Features: []Feature{{Name: Length, Value: length}, {Name: AspectRatio, Value: length / 256}}})
		if err != nil || choices[0].Variant.Schedule != want {
			t.Errorf("%g rows: %v, %v; want %s", length, choices, err, want)
		}
	}
}

// TestDeepNests checks that nests of more levels than estimates distinguish are chosen for.
func TestDeepNests(t *testing.T) {
	for depth := 1; depth <= 12; depth++ {
		schedule := "sequential" + strings.Repeat(">sequential", depth-1)
		codes := []Code{{Variant: Variant{Computation: "Deep.1", Form: "nest", Schedule: schedule, Platform: "goroutine"}}}
		choices, err := Untrained{}.Rank(Input{Cores: 2, Codes: codes, Features: []Feature{{Name: Length, Value: 1}, {Name: InnerRowLength, Value: 4}}})
		if err != nil || choices[0].Variant.Schedule != schedule {
			t.Errorf("depth %d: %v, %v", depth, choices, err)
		}
	}
}

// TestLanesOfCompilers checks that lanes of a loop around another are not chosen where a compiler makes the vectors.
func TestLanesOfCompilers(t *testing.T) {
	for name, want := range map[string]string{"vector_width": "sequential>cooperative>sequential", "simdlen": "sequential>sequential>cooperative"} {
		var codes []Code
		for schedule, policy := range map[string]string{
			"sequential>cooperative>sequential": "unroll_1=1,execution_resource_2=lane," + name + "_2=8,unroll_3=1",
			"sequential>sequential>cooperative": "unroll_1=1,unroll_2=1,execution_resource_3=lane," + name + "_3=8",
			"sequential>sequential>sequential":  "unroll_1=1,unroll_2=1,unroll_3=1",
		} {
			v := Variant{Computation: "Step.3", Form: "nest", Schedule: schedule, Platform: "any"}
			var err error
			if v.Policy, err = param.Parse(policy, 1); err != nil {
				t.Fatal(err)
			}
			codes = append(codes, Code{Variant: v})
		}
		costs := []LevelCost{{Operations: 5, Runs: 1, Scalarised: []float64{0, 0, 0}}, {Operations: 4, Runs: 1, Scalarised: []float64{0, 0, 0}},
			{Operations: 4, Runs: 1, Scalarised: []float64{0, 0, 0}}}
		choices, err := Untrained{}.Rank(Input{Cores: 1, Costs: costs, Codes: codes,
			Features: []Feature{{Name: Length, Value: 1000}, {Name: AspectRatio, Value: 10}, {Name: InnerRowLength, Value: 100}}})
		if err != nil || choices[0].Variant.Schedule != want {
			t.Errorf("%s: %v, %v; want %s", name, choices, err, want)
		}
	}
}
