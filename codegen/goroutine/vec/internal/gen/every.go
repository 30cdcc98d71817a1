package gen

import (
	"fmt"
	"strings"
)

// An every describes loads of every By-th element: as few vectors or words as hold what is wanted, none of which
// reaches beyond the last element that is, and what brings their elements together.
type every struct {
	By, Bits, Lanes int
}

// strides are the distances of elements that are taken apart in lanes: numbers of pairs, colours, and quadruples.
var strides = []int{2, 3, 4}

// Everys lists the loads of a vector.
func (v vector) Everys() (all []every) {
	for _, by := range strides {
		all = append(all, every{by, v.Bits, v.Lanes})
	}
	return all
}

// Everys lists the loads of narrow elements, as many at a time as 128 bits hold.
func (n narrow) Everys() (all []every) {
	for _, by := range strides {
		all = append(all, every{by, n.Bits, n.PartLanes()})
	}
	return all
}

// Last is the distance of the last element from the first one.
func (e every) Last() int { return e.By * (e.Lanes - 1) }

// Starts lists where each load begins: one behind the other, but that the last one ends with the last element.
func (e every) Starts() (at []int) {
	for j := range e.By {
		at = append(at, min(j*e.Lanes, e.Last()+1-e.Lanes))
	}
	return at
}

// Rest lists the numbers of the loads but the first one.
func (e every) Rest() (rest []int) {
	for j := 1; j < e.By; j++ {
		rest = append(rest, j)
	}
	return rest
}

// From returns which load a lane comes from.
func (e every) From(lane int) int { return e.By * lane / e.Lanes }

// First is how many lanes come from loads before a load.
func (e every) First(load int) (n int) {
	for n < e.Lanes && e.From(n) < load {
		n++
	}
	return n
}

// Place is where a load has the element of a lane.
func (e every) Place(lane int) int { return e.By*lane - e.Starts()[e.From(lane)] }

// Joins are the indexes that join what the loads before a load have left with that load: lanes of the latter count from
// Lanes on.
func (e every) Joins(load int) string {
	return e.list(func(lane int) int {
		switch from := e.From(lane); {
		case from == load:
			return e.Lanes + e.Place(lane)
		case from == 0 && load == 1:
			return e.Place(lane)
		}
		return lane
	})
}

// Picks are the indexes that bring a load's elements to their lanes.
func (e every) Picks(load int) string {
	return e.list(func(lane int) int {
		if e.From(lane) == load {
			return e.Place(lane)
		}
		return 0
	})
}

// Spreads are the indexes that bring lanes to where the vector with the given number has them in memory.
func (e every) Spreads(number int) string {
	return e.list(func(at int) int { return (number*e.Lanes + at) / e.By })
}

// SpreadMask has a bit for each place of that vector which has a lane.
func (e every) SpreadMask(number int) (bits int) {
	for at := range e.Lanes {
		if (number*e.Lanes+at)%e.By == 0 {
			bits |= 1 << at
		}
	}
	return bits
}

// Container tells whether narrow elements lie as far from each other as the lanes of a vector of 512 bits: it is in
// memory as it is, with other elements between.
func (e every) Container(lanes int) bool { return lanes == 16 && e.By*e.Bits == 32 }

// Elements is the type of simd/archsimd of all elements of such a vector.
func (e every) Elements() string { return fmt.Sprintf("Int%dx%d", e.Bits, 512/e.Bits) }

// Address is where such a vector begins.
func (e every) Address() string {
	return fmt.Sprintf("(*[%d]int%d)(unsafe.Add(unsafe.Pointer(p), i*%d))", 512/e.Bits, e.Bits, e.Bits/8)
}

// Mask has the lanes of such a vector.
func (e every) Mask() string {
	bits := uint64(0)
	for at := 0; at < 512/e.Bits; at += e.By {
		bits |= 1 << at
	}
	return fmt.Sprintf("archsimd.Mask%dx%dFromBits(%#x)", e.Bits, 512/e.Bits, bits)
}

// Shuffles are the indexes of a shuffle of bytes that does the same, with zeros elsewhere.
func (e every) Shuffles(load int) string {
	var all []string
	for k := range 16 {
		index, lane, size := -1, k/(e.Bits/8), e.Bits/8
		if lane < e.Lanes && e.From(lane) == load {
			index = size*e.Place(lane) + k%size
		}
		all = append(all, fmt.Sprint(index))
	}
	return strings.Join(all, ", ")
}

func (e every) list(index func(lane int) int) string {
	var all []string
	for lane := range e.Lanes {
		all = append(all, fmt.Sprint(index(lane)))
	}
	return strings.Join(all, ", ")
}

// everyTables are loads that have tables of indexes.
type everyTables struct {
	Wide, Half, Narrow []every
}

// tables are the loads that have tables of indexes: of vectors of 512 bits, of those of 8 lanes of 32, and of narrow
// elements.
func tables() (t everyTables) {
	for _, v := range vectors {
		switch {
		case v.Float():
		case v.Wide():
			t.Wide = append(t.Wide, v.Everys()...)
		case v.Bits == 32 && v.Lanes == 8: // by 4 they are put together one by one: all else is too long to be inlined
			t.Half = append(t.Half, v.Everys()[:2]...)
		}
	}
	seen := map[every]bool{}
	for _, n := range narrows() {
		for _, e := range n.Everys() {
			if !seen[e] {
				seen[e] = true
				t.Narrow = append(t.Narrow, e)
			}
		}
	}
	return t
}
