package load

import (
	"go/ast"
	"go/token"
	"go/types"
)

// flow goes through one function. Function literals in it are a part of it: they may run at any time.
type flow struct {
	*purity
	unit   *unit
	fn     *function // nil for what a package-level variable is declared with
	nodes  map[*types.Var]*node
	bound  map[*types.Var]*callees
	params map[*types.Var]int // of the function itself
	global node

	results [][]*node // of the function, and of the literals around the position
	out     effect
	writes  []touch
	peeks   []touch
	methods []touch                  // calls by way of an interface
	apart   [][2]*node               // of a map that is ranged over, and one that the loop sets entries of
	single  []*types.Var             // slices that collect entries of a map, before they are sorted
	lits    map[*ast.FuncLit][]*node // the results of literals
	given   map[*ast.FuncLit]bool    // those that are values: see Note [Functions as values]

	// cursors says of variables whether they are cursors, nil that none is: see [flow.cursor].
	cursors map[*types.Var]bool

	own map[*types.Var]bool // slices of which what is written are elements of the turn at hand: see Note [Cells]
}

// touch is something that is done to a class.
type touch struct {
	of   *node
	pos  token.Pos
	what string
	typ  types.Type // see [write]
}

func (w *flow) info() *types.Info { return w.unit.info }

// refuse notes that the function is not pure.
func (w *flow) refuse(pos token.Pos, what string) {
	if w.out.impure == nil {
		w.out.impure = &impurity{pos, what}
	}
}

// node is the class of a variable.
func (w *flow) node(v *types.Var) *node {
	if isGlobal(v) {
		return &w.global
	}
	n := w.nodes[v]
	if n == nil {
		n = &node{}
		if i, ok := w.params[v]; ok && refers(v.Type()) {
			n.params = paramBit(i)
		}
		w.nodes[v] = n
	}
	return n
}

// run goes through the function, and returns its effect.
func (w *flow) run() *effect {
	w.global.global = true
	params := (&funcValue{unit: w.unit, decl: w.fn}).params()
	for i, v := range params {
		w.params[v] = i
	}
	sig := w.fn.obj.Signature()
	w.bind(w.fn.decl.Body)
	results := w.resultNodes(sig)
	w.results = append(w.results, results)
	w.block(w.fn.decl.Body.List)
	w.settleUses()
	e := &w.out
	roots := map[*node]int{}
	class := func(n *node) {
		if n == nil {
			e.class = append(e.class, -1)
			return
		}
		n = n.root()
		if _, ok := roots[n]; !ok {
			roots[n] = len(roots)
		}
		e.class = append(e.class, roots[n])
		if n.global || n.given != nil {
			if e.shared == nil {
				e.shared = map[int]bool{}
			}
			e.shared[roots[n]] = true
		}
	}
	for _, v := range params {
		if refers(v.Type()) {
			class(w.node(v))
		} else {
			class(nil)
		}
	}
	for _, n := range results {
		class(n)
	}
	return e
}

// resultNodes are the classes of the results of a function or a literal, nil for those that hold no references.
func (w *flow) resultNodes(sig *types.Signature) (results []*node) {
	for v := range sig.Results().Variables() {
		switch {
		case !refers(v.Type()):
			results = append(results, nil)
		case v.Name() != "" && v.Name() != "_":
			results = append(results, w.node(v))
		default:
			results = append(results, &node{})
		}
	}
	return results
}

// settleUses looks at what was done to classes, now that these are known.
func (w *flow) settleUses() {
	for _, x := range w.writes {
		n := x.of.root()
		w.out.addWrite(x.typ, w.leading(n.params, x.typ))
		switch {
		case n.global:
			w.refuse(x.pos, "writes to "+x.what+", which is a package-level variable or a part of one")
		}
		for _, g := range n.given {
			if x.typ == nil || w.leadsTo(w.leadsFrom(g.param), x.typ) {
				w.grow(g.kind.does.addWrite(x.typ, paramBit(g.at)))
			}
		}
	}
	for _, x := range w.peeks {
		w.out.peeked |= x.of.root().params
		if x.of.root().given != nil {
			w.refuse(x.pos, "asks whether a slice is nil that a function was given which is a value, or what its capacity is")
		}
	}
	w.settleGiven()
	for _, v := range w.single {
		for other, n := range w.nodes {
			if other != v && n.root() == w.node(v).root() {
				w.refuse(w.pos(), "ranges over a map, and collects in "+v.Name()+", which has another name, where the order may be seen")
			}
		}
	}
	for _, maps := range w.apart {
		if maps[0].root() == maps[1].root() {
			w.refuse(w.pos(), "sets entries of a map while it ranges over it, or may do so")
		}
	}
	for _, x := range w.methods {
		if x.of.root().global {
			w.refuse(x.pos, "calls "+x.what+" of what a package-level variable holds, which may be of any type")
		}
	}
}

// pos is where the function stands.
func (w *flow) pos() token.Pos {
	if w.fn == nil {
		return token.NoPos
	}
	return w.fn.decl.Pos()
}

func (w *flow) block(list []ast.Stmt) {
	for i, s := range list {
		if r, ok := s.(*ast.RangeStmt); ok {
			w.rangeStmt(r, list[i+1:])
			continue
		}
		w.stmt(s)
	}
}

func (w *flow) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case nil, *ast.EmptyStmt, *ast.BranchStmt:
	case *ast.BlockStmt:
		w.block(s.List)
	case *ast.LabeledStmt:
		w.block([]ast.Stmt{s.Stmt})
	case *ast.ExprStmt:
		w.value(s.X)
	case *ast.AssignStmt:
		w.assign(s)
	case *ast.IncDecStmt:
		w.target(s.X, nil)
	case *ast.DeclStmt:
		if g, ok := s.Decl.(*ast.GenDecl); ok {
			for _, spec := range g.Specs {
				if v, ok := spec.(*ast.ValueSpec); ok {
					w.declare(v)
				}
			}
		}
	case *ast.ReturnStmt:
		results := w.results[len(w.results)-1]
		if len(s.Results) == 1 && len(results) > 1 {
			for i, n := range w.values(s.Results[0], len(results)) {
				unite(results[i], n)
			}
			return
		}
		for i, x := range s.Results {
			n := w.value(x)
			if i < len(results) && results[i] != nil {
				unite(results[i], n)
			}
		}
	case *ast.IfStmt:
		w.stmt(s.Init)
		w.value(s.Cond)
		w.block(s.Body.List)
		if s.Else != nil {
			w.stmt(s.Else)
		}
	case *ast.ForStmt:
		w.stmt(s.Init)
		if s.Cond != nil {
			w.value(s.Cond)
		}
		w.stmt(s.Post)
		w.block(s.Body.List)
	case *ast.RangeStmt:
		w.rangeStmt(s, nil)
	case *ast.SwitchStmt:
		w.stmt(s.Init)
		if s.Tag != nil {
			w.value(s.Tag)
		}
		w.clauses(s.Body)
	case *ast.TypeSwitchStmt:
		w.stmt(s.Init)
		w.typeSwitch(s)
	case *ast.DeferStmt:
		w.call(s.Call)
	case *ast.GoStmt:
		w.refuse(s.Pos(), "starts a goroutine")
	case *ast.SelectStmt, *ast.SendStmt:
		w.refuse(s.Pos(), "communicates")
	default:
		w.refuse(s.Pos(), "has a statement that is not known")
	}
}

func (w *flow) clauses(b *ast.BlockStmt) {
	for _, c := range b.List {
		if c, ok := c.(*ast.CaseClause); ok {
			for _, x := range c.List {
				w.value(x)
			}
			w.block(c.Body)
		}
	}
}

func (w *flow) typeSwitch(s *ast.TypeSwitchStmt) {
	var x ast.Expr
	switch a := s.Assign.(type) {
	case *ast.ExprStmt:
		x = a.X
	case *ast.AssignStmt:
		x = a.Rhs[0]
	}
	of := w.value(ast.Unparen(x).(*ast.TypeAssertExpr).X)
	for _, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		if v, ok := w.info().Implicits[c].(*types.Var); ok && refers(v.Type()) {
			unite(w.node(v), of)
		}
		w.block(c.Body)
	}
}

func (w *flow) declare(v *ast.ValueSpec) {
	if len(v.Values) == 1 && len(v.Names) > 1 {
		for i, n := range w.values(v.Values[0], len(v.Names)) {
			w.target(v.Names[i], n)
		}
		return
	}
	for i, x := range v.Values {
		w.target(v.Names[i], w.bindable(v.Names[i], x))
	}
}

func (w *flow) assign(s *ast.AssignStmt) {
	if len(s.Rhs) == 1 && len(s.Lhs) > 1 {
		for i, n := range w.values(s.Rhs[0], len(s.Lhs)) {
			w.target(s.Lhs[i], n)
		}
		return
	}
	for i, x := range s.Rhs {
		w.target(s.Lhs[i], w.bindable(s.Lhs[i], x))
	}
}

// values are the classes of the values of an expression that has several.
func (w *flow) values(e ast.Expr, n int) []*node {
	list := make([]*node, n)
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok {
		copy(list, w.call(call))
		return list
	}
	list[0] = w.value(e) // v, ok := m[k], x.(T)
	return list
}

func (w *flow) peek(e ast.Expr, n *node) {
	if n != nil {
		w.peeks = append(w.peeks, touch{of: n, pos: e.Pos()})
	}
}

// literal goes through a function literal.
func (w *flow) literal(e *ast.FuncLit) {
	w.results = append(w.results, w.resultsOf(e))
	w.block(e.Body.List)
	w.results = w.results[:len(w.results)-1]
}

// resultsOf are the classes of the results of a literal.
func (w *flow) resultsOf(e *ast.FuncLit) []*node {
	results, ok := w.lits[e]
	if sig, isFunc := w.info().TypeOf(e).(*types.Signature); !ok && isFunc {
		results = w.resultNodes(sig)
		w.lits[e] = results
	}
	return results
}
