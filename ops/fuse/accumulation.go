package fuse

import (
	"math"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// accumulation is what is known of the values in the body of a loop that are p ⊕ x for something p that it carries.
type accumulation struct {
	of    map[ir.Atom]int // such values → which p
	by    []ir.BinaryFn   // the ⊕ of each p, "" as long as none is known
	parts *standins       // for such values, their x

	compared map[ir.Atom]comparison // of floats with what the loop carries; nil if they are none of the values
	rises    map[int]*rising        // the extremes of floats that these find
	chosen   map[ir.Atom]choice     // the values that they choose

	floats bool // sums and products of floats may be taken in any order
	once   bool // a turn combines what the loop carries with one value at most: see [accumulation.single]
}

// find finds such values in a block, and reports whether nothing else depends on what the loop carries.
func (a *accumulation) find(b *ir.Block) bool {
	for _, s := range b.Stmts {
		switch op := s.Op.(type) {
		case *ir.Binary:
			if a.compares(s.Dst[0], op) {
				continue
			}
			x, okX := a.of[op.X]
			y, okY := a.of[op.Y]
			switch {
			case !okX && !okY:
			case okX && okY || okX && x == compared || okY && y == compared || okY && op.Fn == ir.Sub || !a.combines(max(x, y), op.Fn, op.X.Type().Kind):
				return false
			default:
				a.of[s.Dst[0]] = max(x, y)
			}
			continue
		case *ir.Select:
			if a.extreme(s.Dst[0], op.Cond, op.X, op.Y) {
				continue
			}
			if !a.either(s.Dst[0], op.X, op.Y) || a.carries(op.Cond) {
				return false
			}
			continue
		case *ir.If:
			if len(s.Dst) == 1 && len(op.Then.Stmts)+len(op.Else.Stmts) == 0 && a.extreme(s.Dst[0], op.Cond, op.Then.Results[0], op.Else.Results[0]) {
				continue
			}
			if a.carries(op.Cond) || !a.find(op.Then) || !a.find(op.Else) {
				return false
			}
			for i, d := range s.Dst {
				if !a.either(d, op.Then.Results[i], op.Else.Results[i]) {
					return false
				}
			}
			continue
		case *ir.Loop:
			if !a.findLoop(s, op) {
				return false
			}
			continue
		}
		inside := map[*ir.Var]bool{}
		for v := range a.of {
			inside[v.(*ir.Var)] = true
		}
		if dependsOn(s, inside) {
			return false
		}
	}
	return true
}

func (a *accumulation) carries(x ir.Atom) bool { _, ok := a.of[x]; return ok }

// either notes that d is x or y, and reports whether both come from the same, or none from anything.
func (a *accumulation) either(d *ir.Var, x, y ir.Atom) bool {
	i, okX := a.of[x]
	j, okY := a.of[y]
	if okX {
		a.of[d] = i
	}
	return okX == okY && i == j && i != compared
}

// findLoop looks into a loop that may carry on what the one around it carries.
func (a *accumulation) findLoop(s *ir.Stmt, loop *ir.Loop) bool {
	if loop.I != nil && (a.carries(loop.Lo) || a.carries(loop.Hi)) {
		return false
	}
	for i, p := range loop.Params {
		if at, ok := a.of[loop.Init[i]]; ok {
			a.of[p], a.of[s.Dst[i]] = at, at
		}
	}
	if loop.Cond != nil && (!a.find(loop.Cond) || a.carries(loop.Cond.Results[0])) || !a.find(loop.Body) {
		return false
	}
	for i, p := range loop.Params {
		at, ok := a.of[p]
		if was, is := a.of[loop.Body.Results[i]]; is != ok || was != at {
			return false
		}
		if r := a.rises[at]; ok && r != nil {
			r.inner = true
		}
	}
	return true
}

// combines notes that what is carried at position i is combined by fn, and reports whether it can be in any order.
func (a *accumulation) combines(i int, fn ir.BinaryFn, k ir.Kind) bool {
	if fn == ir.Sub {
		fn = ir.Add
	}
	if a.identity(fn, k) == nil || a.by[i] != "" && a.by[i] != fn {
		return false
	}
	a.by[i] = fn
	return true
}

// single reports whether a block combines each thing that a loop carries with one value at most, whatever the
// conditions in it are: what that is, or an identity where it is none, may be computed before. of counts, for values
// that come from those things, the values that these have been combined with.
func (a *accumulation) single(b *ir.Block, of map[ir.Atom]int) bool {
	for _, s := range b.Stmts {
		switch op := s.Op.(type) {
		case *ir.Binary:
			if a.carries(s.Dst[0]) {
				of[s.Dst[0]] = max(of[op.X], of[op.Y]) + 1
			}
		case *ir.Select:
			if a.carries(s.Dst[0]) {
				of[s.Dst[0]] = max(of[op.X], of[op.Y])
			}
		case *ir.If:
			if !a.single(op.Then, of) || !a.single(op.Else, of) {
				return false
			}
			for i, d := range s.Dst {
				of[d] = max(of[op.Then.Results[i]], of[op.Else.Results[i]])
			}
		case *ir.Loop:
			if slices.ContainsFunc(op.Init, a.carries) {
				return false
			}
		}
		for _, d := range s.Dst {
			if of[d] > 1 {
				return false
			}
		}
	}
	return len(a.rises) == 0
}

// identity is [identity] where sums and products of floats may be taken in another order as well, or are taken in that
// of the source, one value a turn: a negative zero changes no sum, not even that.
func (a *accumulation) identity(fn ir.BinaryFn, k ir.Kind) ir.Atom {
	switch {
	case a.once && k.IsFloat() && fn == ir.Add:
		return ir.FloatConst(k, math.Copysign(0, -1))
	case a.once && k.IsFloat() && fn == ir.Mul:
		return ir.FloatConst(k, 1)
	case !a.floats || !k.IsFloat():
	case fn == ir.Add:
		return ir.FloatConst(k, 0)
	case fn == ir.Mul:
		return ir.FloatConst(k, 1)
	}
	return identity(fn, k)
}

// identity returns the value that combines with every other one of a kind to that other one, nil if the order matters.
func identity(fn ir.BinaryFn, k ir.Kind) ir.Atom {
	switch {
	case k == ir.Bool:
		switch fn {
		case ir.And:
			return ir.BoolConst(true)
		case ir.Or:
			return ir.BoolConst(false)
		}
	case k.IsFloat():
		switch fn {
		case ir.Min, ir.FMin, ir.Fall:
			return ir.FloatConst(k, math.Inf(1))
		case ir.Max, ir.FMax, ir.Rise:
			return ir.FloatConst(k, math.Inf(-1))
		}
	default:
		least, most := int64(-1)<<(8*k.Bytes()-1), int64(1)<<(8*k.Bytes()-1)-1
		if k.IsUnsigned() {
			least, most = 0, -1
		}
		switch fn {
		case ir.Add, ir.Or, ir.Xor:
			return ir.IntConst(k, 0)
		case ir.Mul:
			return ir.IntConst(k, 1)
		case ir.And:
			return ir.IntConst(k, -1)
		case ir.Min:
			return ir.IntConst(k, most)
		case ir.Max:
			return ir.IntConst(k, least)
		}
	}
	return nil
}

// write writes what a statement is for the parts, where it is not a copy of it.
func (a *accumulation) write(e emitter, s *ir.Stmt) bool {
	if len(s.Dst) != 1 || !a.carries(s.Dst[0]) {
		return false
	}
	if _, ok := a.chosen[s.Dst[0]]; ok {
		a.parts.now[s.Dst[0]] = a.part(e, s.Dst[0])
		return true
	}
	if _, ok := a.compared[s.Dst[0]]; ok {
		return true
	}
	switch op := s.Op.(type) {
	case *ir.Binary:
		a.parts.now[s.Dst[0]] = a.combine(e, a.of[s.Dst[0]], op)
		return true
	case *ir.Select:
		a.parts.now[s.Dst[0]] = e.let("x", s.Dst[0].T, &ir.Select{Cond: a.parts.value(op.Cond), X: a.parts.value(op.X), Y: a.parts.value(op.Y)})
		return true
	}
	return false
}

// combine writes the part of p ⊕ x ⊕ y.
func (a *accumulation) combine(e emitter, i int, op *ir.Binary) ir.Atom {
	x, y := op.X, op.Y
	if a.carries(y) {
		x, y = y, x
	}
	part, more := a.parts.value(x), a.parts.value(y)
	if op.Fn == ir.Sub {
		return e.bin(ir.Sub, "x", part, more)
	}
	if part == a.identity(a.by[i], x.Type().Kind) {
		return more
	}
	return e.bin(a.by[i], "x", part, more)
}

// turn writes turn k of a loop alone, and returns what it combines with what the loop carries.
func (a *accumulation) turn(e emitter, loop *ir.Loop, k ir.Atom) []ir.Atom {
	a.parts = &standins{names: e.r.names, sub: ir.Subst{loop.I: e.bin(ir.Add, "i", loop.Lo, k)}, now: map[ir.Atom]ir.Atom{},
		stands: func(v *ir.Var) bool { return a.carries(v) }, stmt: a.write}
	for i, p := range loop.Params {
		a.parts.now[p] = a.identity(a.by[i], p.T.Kind)
	}
	a.parts.block(e, loop.Body)
	return a.parts.values(loop.Body.Results)
}
