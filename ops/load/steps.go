package load

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/surge-ndp/surge/ops/ir"
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
func staticVars(u *unit, body ast.Node) map[*types.Var]bool {
	info := u.info
	static := map[*types.Var]bool{}
	changed := assignedIn(info, body)
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt:
			if st, ok := stepsOf(info, n); ok && isStatic(info, st.lo, static) && isStatic(info, st.hi, static) && unrolledSize(u, n, 1) <= maxUnrolled {
				static[st.i] = true
			}
		case *ast.RangeStmt:
			if id, ok := n.Key.(*ast.Ident); ok && unrolledSize(u, n, 1) <= maxUnrolled {
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
