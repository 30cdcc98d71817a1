package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
)

// captures are the variables from outside that a loop uses.
type captures struct {
	*spreader
	loop     *parallelLoop
	i        *types.Var
	captured map[*types.Var]int // and their places
	list     []*types.Var
	uses     map[*types.Var][][]ast.Node // the stack of each use
	literals []*ast.FuncLit              // from outside, that the loop calls
	cells    map[*types.Var]bool
}

// mostCaptured is how many variables a set of parameters tells apart.
const mostCaptured = 60

// collect finds the variables, and reports whether their number can be told apart.
func (c *captures) collect() bool {
	c.uses, c.cells = map[*types.Var][][]ast.Node{}, map[*types.Var]bool{}
	parts := []ast.Node{c.loop.body}
	if c.loop.bound != nil {
		parts = append(parts, c.loop.bound)
	}
	if c.loop.over != nil {
		parts = append(parts, c.loop.over)
	}
	inside := func(v *types.Var, part ast.Node) bool {
		return within(c.loop.loop, v.Pos()) || part != c.loop.body && within(part, v.Pos())
	}
	for k := 0; k < len(parts); k++ { // literals make them more
		part := parts[k]
		uses(part, func(id *ast.Ident, stack []ast.Node) {
			v, ok := c.info.Uses[id].(*types.Var)
			if !ok || v.IsField() || isGlobal(v) || inside(v, part) {
				return
			}
			c.uses[v] = append(c.uses[v], slices.Clone(stack))
			if _, known := c.captured[v]; known {
				return
			}
			c.captured[v] = len(c.list)
			c.list = append(c.list, v)
			if !isFunc(v.Type()) || c.all.bound[v] == nil {
				return
			}
			for _, lit := range c.all.bound[v].lits {
				if !within(c.loop.loop, lit.Pos()) && !slices.Contains(c.literals, lit) {
					c.literals, parts = append(c.literals, lit), append(parts, lit)
				}
			}
		})
	}
	return len(c.list) <= mostCaptured
}

// classify finds out what the loop does to each variable, and reports whether turns may run at any time.
func (c *captures) classify() bool {
	for _, v := range c.list {
		stacks := c.uses[v]
		if !slices.ContainsFunc(stacks, func(st []ast.Node) bool { return isTarget(st, len(st)-1) }) {
			continue
		}
		switch {
		case slices.ContainsFunc(stacks, func(st []ast.Node) bool { return st[0] != c.loop.body && !c.ranged(st) }):
			return false // what a literal assigns, or where the loop ends
		case c.isCell(v):
			c.cells[v] = true
		case c.gathers(v):
			c.loop.gathered = append(c.loop.gathered, v)
		case c.privatises(v):
		case c.tallies(v):
			c.loop.tallied = append(c.loop.tallied, v)
		default:
			t, ok := c.totals(v)
			if !ok {
				return false
			}
			c.loop.totals = append(c.loop.totals, t)
		}
	}
	return true
}

// isCell reports whether all uses of a slice or an array are v[i] and len(v).
func (c *captures) isCell(v *types.Var) bool {
	t := v.Type().Underlying()
	if !isSlice(t) && !isArrayType(t) || c.i == nil {
		return false
	}
	for _, st := range c.uses[v] {
		if c.isNumbered(st) || c.ranged(st) { // the loop takes the element of the turn
			continue
		}
		if len(st) < 2 {
			return false
		}
		index, ok := st[len(st)-2].(*ast.IndexExpr)
		if isLen(c.info, st) {
			continue
		}
		if !ok || index.X != st[len(st)-1] || variable(c.info, index.Index) != c.i {
			return false
		}
	}
	return true
}

// isNumbered reports whether the length of the slice at the end of a stack is asked for, or a loop ranges over it for
// that.
func (c *captures) isNumbered(st []ast.Node) bool {
	if len(st) < 2 {
		return false
	}
	x, ok := st[len(st)-2].(*ast.RangeStmt)
	return ok && x.X == st[len(st)-1] && x.Value == nil || isLen(c.info, st)
}

// ranged reports whether a use of a slice is that the loop ranges over it.
func (c *captures) ranged(st []ast.Node) bool {
	return len(st) == 1 && c.loop.over != nil && ast.Unparen(c.loop.over) == st[0]
}

// changes reports whether turns assign a variable, or elements of it.
func (c *captures) changes(v *types.Var) bool {
	return slices.ContainsFunc(c.uses[v], func(st []ast.Node) bool { return isTarget(st, len(st)-1) })
}

// gathers reports whether all uses of a slice are v = append(v, …).
func (c *captures) gathers(v *types.Var) bool {
	if !isSlice(v.Type()) || !c.owned[v] {
		return false
	}
	if c.inLiteral(v) || c.asksCapacity(v) {
		return false
	}
	for _, st := range c.uses[v] {
		var a *ast.AssignStmt
		for _, n := range slices.Backward(st) {
			if s, ok := n.(*ast.AssignStmt); ok {
				a = s
				break
			}
		}
		if a == nil || a.Tok != token.ASSIGN || len(a.Lhs) != 1 || variable(c.info, a.Lhs[0]) != v {
			return false
		}
		call, ok := a.Rhs[0].(*ast.CallExpr)
		if !ok || !isBuiltin(c.info, call, "append") || variable(c.info, call.Args[0]) != v {
			return false
		}
		id := st[len(st)-1]
		if id != a.Lhs[0] && id != call.Args[0] {
			return false
		}
	}
	return true
}

// tallies reports whether turns add to elements of a slice of integers, and do nothing else with it.
func (c *captures) tallies(v *types.Var) bool {
	if !isSlice(v.Type()) || !isInteger(elementType(v)) || !c.owned[v] && !c.nameless(v) || c.inLiteral(v) {
		return false
	}
	for _, st := range c.uses[v] {
		if isLen(c.info, st) || c.ranged(st) && c.loop.value == nil {
			continue
		}
		if len(st) < 3 {
			return false
		}
		x, ok := st[len(st)-2].(*ast.IndexExpr)
		if !ok || x.X != st[len(st)-1] {
			return false
		}
		switch p := st[len(st)-3].(type) {
		case *ast.IncDecStmt:
		case *ast.AssignStmt:
			if p.Tok != token.ADD_ASSIGN && p.Tok != token.SUB_ASSIGN || p.Lhs[0] != ast.Expr(x) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// totals finds how turns change an integer, if they all do it in one way.
func (c *captures) totals(v *types.Var) (total, bool) {
	t := total{v: v}
	b, ok := v.Type().Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsInteger == 0 || c.addressed(v) {
		return t, false
	}
	for _, st := range c.uses[v] {
		var by, op string
		switch p := st[len(st)-2].(type) {
		case *ast.IncDecStmt:
			by, op = "Add", "+="
		case *ast.AssignStmt:
			if len(p.Lhs) != 1 || p.Lhs[0] != st[len(st)-1] {
				return t, false
			}
			switch p.Tok {
			case token.ADD_ASSIGN, token.SUB_ASSIGN:
				by, op = "Add", "+="
			case token.OR_ASSIGN:
				by, op = "Or", "|="
			case token.XOR_ASSIGN:
				by, op = "Xor", "^="
			case token.ASSIGN:
				by = c.extreme(v, p)
			}
		case *ast.CallExpr: // of max or min: the assignment around it is looked at, too
			if a, ok := st[len(st)-3].(*ast.AssignStmt); ok && len(a.Rhs) == 1 && a.Rhs[0] == p {
				by = c.extreme(v, a)
			}
		}
		if by == "" || t.by != "" && t.by != by {
			return t, false
		}
		t.by, t.op = by, op
	}
	return t, true
}

// extreme is the method for v = max(v, x) and v = min(v, x), "" for others.
func (c *captures) extreme(v *types.Var, a *ast.AssignStmt) string {
	call, ok := ast.Unparen(a.Rhs[0]).(*ast.CallExpr)
	if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != 1 || len(a.Rhs) != 1 || len(call.Args) != 2 || variable(c.info, a.Lhs[0]) != v ||
		variable(c.info, call.Args[0]) != v || mentions(c.info, call.Args[1], map[*types.Var]bool{v: true}) {
		return ""
	}
	switch {
	case isBuiltin(c.info, call, "max"):
		return "Max"
	case isBuiltin(c.info, call, "min"):
		return "Min"
	}
	return ""
}

// addressed reports whether the address of a variable is taken somewhere, or a function literal uses it.
func (c *captures) addressed(v *types.Var) (found bool) {
	uses(c.fn.decl, func(id *ast.Ident, stack []ast.Node) {
		if c.info.Uses[id] != types.Object(v) {
			return
		}
		for k, n := range stack {
			switch n := n.(type) {
			case *ast.FuncLit:
				found = true
			case *ast.UnaryExpr:
				found = found || n.Op == token.AND
			case *ast.SelectorExpr:
				found = found || k == len(stack)-2 // a method of the variable
			}
		}
	})
	return found
}

// alone reports whether what turns write is memory of their own: see Note [Cells].
func (c *captures) alone() bool {
	w := c.pure().flowOf(c.fn)
	w.global.global = true
	w.own = map[*types.Var]bool{}
	for k, v := range c.list {
		w.params[v] = k
		w.nodes[v] = &node{params: paramBit(k)}
		w.own[v] = c.cells[v] || slices.Contains(c.loop.gathered, v)
	}
	w.bind(c.fn.decl.Body)
	w.results = append(w.results, make([]*node, c.fn.obj.Signature().Results().Len()))
	for _, lit := range c.literals {
		w.literal(lit)
	}
	if c.loop.value != nil {
		n := w.value(c.loop.over)
		if isArrayType(c.info.TypeOf(c.loop.over)) {
			n, _ = w.place(c.loop.over)
		}
		w.target(c.loop.value, n)
	}
	w.block(c.loop.body.List)
	w.settleUses()
	if w.out.impure != nil || w.out.calls|w.out.keeps != 0 || w.out.opened != nil && !c.mayOpen() {
		return false
	}
	var clean []*types.Var
	for _, v := range c.list {
		bit := paramBit(c.captured[v])
		n := w.nodes[v].root()
		written := w.out.written()&bit != 0
		fresh := n.params == bit && !n.global
		if !c.cells[v] {
			if c.isPrivate(v) || slices.Contains(c.loop.tallied, v) {
				continue
			}
			if written || slices.Contains(c.loop.gathered, v) && !c.owned[v] {
				return false
			}
			if fresh && !c.changes(v) { // nobody has got a part of it
				clean = append(clean, v)
			}
			continue
		}
		if written && !(fresh && (c.apart[v] || !refers(elementType(v)))) || !c.owned[v] && !c.separate(v) {
			return false
		}
		if fresh {
			clean = append(clean, v)
		}
	}
	c.settle(clean)
	return true
}

// settle notes which slices have elements apart behind the loop: of those that were, the ones whose elements got
// nothing that others hold, and those of which the loop reads numbers alone.
func (c *captures) settle(clean []*types.Var) {
	clean = slices.DeleteFunc(clean, func(v *types.Var) bool { return !c.apart[v] })
	before := maps.Clone(c.mixes)
	c.mixed(c.loop.loop)
	for _, v := range clean {
		c.apart[v] = true
		if !before[v] {
			delete(c.mixes, v)
		}
	}
}

// separate reports whether no other variable of the loop reaches what v does, nor whoever called the function.
func (c *captures) separate(v *types.Var) bool {
	n := c.all.nodes[v]
	if n == nil {
		return true
	}
	if n = n.root(); n.params != 0 || n.global || n.given != nil || c.shows() {
		return false
	}
	for _, other := range c.list {
		if m := c.all.nodes[other]; other != v && m != nil && m.root() == n {
			return false
		}
	}
	return true
}

// elementType is that of the elements of a slice or an array.
func elementType(v *types.Var) types.Type {
	switch t := v.Type().Underlying().(type) {
	case *types.Slice:
		return t.Elem()
	case *types.Array:
		return t.Elem()
	}
	return types.Typ[types.Invalid]
}
