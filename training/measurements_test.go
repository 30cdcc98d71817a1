package training

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/harness"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/training/fit"
)

// fixture is a file with real measurements of SpMV on 16 matrices, of a part of the variants.
func fixture(t *testing.T) string {
	t.Helper()
	f, err := os.Open("testdata/spmv.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "spmv.jsonl")
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// replayer is a trainer that only has recorded measurements.
func replayer(t *testing.T, paths ...string) *Trainer {
	t.Helper()
	store, err := OpenMeasurements(paths, true)
	if err != nil {
		t.Fatal(err)
	}
	return &Trainer{Kernel: &harness.KernelInfo{Name: "SpMV", Hash: "fixture", Computations: []harness.ComputationInfo{{Name: "SpMV.1"}}},
		Platform: "goroutine", Device: "test device", Store: store, Names: map[string]string{}}
}

// halves deals recorded inputs out.
func halves(t *testing.T, tr *Trainer) (train, test []string) {
	t.Helper()
	all, err := tr.Recorded(nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, id := range all {
		if i%2 == 0 {
			train = append(train, id)
		} else {
			test = append(test, id)
		}
	}
	return train, test
}

// Training from recorded measurements times nothing and gives the same model every time, also from two files.
func TestReplayIsDeterministic(t *testing.T) {
	path := fixture(t)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	first, second := filepath.Join(t.TempDir(), "1"), filepath.Join(t.TempDir(), "2")
	for file, part := range map[string][][]byte{first: lines[:len(lines)/2], second: lines[len(lines)/2:]} {
		if err := os.WriteFile(file, bytes.Join(part, nil), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var models []string
	for _, paths := range [][]string{{path}, {path}, {first, second}} {
		tr := replayer(t, paths...)
		if len(tr.Store.Warnings) > 0 {
			t.Fatal(tr.Store.Warnings)
		}
		train, test := halves(t, tr)
		l, err := tr.Fit(train, test)
		if err != nil {
			t.Fatal(err)
		}
		text, why, err := MergeModel(nil, l.Models[0])
		if err != nil || why != "" {
			t.Fatal(why, err)
		}
		models = append(models, string(text))
		j := l.Judged[0]
		if !j.HeldOut || len(j.Test.Inputs) != len(test) || j.Method(fit.ByOracle).Mean != 0 || j.Method(fit.ByClasses).Mean > j.Method(fit.ByModel).Mean {
			t.Errorf("judgement %+v", j.Methods)
		}
		if s := j.Classifier.Summary; s.Inputs != len(train) || s.Tests != len(test) || len(s.Measurements) != 16 || s.Seconds <= 0 {
			t.Errorf("summary %+v", s)
		}
	}
	if models[0] != models[1] || models[0] != models[2] {
		t.Errorf("three models:\n%s", strings.Join(models, "\n"))
	}
}

// A replayed search asks for a part of the measurements, and learns from those alone.
func TestReplayedSearch(t *testing.T) {
	tr := replayer(t, fixture(t))
	train, test := halves(t, tr)
	tr.Strategy = NewSearch(1)
	part := tr.Replay(train)
	again := replayer(t, fixture(t))
	again.Strategy = NewSearch(1)
	if p := again.Replay(train); p != part || part <= 0 || part >= 0.9 {
		t.Errorf("the search took %.3f and %.3f of the time", part, p)
	}
	l, err := tr.Fit(train, test)
	if err != nil {
		t.Fatal(err)
	}
	missing := 0
	for _, in := range l.Judged[0].Train.Inputs {
		for _, ns := range in.Times {
			if math.IsNaN(ns) {
				missing++
			}
		}
	}
	if missing == 0 {
		t.Error("the search measured everything")
	}
}

// Damaged and foreign lines are skipped with a warning; the rest counts.
func TestDamagedMeasurements(t *testing.T) {
	path := fixture(t)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	good := len(replayer(t, path).Store.inputs)
	lines := strings.SplitAfter(string(text), "\n")
	for name, c := range map[string]struct {
		line, want string
	}{
		"cut":               {lines[0][:40] + "\n", "1 line skipped: damaged"},
		"no JSON":           {"hello\n", "1 line skipped: damaged"},
		"another version":   {strings.Replace(lines[0], `"v":1`, `"v":2`, 1), "1 line skipped: written by another version"},
		"no kernel":         {`{"v":1,"input":"x","name":"y"}` + "\n", "1 line skipped: damaged"},
		"unknown input":     {strings.Replace(lines[1], `"input":"`, `"input":"0`, 1), "1 line skipped: damaged"},
		"negative time":     {strings.Replace(lines[1], `"ns":[`, `"ns":[-1,`, 1), "1 line skipped: damaged"},
		"unknown status":    {strings.Replace(lines[1], `"status":"ok"`, `"status":"fine"`, 1), "1 line skipped: damaged"},
		"not a variant":     {strings.Replace(lines[1], `"variant":"SpMV.1/`, `"variant":"SpMV/`, 1), "1 line skipped: damaged"},
		"negative cost":     {strings.Replace(lines[0], `"features":[{`, `"features":[{"cost":-1,"name":"x"},{`, 1), "1 line skipped: damaged"},
		"feature twice":     {strings.Replace(lines[0], `"features":[{`, `"features":[{"name":"x"},{"name":"x"},{`, 1), "1 line skipped: damaged"},
		"negative turn":     {strings.Replace(lines[1], `"took":`, `"took":-`, 1), "1 line skipped: damaged"},
		"very long":         {strings.Repeat("x", 1<<25) + "\n", "1 line skipped: damaged"},
		"nothing but a cut": {"\n\n" + `{"v":1,"ker`, "1 line skipped: damaged"},
	} {
		if err := os.WriteFile(path, []byte(strings.Join(lines[:50], "")+c.line+strings.Join(lines[50:], "")), 0o666); err != nil {
			t.Fatal(err)
		}
		m, err := OpenMeasurements([]string{path}, true)
		if err != nil {
			t.Fatal(err)
		}
		if name == "nothing but a cut" {
			continue // it swallows the line behind it, as a cut line that nobody ended would
		}
		if len(m.Warnings) != 1 || !strings.Contains(m.Warnings[0], c.want) || len(m.inputs) != good {
			t.Errorf("%s: warnings %v, %d of %d inputs", name, m.Warnings, len(m.inputs), good)
		}
	}
	if _, err := OpenMeasurements([]string{filepath.Join(t.TempDir(), "none")}, true); err == nil {
		t.Error("a file that does not exist was read")
	}
}

// A file without any measurement is something else, to which nothing may be added; one of another version is not.
func TestNoMeasurements(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for text, ok := range map[string]bool{
		"": true, "\n \n": true, `{"v":2,"times":[1]}`: true,
		"# Notes\n\nabout this": false, `{"kernel":"K","hash":"h","device":"d"}`: false,
		`{"v":1,"kernel":"K"}`: true, `{"v":1,"kern`: true, // damaged, as by a full disk, and nothing else
	} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, readOnly := range []bool{true, false} {
			m, err := OpenMeasurements([]string{path}, readOnly)
			if err == nil {
				m.Close()
			}
			if after, _ := os.ReadFile(path); (err == nil) != ok || !ok && string(after) != text {
				t.Errorf("%q, read only %t: %v, and then the file is %q", text, readOnly, err, after)
			}
		}
	}
}

// What was written by a process that was killed in the middle of a line does not spoil the next line.
func TestMeasurementsAfterACrash(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deep", "m.jsonl")
	r := record{Kernel: "K", Hash: "h", Device: "d", Computation: "K.1", Input: "i"}
	open := func() *Measurements {
		m, err := OpenMeasurements([]string{path}, false)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	put := func(m *Measurements, r record) {
		if err := m.put(r); err != nil {
			t.Fatal(err)
		}
	}
	m := open()
	intro := r
	intro.Name, intro.Untrained = "A=x", "K.1/nest/sequential/goroutine"
	put(m, intro)
	m.file.WriteString(`{"v":1,"kernel":"K","ha`)
	m.Close()
	m = open()
	run := r
	run.Variant, run.Status, run.Times, run.Took = intro.Untrained, OK, []float64{10, 12}, 50
	put(m, run)
	put(m, run)
	m.Close()
	m = open()
	defer m.Close()
	in := m.find("h", "d", "K.1", "i")
	if len(m.Warnings) != 1 || in == nil || len(in.variants[intro.Untrained].times) != 4 || in.variants[intro.Untrained].took != 100 {
		t.Errorf("warnings %v, %+v", m.Warnings, in)
	}
	if got := m.seconds("h", "d", "K.1", []string{"i"}, nil); got != 100/1e9 {
		t.Errorf("%g s", got)
	}
}

// Where the machine was half as fast in some rounds, the final comparison still finds the faster variant.
func TestFinalComparisonIsRelative(t *testing.T) {
	in := &measuredInput{finals: 1, variants: map[string]*measuredVariant{
		"a": {status: OK, number: 1, final: []float64{10, 20, 20, 10, 20, 20}, times: []float64{40}},
		"b": {status: OK, number: 1, final: []float64{11, 22, 22, 11, math.NaN(), 22}, times: []float64{20}},
		"c": {status: OK, times: []float64{6}}, // measured while the machine was fast
		"d": {status: Failed},
		"e": {status: OK, number: 1, final: []float64{12, 24, 24, 12, 24, 24}, times: []float64{24}},
	}}
	index := map[string]int{"a": 0, "b": 1, "c": 2, "d": 3, "e": 4}
	times := slices.Repeat([]float64{math.NaN()}, 5)
	in.fill(times, make([][]float64, len(times)), index)
	if r := times[1] / times[0]; math.Abs(r-1.1) > 0.02 {
		t.Errorf("b takes %.3f times as long as a", r)
	}
	if times[2] < times[0] || !math.IsInf(times[3], 1) {
		t.Errorf("times %v", times)
	}
}

func TestRecordedOtherVersion(t *testing.T) {
	tr := replayer(t, fixture(t))
	tr.Kernel.Hash = "changed"
	if _, err := tr.Recorded(nil); err == nil || !strings.Contains(err.Error(), "another version of the kernel") {
		t.Errorf("error %v", err)
	}
	tr = replayer(t, fixture(t))
	if _, err := tr.Recorded([]string{"A=nothing"}); err == nil || !strings.Contains(err.Error(), "no measurements of these inputs") {
		t.Errorf("error %v", err)
	}
}

func TestMergeModel(t *testing.T) {
	tr := replayer(t, fixture(t))
	train, _ := halves(t, tr)
	l, err := tr.Fit(train, nil)
	if err != nil {
		t.Fatal(err)
	}
	count := func(text []byte) int {
		models, err := selector.ParseModels(text)
		if err != nil {
			t.Fatal(err)
		}
		return len(models)
	}
	one, _, err := MergeModel(nil, l.Models[0])
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := *l.Models[0]
	elsewhere.Device = "another device"
	two, _, err := MergeModel(one, &elsewhere)
	if err != nil || count(two) != 2 {
		t.Fatal(err)
	}
	same, _, err := MergeModel(two, &elsewhere)
	if err != nil || count(same) != 2 {
		t.Fatal(err)
	}
	changed := *l.Models[0]
	changed.Hash = "changed"
	if text, _, err := MergeModel(two, &changed); err != nil || count(text) != 1 {
		t.Errorf("models of an old version stay: %v", err)
	}
	if text, why, err := MergeModel(one[:50], l.Models[0]); err != nil || count(text) != 1 || why == "" {
		t.Errorf("a broken file: %q, %v", why, err)
	}
}

// Whatever stands in a measurement file, it is read, and training on it gives a model that can be written or an error.
func FuzzMeasurements(f *testing.F) {
	file, err := os.Open("testdata/spmv.jsonl.gz")
	if err != nil {
		f.Fatal(err)
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		f.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		f.Fatal(err)
	}
	// Two inputs with some of their lines are enough to learn from.
	var few []byte
	count := map[string]int{}
	for line := range bytes.Lines(text) {
		at := bytes.Index(line, []byte(`"input":"`))
		id := string(line[at : at+20])
		if count[id]++; count[id] <= 4 && len(count) <= 2 {
			few = append(few, line...)
		}
	}
	f.Add(few)
	f.Add(bytes.ReplaceAll(few, []byte(`"value":`), []byte(`"value":"NaN","x":`)))
	f.Add(bytes.ReplaceAll(few, []byte(`"status":"ok"`), []byte(`"status":"failed"`)))
	f.Add(bytes.ReplaceAll(few, []byte(`"took":`), []byte(`"final":7,"round":3,"took":`)))
	f.Add(bytes.ReplaceAll(few, []byte(`"took":`), []byte(`"duel":2,"round":5,"took":`)))
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "m.jsonl")
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
		tr := replayer(t, path)
		all, err := tr.Recorded(nil)
		if err != nil || len(all) > 6 {
			return // nothing of this kernel, or too much to learn from many times
		}
		tr.Strategy = NewSearch(1)
		for _, search := range []bool{false, true} {
			if search {
				tr.Replay(all)
			}
			l, err := tr.Fit(all[:len(all)/2], all[len(all)/2:])
			if err != nil {
				if err.Error() == "" {
					t.Fatal("an error without a text")
				}
				continue
			}
			if _, _, err := MergeModel(nil, l.Models[0]); err != nil {
				t.Fatalf("it cannot be written: %v", err)
			}
			tr.Duels(l, all[:len(all)/2], all[len(all)/2:])
		}
	})
}

// Comparisons in several passes: the times of all passes count together, and where a variant is now fast and now
// slow, its expected time does, not that which is a little more frequent. A turn now and then that something else
// disturbed says nothing.
func TestExpectedTimes(t *testing.T) {
	const passCount = 9
	steady, flips, disturbed := make([]float64, passCount*passRounds), make([]float64, passCount*passRounds), make([]float64, passCount*passRounds)
	for r := range steady {
		steady[r], flips[r], disturbed[r] = 100, 60, 100
		if r/passRounds%2 == 0 {
			flips[r] = 150 // five of nine passes
		}
		if r%7 == 3 {
			disturbed[r] = 200
		}
	}
	in := &measuredInput{finals: 1, variants: map[string]*measuredVariant{
		"steady": {status: OK, number: 1, final: steady}, "flips": {status: OK, number: 1, final: flips},
		"same": {status: OK, number: 1, final: steady}, "disturbed": {status: OK, number: 1, final: disturbed},
	}}
	index := map[string]int{"steady": 0, "flips": 1, "same": 2, "disturbed": 3}
	times, passes := slices.Repeat([]float64{math.NaN()}, 4), make([][]float64, 4)
	in.fill(times, passes, index)
	if r := times[1] / times[0]; !(r > 1.05 && r < 1.25) {
		t.Errorf("times %v: the mean of the one that flips is 110, its median 150", times)
	}
	if times[3] != times[0] {
		t.Errorf("times %v: five disturbed turns of 36 count", times)
	}
	row := fit.Input{Times: times, Passes: passes}
	if e := row.Uncertainty(1); !(e > 0.1 && e < 0.3) {
		t.Errorf("standard error %g of nine passes of -40 %% and 50 %%", e)
	}
	if e := row.Uncertainty(2); e != 0 {
		t.Errorf("standard error %g between two that are equal", e)
	}
}

// The comparisons of two recordings of the same input are not mixed: those of the later file count, though both
// number them from 1. A file that continues another, as one that was cut in two, belongs to the same comparison.
func TestTwoRecordingsOfAnInput(t *testing.T) {
	a, b := "SpMV.1/nest/sequential>sequential/goroutine/unroll_1=1", "SpMV.1/nest/sequential>sequential/goroutine/unroll_1=2"
	head := `{"v":1,"kernel":"SpMV","hash":"h","device":"d","computation":"SpMV.1","input":"i",`
	recording := func(rounds int, nsA, nsB float64) string {
		text := head + `"name":"A","features":[{"name":"length","value":7}],"untrained":"` + a + `"}` + "\n"
		for kind, first := range map[string]int{"final": 1, "duel": 1} {
			for round := first; round <= rounds; round++ {
				for variant, ns := range map[string]float64{a: nsA, b: nsB} {
					text += fmt.Sprintf(`%s"variant":%q,"status":"ok","ns":[%g],"%s":1,"round":%d}`+"\n", head, variant, ns, kind, round)
				}
			}
		}
		return text
	}
	// In the first, a takes half of what b does; in the second, which is shorter, twice as long.
	first, second := recording(20, 100, 200), recording(12, 4000, 2000)
	half := bytes.LastIndexByte([]byte(second[:len(second)/2]), '\n') + 1
	for name, c := range map[string]struct {
		files []string
		want  float64 // the time of a as a part of that of b
	}{
		"one": {[]string{first}, 0.5}, "two": {[]string{first, second}, 2}, "in the other order": {[]string{second, first}, 0.5},
		"one in two": {[]string{second[:half], second[half:]}, 2}, "two joined to one": {[]string{first + second}, 2},
		"two joined in the other order": {[]string{second + first}, 0.5}, "three, two of them joined": {[]string{first, second + first}, 0.5},
	} {
		var paths []string
		for i, text := range c.files {
			paths = append(paths, filepath.Join(t.TempDir(), fmt.Sprint(i)))
			if err := os.WriteFile(paths[i], []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		m, err := OpenMeasurements(paths, true)
		if err != nil || len(m.Warnings) > 0 {
			t.Fatal(err, m.Warnings)
		}
		table, _, err := m.table("h", "d", "SpMV.1", []string{"i"}, nil, nil, nil, true)
		if err != nil {
			t.Fatal(err)
		}
		at := func(text string) int {
			return slices.IndexFunc(table.Variants, func(v selector.Variant) bool { return v.String() == text })
		}
		in := table.Inputs[0]
		for what, times := range map[string][]float64{"comparison": in.Times, "duel": in.Duel} {
			if got := times[at(a)] / times[at(b)]; math.Abs(got-c.want) > 1e-9 {
				t.Errorf("%s: in the %s one takes %g of the other, want %g", name, what, got, c.want)
			}
		}
		for _, p := range in.Passes {
			if slices.ContainsFunc(p, func(x float64) bool { return p[0] != x }) {
				t.Errorf("%s: passes are mixed: %v", name, p)
			}
		}
	}
}
