package lower

import (
	"maps"
	"slices"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// A register tile is some neighbouring elements of a Map (the rows of the tile) that are computed together: every
// statement of the body is lowered for all of them before the next one. Where a level inside runs on lanes, that one is
// tiled as well, by the vectors that it has in flight, and sequential reductions inside it have one loop for the whole
// tile. What is the same for several elements is computed once: in a matrix product, a row's factor for all vectors of
// columns, and the columns' for all rows.

// lockstep lowers a statement for several elements at once, each in an environment of its own.
func (l *lowerer) lockstep(s *ir.Stmt, es []*env, depth int) {
	if len(es) == 1 {
		l.stmt(s, es[0], depth)
		return
	}
	switch op := s.Op.(type) {
	case *ir.Map:
		lv := l.levels[depth]
		if l.on.takesTogether(s, op, es, depth, lv) {
			return
		}
		if l.width > 1 {
			l.mapInLanes(s, op, es, depth, lv)
			return
		}
		if lv.lanes() && !lv.pool {
			l.mapTogether(s, op, es, depth, lv)
			return
		}
		veto("level %d is not computed in tiles: level %d inside it does not run on lanes alone", depth, depth+1)
	case *ir.Reduce:
		if lv := l.levels[depth]; !lv.lanes() && !lv.pool && !lv.par && lv.unroll == 1 {
			l.reduceTogether(s, op, es, depth, lv)
			return
		}
	case *ir.Loop:
		if l.loopTogether(op, s.Dst, es, depth) {
			return
		}
	case *ir.If:
		if l.ifTogether(op, s.Dst, es, depth) {
			return
		}
	case *ir.Unary, *ir.Binary, *ir.FMA, *ir.Convert, *ir.Select, *ir.Index, *ir.Len:
		for u, e := range es {
			if known := l.computed(s, es[:u], e); known != nil {
				e.m[s.Dst[0]] = known.m[s.Dst[0]]
				continue
			}
			l.stmt(s, e, depth)
		}
		return
	}
	for _, e := range es { // one after the other
		l.stmt(s, e, depth)
	}
}

// loopTogether lowers a counted loop of the same turns for all elements of a tile, and reports whether it did: one
// loop, with variables for each element.
func (l *lowerer) loopTogether(op *ir.Loop, dst []*ir.Var, es []*env, depth int) bool {
	if op.I == nil || !l.alike(op.Lo, es) || !l.alike(op.Hi, es) || slices.ContainsFunc(op.Params, func(p *ir.Var) bool { return p.T.Rank > 0 && (l.width == 1 || l.allocs[p] == nil) }) {
		return false
	}
	lanes := slices.ContainsFunc(es, func(e *env) bool { return l.loopInLanes(op, e) })
	inner, vars := children(es), make([][]*kir.Var, len(es))
	for u, e := range es {
		vars[u] = l.loopVars(op, e, inner[u], lanes, make([]bool, len(op.Params)))
	}
	l.guarded = true
	l.loops++
	defer func() { l.loops-- }()
	l.countedLoop(op, l.atom(op.Lo, es[0]).x, l.atom(op.Hi, es[0]).x, func(i value) {
		turns := children(inner)
		for _, e := range turns {
			e.m[op.I] = i
		}
		results := l.blockTogether(op.Body, turns, depth)
		for u := range es { // what an element carries, only its own turn reads
			l.nextTurn(op, vars[u], results[u], nil)
		}
	})
	for u, e := range es {
		for i, d := range dst {
			e.m[d] = inner[u].m[op.Params[i]]
		}
	}
	return true
}

// ifTogether lowers a condition that is the same for all elements of a tile, and reports whether it did.
func (l *lowerer) ifTogether(op *ir.If, dst []*ir.Var, es []*env, depth int) bool {
	if !l.alike(op.Cond, es) || slices.ContainsFunc(dst, func(d *ir.Var) bool { return d.T.Rank > 0 }) {
		return false
	}
	node := &kir.If{Cond: l.atom(op.Cond, es[0]).x}
	var then, els [][]value
	l.inside(&node.Then, func() { then = l.blockTogether(op.Then, children(es), depth) })
	l.inside(&node.Else, func() { els = l.blockTogether(op.Else, children(es), depth) })
	for u, e := range es {
		for i, d := range dst {
			e.m[d] = l.branchValue(d, node, then[u][i], els[u][i])
		}
	}
	l.on.barriersMet("a condition", node.Then, node.Else)
	l.emit(node)
	return true
}

// blockTogether lowers a block for several elements, and returns the results of each.
func (l *lowerer) blockTogether(b *ir.Block, es []*env, depth int) [][]value {
	for _, s := range b.Stmts {
		if !l.skip[s] {
			l.lockstep(s, es, depth)
		}
	}
	results := make([][]value, len(es))
	for u, e := range es {
		results[u] = l.atoms(b.Results, e)
	}
	return results
}

// alike reports whether an atom has one value for all lanes of all elements of a tile.
func (l *lowerer) alike(a ir.Atom, es []*env) bool {
	first := l.atom(a, es[0])
	return first.form == uniform && !slices.ContainsFunc(es[1:], func(e *env) bool { return !sameValue(l.atom(a, e), first) })
}

// computed returns that of the elements done before in which the operands of s have the values that they have in e,
// or nil.
func (l *lowerer) computed(s *ir.Stmt, done []*env, e *env) *env {
	operands := []ir.Atom{}
	if r, packed := l.packed[s]; packed {
		operands = append(operands, r.array, r.j)
	} else {
		for _, a := range ir.Operands(s.Op) {
			operands = append(operands, *a)
		}
	}
	for _, d := range done {
		same := true
		for _, a := range operands {
			same = same && sameValue(l.atom(a, d), l.atom(a, e))
		}
		if same {
			return d
		}
	}
	return nil
}

// sameValue reports whether two values are certainly equal.
func sameValue(x, y value) bool {
	if x.arr == nil || y.arr == nil {
		return x.arr == y.arr && x.form == y.form && x.by == y.by && kir.Equal(x.x, y.x)
	}
	return x.arr.a == y.arr.a && kir.Equal(x.arr.off, y.arr.off) && kir.Equal(x.arr.n, y.arr.n) && x.arr.rows == y.arr.rows
}

// common is the value of a for all elements of a tile; what says which it is where they differ.
func (l *lowerer) common(a ir.Atom, es []*env, depth int, what string) value {
	for _, e := range es[1:] {
		if !sameValue(l.atom(a, e), l.atom(a, es[0])) {
			veto("level %d is not computed in tiles: inside it %s may differ in length", depth, what)
		}
	}
	v := l.atom(a, es[0])
	if v.form != uniform {
		veto("level %d cannot use lanes: %s inside it may differ in length", l.laneLevel, what)
	}
	return v
}

func children(es []*env) []*env {
	out := make([]*env, len(es))
	for i, e := range es {
		out[i] = e.child()
	}
	return out
}

// mapTogether lowers a Map on lanes for all rows of a tile. What is left over from whole vectors is computed by a
// vector that ends with the last element, so that some elements are computed twice, and one by one only if there is
// less than a vector in all, where that is not known to be otherwise.
func (l *lowerer) mapTogether(s *ir.Stmt, op *ir.Map, es []*env, depth int, lv level) {
	n := l.common(op.N, es, depth, "rows").x
	dests := make([][]*array, len(es))
	for _, d := range s.Dst {
		var a *kir.Array
		for u := range es {
			v, given := es[u].get(d)
			if !given {
				if a == nil {
					a = &kir.Array{Name: l.name(d.Name), Kind: d.T.Kind, Space: kir.Scratch}
					l.emit(&kir.AllocScratch{A: a, N: &kir.Bin{Fn: ir.Mul, X: intConst(len(es)), Y: n, T: kir.Int}})
				}
				v = value{arr: &array{a: a, off: l.letExpr("row", &kir.Bin{Fn: ir.Mul, X: intConst(u), Y: n, T: kir.Int}), n: n}}
				es[u].m[d] = v
			}
			dests[u] = append(dests[u], v.arr)
		}
	}
	defer func(v *ir.Var) { l.laneIndex = v }(l.laneIndex)
	l.laneIndex = op.I
	// elements computes those at the indices for each row.
	elements := func(at []value, packed *panel) {
		var all []*env
		places := make([]map[*ir.Var]value, len(at))
		for j, i := range at {
			if packed != nil {
				places[j] = packed.place(l, i.x, j, es[0])
			}
		}
		for u := range es {
			for j, i := range at {
				inner := es[u].child()
				inner.m[op.I] = i
				maps.Copy(inner.m, places[j])
				all = append(all, inner)
			}
		}
		for _, t := range op.Body.Stmts {
			if !l.skip[t] {
				l.lockstep(t, all, depth+1)
			}
		}
		for u := range es {
			for j, i := range at {
				for k, v := range l.atoms(op.Body.Results, all[u*len(at)+j]) {
					if v.arr != nil {
						veto("level %d cannot use lanes: each of its elements is a row that is stored", depth+1)
					}
					x := v.x
					if i.form == contig {
						x = l.vec(v)
					}
					l.emit(&kir.Store{A: dests[u][k].a, I: l.at(dests[u][k], i.x), X: x})
				}
			}
		}
	}
	r := rangeLoop{body: op.Body, i: op.I, lo: intConst(0), hi: n, depth: depth, what: "map", pos: s.Pos}
	i := l.fresh(op.I.Name, kir.Int)
	l.emit(&kir.Let{V: i, X: intConst(0)})
	lanes := func() {
		vectors := func(copies int, packed *panel) {
			at := make([]value, copies)
			for u := range at {
				at[u] = value{x: l.letExpr(op.I.Name, add(&kir.Ref{V: i}, intConst(u*lv.width))), form: contig}
			}
			elements(at, packed)
		}
		if p := l.panels[op.Body]; p != nil {
			p.reading(l, func() {
				for copies := max(lv.unroll, 1); copies > 0; copies /= 2 {
					l.steps(i, p.end, copies*lv.width, r, func() { vectors(copies, p) })
				}
			})
		}
		for copies := lv.unroll; copies > 1; copies = 1 {
			l.steps(i, n, copies*lv.width, r, func() { vectors(copies, nil) })
		}
		if l.filled[s] {
			last := &kir.For{V: i, Hi: n, Step: lv.width, Keep: true, Pos: r.pos, What: r.what}
			l.inside(&last.Body, func() {
				l.emit(&kir.Set{V: i, X: l.integer(ir.Min, &kir.Ref{V: i}, sub(n, intConst(lv.width)))})
				vectors(1, nil)
			})
			l.emit(last)
			return
		}
		l.steps(i, n, lv.width, r, func() { vectors(1, nil) })
		isInt := func(fn ir.BinaryFn, x, y kir.Expr) kir.Expr {
			return &kir.Bin{Fn: fn, X: x, Y: y, T: kir.ScalarType(ir.Bool)}
		}
		last := &kir.If{Cond: &kir.Bin{Fn: ir.And, X: isInt(ir.Lt, &kir.Ref{V: i}, n), Y: isInt(ir.Ge, n, intConst(lv.width)), T: kir.ScalarType(ir.Bool)}}
		l.inside(&last.Then, func() {
			elements([]value{{x: l.letExpr(op.I.Name, sub(n, intConst(lv.width))), form: contig}}, nil)
			l.emit(&kir.Set{V: i, X: n})
		})
		l.emit(last)
	}
	stretch := &kir.Vectors{}
	l.inside(&stretch.Body, func() {
		l.enterLanes(lv.width, depth+1, lanes)
		l.clear()
	})
	l.emit(stretch)
	if l.filled[s] {
		return
	}
	l.steps(i, n, 1, r, func() { elements([]value{scalar(&kir.Ref{V: i})}, nil) })
}

// reduceTogether lowers a sequential Reduce for all elements of a tile: one loop, with accumulators for each.
func (l *lowerer) reduceTogether(s *ir.Stmt, op *ir.Reduce, es []*env, depth int, lv level) {
	n := l.common(op.N, es, depth, "reductions").x
	if l.sumsTogether(depth) && l.sumTile(s, op, n, es, depth) {
		return
	}
	r := reduction{body: op.Body, i: op.I, comb: newCombiner(op.Comb), depth: depth, pos: s.Pos, names: names(s.Dst)}
	accs := make([][]*kir.Var, len(es))
	for u, e := range es {
		accs[u] = l.accumulators(r.names, l.widened(l.atoms(op.Init, e)))
	}
	loop := rangeLoop{body: op.Body, i: op.I, lo: intConst(0), hi: n, depth: depth, what: "reduce", pos: s.Pos}
	l.iterate(loop, lv, es[0], func(i value, _ int, _ *env) {
		is := make([]value, len(es))
		for u := range is {
			is[u] = i
		}
		l.scoped(func() { l.accumulateAll(r, accs, is, children(es)) }, op.Body, op.Comb.Body)
	}, nil)
	for u, e := range es {
		for k, d := range s.Dst {
			e.m[d] = value{x: &kir.Ref{V: accs[u][k]}, form: formOf(accs[u][k].T)}
		}
	}
}

// widened makes vectors of the first values of a sequential reduction that runs inside the lanes of an outer level.
func (l *lowerer) widened(init []value) []value {
	if l.width == 1 {
		return init
	}
	out := make([]value, len(init))
	for i, x := range init {
		out[i] = value{x: l.vec(x), form: vector}
	}
	return out
}
