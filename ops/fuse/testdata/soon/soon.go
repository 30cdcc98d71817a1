// Package soon has loops in sequential code that check their counter. The comment of each kernel says how many
// innermost loops make checks behind the pass: those over two turns are unrolled.
package soon

// Distances reads two slices as far as a third one goes.
//
// Loops: 0
//
//surge:kernel
func Distances(x, y, z []int, turns int) []int {
	out := make([]int, 2)
	for turn := 0; turn < turns; turn++ {
		sum := out[1]
		for i := range x {
			sum += (x[i] - y[i]) * z[i]
		}
		out[0], out[1] = out[1], sum%1000
	}
	return out
}

// From begins anywhere, and may have no turn.
//
// Loops: 0
//
//surge:kernel
func From(x []int, from, to int) []int {
	out := make([]int, 1)
	if from < 0 {
		return out
	}
	for turn := 0; turn < 3; turn++ {
		sum := out[0]
		for i := from; i < to; i++ {
			sum = sum*3%1000 + x[i]
		}
		out[0] = sum
	}
	return out
}

// Rows compares a row with those of another matrix, whose rows may be shorter.
//
// Loops: 0
//
//surge:kernel
func Rows(x []int, lengths []int, y []int, turns int) []int {
	out := make([]int, 1)
	for turn := 0; turn < turns; turn++ {
		sum := out[0]
		for c := range lengths {
			n := min(max(lengths[c], 0), len(y))
			row := y[:n]
			for i, v := range x {
				sum = sum*5%1000 + v*row[i]
			}
		}
		out[0] = sum
	}
	return out
}

// Two has another check, which may fail before.
//
// Loops: 2
//
//surge:kernel
func Two(x, y []int, n int) []int {
	out := make([]int, 1)
	for turn := 0; turn < 2; turn++ {
		sum := out[0]
		for i := 0; i < n; i++ {
			sum = sum*3%1000 + x[i] + y[2*i]
		}
		out[0] = sum
	}
	return out
}

// Under reads under a condition only.
//
// Loops: 2
//
//surge:kernel
func Under(x, y []int) []int {
	out := make([]int, 1)
	for turn := 0; turn < 2; turn++ {
		sum := out[0]
		for i, v := range x {
			if v > 2 {
				sum = sum*3%1000 + y[i]
			}
		}
		out[0] = sum
	}
	return out
}

// Same reads one element in every turn, which is there if the element of the turn is.
//
// Loops: 2
//
//surge:kernel
func Same(x, y []int, k, n int) []int {
	out := make([]int, 4)
	for turn := 0; turn < 2; turn++ {
		for i := 0; i < n; i++ {
			out[i] = out[i]*3%1000 + x[i] + y[k]
		}
	}
	return out
}

// Below counts from a number that may be below zero, where its first turn fails.
//
// Loops: 0
//
//surge:kernel
func Below(x []int, lo, hi int) []int {
	out := make([]int, 1)
	for turn := 0; turn < 2; turn++ {
		sum := out[0]
		for i := lo; i < hi; i++ {
			sum = sum*3%1000 + x[i]
		}
		out[0] = sum
	}
	return out
}
