// Control flow

package constructs

import (
	"iter"
	"slices"
	"strings"
)

// Records are the places of the elements that are greater than all behind them, up to the second one.
//
// Construct: range over slices.Backward, slices.All and slices.Values
//
//surge:kernel
func Records(x []int32) []int {
	out := make([]int, 0, len(x))
	best := int32(-1 << 31)
	for i, v := range slices.Backward(x) {
		if v <= best {
			continue
		}
		best = v
		out = append(out, i)
		if len(out) == 2 {
			break
		}
	}
	for v := range slices.Values(x) {
		if v == best {
			out = append(out, 1)
			break
		}
	}
	return out
}

// Middles are the medians of the rows.
//
// Construct: slices.Sorted, SortedFunc and Collect of slices.Values
//
//surge:kernel
func Middles(rows [][]int32) []int32 {
	out := make([]int32, len(rows))
	for i, row := range rows {
		if s := slices.Sorted(slices.Values(row)); len(s) > 0 {
			out[i] = s[len(s)/2]
		}
	}
	return out
}

// LineSquares adds the squares of the lengths of all lines.
//
// Construct: range over strings.SplitSeq, FieldsSeq and FieldsFuncSeq
//
//surge:kernel
func LineSquares(text string) int {
	n := 0
	for line := range strings.SplitSeq(text, "e") {
		n += len(line) * len(line)
	}
	return n
}

// ring is a slice that begins somewhere.
type ring struct {
	buf  []int32
	head int
}

// All are the elements, with their places, from the head on.
func (r *ring) All() iter.Seq2[int, int32] {
	return func(yield func(int, int32) bool) {
		for i := range r.buf {
			if !yield(i, r.buf[(r.head+i)%len(r.buf)]) {
				return
			}
		}
	}
}

// every are the numbers below n that step divides.
func every(step, n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := 0; i < n; i += step {
			if !yield(i) {
				return
			}
		}
	}
}

// Around adds up what a ring has before its first great number, by place, and every third one.
//
// Construct: range over an iterator of the package: a function, or a method, that returns a function literal
//
//surge:kernel
func Around(x []int32, head uint8) int {
	if len(x) == 0 {
		return -1
	}
	r := &ring{buf: slices.Clone(x), head: int(head) % len(x)}
	sum := 0
	for i, v := range r.All() {
		if v < 0 {
			continue
		}
		if v%4 == 3 {
			break
		}
		sum += (i + 1) * int(v%100)
	}
	for i := range every(3, len(x)) {
		sum += int(x[i] % 100)
	}
	return sum
}
