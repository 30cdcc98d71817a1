package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// replaced reports whether the loop assigns the variable key, a slice that the function made, as a whole and never an
// element of it: then it carries one sequence after another, and not one that is updated.
func (lp *loop) replaced(info *types.Info, key any, v value) bool {
	if v.own == nil || v.own.isArray || v.grows || v.grow != nil {
		return false
	}
	whole, element := false, false
	ast.Inspect(lp.syntax(), func(n ast.Node) bool {
		var targets []ast.Expr
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.AssignStmt:
			if places, _, ok := permutation(info, n); ok { // their elements are exchanged
				for _, e := range places {
					element = element || key == any(variable(info, e))
				}
				return true
			}
			targets = n.Lhs
		case *ast.IncDecStmt:
			targets = []ast.Expr{n.X}
		}
		for _, e := range targets {
			if id, ok := ast.Unparen(e).(*ast.Ident); ok {
				whole = whole || key == any(info.Uses[id])
			} else {
				for v := range assigned(info, &ast.IncDecStmt{X: e}) {
					element = element || key == any(v)
				}
			}
		}
		return true
	})
	return whole && !element
}

// ownCopy is v as a sequence that nothing updates: a copy.
func (l *lowerer) ownCopy(v value) value {
	v = l.settled(v, l.pos)
	out := v
	out.own, out.shared, out.atoms = nil, nil, nil
	for _, a := range v.atoms {
		n := l.emit("n", ir.Scalar(ir.Int), &ir.Len{X: a})
		out.atoms = append(out.atoms, l.mapped("copy", n, func(i *ir.Var) []ir.Atom { return []ir.Atom{l.at("x", a, i)} })...)
	}
	return out
}

// keepsLength checks that a sequence is as long after a turn as before it.
func (l *lowerer) keepsLength(key any, before, now value, pos token.Pos) {
	for i, a := range before.atoms {
		if a.Type().Rank == 1 && i < len(now.atoms) && now.atoms[i].Type().Rank == 1 {
			l.pos = pos
			was := l.emit("n", ir.Scalar(ir.Int), &ir.Len{X: a})
			is := l.emit("n", ir.Scalar(ir.Int), &ir.Len{X: now.atoms[i]})
			l.check(ir.CheckLength, "for", keyName(key), was, is)
			return
		}
	}
}

// carried returns the variables that live before the loop and are assigned in it, in the order of their declaration,
// and the results of the function if the loop returns from it.
func (l *lowerer) carried(lp *loop) []any {
	var keys []any
	result := map[any]bool{}
	if l.returns(lp.body) {
		for _, r := range l.frame.results {
			result[r] = true
		}
	}
	for _, key := range l.env.keys {
		if l.frame.late != nil && l.frame.late.results[key] && !lp.changed[key] {
			continue
		}
		if (lp.changed[key] || result[key]) && !l.isGiven(key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// isGiven reports whether a variable of the function at hand has rows that the kernel was given, so that a loop does
// not carry it: pointers into them may lead to assignments as far as the effects of a loop tell, but those are refused,
// and only the variable as a whole could change.
func (l *lowerer) isGiven(key any) bool {
	obj, ok := key.(*types.Var)
	v := l.env.vals[key]
	if !ok || v.bad || v.unset || v.own != nil || v.rows != nil || v.grid != nil || v.grow != nil || v.held != nil || v.ref != nil || v.ptr != nil || len(v.atoms) == 0 {
		return false
	}
	for _, a := range v.atoms {
		p, isVar := a.(*ir.Var)
		if !isVar || a.Type().Rank < 2 || !slices.Contains(l.fn.Params, p) {
			return false
		}
	}
	return slices.Contains(l.env.keys[l.frame.start:], key) && !l.assignsWhole(obj)
}

// scalarZero gives an unset variable its zeros, if they are scalars; a sequence stays unset, as an error to be reported
// when it is read.
func (l *lowerer) scalarZero(key any, v value, pos token.Pos) value {
	ts, err := l.layout(v.typ)
	if err != nil {
		return value{bad: true}
	}
	z := value{typ: v.typ}
	for _, t := range ts {
		if !t.IsScalar() {
			z = arrayChoice(key, pos)
			z.typ, z.empty = v.typ, true
			return z
		}
		z.atoms = append(z.atoms, zeroConst(t.Kind))
	}
	return z
}

// updates reports whether one of the variables is the slice of that owner.
func (l *lowerer) updates(vars map[any]bool, own *owner) bool {
	for _, key := range l.env.keys {
		if vars[key] && l.env.vals[key].own == own {
			return true
		}
	}
	return false
}

// staysRows reports whether value i of v, a struct, is a sequence of rows: a loop does not carry that, and no turn may
// replace it.
func (v value) staysRows(i int) bool {
	return v.typ != nil && isStruct(v.typ) && v.atoms[i].Type().Rank > 1
}
