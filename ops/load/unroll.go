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
// kernel stays a matter of hundreds of lines; where a turn may leave the loop, up to fewTurns, as each of these nests
// the next one in a condition, and where it fills an array of numbers again and again (see [unit.fillsAgain]).

const (
	maxTurns    = 64
	fewTurns    = 16
	maxUnrolled = 4096
)

// unrolledSize estimates the nodes of syntax of a loop that is unrolled, with the loops inside. Where the number of
// turns depends on another loop, it is that of the other one.
func unrolledSize(u *unit, loop ast.Node, around int64) int64 {
	info := u.info
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
	if turns > fewTurns && mayLeave(body) || u.fillsAgain(loop) {
		return maxUnrolled + 1
	}
	return turns * sizeOf(u, body, turns)
}

// sizeOf counts the nodes of syntax of n.
func sizeOf(u *unit, n ast.Node, turns int64) int64 {
	size := int64(0)
	ast.Inspect(n, func(m ast.Node) bool {
		if m == nil || size > maxUnrolled {
			return false
		}
		switch m.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			inner := unrolledSize(u, m, turns)
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
			if info.Types[n.Index].Value != nil || !mentions(info, n.Index, from) {
				break
			}
			if indexesArray(info, n) {
				root := rootOf(info, n.X)
				worth = worth || root == nil && !isLarge(info.TypeOf(n.X)) || root != nil && !l.liesInMemory(root)
			} else if p := l.env.vals[variable(info, n.X)].ptr; p != nil && isArrayType(p.elem) {
				worth = worth || !isLarge(p.elem) && !l.env.vals[p.root].mem
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
	if !ok || int64(len(vs))*sizeOf(l.unit, s.Body, int64(len(vs))) > maxUnrolled {
		return false
	}
	if len(vs) > fewTurns && mayLeave(s.Body) || l.unit.fillsAgain(s) {
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
	if _, ok := staticRange(l.unit.info, s); !ok || unrolledSize(l.unit, s, 1) > maxUnrolled {
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
