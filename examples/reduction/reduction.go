// Package reduction sums a sequence in two steps: Listing 3 of the Surge paper.
package reduction

import "github.com/surge-ndp/surge/ops"

// Reduction sums s: first the tiles of tileSize elements, each by itself, then their sums. The two
// reductions are two computations, each with its own schedule. tileSize must be positive; the sum
// of nothing is 0.
//
//surge:kernel
func Reduction(s []float64, tileSize int) float64 {
	plus := func(a, b float64) float64 { return a + b }
	partials := ops.Map(func(tile []float64) float64 {
		return ops.Reduce(plus, tile, 0)
	}, ops.Split(s, tileSize))
	return ops.Reduce(plus, partials, 0)
}

// Sum is the flat reduction: one computation, which a schedule divides instead of the source.
//
//surge:kernel
func Sum(s []float64) float64 {
	return ops.Reduce(func(a, b float64) float64 { return a + b }, s, 0)
}
