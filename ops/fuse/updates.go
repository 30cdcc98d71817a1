package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// updates finds the loops inside sequential code whose turns update elements that no other turn reads or updates, as
// those over the rows of a matrix that is decomposed: they become loops of independent turns, which are a level of the
// computation.
//
//	a' = loop (b) init a for i = lo to hi { …b…; yield b' }
//
// becomes
//
//	a' = if ok {
//	  n = max (hi - lo) 0
//	  a1 = loop (b) init a for q = 0 to n independent { i = lo + q; …; yield b' }
//	  yield a1
//	} else {
//	  the loop as it stands
//	}
//
// where ok says that the indices are apart, and within the arrays, so that the turns need no checks. A turn whose row
// all others read is made between those before and those behind it: three loops of independent turns, one after the
// other. Of loops inside each other the outermost one is such a loop, and in it those that hold none that updates.
//
// Of the loops in elements of Maps the innermost ones become such loops, as those that go through the states of a model
// for each letter of a text: lanes are of more use there where elements differ in how much there is to do.
//
// It reports whether there are any.
func updates(f *ir.Func, names *ir.Namer) bool {
	u := &updater{f: f, names: names}
	for _, s := range f.Body.Stmts {
		switch m, ok := s.Op.(*ir.Map); {
		case !ok:
		case ir.IsInt(m.N, 1):
			u.block(m.Body, 0)
		default:
			u.bounded = map[ir.Atom]int64{}
			u.inner(m.Body)
		}
	}
	return u.found
}

// leastWork is how much a turn of a loop at the top level without loops inside has to cost, in additions, so that it is
// divided: more than a copy of an element, which takes as long as memory does.
const leastWork = 8

type updater struct {
	f       *ir.Func
	names   *ir.Namer
	defs    analysis.Defs
	arrays  map[*ir.Var]*ir.Stmt // versions of arrays, and what made them
	starts  map[ir.Atom]ir.Atom  // where rows of one length begin: see evenStarts
	bounded map[ir.Atom]int64    // values that conditions around the position say are closer to 0
	found   bool
}

// block looks at the loops of a block that so many loops are around, the outermost first.
func (u *updater) block(b *ir.Block, around int) {
	for at := 0; at < len(b.Stmts); at++ {
		s := b.Stmts[at]
		switch op := s.Op.(type) {
		case *ir.If:
			u.block(op.Then, around)
			u.block(op.Else, around)
		case *ir.Loop:
			if u.divided(b, &at) {
				continue
			}
			if hasLoop(op.Body) || around > 0 && (rereads(op) || weigh(op.Body) >= orderedCost) || around == 0 && weigh(op.Body) >= leastWork {
				u.refresh()
				u.bounded = map[ir.Atom]int64{}
				least := int64(leastTurns)
				if holdsUpdates(op.Body) { // as a batch of one image does: the loops inside have lanes
					least = 1
				}
				if body := u.apart(b, &at, least); body != nil {
					u.inner(body)
					continue
				}
				if u.wave(b, &at) {
					continue
				}
			}
			u.block(op.Body, around+1)
		}
	}
}

// refresh finds out what the function is now.
func (u *updater) refresh() {
	u.defs, u.arrays = analysis.Of(u.f.Body), ir.Allocs(u.f.Body)
	u.starts = evenStarts(u.f, u.defs)
}

// inner looks at the innermost loops that update something, in a turn of a loop whose turns are independent.
func (u *updater) inner(b *ir.Block) {
	for at := 0; at < len(b.Stmts); at++ {
		switch op := b.Stmts[at].Op.(type) {
		case *ir.If:
			u.inner(op.Then)
			u.inner(op.Else)
		case *ir.Loop:
			if holdsUpdates(op.Body) {
				u.inner(op.Body)
				continue
			}
			u.refresh()
			bounded := u.bounded
			u.apart(b, &at, 0)
			u.bounded = bounded // what the loop's own condition says, it says to its turns
		}
	}
}

// rereads reports whether a loop reads an array that it updates. Those that do not, as the loops that copy the
// characters of a text, are short, unless their turns are much work.
func rereads(op *ir.Loop) bool {
	versions := map[ir.Atom]bool{}
	for _, p := range op.Params {
		versions[p] = true
	}
	found := false
	ir.Walk(op.Body, func(s *ir.Stmt) {
		switch x := s.Op.(type) {
		case *ir.Index:
			found = found || versions[x.X]
		case *ir.Update:
			versions[s.Dst[0]] = versions[x.X]
		}
	})
	return found
}

// holdsUpdates reports whether loops in a block hand on sequences. Others, as those that sum up, are part of a turn.
func holdsUpdates(b *ir.Block) bool {
	found := false
	ir.Walk(b, func(s *ir.Stmt) {
		if l, ok := s.Op.(*ir.Loop); ok {
			found = found || slices.ContainsFunc(l.Params, func(v *ir.Var) bool { return v.T.Rank > 0 })
		}
	})
	return found
}

func hasLoop(b *ir.Block) bool {
	found := false
	ir.Walk(b, func(s *ir.Stmt) {
		_, loop := s.Op.(*ir.Loop)
		found = found || loop
	})
	return found
}

// apart puts a loop of independent turns, under its condition, in the place of a loop, which is statement at of a
// block, where it makes so many turns at least. It moves at to the statement that the loop is then, and returns the
// body of the turns; nil if they are not independent.
func (u *updater) apart(b *ir.Block, at *int, least int64) *ir.Block {
	s := b.Stmts[*at]
	op := s.Op.(*ir.Loop)
	t := &turnLoop{updater: u, s: s, op: op}
	if !t.decide() {
		return nil
	}
	var body *ir.Block
	t.choose(b, at, func(e emitter) ir.Atom {
		t.extent(e)
		return t.condition(e, least)
	}, func(e emitter, then *ir.Block) { body = t.write(e, then) })
	return body
}
