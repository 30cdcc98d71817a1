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

// Smooth takes the mean of each element and its neighbours, again and again until nothing changes by more than eps: the
// sequence goes from one turn to the next.
//
//surge:kernel
func Smooth(x []float64, limit int, eps float64) (smooth []float64, turns int) {
	last := len(x) - 1
	for turns < limit {
		next := ops.Map(func(i int) float64 { return (x[max(i-1, 0)] + x[i] + x[min(i+1, last)]) / 3 }, ops.Range(0, len(x), 1))
		change := ops.Reduce(math.Max, ops.Map2(func(a, b float64) float64 { return math.Abs(a - b) }, x, next), 0)
		x = next
		turns++
		if change <= eps {
			break
		}
	}
	return x, turns
}

// Wave is a string that swings freely: two sequences go from one turn to the next, and one of them is what the other
// was.
//
//surge:kernel
func Wave(height []float64, speed float64, steps int) ([]float64, float64) {
	n := len(height)
	old, now := height, height
	for range steps {
		next := ops.Map2(func(i int, before float64) float64 {
			if i == 0 || i == n-1 {
				return 0
			}
			return 2*now[i] - before + speed*(now[i-1]-2*now[i]+now[i+1])
		}, ops.Range(0, n, 1), old)
		old, now = now, next
	}
	return now, ops.Reduce(plus, ops.Map2(func(a, b float64) float64 { return (a - b) * (a - b) }, now, old), 0)
}

// Shrink keeps what is positive, less 1 in each turn. Where that changes the length of x, plain Go goes on,
// unless the results have a destination.
//
//surge:kernel
func Shrink(x []float64, turns int) []float64 {
	for range turns {
		x = ops.Filter(func(v float64) bool { return v > 0 }, x)
		x = ops.Map(func(v float64) float64 { return v - 1 }, x)
	}
	return x
}

// PageRanks is the power iteration for the ranks of pages: rows, a carried sequence, and a sum that each turn needs.
//
//surge:kernel
func PageRanks(links, offsets, out []int32, damping float64, turns int) []float64 {
	n := len(out)
	rank := ops.Replicate(1/float64(max(n, 1)), n)
	rows := ops.Nest(links, offsets)
	for range turns {
		share := ops.Map2(func(r float64, k int32) float64 { return r / float64(max(k, 1)) }, rank, out)
		lost := ops.Reduce(plus, ops.Map2(func(r float64, k int32) float64 {
			if k > 0 {
				return 0
			}
			return r
		}, rank, out), 0)
		rank = ops.Map(func(row []int32) float64 {
			return (1-damping+damping*lost)/float64(n) + damping*ops.Reduce(plus, ops.Gather(share, row), 0)
		}, rows)
	}
	return rank
}

// Settle moves the columns of each row apart, row by row: each element of the outer Map carries a sequence of its own.
//
//surge:kernel
func Settle(m []float64, width, turns int) []float64 {
	return ops.Flatten(ops.Map(func(row []float64) []float64 {
		x := make([]float64, len(row))
		for i, v := range row {
			x[i] = v * v
		}
		sums := ops.Scan(plus, row, 0)
		for t := range turns {
			x = ops.Map2(func(v, s float64) float64 { return 0.5*v + s/float64(t+1) }, ops.Reverse(x), sums)
			sums = ops.Scan(plus, x, 0)
		}
		return x
	}, ops.Split(m, width)))
}

// Mirror turns the running sums of each row round, again and again: in a turn only a Map stands between what the last
// one wrote and what the next one reads.
//
//surge:kernel
func Mirror(m []float64, width, turns int) []float64 {
	return ops.Flatten(ops.Map(func(row []float64) []float64 {
		sums := ops.Scan(plus, row, 0)
		for t := range turns {
			sums = ops.Map(func(v float64) float64 { return 0.5*v + float64(t) }, ops.Reverse(sums))
		}
		return sums
	}, ops.Split(m, width)))
}
