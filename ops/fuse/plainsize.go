package fuse

import "github.com/surge-ndp/surge/ops/ir"

// beyondUse is a number above which a constant bounds nothing of use.
const beyondUse = 1 << 24

// number returns what bounds a whole number.
func (c *plainCost) number(a ir.Atom) bound {
	if k, ok := a.(ir.Const); ok {
		if !k.Type().Kind.IsInteger() || k.Int() > beyondUse {
			return nil
		}
		return exactly(float64(k.Int()))
	}
	if i, ok := c.params[a]; ok {
		if a.Type().Rank == 0 && a.Type().Kind.IsInteger() {
			return sizeOf(Size{Param: i})
		}
		return nil
	}
	s := c.defs[a]
	if s == nil {
		return c.counters[a]
	}
	switch op := s.Op.(type) {
	case *ir.Len:
		return c.length(op.X)
	case *ir.Index:
		return c.element(op.X)
	case *ir.Reduce:
		return c.sum(op.N, op.Init, op.Body, op.Comb)
	case *ir.Convert:
		if op.X.Type().Kind.IsInteger() {
			return c.number(op.X)
		}
	case *ir.Unary:
		if op.Fn == ir.Neg {
			return c.number(op.X)
		}
	case *ir.Select:
		return c.number(op.X).most(c.number(op.Y))
	case *ir.If:
		at := resultAt(s, a)
		return c.number(op.Then.Results[at]).most(c.number(op.Else.Results[at]))
	case *ir.Binary:
		return c.binary(op)
	case *ir.Loop:
		return c.counters[a]
	}
	return nil
}

func (c *plainCost) binary(op *ir.Binary) bound {
	x, y := c.number(op.X), c.number(op.Y)
	k, isConst := op.Y.(ir.Const)
	switch op.Fn {
	case ir.Add:
		return x.plus(y)
	case ir.Sub:
		if isConst {
			return x
		}
		return x.plus(y)
	case ir.Min:
		return x.least(y)
	case ir.Max:
		return x.most(y)
	case ir.Mul:
		return x.times(y)
	case ir.Div:
		if isConst && k.Type().Kind.IsInteger() && k.Int() > 0 {
			return x.scaled(1 / float64(k.Int()))
		}
		return x
	case ir.Rem:
		return x
	}
	return nil
}

// element returns what bounds the elements of a sequence of whole numbers: those of a running sum are at most what all
// of them are together, such as how many elements a filter keeps.
func (c *plainCost) element(a ir.Atom) bound {
	s := c.defs[a]
	if s == nil {
		return nil
	}
	switch op := s.Op.(type) {
	case *ir.Map:
		return c.number(op.Body.Results[resultAt(s, a)])
	case *ir.Scan:
		return c.sum(op.N, op.Init, op.Body, op.Comb)
	case *ir.Scatter:
		return c.number(op.Body.Results[resultAt(s, a)+1])
	}
	return nil
}

// sum returns what bounds the sum of n elements, where comb does nothing but add.
func (c *plainCost) sum(n ir.Atom, init []ir.Atom, elements *ir.Block, comb *ir.Lambda) bound {
	if len(comb.Body.Stmts) != 1 || len(init) != 1 {
		return nil
	}
	if b, ok := comb.Body.Stmts[0].Op.(*ir.Binary); !ok || b.Fn != ir.Add {
		return nil
	}
	return c.number(init[0]).plus(c.number(n).times(c.number(elements.Results[0])))
}

// length returns what bounds the length of a sequence.
func (c *plainCost) length(a ir.Atom) bound {
	if i, ok := c.params[a]; ok {
		return sizeOf(Size{Param: i})
	}
	s := c.defs[a]
	if s == nil {
		if init := c.inits[a]; init != nil {
			return c.length(init)
		}
		return nil
	}
	at := resultAt(s, a)
	switch op := s.Op.(type) {
	case *ir.Alloc:
		return c.number(op.N)
	case *ir.Update:
		return c.length(op.X)
	case *ir.Grow:
		return c.number(op.N)
	case *ir.Loop:
		return c.length(op.Init[at])
	case *ir.If:
		return c.length(op.Then.Results[at]).most(c.length(op.Else.Results[at]))
	case *ir.Index:
		return c.row(op.X)
	case *ir.View:
		return c.view(op)
	}
	if n := ir.ResultLength(s.Op); n != nil {
		return c.number(n)
	}
	return nil
}

func (c *plainCost) view(op *ir.View) bound {
	switch x := op.Args[0]; op.Fn {
	case ir.Nest, ir.Gather:
		return c.length(op.Args[1])
	case ir.Slice:
		if hi := c.computed(op.Args[2], ir.Add); hi != nil && hi.X == op.Args[1] {
			if n := c.number(hi.Y); n != nil {
				return n
			}
		}
		return c.length(x)
	case ir.Split, ir.Reverse, ir.Striding:
		return c.length(x)
	case ir.Cyclic:
		return c.length(x).most(c.number(op.Args[1]))
	case ir.RangeOf:
		return c.number(x).plus(c.number(op.Args[1]))
	case ir.Replicate, ir.Grid:
		return c.number(op.Args[1])
	case ir.Flatten:
		if c.isParam(x) {
			return c.row(x)
		}
		return c.length(x).times(c.row(x))
	case ir.Concat:
		return c.length(x).plus(c.length(op.Args[1]))
	}
	return nil
}

// row returns what bounds the length of a row of a sequence of sequences.
func (c *plainCost) row(a ir.Atom) bound {
	if i, ok := c.params[a]; ok {
		return sizeOf(Size{Param: i, Total: true})
	}
	s := c.defs[a]
	if s == nil {
		return nil
	}
	switch op := s.Op.(type) {
	case *ir.Map:
		return c.length(op.Body.Results[resultAt(s, a)])
	case *ir.View:
		x := op.Args[0]
		switch {
		case op.Fn == ir.Grid:
			return c.number(op.Args[2])
		case x.Type().Rank == 1 && (op.Fn == ir.Nest || op.Fn == ir.Split || op.Fn == ir.Cyclic || op.Fn == ir.Replicate):
			return c.length(x)
		case x.Type().Rank == 2 && op.Fn != ir.Flatten && op.Fn != ir.ConcatRow && op.Fn != ir.Concat:
			return c.row(x)
		}
	}
	return nil
}
