package fuse

import "github.com/surge-ndp/surge/ops/ir"

// blank finds the arrays that need not be zero at first, as the first thing that happens to them is a loop each turn
// of which updates its own element, and reads none:
//
//	a = alloc n
//	b = loop (a1) init a for i = 0 to n { …; a2 = update a1 i x; yield a2 }
func blank(f *ir.Func, _ *ir.Namer) { blankIn(f.Body) }

func blankIn(b *ir.Block) {
	for at, s := range b.Stmts {
		for _, c := range ir.Blocks(s.Op) {
			blankIn(c)
		}
		if alloc, ok := s.Op.(*ir.Alloc); ok && !alloc.Grows && setsAll(b.Stmts[at+1:], s.Dst[0], alloc.N) {
			alloc.Blank = true
		}
	}
}

// setsAll reports whether the first of the statements that names an array of n elements is a loop that updates all of
// them and reads none.
func setsAll(stmts []*ir.Stmt, array *ir.Var, n ir.Atom) bool {
	for _, s := range stmts {
		if !names(s, array) {
			continue
		}
		loop, ok := s.Op.(*ir.Loop)
		if !ok || HasExits(s) || loop.I == nil || loop.Cond != nil || !ir.IsInt(loop.Lo, 0) || loop.Hi != n {
			return false
		}
		for i, p := range loop.Params {
			if loop.Init[i] == ir.Atom(array) {
				return updatesOwn(loop, p, loop.Body.Results[i])
			}
		}
		return false
	}
	return false
}

// names reports whether a statement, or one inside, names v.
func names(s *ir.Stmt, v *ir.Var) bool {
	for _, a := range ir.Operands(s.Op) {
		if *a == ir.Atom(v) {
			return true
		}
	}
	for _, b := range ir.Blocks(s.Op) {
		for _, free := range ir.Free(b) {
			if free == v {
				return true
			}
		}
	}
	return false
}

// updatesOwn reports whether a turn of a loop does nothing with the array p but update its own element, which gives
// the version that it yields.
func updatesOwn(loop *ir.Loop, p *ir.Var, yielded ir.Atom) bool {
	uses, own := 0, false
	for _, s := range loop.Body.Stmts {
		if names(s, p) {
			uses++
			update, ok := s.Op.(*ir.Update)
			own = ok && update.X == ir.Atom(p) && update.I == ir.Atom(loop.I) && yielded == ir.Atom(s.Dst[0])
		}
	}
	return own && uses == 1
}
