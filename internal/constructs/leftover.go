// Loops that fill slices

package constructs

import (
	"math"
	"slices"
)

// Outlying are the samples that are far from the median of those around them, and the others as they are.
//
// Construct: append under a condition, beside elements that are assigned, where what decides is much work
//
//surge:kernel
func Outlying(x []float64, n int) (smooth []float64, at []int32) {
	half := n & 7
	smooth = make([]float64, len(x))
	window := make([]float64, 0, 2*half+1)
	for i, v := range x {
		window = append(window[:0], x[max(i-half, 0):min(i+half+1, len(x))]...)
		slices.Sort(window)
		smooth[i] = v
		if middle := window[len(window)/2]; math.Abs(v-middle) > 1 {
			smooth[i] = middle
			at = append(at, int32(i))
		}
		if v < 0 {
			at = append(at, -int32(i))
		}
	}
	return smooth, at
}

// Cheapest is what following a signal costs with each gain, and the gain that costs least, -1 for none.
//
// Construct: the place of the best so far, which the loop compares with by what it has assigned there
//
//surge:kernel
func Cheapest(gains, x []float64) ([]float64, int) {
	costs := make([]float64, len(gains))
	best := -1
	for i, g := range gains {
		level, cost := 0.0, 0.0
		for _, v := range x {
			level += (v - level) * g
			if cost += math.Abs(v - level); cost > 1e3 {
				cost = math.Inf(1)
				break
			}
		}
		costs[i] = cost
		if !math.IsInf(cost, 1) && (best < 0 || cost < costs[best]) {
			best = i
		}
	}
	return costs, best
}

// clocks are the times at which something is free.
type clocks []float64

// next is the first of the least times.
func (c clocks) next() (at int) {
	for i, t := range c {
		if t < c[at] {
			at = i
		}
	}
	return at
}

func (c clocks) take(i int, until float64) { c[i] = max(c[i], until) }

// Queued is how long jobs wait in each of several runs.
//
// Construct: a buffer of turns with methods
//
//surge:kernel
func Queued(x []float64, n int) []float64 {
	waits := make([]float64, len(x))
	free := make(clocks, n&3+1)
	for i := range waits {
		clear(free)
		for j, v := range x {
			at := free.next()
			begin := max(float64(j), free[at])
			waits[i] += begin - float64(j)
			free.take(at, begin+math.Abs(v)*float64(i%5))
		}
	}
	return waits
}

// Scenarios are the prices of each step, in the order of its simulations.
//
// Construct: a column of a matrix in each turn, over all rows
//
//surge:kernel
func Scenarios(x []float64, n int) [][]float64 {
	prices := make([][]float64, len(x))
	for t := range prices {
		prices[t] = make([]float64, n&15)
	}
	for p := range n & 15 {
		price := 1 + float64(p)
		for t, v := range x {
			price += v / (1 + price*price)
			prices[t][p] = price
			if t > 0 {
				prices[t][p] += prices[t-1][p] / 2
			}
		}
	}
	return prices
}

// Remainders are those of blocks of bytes.
//
// Construct: rows of an array that a turn moves by one element, to either side
//
//surge:kernel
func Remainders(x []byte, n int) []byte {
	size := n&7 + 2
	out := make([]byte, (len(x)+9)/10*size)
	for b := 0; b*10 < len(x); b++ {
		register := out[b*size : (b+1)*size]
		for _, v := range x[b*10 : min((b+1)*10, len(x))] {
			first := v ^ register[0]
			copy(register, register[1:])
			register[size-1] = first * 3
			if first&1 == 1 {
				copy(register[1:], register)
				register[0] ^= 0x1d
			}
		}
	}
	return out
}

// Likenesses are how like a signal is to itself at each lag.
//
// Construct: loops that end at the first of several bounds
//
//surge:kernel
func Likenesses(x []float64, n int) []float64 {
	out := make([]float64, n&31)
	for lag := range out {
		for j := 0; j+lag < len(x) && j < 2*len(out); j++ {
			out[lag] += x[j] * x[j+lag]
		}
	}
	return out
}

// Disparities are the shifts at which rows are most like themselves.
//
// Construct: a buffer of turns that a loop inside sets in its first turn, and from its counter on in later ones
//
//surge:kernel
func Disparities(x []float64, n int) []int {
	w := n&15 + 1
	out := make([]int, len(x)/w)
	cost := make([]float64, w)
	for y := range out {
		row := x[y*w : (y+1)*w]
		least := math.Inf(1)
		for d := 0; d < 4 && d < w; d++ {
			for k := d; k < w; k++ {
				cost[k] = math.Abs(row[k] - row[k-d]*float64(d))
			}
			sum := 0.0
			for k := d; k < w; k++ {
				if k+2 < w {
					sum += cost[k+2]
				}
				sum += cost[k]
			}
			if sum < least {
				least, out[y] = sum, d
			}
		}
	}
	return out
}
