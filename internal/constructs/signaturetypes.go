// Types

package constructs

import (
	"time"

	"github.com/surge-ndp/surge/ops"
)

// TradeSide is a number of a type of its own.
type TradeSide int32

// TradePrice is one too.
type TradePrice float64

// Recording and SideGrid are sequences of types of their own.
type (
	Recording []float64
	GridRow   []TradeSide
	SideGrid  []GridRow
)

// SignedPrices gives each side a sign.
//
// Construct: parameters, elements and results of a named type over a number
//
//surge:kernel
func SignedPrices(sides []TradeSide, prices []TradePrice, scale TradePrice) ([]TradePrice, []TradeSide, TradeSide) {
	signed := ops.Map2(func(s TradeSide, p TradePrice) TradePrice {
		if s < 0 {
			return -p * scale
		}
		return p * scale
	}, sides, prices)
	flipped := ops.Map(func(s TradeSide) TradeSide { return -s }, sides)
	return signed, flipped, ops.Reduce(func(a, b TradeSide) TradeSide { return a + b }, sides, 0)
}

// Waits adds waits up, and the time that each leaves of a limit.
//
// Construct: a named type of another package: time.Duration
//
//surge:kernel
func Waits(waits []time.Duration, limit time.Duration) (total time.Duration, left []time.Duration) {
	total = ops.Reduce(func(a, b time.Duration) time.Duration { return a + b }, waits, 0)
	left = ops.Map(func(w time.Duration) time.Duration { return max(limit-w, 0) }, waits)
	return total, left
}

// Stretched takes and returns a named sequence.
//
// Construct: a parameter and a result of a named type over a slice
//
//surge:kernel
func Stretched(v Recording, by float64) Recording {
	return ops.Map(func(x float64) float64 { return x * by }, v)
}

// Cells adds up the cells of each row of a grid, and returns the grid with its signs changed.
//
// Construct: slices of slices whose types are all named
//
//surge:kernel
func Cells(g SideGrid) ([]TradeSide, SideGrid) {
	sums := ops.Map(func(row GridRow) TradeSide {
		return ops.Reduce(func(a, b TradeSide) TradeSide { return a + b }, row, 0)
	}, g)
	negated := ops.Map(func(row GridRow) GridRow { return ops.Map(func(c TradeSide) TradeSide { return -c }, row) }, g)
	return sums, negated
}
