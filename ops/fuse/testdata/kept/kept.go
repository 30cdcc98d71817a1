// Package kept has loops that update an element of an array in all turns. The comment of each kernel says how many
// loops carry an array behind the pass, those that copy one among them.
package kept

import "slices"

// Product sums up where the sum lies. The loop over the elements of a row stays, and is a Map for the next pass.
//
// Loops: 1
//
//surge:kernel
func Product(x, y []float64, n int) [][]float64 {
	out := make([][]float64, len(x))
	for i := range out {
		sums := make([]float64, len(y))
		for p := range sums {
			for s := range n {
				sums[p] += x[i] * y[(p+s)%len(y)]
			}
		}
		out[i] = sums
	}
	return out
}

// Under does so under conditions, by several loops.
//
// Loops: 1
//
//surge:kernel
func Under(x []int, n int) []int {
	out := make([]int, len(x))
	for i, v := range x {
		best := make([]int, len(x))
		for p := range best {
			for s := range n {
				if s%2 == v%2 {
					best[p] += s
					for best[p] > 20 {
						best[p] -= v*v + 1
					}
				} else if best[p] < s {
					best[p] = s
				}
			}
		}
		for p, w := range best {
			out[i] += w * p
		}
	}
	return out
}

// Place has an index that may lie outside of the array: it fails in the first turn, if there is one.
//
// Loops: 2
//
//surge:kernel
func Place(x []int, at, n int) []int {
	z := slices.Clone(x)
	last := 0
	for last < 30 {
		for s := 0; s < n; s++ {
			z[at] += s*last + 1
		}
		last += len(z) + 3
		z[0]++
	}
	return z
}

// Two uses another element.
//
// Loops: 3
//
//surge:kernel
func Two(x []int, at, n int) []int {
	z := slices.Clone(x)
	last := 0
	for last < 30 {
		for s := 0; s < n; s++ {
			z[at] += z[0] + 1
		}
		last += len(z) + 3
	}
	return z
}

// Moving has another element in each turn.
//
// Loops: 3
//
//surge:kernel
func Moving(x []int, at, n int) []int {
	z := slices.Clone(x)
	last := 0
	for last < 30 {
		for s := 0; s < n; s++ {
			z[at+s%2] += 1 + s
		}
		last += len(z) + 3
	}
	return z
}

// Sometimes does not come to the element in each turn, which may lie outside.
//
// Loops: 3
//
//surge:kernel
func Sometimes(x []int, at, n int) []int {
	z := slices.Clone(x)
	last := 0
	for last < 30 {
		for s := 0; s < n; s++ {
			if s > at {
				z[at] += 1 + s
			}
		}
		last += len(z) + 3
	}
	return z
}
