package exec

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
)

// AsItStands returns how many threads a call with these options has of a kernel that stays whole, 0 if it has more to
// do than to run it.
func (k *Kernel) AsItStands(opts []Option) int {
	o := k.asked(opts)
	if o == nil {
		return 0
	}
	defer release(o)
	if o.ctx != nil {
		return 0
	}
	return cmp.Or(o.threads, runtime.GOMAXPROCS(0))
}

// Placed is result i of a kernel that ran as it stands, where the caller wants it: itself, or a copy in the destination
// that [Into] names.
func Placed[T any, S ~[]T](c *Call, i int, s S) (S, error) {
	if c.destination(i) == nil {
		return s, nil
	}
	to, err := Prefix[T](c, i, len(s))
	copy(to, s)
	return to, err
}

// PlacedRows is [Placed] for a result of rows, for which the destination is flat.
func PlacedRows[T any, R ~[]T, S ~[]R](c *Call, i int, s S) (S, error) {
	if c.destination(i) == nil {
		return s, nil
	}
	to, err := Prefix[T](c, i, elements(s))
	if err != nil {
		return nil, err
	}
	out, _ := movedRows(to, s)
	return out, nil
}

// PlacedPlanes is [PlacedRows] for a result of planes, each of which has rows.
func PlacedPlanes[T any, R ~[]T, P ~[]R, S ~[]P](c *Call, i int, s S) (S, error) {
	if c.destination(i) == nil {
		return s, nil
	}
	n := 0
	for _, plane := range s {
		n += elements(plane)
	}
	to, err := Prefix[T](c, i, n)
	if err != nil {
		return nil, err
	}
	out := make(S, len(s))
	for k, plane := range s {
		out[k], to = movedRows(to, plane)
	}
	return out, nil
}

// elements is the number of elements that rows have together.
func elements[R ~[]T, S ~[]R, T any](rows S) (n int) {
	for _, row := range rows {
		n += len(row)
	}
	return n
}

// movedRows are copies of rows, one behind the other in to, and what is left of that.
func movedRows[R ~[]T, S ~[]R, T any](to []T, rows S) (S, []T) {
	out := make(S, len(rows))
	for k, row := range rows {
		out[k] = to[:copy(to, row):len(row)]
		to = to[len(row):]
	}
	return out, to
}

// ApartRows is [Apart] for the rows of a result, and for s itself.
func ApartRows[S ~[]R, R ~[]T, T any](s S, others ...Argument) S {
	for i := range others {
		if regionOf(s).overlaps(regionOf(others[i].rows)) {
			s = slices.Clone(s)
			break
		}
	}
	var few [16]region // with no more rows there is nothing to be allocated
	taken := taken(few[:0], others)
	for i, row := range s {
		if taken.overlaps(regionOf(row)) {
			s[i] = slices.Clone(row)
		}
	}
	return s
}

// Panicked is deferred by code that runs a kernel as it stands: a panic is the error of the run.
func Panicked(k *Kernel, err *error) {
	if value := recover(); value != nil {
		*err = &Error{Kernel: k.Name, Pos: k.Pos, Code: "panic", Detail: fmt.Sprintf("panic: %v", value)}
	}
}
