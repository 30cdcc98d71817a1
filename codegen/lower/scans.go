package lower

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/selector/param"
)

// scanOp lowers a Scan. On the pool, either every chunk waits for the prefix of its predecessor between reducing itself
// and scanning itself from cache (chained), or all chunks are reduced, their partials scanned, and all chunks scanned
// (two_pass).
func (l *lowerer) scanOp(s *ir.Stmt, op *ir.Scan, e *env, depth int, lv level) {
	n := l.atom(op.N, e)
	init := l.atoms(op.Init, e)
	if n.form != uniform || l.width > 1 {
		veto("level %d cannot use lanes: it holds a scan in each of its elements", l.laneLevel)
	}
	comb := newCombiner(op.Comb)
	dests := make([]*array, len(s.Dst))
	for i, d := range s.Dst {
		dests[i] = l.destination(d, n.x, e)
	}
	sc := scan{op, comb, dests, depth, s.Pos, names(s.Dst)}
	r := reduction{body: op.Body, i: op.I, comb: comb, depth: depth, pos: s.Pos, names: sc.names}
	if !lv.pool {
		l.scanRange(sc, intConst(0), n.x, init, lv, e)
		return
	}
	first := lv // the order of a scan's elements is kept where the function may not be commutative
	if comb.fns == nil {
		first.width, first.unroll = 1, 1
	}
	if lv.scan == param.Chained {
		if len(init) > 1 {
			veto("level %d cannot chain: a scan of %d values at once has no chained form", depth+1, len(init))
		}
		kind := s.Dst[0].T.Kind
		l.par(n.x, depth, s.Pos, "scan", func(p *kir.Par) {
			p.Chain = &kir.Chain{Name: l.name(s.Dst[0].Name + "Chain"), Kind: kind, Seed: init[0].x}
			total := l.reduceRange(r, &kir.Ref{V: p.Lo}, &kir.Ref{V: p.Hi}, nil, first, e.child())
			seed := l.fresh("seed", kir.ScalarType(kind))
			l.emit(&kir.Wait{Chain: p.Chain, V: seed, Chunk: p.Chunk})
			next := l.combine([]value{scalar(&kir.Ref{V: seed})}, total, comb, e)
			l.emit(&kir.Publish{Chain: p.Chain, X: next[0].x, Chunk: p.Chunk})
			l.scanRange(sc, &kir.Ref{V: p.Lo}, &kir.Ref{V: p.Hi}, []value{scalar(&kir.Ref{V: seed})}, lv, e.child())
		})
		return
	}
	parts := make([]*kir.Array, len(init))
	for i, d := range s.Dst {
		parts[i] = &kir.Array{Name: l.name(d.Name + "Parts"), Kind: d.T.Kind, Space: kir.Partial}
	}
	accs := l.accumulators(sc.names, init)
	p := l.par(n.x, depth, s.Pos, "reduce (first pass of a scan)", func(p *kir.Par) {
		total := l.reduceRange(r, &kir.Ref{V: p.Lo}, &kir.Ref{V: p.Hi}, nil, first, e.child())
		for i := range parts {
			l.emit(&kir.Store{A: parts[i], I: &kir.Ref{V: p.Chunk}, X: total[i].x})
		}
	})
	p.Partials = parts
	p.CombinePartial = &kir.CombinePartials{K: l.fresh("k", kir.Int)}
	l.inside(&p.CombinePartial.Body, func() { // each partial becomes the prefix of its chunk
		k := &kir.Ref{V: p.CombinePartial.K}
		elems := make([]value, len(parts))
		for i, a := range parts {
			elems[i] = scalar(l.letExpr("total", &kir.Load{A: a, I: k, T: kir.ScalarType(a.Kind)}))
			l.emit(&kir.Store{A: a, I: k, X: &kir.Ref{V: accs[i]}})
		}
		l.combineInto(accs, elems, comb, e)
	})
	l.par(n.x, depth, s.Pos, "scan (second pass)", func(p *kir.Par) {
		seeds := make([]value, len(parts))
		for i, a := range parts {
			seeds[i] = scalar(l.letExpr("seed", &kir.Load{A: a, I: &kir.Ref{V: p.Chunk}, T: kir.ScalarType(a.Kind)}))
		}
		l.scanRange(sc, &kir.Ref{V: p.Lo}, &kir.Ref{V: p.Hi}, seeds, lv, e.child())
	})
}

type scan struct {
	op    *ir.Scan
	comb  combiner
	dests []*array
	depth int
	pos   ir.Pos
	names []string
}

// scanRange scans [lo, hi) from seeds.
func (l *lowerer) scanRange(s scan, lo, hi kir.Expr, seeds []value, lv level, e *env) {
	loop := rangeLoop{body: s.op.Body, i: s.op.I, lo: lo, hi: hi, depth: s.depth, what: "scan", pos: s.pos}
	if lv.marked > 0 {
		veto("level %d cannot use lanes: a scan of scalars has an order", s.depth+1)
	}
	if lv.lanes() {
		l.scanLanes(s, loop, seeds, lv, e)
		return
	}
	accs := l.accumulators(s.names, seeds)
	store := func(i kir.Expr) {
		for k, d := range s.dests {
			l.store(&kir.Store{A: d.a, I: l.at(d, i), X: &kir.Ref{V: accs[k]}})
		}
	}
	l.iterate(loop, lv, e, func(i value, _ int, e *env) {
		l.scoped(func() {
			e.m[s.op.I] = i
			elems := l.block(s.op.Body, e, s.depth+1)
			for k := range elems {
				elems[k].x = l.letExpr("x", elems[k].x) // read before the result is stored
			}
			if !s.op.Inclusive {
				store(i.x)
			}
			l.combineInto(accs, elems, s.comb, e)
			if s.op.Inclusive {
				store(i.x)
			}
		}, s.op.Body, s.op.Comb.Body)
	}, nil)
}

// scanLanes scans sums a strip at a time: vectors of elements go to a strip, and one routine scans the strip in
// registers. A body that only reads consecutive elements needs no strip.
func (l *lowerer) scanLanes(s scan, loop rangeLoop, seeds []value, lv level, e *env) {
	if len(s.dests) != 1 || s.comb.fns == nil || s.comb.fns[0] != ir.Add {
		veto("level %d cannot scan on lanes: only sums of one value have a vector form", s.depth+1)
	}
	kind := s.dests[0].a.Kind
	if !stripKind(kind) {
		veto("level %d cannot scan on lanes: there are no vectors of %s", s.depth+1, kind)
	}
	name := map[[2]bool]kir.RoutineName{
		{false, false}: kir.ScanAdd, {false, true}: kir.ScanAddStream,
		{true, false}: kir.ScanAddInclusive, {true, true}: kir.ScanAddInclusiveStream,
	}[[2]bool{s.op.Inclusive, lv.stream}]
	if lv.unroll > 1 {
		if src, _ := l.plainRead(s.op.Body, s.op.I, e); src != nil {
			veto("level %d: the routine that scans decides itself how many vectors are in flight", s.depth+1)
		}
	}
	dst := s.dests[0]
	if src, off := l.plainRead(s.op.Body, s.op.I, e); src != nil {
		l.emit(&kir.Call{R: &kir.Routine{Name: name, T: kir.ScalarType(kind), Args: []kir.Arg{
			{A: dst.a, X: l.at(dst, loop.lo)}, {A: src.a, X: l.at(src, add(off, loop.lo))}, {X: sub(loop.hi, loop.lo)}, {X: seeds[0].x}}}})
		return
	}
	seed := l.fresh("seed", kir.ScalarType(kind))
	l.emit(&kir.Let{V: seed, X: seeds[0].x})
	if lv.stream {
		veto("level %d computes what it scans a strip at a time: strips are too short to be written past the caches", s.depth+1)
	}
	strip := &kir.For{V: l.fresh("strip", kir.Int), Lo: loop.lo, Hi: loop.hi, Step: stripLength, Pos: s.pos, What: "strips of scan"}
	start := &kir.Ref{V: strip.V}
	l.inside(&strip.Body, func() {
		end := l.letExpr("end", &kir.Bin{Fn: ir.Min, X: add(start, intConst(stripLength)), Y: loop.hi, T: kir.Int})
		buf := &kir.Array{Name: l.name("strip"), Kind: kind, Space: kir.Strip, Size: stripLength}
		inner := loop
		inner.lo, inner.hi = start, end
		l.iterate(inner, lv, e, func(i value, _ int, e *env) {
			e.m[s.op.I] = i
			x := l.block(s.op.Body, e, s.depth+1)[0]
			v := x.x
			if i.form == contig {
				v = l.vec(x)
			}
			l.emit(&kir.Store{A: buf, I: l.letExpr("at", sub(i.x, start)), X: v})
		}, nil)
		l.emit(&kir.Set{V: seed, X: &kir.Routine{Name: name, T: seed.T, Args: []kir.Arg{
			{A: dst.a, X: l.at(dst, start)}, {A: buf, X: intConst(0)}, {X: sub(end, start)}, {X: &kir.Ref{V: seed}}}}})
	})
	l.emit(strip)
}

// plainRead returns the array that a body reads consecutive elements of and does nothing else, and the offset.
func (l *lowerer) plainRead(b *ir.Block, i *ir.Var, e *env) (*array, kir.Expr) {
	read, ok := l.defs[b.Results[0]].(*ir.Index)
	if !ok {
		return nil, nil
	}
	for _, s := range b.Stmts {
		switch op := s.Op.(type) {
		case *ir.Binary:
		case *ir.Check:
			if !l.hoisted[op] {
				return nil, nil
			}
		case *ir.Index:
			if op != read {
				return nil, nil
			}
		default:
			return nil, nil
		}
	}
	src, ok := e.getAtom(read.X)
	if !ok || src.arr == nil || src.arr.rows != nil {
		return nil, nil
	}
	off, ok := l.offsetFrom(read.I, i, e)
	if !ok {
		return nil, nil
	}
	return src.arr, off
}
