package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"
)

// Note [Private variables]
//
// A variable from outside of a loop may serve each turn anew: a buffer that is emptied and filled again, or numbers
// that a turn sets before it uses them. Each thread then has one of its own, which begins as what there is before the
// loop. Behind the loop nobody may ask for it.

// private is a variable of which each thread has its own, and how that begins.
type private struct {
	v     *types.Var
	begin string
	unset bool // turns set all of it, so that it does not matter how it begins
}

// privatises reports whether each turn sets what it changes of a variable before it uses it, and nobody uses it behind
// the loop.
func (c *captures) privatises(v *types.Var) bool {
	if !c.dies(v) {
		return false
	}
	p := private{v: v, begin: v.Name()}
	switch {
	case isSlice(v.Type()):
		if !c.owned[v] && !c.nameless(v) || refers(elementType(v)) || !c.renewed(v, &p) ||
			slices.ContainsFunc(c.uses[v], func(st []ast.Node) bool { return !c.buffered(v, st) }) {
			return false
		}
	case refers(v.Type()) || isFunc(v.Type()) || !c.set(v, &p):
		return false
	}
	c.loop.private = append(c.loop.private, p)
	return true
}

// isPrivate reports whether each thread has a variable of its own.
func (c *captures) isPrivate(v *types.Var) bool {
	return slices.ContainsFunc(c.loop.private, func(p private) bool { return p.v == v })
}

// dies reports whether a variable is used before the loop and in it alone, and the loop does not come back to what is
// before.
func (c *captures) dies(v *types.Var) bool {
	ok, from := true, c.loop.loop.Pos()
	if c.first != nil {
		from = c.first.Pos()
	}
	uses(c.fn.decl, func(id *ast.Ident, st []ast.Node) {
		if c.info.ObjectOf(id) == types.Object(v) {
			ok = ok && (id.Pos() < from || within(c.loop.body, id.Pos())) && (isSlice(v.Type()) || plainUse(c.info, st))
		}
	})
	ok = ok && !c.inLiteral(v)
	for r := range c.fn.obj.Signature().Results().Variables() { // which a return uses
		ok = ok && r != v
	}
	return ok && v.Pos() < from
}

// nameless reports whether nothing from outside of the loop reaches the elements of a slice but it.
func (c *captures) nameless(v *types.Var) bool {
	n := c.all.nodes[v]
	if n == nil {
		return true
	}
	if n = n.root(); n.params != 0 || n.global || n.given != nil || c.shows() {
		return false
	}
	for other, m := range c.all.nodes {
		if other != v && m.root() == n && !within(c.loop.loop, other.Pos()) {
			return false
		}
	}
	return !slices.ContainsFunc(c.all.results[0], func(m *node) bool { return m != nil && m.root() == n })
}

// renewed reports whether turns empty s, s = s[:0], or set all elements of s, before they use s otherwise.
func (c *captures) renewed(v *types.Var, p *private) bool {
	r := &rewriter{info: c.info, pkg: c.fn.unit.pkg}
	f := &filling{r: r, fd: c.fn.decl, decls: r.declared(c.fn.unit.files), v: v, grows: c.grows(v)}
	p.begin = v.Name() + "[:0:0]"
	if !f.grows {
		p.begin = "append(" + p.begin + ", " + v.Name() + "...)"
		if f.length = f.madeLength(v); f.length == nil || f.changes(v) {
			f.length = sum{"len:" + f.key(v): 1}
		}
	}
	set, ok := f.before(c.loop.body.List)
	return set && ok && !outOfOrder(c.loop.body)
}

// grows reports whether the loop assigns a slice itself, and not only elements of it.
func (c *captures) grows(v *types.Var) bool {
	return slices.ContainsFunc(c.uses[v], func(st []ast.Node) bool {
		a, ok := st[len(st)-2].(*ast.AssignStmt)
		return ok && slices.Contains(a.Lhs, ast.Expr(st[len(st)-1].(*ast.Ident)))
	})
}

// set reports whether turns set all parts of a variable that they change, each by a statement of its own before any
// other use of the variable.
func (c *captures) set(v *types.Var, p *private) bool {
	only := map[*types.Var]bool{v: true}
	parts := map[string]bool{}
	for _, s := range c.loop.body.List {
		if !mentions(c.info, s, only) {
			continue
		}
		a, ok := s.(*ast.AssignStmt)
		if !ok || a.Tok != token.ASSIGN || slices.ContainsFunc(a.Rhs, func(x ast.Expr) bool { return mentions(c.info, x, only) }) {
			break
		}
		var own []string
		for _, x := range a.Lhs {
			if part, isPart := c.partOf(v, x); isPart {
				own = append(own, part)
			} else if ok = ok && !mentions(c.info, x, only); !ok { // it uses what there was before
				break
			}
		}
		if !ok {
			break
		}
		for _, part := range own {
			parts[part] = true
		}
	}
	for _, st := range c.uses[v] {
		if !isTarget(st, len(st)-1) {
			continue
		}
		x := st[len(st)-1].(ast.Expr)
		for at := len(st) - 2; at >= 0; at-- {
			p, ok := st[at].(ast.Expr)
			if !ok {
				break
			}
			x = p
		}
		if part, ok := c.partOf(v, x); !parts[v.Name()] && (!ok || !parts[part]) {
			return false
		}
	}
	p.unset = parts[v.Name()]
	return true
}

// partOf is how a part of a variable is written, a field or an element whose number is a constant.
func (c *captures) partOf(v *types.Var, x ast.Expr) (string, bool) {
	for e := x; ; {
		switch y := ast.Unparen(e).(type) {
		case *ast.Ident:
			return text(x), variable(c.info, y) == v
		case *ast.SelectorExpr:
			e = y.X
		case *ast.IndexExpr:
			if c.info.Types[y.Index].Value == nil {
				return "", false
			}
			e = y.X
		default:
			return "", false
		}
	}
}

// inLiteral reports whether a function literal uses a variable, or a deferred call.
func (s *spreader) inLiteral(v *types.Var) (found bool) {
	uses(s.fn.decl.Body, func(id *ast.Ident, st []ast.Node) {
		found = found || s.info.ObjectOf(id) == types.Object(v) && slices.ContainsFunc(st, func(n ast.Node) bool {
			_, isLit := n.(*ast.FuncLit)
			_, isDefer := n.(*ast.DeferStmt)
			return isLit || isDefer
		})
	})
	return found
}

// asksCapacity reports whether the function asks for the capacity of a slice.
func (s *spreader) asksCapacity(v *types.Var) (found bool) {
	uses(s.fn.decl.Body, func(id *ast.Ident, st []ast.Node) {
		if len(st) > 1 && s.info.ObjectOf(id) == types.Object(v) {
			call, ok := st[len(st)-2].(*ast.CallExpr)
			found = found || ok && isBuiltin(s.info, call, "cap")
		}
	})
	return found
}

// buffered reports whether a use of a private slice is one in which neither its capacity shows, nor what lies behind
// its end, nor whether it is nil: these depend on the turns before.
func (c *captures) buffered(v *types.Var, st []ast.Node) bool {
	x, at := st[len(st)-1].(ast.Expr), len(st)-2
	if at < 0 {
		return false
	}
	if cut, ok := st[at].(*ast.SliceExpr); ok {
		if cut.X != x || cut.Max != nil || cut.High != nil && text(cut.High) != "0" || at == 0 {
			return false
		}
		if a, ok := st[at-1].(*ast.AssignStmt); ok && cut.High != nil { // s = s[:0]
			return len(a.Lhs) == 1 && variable(c.info, a.Lhs[0]) == v
		}
		x, at = cut, at-1
	}
	switch p := st[at].(type) {
	case *ast.IndexExpr:
		return p.X == x
	case *ast.RangeStmt:
		return p.X == x
	case *ast.AssignStmt:
		return slices.Contains(p.Lhs, x)
	case *ast.CallExpr:
		switch {
		case isBuiltin(c.info, p, "append") && p.Args[0] == x: // s = append(s, …)
			a, ok := st[max(at-1, 0)].(*ast.AssignStmt)
			return ok && len(a.Lhs) == 1 && variable(c.info, a.Lhs[0]) == v && variable(c.info, x) == v
		case isBuiltin(c.info, p, "len"), isBuiltin(c.info, p, "append"), isBuiltin(c.info, p, "copy"), isBuiltin(c.info, p, "clear"):
			return true
		}
		t := c.info.TypeOf(p)
		return slices.Contains(p.Args, x) && (t == nil || !refers(t)) && c.standard(p)
	}
	return false
}

// standard reports whether a call is one of a function of the standard library.
func (c *captures) standard(p *ast.CallExpr) bool {
	f, ok := typeutil.Callee(c.info, p).(*types.Func)
	return ok && f.Pkg() != nil && !c.pure().modules[f.Pkg()]
}
