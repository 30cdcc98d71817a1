package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
)

// holding finds out whether nothing but a variable, and names that a turn declares, leads to a buffer: that it is left
// neither in a result, nor in what outlives the turn.
type holding struct {
	r     *rewriter
	decls funcDecls
	grows bool // the buffer is emptied and appended to, and its length shows nothing of turns before
	array bool // it is a value, of which only parts and addresses lead to it
	calls int

	places map[*types.Var]bool // buffers that may change places with it, itself among them
}

// holds reports whether it is so for the uses of v in n.
func (h *holding) holds(n ast.Node, v *types.Var) bool {
	ok := true
	uses(n, func(id *ast.Ident, st []ast.Node) {
		if ok && variable(h.r.info, id) == v {
			ok = !slices.ContainsFunc(st, isFuncLit) && h.use(n, v, st)
		}
	})
	return ok
}

// use is holds for one use of v, which the stack ends with.
func (h *holding) use(body ast.Node, v *types.Var, st []ast.Node) bool {
	x, up := h.up(st)
	if cut, isCut := up[len(up)-1].(*ast.SliceExpr); isCut {
		if cut.X != x || cut.Max != nil || h.grows && !h.shrinks(cut, v) {
			return false
		}
		if x, up = h.up(up); h.array && len(up) == 0 {
			return false
		}
	} else if h.array {
		switch p := up[len(up)-1].(type) {
		case *ast.UnaryExpr:
			if p.Op != token.AND {
				return true
			}
			x, up = h.up(up)
			call, isCall := up[len(up)-1].(*ast.CallExpr)
			return isCall && h.given(v, x, call, up)
		case *ast.SelectorExpr: // of a method, which may get its address
			return false
		case *ast.IndexExpr:
			return p.X != x || h.element(up)
		}
		return true
	}
	switch p := up[len(up)-1].(type) {
	case *ast.IndexExpr:
		return p.X == x && h.element(up)
	case *ast.RangeStmt:
		return p.X == x
	case *ast.AssignStmt:
		return h.assigned(body, v, x, p)
	case *ast.CallExpr:
		return h.given(v, x, p, up)
	case *ast.SelectorExpr:
		_, around := h.up(up)
		call, ok := around[len(around)-1].(*ast.CallExpr)
		return ok && h.r.passes(call, x) && h.given(v, x, call, around)
	}
	return false
}

// up is the expression that a stack ends with, without what is in parentheses, and what is around it.
func (h *holding) up(st []ast.Node) (ast.Expr, []ast.Node) {
	x := st[len(st)-1].(ast.Expr)
	for st = st[:len(st)-1]; len(st) > 0; st = st[:len(st)-1] {
		p, isParen := st[len(st)-1].(*ast.ParenExpr)
		if !isParen {
			break
		}
		x = p
	}
	return x, st
}

// element reports whether the address of an element, with which a stack ends, is not taken.
func (h *holding) element(st []ast.Node) bool {
	for at := len(st) - 2; at >= 0; at-- {
		switch p := st[at].(type) {
		case *ast.ParenExpr, *ast.IndexExpr:
			if x, ok := p.(*ast.IndexExpr); ok && x.X != st[at+1] {
				return true
			}
		case *ast.SelectorExpr:
			if s := h.r.info.Selections[p]; s == nil || s.Kind() != types.FieldVal {
				return s != nil && !isPointer(s.Obj().(*types.Func).Signature().Recv().Type())
			}
		case *ast.SliceExpr: // of an array that is an element
			return p.X != st[at+1]
		case *ast.UnaryExpr:
			return p.Op != token.AND
		default:
			return true
		}
	}
	return true
}

// shrinks reports whether v[…] ends where v does, or before that.
func (h *holding) shrinks(cut *ast.SliceExpr, v *types.Var) bool {
	if cut.High == nil {
		return true
	}
	if c, ok := intConst(h.r.info, cut.High); ok {
		return c == 0
	}
	isLen := func(e ast.Expr) bool {
		call, ok := ast.Unparen(e).(*ast.CallExpr)
		return ok && isBuiltin(h.r.info, call, "len") && variable(h.r.info, call.Args[0]) == v
	}
	if less, ok := ast.Unparen(cut.High).(*ast.BinaryExpr); ok && less.Op == token.SUB && isLen(less.X) {
		c, isConst := intConst(h.r.info, less.Y)
		return isConst && c >= 0
	}
	return isLen(cut.High)
}

// assigned reports whether a statement with the buffer, or a part of it, as x leaves it to nothing but v, and names
// that the body declares.
func (h *holding) assigned(body ast.Node, v *types.Var, x ast.Expr, s *ast.AssignStmt) bool {
	if h.exchanges(s) {
		return true
	}
	if slices.Contains(s.Lhs, x) {
		if !h.grows || s.Tok != token.ASSIGN || len(s.Lhs) != 1 || len(s.Rhs) != 1 {
			return false
		}
		switch e := ast.Unparen(s.Rhs[0]).(type) { // v = v[:0], v = append(v, …)
		case *ast.SliceExpr:
			return variable(h.r.info, e.X) == v
		case *ast.CallExpr:
			return isBuiltin(h.r.info, e, "append") && variable(h.r.info, e.Args[0]) == v
		}
		return false
	}
	if len(s.Lhs) != len(s.Rhs) {
		return false
	}
	at := slices.IndexFunc(s.Rhs, func(e ast.Expr) bool { return e == x })
	if variable(h.r.info, s.Lhs[at]) == v && s.Tok == token.ASSIGN { // as above
		return h.grows
	}
	id, ok := s.Lhs[at].(*ast.Ident)
	if !ok || s.Tok != token.DEFINE {
		return false
	}
	w, ok := h.r.info.Defs[id].(*types.Var)
	other := holding{r: h.r, decls: h.decls, calls: h.calls}
	return ok && within(body, w.Pos()) && !h.grows && other.holds(body, w)
}

// given reports whether a call that gets the buffer, or a part of it, as x keeps nothing of it.
func (h *holding) given(v *types.Var, x ast.Expr, call *ast.CallExpr, st []ast.Node) bool {
	passed, _ := h.r.passed(call)
	at := slices.Index(passed, x)
	if at < 0 {
		return false
	}
	for _, name := range []string{"len", "copy", "clear"} {
		if isBuiltin(h.r.info, call, name) {
			return true
		}
	}
	if isBuiltin(h.r.info, call, "append") {
		if at > 0 {
			return call.Ellipsis.IsValid()
		}
		_, up := h.up(st)
		if len(up) == 0 {
			return false
		}
		s, ok := up[len(up)-1].(*ast.AssignStmt)
		return ok && h.grows && len(s.Lhs) == 1 && variable(h.r.info, s.Lhs[0]) == v && variable(h.r.info, x) == v
	}
	if h.r.makesSlice(call) {
		return true
	}
	if t := h.r.info.TypeOf(call); t != nil && keeps(t) {
		return false
	}
	id := calleeIdent(call)
	if id == nil {
		return false
	}
	fn, ok := h.r.info.Uses[id].(*types.Func)
	if !ok {
		return false
	}
	if fd, p := h.r.parameter(h.decls, call, at); fd != nil {
		inner := holding{r: h.r, decls: h.decls, grows: h.grows, calls: h.calls + 1, places: h.params(call)}
		return h.calls < 4 && !outOfOrder(fd.Body) && inner.holds(fd.Body, p)
	}
	return fn.Pkg() != nil && fn.Pkg() != h.r.pkg && slices.Contains([]string{"slices", "sort", "math", opsPath}, fn.Pkg().Path())
}

// exchanges reports whether buffers change places in a statement, and nothing else is assigned.
func (h *holding) exchanges(s *ast.AssignStmt) bool {
	left, right := map[*types.Var]bool{}, map[*types.Var]bool{}
	for i := range min(len(s.Lhs), len(s.Rhs)) {
		x, y := variable(h.r.info, s.Lhs[i]), variable(h.r.info, s.Rhs[i])
		if !h.places[x] || !h.places[y] {
			return false
		}
		left[x], right[y] = true, true
	}
	return s.Tok == token.ASSIGN && len(left) == len(s.Lhs) && len(right) == len(s.Rhs) && maps.Equal(left, right)
}

// params are the parameters of the function that a call calls which get buffers that may change places, or parts.
func (h *holding) params(call *ast.CallExpr) map[*types.Var]bool {
	params := map[*types.Var]bool{}
	passed, _ := h.r.passed(call)
	for at, e := range passed {
		if cut, isCut := ast.Unparen(e).(*ast.SliceExpr); isCut {
			e = cut.X
		}
		if v := variable(h.r.info, e); v != nil && h.places[v] {
			if _, p := h.r.parameter(h.decls, call, at); p != nil {
				params[p] = true
			}
		}
	}
	return params
}

// keeps reports whether a result of a call, or one of several, may keep what the call got: it refers to memory, or is a
// function, such as an iterator.
func keeps(t types.Type) bool {
	if several, ok := t.(*types.Tuple); ok {
		for v := range several.Variables() {
			if keeps(v.Type()) {
				return true
			}
		}
		return false
	}
	return refers(t) || isFunc(t)
}
