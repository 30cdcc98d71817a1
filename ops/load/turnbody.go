package load

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"reflect"
)

// turnBody is the body of a loop for a turn that makes an element of each target: v[i] is a variable of its own there,
// and in place of v = append(v, e) that variable is assigned. What does not name a target is the syntax of the source.
func (l *lowerer) turnBody(lp *loop, targets []*rowTarget) *ast.BlockStmt {
	c := &turnCopier{l: l, lp: lp, vars: map[*types.Var]bool{}, targets: map[*types.Var]*rowTarget{}}
	for _, t := range targets {
		elem, _ := isSequence(t.v.Type())
		t.elem = types.NewVar(t.v.Pos(), t.v.Pkg(), t.v.Name()+"_row", elem)
		if t.appends && !l.appendsEach(lp, t.v) {
			t.kept = types.NewVar(t.v.Pos(), t.v.Pkg(), t.v.Name()+"_kept", types.Typ[types.Bool])
		}
		c.vars[t.v], c.targets[t.v] = true, t
	}
	body, ok := copySyntax(reflect.ValueOf(lp.body), c.instead, l.describe).Interface().(*ast.BlockStmt)
	if !ok {
		return lp.body
	}
	return body
}

// appendsEach reports whether every turn of the loop appends to v.
func (l *lowerer) appendsEach(lp *loop, v *types.Var) bool {
	if jumpsTo(lp.body.List, token.CONTINUE, lp.label) {
		return false
	}
	for _, s := range lp.body.List {
		if u, _ := appendTarget(l.unit.info, s); u == v {
			return true
		}
	}
	return false
}

// turnCopier copies the syntax around the names of targets.
type turnCopier struct {
	l       *lowerer
	lp      *loop
	vars    map[*types.Var]bool
	targets map[*types.Var]*rowTarget
}

// instead is what takes the place of a node: the node itself where it names no target.
func (c *turnCopier) instead(n ast.Node) ast.Node {
	if !mentions(c.l.unit.info, n, c.vars) {
		return n
	}
	return c.other(n)
}

// describe gives m, the copy of n, what the type checker says of n.
func (l *lowerer) describe(n, m ast.Node) {
	info := l.unit.info
	if e, ok := n.(ast.Expr); ok {
		if to, ok := m.(ast.Expr); ok {
			if tv, known := info.Types[e]; known {
				info.Types[to] = tv
			}
		}
	}
	if obj := info.Implicits[n]; obj != nil {
		info.Implicits[m] = obj
	}
	switch n := n.(type) {
	case *ast.SelectorExpr:
		if to, ok := m.(*ast.SelectorExpr); ok && info.Selections[n] != nil {
			info.Selections[to] = info.Selections[n]
		}
	case *ast.Ident:
		to, ok := m.(*ast.Ident)
		if !ok {
			return
		}
		if obj := info.Uses[n]; obj != nil {
			info.Uses[to] = obj
		}
		if obj := info.Defs[n]; obj != nil {
			info.Defs[to] = obj
		}
		if inst, ok := info.Instances[n]; ok {
			info.Instances[to] = inst
		}
	}
}

// other is what stands in the place of n, nil for a copy of it.
func (c *turnCopier) other(n ast.Node) ast.Node {
	switch n := n.(type) {
	case *ast.IndexExpr:
		if t := c.targets[c.l.turnElement(c.lp, n)]; t != nil && !t.appends {
			return c.l.identifier(t.elem, types.ExprString(n), n)
		}
	case *ast.AssignStmt:
		v, call := appendTarget(c.l.unit.info, n)
		t := c.targets[v]
		if v == nil || t == nil {
			return nil
		}
		e, _ := copySyntax(reflect.ValueOf(&call.Args[1]).Elem(), c.instead, c.l.describe).Interface().(ast.Expr)
		assign := func(v *types.Var, e ast.Expr) ast.Stmt {
			return &ast.AssignStmt{Lhs: []ast.Expr{c.l.identifier(v, v.Name(), call.Args[0])}, TokPos: n.TokPos, Tok: token.ASSIGN, Rhs: []ast.Expr{e}}
		}
		list := []ast.Stmt{assign(t.elem, e)}
		if t.kept != nil {
			list = append(list, assign(t.kept, c.truth(n.Pos())))
		}
		return &ast.BlockStmt{Lbrace: n.Pos(), List: list, Rbrace: n.End()}
	}
	return nil
}

// identifier is an identifier of v, which messages call by the text, in the place of a variable, e.
func (l *lowerer) identifier(v *types.Var, text string, e ast.Expr) *ast.Ident {
	id := &ast.Ident{NamePos: e.Pos(), Name: text}
	l.unit.info.Uses[id] = v
	tv := l.unit.info.Types[e]
	tv.Type = v.Type()
	l.unit.info.Types[id] = tv
	return id
}

// truth is the constant true.
func (c *turnCopier) truth(pos token.Pos) ast.Expr {
	id := &ast.Ident{NamePos: pos, Name: "true"}
	c.l.unit.info.Uses[id] = types.Universe.Lookup("true")
	c.l.unit.info.Types[id] = types.TypeAndValue{Type: types.Typ[types.Bool], Value: constant.MakeBool(true)}
	return id
}
