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
func strips(f *ir.Func, names *ir.Namer) {
	d := &stripper{orderer: orderer{names: names, reducer: reducer{defs: analysis.Of(f.Body)}}, consumed: consumes(f.Body)}
	for _, s := range f.Body.Stmts {
		if m, ok := s.Op.(*ir.Map); ok {
			d.single = ir.IsInt(m.N, 1)
			d.inside(m.Body, false)
		}
	}
	if d.found {
		simplify(f)
	}
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
		for i, c := range ir.Blocks(s.Op) {
			if choice, isIf := s.Op.(*ir.If); i > 0 && inLoop && isIf && inCase(choice) {
				continue // seldom, and a Map in it could keep lanes from the loop that it stays in place of
			}
			d.inside(c, inLoop || ok)
		}
		b.Stmts = append(b.Stmts, s)
	}
}

// inStrips returns what stands for a loop, nil if it stays as it is. One that another loop is around may have few
// turns, and then stays as it is, too.
func (d *stripper) inStrips(s *ir.Stmt, loop *ir.Loop, inLoop bool) []*ir.Stmt {
	if loop.I == nil || loop.Cond != nil || len(loop.Params) == 0 || ir.HasCalls(loop) || !carriesSome(loop) && !hasLoop(loop.Body) {
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
