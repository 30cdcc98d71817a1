package lower

import (
	"maps"
	"slices"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
)

// iterateLanes is the vector form of iterate: whole vectors (unrolled, then one by one), then single elements. Where
// the body gathers through indices that lie one behind the other in memory, it works strip by strip, and the elements
// of a strip are gathered by one routine call.
func (l *lowerer) iterateLanes(r rangeLoop, lv level, e *env, element func(i value, copy int, e *env), between func() (after func())) {
	i := l.fresh(r.i.Name, kir.Int)
	l.emit(&kir.Let{V: i, X: r.lo})
	single := func(hi kir.Expr) {
		l.steps(i, hi, 1, r, func() { element(scalar(&kir.Ref{V: i}), 0, e.child()) })
	}
	after := func() {}
	strips := l.stripsOf(r, e)
	rows := l.rowsOf(r, e)
	packed := l.panels[r.body]
	if strips != nil || r.what != "map" {
		packed = nil
	}
	if packed != nil {
		rows = nil
	}
	var stored *storedRows
	if strips == nil && rows == nil && packed == nil && lv.tile <= 1 && (r.what == "map" || r.what == "update") {
		stored = l.storedRowsOf(r, e)
	}
	hi := r.hi
	tail := r.tail != nil && strips == nil && rows == nil && stored == nil
	switch {
	case packed != nil: // begins with the first row
	case rows != nil:
		hi = rows.whole(l, r, lv.width, e)
	case stored != nil: // looks for rows of one length
	case lv.tile > 1:
		veto("level %d: vectors of elements are computed together only where these are rows that are read several times", r.depth+1)
	case (r.what == "map" || r.what == "update") && strips == nil:
		clamps, from, to := l.clampsOf(r, e)
		edge := l.borderOf(r, e)
		if edge != nil {
			if edge.from > 0 {
				from = l.integer(ir.Max, from, intConst(edge.from))
			}
			if edge.to != nil {
				to = l.integer(ir.Min, to, edge.to)
			}
		}
		if len(clamps) > 0 || edge != nil {
			single(l.letExpr("inner", l.integer(ir.Min, from, r.hi)))
			hi = l.letExpr("outer", to)
			was, within := l.clamps, l.within
			l.clamps, l.within = clamps, edge
			defer func() { l.clamps, l.within = was, within }()
		}
	}
	vectors := func() {
		stretch := &kir.Vectors{}
		if r.begin != nil {
			r.begin()
		}
		l.inside(&stretch.Body, func() {
			l.enterLanes(lv.width, r.depth+1, func() {
				if rows != nil {
					l.rowLoops(i, hi, rows, lv, r, e, element)
					return
				}
				if stored != nil {
					stored.loop(l, i, hi, lv, r, e, element)
					return
				}
				if strips == nil {
					if r.first != nil {
						r.first(i, hi, e)
					}
					if packed != nil {
						l.panelLoops(i, packed, lv, r, e, element)
					}
					l.vectorLoops(i, hi, lv, r, e, element)
					if tail {
						r.tail(i, hi, e.child())
					}
					return
				}
				strips.loops(l, i, lv, r, e, element)
			})
			if half := (level{width: lv.width / 2, unroll: 1}); r.halves && rows == nil && stored == nil && strips == nil && wholeVectors(r.body, half.width) {
				l.enterLanes(half.width, r.depth+1, func() { l.vectorLoops(i, hi, half, r, e, element) })
			}
			if between != nil {
				after = between()
			} else {
				l.clear()
			}
		})
		l.emit(stretch)
		after()
	}
	if (r.what == "map" || r.what == "update") && strips == nil && rows == nil && stored == nil && packed == nil {
		if step, products := fuse.StepOf(l.k.Func, r.body, r.i); step != nil {
			all := vectors
			vectors = func() { l.byOne(step, products, e, all) }
		}
	}
	if own := l.ownRowsOf(r); own != nil {
		all := vectors
		vectors = func() { own.fitting(l, lv.width*max(lv.unroll, 1), rows, stored, e, all) }
	}
	if stored != nil {
		stored.stretches(l, i, r.hi, lv.width, func(end kir.Expr) { hi = end; vectors() }, single)
		return
	}
	if r.few {
		least := lv.width
		if tail {
			least = tailLeast
		}
		some := &kir.If{Cond: &kir.Bin{Fn: ir.Le, X: add(&kir.Ref{V: i}, intConst(least)), Y: hi, T: kir.ScalarType(ir.Bool)}}
		l.inside(&some.Then, vectors)
		l.emit(some)
	} else {
		vectors()
	}
	if !tail || r.few {
		single(r.hi)
	}
}

// wholeVectors reports whether w values of every kind that a body computes fill a vector of the least size that there
// is.
func wholeVectors(b *ir.Block, w int) bool {
	const least = 256
	fills := func(t ir.Type) bool { return !t.IsScalar() || t.Kind == ir.Bool || w*bitsOf(t.Kind) >= least }
	whole := true
	for _, r := range b.Results {
		whole = whole && fills(r.Type())
	}
	ir.Walk(b, func(s *ir.Stmt) {
		for _, d := range s.Dst {
			whole = whole && fills(d.T)
			if _, ok := s.Op.(*ir.Update); ok { // which may be by a constant
				whole = whole && fills(ir.Scalar(d.T.Kind))
			}
		}
	})
	return whole
}

// clear ends the use of vector registers before scalar code: a processor may run that at a fraction of its speed while
// their upper halves are in use.
func (l *lowerer) clear() { l.emit(&kir.Call{R: &kir.Routine{Name: kir.Clear}}) }

// enterLanes runs f with the state of a new vector loop; splats of values known before it go to its preheader.
func (l *lowerer) enterLanes(width, level int, f func()) {
	var pre, body []kir.Stmt
	around := l.vectorLoop
	l.vectorLoop = vectorLoop{width: width, laneLevel: level, preheader: &pre, mark: len(l.serial), splats: map[splatKey]kir.Expr{}, constSplats: map[constKey]kir.Expr{}}
	l.inside(&body, f)
	all := append(pre, body...)
	if l.takesScratch {
		all = []kir.Stmt{&kir.Scoped{Body: all}}
	}
	for _, s := range all {
		l.emit(s)
	}
	l.vectorLoop = around
}

// outside reports whether v exists before the current vector loop: host scalars, and what was declared before it. (What
// is declared before and assigned inside, an accumulator, is never the same in all lanes.)
func (l *lowerer) outside(v *kir.Var) bool { return v.Host || l.serial[v] <= l.mark }

// panelLoops emits the loops over whole vectors whose rows are packed.
func (l *lowerer) panelLoops(i *kir.Var, p *panel, lv level, r rangeLoop, e *env, element func(i value, copy int, e *env)) {
	defer l.skipDead(r.body, slices.Collect(maps.Keys(p.reads)))()
	p.reading(l, func() {
		copies := lv.unroll
		if r.several == nil || l.sumsTogether(r.depth+1) {
			copies = 1
		}
		for ; copies > 0; copies /= 2 {
			l.steps(i, p.end, lv.width*copies, r, func() {
				is, es := make([]value, copies), make([]*env, copies)
				for u := range is {
					at := l.letExpr(r.i.Name, add(&kir.Ref{V: i}, intConst(u*lv.width)))
					is[u], es[u] = value{x: at, form: contig}, e.child()
					maps.Copy(es[u].m, p.place(l, at, u, e))
				}
				if r.several != nil {
					r.several(is, es)
				} else {
					element(is[0], 0, es[0])
				}
			})
		}
	})
}

// vectorLoops emits the loops over whole vectors from i's value on.
func (l *lowerer) vectorLoops(i *kir.Var, hi kir.Expr, lv level, r rangeLoop, e *env, element func(i value, copy int, e *env)) {
	// Vectors whose elements hold another level, or a loop over rows, are computed together: they share its loop. Those
	// beside the rows of a register tile that a routine adds up are not: they have no routine.
	together := r.several != nil && (r.depth+1 < len(l.levels) || lv.column) && !l.sumsTogether(r.depth+1)
	vectors := func(copies int) {
		if together && copies > 1 {
			is, es := make([]value, copies), make([]*env, copies)
			for u := range is {
				is[u] = value{x: l.letExpr(r.i.Name, add(&kir.Ref{V: i}, intConst(u*lv.width))), form: contig}
				es[u] = e.child()
			}
			r.several(is, es)
			return
		}
		for u := range copies {
			at := l.letExpr(r.i.Name, add(&kir.Ref{V: i}, intConst(u*lv.width)))
			element(value{x: at, form: contig}, u, e.child())
		}
	}
	steps := vectorSteps{i: i, first: &kir.Ref{V: i}, hi: hi, width: lv.width, copies: max(lv.unroll, 1), pairs: together}
	if r.what == "map" && len(l.strips) == 0 && l.sumsTogether(r.depth+1) { // which would be one after the other
		steps.copies = 1
	}
	if l.panels[r.body] != nil {
		steps.first = r.lo
	}
	some := l.stepsOf(steps, r, vectors)
	if some != nil && l.hasMapTail(r, e) {
		l.inside(&some.Else, func() { l.mapTail(r, i, hi, e.child(), element) })
	}
}

// vectorSteps are loops over whole vectors from i's value to hi: copies at a time, with pairs half as many down to two,
// and then one by one. From first on elements are computed.
type vectorSteps struct {
	i             *kir.Var
	first, hi     kir.Expr
	width, copies int
	pairs         bool
}

// stepsOf emits these loops. A Map's last vector may begin with elements that are computed already: it returns the
// condition that there is a vector in all, for a Map.
func (l *lowerer) stepsOf(v vectorSteps, r rangeLoop, vectors func(copies int)) *kir.If {
	several := func() {
		for c := v.copies; c > 1; c /= 2 { // what is left waits less in pairs
			l.steps(v.i, v.hi, v.width*c, r, func() { vectors(c) })
			if !v.pairs {
				return
			}
		}
	}
	if r.what != "map" || len(l.strips) > 0 {
		several()
		l.steps(v.i, v.hi, v.width, r, func() { vectors(1) })
		return nil
	}
	some := &kir.If{Cond: &kir.Bin{Fn: ir.Le, X: add(v.first, intConst(v.width)), Y: v.hi, T: kir.ScalarType(ir.Bool)}}
	l.inside(&some.Then, func() {
		several()
		last := &kir.For{V: v.i, Hi: v.hi, Step: v.width, Keep: true, Pos: r.pos, What: r.what}
		l.inside(&last.Body, func() {
			l.emit(&kir.Set{V: v.i, X: l.integer(ir.Min, &kir.Ref{V: v.i}, sub(v.hi, intConst(v.width)))})
			vectors(1)
		})
		l.emit(last)
	})
	l.emit(some)
	return some
}
