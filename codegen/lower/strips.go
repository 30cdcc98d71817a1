package lower

import (
	"slices"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// stripLength is how many elements a strip holds: enough to pay for the call of the gathering routine, few enough to
// stay in the first-level cache beside what is read with them.
const stripLength = 256

// stripGather is a read from[index[offset+i]] in a vector loop over i.
type stripGather struct {
	stmt   *ir.Stmt
	name   string
	from   *array
	index  *array
	offset kir.Expr
	buf    *kir.Array
}

// stripGathers finds the reads in the straight-line part of a body that can be done a strip at a time. A check that
// is made in the loop ends that part: the reads after it may be ones that it prevents. But where all such checks are
// of consecutive indices, they are made a strip at a time as well, and returned, if some read waits for one.
func (l *lowerer) stripGathers(r rangeLoop, e *env) (gs []*stripGather, checks []*checkOfMany) {
	all, ahead := l.checksAhead(r.body, r.i, e)
	passed := false
	for _, s := range r.body.Stmts {
		if c, ok := s.Op.(*ir.Check); ok && !l.hoisted[c] {
			if !ahead {
				break
			}
			passed = true
		}
		read, ok := s.Op.(*ir.Index)
		if !ok || read.X.Type().Rank != 1 {
			continue
		}
		from, ok := e.getAtom(read.X)
		if !ok || from.arr == nil || from.arr.rows != nil || from.arr.private || from.arr.a.Field != nil || from.arr.a.Kind == ir.Bool {
			continue
		}
		idx := l.defs.ReadAsIs(read.I)
		if idx == nil {
			continue
		}
		index, ok := e.getAtom(idx.X)
		if !ok || index.arr == nil || index.arr.rows != nil || index.arr.private || index.arr.a.Field != nil {
			continue
		}
		if k := index.arr.a.Kind; k != ir.Int32 && k != ir.Int64 && k != ir.Int {
			continue
		}
		if !stripKind(from.arr.a.Kind) {
			continue
		}
		if off, ok := l.offsetFrom(idx.I, r.i, e); ok {
			gs = append(gs, &stripGather{stmt: s, name: s.Dst[0].Name + "Strip", from: from.arr, index: index.arr, offset: off})
			if passed {
				checks = all
			}
		}
	}
	return gs, checks
}

// strips are the reads of a loop that are made for a strip of elements at a time.
type strips struct {
	gathers []*stripGather
	checks  []*checkOfMany // made before the gathers
	fields  *fieldStrips   // nil for none
}

// stripsOf returns the strips of a loop, nil if it has none.
func (l *lowerer) stripsOf(r rangeLoop, e *env) *strips {
	st := &strips{}
	st.gathers, st.checks = l.stripGathers(r, e)
	if st.fields = l.fieldsOf(r, e); st.fields == nil && len(st.gathers) == 0 {
		return nil
	}
	return st
}

// loops emits the loop over strips, and the loops over whole vectors from i's value on in each.
func (st *strips) loops(l *lowerer, i *kir.Var, lv level, r rangeLoop, e *env, element func(i value, copy int, e *env)) {
	strip := &kir.For{V: l.fresh("strip", kir.Int), Lo: r.lo, Hi: r.hi, Step: stripLength, Pos: r.pos, What: "strips of " + r.what}
	start := &kir.Ref{V: strip.V}
	l.inside(&strip.Body, func() {
		end := l.letExpr("end", &kir.Bin{Fn: ir.Min, X: add(start, intConst(stripLength)), Y: r.hi, T: kir.Int})
		for _, c := range st.checks {
			l.emit(c.from(l, start, end))
			l.hoisted[c.check] = true
			defer delete(l.hoisted, c.check)
		}
		for _, g := range st.gathers {
			g.buf = &kir.Array{Name: l.name(g.name), Kind: g.from.a.Kind, Space: kir.Strip, Size: stripLength}
			l.emit(&kir.Call{R: &kir.Routine{Name: kir.GatherStrip, Args: []kir.Arg{
				{A: g.buf, X: intConst(0)}, {A: g.from.a, X: orZero(g.from.off)}, {A: g.index.a, X: l.at(g.index, add(g.offset, start))},
				{X: sub(end, start)}}}})
		}
		if st.fields != nil {
			st.fields.take(l, start, end)
		}
		stmts := make([]*ir.Stmt, len(st.gathers))
		for k, g := range st.gathers {
			stmts[k] = g.stmt
		}
		restore := l.skipDead(r.body, stmts)
		r.several = nil // which would look for what is in strips where the elements have it
		l.vectorLoops(i, end, lv, r, e, func(iv value, copy int, e *env) {
			l.strips = map[*ir.Stmt]value{}
			for _, g := range st.gathers {
				at := l.letExpr("at", sub(iv.x, start))
				l.strips[g.stmt] = value{x: &kir.Load{A: g.buf, I: at, T: l.vectorType(g.buf.Kind, l.width)}, form: vector}
			}
			l.fields = st.fields
			element(iv, copy, e)
			l.strips, l.fields = nil, nil
		})
		restore()
		if st.fields != nil {
			st.fields.put(l, start, &kir.Ref{V: i})
		}
	})
	l.emit(strip)
}

// checksAhead is checksOfMany where the checks name the same positions as one by one: those in a whole array.
func (l *lowerer) checksAhead(b *ir.Block, i *ir.Var, e *env) ([]*checkOfMany, bool) {
	checks, ok := l.checksOfMany(b, i, e)
	return checks, ok && !slices.ContainsFunc(checks, func(c *checkOfMany) bool { return c.index.off != nil })
}

func stripKind(k ir.Kind) bool {
	switch k {
	case ir.Float64, ir.Float32, ir.Int32, ir.Int64, ir.Int:
		return true
	}
	return false
}
