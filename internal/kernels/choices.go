package kernels

import (
	"math"

	"github.com/surge-ndp/surge/ops"
)

// Trimmed is what is left of x without outliers, scaled to a sum of 1 where one asks for it: two sequences that
// conditions choose, one of them of another length.
//
//surge:kernel
func Trimmed(x []float64, limit float64, normal bool) ([]float64, float64) {
	y := x
	if limit > 0 {
		mean := ops.Reduce(plus, x, 0) / float64(max(len(x), 1))
		y = ops.Filter(func(v float64) bool { return math.Abs(v-mean) <= limit }, x)
	}
	sum := ops.Reduce(plus, y, 0)
	if normal && sum != 0 {
		y = ops.Map(func(v float64) float64 { return v / sum }, y)
	}
	return y, sum
}

// Window is a signal under one of several windows, or a part of it: sequences of each branch of a switch, one of
// which reads where the others would fail.
//
//surge:kernel
func Window(x []float64, kind, from, to int) []float64 {
	n := len(x)
	switch kind {
	case 0:
		return x[from:to]
	case 1:
		return ops.Map2(func(v float64, i int) float64 { return v * math.Sin(math.Pi*float64(i)/float64(n)) }, x, ops.Range(0, n, 1))
	case 2:
		first := x[from]
		return ops.InclusiveScan(plus, ops.Map(func(v float64) float64 { return v - first }, x), 0)
	}
	var nothing []float64
	if kind < 0 {
		nothing = ops.Reverse(x)
	}
	return nothing
}

// Settling relaxes x towards a target in turns of two kinds, and leaves off in the middle of one: which sequence a turn
// begins with is said by conditions in the turn before.
//
//surge:kernel
func Settling(x, target []float64, turns int, eps float64) ([]float64, int) {
	apart := ops.Map2(func(a, b float64) float64 { return b - a }, x, target)
	t := 0
	for t < turns {
		far := ops.Reduce(math.Max, ops.Map(math.Abs, apart), 0)
		if far <= eps {
			break
		}
		t++
		if t%3 == 0 {
			apart = ops.Map(func(d float64) float64 { return d / 8 }, apart)
			continue
		}
		step := ops.Map(func(d float64) float64 { return d / 2 }, apart)
		if far > 1 {
			step = ops.Map(math.Tanh, step)
		}
		apart = ops.Map2(func(d, s float64) float64 { return d - s }, apart, step)
	}
	return ops.Map2(func(d, b float64) float64 { return b - d }, apart, target), t
}

// Runs turns each row into what is cheaper to store: its differences, or its positive elements if they are few.
//
//surge:kernel
func Runs(m []float64, width int) [][]float64 {
	return ops.Map(func(row []float64) []float64 {
		positive := ops.Filter(func(v float64) bool { return v > 0 }, row)
		if 3*len(positive) < len(row) {
			return positive
		}
		return ops.Map2(func(a float64, i int) float64 { return a - row[max(i-1, 0)] }, row, ops.Range(0, len(row), 1))
	}, ops.Split(m, width))
}

// Oriented is a matrix, or its transpose, with or without what lies below it: rows that conditions choose.
//
//surge:kernel
func Oriented(m []float64, width int, flip, below bool) [][]float64 {
	rows := ops.Split(m, width)
	if flip {
		rows = ops.Transpose(rows)
	}
	if !below {
		rows = ops.Map2(func(r []float64, i int) []float64 { return r[:min(i+1, len(r))] }, rows, ops.Range(0, len(rows), 1))
	}
	return rows
}

// Ranked is the elements above a threshold that is found by a loop under a condition: a slice updated in place, and a
// loop that carries a sequence, of which a condition has one run.
//
//surge:kernel
func Ranked(x []float64, bins, turns int) []float64 {
	y := make([]float64, bins)
	if turns > 0 {
		for i, v := range x {
			y[(i*7)%bins] += v
		}
	} else {
		z := ops.Replicate(1.0, bins)
		for range bins {
			z = ops.Map(func(v float64) float64 { return v + 1 }, ops.Reverse(z))
		}
		y = z
	}
	for range turns {
		y = ops.Map(func(v float64) float64 { return v / 2 }, y)
	}
	return y
}

// Spaced is a sequence, or every other part, element or row of it: what is stored under a condition, with sizes and
// indices that hold only there.
//
//surge:kernel
func Spaced(x, places []int, offsets []int32, size int) (parts, found, rows []int) {
	parts = ops.Map(func(v int) int { return v + 1 }, x)
	found, rows = parts, parts
	if size > 0 {
		parts = ops.Flatten(ops.Striding(ops.Split(x, size), 2))
		found = ops.Flatten(ops.Striding(ops.Split(ops.Gather(x, places), 2), 2))
		rows = ops.Flatten(ops.Striding(ops.Nest(x, offsets), 2))
	}
	return parts, found, rows
}

// SumsAndOnes is the sums of rows, and behind them ones: of the elements only the first have rows.
//
//surge:kernel
func SumsAndOnes(x []float64, offsets []int32, ones int) []float64 {
	add := func(a, b float64) float64 { return a + b }
	sums := ops.Map(func(row []float64) float64 { return ops.Reduce(add, row, 0) }, ops.Nest(x, offsets))
	return ops.Concat(sums, ops.Replicate(1.0, ones))
}
