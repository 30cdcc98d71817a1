package interp

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/eval"
)

// scalar is an expression of one lane. Its value may be missing: it is of kind [ir.Invalid] then, and so is what is
// computed from it.
func (c *code) scalar(x kir.Expr) func(*thread) ir.Const {
	switch x := x.(type) {
	case *kir.Ref:
		if x.V.Host {
			return func(t *thread) ir.Const {
				v, ok := t.frame.Scalars[x.V.Name]
				if !ok {
					t.fault(Invalid, "the frame has no scalar %s", x.V.Name)
				}
				return v
			}
		}
		n := c.variable(x.V)
		return func(t *thread) ir.Const { return t.vars[n] }
	case *kir.Const:
		return func(*thread) ir.Const { return x.C }
	case *kir.Length:
		return func(t *thread) ir.Const {
			a := t.frame.Arrays[x.A.Name]
			if a == nil {
				t.fault(Invalid, "the frame has no array %s", x.A.Name)
			}
			return eval.Int(len(a.Data))
		}
	case *kir.Bin:
		return c.binary(x)
	case *kir.Un:
		v := c.scalar(x.X)
		return func(t *thread) ir.Const { return unary(x.Fn, v(t)) }
	case *kir.FMA:
		a, b, d := c.scalar(x.X), c.scalar(x.Y), c.scalar(x.Z)
		return func(t *thread) ir.Const { return fma(a(t), b(t), d(t)) }
	case *kir.Convert:
		v := c.scalar(x.X)
		return func(t *thread) ir.Const { return convert(x.T.Kind, v(t)) }
	case *kir.Select:
		cond, a, b := c.scalar(x.C), c.scalar(x.X), c.scalar(x.Y)
		return func(t *thread) ir.Const {
			switch set := cond(t); {
			case set.Kind == ir.Invalid:
				return set
			case set.Bits != 0:
				return a(t)
			}
			return b(t)
		}
	case *kir.Load:
		slot, at := c.array(x.A), c.integer(x.I)
		return func(t *thread) ir.Const {
			i := at(t)
			return t.element(t.memory(slot), i)
		}
	case *kir.Place:
		return func(t *thread) ir.Const { return eval.Int(t.item.place(x.What)) }
	case *kir.GroupsOf:
		return func(t *thread) ir.Const { return eval.Int(t.groups[x.Step]) }
	case *kir.Found:
		return func(t *thread) ir.Const { return eval.Int(t.found[x.Step]) }
	case *kir.RoundOf:
		return func(t *thread) ir.Const { return eval.Int(t.round) }
	case *kir.Shuffle:
		v, from := c.scalar(x.X), c.integer(x.From)
		return func(t *thread) ir.Const { return t.item.meet(t.stmt, &exchange{at: x, value: v(t), from: from(t)}) }
	case *kir.Collective:
		v := c.scalar(x.X)
		return func(t *thread) ir.Const { return t.item.meet(t.stmt, &exchange{at: x, value: v(t)}) }
	case *kir.Routine:
		return c.routine(x)
	case *kir.Lane, *kir.LaneWhere, *kir.Horizontal, *kir.AnyLane, *kir.CountLanes:
		return c.ofLanes(x)
	}
	panic(fmt.Sprintf("interp: no scalar %T", x))
}

// integer is an expression of integers that decides on what is used or done: it must have a value.
func (c *code) integer(x kir.Expr) func(*thread) int64 {
	if k, ok := x.(*kir.Const); ok {
		return func(*thread) int64 { return k.C.Int() }
	}
	v := c.scalar(x)
	return func(t *thread) int64 { return t.decides(v(t), x).Int() }
}

func (c *code) binary(x *kir.Bin) func(*thread) ir.Const {
	a, b := c.scalar(x.X), c.scalar(x.Y)
	k := x.X.Type().Kind
	switch {
	case k == ir.Bool && (x.Fn == ir.And || x.Fn == ir.Or):
		decides := x.Fn == ir.Or // of the first operand: then the second one is not looked at
		return func(t *thread) ir.Const {
			p := a(t)
			if p.Kind == ir.Invalid || (p.Bits != 0) == decides {
				return p
			}
			return b(t)
		}
	case k.IsInteger() && (x.Fn == ir.Div || x.Fn == ir.Rem):
		return func(t *thread) ir.Const {
			p, q := a(t), b(t)
			if q.Kind != ir.Invalid && q.Bits == 0 {
				t.fault(Invalid, "%s divides by zero", kir.Text(x))
			}
			return binary(x.Fn, p, q)
		}
	case c.device && !x.Wrap && (k == ir.Int || k == ir.Int32 || k == ir.Int64) && (x.Fn == ir.Add || x.Fn == ir.Sub || x.Fn == ir.Mul):
		return func(t *thread) ir.Const {
			p, q := a(t), b(t)
			r := binary(x.Fn, p, q)
			if r.Kind != ir.Invalid && t.failure == nil && overflows(x.Fn, p.Int(), q.Int(), r.Int()) {
				t.fault(Overflow, "%s of %d and %d leaves the range of %s", kir.Text(x), p.Int(), q.Int(), k)
			}
			return r
		}
	}
	return func(t *thread) ir.Const {
		p := a(t)
		return binary(x.Fn, p, b(t))
	}
}

// overflows reports whether got, the result of fn in the width of its type, is not that of integers.
func overflows(fn ir.BinaryFn, a, b, got int64) bool {
	switch fn {
	case ir.Add:
		return got-b != a || (b > 0) != (got > a) && b != 0
	case ir.Sub:
		return got+b != a || (b > 0) != (got < a) && b != 0
	}
	hi, lo := bits.Mul64(magnitude(a), magnitude(b))
	return hi != 0 || lo != magnitude(got) || lo != 0 && (got < 0) != ((a < 0) != (b < 0))
}

func magnitude(x int64) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}

// binary is fn(x, y), with the functions that only kernel IR has, without a value if one of its operands has none.
func binary(fn ir.BinaryFn, x, y ir.Const) ir.Const {
	if x.Kind == ir.Invalid || y.Kind == ir.Invalid {
		return ir.Const{}
	}
	switch fn {
	case kir.RSqrtStep: // of an estimate y of 1/√x
		return ir.FloatConst(x.Kind, 1/math.Sqrt(x.Float()))
	case kir.AddBits:
		if x.Kind == ir.Float32 {
			return ir.FloatConst(x.Kind, float64(math.Float32frombits(math.Float32bits(float32(x.Float()))+math.Float32bits(float32(y.Float())))))
		}
		return ir.Const{Kind: x.Kind, Bits: x.Bits + y.Bits}
	}
	return eval.Binary(fn, x, y)
}

func unary(fn ir.UnaryFn, x ir.Const) ir.Const {
	switch {
	case x.Kind == ir.Invalid:
		return x
	case fn == kir.RSqrtEstimate:
		return ir.FloatConst(x.Kind, 1/math.Sqrt(x.Float()))
	}
	return eval.Unary(fn, x)
}

func fma(x, y, z ir.Const) ir.Const {
	if x.Kind == ir.Invalid || y.Kind == ir.Invalid || z.Kind == ir.Invalid {
		return ir.Const{}
	}
	return ir.FloatConst(x.Kind, math.FMA(x.Float(), y.Float(), z.Float()))
}

func convert(to ir.Kind, x ir.Const) ir.Const {
	if x.Kind == ir.Invalid {
		return x
	}
	return eval.Convert(to, x)
}
