package opencl

import (
	"errors"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/codegen/kir/pass"
	"github.com/surge-ndp/surge/codegen/lower"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/selector"
)

// Passes are what a program goes through between lowering and printing, in this order.
var Passes = []pass.Pass[*kir.Device]{pass.Barriers, pass.PruneDevice, markDivergent}

// Lower returns the program of a variant of computation c, ready to be printed. The error says why the variant cannot
// be realised. observe, unless it is nil, is shown what lowering yields and what each pass makes of it.
func Lower(k *fuse.Kernel, c *fuse.Computation, v selector.Variant, name string, observe pass.Observer) (*kir.Device, error) {
	if err := lower.NoCalls(c); err != nil {
		return nil, err
	}
	if fuse.MayHang(c.Stmt) {
		return nil, errors.New("it returns out of a loop of which a later turn may not end, and nothing stops the turns of a device")
	}
	d, err := lower.Device(k, c, v, name)
	if err != nil {
		return nil, err
	}
	if observe != nil {
		observe("lower", "the nest as launches of loops over the resources of the schedule", d)
	}
	return d, pass.Run(d, Passes, observe)
}
