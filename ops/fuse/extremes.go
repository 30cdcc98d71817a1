package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// Inspection is what makes the checks of a computation that depend on the kernel's inputs alone.
type Inspection struct {
	// All is a Map without results whose body makes the checks of one index. It shares variables with the computation.
	All *ir.Stmt
	// Bounded yields whether the checks that compare sums and products of indices hold, from the least and the
	// greatest values of these: a few operations in place of a walk through the nest. Where it yields false, they may
	// hold all the same. It is nil if nothing is gained by it.
	Bounded *ir.Block
	// Rest is All without those checks; nil if none is left.
	Rest *ir.Stmt
}

// Inspection returns the inspection of computation c, or nil if there is nothing to check.
func (k *Kernel) Inspection(c *Computation) *Inspection {
	hoisted := k.HoistedChecks()
	all := inspect(c.Stmt, hoisted)
	if all == nil {
		return nil
	}
	x, b := newExtremes(k, c.Stmt.Pos, nil)
	rest := map[*ir.Check]bool{}
	x.inside(all.Op, rest)
	in := &Inspection{All: all}
	if left := inspect(all, rest); nesting(left) < nesting(all) {
		b.Results = []ir.Atom{x.holds}
		in.Bounded, in.Rest = b, left
	}
	return in
}

// bounded returns the checks of a computation that the extremes of indices may show to hold when inputs are bound: late
// are the variables that are not known by then.
func (k *Kernel) bounded(c *Computation, late map[*ir.Var]bool) map[*ir.Check]bool {
	x, _ := newExtremes(k, c.Stmt.Pos, late)
	rest, bounded := map[*ir.Check]bool{}, map[*ir.Check]bool{}
	x.inside(c.Stmt.Op, rest)
	for _, b := range ir.Blocks(c.Stmt.Op) {
		ir.Walk(b, func(s *ir.Stmt) {
			if c, ok := s.Op.(*ir.Check); ok && !rest[c] {
				bounded[c] = true
			}
		})
	}
	return bounded
}

// nesting is how deep the loops and operators of a statement are.
func nesting(s *ir.Stmt) int {
	if s == nil {
		return 0
	}
	deepest := 0
	for _, b := range ir.Blocks(s.Op) {
		for _, t := range b.Stmts {
			deepest = max(deepest, nesting(t))
		}
	}
	if _, loop := s.Op.(*ir.Loop); loop || indexOf(s.Op) != nil {
		deepest++
	}
	return deepest
}

// extremes says of a nest whether its checks hold for all indices at once. A sum of products of values that are not
// negative is least where these are least, and greatest where they are greatest. The arithmetic is that of float64,
// which is exact for what is at most exactProduct: that, too, and that factors are not negative, are conditions.
type extremes struct {
	emitter
	defs     map[ir.Atom]ir.Op     // what the nest defines
	ranges   map[ir.Atom]*span     // indices of the nest whose range is known
	values   map[ir.Atom]ir.Atom   // values from outside of the nest, as float64
	late     map[*ir.Var]bool      // those of them that are not known yet
	lengths  map[ir.Atom]bool      // those of them that are lengths
	negative map[ir.Atom]*ir.Unary // those of them that are the negative of another
	made     map[operation]ir.Atom // what has been computed
	holds    ir.Atom               // all conditions so far
}

// span is the range of an index, or of its quotient or remainder by something: it is base and a part that is at least
// least and at most most - 1, or the quotient of the greatest value of most.
type span struct {
	base, least, most analysis.Sum
	by                ir.Atom        // the divisor of a quotient, nil for others
	needs             []analysis.Sum // what must not be negative for it
	ends              [2]ir.Atom     // of the part, as float64; nil before the first use
}

// operation is fn of x and y.
type operation struct {
	fn   ir.BinaryFn
	x, y ir.Atom
}

// exactProduct is the greatest magnitude of a product: sums of some of them are exact in a float64. Lengths are less.
var exactProduct = ir.FloatConst(ir.Float64, 1e14)

func newExtremes(k *Kernel, pos ir.Pos, late map[*ir.Var]bool) (*extremes, *ir.Block) {
	b, lengths, negative := &ir.Block{}, map[ir.Atom]bool{}, map[ir.Atom]*ir.Unary{}
	for _, s := range k.Func.Body.Stmts {
		switch op := s.Op.(type) {
		case *ir.Len:
			lengths[s.Dst[0]] = true
		case *ir.Unary:
			if op.Fn == ir.Neg && op.X.Type() == tInt {
				negative[s.Dst[0]] = op
			}
		}
	}
	return &extremes{emitter: emitter{&resolver{names: ir.NewNamer(k.Func)}, &b.Stmts, pos}, defs: map[ir.Atom]ir.Op{}, late: late, ranges: map[ir.Atom]*span{},
		values: map[ir.Atom]ir.Atom{}, lengths: lengths, negative: negative, made: map[operation]ir.Atom{}, holds: ir.BoolConst(true)}, b
}

// inside walks through an operation of the nest and adds the checks to rest that extremes say nothing of.
func (x *extremes) inside(op ir.Op, rest map[*ir.Check]bool) {
	if i := indexOf(op); i != nil {
		x.index(i, ir.IntConst(ir.Int, 0), lengthOf(op))
	} else if l, ok := op.(*ir.Loop); ok && l.I != nil {
		x.index(l.I, l.Lo, l.Hi)
	}
	for _, v := range ir.Bound(op) {
		x.defs[v] = op
	}
	for _, b := range ir.Blocks(op) {
		for _, s := range b.Stmts {
			for _, d := range s.Dst {
				x.defs[d] = s.Op
			}
			if c, ok := s.Op.(*ir.Check); ok && !x.check(c) {
				rest[c] = true
			}
			x.inside(s.Op, rest)
		}
	}
}

// index notes the range of an index, if it is known. Where it begins outside of the nest that is its base, so that an
// index that begins at -1 is 1 less than one that begins at 0.
func (x *extremes) index(i *ir.Var, lo, hi ir.Atom) {
	from, ok := x.sum(lo)
	to, ok2 := x.sum(hi)
	switch {
	case !ok || !ok2:
	case slices.ContainsFunc(from, func(p analysis.Product) bool { return slices.ContainsFunc(p.Of, x.varies) }):
		x.ranges[i] = &span{least: from, most: to}
	default:
		x.ranges[i] = &span{base: from, most: to.Minus(from)}
	}
}

// varies reports whether a value is one of the nest's.
func (x *extremes) varies(a ir.Atom) bool { return x.defs[a] != nil }

// check makes the conditions under which a check always holds; it reports whether there are such.
func (x *extremes) check(c *ir.Check) bool {
	var args []analysis.Sum
	for _, a := range c.Args {
		s, ok := x.sum(a)
		if !ok {
			return false
		}
		args = append(args, s)
	}
	one := analysis.Sum{{C: 1}}
	switch c.Kind {
	case ir.CheckIndex:
		x.notNegative(args[0])
		x.notNegative(args[1].Minus(args[0]).Minus(one))
	case ir.CheckBounds:
		x.notNegative(args[0])
		x.notNegative(args[1].Minus(args[0]))
		x.notNegative(args[2].Minus(args[1]))
	case ir.CheckNonneg:
		x.notNegative(args[0])
	case ir.CheckSize, ir.CheckNonzero:
		x.notNegative(args[0].Minus(one))
	default:
		return false
	}
	return true
}

// sum returns an int as a sum of products of values from outside of the nest and of indices whose range is known.
func (x *extremes) sum(a ir.Atom) (analysis.Sum, bool) {
	if a.Type() != tInt {
		return nil, false
	}
	form, ok := analysis.Form{Defs: x.defs, Known: x.known}.Affine(a)
	for _, p := range form.Base {
		ok = ok && !slices.ContainsFunc(p.Of, func(a ir.Atom) bool { return !x.ranged(a) })
	}
	return form.Base, ok
}

// known is the form of an index, and of what a loop makes of its bounds: the negative of a value, the lesser of it and
// of something that no index reaches.
func (x *extremes) known(a ir.Atom) (analysis.Affine, bool) {
	if s := x.ranges[a]; s != nil {
		return analysis.Affine{Base: s.base.Plus(analysis.Sum{{C: 1, Of: []ir.Atom{a}}})}, true
	}
	op := x.defs[a]
	if n := x.negative[a]; n != nil {
		op = n
	}
	switch op := op.(type) {
	case *ir.Unary:
		if s, ok := x.sum(op.X); ok && op.Fn == ir.Neg {
			return analysis.Affine{Base: analysis.Sum(nil).Minus(s)}, true
		}
	case *ir.Binary:
		if most, ok := op.Y.(ir.Const); ok && op.Fn == ir.Min && most.Int() >= 1<<exactBits {
			s, ok := x.sum(op.X)
			return analysis.Affine{Base: s}, ok
		}
	}
	return analysis.Affine{}, false
}

// ranged reports whether a value is one from outside of the nest, or its range is known.
func (x *extremes) ranged(a ir.Atom) bool {
	v, ok := a.(*ir.Var)
	switch {
	case x.ranges[a] != nil:
		return true
	case !x.varies(a):
		return !ok || !x.late[v]
	}
	op, ok := x.defs[a].(*ir.Binary)
	if !ok || op.Fn != ir.Rem && op.Fn != ir.Div || x.varies(op.Y) {
		return false
	}
	of, ok := x.sum(op.X)
	by, ok2 := x.sum(op.Y)
	if !ok || !ok2 {
		return false
	}
	s := &span{most: by, needs: []analysis.Sum{of, by.Minus(analysis.Sum{{C: 1}})}}
	if op.Fn == ir.Div {
		s.most, s.by = of, op.Y
	}
	x.ranges[a] = s
	return true
}

// notNegative adds the condition that a sum is never negative.
func (x *extremes) notNegative(s analysis.Sum) { x.condition(nothing, x.value(s, false)) }

var nothing = ir.FloatConst(ir.Float64, 0)

// condition adds a ≤ b to what has to hold.
func (x *extremes) condition(a, b ir.Atom) {
	if c := (operation{ir.Le, a, b}); x.made[c] == nil {
		x.made[c] = x.bin(ir.Le, "in", a, b)
		x.holds = x.both(x.holds, x.made[c])
	}
}

// value returns the least or the greatest value of a sum, as a float64.
func (x *extremes) value(s analysis.Sum, greatest bool) ir.Atom {
	total := ir.Atom(nothing)
	for _, p := range s {
		c, fn := ir.FloatConst(ir.Float64, float64(p.C)), ir.Add
		if p.C < 0 && total != ir.Atom(nothing) {
			c, fn = ir.FloatConst(ir.Float64, -float64(p.C)), ir.Sub
		}
		total = x.arith(fn, total, x.arith(ir.Mul, c, x.product(p.Of, greatest == (p.C > 0))))
	}
	return total
}

// product returns the least or the greatest value of a product. Its factors must not be negative if there are several,
// and it must be exact.
func (x *extremes) product(of []ir.Atom, greatest bool) ir.Atom {
	product := ir.Atom(ir.FloatConst(ir.Float64, 1))
	for i, a := range of {
		least, most := x.extreme(a)
		factor := least
		if greatest {
			factor = most
		}
		switch {
		case len(of) > 1:
			x.condition(nothing, least)
		case x.ranges[a] == nil && !x.lengths[a]:
			x.condition(factor, exactProduct)
			x.condition(ir.FloatConst(ir.Float64, -exactProduct.Float()), factor)
		}
		if product = x.arith(ir.Mul, product, factor); i > 0 {
			x.condition(product, exactProduct)
		}
	}
	return product
}

// extreme returns the least and the greatest value of a factor, as float64.
func (x *extremes) extreme(a ir.Atom) (least, greatest ir.Atom) {
	s := x.ranges[a]
	if s == nil {
		if x.values[a] == nil {
			x.values[a] = x.let(a.String(), ir.Scalar(ir.Float64), &ir.Convert{To: ir.Float64, X: a})
		}
		return x.values[a], x.values[a]
	}
	if s.ends[0] == nil {
		for _, n := range s.needs {
			x.notNegative(n)
		}
		least, most := x.value(s.least, false), x.value(s.most, true)
		if s.by != nil {
			_, by := x.extreme(s.by)
			q := x.bin(ir.Div, "quotient", most, by)
			most = x.let("quotient", ir.Scalar(ir.Float64), &ir.Unary{Fn: ir.Floor, X: q})
		} else {
			most = x.arith(ir.Sub, most, ir.FloatConst(ir.Float64, 1))
		}
		s.ends = [2]ir.Atom{least, most}
	}
	return s.ends[0], s.ends[1]
}

// arith is an operation of float64 whose operands are whole numbers: what does nothing is left out.
func (x *extremes) arith(fn ir.BinaryFn, a, b ir.Atom) ir.Atom {
	one := ir.Atom(ir.FloatConst(ir.Float64, 1))
	switch {
	case fn == ir.Add && a == ir.Atom(nothing), fn == ir.Mul && (a == one || b == ir.Atom(nothing)):
		return b
	case fn != ir.Mul && b == ir.Atom(nothing), fn == ir.Mul && (b == one || a == ir.Atom(nothing)):
		return a
	}
	of := operation{fn, a, b}
	if x.made[of] == nil {
		x.made[of] = x.bin(fn, "x", a, b)
	}
	return x.made[of]
}
