package beamrt

import (
	"context"

	"github.com/surge-ndp/surge/codegen/cluster"
	"github.com/surge-ndp/surge/training/blockwise"
)

// Input says where a parameter's value comes from.
type Input = blockwise.Input

// Inputs are those of all parameters, in order.
type Inputs = blockwise.Inputs

// Values are inputs that are values: what the generated function BlocksKERNEL returns.
func Values(values cluster.Slices) Inputs { return blockwise.Values(values) }

// Dry says what a run would do, and how long it would take on so many workers, or on 1 to 1,000 if none are given.
func Dry(ctx context.Context, o Options, workers ...int) (*blockwise.Plan, error) {
	if _, err := begin(ctx, o.Kernel, o.Inputs, o.BlockSize); err != nil {
		return nil, err
	}
	return blockwise.Run{Kernel: o.Kernel, Inputs: o.Inputs, FanIn: o.FanIn}.Plan(ctx, o.BlockSize, workers...)
}
