package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// cutBase leads to the slice e, or to the array in memory that e is or points to, which has a name; nil if it has none.
func (l *lowerer) cutBase(e ast.Expr) *pointer {
	if key, _ := l.fieldSlot(e); key != nil {
		return &pointer{elem: key.typ, root: key}
	}
	if key := l.heldTable(e); key != nil {
		return &pointer{elem: key.typ, root: key}
	}
	v := variable(l.unit.info, e)
	if v != nil && (isArrayType(v.Type()) || isPointer(v.Type())) {
		return l.arrayBehind(v)
	}
	if v == nil || !isSlice(v.Type()) || isGlobal(v) {
		return nil
	}
	x, ok := l.env.vals[v]
	switch {
	case !ok || x.bad || x.unset:
		return nil
	case x.ref != nil:
		return x.ref
	}
	return &pointer{elem: v.Type(), root: v}
}

// arrayBehind leads to the array in memory that the variable v is, or points to; nil if it does neither.
func (l *lowerer) arrayBehind(v *types.Var) *pointer {
	x, ok := l.env.vals[v]
	switch {
	case !ok || x.bad || x.unset || isGlobal(v):
		return nil
	case isArrayType(v.Type()):
		return &pointer{elem: v.Type(), root: v}
	case x.ptr == nil || x.ptr.either[0] != nil || !isArrayType(x.ptr.elem):
		return nil
	}
	p := l.resolved(x.ptr)
	if root, ok := p.root.(*types.Var); ok && isGlobal(root) {
		return nil
	}
	return p
}

// partOf is a part of a slice that is cut again, as a place: another part, as in x[lo:][:n], a row of a grid, or what a
// function returns.
func (l *lowerer) partOf(e ast.Expr, grows bool) value {
	switch e := ast.Unparen(e).(type) {
	case *ast.SliceExpr:
		return l.cutReference(e, grows)
	case *ast.IndexExpr:
		if !l.callsFunctions(e) {
			return l.rowReference(e)
		}
	case *ast.CallExpr:
		if l.isView(e) {
			if vs := l.callPlaces(e); len(vs) == 1 {
				return vs[0]
			}
		}
	}
	return value{}
}

// isView reports whether a call does nothing but return a part of a slice or a row, so that it may be evaluated twice.
func (l *lowerer) isView(e *ast.CallExpr) bool {
	body := l.calledBody(e)
	if !isSlice(l.unit.info.TypeOf(e)) || !l.returnsPart(e) || len(body.List) != 1 || l.callsFunctions(onlyReturn(body)) || l.callsFunctions(e.Fun) {
		return false
	}
	return !slices.ContainsFunc(e.Args, l.callsFunctions)
}

// callsFunctions reports whether evaluating e may call a function, other than those of numbers and lengths.
func (l *lowerer) callsFunctions(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && !l.unit.info.Types[call.Fun].IsType() {
			_, builtin := l.unit.info.Uses[calleeIdent(call)].(*types.Builtin)
			found = found || calleeIdent(call) == nil || !builtin
		}
		return !found
	})
	return found
}

// capacityOf is the capacity of the slice that p leads to, whose length is n: a part may be cut up to the end of what
// it is a part of.
func (l *lowerer) capacityOf(p *pointer, n ir.Atom) ir.Atom {
	at := len(p.steps)
	var before ir.Atom
	for ; at > 0 && p.steps[at-1].size != nil; at-- {
		before = l.sum(before, p.steps[at-1].at)
	}
	if at == len(p.steps) {
		return n
	}
	whole := *p
	whole.steps = p.steps[:at:at]
	v := l.follow(&whole)
	if length, _, isArr := isArray(v.typ); isArr {
		return l.arith(ir.Sub, ir.IntConst(ir.Int, length), before)
	}
	return l.arith(ir.Sub, l.length(v), before)
}

// narrowsPart lowers dst = dst[lo:hi], where dst is a place, as a parameter may be, and the statement runs once in a
// call of the function at hand: the name is that of a part of the place then. It says whether it is such an assignment.
func (l *lowerer) narrowsPart(s *ast.AssignStmt) bool {
	if s.Tok != token.ASSIGN || len(s.Lhs) != 1 || len(s.Rhs) != 1 || len(l.stack) == 0 {
		return false
	}
	v := variable(l.unit.info, s.Lhs[0])
	cut, ok := ast.Unparen(s.Rhs[0]).(*ast.SliceExpr)
	if v == nil || !ok || variable(l.unit.info, cut.X) != v || l.env.vals[v].ref == nil || !l.isOwnKey(v) {
		return false
	}
	body, ok := l.bodyOf(l.stack[len(l.stack)-1]).(*ast.BlockStmt)
	if !ok || !slices.Contains(body.List, ast.Stmt(s)) {
		return false
	}
	part := l.cutReference(cut, false)
	if part.ref != nil {
		l.env.set(v, part)
	}
	return part.ref != nil || part.bad
}
