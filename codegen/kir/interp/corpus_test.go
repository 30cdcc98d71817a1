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
	"github.com/surge-ndp/surge/policy"
	"github.com/surge-ndp/surge/selector"
)

var only = flag.String("only", "", "run kernels whose names begin so only")

// TestDevices runs the device code of every kernel that this module has, and compares it with what the IR means: all
// of it, or in a short test one code for each schedule.
func TestDevices(t *testing.T) { runAll(t, opencl.Platform.Name, codegen.PortableMachine()) }

// TestPool does the same with the code of the worker pool, for vectors of one length of each kind.
func TestPool(t *testing.T) {
	m := codegen.PortableMachine()
	m.Lanes = map[int][]int{4: {8}, 8: {4}}
	runAll(t, goroutine.Platform.Name, m)
}

// TestLoopsInLanes does the same with code for compilers that make the vectors themselves: what loops say of their
// turns is true.
func TestLoopsInLanes(t *testing.T) { runAll(t, openmp.Platform.Name, codegen.PortableMachine()) }

// slow are kernels that take a quarter of a minute for each platform, as what gives the meaning of the IR copies a
// long sequence for each element that is updated: short tests leave them out.
var slow = map[string]bool{"Statement": true}

func runAll(t *testing.T, platform string, m policy.Machine) {
	for _, dir := range packages {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			pkg, err := load.Load(t.Context(), dir, load.Options{Whole: true})
			if pkg == nil {
				t.Fatal(err)
			}
			p, err := codegen.Compile(pkg, codegen.Options{Machine: m, Platforms: []string{platform}})
			if p == nil {
				t.Fatal(err)
			}
			sizes := []int{13, 0, 29}
			if pkg.Name == "corpus" { // whose inputs are a part of that
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
				out, err := check.Run(meaning.Inputs(k.Source, makers[pkg.Name+"."+cmp.Or(k.WayOf, k.Source.Name)], sizes, pkg.Name == "constructs"))
				switch {
				case err != nil:
					t.Error(err)
				case out.Elements < 8:
					t.Logf("%s refuses all inputs", k.Source.Name)
				}
				runs += out.Runs
			}
			t.Logf("%d kernels, %d runs of codes", len(p.Kernels), runs)
		})
	}
}

var packages = []string{"../../../examples/spmv", "../../../examples/reduction", "../../../examples/scan", "../../../examples/kmeans",
	"../../../examples/comd", "../../../internal/corpus", "../../../internal/constructs", "../../../internal/kernels"}
