package lower

import (
	"slices"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// Where each work-item of a workgroup runs a sequential reduction, and all of them read the same elements in the same
// order (the bodies that pull at each body, a column of a matrix that rows are multiplied with), the workgroup reads
// these elements once, tile by tile, into local memory. For that its work-items run in step: a loop over elements
// that are given to single work-items has as many turns in all of them, and one without an element of its own
// computes the last one and stores nothing.

// stages reports whether some level reads by way of local memory.
func (dv *device) stages() bool {
	return slices.ContainsFunc(dv.levels, func(lv level) bool { return lv.stage > 0 })
}

// inStep reports whether single work-items run in step.
func (dv *device) inStep() bool { return dv.team == kir.Item && dv.member != nil }

// elementOf binds the element of one of so many teams that run in step: number base+which of n, and whether there is
// one.
func (dv *device) elementOf(base *kir.Var, which string, n kir.Expr, i *kir.Var) {
	at := dv.letExpr("at", add(&kir.Ref{V: base}, place(which)))
	dv.member = dv.letExpr("active", compare(ir.Lt, at, n))
	dv.emit(&kir.Let{V: i, X: minOf(at, sub(n, intConst(1)))})
}

// spreadInStep emits a loop over n elements that the work-items of a workgroup share, in step.
func (dv *device) spreadInStep(i *kir.Var, n kir.Expr, s *ir.Stmt, what string, e *env, element func(i kir.Expr, e *env)) {
	if dv.team != kir.Group {
		veto("tiles are filled by all work-items of a workgroup, and here a %s has elements of its own", dv.team)
	}
	node := &kir.Stride{V: dv.fresh("first", kir.Int), Lo: intConst(0), Hi: n, Step: place(kir.Items), Pos: s.Pos, What: what}
	team, active, elem, spans := dv.team, dv.member, dv.elem, dv.spans
	dv.inside(&node.Body, func() {
		dv.eachTurn(func() {
			dv.labelled("next", func() {
				dv.team, dv.elem, dv.spans = kir.Item, nil, nil
				dv.elementOf(node.V, kir.ItemOf, n, i)
				element(&kir.Ref{V: i}, e.child())
			})
		})
	})
	dv.team, dv.member, dv.elem, dv.spans = team, active, elem, spans
	dv.emit(node)
}

// alike reports whether x is the same in all work-items of a workgroup.
func (dv *device) alike(x kir.Expr) bool {
	return kir.Uniform{
		Var:   func(v *kir.Var) bool { return dv.common[v] || dv.lets[v] != nil && dv.alike(dv.lets[v]) },
		Array: dv.still,
	}.Expr(x)
}

// still reports whether the computation only reads an array, which all work-items see.
func (dv *device) still(a *kir.Array) bool {
	if a.Space != kir.Global {
		return false
	}
	for _, d := range dv.dest {
		if d.a == a {
			return false
		}
	}
	return true
}

// stillHere reports whether a is an array that the computation only reads, or a part of one, and the same for all
// work-items.
func (dv *device) stillHere(a ir.Atom, e *env) bool {
	v, ok := e.getAtom(a)
	if !ok || v.arr == nil || !dv.still(v.arr.a) || !dv.alike(orZero(v.arr.off)) {
		return false
	}
	for r := v.arr.rows; r != nil; r = r.inner {
		if r.offsets != nil && !dv.still(r.offsets) {
			return false
		}
	}
	return true
}

// counting emits a loop over i between bounds. Where work-items run in step and wait for each other in it, it has to
// have as many turns in all of them.
func (dv *device) counting(i *kir.Var, depth int, lo, hi kir.Expr, emit func()) {
	start := len(*dv.out)
	if dv.inStep() && dv.alike(lo) && dv.alike(hi) {
		dv.common[i] = true
	}
	emit()
	if dv.inStep() && !dv.common[i] && kir.HasBarrier((*dv.out)[start:]) {
		veto("level %d has a number of elements that may differ between the work-items of a workgroup, which fill tiles together inside it", depth+1)
	}
}

// stagedReads are the statements of a straight-line body that read what is the same in all work-items, and all
// statements that these need.
func (dv *device) stagedReads(op *ir.Reduce, e *env) (reads []*ir.Stmt, need map[*ir.Stmt]bool) {
	same := map[ir.Atom]bool{op.I: true}
	alike := func(a ir.Atom) bool {
		if _, ok := a.(ir.Const); ok || same[a] {
			return true
		}
		v, ok := e.getAtom(a)
		return ok && v.arr == nil && dv.alike(v.x)
	}
	direct := map[*ir.Stmt]bool{}
scan:
	for _, s := range op.Body.Stmts {
		switch x := s.Op.(type) {
		case *ir.Check:
			if !dv.hoisted[x] { // what follows must not be read before
				break scan
			}
			continue
		case *ir.Index:
			if !alike(x.I) || !same[x.X] && !dv.stillHere(x.X, e) {
				continue
			}
			direct[s] = s.Dst[0].T.IsScalar()
		case *ir.Unary, *ir.Binary, *ir.FMA, *ir.Convert, *ir.Select:
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
func (dv *device) stagedReduce(s *ir.Stmt, op *ir.Reduce, e *env, depth int, lv level) {
	n := dv.atom(op.N, e).x
	reads, need := dv.stagedReads(op, e)
	switch {
	case holdsOperator(op):
		veto("level %d holds another level: only the elements of the innermost one are read by way of local memory", depth+1)
	case len(reads) == 0:
		veto("level %d reads nothing that is the same in all work-items of a workgroup", depth+1)
	case !dv.alike(n):
		veto("level %d has a number of elements that may differ between the work-items of a workgroup, which fill tiles together", depth+1)
	}
	r := reduction{body: op.Body, i: op.I, comb: newCombiner(op.Comb), depth: depth, pos: s.Pos, names: names(s.Dst)}
	accs := dv.accumulators(r.names, dv.atoms(op.Init, e))
	tiles := make(map[*ir.Stmt]*kir.Array, len(reads))
	for _, read := range reads {
		name := sourceName(read.Dst[0].Name)
		tiles[read] = &kir.Array{Name: dv.name(name + "Tile"), Kind: read.Dst[0].T.Kind, Space: kir.Local, Size: lv.stage}
	}
	size := place(kir.Items)
	if lv.stage > 1 {
		size = mul(size, intConst(lv.stage))
	}
	tile := &kir.Ref{V: dv.fresh("tile", kir.Int)}
	node := &kir.Stride{V: tile.V, Lo: intConst(0), Hi: n, Step: size, What: "tiles of reduce", Pos: s.Pos}
	dv.inside(&node.Body, func() {
		end := dv.letExpr("end", minOf(add(tile, size), n))
		dv.alone(func() {
			dv.loop1("k", add(tile, place(kir.ItemOf)), end, place(kir.Items), "", ir.Pos{}, func(k kir.Expr) {
				inner := e.child()
				inner.m[op.I] = scalar(k)
				for _, t := range op.Body.Stmts {
					if need[t] {
						dv.stmt(t, inner, depth+1)
					}
				}
				for _, read := range reads {
					dv.emit(&kir.Store{A: tiles[read], I: sub(k, tile), X: dv.atom(read.Dst[0], inner).x})
				}
			})
		})
		dv.emit(&kir.Barrier{})
		dv.alone(func() {
			dv.tiles, dv.tile, dv.tileIndex = tiles, tile, op.I
			restore := dv.skipDead(op.Body, reads)
			for i, x := range dv.reduceRange(r, tile, end, refs(accs), lv, e) {
				dv.emit(&kir.Set{V: accs[i], X: x.x})
			}
			restore()
			dv.tiles = nil
		})
		dv.emit(&kir.Barrier{}) // before the next tile
	})
	dv.emit(node)
	for i, d := range s.Dst {
		e.m[d] = scalar(&kir.Ref{V: accs[i]})
	}
}
