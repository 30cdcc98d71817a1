package lower

import (
	"slices"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// Where each work-item of a workgroup runs a sequential reduction, and all of them read the same elements in the same
// order (the bodies that pull at each body, a column of a matrix that rows are multiplied with), the workgroup reads these
// elements once, tile by tile, into local memory. For that its work-items run in step: a loop over elements that are given
// to single work-items has as many turns in all of them, and one without an element of its own computes the last one and
// stores nothing.

// stages reports whether some level reads by way of local memory.
func (l *lowerer) stages() bool {
	return slices.ContainsFunc(l.levels, func(lv level) bool { return lv.stage > 0 })
}

// inStep reports whether single work-items run in step.
func (l *lowerer) inStep() bool { return l.dev != nil && l.dev.team == kir.Item && l.dev.active != nil }

// apart binds the element of one of so many teams that run in step: number base+which of n, and whether there is one.
func (l *lowerer) apart(base *kir.Var, which string, n kir.Expr, i *kir.Var) {
	at := l.letExpr("at", add(&kir.Ref{V: base}, place(which)))
	l.dev.active = l.letExpr("active", compare(ir.Lt, at, n))
	l.emit(&kir.Let{V: i, X: minOf(at, sub(n, intConst(1)))})
}

// spreadInStep emits a loop over n elements that the work-items of a workgroup share, in step.
func (l *lowerer) spreadInStep(i *kir.Var, n kir.Expr, s *ir.Stmt, what string, e *env, element func(i kir.Expr, e *env)) {
	if l.dev.team != kir.Group {
		veto("tiles are filled by all work-items of a workgroup, and here a %s has elements of its own", l.dev.team)
	}
	node := &kir.Stride{V: l.fresh("first", kir.Int), Lo: intConst(0), Hi: n, Step: place(kir.Items), Pos: s.Pos, What: what}
	team, active := l.dev.team, l.dev.active
	l.inside(&node.Body, func() {
		l.turnOfTeam(func() {
			l.labelled("next", func() {
				l.dev.team = kir.Item
				l.apart(node.V, kir.ItemOf, n, i)
				element(&kir.Ref{V: i}, e.child())
			})
		})
	})
	l.dev.team, l.dev.active = team, active
	l.emit(node)
}

// alike reports whether x is the same in all work-items of a workgroup.
func (l *lowerer) alike(x kir.Expr) bool {
	switch x := x.(type) {
	case *kir.Const, *kir.Length:
		return true
	case *kir.Place:
		return x.What == kir.GroupOf || x.What == kir.Groups || x.What == kir.Items
	case *kir.Ref:
		return x.V.Host || l.dev.alike[x.V] || l.dev.lets[x.V] != nil && l.alike(l.dev.lets[x.V])
	case *kir.Bin:
		return l.alike(x.X) && l.alike(x.Y)
	case *kir.Un:
		return l.alike(x.X)
	case *kir.Convert:
		return l.alike(x.X)
	case *kir.Select:
		return l.alike(x.C) && l.alike(x.X) && l.alike(x.Y)
	case *kir.Load:
		return l.still(x.A) && l.alike(x.I)
	}
	return false
}

// still reports whether the computation only reads an array, which all work-items see.
func (l *lowerer) still(a *kir.Array) bool {
	if a.Space != kir.Global {
		return false
	}
	for _, d := range l.dest {
		if d.a == a {
			return false
		}
	}
	return true
}

// stillHere reports whether a is an array that the computation only reads, or a part of one, and the same for all work-items.
func (l *lowerer) stillHere(a ir.Atom, e *env) bool {
	v, ok := e.getAtom(a)
	if !ok || v.arr == nil || !l.still(v.arr.a) || !l.alike(orZero(v.arr.off)) {
		return false
	}
	r := v.arr.rows
	return r == nil || r.offsets == nil || l.still(r.offsets)
}

// loopInStep emits a loop over i between bounds. Where work-items run in step and wait for each other in it, it has to have
// as many turns in all of them.
func (l *lowerer) loopInStep(i *kir.Var, depth int, lo, hi kir.Expr, emit func()) {
	start := len(*l.out)
	if l.inStep() && l.alike(lo) && l.alike(hi) {
		l.dev.alike[i] = true
	}
	emit()
	if l.inStep() && !l.dev.alike[i] && kir.HasBarrier((*l.out)[start:]) {
		veto("level %d has a number of elements that may differ between the work-items of a workgroup, which fill tiles together inside it", depth+1)
	}
}

// stagedReads are the statements of a straight-line body that read what is the same in all work-items, and all statements
// that these need.
func (l *lowerer) stagedReads(op *ir.Reduce, e *env) (reads []*ir.Stmt, need map[*ir.Stmt]bool) {
	same := map[ir.Atom]bool{op.I: true}
	alike := func(a ir.Atom) bool {
		if _, ok := a.(ir.Const); ok || same[a] {
			return true
		}
		v, ok := e.getAtom(a)
		return ok && v.arr == nil && l.alike(v.x)
	}
	direct := map[*ir.Stmt]bool{}
scan:
	for _, s := range op.Body.Stmts {
		switch x := s.Op.(type) {
		case *ir.Check:
			if !l.hoisted[x] { // what follows must not be read before
				break scan
			}
			continue
		case *ir.Index:
			if !alike(x.I) || !same[x.X] && !l.stillHere(x.X, e) {
				continue
			}
			direct[s] = s.Dst[0].T.IsScalar()
		case *ir.Unary, *ir.Binary, *ir.Convert, *ir.Select:
			if slices.ContainsFunc(ir.Operands(s.Op), func(a *ir.Atom) bool { return !alike(*a) }) {
				continue
			}
		default:
			continue
		}
		same[s.Dst[0]] = true
	}
	// Staged is what others read that are not the same in all work-items themselves.
	used := map[ir.Atom]bool{}
	for _, a := range op.Body.Results {
		used[a] = true
	}
	for _, s := range op.Body.Stmts {
		if len(s.Dst) == 1 && same[s.Dst[0]] {
			continue
		}
		for _, a := range ir.Operands(s.Op) {
			used[*a] = true
		}
		for _, b := range ir.Blocks(s.Op) {
			for _, v := range ir.Free(b) {
				used[v] = true
			}
		}
	}
	need = map[*ir.Stmt]bool{}
	wanted := map[ir.Atom]bool{}
	for _, s := range slices.Backward(op.Body.Stmts) {
		if len(s.Dst) != 1 || !same[s.Dst[0]] {
			continue
		}
		read := direct[s] && used[s.Dst[0]]
		if read {
			reads = append(reads, s)
		}
		if !read && !wanted[s.Dst[0]] {
			continue
		}
		need[s] = true
		for _, a := range ir.Operands(s.Op) {
			wanted[*a] = true
		}
	}
	slices.Reverse(reads)
	return reads, need
}

// stagedReduce lowers a sequential Reduce that work-items run in step, tile by tile: the workgroup reads a tile of what
// is the same for all, waits, each combines the elements of the tile, and they wait before the next tile is read.
func (l *lowerer) stagedReduce(s *ir.Stmt, op *ir.Reduce, e *env, depth int, lv level) {
	n := l.atom(op.N, e).x
	reads, need := l.stagedReads(op, e)
	switch {
	case holdsOperator(op):
		veto("level %d holds another level: only the elements of the innermost one are read by way of local memory", depth+1)
	case len(reads) == 0:
		veto("level %d reads nothing that is the same in all work-items of a workgroup", depth+1)
	case !l.alike(n):
		veto("level %d has a number of elements that may differ between the work-items of a workgroup, which fill tiles together", depth+1)
	}
	r := reduction{body: op.Body, i: op.I, comb: newCombiner(op.Comb), depth: depth, pos: s.Pos, names: names(s.Dst)}
	accs := l.accumulators(r.names, l.atoms(op.Init, e))
	tiles := make(map[*ir.Stmt]*kir.Array, len(reads))
	for _, read := range reads {
		name := sourceName(read.Dst[0].Name)
		tiles[read] = &kir.Array{Name: l.name(name + "Tile"), Kind: read.Dst[0].T.Kind, Space: kir.Local, Size: lv.stage}
	}
	size := place(kir.Items)
	if lv.stage > 1 {
		size = mul(size, intConst(lv.stage))
	}
	tile := &kir.Ref{V: l.fresh("tile", kir.Int)}
	node := &kir.Stride{V: tile.V, Lo: intConst(0), Hi: n, Step: size, What: "tiles of reduce", Pos: s.Pos}
	l.inside(&node.Body, func() {
		end := l.letExpr("end", minOf(add(tile, size), n))
		l.alone(func() {
			l.loop1("k", add(tile, place(kir.ItemOf)), end, place(kir.Items), "", ir.Pos{}, func(k kir.Expr) {
				inner := e.child()
				inner.m[op.I] = scalar(k)
				for _, t := range op.Body.Stmts {
					if need[t] {
						l.stmt(t, inner, depth+1)
					}
				}
				for _, read := range reads {
					l.emit(&kir.Store{A: tiles[read], I: sub(k, tile), X: l.atom(read.Dst[0], inner).x})
				}
			})
		})
		l.emit(&kir.Barrier{})
		l.alone(func() {
			l.dev.tiles, l.dev.tile, l.dev.index = tiles, tile, op.I
			restore := l.skipDead(op.Body, reads)
			for i, x := range l.reduceRange(r, tile, end, refs(accs), lv, e) {
				l.emit(&kir.Set{V: accs[i], X: x.x})
			}
			restore()
			l.dev.tiles = nil
		})
		l.emit(&kir.Barrier{}) // before the next tile
	})
	l.emit(node)
	for i, d := range s.Dst {
		e.m[d] = scalar(&kir.Ref{V: accs[i]})
	}
}
