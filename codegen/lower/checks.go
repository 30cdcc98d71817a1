package lower

import (
	"slices"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// checkAll recognises an inspected loop that checks consecutive elements of an array against one limit, and emits one
// routine call for it.
func (l *lowerer) checkAll(op *ir.Map, lo, hi kir.Expr, e *env) bool {
	checks, ok := l.checksOfMany(op.Body, op.I, e)
	if !ok || len(checks) != 1 {
		return false
	}
	l.emit(checks[0].from(l, lo, hi))
	return true
}

// checkOfMany is a check of consecutive elements of an array against one limit, which a loop makes of one each turn.
type checkOfMany struct {
	stmt   *ir.Stmt
	check  *ir.Check
	index  *array
	offset kir.Expr
	limit  kir.Expr
}

// checksOfMany returns the checks of b, the body of a loop over i, that are left to be made while it runs, if routine
// calls can make each of them for many elements.
func (l *lowerer) checksOfMany(b *ir.Block, i *ir.Var, e *env) (checks []*checkOfMany, ok bool) {
	ok = true
	ir.Walk(b, func(s *ir.Stmt) {
		if c, check := s.Op.(*ir.Check); check && !l.hoisted[c] && ok {
			var m *checkOfMany
			if m, ok = l.checkOfMany(s, c, i, e); ok {
				ok = slices.Contains(b.Stmts, s)
				checks = append(checks, m)
			}
		}
	})
	return checks, ok
}

func (l *lowerer) checkOfMany(s *ir.Stmt, c *ir.Check, i *ir.Var, e *env) (*checkOfMany, bool) {
	m := &checkOfMany{stmt: s, check: c}
	if c.Kind != ir.CheckIndex {
		return nil, false
	}
	read := l.defs.ReadAsIs(m.check.Args[0])
	if read == nil {
		return nil, false
	}
	limit, ok := e.getAtom(m.check.Args[1])
	arr, ok2 := e.getAtom(read.X)
	if !ok || !ok2 || limit.form != uniform || arr.arr == nil || arr.arr.rows != nil || arr.arr.private || arr.arr.a.Field != nil {
		return nil, false
	}
	if k := arr.arr.a.Kind; k != ir.Int32 && k != ir.Int64 && k != ir.Int {
		return nil, false
	}
	off, ok := l.offsetFrom(read.I, i, e)
	if !ok {
		return nil, false
	}
	m.index, m.offset, m.limit = arr.arr, off, limit.x
	return m, true
}

// from is the check of the elements that the indices [lo, hi) of the loop read.
func (m *checkOfMany) from(l *lowerer, lo, hi kir.Expr) *kir.CheckAll {
	return &kir.CheckAll{A: m.index.a, I: l.at(m.index, add(m.offset, lo)), N: sub(hi, lo), Limit: m.limit, Op: m.check.Op, Arg: m.check.Arg, Pos: m.stmt.Pos}
}

// offsetFrom returns x with a = x + i, for an a that is i itself or i plus or minus something that is known outside.
func (l *lowerer) offsetFrom(a ir.Atom, i *ir.Var, e *env) (kir.Expr, bool) {
	form, ok := analysis.Form{Defs: l.defs, Known: func(a ir.Atom) (analysis.Affine, bool) {
		if a == ir.Atom(i) {
			return analysis.On(i), true
		}
		v, ok := e.getAtom(a)
		return analysis.Outside(a), ok && v.form == uniform && v.arr == nil
	}}.Affine(a)
	times, constant := form.Factor(analysis.Index{V: i}).Constant()
	if !ok || len(form.Parts) != 1 || !constant || times != 1 || len(form.Base) > 1 {
		return nil, false
	}
	if len(form.Base) == 0 {
		return intConst(0), true
	}
	base := form.Base[0]
	if len(base.Of) == 0 {
		return intConst(int(base.C)), true
	}
	x, known := e.getAtom(base.Of[0])
	switch {
	case !known || x.form != uniform || len(base.Of) > 1:
		return nil, false
	case base.C == 1:
		return x.x, true
	case base.C == -1:
		return sub(intConst(0), x.x), true
	}
	return nil, false
}
