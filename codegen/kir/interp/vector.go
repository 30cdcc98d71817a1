package interp

import (
	"fmt"
	"slices"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/eval"
)

// vector is an expression of several lanes. A lane of kind [ir.Invalid] has no value: it depends on one that nothing
// was written to, or on a division by zero, and so do those that are computed from it.
func (c *code) vector(x kir.Expr) func(*thread) []ir.Const {
	lanes := x.Type().Lanes
	switch x := x.(type) {
	case *kir.Ref:
		n := c.variable(x.V)
		if x.V.Memory == nil {
			return func(t *thread) []ir.Const { return t.vecs[n] }
		}
		slot := c.array(x.V.Memory)
		return func(t *thread) []ir.Const {
			if v := t.vecs[n]; v != nil { // a constant
				return v
			}
			return loaded(t, t.memory(slot), int64(x.V.At), lanes, nil)
		}
	case *kir.Bin:
		if x.Y.Type().Lanes == 1 { // the count of a shift
			a, b := c.vector(x.X), c.scalar(x.Y)
			return func(t *thread) []ir.Const {
				n := b(t)
				return each(a(t), func(v ir.Const) ir.Const { return binary(x.Fn, v, n) })
			}
		}
		a, b := c.vector(x.X), c.vector(x.Y)
		divides := x.X.Type().Kind.IsInteger() && (x.Fn == ir.Div || x.Fn == ir.Rem)
		return func(t *thread) []ir.Const {
			p, q := a(t), b(t)
			out := make([]ir.Const, lanes)
			for k := range out {
				if !divides || q[k].Bits != 0 {
					out[k] = binary(x.Fn, p[k], q[k])
				}
			}
			return out
		}
	case *kir.Un:
		a := c.vector(x.X)
		return func(t *thread) []ir.Const { return each(a(t), func(v ir.Const) ir.Const { return unary(x.Fn, v) }) }
	case *kir.FMA:
		a, b, d := c.vector(x.X), c.vector(x.Y), c.vector(x.Z)
		return func(t *thread) []ir.Const {
			p, q, r := a(t), b(t), d(t)
			out := make([]ir.Const, lanes)
			for k := range out {
				out[k] = fma(p[k], q[k], r[k])
			}
			return out
		}
	case *kir.Convert:
		a := c.vector(x.X)
		return func(t *thread) []ir.Const {
			return each(a(t), func(v ir.Const) ir.Const { return convert(x.T.Kind, v) })
		}
	case *kir.Select:
		cond, a, b := c.vector(x.C), c.vector(x.X), c.vector(x.Y)
		return func(t *thread) []ir.Const {
			set, p, q := cond(t), a(t), b(t)
			out := make([]ir.Const, lanes)
			for k := range out {
				switch {
				case set[k].Kind == ir.Invalid:
				case set[k].Bits != 0:
					out[k] = p[k]
				default:
					out[k] = q[k]
				}
			}
			return out
		}
	case *kir.Load:
		slot, at, mask := c.array(x.A), c.integer(x.I), c.mask(x.Mask, lanes)
		return func(t *thread) []ir.Const {
			i := at(t)
			return loaded(t, t.memory(slot), i, lanes, mask(t))
		}
	case *kir.Every:
		slot, at := c.array(x.A), c.integer(x.I)
		return func(t *thread) []ir.Const {
			m, i := t.memory(slot), at(t)
			out := zeros(x.T)
			for k := range out {
				out[k] = m.load(t, i+int64(k*x.By))
			}
			return out
		}
	case *kir.Gather:
		slot, at, mask := c.array(x.A), c.vector(x.I), c.mask(x.Mask, lanes)
		return func(t *thread) []ir.Const {
			m, is, set := t.memory(slot), at(t), mask(t)
			out := zeros(x.T)
			for k := range out {
				if set[k] {
					out[k] = m.load(t, t.need(is[k], ir.Int, "an index of %s depends on what nothing was written to", m.name).Int())
				}
			}
			return out
		}
	}
	return c.made(x)
}

// made is a vector that is made of scalars, or of lanes in other places.
func (c *code) made(x kir.Expr) func(*thread) []ir.Const {
	lanes := x.Type().Lanes
	switch x := x.(type) {
	case *kir.ZeroOf:
		return func(*thread) []ir.Const { return zeros(x.T) }
	case *kir.Splat:
		v := c.scalar(x.X)
		return func(t *thread) []ir.Const {
			value := v(t)
			return each(zeros(x.T), func(ir.Const) ir.Const { return value })
		}
	case *kir.Iota:
		v := c.scalar(x.Start)
		return func(t *thread) []ir.Const {
			start := v(t)
			out := make([]ir.Const, lanes)
			for k := range out {
				out[k] = convert(x.T.Kind, binary(ir.Add, start, eval.Convert(x.Start.Type().Kind, eval.Int(k))))
			}
			return out
		}
	case *kir.IotaBy:
		start, by := c.integer(x.Start), c.integer(x.D)
		return func(t *thread) []ir.Const {
			first, d := start(t), by(t)
			if d == 0 {
				t.fault(Invalid, "%s divides by zero", kir.Text(x))
			}
			out := make([]ir.Const, lanes)
			for k := range out {
				at := ir.IntConst(ir.Int64, first+int64(k))
				out[k] = eval.Convert(x.T.Kind, eval.Binary(x.Fn, at, ir.IntConst(ir.Int64, d)))
			}
			return out
		}
	case *kir.FirstLanes:
		start, bound := c.integer(x.Start), c.integer(x.Bound)
		return func(t *thread) []ir.Const {
			lo, hi := start(t), bound(t)
			out := make([]ir.Const, lanes)
			for k := range out {
				in := lo < hi && uint64(k) < uint64(hi)-uint64(lo)
				if x.OrEqual {
					in = lo <= hi && uint64(k) <= uint64(hi)-uint64(lo)
				}
				out[k] = ir.BoolConst(in)
			}
			return out
		}
	case *kir.Half:
		a := c.vector(x.X)
		return func(t *thread) []ir.Const {
			if x.High {
				return a(t)[lanes:]
			}
			return a(t)[:lanes]
		}
	case *kir.Join:
		lo, hi := c.vector(x.Lo), c.vector(x.Hi)
		return func(t *thread) []ir.Const { return slices.Concat(lo(t), hi(t)) }
	case *kir.Compress:
		a, mask := c.vector(x.X), c.mask(x.Mask, lanes)
		return func(t *thread) []ir.Const {
			set := mask(t)
			out, n := zeros(x.Type()), 0
			for k, v := range a(t) {
				if set[k] {
					out[n] = v
					n++
				}
			}
			return out
		}
	}
	panic(fmt.Sprintf("interp: no vector %T", x))
}

// loaded reads lanes elements from i on; lanes that are not set are zero.
func loaded(t *thread, m *memory, i int64, lanes int, set []bool) []ir.Const {
	out := make([]ir.Const, lanes)
	for k := range out {
		if set == nil || set[k] {
			out[k] = m.load(t, i+int64(k))
		} else {
			out[k] = ir.Const{Kind: m.Kind}
		}
	}
	return out
}

func zeros(t kir.Type) []ir.Const {
	out := make([]ir.Const, t.Lanes)
	for k := range out {
		out[k].Kind = t.Kind
	}
	return out
}

func each(xs []ir.Const, f func(ir.Const) ir.Const) []ir.Const {
	out := make([]ir.Const, len(xs))
	for k, x := range xs {
		out[k] = f(x)
	}
	return out
}

// mask is which lanes are set: all of them without a mask. Each must have a value.
func (c *code) mask(m kir.Expr, lanes int) func(*thread) []bool {
	if m == nil {
		all := make([]bool, lanes)
		for k := range all {
			all[k] = true
		}
		return func(*thread) []bool { return all }
	}
	v := c.vector(m)
	return func(t *thread) []bool {
		out := make([]bool, lanes)
		for k, x := range v(t) {
			out[k] = t.need(x, ir.Bool, "lane %d of a mask depends on what nothing was written to", k).Bits != 0
		}
		return out
	}
}

// ofLanes is a scalar that lanes yield.
func (c *code) ofLanes(x kir.Expr) func(*thread) ir.Const {
	switch x := x.(type) {
	case *kir.Lane:
		v := c.vector(x.X)
		return func(t *thread) ir.Const { return v(t)[x.K] }
	case *kir.LaneWhere:
		v, mask := c.vector(x.X), c.mask(x.Mask, x.X.Type().Lanes)
		return func(t *thread) ir.Const { return v(t)[max(slices.Index(mask(t), true), 0)] }
	case *kir.Horizontal:
		v := c.vector(x.X)
		return func(t *thread) ir.Const {
			var all ir.Const
			for k, y := range v(t) {
				if k == 0 {
					all = y
				} else {
					all = binary(x.Fn, all, y)
				}
			}
			return all
		}
	case *kir.AnyLane:
		return c.counted(x.X, func(n int) ir.Const { return ir.BoolConst(n > 0) })
	case *kir.CountLanes:
		return c.counted(x.X, eval.Int)
	}
	panic(fmt.Sprintf("interp: no scalar %T", x))
}

// counted is f of how many lanes of a mask are set.
func (c *code) counted(x kir.Expr, f func(int) ir.Const) func(*thread) ir.Const {
	mask := c.mask(x, x.Type().Lanes)
	return func(t *thread) ir.Const {
		n := 0
		for _, set := range mask(t) {
			if set {
				n++
			}
		}
		return f(n)
	}
}
