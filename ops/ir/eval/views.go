package eval

import (
	"fmt"

	"github.com/surge-ndp/surge/ops"
	"github.com/surge-ndp/surge/ops/ir"
)

// view makes an array of what a view names, which shares the rows of the arrays behind it.
func (e *evaluator) view(op *ir.View) any {
	switch op.Fn {
	case ir.Nest:
		return e.nest(e.array(op.Args[0]), e.array(op.Args[1]))
	case ir.Split:
		return e.split(e.array(op.Args[0]), e.int(op.Args[1]))
	case ir.Grid:
		return e.grid(e.array(op.Args[0]), e.int(op.Args[1]), e.int(op.Args[2]))
	case ir.Cyclic:
		return e.cyclic(e.array(op.Args[0]), e.int(op.Args[1]))
	case ir.Slice:
		s, lo, hi := e.array(op.Args[0]), e.int(op.Args[1]), e.int(op.Args[2])
		return e.part(s, lo, hi)
	case ir.RangeOf:
		return e.rangeOf(e.scalar(op.Args[0]), e.scalar(op.Args[1]), e.scalar(op.Args[2]))
	case ir.ConcatRow:
		a, b, i := e.array(op.Args[0]), e.array(op.Args[1]), e.int(op.Args[2])
		t := op.Args[0].Type().Elem()
		if i < len(a) {
			return e.element(a, i, t)
		}
		return e.element(b, i-len(a), t)
	}
	out := []any{}
	switch op.Fn {
	case ir.Gather:
		for _, i := range e.array(op.Args[1]) {
			out = append(out, e.element(e.array(op.Args[0]), int(i.(ir.Const).Int()), op.Args[0].Type().Elem()))
		}
	case ir.Reverse:
		s := e.array(op.Args[0])
		for i := range s {
			out = append(out, s[len(s)-1-i])
		}
	case ir.Striding:
		s, stride := e.array(op.Args[0]), e.int(op.Args[1])
		if stride < 1 {
			e.fail("the stride %d is not positive", stride)
			return out
		}
		for i := 0; i < len(s); i += stride {
			out = append(out, s[i])
		}
	case ir.Replicate:
		out = e.room(op.Args[1])
		for i := range out {
			out[i] = e.atom(op.Args[0])
		}
	case ir.Flatten:
		for _, row := range e.array(op.Args[0]) {
			out = append(out, row.([]any)...)
		}
	case ir.Concat:
		out = append(append(out, e.array(op.Args[0])...), e.array(op.Args[1])...)
	default:
		panic(fmt.Sprintf("eval: no view %s", op.Fn))
	}
	return out
}

// grid is s as n rows of width elements.
func (e *evaluator) grid(s []any, n, width int) []any {
	rows := []any{}
	if n < 0 || n > 0 && width < 0 || n*width > len(s) {
		e.fail("a grid of %d rows of %d has not %d elements", n, width, len(s))
		return rows
	}
	for i := range n {
		rows = append(rows, s[i*width:(i+1)*width])
	}
	return rows
}

// part is s[lo:hi].
func (e *evaluator) part(s []any, lo, hi int) []any {
	if lo < 0 || hi < lo || hi > len(s) {
		e.fail("the bounds %d and %d are not ascending within [0, %d]", lo, hi, len(s))
		return []any{}
	}
	return s[lo:hi:hi]
}

func (e *evaluator) nest(s, offsets []any) []any {
	out := []any{}
	at := func(i int) int { return int(e.element(offsets, i, ir.Scalar(ir.Int)).(ir.Const).Int()) }
	e.part(s, at(0), len(s))
	for i := range len(offsets) - 1 {
		out = append(out, e.part(s, at(i), at(i+1)))
	}
	return out
}

func (e *evaluator) split(s []any, size int) []any {
	if size < 1 {
		e.fail("the size %d is not positive", size)
		return []any{}
	}
	out := []any{}
	for lo := 0; lo < len(s); {
		hi := lo + min(size, len(s)-lo)
		out = append(out, s[lo:hi:hi])
		lo = hi
	}
	return out
}

func (e *evaluator) cyclic(s []any, size int) []any {
	if size < 1 {
		e.fail("the size %d is not positive", size)
		return []any{}
	}
	out := []any{}
	for j := range size {
		row := []any{}
		for i := j; i < len(s); i += size {
			row = append(row, s[i])
		}
		out = append(out, row)
	}
	return out
}

// rangeOf is the range that package ops makes.
func (e *evaluator) rangeOf(start, end, stride ir.Const) []any {
	switch start.Kind {
	case ir.Int, ir.Int64:
		return integerRange[int64](e, start, end, stride)
	case ir.Int8:
		return integerRange[int8](e, start, end, stride)
	case ir.Int16:
		return integerRange[int16](e, start, end, stride)
	case ir.Int32:
		return integerRange[int32](e, start, end, stride)
	case ir.Uint, ir.Uint64:
		return integerRange[uint64](e, start, end, stride)
	case ir.Uint8:
		return integerRange[uint8](e, start, end, stride)
	case ir.Uint16:
		return integerRange[uint16](e, start, end, stride)
	case ir.Uint32:
		return integerRange[uint32](e, start, end, stride)
	}
	out := []any{}
	if start.Kind == ir.Float32 {
		for _, x := range made(e, func() []float32 {
			return ops.Range(float32(start.Float()), float32(end.Float()), float32(stride.Float()))
		}) {
			out = append(out, ir.FloatConst(ir.Float32, float64(x)))
		}
		return out
	}
	for _, x := range made(e, func() []float64 { return ops.Range(start.Float(), end.Float(), stride.Float()) }) {
		out = append(out, ir.FloatConst(ir.Float64, x))
	}
	return out
}

func integerRange[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64](e *evaluator, start, end, stride ir.Const) []any {
	out := []any{}
	for _, x := range made(e, func() []T { return ops.Range(T(start.Int()), T(end.Int()), T(stride.Int())) }) {
		out = append(out, ir.IntConst(start.Kind, int64(x)))
	}
	return out
}

// made is what f returns. A function of package ops panics if it is called wrongly.
func made[T any](e *evaluator, f func() []T) (out []T) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *ops.Error:
			e.fail("%v", r)
		default:
			panic(r)
		}
	}()
	return f()
}
