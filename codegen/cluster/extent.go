package cluster

import (
	"context"
	"math"
	"math/bits"
	"slices"
)

// Read returns the block values of a block before any step: of each cut parameter the part, if the function says that
// it is needed, else nil, and where it begins. It reads no part that is not needed by itself or by another one.
func (k *Kernel) Read(ctx context.Context, src Source, at Place, wholes []Value, needed func(slot int) bool) ([]Value, error) {
	parts := make([]Value, k.Parts)
	read := make([]bool, len(k.Cuts))
	for i := range k.Cuts {
		read[i] = needed == nil || needed(i)
	}
	start := make([]bool, len(k.Cuts))
	for i := len(k.Cuts) - 1; i >= 0; i-- { // a cut is found with the ones before it
		start[i] = read[i] || needed(len(k.Cuts)+i)
		if by := k.cutOf(k.Cuts[i].By); start[i] && by >= 0 {
			read[by] = true
		}
	}
	for i := range k.Cuts {
		if !start[i] && !read[i] {
			continue
		}
		lo, hi, err := k.extent(i, at, wholes, parts)
		if err != nil {
			return nil, err
		}
		parts[len(k.Cuts)+i] = lo
		if !read[i] {
			continue
		}
		param := k.Cuts[i].Param
		if parts[i], err = src.Read(ctx, param, lo, hi); err != nil {
			return nil, err
		}
		if err := k.fits(param, parts[i], hi-lo); err != nil {
			return nil, err
		}
	}
	for i := range k.Cuts {
		if needed != nil && !needed(i) {
			parts[i] = nil
		}
	}
	return parts, nil
}

// fits says that a value is not of a parameter's type, or has another number of elements.
func (k *Kernel) fits(param int, v Value, n int) error {
	p := k.Params[param]
	kind, rank := TypeOf(v)
	if kind != p.Kind || rank != p.Rank {
		return k.fail(-1, "%s has elements of %s in %d dimensions, and the kernel takes %s in %d", p.Name, named(kind), rank, p.Kind, p.Rank)
	}
	if rank > 0 && Len(v) != n {
		return k.fail(-1, "%s: %d elements were read, and %d asked for", p.Name, Len(v), n)
	}
	return nil
}

func named(kind string) string {
	if kind == "" {
		return "an unknown type"
	}
	return kind
}

// cutOf returns the number of the cut of a parameter, or -1.
func (k *Kernel) cutOf(param int) int {
	for i, c := range k.Cuts {
		if c.Param == param && param >= 0 {
			return i
		}
	}
	return -1
}

// extent returns which elements of a cut parameter a block reads. A block of no elements reads what lies between the
// block before it and the one behind it, which is one offset where rows need one more than there are rows.
func (k *Kernel) extent(cut int, at Place, wholes, parts []Value) (lo, hi int, err error) {
	c := k.Cuts[cut]
	n, err := k.int(wholes, c.Param)
	if err != nil {
		return 0, 0, err
	}
	times, err := k.term(c.Times, wholes)
	if err != nil {
		return 0, 0, err
	}
	below, err := k.term(c.Lo, wholes)
	if err != nil {
		return 0, 0, err
	}
	above, err := k.term(c.Hi, wholes)
	if err != nil {
		return 0, 0, err
	}
	first, last := at.First, at.First+at.Count-1
	if c.By < 0 {
		if times < 0 && at.Count > 0 {
			first, last = last, first
		}
		return clamp(linear(times, first+c.From, below), linear(times, last+c.To, above), n)
	}
	by := k.cutOf(c.By)
	start, _ := parts[len(k.Cuts)+by].(int)
	first, last = first-start, last-start
	least, most, some := extremes(parts[by], first+c.From, max(first, last)+c.From) // of none: where the next would begin
	if times < 0 {
		least = most
	}
	lo = linear(times, least, below)
	if !some {
		lo = 0
	}
	least, most, some = extremes(parts[by], first+c.To, last+c.To)
	if times < 0 {
		most = least
	}
	hi = linear(times, most, above)
	if !some {
		hi = lo
	}
	return clamp(lo, hi, n)
}

// extremes returns the least and the greatest of elements first to last of a slice of integers, as far as there are
// any, and whether there are.
func extremes(s Value, first, last int) (least, most int, some bool) {
	switch s := s.(type) {
	case []int:
		return extremesOf(s, first, last)
	case []int8:
		return extremesOf(s, first, last)
	case []int16:
		return extremesOf(s, first, last)
	case []int32:
		return extremesOf(s, first, last)
	case []int64:
		return extremesOf(s, first, last)
	case []uint:
		return extremesOf(s, first, last)
	case []uint8:
		return extremesOf(s, first, last)
	case []uint16:
		return extremesOf(s, first, last)
	case []uint32:
		return extremesOf(s, first, last)
	case []uint64:
		return extremesOf(s, first, last)
	}
	return 0, 0, false
}

type integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

func extremesOf[T integer](s []T, first, last int) (least, most int, some bool) {
	lo := min(max(first, 0), len(s))
	hi := min(max(last+1, lo), len(s))
	if lo == hi {
		return 0, 0, false
	}
	return nearest(slices.Min(s[lo:hi])), nearest(slices.Max(s[lo:hi])), true
}

// nearest is the int that is the nearest to a number.
func nearest[T integer](x T) int {
	n := int(x)
	switch {
	case T(n) == x && (n < 0) == (x < 0):
		return n
	case x < 0:
		return math.MinInt
	}
	return math.MaxInt
}

// linear returns times·v+plus, the nearest int if there is none.
func linear(times, v, plus int) int {
	hi, lo := bits.Mul64(magnitude(times), magnitude(v))
	negative := (times < 0) != (v < 0)
	if hi != 0 || lo > math.MaxInt/2 { // parameters are shorter by far
		if negative {
			return math.MinInt / 4
		}
		return math.MaxInt / 4
	}
	x := int(lo)
	if negative {
		x = -x
	}
	return x + min(max(plus, math.MinInt/4), math.MaxInt/4)
}

func magnitude(x int) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}

// clamp makes an extent of [lo, hi) that lies within n elements.
func clamp(lo, hi, n int) (int, int, error) {
	lo = min(max(lo, 0), n)
	return lo, min(max(hi, lo), n), nil
}

func (k *Kernel) term(t Term, wholes []Value) (int, error) {
	if t.Slot < 0 {
		return t.Const, nil
	}
	v, err := k.int(wholes, t.Slot)
	return v + t.Const, err
}

// int returns a whole value that must be an int.
func (k *Kernel) int(wholes []Value, slot int) (int, error) {
	if v, ok := wholes[slot].(int); ok {
		return v, nil
	}
	return 0, k.fail(-1, "whole value %d is a %T where an int is needed", slot, wholes[slot])
}
