package fuse

import "github.com/surge-ndp/surge/ops/ir"

// Plain bounds what a kernel costs as plain Go, by the sizes of its inputs: what decides whether an input is so small
// that choosing a variant takes longer than computing.
type Plain struct {
	// Inputs are the parameters that matter: sequences by their lengths (of sequences of sequences all elements
	// count), whole numbers by their value.
	Inputs []*ir.Var
	// Work has for each power of the sum of these sizes how many operations there are at most, counted in additions.
	Work []float64
	// Open says that it has loops whose turns depend on values, which are guessed in Work: nobody knows whether they end.
	Open bool
	// Unknown says that the sizes of the inputs tell nothing: Work is 0, and it may never end.
	Unknown bool
}

// plainElement is what an element of an operator of package ops costs besides its function.
const plainElement = 2

// PlainCost returns the bound for a kernel as it was loaded, before fusion; nil if results of plain Go may share memory
// with an argument or with each other, which those of compiled code do not.
func PlainCost(f *ir.Func) *Plain {
	c := &plainCost{defs: map[ir.Atom]*ir.Stmt{}, inits: map[ir.Atom]ir.Atom{}, params: map[ir.Atom]bool{}, used: map[ir.Atom]bool{}, known: true}
	for _, p := range f.Params {
		c.params[p] = true
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
	allocs, results := ir.Allocs(f.Body), map[any]bool{}
	for _, r := range f.Body.Results {
		of := c.memory(r)
		key := any(of)
		if v, ok := of.(*ir.Var); ok && allocs[v] != nil {
			key = allocs[v]
		}
		if r.Type().Rank > 0 && (results[key] || !c.fresh(of)) {
			return nil
		}
		results[key] = true
	}
	c.block(f.Body, 1, 0)
	if !c.known {
		return &Plain{Work: []float64{0}, Open: true, Unknown: true}
	}
	for _, p := range f.Params {
		if c.used[p] {
			c.Inputs = append(c.Inputs, p)
		}
	}
	return &c.Plain
}

type plainCost struct {
	Plain
	defs   map[ir.Atom]*ir.Stmt
	inits  map[ir.Atom]ir.Atom // what parameters of loops are at first
	params map[ir.Atom]bool    // of the kernel
	used   map[ir.Atom]bool    // those that a size depends on
	known  bool
	around enclosing // the operator around the position
}

// enclosing is an operator that runs times·n^power times.
type enclosing struct {
	index *ir.Var
	times float64
	power int
}

// unknownPower is the power of what no size of an input bounds.
const unknownPower = -1

// maxPower is the greatest power that is of use: even few elements are many operations then.
const maxPower = 6

// memory is the sequence that a is a part of, or a itself.
func (c *plainCost) memory(a ir.Atom) ir.Atom {
	if s := c.defs[a]; s != nil {
		if v, ok := s.Op.(*ir.View); ok && v.Fn == ir.Slice && a.Type().Rank == 1 {
			return c.memory(v.Args[0])
		}
	}
	return a
}

// fresh reports whether a sequence is memory of its own in plain Go.
func (c *plainCost) fresh(a ir.Atom) bool {
	s := c.defs[a]
	if s == nil {
		return c.inits[a] != nil && c.fresh(c.inits[a])
	}
	at := resultAt(s, a)
	switch op := s.Op.(type) {
	case *ir.Alloc, *ir.Hist, *ir.Scatter, *ir.Scan:
		return true
	case *ir.Map:
		r := op.Body.Results[at]
		return r.Type().Rank == 0 || c.fresh(r)
	case *ir.View:
		return a.Type().Rank == 1 && (op.Fn == ir.Replicate || op.Fn == ir.RangeOf)
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

// add counts operations.
func (c *plainCost) add(operations float64, power int) {
	if power == unknownPower || power > maxPower {
		c.known = false
		return
	}
	for len(c.Work) <= power {
		c.Work = append(c.Work, 0)
	}
	c.Work[power] += operations
}

// block counts a block that runs times·n^power times.
func (c *plainCost) block(b *ir.Block, times float64, power int) {
	for _, s := range b.Stmts {
		if !c.known {
			return
		}
		if n := ir.OperatorLength(s.Op); n != nil && indexOf(s.Op) != nil {
			t, p := c.repeated(times, power, n)
			element := float64(plainElement)
			switch s.Op.(type) {
			case *ir.Sort:
				element = sortCost
			case *ir.Hist, *ir.Scatter: // the result is filled before
				c.add(times, plus(power, c.power(ir.ResultLength(s.Op))))
			}
			c.add(t*element, p)
			before := c.around
			c.around = enclosing{indexOf(s.Op), times, power}
			for _, inner := range ir.Blocks(s.Op) {
				c.block(inner, t, p)
			}
			c.around = before
			continue
		}
		switch op := s.Op.(type) {
		case *ir.Unary:
			c.add(times*unaryCost(op.Fn), power)
		case *ir.Binary:
			c.add(times*binaryCost(op.Fn), power)
		case *ir.Index, *ir.Update, *ir.Convert, *ir.Select:
			c.add(times, power)
		case *ir.View: // package ops copies
			t, p := c.along(times, power, s.Dst[0])
			c.add(t*plainElement, p)
		case *ir.Alloc:
			t, p := c.repeated(times, power, op.N)
			c.add(t, p)
		case *ir.If:
			c.block(op.Then, times, power)
			c.block(op.Else, times, power)
		case *ir.Loop:
			c.loop(op, times, power)
		}
	}
}

func (c *plainCost) loop(op *ir.Loop, times float64, power int) {
	if op.I == nil {
		c.Open = true
		c.block(op.Cond, times*guessedTurns, power)
		c.block(op.Body, times*guessedTurns, power)
		return
	}
	lo, hi := c.power(op.Lo), c.power(op.Hi)
	switch l, isConst := op.Lo.(ir.Const); {
	case lo == unknownPower || hi == unknownPower:
		c.Open = true // between elements, such as offsets
		power = plus(power, 1)
	case isConst && hi == 0:
		if h, ok := op.Hi.(ir.Const); ok {
			times *= max(float64(h.Int()-l.Int()), 0)
			break
		}
		times *= guessedTurns
	case isConst:
		times, power = c.repeated(times, power, op.Hi)
	default:
		power = plus(power, max(lo, hi))
	}
	c.block(op.Body, times, power)
}

// repeated is how often what runs times·n^power times runs in an operator over count elements.
func (c *plainCost) repeated(times float64, power int, count ir.Atom) (float64, int) {
	if k, ok := count.(ir.Const); ok {
		return times * max(float64(k.Int()), 0), power
	}
	if d := c.defs[count]; d != nil {
		if n, ok := d.Op.(*ir.Len); ok {
			return c.along(times, power, n.X)
		}
	}
	return times, plus(power, c.power(count))
}

// along is repeated for the elements of a sequence.
func (c *plainCost) along(times float64, power int, x ir.Atom) (float64, int) {
	if whole := c.partOf(x); whole != nil { // all parts together are no longer than that
		n := c.length(whole)
		if whole.Type().Rank == 2 {
			n = c.row(whole)
		}
		return max(times, c.around.times), both(power, plus(c.around.power, n))
	}
	return times, plus(power, c.length(x))
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
		case c.params[op.X]:
			return op.X
		case d != nil:
			if v, ok := d.Op.(*ir.View); ok && v.Args[0].Type().Rank == 1 && (v.Fn == ir.Nest || v.Fn == ir.Split) {
				return v.Args[0]
			}
		}
	}
	return nil
}

func plus(p, q int) int {
	if p == unknownPower || q == unknownPower {
		return unknownPower
	}
	return p + q
}

// both is the power of what is at most the sum of two.
func both(p, q int) int {
	if p == unknownPower || q == unknownPower {
		return unknownPower
	}
	return max(p, q)
}

// use notes that a size depends on a parameter.
func (c *plainCost) use(a ir.Atom) int {
	c.used[a] = true
	return 1
}

// power returns the power that bounds a whole number.
func (c *plainCost) power(a ir.Atom) int {
	if _, ok := a.(ir.Const); ok {
		return 0
	}
	if c.params[a] {
		if a.Type().Rank == 0 && a.Type().Kind.IsInteger() {
			return c.use(a)
		}
		return unknownPower
	}
	s := c.defs[a]
	if s == nil {
		return unknownPower
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
			return c.power(op.X)
		}
	case *ir.Unary:
		if op.Fn == ir.Neg {
			return c.power(op.X)
		}
	case *ir.Select:
		return both(c.power(op.X), c.power(op.Y))
	case *ir.If:
		at := resultAt(s, a)
		return both(c.power(op.Then.Results[at]), c.power(op.Else.Results[at]))
	case *ir.Binary:
		x, y := c.power(op.X), c.power(op.Y)
		switch op.Fn {
		case ir.Add, ir.Sub, ir.Min, ir.Max:
			return both(x, y)
		case ir.Mul:
			return plus(x, y)
		case ir.Div, ir.Rem:
			return x
		}
	}
	return unknownPower
}

// element returns the power that bounds the elements of a sequence of whole numbers: those of a running sum are at
// most what all of them are together, such as how many elements a filter keeps.
func (c *plainCost) element(a ir.Atom) int {
	s := c.defs[a]
	if s == nil {
		return unknownPower
	}
	switch op := s.Op.(type) {
	case *ir.Map:
		return c.power(op.Body.Results[resultAt(s, a)])
	case *ir.Scan:
		return c.sum(op.N, op.Init, op.Body, op.Comb)
	}
	return unknownPower
}

// sum returns the power that bounds the sum of n elements, where comb does nothing but add.
func (c *plainCost) sum(n ir.Atom, init []ir.Atom, elements *ir.Block, comb *ir.Lambda) int {
	if len(comb.Body.Stmts) != 1 || len(init) != 1 {
		return unknownPower
	}
	if b, ok := comb.Body.Stmts[0].Op.(*ir.Binary); !ok || b.Fn != ir.Add {
		return unknownPower
	}
	return both(c.power(init[0]), plus(c.power(n), c.power(elements.Results[0])))
}

// length returns the power that bounds the length of a sequence.
func (c *plainCost) length(a ir.Atom) int {
	if c.params[a] {
		return c.use(a)
	}
	s := c.defs[a]
	if s == nil {
		if init := c.inits[a]; init != nil {
			return c.length(init)
		}
		return unknownPower
	}
	at := resultAt(s, a)
	switch op := s.Op.(type) {
	case *ir.Alloc:
		return c.power(op.N)
	case *ir.Update:
		return c.length(op.X)
	case *ir.Grow:
		return c.power(op.N)
	case *ir.Loop:
		return c.length(op.Init[at])
	case *ir.If:
		return both(c.length(op.Then.Results[at]), c.length(op.Else.Results[at]))
	case *ir.Index:
		return c.row(op.X)
	case *ir.View:
		return c.view(op)
	}
	if n := ir.ResultLength(s.Op); n != nil {
		return c.power(n)
	}
	return unknownPower
}

func (c *plainCost) view(op *ir.View) int {
	switch x := op.Args[0]; op.Fn {
	case ir.Nest, ir.Gather:
		return c.length(op.Args[1])
	case ir.Split, ir.Reverse, ir.Striding, ir.Slice:
		return c.length(x)
	case ir.Cyclic:
		return both(c.length(x), c.power(op.Args[1]))
	case ir.RangeOf:
		return both(c.power(x), c.power(op.Args[1]))
	case ir.Replicate:
		return c.power(op.Args[1])
	case ir.Flatten:
		return plus(c.length(x), c.row(x))
	case ir.Concat:
		return both(c.length(x), c.length(op.Args[1]))
	}
	return unknownPower
}

// row returns the power that bounds the length of a row of a sequence of sequences.
func (c *plainCost) row(a ir.Atom) int {
	if c.params[a] {
		return c.use(a)
	}
	s := c.defs[a]
	if s == nil {
		return unknownPower
	}
	switch op := s.Op.(type) {
	case *ir.Map:
		return c.length(op.Body.Results[resultAt(s, a)])
	case *ir.View:
		x := op.Args[0]
		switch {
		case x.Type().Rank == 1 && (op.Fn == ir.Nest || op.Fn == ir.Split || op.Fn == ir.Cyclic || op.Fn == ir.Replicate):
			return c.length(x)
		case x.Type().Rank == 2 && op.Fn != ir.Flatten && op.Fn != ir.ConcatRow && op.Fn != ir.Concat:
			return c.row(x)
		}
	}
	return unknownPower
}
