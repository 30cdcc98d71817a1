package kernels

import (
	"math"

	"github.com/surge-ndp/surge/ops"
)

func plus(a, b float64) float64 { return a + b }

// MatMul is the product of an m×k and a k×n matrix, both in row-major order.
//
//surge:kernel
func MatMul(a, b []float64, k, n int) [][]float64 {
	return ops.Map(func(row []float64) []float64 {
		return ops.Map(func(j int) float64 {
			column := ops.Striding(b[j:], n)
			return ops.Reduce(plus, ops.Map2(func(x, y float64) float64 { return x * y }, row, column), 0)
		}, ops.Range(0, n, 1))
	}, ops.Split(a, k))
}

// MatMulRows is another way to write MatMul: it goes through the second matrix row by row, so that neighbouring columns
// lie in one vector and rows share them.
//
//surge:variant-of MatMul
func MatMulRows(a, b []float64, k, n int) [][]float64 {
	rows := ops.Split(b, n)
	return ops.Map(func(row []float64) []float64 {
		return ops.Map(func(j int) float64 {
			return ops.Reduce(plus, ops.Map2(func(y []float64, x float64) float64 { return x * y[j] }, rows, row), 0)
		}, ops.Range(0, n, 1))
	}, ops.Split(a, k))
}

// SumRows and SumCols of a matrix of rows.
//
//surge:kernel
func SumRows(m [][]float64) []float64 {
	return ops.Map(func(row []float64) float64 { return ops.Reduce(plus, row, 0) }, m)
}

// SumCols sums the columns of a row-major matrix.
//
//surge:kernel
func SumCols(m []float64, width int) []float64 {
	rows := len(m) / max(width, 1)
	return ops.Map(func(j int) float64 {
		return ops.Reduce(plus, ops.Map(func(i int) float64 { return m[i*width+j] }, ops.Range(0, rows, 1)), 0)
	}, ops.Range(0, width, 1))
}

// SumWeighted sums rows with a weight a column and scales each by a factor of its own.
//
//surge:kernel
func SumWeighted(m []float64, weight, scale []float64) []float64 {
	return ops.Map2(func(row []float64, s float64) float64 {
		return s * ops.Reduce(plus, ops.Map2(func(x, w float64) float64 { return x * w }, row, weight), 0)
	}, ops.Split(m, len(weight)), scale)
}

// Backprop is a layer of a neural network: weighted sums through a sigmoid, and the adjusted weights.
//
//surge:kernel
func Backprop(input, weights, target []float64, rate float64) ([]float64, [][]float64) {
	rows := ops.Split(weights, len(input))
	out := ops.Map(func(w []float64) float64 {
		s := ops.Reduce(plus, ops.Map2(func(a, b float64) float64 { return a * b }, w, input), 0)
		return 1 / (1 + math.Exp(-s))
	}, rows)
	adjusted := ops.Map3(func(w []float64, o, t float64) []float64 {
		delta := rate * (t - o) * o * (1 - o)
		return ops.Map2(func(a, x float64) float64 { return a + delta*x }, w, input)
	}, rows, out, target)
	return out, adjusted
}

type moebius struct{ a, b, c, d float64 }

func compose(p, q moebius) moebius {
	s := 1 / (q.a*p.a + q.b*p.c)
	return moebius{1, (q.a*p.b + q.b*p.d) * s, (q.c*p.a + q.d*p.c) * s, (q.c*p.b + q.d*p.d) * s}
}

type affine struct{ m, t float64 }

func chain(p, q affine) affine { return affine{q.m * p.m, q.t + q.m*p.t} }

// Tridag solves a tridiagonal system by three scans: of 2×2 matrices for the pivots, and of linear functions for the
// forward and the backward substitution. a is below, b on and c above the diagonal.
//
//surge:kernel
func Tridag(a, b, c, y []float64) []float64 {
	n := len(b)
	matrices := ops.Map(func(i int) moebius {
		if i == 0 {
			return moebius{1, 0, 0, 1}
		}
		return moebius{b[i], -a[i] * c[i-1], 1, 0}
	}, ops.Range(0, n, 1))
	pivots := ops.Map(func(m moebius) float64 { return (m.a*b[0] + m.b) / (m.c*b[0] + m.d) },
		ops.InclusiveScan(compose, matrices, moebius{1, 0, 0, 1}))
	forward := ops.InclusiveScan(chain, ops.Map(func(i int) affine {
		if i == 0 {
			return affine{0, y[0]}
		}
		return affine{-a[i] / pivots[i-1], y[i]}
	}, ops.Range(0, n, 1)), affine{1, 0})
	backward := ops.InclusiveScan(chain, ops.Map(func(k int) affine {
		i := n - 1 - k
		if k == 0 {
			return affine{0, forward[i].t / pivots[i]}
		}
		return affine{-c[i] / pivots[i], forward[i].t / pivots[i]}
	}, ops.Range(0, n, 1)), affine{1, 0})
	return ops.Map(func(f affine) float64 { return f.t }, ops.Reverse(backward))
}

// SumColsByRows is another algorithm for SumCols: it goes through the matrix row by row, adding each to the sums.
//
//surge:variant-of SumCols
func SumColsByRows(m []float64, width int) []float64 {
	sums := make([]float64, width)
	rows := len(m) / max(width, 1)
	for i := range rows {
		for j := range sums {
			sums[j] += m[i*width+j]
		}
	}
	return sums
}
