package load

import (
	"go/ast"
	"go/constant"
	"go/types"
	"strings"
)

// call goes through a call, and returns the classes of its results.
func (w *flow) call(e *ast.CallExpr) []*node {
	info := w.info()
	if tv := info.Types[e.Fun]; tv.IsType() {
		return []*node{w.conversion(e, tv.Type)}
	}
	fun := ast.Unparen(e.Fun)
	if lit, ok := fun.(*ast.FuncLit); ok {
		w.literal(lit)
		w.escapeAll(e.Args)
		return w.callLiteral(lit, w.arguments(e))
	}
	id := calleeIdent(e)
	if id == nil {
		w.value(fun)
		return w.open(e, w.arguments(e))
	}
	switch obj := info.Uses[id].(type) {
	case *types.Builtin:
		return []*node{w.builtin(e, obj.Name())}
	case *types.Func:
		if sel, ok := fun.(*ast.SelectorExpr); ok && info.Selections[sel] != nil {
			return w.method(e, sel, info.Selections[sel], obj)
		}
		if obj.Pkg() == nil {
			return w.unknown(e, obj.Name())
		}
		if obj.Pkg().Path() == opsPath {
			return w.standardCall(e, obj, w.arguments(e), true)
		}
		if f := w.prog.callee(w.unit, id); f != nil && !f.unit.standard {
			return w.apply(e, f, w.arguments(e), e.Args)
		}
		return w.standardCall(e, obj, w.arguments(e), false)
	case *types.Var:
		return w.dynamic(e, obj)
	}
	return w.unknown(e, text(e.Fun))
}

func (w *flow) unknown(e *ast.CallExpr, what string) []*node {
	w.refuse(e.Pos(), "calls "+what+", which may be any function")
	return nil
}

// arguments goes through the arguments of a call, and returns their classes.
func (w *flow) arguments(e *ast.CallExpr) []*node {
	var list []*node
	if len(e.Args) == 1 {
		if t, ok := w.info().TypeOf(e.Args[0]).(*types.Tuple); ok { // f(g())
			return w.values(e.Args[0], t.Len())
		}
	}
	for _, a := range e.Args {
		list = append(list, w.argument(a))
	}
	return list
}

// argument goes through an argument: what becomes of a function depends on what is called.
func (w *flow) argument(a ast.Expr) *node {
	if t := w.info().TypeOf(a); t == nil || !isFunc(t) {
		return w.value(a)
	}
	switch e := ast.Unparen(a).(type) {
	case *ast.FuncLit:
		w.literal(e)
	case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.IndexListExpr:
		c := w.functionsOf(e)
		if c.unknown && len(c.lits)+len(c.decls) == 0 {
			return w.value(a)
		}
	default:
		return w.value(a)
	}
	return nil
}

func (w *flow) conversion(e *ast.CallExpr, t types.Type) *node {
	n := w.value(e.Args[0])
	from := w.info().TypeOf(e.Args[0])
	if b, ok := t.Underlying().(*types.Basic); ok && b.Kind() == types.UnsafePointer || from != nil && isUnsafe(from) {
		w.refuse(e.Pos(), "uses unsafe pointers")
	}
	switch {
	case !refers(t):
		return nil
	case n == nil: // of a string, or to an interface
		return &node{}
	}
	return n
}

func isUnsafe(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && (b.Kind() == types.UnsafePointer || b.Kind() == types.Uintptr)
}

func (w *flow) builtin(e *ast.CallExpr, name string) *node {
	write := func(n *node) {
		if n != nil {
			w.writes = append(w.writes, touch{n, e.Pos(), text(e.Args[0]), w.elements(e.Args[0])})
		}
	}
	switch name {
	case "make", "new":
		for _, a := range e.Args {
			w.value(a)
		}
		return &node{}
	}
	args := w.arguments(e)
	w.escapeAll(e.Args)
	switch name {
	case "append":
		out := args[0]
		if out == nil {
			out = &node{}
		}
		if !w.own[variable(w.info(), e.Args[0])] {
			write(out)
		}
		if s, ok := w.info().TypeOf(e).Underlying().(*types.Slice); !ok || refers(s.Elem()) { // others are copied
			for _, n := range args[1:] {
				unite(out, n)
			}
		}
		return out
	case "copy":
		write(args[0])
		if s, ok := w.info().TypeOf(e.Args[0]).Underlying().(*types.Slice); ok && refers(s.Elem()) {
			unite(args[0], args[1])
		}
	case "clear", "delete":
		write(args[0])
	case "cap":
		w.peek(e, args[0])
	case "len", "min", "max", "complex", "real", "imag", "panic", "recover":
	default:
		w.refuse(e.Pos(), "calls "+text(e.Fun))
	}
	return nil
}

// callLiteral is a call of a literal.
func (w *flow) callLiteral(lit *ast.FuncLit, args []*node) []*node {
	sig, ok := w.info().TypeOf(lit).(*types.Signature)
	if !ok {
		return nil
	}
	for i := range sig.Params().Len() {
		if v := sig.Params().At(i); refers(v.Type()) {
			for k := i; k < len(args) && (k == i || sig.Variadic() && i == sig.Params().Len()-1); k++ {
				unite(w.node(v), args[k])
			}
		}
	}
	return w.resultsOf(lit)
}

// dynamic is a call of what a variable holds.
func (w *flow) dynamic(e *ast.CallExpr, v *types.Var) []*node {
	args := w.arguments(e)
	sig, _ := v.Type().Underlying().(*types.Signature)
	if i, ok := w.params[v]; ok && sig != nil && w.bound[v] == nil {
		w.out.calls |= paramBit(i)
		if len(w.results) > 1 { // in a literal, which may be called later
			w.out.keeps |= paramBit(i)
		}
		for _, n := range args { // the caller of this function unites what its arguments hold
			if n != nil {
				w.methods = append(w.methods, touch{of: n, pos: e.Pos(), what: v.Name() + " with a part"})
			}
		}
		var all *node
		for p := range w.params {
			if refers(p.Type()) {
				all = unite(all, w.node(p))
			}
		}
		for _, n := range args {
			all = unite(all, n)
		}
		return w.sameResults(sig, all)
	}
	c := w.bound[v]
	if c == nil || v.IsField() {
		w.value(e.Fun)
		return w.open(e, args)
	}
	w.escapeAll(e.Args)
	results := make([]*node, sig.Results().Len())
	merge := func(list []*node) {
		for i, n := range list {
			if i < len(results) {
				results[i] = unite(results[i], n)
			}
		}
	}
	for _, lit := range c.lits {
		merge(w.callLiteral(lit, args))
	}
	for _, f := range c.decls {
		merge(w.apply(e, f, args, e.Args))
	}
	if c.unknown {
		merge(w.open(e, args))
	}
	return results
}

// sameResults are results that may all be parts of one class.
func (w *flow) sameResults(sig *types.Signature, n *node) []*node {
	results := make([]*node, sig.Results().Len())
	for i := range results {
		if refers(sig.Results().At(i).Type()) {
			if n == nil {
				n = &node{}
			}
			results[i] = n
		}
	}
	return results
}

// apply is a call of a function of the program: args are the classes of its parameters, the receiver before the others,
// and exprs the arguments themselves.
func (w *flow) apply(e *ast.CallExpr, f *function, args []*node, exprs []ast.Expr) []*node {
	if f.decl.Body == nil {
		w.refuse(e.Pos(), "calls "+f.String()+", which has no Go body")
		return nil
	}
	eff := w.effect(f)
	if eff.impure != nil {
		w.refuse(e.Pos(), "calls "+f.String()+", which "+eff.impure.what+" ("+w.prog.rep.position(eff.impure.pos).String()+")")
		return nil
	}
	params := (&funcValue{unit: f.unit, decl: f}).params()
	at := make([]*node, len(params)) // the class of each parameter
	for i, n := range args {
		k := min(i, len(params)-1)
		if k >= 0 {
			at[k] = unite(at[k], n)
		}
	}
	classes := map[int]*node{}
	results := make([]*node, f.obj.Signature().Results().Len())
	for i, c := range eff.class {
		if c < 0 {
			continue
		}
		if classes[c] == nil {
			classes[c] = &node{}
			if eff.shared[c] {
				classes[c] = &w.global
			}
		}
		if i < len(params) {
			unite(classes[c], at[i])
		} else if k := i - len(params); k < len(results) {
			results[k] = classes[c]
		}
	}
	name := f.String()
	for i := range params {
		if at[i] == nil {
			continue
		}
		for _, x := range eff.writes {
			if x.params&paramBit(i) != 0 {
				w.writes = append(w.writes, touch{at[i], e.Pos(), "what " + name + " writes", x.typ})
			}
		}
		if eff.peeked&paramBit(i) != 0 {
			w.peeks = append(w.peeks, touch{of: at[i], pos: e.Pos()})
		}
	}
	all := (*node)(nil)
	shift := len(params) - len(exprs)
	if f.obj.Signature().Variadic() || shift < 0 || shift > 1 {
		shift = 0
	}
	called := map[int]bool{} // arguments
	for i, v := range params {
		if !isFunc(v.Type()) {
			continue
		}
		k := i - shift
		if k < 0 || k >= len(exprs) {
			w.refuse(e.Pos(), "gives functions to "+name)
			continue
		}
		called[k] = true
		if eff.keeps&paramBit(i) != 0 {
			w.escape(exprs[k])
		}
		all = unite(all, w.callback(e, exprs[k], append(append([]*node(nil), args...), results...)))
	}
	for k, x := range exprs {
		if !called[k] {
			w.escapeAll([]ast.Expr{x})
		}
	}
	w.opens(eff.opened)
	return results
}

// callback is a function that is given to another one, which calls it with whatever it can reach.
func (w *flow) callback(e *ast.CallExpr, x ast.Expr, reached []*node) *node {
	c := w.functionsOf(x)
	if c.param >= 0 {
		w.out.calls |= paramBit(c.param)
		return nil
	}
	var all *node
	for _, n := range reached {
		all = unite(all, n)
	}
	if all == nil {
		all = &node{}
	}
	if c.unknown {
		w.opens(&impurity{x.Pos(), "gives " + text(x) + " to " + text(e.Fun) + ", which may be any function"})
		w.escape(x)
		sig, _ := w.info().TypeOf(x).Underlying().(*types.Signature)
		if sig == nil {
			return all
		}
		list := make([]*node, sig.Params().Len())
		for i := range list {
			list[i] = all
		}
		for _, n := range w.give(x, sig, list) {
			unite(all, n)
		}
	}
	for _, lit := range c.lits {
		sig, ok := w.info().TypeOf(lit).(*types.Signature)
		if !ok {
			continue
		}
		args := make([]*node, sig.Params().Len())
		for i := range args {
			args[i] = all
		}
		for _, n := range w.callLiteral(lit, args) {
			unite(all, n)
		}
	}
	for _, f := range c.decls {
		params := (&funcValue{unit: f.unit, decl: f}).params()
		args := make([]*node, len(params))
		for i, v := range params {
			if refers(v.Type()) {
				args[i] = all
			}
			if isFunc(v.Type()) {
				w.refuse(x.Pos(), "gives functions to "+f.String())
				return nil
			}
		}
		for _, n := range w.apply(e, f, args, nil) {
			unite(all, n)
		}
	}
	return all
}

// method is a call of a method.
// byInterface is a call of a method of an interface.
// verbs refuses a format that prints addresses.
func verbs(format constant.Value) bool {
	if format == nil || format.Kind() != constant.String {
		return false
	}
	s := constant.StringVal(format)
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			continue
		}
		j := i + 1
		for j < len(s) && strings.IndexByte("+-# 0123456789.*[]", s[j]) >= 0 {
			j++
		}
		if j < len(s) && (s[j] == 'p' || strings.Contains(s[i:j], "#")) {
			return false
		}
		i = j
	}
	return true
}
