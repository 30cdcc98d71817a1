package codegen

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/load"
	"github.com/surge-ndp/surge/selector"
)

// chosenAmong compiles a package for the given variants.
func chosenAmong(t *testing.T, dir string, which Variants) *Program {
	t.Helper()
	pkg, err := load.Load(context.Background(), dir, load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := Compile(pkg, Options{Machine: PortableMachine(), Platforms: []string{selector.Host}, Variants: which})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestModelVariants checks that the choice without training is the same among the codes that generated files have as
// among all, for random inputs and every class of machines, and so is what it estimates.
func TestModelVariants(t *testing.T) {
	asked := 0
	dirs := []string{"../examples/spmv", "../examples/reduction", "../examples/scan"}
	if !testing.Short() {
		dirs = append(dirs, "../examples/kmeans", "../examples/comd", "../internal/kernels")
	}
	for _, dir := range dirs {
		p := chosenAmong(t, dir, ModelVariants)
		for _, k := range p.Kernels {
			for _, c := range k.Fused.Computations {
				all := k.Codes(selector.Host, c.Name)
				kept, omitted, err := p.Codes(k, selector.Host, c)
				if err != nil || len(kept)+omitted != len(all) {
					t.Fatalf("%s: %d codes and %d omitted of %d: %v", c.Name, len(kept), omitted, len(all), err)
				}
				bits, err := vectorBits(context.Background(), k, all)
				if err != nil {
					t.Fatal(err)
				}
				for _, class := range vectorClasses {
					in := inAllForms(k, c)
					some := in // with the same features
					for i, code := range all {
						if bits[i].needed > class {
							continue
						}
						in.Codes = append(in.Codes, code)
						if slices.ContainsFunc(kept, func(o selector.Code) bool { return o.Variant.Equal(code.Variant) }) {
							some.Codes = append(some.Codes, code)
						}
					}
					random := rand.New(rand.NewPCG(uint64(class), 1))
					for range 200 {
						randomise(random, in.Features)
						in.Cores = 1 << random.IntN(7)
						in.Threads = random.IntN(4)
						some.Cores, some.Threads = in.Cores, in.Threads
						want, err := selector.Untrained{}.Rank(in)
						if err != nil {
							t.Fatal(err)
						}
						got, err := selector.Untrained{}.Rank(some)
						if err != nil {
							t.Fatal(err)
						}
						asked++
						if !got[0].Variant.Equal(want[0].Variant) {
							t.Errorf("%v, %d cores, %d threads, vectors of %d bits:\n%s of the generated codes\n%s of all", in.Features, in.Cores, in.Threads, class, got[0].Variant, want[0].Variant)
						}
						a, b := some.Estimate()
						x, y := in.Estimate()
						if a != x || b != y {
							t.Errorf("%s, %v: the generated codes are estimated at %g (%g guessed), all at %g (%g guessed)", c.Name, in.Features, a, b, x, y)
						}
					}
				}
				if t.Failed() {
					return
				}
			}
		}
	}
	t.Logf("%d choices", asked)
}

// inAllForms is what programs ask about a computation in all its forms, without codes and with features that have no
// values.
func inAllForms(k *Kernel, c *fuse.Computation) selector.Input {
	in := question(c)
	in.Features = nil
	for _, f := range k.Features(c) {
		in.Features = append(in.Features, selector.Feature{Name: f.Name, Unit: f.Unit})
	}
	for _, f := range k.Forms[slices.Index(k.Fused.Computations, c)].All[1:] {
		of := question(f.Computation)
		in.Forms = append(in.Forms, selector.Form{Name: f.Name, AsNest: asNest(f), Strided: of.Strided, Costs: of.Costs})
	}
	return in
}

// randomise gives features values in the range that programs meet, those of each form by themselves.
func randomise(random *rand.Rand, features []selector.Feature) {
	up := func(to float64) float64 { return math.Floor(math.Pow(to, random.Float64())) }
	var length, row, inner float64
	for i := range features {
		f := &features[i]
		name := f.Name[strings.LastIndex(f.Name, ".")+1:]
		if name == selector.Length { // the first of a form
			length = up(1e8)
			row = up(min(1e7, 1e10/length))
			inner = up(min(1e7, 1e10/length/row))
		}
		switch name {
		case selector.Length:
			f.Value = length
		case selector.AspectRatio:
			f.Value = length / row
		case selector.AverageRowLength:
			f.Value = row * (0.5 + random.Float64()/2)
		case selector.InnerRowLength:
			f.Value = inner
		default:
			f.Value = up(1e6)
		}
	}
}

// TestNumberOfVariants checks that a number gives as many, the likeliest, and the plainest code besides, that a
// model's codes come first, and that names are read back.
func TestNumberOfVariants(t *testing.T) {
	const dir = "../examples/spmv"
	all := chosenAmong(t, dir, AllVariants)
	space := all.Kernels[0].Codes(selector.Host, "SpMV.1")
	rare := space[slices.IndexFunc(space, func(c selector.Code) bool { return c.Form == selector.Nest })+1] // pool inside pool, which nothing wants without a model
	v, err := selector.FillLaunch(rare, 4)
	if err != nil {
		t.Fatal(err)
	}
	model := &selector.Model{Kernel: "SpMV", Hash: all.Kernels[0].Hash, Platform: selector.Host, Computations: []*selector.Classifier{{Computation: "SpMV.1", Variants: []selector.Variant{v}}}}
	other := *model
	other.Hash = "another kernel"
	for _, c := range []struct {
		which  Variants
		models []*selector.Model
		least  int
		most   int
		rare   bool
	}{
		{1, nil, 2, 2, false}, {3, nil, 3, 4, false}, {10000, nil, len(space), len(space), true}, {AllVariants, nil, len(space), len(space), true},
		{ModelVariants, nil, 3, len(space) / 2, false}, {1, []*selector.Model{model}, 2, 2, true}, {1, []*selector.Model{&other}, 2, 2, false},
		{ModelVariants, []*selector.Model{&other, model}, 4, len(space) / 2, true},
	} {
		p := all
		p.opt.Variants, p.opt.Models = c.which, c.models
		codes, omitted, err := p.Codes(p.Kernels[0], selector.Host, p.Kernels[0].Fused.Computations[0])
		if err != nil || len(codes) < c.least || len(codes) > c.most || len(codes)+omitted != len(space) {
			t.Errorf("%s: %d codes, %d omitted, %v; want %d to %d", c.which, len(codes), omitted, err, c.least, c.most)
			continue
		}
		if last := codes[len(codes)-1]; !last.Unrolls(&space[len(space)-1]) {
			t.Errorf("%s: the last code is %s", c.which, last.Variant)
		}
		if got := slices.ContainsFunc(codes, func(o selector.Code) bool { return o.Variant.Equal(rare.Variant) }); got != c.rare {
			t.Errorf("%s with %d models: it is %t that there is %s", c.which, len(c.models), got, rare.Variant)
		}
		if back, err := ParseVariants(c.which.String()); err != nil || back != c.which {
			t.Errorf("%s is read back as %s, %v", c.which, back, err)
		}
		files, err := p.Generated()
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(files["spmv_surge.go"]), "{Text: "); n != len(codes) {
			t.Errorf("%s: the file has %d codes, want %d", c.which, n, len(codes))
		}
	}
	for _, text := range []string{"", "0", "-1", "ALL", "1.5", "some"} {
		if v, err := ParseVariants(text); err == nil {
			t.Errorf("%q is read as %s", text, v)
		}
	}
}

// TestCheckedOnce checks that a computation whose checks are those of one before it has no inspector of its own, and
// that one with others has.
func TestCheckedOnce(t *testing.T) {
	for dir, want := range map[string]map[string]bool{
		"comd":   {" eAM1_inspect": true, " eAMRedistributed3_inspect": false},
		"kmeans": {" step2_inspect": true, " step3_inspect": true, " step4_inspect": true, " step7_inspect": true},
	} {
		files, err := chosenAmong(t, "../examples/"+dir, Variants(1)).Generated()
		if err != nil {
			t.Fatal(err)
		}
		for text, there := range want {
			if got := strings.Contains(string(files[dir+"_surge.go"]), text); got != there {
				t.Errorf("%s: it is %t that there is %q", dir, got, text)
			}
		}
	}
}
