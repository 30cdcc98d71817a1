package input

import "go/constant"

// operand is what a part of an expression stands for: a number, or an array that
// may still remember the source that it comes from.
type operand struct {
	number constant.Value // nil for arrays
	value  Value
	source *Source
	field  string
}

func numberOperand(c constant.Value) operand { return operand{number: c, value: scalarOf(c)} }

func valueOperand(v Value) operand {
	o := operand{value: v}
	if len(v.Dims) > 0 || v.Data == nil {
		return o
	}
	switch data := v.Data.(type) {
	case []bool:
		o.number = constant.MakeBool(data[0])
	case []float64:
		o.number = constant.MakeFloat64(data[0])
	case []float32:
		o.number = constant.MakeFloat64(float64(data[0]))
	case []uint64:
		o.number = constant.MakeUint64(data[0])
	case []uint:
		o.number = constant.MakeUint64(uint64(data[0]))
	default:
		if as, err := Convert(v, Int64); err == nil {
			o.number = constant.MakeInt64(as.Data.([]int64)[0])
		}
	}
	return o
}

// scalarOf gives a number the narrowest of int64, uint64 and float64 that it fits.
func scalarOf(c constant.Value) Value {
	switch c.Kind() {
	case constant.Bool:
		return Scalar(constant.BoolVal(c))
	case constant.Int:
		if n, ok := constant.Int64Val(c); ok {
			return Scalar(n)
		}
		if n, ok := constant.Uint64Val(c); ok {
			return Scalar(n)
		}
	}
	f, _ := constant.Float64Val(c)
	return Scalar(f)
}
