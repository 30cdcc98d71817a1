package lower

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/selector/param"
)

// scanning is a Scan of a stream into arrays.
type scanning struct {
	stream
	inclusive bool
	store     func(i kir.Expr, accs []*kir.Var)
	streams   []*array // where whole blocks are written past the caches, nil if they are not
}

// minStreamed is the least size in bytes of elements that are written past the caches: eight of them are half a line.
const minStreamed = 4

// maxBlock is the most elements of a block of a scan: sixteen or more gain nothing where eight hide the time of an
// addition.
const maxBlock = 8

// write scans a work-item's part from seeds.
func (dv *device) write(sc scanning, lo, hi kir.Expr, seeds []value, e *env) {
	accs := dv.accumulators(sc.names, seeds)
	dv.alone(func() {
		each := func(lo, hi kir.Expr) {
			dv.loop1("i", lo, hi, intConst(1), sc.what, sc.pos, func(i kir.Expr) {
				inner := e.child()
				elems := dv.named(sc.elem(i, inner), sc.names) // read before the result is stored
				if !sc.inclusive {
					sc.store(i, accs)
				}
				dv.combineInto(accs, elems, sc.comb, inner)
				if sc.inclusive {
					sc.store(i, accs)
				}
			})
		}
		if len(sc.streams) > 0 {
			line := dv.letExpr("line", minOf(hi, add(lo, dv.toLine(sc.streams[0], lo))))
			each(lo, line)
			lo = line
		}
		if sc.flight > 1 {
			lo = dv.blocks(sc, accs, lo, hi, e)
		}
		each(lo, hi)
	})
}

// toLine is how many elements there are from element i of a to where a line of the caches begins.
func (dv *device) toLine(a *array, i kir.Expr) kir.Expr {
	return &kir.Routine{Name: kir.ToLine, T: kir.Int, Args: []kir.Arg{{A: a.a, X: dv.at(a, i)}, {X: intConst(a.a.Kind.Bytes())}}}
}

// blocks scans whole blocks of a part and returns where they end. Inside a block elements are combined before what
// lies in front is, so that only one step a block has to wait for the block before.
func (dv *device) blocks(sc scanning, accs []*kir.Var, lo, hi kir.Expr, e *env) kir.Expr {
	block := min(sc.flight, maxBlock)
	whole := dv.fresh("i", kir.Int)
	dv.counts(whole)
	dv.emit(&kir.Let{V: whole, X: lo})
	loop := &kir.While{Test: compare(ir.Le, add(&kir.Ref{V: whole}, intConst(block)), hi)}
	dv.inside(&loop.Body, func() {
		var at []kir.Expr
		var sums [][]value // of the block's first 1, 2, … elements
		for k := range block {
			i := dv.letExpr("i", add(&kir.Ref{V: whole}, intConst(k)))
			if r, ok := i.(*kir.Ref); ok {
				dv.counts(r.V)
			}
			inner := e.child()
			elems := dv.named(sc.elem(i, inner), sc.names)
			if k > 0 {
				elems = dv.named(dv.combine(sums[k-1], elems, sc.comb, inner), sc.names)
			}
			at, sums = append(at, i), append(sums, elems)
		}
		vars := func(vs []value) []*kir.Var {
			out := make([]*kir.Var, len(vs))
			for i, v := range vs {
				out[i] = dv.fresh(sc.names[i], v.x.Type())
				dv.emit(&kir.Let{V: out[i], X: v.x})
			}
			return out
		}
		results := make([][]*kir.Var, block)
		for k := range results {
			switch {
			case sc.inclusive:
				results[k] = vars(dv.combine(refs(accs), sums[k], sc.comb, e))
			case k == 0:
				results[k] = accs
			default:
				results[k] = vars(dv.combine(refs(accs), sums[k-1], sc.comb, e))
			}
			if len(sc.streams) == 0 {
				sc.store(at[k], results[k])
			}
		}
		for j, d := range sc.streams {
			r := &kir.Routine{Name: kir.Stream, T: kir.ScalarType(d.a.Kind), Args: []kir.Arg{{A: d.a, X: dv.at(d, at[0])}}}
			for _, x := range results {
				r.Args = append(r.Args, kir.Arg{X: &kir.Ref{V: x[j]}})
			}
			dv.emit(&kir.Call{R: r})
		}
		dv.combineInto(accs, sums[block-1], sc.comb, e)
		dv.emit(&kir.Set{V: whole, X: add(&kir.Ref{V: whole}, intConst(block))})
	})
	dv.emit(loop)
	return &kir.Ref{V: whole}
}

// deviceScan lowers a Scan that a team works on together. The whole grid takes three kernels: each group combines its
// part, one group scans what they left, and each group scans its part from there.
func (dv *device) deviceScan(s *ir.Stmt, op *ir.Scan, e *env, depth int, lv level) {
	n := dv.atom(op.N, e).x
	init := dv.atoms(op.Init, e)
	dests := make([]*array, len(s.Dst))
	for i, d := range s.Dst {
		dests[i] = dv.destination(d, n, e)
	}
	sc := scanning{stream: dv.streamOf("scan", s, op.Body, op.I, op.Comb, depth), inclusive: op.Inclusive}
	sc.flight = lv.flight
	if lv.flight > 1 {
		dv.canFly(depth, op.Body, op.I, lv.flight)
	}
	if lv.stream {
		sc.streams = dests
		for _, d := range dests {
			switch {
			case d.a.Kind.Bytes() < minStreamed:
				veto("level %d: eight elements of %s are too few bytes to be written past the caches", depth+1, d.a.Kind)
			case d.a.Space != kir.Global && d.a.Space != kir.Temporary:
				veto("level %d is scanned into memory of a work-item or a workgroup: nothing is written past the caches", depth+1)
			}
		}
	}
	sc.store = func(i kir.Expr, accs []*kir.Var) {
		for k, d := range dests {
			dv.emit(&kir.Store{A: d.a, I: dv.at(d, i), X: &kir.Ref{V: accs[k]}})
		}
	}
	if dv.team != kir.Grid {
		dv.checkTeam(depth, lv)
		dv.teamScan(sc, intConst(0), dv.shared(n), init, lv, depth, e)
		dv.written(s)
		return
	}
	if depth > 0 {
		veto("level %d scans over the grid, whose workgroups cannot wait for each other: each element of level 1 would need a launch of its own", depth+1)
	}
	if lv.scan == param.Raking {
		dv.gridRaking(sc, n, init, depth, s.Pos, e)
		return
	}
	groups := members{place(kir.GroupOf), place(kir.Groups)}
	dv.launch(kir.Item, kir.Group, n, "reduce (first pass of a scan)", s.Pos).MaxGroups = maxTeams
	t := sc.stream
	t.what = "reduce"
	part := groups.run(dv, intConst(0), n)
	sh := dv.members().run(dv, part.lo, part.hi)
	algorithm := param.RakingReduce // in order
	if t.comb.fns != nil {          // a known function is commutative
		sh, algorithm = dv.members().share(dv, part.lo, part.hi), param.TreeReduce
		if lv.scan == param.WarpScans {
			algorithm = param.ShuffleReduce
		}
	}
	total := dv.reduceTeam(t, dv.partials(t, sh, e), sh.valid, algorithm, depth, e)
	parts := dv.leaveParts(t, total)
	dv.endLaunch(dv.label)

	dv.launch(kir.OneGroup, kir.Group, nil, "scan what the groups left", s.Pos)
	left := scanning{stream: dv.partsOf(t, parts)}
	left.store = func(i kir.Expr, accs []*kir.Var) { dv.storeAll(parts, i, accs) }
	dv.teamScan(left, intConst(0), dv.letExpr("groups", routine(kir.RunCount, intConst(0), n, &kir.GroupsOf{})), init, level{scan: param.Raking}, depth, e)
	dv.endLaunch(dv.label)

	dv.launch(kir.Item, kir.Group, n, "scan (last pass)", s.Pos).MaxGroups = maxTeams
	part = groups.run(dv, intConst(0), n)
	seeds := dv.named(dv.loadAll(parts, place(kir.GroupOf)), repeat("seed", len(parts)))
	dv.teamScan(sc, part.lo, part.hi, seeds, lv, depth, e)
}

// gridRaking scans over the grid with a run of neighbours for each work-item: it combines them, one group scans what
// all work-items found, and each goes over its run again from there.
func (dv *device) gridRaking(sc scanning, n kir.Expr, init []value, depth int, pos ir.Pos, e *env) {
	all := members{place(kir.GlobalOf), place(kir.Globals)}
	dv.launch(kir.Item, kir.Item, n, "reduce (first pass of a scan)", pos).MaxGroups = maxTeams
	t := sc.stream
	t.what = "reduce"
	accs := dv.partials(t, all.run(dv, intConst(0), n), e)
	parts := make([]*kir.Array, len(t.kinds))
	for i, k := range t.kinds {
		parts[i] = dv.temp(t.names[i]+"Parts", k, intConst(1), kir.Item)
		dv.emit(&kir.Store{A: parts[i], I: place(kir.GlobalOf), X: &kir.Ref{V: accs[i]}})
	}
	dv.endLaunch(dv.label)

	dv.launch(kir.OneGroup, kir.Group, nil, "scan what the work-items found", pos)
	left := scanning{stream: dv.partsOf(t, parts)}
	left.what = "what the work-items found"
	left.store = func(i kir.Expr, accs []*kir.Var) { dv.storeAll(parts, i, accs) }
	count := dv.letExpr("count", routine(kir.RunCount, intConst(0), n, mul(&kir.GroupsOf{}, place(kir.Items))))
	dv.teamScan(left, intConst(0), count, init, level{scan: param.Raking}, depth, e)
	dv.endLaunch(dv.label)

	dv.launch(kir.Item, kir.Item, n, "scan (last pass)", pos).MaxGroups = maxTeams
	mine := all.run(dv, intConst(0), n)
	dv.write(sc, mine.lo, mine.hi, dv.named(dv.loadAll(parts, place(kir.GlobalOf)), repeat("seed", len(parts))), e)
}

// teamScan scans [lo, hi) by the work-items of a team. Raking gives each a run of neighbours; hillis_steele, blelloch
// and warp_scans go from tile to tile, with a few elements for each.
func (dv *device) teamScan(sc scanning, lo, hi kir.Expr, seeds []value, lv level, depth int, e *env) {
	w, item := dv.members(), place(kir.ItemOf)
	if lv.scan == param.Raking {
		sh := w.run(dv, lo, hi)
		valid := dv.letExpr("valid", sh.valid)
		accs := dv.partials(sc.stream, sh, e)
		bs := dv.localArrays(sc.stream)
		dv.storeAll(bs, item, accs)
		dv.emit(&kir.Barrier{})
		first, node := dv.firstItem(), &kir.If{Cond: compare(ir.Eq, w.item, intConst(0))}
		dv.step(&node.Then, func() {
			before := dv.accumulators(repeat("before", len(seeds)), seeds)
			dv.loop1("k", intConst(0), valid, intConst(1), "", ir.Pos{}, func(k kir.Expr) {
				at := add(first, k)
				totals := dv.named(dv.loadAll(bs, at), repeat("total", len(bs)))
				dv.storeAll(bs, at, before)
				dv.combineInto(before, totals, sc.comb, e)
			})
		})
		dv.emit(node)
		dv.emit(&kir.Barrier{})
		mine := dv.named(dv.loadAll(bs, item), repeat("seed", len(bs)))
		dv.emit(&kir.Barrier{})
		dv.write(sc, sh.lo, sh.hi, mine, e)
		return
	}
	if dv.team == kir.Warp && (dv.hostExpr(hi) == nil || dv.hostExpr(lo) == nil) {
		veto("level %d scans tile by tile, with barriers between: the rows of the logical warps in a workgroup differ in length", depth+1)
	}
	if dv.team == kir.Warp && lv.scan == param.WarpScans {
		veto("level %d is scanned by logical warps, which have no subgroups inside them", depth+1)
	}
	carry := dv.accumulators(repeat("carry", len(seeds)), seeds)
	grain := intConst(lv.grain)
	base := dv.fresh("tile", kir.Int)
	tiles := &kir.Stride{V: base, Lo: lo, Hi: hi, Step: mul(w.items, grain), What: "tiles of scan", Pos: sc.pos}
	if lv.grain == 1 {
		tiles.Step = w.items
	}
	dv.inside(&tiles.Body, func() {
		first := dv.letExpr("lo", minOf(add(&kir.Ref{V: base}, mul(w.item, grain)), hi))
		last := dv.letExpr("hi", minOf(add(first, grain), hi))
		accs := dv.partials(sc.stream, share{lo: first, hi: last, step: intConst(1)}, e)
		if lv.scan == param.WarpScans {
			before, total := dv.scanInRuns(sc.stream, accs, depth, e)
			dv.combineInto(before, refs(carry), sc.comb, e)
			dv.combineInto(carry, refs(total), sc.comb, e)
			dv.emit(&kir.Barrier{})
			dv.write(sc, first, last, refs(before), e)
			return
		}
		valid := dv.letExpr("valid", minOf(w.items, &kir.Bin{Fn: ir.Div, X: add(sub(hi, &kir.Ref{V: base}), intConst(lv.grain-1)), Y: grain, T: kir.Int}))
		bs := dv.localArrays(sc.stream)
		dv.storeAll(bs, item, accs)
		dv.emit(&kir.Barrier{})
		t := tileScan{stream: sc.stream, members: w, bs: bs, carry: carry, valid: valid}
		var before []value
		if lv.scan == param.Blelloch {
			before = dv.blelloch(t, e)
		} else {
			before = dv.hillisSteele(t, accs, e)
		}
		dv.emit(&kir.Barrier{})
		dv.write(sc, first, last, before, e)
	})
	dv.emit(tiles)
}
