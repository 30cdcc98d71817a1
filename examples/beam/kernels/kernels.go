// Package kernels has four kernels that run block by block on a cluster.
package kernels

import (
	"math"

	"github.com/surge-ndp/surge/ops"
)

//go:generate go run -C ../../.. ./cmd/surge generate --target beam examples/beam/kernels

// SpMV multiplies a matrix in compressed sparse row form by a dense vector.
//
//surge:kernel
func SpMV(values []float64, columns []int32, offsets []int, x []float64) []float64 {
	rows, cols := ops.Nest(values, offsets), ops.Nest(columns, offsets)
	return ops.Map2(func(row []float64, col []int32) float64 {
		return ops.Reduce(plus, ops.Map2(func(a, b float64) float64 { return a * b }, row, ops.Gather(x, col)), 0)
	}, rows, cols)
}

func plus(a, b float64) float64 { return a + b }

// Histogram counts the elements of each value below bins.
//
//surge:kernel
func Histogram(x []int32, bins int) []int {
	return ops.Histogram(func(a, b int) int { return a + b }, bins, x, ops.Replicate(1, len(x)), 0)
}

// Assign is the half of a turn of k-means that looks at all points, of which each has d coordinates: the sum of the
// points that are the nearest to each centroid, and how many these are.
//
//surge:kernel
func Assign(points []float64, d int, centroids []float64) (sums []float64, counts []int) {
	ps, cs := ops.Split(points, d), ops.Split(centroids, d)
	labels := ops.Map(func(p []float64) int {
		best, least := 0, -1.0
		for j, c := range cs {
			distance := 0.0
			for i, x := range p {
				distance += (x - c[i]) * (x - c[i])
			}
			if least < 0 || distance < least {
				best, least = j, distance
			}
		}
		return best
	}, ps)
	sums = ops.Flatten(ops.Histogram(func(x, y []float64) []float64 { return ops.Map2(plus, x, y) }, len(cs), labels, ps, ops.Replicate(0.0, d)))
	counts = ops.Histogram(func(a, b int) int { return a + b }, len(cs), labels, ops.Replicate(1, len(labels)), 0)
	return sums, counts
}

// Rank is a turn of PageRank: page i is linked from pages from[offsets[i]:offsets[i+1]], shares has what each page
// hands on over each of its links, and base what every page gets. It returns the ranks, and by how much one moved at
// most.
//
//surge:kernel
func Rank(from []int32, offsets []int, shares, ranks []float64, base, damping float64) (next []float64, moved float64) {
	next = ops.Map(func(links []int32) float64 {
		return base + damping*ops.Reduce(plus, ops.Gather(shares, links), 0)
	}, ops.Nest(from, offsets))
	moved = ops.Reduce(func(a, b float64) float64 { return max(a, b) },
		ops.Map2(func(a, b float64) float64 { return math.Abs(a - b) }, next, ranks), 0)
	return next, moved
}
