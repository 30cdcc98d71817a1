package codegen

import (
	"slices"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/codegen/kir/pass"
	"github.com/surge-ndp/surge/codegen/lower"
	"github.com/surge-ndp/surge/codegen/target"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/load"
	"github.com/surge-ndp/surge/policy"
	"github.com/surge-ndp/surge/schedule"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/selector/param"
)

// listing is a platform that a test adds: a processor without parallelism, whose code is the text of the kernel IR.
// Nothing but the list of targets knows of it.
type listing struct{}

var listingTable = &policy.Platform{
	Name: "listing", Doc: "the text of the kernel IR",
	ScheduleConstraints: []schedule.Constraint{{Name: "sequential", Doc: "Nothing runs in parallel.",
		Reason: func(_ fuse.Sequence, s schedule.Schedule) string {
			if s.ParallelLevels() > 0 {
				return "a parallel level"
			}
			return ""
		}}},
}

type listed struct{ *kir.Func }

func (l listed) Verify() error             { return kir.Verify(l.Func) }
func (listed) Unfit(policy.Machine) string { return "" }

func (listing) Platform() *policy.Platform   { return listingTable }
func (listing) Limit(*policy.Machine, bool)  {}
func (listing) Here(bool) target.Report      { return target.Report{} }
func (listing) Ready() (bool, error)         { return false, nil }
func (listing) Label() string                { return "Listing" }
func (listing) RunTime() string              { return "example.com/listing" }
func (listing) CheckEnvironment() error      { return nil }
func (listing) File(base string) target.File { return listingFile{base} }

func (listing) Lower(k *fuse.Kernel, c *fuse.Computation, v selector.Variant, name string, observe pass.Observer) (target.Code, error) {
	f, err := lower.Computation(k, c, v, name)
	if err == nil && observe != nil {
		observe("lower", "the nest as loops", f)
	}
	return listed{f}, err
}

func (listing) Source(c target.Code, doc string) string { return "# " + doc + "\n" + c.String() }

type listingFile struct{ base string }

func (f listingFile) Kernel(frame *target.Frame) target.Kernel { return listingKernel{frame} }
func (f listingFile) End() string                              { return "" }
func (f listingFile) Others() (map[string][]byte, error) {
	return map[string][]byte{f.base + ".listing": []byte("all of it\n")}, nil
}

type listingKernel struct{ frame *target.Frame }

func (k listingKernel) Func(int, selector.Code, target.Code) (string, error) {
	return "listing.Func{" + k.frame.Name + "}", nil
}
func (k listingKernel) End() string { return "" }

// TestNewTarget adds a platform to the list, and finds it wherever platforms are asked for: in search spaces, in the
// code and the kernel IR of a variant, and in generated files.
func TestNewTarget(t *testing.T) {
	before := targets
	targets = append(slices.Clone(targets), listing{})
	defer func() { targets = before }()
	pkg, err := load.Load(t.Context(), "../examples/spmv", load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := Compile(pkg, Options{Machine: PortableMachine(), Platforms: []string{selector.Host, "listing"}, Code: []string{"listing"}})
	if err != nil {
		t.Fatal(err)
	}
	k := p.Kernels[0]
	space := k.Space("listing", k.Fused.Computations[0].Name, selector.Nest)
	if space == nil || len(space.Codes()) != 1 {
		t.Fatalf("the search space of the new platform: %+v", space)
	}
	v := space.Codes()[0].Variant
	if v.Platform != "listing" || v.Schedule != "sequential>sequential" {
		t.Errorf("its variant is %s", v)
	}
	stages, err := p.KernelIR(v)
	if err != nil || len(stages) != 1 || !strings.Contains(stages[0].Text, "for ") {
		t.Errorf("its kernel IR, %v: %v", err, stages)
	}
	code, err := p.Code(v)
	if err != nil || !strings.HasPrefix(code, "# SpMV.1 (spmv.go:") {
		t.Errorf("its code, %v:\n%s", err, code)
	}
	files, err := p.Generated()
	if err != nil {
		t.Fatal(err)
	}
	generated := string(files["spmv_surge_listing.go"])
	for _, want := range []string{`"example.com/listing"`, "var spMVListingFrame = &exec.Frame{", `exec.Code{Text: "` + v.String() + `"`, "listing.Func{spMVListingFrame}"} {
		if !strings.Contains(generated, want) {
			t.Errorf("no %s in\n%s", want, generated)
		}
	}
	if string(files["spmv.listing"]) != "all of it\n" {
		t.Error("the platform's other file is not there")
	}
	if strings.Contains(string(files["spmv_surge.go"]), "isting") {
		t.Error("the host's file knows of the platform")
	}
}

// The parameters that TestNewParameter adds: one of the launch, and one of the code of a level.
var (
	pages = param.Int("pages", param.Whole)
	ink   = param.Enum("ink", param.Level, black, red)
)

type colour string

const (
	black colour = "black"
	red   colour = "red"
)

// inked is the platform listing, whose code depends on a parameter.
type inked struct{ listing }

func (inked) Platform() *policy.Platform { return inkedTable }

func (i inked) Lower(k *fuse.Kernel, c *fuse.Computation, v selector.Variant, name string, observe pass.Observer) (target.Code, error) {
	code, err := i.listing.Lower(k, c, v, name, observe)
	return inkedCode{code, ink.At(v.Policy, 1)}, err
}

func (i inked) Source(c target.Code, doc string) string { return i.listing.Source(c, doc) }

type inkedCode struct {
	target.Code
	colour colour
}

func (c inkedCode) String() string { return "in " + string(c.colour) + "\n" + c.Code.String() }

var inkedTable = func() *policy.Platform {
	t := *listingTable
	t.Parameters = []policy.Parameter{
		policy.Of(pages, policy.Entry[int]{Doc: "pages that are printed", Values: policy.Fixed(1, 2)}),
		policy.Of(ink, policy.Entry[colour]{Doc: "the colour of a level", Code: true, Values: policy.Fixed(black, red),
			Applies: func(_ fuse.Level, e schedule.Element) bool { return !e.Parallel() }}),
	}
	t.Constraints = []policy.Constraint{{Name: "red_once", Doc: "Red is dear.", Code: true, Reason: func(c policy.Context) string {
		if ink.At(c.Policy, 1) == red && ink.At(c.Policy, 2) == red {
			return "red twice"
		}
		return ""
	}}}
	return &t
}()

// TestNewParameter adds parameters to a platform's table, and finds them wherever parameters are asked for: in
// search spaces and what is pruned, in texts that name variants and in what is said about wrong ones, in the code of
// a variant, and in generated files. Nothing but the table and what reads them knows of them.
func TestNewParameter(t *testing.T) {
	before := targets
	targets = append(slices.Clone(targets), inked{})
	defer func() { targets = before }()
	pkg, err := load.Load(t.Context(), "../examples/spmv", load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := Compile(pkg, Options{Machine: PortableMachine(), Platforms: []string{selector.Host, "listing"}, Code: []string{"listing"}})
	if err != nil {
		t.Fatal(err)
	}
	space := p.Kernels[0].Space("listing", p.Kernels[0].Fused.Computations[0].Name, selector.Nest)
	if space == nil || len(space.Codes()) != 3 || space.Size() != 6 || len(space.Pruned) != 1 || space.Pruned[0].Reason != "red twice" || space.Pruned[0].Count != 2 {
		t.Fatalf("the search space: %+v", space)
	}
	v, err := selector.Resolve("ink_2=red,pages=2", space.Codes(), 4)
	if err != nil || v.Policy.String() != "pages=2,ink_1=black,ink_2=red" || pages.At(v.Policy, 0) != 2 || ink.At(v.Policy, 2) != red {
		t.Errorf("%s, %v", v, err)
	}
	for text, want := range map[string]string{
		"ink_1=blue": "ink_1 is one of black, red", "pages=none": "pages is one of 1, 2", "ink_3=red": "did you mean ink_1 or ink_2",
	} {
		if _, err := selector.Resolve(text, space.Codes(), 4); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	code, err := p.Code(space.Codes()[2].Variant)
	if want := string(ink.At(space.Codes()[2].Policy, 1)); err != nil || !strings.Contains(code, "in "+want+"\n") {
		t.Errorf("the code does not have the colour %s, %v:\n%s", want, err, code)
	}
	files, err := p.Generated()
	if err != nil {
		t.Fatal(err)
	}
	if generated := string(files["spmv_surge_listing.go"]); !strings.Contains(generated, `Launch: "pages=1|2"`) {
		t.Errorf("no launch parameter in\n%s", generated)
	}
}
