package fuse

import (
	"math/bits"

	"github.com/surge-ndp/surge/ops/ir"
)

// fieldCost is what lanes take for a number of a struct, of what it costs to read it alone.
func fieldCost(p *Place) float64 {
	if p.Apart > 0 {
		return apartCost * float64(p.Apart-1)
	}
	return 1
}

// packCost is what packing an element of a row takes, of what it costs lanes to read it alone: there are instructions
// that transpose vectors of numbers that are not narrow.
func packCost(k ir.Kind) float64 {
	if k.Bytes() < 4 {
		return 1. / 4
	}
	return 1. / 16
}

// waitingCost is what an element of a Hist takes that lanes have computed: it waits in a buffer for its turn. Rows are
// combined on the lanes of their own level.
func waitingCost(op *ir.Hist) float64 {
	if op.Row() != nil {
		return 0
	}
	cost := binCost*float64(len(op.Init)) + weigh(op.Comb.Body)
	for _, r := range op.Body.Results {
		if _, computed := r.(*ir.Var); computed {
			cost += storedCost
		}
	}
	return cost
}

func unaryCost(fn ir.UnaryFn) float64 {
	switch fn {
	case ir.Neg, ir.Not, ir.BitNo, ir.Abs, ir.Floor, ir.Ceil, ir.Trunc, ir.IsNaN,
		ir.OnesCount, ir.LeadingZeros, ir.TrailingZeros, ir.ReverseBytes, ir.FloatBits, ir.FromBits:
		return 1
	case ir.ReverseBits, ir.Sqrt:
		return quotientCost
	case ir.Exp, ir.Log, ir.Sin, ir.Cos:
		return functionCost
	}
	return powerCost
}

func binaryCost(op *ir.Binary) float64 {
	switch op.Fn {
	case ir.Div, ir.Rem:
		return quotientCost / divisorSaves(op.Y)
	case ir.Pow, ir.Atan2, ir.Hypot, ir.Mod:
		return powerCost
	}
	return 1
}

// divisorSaves is how many times as fast quotients of integers by a constant are: they are shifts, or products.
func divisorSaves(divisor ir.Atom) float64 {
	c, ok := divisor.(ir.Const)
	switch {
	case !ok || !c.Kind.IsInteger():
		return 1
	case bits.OnesCount64(uint64(c.Int())) == 1:
		return 4
	}
	return 2
}
