package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// dropProved removes the checks that comparisons of indices prove: those of conditions and loops around them, and what
// counters, lengths and arithmetic say. A check that is left in a loop of one element costs either a second run of the
// loop, when inputs are bound, or time in every turn.
//
// Remainders go that it proves to be sums: see [prover.remainder].
func dropProved(f *ir.Func, names *ir.Namer) {
	p := &prover{names: names, defs: map[*ir.Var]definition{}, sizes: map[*ir.Var]int{}, lesser: map[*ir.Var]bool{}, lengths: map[ir.Atom]*ir.Var{}, grid: grid{chosen: map[ir.Atom][]*ir.Stmt{}}}
	ir.Walk(f.Body, func(s *ir.Stmt) {
		for i, d := range s.Dst {
			p.defs[d] = definition{s.Op, i}
		}
	})
	p.block(f.Body)
	dropDead(f.Body)
}

// holds reports whether a check always succeeds where it is.
func (p *prover) holds(c *ir.Check) bool {
	a, zero := c.Args, ir.IntConst(ir.Int, 0)
	if c.Kind == ir.CheckPanic {
		return p.certain(a[0], true)
	}
	if slices.ContainsFunc(a, func(x ir.Atom) bool { return x.Type() != tInt }) {
		return false
	}
	switch c.Kind {
	case ir.CheckIndex:
		return p.proves(zero, 0, a[0]) && p.proves(a[0], 1, a[1]) || p.inGrid(a[0], a[1])
	case ir.CheckBounds:
		return p.proves(zero, 0, a[0]) && p.proves(a[0], 0, a[1]) && p.proves(a[1], 0, a[2])
	case ir.CheckNonneg:
		return p.proves(zero, 0, a[0])
	case ir.CheckSize, ir.CheckNonzero:
		return p.proves(zero, 1, a[0])
	}
	return false
}

// assume notes what it says that a condition holds, or that it does not.
func (p *prover) assume(cond ir.Atom, is bool) {
	v, ok := cond.(*ir.Var)
	if !ok {
		return
	}
	defer p.follow()
	for _, s := range p.chosen[v] {
		x := s.Op.(*ir.Select).X
		if !is {
			x = s.Op.(*ir.Select).Y
		}
		p.learn(s.Dst[0], 0, x)
		p.learn(x, 0, s.Dst[0])
	}
	d := p.defs[v]
	switch op := d.op.(type) {
	case *ir.Unary:
		if op.Fn == ir.Not {
			p.assume(op.X, !is)
		}
	case *ir.If: // one of the branches yields the contrary: it was the other one
		then, els := op.Then.Results[d.i], op.Else.Results[d.i]
		if c, ok := els.(ir.Const); ok && (c.Bits != 0) != is {
			p.assume(op.Cond, true)
			p.assume(then, is)
		} else if c, ok := then.(ir.Const); ok && (c.Bits != 0) != is {
			p.assume(op.Cond, false)
			p.assume(els, is)
		}
	case *ir.Binary:
		if v.T == ir.Scalar(ir.Bool) && op.X.Type() == v.T {
			if op.Fn == ir.And && is || op.Fn == ir.Or && !is {
				p.assume(op.X, is)
				p.assume(op.Y, is)
			}
			return
		}
		if op.X.Type() == tInt {
			p.compare(op, is)
		}
	}
}

var contrary = map[ir.BinaryFn]ir.BinaryFn{ir.Lt: ir.Ge, ir.Ge: ir.Lt, ir.Le: ir.Gt, ir.Gt: ir.Le, ir.Eq: ir.Ne, ir.Ne: ir.Eq}

// mirrored is the comparison with its sides exchanged.
var mirrored = map[ir.BinaryFn]ir.BinaryFn{ir.Lt: ir.Gt, ir.Gt: ir.Lt, ir.Le: ir.Ge, ir.Ge: ir.Le}

func (p *prover) compare(op *ir.Binary, is bool) {
	fn := op.Fn
	if !is {
		fn = contrary[fn]
	}
	switch fn {
	case ir.Lt:
		p.learn(op.X, 1, op.Y)
	case ir.Le:
		p.learn(op.X, 0, op.Y)
	case ir.Gt:
		p.learn(op.Y, 1, op.X)
	case ir.Ge:
		p.learn(op.Y, 0, op.X)
	case ir.Eq:
		p.learn(op.X, 0, op.Y)
		p.learn(op.Y, 0, op.X)
	case ir.Ne:
		if p.proves(op.X, 0, op.Y) {
			p.learn(op.X, 1, op.Y)
		}
		if p.proves(op.Y, 0, op.X) {
			p.learn(op.Y, 1, op.X)
		}
	}
}

func (p *prover) block(b *ir.Block) {
	known, products := len(p.facts), len(p.products)
	var kept []*ir.Stmt
	for _, s := range b.Stmts {
		if c, ok := s.Op.(*ir.Check); ok && p.holds(c) {
			continue
		} else if ok {
			p.product(c)
		}
		if p.remainder(emitter{&resolver{names: p.names}, &kept, s.Pos}, s) {
			continue
		}
		kept = append(kept, s)
		p.inside(s.Op)
		p.result(s)
	}
	b.Stmts = kept
	p.facts, p.products = p.facts[:known], p.products[:products]
}

// inside walks through the blocks of op, with what holds in them.
func (p *prover) inside(op ir.Op) {
	known := len(p.facts)
	forget := func() { p.facts = p.facts[:known] }
	switch op := op.(type) {
	case *ir.If:
		p.assume(op.Cond, true)
		p.block(op.Then)
		forget()
		p.assume(op.Cond, false)
		p.block(op.Else)
	case *ir.Loop:
		p.loop(op)
	default:
		if i := ir.OperatorIndex(op); i != nil {
			p.index(i, ir.IntConst(ir.Int, 0), ir.OperatorLength(op))
		}
		for _, b := range ir.Blocks(op) {
			p.block(b)
		}
	}
	forget()
}

// index notes that lo ≤ i < hi.
func (p *prover) index(i *ir.Var, lo, hi ir.Atom) {
	if m := max(p.size(lo), p.size(hi)); m <= exactBits {
		p.sizes[i] = m
	}
	p.lesser[i] = true
	p.learn(lo, 0, i)
	p.learn(i, 1, hi)
	p.follow()
}

func (p *prover) loop(l *ir.Loop) {
	if l.I != nil {
		p.index(l.I, l.Lo, l.Hi)
	}
	for i, v := range l.Params {
		if v.T == tInt {
			p.counter(l, i)
		}
	}
	if l.Cond != nil {
		p.block(l.Cond)
		p.assume(l.Cond.Results[0], true)
	}
	p.block(l.Body)
}

// counter notes what is known of a parameter of a loop to which each turn adds a constant, if it cannot overflow: a
// condition ends the loop before, or the number of turns is bounded.
func (p *prover) counter(l *ir.Loop, i int) {
	v, first := l.Params[i], l.Init[i]
	start := p.size(first)
	if start >= exactBits {
		return
	}
	p.sizes[v] = exactBits // it is so in the first turn; what follows shows that it stays so
	size := unknownBits
	low, high, ok := p.change(v, l.Body.Results[i], maxNesting)
	switch {
	case !ok || low < -maxStep || high > maxStep:
	case low == 0 && high == 0:
		size = start
	case l.I != nil:
		size = max(start, max(p.size(l.Lo), p.size(l.Hi))+1+maxStepBits) + 1
	default:
		known := len(p.facts)
		p.assume(l.Cond.Results[0], true)
		for _, f := range p.facts[known:] {
			other := f.y
			if low < 0 {
				other = f.x
			}
			if low < 0 && high > 0 || other == v || low >= 0 && f.x != v || low < 0 && f.y != v {
				continue
			}
			m := constantBits
			if other != nil {
				m = p.size(other)
			}
			size = min(size, max(start, m, constantBits+1)+1)
		}
		p.facts = p.facts[:known]
	}
	if size > exactBits {
		delete(p.sizes, v)
		return
	}
	p.sizes[v] = size
	if low >= 0 {
		p.learn(first, 0, v)
	}
	if high <= 0 {
		p.learn(v, 0, first)
	}
}

// change returns the least and the most that a is above v, whichever way conditions go.
func (p *prover) change(v *ir.Var, a ir.Atom, nesting int) (low, high int64, ok bool) {
	if base, c, ok := p.sum(a); ok && base == v {
		return c, c, true
	}
	w, ok := a.(*ir.Var)
	if !ok || nesting == 0 {
		return 0, 0, false
	}
	var x, y ir.Atom
	switch op := p.defs[w].op.(type) {
	case *ir.If:
		x, y = op.Then.Results[p.defs[w].i], op.Else.Results[p.defs[w].i]
	case *ir.Select:
		x, y = op.X, op.Y
	default:
		return 0, 0, false
	}
	low, high, ok = p.change(v, x, nesting-1)
	low2, high2, ok2 := p.change(v, y, nesting-1)
	return min(low, low2), max(high, high2), ok && ok2
}

// result notes what an operation says of its result.
func (p *prover) result(s *ir.Stmt) {
	if len(s.Dst) != 1 || s.Dst[0].T != tInt {
		return
	}
	d, zero := s.Dst[0], ir.IntConst(ir.Int, 0)
	switch op := s.Op.(type) {
	case *ir.If:
		p.among(d)
	case *ir.Len:
		p.learn(zero, 0, d)
	case *ir.Select:
		p.chosen[op.Cond] = append(p.chosen[op.Cond], s)
		p.among(d)
	case *ir.Convert:
		if most, ok := p.most(op.X); ok {
			p.learn(zero, 0, d)
			p.learn(d, 0, ir.IntConst(ir.Int, most))
		}
	case *ir.Binary:
		small := p.size(op.X) <= exactBits && p.size(op.Y) <= exactBits
		_, constant := op.Y.(ir.Const)
		switch op.Fn {
		case ir.Min:
			p.learn(d, 0, op.X)
			p.learn(d, 0, op.Y)
			if p.proves(op.X, 0, op.Y) {
				p.learn(op.X, 0, d)
			}
			if p.proves(op.Y, 0, op.X) {
				p.learn(op.Y, 0, d)
			}
		case ir.Max:
			p.greater = append(p.greater, s)
			p.learn(op.X, 0, d)
			p.learn(op.Y, 0, d)
			if p.proves(op.X, 0, op.Y) {
				p.learn(d, 0, op.Y)
			}
			if p.proves(op.Y, 0, op.X) {
				p.learn(d, 0, op.X)
			}
		case ir.Add:
			if small && !constant && p.proves(zero, 0, op.Y) {
				p.learn(op.X, 0, d)
			}
			if small && !constant && p.proves(zero, 0, op.X) {
				p.learn(op.Y, 0, d)
			}
		case ir.Sub:
			if small && !constant && p.proves(zero, 0, op.Y) {
				p.learn(d, 0, op.X)
			}
			if small && !constant && p.proves(op.Y, 0, op.X) {
				p.learn(zero, 0, d)
			}
		case ir.Rem:
			if p.proves(zero, 0, op.X) && p.proves(zero, 1, op.Y) {
				p.learn(zero, 0, d)
				p.learn(d, 1, op.Y)
			}
		case ir.Div:
			if p.proves(zero, 0, op.X) && p.proves(zero, 1, op.Y) {
				p.learn(zero, 0, d)
				p.learn(d, 0, op.X)
			}
		case ir.And:
			if c, ok := op.Y.(ir.Const); ok && c.Int() >= 0 {
				p.learn(zero, 0, d)
				p.learn(d, 0, c)
			}
		}
	}
}
