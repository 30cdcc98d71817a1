package load

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/surge-ndp/surge/ops/ir"
)

// rowTarget is a slice that a loop makes, an element in each turn.
type rowTarget struct {
	v       *types.Var
	appends bool       // to it, in place of assigning v[i]
	elem    *types.Var // the element that the turn makes
	kept    *types.Var // whether there is one; nil: in each turn
	pos     token.Pos
}

// rowTargets are the slices with elements that are no numbers whose elements the loop makes, each in its turn.
func (l *lowerer) rowTargets(lp *loop) []*rowTarget {
	var out []*rowTarget
	seen := map[*types.Var]bool{}
	add := func(t *rowTarget) {
		if x, ok := l.env.vals[t.v]; ok && !seen[t.v] && !flatElements(t.v.Type()) && l.makesRows(x) {
			seen[t.v] = true
			out = append(out, t)
		}
	}
	ast.Inspect(lp.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.AssignStmt:
			if v, _ := appendTarget(l.unit.info, n); v != nil {
				add(&rowTarget{v: v, appends: true, pos: n.Pos()})
				return true
			}
			if _, _, ok := rowExchange(l.unit.info, n); ok {
				return true
			}
			for _, e := range n.Lhs {
				if v := l.turnElement(lp, e); v != nil {
					add(&rowTarget{v: v, pos: n.Pos()})
				} else if v := l.turnElement(lp, elementIn(e)); v != nil && gridRank(v.Type()) == 0 { // a field of it
					add(&rowTarget{v: v, pos: n.Pos()})
				}
			}
		}
		return true
	})
	return out
}

// makesRows reports whether x is a slice of rows, or of structs with rows, whose elements may be replaced.
func (l *lowerer) makesRows(x value) bool {
	switch {
	case x.bad, x.grow != nil:
		return false
	case x.unset:
		return true
	case x.grid != nil:
		return !x.own.escaped.IsValid()
	}
	return x.rows != nil && !x.rows.escaped.IsValid()
}

// turnElement returns v if e is v[i], where i counts the turns of the loop; nil for others.
func (l *lowerer) turnElement(lp *loop, e ast.Expr) *types.Var {
	x, ok := ast.Unparen(e).(*ast.IndexExpr)
	if !ok || lp.index == nil || variable(l.unit.info, x.Index) != lp.index {
		return nil
	}
	v := variable(l.unit.info, x.X)
	if v == nil || !isSlice(v.Type()) {
		return nil
	}
	if elem, _ := isSequence(v.Type()); isLarge(elem) { // which is assigned as a number is
		return nil
	}
	return v
}

// elementIn returns the element of a variable that e is, or is a part of; e itself if there is none.
func elementIn(e ast.Expr) ast.Expr {
	for x := ast.Unparen(e); ; {
		switch y := x.(type) {
		case *ast.SelectorExpr:
			x = ast.Unparen(y.X)
		case *ast.IndexExpr:
			if _, ok := ast.Unparen(y.X).(*ast.Ident); ok {
				return y
			}
			x = ast.Unparen(y.X)
		default:
			return e
		}
	}
}

// onlyMakes reports whether the body of the loop is z[i] = make([]T, w), and perhaps others like it.
func (l *lowerer) onlyMakes(lp *loop, targets []*rowTarget) bool {
	for _, s := range lp.body.List {
		if v, _ := l.makesRow(lp, s); v == nil {
			return false
		}
	}
	return true
}

// makesRow returns the grid and the call in z[i] = make([]T, w), where i counts the turns of the loop.
func (l *lowerer) makesRow(lp *loop, s ast.Stmt) (*types.Var, *ast.CallExpr) {
	a, ok := s.(*ast.AssignStmt)
	if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
		return nil, nil
	}
	call, ok := ast.Unparen(a.Rhs[0]).(*ast.CallExpr)
	v := l.turnElement(lp, a.Lhs[0])
	if !ok || v == nil || !isBuiltin(l.unit.info, call, "make") || len(call.Args) != 2 || l.env.vals[v].grid == nil {
		return nil, nil
	}
	return v, call
}

// independent reports whether the turns of the loop need each other, or touch anything from before the loop but their
// own elements of some slices; these are the targets, and others whose elements are numbers. Integers that they only
// add to are sums.
func (l *lowerer) independent(lp *loop, targets []*rowTarget) (all []*rowTarget, sums []*types.Var, ok bool) {
	if l.returns(lp.body) || jumpsTo(lp.body.List, token.BREAK, lp.label) || len(l.outward(lp.body)) > 0 || lp.changed[lp.index] {
		return nil, nil, false
	}
	byVar := map[*types.Var]*rowTarget{}
	for _, t := range targets {
		byVar[t.v] = t
	}
	all = targets
	for _, key := range l.env.keys {
		if !lp.changed[key] {
			continue
		}
		v, isVar := key.(*types.Var)
		if !isVar {
			return nil, nil, false
		}
		if l.addsUp(lp, v) {
			sums = append(sums, v)
			continue
		}
		t := byVar[v]
		if t == nil {
			x := l.env.vals[v]
			if !flatElements(v.Type()) || x.bad || x.ref != nil || !x.unset && (x.own == nil || x.own.escaped.IsValid()) {
				return nil, nil, false
			}
			t = &rowTarget{v: v, pos: lp.pos}
			all = append(all, t)
		}
		if l.env.captured(v) || !l.touchesOwn(lp, t) || !t.appends && !l.isInside(lp, t.v) && !l.assignsEach(lp, t.v) {
			return nil, nil, false
		}
	}
	return all, sums, true
}

// touchesOwn reports whether the body of the loop names the slice of t only to make its element of the turn: as v[i],
// or in v = append(v, e), at most once in a turn; or asks for its length.
func (l *lowerer) touchesOwn(lp *loop, t *rowTarget) bool {
	info := l.unit.info
	own := map[*ast.Ident]bool{}
	appends, elements, lengths := 0, 0, 0
	ast.Inspect(lp.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if v, call := appendTarget(info, n); v == t.v && len(call.Args) == 2 && !call.Ellipsis.IsValid() {
				appends++
				own[ast.Unparen(n.Lhs[0]).(*ast.Ident)], own[ast.Unparen(call.Args[0]).(*ast.Ident)] = true, true
			}
		case *ast.IndexExpr:
			if l.turnElement(lp, n) == t.v {
				elements++
				own[ast.Unparen(n.X).(*ast.Ident)] = true
			}
		case *ast.CallExpr:
			if isBuiltin(info, n, "len") && variable(info, n.Args[0]) == t.v {
				lengths++
				own[ast.Unparen(n.Args[0]).(*ast.Ident)] = true
			}
		}
		return true
	})
	ok := true
	ast.Inspect(lp.body, func(n ast.Node) bool {
		id, isIdent := n.(*ast.Ident)
		ok = ok && !(isIdent && info.Uses[id] == types.Object(t.v) && !own[id])
		return ok
	})
	t.appends = appends > 0
	if t.appends {
		return ok && elements == 0 && lengths == 0 && l.appendsOnce(lp.body.List, t.v)
	}
	return ok
}

// appendsOnce reports whether the statements append to v at most once, and not in a loop or a function.
func (l *lowerer) appendsOnce(list []ast.Stmt, v *types.Var) bool {
	most, ok := l.appendsOf(list, v)
	return ok && most <= 1
}

// appendsOf is how often the statements append to v at most; ok is false if that is not known.
func (l *lowerer) appendsOf(list []ast.Stmt, v *types.Var) (most int, ok bool) {
	ok = true
	one := func(s ast.Stmt) int {
		n, known := 0, true
		switch s := s.(type) {
		case nil:
		case *ast.AssignStmt:
			if u, _ := appendTarget(l.unit.info, s); u == v {
				n = 1
			}
		case *ast.BlockStmt:
			n, known = l.appendsOf(s.List, v)
		case *ast.LabeledStmt:
			n, known = l.appendsOf([]ast.Stmt{s.Stmt}, v)
		case *ast.IfStmt:
			a, aKnown := l.appendsOf(s.Body.List, v)
			b, bKnown := 0, true
			if s.Else != nil {
				b, bKnown = l.appendsOf([]ast.Stmt{s.Else}, v)
			}
			n, known = max(a, b), aKnown && bKnown
		case *ast.SwitchStmt:
			for _, c := range fallsThrough(s.Body.List) {
				a, aKnown := l.appendsOf(c.Body, v)
				n, known = max(n, a), known && aKnown
			}
		default:
			known = !mentions(l.unit.info, s, map[*types.Var]bool{v: true})
		}
		ok = ok && known
		return n
	}
	for _, s := range list {
		most += one(s)
	}
	return most, ok
}

// inTurns reports whether the loop makes one turn for each element of v, in order.
func (l *lowerer) inTurns(lp *loop, v *types.Var) bool {
	x := l.env.vals[v]
	return ir.IsInt(lp.lo, 0) && !x.unset && l.sameNumber(lp.hi, l.length(x))
}

// isInside reports whether the loop surely only counts elements of v.
func (l *lowerer) isInside(lp *loop, v *types.Var) bool {
	lo, ok := lp.lo.(ir.Const)
	x := l.env.vals[v]
	if !ok || lo.Int() < 0 || x.unset {
		return false
	}
	n := l.length(x)
	if less, ok := l.definition(lp.hi).(*ir.Binary); ok && less.Fn == ir.Sub {
		if c, ok := less.Y.(ir.Const); ok && c.Int() >= 0 && l.sameNumber(less.X, n) {
			return true
		}
	}
	return l.sameNumber(lp.hi, n)
}

// assignsEach reports whether every turn of the loop assigns its element of v.
func (l *lowerer) assignsEach(lp *loop, v *types.Var) bool {
	if jumpsTo(lp.body.List, token.CONTINUE, lp.label) {
		return false
	}
	for _, s := range lp.body.List {
		if a, ok := s.(*ast.AssignStmt); ok {
			for _, e := range a.Lhs {
				if l.turnElement(lp, e) == v {
					return true
				}
			}
		}
	}
	return false
}

// updatedElsewhere reports whether the function at hand assigns elements of the rows of v, but in the loop.
func (l *lowerer) updatedElsewhere(lp *loop, v *types.Var) bool {
	if len(l.stack) == 0 {
		return false
	}
	e := newEffects(l.prog, l.unit)
	e.without = lp.body
	e.walk(l.bodyOf(l.stack[len(l.stack)-1]))
	e.settle()
	return e.elements[v] >= gridRank(v.Type())
}

// updatesRowsOf reports whether a loop of the function at hand, or a function that it calls, assigns elements of the
// rows of v, and the function replaces none of the rows. What is assigned outside of them makes other rows of them.
func (l *lowerer) updatesRowsOf(v *types.Var) bool {
	if len(l.stack) == 0 {
		return false
	}
	inLoop, replaces := false, false
	ast.Inspect(l.bodyOf(l.stack[len(l.stack)-1]), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt:
			inLoop = inLoop || l.updatesRows(n, v)
		case *ast.RangeStmt:
			inLoop = inLoop || l.updatesRows(n, v)
		case *ast.ExprStmt: // of flat rows, the function may have others instead
			inLoop = inLoop || gridRank(v.Type()) > 2 && l.updatesRows(n, v)
		case *ast.AssignStmt:
			if len(n.Lhs) == 1 {
				grown, _ := appendTarget(l.unit.info, n)
				at, isIndex := ast.Unparen(n.Lhs[0]).(*ast.IndexExpr)
				replaces = replaces || grown == v || isIndex && variable(l.unit.info, at.X) == v
			}
		}
		return !replaces
	})
	return inLoop && !replaces
}
