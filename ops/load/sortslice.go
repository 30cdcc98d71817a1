package load

import (
	"go/ast"
	"go/types"
)

// Note [sort.Slice]
//
// sort.Slice and sort.SliceIsSorted take any value and look at it by reflection. Here they are generic functions of the
// text for package slices, of which the first argument of a call says the instance.

// anyFunctions are functions of package sort whose first parameter is of type any, by the generic functions of the
// text for package slices that do the same.
var anyFunctions = map[string]string{"Slice": "quicksort", "SliceIsSorted": "sortedByIndex", "SliceStable": "stableByIndex"}

// nameAny gives the functions of package sort that take any value their texts.
func (p *program) nameAny(stds []standard) {
	text := map[string]*function{}
	for f, fn := range p.funcs {
		if fn.unit.standard && f.Pkg().Path() == "slices" && f.Signature().TypeParams().Len() == 1 {
			text[f.Name()] = fn
		}
	}
	for _, std := range stds {
		if std.pkg.Path() != "sort" {
			continue
		}
		for name, other := range anyFunctions {
			if obj, ok := std.pkg.Scope().Lookup(name).(*types.Func); ok && text[other] != nil {
				p.funcs[obj] = text[other]
			}
		}
	}
}

// elementOf returns the type of the elements of the first argument of the call of id, nil if that is no slice.
func (p *program) elementOf(u *unit, id *ast.Ident) types.Type {
	if p.firstArgs[u] == nil {
		args := map[*ast.Ident]ast.Expr{}
		for _, f := range u.files {
			ast.Inspect(f, func(n ast.Node) bool {
				if c, ok := n.(*ast.CallExpr); ok && len(c.Args) > 0 {
					if callee := calleeIdent(c); callee != nil {
						args[callee] = c.Args[0]
					}
				}
				return true
			})
		}
		p.firstArgs[u] = args
	}
	arg := p.firstArgs[u][id]
	if arg == nil {
		return nil
	}
	s, ok := u.info.TypeOf(arg).Underlying().(*types.Slice)
	if !ok {
		return nil
	}
	return s.Elem()
}
