package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// kept keeps an element that all turns of a loop read or update, while they use no other one of its array, in a number
// that the loop carries,
//
//	a' = loop (b) init a for j = lo to hi { …; e = index b at; …; c = update b at v; yield c }
//
// becomes
//
//	first = index a at
//	last = loop (e) init first for j = lo to hi { …; yield v }
//	a' = update a at last
//
// so that c[i][j] += a[i][k]*b[k][j] in a loop over k is a sum, whichever way it is written. Where at is not known to
// be in the array, both is done if there is a turn, which checks it before it uses the element.
func kept(f *ir.Func, names *ir.Namer) {
	g := f.Clone()
	lengths(g)
	simplify(g)
	hoist(g, names)
	simplify(g)
	k := &keeper{f: g, names: names, limits: map[ir.Atom]ir.Atom{}}
	k.allocs = ir.Allocs(g.Body)
	k.block(g.Body)
	if k.changed {
		*f = *g
	}
}

type keeper struct {
	f       *ir.Func
	names   *ir.Namer
	allocs  map[*ir.Var]*ir.Stmt // versions of arrays, and what made them
	limits  map[ir.Atom]ir.Atom  // what the counters of the loops around stay below, which are not negative
	changed bool
}

func (k *keeper) block(b *ir.Block) {
	for at := 0; at < len(b.Stmts); at++ {
		s := b.Stmts[at]
		switch op := s.Op.(type) {
		case *ir.Map:
			k.limits[op.I] = op.N
		case *ir.Loop:
			if lo, ok := op.Lo.(ir.Const); op.I != nil && ok && lo.Int() >= 0 {
				k.limits[op.I] = op.Hi
			}
		}
		for _, c := range ir.Blocks(s.Op) {
			k.block(c)
		}
		if loop, ok := s.Op.(*ir.Loop); ok {
			for i := range loop.Params {
				if before, behind := k.element(s, loop, i); before != nil {
					b.Stmts = slices.Replace(b.Stmts, at, at+1, slices.Concat(before, []*ir.Stmt{s}, behind)...)
					at += len(before)
					k.changed = true
					k.allocs = ir.Allocs(k.f.Body)
				}
			}
		}
	}
}

// element lets a loop carry the one element that it uses of what it carries as number i, and returns what it needs
// before and behind it; nil if it is left as it is.
func (k *keeper) element(s *ir.Stmt, loop *ir.Loop, i int) (before, behind []*ir.Stmt) {
	p := loop.Params[i]
	made := k.allocs[p]
	if p.T.Rank != 1 || made == nil || made.Op.(*ir.Alloc).Grows {
		return nil, nil
	}
	one := &oneElement{names: k.names, of: loop.Init[i], is: func(a ir.Atom) bool { v, _ := a.(*ir.Var); return k.allocs[v] == made }, sub: ir.Subst{}}
	one.look(loop.Body, true)
	if loop.Cond != nil {
		one.look(loop.Cond, false)
	}
	n := length(made)
	_, constant := n.(ir.Const)
	_, fixed := one.at.(ir.Const)
	if one.other || !one.updates || constant && fixed || changesIn(loop, one.at) {
		return nil, nil
	}
	e := emitter{&resolver{names: k.names, defs: map[*ir.Var]*ir.Stmt{}}, &before, s.Pos}
	inside := k.limits[one.at] != nil && k.limits[one.at] == n
	some := ir.Atom(nil)
	if !inside {
		if loop.I == nil || !one.always {
			return nil, nil
		}
		some = e.bin(ir.Lt, "some", loop.Lo, loop.Hi)
	}
	first := k.first(e, loop.Init[i], one.at, n, some)
	array, last := s.Dst[i], k.names.Var(elementName(p), p.T.Elem())
	carried := k.names.Var(elementName(p), p.T.Elem())
	if loop.Cond != nil {
		one.rewrite(loop.Cond, carried)
	}
	body := one.rewrite(loop.Body, carried)
	loop.Body.Results[i], loop.Params[i], loop.Init[i], s.Dst[i] = body, carried, first, last
	substitute(loop.Body, one.sub)
	if loop.Cond != nil {
		substitute(loop.Cond, one.sub)
	}
	update := &ir.Update{X: one.of, I: one.at, Value: last}
	if some == nil {
		return before, []*ir.Stmt{{Dst: []*ir.Var{array}, Op: update, Pos: s.Pos}}
	}
	now := k.names.Var(array.Name, array.T)
	return before, []*ir.Stmt{{Dst: []*ir.Var{array}, Pos: s.Pos, Op: &ir.If{Cond: some,
		Then: &ir.Block{Stmts: []*ir.Stmt{{Dst: []*ir.Var{now}, Op: update, Pos: s.Pos}}, Results: []ir.Atom{now}},
		Else: &ir.Block{Results: []ir.Atom{one.of}}}}}
}

// first reads the element before the loop; with some, where the loop has a turn, and the array the element.
func (k *keeper) first(e emitter, array, at, n, some ir.Atom) ir.Atom {
	t := array.Type().Elem()
	name := elementName(array)
	if some == nil {
		return e.let(name, t, &ir.Index{X: array, I: at})
	}
	there := e.both(some, e.both(e.bin(ir.Le, "in", ir.IntConst(ir.Int, 0), at), e.bin(ir.Lt, "in", at, n)))
	then := &ir.Block{}
	then.Results = []ir.Atom{e.into(then).let(name, t, &ir.Index{X: array, I: at})}
	return e.let(name, t, &ir.If{Cond: there, Then: then, Else: &ir.Block{Results: []ir.Atom{zero(t.Kind)}}})
}

// oneElement is what a loop uses of an array that it carries.
type oneElement struct {
	names   *ir.Namer
	of      ir.Atom            // the array before the loop
	is      func(ir.Atom) bool // whether something is a version of it
	at      ir.Atom            // the place of the element
	updates bool               // it is updated
	always  bool               // each turn uses it
	other   bool               // something else of the array is used
	sub     ir.Subst           // what stands for what is read
}

// look finds out what a block does with the array; each turn comes to the statements of the block itself if always is
// true.
func (o *oneElement) look(b *ir.Block, always bool) {
	for _, s := range b.Stmts {
		used := ir.Atom(nil)
		switch op := s.Op.(type) {
		case *ir.Index:
			if o.is(op.X) {
				used = op.I
			}
			o.other = o.other || o.is(op.I)
		case *ir.Update:
			if o.is(op.X) {
				used, o.updates = op.I, true
			}
		case *ir.Len:
		case *ir.If:
			for i, d := range s.Dst {
				o.other = o.other || o.is(op.Then.Results[i]) != o.is(d) || o.is(op.Else.Results[i]) != o.is(d)
			}
		case *ir.Loop:
			for i, p := range op.Params {
				o.other = o.other || o.is(p) && !o.is(op.Body.Results[i]) || !o.is(p) && o.is(op.Init[i])
			}
			o.other = o.other || op.Independent && slices.ContainsFunc(op.Params, func(p *ir.Var) bool { return o.is(p) })
		default:
			for _, a := range ir.Operands(s.Op) {
				o.other = o.other || o.is(*a)
			}
			for _, c := range ir.Blocks(s.Op) {
				o.other = o.other || slices.ContainsFunc(c.Results, o.is)
			}
		}
		if used != nil {
			o.other = o.other || o.at != nil && o.at != used
			o.at, o.always = used, o.always || always
		}
		for _, c := range ir.Blocks(s.Op) {
			o.look(c, false)
		}
	}
}

// rewrite puts numbers in the place of the versions of the array in a block that begins with the element now, and
// returns what the element is at its end.
func (o *oneElement) rewrite(b *ir.Block, now ir.Atom) ir.Atom {
	var stmts []*ir.Stmt
	for _, s := range b.Stmts {
		switch op := s.Op.(type) {
		case *ir.Index:
			if o.is(op.X) {
				o.sub[s.Dst[0]] = now
				continue
			}
		case *ir.Update:
			if o.is(op.X) {
				now = op.Value
				continue
			}
		case *ir.Len:
			if o.is(op.X) {
				op.X = o.of
			}
		case *ir.If:
			now = o.arms(s, op, now)
			stmts = append(stmts, s)
			continue
		case *ir.Loop:
			now = o.loop(s, op, now)
			stmts = append(stmts, s)
			continue
		}
		for _, c := range ir.Blocks(s.Op) {
			o.rewrite(c, now)
		}
		stmts = append(stmts, s)
	}
	b.Stmts = stmts
	return now
}

func (o *oneElement) arms(s *ir.Stmt, op *ir.If, now ir.Atom) ir.Atom {
	then, els := o.rewrite(op.Then, now), o.rewrite(op.Else, now)
	for i, d := range s.Dst {
		if o.is(d) {
			s.Dst[i] = o.names.Var(elementName(d), d.T.Elem())
			op.Then.Results[i], op.Else.Results[i] = then, els
			return s.Dst[i]
		}
	}
	return now
}

func (o *oneElement) loop(s *ir.Stmt, op *ir.Loop, now ir.Atom) ir.Atom {
	for i, p := range op.Params {
		if !o.is(p) {
			continue
		}
		carried := o.names.Var(elementName(p), p.T.Elem())
		if op.Cond != nil {
			o.rewrite(op.Cond, carried)
		}
		op.Body.Results[i] = o.rewrite(op.Body, carried)
		op.Params[i], op.Init[i], s.Dst[i] = carried, now, o.names.Var(elementName(p), p.T.Elem())
		return s.Dst[i]
	}
	for _, c := range ir.Blocks(op) {
		o.rewrite(c, now)
	}
	return now
}
