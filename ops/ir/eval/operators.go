package eval

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// operator runs a parallel operator, its elements one after the other.
func (e *evaluator) operator(op ir.Op) []any {
	switch op := op.(type) {
	case *ir.Map:
		out := arrays(len(op.Body.Results))
		for i := range e.int(op.N) {
			e.step()
			for k, v := range e.body(op.I, op.Body, i) {
				out[k] = append(out[k], v)
			}
		}
		return values(out)
	case *ir.Reduce:
		acc, _ := e.fold(op.N, op.I, op.Body, op.Comb, op.Init, false)
		return acc
	case *ir.Scan:
		_, out := e.fold(op.N, op.I, op.Body, op.Comb, op.Init, op.Inclusive)
		return values(out)
	case *ir.Scatter:
		return e.scatter(op)
	case *ir.Hist:
		return e.hist(op)
	case *ir.Sort:
		return []any{e.sort(op)}
	}
	panic(fmt.Sprintf("eval: no operation %T", op))
}

func arrays(n int) [][]any {
	out := make([][]any, n)
	for k := range out {
		out[k] = []any{}
	}
	return out
}

func values(arrays [][]any) []any {
	out := make([]any, len(arrays))
	for i, a := range arrays {
		out[i] = a
	}
	return out
}

// body runs the body of an operator for element i.
func (e *evaluator) body(index *ir.Var, b *ir.Block, i int) []any {
	e.vars[index] = Int(i)
	return e.block(b)
}

// combine applies a combining function to accumulators and elements.
func (e *evaluator) combine(comb *ir.Lambda, acc, elements []any) []any {
	for k, v := range acc {
		e.vars[comb.Params[k]] = v
	}
	for k, v := range elements {
		e.vars[comb.Params[len(acc)+k]] = v
	}
	return e.block(comb.Body)
}

// fold combines the elements from the first to the last, and returns the accumulators at the end and at each element:
// after it, if inclusive, or before.
func (e *evaluator) fold(n ir.Atom, index *ir.Var, body *ir.Block, comb *ir.Lambda, init []ir.Atom, inclusive bool) (acc []any, out [][]any) {
	acc, out = e.atoms(init), arrays(len(init))
	keep := func() {
		for k := range acc {
			out[k] = append(out[k], acc[k])
		}
	}
	for i := range e.int(n) {
		if !inclusive {
			keep()
		}
		acc = e.combine(comb, acc, e.body(index, body, i))
		if inclusive {
			keep()
		}
	}
	return acc, out
}

func (e *evaluator) scatter(op *ir.Scatter) []any {
	out := arrays(len(op.Body.Results) - 1)
	for k := range out {
		out[k] = e.room(op.W)
	}
	for i := range e.int(op.N) {
		r := e.body(op.I, op.Body, i)
		at := int(r[0].(ir.Const).Int())
		if at < 0 {
			continue
		}
		for k := range out {
			if e.inside(out[k], at) {
				out[k][at] = r[1+k]
			}
		}
	}
	return values(out)
}

// hist combines elements into bins. Rows are combined position by position, from where the row of the bin begins.
func (e *evaluator) hist(op *ir.Hist) []any {
	out := arrays(len(op.Init))
	for k, init := range e.atoms(op.Init) {
		out[k] = e.room(op.W)
		for i := range out[k] {
			out[k][i] = init
		}
	}
	into := func(at int, elements []any) {
		acc := make([]any, len(out))
		for k := range out {
			if !e.inside(out[k], at) {
				return
			}
			acc[k] = out[k][at]
		}
		for k, v := range e.combine(op.Comb, acc, elements) {
			out[k][at] = v
		}
	}
	for i := range e.int(op.N) {
		r := e.body(op.I, op.Body, i)
		at := int(r[0].(ir.Const).Int())
		if op.Row() == nil {
			into(at, r[1:])
			continue
		}
		for j := range r[1].([]any) {
			elements := make([]any, len(r)-1)
			for k := range elements {
				elements[k] = r[1+k].([]any)[j]
			}
			into(at+j, elements)
		}
	}
	return values(out)
}

func (e *evaluator) sort(op *ir.Sort) []any {
	var keys []ir.Const
	for i := range e.int(op.N) {
		keys = append(keys, e.body(op.I, op.Body, i)[0].(ir.Const))
	}
	out := make([]any, len(keys))
	for i, k := range Order(keys) {
		out[i] = Int(k)
	}
	return out
}

// Order returns the positions of keys in the order of [ir.Sort], of equal ones the first one first.
func Order(keys []ir.Const) []int {
	at := make([]int, len(keys))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(i, j int) int { return order(keys[i], keys[j]) })
	return at
}

// order compares two keys as [ir.Sort] does: NaN comes before every other key.
func order(x, y ir.Const) int {
	switch {
	case x.Kind.IsFloat():
		if math.IsNaN(x.Float()) && math.IsNaN(y.Float()) {
			return 0
		}
		return cmp.Compare(x.Float(), y.Float())
	case x.Kind.IsUnsigned(), x.Kind == ir.Bool:
		return cmp.Compare(x.Bits, y.Bits)
	}
	return cmp.Compare(x.Int(), y.Int())
}
