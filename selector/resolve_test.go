package selector

import (
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/selector/param"
)

// spmv returns some of the codes of a sparse matrix product.
func spmv() []Code {
	code := func(schedule, policy string, launch ...Launch) Code {
		v := Variant{Computation: "SpMV.1", Form: "nest", Schedule: schedule, Platform: "goroutine"}
		var err error
		if v.Policy, err = param.Parse(policy, 1); err != nil {
			panic(err)
		}
		return Code{Variant: v, Launch: launch}
	}
	threads, flat := Launch{Name: "num_threads"}, Launch{Name: "enable_nesting", Values: []string{"false"}}
	schedules, chunks := Launch{Name: "omp_schedule_1", Values: []string{"static", "dynamic", "guided"}}, Launch{Name: "chunk_size_1", Values: []string{"0", "64"}}
	return []Code{
		code("independent>cooperative", "execution_resource_1=pool,execution_resource_2=lane,vector_width_2=4,unroll_2=1", threads, flat, schedules, chunks),
		code("independent>cooperative", "execution_resource_1=pool,execution_resource_2=lane,vector_width_2=8,unroll_2=2", threads, flat, schedules, chunks),
		code("independent>sequential", "execution_resource_1=pool,unroll_2=4", threads, flat, schedules, chunks),
		code("sequential>sequential", "unroll_1=1,unroll_2=1"),
	}
}

func TestResolve(t *testing.T) {
	codes := spmv()
	for _, c := range []struct{ text, want string }{
		{spmvText, spmvText},
		{" " + spmvText + "\n", spmvText},
		{"vector_width_2=8", "SpMV.1/nest/independent>cooperative/goroutine/num_threads=4,enable_nesting=false,omp_schedule_1=static," +
			"chunk_size_1=0,execution_resource_1=pool,execution_resource_2=lane,vector_width_2=8,unroll_2=2"},
		{"independent>sequential/chunk_size_1=100,num_threads=3", "SpMV.1/nest/independent>sequential/goroutine/num_threads=3," +
			"enable_nesting=false,omp_schedule_1=static,chunk_size_1=100,execution_resource_1=pool,unroll_2=4"},
		{"sequential>sequential", "SpMV.1/nest/sequential>sequential/goroutine/unroll_1=1,unroll_2=1"},
		{codes[3].ID(), codes[3].String()},
	} {
		v, err := Resolve(c.text, codes, 4)
		if err != nil || v.String() != c.want {
			t.Errorf("%q: %s, %v, want %s", c.text, v, err, c.want)
		}
		if byID, err := Resolve(v.ID(), codes, 4); c.text != "independent>sequential/chunk_size_1=100,num_threads=3" && (err != nil || !byID.Equal(v)) {
			t.Errorf("id %s of %s: %s, %v", v.ID(), v, byID, err)
		}
	}
}

func TestResolveErrors(t *testing.T) {
	codes := spmv()
	for _, c := range []struct{ text, want string }{
		{"independant>cooperative", "nearest: independent>cooperative"},
		{"gorutine/vector_width_2=8", "nearest: goroutine"},
		{"00000000", "no variant of SpMV.1 has this id on this machine"},
		{"", "nearest: SpMV.1, nest"},
		{"vector_with_2=8", "has parameter vector_with_2; did you mean vector_width_2"},
		{"vector_width_2=16", "vector_width_2 is one of 4, 8"},
		{"independent>cooperative/unroll_2=4", "unroll_2 is one of 1, 2"},
		{"vector_width_2=8/sequential>sequential", "exists, but not together with the rest"},
		{"omp_schedule_1=dinamic", "omp_schedule_1 is one of static, dynamic, guided"},
		{"chunk_size_1=-1", "chunk_size_1 is one of 0, 64, or another positive whole number"},
		{"chunk_size_1=1e3", "or another positive whole number"},
		{"num_threads=0", "num_threads is one of 1, 2, 4"},
		{"num_threads=5", "this machine has 4 cores"},
		{"enable_nesting=true", "enable_nesting is one of false"},
		{"a=1,a=2", "it is given twice"},
		{"a=", "value of a at byte 3 is empty"},
		{"num_threads=1/num_threads=2", "num_threads is given twice"},
	} {
		v, err := Resolve(c.text, codes, 4)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %s, %v, want %q", c.text, v, err, c.want)
		}
	}
	if _, err := Resolve("x", nil, 4); err == nil {
		t.Error("something is found among no codes")
	}
}

func TestMatchNarrows(t *testing.T) {
	codes := spmv()
	matching, err := Match("independent>cooperative/num_threads=2", codes, 4)
	if err != nil || len(matching) != 2 {
		t.Fatalf("%v, %v", matching, err)
	}
	if codes[0].Launch[0].Values != nil {
		t.Error("Match changed what it was given")
	}
	choices, err := Untrained{}.Rank(Input{Cores: 4, Codes: matching,
		Features: []Feature{{Name: Length, Value: 1e6}, {Name: AverageRowLength, Value: 100}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range choices {
		if param.NumThreads.Or(c.Variant.Policy, 0, 0) != 2 || c.Variant.Schedule != "independent>cooperative" {
			t.Errorf("%s does not agree with the text", c.Variant)
		}
	}
}

func TestFillLaunch(t *testing.T) {
	code := spmv()[2]
	v, err := FillLaunch(code, 4, Setting{Name: "chunk_size_1", Value: "64"}, Setting{Name: "num_threads", Value: "2"})
	want := "SpMV.1/nest/independent>sequential/goroutine/num_threads=2,enable_nesting=false,omp_schedule_1=static,chunk_size_1=64,execution_resource_1=pool,unroll_2=4"
	if err != nil || v.String() != want {
		t.Errorf("%s, %v, want %s", v, err, want)
	}
	for _, s := range []Setting{{Name: "chunk_size", Value: "64"}, {Name: "unroll_2", Value: "1"}, {Name: "num_threads", Value: "two"}} {
		if v, err := FillLaunch(code, 4, s); err == nil {
			t.Errorf("%s with %s", v, s)
		}
	}
}

func TestLaunchConflict(t *testing.T) {
	chained := Code{Variant: Variant{Computation: "Scan.1", Form: "nest", Schedule: "cooperative", Platform: "goroutine",
		Policy: []Setting{{Name: "execution_resource_1", Value: "pool"}, {Name: "scan_algo_1", Value: "chained"}}},
		Launch: []Launch{{Name: "num_threads"}, {Name: "enable_nesting", Values: []string{"false", "true"}}, {Name: "omp_schedule_1", Values: []string{"static", "dynamic", "guided"}}}}
	if v, err := FillLaunch(chained, 2); err != nil || v.String() != "Scan.1/nest/cooperative/goroutine/num_threads=2,enable_nesting=false,omp_schedule_1=dynamic,execution_resource_1=pool,scan_algo_1=chained" {
		t.Errorf("default: %s, %v", v, err)
	}
	if v, err := FillLaunch(chained, 2, Setting{Name: "num_threads", Value: "1"}); err != nil || v.String() != "Scan.1/nest/cooperative/goroutine/num_threads=1,enable_nesting=false,omp_schedule_1=static,execution_resource_1=pool,scan_algo_1=chained" {
		t.Errorf("one thread: %s, %v", v, err)
	}
	_, err := FillLaunch(chained, 2, Setting{Name: "omp_schedule_1", Value: "static"})
	if err == nil || !strings.Contains(err.Error(), "dynamic or guided") {
		t.Errorf("static: %v", err)
	}
	_, err = Resolve("enable_nesting=true", []Code{chained}, 2)
	if err == nil || !strings.Contains(err.Error(), "1 of the variant's levels use the pool") {
		t.Errorf("nesting: %v", err)
	}
}

func TestThreadCounts(t *testing.T) {
	for cores, want := range map[int]string{0: "[1]", 1: "[1]", 2: "[1 2]", 6: "[1 2 4 6]", 8: "[1 2 4 8]"} {
		var words []string
		for _, n := range ThreadCounts(cores) {
			words = append(words, strconv.Itoa(n))
		}
		if got := "[" + strings.Join(words, " ") + "]"; got != want {
			t.Errorf("%d cores: %s, want %s", cores, got, want)
		}
	}
	for _, c := range []struct {
		work         float64
		limit, cores int
		want         int
	}{{0, 8, 8, 1}, {2*workPerThread - 1, 8, 8, 1}, {2 * workPerThread, 8, 8, 2}, {3.9 * workPerThread, 8, 8, 2}, {1e9, 8, 8, 8}, {1e9, 3, 8, 3}, {5 * workPerThread, 6, 6, 4}, {7 * workPerThread, 6, 6, 6}, {1e9, 1, 8, 1}} {
		if got := threadsFor(c.work, workPerThread, c.limit, c.cores); got != c.want {
			t.Errorf("%g operations, at most %d of %d: %d threads, want %d", c.work, c.limit, c.cores, got, c.want)
		}
	}
}

func TestSelectNothing(t *testing.T) {
	_, err := Untrained{}.Rank(Input{Computation: "Other.1", Codes: spmv(), Cores: 2})
	if err == nil || !strings.Contains(err.Error(), `"Other.1"`) {
		t.Errorf("error %v", err)
	}
}

// Programs with generated code link this package: it imports package param and the standard library only.
func TestImports(t *testing.T) {
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), e.Name(), nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range file.Imports {
			if path, _ := strconv.Unquote(i.Path.Value); strings.Contains(path, ".") && path != "github.com/surge-ndp/surge/selector/param" || path == "reflect" {
				t.Errorf("%s imports %s", e.Name(), path)
			}
		}
	}
}
