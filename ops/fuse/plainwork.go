package fuse

import "github.com/surge-ndp/surge/ops/ir"

// plainCost counts the operations of a kernel as plain Go.
type plainCost struct {
	work     bound
	open     bool
	defs     map[ir.Atom]*ir.Stmt
	inits    map[ir.Atom]ir.Atom // what parameters of loops are at first
	known    map[ir.Atom]bool    // whether a sequence is memory of its own, as far as that was asked
	params   map[ir.Atom]int     // of the kernel, by number
	counters map[ir.Atom]bound   // of operators and loops: how far they count
	around   enclosing           // the operator, or the loop at the top, around the position
	guessed  int                 // how many loops are around it whose turns are guessed
}

// insideTurns is guessed of a loop inside another whose turns are guessed, as in a sort.
const insideTurns = 4

// enclosing is an operator, or a loop, that runs times times.
type enclosing struct {
	index *ir.Var
	times bound
}

// isParam reports whether a is a parameter of the kernel.
func (c *plainCost) isParam(a ir.Atom) bool {
	_, ok := c.params[a]
	return ok
}

// add counts operations.
func (c *plainCost) add(operations bound) { c.work = c.work.plus(operations) }

// block counts a block that runs times times, inner of them in an element of the operator around it.
func (c *plainCost) block(b *ir.Block, times, inner bound) {
	for _, s := range b.Stmts {
		if c.work == nil {
			return
		}
		if n := ir.OperatorLength(s.Op); n != nil && indexOf(s.Op) != nil {
			c.operator(s, times, c.repeated(times, inner, n))
			continue
		}
		switch op := s.Op.(type) {
		case *ir.Unary:
			c.add(times.scaled(unaryCost(op.Fn)))
		case *ir.Binary:
			c.add(times.scaled(binaryCost(op)))
		case *ir.Index, *ir.Update, *ir.FMA, *ir.Convert, *ir.Select:
			c.add(times)
		case *ir.Call:
			c.open = true
			c.add(times.scaled(callCost))
		case *ir.View: // package ops copies
			c.add(c.along(times, inner, s.Dst[0]).scaled(plainElement))
		case *ir.Alloc:
			c.add(c.repeated(times, inner, op.N))
		case *ir.If:
			before := c.work
			c.block(op.Then, times, inner)
			then := c.work
			c.work = before
			c.block(op.Else, times, inner)
			c.work = c.work.most(then)
		case *ir.Loop:
			c.loop(s, op, times, inner)
		}
	}
}

// operator counts an operator that runs times times, and its function elements times.
func (c *plainCost) operator(s *ir.Stmt, times, elements bound) {
	element := float64(plainElement)
	switch s.Op.(type) {
	case *ir.Sort:
		element = sortCost
	case *ir.Hist, *ir.Scatter: // the result is filled before
		c.add(times.times(c.number(ir.ResultLength(s.Op))))
	}
	c.add(elements.scaled(element))
	before := c.around
	c.around = enclosing{indexOf(s.Op), times}
	c.counters[indexOf(s.Op)] = c.number(ir.OperatorLength(s.Op))
	for _, b := range ir.Blocks(s.Op) {
		c.block(b, elements, exactly(1))
	}
	c.around = before
}

func (c *plainCost) loop(s *ir.Stmt, op *ir.Loop, times, inner bound) {
	if op.I == nil {
		c.open = true
		turns, guessed := c.whileTurns(op, times)
		c.grown(s, op, turns)
		if guessed {
			c.guessed++
			defer func() { c.guessed-- }()
		}
		c.block(op.Cond, times.times(turns), inner.times(turns))
		c.block(op.Body, times.times(turns), inner.times(turns))
		return
	}
	turns, all := c.number(op.Hi), bound(nil)
	lo, fromConst := op.Lo.(ir.Const)
	hi, toConst := op.Hi.(ir.Const)
	switch {
	case fromConst && toConst:
		turns = exactly(float64(hi.Int() - lo.Int()))
	case turns == nil: // between elements, such as offsets
		c.open = true
		turns = sizeOf(Size{Param: AllInputs})
		if x := c.consecutive(op.Lo, op.Hi); x != nil && c.isParam(x) { // of all elements together there are no more
			all = c.around.times.times(inner).times(turns)
		}
	case fromConst && lo.Int() < 0:
		turns = turns.plus(exactly(-float64(lo.Int())))
	case fromConst:
		all = c.repeated(times, inner, op.Hi)
	case c.number(op.Lo) == nil:
		c.open = true
	}
	if all == nil {
		all = times.times(turns)
	}
	c.counters[op.I] = turns
	c.grown(s, op, turns)
	if c.around.index == nil && fromConst && lo.Int() >= 0 { // each turn takes another part, as elements do
		c.around = enclosing{op.I, times}
		c.block(op.Body, all, exactly(1))
		c.around = enclosing{}
		return
	}
	c.block(op.Body, all, inner.times(turns))
}

// consecutive returns the sequence of which lo and hi are neighbours, those at the element of the operator around; nil
// if they are not.
func (c *plainCost) consecutive(lo, hi ir.Atom) ir.Atom {
	at := func(a ir.Atom) (x, i ir.Atom) {
		if s := c.defs[a]; s != nil {
			if op, ok := s.Op.(*ir.Index); ok {
				return op.X, op.I
			}
		}
		return nil, nil
	}
	x, i := at(lo)
	y, j := at(hi)
	if x == nil || x != y || c.around.index == nil || i != ir.Atom(c.around.index) || c.defs[j] == nil {
		return nil
	}
	next, ok := c.defs[j].Op.(*ir.Binary)
	if !ok || next.Fn != ir.Add || next.X != i {
		return nil
	}
	if k, ok := next.Y.(ir.Const); !ok || k.Int() != 1 {
		return nil
	}
	return x
}

// repeated is how often what runs times times, inner of them in an element of the operator around, runs in an operator
// over count elements.
func (c *plainCost) repeated(times, inner bound, count ir.Atom) bound {
	if d := c.defs[count]; d != nil {
		switch op := d.Op.(type) {
		case *ir.Len:
			return c.along(times, inner, op.X)
		case *ir.Binary:
			if op.Fn == ir.Min {
				return c.repeated(times, inner, op.X).least(c.repeated(times, inner, op.Y))
			}
			if x := c.consecutive(op.Y, op.X); op.Fn == ir.Sub && x != nil && c.element(x) != nil { // all of them end where the last one does
				return c.around.times.times(inner).times(c.element(x))
			}
			if k, ok := op.Y.(ir.Const); ok && (op.Fn == ir.Add || op.Fn == ir.Sub) && k.Type().Kind.IsInteger() {
				n := c.repeated(times, inner, op.X)
				if op.Fn == ir.Add {
					n = n.plus(times.scaled(float64(k.Int())))
				}
				return n
			}
		}
	}
	return times.times(c.number(count))
}

// along is repeated for the elements of a sequence.
func (c *plainCost) along(times, inner bound, x ir.Atom) bound {
	if whole := c.partOf(x); whole != nil { // all parts together are no longer than that
		n := c.length(whole)
		if whole.Type().Rank == 2 {
			n = c.row(whole)
		}
		return c.around.times.times(inner).times(n)
	}
	return times.times(c.length(x))
}

// partOf returns the sequence, or sequence of sequences, of which each element of the operator around takes another
// part, if x is as long as such a part; else nil.
func (c *plainCost) partOf(x ir.Atom) ir.Atom {
	s := c.defs[x]
	if s == nil || c.around.index == nil {
		return nil
	}
	switch op := s.Op.(type) {
	case *ir.Map, *ir.Scan, *ir.Sort:
		if n := c.defs[ir.ResultLength(op)]; n != nil {
			if n, ok := n.Op.(*ir.Len); ok {
				return c.partOf(n.X)
			}
		}
	case *ir.View:
		if op.Fn == ir.Gather { // as many elements as there are indices
			return c.partOf(op.Args[1])
		}
	case *ir.Index:
		d := c.defs[op.X]
		switch {
		case op.I != ir.Atom(c.around.index):
		case c.isParam(op.X):
			return op.X
		case d != nil:
			if v, ok := d.Op.(*ir.View); ok && v.Args[0].Type().Rank == 1 && linesUp(v.Fn) {
				return v.Args[0]
			}
		}
	}
	return nil
}
