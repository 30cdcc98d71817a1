package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// interchange takes a loop over whole arrays out of the loop around it, where each of its turns accumulates into its
// own element, or assigns elements of a row of its own (see [exchange.transposed]): rule G7 of incremental flattening,
// for loops of the source. Later passes make a Map of what is outside then, whose elements lie in registers.
//
//	z' = loop (z1) init z for i = lo to hi {
//	  z4 = loop (z2) init z1 for j = 0 to n { e = index z2 j; …; z3 = update z2 j x; yield z3 }
//	  yield z4
//	}
//
// becomes, where n is the length of z,
//
//	z' = loop (z2) init z for j = 0 to n {
//	  e = index z2 j
//	  x = loop (e1) init e for i = lo to hi { …; yield x1 }
//	  z3 = update z2 j x
//	  yield z3
//	}
//
// Each element is computed in the same order as before. Of several indices that are out of range another one may be
// reported than in plain Go: the first one of the first element. Loops with panics of the source stay as they are.
func interchange(f *ir.Func, names *ir.Namer) {
	if !slices.ContainsFunc(loopsOutside(f.Body), func(l *ir.Loop) bool { return slices.ContainsFunc(l.Params, isArray) && hasLoop(l.Body) }) {
		return
	}
	g := f.Clone()
	lengths(g)
	simplify(g)
	hoist(g, names)
	simplify(g)
	x := &exchange{f: g, names: names}
	if x.block(g.Body); x.found {
		simplify(g)
		*f = *g
	}
}

// turnCost is what each turn of the outer loop may do besides the inner one, in additions: all elements repeat it.
const turnCost = 8

type exchange struct {
	f     *ir.Func
	names *ir.Namer
	found bool
}

func (x *exchange) block(b *ir.Block) {
	for at, s := range b.Stmts {
		if loop, ok := s.Op.(*ir.Loop); ok && carriesArrays(loop, isArray) && !holdsOperators(loop) {
			to := x.swapped(s, loop)
			if to == nil {
				to = x.transposed(s, loop)
			}
			if to != nil {
				b.Stmts[at] = to
				if x.filled(to) {
					x.found = true
					continue
				}
				b.Stmts[at] = s
			}
		}
		if indexOf(s.Op) == nil {
			for _, c := range ir.Blocks(s.Op) {
				x.block(c)
			}
		}
	}
}

func (x *exchange) filled(s *ir.Stmt) bool {
	_, ok := (&distributor{f: x.f, names: x.names}).filled(s)
	return ok
}

// swapped returns the loop with the one inside of it outside, nil where that is not known to be the same.
func (x *exchange) swapped(s *ir.Stmt, outer *ir.Loop) *ir.Stmt {
	allocs := versions(x.f.Body)
	last := len(outer.Body.Stmts) - 1
	if last < 0 {
		return nil
	}
	row := outer.Body.Stmts[last]
	inner, ok := row.Op.(*ir.Loop)
	if !ok || inner.I == nil || !ir.IsInt(inner.Lo, 0) || len(inner.Params) != len(outer.Params) {
		return nil
	}
	of := map[*ir.Var]int{} // versions → what the inner loop carries
	for i, p := range inner.Params {
		at := slices.Index(outer.Body.Results, ir.Atom(row.Dst[i]))
		made := allocs[p]
		if at < 0 || inner.Init[i] != ir.Atom(outer.Params[at]) || !sized(made) || length(made) != inner.Hi {
			return nil
		}
		of[p] = i
	}
	before := &ir.Block{Stmts: outer.Body.Stmts[:last]}
	if hasLoop(before) || weigh(before) > turnCost || !x.elementwise(inner, of) || !readsAt(outer) {
		return nil
	}
	ok = !hasPanics(before)
	for _, t := range before.Stmts {
		for _, v := range slices.Concat(outer.Params, t.Dst) {
			ok = ok && !(isArray(v) && allocs[v] != nil && dependsOn(t, map[*ir.Var]bool{v: true})) && inner.Hi != ir.Atom(v)
		}
	}
	if !ok {
		return nil
	}
	return x.write(s, outer, inner, row, before, of)
}

// panics reports whether a statement is a panic of the source.
func panics(s *ir.Stmt) bool {
	c, ok := s.Op.(*ir.Check)
	return ok && c.Kind == ir.CheckPanic
}

// elementwise reports whether the turns of a loop read and update the element of their number alone, and completes the
// versions of what it carries.
func (x *exchange) elementwise(loop *ir.Loop, of map[*ir.Var]int) bool {
	ok := true
	at := func(a ir.Atom) (int, bool) {
		v, _ := a.(*ir.Var)
		i, is := of[v]
		return i, is
	}
	var block func(b *ir.Block)
	block = func(b *ir.Block) {
		for _, s := range b.Stmts {
			switch op := s.Op.(type) {
			case *ir.Update:
				i, is := at(op.X)
				ok = ok && is && op.I == ir.Atom(loop.I)
				of[s.Dst[0]] = i
				continue
			case *ir.Index:
				if _, is := at(op.X); is {
					ok = ok && op.I == ir.Atom(loop.I)
					continue
				}
			case *ir.If:
				block(op.Then)
				block(op.Else)
				for k, d := range s.Dst {
					i, is := at(op.Then.Results[k])
					j, also := at(op.Else.Results[k])
					if ok = ok && is == also && i == j; is {
						of[d] = i
					}
				}
				continue
			case *ir.Alloc, *ir.Grow:
				ok = false
			case *ir.Loop:
				for _, a := range op.Init {
					_, is := at(a)
					ok = ok && !is
				}
				block(op.Body)
				continue
			}
			ok = ok && !panics(s)
			for _, a := range ir.Operands(s.Op) {
				_, is := at(*a)
				ok = ok && !is
			}
		}
	}
	block(loop.Body)
	for i, r := range loop.Body.Results {
		k, is := at(r)
		ok = ok && is && k == i
	}
	return ok
}

// readsAt reports whether a loop reads something at an index that depends on its turn: it has no more turns than what
// it reads has elements, or soon fails, so that nobody has to stop it.
func readsAt(loop *ir.Loop) bool {
	moves := map[*ir.Var]bool{loop.I: true}
	found := false
	ir.Walk(loop.Body, func(s *ir.Stmt) {
		if op, ok := s.Op.(*ir.Index); ok {
			v, _ := op.I.(*ir.Var)
			found = found || moves[v]
		}
		if dependsOn(s, moves) {
			for _, d := range s.Dst {
				moves[d] = true
			}
		}
	})
	return found
}

// write writes the loop over elements.
func (x *exchange) write(s *ir.Stmt, outer, inner *ir.Loop, row *ir.Stmt, before *ir.Block, of map[*ir.Var]int) *ir.Stmt {
	body := &ir.Block{}
	e := emitter{&resolver{names: x.names, defs: map[*ir.Var]*ir.Stmt{}}, &body.Stmts, row.Pos}
	j := x.names.Var(inner.I.Name, tInt)
	to := &ir.Loop{I: j, Lo: inner.Lo, Hi: inner.Hi, Body: body}
	i := x.names.Var(outer.I.Name, tInt)
	turns := &ir.Loop{I: i, Lo: outer.Lo, Hi: outer.Hi, Body: &ir.Block{}}
	sub := ir.Subst{outer.I: i, inner.I: j}
	in := e.into(turns.Body)
	turns.Body.Stmts = before.Clone(sub, x.names).Stmts
	now := map[ir.Atom]ir.Atom{}
	var left, arrays, dst []*ir.Var
	for k, p := range inner.Params {
		at := slices.Index(outer.Body.Results, ir.Atom(row.Dst[k]))
		array := x.names.Var(p.Name, p.T)
		arrays = append(arrays, array)
		to.Params, to.Init = append(to.Params, array), append(to.Init, outer.Init[at])
		dst = append(dst, s.Dst[at])
		turns.Init = append(turns.Init, e.let(elementName(p), p.T.Elem(), &ir.Index{X: array, I: j}))
		carried := x.names.Var(elementName(p), p.T.Elem())
		turns.Params = append(turns.Params, carried)
		now[p] = carried
		left = append(left, x.names.Var(elementName(p), p.T.Elem()))
	}
	st := &standins{names: x.names, sub: sub, now: now, stands: func(v *ir.Var) bool { _, is := of[v]; return is }}
	st.stmt = func(_ emitter, t *ir.Stmt) bool {
		switch op := t.Op.(type) {
		case *ir.Index:
			if v, ok := op.X.(*ir.Var); ok && st.stands(v) {
				sub[t.Dst[0]] = st.value(v)
				return true
			}
		case *ir.Update:
			now[t.Dst[0]] = st.value(op.Value)
			return true
		}
		return false
	}
	st.block(in, inner.Body)
	turns.Body.Results = st.values(inner.Body.Results)
	e.stmt(turns, left...)
	for k, array := range arrays {
		body.Results = append(body.Results, e.let(array.Name, array.T, &ir.Update{X: array, I: j, Value: left[k]}))
	}
	return &ir.Stmt{Dst: dst, Op: to, Pos: s.Pos}
}
