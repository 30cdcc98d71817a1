package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// strips divides the loops in elements of operators, and in sequential code, that update arrays at computed places, as
// those that count in bins or append, and those that carry numbers in an order of their own beside loops in their
// turns: what a turn computes without what the loop carries, the places and what is put there, becomes a Map over a
// strip of turns, whose elements may lie on lanes, and what is left is a loop over the strip that reads it.
//
//	z' = loop (z1) init z for i = lo to hi { …; b = …; x = …; e = index z1 b; y = add e x; z2 = update z1 b y; yield z2 }
//
// becomes
//
//	z' = loop (z1) init z for strip = 0 to strips {
//	  b', x' = map k < turns { i = add first k; …; b = …; x = …; yield b x }
//	  z3 = loop (z2) init z1 for k = 0 to turns { b = index b' k; x = index x' k; …; yield z2 }
//	  yield z3
//	}
//
// No bit of the result changes: arrays are updated in the same order. It is [ordered] inside of operators, where all
// that the strip has stays in the first-level cache, and for loops at the top level that update arrays, where threads
// share longer strips if a turn is enough work.
//
// Elements that are numbers may lie on lanes themselves, unless their loops update arrays, or have turns as many as
// what they read says: for these [InStrips] is another form.
func strips(f *ir.Func, names *ir.Namer) {
	d := newStripper(f.Body, names)
	for _, s := range f.Body.Stmts {
		d.computation(s)
	}
	if d.found {
		simplify(f)
	}
}

// InStrips is a computation of f with the loops divided, as strips are, that carry numbers alone in elements that are
// numbers; nil if it has none of which that saves work. It has the results of the computation.
func InStrips(f *ir.Func, s *ir.Stmt, names *ir.Namer) *ir.Stmt {
	to := &ir.Stmt{Dst: s.Dst, Op: s.Clone(ir.Subst{}, names).Op, Pos: s.Pos}
	at := slices.Index(f.Body.Stmts, s)
	d := newStripper(&ir.Block{Stmts: append(slices.Clone(f.Body.Stmts[:at]), to)}, names)
	d.form = true
	if d.computation(to); !d.found {
		return nil
	}
	return to
}

func newStripper(b *ir.Block, names *ir.Namer) *stripper {
	return &stripper{orderer: orderer{names: names, reducer: reducer{defs: analysis.Of(b)}}, consumed: consumes(b)}
}

// computation looks at the loops of one, which is a Map.
func (d *stripper) computation(s *ir.Stmt) {
	if m, ok := s.Op.(*ir.Map); ok {
		d.single, d.numbers = ir.IsInt(m.N, 1), onLanes(m)
		d.inside(m.Body, false)
	}
}

// onLanes reports whether the elements of a Map may lie on lanes: there are several, which are numbers, no operator is
// in them, and how many turns their loops have depends on nothing that they read.
func onLanes(m *ir.Map) bool {
	return !ir.IsInt(m.N, 1) && flatResults(m) && !holdsOperators(m) && evenTurns(m.Body)
}

// evenTurns reports whether all loops in a block count to numbers that are computed from no element of an array, and
// from nothing that a loop carries.
func evenTurns(b *ir.Block) bool {
	read := map[*ir.Var]bool{}
	even := true
	ir.Walk(b, func(s *ir.Stmt) {
		if loop, ok := s.Op.(*ir.Loop); ok {
			even = even && loop.I != nil && loop.Cond == nil && !slices.ContainsFunc([]ir.Atom{loop.Lo, loop.Hi}, func(a ir.Atom) bool {
				v, isVar := a.(*ir.Var)
				return isVar && read[v]
			})
			for _, v := range loop.Params {
				read[v] = true
			}
		}
		if readsElements(s) || dependsOn(s, read) {
			for _, v := range s.Dst {
				read[v] = true
			}
		}
	})
	return even
}

// readsElements reports whether a statement, or one in it, reads an element of an array.
func readsElements(s *ir.Stmt) (found bool) {
	look := func(s *ir.Stmt) {
		_, reads := s.Op.(*ir.Index)
		found = found || reads
	}
	look(s)
	for _, b := range ir.Blocks(s.Op) {
		ir.Walk(b, look)
	}
	return found
}

// binTurns is how many turns a strip has: enough vectors to pay for two loops in place of one, and few enough that
// what they compute stays in the first-level cache.
const binTurns = 256

// sharedTurns is how many turns a strip has that threads share, and sharedCost what a turn costs then at least, in
// additions: what waits at the end of a strip is little beside it.
const sharedTurns, sharedCost = 1 << 12, 64

// leastStrip is how many turns fill a vector.
const leastStrip = 8

// TraitStrip marks the innermost level of elements that are a strip of a loop's turns: too few for threads to share.
const TraitStrip = "strip"

// isStrip reports whether an operator is a Map of as many elements as a strip has at most, and none of them has a loop.
func isStrip(op ir.Op, defs map[ir.Atom]ir.Op) bool {
	m, ok := op.(*ir.Map)
	if !ok || hasLoop(m.Body) {
		return false
	}
	n := m.N
	if most := bounded(defs, n); most != nil {
		n = most
	}
	c, ok := n.(ir.Const)
	return ok && c.Int() <= binTurns
}

// stripper divides loops inside of operators.
type stripper struct {
	orderer
	consumed map[*ir.Var]bool // the versions of arrays that something updates: no operator reads them
	single   bool             // in a Map of one element, whose levels may have the threads
	numbers  bool             // the innermost Map around has elements that may lie on lanes
	form     bool             // what is looked for is loops that carry numbers in such elements, and no others
}

// inside looks at the loops of a block, which is that of a loop or not.
func (d *stripper) inside(b *ir.Block, inLoop bool) {
	stmts := b.Stmts
	b.Stmts = nil
	for _, s := range stmts {
		loop, ok := s.Op.(*ir.Loop)
		if ok && !loop.Independent {
			if divided := d.inStrips(s, loop, inLoop); divided != nil {
				b.Stmts = append(b.Stmts, divided...)
				d.found = true
				continue
			}
		}
		around := d.numbers
		if indexOf(s.Op) != nil {
			m, isMap := s.Op.(*ir.Map)
			d.numbers = isMap && onLanes(m)
		}
		for i, c := range ir.Blocks(s.Op) {
			if choice, isIf := s.Op.(*ir.If); i > 0 && inLoop && isIf && inCase(choice) {
				continue // seldom, and a Map in it could keep lanes from the loop that it stays in place of
			}
			d.inside(c, inLoop || ok)
		}
		d.numbers = around
		b.Stmts = append(b.Stmts, s)
	}
}

// inStrips returns what stands for a loop, nil if it stays as it is. One that another loop is around may have few
// turns, and then stays as it is, too.
func (d *stripper) inStrips(s *ir.Stmt, loop *ir.Loop, inLoop bool) []*ir.Stmt {
	if loop.I == nil || loop.Cond != nil || len(loop.Params) == 0 || ir.HasCalls(loop) || !carriesSome(loop) && !hasLoop(loop.Body) {
		return nil
	}
	if d.form != (d.numbers && !carriesSome(loop)) {
		return nil
	}
	shared := d.single && !inLoop
	if holdsOperators(loop) && !(shared && onlyUpdates(loop)) {
		return nil
	}
	if turns, known := (&meter{defs: d.reducer.defs}).turns(loop); known && turns < leastStrip {
		return nil
	}
	p, ok := d.parts(s, loop)
	if !ok {
		return nil
	}
	turns := int64(binTurns)
	if shared && threadsPay(p) {
		turns = min(sharedTurns, stripTurns)
	} else if holdsOperators(loop) || !putsAnywhere(loop) && !hasLoop(p.first) || !lanesPay(p, loop) {
		return nil
	}
	if slices.ContainsFunc(ir.Free(p.first), func(v *ir.Var) bool { return v.T.Rank > 0 && d.consumed[v] }) {
		return nil
	}
	p.narrow()
	var out []*ir.Stmt
	e := emitter{&resolver{names: d.names, defs: map[*ir.Var]*ir.Stmt{}}, &out, s.Pos}
	n := e.turns(loop)
	if c, ok := n.(ir.Const); ok && c.Int() <= turns {
		p.write(e, loop.Lo, n, loop.Init, s.Dst)
		return out
	}
	if !inLoop {
		p.strips(e, n, turns)
		return out
	}
	few := s.Clone(ir.Subst{}, d.names)
	p.s = &ir.Stmt{Pos: s.Pos}
	then, els := &ir.Block{}, &ir.Block{Stmts: []*ir.Stmt{few}}
	for i, v := range s.Dst {
		x := d.names.Var(v.Name, v.T)
		p.s.Dst = append(p.s.Dst, x)
		then.Results, els.Results = append(then.Results, x), append(els.Results, few.Dst[i])
	}
	p.strips(e.into(then), n, binTurns)
	e.stmt(&ir.If{Cond: e.bin(ir.Le, "many", ir.IntConst(ir.Int, leastStrip), n), Then: then, Else: els}, s.Dst...)
	return out
}

// onlyUpdates reports whether the operators in a loop are loops of independent turns.
func onlyUpdates(loop *ir.Loop) bool {
	only := true
	ir.Walk(loop.Body, func(s *ir.Stmt) {
		_, isLoop := s.Op.(*ir.Loop)
		only = only && (isLoop || indexOf(s.Op) == nil)
	})
	return only
}

// threadsPay reports whether what a turn computes without what the loop carries is so much work, and so much more than
// the rest, that threads share the turns of a strip: a simulation whose outcome is added up, or sorted into bins, or
// what decides whether an element is appended.
func threadsPay(p pieces) bool {
	work := weigh(p.first)
	return work >= sharedCost && weigh(p.second)+storedCost*float64(len(p.stored)) <= work/4
}

// narrow has the second part widen the integers that the first one widens, so that what is stored is narrow.
func (p *pieces) narrow() {
	sub := ir.Subst{}
	var widen []*ir.Stmt
	for _, s := range p.first.Stmts {
		c, ok := s.Op.(*ir.Convert)
		if !ok || !slices.Contains(p.stored, s.Dst[0]) {
			continue
		}
		if x, isVar := c.X.(*ir.Var); isVar && x.T.Kind.IsInteger() && c.To.IsInteger() && x.T.Kind.Bytes() < c.To.Bytes() {
			v := p.names.Var(s.Dst[0].Name, s.Dst[0].T)
			sub[s.Dst[0]] = v
			widen = append(widen, &ir.Stmt{Dst: []*ir.Var{v}, Op: &ir.Convert{To: c.To, X: x}, Pos: s.Pos})
		}
	}
	substitute(p.second, sub)
	p.second.Stmts = append(widen, p.second.Stmts...)
	p.stored = crossing(p.first.Stmts, p.second)
	p.first.Results = nil
	for _, v := range p.stored {
		p.first.Results = append(p.first.Results, v)
	}
}

// putsAnywhere reports whether a loop carries arrays and updates one at a place that depends on what a turn reads.
func putsAnywhere(loop *ir.Loop) bool {
	if !carriesSome(loop) {
		return false
	}
	read := map[*ir.Var]bool{}
	found := false
	ir.Walk(loop.Body, func(s *ir.Stmt) {
		_, reads := s.Op.(*ir.Index)
		if reads || dependsOn(s, read) {
			for _, v := range s.Dst {
				read[v] = true
			}
		}
		if op, ok := s.Op.(*ir.Update); ok {
			i, isVar := op.I.(*ir.Var)
			found = found || isVar && read[i]
		}
	})
	return found
}

// lanesPay reports whether lanes save a quarter of a loop, beyond what it takes to store what its first part yields.
func lanesPay(p pieces, loop *ir.Loop) bool {
	const lanes = 8
	m := &ir.Map{N: ir.IntConst(ir.Int, binTurns), I: loop.I, Body: p.first}
	c := &Computation{Stmt: &ir.Stmt{Op: m}, Sequence: make(Sequence, 1)}
	cost := c.Costs()[0]
	saved := cost.Operations - (cost.Operations+cost.Masked[0])/lanes - oneByOne*cost.Scalarised[0] - storedCost*float64(len(p.stored))
	return saved > (cost.Operations+weigh(p.second))/4
}
