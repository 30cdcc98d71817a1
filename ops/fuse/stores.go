package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// stores writes conditional and constant stores as what they accumulate, for [reducer.scattered] to see:
//
//	e = index z k; t = gt x e; z2 = if t { z1 = update z k x; yield z1 } else { yield z }
//
// is z[k] = max(z[k], x), of integers, and
//
//	z2 = update z k true
//
// is z[k] = z[k] || true. So is one constant that is stored to zeros, and nothing else: z[k] = z[k] | 1. What is
// computed remains what the source says: parts of it have the same values in their arrays.
type stores struct {
	r      *reducer
	ours   map[*ir.Stmt]bool     // arrays that the loop carries
	zeros  map[*ir.Stmt]bool     // those that are zero before it
	stored map[*ir.Stmt]ir.Const // the constants that are stored to them
	mixed  map[*ir.Stmt]bool     // arrays that others are stored to as well
	defs   map[ir.Atom]ir.Op
	uses   map[ir.Atom]int
}

// accumulated is the body of a loop with such stores written that way, or the body itself, if there are none.
func (r *reducer) accumulated(loop *ir.Loop) *ir.Block {
	st := &stores{r: r, ours: map[*ir.Stmt]bool{}, zeros: map[*ir.Stmt]bool{}, stored: map[*ir.Stmt]ir.Const{}, mixed: map[*ir.Stmt]bool{},
		defs: map[ir.Atom]ir.Op{}, uses: map[ir.Atom]int{}}
	for i, p := range loop.Params {
		if made := r.arrays.allocs[p]; p.T.Rank > 0 && made != nil {
			st.ours[made], st.zeros[made] = true, r.arrays.zeros(loop.Init[i])
		}
	}
	ir.Walk(loop.Body, func(s *ir.Stmt) {
		for _, d := range s.Dst {
			st.defs[d] = s.Op
		}
		for _, a := range ir.Operands(s.Op) {
			st.uses[*a]++
		}
		if op, ok := s.Op.(*ir.Update); ok {
			st.note(op)
		}
	})
	return st.block(loop.Body)
}

// note looks at what is stored to an array.
func (st *stores) note(op *ir.Update) {
	made := st.array(op.X)
	k, ok := op.Value.(ir.Const)
	before, again := st.stored[made]
	if !ok || again && before != k {
		st.mixed[made] = true
	}
	st.stored[made] = k
}

// array is what made the array that a is a version of, nil if the loop does not carry that.
func (st *stores) array(a ir.Atom) *ir.Stmt {
	v, _ := a.(*ir.Var)
	if made := st.r.arrays.allocs[v]; st.ours[made] {
		return made
	}
	return nil
}

func (st *stores) block(b *ir.Block) *ir.Block {
	out := &ir.Block{Results: b.Results}
	dead := map[ir.Atom]bool{} // conditions that are gone, and what they alone compare
	for _, s := range b.Stmts {
		switch op := s.Op.(type) {
		case *ir.If:
			if z, fn := st.extreme(s, op); z != nil {
				st.put(out, s, z, fn)
				dead[op.Cond] = st.uses[op.Cond] == 1
				continue
			}
			s = &ir.Stmt{Dst: s.Dst, Op: &ir.If{Cond: op.Cond, Then: st.block(op.Then), Else: st.block(op.Else)}, Pos: s.Pos}
		case *ir.Loop:
			inner := *op
			inner.Body = st.block(op.Body)
			s = &ir.Stmt{Dst: s.Dst, Op: &inner, Pos: s.Pos}
		case *ir.Update:
			if fn := st.constant(op); fn != "" {
				st.put(out, s, op, fn)
				continue
			}
		}
		out.Stmts = append(out.Stmts, s)
	}
	for a := range dead {
		if c, ok := st.defs[a].(*ir.Binary); ok && dead[a] {
			dead[c.X] = dead[c.X] || st.uses[c.X] == 1
			dead[c.Y] = dead[c.Y] || st.uses[c.Y] == 1
		}
	}
	out.Stmts = slices.DeleteFunc(out.Stmts, func(s *ir.Stmt) bool {
		_, check := s.Op.(*ir.Check)
		return !check && len(s.Dst) == 1 && dead[s.Dst[0]]
	})
	return out
}

// put writes that the element is combined with what z stores.
func (st *stores) put(out *ir.Block, s *ir.Stmt, z *ir.Update, fn ir.BinaryFn) {
	t := s.Dst[0].T.Elem()
	old, x := st.r.names.Var("old", t), st.r.names.Var("x", t)
	out.Stmts = append(out.Stmts, &ir.Stmt{Dst: []*ir.Var{old}, Op: &ir.Index{X: z.X, I: z.I}, Pos: s.Pos},
		&ir.Stmt{Dst: []*ir.Var{x}, Op: &ir.Binary{Fn: fn, X: old, Y: z.Value}, Pos: s.Pos},
		&ir.Stmt{Dst: s.Dst, Op: &ir.Update{X: z.X, I: z.I, Value: x}, Pos: s.Pos})
}

// extreme returns the update of a condition that stores what is more, or less, than the element, and which it is; nil
// if it does something else.
func (st *stores) extreme(s *ir.Stmt, op *ir.If) (*ir.Update, ir.BinaryFn) {
	if len(s.Dst) != 1 || len(op.Then.Stmts) != 1 || len(op.Else.Stmts) != 0 {
		return nil, ""
	}
	z, ok := op.Then.Stmts[0].Op.(*ir.Update)
	if !ok || op.Then.Results[0] != ir.Atom(op.Then.Stmts[0].Dst[0]) || op.Else.Results[0] != z.X || st.array(z.X) == nil || !st.loaded(z.I) || !z.Value.Type().Kind.IsInteger() {
		return nil, ""
	}
	c, ok := st.defs[op.Cond].(*ir.Binary)
	if !ok {
		return nil, ""
	}
	old, fn := c.Y, c.Fn // x > old
	if c.X != z.Value {
		if old = c.X; c.Y != z.Value { // old < x
			return nil, ""
		}
		switch fn {
		case ir.Lt, ir.Le:
			fn = ir.Gt
		case ir.Gt, ir.Ge:
			fn = ir.Lt
		}
	}
	if read, ok := st.defs[old].(*ir.Index); !ok || read.X != z.X || read.I != z.I {
		return nil, ""
	}
	switch fn {
	case ir.Gt, ir.Ge:
		return z, ir.Max
	case ir.Lt, ir.Le:
		return z, ir.Min
	}
	return nil, ""
}

// constant is what an update that stores a constant combines elements with, "" if it does something else.
func (st *stores) constant(op *ir.Update) ir.BinaryFn {
	made := st.array(op.X)
	k, ok := op.Value.(ir.Const)
	switch {
	case !ok || made == nil || st.mixed[made] || !st.loaded(op.I):
	case k == ir.BoolConst(true):
		return ir.Or
	case k == ir.BoolConst(false):
		return ir.And
	case k.Type().Kind.IsInteger() && st.zeros[made]:
		return ir.Or
	}
	return ""
}

// loaded reports whether a place follows from something that is read: where others are, turns may turn out to be
// independent, which is better than an array for each part.
func (st *stores) loaded(a ir.Atom) bool {
	switch op := st.defs[a].(type) {
	case *ir.Index:
		return true
	case *ir.Unary:
		return st.loaded(op.X)
	case *ir.Convert:
		return st.loaded(op.X)
	case *ir.Binary:
		return st.loaded(op.X) || st.loaded(op.Y)
	case *ir.Select:
		return st.loaded(op.X) || st.loaded(op.Y)
	case *ir.If:
		return slices.ContainsFunc(append(slices.Clone(op.Then.Results), op.Else.Results...), st.loaded)
	}
	return false
}
