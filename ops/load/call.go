package load

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"math"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/ops/ir"
)

// call lowers a call and returns its results.
func (l *lowerer) call(e *ast.CallExpr) []value {
	vs := l.calls(e)
	for i, v := range vs {
		if v.ref != nil && v.fn == nil {
			vs[i] = l.load(v.ref, e.Pos())
		}
	}
	return vs
}

// calls lowers a call and returns its results, of which one may be a place, if that is asked for: see
// [lowerer.callPlaces].
func (l *lowerer) calls(e *ast.CallExpr) []value {
	wanted := l.places
	l.places = false
	if vs, ok := l.taken(e); ok {
		return vs
	}
	saved := l.pos
	defer func() { l.pos = saved }()
	l.pos = e.Pos()
	info := l.unit.info
	if tv := info.Types[e.Fun]; tv.IsType() {
		return []value{l.conversion(e, tv.Type)}
	}
	if tv := info.Types[ast.Expr(e)]; tv.Value != nil {
		return []value{l.constant(tv, e.Pos())}
	}
	if isErrorCall(info, e) {
		return []value{l.errorCall(e)}
	}
	if id := calleeIdent(e); id != nil {
		switch obj := info.Uses[id].(type) {
		case *types.Builtin:
			return []value{l.builtin(e, obj.Name())}
		case *types.Func:
			if obj.Pkg() != nil && obj.Pkg().Path() == opsPath {
				return l.operator(e, obj.Name())
			}
			if obj.Name() == "flatten·" {
				return l.operator(e, "Flatten")
			}
			if v, ok := l.firstOf(e, obj); ok {
				return []value{v}
			}
		}
	}
	f := l.expr(e.Fun)
	if f.fn == nil {
		return l.badCall(e)
	}
	n := 1
	if sig, ok := info.TypeOf(e.Fun).Underlying().(*types.Signature); ok {
		n = sig.Params().Len()
	}
	if f.fn.lit == nil && f.fn.decl == nil {
		return l.inline(f.fn, l.exprs(e.Args, n), e.Pos())
	}
	var args []value
	var back func()
	if sig, ok := info.TypeOf(e.Fun).Underlying().(*types.Signature); ok && sig.Variadic() && !e.Ellipsis.IsValid() {
		args, back = l.variadic(f.fn, e, sig)
	} else {
		args, back = l.arguments(f.fn, e.Args, n)
	}
	if !l.unit.standard && len(e.Args) > 0 {
		l.outsideArg = text(e.Args[0])
	}
	outer := l.placesAt
	if wanted {
		l.placesAt = len(l.stack) + 1
	}
	results := l.inline(f.fn, args, e.Pos())
	l.placesAt = outer
	back()
	return results
}

// badCall returns as many failed values as the call has results.
func (l *lowerer) badCall(e *ast.CallExpr) []value {
	n := 1
	if t, ok := l.unit.info.TypeOf(e).(*types.Tuple); ok {
		n = t.Len()
	}
	return slices.Repeat([]value{{bad: true}}, n)
}

func (l *lowerer) conversion(e *ast.CallExpr, t types.Type) value {
	if v, ok := l.textConversion(e, t); ok {
		return v
	}
	x := l.expr(e.Args[0])
	if isError(t) {
		return l.converted(x, t, e.Pos())
	}
	if x.bad || x.fn != nil {
		return x
	}
	if part, ok := complexPart(t); ok && len(x.atoms) == 2 {
		return value{typ: t, atoms: []ir.Atom{l.convert(x.atoms[0], part), l.convert(x.atoms[1], part)}}
	}
	kind, ok := scalarKind(t)
	if !ok || len(x.atoms) != 1 || !x.atoms[0].Type().IsScalar() {
		x.typ = t // between types of one structure
		return x
	}
	if c, isConst := x.atoms[0].(ir.Const); isConst && c.Kind.IsFloat() && kind.IsFloat() {
		return value{typ: t, atoms: []ir.Atom{ir.FloatConst(kind, c.Float())}}
	}
	return value{typ: t, atoms: []ir.Atom{l.convert(x.atoms[0], kind)}}
}

func (l *lowerer) builtin(e *ast.CallExpr, name string) value {
	switch name {
	case "make":
		return l.makeCall(e)
	case "panic":
		l.panic(e)
		return value{}
	case "new":
		t := l.unit.info.TypeOf(e.Args[0])
		if !l.unit.info.Types[e.Args[0]].IsType() { // new(x) is the address of a copy
			v := l.expr(e.Args[0])
			if v.bad {
				return v
			}
			return l.newVariable("new", v, t)
		}
		return l.newVariable("new", l.zero(t, e.Pos()), t)
	case "len":
		if n, ok := l.growingLength(e.Args[0]); ok {
			return value{typ: types.Typ[types.Int], atoms: []ir.Atom{n}}
		}
		x := l.borrow(e.Args[0])
		if n, _, ok := isArray(x.typ); ok && !x.bad {
			return value{typ: types.Typ[types.Int], atoms: []ir.Atom{ir.IntConst(ir.Int, n)}}
		}
		if x.bad || len(x.atoms) == 0 || x.atoms[0].Type().IsScalar() {
			return value{bad: true}
		}
		n := l.length(x)
		return value{typ: types.Typ[types.Int], atoms: []ir.Atom{n}, length: n}
	case "cap":
		x := l.borrow(e.Args[0])
		if x.bad || len(x.atoms) == 0 {
			return value{bad: true}
		}
		if x.own == nil || x.grid != nil || x.row != nil || x.grows && !x.own.given {
			return l.problem(e.Pos(), problem{CodeBuiltin, "found cap of " + text(e.Args[0]), "how much room there is behind the elements of a slice depends on who made it, and how",
				"use len, or the capacity that the slice was made with"})
		}
		return value{typ: types.Typ[types.Int], atoms: []ir.Atom{l.room(x)}}
	case "append":
		return l.appendCall(e)
	case "copy":
		return l.copyCall(e)
	case "clear":
		return l.clearCall(e)
	case "complex", "real", "imag":
		return l.complexBuiltin(e, name)
	case "min", "max":
		fn := ir.Min
		if name == "max" {
			fn = ir.Max
		}
		t := l.unit.info.TypeOf(e)
		var acc ir.Atom
		for _, arg := range e.Args {
			x := l.expr(arg)
			if x.bad || len(x.atoms) != 1 {
				return value{bad: true}
			}
			if acc == nil {
				acc = x.atoms[0]
				continue
			}
			if isString(t) {
				order := map[string]ir.BinaryFn{"min": ir.Lt, "max": ir.Gt}[name]
				keep := l.bin("t", order, l.textOrder(x.atoms[0], acc), zeroInt)
				acc = l.eachOf(keep, x.atoms, []ir.Atom{acc})[0]
				continue
			}
			acc = l.emit(name, acc.Type(), &ir.Binary{Fn: fn, X: acc, Y: x.atoms[0]})
		}
		return value{typ: t, atoms: []ir.Atom{acc}}
	}
	return l.unknown(e)
}

// mathSpecial are the functions of package math that are neither unary nor binary functions of the IR.
var mathSpecial = []string{"IsNaN", "IsInf", "Inf", "NaN", "FMA"}

// knownMath reports whether math.<name> can be compiled.
func knownMath(name string) bool {
	if slices.Contains(mathSpecial, name) {
		return true
	}
	if _, ok := ir.MathUnary(name); ok {
		return true
	}
	_, ok := ir.MathBinary(name)
	return ok
}

// mathFix says what to write instead of a function of package math that is not compiled.
func mathFix(name string) string {
	fixes := map[string]string{
		"Pow10": "use math.Pow(10, float64(n))",
	}
	if fix, ok := fixes[name]; ok {
		return fix
	}
	return "write it with +, -, *, /, math.Sqrt, math.Exp, math.Log, math.Pow, math.Floor and the trigonometric functions"
}

// mathCall lowers a call of a function of package math.
func (l *lowerer) mathCall(name string, args []value, pos token.Pos) value {
	l.pos = pos
	var xs []ir.Atom
	for _, a := range args {
		if a.bad || len(a.atoms) != 1 {
			return value{bad: true}
		}
		xs = append(xs, a.atoms[0])
	}
	float, boolean := ir.Scalar(ir.Float64), ir.Scalar(ir.Bool)
	result := func(a ir.Atom) value {
		t := types.Typ[types.Float64]
		if a.Type() == boolean {
			t = types.Typ[types.Bool]
		}
		return value{typ: t, atoms: []ir.Atom{a}}
	}
	hint := strings.ToLower(name)
	if fn, ok := ir.MathUnary(name); ok && len(xs) == 1 {
		return result(l.emit(hint, float, &ir.Unary{Fn: fn, X: xs[0]}))
	}
	if fn, ok := ir.MathBinary(name); ok && len(xs) == 2 {
		return result(l.emit(hint, float, &ir.Binary{Fn: fn, X: xs[0], Y: xs[1]}))
	}
	switch {
	case name == "FMA" && len(xs) == 3:
		return result(l.emit(hint, float, &ir.FMA{X: xs[0], Y: xs[1], Z: xs[2]}))
	case name == "NaN" && len(xs) == 0:
		return result(ir.FloatConst(ir.Float64, math.NaN()))
	case name == "IsNaN" && len(xs) == 1:
		return result(l.emit(hint, boolean, &ir.Unary{Fn: ir.IsNaN, X: xs[0]}))
	case name == "Inf" && len(xs) == 1, name == "IsInf" && len(xs) == 2:
		sign, ok := xs[len(xs)-1].(ir.Const)
		if !ok {
			return result(l.infinity(name, xs))
		}
		inf := ir.FloatConst(ir.Float64, math.Inf(1))
		if sign.Int() < 0 {
			inf = ir.FloatConst(ir.Float64, math.Inf(-1))
		}
		if name == "Inf" {
			return result(inf)
		}
		x := xs[0]
		if sign.Int() == 0 {
			x = l.emit("abs", float, &ir.Unary{Fn: ir.Abs, X: x})
		}
		return result(l.emit(hint, boolean, &ir.Binary{Fn: ir.Eq, X: x, Y: inf}))
	}
	return l.problem(pos, problem{CodeMathFunc, fmt.Sprintf("math.%s is not compiled", name), "no form of it runs on every platform yet", mathFix(name)})
}

// infinity lowers math.Inf(sign), and math.IsInf(x, sign), with a sign that is not constant.
func (l *lowerer) infinity(name string, xs []ir.Atom) ir.Atom {
	plus, minus := ir.FloatConst(ir.Float64, math.Inf(1)), ir.FloatConst(ir.Float64, math.Inf(-1))
	sign, zero := xs[len(xs)-1], ir.IntConst(ir.Int, 0)
	if name == "Inf" {
		return l.emit("inf", ir.Scalar(ir.Float64), &ir.Select{Cond: l.bin("positive", ir.Ge, sign, zero), X: plus, Y: minus})
	}
	above := l.bin("above", ir.And, l.bin("t", ir.Eq, xs[0], plus), l.bin("t", ir.Ge, sign, zero))
	below := l.bin("below", ir.And, l.bin("t", ir.Eq, xs[0], minus), l.bin("t", ir.Le, sign, zero))
	return l.bin("isinf", ir.Or, above, below)
}
