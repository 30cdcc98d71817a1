package goroutine

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/codegen/kir/pass"
	"github.com/surge-ndp/surge/ops/ir"
)

// Note [Bitwise operations beside wide vectors]
//
// In functions with vectors of 512 bits the Go compiler (1.26) merges bitwise operations, of narrower vectors too, to
// ternary ones. Where the result of one is an operand of two others it loses an operand, or ends with an internal
// error. Package vec has none of vectors of eight lanes and more whose result is that of a bitwise operation. For those
// of four lanes, which all code for machines without such vectors consists of, it has, as they are quicker. So half
// vectors, which take what whole ones of eight lanes leave of a row, have at most one such operation.

// unmerged leaves the loops over half vectors out that may become wrong so: what they would have computed, the code
// without vectors behind them does.
var unmerged = pass.Pass[*kir.Func]{
	Name: "unmerged", Doc: "loops over half vectors go whose bitwise operations the Go compiler would merge wrongly",
	Run: func(f *kir.Func) error {
		wide := false
		kir.Walk(f.Body, nil, func(x kir.Expr) { wide = wide || bitsOf(x.Type()) > 256 })
		if wide {
			f.Body = withoutMerged(f.Body)
		}
		return nil
	},
}

// mergedLanes is how many lanes vectors have whose bitwise operations may be merged.
const mergedLanes = 4

func withoutMerged(body []kir.Stmt) []kir.Stmt {
	var out []kir.Stmt
	for _, s := range body {
		for _, b := range kir.BlocksOf(s) {
			*b = withoutMerged(*b)
		}
		if loop, ok := s.(*kir.For); ok && loop.Whole && loop.Step == mergedLanes && bitwiseOps(loop.Body) > 1 {
			continue
		}
		out = append(out, s)
	}
	return out
}

// bitwiseOps is how many operations of a body, of vectors of four lanes alone, may be bitwise ones; 0 if it has others.
func bitwiseOps(body []kir.Stmt) int {
	n, others := 0, false
	kir.Walk(body, nil, func(x kir.Expr) {
		switch lanes := x.Type().Lanes; {
		case lanes > 1 && lanes != mergedLanes:
			others = true
		case lanes == mergedLanes && mayBeBitwise(x):
			n++
		}
	})
	if others {
		return 0
	}
	return n
}

// mayBeBitwise reports whether package vec may compute x by a bitwise operation.
func mayBeBitwise(x kir.Expr) bool {
	switch x := x.(type) {
	case *kir.Ref, *kir.Const, *kir.Load, *kir.Gather, *kir.Every, *kir.Splat, *kir.ZeroOf, *kir.Iota, *kir.Select, *kir.FMA:
		return false
	case *kir.Un:
		return x.Fn != ir.Sqrt
	case *kir.Bin:
		float := x.X.Type().Kind.IsFloat()
		switch x.Fn {
		case ir.Add, ir.Sub, ir.Lt, ir.Gt, ir.Eq:
			return false
		case ir.Mul, ir.Div, ir.Le, ir.Ge, ir.Ne:
			return !float
		}
	}
	return true
}
