package interp_test

import (
	"cmp"
	"flag"
	"path/filepath"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/codegen/goroutine"
	"github.com/surge-ndp/surge/codegen/internal/meaning"
	"github.com/surge-ndp/surge/codegen/opencl"
	"github.com/surge-ndp/surge/codegen/openmp"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/load"
	"github.com/surge-ndp/surge/selector"
)

var only = flag.String("only", "", "run kernels whose names begin so only")

// slow are kernels that take a quarter of a minute for each platform, as what gives the meaning of the IR copies a
// long sequence for each element that is updated: short tests leave them out.
var slow = map[string]bool{"Statement": true}

// TestKernels runs the code of every kernel that this module has for the worker pool, for vectors of one length of each
// kind, for devices, and for compilers that make the vectors themselves, where what loops say of their turns has to be
// true. It compares what the code does with what the IR means: all of it, or in a short test one code for each
// schedule of every fifth kernel.
func TestKernels(t *testing.T) {
	m := codegen.PortableMachine()
	m.Lanes = map[int][]int{4: {8}, 8: {4}}
	for _, dir := range packages {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			pkg, err := load.Load(t.Context(), dir, load.Options{Whole: true})
			if pkg == nil {
				t.Fatal(err)
			}
			if testing.Short() && len(pkg.Kernels) > 30 { // which takes more time than running the code
				pkg.Kernels = everyEighth(pkg.Kernels)
			}
			p, err := codegen.Compile(pkg, codegen.Options{Machine: m, Platforms: platforms})
			if p == nil {
				t.Fatal(err)
			}
			for _, platform := range platforms {
				t.Run(platform, func(t *testing.T) { runAll(t, p, platform) })
			}
		})
	}
}

// everyEighth returns a part of the kernels, one whose inner level on the grid may have no elements, and one whose
// work-items need as much memory each as the element that they share.
func everyEighth(kernels []*load.Kernel) (some []*load.Kernel) {
	for i, k := range kernels {
		if (i%8 == 0 || k.Name == "Learned" || k.Name == "Parts") && k.VariantOf == "" {
			some = append(some, k)
		}
	}
	return some
}

func runAll(t *testing.T, p *codegen.Program, platform string) {
	sizes := []int{13, 0, 29}
	if p.Package.Name == "corpus" { // whose inputs are a part of that
		sizes = []int{60, 0, 200}
	}
	runs := 0
	for _, k := range p.Kernels {
		if !strings.HasPrefix(k.Source.Name, *only) || testing.Short() && slow[k.Source.Name] {
			continue
		}
		if len(k.Source.Whole) > 0 { // which has no code of its own
			continue
		}
		check := meaning.Check{Kernel: k, Devices: platform == opencl.Platform.Name, All: !testing.Short(), Codes: func(c *fuse.Computation) []selector.Code {
			return k.Codes(platform, c.Name)
		}}
		given := makers[p.Package.Name+"."+cmp.Or(k.WayOf, k.Source.Name)]
		out, err := check.Run(meaning.Inputs(k.Source, given, sizes, p.Package.Name == "constructs"))
		switch {
		case err != nil:
			t.Error(err)
		case out.Elements < 8:
			t.Logf("%s refuses all inputs", k.Source.Name)
		}
		runs += out.Runs
	}
	t.Logf("%d kernels, %d runs of codes", len(p.Kernels), runs)
}

var platforms = []string{goroutine.Platform.Name, opencl.Platform.Name, openmp.Platform.Name}

var packages = []string{"../../../examples/spmv", "../../../examples/reduction", "../../../examples/scan", "../../../examples/kmeans",
	"../../../examples/comd", "../../../internal/corpus", "../../../internal/constructs", "../../../internal/kernels"}
