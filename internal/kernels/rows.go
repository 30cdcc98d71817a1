package kernels

import (
	"math"

	"github.com/surge-ndp/surge/ops"
)

// Nearest gives each row of d numbers the number of the nearest of some others, by the expansion of the square of the
// distance, and that square less the row's own: the relabelling of k-means.
//
//surge:kernel
func Nearest(points []float32, d int, centroids []float32) (labels []int32, distances []float32) {
	type near struct {
		distance float32
		label    int32
	}
	add := func(a, b float32) float32 { return a + b }
	cs := ops.Split(centroids, d)
	numbers := ops.Range(0, len(cs), 1)
	coordinates := ops.Transpose(cs)
	nearest := ops.Map(func(p []float32) near {
		distances := ops.Map(func(j int) float32 {
			square := ops.Reduce(add, ops.Map(func(x float32) float32 { return x * x }, cs[j]), 0)
			return square - 2*ops.Reduce(add, ops.Map2(func(c []float32, x float32) float32 { return c[j] * x }, coordinates, p), 0)
		}, numbers)
		least := ops.Reduce(func(a, b float32) float32 { return min(a, b) }, distances, float32(math.Inf(1)))
		label := ops.Reduce(func(a, b int) int { return min(a, b) }, ops.Map2(func(x float32, j int) int {
			if x == least {
				return j
			}
			return math.MaxInt32
		}, distances, numbers), math.MaxInt32)
		return near{least, int32(label)}
	}, ops.Split(points, d))
	return ops.Map(func(n near) int32 { return n.label }, nearest), ops.Map(func(n near) float32 { return n.distance }, nearest)
}

// Spreads gives each row of d numbers, the last of which may be shorter, the largest of k sums over the row.
//
//surge:kernel
func Spreads(x []float64, d, k int) []float64 {
	return ops.Map(func(row []float64) float64 {
		sums := ops.Map(func(j int) float64 {
			return ops.Reduce(plus, ops.Map(func(y float64) float64 { return (y - float64(j)) * y }, row), 0)
		}, ops.Range(0, k, 1))
		return ops.Reduce(func(a, b float64) float64 { return max(a, b) }, sums, math.Inf(-1)) - ops.Reduce(plus, row, 0)
	}, ops.Split(x, d))
}

// ByParity adds up the rows with an even sum, and those with an odd one. The rows are read twice, by two computations
// of which the second needs no more of the first one's results than the element of its own row, so that it can share
// its chunks.
//
//surge:kernel
func ByParity(x []int32, d int) (sums []int32, odd []int32, n int) {
	plus := func(a, b int32) int32 { return a + b }
	rows := ops.Split(x, d)
	odd = ops.Map(func(row []int32) int32 { return ops.Reduce(plus, row, 0) & 1 }, rows)
	n = ops.Reduce(func(a, b int) int { return a + b }, ops.Map(func(o int32) int { return int(o) }, odd), 0)
	sums = ops.Flatten(ops.Histogram(func(a, b []int32) []int32 { return ops.Map2(plus, a, b) }, 2, odd, rows, ops.Replicate[int32](0, d)))
	return sums, odd, n
}

// ColumnMaxima is the greatest of each column of rows of w numbers.
//
//surge:kernel
func ColumnMaxima(x []float32, w int) []float32 {
	return ops.Map(func(column []float32) float32 {
		return ops.Reduce(func(a, b float32) float32 { return max(a, b) }, column, float32(math.Inf(-1)))
	}, ops.Transpose(ops.Split(x, w)))
}

// Weigh adds up rows of d values, weighed by how well rows of keys match each query: what the keys of all queries have
// at one place is packed.
//
//surge:kernel
func Weigh(queries, keys, values []float32, d int) [][]float32 {
	ks, vs := ops.Split(keys, d), ops.Split(values, d)
	add := func(a, b float32) float32 { return a + b }
	times := func(a, b float32) float32 { return a * b }
	return ops.Map(func(q []float32) []float32 {
		weights := ops.Map(func(k []float32) float32 { return max(ops.Reduce(add, ops.Map2(times, q, k), 0), 0.125) }, ks)
		total := ops.Reduce(add, weights, 0)
		return ops.Map(func(column []float32) float32 { return ops.Reduce(add, ops.Map2(times, weights, column), 0) / total }, ops.Transpose(vs))
	}, ops.Split(queries, d))
}

// Assigned is the center that is nearest to each point, and how far it is: the first of several. Points may have
// different numbers of coordinates, of which those count that the center has, too.
//
//surge:kernel
func Assigned(points, centers [][]float32) (labels []int32, distances []float32) {
	labels, distances = make([]int32, len(points)), make([]float32, len(points))
	for i, p := range points {
		best, least := int32(-1), float32(math.Inf(1))
		for c, center := range centers {
			var d float32
			for f := range min(len(p), len(center)) {
				d += (p[f] - center[f]) * (p[f] - center[f])
			}
			if d < least {
				best, least = int32(c), d
			}
		}
		labels[i], distances[i] = best, least
	}
	return labels, distances
}

// Deviations is the deviation of each row, in two passes over it, and that of the row of another matrix.
//
//surge:kernel
func Deviations(x, y [][]float64) []float64 {
	z := make([]float64, len(x))
	for i, row := range x {
		var sum, squares float64
		for _, v := range row {
			sum += v
		}
		mean := sum / float64(max(len(row), 1))
		for _, v := range row {
			squares += (v - mean) * (v - mean)
		}
		for turn := range 2 {
			for _, v := range y[i] {
				squares += v * float64(turn)
			}
		}
		z[i] = math.Sqrt(squares)
	}
	return z
}

// Moved puts points to the nearest centers for some turns, and counts those that change their center.
//
//surge:kernel
func Moved(points, centers [][]float32, turns int) (labels []int32, changed int) {
	labels = make([]int32, len(points))
	sizes := make([]float32, len(centers))
	for turn := 0; turn < turns; turn++ {
		for i, p := range points {
			best, least := int32(0), float32(math.Inf(1))
			for c := range centers {
				d := sizes[c]
				for f, v := range p {
					d += (v - centers[c][f]) * (v - centers[c][f])
				}
				if d < least {
					best, least = int32(c), d
				}
			}
			if labels[i] != best {
				labels[i] = best
				changed++
			}
		}
		for i := range labels {
			if int(labels[i]) < len(sizes) {
				sizes[labels[i]] += 0.125
			}
		}
	}
	return labels, changed
}

// AssignedFlat is the nearest of k centers of d numbers for each of n points, for some turns: how many points have
// changed theirs in each turn weighs the distances of the next one.
//
//surge:kernel
func AssignedFlat(points, centers []float32, n, d, k, turns int) (labels []int32, changed int) {
	labels = make([]int32, max(n, 0))
	for turn := 0; turn < turns; turn++ {
		weight := float32(changed%7) + 1
		for i := range labels {
			best, least := int32(0), float32(math.Inf(1))
			for c := 0; c < k; c++ {
				var s float32
				for f := 0; f < d; f++ {
					t := points[i*d+f] - centers[c*d+f]
					s += t * t * weight
				}
				if s < least {
					best, least = int32(c), s
				}
			}
			if labels[i] != best {
				labels[i] = best
				changed++
			}
		}
	}
	return labels, changed
}

// Bends says of rows of d numbers, in order, how far each number is from the mean of its neighbours, how far the rows
// are from being the same backwards, and how far they go up to where the next one begins, with neighbours counted down
// from the end on: what is read of a row beside its elements in turn is packed with it, but for what lies beyond its
// end.
//
//surge:kernel
func Bends(x []float32, d int) (bends, apart, climbs []float32) {
	if d < 1 || len(x) == 0 {
		return nil, nil, nil
	}
	rows := (len(x) - 1) / d
	bends, apart, climbs = make([]float32, rows), make([]float32, rows), make([]float32, rows)
	for i := range rows {
		var bend, other, climb float32
		for t := 1; t < d-1; t++ {
			b := x[i*d+t-1] - 2*x[i*d+t] + x[i*d+t+1]
			bend += b * b
		}
		for t := range d {
			a := x[i*d+t] - x[i*d+d-1-t]
			other += a * a
		}
		for t := range d {
			climb += max(x[i*d+t+1]-x[i*d+t], 0) * float32(t)
		}
		for t := d - 2; t >= 0; t-- {
			climb = climb/2 + x[i*d+t]*x[i*d+t+1]
		}
		bends[i], apart[i], climbs[i] = bend, other, climb
	}
	return bends, apart, climbs
}

// Parts is the least of what the parts of each row have in common with the whole of it: the part of a work-item needs
// memory of its own, as long as the row, where a workgroup shares the parts.
//
//surge:kernel
func Parts(rows [][]float32) []float32 {
	return ops.Map(func(row []float32) float32 {
		greatest := ops.Map(func(part []float32) float32 {
			most := ops.Map(func(x float32) float32 {
				return ops.Reduce(func(a, b float32) float32 { return max(a, b) }, part, x)
			}, row)
			kept := ops.Filter(func(x float32) bool { return x != 0.5 }, most)
			return ops.Reduce(func(a, b float32) float32 { return a + b }, kept, 0)
		}, ops.Split(row, 2))
		return ops.Reduce(func(a, b float32) float32 { return min(a, b) }, greatest, 9)
	}, rows)
}
