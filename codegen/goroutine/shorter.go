package goroutine

import (
	"math"
	"math/bits"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/codegen/kir/pass"
	"github.com/surge-ndp/surge/ops/ir"
)

// shorter has vectors computed by fewer instructions: magnitudes of integers that are chosen by their sign, their
// multiples of powers of two, and the greater or lesser of floats and a constant. C compilers know all of them.
var shorter = pass.Pass[*kir.Func]{
	Name: "shorter", Doc: "magnitudes and multiples of integers in lanes, and bounds of floats, are a few instructions",
	Behind: []string{"prune"},
	Run: func(f *kir.Func) error {
		known := map[*kir.Var]kir.Expr{} // what variables are
		changes := map[*kir.Var]bool{}
		kir.Walk(f.Body, func(s kir.Stmt) {
			switch s := s.(type) {
			case *kir.Let:
				known[s.V] = s.X
			case *kir.Set:
				changes[s.V] = true
			}
		}, nil)
		value := func(x kir.Expr) kir.Expr {
			if r, ok := x.(*kir.Ref); ok && known[r.V] != nil && !changes[r.V] {
				return known[r.V]
			}
			return x
		}
		kir.Walk(f.Body, func(s kir.Stmt) {
			switch s := s.(type) {
			case *kir.Let:
				s.X = shortened(s.X, value, changes)
			case *kir.Set:
				s.X = shortened(s.X, value, changes)
			}
		}, nil)
		return pass.Prune.Run(f)
	},
}

// shortened is an expression over vectors, or one with the same value that takes less time. value says what a variable
// is, and changes has those that are assigned to again: what was computed of them is of another time.
func shortened(x kir.Expr, value func(kir.Expr) kir.Expr, changes map[*kir.Var]bool) kir.Expr {
	t := x.Type()
	if b, ok := x.(*kir.Bin); ok && t.Lanes > 1 && t.Kind.IsFloat() && (b.Fn == ir.Max || b.Fn == ir.Min) {
		return boundedBy(b, value)
	}
	if t.Lanes == 1 || !t.Kind.IsInteger() || narrow(t.Kind) {
		return x
	}
	switch x := x.(type) {
	case *kir.Bin:
		if x.Fn != ir.Mul {
			return x
		}
		for _, xy := range [][2]kir.Expr{{x.X, x.Y}, {x.Y, x.X}} {
			if n := constantIn(value(xy[1])); n > 0 && n&(n-1) == 0 {
				by := &kir.Const{C: ir.IntConst(ir.Int, int64(bits.TrailingZeros64(uint64(n))))}
				return &kir.Bin{Fn: ir.Shl, X: xy[0], Y: by, T: t, Wrap: x.Wrap}
			}
		}
	case *kir.Select:
		if t.Kind.IsUnsigned() {
			return x
		}
		c, ok := value(x.C).(*kir.Bin)
		if !ok || c.X.Type().Kind != t.Kind {
			return x
		}
		of, zero, below := c.X, c.Y, c.Fn == ir.Lt || c.Fn == ir.Le // of <= 0
		if constantIn(value(of)) == 0 {
			of, zero, below = c.Y, c.X, c.Fn == ir.Gt || c.Fn == ir.Ge
		}
		above := c.Fn != ir.Eq && c.Fn != ir.Ne && !below
		negative, positive := x.X, x.Y
		if above {
			negative, positive = x.Y, x.X
		}
		neg, ok := value(negative).(*kir.Un)
		if ok && (below || above) && constantIn(value(zero)) == 0 && neg.Fn == ir.Neg &&
			kir.Equal(neg.X, of) && kir.Equal(positive, of) && !names(of, changes) {
			return &kir.Un{Fn: ir.Abs, X: of, T: t}
		}
	}
	return x
}

// constantIn is the constant that is in all lanes of a vector, -1 if it is none or below zero.
func constantIn(x kir.Expr) int64 {
	s, ok := x.(*kir.Splat)
	if !ok {
		return -1
	}
	c, ok := s.X.(*kir.Const)
	if !ok || !c.C.Kind.IsInteger() {
		return -1
	}
	return max(c.C.Int(), -1)
}

// boundedBy is the greater or lesser of floats and a constant that is neither NaN nor -0, chosen by one comparison:
// where it does not hold, as for NaN, the float is the answer. Of -0 and the constant 0 the greater is the constant.
func boundedBy(x *kir.Bin, value func(kir.Expr) kir.Expr) kir.Expr {
	mask := kir.Type{Kind: ir.Bool, Lanes: x.T.Lanes, Bits: 8 * x.T.Kind.Bytes()}
	for _, xy := range [][2]kir.Expr{{x.X, x.Y}, {x.Y, x.X}} {
		if _, ok := xy[0].(*kir.Ref); !ok { // it is named twice
			continue
		}
		s, ok := value(xy[1]).(*kir.Splat)
		if !ok {
			continue
		}
		c, ok := s.X.(*kir.Const)
		if !ok || math.IsNaN(c.C.Float()) || c.C.Float() == 0 && math.Signbit(c.C.Float()) {
			continue
		}
		beyond := ir.Le
		if x.Fn == ir.Min {
			beyond = ir.Gt
		}
		is := &kir.Bin{Fn: beyond, X: xy[0], Y: xy[1], T: mask}
		return &kir.Select{C: is, X: xy[1], Y: xy[0]}
	}
	return x
}
