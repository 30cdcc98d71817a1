package load

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// appendGrowing lowers z = append(z, …) in a loop that runs twice.
func (l *lowerer) appendGrowing(v *types.Var, x value, call *ast.CallExpr) {
	if call.Ellipsis.IsValid() && flatElements(v.Type()) {
		y := l.borrow(call.Args[1])
		if y.bad || len(y.arrays()) != len(x.grow.parts) {
			l.use(y, call.Pos())
			l.env.set(v, value{bad: true})
			return
		}
		l.bind(v, l.appendedNumbers(x, y, v.Name()))
		return
	}
	if call.Ellipsis.IsValid() {
		l.problem(call.Pos(), problem{CodeAppend, "the rows of another slice are appended to " + v.Name() + " in a loop", "such a loop runs twice, and what is appended is one row at a time",
			"append them one by one: for _, row := range " + text(call.Args[1]) + " { " + v.Name() + " = append(" + v.Name() + ", row) }"})
		l.env.set(v, value{bad: true})
		return
	}
	elem, _ := isSequence(v.Type())
	for _, e := range call.Args[1:] {
		l.kernel.Shares = l.kernel.Shares || !l.madeByTurn(e)
		y := l.converted(l.expr(e), elem, e.Pos())
		if y.bad || len(y.atoms) != len(x.grow.parts) {
			l.use(y, e.Pos())
			l.env.set(v, value{bad: true})
			return
		}
		x = l.appendedRow(x, y, v.Name())
	}
	l.bind(v, x)
}

// madeByTurn reports whether e is a slice that the turn at hand made and has not given to anything yet.
func (l *lowerer) madeByTurn(e ast.Expr) bool {
	v := variable(l.unit.info, e)
	if v == nil || l.env.captured(v) {
		return false
	}
	x := l.env.vals[v]
	return x.own != nil && !x.own.escaped.IsValid() && x.own.loops == l.loops && x.ref == nil && x.off == nil && x.row == nil
}

// appendedNumbers is x, which a loop appends numbers to that runs twice, with the elements of y.
func (l *lowerer) appendedNumbers(x, y value, name string) value {
	atoms := append([]ir.Atom(nil), x.atoms...)
	last := len(atoms) - 1
	n, more := atoms[last], l.length(y)
	atoms[last] = l.bin("n", ir.Add, n, more)
	if !x.grow.counting {
		l.check(ir.CheckBounds, "append", name, zeroInt, atoms[last], x.grow.room[0])
		copy(atoms, l.filled(slices.Clone(atoms[:last]), n, value{atoms: y.arrays(), off: y.off}, more))
		x.own.updated = l.pos
	}
	x.atoms = atoms
	return x
}

// appendedRow is x, which a loop appends to that runs twice, with the element y.
func (l *lowerer) appendedRow(x, y value, name string) value {
	g := x.grow
	parts := len(g.parts)
	base := parts + len(g.groups)
	if g.counting {
		base = 0
	}
	atoms := append([]ir.Atom(nil), x.atoms...)
	n := atoms[base]
	for k, first := range g.groups {
		used := atoms[base+1+k]
		next := l.bin("used", ir.Add, used, l.emit("n", intType, &ir.Len{X: y.atoms[first]}))
		atoms[base+1+k] = next
		if g.counting {
			continue
		}
		l.check(ir.CheckBounds, "append", name, zeroInt, next, g.room[1+k])
		for i, p := range g.parts {
			if p.Rank == 1 && g.group(i) == k {
				atoms[i] = l.filled([]ir.Atom{atoms[i]}, used, value{atoms: y.atoms[i : i+1]}, l.bin("n", ir.Sub, next, used))[0]
			}
		}
	}
	after := l.bin("n", ir.Add, n, oneInt)
	if !g.counting {
		l.check(ir.CheckBounds, "append", name, zeroInt, after, g.room[0])
		for k := range g.groups {
			atoms[parts+k] = l.emit("made", atoms[parts+k].Type(), &ir.Update{X: atoms[parts+k], I: after, Value: atoms[base+1+k]})
		}
		for i, p := range g.parts {
			if p.Rank == 0 {
				atoms[i] = l.emit("made", atoms[i].Type(), &ir.Update{X: atoms[i], I: n, Value: y.atoms[i]})
			}
		}
		x.own.updated = l.pos
	}
	atoms[base] = after
	x.atoms = atoms
	return x
}

// appendBucket lowers z[k] = append(z[k], …) in a loop that runs twice, and says whether it is such a statement.
func (l *lowerer) appendBucket(s *ast.AssignStmt) bool {
	v, call := bucketAppend(l.unit.info, s)
	if v == nil {
		return false
	}
	x := l.env.vals[v]
	if x.grow == nil || !x.grow.buckets || x.bad {
		return false
	}
	failed := func() bool {
		l.env.set(v, value{bad: true})
		return true
	}
	index, _ := ast.Unparen(s.Lhs[0]).(*ast.IndexExpr)
	i := l.expr(index.Index)
	if i.bad || len(i.atoms) != 1 {
		return failed()
	}
	at := l.toInt(i.atoms[0])
	l.pos = s.Pos()
	l.check(ir.CheckIndex, "index", text(index), at, x.grow.n)
	var elems []value
	more := ir.Atom(ir.IntConst(ir.Int, int64(len(call.Args)-1)))
	for _, e := range call.Args[1:] {
		y := l.use(l.expr(e), e.Pos())
		if y.bad {
			return failed()
		}
		elems = append(elems, y)
	}
	if call.Ellipsis.IsValid() {
		more = l.length(elems[0])
	}
	last := len(x.atoms) - 1
	used := l.at("used", x.atoms[last], at)
	next := l.bin("used", ir.Add, used, more)
	atoms := append([]ir.Atom(nil), x.atoms...)
	if !x.grow.counting {
		start := l.at("start", x.grow.starts, at)
		end := l.at("end", x.grow.starts, l.arith(ir.Add, at, oneInt))
		l.check(ir.CheckBounds, "append", text(index), zeroInt, next, l.bin("room", ir.Sub, end, start))
		from := l.bin("at", ir.Add, start, used)
		if call.Ellipsis.IsValid() {
			copy(atoms, l.filled(slices.Clone(atoms[:last]), from, value{atoms: elems[0].arrays(), off: elems[0].off}, more))
		} else {
			for k, y := range elems {
				for j := range last {
					atoms[j] = l.emit("made", atoms[j].Type(), &ir.Update{X: atoms[j], I: l.sum(from, ir.IntConst(ir.Int, int64(k))), Value: y.atoms[j]})
				}
			}
		}
	}
	atoms[last] = l.emit("made", atoms[last].Type(), &ir.Update{X: atoms[last], I: at, Value: next})
	x.atoms = atoms
	x.own.updated = s.Pos()
	l.bind(v, x)
	return true
}

// growingLength is the length of e, where that is a slice that a loop appends to which runs twice, or a row of one.
func (l *lowerer) growingLength(e ast.Expr) (n ir.Atom, ok bool) {
	if v := variable(l.unit.info, e); v != nil {
		x := l.env.vals[v]
		switch {
		case x.grow == nil || x.bad:
			return nil, false
		case x.grow.buckets:
			return x.grow.n, true
		case x.grow.counting:
			return x.atoms[0], true
		}
		return x.atoms[len(x.grow.parts)+len(x.grow.groups)], true
	}
	row, ok := ast.Unparen(e).(*ast.IndexExpr)
	if !ok {
		return nil, false
	}
	v := variable(l.unit.info, row.X)
	if v == nil || l.env.vals[v].grow == nil || l.env.vals[v].bad || !l.env.vals[v].grow.buckets {
		return nil, false
	}
	i := l.expr(row.Index)
	if i.bad || len(i.atoms) != 1 {
		return nil, false
	}
	x := l.env.vals[v]
	at := l.toInt(i.atoms[0])
	l.check(ir.CheckIndex, "index", text(row), at, x.grow.n)
	return l.at("n", x.atoms[len(x.atoms)-1], at), true
}

// growingRead says that what a slice holds is read in a loop that appends to it.
func growingRead(name string) problem {
	return problem{CodeRows, "what " + name + " holds is read in a loop that appends rows to it",
		"such a loop runs twice, first to count what it appends, when nothing but lengths is known",
		"keep what the turns need from each other in variables of its own, or make all rows before, with their lengths, and assign their elements"}
}
