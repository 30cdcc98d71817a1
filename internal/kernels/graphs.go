package kernels

import (
	"math"

	"github.com/surge-ndp/surge/ops"
)

// NN finds the record that is nearest to a point.
//
//surge:kernel
func NN(lat, lng []float32, x, y float32) (int32, float32) {
	type best struct {
		d float32
		i int32
	}
	records := ops.Map3(func(a, b float32, i int) best {
		return best{float32(math.Sqrt(float64((a-x)*(a-x) + (b-y)*(b-y)))), int32(i)}
	}, lat, lng, ops.Range(0, len(lat), 1))
	m := ops.Reduce(func(p, q best) best {
		if q.d < p.d || q.d == p.d && q.i < p.i {
			return q
		}
		return p
	}, records, best{math.MaxFloat32, math.MaxInt32})
	return m.i, m.d
}

// PageRank is one step on a graph of incoming links in compressed rows; out has the number of links of each page.
//
//surge:kernel
func PageRank(sources, offsets []int32, out []int32, rank []float64, damping float64) ([]float64, float64) {
	n := len(rank)
	share := ops.Map2(func(r float64, d int32) float64 {
		if d == 0 {
			return 0
		}
		return r / float64(d)
	}, rank, out)
	lost := ops.Reduce(plus, ops.Map2(func(r float64, d int32) float64 {
		if d == 0 {
			return r
		}
		return 0
	}, rank, out), 0)
	base := (1-damping)/float64(n) + damping*lost/float64(n)
	next := ops.Map(func(links []int32) float64 {
		return base + damping*ops.Reduce(plus, ops.Gather(share, links), 0)
	}, ops.Nest(sources, offsets))
	change := ops.Reduce(plus, ops.Map2(func(a, b float64) float64 { return math.Abs(a - b) }, next, rank), 0)
	return next, change
}

// BFS is one step of a breadth-first search from the back: a page that no level has yet gets the next one if a
// neighbour has the current one.
//
//surge:kernel
func BFS(neighbours, offsets, level []int32, current int32) ([]int32, int32) {
	next := ops.Map2(func(links []int32, l int32) int32 {
		if l >= 0 {
			return l
		}
		for _, j := range links {
			if level[j] == current {
				return current + 1
			}
		}
		return -1
	}, ops.Nest(neighbours, offsets), level)
	reached := ops.Reduce(func(a, b int32) int32 { return a + b }, ops.Map(func(l int32) int32 {
		if l == current+1 {
			return 1
		}
		return 0
	}, next), 0)
	return next, reached
}

// Pathfinder is one row of the cheapest-path recurrence in parallel; [Path] is the whole of it sequentially.
//
//surge:kernel
func Pathfinder(cost, row []int32) []int32 {
	n := len(cost)
	return ops.Map2(func(i int, c int32) int32 {
		return c + min(cost[max(i-1, 0)], cost[i], cost[min(i+1, n-1)])
	}, ops.Range(0, n, 1), row)
}

// SegmentedHistogram counts the keys of each segment in bins of its own, without sorting them.
//
//surge:kernel
func SegmentedHistogram(keys, offsets []int32, bins int) [][]int32 {
	return ops.Map(func(segment []int32) []int32 {
		return ops.Histogram(func(a, b int32) int32 { return a + b }, bins, segment, ops.Replicate[int32](1, len(segment)), 0)
	}, ops.Nest(keys, offsets))
}
