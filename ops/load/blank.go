package load

import "github.com/surge-ndp/surge/ops/ir"

// Note [Room without a value]
//
// What an array has room for, behind the elements that a slice has, need not be zero: appending gives each its value
// before the slice has it. Only s = s[:n] may show elements that nothing appended, unless n is at most the length.

// growing is what was made for slices that grow, and the cuts of those.
type growing struct {
	allocs []*ir.Alloc
	cuts   [][2]ir.Atom // the new length, and that before
}

// madeRoom notes that the elements of v, which was made just now, get a value when they are appended.
func (l *lowerer) madeRoom(v value) {
	for _, a := range v.atoms {
		if x, ok := a.(*ir.Var); ok && l.made[x] != nil {
			if alloc, ok := l.made[x].Op.(*ir.Alloc); ok {
				l.growing.allocs = append(l.growing.allocs, alloc)
			}
		}
	}
}

// leaveBlank marks what was made for slices that grow, if no slice is cut to more elements than it has.
func (l *lowerer) leaveBlank() {
	for _, cut := range l.growing.cuts {
		terms := map[ir.Atom]int64{}
		more := l.addTerms(terms, cut[0], 1) + l.addTerms(terms, cut[1], -1)
		for _, n := range terms {
			if n != 0 && !ir.IsInt(cut[0], 0) {
				return
			}
		}
		if more > 0 {
			return
		}
	}
	for _, a := range l.growing.allocs {
		a.Blank = true
	}
}

// addTerms adds the terms of a sum of ints so many times to those before, and returns that of its constants.
func (l *lowerer) addTerms(terms map[ir.Atom]int64, a ir.Atom, times int64) (constant int64) {
	switch x := a.(type) {
	case ir.Const:
		return times * x.Int()
	case *ir.Var:
		if s := l.made[x]; s != nil {
			if sum, ok := s.Op.(*ir.Binary); ok && (sum.Fn == ir.Add || sum.Fn == ir.Sub) {
				by := times
				if sum.Fn == ir.Sub {
					by = -times
				}
				return l.addTerms(terms, sum.X, times) + l.addTerms(terms, sum.Y, by)
			}
		}
	}
	terms[a] += times
	return 0
}
