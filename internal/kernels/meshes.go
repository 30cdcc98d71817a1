package kernels

import (
	"math"

	"github.com/surge-ndp/surge/ops"
)

// Node is a point of a mesh: numbers of all sizes.
type Node struct {
	At    [3]float64
	Heat  float32
	Next  Kind
	Mark  uint16
	Layer int8
	Fixed bool
}

// Stage is a float behind which a byte leaves room.
type Stage struct {
	Value float64
	Step  int8
}

// Item holds integers that lanes have no type of their own for.
type Item struct {
	Key   uint64
	Count uint32
	Kind  Kind
	Rank  int
	Worth float32
}

// Bonds sums up what the neighbours of each node do that are not too far away.
//
//surge:kernel
//surge:reassociate
func Bonds(nodes []Node, start, list []int32, cutoff float64) ([]float64, []float32) {
	pull, heat := make([]float64, len(nodes)), make([]float32, len(nodes))
	for i, n := range nodes {
		sum, warm := 0.0, float32(0)
		for _, j := range list[start[i]:start[i+1]] {
			dx, dy, dz := nodes[j].At[0]-n.At[0], nodes[j].At[1]-n.At[1], nodes[j].At[2]-n.At[2]
			d := dx*dx + dy*dy + dz*dz
			warm += nodes[j].Heat * float32(nodes[j].Layer)
			if d > cutoff {
				continue
			}
			sum += math.Sqrt(d) / (1 + d)
		}
		pull[i], heat[i] = sum, warm
	}
	return pull, heat
}

// Faces gives the squares of the areas of triangles, whose corners are three numbers each.
//
//surge:kernel
func Faces(points []Point, corners [][3]int32) []float64 {
	return ops.Map(func(c [3]int32) float64 {
		a, b, d := points[c[0]], points[c[1]], points[c[2]]
		s := (b.X-a.X)*(d.Y-a.Y) - (b.Y-a.Y)*(d.X-a.X)
		return s * s
	}, corners)
}

// Follow reads numbers of all sizes by indices that are computed, some of them from numbers of the same structs.
//
//surge:kernel
func Follow(nodes []Node, order []int) ([]int64, []float64) {
	marks := ops.Map(func(k int) int64 {
		return int64(nodes[k].Mark)*1000 + int64(nodes[k].Layer) + int64(nodes[k].Next)
	}, order)
	ahead := ops.Map(func(k int) float64 { return nodes[nodes[k].Next].At[1] * float64(nodes[k].Heat) }, order)
	return marks, ahead
}

// Items reads what is as long as 8, 4 and 4 bytes.
//
//surge:kernel
func Items(items []Item, order []int32) ([]uint64, []uint32, []int, []float32) {
	keys := ops.Map(func(k int32) uint64 { return items[k].Key ^ 7 }, order)
	counts := ops.Map(func(k int32) uint32 { return items[k].Count + 3 }, order)
	ranks := ops.Map(func(k int32) int { return items[k].Rank - int(items[k].Kind) }, order)
	return keys, counts, ranks, ops.Map(func(k int32) float32 { return items[k].Worth * 0.5 }, order)
}

// Staged reads only where there is something: of the other indices nothing may be read.
//
//surge:kernel
func Staged(stages []Stage, at []int) []float64 {
	return ops.Map(func(k int) float64 {
		if k >= 0 && k < len(stages) {
			return stages[k].Value * float64(stages[k].Step)
		}
		return -1
	}, at)
}

// Thirds reads from the front, three structs on each time, and from the end.
//
//surge:kernel
func Thirds(nodes []Node) ([]float64, float32) {
	n := len(nodes)
	out := ops.Map(func(i int) float64 { return nodes[3*i].At[2] - nodes[n-1-i].At[0] }, ops.Range(0, n/3, 1))
	heat := ops.Map(func(i int) float32 { return nodes[n-1-i].Heat }, ops.Range(0, n, 1))
	return out, ops.Reduce(func(a, b float32) float32 { return a + b }, heat, 0)
}

// Reordered puts structs into another order.
//
//surge:kernel
func Reordered(points []Point, order []int32) []Point {
	return ops.Map(func(p Point) Point { return Point{p.Y + 1, p.X - 1} }, ops.Gather(points, order))
}

// Chosen reads one struct of each row, and some of a row.
//
//surge:kernel
func Chosen(rows [][]Point, at []int32) ([]float64, []float64) {
	one := ops.Map2(func(row []Point, k int32) float64 {
		if len(row) == 0 {
			return 0
		}
		return row[int(k)%len(row)].X
	}, rows, at)
	some := ops.Map(func(row []Point) float64 {
		return ops.Reduce(func(a, b float64) float64 { return a + b }, ops.Map(func(k int32) float64 {
			if int(k) < len(row) {
				return row[k].Y
			}
			return 1
		}, at), 0)
	}, rows)
	return one, some
}
