package goroutine

import (
	"errors"
	"slices"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/codegen/kir/pass"
	"github.com/surge-ndp/surge/codegen/lower"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/selector"
)

// Passes are what a function goes through between lowering and printing, in this order.
var Passes = []pass.Pass[*kir.Func]{unmerged, pass.Prune, accumulators, pass.Elements, shorter, invariants, operandsInMemory,
	spillScalars, pass.Stack, jumps, bounded, gathered, woven}

// codePasses are those of a variant's code. What runs once a call has no loops that are worth more lines.
var codePasses = slices.Concat(Passes, []pass.Pass[*kir.Func]{moves, severalTurns, cleared})

// halvedPasses are those of a variant's code for machines whose vectors have half as many bits.
var halvedPasses = slices.Concat([]pass.Pass[*kir.Func]{halves}, codePasses)

// Lower returns the function of a variant of computation c, ready to be printed. The error says why the variant
// cannot be realised. observe, unless it is nil, is shown what lowering yields and what each pass makes of it.
func Lower(k *fuse.Kernel, c *fuse.Computation, v selector.Variant, name string, observe pass.Observer) (*kir.Func, error) {
	f, err := lower.Computation(k, c, v, name)
	if err != nil {
		return nil, err
	}
	if observe != nil {
		observe("lower", "the nest as loops over the resources of the schedule", f)
	}
	return f, pass.Run(f, codePasses, observe)
}

// lowerHalved returns the function of a variant whose function is f by vectors of half as many bits, nil if it has
// none.
func lowerHalved(k *fuse.Kernel, c *fuse.Computation, v selector.Variant, f *kir.Func) (*kir.Func, error) {
	if !mixesWidths(f) {
		return nil, nil
	}
	halved, err := lower.Computation(k, c, v, f.Name+"Halves")
	if err != nil {
		return nil, err
	}
	if err := pass.Run(halved, halvedPasses, nil); errors.Is(err, errWhole) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	return halved, nil
}

// Inspector returns the function that makes the checks of computation c which depend on the kernel's inputs alone,
// nil if there are none.
func Inspector(k *fuse.Kernel, c *fuse.Computation, name string) (*kir.Func, error) {
	f, err := lower.Inspector(k, c, name)
	if f == nil || err != nil {
		return nil, err
	}
	return f, pass.Run(f, Passes, nil)
}

// Host returns a function of statements that lowering yields for the host.
func Host(name string, body []kir.Stmt) (*kir.Func, error) {
	f := &kir.Func{Name: name, Body: body}
	return f, pass.Run(f, Passes, nil)
}
