package exec

import (
	"cmp"
	"fmt"
	"slices"
	"unsafe"
)

// region is where the elements of a slice lie: bytes of memory from at on. Without elements it is the zero value.
type region struct {
	at    unsafe.Pointer
	bytes uintptr
}

func regionOf[T any](s []T) region {
	if len(s) == 0 {
		return region{}
	}
	return region{unsafe.Pointer(unsafe.SliceData(s)), uintptr(len(s)) * unsafe.Sizeof(s[0])}
}

// end is the address behind the last byte. The sum does not wrap around: no memory lies at the end of all addresses.
func (e region) end() uintptr { return uintptr(e.at) + e.bytes }

// overlaps reports whether the two share a byte.
func (e region) overlaps(o region) bool {
	return e.bytes > 0 && o.bytes > 0 && uintptr(e.at) < o.end() && uintptr(o.at) < e.end()
}

// Argument is a sequence that a kernel is bound to, for [Call.Separate].
type Argument struct {
	name     string
	elements region
	rows     [][]byte // of a sequence of sequences: with the right addresses and lengths, but elements of another type
	size     uintptr  // of an element of rows, in bytes
}

// Flat is the argument of a parameter that is a sequence.
func Flat[T any](name string, s []T) Argument { return Argument{name: name, elements: regionOf(s)} }

// Ragged is the argument of a parameter that is a sequence of sequences.
func Ragged[S ~[]T, T any](name string, rows []S) Argument {
	a := Argument{name: name, size: unsafe.Sizeof(*new(T))}
	if len(rows) > 0 { // slices look the same whatever their elements are; the rows are only measured
		a.rows = unsafe.Slice((*[]byte)(unsafe.Pointer(unsafe.SliceData(rows))), len(rows))
	}
	return a
}

func (a *Argument) overlaps(e region) bool {
	if a.elements.overlaps(e) {
		return true
	}
	for _, r := range a.rows {
		row := region{unsafe.Pointer(unsafe.SliceData(r)), uintptr(len(r)) * a.size}
		if row.overlaps(e) {
			return true
		}
	}
	return false
}

// memory is regions apart from each other, by address.
type memory []region

// taken is the memory of all arguments, in the array of all if it is long enough.
func taken(all memory, args []Argument) memory {
	add := func(e region) {
		switch n := len(all) - 1; {
		case e.bytes == 0:
		case n >= 0 && all[n].end() == uintptr(e.at): // rows often lie one behind the other
			all[n].bytes += e.bytes
		default:
			all = append(all, e)
		}
	}
	for i := range args {
		a := &args[i]
		add(a.elements)
		for _, r := range a.rows {
			add(region{unsafe.Pointer(unsafe.SliceData(r)), uintptr(len(r)) * a.size})
		}
	}
	if byAddress := func(e, o region) int { return cmp.Compare(uintptr(e.at), uintptr(o.at)) }; !slices.IsSortedFunc(all, byAddress) {
		slices.SortFunc(all, byAddress)
	}
	merged := all[:0]
	for _, e := range all {
		if n := len(merged) - 1; n >= 0 && merged[n].end() > uintptr(e.at) {
			merged[n].bytes = max(merged[n].end(), e.end()) - uintptr(merged[n].at)
		} else {
			merged = append(merged, e)
		}
	}
	return merged
}

// overlaps reports whether e shares a byte with any of the regions.
func (m memory) overlaps(e region) bool {
	i, _ := slices.BinarySearchFunc(m, uintptr(e.at), func(o region, at uintptr) int {
		if o.end() <= at {
			return -1
		}
		return 1
	})
	return i < len(m) && m[i].overlaps(e)
}

// bytes is how much memory the argument takes.
func (a *Argument) bytes() uintptr {
	n := a.elements.bytes
	for _, r := range a.rows {
		n += uintptr(len(r)) * a.size
	}
	return n
}

// Separate is told the arguments of a call, which a device would have to copy. It refuses destinations of results
// ([Into]) that share memory with one of the call's arguments or with each other: a variant may compute elements in
// any order, and some of them twice, and devices have copies of arrays.
func (c *Call) Separate(args ...Argument) error {
	if c.copied = 0; c.kernel.accelerated() {
		for i := range args {
			c.copied += args[i].bytes()
		}
	}
	for i, d := range c.opts.destinations {
		if d.region.bytes == 0 {
			continue
		}
		for j := range args {
			if args[j].overlaps(d.region) {
				return c.aliased(i, "the argument "+args[j].name)
			}
		}
		for j, earlier := range c.opts.destinations[:i] {
			if d.region.overlaps(earlier.region) {
				return c.aliased(i, fmt.Sprintf("that of result %d", j+1))
			}
		}
	}
	return nil
}

// Apart is the result s of a kernel that ran as plain Go, which compiled code would have made in memory of its own: a
// copy where it shares memory with an argument, or with a result before it.
func Apart[S ~[]T, T any](s S, others ...Argument) S {
	e := regionOf(s)
	for i := range others {
		if others[i].overlaps(e) {
			return slices.Clone(s)
		}
	}
	return s
}

// OwnRows is the result of a kernel that ran as plain Go, whose rows may share memory with an argument or with each
// other: a copy, in memory of its own.
func OwnRows[S ~[]R, R ~[]T, T any](s S) S {
	n := 0
	for _, row := range s {
		n += len(row)
	}
	all, out := make([]T, n), make(S, len(s))
	for i, row := range s {
		out[i] = all[:copy(all, row):len(row)]
		all = all[len(row):]
	}
	return out
}

// OwnStructs is such a result whose elements are structs with slices: a copy, of which own makes each element one with
// memory of its own.
func OwnStructs[S ~[]T, T any](s S, own func(x *T)) S {
	s = slices.Clone(s)
	for i := range s {
		own(&s[i])
	}
	return s
}

// Own is a slice in memory of its own.
func Own[S ~[]T, T any](s S) S { return slices.Clone(s) }

func (c *Call) aliased(i int, with string) error {
	return &Error{Kernel: c.kernel.Name, Pos: c.kernel.Pos, Code: "aliased-result", Detail: fmt.Sprintf("the destination of result %d shares memory with %s; "+
		"elements are computed in any order, some of them twice, so a run would read what it has overwritten; give it memory of its own and copy or swap after the run", i+1, with)}
}
