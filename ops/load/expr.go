package load

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/surge-ndp/surge/ops/ir"
)

// expr lowers an expression with one value.
func (l *lowerer) expr(e ast.Expr) value { return l.settled(l.owning(e), e.Pos()) }

// owning lowers an expression whose value gets a name: it may be a slice that grows.
func (l *lowerer) owning(e ast.Expr) value {
	e = ast.Unparen(e)
	tv := l.unit.info.Types[e]
	if tv.Value != nil {
		return l.constant(tv, e.Pos())
	}
	saved := l.pos
	l.pos = e.Pos()
	v := l.exprOf(e, tv)
	l.pos = saved
	return v
}

func (l *lowerer) exprOf(e ast.Expr, tv types.TypeAndValue) value {
	switch e := e.(type) {
	case *ast.Ident:
		return l.ident(e)
	case *ast.FuncLit:
		return value{typ: tv.Type, fn: &funcValue{unit: l.unit, lit: e}}
	case *ast.SelectorExpr:
		sel := l.unit.info.Selections[e]
		if sel == nil {
			return l.ident(e.Sel) // a qualified name
		}
		if sel.Kind() != types.FieldVal {
			return l.method(e, sel)
		}
		if isPointer(l.unit.info.TypeOf(e.X)) {
			p := l.pointee(e.X)
			if p == nil {
				return value{bad: true}
			}
			return l.load(p.fields(l.shape, sel.Index()), e.Pos())
		}
		return l.readPath(e)
	case *ast.CallExpr:
		vs := l.call(e)
		if len(vs) == 0 {
			return value{bad: true}
		}
		return vs[0]
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			return l.address(e.X)
		}
		return l.unary(e, tv.Type)
	case *ast.StarExpr:
		p := l.pointee(e.X)
		if p == nil {
			return value{bad: true}
		}
		return l.load(p, e.Pos())
	case *ast.BinaryExpr:
		if e.Op == token.LAND || e.Op == token.LOR {
			if vs, ok := l.taken(e); ok {
				return vs[0]
			}
			return l.logical(e)
		}
		x, y := l.expr(e.X), l.expr(e.Y)
		v := l.binary(e.Op, x, y, e.OpPos, e.X, e.Y)
		v.typ = tv.Type
		return v
	case *ast.IndexExpr:
		if id := funcIdent(e); id != nil {
			if _, ok := l.unit.info.Uses[id].(*types.Func); ok {
				return l.ident(id) // an instantiation
			}
		}
		if isPointer(l.unit.info.TypeOf(e.X)) { // to an array
			p := l.addressOf(e)
			if p == nil {
				return value{bad: true}
			}
			return l.load(p, e.Pos())
		}
		return l.readPath(e)
	case *ast.SliceExpr:
		return l.slice(e, tv.Type)
	case *ast.CompositeLit:
		return l.composite(e, tv.Type)
	}
	return l.unknown(e)
}

// unknown reports an expression that the checks let pass and nothing here lowers.
func (l *lowerer) unknown(e ast.Expr) value {
	return l.problem(e.Pos(), problem{CodeElement, "cannot compile " + types.ExprString(e), "kernels are made of operators, scalar expressions and calls", "rewrite it with these"})
}

func (l *lowerer) ident(id *ast.Ident) value {
	switch obj := l.unit.info.Uses[id].(type) {
	case *types.Nil:
		return value{typ: types.Typ[types.UntypedNil], null: true, atoms: l.errorConst(0).atoms} // see converted
	case *types.Var:
		if isGlobal(obj) {
			l.global(obj, id.Pos())
		}
		v, ok := l.env.vals[obj]
		if !ok {
			return l.unknown(id)
		}
		if v.ref != nil {
			return l.load(v.ref, id.Pos())
		}
		if v.grow != nil && !v.bad {
			return l.problem(id.Pos(), growingRead(obj.Name()))
		}
		v = l.use(v, id.Pos())
		if v.late == nil && v.bad {
			l.env.vals[obj] = v
		}
		if inMemory(v) {
			if v.own != nil && l.ops > v.own.depth {
				v.own.escape(id.Pos())
			}
			return l.whole(v, id.Pos())
		}
		if v.grows || v.grid != nil {
			return l.settled(v, id.Pos())
		}
		if v.own != nil {
			v.own.escape(id.Pos())
			v.own, v.shared = nil, v.own
		}
		v.rows = v.rows.escape(id.Pos())
		return l.sealed(v)
	case *types.Func:
		obj = obj.Origin()
		if in := intrinsicOf(obj); in != nil {
			return value{typ: obj.Type(), fn: &funcValue{std: in}}
		}
		if l.prog.funcs[obj] != nil {
			f := l.prog.callee(l.unit, id)
			if f == nil {
				return value{bad: true} // reported
			}
			return value{typ: obj.Type(), fn: &funcValue{unit: f.unit, decl: f}}
		}
		if obj.Pkg() != nil && obj.Pkg().Path() == "math" {
			return value{typ: obj.Type(), fn: &funcValue{math: obj.Name()}}
		}
		return l.problem(id.Pos(), problem{CodeFuncValue, "the operator " + obj.Name() + " is used as a value",
			"an operator's place in the nest must be visible", "call it inside a function literal"})
	}
	return l.unknown(id)
}

func (l *lowerer) composite(e *ast.CompositeLit, t types.Type) value {
	if _, ok := isSequence(t); ok {
		return l.sequenceLit(e, t)
	}
	if _, _, ok := isArray(t); ok {
		return l.sequenceLit(e, t)
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return l.unknown(e)
	}
	fields := make([]ast.Expr, s.NumFields())
	for i, x := range e.Elts {
		if kv, ok := x.(*ast.KeyValueExpr); ok {
			key, _ := kv.Key.(*ast.Ident)
			for f := range s.NumFields() {
				if key != nil && s.Field(f).Name() == key.Name {
					fields[f] = kv.Value
				}
			}
		} else if i < len(fields) {
			fields[i] = x
		}
	}
	v := value{typ: t}
	for f, x := range fields {
		var part value
		if x == nil {
			part = l.zeroField(s.Field(f).Type(), e.Pos())
		} else {
			part = l.owning(x)
		}
		if part.bad || part.fn != nil {
			v.bad = true
		}
		lo := len(v.atoms)
		if part.unset && !part.bad { // a slice that may grow
			l.hold(&v, lo, s.Field(f).Name(), s.Field(f).Type(), part)
			v.atoms = append(v.atoms, l.zero(part.typ, e.Pos()).atoms...)
			continue
		}
		if isLarge(s.Field(f).Type()) && part.own != nil && !part.bad {
			l.hold(&v, lo, s.Field(f).Name(), s.Field(f).Type(), part)
		}
		if holds(part) && isSlice(s.Field(f).Type()) {
			l.hold(&v, lo, s.Field(f).Name(), s.Field(f).Type(), part)
			v.atoms = append(v.atoms, part.arrays()...)
			continue
		}
		if l.heldAlone(part) {
			v.held = v.held.with(part.held, lo)
		} else {
			part = l.settled(part, e.Pos())
		}
		v.atoms = append(v.atoms, part.atoms...)
	}
	if hasTables(t) && !v.bad {
		return l.holdTables(v, nil)
	}
	return v
}

func (l *lowerer) unary(e *ast.UnaryExpr, t types.Type) value {
	x := l.expr(e.X)
	if _, ok := complexPart(x.typ); ok && e.Op == token.SUB && len(x.atoms) == 2 {
		re, im := l.negated(x.atoms[0]), l.negated(x.atoms[1])
		return value{typ: t, atoms: []ir.Atom{re, im}}
	} else if ok {
		return x
	}
	if x.bad || len(x.atoms) != 1 {
		return value{bad: true}
	}
	fn, ok := map[token.Token]ir.UnaryFn{token.SUB: ir.Neg, token.NOT: ir.Not, token.XOR: ir.BitNo}[e.Op]
	if !ok {
		if e.Op == token.ADD {
			return x
		}
		return l.unknown(e)
	}
	return value{typ: t, atoms: []ir.Atom{l.emit("t", x.atoms[0].Type(), &ir.Unary{Fn: fn, X: x.atoms[0]})}}
}

var binaryFns = map[token.Token]ir.BinaryFn{
	token.ADD: ir.Add, token.SUB: ir.Sub, token.MUL: ir.Mul, token.QUO: ir.Div, token.REM: ir.Rem,
	token.AND: ir.And, token.OR: ir.Or, token.XOR: ir.Xor, token.AND_NOT: ir.AndNot, token.SHL: ir.Shl, token.SHR: ir.Shr,
	token.EQL: ir.Eq, token.NEQ: ir.Ne, token.LSS: ir.Lt, token.LEQ: ir.Le, token.GTR: ir.Gt, token.GEQ: ir.Ge,
}

// binary lowers x op y; ex and ey are the source of the operands, for messages, and may be nil.
func (l *lowerer) binary(op token.Token, x, y value, pos token.Pos, ex, ey ast.Expr) value {
	if x.bad || y.bad || x.fn != nil || y.fn != nil {
		return value{bad: true}
	}
	fn, ok := binaryFns[op]
	if !ok || len(x.atoms) == 0 || len(y.atoms) == 0 {
		return value{bad: true}
	}
	l.pos = pos
	if isString(x.typ) && isString(y.typ) {
		return l.stringBinary(op, x, y)
	}
	if isComplexPair(x, y) && fn != ir.Eq && fn != ir.Ne {
		return l.complexBinary(fn, x, y)
	}
	if isError(x.typ) || isError(y.typ) {
		return l.errorsEqual(fn, l.converted(x, errorType, pos), l.converted(y, errorType, pos), pos)
	}
	if len(x.atoms) == len(y.atoms) && (fn == ir.Eq || fn == ir.Ne) && (len(x.atoms) > 1 || !x.atoms[0].Type().IsScalar()) {
		return l.structsEqual(fn, x, y)
	}
	a, b := x.atoms[0], y.atoms[0]
	kind := a.Type().Kind
	if c, ok := foldBinary(fn, a, b); ok {
		if fn.IsComparison() {
			x.typ = types.Typ[types.Bool]
		}
		return value{typ: x.typ, atoms: []ir.Atom{c}}
	}
	switch fn {
	case ir.Div, ir.Rem:
		if c, isConst := b.(ir.Const); kind.IsInteger() && !(isConst && c.Bits != 0) {
			l.check(ir.CheckNonzero, op.String(), text(ey), b)
			if isConst { // the run ends at the check
				b = ir.IntConst(kind, 1)
			}
		}
	case ir.Shl, ir.Shr:
		if c, isConst := b.(ir.Const); !b.Type().Kind.IsUnsigned() && !(isConst && c.Int() >= 0) {
			l.check(ir.CheckNonneg, op.String(), text(ey), b)
		}
	}
	t := a.Type()
	if fn.IsComparison() {
		t = ir.Scalar(ir.Bool)
		x.typ = types.Typ[types.Bool]
	}
	return value{typ: x.typ, atoms: []ir.Atom{l.emit("t", t, &ir.Binary{Fn: fn, X: a, Y: b})}}
}

// structsEqual compares field by field, strings byte by byte, and arrays in memory element by element.
func (l *lowerer) structsEqual(fn ir.BinaryFn, x, y value) value {
	join := ir.And
	if fn == ir.Ne {
		join = ir.Or
	}
	var all ir.Atom
	for i, a := range x.atoms {
		b, same := y.atoms[i], ir.Atom(nil)
		switch {
		case a.Type().IsScalar():
			same = l.bin("t", fn, a, b)
		case fn == ir.Ne:
			same = l.emit("t", boolType, &ir.Unary{Fn: ir.Not, X: l.sameText(a, b)})
		default:
			same = l.sameText(a, b)
		}
		if all != nil {
			same = l.bin("t", join, all, same)
		}
		all = same
	}
	return value{typ: types.Typ[types.Bool], atoms: []ir.Atom{all}}
}

// text is how messages at run time name an expression.
func text(e ast.Expr) string {
	if e == nil {
		return ""
	}
	return types.ExprString(e)
}

// element returns element i of the sequence x, which is in range.
func (l *lowerer) element(x value, elem types.Type, i ir.Atom) value {
	if x.grid != nil {
		return l.rowOf(x, i)
	}
	return value{typ: elem, atoms: l.elements(x.arrays(), l.sum(x.off, i))}
}

// slice lowers x[lo:hi].
func (l *lowerer) slice(e *ast.SliceExpr, t types.Type) value {
	x := l.sliced(e.X)
	if x.bad || len(x.atoms) == 0 {
		return value{bad: true}
	}
	bound := func(e ast.Expr) (ir.Atom, bool) {
		v := l.expr(e)
		if v.bad || len(v.atoms) != 1 {
			return nil, false
		}
		return l.toInt(v.atoms[0]), true
	}
	if e.Low == nil && e.High == nil {
		x.typ, x.own = t, nil
		return x
	}
	var lo ir.Atom = ir.IntConst(ir.Int, 0)
	var hi ir.Atom
	ok := true
	if e.Low != nil {
		if lo, ok = bound(e.Low); !ok {
			return value{bad: true}
		}
	}
	if e.High != nil {
		if hi, ok = bound(e.High); !ok {
			return value{bad: true}
		}
	}
	n := l.emit("n", ir.Scalar(ir.Int), &ir.Len{X: x.atoms[0]})
	if hi == nil {
		hi = n
	}
	l.cutUpTo(x, e.High)
	l.check(ir.CheckBounds, "slice", text(e), lo, hi, n)
	v := value{typ: t, shared: x.shared}
	for _, a := range x.atoms {
		v.atoms = append(v.atoms, l.emit("part", a.Type(), &ir.View{Fn: ir.Slice, Args: []ir.Atom{a, lo, hi}}))
	}
	return v
}
