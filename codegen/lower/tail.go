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

// updateTail computes the turns of a loop that updates in place from i's value on up to hi, less than a vector, in the
// first lanes of one, and sets i to hi. The others are no turns: they read and write nothing.
func (l *lowerer) updateTail(r rangeLoop, i *kir.Var, hi kir.Expr, e *env, kind ir.Kind, turn func(i value, e *env)) {
	rest := &kir.If{Cond: &kir.Bin{Fn: ir.Lt, X: &kir.Ref{V: i}, Y: hi, T: kir.ScalarType(ir.Bool)}}
	l.inside(&rest.Then, func() {
		at := l.letExpr(r.i.Name, add(&kir.Ref{V: i}, intConst(0)))
		active := l.active
		l.active = l.letExpr("m", &kir.FirstLanes{Start: at, Bound: hi, T: l.firstLanes(kind)})
		turn(value{x: at, form: contig}, e)
		l.active = active
		l.emit(&kir.Set{V: i, X: hi})
	})
	l.emit(rest)
}

// hasUpdateTail reports whether the last turns of a loop that updates in place may be computed by [lowerer.updateTail],
// and of which kind a number is that it writes.
func (l *lowerer) hasUpdateTail(op *ir.Loop, lv level, e *env) (kind ir.Kind, ok bool) {
	if lv.width < 8 || !l.computedBeside(op.Body, op.I, e) {
		return kind, false
	}
	for _, s := range op.Body.Stmts {
		if u, is := s.Op.(*ir.Update); is {
			if kind = u.Value.Type().Kind; kind.Bytes() < 4 {
				return kind, false
			}
			ok = true
		}
	}
	return kind, ok
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
	return l.computedBeside(b, i, e)
}

// computedBeside is sideBySide for what may also write elements, side by side.
func (l *lowerer) computedBeside(b *ir.Block, i *ir.Var, e *env) bool {
	beside := map[ir.Atom]bool{i: true} // positions that follow each other from lane to lane
	inside := map[ir.Atom]bool{i: true} // what differs from element to element
	wide := func(a ir.Atom) bool {
		v, ok := e.getAtom(a)
		return ok && v.arr != nil && !v.arr.private && v.arr.rows == nil && v.arr.a.Field == nil && v.arr.a.Kind != ir.Bool
	}
	written := map[ir.Atom]bool{}
	for _, s := range b.Stmts {
		varies := false
		for _, o := range ir.Operands(s.Op) {
			varies = varies || inside[*o]
		}
		switch op := s.Op.(type) {
		case *ir.Binary:
			if s.Dst[0].T.Kind == ir.Int {
				beside[s.Dst[0]] = (op.Fn == ir.Add || op.Fn == ir.Sub) && beside[op.X] && !inside[op.Y] || op.Fn == ir.Add && beside[op.Y] && !inside[op.X]
			}
		case *ir.Unary, *ir.FMA, *ir.Convert, *ir.Select:
		case *ir.Check:
			if !l.hoisted[op] {
				return false
			}
		case *ir.Index:
			if !beside[op.I] || !wide(op.X) {
				return false
			}
		case *ir.Update:
			if !beside[op.I] || !written[op.X] && !wide(op.X) {
				return false
			}
			written[s.Dst[0]] = true
			continue
		default:
			return false
		}
		for _, d := range s.Dst {
			inside[d] = varies
		}
	}
	return true
}
