package load

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"

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
		if holds(part) && isSlice(s.Field(f).Type()) {
			l.hold(&v, lo, s.Field(f).Name(), s.Field(f).Type(), part)
			v.atoms = append(v.atoms, part.arrays()...)
			continue
		}
		part = l.settled(part, e.Pos())
		v.atoms = append(v.atoms, part.atoms...)
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
	if len(x.atoms) > 1 && len(x.atoms) == len(y.atoms) && (fn == ir.Eq || fn == ir.Ne) {
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

// structsEqual compares field by field.
func (l *lowerer) structsEqual(fn ir.BinaryFn, x, y value) value {
	join := ir.And
	if fn == ir.Ne {
		join = ir.Or
	}
	var all ir.Atom
	for i := range x.atoms {
		var a ir.Atom = l.emit("t", ir.Scalar(ir.Bool), &ir.Binary{Fn: fn, X: x.atoms[i], Y: y.atoms[i]})
		if all != nil {
			a = l.emit("t", ir.Scalar(ir.Bool), &ir.Binary{Fn: join, X: all, Y: a})
		}
		all = a
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

func (l *lowerer) logical(e *ast.BinaryExpr) value {
	forget := l.callsFirst(e.X)
	x := l.expr(e.X)
	forget()
	if x.bad || len(x.atoms) != 1 {
		return value{bad: true}
	}
	a, ok := l.shortCircuit(e.Op, x.atoms[0], func() (ir.Atom, bool) {
		defer l.callsFirst(e.Y)()
		y := l.expr(e.Y)
		if y.bad || len(y.atoms) != 1 {
			return nil, false
		}
		return y.atoms[0], true
	}, e.OpPos)
	if !ok {
		return value{bad: true}
	}
	return value{typ: x.typ, atoms: []ir.Atom{a}}
}

// maxEager is how many operations the right side of && and || may have to be evaluated whether it is needed or not.
const maxEager = 4

// shortCircuit lowers x && y or x || y. Only where y is expensive or may fail does it cost a branch.
func (l *lowerer) shortCircuit(op token.Token, x ir.Atom, y func() (ir.Atom, bool), pos token.Pos) (ir.Atom, bool) {
	if c, ok := x.(ir.Const); ok {
		if (c.Bits != 0) == (op == token.LOR) {
			return x, true
		}
		return y()
	}
	var b ir.Atom
	ok := false
	right := l.arm(func() { b, ok = y() })
	if !ok {
		return nil, false
	}
	l.pos = pos
	if l.changed(right) {
		return l.shortCircuitEffects(op, x, b, right, pos), true
	}
	fn := ir.And
	if op == token.LOR {
		fn = ir.Or
	}
	if eager(right.blk) {
		l.blk.Stmts = append(l.blk.Stmts, right.blk.Stmts...)
		return l.emit("t", ir.Scalar(ir.Bool), &ir.Binary{Fn: fn, X: x, Y: b}), true
	}
	right.blk.Results = []ir.Atom{b}
	short := &ir.Block{Results: []ir.Atom{ir.BoolConst(op == token.LOR)}}
	branch := &ir.If{Cond: x, Then: right.blk, Else: short}
	if op == token.LOR {
		branch.Then, branch.Else = short, right.blk
	}
	return l.emit("t", ir.Scalar(ir.Bool), branch), true
}

// changed reports whether the arm assigns a variable from before it.
func (l *lowerer) changed(a *arm) bool {
	for _, key := range l.env.keys {
		x, y := l.env.vals[key], a.env.vals[key]
		if x.own != y.own || x.shared != y.shared || x.ptr != y.ptr || !maps.Equal(x.held, y.held) || x.unset != y.unset || x.bad != y.bad || !slices.EqualFunc(x.atoms, y.atoms, sameAtom) {
			return true
		}
	}
	return false
}

// shortCircuitEffects joins the arm right, the right side of && or ||, whose value is b and which assigns variables.
func (l *lowerer) shortCircuitEffects(op token.Token, x, b ir.Atom, right *arm, pos token.Pos) ir.Atom {
	t := &slot{name: "t", typ: types.Typ[types.Bool]}
	l.env.set(t, boolValue(op == token.LOR))
	right.env.set(t, value{typ: t.typ, atoms: []ir.Atom{b}})
	short := l.arm(func() {})
	if op == token.LOR {
		l.join(pos, x, short, right)
	} else {
		l.join(pos, x, right, short)
	}
	a := l.env.vals[t].atoms[0]
	l.env.truncate(len(l.env.keys) - 1)
	return a
}

// eager reports whether the statements are few, cheap and cannot fail.
func eager(b *ir.Block) bool {
	if len(b.Stmts) > maxEager {
		return false
	}
	for _, s := range b.Stmts {
		switch op := s.Op.(type) {
		case *ir.Unary:
			if op.Fn.GoMath() != "" && op.Fn != ir.Abs {
				return false
			}
		case *ir.Binary:
			if op.Fn == ir.Div || op.Fn == ir.Rem || op.Fn.GoMath() != "" {
				return false
			}
		case *ir.Convert, *ir.Select, *ir.Len:
		default:
			return false
		}
	}
	return true
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
	l.check(ir.CheckBounds, "slice", text(e), lo, hi, n)
	v := value{typ: t, shared: x.shared}
	for _, a := range x.atoms {
		v.atoms = append(v.atoms, l.emit("part", a.Type(), &ir.View{Fn: ir.Slice, Args: []ir.Atom{a, lo, hi}}))
	}
	return v
}
