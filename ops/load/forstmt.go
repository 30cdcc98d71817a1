package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"math"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// forStmt lowers a for statement with up to three clauses.
func (l *lowerer) forStmt(s *ast.ForStmt) {
	label := l.takeLabel()
	if l.unrollFor(s, label) {
		return
	}
	lp := &loop{pos: s.Pos(), body: s.Body, label: label, header: s}
	l.stmt(s.Init)
	if l.countedFor(s, lp) || l.stepsDown(s, lp) {
		l.lowerLoop(lp)
		return
	}
	if s.Cond != nil && len(l.assigned(s.Cond)) > 0 { // the condition of an ir.Loop assigns nothing
		not := &ast.UnaryExpr{OpPos: s.Cond.Pos(), Op: token.NOT, X: s.Cond}
		leave := &ast.IfStmt{If: s.Cond.Pos(), Cond: not, Body: &ast.BlockStmt{List: []ast.Stmt{&ast.BranchStmt{TokPos: s.Cond.Pos(), Tok: token.BREAK}}}}
		lp.body = &ast.BlockStmt{Lbrace: s.Body.Lbrace, List: []ast.Stmt{leave, s.Body}, Rbrace: s.Body.Rbrace}
		s = &ast.ForStmt{For: s.For, Init: s.Init, Post: s.Post, Body: lp.body}
	}
	nodes := []ast.Node{s.Body}
	if s.Post != nil {
		nodes = append(nodes, s.Post)
		lp.post = func() { l.stmt(s.Post) }
		lp.hidden = countsOwn(l.unit.info, s.Init, s.Post)
	}
	lp.changed = l.assigned(nodes...)
	lp.limits = l.limitsOf(s, lp)
	if s.Cond != nil {
		lp.cond = func() (ir.Atom, bool) {
			l.pos = s.Cond.Pos()
			v := l.expr(s.Cond)
			if v.bad || len(v.atoms) != 1 {
				return nil, false
			}
			return v.atoms[0], true
		}
	}
	l.lowerLoop(lp)
}

// behind returns hi + 1, where hi is the value of e, for a loop whose index is of that kind and reaches hi. If hi is
// the greatest value of the kind, the loop of the source does not end: neither does one of so many turns as there are
// ints.
func (l *lowerer) behind(e ast.Expr, hi ir.Atom, kind ir.Kind) ir.Atom {
	const turns = math.MaxInt64 - 1
	if c, ok := hi.(ir.Const); ok {
		return ir.IntConst(ir.Int, c.Int()+1)
	}
	switch bits := 8 * kind.Bytes(); {
	case bits < 64:
		top := int64(1)<<bits - 1
		if !kind.IsUnsigned() {
			top >>= 1
		}
		hi = l.selected("hi", l.bin("endless", ir.Eq, hi, ir.IntConst(ir.Int, top)), ir.IntConst(ir.Int, turns), hi)
	case !l.isBelowLength(e):
		hi = l.bin("hi", ir.Min, hi, ir.IntConst(ir.Int, turns))
	}
	return l.bin("hi", ir.Add, hi, ir.IntConst(ir.Int, 1))
}

// isBelowLength reports whether e is the length of something, or that less a constant.
func (l *lowerer) isBelowLength(e ast.Expr) bool {
	e = ast.Unparen(e)
	if sub, ok := e.(*ast.BinaryExpr); ok && sub.Op == token.SUB {
		if c, ok := intConst(l.unit.info, sub.Y); ok && 0 <= c && c <= math.MaxInt32 {
			e = ast.Unparen(sub.X)
		}
	}
	return l.isLength(e)
}

// isLength reports whether e is the length of something, by the name of a variable perhaps.
func (l *lowerer) isLength(e ast.Expr) bool {
	e = ast.Unparen(e)
	if call, ok := e.(*ast.CallExpr); ok {
		return isBuiltin(l.unit.info, call, "len")
	}
	v := variable(l.unit.info, e)
	now, ok := l.env.vals[v]
	return v != nil && ok && len(now.atoms) == 1 && now.length != nil && now.length == now.atoms[0]
}

// invariant reports whether e, which a loop evaluates before its first turn in any case, has the same value in every
// turn: it is arithmetic on constants, variables that the loop does not assign, elements that it does not update, and
// lengths: see Note [Lengths in conditions].
func (l *lowerer) invariant(e ast.Expr, changed map[any]bool, i *types.Var, body ast.Node) bool {
	ok := true
	same := func(x ast.Expr) bool { return l.invariant(x, changed, i, body) }
	ast.Inspect(e, func(n ast.Node) bool {
		if x, isExpr := n.(ast.Expr); isExpr && l.unit.info.Types[x].Value != nil {
			return false
		}
		switch n := n.(type) {
		case nil, *ast.ParenExpr:
		case *ast.Ident:
			v, isVar := l.unit.info.Uses[n].(*types.Var)
			_, isBuiltin := l.unit.info.Uses[n].(*types.Builtin)
			_, isType := l.unit.info.Uses[n].(*types.TypeName)
			ok = ok && (isVar && !changed[v] && v != i || isBuiltin || isType)
			if isVar { // what it points to, or stands for
				val := l.env.vals[v]
				ok = ok && !(val.ptr != nil && slices.ContainsFunc(val.ptr.roots(), func(key any) bool { return changed[key] })) && !(val.ref != nil && changed[val.ref.root])
			}
		case *ast.SelectorExpr:
			sel := l.unit.info.Selections[n]
			ok = ok && sel != nil && sel.Kind() == types.FieldVal
			if ok {
				ok = same(n.X)
			}
			return false
		case *ast.IndexExpr:
			_, isRow := isSequence(l.unit.info.TypeOf(n.X)) // and no instance of a generic function
			ok = ok && isRow
		case *ast.BinaryExpr:
			kind, isScalar := scalarKind(l.unit.info.TypeOf(n))
			ok = ok && isScalar && kind.IsInteger()
		case *ast.CallExpr:
			if l.unit.info.Types[n.Fun].IsType() {
				return true
			}
			if isBuiltin(l.unit.info, n, "len") && l.lengthStays(n.Args[0], body, same) {
				return false
			}
			id := calleeIdent(n)
			b, isBuiltin := l.unit.info.Uses[id].(*types.Builtin)
			ok = ok && id != nil && isBuiltin && (b.Name() == "len" || b.Name() == "min" || b.Name() == "max")
		default:
			ok = false
		}
		return ok
	})
	return ok
}

// countsOwn reports whether post only steps a variable that init declares.
func countsOwn(info *types.Info, init, post ast.Stmt) bool {
	step, ok := post.(*ast.IncDecStmt)
	if !ok {
		return false
	}
	id, ok := ast.Unparen(step.X).(*ast.Ident)
	if !ok {
		return false
	}
	in, ok := init.(*ast.AssignStmt)
	return ok && in.Tok == token.DEFINE && info.Uses[id] != nil && in.Pos() <= info.Uses[id].Pos() && info.Uses[id].Pos() < in.End()
}
