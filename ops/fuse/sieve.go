package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// sieve lets a Reduce of what a Filter kept, and nothing else reads, go through all elements and leave out the
// others: its own first value stands for them. Then nothing is counted, placed and stored. It is for simple elements:
// expensive ones had better be computed for those that are kept only, which then fill vectors.
func sieve(f *ir.Func, names *ir.Namer) {
	top := definitions(f.Body)
	found := false
	for _, s := range f.Body.Stmts {
		filter, ok := s.Op.(*ir.Scatter)
		if !ok || !straight(filter.Body) {
			continue
		}
		kept := keptBy(filter, top)
		readers, ok := readersOf(f, s, filter)
		if kept == nil || !ok {
			continue
		}
		for _, r := range readers {
			r.Op = sieved(r.Op.(*ir.Reduce), s, kept, names)
			found = true
		}
	}
	if found {
		dropDead(f.Body)
		fuseProducers(f, names)
	}
}

func definitions(b *ir.Block) map[ir.Atom]*ir.Stmt {
	defs := map[ir.Atom]*ir.Stmt{}
	for _, s := range b.Stmts {
		for _, d := range s.Dst {
			defs[d] = s
		}
	}
	return defs
}

// straight reports whether a block is made of simple operations that cannot fail.
func straight(b *ir.Block) bool {
	return !slices.ContainsFunc(b.Stmts, func(s *ir.Stmt) bool {
		return !ir.Pure(s) || len(ir.Blocks(s.Op)) > 0
	})
}

// keptBy returns the condition that says whether an element is kept, if a Scatter is what comes of a Filter: elements
// are put at places that the sums of flags say, and there are as many as the last of these sums.
func keptBy(filter *ir.Scatter, top map[ir.Atom]*ir.Stmt) ir.Atom {
	in := definitions(filter.Body)
	at, ok := opOf[*ir.Select](in, filter.Body.Results[0])
	if !ok || !ir.IsInt(at.Y, -1) {
		return nil
	}
	kept, ok := opOf[*ir.Binary](in, at.Cond)
	place, ok2 := opOf[*ir.Binary](in, at.X)
	if !ok || !ok2 || kept.Fn != ir.Ne || !ir.IsInt(kept.Y, 0) || place.Fn != ir.Sub || !ir.IsInt(place.Y, 1) {
		return nil
	}
	rank, ok := opOf[*ir.Index](in, place.X)
	if !ok || rank.I != ir.Atom(filter.I) {
		return nil
	}
	ranks, ok := opOf[*ir.Scan](top, rank.X)
	if !ok || !ranks.Inclusive || ranks.N != filter.N || len(ranks.Init) != 1 || !ir.IsInt(ranks.Init[0], 0) || !straight(ranks.Body) || !combines(ranks.Comb, 0, ir.Add) {
		return nil
	}
	count, ok := opOf[*ir.If](top, filter.W)
	if !ok || !ir.IsInt(count.Else.Results[0], 0) {
		return nil
	}
	some, ok := opOf[*ir.Binary](top, count.Cond)
	last, ok2 := opOf[*ir.Index](definitions(count.Then), count.Then.Results[0])
	if !ok || !ok2 || some.Fn != ir.Gt || some.X != filter.N || !ir.IsInt(some.Y, 0) || last.X != rank.X {
		return nil
	}
	k, ok := opOf[*ir.Binary](definitions(count.Then), last.I)
	if !ok || k.Fn != ir.Sub || k.X != filter.N || !ir.IsInt(k.Y, 1) || !isFlag(kept.X, in, top, filter.I) {
		return nil
	}
	summed := structuralKey(&ir.Map{N: filter.N, I: ranks.I, Body: ranks.Body})
	tested := structuralKey(&ir.Map{N: filter.N, I: filter.I, Body: sliceBlock(filter.Body, []ir.Atom{kept.X}, nil)})
	if summed != tested {
		return nil
	}
	return at.Cond
}

// isFlag reports whether a, of a body over i, is 0 or 1: it is chosen there, or a Map at the top level stored it.
func isFlag(a ir.Atom, in, top map[ir.Atom]*ir.Stmt, i *ir.Var) bool {
	if read, ok := opOf[*ir.Index](in, a); ok && read.I == ir.Atom(i) {
		m, ok := opOf[*ir.Map](top, read.X)
		if !ok {
			return false
		}
		a, in = m.Body.Results[slices.Index(top[read.X].Dst, read.X.(*ir.Var))], definitions(m.Body)
	}
	flag, ok := opOf[*ir.Select](in, a)
	return ok && ir.IsInt(flag.X, 1) && ir.IsInt(flag.Y, 0)
}

// opOf is what defines a, if it is of type T.
func opOf[T ir.Op](defs map[ir.Atom]*ir.Stmt, a ir.Atom) (op T, ok bool) {
	s := defs[a]
	if s == nil {
		return op, false
	}
	op, ok = s.Op.(T)
	return op, ok
}

// combines reports whether a Lambda combines the accumulator i and its element by one of fns.
func combines(l *ir.Lambda, i int, fns ...ir.BinaryFn) bool {
	op, ok := opOf[*ir.Binary](definitions(l.Body), l.Body.Results[i])
	if !ok || !slices.Contains(fns, op.Fn) {
		return false
	}
	a, b := ir.Atom(l.Params[i]), ir.Atom(l.Params[len(l.Params)/2+i])
	return op.X == a && op.Y == b || op.X == b && op.Y == a
}

// readersOf returns the statements that read the elements that a Filter kept, if all of them are Reduces at the top
// level of each element, in simple code, and to which their first value can be added as often as one likes.
func readersOf(f *ir.Func, s *ir.Stmt, filter *ir.Scatter) (readers []*ir.Stmt, ok bool) {
	isKept := func(a ir.Atom) bool { v, ok := a.(*ir.Var); return ok && slices.Contains(s.Dst, v) }
	if slices.ContainsFunc(f.Body.Results, isKept) {
		return nil, false
	}
	for _, t := range f.Body.Stmts {
		if slices.ContainsFunc(ir.Operands(t.Op), func(a *ir.Atom) bool { return isKept(*a) }) {
			return nil, false
		}
		blocks := ir.Blocks(t.Op)
		if t == s || !slices.ContainsFunc(blocks, func(b *ir.Block) bool {
			return slices.ContainsFunc(ir.Free(b), func(v *ir.Var) bool { return isKept(v) })
		}) {
			continue
		}
		r, ok := t.Op.(*ir.Reduce)
		if !ok || r.N != filter.W || !straight(r.Body) || slices.ContainsFunc(ir.Free(r.Comb.Body), func(v *ir.Var) bool { return isKept(v) }) {
			return nil, false
		}
		for _, u := range r.Body.Stmts {
			if read, ok := u.Op.(*ir.Index); ok && isKept(read.X) && read.I == ir.Atom(r.I) {
				continue
			}
			if slices.ContainsFunc(ir.Operands(u.Op), func(a *ir.Atom) bool { return isKept(*a) || *a == ir.Atom(r.I) }) {
				return nil, false
			}
		}
		if slices.Contains(r.Body.Results, ir.Atom(r.I)) {
			return nil, false
		}
		for i, first := range r.Init {
			if !neutral(r.Comb, i, first) {
				return nil, false
			}
		}
		readers = append(readers, t)
	}
	return readers, len(readers) > 0
}

// neutral reports whether combining the accumulator i with its first value once more changes nothing.
func neutral(l *ir.Lambda, i int, first ir.Atom) bool {
	c, constant := first.(ir.Const)
	is := func(n float64) bool {
		return constant && (c.Kind.IsFloat() && c.Float() == n || c.Kind.IsInteger() && c.Int() == int64(n))
	}
	return combines(l, i, ir.Min, ir.Max, ir.And, ir.Or) || is(0) && combines(l, i, ir.Add) || is(1) && combines(l, i, ir.Mul)
}

// sieved is the Reduce r over all elements of the Filter s, of which it takes those for which kept holds.
func sieved(r *ir.Reduce, s *ir.Stmt, kept ir.Atom, names *ir.Namer) *ir.Reduce {
	filter := s.Op.(*ir.Scatter)
	i := names.Var("i", tInt)
	test := sliceBlock(filter.Body, []ir.Atom{kept}, nil).Clone(ir.Subst{filter.I: i}, names)
	var values []ir.Atom // the elements that r reads
	var reads []*ir.Var  // and what they are there
	rest := &ir.Block{Results: r.Body.Results}
	for _, u := range r.Body.Stmts {
		if read, ok := u.Op.(*ir.Index); ok {
			if k := slices.IndexFunc(s.Dst, func(d *ir.Var) bool { return read.X == ir.Atom(d) }); k >= 0 {
				values, reads = append(values, filter.Body.Results[k+1]), append(reads, u.Dst[0])
				continue
			}
		}
		rest.Stmts = append(rest.Stmts, u)
	}
	then := sliceBlock(filter.Body, values, nil).Clone(ir.Subst{filter.I: i}, names)
	sub := ir.Subst{}
	for k, v := range reads {
		sub[v] = then.Results[k]
	}
	rest = rest.Clone(sub, names)
	then.Stmts, then.Results = append(then.Stmts, rest.Stmts...), rest.Results
	branch := &ir.Stmt{Op: &ir.If{Cond: test.Results[0], Then: then, Else: &ir.Block{Results: slices.Clone(r.Init)}}, Pos: s.Pos}
	body := &ir.Block{Stmts: append(test.Stmts, branch)}
	for _, a := range r.Init {
		d := names.Var("sieved", a.Type())
		branch.Dst, body.Results = append(branch.Dst, d), append(body.Results, d)
	}
	return &ir.Reduce{N: filter.N, I: i, Body: body, Comb: r.Comb, Init: r.Init}
}
