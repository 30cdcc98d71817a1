package lower

import (
	"slices"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
)

// top lowers a computation's outermost operator. Sequences go to the frame, scalars become results.
func (l *lowerer) top(s *ir.Stmt) {
	for _, d := range s.Dst {
		if d.T.Rank > 0 {
			v, _ := l.env.get(d)
			l.dest[d] = v.arr
		}
	}
	e := l.env.child()
	l.operator(s, e, 0)
	for _, d := range s.Dst {
		if d.T.IsScalar() {
			v, _ := e.get(d)
			l.emit(&kir.Result{Name: HostName(d), X: v.x})
		}
	}
}

// operator lowers a parallel operator at a nesting depth: what runs it is that level's affair.
func (l *lowerer) operator(s *ir.Stmt, e *env, depth int) {
	lv := l.levels[depth]
	if l.on.takes(s, e, depth, lv) {
		return
	}
	defer l.on.computed(s, depth)
	switch op := s.Op.(type) {
	case *ir.Map:
		l.mapOp(s, op, e, depth, lv)
	case *ir.Reduce:
		l.reduceOp(s, op, e, depth, lv)
	case *ir.Scan:
		l.scanOp(s, op, e, depth, lv)
	case *ir.Scatter:
		l.scatterOp(s, op, e, depth, lv)
	case *ir.Hist:
		l.histOp(s, op, e, depth, lv)
	case *ir.Sort:
		l.sortOp(s, op, e, depth, lv)
	case *ir.Loop:
		l.updateOp(s, op, e, depth, l.asLeaf(op, depth, lv))
	}
}

// asLeaf is what runs a loop of independent turns that holds no operators, on a level of which others hold some, which
// have the lanes: there are none inside it that could have them. Turns of a worker of the pool are on lanes besides.
// Loops that only fill, as those up to the end of a row of whole vectors, are short, or wait for memory.
func (l *lowerer) asLeaf(op *ir.Loop, depth int, lv level) level {
	if l.leaves && l.width == 1 && !lv.lanes() && !holdsOperator(op) && reads(op.Body) {
		for _, below := range l.levels[depth+1:] {
			lv.width = max(lv.width, below.width)
			l.leafLanes = l.leafLanes || lv.lanes()
		}
	}
	return lv
}

// reads reports whether a block reads elements of sequences.
func reads(b *ir.Block) bool {
	found := false
	ir.Walk(b, func(s *ir.Stmt) {
		_, index := s.Op.(*ir.Index)
		found = found || index
	})
	return found
}

// unrolledSize is the number of operations of an element from which unrolling saves nothing: what it saves, a jump
// and an addition, and latencies that overlap, is little beside so much work, of which out-of-order processors hold
// several elements at a time anyway.
const unrolledSize = 24

// extent returns whether an operator's elements hold a loop, and how many operations one of them is.
func extent(op ir.Op) (loops bool, size int) {
	for _, b := range ir.Blocks(op) {
		ir.Walk(b, func(s *ir.Stmt) {
			size++
			if _, ok := s.Op.(*ir.Loop); ok {
				loops = true
			}
		})
	}
	return loops, size
}

func holdsOperator(op ir.Op) bool {
	found := false
	for _, b := range ir.Blocks(op) {
		ir.Walk(b, func(s *ir.Stmt) {
			found = found || ir.OperatorIndex(s.Op) != nil
		})
	}
	return found
}

// destination returns where results of an inner operator go: what the operator around it decided, or scratch memory.
func (l *lowerer) destination(d *ir.Var, n kir.Expr, e *env) *array {
	arr, ok := l.dest[d]
	if ok && l.width == 1 {
		e.m[d] = value{arr: arr}
		return arr
	}
	if l.width > 1 { // the lanes would need a row each
		veto("level %d cannot use lanes: each of its elements needs a sequence of its own (%s)", l.laneLevel, d.Name)
	}
	arr = l.scratchFor(d, n, l.doubled[d], e)
	e.m[d] = value{arr: arr}
	return arr
}

// localRows returns where the rows go that an element of an operator computes for itself: n, of one length at each
// level.
func (l *lowerer) localRows(op *ir.Map, i int, d *ir.Var, n kir.Expr, e *env) *array {
	lengths := fuse.EvenRows(op, i)
	if lengths == nil {
		veto("rows of different lengths, %s, belong to an element of an operator", d.Name)
	}
	n = l.letExpr("rows", n)
	all := n
	for _, length := range lengths {
		all = l.letExpr("n", times(all, l.atom(length, e).x))
	}
	to := *l.destination(d, all, e)
	outer := &rows{base: to.off}
	for k := len(lengths) - 1; k >= 0; k-- {
		if outer.length != nil {
			outer = &rows{inner: outer}
		}
		outer.length = lengths[k]
	}
	outer.local = all
	to.off, to.n, to.rows = nil, n, outer
	e.m[d] = value{arr: &to}
	return &to
}

// par emits a parallel loop over n elements whose body gets the bounds of a chunk.
func (l *lowerer) par(n kir.Expr, depth int, pos ir.Pos, what string, body func(p *kir.Par)) *kir.Par {
	p := &kir.Par{Level: depth + 1, N: n, Pos: pos, What: what,
		Lo: l.fresh("lo", kir.Int), Hi: l.fresh("hi", kir.Int), Chunk: l.fresh("chunk", kir.Int)}
	l.pooled |= 1 << depth
	l.inside(&p.Body, func() { l.withRooms(func() { body(p) }) })
	l.emit(p)
	return p
}

func (l *lowerer) mapOp(s *ir.Stmt, op *ir.Map, e *env, depth int, lv level) {
	if op.By != nil && !l.on.can().lanes {
		veto("rows that are shared by elements are the way of processors: work-items share rows")
	}
	n := l.atom(op.N, e)
	if n.form != uniform {
		veto("level %d cannot use lanes: the rows inside it may differ in length", l.laneLevel)
	}
	if into := l.rows[s]; into != nil {
		l.rowIntoBin(s, op, into, n.x, e, depth, lv)
		return
	}
	if l.width > 1 {
		l.mapInLanes(s, op, []*env{e}, depth, lv)
		return
	}
	dests := make([]*array, len(s.Dst))
	for i, d := range s.Dst {
		if dests[i] = l.dest[d]; d.T.Rank > 1 && (dests[i] == nil || dests[i].rows == nil) {
			dests[i] = l.localRows(op, i, d, n.x, e)
			continue
		}
		dests[i] = l.destination(d, n.x, e)
	}
	several := func(is []value, es []*env) {
		for u, i := range is {
			es[u].m[op.I] = i
		}
		l.makesOwn(op.Body)
		l.scoped(func() {
			for _, t := range op.Body.Stmts {
				if !l.skip[t] {
					l.lockstep(t, es, depth+1)
				}
			}
			for u, i := range is {
				for r, v := range l.atoms(op.Body.Results, es[u]) {
					if v.arr != nil {
						l.unpack(dests[r], v.arr, i.x, es[u])
						continue
					}
					l.store(&kir.Store{A: dests[r].a, I: l.at(dests[r], i.x), X: l.vec(v)})
				}
			}
		}, op.Body)
	}
	element := func(i value, e *env) {
		if ir.IsInt(op.N, 1) && i.form == uniform { // so that nothing is added to where its row begins
			i = scalar(intConst(0))
		}
		inner := e.child()
		inner.m[op.I] = i
		body := func() {
			if i.form != uniform {
				l.makesOwn(op.Body)
			}
			for r, a := range op.Body.Results {
				if v, ok := a.(*ir.Var); ok && v.T.Rank > 0 && i.form == uniform {
					row := l.row(dests[r], i.x, e)
					if made := l.allocs[v]; made != nil { // updated where the row lies
						v = made.Dst[0]
					}
					l.dest[v] = row
				}
			}
			vs := l.block(op.Body, inner, depth+1)
			for r, v := range vs {
				if v.arr != nil {
					if i.form != uniform {
						l.unpack(dests[r], v.arr, i.x, e)
					}
					continue
				}
				x := v.x
				if i.form == contig {
					x = l.vec(v)
				}
				store := l.storeStrip(dests[r], i.x, x)
				if i.form == contig {
					store.Mask = l.activeFor(dests[r].a.Kind)
				}
				l.store(store)
			}
		}
		l.scoped(body, op.Body)
	}
	if lv.par {
		l.on.spread(n.x, op.I.Name, depth, lv, s, "map", e, func(i kir.Expr, e *env) { element(scalar(i), e) })
		return
	}
	run := func(lo, hi kir.Expr, e *env) {
		if len(s.Dst) == 0 && l.checkAll(op, lo, hi, e) {
			return
		}
		r := rangeLoop{body: op.Body, i: op.I, n: op.N, lo: lo, hi: hi, depth: depth, what: "map", pos: s.Pos, several: several, stores: dests}
		if lv.lanes() {
			l.iterate(r, lv, e, func(i value, _ int, e *env) { element(i, e) }, nil)
			return
		}
		l.withPanels(op, lo, hi, e, depth, func() {
			if lv.tile > 1 && !l.insideLanes(depth) {
				l.tileLoop(r, op, lv, e, element)
				return
			}
			l.iterate(r, lv, e, func(i value, _ int, e *env) { element(i, e) }, nil)
		})
	}
	if op.By != nil {
		l.byElements(s, op, n.x, e, depth, lv, run, element)
		return
	}
	if lv.pool {
		l.par(n.x, depth, s.Pos, "map", func(p *kir.Par) { run(&kir.Ref{V: p.Lo}, &kir.Ref{V: p.Hi}, e.child()) })
		return
	}
	run(intConst(0), n.x, e)
}

// needsScratch reports whether a body stores a sequence that is not one of its results.
func (l *lowerer) needsScratch(b *ir.Block) bool {
	results := map[ir.Atom]bool{}
	for _, a := range b.Results {
		results[a] = true
		if v, ok := a.(*ir.Var); ok && l.allocs[v] != nil {
			results[l.allocs[v].Dst[0]] = true
		}
	}
	need := false
	var visit func(b *ir.Block)
	visit = func(b *ir.Block) {
		for _, s := range b.Stmts {
			if l.rows[s] != nil {
				continue
			}
			switch s.Op.(type) {
			case *ir.Map, *ir.Scan, *ir.Scatter, *ir.Hist, *ir.Sort, *ir.Alloc:
				for _, d := range s.Dst {
					need = need || !results[d]
				}
			}
			switch op := s.Op.(type) {
			case *ir.Map, *ir.Reduce, *ir.Scan: // give back what they take after each element
			case *ir.Loop: // after each turn, but for the condition and what they carry
				need = need || slices.ContainsFunc(op.Params, func(p *ir.Var) bool { return p.T.Rank > 0 && l.allocs[p] == nil })
				if op.Cond != nil {
					visit(op.Cond)
				}
			default:
				for _, c := range ir.Blocks(s.Op) {
					visit(c)
				}
			}
		}
	}
	visit(b)
	return need
}

func (l *lowerer) reduceOp(s *ir.Stmt, op *ir.Reduce, e *env, depth int, lv level) {
	n := l.atom(op.N, e)
	init := l.atoms(op.Init, e)
	if n.form != uniform {
		veto("level %d cannot use lanes: the rows inside it may differ in length", l.laneLevel)
	}
	comb := newCombiner(op.Comb)
	r := reduction{body: op.Body, i: op.I, comb: comb, depth: depth, pos: s.Pos, names: names(s.Dst)}
	if !lv.pool {
		r.few = depth > 0 && l.ragged(op.N)
		accs := l.reduceRange(r, intConst(0), n.x, init, lv, e)
		for i, d := range s.Dst {
			e.m[d] = accs[i]
		}
		return
	}
	accs := l.accumulators(r.names, init)
	parts := make([]*kir.Array, len(init))
	for i, d := range s.Dst {
		parts[i] = &kir.Array{Name: l.name(d.Name + "Parts"), Kind: d.T.Kind, Space: kir.Partial}
	}
	p := l.par(n.x, depth, s.Pos, "reduce", func(p *kir.Par) {
		part := l.reduceRange(r, &kir.Ref{V: p.Lo}, &kir.Ref{V: p.Hi}, nil, lv, e.child())
		for i := range parts {
			l.emit(&kir.Store{A: parts[i], I: &kir.Ref{V: p.Chunk}, X: part[i].x})
		}
	})
	p.Partials = parts
	p.CombinePartial = &kir.CombinePartials{K: l.fresh("k", kir.Int)}
	l.inside(&p.CombinePartial.Body, func() {
		elems := make([]value, len(parts))
		for i, a := range parts {
			elems[i] = scalar(&kir.Load{A: a, I: &kir.Ref{V: p.CombinePartial.K}, T: kir.ScalarType(a.Kind)})
		}
		l.combineInto(accs, elems, comb, e)
	})
	for i, d := range s.Dst {
		e.m[d] = scalar(&kir.Ref{V: accs[i]})
	}
}

// ragged reports whether n, the length of a row, differs from row to row.
func (l *lowerer) ragged(n ir.Atom) bool {
	if _, known := l.env.getAtom(n); known {
		return false
	}
	if length, ok := l.defs[n].(*ir.Binary); ok && length.Fn == ir.Sub {
		end, ok := l.defs[length.X].(*ir.Binary)
		return !ok || end.Fn != ir.Min // that is the end of a part of equal length
	}
	return true
}

func names(vs []*ir.Var) []string {
	out := make([]string, len(vs))
	for i, v := range vs {
		out[i] = v.Name
	}
	return out
}

func formOf(t kir.Type) form {
	if t.Lanes > 1 {
		return vector
	}
	return uniform
}
