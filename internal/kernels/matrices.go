package kernels

import "math"

// Weighed is one head of attention with a causal mask: each query weighs the values up to its own position.
//
//surge:kernel
func Weighed(queries, keys, values [][]float32) [][]float32 {
	out := make([][]float32, len(queries))
	for i, q := range queries {
		scores := make([]float32, i+1)
		top := float32(math.Inf(-1))
		for j := 0; j <= i; j++ {
			var s float32
			for c, x := range q {
				s += x * keys[j][c]
			}
			scores[j] = s
			top = max(top, scores[j])
		}
		var sum float32
		for j := range scores {
			scores[j] = float32(math.Exp(float64(scores[j] - top)))
			sum += scores[j]
		}
		row := make([]float32, len(values[i]))
		for j := range scores {
			w := scores[j] / sum
			for c := range row {
				row[c] += w * values[j][c]
			}
		}
		out[i] = row
	}
	return out
}

// Quantised is a layer of small integers: a row of weights for each output.
//
//surge:kernel
func Quantised(x, weights [][]int8, bias []int32, shift uint) [][]int8 {
	out := make([][]int8, len(x))
	for i := range x {
		out[i] = make([]int8, len(weights))
		for j := range weights {
			sum := bias[j]
			for k, v := range x[i] {
				sum += int32(v) * int32(weights[j][k])
			}
			out[i][j] = int8(min(max(sum>>shift, 0), 127))
		}
	}
	return out
}

// Eliminated solves systems of equations, one for each row, that have three diagonals.
//
//surge:kernel
func Eliminated(below, diagonal, above, right [][]float64) [][]float64 {
	out := make([][]float64, len(right))
	for k := range right {
		n := len(right[k])
		if n == 0 {
			continue
		}
		c, d := make([]float64, n), make([]float64, n)
		c[0] = above[k][0] / diagonal[k][0]
		d[0] = right[k][0] / diagonal[k][0]
		for i := 1; i < n; i++ {
			m := diagonal[k][i] - below[k][i]*c[i-1]
			c[i] = above[k][i] / m
			d[i] = (right[k][i] - below[k][i]*d[i-1]) / m
		}
		x := make([]float64, n)
		x[n-1] = d[n-1]
		for i := n - 2; i >= 0; i-- {
			x[i] = d[i] - c[i]*x[i+1]
		}
		out[k] = x
	}
	return out
}

// Handed returns the rows that it adds up, which are copied: a result shares no memory with an argument.
//
//surge:kernel
func Handed(rows [][]float64) ([][]float64, float64) {
	var sum float64
	for _, row := range rows {
		for _, x := range row {
			sum += x
		}
	}
	return rows, sum
}
