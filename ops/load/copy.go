package load

import (
	"go/ast"
	"go/types"

	"github.com/surge-ndp/surge/ops/ir"
)

// copyCall lowers copy(dst, src), and returns how many elements it copies. Where both are parts of one slice, it
// begins at the end that is not overwritten before it is read.
func (l *lowerer) copyCall(e *ast.CallExpr) value {
	found := len(l.prog.rep.list)
	dst := l.region(e.Args[0])
	if dst == nil {
		return l.noRegion(e, found)
	}
	src := l.region(e.Args[1])
	var y value
	var from, m ir.Atom = ir.IntConst(ir.Int, 0), nil
	if src != nil && src.key == dst.key {
		y, from, m = src.v, src.lo, src.n
	} else {
		y = l.borrow(e.Args[1])
		if y.bad || len(y.atoms) == 0 {
			return value{bad: true}
		}
		m = l.length(y)
	}
	if !l.mayUpdate(dst.v, dst.name, e.Pos()) {
		return value{bad: true}
	}
	n := l.shorter(dst.n, m)
	same := src != nil && src.key == dst.key
	forward := same && l.notBefore(from, dst.lo)
	var backward ir.Atom
	if same && !forward && !l.notBefore(dst.lo, from) {
		backward = l.bin("backward", ir.Gt, dst.lo, from)
	}
	out := l.fill(dst.v, n, func(i ir.Atom, now []ir.Atom) (ir.Atom, []ir.Atom) {
		arrays := y.arrays()
		if same {
			arrays = now
			first := i
			if !forward {
				i = l.bin("t", ir.Sub, l.bin("t", ir.Sub, n, i), ir.IntConst(ir.Int, 1))
			}
			if backward != nil {
				i = l.emit("i", ir.Scalar(ir.Int), &ir.Select{Cond: backward, X: i, Y: first})
			}
		}
		return l.bin("at", ir.Add, dst.lo, i), l.elements(arrays, l.sum(y.off, l.bin("at", ir.Add, from, i)))
	})
	l.bind(dst.key, out)
	return value{typ: types.Typ[types.Int], atoms: []ir.Atom{n}}
}

// shorter is the lesser one of two lengths.
func (l *lowerer) shorter(a, b ir.Atom) ir.Atom {
	switch c, known := l.ahead(a, b); {
	case known && c >= 0:
		return b
	case known:
		return a
	}
	return l.bin("n", ir.Min, a, b)
}

// notBefore reports whether it is known that a position in a slice is another one, or behind it.
func (l *lowerer) notBefore(a, b ir.Atom) bool {
	c, known := l.ahead(a, b)
	return known && c >= 0 || ir.IsInt(b, 0)
}

// ahead is a - b, where that is a constant: of positions and lengths that have been checked, which are small, so that
// sums on the way to them may overflow.
func (l *lowerer) ahead(a, b ir.Atom) (c int64, known bool) {
	terms := map[ir.Atom]int64{}
	c = l.addTerms(terms, a, 1) + l.addTerms(terms, b, -1)
	for _, n := range terms {
		if n != 0 {
			return 0, false
		}
	}
	return c, true
}

// clearCall lowers clear(s).
func (l *lowerer) clearCall(e *ast.CallExpr) value {
	found := len(l.prog.rep.list)
	dst := l.region(e.Args[0])
	if dst == nil {
		return l.noRegion(e, found)
	}
	if !l.mayUpdate(dst.v, dst.name, e.Pos()) {
		return value{bad: true}
	}
	l.bind(dst.key, l.fill(dst.v, dst.n, func(i ir.Atom, now []ir.Atom) (ir.Atom, []ir.Atom) {
		var zeros []ir.Atom
		for _, a := range now {
			zeros = append(zeros, zeroConst(a.Type().Kind))
		}
		return l.bin("at", ir.Add, dst.lo, i), zeros
	}))
	return value{typ: types.Typ[types.Int]}
}

// noRegion says that what a call of copy or clear updates is not compiled, unless something has been reported of it
// since there were so many problems.
func (l *lowerer) noRegion(e *ast.CallExpr, found int) value {
	if len(l.prog.rep.list) > found {
		return value{bad: true}
	}
	return l.problem(e.Pos(), notYet(CodeBuiltin, text(e.Fun)+" to "+text(e.Args[0]), "what it updates is a slice or an array that a variable of the function is, or a part of one",
		"assign the elements in a loop"))
}

// region is a part of a slice that has a name: n elements from lo on.
type region struct {
	key   any // of the variable
	name  string
	v     value
	lo, n ir.Atom
	room  ir.Atom // how many elements there may be from where the slice begins
	begin ir.Atom // where the region begins in the slice, nil for its beginning
}

// region lowers s, s[lo:hi] or a part of such a part, where s is a variable, a field, or what a pointer points to; nil
// for others, and where the bounds cannot be lowered.
func (l *lowerer) region(e ast.Expr) *region {
	cut, isCut := ast.Unparen(e).(*ast.SliceExpr)
	if !isCut {
		return l.wholeRegion(e)
	}
	r := l.region(cut.X)
	if r == nil {
		return nil
	}
	lo, hi := l.cutBounds(cut, r.n)
	if lo == nil || hi == nil {
		return nil
	}
	limit := r.room
	if r.begin != nil {
		limit = l.bin("room", ir.Sub, limit, r.begin)
	}
	l.cutUpTo(r.v, cut.High)
	l.check(ir.CheckBounds, "slice", text(e), lo, hi, limit)
	r.n, r.lo, r.begin = l.bin("n", ir.Sub, hi, lo), l.sum(r.lo, lo), l.sum(r.begin, lo)
	return r
}

// cutBounds lowers the bounds of a part of n elements; one that cannot be lowered is nil.
func (l *lowerer) cutBounds(cut *ast.SliceExpr, n ir.Atom) (lo, hi ir.Atom) {
	bound := func(e ast.Expr, otherwise ir.Atom) ir.Atom {
		if e == nil {
			return otherwise
		}
		v := l.expr(e)
		if v.bad || len(v.atoms) != 1 {
			return nil
		}
		return l.toInt(v.atoms[0])
	}
	return bound(cut.Low, zeroInt), bound(cut.High, n)
}

// wholeRegion is the region of all elements of a slice.
func (l *lowerer) wholeRegion(base ast.Expr) *region {
	name := variable(l.unit.info, base)
	field := l.keptSlice(base)
	if key, lent := l.fieldSlot(base); lent {
		field = key
	}
	r := &region{name: text(base), lo: ir.IntConst(ir.Int, 0)}
	row := l.rowReference(base)
	if name != nil && row.ref == nil {
		row = l.env.vals[name]
	}
	if call, isCall := ast.Unparen(base).(*ast.CallExpr); isCall && l.isView(call) {
		row = l.namedPart(base, nil, true)
	}
	switch {
	case row.ref != nil && len(row.ref.steps) > 0:
		part := l.follow(row.ref)
		if part.row == nil || part.bad {
			return nil
		}
		r.key, r.n, r.lo = row.ref.root, part.row, orZero(part.off)
	case row.bad:
		return nil
	case field != nil:
		r.key = field
	case isVector(l.unit.info.TypeOf(base)) && l.heldTable(base) != nil:
		table := l.heldTable(base)
		length, _, _ := isArray(table.typ)
		r.key, r.n = table, ir.IntConst(ir.Int, length)
	case name != nil && isVector(name.Type()) && inMemory(l.env.vals[name]) && l.env.vals[name].own != nil:
		length, _, _ := isArray(name.Type())
		r.key, r.n = name, ir.IntConst(ir.Int, length)
	case name == nil || !isSlice(name.Type()):
		return nil
	default:
		r.key = name
		if x := l.env.vals[name]; x.ref != nil {
			if len(x.ref.steps) > 0 {
				return nil
			}
			r.key = x.ref.root
		}
	}
	if r.v = l.env.vals[r.key]; r.v.unset && !r.v.bad {
		r.v = l.zero(r.v.typ, base.Pos())
	}
	if r.v.bad || len(r.v.atoms) == 0 {
		l.use(r.v, base.Pos())
		return nil
	}
	if r.n == nil {
		if r.v.grid != nil { // its rows are no elements
			return nil
		}
		r.n = l.length(r.v)
	}
	if r.room = r.n; r.v.grows {
		r.room = l.room(r.v)
	}
	return r
}
