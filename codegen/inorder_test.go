package codegen

import (
	"errors"
	"testing"

	"github.com/surge-ndp/surge/ops/cut"
	"github.com/surge-ndp/surge/ops/load"
	"github.com/surge-ndp/surge/selector"
)

// TestStepsInOrder checks that each computation of a step of a kernel that is cut has code that computes in the order
// of the source, without which runs of it could not be reproducible.
func TestStepsInOrder(t *testing.T) {
	pkg, err := load.Load(t.Context(), "../internal/corpus", load.Options{Whole: true})
	if err != nil {
		t.Fatal(err)
	}
	every := 1
	if testing.Short() {
		every = 7
	}
	cuts := 0
	for i, src := range pkg.Kernels {
		if i%every != 0 {
			continue
		}
		own := *pkg
		own.Kernels = []*load.Kernel{src}
		p, err := Compile(&own, Options{Variants: ModelVariants, Context: t.Context()})
		if err != nil {
			continue
		}
		c, err := p.CutKernel(p.Kernels[0])
		if errors.As(err, new(*cut.Refused)) {
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		cuts++
		for _, step := range c.steps {
			for _, one := range step.Fused.Computations {
				codes, _, err := p.Codes(step, selector.Host, one)
				if err != nil {
					t.Fatal(err)
				}
				found := len(codes) == 0
				for _, code := range codes {
					found = found || code.InOrder()
				}
				if !found {
					t.Errorf("%s: %s has no code in order: %v", src.Name, one.Name, codes)
				}
			}
		}
	}
	if cuts*every < 40 {
		t.Errorf("%d kernels are cut, of every %d", cuts, every)
	}
}
