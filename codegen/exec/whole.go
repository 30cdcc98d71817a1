package exec

import (
	"fmt"
	"slices"
)

// AsItStands reports whether a call with these options of a kernel that stays whole has nothing to do but run it.
func (k *Kernel) AsItStands(opts []Option) bool {
	o := k.asked(opts)
	if o == nil {
		return false
	}
	defer release(o)
	return o.ctx == nil
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
	n := 0
	for _, row := range s {
		n += len(row)
	}
	to, err := Prefix[T](c, i, n)
	if err != nil {
		return nil, err
	}
	out := make(S, len(s))
	for k, row := range s {
		out[k] = to[:copy(to, row):len(row)]
		to = to[len(row):]
	}
	return out, nil
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
