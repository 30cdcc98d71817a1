package load

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/surge-ndp/surge/ops/ir"
)

// Note [Unrolling]
//
// A loop that indexes fixed arrays by its variable is lowered turn by turn where the number of turns is known: every
// index is then a constant and names a value (see Note [Fixed arrays]). It is done up to maxTurns turns, and up to
// maxUnrolled nodes of syntax in all, so that three nested loops over a 4 by 4 matrix are unrolled and code for one
// kernel stays a matter of hundreds of lines; where a turn may leave the loop, up to maxLeaving turns, as each of these
// nests the next one in a condition.

const (
	maxTurns    = 64
	maxLeaving  = 16
	maxUnrolled = 4096
)

// steps describes "for i := lo; i < hi; i += by" and the like: the variable, and the expressions that say where it
// goes.
type steps struct {
	i      *types.Var
	lo, hi ast.Expr
	op     token.Token // of the condition, with i on the left
	by     int64
	body   *ast.BlockStmt
}

// stepsOf recognises such a loop, whose body does not assign i.
func stepsOf(info *types.Info, s *ast.ForStmt) (st steps, ok bool) {
	init, ok := s.Init.(*ast.AssignStmt)
	if !ok || init.Tok != token.DEFINE || len(init.Lhs) != 1 || len(init.Rhs) != 1 {
		return st, false
	}
	id, _ := init.Lhs[0].(*ast.Ident)
	if st.i, ok = info.Defs[id].(*types.Var); !ok {
		return st, false
	}
	if k, isScalar := scalarKind(st.i.Type()); !isScalar || !k.IsInteger() {
		return st, false
	}
	isI := func(e ast.Expr) bool {
		x, ok := ast.Unparen(e).(*ast.Ident)
		return ok && info.Uses[x] == types.Object(st.i)
	}
	switch p := s.Post.(type) {
	case *ast.IncDecStmt:
		st.by, ok = 1, isI(p.X)
		if p.Tok == token.DEC {
			st.by = -1
		}
	case *ast.AssignStmt:
		if len(p.Lhs) != 1 || len(p.Rhs) != 1 || !isI(p.Lhs[0]) {
			return st, false
		}
		st.by, ok = intConst(info, p.Rhs[0])
		if p.Tok == token.SUB_ASSIGN {
			st.by = -st.by
		} else if p.Tok != token.ADD_ASSIGN {
			return st, false
		}
	default:
		return st, false
	}
	cond, isBinary := s.Cond.(*ast.BinaryExpr)
	if !ok || !isBinary || st.by == 0 {
		return st, false
	}
	st.lo, st.body = init.Rhs[0], s.Body
	mirrored := map[token.Token]token.Token{token.LSS: token.GTR, token.GTR: token.LSS, token.LEQ: token.GEQ, token.GEQ: token.LEQ, token.NEQ: token.NEQ}
	switch {
	case mirrored[cond.Op] == 0:
		return st, false
	case isI(cond.X):
		st.op, st.hi = cond.Op, cond.Y
	case isI(cond.Y):
		st.op, st.hi = mirrored[cond.Op], cond.X
	default:
		return st, false
	}
	return st, !assignedIn(info, s.Body)[st.i] && !mentions(info, st.hi, map[*types.Var]bool{st.i: true})
}

// values returns the values of the variable, turn by turn; ok is false if there are more than maxTurns.
func (st steps) values(lo, hi int64) (vs []int64, ok bool) {
	holds := func(i int64) bool {
		switch st.op {
		case token.LSS:
			return i < hi
		case token.LEQ:
			return i <= hi
		case token.GTR:
			return i > hi
		case token.GEQ:
			return i >= hi
		}
		return i != hi
	}
	kind, _ := scalarKind(st.i.Type())
	for i := lo; holds(i); i += st.by {
		if len(vs) == maxTurns || ir.IntConst(kind, i).Int() != i || kind.IsUnsigned() && i < 0 { // it would wrap around
			return nil, false
		}
		vs = append(vs, i)
	}
	return vs, true
}

// staticRange returns the number of turns of a range over an array, or over a constant.
func staticRange(info *types.Info, s *ast.RangeStmt) (int64, bool) {
	t := info.TypeOf(s.X)
	if t == nil || s.Tok == token.ASSIGN {
		return 0, false
	}
	if n, _, ok := isArray(t); ok {
		return n, n <= maxTurns
	}
	if n, ok := intConst(info, s.X); ok {
		return max(n, 0), n <= maxTurns
	}
	return 0, false
}

// staticVars returns the variables of a function that have constant values if its loops are unrolled where that may be.
func staticVars(info *types.Info, body ast.Node) map[*types.Var]bool {
	static := map[*types.Var]bool{}
	changed := assignedIn(info, body)
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt:
			if st, ok := stepsOf(info, n); ok && isStatic(info, st.lo, static) && isStatic(info, st.hi, static) && unrolledSize(info, n, 1) <= maxUnrolled {
				static[st.i] = true
			}
		case *ast.RangeStmt:
			if id, ok := n.Key.(*ast.Ident); ok && unrolledSize(info, n, 1) <= maxUnrolled {
				if _, ok := staticRange(info, n); ok {
					if v, ok := info.Defs[id].(*types.Var); ok && !changed[v] {
						static[v] = true
					}
				}
			}
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE && len(n.Lhs) == len(n.Rhs) {
				for i, e := range n.Lhs {
					id, _ := e.(*ast.Ident)
					if v, ok := info.Defs[id].(*types.Var); ok && !changed[v] && isStatic(info, n.Rhs[i], static) {
						static[v] = true
					}
				}
			}
		}
		return true
	})
	return static
}

// assignedIn returns the variables that n assigns by name, and those whose address it takes.
func assignedIn(info *types.Info, n ast.Node) map[*types.Var]bool {
	vars := map[*types.Var]bool{}
	add := func(e ast.Expr) {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok {
			if v, ok := info.Uses[id].(*types.Var); ok {
				vars[v] = true
			}
		}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				add(e)
			}
		case *ast.IncDecStmt:
			add(n.X)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				add(n.X)
			}
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				add(n.Key)
				add(n.Value)
			}
		}
		return true
	})
	return vars
}

// isStatic reports whether e is computed from constants and the variables of static.
func isStatic(info *types.Info, e ast.Expr, static map[*types.Var]bool) bool {
	if info.Types[e].Value != nil {
		return true
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := info.Uses[e].(*types.Var)
		return ok && static[v]
	case *ast.BinaryExpr:
		switch e.Op {
		case token.ADD, token.SUB, token.MUL, token.AND, token.OR, token.XOR:
			return isStatic(info, e.X, static) && isStatic(info, e.Y, static)
		case token.QUO, token.REM, token.SHL, token.SHR:
			return isStatic(info, e.X, static) && info.Types[e.Y].Value != nil
		}
	case *ast.UnaryExpr:
		return e.Op == token.SUB && isStatic(info, e.X, static)
	case *ast.CallExpr:
		return info.Types[e.Fun].IsType() && len(e.Args) == 1 && isStatic(info, e.Args[0], static)
	}
	return false
}

// unrolledSize estimates the nodes of syntax of a loop that is unrolled, with the loops inside. Where the number of
// turns depends on another loop, it is that of the other one.
func unrolledSize(info *types.Info, loop ast.Node, around int64) int64 {
	turns := around
	var body *ast.BlockStmt
	switch s := loop.(type) {
	case *ast.ForStmt:
		st, ok := stepsOf(info, s)
		if !ok {
			return maxUnrolled + 1
		}
		lo, isLo := intConst(info, st.lo)
		hi, isHi := intConst(info, st.hi)
		if isLo && isHi {
			vs, ok := st.values(lo, hi)
			if !ok {
				return maxUnrolled + 1
			}
			turns = int64(len(vs))
		}
		body = s.Body
	case *ast.RangeStmt:
		n, ok := staticRange(info, s)
		if !ok {
			return maxUnrolled + 1
		}
		turns, body = n, s.Body
	}
	if mayLeave(body) && turns > maxLeaving {
		return maxUnrolled + 1
	}
	return turns * sizeOf(info, body, turns)
}

// sizeOf counts the nodes of syntax of n.
func sizeOf(info *types.Info, n ast.Node, turns int64) int64 {
	size := int64(0)
	ast.Inspect(n, func(m ast.Node) bool {
		if m == nil || size > maxUnrolled {
			return false
		}
		switch m.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			inner := unrolledSize(info, m, turns)
			if inner > maxUnrolled { // it stays a loop
				inner = 0
				ast.Inspect(m, func(ast.Node) bool { inner++; return true })
			}
			size += inner
			return false
		}
		size++
		return true
	})
	return size
}

// mayLeave reports whether a turn of a loop with this body may end before its last statement.
func mayLeave(body *ast.BlockStmt) bool {
	if jumpsTo(body.List, token.BREAK, "") || jumpsTo(body.List, token.CONTINUE, "") || returns(body) {
		return true
	}
	labeled := false
	ast.Inspect(body, func(n ast.Node) bool {
		b, ok := n.(*ast.BranchStmt)
		labeled = labeled || ok && b.Label != nil
		return !labeled
	})
	return labeled
}

// mentions reports whether e has one of the variables.
func mentions(info *types.Info, e ast.Node, vars map[*types.Var]bool) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			v, ok := info.ObjectOf(id).(*types.Var)
			found = found || ok && vars[v]
		}
		return !found
	})
	return found
}

// worthUnrolling reports whether the loop indexes an array, of which the elements are values, by its variable i or by
// what comes of it, and calls no operator.
func (l *lowerer) worthUnrolling(body *ast.BlockStmt, i *types.Var) bool {
	info := l.unit.info
	from := map[*types.Var]bool{i: true}
	worth, operator := false, false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if len(n.Lhs) == len(n.Rhs) {
				for k, e := range n.Lhs {
					if id, ok := e.(*ast.Ident); ok && mentions(info, n.Rhs[k], from) {
						if v, ok := info.Defs[id].(*types.Var); ok {
							from[v] = true
						}
					}
				}
			}
		case *ast.IndexExpr:
			if indexesArray(info, n) && info.Types[n.Index].Value == nil && mentions(info, n.Index, from) {
				root := rootOf(info, n.X)
				worth = worth || root == nil && !isLarge(info.TypeOf(n.X)) || root != nil && !l.liesInMemory(root)
			}
		case *ast.CallExpr:
			if id := calleeIdent(n); id != nil {
				obj, ok := info.Uses[id].(*types.Func)
				operator = operator || ok && obj.Pkg() != nil && obj.Pkg().Path() == opsPath
			}
		}
		return true
	})
	return worth && !operator
}

// constantsNow returns the variables that have constant values at this point, without those that n assigns.
func (l *lowerer) constantsNow(n ast.Node) map[*types.Var]bool {
	changed := l.assigned(n)
	static := map[*types.Var]bool{}
	for key, v := range l.env.vals {
		if obj, ok := key.(*types.Var); ok && !changed[obj] && len(v.atoms) == 1 && v.fn == nil && !v.bad {
			if c, ok := v.atoms[0].(ir.Const); ok && c.Kind.IsInteger() {
				static[obj] = true
			}
		}
	}
	return static
}

// unrollFor lowers s turn by turn, if that is possible and worth it.
func (l *lowerer) unrollFor(s *ast.ForStmt, label string) bool {
	info := l.unit.info
	st, ok := stepsOf(info, s)
	if !ok || !l.worthUnrolling(s.Body, st.i) || l.assigned(s.Body)[st.i] {
		return false
	}
	static := l.constantsNow(s)
	if !isStatic(info, st.lo, static) || !isStatic(info, st.hi, static) {
		return false
	}
	lo, isLo := l.constInt(st.lo)
	hi, isHi := l.constInt(st.hi)
	if !isLo || !isHi {
		return false
	}
	vs, ok := st.values(lo, hi)
	if !ok || int64(len(vs))*sizeOf(info, s.Body, int64(len(vs))) > maxUnrolled {
		return false
	}
	if len(vs) > maxLeaving && mayLeave(s.Body) {
		return false
	}
	kind, _ := scalarKind(st.i.Type())
	l.turns(s.Pos(), s.Body, label, len(vs), func(k int) {
		l.env.set(st.i, value{typ: st.i.Type(), atoms: []ir.Atom{ir.IntConst(kind, vs[k])}})
	})
	return true
}

// constInt lowers e, which is an integer constant if it is static.
func (l *lowerer) constInt(e ast.Expr) (int64, bool) {
	v := l.expr(e)
	if v.bad || len(v.atoms) != 1 {
		return 0, false
	}
	c, ok := v.atoms[0].(ir.Const)
	return c.Int(), ok
}

// unrolls reports whether a range over n constants or elements, of the value x, is lowered turn by turn.
func (l *lowerer) unrolls(s *ast.RangeStmt, x value) bool {
	if _, ok := staticRange(l.unit.info, s); !ok || unrolledSize(l.unit.info, s, 1) > maxUnrolled {
		return false
	}
	if _, _, ok := isArray(x.typ); ok && s.Value != nil && !inMemory(x) {
		if id, ok := s.Value.(*ast.Ident); !ok || id.Name != "_" {
			return true
		}
	}
	if id, ok := s.Key.(*ast.Ident); ok {
		if v, ok := l.unit.info.Defs[id].(*types.Var); ok && !l.assigned(s.Body)[v] {
			return l.worthUnrolling(s.Body, v)
		}
	}
	return false
}

// turns lowers a body n times, one after the other; start sets the variables of a turn. A turn that may leave the loop
// puts the next ones under a condition: see Note [Jumps].
func (l *lowerer) turns(pos token.Pos, body *ast.BlockStmt, label string, n int, start func(k int)) {
	keep := len(l.env.keys)
	var broke *slot
	if jumpsTo(body.List, token.BREAK, label) {
		broke = l.push("broke", label)
	}
	var turn func(k int)
	turn = func(k int) {
		if k == n {
			return
		}
		l.tick()
		start(k)
		continued := l.push("continued", label)
		l.run(body.List)
		l.pop(continued)
		dead, dynamic := l.status(l.env)
		switch {
		case dead:
		case len(dynamic) > 0 && k+1 < n:
			l.guard(dynamic, pos, func() { turn(k + 1) })
		default:
			turn(k + 1)
		}
	}
	turn(0)
	if broke != nil {
		l.pop(broke)
	}
	l.env.truncate(keep)
}
