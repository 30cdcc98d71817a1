package lower

import (
	"slices"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// A register tile on a device is some elements of a workgroup's level that are computed together, and of each of them
// some elements of the level inside, by each work-item (see lockstep): in a matrix product what a work-item reads of a
// column serves all rows, and what it reads of a row serves all columns. The workgroup's elements are neighbours. A
// work-item's lie as far from each other as the workgroup has work-items, so that neighbouring work-items read and
// write neighbouring elements. What is missing in the last tile is computed as the last element, and not stored.

// takesTogether lowers a Map for several elements of the level around it.
func (dv *device) takesTogether(s *ir.Stmt, op *ir.Map, es []*env, depth int, lv level) bool {
	dv.registerTile(s, op, es, depth, lv)
	return true
}

// registerTile lowers a Map of which each workgroup, or each work-item of one, computes several elements together. es
// are the elements around it that are computed together, of which dv.exist says whether they exist.
func (dv *device) registerTile(s *ir.Stmt, op *ir.Map, es []*env, depth int, lv level) {
	n := dv.lowerer.common(op.N, es, depth, "rows").x
	size := max(lv.tile, 1)
	node := &kir.Stride{V: dv.fresh("first", kir.Int), Hi: n, Pos: s.Pos, What: "map"}
	dv.counts(node.V)
	var apart kir.Expr
	switch {
	case depth == 0 && lv.on == kir.Group:
		dv.tileable(op, depth)
		apart = intConst(1)
		node.Lo, node.Step = mul(place(kir.GroupOf), intConst(size)), mul(place(kir.Groups), intConst(size))
		k := dv.program.Launches[0]
		k.Count = &kir.Bin{Fn: ir.Div, X: add(k.Count, intConst(size-1)), Y: intConst(size), T: kir.Int}
	case dv.team == kir.Group && lv.on == kir.Item:
		apart = place(kir.Items)
		node.Lo, node.Step = place(kir.ItemOf), mul(place(kir.Items), intConst(size))
	default:
		veto("level %d is not computed in tiles: these are of elements of workgroups, and of their work-items", depth+1)
	}
	dests := make([][]*array, len(es))
	for u, e := range es {
		for _, d := range s.Dst {
			dests[u] = append(dests[u], dv.tileDestination(d, e, depth))
		}
	}
	elements := func() {
		ats, there := dv.tileElements(op.I.Name, &kir.Ref{V: node.V}, apart, n, size)
		around, exist := dv.exist, []kir.Expr{}
		var all []*env
		for u, e := range es {
			for c, at := range ats {
				inner := e.child()
				inner.m[op.I] = scalar(at)
				for r, a := range op.Body.Results {
					if v, ok := a.(*ir.Var); ok && v.T.Rank > 0 {
						inner.m[v] = value{arr: dv.lowerer.row(dests[u][r], at, e)}
					}
				}
				all = append(all, inner)
				exist = append(exist, both(dv.exists(u), there[c]))
			}
		}
		dv.exist = exist
		results := dv.blockTogether(op.Body, all, depth+1)
		dv.exist = around
		for k, vs := range results {
			for r, v := range vs {
				if v.arr == nil {
					to := dests[k/size][r]
					dv.where(exist[k], func() { dv.store(&kir.Store{A: to.a, I: dv.at(to, ats[k%size]), X: v.x}) })
				}
			}
		}
	}
	team := dv.team
	dv.inside(&node.Body, func() {
		if lv.on == kir.Item {
			dv.alone(elements)
			return
		}
		dv.team = kir.Group
		dv.eachTurn(func() { dv.labelled("next", elements) })
	})
	dv.team = team
	dv.emit(node)
	if team != kir.Grid {
		dv.written(s)
	}
}

// tileElements binds the elements of a tile that begins at first, each so far apart from the one before it, and what
// says that it is below n: nil of the first one, which is.
func (dv *device) tileElements(name string, first, apart, n kir.Expr, size int) (ats, there []kir.Expr) {
	ats, there = []kir.Expr{first}, []kir.Expr{nil}
	last := dv.letExpr("last", sub(n, intConst(1)))
	for c := 1; c < size; c++ {
		at := dv.letExpr("at", add(first, times(intConst(c), apart)))
		there = append(there, dv.letExpr("active", compare(ir.Lt, at, n)))
		ats = append(ats, dv.letExpr(name, minOf(at, last)))
	}
	return ats, there
}

// tileDestination returns where the results of a Map go that is computed in tiles.
func (dv *device) tileDestination(d *ir.Var, e *env, depth int) *array {
	if v, ok := e.get(d); ok {
		return v.arr
	}
	to := dv.dest[d]
	if to == nil {
		veto("level %d is not computed in tiles: its elements are read again, and not only stored", depth+1)
	}
	e.m[d] = value{arr: to}
	return to
}

// exists is that element u of the tile around exists, nil if that is certain.
func (dv *device) exists(u int) kir.Expr {
	if dv.exist == nil {
		return nil
	}
	return dv.exist[u]
}

// where emits what f does under a condition, nil for none.
func (dv *device) where(cond kir.Expr, f func()) {
	if cond == nil {
		f()
		return
	}
	node := &kir.If{Cond: cond}
	dv.inside(&node.Then, f)
	dv.emit(node)
}

// both is that two conditions hold, of which nil always does.
func both(x, y kir.Expr) kir.Expr {
	switch {
	case x == nil:
		return y
	case y == nil:
		return x
	}
	return &kir.Bin{Fn: ir.And, X: x, Y: y, T: kir.ScalarType(ir.Bool)}
}

// tileable refuses a Map whose elements cannot be computed together on a device: they make checks, which may fail for
// one of them, or need memory of their own.
func (dv *device) tileable(op *ir.Map, depth int) {
	ir.Walk(op.Body, func(s *ir.Stmt) {
		switch x := s.Op.(type) {
		case *ir.Check:
			if !dv.hoisted[x] && !dv.skip[s] {
				veto("level %d is not computed in tiles: a value that each element computes is checked in each element", depth+1)
			}
		case *ir.Map:
			if !slices.Contains(op.Body.Stmts, s) || slices.ContainsFunc(s.Dst, func(d *ir.Var) bool { return !slices.Contains(op.Body.Results, ir.Atom(d)) }) {
				veto("level %d is not computed in tiles: rows that are not stored are computed inside it", depth+1)
			}
		case *ir.Loop:
			if slices.ContainsFunc(x.Params, func(p *ir.Var) bool { return p.T.Rank > 0 }) {
				veto("level %d is not computed in tiles: loops inside it carry sequences", depth+1)
			}
		case *ir.Scan, *ir.Scatter, *ir.Hist, *ir.Sort, *ir.Alloc, *ir.Update, *ir.Grow, *ir.Call:
			veto("level %d is not computed in tiles: each of its elements needs a sequence of its own", depth+1)
		}
	})
}
