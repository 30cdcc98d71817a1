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
	if l.countedFor(s, lp) {
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

// countedFor recognises "for i := lo; i < hi; i++", where the body assigns neither i nor anything that hi is made of,
// and i cannot overflow, and "i+k < hi" with a k of that kind. It fills in lp.
func (l *lowerer) countedFor(s *ast.ForStmt, lp *loop) bool {
	info := l.unit.info
	init, ok := s.Init.(*ast.AssignStmt)
	if !ok || init.Tok != token.DEFINE || len(init.Lhs) != 1 {
		return false
	}
	id, _ := init.Lhs[0].(*ast.Ident)
	i, ok := info.Defs[id].(*types.Var)
	if !ok {
		return false
	}
	kind, ok := scalarKind(i.Type())
	if !ok || !kind.IsInteger() || kind == ir.Uint || kind == ir.Uint64 { // these may lie beyond int
		return false
	}
	isI := func(e ast.Expr) bool {
		x, ok := ast.Unparen(e).(*ast.Ident)
		return ok && info.Uses[x] == types.Object(i)
	}
	switch p := s.Post.(type) {
	case *ast.IncDecStmt:
		if p.Tok != token.INC || !isI(p.X) {
			return false
		}
	case *ast.AssignStmt:
		if n, ok := intConst(info, p.Rhs[0]); p.Tok != token.ADD_ASSIGN || !isI(p.Lhs[0]) || !ok || n != 1 {
			return false
		}
	default:
		return false
	}
	cond, ok := s.Cond.(*ast.BinaryExpr)
	if !ok {
		return false
	}
	below, hi := cond.X, cond.Y
	closed := cond.Op == token.LEQ // the bound belongs to the range
	switch cond.Op {
	case token.LSS, token.LEQ:
	case token.GTR, token.GEQ:
		below, hi, closed = hi, below, cond.Op == token.GEQ
	default:
		return false
	}
	lp.changed = l.assigned(s.Body)
	if lp.changed[i] || !l.invariant(hi, lp.changed, i) {
		return false
	}
	same := func(e ast.Expr) bool { return l.invariant(e, lp.changed, i) }
	ahead, counts := l.isAhead(below, isI, same)
	if !ahead || !isI(below) && (kind != ir.Int || !l.isCount(init.Rhs[0])) {
		return false
	}
	bound, isConst := intConst(info, hi)
	if closed && isConst && bound >= 1<<31-1 { // hi+1 could overflow
		return false
	}
	lo := l.use(l.env.vals[i], s.Pos())
	begin, top := l.expr(below), l.expr(hi)
	if lo.bad || begin.bad || top.bad || len(lo.atoms) != 1 || len(begin.atoms) != 1 || len(top.atoms) != 1 {
		return false
	}
	lp.lo, lp.hi = l.toInt(lo.atoms[0]), l.toInt(top.atoms[0])
	switch {
	case !isI(below):
		small := counts && (l.isBelowLength(hi) || isConst && bound >= 0)
		lp.hi = l.endOf(lp.lo, begin.atoms[0], lp.hi, closed, small)
	case closed:
		lp.hi = l.behind(hi, lp.hi, kind)
	}
	lp.counted, lp.name, lp.index = true, i.Name(), i
	lp.start = func(x ir.Atom) { l.bind(i, value{typ: i.Type(), atoms: []ir.Atom{l.fromInt(x, kind)}}) }
	return true
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
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	id := calleeIdent(call)
	b, ok := l.unit.info.Uses[id].(*types.Builtin)
	return id != nil && ok && b.Name() == "len"
}

// invariant reports whether e, which a loop evaluates before its first turn in any case, has the same value in every
// turn: it is arithmetic on constants, lengths, variables that the loop does not assign and elements that it does not
// update.
func (l *lowerer) invariant(e ast.Expr, changed map[any]bool, i *types.Var) bool {
	ok := true
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
				ok = l.invariant(n.X, changed, i)
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
