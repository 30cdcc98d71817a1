package lower

import (
	"cmp"
	"slices"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// A sequential loop that writes elements one behind the other, each computed from what it does not write, is a copy:
// its turns may run side by side, although the place that is written next goes from turn to turn. In a function that
// has lanes anyway such a loop runs on them, as long as all of its checks hold: their indices count, so the first and
// the last turn tell. Otherwise it runs turn by turn, up to the one that fails.

// lanesBeside is the number of lanes of the level that has some, 1 if none has.
func (l *lowerer) lanesBeside() int {
	if at := slices.IndexFunc(l.levels, func(lv level) bool { return lv.lanes() }); at >= 0 {
		return l.levels[at].width
	}
	return 1
}

// consecutive lowers such a loop, and reports false, having done nothing, for others.
func (l *lowerer) consecutive(s *ir.Stmt, op *ir.Loop, e *env, depth int) bool {
	w := l.lanesBeside()
	if l.width > 1 || !l.on.can().lanes || w == 1 || !l.isConsecutive(op, w) {
		return false
	}
	lo, hi := l.letExpr("first", l.atom(op.Lo, e).x), l.letExpr("last", l.atom(op.Hi, e).x)
	i := &kir.Ref{V: l.fresh(op.I.Name, kir.Int)}
	init := l.atoms(op.Init, e)
	distance := make([]kir.Expr, len(init)) // of a counter from i
	for k, p := range op.Params {
		if p.T.Rank == 0 {
			distance[k] = l.letExpr("distance", sub(init[k].x, lo))
		}
	}
	counter := func(k int, f form) value {
		return value{x: l.letExpr(op.Params[k].Name, add(i, distance[k])), form: f}
	}
	element := func(f form, e *env) {
		e.m[op.I] = value{x: i, form: f}
		for k, p := range op.Params {
			if e.m[p] = init[k]; p.T.Rank == 0 {
				e.m[p] = counter(k, f)
			}
		}
		for _, s := range op.Body.Stmts {
			if l.skip[s] {
				continue
			}
			switch x := s.Op.(type) {
			case *ir.Check:
				if f == contig { // it holds
					continue
				}
			case *ir.Update:
				arr, v := l.atom(x.X, e), l.atom(x.Value, e)
				if f == contig {
					v.x = l.vec(v)
				}
				l.emit(&kir.Store{A: arr.arr.a, I: l.at(arr.arr, l.atom(x.I, e).x), X: v.x})
				e.m[s.Dst[0]] = arr
				continue
			case *ir.Convert:
				if v := l.atom(x.X, e); v.form == contig { // which fits, see countsUp
					e.m[s.Dst[0]] = value{x: l.letExpr(s.Dst[0].Name, &kir.Convert{X: v.x, T: kir.ScalarType(x.To)}), form: f}
					continue
				}
			}
			l.stmt(s, e, depth)
		}
	}
	l.emit(&kir.Let{V: i.V, X: lo})
	end := hi // of what runs on lanes
	if hold := l.countersFit(op, lo, hi, init, e); hold != nil {
		v := l.fresh("end", kir.Int)
		l.emit(&kir.Let{V: v, X: lo})
		l.emit(&kir.If{Cond: hold, Then: []kir.Stmt{&kir.Set{V: v, X: hi}}})
		end = &kir.Ref{V: v}
	}
	r := rangeLoop{body: op.Body, i: op.I, lo: lo, hi: hi, depth: depth, what: "map", pos: s.Pos}
	stretch := &kir.Vectors{}
	l.inside(&stretch.Body, func() {
		l.enterLanes(w, depth+1, func() {
			l.vectorLoops(i.V, end, level{width: w, unroll: 1}, r, e, func(_ value, _ int, e *env) { element(contig, e) })
		})
		l.clear()
	})
	l.emit(stretch)
	l.steps(i.V, hi, 1, r, func() { element(uniform, e.child()) })
	for k, d := range s.Dst {
		if e.m[d] = init[k]; d.T.Rank == 0 {
			e.m[d] = counter(k, uniform)
		}
	}
	return true
}

// countersFit is whether all checks of a consecutive loop from lo to hi hold whose counters begin with init: each is
// one of a counter. It is nil if the loop makes none.
func (l *lowerer) countersFit(op *ir.Loop, lo, hi kir.Expr, init []value, e *env) (fit kir.Expr) {
	fits := func(x kir.Expr) {
		if fit == nil {
			fit = x
		} else {
			fit = and(fit, x)
		}
	}
	counter, last := map[ir.Atom]ir.Atom{}, map[ir.Atom]kir.Expr{} // which one it is, converted; its last value
	first := map[ir.Atom]kir.Expr{op.I: lo}
	for k, p := range op.Params {
		first[p] = init[k].x
	}
	for _, s := range op.Body.Stmts {
		switch x := s.Op.(type) {
		case *ir.Convert:
			counter[s.Dst[0]] = cmp.Or(counter[x.X], x.X)
		case *ir.Check:
			if l.hoisted[x] {
				continue
			}
			c := cmp.Or(counter[x.Args[0]], x.Args[0])
			if last[c] == nil {
				last[c] = l.letExpr("last", add(first[c], sub(sub(hi, lo), intConst(1))))
				if !isZero(first[c]) {
					fits(compare(ir.Ge, first[c], intConst(0)))
				}
				fits(compare(ir.Le, first[c], last[c]))
			}
			fits(compare(ir.Lt, last[c], l.atom(x.Args[1], e).x))
		}
	}
	return fit
}

// isConsecutive reports whether a loop writes elements one behind the other, and computes them from others by
// operations that w lanes have.
func (l *lowerer) isConsecutive(op *ir.Loop, w int) bool {
	if op.I == nil {
		return false
	}
	made := map[ir.Atom]ir.Op{}
	for _, s := range op.Body.Stmts {
		for _, d := range s.Dst {
			made[d] = s.Op
		}
	}
	counts, written := map[ir.Atom]bool{op.I: true}, map[ir.Atom]bool{}
	for k, p := range op.Params {
		next := made[op.Body.Results[k]]
		if p.T.Rank > 0 {
			u, ok := next.(*ir.Update)
			if !ok || u.X != ir.Atom(p) || p.T.Rank != 1 || l.allocs[p] == nil || !hasLanes(p.T.Kind, w) {
				return false
			}
			written[p] = true
			continue
		}
		step, ok := next.(*ir.Binary)
		if !ok || p.T.Kind != ir.Int || step.Fn != ir.Add || step.X != ir.Atom(p) || step.Y != ir.Atom(ir.IntConst(ir.Int, 1)) {
			return false
		}
		counts[p] = true
	}
	if len(written) == 0 {
		return false
	}
	steps := map[*ir.Stmt]bool{} // from a counter to its next value
	for _, s := range op.Body.Stmts {
		steps[s] = slices.ContainsFunc(op.Params, func(p *ir.Var) bool {
			b, ok := s.Op.(*ir.Binary)
			return ok && b.X == ir.Atom(p) && slices.Contains(op.Body.Results, ir.Atom(s.Dst[0]))
		})
	}
	for _, s := range op.Body.Stmts {
		if steps[s] {
			continue
		}
		inside := func(a ir.Atom) bool { return made[a] != nil || counts[a] }
		switch x := s.Op.(type) {
		case *ir.Check:
			if !l.hoisted[x] && (x.Kind != ir.CheckIndex || !counts[x.Args[0]] || inside(x.Args[1])) {
				return false
			}
			continue
		case *ir.Update:
			if !written[x.X] || !counts[x.I] || counts[x.Value] {
				return false
			}
			continue
		case *ir.Index:
			if written[x.X] || made[x.X] != nil || x.X.Type().Rank != 1 || inside(x.I) && !counts[x.I] {
				return false
			}
		case *ir.Convert:
			if !counts[x.X] || !l.countsUp(x, op) {
				return false
			}
			counts[s.Dst[0]] = true
			continue
		case *ir.Binary:
			switch x.Fn {
			case ir.Add, ir.Sub, ir.Mul:
			case ir.Div:
				if !x.X.Type().Kind.IsFloat() {
					return false
				}
			default:
				return false
			}
			if counts[x.X] || counts[x.Y] {
				return false
			}
		default:
			return false
		}
		if !hasLanes(s.Dst[0].T.Kind, w) {
			return false
		}
	}
	return true
}

// countsUp reports whether the index of a loop, converted, is still consecutive numbers: its bounds are as small.
func (l *lowerer) countsUp(c *ir.Convert, op *ir.Loop) bool {
	switch c.To {
	case ir.Int, ir.Int64:
		return true
	case ir.Int32:
		return c.X == ir.Atom(op.I) && l.narrow(op.Lo) && l.narrow(op.Hi)
	}
	return false
}

// narrow reports whether a value is a number of 32 bits, converted.
func (l *lowerer) narrow(a ir.Atom) bool {
	from, ok := l.defs[a].(*ir.Convert)
	return ok && from.X.Type().Kind == ir.Int32
}

// hasLanes reports whether there are vectors of w lanes of kind k.
func hasLanes(k ir.Kind, w int) bool {
	switch k {
	case ir.Float64, ir.Float32, ir.Int32, ir.Int64, ir.Int:
		return bitsOf(k)*w <= 512
	}
	return false
}
