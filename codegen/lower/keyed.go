package lower

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// scatterOp lowers a Scatter: every element goes to a place of its own, so that any number of workers may do it.
func (l *lowerer) scatterOp(s *ir.Stmt, op *ir.Scatter, e *env, depth int, lv level) {
	n, w := l.atom(op.N, e), l.atom(op.W, e)
	l.noLanes(lv, depth, "elements are put at computed places")
	dests := make([]*array, len(s.Dst))
	for i, d := range s.Dst {
		if l.dest[d] == nil && !l.on.bounded(w.x) { // no more elements than there are to put
			dests[i] = l.destination(d, n.x, e)
			dests[i].n = w.x
			continue
		}
		dests[i] = l.destination(d, w.x, e)
	}
	element := func(i value, _ int, e *env) {
		e.m[op.I] = i
		l.scoped(func() {
			vs := l.block(op.Body, e, depth+1)
			at := l.letExpr("at", vs[0].x)
			node := &kir.If{Cond: &kir.Bin{Fn: ir.Ge, X: at, Y: intConst(0), T: kir.ScalarType(ir.Bool)}}
			l.inside(&node.Then, func() {
				for k, d := range dests {
					l.store(&kir.Store{A: d.a, I: l.at(d, at), X: vs[k+1].x})
				}
			})
			l.emit(node)
		}, op.Body)
	}
	if lv.par {
		l.on.spread(n.x, op.I.Name, depth, lv, s, "scatter", e, func(i kir.Expr, e *env) { element(scalar(i), 0, e) })
		return
	}
	run := func(lo, hi kir.Expr, e *env) {
		l.iterate(rangeLoop{body: op.Body, i: op.I, lo: lo, hi: hi, depth: depth, what: "scatter", pos: s.Pos}, lv, e, element, nil)
	}
	if lv.pool {
		l.par(n.x, depth, s.Pos, "scatter", func(p *kir.Par) { run(&kir.Ref{V: p.Lo}, &kir.Ref{V: p.Hi}, e.child()) })
		return
	}
	run(intConst(0), n.x, e)
}

// noLanes vetoes lanes at the level of an operator that has no vector form, and around it.
func (l *lowerer) noLanes(lv level, depth int, why string) {
	if lv.lanes() || lv.marked > 0 {
		veto("level %d cannot use lanes: %s", depth+1, why)
	}
	if l.marked != nil {
		veto("level %d cannot use lanes: inside it %s", l.marked.level, why)
	}
	if l.width > 1 {
		veto("level %d cannot use lanes: inside it %s", l.laneLevel, why)
	}
}

// each emits a plain loop over [0, n).
func (l *lowerer) each(name string, n kir.Expr, body func(i kir.Expr)) {
	l.between(name, intConst(0), n, body)
}

// between emits a plain loop over [lo, hi).
func (l *lowerer) between(name string, lo, hi kir.Expr, body func(i kir.Expr)) {
	node := &kir.For{V: l.fresh(name, kir.Int), Lo: lo, Hi: hi, Step: 1}
	l.inside(&node.Body, func() { body(&kir.Ref{V: node.V}) })
	l.emit(node)
}

// histogram is what the parts of a lowered Hist share.
type histogram struct {
	op    *ir.Hist
	comb  combiner
	names []string
	depth int
	pos   ir.Pos
}

// histOp lowers a Hist. On the pool each chunk fills bins of its own, and the bins of all chunks are combined in chunk
// order, so that timing has no influence on the result; or elements are sorted by ranges of bins, see sortedhist.go.
func (l *lowerer) histOp(s *ir.Stmt, op *ir.Hist, e *env, depth int, lv level) {
	n, w := l.atom(op.N, e).x, l.atom(op.W, e).x
	own := lv
	if op.Row() == nil { // see [lowerer.inOrder]
		own = level{}
	}
	l.noLanes(own, depth, "several elements may fall into one bin")
	init := l.atoms(op.Init, e)
	dests := make([]*array, len(s.Dst))
	for i, d := range s.Dst {
		dests[i] = l.destination(d, w, e)
	}
	h := histogram{op, newCombiner(op.Comb), names(s.Dst), depth, s.Pos}
	switch {
	case lv.pool && lv.sorted && op.Row() == nil:
		l.sortedHist(h, n, w, dests, init, lv, e)
	case lv.pool:
		l.privateHist(h, n, w, dests, init, lv, e)
	default:
		l.on.ifLeader(func() {
			l.each("b", w, func(b kir.Expr) { l.setBin(dests, b, init) })
		})
		l.fillBins(h, w, intConst(0), n, dests, nil, lv, e)
	}
}

// partial is memory of which each chunk of a loop has a part.
func (l *lowerer) partial(name string, k ir.Kind) *kir.Array {
	return &kir.Array{Name: l.name(name + "Parts"), Kind: k, Space: kir.Partial}
}

// privateHist has each chunk fill bins of its own.
func (l *lowerer) privateHist(h histogram, n, w kir.Expr, dests []*array, init []value, lv level, e *env) {
	parts := make([]*kir.Array, len(dests))
	for i, d := range dests {
		parts[i] = l.partial(h.names[i], d.a.Kind)
	}
	var hit *kir.Array // which bins a chunk has met, where no neutral element can stand for those that it has not
	all := parts
	if h.comb.fns == nil {
		hit = l.partial(h.names[0]+"Hit", ir.Bool)
		all = append(append([]*kir.Array(nil), parts...), hit)
	}
	p := l.par(n, h.depth, h.pos, "histogram", func(p *kir.Par) {
		first := l.letExpr("first", &kir.Bin{Fn: ir.Mul, X: &kir.Ref{V: p.Chunk}, Y: w, T: kir.Int})
		own := make([]*array, len(parts))
		for i, a := range parts {
			own[i] = l.ownBins("own", a.Kind, w)
		}
		var met *array
		if hit != nil {
			met = l.ownBins("own", hit.Kind, w)
			l.noneMet(met, w)
		} else {
			l.neutralBins(h, own, w)
		}
		l.fillBins(h, w, &kir.Ref{V: p.Lo}, &kir.Ref{V: p.Hi}, own, met, lv, e.child())
		l.each("b", w, func(b kir.Expr) {
			at := add(first, b)
			for k, a := range parts {
				x := &kir.Load{A: own[k].a, I: b, T: kir.ScalarType(a.Kind)}
				if met == nil {
					l.emit(&kir.Store{A: a, I: at, X: x})
					continue
				}
				node := &kir.If{Cond: &kir.Load{A: met.a, I: b, T: kir.ScalarType(ir.Bool)}} // what was never set is not read
				l.inside(&node.Then, func() { l.emit(&kir.Store{A: a, I: at, X: x}) })
				l.emit(node)
			}
			if met != nil {
				l.emit(&kir.Store{A: hit, I: at, X: &kir.Load{A: met.a, I: b, T: kir.ScalarType(ir.Bool)}})
			}
		})
	})
	p.Even, p.Partials, p.PartialWidth, p.Count = true, all, w, l.fresh("parts", kir.Int)
	whole := l.par(w, h.depth, h.pos, "bins of all chunks", func(of *kir.Par) {
		e := e.child()
		l.between("b", &kir.Ref{V: of.Lo}, &kir.Ref{V: of.Hi}, func(b kir.Expr) { l.setBin(dests, b, init) })
		l.each("part", &kir.Ref{V: p.Count}, func(part kir.Expr) {
			first := l.letExpr("first", &kir.Bin{Fn: ir.Mul, X: part, Y: w, T: kir.Int})
			l.between("b", &kir.Ref{V: of.Lo}, &kir.Ref{V: of.Hi}, func(b kir.Expr) {
				merge := func() {
					elems := make([]value, len(parts))
					for k, a := range parts {
						elems[k] = scalar(l.letExpr("x", &kir.Load{A: a, I: add(first, b), T: kir.ScalarType(a.Kind)}))
					}
					l.intoBin(h, dests, b, elems, e)
				}
				if hit == nil {
					merge()
					return
				}
				node := &kir.If{Cond: &kir.Load{A: hit, I: add(first, b), T: kir.ScalarType(ir.Bool)}}
				l.inside(&node.Then, merge)
				l.emit(node)
			})
		})
	})
	whole.Even, whole.Work = true, multiple(w, binOperations)
}

// binOperations is about how many operations it takes to combine what all chunks have of a bin: with few bins one
// worker does it, as the others would have to be woken.
const binOperations = 4

// fillBins combines the elements of [lo, hi) into w bins.
func (l *lowerer) fillBins(h histogram, w, lo, hi kir.Expr, bins []*array, met *array, lv level, e *env) {
	body := h.op.Body
	if row := h.op.Row(); row != nil {
		l.rows[row] = &binRow{h, bins, met}
		defer delete(l.rows, row)
		l.iterate(rangeLoop{body: body, i: h.op.I, lo: lo, hi: hi, depth: h.depth, what: "histogram", pos: h.pos}, lv, e, func(i value, _ int, e *env) {
			e.m[h.op.I] = i
			l.scoped(func() {
				for _, s := range body.Stmts { // the Map of the row puts it into the bin: there is no result
					if !l.skip[s] {
						l.stmt(s, e, h.depth+1)
					}
				}
			}, body)
		}, nil)
		return
	}
	if l.inTables(h, lv) {
		l.fillTables(h, w, lo, hi, bins, lv, e)
		return
	}
	l.fillOne(h, lo, hi, bins, met, lv, e)
}

// fillOne combines the elements of [lo, hi) into bins where these are scalars, one after the other.
func (l *lowerer) fillOne(h histogram, lo, hi kir.Expr, bins []*array, met *array, lv level, e *env) {
	l.inOrder(h, "histogram", 1+len(bins), lo, hi, lv, e, func(b kir.Expr, elems []value) {
		l.on.ifLeader(func() { l.intoMet(h, bins, met, b, elems, e) })
	})
}

// noneMet stores that none of w bins has an element yet.
func (l *lowerer) noneMet(met *array, w kir.Expr) {
	l.each("b", w, func(b kir.Expr) { l.notMet(met, b) })
}

// notMet stores that bin b has no element yet.
func (l *lowerer) notMet(met *array, b kir.Expr) {
	l.emit(&kir.Store{A: met.a, I: l.at(met, b), X: &kir.Const{C: ir.BoolConst(false)}})
}

// intoMet combines elements with bin b. With met, a bin that has no element yet takes its first one as it is.
func (l *lowerer) intoMet(h histogram, bins []*array, met *array, b kir.Expr, elems []value, e *env) {
	if met == nil {
		l.intoBin(h, bins, b, elems, e)
		return
	}
	for k := range elems {
		elems[k].x = l.letExpr("x", elems[k].x)
	}
	node := &kir.If{Cond: &kir.Load{A: met.a, I: l.at(met, b), T: kir.ScalarType(ir.Bool)}}
	l.inside(&node.Then, func() { l.intoBin(h, bins, b, elems, e) })
	l.inside(&node.Else, func() {
		l.emit(&kir.Store{A: met.a, I: l.at(met, b), X: &kir.Const{C: ir.BoolConst(true)}})
		l.setBin(bins, b, elems)
	})
	l.emit(node)
}

// binRow is where the elements of a Map go that are the row of a bin.
type binRow struct {
	h    histogram
	bins []*array
	met  *array
}

// rowIntoBin lowers the Map of a Hist of rows: each element is combined into its place of the bin where it is computed.
func (l *lowerer) rowIntoBin(s *ir.Stmt, op *ir.Map, into *binRow, n kir.Expr, e *env, depth int, lv level) {
	if lv.pool {
		veto("level %d is a row that is added to a bin: there is too little of it for the pool", depth+1)
	}
	if lv.lanes() && into.met != nil {
		veto("level %d cannot use lanes: its combining function has no neutral element that is known", depth+1)
	}
	first := l.atom(into.h.op.Body.Results[0], e).x
	element := func(j value, _ int, e *env) {
		e.m[op.I] = j
		l.scoped(func() {
			elems := l.block(op.Body, e, depth+1)
			at := l.letExpr("at", add(first, j.x))
			if j.form == contig {
				l.intoLanes(into, at, elems, e)
				return
			}
			l.on.ifLeader(func() { l.intoMet(into.h, into.bins, into.met, at, elems, e) })
		}, op.Body)
	}
	if lv.par {
		l.on.spread(n, op.I.Name, depth, lv, s, "row of a bin", e, func(j kir.Expr, e *env) { element(scalar(j), 0, e) })
		return
	}
	l.iterate(rangeLoop{body: op.Body, i: op.I, lo: intConst(0), hi: n, depth: depth, what: "row of a bin", pos: s.Pos, halves: true}, lv, e, element, nil)
}

// intoLanes combines a vector of elements with as many neighbouring bins.
func (l *lowerer) intoLanes(into *binRow, at kir.Expr, elems []value, e *env) {
	accs := make([]value, len(into.bins))
	for k, d := range into.bins {
		accs[k] = value{x: &kir.Load{A: d.a, I: l.at(d, at), T: l.loadType(d.a.Kind)}, form: vector}
		if len(into.bins) > 1 {
			accs[k].x = l.letExpr(into.h.names[k], accs[k].x)
		}
	}
	next := l.combine(accs, elems, into.h.comb, e)
	for k, d := range into.bins {
		l.emit(&kir.Store{A: d.a, I: l.at(d, at), X: l.vec(next[k])})
	}
}

// intoBin emits bins[b] = bins[b] ⊕ elems.
func (l *lowerer) intoBin(h histogram, bins []*array, b kir.Expr, elems []value, e *env) {
	accs := l.binAt(bins, b)
	if h.comb.fns != nil { // each is one line: the Go compiler puts an instruction for an inlined call on a line without another
		l.setBin(bins, b, l.combine(accs, elems, h.comb, e))
		return
	}
	next := l.combine(l.named(accs, h.names), elems, h.comb, e)
	l.setBin(bins, b, l.named(next, h.names))
}

// binAt is what bin b holds.
func (l *lowerer) binAt(bins []*array, b kir.Expr) []value {
	vs := make([]value, len(bins))
	for k, d := range bins {
		vs[k] = scalar(&kir.Load{A: d.a, I: l.at(d, b), T: kir.ScalarType(d.a.Kind)})
	}
	return vs
}

// setBin stores vs into bin b.
func (l *lowerer) setBin(bins []*array, b kir.Expr, vs []value) {
	for k, d := range bins {
		l.emit(&kir.Store{A: d.a, I: l.at(d, b), X: vs[k].x})
	}
}

// sortOp lowers a Sort: the keys go to scratch memory, unless they lie in memory already, and a routine of the platform
// sorts their positions.
func (l *lowerer) sortOp(s *ir.Stmt, op *ir.Sort, e *env, depth int, lv level) {
	n := l.atom(op.N, e).x
	l.noLanes(lv, depth, "sorting has no vector form")
	if lv.unroll > 1 {
		veto("level %d: a routine sorts, which is not unrolled", depth+1)
	}
	dst := l.destination(s.Dst[0], n, e)
	pool := 0
	if lv.pool {
		pool = depth + 1
	}
	sort := func(keys *array, at kir.Expr) {
		l.emit(&kir.Call{R: &kir.Routine{Name: kir.SortIndex, T: kir.Int, Args: []kir.Arg{
			{A: keys.a, X: at}, {A: dst.a, X: l.at(dst, intConst(0))}, {X: n}, {X: intConst(pool)}}}})
	}
	if src, off := l.plainRead(op.Body, op.I, e); src != nil {
		sort(src, l.at(src, off))
		return
	}
	sc := &kir.Scoped{}
	l.inside(&sc.Body, func() {
		keys := &array{a: &kir.Array{Name: l.name("keys"), Kind: op.Body.Results[0].Type().Kind, Space: kir.Scratch}, n: n}
		l.emit(&kir.AllocScratch{A: keys.a, N: n})
		run := func(lo, hi kir.Expr, e *env) {
			l.iterate(rangeLoop{body: op.Body, i: op.I, lo: lo, hi: hi, depth: depth, what: "keys to sort by", pos: s.Pos}, lv, e, func(i value, _ int, e *env) {
				e.m[op.I] = i
				l.scoped(func() {
					l.emit(&kir.Store{A: keys.a, I: i.x, X: l.block(op.Body, e, depth+1)[0].x})
				}, op.Body)
			}, nil)
		}
		if lv.pool {
			l.par(n, depth, s.Pos, "keys to sort by", func(p *kir.Par) { run(&kir.Ref{V: p.Lo}, &kir.Ref{V: p.Hi}, e.child()) })
		} else {
			run(intConst(0), n, e)
		}
		sort(keys, intConst(0))
	})
	l.emit(sc)
}
