package load

import (
	"go/ast"
	"go/types"
)

// indexedFields are the fields of structs, arrays, of which the module assigns elements at indices that only the run
// knows, or copies something to a part: see Note [Arrays in structs].
func (p *program) indexedFields() map[*types.Var]bool {
	if p.indexed != nil {
		return p.indexed
	}
	p.indexed = map[*types.Var]bool{}
	for _, u := range p.units {
		for _, fd := range functions(u.files) {
			static := staticVars(u, fd.Body)
			ast.Inspect(fd.Body, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.AssignStmt:
					for _, e := range n.Lhs {
						p.noteIndexed(u.info, e, static)
					}
				case *ast.IncDecStmt:
					p.noteIndexed(u.info, n.X, static)
				case *ast.CallExpr: // which assigns a part
					if isBuiltin(u.info, n, "copy") || isBuiltin(u.info, n, "clear") {
						p.noteIndexed(u.info, n.Args[0], static)
					}
					for i, a := range n.Args {
						if _, part := ast.Unparen(a).(*ast.SliceExpr); part && p.assignsArgument(u, n, i) {
							p.noteIndexed(u.info, a, static)
						}
					}
				}
				return true
			})
		}
	}
	return p.indexed
}

// assignsArgument reports whether the function that a call is of, if it is known, assigns elements of argument i.
func (p *program) assignsArgument(u *unit, call *ast.CallExpr, i int) bool {
	id := calleeIdent(call)
	if id == nil {
		return false
	}
	f := p.callee(u, id)
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && u.info.Selections[sel] != nil {
		f = p.method(u.info.Selections[sel])
	}
	if f == nil || f.decl.Body == nil {
		return false
	}
	params := (&funcValue{unit: f.unit, decl: f}).params()
	if f.obj.Signature().Recv() != nil {
		i++
	}
	return i < len(params) && p.writes(f)[params[i]]
}

// noteIndexed notes the fields of which e, which is assigned, is an element at such an index.
func (p *program) noteIndexed(info *types.Info, e ast.Expr, static map[*types.Var]bool) {
	computed := false
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.IndexExpr:
			computed = computed || indexesArray(info, x) && !isStatic(info, x.Index, static)
			e = x.X
		case *ast.SliceExpr:
			computed = true
			e = x.X
		case *ast.SelectorExpr:
			if f, ok := info.Uses[x.Sel].(*types.Var); ok && f.IsField() && computed && isArrayType(f.Type()) {
				p.indexed[f.Origin()] = true
			}
			computed = false
			e = x.X
		default:
			return
		}
	}
}

// maxFieldReplaced is maxReplaced for fields of structs. (A generator of random numbers with a state of four, one for
// each element, is 2.3 times as fast by vectors, which choose, as from the stack; a machine with eight registers is 1.5
// times as fast from the stack.)
const maxFieldReplaced = 4

// isTable reports whether the field f is an array that is kept as a variable of its own: one of many numbers, or one of
// which elements are assigned that only the run knows.
func (l *lowerer) isTable(f *types.Var) bool {
	if isLarge(f.Type()) {
		return true
	}
	base, n := arrayBase(f.Type())
	if n == 0 || !l.prog.indexedFields()[f.Origin()] || !flat(base) || isString(base) {
		return false
	}
	ts, err := l.layout(f.Type())
	return err == nil && len(ts) > maxFieldReplaced
}

// keepsTables reports whether t is a struct that has such a field, or a struct with one as a field.
func (l *lowerer) keepsTables(t types.Type) bool {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range s.Fields() {
		if l.isTable(f) || l.keepsTables(f.Type()) {
			return true
		}
	}
	return false
}
