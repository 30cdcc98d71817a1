package load

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/surge-ndp/surge/ops/ir"
)

// Note [Grids]
//
// A slice of rows that the function makes, z := make([][]T, n), is a grid: one flat sequence in which the rows lie one
// behind the other, and where each of them begins. So its elements are updated in place as those of any local slice
// are (see Note [Uniqueness]), and loops carry it. At first all rows are nil, and the flat sequence is empty. A loop
// that begins its turns with z[i] = make([]T, w) makes all rows, which Go makes turn by turn: the flat sequence gets
// its memory before the loop, and in turn i the rows behind number i are still nil.
//
// A slice of slices of rows, and of deeper ones, is a grid of grids where all rows have one length, on each level: see
// Note [Volumes].
//
// A row is another name of a part of the grid wherever Go has one: row := z[i], range over z, and the argument of a
// function. Where the grid, or a row, is used in any other way, it is a view, and is not updated any more.

// grid is how the rows of a slice of rows lie in one flat sequence.
type grid struct {
	n      ir.Atom // the number of rows
	width  ir.Atom // how many elements each row has; nil where they may differ
	row    *grid   // how the rows of a row lie, where it has rows; nil where it has elements
	starts ir.Atom // where row i begins, and behind the last one the end; nil where width says it
	made   ir.Atom // rows from this one on are nil, while a loop makes them; nil: all are made
	blank  bool    // no row has been made
}

// isGridType reports whether t is a slice of slices of numbers, or of structs of numbers, or one of arrays of many.
func isGridType(t types.Type) bool {
	row, ok := isSequence(t)
	if !ok {
		return false
	}
	elem, ok := isSequence(row)
	return ok && flat(elem) || isLarge(row)
}

// arrayWidth is how many numbers an array has, nil for a row that is no array.
func arrayWidth(row types.Type) ir.Atom {
	if _, n := arrayBase(row); n > 0 {
		return ir.IntConst(ir.Int, n)
	}
	return nil
}

// arrayGrid is a grid of n arrays of zeros.
func (l *lowerer) arrayGrid(t types.Type, n ir.Atom, pos token.Pos) value {
	array, _ := isSequence(t)
	base, _ := arrayBase(array)
	g := &grid{n: n, width: arrayWidth(array)}
	v := l.alloc(types.NewSlice(base), l.arith(ir.Mul, n, g.width), pos)
	v.typ, v.grid = t, g
	return v
}

// blankGrid is a grid of n rows that are nil.
func (l *lowerer) blankGrid(t types.Type, n ir.Atom, pos token.Pos) value {
	return l.allocGrid(t, &grid{n: n, width: zeroInt, blank: true}, zeroInt, pos)
}

// allocGrid makes the memory of a grid, which has so many elements in all.
func (l *lowerer) allocGrid(t types.Type, g *grid, size ir.Atom, pos token.Pos) value {
	row, _ := isSequence(t)
	v := l.alloc(row, size, pos)
	v.typ, v.grid = t, g
	return v
}

// rowOf is row i of the grid v, which is there.
func (l *lowerer) rowOf(v value, i ir.Atom) value {
	row, _ := isSequence(v.typ)
	if w := arrayWidth(row); w != nil {
		return value{typ: row, atoms: v.atoms, own: v.own, off: l.sum(v.off, l.arith(ir.Mul, i, w))}
	}
	start, n := l.rowBounds(v.grid, i)
	out := value{typ: row, atoms: v.atoms, own: v.own, off: l.sum(v.off, start)}
	if out.grid = v.grid.row; out.grid == nil {
		out.row = n
	}
	return out
}

// rowBounds are where row i begins, and how many elements it has.
func (l *lowerer) rowBounds(g *grid, i ir.Atom) (start, n ir.Atom) {
	if n = g.width; n != nil {
		start = l.arith(ir.Mul, i, g.width)
	} else {
		start = l.at("start", g.starts, i)
		n = l.arith(ir.Sub, l.at("end", g.starts, l.arith(ir.Add, i, oneInt)), start)
	}
	if g.made != nil && !l.isBelow(i, g.made) {
		n = l.selected("n", l.bin("made", ir.Lt, i, g.made), n, zeroInt)
	}
	return start, n
}

// isBelow reports whether i, which is not negative, is made as top, or as less than that.
func (l *lowerer) isBelow(i, top ir.Atom) bool {
	last, ok := l.definition(top).(*ir.Binary) // the row of the turn, and 1
	if !ok {
		return false
	}
	if i == last.X {
		return true
	}
	less, ok := l.definition(i).(*ir.Binary)
	if !ok || less.X != last.X {
		return false
	}
	c, isConst := less.Y.(ir.Const)
	return isConst && (less.Fn == ir.Sub && c.Int() >= 0 || less.Fn == ir.Add && c.Int() <= 0)
}

// definition is the operation that makes a, nil if that is not known.
func (l *lowerer) definition(a ir.Atom) ir.Op {
	v, _ := a.(*ir.Var)
	if s := l.made[v]; v != nil && s != nil && len(s.Dst) == 1 {
		return s.Op
	}
	return nil
}

// sameNumber reports whether a and b surely are the same number: they are computed by the same operations.
func (l *lowerer) sameNumber(a, b ir.Atom) bool {
	if a, b = l.counter(a), l.counter(b); sameAtom(a, b) {
		return true
	}
	switch x := l.definition(a).(type) {
	case *ir.Len:
		y, ok := l.definition(b).(*ir.Len)
		return ok && l.samePart(x.X, y.X)
	case *ir.Binary:
		y, ok := l.definition(b).(*ir.Binary)
		return ok && x.Fn == y.Fn && l.sameNumber(x.X, y.X) && l.sameNumber(x.Y, y.Y)
	case *ir.Convert:
		y, ok := l.definition(b).(*ir.Convert)
		return ok && x.To == y.To && l.sameNumber(x.X, y.X)
	}
	return false
}

// samePart reports whether a and b surely are the same sequence: by name, or as the same row of one.
func (l *lowerer) samePart(a, b ir.Atom) bool {
	if sameAtom(a, b) {
		return true
	}
	x, ok := l.definition(a).(*ir.Index)
	y, also := l.definition(b).(*ir.Index)
	return ok && also && l.samePart(x.X, y.X) && l.sameNumber(x.I, y.I)
}

// counter is a, or, if it is the length of what is made with so many elements, that number.
func (l *lowerer) counter(a ir.Atom) ir.Atom {
	for {
		n, ok := l.definition(a).(*ir.Len)
		if !ok {
			return a
		}
		x, _ := n.X.(*ir.Var)
		if x == nil || l.made[x] == nil {
			return a
		}
		switch made := l.made[x].Op.(type) {
		case *ir.Alloc:
			a = made.N
		case *ir.Map:
			a = made.N
		case *ir.View:
			if made.Fn != ir.Replicate && made.Fn != ir.Grid {
				return a
			}
			a = made.Args[1]
		default:
			return a
		}
	}
}

// gridRows are the rows of v as a sequence of rows, which are views.
func (l *lowerer) gridRows(v value) []ir.Atom {
	if g := v.grid; g.width != nil && g.made == nil {
		return l.regularRows(v)
	}
	return l.mapped("rows", v.grid.n, func(i *ir.Var) []ir.Atom {
		return l.settledRow(l.rowOf(v, i)).atoms
	})
}

// assignRow returns the grid x with what the steps lead to, in the row that the first one leads to, replaced by v.
func (l *lowerer) assignRow(x value, steps []step, v value, name string) (out value, ok bool) {
	if len(steps) == 1 && x.grid.blank && x.own.loops == l.loops {
		return l.replaceElement(value{typ: x.typ, atoms: l.gridRows(x), rows: &rows{fresh: true}}, steps, v, name)
	}
	at := l.checkedIn(steps[0], x)
	row, _ := isSequence(x.typ)
	if len(steps) == 1 && !isArrayType(row) {
		if !v.bad {
			l.problem(steps[0].pos, rowReplaced(name, steps[0].text))
		}
		return x, false
	}
	part, ok := l.assignPath(l.rowOf(x, at), steps[1:], v, name)
	x.atoms = part.atoms
	return x, ok
}

// rowReplaced says that a row of a grid is replaced by another slice.
func rowReplaced(name, row string) problem {
	return problem{CodeRows, "the row " + row + " is replaced by another slice",
		"the rows of " + name + " lie one behind the other in one array of numbers, and are made by one loop",
		"copy the elements, as in copy(" + row + ", other), or let one loop make all rows, each turn its own: for i := range " + name + " { " + name + "[i] = … }"}
}

// elementsOf is the number of elements of a grid.
func (l *lowerer) elementsOf(g *grid) ir.Atom {
	if g.width != nil {
		return l.arith(ir.Mul, g.n, g.width)
	}
	return l.at("end", g.starts, g.n)
}

// settledRow is a row of a grid as a view.
func (l *lowerer) settledRow(v value) value {
	return l.settledPart(v, v.row)
}

// settledPart is a view of n elements of what v is a part of, from its first one on.
func (l *lowerer) settledPart(v value, n ir.Atom) value {
	out := value{typ: v.typ, shared: v.own, grid: v.grid}
	end := l.sum(v.off, n)
	for _, a := range v.atoms {
		out.atoms = append(out.atoms, l.emit("row", a.Type(), &ir.View{Fn: ir.Slice, Args: []ir.Atom{a, orZero(v.off), end}}))
	}
	return out
}

func orZero(a ir.Atom) ir.Atom {
	if a == nil {
		return zeroInt
	}
	return a
}

// gridOf returns the grid that e names, which may be updated, as another name of it; ok is false if it names none.
func (l *lowerer) gridOf(e ast.Expr) (p *pointer, ok bool) {
	t := l.unit.info.TypeOf(e)
	if t == nil || gridRank(t) == 0 {
		return nil, false
	}
	ref := l.reference(e)
	if ref.ref == nil {
		return nil, false
	}
	v := l.parts(l.env.vals[ref.ref.root], ref.ref.steps)
	return ref.ref, v.grid != nil && !v.bad
}

// rowReference is the row e, as in z[i], as another name of this part of the grid.
func (l *lowerer) rowReference(e ast.Expr) value {
	x, ok := ast.Unparen(e).(*ast.IndexExpr)
	if !ok || isArrayType(l.unit.info.TypeOf(e)) { // an array is a value
		return value{}
	}
	p, ok := l.gridOf(x.X)
	if !ok {
		return value{}
	}
	i := l.expr(x.Index)
	if i.bad || len(i.atoms) != 1 {
		return value{bad: true}
	}
	return l.rowNamed(p, l.toInt(i.atoms[0]), l.unit.info.TypeOf(x), text(x), x.Pos())
}

// rowNamed is row i of the grid that p leads to as another name of it, after a check that there is such a row.
func (l *lowerer) rowNamed(p *pointer, i ir.Atom, t types.Type, text string, pos token.Pos) value {
	l.pos = pos
	s := step{typ: t, at: i, text: text, pos: pos}
	s.at = l.checkedIn(s, l.follow(p))
	s.checked = true
	return value{typ: t, ref: p.to(s)}
}

// namesRow lowers row := z[i], whose row is another name, and says whether it is such an assignment.
func (l *lowerer) namesRow(s *ast.AssignStmt) bool {
	if s.Tok != token.DEFINE || len(s.Lhs) != len(s.Rhs) {
		return false
	}
	var names []*types.Var
	for i, e := range s.Lhs {
		id, ok := e.(*ast.Ident)
		v, isVar := l.unit.info.Defs[id].(*types.Var)
		if !ok || !isVar || !isSlice(v.Type()) || len(s.Lhs) > 1 && !l.namesPlace(s.Rhs[i]) {
			return false
		}
		names = append(names, v)
	}
	for i, v := range names {
		if l.assignsWhole(v) {
			return false
		}
		ref := l.rowReference(s.Rhs[i])
		if ref.ref == nil && !ref.bad {
			ref = l.namedPart(s.Rhs[i], v, false)
		}
		switch {
		case ref.ref != nil:
			l.env.set(v, ref)
		case ref.typ != nil: // a call that was evaluated
			l.store(s.Lhs[i], ref)
		case len(names) > 1:
			l.store(s.Lhs[i], l.owning(s.Rhs[i]))
		default:
			return false
		}
	}
	return true
}

// namesPlace reports whether e is a row, a part of a slice, or a call: evaluating one has no effect on others of them.
func (l *lowerer) namesPlace(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.IndexExpr, *ast.SliceExpr:
		return true
	case *ast.CallExpr:
		return l.returnsPart(e)
	}
	return false
}

// assignsWhole reports whether the function at hand assigns the variable v as a whole behind its declaration.
func (l *lowerer) assignsWhole(v *types.Var) bool {
	if len(l.stack) == 0 {
		return true
	}
	found := false
	ast.Inspect(l.bodyOf(l.stack[len(l.stack)-1]), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				id, ok := ast.Unparen(e).(*ast.Ident)
				found = found || ok && l.unit.info.Uses[id] == types.Object(v)
			}
		case *ast.RangeStmt:
			for _, e := range []ast.Expr{n.Key, n.Value} {
				id, ok := e.(*ast.Ident)
				found = found || ok && l.unit.info.Uses[id] == types.Object(v)
			}
		case *ast.UnaryExpr:
			id, ok := ast.Unparen(n.X).(*ast.Ident)
			found = found || n.Op == token.AND && ok && l.unit.info.Uses[id] == types.Object(v)
		}
		return !found
	})
	return found
}

// rangesRow gives the value of a range over the grid that p leads to its row i, which is another name, and says
// whether it has.
func (l *lowerer) rangesRow(s *ast.RangeStmt, p *pointer, i ir.Atom) bool {
	id, ok := s.Value.(*ast.Ident)
	v, isVar := l.unit.info.Defs[id].(*types.Var)
	if !ok || !isVar || isArrayType(v.Type()) || l.assignsWhole(v) {
		return false
	}
	l.env.set(v, value{typ: v.Type(), ref: p.to(step{typ: v.Type(), at: i, text: text(s.X), pos: s.Pos(), checked: true})})
	return true
}
