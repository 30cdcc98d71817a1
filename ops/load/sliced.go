package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// sliced lowers the operand of a slice expression. A slice of an array shares its elements: the array is not updated
// any more.
func (l *lowerer) sliced(e ast.Expr) value {
	t := l.unit.info.TypeOf(e)
	if isPointer(t) {
		return l.slicedPointee(e)
	}
	_, elem, ok := isArray(t)
	if !ok {
		return l.expr(e)
	}
	if _, inner := arrayBase(elem); inner > 0 && isLarge(t) {
		return l.problem(e.Pos(), notYet(CodeArray, "a slice of "+typeName(t), "an array of arrays with so many elements is one sequence of numbers", "index it, or pass it as an array"))
	}
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		if obj, ok := l.unit.info.Uses[id].(*types.Var); ok {
			if v := l.env.vals[obj]; !v.bad && inMemory(v) && v.own != nil {
				v.own.escape(e.Pos())
				return value{typ: t, atoms: v.atoms, shared: v.own}
			}
		}
	}
	if key := l.heldTable(e); key != nil {
		if v := l.env.vals[key]; v.own != nil {
			v.own.escape(e.Pos())
			return value{typ: t, atoms: v.atoms, shared: v.own}
		}
	}
	if root := rootOf(l.unit.info, e); root != nil && len(l.stack) > 0 && l.assigned(l.bodyOf(l.stack[len(l.stack)-1]))[root] {
		return l.problem(e.Pos(), notYet(CodeArray, "a slice of the array "+types.ExprString(e)+", which is part of a variable that the function assigns",
			"the slice would have to see later assignments", "copy the array to a variable of its own, and slice that"))
	}
	v := l.expr(e)
	if v.bad || inMemory(v) {
		return v
	}
	return l.sequenceOf(v, elem, e.Pos())
}

// slicedPointee is sliced for a pointer to an array. Its elements are those that it has at this point: who may assign
// them later is refused.
func (l *lowerer) slicedPointee(e ast.Expr) value {
	p := l.pointee(e)
	if p == nil {
		return value{bad: true}
	}
	v := l.follow(p)
	_, elem, ok := isArray(v.typ)
	if v.bad || !ok {
		return value{bad: true}
	}
	if inMemory(v) {
		if v.own != nil {
			v.own.escape(e.Pos())
		}
		out := value{typ: v.typ, atoms: v.atoms, shared: v.own}
		if v.off != nil {
			_, n := arrayBase(v.typ)
			v.row = ir.IntConst(ir.Int, n)
			out = l.settledRow(v)
		}
		return out
	}
	of := l.env.vals[p.root]
	lasting := of.typ != nil && isSlice(of.typ) && of.own == nil && of.rows == nil && of.grow == nil && of.grid == nil // its elements are not assigned
	if !lasting && l.assignedInCalls(p.root) {
		return l.problem(e.Pos(), notYet(CodeArray, "a slice of the array that "+types.ExprString(e)+" points to, which may be assigned",
			"the slice would have to see later assignments", "copy the array to a variable, and slice that"))
	}
	return l.sequenceOf(l.whole(v, e.Pos()), elem, e.Pos())
}

// assignedInCalls reports whether one of the functions under way may assign a variable.
func (l *lowerer) assignedInCalls(key any) bool {
	unit := l.unit
	defer func() { l.unit = unit }()
	return slices.ContainsFunc(l.stack, func(f *funcValue) bool {
		l.unit = f.unit
		return l.assigned(l.bodyOf(f))[key]
	})
}

// sequenceOf is the array v, which does not lie in memory, as a sequence.
func (l *lowerer) sequenceOf(v value, elem types.Type, pos token.Pos) value {
	w, t := l.width(elem), v.typ
	out := value{typ: t}
	for _, a := range v.atoms[:w] {
		if !a.Type().IsScalar() {
			return l.problem(pos, notYet(CodeArray, "a slice of "+typeName(t), "rows lie in one sequence only where an operator made them", "make the rows with ops.Map"))
		}
		out.atoms = append(out.atoms, l.emit("made", a.Type().Array(), &ir.Alloc{Kind: a.Type().Kind, N: ir.IntConst(ir.Int, int64(len(v.atoms)/w))}))
	}
	for i, a := range v.atoms {
		if c, ok := a.(ir.Const); !ok || c != zeroConst(c.Kind) {
			out.atoms[i%w] = l.emit("made", out.atoms[i%w].Type(), &ir.Update{X: out.atoms[i%w], I: ir.IntConst(ir.Int, int64(i/w)), Value: a})
		}
	}
	return out
}
