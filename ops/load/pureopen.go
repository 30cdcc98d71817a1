package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// Note [Functions as values]
//
// A function in a field, an element or a result of another one may be called wherever such a value gets to. As a kernel
// is given no functions, it is one that became a value in a function at hand, or in one that is called from there, or
// where a package-level variable was declared. So a call of an unknown function is as good as the worst of those:
//
//   - what the body of a literal does is a part of the function that it stands in, whoever calls it;
//   - if one of the same type writes to what it is given, the call does;
//   - if one of them keeps what it is given, what the call is given counts as held by package-level variables, and so
//     do its results in any case, if these point to anything.
//
// Turns of a loop that call unknown functions are independent if none of these functions writes to what it has not
// made.

// valueKind is what functions of a signature that are values do.
type valueKind struct {
	does effect // to its parameters
	keep bool   // whether one of them keeps what it is given
	join bool   // whether one of them makes parts of each other of what it is given
}

// given is a parameter of a function that is a value.
type given struct {
	kind  *valueKind
	at    int
	param *types.Var
}

// kind is that of a signature.
func (q *purity) kind(sig *types.Signature) *valueKind {
	k, ok := q.kinds.At(sig).(*valueKind)
	if !ok {
		k = &valueKind{}
		q.kinds.Set(sig, k)
	}
	return k
}

// escape notes that functions which an expression stands for become values that may get anywhere.
func (w *flow) escape(x ast.Expr) {
	c := w.functionsOf(x)
	if c.param >= 0 {
		w.out.keeps |= paramBit(c.param)
		return
	}
	for _, lit := range c.lits {
		w.escapeLiteral(lit)
	}
	for _, f := range c.decls {
		w.escapeFunction(x, f, 0)
	}
	if id := funcIdent(x); id != nil && c.unknown {
		if f, ok := w.info().Uses[id].(*types.Func); ok && f.Signature().Recv() == nil {
			w.refuse(x.Pos(), "uses the function "+f.Name()+" as a value")
		}
	}
}

func (w *flow) escapeLiteral(lit *ast.FuncLit) {
	if w.given[lit] {
		return
	}
	w.given[lit] = true
	sig, ok := w.info().TypeOf(lit).(*types.Signature)
	if !ok {
		return
	}
	for i := range sig.Params().Len() {
		if v := sig.Params().At(i); refers(v.Type()) {
			unite(w.node(v), &node{given: []given{{w.kind(sig), i, v}}})
		}
	}
	if w.fn != nil && refers(sig.Results()) {
		w.shown[w.fn] = true
	}
	if _, known := w.loose[lit]; !known {
		w.loose[lit] = w.fn
		w.grown = true
	}
}

// escapeFunction is for a declared function that becomes a value, with so many of its parameters.
func (w *flow) escapeFunction(x ast.Expr, f *function, own int) {
	pos := x.Pos()
	sig := w.info().TypeOf(x).Underlying().(*types.Signature) // of a variable, perhaps, whose type has a name
	if f.decl.Body == nil {
		w.refuse(pos, "calls "+f.String()+", which has no Go body")
		return
	}
	e := w.effect(f)
	switch {
	case e.impure != nil:
		w.refuse(pos, "calls "+f.String()+", which "+e.impure.what+" ("+w.prog.rep.position(e.impure.pos).String()+")")
	case e.peeked != 0 || e.calls|e.keeps != 0:
		w.refuse(pos, "uses "+f.String()+" as a value, which calls a parameter, or asks whether it is nil")
	}
	k := w.kind(sig)
	for _, x := range e.writes {
		for i := range sig.Params().Len() {
			w.grow(x.params&paramBit(i+own) != 0 && k.does.addWrite(x.typ, paramBit(i)))
		}
	}
	params := own + sig.Params().Len()
	for i, c := range e.class[:min(params, len(e.class))] {
		for j, d := range e.class[:i] {
			if c >= 0 && c == d {
				w.grow(!k.join || j < own && !k.keep)
				k.join, k.keep = true, k.keep || j < own
			}
		}
		if c >= 0 && e.shared[c] {
			w.grow(!k.keep)
			k.keep = true
		}
	}
	w.opens(e.opened)
}

// methodValue is a method of a value that becomes a value itself.
func (w *flow) methodValue(e *ast.SelectorExpr, sel *types.Selection) {
	f := w.prog.method(sel)
	if sel.Kind() != types.MethodVal || f == nil || f.unit.standard || types.IsInterface(sel.Recv()) {
		w.refuse(e.Pos(), "uses the method "+sel.Obj().Name()+" as a value")
		return
	}
	recv := w.value(e.X)
	if recv == nil && isPointer(f.obj.Signature().Recv().Type()) {
		recv, _ = w.place(e.X)
	}
	w.escapeFunction(e, f, 1)
	for _, x := range w.effect(f).writes {
		if recv != nil && x.params&paramBit(0) != 0 {
			w.writes = append(w.writes, touch{recv, e.Pos(), "what " + f.String() + " writes", x.typ})
		}
	}
	params := (&funcValue{unit: f.unit, decl: f}).params()
	sig, _ := w.info().TypeOf(e).(*types.Signature)
	if refers(sig.Results()) {
		w.shown[w.fn] = true
	}
	for i, c := range w.effect(f).class[:min(len(params), len(w.effect(f).class))] {
		if i > 0 && recv != nil && c >= 0 && c == w.effect(f).class[0] { // it keeps what it is given there
			unite(recv, &node{given: []given{{w.kind(sig), i - 1, params[i]}}})
			w.shown[w.fn] = true
		}
	}
	if refers(f.obj.Signature().Recv().Type()) { // it may read what turns of a loop write
		w.bold[w.fn] = true
	}
}

// opens notes that a function that is not known is called.
func (w *flow) opens(by *impurity) {
	if w.out.opened == nil {
		w.out.opened = by
	}
}

// effect is what is known of a function that this one calls.
func (w *flow) effect(f *function) *effect {
	if w.called[w.fn] == nil {
		w.called[w.fn] = map[*function]bool{}
	}
	w.called[w.fn][f] = true
	return w.purity.effect(f)
}

// open is a call of a function that is not known.
func (w *flow) open(e *ast.CallExpr, args []*node) []*node {
	sig, ok := w.info().TypeOf(e.Fun).Underlying().(*types.Signature)
	if !ok {
		return w.unknown(e, text(e.Fun))
	}
	w.opens(&impurity{e.Pos(), "calls " + text(e.Fun) + ", which may be any function"})
	w.escapeAll(e.Args)
	return w.give(e.Fun, sig, args)
}

// give notes what an unknown function does to what it is given, and returns the classes of its results.
func (w *flow) give(x ast.Expr, sig *types.Signature, args []*node) []*node {
	k := w.kind(sig)
	var all *node
	for i, n := range args {
		if n == nil {
			continue
		}
		for _, by := range k.does.writes {
			if by.params&paramBit(min(i, max(sig.Params().Len()-1, 0))) != 0 {
				w.writes = append(w.writes, touch{n, x.Pos(), "what " + text(x) + " writes", by.typ})
			}
		}
		if k.keep || k.join || refers(sig.Results()) {
			all = unite(all, n)
		}
	}
	results := w.sameResults(sig, all)
	for _, n := range results {
		all = unite(all, n)
	}
	if all != nil && (k.keep || refers(sig.Results())) {
		unite(all, &w.global)
	}
	return results
}

// grow notes that effects change.
func (w *flow) grow(is bool) { w.grown = w.grown || is }

// escapeAll notes that the functions among arguments become values.
func (w *flow) escapeAll(args []ast.Expr) {
	for _, x := range args {
		if t := w.info().TypeOf(x); t != nil && isFunc(t) && !w.info().Types[x].IsNil() {
			w.escape(x)
		}
	}
}

// settleGiven finds out whether literals that are values keep what they are given: whether a variable around them
// reaches it in the end.
func (w *flow) settleGiven() {
	for lit := range w.given {
		sig, _ := w.info().TypeOf(lit).(*types.Signature)
		for p := range sig.Params().Variables() {
			if !refers(p.Type()) {
				continue
			}
			n := w.node(p).root()
			kept := n.global || n.params != 0
			for v, m := range w.nodes {
				kept = kept || m.root() == n && !within(lit, v.Pos())
			}
			if len(w.results) > 0 {
				kept = kept || slices.ContainsFunc(w.results[0], func(m *node) bool { return m != nil && m.root() == n })
			}
			k := w.kind(sig)
			w.grow(kept && !k.keep)
			k.keep = k.keep || kept
			if kept && w.fn != nil { // or puts there what it has got around it
				w.shown[w.fn] = true
			}
			for _, g := range n.given {
				if g.param != p && !k.join {
					k.join, w.grown = true, true
				}
			}
		}
	}
}

// harmless reports whether no function that is a value in f, or in what it calls, writes to what it has not made, so
// that calls of unknown functions may run at the same time. Those of package-level variables have nothing around them
// but such, to which nothing writes.
func (q *purity) harmless(f *function) bool {
	in := q.reachable(f)
	for f := range in {
		if q.bold[f] {
			return false
		}
	}
	for lit, f := range q.loose {
		if f != nil && in[f] && !q.flowOf(f).harmless(lit) {
			return false
		}
	}
	return true
}

// reachable are a function and those that it calls, and those that functions of package-level variables call.
func (q *purity) reachable(f *function) map[*function]bool {
	in := map[*function]bool{}
	var reach func(f *function)
	reach = func(f *function) {
		if !in[f] {
			in[f] = true
			for g := range q.called[f] {
				reach(g)
			}
		}
	}
	reach(f)
	reach(nil)
	return in
}

func (w *flow) harmless(lit *ast.FuncLit) bool {
	ok := true
	uses(lit.Body, func(id *ast.Ident, st []ast.Node) {
		if v, isVar := w.info().Uses[id].(*types.Var); isVar && !v.IsField() && !isGlobal(v) && !within(lit, v.Pos()) && !refers(v.Type()) {
			ok = ok && (isFunc(v.Type()) || plainUse(w.info(), st))
		}
	})
	around := func(x ast.Expr) *types.Var {
		v := rootOf(w.info(), x)
		if v == nil || within(lit, v.Pos()) {
			return nil
		}
		return v
	}
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				ok = ok && around(x) == nil
			}
		case *ast.IncDecStmt:
			ok = ok && around(n.X) == nil
		case *ast.UnaryExpr:
			ok = ok && (n.Op != token.AND || around(n.X) == nil)
		case *ast.RangeStmt:
			for _, x := range []ast.Expr{n.Key, n.Value} {
				ok = ok && (x == nil || around(x) == nil)
			}
		case *ast.Ident:
			if v, isVar := w.info().Uses[n].(*types.Var); isVar && !v.IsField() && !isGlobal(v) && !within(lit, v.Pos()) && w.params[v] == 0 {
				w.params[v] = 0
				w.nodes[v] = &node{params: paramBit(0)}
			}
		}
		return ok
	})
	if !ok {
		return false
	}
	w.global.global = true
	w.bind(w.fn.decl.Body)
	w.results = append(w.results, make([]*node, w.fn.obj.Signature().Results().Len()))
	w.literal(lit)
	w.settleUses()
	return w.out.impure == nil && w.out.written() == 0 && w.out.calls == 0
}
