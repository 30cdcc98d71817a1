package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/examples/kmeans"
)

// clusters is the outcome of Lloyd's algorithm.
type clusters struct {
	centroids  []float64 // d numbers each
	labels     []int32   // of each point
	counts     []int     // points of each cluster
	inertia    float64   // sum of squared distances of the points to the centroids before the last move
	iterations int
	converged  bool
}

// lloyd moves centroids, which it overwrites, until none moves further than tolerance, or limit times.
func lloyd(ctx context.Context, points []float64, d int, centroids []float64, limit int, tolerance float64, variant string, tell func(inertia float64)) (*clusters, error) {
	c := &clusters{centroids: centroids}
	next := make([]float64, len(centroids))
	labels := make([]int32, len(points)/d)
	counts := make([]int, len(centroids)/d)
	// On a device the points stay there, and so do the labels until they are wanted; only the centroids travel.
	memory := new(exec.Memory)
	defer memory.Release()
	opts := []exec.Option{exec.Into(next), exec.Into(labels), exec.Into(counts), exec.Resident(memory)}
	if variant != "" {
		opts = append(opts, exec.Variant(variant))
	}
	step, err := kmeans.BindStep(points, d, centroids, opts...)
	if err != nil {
		return nil, err
	}
	for !c.converged && c.iterations < limit {
		if _, c.labels, c.counts, c.inertia, err = step.Run(ctx); err != nil {
			return nil, err
		}
		if err = memory.Fetch(next); err != nil {
			return nil, err
		}
		c.iterations++
		furthest := 0.0
		for i := 0; i < len(centroids); i += d {
			moved := 0.0
			for j := i; j < i+d; j++ {
				moved += (next[j] - centroids[j]) * (next[j] - centroids[j])
			}
			furthest = max(furthest, moved)
		}
		copy(centroids, next)
		if err = memory.Changed(centroids); err != nil {
			return nil, err
		}
		c.converged = math.Sqrt(furthest) <= tolerance
		tell(c.inertia)
	}
	return c, memory.Fetch()
}

// firstCentroids chooses where Lloyd's algorithm starts.
func firstCentroids(points []float64, d, k int, method, labelFile string, seed uint64) ([]float64, error) {
	n := len(points) / d
	point := func(i int) []float64 { return points[i*d : (i+1)*d] }
	rng := rand.New(rand.NewPCG(seed, 0))
	if labelFile != "" {
		labels, err := readLabels(labelFile, n, k)
		if err != nil {
			return nil, err
		}
		moved, _ := kmeans.Recenter(points, d, labels, points[:k*d])
		return moved, nil
	}
	var centroids []float64
	switch method {
	case "first":
		return append(centroids, points[:k*d]...), nil
	case "random":
		for _, i := range rng.Perm(n)[:k] {
			centroids = append(centroids, point(i)...)
		}
		return centroids, nil
	case "kmeans++":
		return spread(points, d, k, rng), nil
	}
	return nil, fmt.Errorf("-init is %q; it must be kmeans++, random or first", method)
}

// spread is the initialisation k-means++ (Arthur and Vassilvitskii, 2007): each further centroid is a point that is
// drawn with a probability proportional to its squared distance to the nearest one so far.
func spread(points []float64, d, k int, rng *rand.Rand) []float64 {
	n := len(points) / d
	distance := make([]float64, n)
	for i := range distance {
		distance[i] = math.Inf(1)
	}
	at := rng.IntN(n)
	var centroids []float64
	for {
		c := points[at*d : (at+1)*d]
		centroids = append(centroids, c...)
		if len(centroids) == k*d {
			return centroids
		}
		total := 0.0
		for i := range distance {
			s := 0.0
			for j, x := range points[i*d : (i+1)*d] {
				s += (x - c[j]) * (x - c[j])
			}
			distance[i] = min(distance[i], s)
			total += distance[i]
		}
		at = rng.IntN(n) // where all points coincide with centroids, any will do
		if total > 0 {
			r := rng.Float64() * total
			for i, s := range distance {
				if r -= s; r < 0 && s > 0 {
					at = i
					break
				}
			}
		}
	}
}
