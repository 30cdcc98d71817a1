package fuse

import (
	"maps"

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
	ends := &endChecker{x.r.names}
	in.All, in.Rest = ends.inside(in.All), ends.inside(in.Rest)
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
	yields   map[ir.Atom]int       // which of the results it is
	ranges   map[ir.Atom]*span     // values of the nest whose range is known where the walk is
	parts    map[ir.Atom]*span     // the same by their parts, wherever they hold
	unranged map[ir.Atom]bool      // values of the nest whose range is not known anywhere
	where    int                   // under how many conditions of values the walk is
	values   map[ir.Atom]ir.Atom   // values from outside of the nest, as float64
	late     map[*ir.Var]bool      // those of them that are not known yet
	lengths  map[ir.Atom]*ir.Len   // those of them that are lengths, also if the nest takes them
	negative map[ir.Atom]*ir.Unary // those of them that are the negative of another
	made     map[operation]ir.Atom // what has been computed
	holds    ir.Atom               // all conditions so far
}

// operation is fn of x and y.
type operation struct {
	fn   ir.BinaryFn
	x, y ir.Atom
}

// exactProduct is the greatest magnitude of a product: sums of some of them are exact in a float64. Lengths are less.
var exactProduct = ir.FloatConst(ir.Float64, 1e14)

func newExtremes(k *Kernel, pos ir.Pos, late map[*ir.Var]bool) (*extremes, *ir.Block) {
	b, lengths, negative := &ir.Block{}, map[ir.Atom]*ir.Len{}, map[ir.Atom]*ir.Unary{}
	rows := map[ir.Atom]bool{} // which have a value at the top level only
	for _, s := range k.Steps() {
		switch op := s.Op.(type) {
		case *ir.Index:
			rows[s.Dst[0]] = true
		case *ir.Len:
			if !rows[op.X] {
				lengths[s.Dst[0]] = op
			}
		case *ir.Unary:
			if op.Fn == ir.Neg && op.X.Type() == tInt {
				negative[s.Dst[0]] = op
			}
		}
	}
	return &extremes{emitter: emitter{&resolver{names: ir.NewNamer(k.Func)}, &b.Stmts, pos}, defs: map[ir.Atom]ir.Op{}, yields: map[ir.Atom]int{}, late: late, ranges: map[ir.Atom]*span{}, parts: map[ir.Atom]*span{}, unranged: map[ir.Atom]bool{},
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
	known := x.ranges
	for i, b := range ir.Blocks(op) {
		if c, ok := op.(*ir.If); ok {
			x.ranges = maps.Clone(known)
			x.assume(c.Cond, i == 0)
		}
		for _, s := range b.Stmts {
			if op, ok := s.Op.(*ir.Len); ok && x.outside(op.X) {
				x.lengths[s.Dst[0]] = op
				continue
			}
			for i, d := range s.Dst {
				x.defs[d], x.yields[d] = s.Op, i
			}
			if c, ok := s.Op.(*ir.Check); ok && !x.check(c) {
				rest[c] = true
			}
			x.inside(s.Op, rest)
		}
	}
	x.ranges = known
}

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
	case ir.CheckCount:
		x.notNegative(args[0])
		x.notNegative(args[1].Minus(args[0]))
	case ir.CheckNonneg:
		x.notNegative(args[0])
	case ir.CheckSize, ir.CheckNonzero:
		x.notNegative(args[0].Minus(one))
	default:
		return false
	}
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
		case x.parts[a] == nil && x.lengths[a] == nil:
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
	s := x.parts[a]
	if s == nil {
		if x.values[a] == nil {
			of := a
			if op := x.lengths[a]; op != nil {
				of = x.let("n", tInt, &ir.Len{X: op.X})
			}
			x.values[a] = x.let(a.String(), ir.Scalar(ir.Float64), &ir.Convert{To: ir.Float64, X: of})
		}
		return x.values[a], x.values[a]
	}
	if s.ends[0] == nil {
		s.ends = x.extremesOf(s)
	}
	return s.ends[0], s.ends[1]
}

// extremesOf computes the extremes of the part of a span.
func (x *extremes) extremesOf(s *span) [2]ir.Atom {
	one := ir.Atom(ir.FloatConst(ir.Float64, 1))
	switch s.fn {
	case "":
		return [2]ir.Atom{x.value(s.least, false), x.arith(ir.Sub, x.value(s.most, true), one)}
	case either:
		return [2]ir.Atom{x.arith(ir.Min, x.value(s.least, false), x.value(s.most, false)), x.arith(ir.Max, x.value(s.least, true), x.value(s.most, true))}
	case ir.Min, ir.Max:
		return [2]ir.Atom{x.arith(s.fn, x.value(s.least, false), x.value(s.most, false)), x.arith(s.fn, x.value(s.least, true), x.value(s.most, true))}
	}
	by := x.value(s.most, false) // the divisor is positive, and what is divided is not negative
	x.condition(one, by)
	x.notNegative(s.least)
	if s.fn == ir.Rem {
		return [2]ir.Atom{nothing, x.arith(ir.Sub, x.value(s.most, true), one)}
	}
	return [2]ir.Atom{x.quotient(x.value(s.least, false), x.value(s.most, true)), x.quotient(x.value(s.least, true), by)}
}

func (x *extremes) quotient(a, b ir.Atom) ir.Atom {
	of := operation{ir.Div, a, b}
	if x.made[of] == nil {
		x.made[of] = x.let("quotient", ir.Scalar(ir.Float64), &ir.Unary{Fn: ir.Floor, X: x.bin(ir.Div, "quotient", a, b)})
	}
	return x.made[of]
}

// arith is an operation of float64 whose operands are whole numbers: what does nothing is left out.
func (x *extremes) arith(fn ir.BinaryFn, a, b ir.Atom) ir.Atom {
	one := ir.Atom(ir.FloatConst(ir.Float64, 1))
	switch {
	case fn == ir.Add && a == ir.Atom(nothing), fn == ir.Mul && (a == one || b == ir.Atom(nothing)):
		return b
	case (fn == ir.Add || fn == ir.Sub) && b == ir.Atom(nothing), fn == ir.Mul && (b == one || a == ir.Atom(nothing)):
		return a
	}
	of := operation{fn, a, b}
	if x.made[of] == nil {
		x.made[of] = x.bin(fn, "x", a, b)
	}
	return x.made[of]
}
