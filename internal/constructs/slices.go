// Slices

package constructs

import (
	"slices"

	"github.com/surge-ndp/surge/ops"
)

// Differences reads neighbours.
//
// Construct: indexing, len, and a part of a slice
//
//surge:kernel
func Differences(x []float64) []float64 {
	if len(x) < 2 {
		return x[:0]
	}
	return ops.Map2(func(a, b float64) float64 { return b - a }, x[:len(x)-1], x[1:])
}

// Take reads at computed places, which may lie outside.
//
// Construct: an index that may be out of range
//
//surge:kernel
func Take(x []float64, at []int) []float64 {
	return ops.Map(func(i int) float64 { return x[i] }, at)
}

// Digits counts in a slice of its own.
//
// Construct: make of a local slice, and assignment to its elements
//
//surge:kernel
func Digits(rows [][]uint8) []int {
	return ops.Map(func(row []uint8) int {
		count := make([]int, 10)
		for _, v := range row {
			count[v%10]++
		}
		most := 0
		for _, c := range count {
			most = max(most, c)
		}
		return most
	}, rows)
}

// Running sums up into a slice that it returns.
//
// Construct: a slice that is made, filled in a loop and returned
//
//surge:kernel
func Running(x []float64) []float64 {
	y := make([]float64, len(x))
	s := 0.0
	for i, v := range x {
		s += v
		y[i] = s
	}
	return y
}

// Blur weighs neighbours by a constant slice.
//
// Construct: slice literals
//
//surge:kernel
func Blur(x []float64) []float64 {
	weights := []float64{0.25, 0.5, 0.25}
	return ops.Map(func(i int) float64 {
		s := 0.0
		for k, w := range weights {
			if j := i + k - 1; j >= 0 && j < len(x) {
				s += w * x[j]
			}
		}
		return s
	}, ops.Range(0, len(x), 1))
}

// RowSums takes rows.
//
// Construct: slices of slices as parameters
//
//surge:kernel
func RowSums(rows [][]float64) []float64 {
	return ops.Map(func(row []float64) float64 { return ops.Reduce(func(a, b float64) float64 { return a + b }, row, 0) }, rows)
}

// Table makes rows.
//
// Construct: slices of slices as results
//
//surge:kernel
func Table(x []float64, width int) [][]float64 {
	return ops.Map(func(v float64) []float64 {
		return ops.Map(func(j int) float64 { return v * float64(j) }, ops.Range(0, max(width, 0), 1))
	}, x)
}

// Joined puts one slice behind another.
//
// Construct: ops.Concat in place of append to a parameter
//
//surge:kernel
func Joined(x, y []float64) []float64 { return ops.Concat(x, y) }

// Counted counts by a number.
//
// Construct: ops.Histogram in place of a map
//
//surge:kernel
func Counted(x []uint8) []int {
	ones := ops.Replicate(1, len(x))
	return ops.Histogram(func(a, b int) int { return a + b }, 256, x, ones, 0)
}

// Commonest is the number that comes most often, and how often: the smallest one of several.
//
// Construct: a sorted copy, whose equal neighbours are counted, in place of a map with any keys
//
//surge:kernel
func Commonest(x []int32) (best int32, count int) {
	sorted := slices.Clone(x)
	slices.Sort(sorted)
	for i := 0; i < len(sorted); {
		j := i + 1
		for j < len(sorted) && sorted[j] == sorted[i] {
			j++
		}
		if j-i > count {
			best, count = sorted[i], j-i
		}
		i = j
	}
	return best, count
}

// Adler cuts what it reads.
//
// Construct: a slice that a loop makes shorter: x = x[n:]
//
//surge:kernel
func Adler(blocks [][]byte) []uint32 {
	const mod = 65521
	return ops.Map(func(p []byte) uint32 {
		a, b := uint32(1), uint32(0)
		for len(p) > 0 {
			q := p
			if len(q) > 40 {
				q = q[:40]
			}
			for _, c := range q {
				a += uint32(c)
				b += a
			}
			a, b = a%mod, b%mod
			p = p[len(q):]
		}
		return b<<16 | a
	}, blocks)
}

// Distances are the edit distances of words from the first one, and that of their ends.
//
// Construct: slices that a loop exchanges: prev, next = next, prev
//
//surge:kernel
func Distances(words [][]byte, cut int) []int {
	if len(words) == 0 {
		return nil
	}
	whole := words[0]
	return ops.Map(func(w []byte) int {
		prev, next, spare := make([]int, len(whole)+1), make([]int, len(whole)+1), make([]int, len(whole)+1)
		for j := range prev {
			prev[j] = j
		}
		prev, next = next, prev
		prev, next = next, prev
		for i := range w {
			next[0] = i + 1
			for j := range whole {
				cost := 1
				if whole[j] == w[i] {
					cost = 0
				}
				next[j+1] = min(prev[j+1]+1, next[j]+1, prev[j]+cost)
			}
			if i%7 == cut {
				prev, next, spare = next, spare, prev
			} else {
				prev, next = next, prev
			}
		}
		return prev[len(whole)] + 1000*spare[0]
	}, words)
}

// Reversed copies elements up to the first that is negative.
//
// Construct: slices and strings that are returned from inside loops: others, or none, behind them
//
//surge:kernel
func Reversed(x []int, names []string, limit int) (rest []int, name string, at int) {
	out := make([]int, len(x))
	kept := make([]int, 0, len(x)+1)
	for i, v := range x {
		if v < -90 {
			return out[:i/2], "negative", i
		}
		for j := 0; j < v%4; j++ {
			if j == 3 && i > 20 {
				return kept, string(names[0]), j
			}
		}
		if v == limit {
			return nil, "", -1
		}
		out[len(x)-1-i] = v
		if v > 0 {
			kept = append(kept, v)
		}
	}
	out = append(out, len(kept))
	kept = append(kept, len(out))
	for range 2 {
		if len(names) > 3 && len(names[3]) > 1 {
			return kept[:len(kept)/2], names[3][1:], len(kept)
		}
	}
	return out, "all", len(x)
}

// Shrunk adds up first elements of a slice that a function literal shortens.
//
// Construct: a slice that a function literal cuts, called in a loop
//
//surge:kernel
func Shrunk(x []float64) (sum float64, left int) {
	y := x
	shrink := func() { y = y[:len(y)/2] }
	for len(y) > 1 {
		sum += y[len(y)-1]
		shrink()
	}
	return sum, len(y)
}
