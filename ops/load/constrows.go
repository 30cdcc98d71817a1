package load

import (
	"go/ast"
	"go/constant"
	"go/types"
	"strconv"
	"strings"

	"github.com/surge-ndp/surge/ops/ir"
)

// constantRows lowers a literal of constants whose elements are strings or slices, as []string{"a", "b"}: a hidden
// parameter, which generated code passes.
func (l *lowerer) constantRows(e *ast.CompositeLit, t types.Type) value {
	if len(e.Elts) == 0 {
		return l.zero(t, e.Pos())
	}
	l.kernel.parts.result = false
	part, refused := l.kernel.parts.of(t, 0)
	if refused == nil && !flattensTo(t, part) {
		refused = &refusal{"a kernel cannot hold a value of type " + typeName(t), "pass what the kernel needs as a parameter"}
	}
	if refused != nil {
		return l.problem(e.Pos(), problem{CodeSliceLit, "found a literal of " + typeName(t), refused.why, refused.fix})
	}
	par := Param{Name: "rows" + strconv.Itoa(len(l.fn.Params)), GoType: l.kernel.parts.typeText(t), Part: part}
	var sb strings.Builder
	sb.WriteString(par.GoType)
	writeLiteral(&sb, l.unit.info, e)
	par.Expr = sb.String()
	for i, other := range l.kernel.Hidden { // the same one at another call
		if other.Expr == par.Expr && other.GoType == par.GoType {
			return value{typ: t, atoms: l.hiddenAtoms(i)}
		}
	}
	l.kernel.Hidden = append(l.kernel.Hidden, par)
	return value{typ: t, atoms: l.parameter(l.fn, par, t).atoms}
}

// hiddenAtoms are the values of a hidden parameter.
func (l *lowerer) hiddenAtoms(i int) []ir.Atom {
	at := 0
	for _, p := range l.kernel.Params {
		at += len(p.Values())
	}
	for _, p := range l.kernel.Hidden[:i] {
		at += len(p.Values())
	}
	var out []ir.Atom
	for k := range l.kernel.Hidden[i].Values() {
		out = append(out, l.fn.Params[at+k])
	}
	return out
}

// writeLiteral writes e, a literal of constants, without its type.
func writeLiteral(sb *strings.Builder, info *types.Info, e ast.Expr) {
	if v := info.Types[e].Value; v != nil {
		sb.WriteString(constantSource(v))
		return
	}
	sb.WriteByte('{')
	lit, _ := ast.Unparen(e).(*ast.CompositeLit)
	for i, x := range lit.Elts {
		if i > 0 {
			sb.WriteString(", ")
		}
		if kv, ok := x.(*ast.KeyValueExpr); ok {
			if key := info.Types[kv.Key].Value; key != nil {
				sb.WriteString(constantSource(key))
			} else {
				sb.WriteString(types.ExprString(kv.Key)) // the field of a struct
			}
			sb.WriteString(": ")
			x = kv.Value
		}
		writeLiteral(sb, info, x)
	}
	sb.WriteByte('}')
}

// constantSource is the constant v as a Go expression. Exact text would give a float as the quotient of two integers.
func constantSource(v constant.Value) string {
	switch v.Kind() {
	case constant.String:
		return strconv.Quote(constant.StringVal(v))
	case constant.Float:
		if f, _ := constant.Float64Val(v); constant.ToInt(v).Kind() != constant.Int {
			return strconv.FormatFloat(f, 'g', -1, 64)
		}
		return constant.ToInt(v).ExactString()
	}
	return v.ExactString()
}
