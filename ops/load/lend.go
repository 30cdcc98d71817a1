package load

import (
	"go/ast"
	"go/types"

	"github.com/surge-ndp/surge/ops/ir"
)

// Note [Arrays that are lent]
//
// slices.Sort(a[:]) updates the elements of the array a. Arrays are values here, so that the elements are copied to a slice
// that the function at hand owns, the call gets that slice, and what it has changed is copied back behind it. That is the same
// only if the call reaches the array in no other way and keeps no part of the slice. Functions of the standard library do
// neither, unless a function that they are given names the array; functions of the user may do both, and get no array lent.

// lend lowers argument number at of a call of a function of the standard library, if it is the whole of an array as a slice that
// no other argument names. back copies the elements back.
func (l *lowerer) lend(list []ast.Expr, at int) (arg value, back func(), ok bool) {
	e := list[at]
	s, isSlice := ast.Unparen(e).(*ast.SliceExpr)
	if !isSlice || s.Low != nil || s.High != nil || s.Slice3 || !isPlainPath(s.X) {
		return value{}, nil, false
	}
	t := l.unit.info.TypeOf(s.X)
	n, elem, isArr := isArray(t)
	if !isArr || !isVector(t) {
		return value{}, nil, false
	}
	root := rootOf(l.unit.info, s.X)
	if root == nil || isGlobal(root) || l.env.captured(root) {
		return value{}, nil, false
	}
	for i, other := range list {
		if i != at && mentions(l.unit.info, other, map[*types.Var]bool{root: true}) {
			return value{}, nil, false
		}
	}
	p := l.addressOf(s.X)
	if p == nil {
		return value{bad: true}, func() {}, true
	}
	from := l.follow(p)
	slice := l.alloc(types.NewSlice(elem), ir.IntConst(ir.Int, n), e.Pos())
	if from.bad || slice.bad {
		return value{bad: true}, func() {}, true
	}
	if inMemory(from) {
		slice.atoms = l.filled(slice.atoms, zeroInt, from, ir.IntConst(ir.Int, n))
	} else {
		w := len(slice.atoms)
		for i, a := range from.atoms {
			slice.atoms[i%w] = l.emit("lent", slice.atoms[i%w].Type(), &ir.Update{X: slice.atoms[i%w], I: ir.IntConst(ir.Int, int64(i/w)), Value: a})
		}
	}
	key := &slot{name: "lent", typ: slice.typ}
	l.env.set(key, slice)
	back = func() {
		now := l.env.vals[key]
		if now.bad || now.own == nil || !now.own.updated.IsValid() {
			return
		}
		out := value{typ: t, atoms: now.atoms, mem: true}
		if !inMemory(from) {
			out = value{typ: t}
			for i := range n {
				for _, a := range now.atoms {
					out.atoms = append(out.atoms, l.emit("e", a.Type().Elem(), &ir.Index{X: a, I: ir.IntConst(ir.Int, i)}))
				}
			}
		}
		l.assignTo(p, out, e.Pos())
	}
	return value{typ: slice.typ, ref: &pointer{elem: slice.typ, root: key}}, back, true
}

// isPlainPath reports whether e is a variable or a field of one: evaluating it twice has no effect.
func isPlainPath(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return isPlainPath(e.X)
	}
	return false
}
