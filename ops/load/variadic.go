package load

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// variadic lowers the arguments of a call of a function with a variable number of them: the last ones become a slice.
func (l *lowerer) variadic(f *funcValue, e *ast.CallExpr, sig *types.Signature) (args []value, back func()) {
	fixed := sig.Params().Len() - 1
	n := len(e.Args)
	if n == 1 {
		if t, ok := l.unit.info.TypeOf(e.Args[0]).(*types.Tuple); ok { // f(g()), where g has several results
			n = t.Len()
		}
	}
	args, back = l.arguments(f, e.Args, n)
	if n <= fixed {
		return append(args, value{typ: sig.Params().At(fixed).Type(), unset: true}), back
	}
	return append(args[:fixed:fixed], l.sliceOf(args[fixed:], sig.Params().At(fixed).Type(), e)), back
}

// firstOf lowers cmp.Or of numbers: the first one that is not zero is chosen, without a slice of them. It says no of
// other calls.
func (l *lowerer) firstOf(e *ast.CallExpr, callee types.Object) (value, bool) {
	t := l.unit.info.TypeOf(e)
	kind, isScalar := scalarKind(t)
	if callee.Pkg() == nil || callee.Pkg().Path() != "cmp" || callee.Name() != "Or" || !isScalar || len(e.Args) == 0 || e.Ellipsis.IsValid() {
		return value{}, false
	}
	if _, several := l.unit.info.TypeOf(e.Args[0]).(*types.Tuple); several {
		return value{}, false
	}
	zero := zeroConst(kind)
	vals := l.exprs(e.Args, len(e.Args))
	for _, v := range vals {
		if v.bad || len(v.atoms) != 1 {
			return value{bad: true}, true
		}
	}
	first := vals[len(vals)-1].atoms[0]
	for _, v := range slices.Backward(vals[:len(vals)-1]) {
		some := l.bin("some", ir.Ne, v.atoms[0], zero)
		first = l.selected("first", some, v.atoms[0], first)
	}
	return value{typ: t, atoms: []ir.Atom{first}}, true
}

// sliceOf makes a slice of the values.
func (l *lowerer) sliceOf(values []value, t types.Type, e *ast.CallExpr) value {
	elem, _ := isSequence(t)
	if isFunc(elem) || isPointer(elem) || !flat(elem) {
		return l.problem(e.Pos(), problem{CodeVariadic, "a variable number of arguments of type " + typeName(elem),
			"they become a slice that the call makes, and its elements are numbers or structs of numbers", "write a function with a parameter for each"})
	}
	out := l.alloc(t, ir.IntConst(ir.Int, int64(len(values))), e.Pos())
	for i, v := range values {
		if out.bad || v.bad || len(v.atoms) != len(out.atoms) {
			return value{bad: true}
		}
		l.update(&out, ir.IntConst(ir.Int, int64(i)), v)
	}
	return out
}
