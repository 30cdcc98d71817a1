package fuse

import (
	"math"
	"math/bits"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// shorten makes arithmetic of ints and int64s such of int32s where the kinds of what it begins with say that no value
// leaves their range, and only narrow numbers, floats and comparisons come of it: of pixels, say,
//
//	a = convert int p; b = mul a 3; c = div b 255; q = convert uint8 c
//
// becomes
//
//	a = convert int32 p; b = mul a 3; c = div b 255; q = convert uint8 c
//
// Vectors have twice as many lanes of these, and divide and convert them in fewer steps. Go's int is what programs
// widen bytes to, whatever they do with them. What so many elements as a constant says are combined to is an int32
// until the last one is.
func shorten(f *ir.Func, names *ir.Namer) {
	s := &shortener{names: names, ranges: map[ir.Atom]interval{}, whole: map[*ir.Var]*ir.Stmt{}, combined: map[*ir.Var]*ir.Stmt{}, sources: map[*ir.Var]*ir.Convert{}, short: map[*ir.Var]*ir.Var{}}
	s.measure(f.Body)
	s.choose(f.Body)
	if s.found {
		s.rewrite(f.Body)
	}
}

type shortener struct {
	names    *ir.Namer
	ranges   map[ir.Atom]interval
	sources  map[*ir.Var]*ir.Convert // conversions of narrow numbers
	combined map[*ir.Var]*ir.Stmt    // results of Reduces that int32s may become, and what yields them
	whole    map[*ir.Var]*ir.Stmt    // other results that may be int32s
	short    map[*ir.Var]*ir.Var     // the int32s in place of ints
	found    bool
}

// interval is a range of values, all of which are int32s.
type interval struct{ lo, hi int64 }

func (i interval) fits() bool { return i.lo >= math.MinInt32 && i.hi <= math.MaxInt32 }

func (i interval) or(j interval) interval { return interval{min(i.lo, j.lo), max(i.hi, j.hi)} }

// isLong reports whether values are of a kind whose arithmetic may be that of int32s.
func isLong(t ir.Type) bool { return t.Rank == 0 && (t.Kind == ir.Int || t.Kind == ir.Int64) }

// measure finds the ranges of the results of a block.
func (s *shortener) measure(b *ir.Block) {
	for _, st := range b.Stmts {
		for _, c := range ir.Blocks(st.Op) {
			s.measure(c)
		}
		for i, d := range st.Dst {
			if r, ok := s.rangeOf(st.Op, i); ok && isLong(d.T) && r.fits() {
				s.ranges[d] = r
				switch op := st.Op.(type) {
				case *ir.Convert:
					s.sources[d] = op
				case *ir.Reduce:
					s.combined[d] = st
				default:
					s.whole[d] = st
				}
			}
		}
	}
}

func (s *shortener) of(a ir.Atom) (interval, bool) {
	if c, ok := a.(ir.Const); ok {
		r := interval{c.Int(), c.Int()}
		return r, c.Kind.IsInteger() && r.fits()
	}
	r, ok := s.ranges[a]
	return r, ok
}

// rangeOf returns the range of a result of an operation, false where it is not known.
func (s *shortener) rangeOf(op ir.Op, i int) (interval, bool) {
	switch op := op.(type) {
	case *ir.Convert:
		k := op.X.Type().Kind
		if !k.IsInteger() || k.Bytes() > 2 {
			return interval{}, false
		}
		width := 8 * k.Bytes()
		if k.IsUnsigned() {
			return interval{0, 1<<width - 1}, true
		}
		return interval{-1 << (width - 1), 1<<(width-1) - 1}, true
	case *ir.Unary:
		x, ok := s.of(op.X)
		return interval{-x.hi, -x.lo}, ok && op.Fn == ir.Neg
	case *ir.Binary:
		x, okX := s.of(op.X)
		y, okY := s.of(op.Y)
		if !okX || !okY || op.Fn.IsComparison() {
			return interval{}, false
		}
		return combinedRange(op.Fn, x, y)
	case *ir.Select:
		return s.either(op.X, op.Y)
	case *ir.If:
		return s.either(op.Then.Results[i], op.Else.Results[i])
	case *ir.Reduce:
		return s.combinedOf(op, i)
	}
	return interval{}, false
}

// combinedOf returns the range of all that elements of a Reduce are combined to, in whatever order.
func (s *shortener) combinedOf(op *ir.Reduce, i int) (interval, bool) {
	n, fixed := op.N.(ir.Const)
	_, begun := op.Init[i].(ir.Const)
	fns := analysis.Combining(op.Comb)
	each, ok := s.either(op.Init[i], op.Body.Results[i])
	if fns == nil || !ok || !begun {
		return interval{}, false
	}
	switch fns[i] {
	case ir.Min, ir.Max:
		return each, true
	case ir.Add:
		if times := max(n.Int(), 0) + 1; fixed && times <= math.MaxInt32 { // and the first value
			return interval{times * min(each.lo, 0), times * max(each.hi, 0)}, true
		}
	}
	return interval{}, false
}

func (s *shortener) either(a, b ir.Atom) (interval, bool) {
	x, okX := s.of(a)
	y, okY := s.of(b)
	return x.or(y), okX && okY
}

// combinedRange returns the range of a function of values in two ranges, false where it is not known.
func combinedRange(fn ir.BinaryFn, x, y interval) (interval, bool) {
	ends := func(f func(a, b int64) int64) (interval, bool) {
		all := []int64{f(x.lo, y.lo), f(x.lo, y.hi), f(x.hi, y.lo), f(x.hi, y.hi)}
		return interval{slices.Min(all), slices.Max(all)}, true
	}
	count := y.lo == y.hi && y.lo >= 0 && y.lo < 31 // shifts are by constants
	switch fn {
	case ir.Add:
		return interval{x.lo + y.lo, x.hi + y.hi}, true
	case ir.Sub:
		return interval{x.lo - y.hi, x.hi - y.lo}, true
	case ir.Mul:
		return ends(func(a, b int64) int64 { return a * b })
	case ir.Min:
		return ends(func(a, b int64) int64 { return min(a, b) })
	case ir.Max:
		return ends(func(a, b int64) int64 { return max(a, b) })
	case ir.Shl:
		return interval{x.lo << (y.lo & 31), x.hi << (y.lo & 31)}, count
	case ir.Shr:
		return interval{x.lo >> (y.lo & 31), x.hi >> (y.lo & 31)}, count
	case ir.Div:
		if y.lo > 0 {
			return ends(func(a, b int64) int64 { return a / b })
		}
	case ir.Rem:
		if y.lo > 0 {
			return interval{max(min(x.lo, 0), 1-y.hi), min(max(x.hi, 0), y.hi-1)}, true
		}
	case ir.And, ir.Or, ir.Xor: // as many bits, and a sign where one has it
		size := func(v interval) uint64 { return uint64(max(v.hi, 0) | max(^v.lo, 0)) }
		most := int64(1)<<bits.Len64(size(x)|size(y)) - 1
		if x.lo >= 0 && y.lo >= 0 {
			return interval{0, most}, true
		}
		return interval{-most - 1, most}, true
	}
	return interval{}, false
}

// choose takes the results back that something else needs as they are, or that are made of such, and names the others.
func (s *shortener) choose(b *ir.Block) {
	for changed := true; changed; {
		before := len(s.whole) + len(s.combined)
		s.uses(b, nil)
		for _, of := range []map[*ir.Var]*ir.Stmt{s.whole, s.combined} {
			for d, st := range of {
				if !s.allShort(values(st, d)...) {
					delete(of, d)
				}
			}
		}
		changed = len(s.whole)+len(s.combined) < before
	}
	s.found = len(s.whole)+len(s.combined) > 0
	ir.Walk(b, func(st *ir.Stmt) { s.found = s.found || s.compares(st) })
}

// values are the atoms that a result is made of, as numbers.
func values(st *ir.Stmt, d *ir.Var) []ir.Atom {
	switch op := st.Op.(type) {
	case *ir.Unary:
		return []ir.Atom{op.X}
	case *ir.Binary:
		if op.Fn == ir.Shl || op.Fn == ir.Shr {
			return []ir.Atom{op.X}
		}
		return []ir.Atom{op.X, op.Y}
	case *ir.Select:
		return []ir.Atom{op.X, op.Y}
	case *ir.If:
		i := slices.Index(st.Dst, d)
		return []ir.Atom{op.Then.Results[i], op.Else.Results[i]}
	case *ir.Reduce:
		i := slices.Index(st.Dst, d)
		return []ir.Atom{op.Init[i], op.Body.Results[i]}
	}
	return nil
}

// allShort reports whether all values may be int32s.
func (s *shortener) allShort(as ...ir.Atom) bool {
	for _, a := range as {
		v, isVar := a.(*ir.Var)
		if _, known := s.of(a); !known || isVar && s.whole[v] == nil && s.combined[v] == nil && s.sources[v] == nil {
			return false
		}
	}
	return true
}

// uses takes back what the statements of a block, which yields results to around, use otherwise than as an int32.
func (s *shortener) uses(b *ir.Block, around *ir.Stmt) {
	keep := func(a ir.Atom) {
		if v, ok := a.(*ir.Var); ok {
			delete(s.whole, v)
		}
	}
	for _, st := range b.Stmts {
		fine := s.taken(st)
		for _, a := range ir.Operands(st.Op) {
			if !slices.Contains(fine, *a) {
				keep(*a)
			}
		}
		for _, c := range ir.Blocks(st.Op) {
			s.uses(c, st)
		}
	}
	for i, r := range b.Results {
		if around != nil && i < len(around.Dst) && (s.whole[around.Dst[i]] == around || s.combined[around.Dst[i]] == around) {
			continue
		}
		keep(r)
	}
}

// taken returns the operands of a statement that may be int32s.
func (s *shortener) taken(st *ir.Stmt) []ir.Atom {
	if c, ok := st.Op.(*ir.Convert); ok && (c.To.IsFloat() || c.To.Bytes() < 8) {
		return []ir.Atom{c.X}
	}
	if s.compares(st) || len(st.Dst) == 1 && s.whole[st.Dst[0]] == st {
		if as := values(st, st.Dst[0]); s.allShort(as...) {
			return as
		}
	}
	return nil
}

// compares reports whether a statement compares ints that may be int32s.
func (s *shortener) compares(st *ir.Stmt) bool {
	op, ok := st.Op.(*ir.Binary)
	return ok && op.Fn.IsComparison() && isLong(op.X.Type()) && s.allShort(op.X, op.Y)
}

// rewrite writes the arithmetic of int32s.
func (s *shortener) rewrite(b *ir.Block) {
	stmts := b.Stmts
	b.Stmts = nil
	for _, st := range stmts {
		s.shortenOperands(st)
		for _, c := range ir.Blocks(st.Op) {
			s.rewrite(c)
		}
		for i, d := range st.Dst {
			if s.whole[d] != st {
				continue
			}
			if op, ok := st.Op.(*ir.If); ok {
				op.Then.Results[i], op.Else.Results[i] = s.value(op.Then.Results[i]), s.value(op.Else.Results[i])
			}
			st.Dst[i] = s.name(d)
		}
		b.Stmts = append(b.Stmts, st)
		b.Stmts = append(b.Stmts, s.shortenCombined(st)...)
		for _, d := range st.Dst {
			if c := s.sources[d]; c != nil && isLong(d.T) {
				b.Stmts = append(b.Stmts, &ir.Stmt{Dst: []*ir.Var{s.name(d)}, Op: &ir.Convert{To: ir.Int32, X: c.X}, Pos: st.Pos})
			}
		}
	}
}

// shortenCombined has a Reduce combine int32s, and returns the conversions of what comes of them.
func (s *shortener) shortenCombined(st *ir.Stmt) (after []*ir.Stmt) {
	for i, d := range st.Dst {
		if s.combined[d] != st {
			continue
		}
		op := st.Op.(*ir.Reduce)
		accumulator, element := &op.Comb.Params[i], &op.Comb.Params[len(st.Dst)+i]
		result := op.Comb.Body.Results[i].(*ir.Var)
		def := op.Comb.Body.Stmts[slices.IndexFunc(op.Comb.Body.Stmts, func(c *ir.Stmt) bool { return c.Dst[0] == result })]
		combine := def.Op.(*ir.Binary)
		combine.X, combine.Y = s.value(combine.X), s.value(combine.Y)
		*accumulator, *element, def.Dst[0], op.Comb.Body.Results[i] = s.name(*accumulator), s.name(*element), s.name(result), s.name(result)
		op.Init[i], op.Body.Results[i] = s.value(op.Init[i]), s.value(op.Body.Results[i])
		st.Dst[i] = s.name(d)
		after = append(after, &ir.Stmt{Dst: []*ir.Var{d}, Op: &ir.Convert{To: d.T.Kind, X: st.Dst[i]}, Pos: st.Pos})
	}
	return after
}

// shortenOperands puts int32s into a statement that computes with them, but for the results of conditions.
func (s *shortener) shortenOperands(st *ir.Stmt) {
	switch op := st.Op.(type) {
	case *ir.Convert:
		if v, ok := op.X.(*ir.Var); ok && s.whole[v] != nil {
			op.X = s.name(v)
		}
	case *ir.Unary:
		if s.whole[st.Dst[0]] == st {
			op.X = s.value(op.X)
		}
	case *ir.Select:
		if s.whole[st.Dst[0]] == st {
			op.X, op.Y = s.value(op.X), s.value(op.Y)
		}
	case *ir.Binary:
		switch {
		case s.whole[st.Dst[0]] == st && (op.Fn == ir.Shl || op.Fn == ir.Shr):
			op.X = s.value(op.X)
		case s.whole[st.Dst[0]] == st || s.compares(st):
			op.X, op.Y = s.value(op.X), s.value(op.Y)
		}
	}
}

// value is the int32 that stands for a value.
func (s *shortener) value(a ir.Atom) ir.Atom {
	if c, ok := a.(ir.Const); ok {
		return ir.IntConst(ir.Int32, c.Int())
	}
	return s.name(a.(*ir.Var))
}

func (s *shortener) name(v *ir.Var) *ir.Var {
	if s.short[v] == nil {
		s.short[v] = s.names.Var(v.Name, ir.Scalar(ir.Int32))
	}
	return s.short[v]
}
