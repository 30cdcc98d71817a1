package openmp

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// scalar keeps a loop out of lanes that nothing marks for them, if it computes several results and some of that under
// a condition. Of such a loop gcc 12 makes a vector that has a result in each lane, and where the order of lanes seems
// not to matter, as it does not to a sum, it may take the condition of one result for that of another. A loop that is
// marked for lanes has a vector for each result.
func (q *function) scalar(body []kir.Stmt) {
	own, set := map[*kir.Var]bool{}, map[*kir.Var]bool{}
	condition := false
	kir.Walk(body, func(s kir.Stmt) {
		for _, v := range kir.Declares(s) {
			own[v] = true
		}
		switch s := s.(type) {
		case *kir.Set:
			set[s.V] = true
		case *kir.If:
			condition = true
		}
	}, func(x kir.Expr) { condition = condition || conditional(x) })
	results := 0
	for v := range set {
		if !own[v] {
			results++
		}
	}
	if condition && results > 1 {
		q.line("\tSURGE_SCALAR;")
	}
}

// conditional reports whether C computes the value of an expression under a condition, be it in a function of the
// prelude.
func conditional(x kir.Expr) bool {
	switch x := x.(type) {
	case *kir.Select:
		return true
	case *kir.Convert:
		return x.X.Type().Kind.IsFloat() && x.T.Kind.IsInteger()
	case *kir.Un:
		return x.Fn == ir.LeadingZeros || x.Fn == ir.TrailingZeros
	case *kir.Bin:
		_, constant := x.Y.(*kir.Const)
		switch x.Fn {
		case ir.Min, ir.Max, ir.FMin, ir.FMax:
			return x.X.Type().Kind.IsFloat()
		case ir.Div, ir.Rem, ir.Shl, ir.Shr, ir.RotateLeft:
			return x.X.Type().Kind.IsInteger() && !constant
		}
	}
	return false
}
