package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// Probe counts the elements of the operators inside a computation for one element of its outermost one: what tells
// how long rows are whose lengths are not known before, because they are read or calculated where the row is. In the
// same way it counts what the loops around these operators do. It is the computation's body without what it computes,
// so that it costs a few reads.
type Probe struct {
	Index *ir.Var // of the outermost operator
	// Body yields two ints for each level from the second on: the number of its elements, and of the operators that
	// they belong to; and, where Turns says so, the operations of loops, and 1 for the element that they belong to.
	// Its checks are those of the computation, hoisted ones too, so that it may run on inputs that nobody has looked
	// at.
	Body *ir.Block
	// Turns says that the operations are counted which an element has in loops whose turns are not known before the
	// computation: what [Cost] guesses of the outermost level.
	Turns bool
	// Loops says that Body holds a loop: what it costs is not known.
	Loops bool
	// Known says for each of those levels whether all of its operators are counted.
	Known []bool
}

// probe builds the probe of a computation with that many levels, or returns nil if nothing can be counted.
func probe(top *ir.Stmt, levels int) *Probe {
	if p := newProbe(top, levels, true); p != nil {
		return p
	}
	return newProbe(top, levels, false)
}

// newProbe builds a probe that counts what loops do, or one that does not; nil if that cannot be counted.
func newProbe(top *ir.Stmt, levels int, turns bool) *Probe {
	b := &prober{dropped: map[*ir.Var]bool{}, known: make([]bool, levels-1), turns: turns, meter: newMeter(levels)}
	outermost := ir.Blocks(top.Op)[0]
	ir.Walk(outermost, func(s *ir.Stmt) {
		for _, d := range s.Dst {
			b.meter.defs[d] = s.Op
		}
	})
	if turns && (!b.guessed(outermost.Stmts...) || ir.IsInt(lengthOf(top.Op), 1)) { // of one element there is no sample
		return nil
	}
	var zeros []ir.Atom
	for i := range b.known {
		b.known[i] = true
		zeros = append(zeros, ir.IntConst(ir.Int, 0), ir.IntConst(ir.Int, 0))
	}
	if turns {
		zeros = append(zeros, ir.IntConst(ir.Int, 0))
	}
	for b.drop(outermost) { // until nothing changes: loops carry values around
	}
	body := b.block(outermost, zeros, 0)
	for i := range b.known { // what is not known is not worth computing
		if !b.known[i] || body.Results[2*i] == zeros[0] {
			b.known[i] = false
			body.Results[2*i], body.Results[2*i+1] = zeros[0], zeros[0]
		}
	}
	if turns {
		body.Results = append(body.Results, ir.IntConst(ir.Int, 1))
	}
	p := &Probe{Index: indexOf(top.Op), Body: b.needed(body, body.Results), Turns: turns, Known: b.known}
	inside := map[*ir.Var]bool{} // what only the computation has
	ir.Walk(outermost, func(s *ir.Stmt) {
		for _, v := range append(ir.Bound(s.Op), s.Dst...) {
			inside[v] = true
		}
	})
	if !turns && !slices.Contains(p.Known, true) || slices.ContainsFunc(ir.Free(p.Body), func(v *ir.Var) bool { return b.dropped[v] || inside[v] }) {
		return nil
	}
	dear := false
	ir.Walk(p.Body, func(s *ir.Stmt) {
		switch op := s.Op.(type) {
		case *ir.Loop:
			p.Loops = true
			// A loop that carries more than counters is what the computation is there for.
			dear = dear || turns && slices.ContainsFunc(op.Params, func(v *ir.Var) bool { return v.T.Kind.IsFloat() })
		case *ir.Alloc, *ir.Update, *ir.Grow, *ir.View:
			dear = true
		}
	})
	if dear {
		return nil
	}
	return p
}

type prober struct {
	dropped map[*ir.Var]bool // results of operators, which the probe does not compute, and what depends on them
	known   []bool
	turns   bool   // count what loops do
	meter   *meter // of operations
}

// guessed reports whether one of the statements is or holds a loop whose turns are not known before the computation.
func (p *prober) guessed(stmts ...*ir.Stmt) bool {
	found := false
	for _, s := range stmts {
		if op, ok := s.Op.(*ir.Loop); ok {
			_, known := p.meter.turns(op)
			found = found || !known
		}
		if indexOf(s.Op) != nil {
			continue
		}
		for _, b := range ir.Blocks(s.Op) {
			found = found || p.guessed(b.Stmts...)
		}
	}
	return found
}

// plain returns what b costs without the operators and the loops that are counted.
func (p *prober) plain(b *ir.Block) int64 {
	own := &ir.Block{}
	for _, s := range b.Stmts {
		if indexOf(s.Op) == nil && !holdsOperators(s.Op) && !p.guessed(s) {
			own.Stmts = append(own.Stmts, s)
		}
	}
	return int64(p.meter.block(own, 0, 1))
}

// drop marks what b does not compute without its operators, and reports whether that is more than before.
func (p *prober) drop(b *ir.Block) (more bool) {
	is := func(a ir.Atom) bool { v, ok := a.(*ir.Var); return ok && p.dropped[v] }
	set := func(v *ir.Var) {
		if !p.dropped[v] {
			p.dropped[v], more = true, true
		}
	}
	for _, s := range b.Stmts {
		reads := slices.ContainsFunc(ir.Operands(s.Op), func(a *ir.Atom) bool { return is(*a) })
		if indexOf(s.Op) != nil {
			for _, d := range s.Dst {
				set(d)
			}
			continue
		}
		for _, c := range ir.Blocks(s.Op) {
			more = p.drop(c) || more
		}
		for i, d := range s.Dst {
			switch op := s.Op.(type) {
			case *ir.If:
				if reads || is(op.Then.Results[i]) || is(op.Else.Results[i]) {
					set(d)
				}
			case *ir.Loop:
				if is(op.Init[i]) || is(op.Body.Results[i]) || is(op.Lo) || is(op.Hi) || op.Cond != nil && is(op.Cond.Results[0]) {
					set(d)
					set(op.Params[i])
				}
			default:
				if reads {
					set(d)
				}
			}
		}
	}
	return more
}

// count adds a statement that yields x fn y, or the value itself where one is the neutral constant.
func (p *prober) count(out *ir.Block, fn ir.BinaryFn, x, y ir.Atom) ir.Atom {
	if fn == ir.Sub && ir.IsInt(y, 0) {
		return x
	}
	if fn == ir.Add && ir.IsInt(x, 0) || fn == ir.Mul && ir.IsInt(x, 1) {
		return y
	}
	v := &ir.Var{Name: "count", T: ir.Type{Kind: ir.Int}}
	out.Stmts = append(out.Stmts, &ir.Stmt{Dst: []*ir.Var{v}, Op: &ir.Binary{Fn: fn, X: x, Y: y}})
	return v
}

// done counts operations, n times so many.
func (p *prober) done(out *ir.Block, n ir.Atom, operations int64) {
	if operations > 0 {
		last := &out.Results[len(out.Results)-1]
		*last = p.count(out, ir.Add, *last, p.count(out, ir.Mul, n, ir.IntConst(ir.Int, operations)))
	}
}

// turnsOf adds statements that yield how often a counted loop turns.
func (p *prober) turnsOf(out *ir.Block, op *ir.Loop) ir.Atom {
	integer := func(a ir.Atom) ir.Atom {
		if a.Type().Kind == ir.Int {
			return a
		}
		v := &ir.Var{Name: "bound", T: ir.Type{Kind: ir.Int}}
		out.Stmts = append(out.Stmts, &ir.Stmt{Dst: []*ir.Var{v}, Op: &ir.Convert{To: ir.Int, X: a}})
		return v
	}
	return p.count(out, ir.Max, p.count(out, ir.Sub, integer(op.Hi), integer(op.Lo)), ir.IntConst(ir.Int, 0))
}

// block returns b with counters instead of operators: its results are the counts that it starts with and what it
// adds. In a loop that is counted it adds so many operations of its own, else none.
func (p *prober) block(b *ir.Block, counts []ir.Atom, operations int64) *ir.Block {
	out := &ir.Block{Results: slices.Clone(counts)}
	p.done(out, ir.IntConst(ir.Int, 1), operations)
	for _, s := range b.Stmts {
		if indexOf(s.Op) != nil {
			p.operator(out, s, 0, ir.IntConst(ir.Int, 1), map[ir.Atom]bool{})
			continue
		}
		turns := p.turns && p.guessed(s)
		if !holdsOperators(s.Op) && !turns {
			out.Stmts = append(out.Stmts, s)
			continue
		}
		if op, ok := s.Op.(*ir.Loop); ok && op.I != nil && !holdsOperators(op) && !p.guessed(op.Body.Stmts...) {
			out.Stmts = append(out.Stmts, s)
			p.done(out, p.turnsOf(out, op), p.plain(op.Body))
			p.done(out, ir.IntConst(ir.Int, 1), loopCost)
			continue
		}
		dst := slices.Clone(s.Dst)
		var after []ir.Atom
		for range counts {
			v := &ir.Var{Name: "count", T: ir.Type{Kind: ir.Int}}
			dst, after = append(dst, v), append(after, v)
		}
		switch op := s.Op.(type) {
		case *ir.If:
			branch := func(b *ir.Block) *ir.Block {
				own := int64(0)
				if operations > 0 {
					own = p.plain(b)
				}
				c := p.block(b, out.Results, own)
				c.Results = append(slices.Clone(b.Results), c.Results...)
				return c
			}
			then, els := branch(op.Then), branch(op.Else)
			out.Stmts = append(out.Stmts, &ir.Stmt{Dst: dst, Op: &ir.If{Cond: op.Cond, Then: then, Else: els}, Pos: s.Pos})
		case *ir.Loop:
			loop := *op
			var inside []ir.Atom
			loop.Params = slices.Clone(op.Params)
			for range counts {
				v := &ir.Var{Name: "count", T: ir.Type{Kind: ir.Int}}
				loop.Params, inside = append(loop.Params, v), append(inside, v)
			}
			own := int64(0)
			_, known := p.meter.turns(op)
			if p.turns && !known {
				p.done(out, ir.IntConst(ir.Int, 1), loopCost)
			}
			loop.Init = append(slices.Clone(op.Init), out.Results...)
			if p.turns && !known || operations > 0 {
				own = p.plain(op.Body)
				if op.Cond != nil {
					own += p.plain(op.Cond)
				}
			}
			loop.Body = p.block(op.Body, inside, own)
			loop.Body.Results = append(slices.Clone(op.Body.Results), loop.Body.Results...)
			out.Stmts = append(out.Stmts, &ir.Stmt{Dst: dst, Op: &loop, Pos: s.Pos})
		}
		out.Results = after
	}
	return out
}

// operator counts an operator that runs `times` times, and those inside it as far as their lengths are known outside
// of it and of the operators around it, whose own values are in local.
func (p *prober) operator(out *ir.Block, s *ir.Stmt, level int, times ir.Atom, local map[ir.Atom]bool) {
	if level >= len(p.known) {
		return
	}
	elements := p.count(out, ir.Mul, times, lengthOf(s.Op))
	out.Results[2*level] = p.count(out, ir.Add, out.Results[2*level], elements)
	out.Results[2*level+1] = p.count(out, ir.Add, out.Results[2*level+1], times)
	body := ir.Blocks(s.Op)[0]
	for _, v := range ir.Bound(s.Op) {
		local[v] = true
	}
	ir.Walk(body, func(t *ir.Stmt) {
		for _, d := range append(ir.Bound(t.Op), t.Dst...) {
			local[d] = true
		}
	})
	for _, t := range body.Stmts {
		switch {
		case indexOf(t.Op) != nil && !local[lengthOf(t.Op)]:
			p.operator(out, t, level+1, elements, local)
		case indexOf(t.Op) != nil || holdsOperators(t.Op):
			for l := level + 1; l < len(p.known); l++ {
				p.known[l] = false
			}
		}
	}
}

// holdsOperators reports whether there is a parallel operator in the blocks of op.
func holdsOperators(op ir.Op) bool {
	found := false
	for _, b := range ir.Blocks(op) {
		ir.Walk(b, func(s *ir.Stmt) { found = found || indexOf(s.Op) != nil })
	}
	return found
}

// needed returns what of b computes results, and the checks of values that it has; of conditions and loops it keeps
// what is needed of them, too.
func (p *prober) needed(b *ir.Block, results []ir.Atom) *ir.Block {
	used := map[*ir.Var]bool{}
	for _, r := range results {
		mark(used, r)
	}
	out := &ir.Block{Results: results}
	for i := len(b.Stmts) - 1; i >= 0; i-- {
		s := b.Stmts[i]
		var live []int
		for i, d := range s.Dst {
			if used[d] {
				live = append(live, i)
			}
		}
		switch op := s.Op.(type) {
		case *ir.Check:
			if slices.ContainsFunc(op.Args, func(a ir.Atom) bool { v, ok := a.(*ir.Var); return ok && p.dropped[v] }) {
				continue
			}
		case *ir.If:
			if len(live) == 0 {
				continue
			}
			s = &ir.Stmt{Dst: pick(s.Dst, live), Pos: s.Pos, Op: &ir.If{Cond: op.Cond,
				Then: p.needed(op.Then, pick(op.Then.Results, live)), Else: p.needed(op.Else, pick(op.Else.Results, live))}}
		case *ir.Loop:
			if len(live) == 0 {
				continue
			}
			s = &ir.Stmt{Pos: s.Pos, Op: p.loop(op, &live)}
			s.Dst = pick(b.Stmts[i].Dst, live)
		default:
			if len(live) == 0 {
				continue
			}
		}
		for _, a := range ir.Operands(s.Op) {
			mark(used, *a)
		}
		for _, c := range ir.Blocks(s.Op) {
			for _, v := range ir.Free(c) {
				used[v] = true
			}
		}
		out.Stmts = append(out.Stmts, s)
	}
	slices.Reverse(out.Stmts)
	return out
}

// loop reduces a loop to the parameters in live and those that they depend on, which it adds.
func (p *prober) loop(op *ir.Loop, live *[]int) *ir.Loop {
	for {
		l := &ir.Loop{Params: pick(op.Params, *live), Init: pick(op.Init, *live), I: op.I, Lo: op.Lo, Hi: op.Hi}
		l.Body = p.needed(op.Body, pick(op.Body.Results, *live))
		free := ir.Free(l.Body)
		if op.Cond != nil {
			l.Cond = p.needed(op.Cond, op.Cond.Results)
			free = append(free, ir.Free(l.Cond)...)
		}
		grown := false
		for i, q := range op.Params {
			if slices.Contains(free, q) && !slices.Contains(*live, i) {
				*live, grown = append(*live, i), true
			}
		}
		if !grown {
			return l
		}
		slices.Sort(*live)
	}
}

func pick[T any](from []T, at []int) []T {
	out := make([]T, len(at))
	for i, k := range at {
		out[i] = from[k]
	}
	return out
}
