package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// Note [Loops until there are enough]
//
// How many turns a loop makes whose condition asks for the length of what it appends to is not known before it, but how
// long that becomes is:
//
//	k = min(k, len(candidates))
//	for len(picked) < k {
//		…
//		picked = append(picked, best)
//		gains = append(gains, gain)
//	}
//
// A turn begins with k-1 elements at most. What is appended beside that becomes no longer. So there is room for all of
// them before the loop, where nothing but the limit would say how much memory that is, if that is a constant, or no
// more than the length of something: of a limit like "all", plain Go makes far fewer.

// mostLimit is how many elements a constant limit says at most.
const mostLimit = 1 << 20

// limitsOf returns how many elements a loop with a condition appends at most to the slices of which that is known.
func (l *lowerer) limitsOf(s *ast.ForStmt, lp *loop) map[any]ir.Atom {
	limits := map[any]ir.Atom{}
	var conditions []ast.Expr
	if s.Cond != nil {
		conditions = conjuncts(s.Cond)
	}
	for _, cond := range conditions {
		v, limit, more := l.limitIn(cond, lp)
		if v == nil || limits[v] != nil || s.Post != nil && mentions(l.unit.info, s.Post, map[*types.Var]bool{v: true}) {
			continue
		}
		n := ir.Atom(zeroInt)
		if x := l.env.vals[v]; !x.unset {
			n = l.length(x)
		}
		limit = l.bin("most", ir.Add, limit, ir.IntConst(ir.Int, more))
		most := l.bin("most", ir.Max, zeroInt, l.bin("most", ir.Sub, limit, n))
		limits[v] = most
		for u := range l.appendedBeside(lp.body, v) {
			if limits[u] == nil && (s.Post == nil || !mentions(l.unit.info, s.Post, map[*types.Var]bool{u: true})) {
				limits[u] = most
			}
		}
	}
	return limits
}

// limitIn takes a condition len(v) < limit apart, or len(v) <= limit, of a slice that the loop does nothing to but to
// append. A turn leaves no more elements than limit and more.
func (l *lowerer) limitIn(cond ast.Expr, lp *loop) (v *types.Var, limit ir.Atom, more int64) {
	b, ok := cond.(*ast.BinaryExpr)
	if !ok {
		return nil, nil, 0
	}
	x, y, op := b.X, b.Y, b.Op
	if op == token.GTR || op == token.GEQ {
		x, y = y, x
	}
	switch op {
	case token.LSS, token.GTR:
		more = -1
	case token.LEQ, token.GEQ:
	default:
		return nil, nil, 0
	}
	call, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok || !isBuiltin(l.unit.info, call, "len") {
		return nil, nil, 0
	}
	v = variable(l.unit.info, call.Args[0])
	now, known := l.env.vals[v]
	if v == nil || !known || now.bad || l.env.captured(v) || !isSlice(v.Type()) || !flatElements(v.Type()) || !l.onlyAppends(lp.body, v) {
		return nil, nil, 0
	}
	if limit = l.steadyLimit(y, lp); limit == nil {
		return nil, nil, 0
	}
	return v, limit, more + l.mostAppends(lp.body)[v]
}

// steadyLimit is the value of a number that no turn of a loop assigns, nil if that may be far more than there are
// elements of anything.
func (l *lowerer) steadyLimit(e ast.Expr, lp *loop) ir.Atom {
	root := ast.Unparen(e)
	if call, ok := root.(*ast.CallExpr); ok && isBuiltin(l.unit.info, call, "len") {
		root = ast.Unparen(call.Args[0])
	}
	if _, isConst := intConst(l.unit.info, root); !isConst {
		v := variable(l.unit.info, root)
		if v == nil || lp.changed[v] || !isIntType(v.Type()) && !isSlice(v.Type()) {
			return nil
		}
	}
	x := l.expr(e)
	if x.bad || len(x.atoms) != 1 || !l.fewElements(x.atoms[0]) {
		return nil
	}
	return x.atoms[0]
}

// fewElements reports whether a number is no more than the length of something, or than a constant that is not large.
func (l *lowerer) fewElements(a ir.Atom) bool {
	if c, ok := a.(ir.Const); ok {
		return c.Int() <= mostLimit
	}
	switch op := l.definition(a).(type) {
	case *ir.Len:
		return true
	case *ir.Binary:
		switch op.Fn {
		case ir.Min:
			return l.fewElements(op.X) || l.fewElements(op.Y)
		case ir.Max:
			return l.fewElements(op.X) && l.fewElements(op.Y)
		case ir.Div:
			c, ok := op.Y.(ir.Const)
			return ok && c.Int() > 0 && l.fewElements(op.X)
		}
	}
	return false
}

// onlyAppends reports whether a body does nothing to a slice but to append a number of elements that the source says.
func (l *lowerer) onlyAppends(body *ast.BlockStmt, v *types.Var) bool {
	ok, counted, appends := true, 0, 0
	l.appends(body.List, 1, func(u any, n int64, _ token.Pos) {
		if u == any(v) {
			ok = ok && n >= 0
			counted++
		}
	})
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			ok = ok && !mentions(l.unit.info, n, map[*types.Var]bool{v: true})
		case *ast.UnaryExpr:
			ok = ok && (n.Op != token.AND || variable(l.unit.info, n.X) != v)
		case *ast.AssignStmt:
			u, _ := appendTarget(l.unit.info, n)
			if u == v {
				appends++
			}
			ok = ok && (u == v || !slices.ContainsFunc(n.Lhs, func(e ast.Expr) bool { return variable(l.unit.info, e) == v }))
		case *ast.SelectorExpr: // of a method, which may get its address
			ok = ok && variable(l.unit.info, n.X) != v
		case *ast.RangeStmt:
			ok = ok && (n.Tok != token.ASSIGN || variable(l.unit.info, n.Key) != v && (n.Value == nil || variable(l.unit.info, n.Value) != v))
		}
		return ok
	})
	return ok && appends > 0 && appends == counted
}

// appendedBeside are the slices to which a body appends only where it appends as many elements to v in the same list of
// statements, with nothing between that leaves it.
func (l *lowerer) appendedBeside(body *ast.BlockStmt, v *types.Var) map[*types.Var]bool {
	beside, apart := map[*types.Var]bool{}, map[*types.Var]bool{}
	listed := map[*types.Var]int{}
	lists(body, func(list []ast.Stmt, _ token.Pos) []ast.Stmt {
		left := map[*types.Var]int{} // how many elements more than to v
		for _, s := range list {
			u, call := appendTarget(l.unit.info, s)
			listed[u]++
			switch {
			case u != nil && !call.Ellipsis.IsValid():
				left[u] += len(call.Args) - 1
			case u != nil:
				apart[u] = true
			case branches(s) || returnsIn(s):
				for u, n := range left { // of those before as many as of v
					apart[u] = apart[u] || n > left[v]
				}
			}
		}
		for u, n := range left {
			if beside[u] = true; n > left[v] {
				apart[u] = true
			}
		}
		return list
	})
	ast.Inspect(body, func(n ast.Node) bool { // as the first part of a condition, or at the end of a turn, it is in no list
		if a, ok := n.(*ast.AssignStmt); ok {
			u, _ := appendTarget(l.unit.info, a)
			listed[u]--
		}
		return true
	})
	for u := range beside {
		apart[u] = apart[u] || listed[u] != 0
		now, known := l.env.vals[u]
		if u == v || apart[u] || !known || now.bad || l.env.captured(u) || !flatElements(u.Type()) || !l.onlyAppends(body, u) {
			delete(beside, u)
		}
	}
	return beside
}
