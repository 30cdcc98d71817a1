// Package kmeans is Lloyd's algorithm of section 5.3 of the Surge paper: each point goes to its nearest centroid, and each
// centroid to the mean of its points. One iteration is one kernel, a chain of computations; the program beside it turns
// until the centroids rest.
package kmeans

import (
	"math"

	"github.com/surge-ndp/surge/ops"
)

//go:generate go run github.com/surge-ndp/surge/cmd/surge generate .

// Step is one iteration over points of d coordinates each, one point after the other, and as many centroids as there
// are tiles of d in centroids. It gives the new centroids, the label of each point (the number of its nearest centroid,
// the first of several at one distance), how many points each centroid has, and the sum of squared distances of the
// points to the centroids that came in. A centroid without points stays where it is.
//
//surge:kernel
func Step(points []float64, d int, centroids []float64) (moved []float64, labels []int32, counts []int, inertia float64) {
	labels, inertia = relabel(points, d, centroids)
	moved, counts = recenter(points, d, labels, centroids)
	return moved, labels, counts, inertia
}

// StepSorted is [Step] as the paper's section 5.3 has it: its Listing 5 sorts the points by label.
//
//surge:variant-of Step
func StepSorted(points []float64, d int, centroids []float64) (moved []float64, labels []int32, counts []int, inertia float64) {
	labels, inertia = relabel(points, d, centroids)
	moved, counts = recenterSorted(points, d, labels, centroids)
	return moved, labels, counts, inertia
}

// Recenter moves every centroid to the mean of the points with its label: the second half of [Step].
//
//surge:kernel
func Recenter(points []float64, d int, labels []int32, centroids []float64) (moved []float64, counts []int) {
	return recenter(points, d, labels, centroids)
}

// near is a centroid and the square of its distance.
type near struct {
	Distance float64
	Label    int32
}

func nearer(a, b near) near {
	if b.Distance < a.Distance || b.Distance == a.Distance && b.Label < a.Label {
		return b
	}
	return a
}

func plus(a, b float64) float64 { return a + b }

func dot(x, y []float64) float64 {
	return ops.Reduce(plus, ops.Map2(func(a, b float64) float64 { return a * b }, x, y), 0)
}

// relabel finds the nearest centroid of each point from |x - y|² = x·x + y·y - 2 x·y: y·y is computed once a centroid.
func relabel(points []float64, d int, centroids []float64) (labels []int32, inertia float64) {
	cs := ops.Split(centroids, d)
	squares := ops.Map(func(c []float64) float64 { return dot(c, c) }, cs)
	numbers := ops.Range(int32(0), int32(len(cs)), 1)
	nearest := ops.Map(func(p []float64) near {
		square := dot(p, p)
		return ops.Reduce(nearer, ops.Map3(func(c []float64, cc float64, j int32) near {
			return near{square + cc - 2*dot(p, c), j}
		}, cs, squares, numbers), near{math.Inf(1), 0})
	}, ops.Split(points, d))
	return ops.Map(func(n near) int32 { return n.Label }, nearest),
		ops.Reduce(plus, ops.Map(func(n near) float64 { return max(n.Distance, 0) }, nearest), 0)
}

// recenter adds every point to the sum of its label, and scales the sums.
func recenter(points []float64, d int, labels []int32, centroids []float64) (moved []float64, counts []int) {
	old := ops.Split(centroids, d)
	k := len(old)
	counts = ops.Histogram(func(a, b int) int { return a + b }, k, labels, ops.Replicate(1, len(labels)), 0)
	sums := ops.Histogram(func(x, y []float64) []float64 { return ops.Map2(plus, x, y) }, k, labels, ops.Split(points, d), ops.Replicate(0.0, d))
	return ops.Flatten(ops.Map3(func(c, sum []float64, n int) []float64 {
		return ops.Map2(func(x, s float64) float64 {
			if n == 0 {
				return x
			}
			return s / float64(n)
		}, c, sum)
	}, old, sums, counts)), counts
}

// recenterSorted brings the points of each label together by sorting, sums up each run, and scales the sums.
func recenterSorted(points []float64, d int, labels []int32, centroids []float64) (moved []float64, counts []int) {
	old := ops.Split(centroids, d)
	k := len(old)
	counts = ops.Histogram(func(a, b int) int { return a + b }, k, labels, ops.Replicate(1, len(labels)), 0)
	sorted, order := ops.SortByKey(labels, ops.Range(0, len(labels), 1))
	keys, sums := ops.ReduceByKey(func(x, y []float64) []float64 { return ops.Map2(plus, x, y) },
		ops.Gather(ops.Split(points, d), order), sorted, ops.Replicate(0.0, d))
	run := ops.Scatter(ops.Range(0, len(keys), 1), keys, ops.Replicate(-1, k)) // of each label, -1 where no point has it
	return ops.Flatten(ops.Map(func(c int) []float64 {
		return ops.Map(func(j int) float64 {
			if run[c] < 0 {
				return old[c][j]
			}
			return sums[run[c]][j] / float64(counts[c])
		}, ops.Range(0, d, 1))
	}, ops.Range(0, k, 1))), counts
}
