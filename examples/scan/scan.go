// Package scan computes prefix sums in three steps: Listing 4 of the Surge paper.
package scan

import "github.com/surge-ndp/surge/ops"

// Scan gives the exclusive prefix sums of s, starting from prefix: element i of the result is
// prefix + s[0] + … + s[i-1]. It sums the tiles of tileSize elements, scans those sums, and scans
// each tile from the sum before it: three computations, each with its own schedule. tileSize must
// be positive.
//
//surge:kernel
func Scan(s []float64, tileSize int, prefix float64) []float64 {
	plus := func(a, b float64) float64 { return a + b }
	tiles := ops.Split(s, tileSize)
	partials := ops.Map(func(tile []float64) float64 {
		return ops.Reduce(plus, tile, 0)
	}, tiles)
	prefixes := ops.Scan(plus, partials, prefix)
	return ops.Flatten(ops.Map2(func(tile []float64, p float64) []float64 {
		return ops.Scan(plus, tile, p)
	}, tiles, prefixes))
}

// PrefixSums is the flat scan: one computation, which a schedule divides instead of the source.
//
//surge:kernel
func PrefixSums(s []float64, prefix float64) []float64 {
	return ops.Scan(func(a, b float64) float64 { return a + b }, s, prefix)
}
