// Package reductions has loops that carry numbers. The comment of each kernel says how many of its loops stay loops.
package reductions

import (
	"math"
	"math/bits"
)

// Loops: 0
//
//surge:kernel
func Sum(x []int) int {
	s := 7
	for _, v := range x {
		s += v
	}
	return s
}

// Loops: 0
//
//surge:kernel
func Count(x []float64, least float64) (n, m int) {
	for i := 1; i < len(x); i++ {
		if x[i] > least {
			n++
			if x[i-1] > least {
				m -= 2
			}
		}
	}
	return n, m
}

// Loops: 0
//
//surge:kernel
func Extremes(x []int) (least, most, magnitude int) {
	least, most = math.MaxInt, math.MinInt
	for _, v := range x {
		if v < least {
			least = v
		}
		if most < v {
			most = v
		}
		magnitude = max(magnitude, v, -v)
	}
	return
}

// Loops: 0
//
//surge:kernel
func Greatest(x []float64) float64 {
	m := math.Inf(-1)
	for _, v := range x {
		m = max(m, v*v)
	}
	return m
}

// Loops: 0
//
//surge:kernel
func Bits(x []uint8, all bool) (any uint8, common uint8, odd uint8, sorted bool) {
	common, sorted = 255, all
	for i, v := range x {
		any |= v
		common &= v
		odd ^= v
		if i > 0 && x[i-1] > v {
			sorted = false
		}
	}
	return
}

// Inside adds in a loop inside.
//
// Loops: 0
//
//surge:kernel
func Inside(x []int, w int) int {
	s := 0
	for i := range x {
		for j := 0; j < w; j++ {
			s += x[(i+j)%len(x)] * j
		}
	}
	return s
}

// From has as many turns as a number says: it has to be stoppable.
//
// Loops: 1
//
//surge:kernel
func From(x []int, from, to int) int {
	s := 0
	for i := 2; i < to; i++ {
		s += x[i] ^ from
	}
	return s
}

// Branches has a reduction where a condition holds.
//
// Loops: 0
//
//surge:kernel
func Branches(x []int) int {
	if len(x) == 0 {
		return -1
	}
	m := x[0]
	for _, v := range x {
		m = min(m, v)
	}
	return m
}

// Guarded asks only as long as the answer is open, which would fail otherwise.
//
// Loops: 1
//
//surge:kernel
func Guarded(x []int) bool {
	ok := true
	for i := range x {
		ok = ok && x[x[i]] > 0
	}
	return ok
}

// Loops: 1
//
//surge:kernel
func Floats(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += v
	}
	return s
}

// Loops: 1
//
//surge:kernel
func Recurrence(x []int) int {
	s := 0
	for _, v := range x {
		s = s*31 + v
	}
	return s
}

// Loops: 0
//
//surge:kernel
func Position(x []int) (most, at int) {
	at = -1
	for i, v := range x {
		if v > most {
			most, at = v, i
		}
	}
	return
}

// Loops: 1
//
//surge:kernel
func Mixed(x []int) int {
	s := 0
	for _, v := range x {
		s += v
		s = max(s, 0)
	}
	return s
}

// Loops: 1
//
//surge:kernel
func Crossed(x []int) (a, b int) {
	for _, v := range x {
		a += v
		b += a
	}
	return
}

// Loops: 1
//
//surge:kernel
func Swapped(x []int) (a, b int) {
	for _, v := range x {
		a, b = b+v, a+v
	}
	return
}

// Later updates what it has read before: an operator reads no array that is updated behind it.
//
// Loops: 2
//
//surge:kernel
func Later(x []int) ([]int, int) {
	y := make([]int, len(x))
	for i := 1; i < len(x); i++ {
		y[i] = y[i-1] + x[i]
	}
	s := 0
	for _, v := range y {
		s += v
	}
	if len(y) > 0 {
		y[0] = s
	}
	return y, s
}

// Loops: 0
//
//surge:kernel
//surge:reassociate
func AnyOrder(x, y []float64) (dot, product float64, n int) {
	product = 1
	for i, v := range x {
		if v > 0 && i < len(y) {
			dot -= v * y[i]
			n++
		}
		product *= v
	}
	return
}

// RowSums adds in loops inside of elements, between positions that may be anything.
//
// Loops: 0
//
//surge:kernel
//surge:reassociate
func RowSums(x []float64, first []int, w int) []float64 {
	y := make([]float64, max(len(first)-1, 0))
	for i := range y {
		s := 1.0
		for k := first[i]; k < first[i+1]; k++ {
			for j := 0; j < w; j++ {
				s += x[k] * x[j]
			}
		}
		y[i] = s
	}
	return y
}

// Turns has a sum in the turns of a loop, and a Map.
//
// Loops: 1
//
//surge:kernel
//surge:reassociate
func Turns(x []float64, turns int) []float64 {
	y := make([]float64, len(x))
	z := make([]float64, len(x))
	for range turns {
		s := 0.0
		for _, v := range y {
			s += v
		}
		for i, v := range x {
			z[i] = y[i] + v + s
		}
		y, z = z, y
	}
	return y
}

// Bins counts at computed places: each part of the turns has bins of its own.
//
// Loops: 1
//
//surge:kernel
func Bins(x []uint32, n int) []uint32 {
	counts := make([]uint32, n)
	for _, v := range x {
		counts[v]++
	}
	return counts
}

// Pairs counts in a loop inside, beside a sum, and into bins that have values already. One loop more fills these.
//
// Loops: 3
//
//surge:kernel
func Pairs(x, y []int, n int) ([]int, int) {
	bins := make([]int, n)
	for i := range bins {
		bins[i] = i * i
		if i > 0 {
			bins[i] += bins[i-1]
		}
	}
	same := 0
	for i, v := range x {
		for _, w := range y {
			if v == w {
				same++
				bins[v] -= w
			}
			bins[w] += i
		}
	}
	return bins, same
}

// Several has arrays of other functions: loops fill some of them.
//
// Loops: 5
//
//surge:kernel
func Several(x []int, y []uint8, n int) ([]int, []uint8, []int, []int) {
	most := make([]int, n)
	bits := make([]uint8, n)
	product := make([]int, n)
	for i := range product {
		product[i] = i + 1
	}
	common := make([]int, n)
	for i, v := range x {
		most[v] = max(most[v], i)
		if i < len(y) {
			bits[v] |= y[i]
		}
		product[v] *= i + 1
		common[v] &= i
	}
	return most, bits, product, common
}

// Reads looks at what it has counted.
//
// Loops: 1
//
//surge:kernel
func Reads(x []int, n int) []int {
	counts := make([]int, n)
	for _, v := range x {
		if counts[v] < 2 {
			counts[v]++
		}
	}
	return counts
}

// Where reads one place and updates another.
//
// Loops: 1
//
//surge:kernel
func Where(x []int, n int) []int {
	counts := make([]int, n)
	for i, v := range x {
		counts[v] = counts[i] + 1
	}
	return counts
}

// FloatBins adds in the order of the source.
//
// Loops: 1
//
//surge:kernel
func FloatBins(x []float64, at []int, n int) []float64 {
	sums := make([]float64, n)
	for i, b := range at {
		sums[b] += x[i]
	}
	return sums
}

// AnyBins adds in any order.
//
// Loops: 1
//
//surge:kernel
//surge:reassociate
func AnyBins(x []float64, at []int, n int) ([]float64, []int) {
	sums := make([]float64, n)
	counts := make([]int, n)
	for i, b := range at {
		sums[b] += x[i]
		counts[b]++
	}
	return sums, counts
}

// Again updates what it has counted: the array stays where it is.
//
// Loops: 2
//
//surge:kernel
func Again(x []int, n int) []int {
	counts := make([]int, n)
	for _, v := range x {
		counts[v]++
	}
	for i := 1; i < n; i++ {
		counts[i] += counts[i-1]
	}
	return counts
}

// Nearest looks for the first place of the least number, by its place: a NaN at first stays.
//
// Loops: 0
//
//surge:kernel
func Nearest(d []float64, from int) int {
	at := from
	for i, v := range d {
		if v < d[at] {
			at = i
		}
	}
	return at
}

// Farthest looks for the last place of the greatest number, and what else belongs to it.
//
// Loops: 0
//
//surge:kernel
func Farthest(x, y []float64, most float64) (float64, int32, float64) {
	at, other := int32(-1), 0.5
	for i, v := range x {
		if w := v * v; most <= w {
			most, at, other = w, int32(i), y[i]+w
		}
	}
	return most, at, other
}

// Lowest has bytes, and the last place of the least.
//
// Loops: 0
//
//surge:kernel
func Lowest(x []uint8) (least uint8, at int) {
	least = 255
	for i := 1; i < len(x); i++ {
		if x[i] <= least {
			least, at = x[i], i
		}
	}
	return
}

// Other remembers something else than it compares.
//
// Loops: 1
//
//surge:kernel
func Other(x, y []int) (most, at int) {
	for i, v := range x {
		if v > most {
			most, at = v-y[i], i
		}
	}
	return
}

// Elsewhere compares with an element of another slice.
//
// Loops: 1
//
//surge:kernel
func Elsewhere(x, y []int) (at int) {
	for i, v := range x {
		if v > y[at] {
			at = i
		}
	}
	return
}

// Kinds counts in small arrays, which variables hold, and in tables, and adds up lengths.
//
// Loops: 2
//
//surge:kernel
func Kinds(x []int, spam []bool, words int) (kinds [3]int, totals [2]int, counts []int) {
	counts = make([]int, 2*words)
	for i, s := range spam {
		kind := 0
		if s {
			kind = 1
		}
		kinds[kind]++
		kinds[(i+kind)%3] += i
		for _, w := range x {
			counts[kind*words+w]++
		}
		totals[kind] += len(x)
	}
	return
}

// NearestMade looks for a place in an array that it has made: the length is the one that the array was made with.
//
// Loops: 0
//
//surge:kernel
func NearestMade(x, y []float64, from int) (at int, distances []float64) {
	distances = make([]float64, len(x))
	for i, v := range x {
		distances[i] = v * y[i]
	}
	at = from
	for i, v := range distances {
		if v < distances[at] {
			at = i
		}
	}
	return at, distances
}

// Common counts the bits that rows have in common with a query: loops from zero on in the elements of a Map are Reduces,
// but those of a few turns, and those from elsewhere on, stay.
//
// Loops: 2
//
//surge:kernel
func Common(x, query []uint32, from int) ([]int, []int) {
	w := max(len(query), 1)
	all, some := make([]int, len(x)/w), make([]int, len(x)/w)
	for i := range all {
		s := 0
		for j, q := range query {
			s += bits.OnesCount32(x[i*w+j] & q)
		}
		few := 0
		for j := range 4 {
			few += int(x[(i+j)%len(x)])
		}
		all[i] = s*1000 + few
		t := 0
		for j := from; j < w; j++ {
			t ^= int(x[i*w+j])
		}
		some[i] = t
	}
	return all, some
}

// Marks stores a constant where others are stored too, or to what is not zero before: what is stored last decides.
//
// Loops: 3
//
//surge:kernel
func Marks(x []uint8) ([]int, []int) {
	kinds, others := make([]int, 256), make([]int, 256)
	for k := range others {
		others[k] = k
	}
	for _, v := range x {
		kinds[v] = 1
		kinds[v/2] = 2
	}
	for _, v := range x {
		others[v] = 4
	}
	return kinds, others
}

// Thirds assigns every third element, another one in each turn.
//
// Loops: 1
//
//surge:kernel
func Thirds(x []int) []int {
	out := make([]int, len(x))
	for i := len(x) - 1; i >= 0; i -= 3 {
		out[i] = 2 * x[i]
	}
	return out
}
