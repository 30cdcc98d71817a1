package goroutine

import (
	"slices"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/codegen/kir/pass"
	"github.com/surge-ndp/surge/codegen/lower"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/selector"
)

// Passes are what a function goes through between lowering and printing, in this order.
var Passes = []pass.Pass[*kir.Func]{pass.Prune, pass.Elements, shorter, invariants, operandsInMemory, spillScalars,
	pass.Stack, jumps, bounded, gathered, woven}

// codePasses are those of a variant's code. What runs once a call has no loops that are worth more lines.
var codePasses = slices.Concat(Passes, []pass.Pass[*kir.Func]{severalTurns})

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
