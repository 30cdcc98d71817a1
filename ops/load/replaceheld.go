package load

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/surge-ndp/surge/ops/ir"
)

// Note [Replaced slices]
//
// f.P = next, in a loop, gives a field that was there before the loop a slice that the turn has made, and so does
// p = next of a variable whose elements the loop assigns as well. The loop carries one slice, which is updated where it
// lies: the elements are copied to it. Nobody can tell, as the slice that the field had has no other name, the one that
// it gets is not used under its own name behind that, and both have one length, which is checked.

// replaceElements lowers such an assignment, and says whether it is one.
func (l *lowerer) replaceElements(s *ast.AssignStmt) bool {
	if s.Tok != token.ASSIGN || len(s.Lhs) != 1 || len(s.Rhs) != 1 || l.loops == 0 {
		return false
	}
	to, from := ast.Unparen(s.Lhs[0]), ast.Unparen(s.Rhs[0])
	key := l.keptSlice(to)
	if v := variable(l.unit.info, to); v != nil && !isGlobal(v) {
		key = v
	}
	if key == nil {
		return false
	}
	x := l.env.vals[key]
	if !l.mayTakeElements(key, x) {
		return false
	}
	w := variable(l.unit.info, from)
	_, isCall := from.(*ast.CallExpr)
	if w == nil && !isCall || w != nil && (any(w) == key || isGlobal(w)) {
		return false
	}
	if !types.Identical(l.unit.info.TypeOf(to), l.unit.info.TypeOf(from)) {
		return false
	}
	var y value
	if w != nil {
		if y = l.env.vals[w]; !l.isOwn(y) || y.own.loops <= x.own.loops {
			return false
		}
	} else {
		if call, ok := from.(*ast.CallExpr); isBuiltin(l.unit.info, call, "append") || !ok {
			return false
		}
		if y = l.owning(from); !l.isOwn(y) {
			l.place(to).write(y)
			return true
		}
		if x = l.env.vals[key]; !l.mayTakeElements(key, x) || y.own == x.own {
			l.place(to).write(y)
			return true
		}
	}
	l.pos = s.Pos()
	l.strandCuts(key)
	l.strand(l.env, key)
	n := l.length(x)
	l.check(ir.CheckLength, "for", keyName(key), n, l.length(y))
	arrays, off := y.arrays(), y.off
	l.bind(key, l.fill(x, n, func(i ir.Atom, _ []ir.Atom) (ir.Atom, []ir.Atom) { return i, l.elements(arrays, l.sum(off, i)) }))
	if w != nil {
		l.env.set(w, moved(w.Name(), s.Pos()))
	}
	return true
}

// mayTakeElements reports whether x, which a variable with the key has, is a slice from before the loop at hand whose
// elements may be replaced.
func (l *lowerer) mayTakeElements(key any, x value) bool {
	return l.isOwn(x) && x.own.loops < l.loops && !l.env.captured(key) && x.off == nil
}

// isOwn reports whether x is a slice of numbers of one length that the function made, and that has one name.
func (l *lowerer) isOwn(x value) bool {
	return !x.bad && !x.unset && x.own != nil && !x.own.escaped.IsValid() && x.own.depth == l.ops && !x.own.isArray && !x.grows && x.grow == nil &&
		x.grid == nil && x.row == nil && x.rows == nil && x.held == nil && x.ref == nil && !inMemory(x) && x.typ != nil && flatElements(x.typ) && len(x.atoms) > 0
}
