package kernels

import (
	"math"

	"github.com/surge-ndp/surge/ops"
)

// MedianFilter is the median of a window of five around each element, sorted in a local array.
//
//surge:kernel
func MedianFilter(x []float64) []float64 {
	n := len(x)
	return ops.Map(func(i int) float64 {
		var w [5]float64
		for j := range w {
			w[j] = x[min(max(i+j-2, 0), n-1)]
		}
		for a := 1; a < len(w); a++ {
			for b := a; b > 0 && w[b] < w[b-1]; b-- {
				w[b], w[b-1] = w[b-1], w[b]
			}
		}
		return w[2]
	}, ops.Range(0, n, 1))
}

// NaiveBayes counts the feature values of each class in one table: counts[c*width+v] over all samples, sequentially.
//
//surge:kernel
func NaiveBayes(class, feature []int32, classes, width int) ([]int32, []float64) {
	counts := make([]int32, classes*width)
	for i, c := range class {
		counts[int(c)*width+int(feature[i])]++
	}
	rows := ops.Split(counts, width)
	share := ops.Map(func(row []int32) float64 {
		total := ops.Reduce(func(a, b int32) int32 { return a + b }, row, 0)
		return float64(row[0]) / float64(total+1)
	}, rows)
	return counts, share
}

// NaiveBayesBins is another algorithm for NaiveBayes: the table is a histogram, which threads fill together.
//
//surge:variant-of NaiveBayes
func NaiveBayesBins(class, feature []int32, classes, width int) ([]int32, []float64) {
	bins := ops.Map2(func(c, v int32) int { return int(c)*width + int(v) }, class, feature)
	counts := ops.Histogram(func(a, b int32) int32 { return a + b }, classes*width, bins, ops.Replicate(int32(1), len(bins)), 0)
	share := ops.Map(func(row []int32) float64 {
		total := ops.Reduce(func(a, b int32) int32 { return a + b }, row, 0)
		return float64(row[0]) / float64(total+1)
	}, ops.Split(counts, width))
	return counts, share
}

// Polynomials returns the powers of each element as a row, made and filled by a helper.
//
//surge:kernel
func Polynomials(x []float64, degree int) [][]float64 {
	return ops.Map(func(v float64) []float64 { return powers(v, degree) }, x)
}

func powers(v float64, n int) []float64 {
	p := make([]float64, n)
	for i := range p {
		if i == 0 {
			p[i] = 1
		} else {
			p[i] = p[i-1] * v
		}
	}
	return p
}

// RowModes is the most frequent byte of each row: a table an element, filled in place and then reduced in parallel.
//
//surge:kernel
func RowModes(data []uint8, width int) []int32 {
	return ops.Map(func(row []uint8) int32 {
		table := make([]int32, 256)
		for _, b := range row {
			table[b]++
		}
		most := ops.Reduce(func(a, b int32) int32 { return max(a, b) }, table, 0)
		for v, n := range table {
			if n == most {
				return int32(v)
			}
		}
		return -1
	}, ops.Split(data, width))
}

// Path is the cost of the cheapest way through a grid from top to bottom, row by row in two local slices (pathfinder).
//
//surge:kernel
func Path(grid []int32, width int) []int32 {
	cost := make([]int32, width)
	next := make([]int32, width)
	rows := 0
	if width > 0 {
		rows = len(grid) / width
	}
	for r := range rows {
		for j := range width {
			best := cost[j]
			if j > 0 {
				best = min(best, cost[j-1])
			}
			if j+1 < width {
				best = min(best, cost[j+1])
			}
			next[j] = best + grid[r*width+j]
		}
		for j := range width {
			cost[j] = next[j]
		}
	}
	return cost
}

// Rippled is what is left of ripples in stacks of rows, of which each element has one: the stack and its rows are as
// high and as long as the element says, and are made anew in each step.
//
//surge:kernel
func Rippled(heights []int, steps int) []float64 {
	out := make([]float64, len(heights))
	for i, n := range heights {
		out[i] = ripple(n, steps)
	}
	return out
}

func ripple(n, steps int) float64 {
	rows := make([][]float64, n)
	for r := range rows {
		rows[r] = make([]float64, n+r%5)
		for j := range rows[r] {
			rows[r][j] = float64(r*j%7) - 3
		}
	}
	for range steps {
		next := make([][]float64, n)
		for r := range next {
			next[r] = make([]float64, n+r%5)
			for j := range next[r] {
				next[r][j] = 0.5*rows[r][j] - 0.25*rows[r][max(j-1, 0)]
			}
		}
		rows = next
	}
	left := 0.0
	for _, row := range rows {
		for _, x := range row {
			left = max(left, math.Abs(x))
		}
	}
	return left
}
