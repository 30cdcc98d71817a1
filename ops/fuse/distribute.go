package fuse

import (
	"maps"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// distribute divides loops that assign elements and accumulate in the same turns: rule G6 of incremental flattening,
// for loops of the source. What is left are a loop that fills arrays and one that accumulates, which later passes make
// a Map and a Reduce of.
//
//	z', s' = loop (z1, s) init z a for i = lo to hi { …; z2 = update z1 i d; t = add s (f d); yield z2 t }
//
// becomes, where f is cheap,
//
//	z' = loop (z1) init z for i = lo to hi { …; z2 = update z1 i d; yield z2 }
//	s' = loop (s) init a for i = lo to hi { d = index z' i; t = add s (f d); yield t }
//
// What a turn accumulates that is not cheap, or needs what an element was before, the first loop stores:
//
//	x  = alloc (hi - lo)
//	z', x' = loop (z1, x1) init z x for i = lo to hi { …; z2 = update z1 i d; x2 = update x1 (i - lo) y; yield z2 x2 }
//	s' = loop (s) init a for k = 0 to hi - lo { y = index x' k; t = add s y; yield t }
//
// The first loop makes all checks, in their order. Sums of floats stay in the order of the source, and a loop for them
// alone is worth it only where the elements are much work. Elements of Maps that fill a row and accumulate have such
// loops, too.
func distribute(f *ir.Func, names *ir.Namer) {
	if !slices.ContainsFunc(slices.Concat(loopsOutside(f.Body), loopsInMaps(f.Body)), mixes) {
		return
	}
	g := f.Clone()
	lengths(g)
	simplify(g)
	hoist(g, names)
	simplify(g)
	d := &distributor{f: g, names: names, floats: f.Reassociate}
	if d.block(g.Body); d.found {
		simplify(g)
		*f = *g
	}
}

const (
	// rereadCost is what a turn of the second loop may cost, in additions, whatever the first one does.
	rereadCost = 12
	// orderedCost is how much a turn has to cost, in additions, so that a sum in the order of the source, which waits
	// for the sum before, is better left to a loop of its own.
	orderedCost = 24
)

// loopsOutside returns the loops of a block that are outside of operators.
func loopsOutside(b *ir.Block) (all []*ir.Loop) {
	for _, s := range b.Stmts {
		if loop, ok := s.Op.(*ir.Loop); ok {
			all = append(all, loop)
		}
		if indexOf(s.Op) == nil {
			for _, c := range ir.Blocks(s.Op) {
				all = append(all, loopsOutside(c)...)
			}
		}
	}
	return all
}

// loopsInMaps returns the loops that elements of Maps hold, outside of operators in these.
func loopsInMaps(b *ir.Block) (all []*ir.Loop) {
	ir.Walk(b, func(s *ir.Stmt) {
		if m, ok := s.Op.(*ir.Map); ok {
			all = append(all, loopsOutside(m.Body)...)
		}
	})
	return all
}

// mixes reports whether a counted loop carries scalars and flat arrays, and holds no operators and
// no calls, of which each runs once.
func mixes(l *ir.Loop) bool {
	arrays, scalars := 0, 0
	for _, p := range l.Params {
		switch p.T.Rank {
		case 0:
			scalars++
		case 1:
			arrays++
		default:
			return false
		}
	}
	return l.I != nil && arrays > 0 && scalars > 0 && !holdsOperators(l) && !ir.HasCalls(l)
}

type distributor struct {
	f      *ir.Func
	names  *ir.Namer
	floats bool // float sums and products may be taken in any order
	deep   bool // inside of a loop, or of an element of a Map
	found  bool
}

func (d *distributor) block(b *ir.Block) {
	for at := 0; at < len(b.Stmts); at++ {
		s := b.Stmts[at]
		loop, isLoop := s.Op.(*ir.Loop)
		if isLoop && mixes(loop) {
			if n := d.divide(b, at); n > 0 {
				d.found = true
				at += n - 1
				continue
			}
		}
		if isLoop && d.rowwise(b, at) {
			d.found = true
			continue
		}
		_, isMap := s.Op.(*ir.Map)
		if indexOf(s.Op) == nil || isMap {
			deep := d.deep
			d.deep = deep || isLoop || isMap
			for _, c := range ir.Blocks(s.Op) {
				d.block(c)
			}
			d.deep = deep
		}
	}
}

// separate reports whether the turns of a loop update an element each of every array, which no other turn reads or
// updates: what a loop behind it reads there is what that turn has left, and later passes make the turns independent.
func separate(loop *ir.Loop) bool {
	at, arrays, ok := map[ir.Atom]ir.Atom{}, map[ir.Atom]bool{}, true // versions → the element that is updated
	for _, p := range loop.Params {
		arrays[p] = isArray(p)
	}
	for _, s := range loop.Body.Stmts {
		switch op := s.Op.(type) {
		case *ir.Loop, *ir.If:
			ir.Walk(&ir.Block{Stmts: []*ir.Stmt{s}}, func(s *ir.Stmt) {
				_, update := s.Op.(*ir.Update)
				index, read := s.Op.(*ir.Index)
				ok = ok && !update && !(read && arrays[index.X])
			})
		case *ir.Update:
			ok = ok && at[op.X] == nil
			at[op.X], arrays[s.Dst[0]], at[s.Dst[0]] = op.I, true, op.I
		}
	}
	for _, s := range loop.Body.Stmts {
		if read, is := s.Op.(*ir.Index); is && arrays[read.X] {
			ok = ok && at[read.X] == read.I
		}
	}
	return ok && len(at) > 0 && advances(loop, analysis.Of(loop.Body))
}

// divide puts two loops in the place of statement at of a block, where that is known to be right and worth it. It
// returns how many statements stand there then, 0 if it did nothing.
func (d *distributor) divide(b *ir.Block, at int) int {
	p := &parting{distributor: d, s: b.Stmts[at], allocs: versions(d.f.Body)}
	if !p.accumulates() {
		return 0
	}
	for i, way := range []func() []*ir.Stmt{p.reread, p.expanded} {
		stmts := way()
		if stmts == nil {
			continue
		}
		before := b.Stmts
		b.Stmts = slices.Concat(b.Stmts[:at], stmts, b.Stmts[at+1:])
		fill := stmts[len(stmts)-2]
		n, filled := d.filled(fill)
		if !filled && (i == 0 || p.sums.once) && p.work >= orderedCost && d.deep && separate(fill.Op.(*ir.Loop)) {
			return len(b.Stmts) - len(before) + 1
		}
		if filled && (p.ordered || p.bound(b, at+len(stmts)-1, n)) {
			return len(b.Stmts) - len(before) + 1
		}
		b.Stmts = before
	}
	return 0
}

// filled reports whether a loop becomes a Map, and returns what it fills.
func (d *distributor) filled(s *ir.Stmt) (*nest, bool) {
	fl := newFiller(d.f, d.names)
	return fl.nests[s], fl.nests[s] != nil && !slices.ContainsFunc(s.Op.(*ir.Loop).Params, func(p *ir.Var) bool { return !fl.arrays[fl.allocs[p]] })
}

// parting is a loop on its way to two.
type parting struct {
	*distributor
	s       *ir.Stmt // a copy of the loop, which may be changed
	allocs  map[*ir.Var]*ir.Stmt
	sums    accumulation
	ordered bool // a float is added to or multiplied in the order of the source
	work    float64
}

func (p *parting) loop() *ir.Loop { return p.s.Op.(*ir.Loop) }

func (p *parting) emitter(out *[]*ir.Stmt) emitter {
	return emitter{&resolver{names: p.names, defs: map[*ir.Var]*ir.Stmt{}}, out, p.s.Pos}
}

// copied makes p.s a copy of the loop, with what is known of its arrays, and reports whether that is enough.
func (p *parting) copied() bool {
	dst := p.s.Dst
	p.s = p.s.Clone(ir.Subst{}, p.names)
	p.s.Dst = dst
	maps.Copy(p.allocs, versions(p.f.Body))
	loop := p.loop()
	of := map[*ir.Var]*ir.Stmt{} // the versions of the copy
	for i, v := range loop.Params {
		if v.T.Rank > 0 {
			made := p.allocs[dst[i]]
			if made == nil || made.Op.(*ir.Alloc).Grows {
				return false
			}
			of[v] = made
		}
	}
	if !newVersions(loop.Body, of) {
		return false
	}
	maps.Copy(p.allocs, of)
	return true
}

// accumulates reports whether all scalars that the loop carries are accumulated.
func (p *parting) accumulates() bool {
	if !p.copied() {
		return false
	}
	loop := p.loop()
	conditions(p.emitter(new([]*ir.Stmt)), loop.Body, map[ir.Atom]*ir.Binary{})
	p.sums = accumulation{floats: true, of: map[ir.Atom]int{}, by: make([]ir.BinaryFn, len(loop.Params))}
	for i, v := range loop.Params {
		if v.T.Rank == 0 {
			p.sums.of[v] = i
		}
	}
	if !p.sums.find(loop.Body) {
		return false
	}
	for i, v := range loop.Params {
		if v.T.Rank > 0 {
			continue
		}
		if at, ok := p.sums.of[loop.Body.Results[i]]; !ok || at != i || p.sums.by[i] == "" {
			return false
		}
		p.ordered = p.ordered || !p.floats && identity(p.sums.by[i], v.T.Kind) == nil
	}
	p.sums.floats, p.sums.once = p.floats, p.ordered && p.sums.single(loop.Body, map[ir.Atom]int{})
	p.work = weigh(loop.Body)
	return !p.ordered || p.work >= orderedCost
}

// newVersions notes which versions of arrays a block makes, those of its own among them. It reports whether none grows,
// or is one or another.
func newVersions(b *ir.Block, of map[*ir.Var]*ir.Stmt) bool {
	for _, s := range b.Stmts {
		switch op := s.Op.(type) {
		case *ir.Grow:
			return false
		case *ir.Alloc:
			if op.Grows {
				return false
			}
			of[s.Dst[0]] = s
		case *ir.Update:
			v, _ := op.X.(*ir.Var)
			if of[v] == nil {
				return false
			}
			of[s.Dst[0]] = of[v]
		case *ir.Loop:
			for i, q := range op.Params {
				if q.T.Rank > 0 {
					v, _ := op.Init[i].(*ir.Var)
					if of[v] == nil {
						return false
					}
					of[q], of[s.Dst[i]] = of[v], of[v]
				}
			}
			if op.Cond != nil && !newVersions(op.Cond, of) || !newVersions(op.Body, of) {
				return false
			}
		case *ir.If:
			if !newVersions(op.Then, of) || !newVersions(op.Else, of) {
				return false
			}
			for i, d := range s.Dst {
				if d.T.Rank == 0 {
					continue
				}
				x, _ := op.Then.Results[i].(*ir.Var)
				y, _ := op.Else.Results[i].(*ir.Var)
				if of[x] == nil || of[x] != of[y] {
					return false
				}
				of[d] = of[x]
			}
		}
	}
	return true
}

// weigh is what a block costs, in additions.
func weigh(b *ir.Block) float64 {
	return newMeter(1).block(b.Clone(ir.Subst{}, ir.NewNamer(&ir.Func{Body: b})), 0, 1)
}

// part is a copy of the loop that carries only what keep says.
func (p *parting) part(keep func(v *ir.Var) bool) *ir.Stmt {
	s := p.s.Clone(ir.Subst{}, p.names)
	s.Dst = p.s.Dst
	only := map[*ir.Var]bool{}
	for _, d := range s.Dst {
		only[d] = keep(d)
	}
	prune(s, only)
	return s
}

func isArray(v *ir.Var) bool  { return v.T.Rank > 0 }
func isScalar(v *ir.Var) bool { return v.T.Rank == 0 }

// expanded returns a loop that fills, and stores what is accumulated, and one that accumulates that.
func (p *parting) expanded() []*ir.Stmt {
	var out []*ir.Stmt
	e := p.emitter(&out)
	loop := p.loop()
	k, n, body := p.names.Var("k", tInt), loop.Hi, &ir.Block{}
	in := e.into(body)
	turn := ir.Atom(k)
	if !ir.IsInt(loop.Lo, 0) || !p.nonnegative(loop.Hi) {
		n, turn = e.turns(loop), in.bin(ir.Add, loop.I.Name, loop.Lo, k)
	}
	sums := p.sums
	sums.parts = &standins{names: p.names, sub: ir.Subst{loop.I: turn}, now: map[ir.Atom]ir.Atom{},
		stands: func(v *ir.Var) bool { return sums.carries(v) }, stmt: sums.write}
	fill := &ir.Loop{I: k, Lo: ir.IntConst(ir.Int, 0), Hi: n, Body: body}
	for i, v := range loop.Params {
		if isScalar(v) {
			one := sums.identity(p.sums.by[i], v.T.Kind)
			if one == nil {
				return nil // an order in which a turn combines several values
			}
			sums.parts.now[v] = one
			continue
		}
		fill.Params, fill.Init = append(fill.Params, sums.parts.bind(v)), append(fill.Init, loop.Init[i])
	}
	sums.parts.block(in, loop.Body)
	for i := range loop.Params {
		if isArray(p.s.Dst[i]) {
			body.Results = append(body.Results, sums.parts.value(loop.Body.Results[i]))
		}
	}
	var arrays []*ir.Var
	for _, d := range p.s.Dst {
		if isArray(d) {
			arrays = append(arrays, d)
		}
	}
	then := &ir.Loop{I: p.names.Var("k", tInt), Lo: ir.IntConst(ir.Int, 0), Hi: n, Body: &ir.Block{}}
	second := e.into(then.Body)
	var left []*ir.Var
	for i, v := range loop.Params {
		if isArray(v) {
			continue
		}
		t := v.T.Array()
		x := e.let(v.Name, t, &ir.Alloc{Kind: v.T.Kind, N: n})
		carried, stored := p.names.Var(v.Name, t), p.names.Var(v.Name, t)
		fill.Params, fill.Init = append(fill.Params, carried), append(fill.Init, x)
		arrays = append(arrays, stored)
		body.Results = append(body.Results, in.let(v.Name, t, &ir.Update{X: carried, I: k, Value: sums.parts.value(loop.Body.Results[i])}))
		sum := p.names.Var(v.Name, v.T)
		then.Params, then.Init = append(then.Params, sum), append(then.Init, loop.Init[i])
		left = append(left, p.s.Dst[i])
		y := second.let(v.Name, v.T, &ir.Index{X: stored, I: then.I})
		then.Body.Results = append(then.Body.Results, second.let(v.Name, v.T, &ir.Binary{Fn: p.sums.by[i], X: sum, Y: y}))
	}
	e.stmt(fill, arrays...)
	e.stmt(then, left...)
	return out
}

// nonnegative reports whether a value is known not to be negative: it is the length of something.
func (p *parting) nonnegative(a ir.Atom) bool {
	_, length := analysis.Of(p.f.Body)[a].(*ir.Len)
	return length || madeOf(p.f)[a]
}
