package selector

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

// testModel has n variants and s support vectors in two dimensions.
func testModel(n, s int) *Model {
	rng := rand.New(rand.NewPCG(1, 2))
	svm := &SVM{Gamma: 2, C: 10}
	c := &Classifier{Computation: "SpMV.1", Machine: svm, Summary: Summary{Inputs: s, Tests: 3, Measured: 209, Regret: 0.01, Worst: 0.1, Untrained: 0.3, Seconds: 61.25, Measurements: "5d41402abc4b2a76"},
		Features: []Scaling{{Name: Length, Unit: "elements in all", Log: true, Low: 10, High: 1e6}, {Name: AspectRatio, Low: 1, High: 8}}}
	for i := range n {
		c.Variants = append(c.Variants, Variant{Computation: "SpMV.1", Form: "nest", Schedule: "sequential>sequential", Platform: "goroutine", Policy: []Setting{{Name: "unroll_2", Value: fmt.Sprint(i)}}})
	}
	pairs := n * (n - 1) / 2
	for range pairs {
		svm.Bias = append(svm.Bias, rng.Float64()-0.5)
	}
	for range s {
		svm.Support = append(svm.Support, []float64{rng.Float64(), rng.Float64()})
		w := make([]float64, pairs)
		for i := range w {
			w[i] = rng.NormFloat64()
		}
		svm.Weights = append(svm.Weights, w)
	}
	if err := c.Check(); err != nil {
		panic(err)
	}
	return &Model{Kernel: "SpMV", Hash: "34f0c2d1a8b7e695", Platform: "goroutine", Device: "amd64, vectors avx512, 2 cores, Some CPU @ 2 GHz", Computations: []*Classifier{c}}
}

func input2(length, ratio float64) []Feature {
	return []Feature{{Name: AspectRatio, Value: ratio}, {Name: Length, Unit: "elements", Value: length}} // another order than the model's
}

func TestModelRoundTrip(t *testing.T) {
	for _, m := range []*Model{testModel(1, 0), testModel(2, 1), testModel(5, 30), testModel(MaxClasses, 8)} {
		text, err := FormatModels([]*Model{m})
		if err != nil {
			t.Fatal(err)
		}
		back, err := ParseModels(text)
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		again, err := FormatModels(back)
		if err != nil || !bytes.Equal(text, again) {
			t.Errorf("%v; printed again:\n%s\nfirst:\n%s", err, again, text)
		}
		if got, want := back[0].Computations[0].Features, m.Computations[0].Features; !slices.Equal(got, want) {
			t.Errorf("features %+v, want %+v", got, want)
		}
		rng := rand.New(rand.NewPCG(3, 4))
		for range 100 {
			f := input2(math.Pow(10, 6*rng.Float64()+0.5), 0.2+10*rng.Float64())
			a, ok := m.Computations[0].Decide(f)
			b, also := back[0].Computations[0].Decide(f)
			if !ok || !also || a != b {
				t.Fatalf("%v: %v and %v", f, a, b)
			}
		}
	}
}

// The decision is that of the definition: one vote a pair.
func TestDecide(t *testing.T) {
	c := testModel(4, 20).Computations[0]
	svm := c.Machine.(*SVM)
	rng := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		f := input2(math.Pow(10, 5*rng.Float64()+1), 1+7*rng.Float64())
		z := []float64{c.Features[0].Scale(f[1].Value), c.Features[1].Scale(f[0].Value)}
		votes := make([]float64, 4)
		m := 0
		for a := range 4 {
			for b := a + 1; b < 4; b++ {
				d := svm.Bias[m]
				for i, s := range svm.Support {
					d += svm.Weights[i][m] * math.Exp(-svm.Gamma*((z[0]-s[0])*(z[0]-s[0])+(z[1]-s[1])*(z[1]-s[1])))
				}
				if d >= 0 {
					votes[a]++
				} else {
					votes[b]++
				}
				m++
			}
		}
		v, ok := c.Decide(f)
		if !ok || v.Count != 4 || votes[v.Order[0]] != slices.Max(votes) {
			t.Fatalf("order %v for votes %v", v.Order[:4], votes)
		}
		for a := range 4 {
			if math.Abs(v.Values[a]-votes[a]) > 0.5 {
				t.Fatalf("value %v of %d for %v votes", v.Values[a], a, votes[a])
			}
		}
		for i := 1; i < 4; i++ {
			if v.Values[v.Order[i-1]] < v.Values[v.Order[i]] {
				t.Fatalf("%v is not in order of %v", v.Order[:4], v.Values[:4])
			}
		}
	}
}

func TestDecay(t *testing.T) {
	const rate = 1.7
	var xs []float64
	for x := 0.0; x*rate < 680; x += 0.0137 {
		xs = append(xs, x)
	}
	got := slices.Clone(xs)
	decay(got, rate)
	for i, x := range xs {
		if want := math.Exp(-rate * x); math.Abs(got[i]-want) > 1e-8*want {
			t.Fatalf("decay of %g is %g, want %g", x, got[i], want)
		}
	}
	far := []float64{410, 1e300, math.Inf(1)}
	decay(far, rate)
	for i, y := range far {
		if !(y >= 0 && y < 1e-299) {
			t.Errorf("decay %d is %g", i, y)
		}
	}
	zero := []float64{0, 5}
	if decay(zero, 0); zero[0] != 1 || zero[1] != 1 {
		t.Errorf("decay at no rate: %v", zero)
	}
	zero[0] = 0
	if decay(zero, math.MaxFloat64); zero[0] != 1 || !(zero[1] < 1e-299) {
		t.Errorf("decay at the greatest rate: %v", zero)
	}
}

func TestDecideRefuses(t *testing.T) {
	c := testModel(3, 5).Computations[0]
	for _, f := range [][]Feature{nil, {{Name: Length, Value: 5}}, input2(math.NaN(), 1), input2(100, math.NaN()), input2(0, 1), input2(1e9, 1), input2(math.Inf(1), 1), input2(100, 50), input2(100, -9)} {
		if _, ok := c.Decide(f); ok || c.Refusal(f) == "" {
			t.Errorf("decided on %v", f)
		}
	}
	// A little beyond the range of the training inputs the nearest end counts.
	for _, pair := range [][2]float64{{2, 10}, {7e6, 1e6}} {
		a, _ := c.Decide(input2(pair[0], 2))
		b, ok := c.Decide(input2(pair[1], 2))
		if !ok || a != b {
			t.Errorf("%v decides other than %v", pair[0], pair[1])
		}
	}
}

func TestTrainedRanks(t *testing.T) {
	c := testModel(3, 9).Computations[0]
	var codes []Code
	for _, v := range c.Variants {
		codes = append(codes, Code{Variant: v})
	}
	r := c.For(codes, func(Variant) bool { return true })
	in := Input{Computation: "SpMV.1", Features: input2(1000, 2), Cores: 2, Codes: codes}
	all, err := r.Rank(in)
	if err != nil || len(all) != 3 || r.Name() != "svm" {
		t.Fatal(all, err)
	}
	best := slices.IndexFunc(c.Variants, all[0].Variant.Equal)
	if all[0].Code != best {
		t.Errorf("code %d, want %d", all[0].Code, best)
	}
	in.Codes = slices.Delete(slices.Clone(in.Codes), best, best+1)
	rest, err := r.Rank(in)
	if err != nil || len(rest) != 2 || !rest[0].Variant.Equal(all[1].Variant) || !strings.Contains(rest[0].Reason, "number 2") {
		t.Errorf("without the best: %v %v", rest, err)
	}
	for _, in := range []Input{{Computation: "SpMV.1", Codes: codes}, {Computation: "SpMV.1", Features: in.Features}} {
		if _, err := r.Rank(in); err == nil {
			t.Errorf("decided for %+v", in)
		}
	}
}

// corrupt gives each way to break a model file with what the refusal has to mention.
func TestBrokenModels(t *testing.T) {
	good, err := FormatModels([]*Model{testModel(3, 4)})
	if err != nil {
		t.Fatal(err)
	}
	text := string(good)
	body := text[:strings.LastIndex(text, "checksum")]
	sealed := func(s string) string { return s + "checksum " + checksum([]byte(s)) + "\n" }
	replace := func(old, with string) string {
		if !strings.Contains(body, old) {
			t.Fatalf("the test model has no %q", old)
		}
		return sealed(strings.Replace(body, old, with, 1))
	}
	for name, c := range map[string]struct{ text, want string }{
		"empty":                {"", "empty"},
		"another file":         {"%!PS-Adobe\n", "no model file"},
		"binary":               {"\x00\x01\x02", "no model file"},
		"newer":                {replace("surge model 2", "surge model 3"), "version 3"},
		"older":                {replace("surge model 2", "surge model 1"), "version 1, and this surge reads version 2: train again"},
		"another kind":         {replace("ranker svm", "ranker forest"), `the ranker "forest" is none of svm, tree, threshold: train again`},
		"version is no number": {replace("surge model 2", "surge model x"), "not a number"},
		"cut in a line":        {text[:len(text)/2], "cut"},
		"cut at a line":        {body, "cut"},
		"no last line feed":    {strings.TrimSuffix(text, "\n"), "cut"},
		"edited":               {strings.Replace(text, "worst 0.1", "worst 0.2", 1), "checksum"},
		"wrong checksum":       {body + "checksum 0000000000000000\n", "checksum"},
		"more behind":          {text + "hello\n", "more behind"},
		"unknown statement":    {replace("platform", "plattform"), `want platform`},
		"no device":            {replace("device amd64, vectors avx512, 2 cores, Some CPU @ 2 GHz", "device"), "no name"},
		"NaN":                  {replace("gamma 2", "gamma NaN"), "not a number"},
		"infinite":             {replace("gamma 2", "gamma Inf"), "not a number"},
		"negative gamma":       {replace("gamma 2", "gamma -2"), "gamma -2"},
		"range":                {replace("log 10 1e+06", "log 10 1"), "range"},
		"scale":                {replace("elements_in_all log", "elements cubic"), "cubic"},
		"feature twice":        {replace("feature aspect_ratio -", "feature length -"), "twice"},
		"bad variant":          {replace("sequential>sequential", "sequential>parallel"), "parallel"},
		"variant twice":        {replace("unroll_2=1", "unroll_2=0"), "twice"},
		"foreign variant":      {replace("variant SpMV.1", "variant Other.1"), "another computation"},
		"foreign computation":  {sealed(strings.ReplaceAll(body, "SpMV.1", "Sum.1")), "does not belong"},
		"missing variant":      {replace("variant SpMV.1/nest/sequential>sequential/goroutine/unroll_2=2\n", ""), "2 variants need 1"},
		"short vector":         {replace("\nvector", "\nvector 1"), "vector"},
		"missing weight":       {replace(" :", " : 1"), "support vector"},
		"negative count":       {replace("inputs 4", "inputs -4"), "count"},
		"no end":               {replace("end SpMV.1\n", ""), "want end SpMV.1"},
		"twice": {func() string {
			rest := strings.TrimPrefix(body, "surge model 2\n")
			return sealed(body + rest)
		}(), "two models"},
	} {
		models, err := ParseModels([]byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %d models, error %v, want %q", name, len(models), err, c.want)
		}
	}
	if _, err := ParseModels(good); err != nil {
		t.Error(err)
	}
}

func TestFindModel(t *testing.T) {
	m := testModel(2, 2)
	for _, c := range []struct{ kernel, hash, platform, device, want string }{
		{m.Kernel, m.Hash, m.Platform, m.Device, ""},
		{"Other", m.Hash, m.Platform, m.Device, ""},
		{m.Kernel, "0", m.Platform, m.Device, "the kernel has changed"},
		{m.Kernel, m.Hash, m.Platform, "arm64", "another device"},
		{m.Kernel, m.Hash, "opencl", m.Device, ""},
	} {
		got, why := FindModel([]*Model{m}, c.kernel, c.hash, c.platform, c.device)
		if (got != nil) != (c.kernel == m.Kernel && c.hash == m.Hash && c.platform == m.Platform && c.device == m.Device) || !strings.Contains(why, c.want) || (why == "") != (c.want == "") {
			t.Errorf("%+v: %v, %q", c, got != nil, why)
		}
	}
}

func TestDecideDoesNotAllocate(t *testing.T) {
	c, f := testModel(6, 60).Computations[0], input2(4711, 3)
	if n := testing.AllocsPerRun(100, func() { c.Decide(f) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzParseModels(f *testing.F) {
	trees := testModel(3, 0)
	trees.Computations = append(trees.Computations, withMachine(3, testTree()), withMachine(3, testThresholds()))
	for _, m := range []*Model{testModel(1, 0), testModel(3, 3), trees} {
		text, err := FormatModels([]*Model{m})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		// With a right checksum, so that more than that is tried.
		if at := bytes.LastIndex(text, []byte("checksum ")); at >= 0 {
			text = fmt.Appendf(bytes.Clone(text[:at]), "checksum %s\n", checksum(text[:at]))
		}
		models, err := ParseModels(text)
		if err != nil {
			return
		}
		again, err := FormatModels(models)
		if err != nil {
			t.Fatalf("read but not written: %v", err)
		}
		if _, err := ParseModels(again); err != nil {
			t.Fatal(err)
		}
		for _, m := range models {
			for _, c := range m.Computations {
				fs := make([]Feature, len(c.Features))
				for i, s := range c.Features {
					fs[i] = Feature{Name: s.Name, Unit: s.Unit, Value: 3}
				}
				if v, ok := c.Decide(fs); ok != (c.Refusal(fs) == "") || ok && v.Count != len(c.Variants) {
					t.Fatalf("a parsed classifier decides %v, %v", v, ok)
				}
			}
		}
	})
}

// BenchmarkDecide is the cost of a decision on constant-time features: of a model that was trained on matrices, and of
// one with more variants and support vectors than training gives.
func BenchmarkDecide(b *testing.B) {
	text, err := os.ReadFile("testdata/spmv.model")
	if err != nil {
		b.Fatal(err)
	}
	trained, err := ParseModels(text)
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name       string
		classifier *Classifier
		features   []Feature
	}{
		{"spmv", trained[0].Computations[0], []Feature{{Name: Length, Unit: "elements", Value: 17758}, {Name: AverageRowLength, Unit: "elements", Value: 7.1}}},
		{"6 variants, 60 vectors", testModel(6, 60).Computations[0], input2(4711, 3)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, ok := c.classifier.Decide(c.features); !ok {
					b.Fatal("no decision")
				}
			}
		})
	}
}

// A logarithmic feature that is zero for some inputs still tells the others apart.
func TestScaleWithZeros(t *testing.T) {
	s := Scaling{Name: RowLengthDeviation, Log: true, Low: 0, High: 10}
	if a, b, c := s.Scale(0), s.Scale(0.1), s.Scale(10); a != 0 || b < 0.3 || b > 0.7 || c < 0.999 {
		t.Errorf("%g, %g, %g", a, b, c)
	}
	if !s.Covers(0) || s.Covers(-1) || s.Covers(math.NaN()) || !s.Covers(79) || s.Covers(81) {
		t.Error("covers")
	}
}

// Whatever is done to a line of a model file, it is refused with a reason, and where the checksum is made right again
// the file is either refused or a model that decides.
func TestEveryLineBroken(t *testing.T) {
	trained, err := os.ReadFile("testdata/spmv.model")
	if err != nil {
		t.Fatal(err)
	}
	m := testModel(3, 0)
	m.Computations = []*Classifier{withMachine(3, testTree()), withMachine(3, testThresholds())}
	trees, err := FormatModels([]*Model{m})
	if err != nil {
		t.Fatal(err)
	}
	breakLines(t, trained)
	breakLines(t, trees)
}

func breakLines(t *testing.T, text []byte) {
	lines := strings.SplitAfter(string(text), "\n")
	lines = lines[:len(lines)-1]
	sealed := func(body string) string { return body + "checksum " + checksum([]byte(body)) + "\n" }
	try := func(what string, altered []string) {
		t.Helper()
		whole := strings.Join(altered, "")
		if whole != string(text) {
			if _, err := ParseModels([]byte(whole)); err == nil || err.Error() == "" {
				t.Errorf("%s: accepted", what)
			}
		}
		models, err := ParseModels([]byte(sealed(strings.Join(altered[:max(len(altered)-1, 0)], ""))))
		if err != nil {
			return
		}
		for _, m := range models {
			for _, c := range m.Computations {
				for _, x := range []float64{0, 1, 1000, 1e300, math.NaN(), math.Inf(1), -1} {
					fs := make([]Feature, len(c.Features))
					for i, s := range c.Features {
						fs[i] = Feature{Name: s.Name, Unit: s.Unit, Value: x}
					}
					if v, ok := c.Decide(fs); ok && (v.Count != len(c.Variants) || int(v.Order[0]) >= v.Count) {
						t.Fatalf("%s: it decides %+v", what, v)
					}
				}
			}
		}
	}
	for i, line := range lines {
		edit := func(what, with string) {
			try(fmt.Sprintf("line %d, %s", i+1, what), slices.Concat(lines[:i], []string{with}, lines[i+1:]))
		}
		edit("left out", "")
		edit("twice", line+line)
		edit("empty", "\n")
		edit("cut", line[:len(line)/2])
		edit("cut and ended", line[:len(line)/2]+"\n")
		edit("more words", strings.TrimSuffix(line, "\n")+" 1 x\n")
		edit("no text", "\x00\xff"+line)
		try(fmt.Sprintf("cut behind line %d", i+1), lines[:i+1])
		if i > 0 {
			swapped := slices.Clone(lines)
			swapped[i-1], swapped[i] = swapped[i], swapped[i-1]
			try(fmt.Sprintf("lines %d and %d changed places", i, i+1), swapped)
		}
		words := strings.Fields(line)
		for w := range words {
			for _, with := range []string{"", "0", "-1", "1e308", "-1e308", "1e-320", "NaN", "x", "99999999999999999999"} {
				altered := slices.Clone(words)
				altered[w] = with
				edit(fmt.Sprintf("word %d is %q", w+1, with), strings.Join(altered, " ")+"\n")
			}
		}
	}
}
