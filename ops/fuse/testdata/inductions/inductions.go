// Package inductions has loops that count with something besides their turns. The comment of each kernel says how many
// loops behind the pass carry an int, or have a condition.
package inductions

// Triples appends three elements a turn.
//
// Loops: 0
//
//surge:kernel
func Triples(x, y []float64, n int) []float64 {
	out := make([]float64, 0, 3*len(x))
	for i := range x {
		out = append(out, x[i], y[i], 1)
	}
	return out
}

// Pixels goes through groups of three, and leaves out what is no whole one.
//
// Loops: 0
//
//surge:kernel
func Pixels(x []int) ([]int, int) {
	out := make([]int, len(x))
	i := 0
	for ; i+2 < len(x); i += 3 {
		out[i], out[i+1], out[i+2] = x[i]+x[i+2], x[i+1], x[i]-x[i+1]
	}
	return out, i
}

// Behind counts from somewhere and up to something less than a length. What is left is the sum.
//
// Loops: 1
//
//surge:kernel
func Behind(x []int) (int, int) {
	s, i := 0, 5
	for i-2 < len(x)-4 {
		s += x[i-3]
		i += 2
	}
	return s, i
}

// Pairs appends two elements a turn of two loops.
//
// Loops: 0
//
//surge:kernel
func Pairs(x, y []int) []int {
	out := make([]int, 0, 2*len(x)*len(y))
	for _, v := range x {
		for _, w := range y {
			out = append(out, v, w)
		}
	}
	return out
}

// Down counts down, with a step that is not known.
//
// Loops: 0
//
//surge:kernel
func Down(x []int, step int) []int {
	out := make([]int, len(x))
	at := 7
	for i := range x {
		at -= step
		out[i] = at
	}
	return out
}

// Some counts under a condition.
//
// Loops: 1
//
//surge:kernel
func Some(x []int) ([]int, int) {
	out := make([]int, len(x))
	n := 0
	for i, v := range x {
		if v > 2 {
			n++
		}
		out[i] = v / 2
		if n > i {
			out[i] = n
		}
	}
	return out, n
}

// Ragged counts the elements of rows whose lengths differ.
//
// Loops: 2
//
//surge:kernel
func Ragged(lengths []int) ([]int, int) {
	out := make([]int, len(lengths))
	n := 0
	for i, l := range lengths {
		for j := 0; j < l; j++ {
			n += 2
		}
		n += i
		out[i] = n
	}
	return out, n
}

// Far begins where the first test would overflow.
//
// Loops: 1
//
//surge:kernel
func Far(x []int) int {
	s := 0
	for i := 1<<63 - 2; i+4 < len(x); i += 1 << 20 {
		s++
		if s > 3 {
			break
		}
	}
	return s
}

// While counts up to what turns change.
//
// Loops: 1
//
//surge:kernel
func While(x []int) (int, int) {
	s, i, end := 0, 0, len(x)
	for i+1 < end {
		s += x[i]
		if s > 9 {
			end--
		}
		i += 2
	}
	return s, i
}

// Whole goes through groups whose last element is in the slice, and down through every third one.
//
// Loops: 0
//
//surge:kernel
func Whole(x []int, last int) ([]int, int) {
	out := make([]int, len(x))
	i := 1
	for ; i+2 <= last; i += 3 {
		out[i], out[i+1], out[i+2] = x[i]+x[i+2], x[i+1], x[i]-x[i+1]
	}
	for k := len(x) - 1; k >= 0; k -= 3 {
		out[k] += x[k]
	}
	return out, i
}

// Followed appends one element a turn in each row, which a number goes along with.
//
// Loops: 0
//
//surge:kernel
func Followed(x, from []int) [][]int {
	out := make([][]int, 0, len(from))
	for _, by := range from {
		made, level := make([]int, 0, len(x)), int8(1)
		for _, v := range x {
			level = level/2 + int8(v)
			made = append(made, by*int(level))
		}
		out = append(out, made)
	}
	return out
}

// FollowedFrom begins at a place that each row says: places one behind the other stay numbers of their own.
//
// Loops: 1
//
//surge:kernel
func FollowedFrom(x, from []int) [][]int {
	out := make([][]int, 0, len(from))
	for _, lo := range from {
		made, level := make([]int, 0, len(x)), int8(1)
		for i := lo; i < len(x); i++ {
			level = level/2 + int8(x[i])
			made = append(made, x[i]*int(level))
		}
		out = append(out, made)
	}
	return out
}
