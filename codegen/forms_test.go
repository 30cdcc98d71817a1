package codegen

import (
	"slices"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/ops/form"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/load"
	"github.com/surge-ndp/surge/selector"
)

// onceMore is a rule that a test adds: it makes nothing else of a Map than it is. Nothing but the list of rules knows
// of it.
var onceMore = form.Rule{
	Name: "again", Doc: "a Map becomes itself",
	Arguments: func(at form.Site) []string {
		if _, ok := at.Stmt.Op.(*ir.Map); ok {
			return []string{""}
		}
		return nil
	},
	None: "it is no Map",
	Apply: func(at form.Site, _ string) (form.Rewriting, string) {
		to := at.Stmt.Clone(ir.Subst{}, at.Names)
		for i, d := range at.Stmt.Dst {
			to.Dst[i].Name = d.Name
		}
		return form.Rewriting{Stmt: to}, ""
	},
}

// TestOneMoreForm adds a rule to the list, and finds its form wherever forms are asked for: in search spaces of all
// platforms, in the code and the kernel IR of a variant, in features, and in generated files.
// Codes that are the same share a function there, which has the name of the first, of the rule applied once or twice.
func TestOneMoreForm(t *testing.T) {
	before := form.Rules
	form.Rules = append(slices.Clone(before), onceMore)
	defer func() { form.Rules = before }()
	pkg, err := load.Load(t.Context(), "../examples/spmv", load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	platforms := []string{selector.Host, "opencl", "openmp"}
	p, err := Compile(pkg, Options{Machine: PortableMachine(), Platforms: platforms, Code: platforms[1:]})
	if err != nil {
		t.Fatal(err)
	}
	k := p.Kernels[0]
	name := k.Fused.Computations[0].Name
	for _, platform := range platforms {
		nest, other := k.Space(platform, name, selector.Nest), k.Space(platform, name, "again")
		if other == nil || other.Size() != nest.Size() || other.Size() == 0 {
			t.Fatalf("%s: the space of the nest has %d variants, that of the other form is %+v", platform, nest.Size(), other)
		}
		v, own := other.Codes()[0].Variant, nest.Codes()[0].Variant
		if !strings.HasPrefix(v.String(), name+"/again/") {
			t.Errorf("a variant is %s", v)
		}
		stages, err := p.KernelIR(v)
		of, errNest := p.KernelIR(own)
		if err != nil || errNest != nil || len(stages) != len(of) {
			t.Errorf("kernel IR of %s: %v, %v", v, err, errNest)
		}
		code, err := p.Code(v)
		ownCode, errNest := p.Code(own)
		if err != nil || errNest != nil || platform == selector.Host && strings.Count(code, "\n") != strings.Count(ownCode, "\n") {
			t.Errorf("%s: %v, %v\n%s\n%s", v, err, errNest, code, ownCode)
		}
	}
	if twice := k.Forms[0].Find("again+again"); twice == nil {
		t.Error("the rule is not applied to what came of it")
	}
	if !slices.ContainsFunc(k.Features(k.Fused.Computations[0]), func(f fuse.Feature) bool { return f.Name == "again.length" }) {
		t.Error("the form has no features of its own")
	}
	files, err := p.Generated()
	if err != nil {
		t.Fatal(err)
	}
	for file, wants := range map[string][]string{
		"spmv_surge.go":        {`{Name: "again", Costs: `, `exec.Feature("again.length", `, "func spMV1_again_", `"SpMV.1/again/`},
		"spmv_surge_opencl.go": {`"SpMV.1/again/`},
		"spmv_surge_openmp.go": {`"SpMV.1/again/`},
	} {
		for _, want := range wants {
			if !strings.Contains(string(files[file]), want) {
				t.Errorf("no %s in %s", want, file)
			}
		}
	}
}
