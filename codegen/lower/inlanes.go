package lower

import (
	"slices"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// mapInLanes lowers a Map inside the lanes of an outer level, for all of the tile's vectors: what each lane stores is
// an array of its own. With a tile, several elements are computed together, so that sequential reductions inside them
// share one loop and what they read of the lanes' rows is loaded once; what is left over is computed by tiles of half
// the size.
func (l *lowerer) mapInLanes(s *ir.Stmt, op *ir.Map, es []*env, depth int, lv level) {
	n := l.common(op.N, es, depth, "rows")
	dests := make([][]*array, len(es))
	for u, e := range es {
		for _, d := range s.Dst {
			if d.T.Rank > 1 {
				veto("level %d cannot use lanes: each of its elements is a nested sequence (%s)", l.laneLevel, d.Name)
			}
			arr, _ := l.privateArray(d, n)
			e.m[d] = value{arr: arr}
			dests[u] = append(dests[u], arr)
		}
	}
	elements := func(at []kir.Expr) {
		var all []*env
		for _, e := range es {
			for _, i := range at {
				inner := e.child()
				inner.m[op.I] = scalar(i)
				all = append(all, inner)
			}
		}
		l.scoped(func() {
			for _, t := range op.Body.Stmts {
				if !l.skip[t] {
					l.lockstep(t, all, depth+1)
				}
			}
			for u := range es {
				for j, i := range at {
					for k, v := range l.atoms(op.Body.Results, all[u*len(at)+j]) {
						if v.arr != nil {
							veto("level %d cannot use lanes: each of its elements is a row that is stored", l.laneLevel)
						}
						l.updatePrivate(dests[u][k], scalar(i), v)
					}
				}
			}
		}, op.Body)
	}
	r := rangeLoop{body: op.Body, i: op.I, lo: intConst(0), hi: n.x, depth: depth, what: "map", pos: s.Pos}
	if lv.tile <= 1 {
		l.iterate(r, level{width: 1, unroll: 1}, es[0], func(i value, _ int, _ *env) { elements([]kir.Expr{i.x}) }, nil)
		return
	}
	i := l.fresh(op.I.Name, kir.Int)
	l.emit(&kir.Let{V: i, X: intConst(0)})
	for tile := lv.tile; tile > 0; tile /= 2 {
		l.steps(i, n.x, tile, r, func() {
			at := make([]kir.Expr, tile)
			for u := range at {
				at[u] = l.letExpr(op.I.Name, add(&kir.Ref{V: i}, intConst(u)))
			}
			elements(at)
		})
	}
}

// insideLanes reports whether a level around the one at a depth runs on lanes.
func (l *lowerer) insideLanes(depth int) bool {
	return slices.ContainsFunc(l.levels[:depth], func(lv level) bool { return lv.lanes() })
}
