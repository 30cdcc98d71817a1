// Package kmeans is Lloyd's algorithm of section 5.3 of the Surge paper: each point goes to its nearest centroid, and
// each centroid to the mean of its points. One iteration is one kernel, a chain of computations; the program beside
// it turns until the centroids rest.
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
	moved, counts = Recenter(points, d, labels, centroids)
	return moved, labels, counts, inertia
}

// near is a centroid and the square of its distance.
type near struct {
	Distance float64
	Label    int32
}

func plus(a, b float64) float64 { return a + b }

func dot(x, y []float64) float64 {
	return ops.Reduce(plus, ops.Map2(func(a, b float64) float64 { return a * b }, x, y), 0)
}

// relabel finds the nearest centroid of each point from |x - y|² = x·x + y·y - 2 x·y: y·y is computed once a centroid.
// The centroids are transposed, so that neighbouring ones can share a vector. A point with a distance that is no number
// is labelled 0.
func relabel(points []float64, d int, centroids []float64) (labels []int32, inertia float64) {
	cs := ops.Split(centroids, d)
	squares := ops.Map(func(c []float64) float64 { return dot(c, c) }, cs)
	numbers := ops.Range(0, len(cs), 1)
	coordinates := ops.Transpose(cs)
	nearest := ops.Map(func(p []float64) near {
		distances := ops.Map2(func(square float64, j int) float64 {
			return square - 2*ops.Reduce(plus, ops.Map2(func(c []float64, x float64) float64 { return c[j] * x }, coordinates, p), 0)
		}, squares, numbers)
		least := ops.Reduce(func(a, b float64) float64 { return min(a, b) }, distances, math.Inf(1))
		label := ops.Reduce(func(a, b int) int { return min(a, b) }, ops.Map2(func(distance float64, j int) int {
			if distance == least {
				return j
			}
			return math.MaxInt
		}, distances, numbers), math.MaxInt)
		if label == math.MaxInt {
			label = 0
		}
		return near{max(dot(p, p)+least, 0), int32(label)}
	}, ops.Split(points, d))
	return ops.Map(func(n near) int32 { return n.Label }, nearest), ops.Reduce(plus, ops.Map(func(n near) float64 { return n.Distance }, nearest), 0)
}

// Recenter is the second half of [Step]: it adds every point to the sum of its label, and scales the sums. It is no
// kernel of its own here.
func Recenter(points []float64, d int, labels []int32, centroids []float64) (moved []float64, counts []int) {
	old := ops.Split(centroids, d)
	k := len(old)
	sums := ops.Histogram(func(x, y []float64) []float64 { return ops.Map2(plus, x, y) }, k, labels, ops.Split(points, d), ops.Replicate(0.0, d))
	counts = ops.Histogram(func(a, b int) int { return a + b }, k, labels, ops.Replicate(1, len(labels)), 0)
	return ops.Flatten(ops.Map3(func(c, sum []float64, n int) []float64 {
		return ops.Map2(func(x, s float64) float64 {
			if n == 0 {
				return x
			}
			return s / float64(n)
		}, c, sum)
	}, old, sums, counts)), counts
}
