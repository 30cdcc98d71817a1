package fuse

import "github.com/surge-ndp/surge/ops/ir"

// narrow returns the operation on float32 that a conversion to float32 amounts to, or nil: Go has the functions of
// package math for float64 alone, so that code for float32 says float32(math.F(float64(x))), which is what F of a
// float32 means in the IR. Platforms have that in one step, and vectors of it have twice the lanes.
func (s *simplifier) narrow(c *ir.Convert) ir.Op {
	v, ok := c.X.(*ir.Var)
	if !ok || c.To != ir.Float32 || v.T.Kind != ir.Float64 {
		return nil
	}
	switch op := s.defs[v].(type) {
	case *ir.Unary:
		if x := s.widened(op.X); x != nil && op.Fn.GoMath() != "" {
			return &ir.Unary{Fn: op.Fn, X: x}
		}
	case *ir.Binary:
		x, y := s.widened(op.X), s.widened(op.Y)
		if x != nil && y != nil && (op.Fn.GoMath() != "" || op.Fn == ir.Min || op.Fn == ir.Max) {
			return &ir.Binary{Fn: op.Fn, X: x, Y: y}
		}
	}
	return nil
}

// widened returns the float32 that a float64 was converted from, or nil.
func (s *simplifier) widened(a ir.Atom) ir.Atom {
	switch a := a.(type) {
	case ir.Const:
		if x := a.Float(); float64(float32(x)) == x {
			return ir.FloatConst(ir.Float32, x)
		}
	case *ir.Var:
		if c, ok := s.defs[a].(*ir.Convert); ok && c.X.Type().Kind == ir.Float32 {
			return c.X
		}
	}
	return nil
}
