package torture

import (
	"fmt"
	"testing"

	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/codegen/goroutine"
	"github.com/surge-ndp/surge/codegen/internal/meaning"
	"github.com/surge-ndp/surge/codegen/opencl"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/selector"
)

// TestMeaning runs the code of random kernels in an interpreter, without a compiler or a driver: a code for each
// schedule, or all of them if -torture.codes is 0. With -torture.n=1 and -torture.seed it runs one kernel.
func TestMeaning(t *testing.T) {
	n := *flagN
	switch {
	case n > 0:
	case testing.Short():
		n = 25
	default:
		n = 200
	}
	var kernels []*Kernel
	for i := range n {
		kernels = append(kernels, Generate(fmt.Sprintf("K%03d", i), *flagSeed+uint64(i)))
	}
	runs, refused := 0, 0
	compiled := func(k *codegen.Kernel) {
		inputs := meaning.Inputs(k.Source, nil, []int{11, 0, 24}, false)
		for _, platform := range []string{goroutine.Platform.Name, opencl.Platform.Name} {
			out, err := meaning.Check{Kernel: k, Devices: platform == opencl.Platform.Name, All: *flagCodes == 0,
				Codes: func(c *fuse.Computation) []selector.Code { return k.Codes(platform, c.Name) }}.Run(inputs)
			if err != nil {
				t.Errorf("%s: %v", platform, err)
			}
			runs += out.Runs
			if out.Elements < 8 {
				refused++
			}
		}
	}
	if _, err := compileBatch(t.Context(), t.TempDir(), kernels, Options{PerPackage: 25, Platform: opencl.Platform.Name, Compiled: compiled}); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d kernels, %d runs of codes; %d times a kernel refuses all inputs", n, runs, refused)
	if runs < 10*n {
		t.Errorf("%d runs of the codes of %d kernels", runs, n)
	}
}
