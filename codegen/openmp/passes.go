package openmp

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/codegen/kir/pass"
	"github.com/surge-ndp/surge/codegen/lower"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/selector"
)

// Passes are what a function goes through between lowering and printing, in this order. The C compiler does the rest.
var Passes = []pass.Pass[*kir.Func]{pass.Prune, pass.Elements, pass.Stack}

// Lower returns the function of a variant of computation c, ready to be printed. The error says why the variant
// cannot be realised. observe, unless it is nil, is shown what lowering yields and what each pass makes of it.
func Lower(k *fuse.Kernel, c *fuse.Computation, v selector.Variant, name string, observe pass.Observer) (*kir.Func, error) {
	if err := lower.NoCalls(c); err != nil {
		return nil, err
	}
	f, err := lower.Computation(k, c, v, name)
	if err != nil {
		return nil, err
	}
	if observe != nil {
		observe("lower", "the nest as loops over the resources of the schedule", f)
	}
	return f, pass.Run(f, Passes, observe)
}
