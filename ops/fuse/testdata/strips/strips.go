// Package strips has loops that update arrays at computed places, or carry what is little work beside loops in their
// turns. The comment of each kernel says how many loops over strips of turns there are behind the pass.
package strips

import "math"

// Weights sums up in bins, in the order of the source; what lies outside does not count.
//
// Loops: 1
//
//surge:kernel
func Weights(x []float64, n int) []float64 {
	bins := make([]float64, 9)
	for i, v := range x {
		if b := int(math.Sqrt(v*v+float64(n))) - i%3; b >= 0 && b < len(bins) {
			bins[b] += math.Exp(-v*v) * v
		}
	}
	return bins
}

// Hash counts in numbers that any order gives: each part of the turns has bins of its own.
//
// Loops: 1
//
//surge:kernel
func Hash(keys []uint32, n int) []int32 {
	bins := make([]int32, n)
	for _, k := range keys {
		k ^= k >> 16
		k *= 0x85ebca6b
		k ^= k >> 13
		k *= 0xc2b2ae35
		bins[k>>4&7]++
	}
	return bins
}

// Votes votes for many places by each element, and for few by a constant number of angles: those are one strip.
//
// Loops: 1
//
//surge:kernel
func Votes(x []float64, cos, sin []float64) []int32 {
	votes := make([]int32, 30)
	for i, v := range x {
		for a := range min(len(cos), len(sin)) {
			b := int(math.Abs(v*cos[a]*cos[a] + float64(i%3)*sin[a]*sin[a] + v*v*sin[a]))
			votes[b%10]++
		}
		for a := range 20 {
			b := int(math.Abs(v*v*float64(a)+v*v*v*3+v/2+v*float64(i%3)*float64(a))) * a
			votes[10+(b%20+20)%20] += 2
		}
	}
	return votes
}

// Rows is a row of bins for each part of some elements, which may be none.
//
// Loops: 1
//
//surge:kernel
func Rows(x []float64, offsets []int) [][]float64 {
	all := make([][]float64, max(len(offsets)-1, 0))
	for r := range all {
		row := make([]float64, 5)
		for _, v := range x[offsets[r]:offsets[r+1]] {
			w := v*v*(v-0.25)*(v+1) + 1/(v*v+3)
			row[int(v)&3] += w * w / (w + 2)
		}
		all[r] = row
	}
	return all
}

// Last assigns, and keeps what is largest: neither is a sum.
//
// Loops: 1
//
//surge:kernel
func Last(x []float64) ([]float64, []int) {
	most, last := make([]float64, 8), make([]int, 8)
	for i, v := range x {
		w := math.Sqrt(v*v+2) * math.Exp(v/9)
		b := int(w) & 7
		if w > most[b] {
			most[b], last[b] = w, i+1
		}
	}
	return most, last
}

// Count counts what it reads: there is nothing to do beside.
//
// Loops: 0
//
//surge:kernel
func Count(x []uint8) []int32 {
	bins := make([]int32, 256)
	for _, v := range x {
		bins[v]++
	}
	return bins
}

// Walk goes to a place that the places before it say, with a weight that they do not say.
//
// Loops: 1
//
//surge:kernel
func Walk(x []float64) []float64 {
	z := make([]float64, 16)
	for _, v := range x {
		w := math.Exp(-v*v) * math.Sqrt(v*v+1)
		z[int(z[int(w)&15]+w)&15] += w
	}
	return z
}

// Grow checks what it has updated: the check waits, and may fail after others.
//
// Loops: 1
//
//surge:kernel
func Grow(x []float64, y []int) []int {
	z := make([]int, 16)
	for _, v := range x {
		b := int(math.Exp(-v*v)*math.Sqrt(v*v+1)*9) & 15
		z[b]++
		z[b] += y[z[b]]
	}
	return z
}

// Smooth updates elements in turn, each from the one before.
//
// Loops: 0
//
//surge:kernel
func Smooth(x []float64) []float64 {
	z := make([]float64, len(x)+1)
	for i, v := range x {
		z[i+1] = z[i]/2 + math.Exp(-v*v)*math.Sqrt(v*v+1)
	}
	return z
}

// Walks simulates walks from seeds, each of which is counted by where it ends, and sums up how far it got for some
// limits, in the order of the seeds.
//
// Loops: 1
//
//surge:kernel
func Walks(limits []float64, n, steps int, seed uint32) ([]float64, []int32) {
	sums, ends := make([]float64, len(limits)), make([]int32, 7)
	for p := range n {
		at, far, state := 0, 0.0, seed+uint32(p)
		for range steps {
			state ^= state << 13
			state ^= state >> 17
			state ^= state << 5
			at += int(state%3) - 1
			far = max(far, math.Sqrt(float64(at*at)+math.Exp(-far))+math.Log(far+1))
		}
		ends[(at%7+7)%7]++
		for k, limit := range limits {
			sums[k] += min(far, limit)
		}
	}
	return sums, ends
}

// Lags has for each start the differences to what lies behind it, over those so far: each is a loop of its own, and
// only their total waits.
//
// Loops: 1
//
//surge:kernel
func Lags(x []float64, n int) []float64 {
	least := make([]float64, len(x))
	for i := range x {
		diff := make([]float64, n)
		total := 0.0
		for lag := 1; lag < n; lag++ {
			sum := 0.0
			for j := 0; j < i && j+lag < len(x); j++ {
				d := x[j] - x[j+lag]
				sum += d * d
			}
			total += sum
			diff[lag] = sum * float64(lag) / (total + 1)
		}
		for _, d := range diff {
			least[i] += d
		}
	}
	return least
}

// Levels keeps two numbers by turns of its loop, in no order that could be another, of sums that these do not change.
//
// Loops: 1
//
//surge:kernel
func Levels(x []float64, widths []int) []float64 {
	out := make([]float64, len(widths))
	for i, w := range widths {
		level, trend := 0.0, 1.0
		for t := range x {
			sum := 0.0
			for j := max(t-w, 0); j < t; j++ {
				sum += x[j] / (1 + x[j]*x[j])
			}
			next := level/2 + trend + sum
			level, trend = next, (next-level)/3
		}
		out[i] = level + trend
	}
	return out
}

// Paths has a loop in each turn whose length the turn before says.
//
// Loops: 0
//
//surge:kernel
func Paths(x []float64, widths []int) []float64 {
	out := make([]float64, len(widths))
	for i, w := range widths {
		level := float64(w)
		for t := range x {
			sum := 0.0
			for j := max(t-int(level)&7, 0); j < t; j++ {
				sum += x[j] / (1 + x[j]*x[j])
			}
			level = level/2 + sum
		}
		out[i] = level
	}
	return out
}

// Kept appends some of what takes work, twice at most.
//
// Loops: 1
//
//surge:kernel
func Kept(x []float64) (kept []float64, at []int) {
	for i, v := range x {
		sum := 0.0
		for j := range i {
			sum += math.Sqrt(x[j]*x[j]+v*v) / (1 + v*v)
		}
		if sum > 1 {
			kept = append(kept, sum)
			at = append(at, i)
		}
		if sum < -v {
			kept = append(kept, v)
		}
	}
	return kept, at
}

// Best keeps where the least of the elements so far is, not how much that is.
//
// Loops: 1
//
//surge:kernel
func Best(x, y []float64) ([]float64, int) {
	costs, best := make([]float64, len(x)), -1
	for i, v := range x {
		cost := 0.0
		for _, w := range y {
			if cost += math.Abs(v-w) / (1 + w*w); cost > 9 {
				break
			}
		}
		costs[i] = cost
		if cost < 3 && (best < 0 || cost < costs[best]) {
			best = i
		}
	}
	return costs, best
}

// Returned leaves the function in the midst of its turns: what comes behind must not fail.
//
// Loops: 0
//
//surge:kernel
func Returned(x []float64, at []int) []float64 {
	z := make([]float64, 8)
	for i, v := range x {
		sum := 0.0
		for j := range i {
			sum += math.Sqrt(x[j]*x[j]+v*v) * x[at[i]]
		}
		z[i&7] += sum
		if z[0] > 1 {
			return z
		}
	}
	return z
}
