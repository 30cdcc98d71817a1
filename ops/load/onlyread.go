package load

import (
	"go/ast"
	"go/token"
	"go/types"
)

// onlyRead reports whether a statement declares e as the address of something made of numbers that is only read by that
// name, as p of
//
//	p := &points[i]
//	d := p.X*p.X + p.Y*p.Y
//
// so that nothing is assigned through it, and no one else gets it. Of what holds sequences as well, it reads fields
// that are numbers or strings.
func (u *unit) onlyRead(s *ast.AssignStmt, e, value ast.Expr) bool {
	address, ok := ast.Unparen(value).(*ast.UnaryExpr)
	id, isIdent := e.(*ast.Ident)
	if !ok || !isIdent || address.Op != token.AND || s.Tok != token.DEFINE {
		return false
	}
	p, ok := u.info.Defs[id].(*types.Var)
	return ok && !u.assigning()[p]
}

// assigning are the pointers of a unit that something may be assigned through, by their uses. They are looked for in
// all files: where a variable stands says nothing of what a rewriting has made, or moved.
func (u *unit) assigning() map[*types.Var]bool {
	if u.through != nil {
		return u.through
	}
	u.through = map[*types.Var]bool{}
	for _, file := range u.files {
		uses(file, func(id *ast.Ident, st []ast.Node) {
			p, ok := u.info.Uses[id].(*types.Var)
			if !ok || u.through[p] {
				return
			}
			if to, ok := p.Type().Underlying().(*types.Pointer); ok && !u.reads(st, flat(to.Elem())) {
				u.through[p] = true
			}
		})
	}
	return u.through
}

// reads reports whether a pointer, with which a stack ends, is there for what it points to, which is neither assigned
// nor given to a method that gets its address, and for numbers or strings of it where it does not consist of numbers.
func (u *unit) reads(st []ast.Node, numbers bool) bool {
	at := len(st) - 1
	for _, paren := st[at-1].(*ast.ParenExpr); paren; _, paren = st[at-1].(*ast.ParenExpr) {
		at--
	}
	x := st[at]
	switch p := st[at-1].(type) {
	case *ast.SelectorExpr:
		s := u.info.Selections[p]
		if !numbers && (s == nil || s.Kind() != types.FieldVal || !flat(s.Type()) && !isString(s.Type())) {
			return false
		}
		return s != nil && (s.Kind() == types.FieldVal || !isPointer(s.Obj().(*types.Func).Signature().Recv().Type())) && !isTarget(st, at)
	case *ast.IndexExpr:
		return numbers && p.X == x && !isTarget(st, at)
	case *ast.RangeStmt:
		return numbers && p.X == x
	case *ast.StarExpr:
		return numbers && !isTarget(st, at-1)
	}
	return false
}
