package fuse

import "github.com/surge-ndp/surge/ops/ir"

// An extreme of floats that a loop finds by a comparison,
//
//	c = gt v p; q = if c { yield v } else { yield p }
//
// is a Reduce by [ir.Rise], or [ir.Fall], from an infinity on. In any order that finds the greatest v that is not NaN,
// and it is what the loop carries in the end if it is greater than what that began with, which may be NaN and stays
// then. Only the sign of a zero depends on the order: it is that of the first zero, or, where equal values are taken as
// well (ge), of the last one. So where the extreme is zero a loop looks for that one, which seldom happens, and ends
// where it is found.

// rising is what is known of a value that a loop carries and that is such an extreme.
type rising struct {
	sites int  // how many comparisons there are in the loop
	inner bool // the extreme goes through a loop in the loop
	last  bool // of equal values the last one stays
}

// once reports whether each turn compares one value at most with the extreme.
func (r *rising) once() bool { return r.sites == 1 && !r.inner }

// comparison is one of a float that the loop carries with another one, which counts if a condition holds as well; nil
// stands for none.
type comparison struct {
	*ir.Binary
	where ir.Atom
}

// compares notes a comparison, which may choose one of both, or the conjunction of one and another condition.
func (a *accumulation) compares(d *ir.Var, op *ir.Binary) bool {
	if a.compared == nil || a.carries(op.X) == a.carries(op.Y) {
		return false
	}
	c := comparison{op, nil}
	switch op.Fn {
	case ir.Lt, ir.Le, ir.Gt, ir.Ge:
		if !op.X.Type().Kind.IsFloat() {
			return false
		}
	case ir.And:
		var ok bool
		if c, ok = a.compared[op.X]; !ok {
			c, op = a.compared[op.Y], &ir.Binary{X: op.Y, Y: op.X}
		}
		if c.Binary == nil || c.where != nil {
			return false
		}
		c.where = op.Y
	default:
		return false
	}
	a.of[d], a.compared[d] = compared, c
	return true
}

// compared stands for what a loop carries in the place of its number, where something is the result of a comparison
// with that.
const compared = -1

// choice is between what a loop carries and another value, which is taken only where a condition holds, if not nil.
type choice struct{ carried, value, where ir.Atom }

// extreme notes that d is v where a comparison has chosen it, and else what the loop carries; it reports whether it is.
func (a *accumulation) extreme(d *ir.Var, cond, v, p ir.Atom) bool {
	c := a.compared[cond]
	i, carried := a.of[p]
	if c.Binary == nil || !carried || i == compared || a.carries(v) {
		return false
	}
	var fn ir.BinaryFn
	switch order := c.Fn; {
	case c.X == v && c.Y == p && (order == ir.Gt || order == ir.Ge), c.X == p && c.Y == v && (order == ir.Lt || order == ir.Le):
		fn = ir.Rise
	case c.X == v && c.Y == p || c.X == p && c.Y == v:
		fn = ir.Fall
	default:
		return false
	}
	last := c.Fn == ir.Le || c.Fn == ir.Ge
	r := a.rises[i]
	if r == nil {
		r = &rising{last: last}
		a.rises[i] = r
	}
	if r.last != last || !a.combines(i, fn, v.Type().Kind) {
		return false
	}
	r.sites++
	a.of[d], a.chosen[d] = i, choice{p, v, c.where}
	return true
}

// settled reports whether the sign of every zero can be found.
func (a *accumulation) settled() bool {
	for _, r := range a.rises {
		if r.last && !r.once() {
			return false
		}
	}
	return true
}

// part writes the part of an extreme that a value is chosen for. It is not NaN where others are compared with it.
func (a *accumulation) part(e emitter, d *ir.Var) ir.Atom {
	c, i := a.chosen[d], a.of[d]
	more := a.parts.value(c.value)
	if c.where != nil {
		more = e.choose("x", a.parts.value(c.where), more, a.identity(a.by[i], d.T.Kind))
	}
	if a.rises[i].once() {
		return more
	}
	return e.let("x", d.T, &ir.Binary{Fn: a.by[i], X: a.parts.value(c.carried), Y: more})
}

// settle writes what a loop of n turns carries at position i in the end, where found is the extreme of its turns.
func (a *accumulation) settle(e emitter, loop *ir.Loop, n ir.Atom, i int, found *ir.Var, dst *ir.Var) {
	init, last, kind := loop.Init[i], a.rises[i].last, dst.T.Kind
	better := map[ir.BinaryFn]ir.BinaryFn{ir.Fall: ir.Lt, ir.Rise: ir.Gt}[a.by[i]]
	if last {
		better = map[ir.BinaryFn]ir.BinaryFn{ir.Lt: ir.Le, ir.Gt: ir.Ge}[better]
	}
	comes := e.bin(better, "comes", found, init)
	isZero := e.both(comes, e.bin(ir.Eq, "isZero", found, ir.FloatConst(kind, 0)))
	then, els := &ir.Block{}, &ir.Block{}
	then.Results = []ir.Atom{a.firstZero(e.into(then), loop, n, i)}
	els.Results = []ir.Atom{e.into(els).choose(dst.Name, comes, found, init)}
	e.stmt(&ir.If{Cond: isZero, Then: then, Else: els}, dst)
}

// firstZero writes a loop that ends with the first turn whose extreme is zero, or with the last one where that stays.
func (a *accumulation) firstZero(e emitter, loop *ir.Loop, n ir.Atom, i int) ir.Atom {
	t, one := loop.Params[i].T, ir.IntConst(ir.Int, 1)
	nothing := ir.FloatConst(t.Kind, 0)
	k, now := e.r.names.Var("k", tInt), e.r.names.Var("now", t)
	search := &ir.Loop{Params: []*ir.Var{k, now}, Init: []ir.Atom{ir.IntConst(ir.Int, 0), ir.FloatConst(t.Kind, 1)}, Cond: &ir.Block{}, Body: &ir.Block{}}
	in := e.into(search.Cond)
	search.Cond.Results = []ir.Atom{in.both(in.bin(ir.Lt, "more", k, n), in.bin(ir.Ne, "isNone", now, nothing))}
	in = e.into(search.Body)
	turn := ir.Atom(k)
	if a.rises[i].last {
		turn = in.bin(ir.Sub, "k", in.bin(ir.Sub, "k", n, one), k)
	}
	found := a.turn(in, loop, turn)[i]
	search.Body.Results = []ir.Atom{in.bin(ir.Add, "k", k, one), found}
	zero := e.r.names.Var("zero", t)
	e.stmt(search, e.r.names.Var("turns", tInt), zero)
	return zero
}
