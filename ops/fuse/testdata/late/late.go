// Package late has loops whose turns wait for a scalar of the turn before. The comment of each kernel says in how many
// of them a single sum or maximum waits for it behind the pass.
package late

// Gaps is a row of an alignment: the maximum of three numbers, of which one is the turn's before.
//
// Loops: 1
//
//surge:kernel
func Gaps(x, y []int32, gap int32) []int32 {
	z := make([]int32, min(len(x), len(y)))
	score := int32(0)
	for i := range z {
		score = max(x[i]+3, score-gap, y[i]-gap)
		z[i] = score
	}
	return z
}

// Mixed adds four numbers, of which the first one waits: those of wide numbers wrap around.
//
// Loops: 1
//
//surge:kernel
func Mixed(x, y []int, k int) int {
	s := k
	for i := range min(len(x), len(y)) {
		s = (s ^ s>>3) + x[i] + y[i]*k + x[i]*y[i]
	}
	return s
}

// Both adds two numbers that wait, as late as may be: two sums.
//
// Loops: 0
//
//surge:kernel
func Both(x, y []int) (int, int) {
	s, t := 1, 2
	for i := range min(len(x), len(y)) {
		s, t = s/2+x[i]+t/3+y[i], s-x[i]
	}
	return s, t
}

// Twice needs the first sum for something else, too.
//
// Loops: 0
//
//surge:kernel
func Twice(x, y []int) (int, int) {
	s, t := 1, 0
	for i := range min(len(x), len(y)) {
		first := s/2 + x[i]
		s = first + y[i]
		t ^= first
	}
	return s, t
}

// Floats are added as they are written.
//
// Loops: 0
//
//surge:kernel
func Floats(x, y []float64) float64 {
	s := 1.0
	for i := range min(len(x), len(y)) {
		s = s/2 + x[i] + y[i]
	}
	return s
}

// Peaks are the extremes so far, of both signs; those of floats may be taken in any order.
//
// Loops: 1
//
//surge:kernel
func Peaks(x []float64, decay float64) []float64 {
	z := make([]float64, len(x))
	peak := 0.0
	for i, v := range x {
		peak = max(peak/2, v, -v)
		z[i] = peak
	}
	return z
}
