package fuse

import (
	"maps"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// Plain bounds what a kernel costs as plain Go, by the sizes of its inputs: what decides whether an input is so small
// that choosing a variant takes longer than computing.
type Plain struct {
	// Work is how many operations there are at most, counted in additions: the sum of these terms.
	Work []Term
	// Open says that it has loops whose turns depend on values, which are guessed in Work: nobody knows whether they end.
	Open bool
	// Exact says that compiled code gives the same bits, in whatever order it computes. Ordered says that it does where
	// it calls the functions of package math that plain Go calls, one number at a time.
	Exact, Ordered bool
	// Shared says that results of plain Go may share memory with an argument or with each other, which those of compiled
	// code do not.
	Shared bool
	// Unknown says that the sizes of the inputs tell nothing: Work is empty, and it may never end.
	Unknown bool
}

// plainElement is what an element of an operator of package ops costs besides its function.
const plainElement = 2

// PlainCost returns the bound for a kernel as it was loaded, before fusion.
func PlainCost(f *ir.Func) *Plain {
	c := &plainCost{defs: map[ir.Atom]*ir.Stmt{}, inits: map[ir.Atom]ir.Atom{}, params: map[ir.Atom]int{}, counters: map[ir.Atom]bound{}, known: map[ir.Atom]bool{}, work: bound{}}
	for i, p := range f.Params {
		c.params[p] = i
	}
	ir.Walk(f.Body, func(s *ir.Stmt) {
		for _, d := range s.Dst {
			c.defs[d] = s
		}
		if l, ok := s.Op.(*ir.Loop); ok {
			for i, p := range l.Params {
				c.inits[p] = l.Init[i]
			}
		}
	})
	shared, allocs, results := false, ir.Allocs(f.Body), map[any]bool{}
	for _, r := range f.Body.Results {
		own := map[any]bool{}
		c.memories(r, func(of ir.Atom) {
			key := any(of)
			if v, ok := of.(*ir.Var); ok && allocs[v] != nil {
				key = allocs[v]
			}
			shared, own[key] = shared || r.Type().Rank > 0 && results[key], true
		})
		shared = shared || r.Type().Rank > 0 && !c.fresh(c.memory(r))
		maps.Copy(results, own)
	}
	inAnyOrder := exact(f.Body, f.Body.Stmts, f.Reassociate, false)
	inOrder := exact(f.Body, f.Body.Stmts, f.Reassociate, true)
	c.block(f.Body, exactly(1), exactly(1))
	if c.work == nil {
		return &Plain{Open: true, Shared: shared, Unknown: true, Exact: inAnyOrder, Ordered: inOrder}
	}
	return &Plain{Work: c.work, Open: c.open, Exact: inAnyOrder, Ordered: inOrder, Shared: shared}
}

// memory is the sequence that a is a part of, or consists of the parts of, or a itself.
func (c *plainCost) memory(a ir.Atom) ir.Atom {
	if s := c.defs[a]; s != nil {
		if v, ok := s.Op.(*ir.View); ok && (v.Fn == ir.Slice && a.Type().Rank == 1 || linesUp(v.Fn)) {
			return c.memory(v.Args[0])
		}
	}
	return a
}

// memories visits the sequences that a, or its rows, may be parts of, each of them once.
func (c *plainCost) memories(a ir.Atom, visit func(ir.Atom)) {
	c.eachMemory(a, map[ir.Atom]bool{}, visit)
}

func (c *plainCost) eachMemory(a ir.Atom, seen map[ir.Atom]bool, visit func(ir.Atom)) {
	a = c.memory(a)
	if seen[a] { // by another branch
		return
	}
	seen[a] = true
	s := c.defs[a]
	if s == nil {
		visit(a)
		return
	}
	at := resultAt(s, a)
	switch op := s.Op.(type) {
	case *ir.If:
		c.eachMemory(op.Then.Results[at], seen, visit)
		c.eachMemory(op.Else.Results[at], seen, visit)
		return
	case *ir.Map:
		r := op.Body.Results[at]
		if x := c.read(r); x != nil && r.Type().Rank > 0 {
			c.eachMemory(x.X, seen, visit)
			return
		}
		if of := c.memory(r); of != r {
			c.eachMemory(of, seen, visit)
			return
		}
	}
	visit(a)
}

// fresh reports whether a sequence is memory of its own in plain Go.
func (c *plainCost) fresh(a ir.Atom) bool {
	is, ok := c.known[a]
	if !ok {
		is = c.freshAt(a)
		c.known[a] = is
	}
	return is
}

func (c *plainCost) freshAt(a ir.Atom) bool {
	s := c.defs[a]
	if s == nil {
		return c.inits[a] != nil && c.fresh(c.inits[a])
	}
	at := resultAt(s, a)
	switch op := s.Op.(type) {
	case *ir.Alloc, *ir.Hist, *ir.Scatter, *ir.Scan:
		return true
	case *ir.Map:
		return c.freshRows(op, op.Body.Results[at])
	case *ir.View:
		return (op.Fn == ir.Replicate || op.Fn == ir.RangeOf) && (a.Type().Rank == 1 || ir.IsInt(op.Args[len(op.Args)-1], 0))
	case *ir.If:
		return c.fresh(op.Then.Results[at]) && c.fresh(op.Else.Results[at])
	case *ir.Update:
		return c.fresh(op.X)
	case *ir.Grow:
		return c.fresh(op.X)
	case *ir.Loop:
		return c.fresh(op.Init[at]) && (op.Body.Results[at] == ir.Atom(op.Params[at]) || c.freshTurn(op.Body.Results[at], op.Params[at]))
	}
	return false
}

// freshRows reports whether the elements r of a Map are numbers, or rows that share no memory with anything: each has
// been made by its element, or they lie one behind the other in what was made before.
func (c *plainCost) freshRows(op *ir.Map, r ir.Atom) bool {
	if r.Type().Rank == 0 {
		return true
	}
	if x := c.read(r); x != nil && x.I == ir.Atom(op.I) { // a row of other rows, as it is
		return c.fresh(x.X)
	}
	of, inside := c.memory(r), false
	if !c.fresh(of) {
		return false
	}
	ir.Walk(op.Body, func(s *ir.Stmt) {
		for _, d := range s.Dst {
			inside = inside || ir.Atom(d) == of
		}
	})
	return inside || c.behind(op, r)
}

// behind reports whether r is the row i*n:i*n+n, for each element i of a Map, or the row starts[i]:starts[i+1].
func (c *plainCost) behind(op *ir.Map, r ir.Atom) bool {
	s := c.defs[r]
	if s == nil {
		return false
	}
	row, ok := s.Op.(*ir.View)
	if !ok || row.Fn != ir.Slice {
		return false
	}
	from, to := row.Args[1], row.Args[2]
	lo, hi := c.computed(from, ir.Mul), c.computed(to, ir.Add)
	if lo != nil {
		return hi != nil && lo.X == ir.Atom(op.I) && hi.X == from && hi.Y == lo.Y
	}
	if hi != nil && hi.X == from { // from a begin, as many elements as there are up to an end
		if n := c.computed(hi.Y, ir.Sub); n != nil && n.Y == from {
			to = n.X
		}
	}
	start, end := c.read(from), c.read(to)
	if start == nil || end == nil || start.X != end.X || start.I != ir.Atom(op.I) {
		return false
	}
	next := c.computed(end.I, ir.Add)
	return next != nil && next.X == start.I && ir.IsInt(next.Y, 1)
}

// read is the read of an element that defines a, nil if that is none.
func (c *plainCost) read(a ir.Atom) *ir.Index {
	if s := c.defs[a]; s != nil {
		x, _ := s.Op.(*ir.Index)
		return x
	}
	return nil
}

// computed is the operation that defines a, nil if that is another one than fn.
func (c *plainCost) computed(a ir.Atom, fn ir.BinaryFn) *ir.Binary {
	if s := c.defs[a]; s != nil {
		if b, ok := s.Op.(*ir.Binary); ok && b.Fn == fn {
			return b
		}
	}
	return nil
}

// freshTurn is fresh for what a turn of a loop hands to the next, which may be an update of what it was given.
func (c *plainCost) freshTurn(a ir.Atom, param *ir.Var) bool {
	for {
		s := c.defs[a]
		if s == nil {
			return a == ir.Atom(param)
		}
		switch op := s.Op.(type) {
		case *ir.Update:
			a = op.X
		case *ir.Grow:
			a = op.X
		default:
			return c.fresh(a)
		}
	}
}

func resultAt(s *ir.Stmt, a ir.Atom) int {
	for i, d := range s.Dst {
		if ir.Atom(d) == a {
			return i
		}
	}
	return 0
}

// exact reports whether results do not depend on the order of computations: no numbers with fractions are added up by
// an operator, nor by a loop of which the source permits that. Extremes are the same in any order. Where floats are
// sorted, the zeros of both signs may be in another order, since package slices does not sort stably. Unless the
// functions of package math are the same ones, they do not depend on how these are computed either: none is called of
// which lanes have their own, but in the statements that run on the host. A root, and what rounds to
// integers, is the same everywhere.
func exact(b *ir.Block, host []*ir.Stmt, reassociate, sameFunctions bool) bool {
	yes := true
	ir.Walk(b, func(s *ir.Stmt) {
		sameFunctions := sameFunctions || slices.Contains(host, s)
		switch op := s.Op.(type) {
		case *ir.Reduce, *ir.Scan, *ir.Hist:
			for _, d := range s.Dst {
				yes = yes && (!d.T.Kind.IsFloat() || extremal(op))
			}
		case *ir.Loop:
			for _, p := range op.Params {
				yes = yes && !(reassociate && p.T.Kind.IsFloat())
			}
		case *ir.Unary:
			switch op.Fn {
			case ir.Abs, ir.Floor, ir.Ceil, ir.Trunc, ir.Round, ir.RoundToEven, ir.Sqrt:
			default:
				yes = yes && (sameFunctions || op.Fn.GoMath() == "")
			}
		case *ir.Binary:
			switch op.Fn {
			case ir.FMin, ir.FMax, ir.CopyS, ir.Mod:
			default:
				yes = yes && (sameFunctions || op.Fn.GoMath() == "")
			}
		}
	})
	return yes
}

// Exact reports whether all variants of a computation of the kernel that run on processors give the bits of plain Go.
func (k *Kernel) Exact(c *Computation) bool {
	return exact(&ir.Block{Stmts: []*ir.Stmt{c.Stmt}}, nil, k.Func.Reassociate, false)
}

// extremal reports whether the function of a Reduce takes nothing but extremes.
func extremal(op ir.Op) bool {
	r, ok := op.(*ir.Reduce)
	if !ok {
		return false
	}
	for _, s := range r.Comb.Body.Stmts {
		b, ok := s.Op.(*ir.Binary)
		if !ok || !slices.Contains([]ir.BinaryFn{ir.Min, ir.Max, ir.FMin, ir.FMax, ir.Fall, ir.Rise}, b.Fn) {
			return false
		}
	}
	return true
}
