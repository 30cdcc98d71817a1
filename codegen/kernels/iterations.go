package kernels

import (
	"math"

	"github.com/surge-ndp/surge/ops"
)

// RobustMean is the place that a smooth loss is least at, by Newton's method: reductions in a loop that ends early.
//
//surge:kernel
func RobustMean(x []float64, limit int, eps float64) (mean float64, turns int) {
	for turns < limit {
		slope := ops.Reduce(plus, ops.Map(func(v float64) float64 { return math.Tanh(v - mean) }, x), 0)
		curve := ops.Reduce(plus, ops.Map(func(v float64) float64 { t := math.Tanh(v - mean); return 1 - t*t }, x), 0)
		turns++
		if math.Abs(slope) <= eps || curve == 0 {
			break
		}
		mean += slope / curve
	}
	return mean, turns
}

// Quantile is the element of that rank, by bisection.
//
//surge:kernel
func Quantile(x []float64, rank int) float64 {
	lo, hi := ops.Reduce(math.Min, x, math.Inf(1)), ops.Reduce(math.Max, x, math.Inf(-1))
	for range 60 {
		mid := lo + (hi-lo)/2
		below := ops.Reduce(func(a, b int) int { return a + b }, ops.Map(func(v float64) int {
			if v <= mid {
				return 1
			}
			return 0
		}, x), 0)
		if below > rank {
			hi = mid
		} else {
			lo = mid
		}
	}
	return hi
}

// Norm is the largest or the Euclidean norm: a condition around reductions.
//
//surge:kernel
func Norm(x []float64, largest bool) float64 {
	if largest {
		return ops.Reduce(math.Max, ops.Map(math.Abs, x), 0)
	}
	return math.Sqrt(ops.Reduce(plus, ops.Map(func(v float64) float64 { return v * v }, x), 0))
}

// Drawdown is the largest fall of the running sums of rows that are weighted anew in each turn: sequences that are made
// in a loop and scanned there.
//
//surge:kernel
func Drawdown(m []float64, width, turns int) float64 {
	worst := 0.0
	rows := ops.Split(m, width)
	for t := range turns {
		sums := ops.Map(func(r []float64) float64 { return ops.Reduce(plus, r, float64(t)) }, rows)
		run := ops.Scan(plus, ops.Reverse(sums), float64(-t))
		worst = min(worst, ops.Reduce(math.Min, run, 0))
	}
	return worst
}

// FirstRow reads one element of a Map with a loop around a reduction.
//
//surge:kernel
func FirstRow(m []float64, width int) float64 {
	s := ops.Map(func(r []float64) float64 {
		s := 0.0
		for i := range 3 {
			s += ops.Reduce(plus, r, float64(i))
		}
		return s
	}, ops.Split(m, width))
	if len(m) == 0 {
		return 0
	}
	return s[0]
}
