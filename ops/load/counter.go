package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"math"

	"github.com/surge-ndp/surge/ops/ir"
)

// Note [Loops that count]
//
//	for i := lo; i < hi; i++
//
// is an ir.Loop whose index goes from lo to hi, if the body assigns neither i nor anything that hi is made of. What
// counts in other ways has an index of that kind, too, from which a turn computes i:
//
//	for i := hi; i > lo; i--          index from lo to hi,            i = lo + hi - index
//	for i := hi; i > lo; i -= 3       index from lo to hi in threes,  i = lo + hi - index
//	for i := lo; i < hi; i += step    index from 0 to ⌈(hi-lo)/step⌉, i = lo + index·step
//	for i := hi; i > lo; i -= step    index from 0 to ⌈(hi-lo)/step⌉, i = hi - index·step
//
// Where the bound belongs to the range, the index goes one further. A loop going down has the same turns in the other
// order, so that no sum of the bounds overflows that is not taken back: ints wrap around. A loop whose step is 0, or
// negative, or leads beyond the greatest int before the bound is reached, does not end in the source, or not before it
// has gone through the ints below; neither does one of so many turns as there are ints. Where nothing in the loop
// leaves it, a check says so if the step is not positive: nothing would stop such a loop.

// counter is the head of a loop that counts.
type counter struct {
	i            *types.Var
	kind         ir.Kind
	first        ast.Expr // what i is at first
	tested, last ast.Expr // what is compared: i, or a sum with it, and up or down to what
	closed       bool     // last belongs to the range
	down         bool
	by           ast.Expr // nil: 1
}

// counterOf recognises the head of a loop that counts.
func counterOf(info *types.Info, s *ast.ForStmt) (c counter, ok bool) {
	init, ok := s.Init.(*ast.AssignStmt)
	if !ok || init.Tok != token.DEFINE || len(init.Lhs) != 1 || len(init.Rhs) != 1 {
		return c, false
	}
	id, _ := init.Lhs[0].(*ast.Ident)
	if c.i, ok = info.Defs[id].(*types.Var); !ok {
		return c, false
	}
	if c.kind, ok = scalarKind(c.i.Type()); !ok || !c.kind.IsInteger() || c.kind == ir.Uint || c.kind == ir.Uint64 { // these may lie beyond int
		return c, false
	}
	c.first = init.Rhs[0]
	switch p := s.Post.(type) {
	case *ast.IncDecStmt:
		c.down, ok = p.Tok == token.DEC, variable(info, p.X) == c.i
	case *ast.AssignStmt:
		ok = (p.Tok == token.ADD_ASSIGN || p.Tok == token.SUB_ASSIGN) && variable(info, p.Lhs[0]) == c.i
		c.down, c.by = p.Tok == token.SUB_ASSIGN, p.Rhs[0]
		if n, isConst := intConst(info, p.Rhs[0]); isConst && (n == 1 || n == -1) {
			c.by, c.down = nil, c.down != (n < 0)
		}
	default:
		return c, false
	}
	cond, isBinary := s.Cond.(*ast.BinaryExpr)
	if !ok || !isBinary {
		return c, false
	}
	c.tested, c.last = cond.X, cond.Y
	op := cond.Op
	less := op == token.LSS || op == token.LEQ
	if less == c.down {
		c.tested, c.last = c.last, c.tested
	}
	c.closed = op == token.LEQ || op == token.GEQ
	return c, less || op == token.GTR || op == token.GEQ
}

// countedFor recognises loops that count by 1, or up by a variable, and fills in lp: see Note [Loops that count].
func (l *lowerer) countedFor(s *ast.ForStmt, lp *loop) bool {
	info := l.unit.info
	c, ok := counterOf(info, s)
	if !ok {
		return false
	}
	lp.changed = l.assigned(s.Body)
	same := func(e ast.Expr) bool { return l.invariant(e, lp.changed, c.i, s.Body) }
	if lp.changed[c.i] || !same(c.last) {
		return false
	}
	isI := func(e ast.Expr) bool { return variable(info, e) == c.i }
	ahead, counts := l.isAhead(c.tested, isI, same)
	if !ahead || !isI(c.tested) && (c.down || c.kind != ir.Int || !l.isCount(c.first)) {
		return false
	}
	bound, isConst := intConst(info, c.last)
	if c.closed && isConst && !c.ends(bound) {
		return false
	}
	if c.by != nil {
		_, constant := intConst(info, c.by)
		least := c.first
		if c.down {
			least = c.last
		}
		n, known := intConst(info, least)
		if constant || !l.isSum(c.by) || !same(c.by) || c.kind != ir.Int || !known || n < 0 || n > math.MaxInt32 {
			return false
		}
	}
	first, tested, last, ok := l.countedBounds(s, c)
	if !ok {
		return false
	}
	bind := func(x ir.Atom) { l.bind(c.i, value{typ: c.i.Type(), atoms: []ir.Atom{l.fromInt(x, c.kind)}}) }
	lp.name, lp.counter = c.i.Name(), c.i
	small := counts && (l.isBelowLength(c.last) || isConst && bound >= 0)
	switch {
	case c.by != nil:
		by := l.expr(c.by)
		if by.bad || len(by.atoms) != 1 {
			return false // what is wrong with it is reported
		}
		step := by.atoms[0]
		left := l.returns(s.Body) || jumpsTo(s.Body.List, token.BREAK, lp.label) || len(l.outward(s.Body)) > 0
		lp.name, lp.lo, lp.hi = "turn", zeroInt, l.steps(tested, last, step, c, small && !c.down && bound <= math.MaxInt32, left)
		fn := ir.Add
		if c.down {
			fn = ir.Sub
		}
		lp.start = func(x ir.Atom) { bind(l.bin(c.i.Name(), fn, first, l.bin("t", ir.Mul, x, step))) }
	case c.down:
		l.goDown(lp, c, first, last, bind)
	case !isI(c.tested):
		lp.lo, lp.hi, lp.index, lp.start = first, l.endOf(first, tested, last, c.closed, small), c.i, bind
	default:
		if lp.lo, lp.hi, lp.index, lp.start = first, last, c.i, bind; c.closed {
			lp.hi = l.behind(c.last, last, c.kind)
		}
	}
	lp.counted = true
	return true
}

// countedBounds are what i is at first, what is compared then, and with what.
func (l *lowerer) countedBounds(s *ast.ForStmt, c counter) (first, tested, last ir.Atom, ok bool) {
	vals := []value{l.use(l.env.vals[c.i], s.Pos()), l.expr(c.tested), l.expr(c.last)}
	for _, v := range vals {
		if v.bad || len(v.atoms) != 1 {
			return nil, nil, nil, false
		}
	}
	return l.toInt(vals[0].atoms[0]), vals[1].atoms[0], l.toInt(vals[2].atoms[0]), true
}

// isSum reports whether e is a sum or product of variables, lengths and constants: to compute it before the loop, and
// not at the end of a turn, fails nowhere.
func (l *lowerer) isSum(e ast.Expr) bool {
	e = ast.Unparen(e)
	if _, ok := intConst(l.unit.info, e); ok {
		return true
	}
	switch e := e.(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr: // a field of a variable
		sel := l.unit.info.Selections[e]
		return sel != nil && sel.Kind() == types.FieldVal && l.isSum(e.X)
	case *ast.CallExpr:
		return isBuiltin(l.unit.info, e, "len") && variable(l.unit.info, e.Args[0]) != nil
	case *ast.BinaryExpr:
		return (e.Op == token.ADD || e.Op == token.SUB || e.Op == token.MUL) && l.isSum(e.X) && l.isSum(e.Y)
	}
	return false
}

// ends reports whether a loop up or down to a constant that belongs to the range gets past it.
func (c counter) ends(bound int64) bool {
	bits := min(8*c.kind.Bytes(), 32) // beyond that it is not looked at
	switch {
	case c.down && c.kind.IsUnsigned():
		return bound > 0
	case c.down:
		return bound > -(int64(1) << (bits - 1))
	case c.kind.IsUnsigned():
		return bound < min(int64(1)<<bits-1, math.MaxInt32)
	}
	return bound < int64(1)<<(bits-1)-1
}

// goDown makes lp a loop from first down to last.
func (l *lowerer) goDown(lp *loop, c counter, first, last ir.Atom, bind func(x ir.Atom)) {
	ends := first
	if !ir.IsInt(last, 0) {
		ends = l.bin("ends", ir.Add, first, last)
	}
	lp.name, lp.lo, lp.hi = "turn", last, first
	if c.closed && c.kind.Bytes() == 8 {
		lp.hi = l.behind(c.first, first, ir.Int)
	} else if c.closed {
		lp.hi = l.bin("hi", ir.Add, first, ir.IntConst(ir.Int, 1))
		if _, isConst := last.(ir.Const); !isConst {
			least := int64(0)
			if !c.kind.IsUnsigned() {
				least = -(int64(1) << (8*c.kind.Bytes() - 1))
			}
			lp.hi = l.selected("hi", l.bin("endless", ir.Eq, last, ir.IntConst(ir.Int, least)), ir.IntConst(ir.Int, far), lp.hi)
		}
	}
	lp.start = func(x ir.Atom) { bind(l.bin(c.i.Name(), ir.Sub, ends, x)) }
}

// steps returns how many steps lead from begin to end, or past it. Where small, they lead up, and end is less than half
// of the greatest int. Where left, something in the loop leaves it.
func (l *lowerer) steps(begin, end, step ir.Atom, c counter, small, left bool) ir.Atom {
	one, endless := ir.IntConst(ir.Int, 1), ir.IntConst(ir.Int, far)
	lo, hi, towards, onwards := begin, end, ir.Add, ir.Ge
	if c.down {
		lo, hi, towards, onwards = end, begin, ir.Sub, ir.Le
	}
	some, span := ir.Lt, hi
	if !ir.IsInt(lo, 0) {
		span = l.bin("span", ir.Sub, hi, lo)
	}
	if c.closed {
		some, span = ir.Le, l.bin("span", ir.Add, span, one)
	}
	by := l.bin("by", ir.Max, step, one)
	turns := l.bin("turns", ir.Add, l.bin("turns", ir.Div, l.bin("span", ir.Sub, span, one), by), one)
	ends := l.bin("ends", ir.Gt, step, zeroInt)
	if !small || !ir.IsInt(begin, 0) { // else all steps but the first one lead to what is less than end
		reached := l.bin("reached", towards, begin, l.bin("t", ir.Mul, turns, step))
		ends = l.bin("ends", ir.And, ends, l.bin("ends", ir.Gt, span, zeroInt))
		ends = l.bin("ends", ir.And, ends, l.bin("ends", onwards, reached, begin))
	}
	turns = l.selected("turns", ends, turns, endless)
	begins := l.bin("some", some, lo, hi)
	if !left {
		none := func() []ir.Atom { return nil }
		l.conds(begins, func() []ir.Atom { l.check(ir.CheckSize, "for", text(c.by), step); return nil }, none)
	}
	return l.selected("turns", begins, turns, zeroInt)
}

// stepsDown recognises loops that count down to a constant by another one than 1, and fills in lp.
func (l *lowerer) stepsDown(s *ast.ForStmt, lp *loop) bool {
	info := l.unit.info
	c, ok := counterOf(info, s)
	if !ok || !c.down || c.by == nil || variable(info, c.tested) != c.i {
		return false
	}
	by, isConst := intConst(info, c.by)
	bound, known := intConst(info, c.last)
	if !isConst || !known || by < 1 || by > math.MaxInt32 || c.kind != ir.Int || bound < -math.MaxInt32 || bound > math.MaxInt32 {
		return false
	}
	if lp.changed = l.assigned(s.Body); lp.changed[c.i] {
		return false
	}
	first, _, last, ok := l.countedBounds(s, c)
	if !ok {
		return false
	}
	l.goDown(lp, c, first, last, func(x ir.Atom) { l.bind(c.i, value{typ: c.i.Type(), atoms: []ir.Atom{x}}) })
	lp.by = by
	return true
}
