package codegen

import (
	"testing"

	"github.com/surge-ndp/surge/codegen/goroutine"
	"github.com/surge-ndp/surge/codegen/kir/pass"
	"github.com/surge-ndp/surge/codegen/opencl"
	"github.com/surge-ndp/surge/codegen/target"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/load"
	"github.com/surge-ndp/surge/selector"
)

// lowerings counts how often each variant is lowered.
type lowerings map[string]int

type countingHost struct {
	target.Target
	lowerings
}

func (t countingHost) Lower(k *fuse.Kernel, c *fuse.Computation, v selector.Variant, name string, observe pass.Observer) (target.Code, error) {
	t.lowerings[v.String()]++
	return t.Target.Lower(k, c, v, name, observe)
}

type countingExtension struct {
	target.Extension
	lowerings
}

func (t countingExtension) Lower(k *fuse.Kernel, c *fuse.Computation, v selector.Variant, name string, observe pass.Observer) (target.Code, error) {
	t.lowerings[v.String()]++
	return t.Extension.Lower(k, c, v, name, observe)
}

// TestLoweredOnce compiles a kernel and prints all of its codes: every candidate is lowered once, to know whether it
// can be, and what is printed is what came of it.
func TestLoweredOnce(t *testing.T) {
	before := targets
	defer func() { targets = before }()
	count := lowerings{}
	targets = []target.Target{countingHost{goroutine.Target, count}, countingExtension{opencl.Target, count}}
	pkg, err := load.Load(t.Context(), "../examples/spmv", load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := Compile(pkg, Options{Machine: PortableMachine(), Code: []string{opencl.Platform.Name}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Generated(); err != nil {
		t.Fatal(err)
	}
	codes := 0
	for _, space := range p.Kernels[0].Spaces {
		for _, code := range space.Codes() {
			codes++
			if _, err := p.Code(code.Variant); err != nil {
				t.Fatal(err)
			}
			if n := count[code.Variant.String()]; n != 1 {
				t.Errorf("%s is lowered %d times", code.Variant, n)
			}
		}
	}
	for v, n := range count {
		if n != 1 {
			t.Errorf("%s is lowered %d times", v, n)
		}
	}
	if codes < 50 || len(count) < codes {
		t.Errorf("%d codes of %d candidates", codes, len(count))
	}
}
