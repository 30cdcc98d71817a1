package load

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/surge-ndp/surge/ops/ir"
)

// rangeStmt lowers range over a slice or an integer.
func (l *lowerer) rangeStmt(s *ast.RangeStmt) {
	label := l.takeLabel()
	if v := variable(l.unit.info, s.X); v != nil && s.Value != nil && l.updatesRows(s, v) {
		l.toGrid(v) // so that rows are names of places
	}
	var x value
	var named *pointer // a row, a grid, or a part of a slice that is updated elsewhere
	switch t := pointedTo(l.unit.info.TypeOf(s.X)); {
	case s.Value == nil && isArrayType(t) && isPlainPath(s.X): // is not evaluated
		x = value{typ: t, atoms: []ir.Atom{zeroInt}}
	case isPointer(l.unit.info.TypeOf(s.X)):
		if p := l.pointee(s.X); p != nil {
			x = l.follow(p)
		}
	default:
		if part := l.rangedPart(s); part.ref != nil {
			x, named = l.follow(part.ref), part.ref
		} else {
			x = l.ranged(s.X)
		}
	}
	if x.bad || len(x.atoms) == 0 {
		return
	}
	// Of what s assigns, its body does not say what the value is another name of.
	lp := &loop{pos: s.Pos(), body: s.Body, changed: l.assigned(s), counted: true, lo: ir.IntConst(ir.Int, 0), name: "i", label: label}
	live := x.own != nil && l.updates(lp.changed, x.own) // the loop reads elements that it also updates
	if row := l.rowReference(s.X); row.ref != nil {
		named = row.ref
	} else if p, ok := l.gridOf(s.X); ok {
		named = p
	}
	if isString(x.typ) {
		l.rangeString(s, x, label)
		return
	}
	length, of, overArray := isArray(x.typ)
	if live && overArray && s.Value != nil { // Go ranges over a copy
		x, live = l.whole(x, s.X.Pos()), false
	}
	if l.unrolls(s, x) {
		l.unrollRange(s, x, label)
		return
	}
	elem, overSlice := isSequence(x.typ)
	kind := ir.Int
	var keyType types.Type = types.Typ[types.Int]
	switch {
	case overArray:
		elem, lp.hi = of, ir.IntConst(ir.Int, length)
	case overSlice:
		lp.hi = l.length(x)
	default:
		kind, keyType = x.atoms[0].Type().Kind, x.typ
		lp.hi = l.toInt(x.atoms[0]) // of a uint64 beyond int no one sees the end
	}
	if s.Tok == token.ASSIGN {
		for v := range l.assigned(&ast.AssignStmt{Tok: token.ASSIGN, Lhs: []ast.Expr{orBlank(s.Key), orBlank(s.Value)}}) {
			lp.changed[v] = true
		}
	}
	if id, ok := s.Key.(*ast.Ident); ok && id.Name != "_" {
		lp.name = id.Name
		lp.index, _ = l.unit.info.Defs[id].(*types.Var)
		lp.counter = lp.index
		if obj := l.unit.info.ObjectOf(id); obj != nil {
			keyType = obj.Type()
		}
	}
	lp.start = func(i ir.Atom) {
		l.pos = s.Pos()
		if s.Key != nil {
			l.store(s.Key, value{typ: keyType, atoms: []ir.Atom{l.fromInt(i, kind)}})
		}
		if s.Value != nil && (overSlice || overArray) {
			now := x
			if x.grid != nil && named != nil && l.rangesRow(s, named, i) {
				return
			}
			switch {
			case live && named != nil:
				now = l.follow(named)
			case live:
				now = l.borrow(s.X)
			}
			if now.bad || len(now.atoms) == 0 {
				l.store(s.Value, value{bad: true})
				return
			}
			if overArray {
				l.store(s.Value, l.whole(l.arrayElement(now, length, elem, i), s.Pos()))
			} else {
				l.store(s.Value, l.settled(l.element(now, elem, i), s.Pos()))
			}
		}
	}
	l.lowerLoop(lp)
}

// updatesRows reports whether n assigns elements of rows of a variable, or gives the rows other places: for the field
// of a struct, whether it may.
func (l *lowerer) updatesRows(n ast.Node, key any) bool {
	if v, ok := key.(*types.Var); ok {
		rank := gridRank(v.Type())
		return rank > 0 && l.effects(l.unit, n).elements[v] >= rank
	}
	return l.assigned(n)[key]
}

// rangedPart is x[lo:hi], which s ranges over, as a place, where its elements may be updated later. Nothing is appended
// to x in the loop.
func (l *lowerer) rangedPart(s *ast.RangeStmt) value {
	cut, ok := ast.Unparen(s.X).(*ast.SliceExpr)
	if !ok {
		return value{}
	}
	p := l.cutBase(cut.X)
	if p == nil || l.mayReplace(s.Body, p.root, map[ast.Node]bool{}) || !l.updatedBehind(s.X.Pos(), p.root, nil) {
		return value{}
	}
	return l.cutReference(cut, true)
}

// ranged lowers what a loop ranges over: the bytes of a string need no copy for that.
func (l *lowerer) ranged(e ast.Expr) value {
	if c, ok := ast.Unparen(e).(*ast.CallExpr); ok && len(c.Args) == 1 {
		if tv := l.unit.info.Types[c.Fun]; tv.IsType() && isBytes(tv.Type) && isString(l.unit.info.TypeOf(c.Args[0])) {
			x := l.expr(c.Args[0])
			x.typ = tv.Type
			return x
		}
	}
	return l.borrow(e)
}

// unrollRange lowers a range over an array or a constant turn by turn.
func (l *lowerer) unrollRange(s *ast.RangeStmt, x value, label string) {
	if s.Value != nil {
		x = l.sealed(x)
	}
	length, elem, overArray := isArray(x.typ)
	var keyType types.Type = types.Typ[types.Int]
	kind := ir.Int
	if !overArray {
		length, _ = intConst(l.unit.info, s.X)
		keyType, kind = x.typ, x.atoms[0].Type().Kind
	}
	l.turns(s.Pos(), s.Body, label, int(length), func(k int) {
		l.pos = s.Pos()
		if s.Key != nil {
			l.store(s.Key, value{typ: keyType, atoms: []ir.Atom{ir.IntConst(kind, int64(k))}})
		}
		if s.Value != nil && overArray {
			l.store(s.Value, l.whole(l.arrayElement(x, length, elem, ir.IntConst(ir.Int, int64(k))), s.Pos()))
		}
	})
}

func orBlank(e ast.Expr) ast.Expr {
	if e == nil {
		return ast.NewIdent("_")
	}
	return e
}
