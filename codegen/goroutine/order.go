package goroutine

import (
	"reflect"

	"github.com/surge-ndp/surge/codegen/kir"
)

// inOrder returns the body of a function that starts parallel loops with values that follow each other, and do not
// need each other, in the order of their names: codes that differ in the bodies of these loops then share the function,
// though lowering needed the values in another order. The bodies themselves stay as they are.
func inOrder(body []kir.Stmt) []kir.Stmt {
	out := make([]kir.Stmt, 0, len(body))
	var run []*kir.Let
	end := func() {
		for len(run) > 0 {
			next := 0
			for i := range run {
				if byName(run[i].V.Name, run[next].V.Name) < 0 && !needsAny(run[i], run[:i]) {
					next = i
				}
			}
			out = append(out, run[next])
			run = append(run[:next:next], run[next+1:]...)
		}
	}
	for _, s := range body {
		if let, ok := s.(*kir.Let); ok && let.V.Memory == nil && !kir.Calls(s) {
			run = append(run, let)
			continue
		}
		end()
		if _, par := s.(*kir.Par); !par && len(kir.Blocks(s)) > 0 {
			copied := reflect.New(reflect.TypeOf(s).Elem())
			copied.Elem().Set(reflect.ValueOf(s).Elem())
			s = copied.Interface().(kir.Stmt)
			kir.Rewrite(s, inOrder)
		}
		out = append(out, s)
	}
	end()
	return out
}

// needsAny reports whether a value is made from one of others.
func needsAny(let *kir.Let, others []*kir.Let) bool {
	return has(let.X, func(x kir.Expr) bool {
		r, ok := x.(*kir.Ref)
		if !ok {
			return false
		}
		for _, o := range others {
			if r.V == o.V {
				return true
			}
		}
		return false
	})
}

// unrolledReads is how many turns of a loop are unrolled at most: what they read has registers beside what they add up.
const unrolledReads = 4

// readsFirst returns the body of a loop that is unrolled with what the turns read before what they do with it, where
// that is all that there is: as many of either stand in a line.
func readsFirst(body []kir.Stmt) []kir.Stmt {
	var reads []*kir.Let
	var rest []kir.Stmt
	assigned := map[*kir.Var]bool{}
	for _, s := range body {
		switch s := s.(type) {
		case *kir.Let:
			if s.V.Memory != nil || s.V.Saved || has(s.X, func(x kir.Expr) bool {
				r, isRef := x.(*kir.Ref)
				_, isRoutine := x.(*kir.Routine)
				_, isChosen := x.(*kir.Select)
				return isRef && assigned[r.V] || isRoutine || isChosen || calls(x)
			}) {
				return body
			}
			reads = append(reads, s)
		case *kir.Set:
			if has(s.X, calls) {
				return body
			}
			assigned[s.V] = true
			rest = append(rest, s)
		default:
			return body
		}
	}
	if len(reads) > unrolledReads || len(rest) > unrolledReads {
		return body
	}
	out := make([]kir.Stmt, 0, len(body))
	for _, let := range reads {
		out = append(out, let)
	}
	return append(out, rest...)
}
