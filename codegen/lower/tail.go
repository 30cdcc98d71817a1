package lower

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// What whole vectors leave of a row is one vector more, in which only the first lanes count: a row of 20 elements is
// three vectors of 8, not two and four single elements. Single elements remain for rows that are so short that adding
// the lanes up would take longer.

// tailLeast is how many elements a row has at least for vectors to be used. Package selector counts with it, and with
// the least width that has a tail (leastFilled).
const tailLeast = 4

// tail computes the elements from i's value on up to hi, less than a vector, in the first lanes of one, and sets i to
// hi.
func (l *lowerer) tail(r reduction, accs []*kir.Var, i *kir.Var, hi kir.Expr, e *env) {
	rest := &kir.If{Cond: &kir.Bin{Fn: ir.Lt, X: &kir.Ref{V: i}, Y: hi, T: kir.ScalarType(ir.Bool)}}
	l.inside(&rest.Then, func() {
		at := l.letExpr(r.i.Name, add(&kir.Ref{V: i}, intConst(0)))
		first := value{x: l.letExpr("m", &kir.FirstLanes{Start: at, Bound: hi, T: l.firstLanes(accs[0].T.Kind)}), form: vector}
		e.m[r.i] = value{x: at, form: contig}
		active := l.active
		l.active = first.x
		elems := l.block(r.body, e, r.depth+1)
		for k, x := range elems {
			c, _ := analysis.Neutral(r.comb.fns[k], r.body.Results[k].Type().Kind)
			elems[k] = l.selectValue(first, x, scalar(&kir.Const{C: c}))
		}
		l.active = active
		l.combineInto(accs, elems, r.comb, e)
		l.emit(&kir.Set{V: i, X: hi})
	})
	l.emit(rest)
}

// hasTail reports whether what is left of a row may be computed by [lowerer.tail].
func (l *lowerer) hasTail(r reduction, lv level, e *env) bool {
	return r.depth > 0 && lv.width >= 8 && r.comb.fns != nil && l.sideBySide(r.body, r.i, e)
}

// mapTail computes the elements of a Map from i's value on up to hi, less than a vector, in the first lanes of one, and
// sets i to hi. There it is only if rows are shorter than a vector: else the last vector begins with elements that are
// computed already.
func (l *lowerer) mapTail(r rangeLoop, i *kir.Var, hi kir.Expr, e *env, element func(i value, copy int, e *env)) {
	rest := &kir.If{Cond: &kir.Bin{Fn: ir.Le, X: add(&kir.Ref{V: i}, intConst(tailLeast)), Y: hi, T: kir.ScalarType(ir.Bool)}}
	l.inside(&rest.Then, func() {
		at := l.letExpr(r.i.Name, add(&kir.Ref{V: i}, intConst(0)))
		active := l.active
		l.active = l.letExpr("m", &kir.FirstLanes{Start: at, Bound: hi, T: l.firstLanes(r.stores[0].a.Kind)})
		element(value{x: at, form: contig}, 0, e)
		l.active = active
		l.emit(&kir.Set{V: i, X: hi})
	})
	l.emit(rest)
}

// hasMapTail reports whether the elements of a row that is shorter than a vector may be computed by [lowerer.mapTail].
func (l *lowerer) hasMapTail(r rangeLoop, e *env) bool {
	if r.what != "map" || r.depth == 0 || l.width < 8 || len(r.stores) == 0 || l.panels[r.body] != nil || !l.sideBySide(r.body, r.i, e) {
		return false
	}
	for _, to := range r.stores {
		if to == nil || to.private || to.rows != nil || to.a.Field != nil || to.a.Kind.Bytes() < 4 {
			return false
		}
	}
	return true
}

// firstLanes is the type of a mask for elements of a kind.
func (l *lowerer) firstLanes(k ir.Kind) kir.Type {
	t := l.accType(ir.Bool)
	if l.width == 8 && bitsOf(k) == 32 {
		t.Bits = 32
	}
	return t
}

// sideBySide reports whether the elements of a level are read side by side, and nothing is done with them but
// arithmetic.
func (l *lowerer) sideBySide(b *ir.Block, i *ir.Var, e *env) bool {
	for _, a := range b.Results {
		if a.Type().Kind == ir.Bool || !a.Type().IsScalar() {
			return false
		}
	}
	beside := map[ir.Atom]bool{i: true} // positions that follow each other from lane to lane
	inside := map[ir.Atom]bool{i: true} // what differs from element to element
	for _, s := range b.Stmts {
		varies := false
		for _, o := range ir.Operands(s.Op) {
			varies = varies || inside[*o]
		}
		switch op := s.Op.(type) {
		case *ir.Binary:
			if s.Dst[0].T.Kind == ir.Int && op.Fn == ir.Add {
				beside[s.Dst[0]] = beside[op.X] && !inside[op.Y] || beside[op.Y] && !inside[op.X]
			}
		case *ir.Unary, *ir.Convert, *ir.Select:
		case *ir.Index:
			if arr := l.atom(op.X, e).arr; !beside[op.I] || arr == nil || arr.private || arr.rows != nil || arr.a.Field != nil || arr.a.Kind == ir.Bool {
				return false
			}
		default:
			return false
		}
		for _, d := range s.Dst {
			inside[d] = varies
		}
	}
	return true
}
