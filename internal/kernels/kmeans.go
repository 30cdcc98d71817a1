package kernels

import (
	"math"

	"github.com/surge-ndp/surge/ops"
)

// Recenter moves every centroid to the mean of the points with its label, the second half of a step of k-means:
// points are added to the sum of their label, and the sums are scaled.
//
//surge:kernel
func Recenter(points []float64, d int, labels []int32, centroids []float64) (moved []float64, counts []int) {
	old := ops.Split(centroids, d)
	k := len(old)
	counts = ops.Histogram(func(a, b int) int { return a + b }, k, labels, ops.Replicate(1, len(labels)), 0)
	sums := ops.Histogram(func(x, y []float64) []float64 { return ops.Map2(func(a, b float64) float64 { return a + b }, x, y) },
		k, labels, ops.Split(points, d), ops.Replicate(0.0, d))
	return ops.Flatten(ops.Map3(func(c, sum []float64, n int) []float64 {
		return ops.Map2(func(x, s float64) float64 {
			if n == 0 {
				return x
			}
			return s / float64(n)
		}, c, sum)
	}, old, sums, counts)), counts
}

// RecenterSorted is [Recenter] as the paper's Listing 5 has it: it brings the points of each label together by sorting,
// sums up each run, and scales the sums.
//
//surge:variant-of Recenter
func RecenterSorted(points []float64, d int, labels []int32, centroids []float64) (moved []float64, counts []int) {
	old := ops.Split(centroids, d)
	k := len(old)
	counts = ops.Histogram(func(a, b int) int { return a + b }, k, labels, ops.Replicate(1, len(labels)), 0)
	sorted, order := ops.SortByKey(labels, ops.Range(0, len(labels), 1))
	keys, sums := ops.ReduceByKey(func(x, y []float64) []float64 { return ops.Map2(func(a, b float64) float64 { return a + b }, x, y) },
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

// near is a centroid and the square of its distance.
type near struct {
	distance float64
	label    int32
}

// Labels is the first half of a step of k-means, as it is defined: the number of the centroid at the least distance
// of each point, the first of several. The coordinates of the centroid come first, so that it is their number which
// says how long the inner loop is: it is the same for all points, so that a workgroup can read centroids by way of
// local memory.
//
//surge:kernel
func Labels(points []float64, d int, centroids []float64) []int32 {
	cs := ops.Split(centroids, d)
	numbers := ops.Range[int32](0, int32(len(cs)), 1)
	nearest := ops.Map(func(p []float64) near {
		return ops.Reduce(func(a, b near) near {
			if b.distance < a.distance || b.distance == a.distance && b.label < a.label {
				return b
			}
			return a
		}, ops.Map2(func(c []float64, label int32) near {
			return near{ops.Reduce(func(a, b float64) float64 { return a + b }, ops.Map2(func(y, x float64) float64 { return (x - y) * (x - y) }, c, p), 0), label}
		}, cs, numbers), near{math.Inf(1), math.MaxInt32})
	}, ops.Split(points, d))
	return ops.Map(func(n near) int32 { return n.label }, nearest)
}
