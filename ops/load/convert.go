package load

import (
	"go/constant"
	"go/token"
	"go/types"

	"github.com/surge-ndp/surge/ops/ir"
)

// constant returns the value of a constant expression.
func (l *lowerer) constant(tv types.TypeAndValue, pos token.Pos) value {
	if part, ok := complexPart(tv.Type); ok {
		return value{typ: types.Default(tv.Type), atoms: complexConst(part, tv.Value)}
	}
	if isString(tv.Type) && tv.Value.Kind() == constant.String {
		return l.stringConst(constant.StringVal(tv.Value), types.Default(tv.Type))
	}
	kind, ok := scalarKind(tv.Type)
	if !ok {
		p, _ := typeProblem(tv.Type)
		return l.problem(pos, p)
	}
	return value{typ: types.Default(tv.Type), atoms: []ir.Atom{constOf(kind, tv.Value)}}
}

func constOf(kind ir.Kind, v constant.Value) ir.Const {
	switch {
	case kind == ir.Bool:
		return ir.BoolConst(v.Kind() == constant.Bool && constant.BoolVal(v))
	case kind == ir.Float32:
		f, _ := constant.Float32Val(constant.ToFloat(v)) // rounded once
		return ir.FloatConst(kind, float64(f))
	case kind == ir.Float64:
		f, _ := constant.Float64Val(constant.ToFloat(v))
		return ir.FloatConst(kind, f)
	}
	v = constant.ToInt(v)
	if i, ok := constant.Int64Val(v); ok {
		return ir.IntConst(kind, i)
	}
	u, _ := constant.Uint64Val(v)
	return ir.Const{Kind: kind, Bits: u}
}

// toInt converts an integer to int.
func (l *lowerer) toInt(a ir.Atom) ir.Atom { return l.convert(a, ir.Int) }

// fromInt converts an int that fits kind.
func (l *lowerer) fromInt(a ir.Atom, kind ir.Kind) ir.Atom { return l.convert(a, kind) }

func (l *lowerer) convert(a ir.Atom, kind ir.Kind) ir.Atom {
	if a.Type().Kind == kind {
		return a
	}
	if c, ok := foldConvert(a, kind); ok {
		return c
	}
	return l.emit("t", ir.Scalar(kind), &ir.Convert{To: kind, X: a})
}
