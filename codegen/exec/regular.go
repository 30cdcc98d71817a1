package exec

import (
	"fmt"
	"unsafe"
)

// Even reports whether all rows have one length, which is not zero; so do no rows at all.
func Even[S ~[]T, T any](rows []S) bool {
	if len(rows) == 0 {
		return true
	}
	n := len(rows[0])
	for _, r := range rows {
		if len(r) != n {
			return false
		}
	}
	return n > 0
}

// EvenRows is [Even] of the rows of all planes together.
func EvenRows[P ~[]S, S ~[]T, T any](planes []P) bool {
	length := -1
	for _, rows := range planes {
		for _, r := range rows {
			if length < 0 {
				length = len(r)
			}
			if len(r) != length {
				return false
			}
		}
	}
	return length != 0
}

// Shape returns how many rows there are, and how long they are, which is the same for all: 1 if there are none.
func Shape[S ~[]T, T any](rows []S) (n, length int) {
	if len(rows) == 0 {
		return 0, 1
	}
	return len(rows), len(rows[0])
}

// Joined returns what lies in the rows, one behind the other.
func Joined[S ~[]T, T any](rows []S) []T {
	n, length := Shape(rows)
	return joined(rows, make([]T, 0, n*length))
}

// PackRegular returns the elements of rows of one length one behind the other, how many rows there are, and how long
// they are: 1 if there are none. Rows that lie in one backing array, in order and without gaps, are not copied; others
// are copied to memory of the call.
func PackRegular[S ~[]T, T Number](c *Call, rows []S) (data []T, n, length int) {
	if n, length = Shape(rows); n == 0 {
		return nil, n, length
	}
	if all := rows[0]; cap(all) >= n*length { // else they are parts of several arrays
		all = all[: n*length : n*length]
		i := 1
		for i < n && unsafe.SliceData(rows[i]) == &all[i*length] {
			i++
		}
		if i == n {
			return all, n, length
		}
	}
	data = memoryFor[T](c.opts.packing, n*length)
	return joinedBy(c.Threads(), rows, data, n*length), n, length
}

// CodeUneven is the code of [Uneven].
const CodeUneven = "uneven-rows"

// Uneven is the error of binding a kernel for rows of one length to a parameter that has others.
func Uneven(k *Kernel, name string) error {
	return &Error{Kernel: k.Name, Pos: k.Pos, Code: CodeUneven,
		Detail: fmt.Sprintf("%s is for rows of one length that are not empty, and those of %s are not", k.Name, name)}
}

// Open reports whether options leave it open which algorithm runs.
func Open(opts []Option) bool {
	o := collect(opts)
	return !o.fixed && len(o.variants) == 0 && o.selector == nil
}
