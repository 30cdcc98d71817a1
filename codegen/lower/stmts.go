package lower

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

func (l *lowerer) stmt(s *ir.Stmt, e *env, depth int) {
	if a, ok := l.same[s]; ok {
		e.m[s.Dst[0]] = l.atom(a, e)
		return
	}
	switch op := s.Op.(type) {
	case *ir.Unary:
		x := l.atom(op.X, e)
		if l.stays(x) {
			l.bind(s.Dst[0], scalar(&kir.Un{Fn: op.Fn, X: x.x, T: kir.ScalarType(op.Fn.Result(x.x.Type().Kind))}), e)
			return
		}
		l.bind(s.Dst[0], l.laneUnary(op.Fn, x), e)
	case *ir.Binary:
		if v, ok := l.unclamped(s, e); ok {
			e.m[s.Dst[0]] = v
			return
		}
		x, y := l.atom(op.X, e), l.atom(op.Y, e)
		if r := l.overRoot(op, x, e); r != nil {
			l.bind(s.Dst[0], value{x: r, form: vector}, e)
			return
		}
		l.bind(s.Dst[0], l.binary(op.Fn, x, y), e)
	case *ir.Convert:
		x := l.atom(op.X, e)
		if x.form == uniform && (l.width == 1 || !op.To.IsFloat() && !x.x.Type().Kind.IsFloat()) {
			if l.checked[s] {
				x.x = &kir.Convert{X: x.x, T: kir.ScalarType(unsigned[op.X.Type().Kind])}
			}
			l.bind(s.Dst[0], scalar(&kir.Convert{X: x.x, T: kir.ScalarType(op.To)}), e)
			return
		}
		l.bind(s.Dst[0], l.laneConvert(op.To, x), e)
	case *ir.FMA:
		l.bind(s.Dst[0], l.fma(l.atom(op.X, e), l.atom(op.Y, e), l.atom(op.Z, e)), e)
	case *ir.Select:
		c := l.atom(op.Cond, e)
		if a := l.chosen(s, op, c); a != nil {
			e.m[s.Dst[0]] = l.atom(a, e)
			return
		}
		l.bind(s.Dst[0], l.selectValue(c, l.atom(op.X, e), l.atom(op.Y, e)), e)
	case *ir.Len:
		arr := l.atom(op.X, e).arr
		if arr.lanes != nil {
			l.bind(s.Dst[0], value{x: arr.lanes.n, form: vector}, e)
			break
		}
		l.bind(s.Dst[0], scalar(arr.length(l, e)), e)
	case *ir.Index:
		l.index(s, op, e)
	case *ir.View:
		l.view(s, op, e)
	case *ir.If:
		l.ifStmt(s, op, e, depth)
	case *ir.Loop:
		if op.Independent {
			l.operator(s, e, depth)
			return
		}
		l.loop(s, op, e, depth)
	case *ir.Alloc:
		l.alloc(s, op, e)
	case *ir.Update:
		l.update(s, op, e)
	case *ir.Grow:
		l.grow(s, op, e)
	case *ir.Check:
		l.check(s, op, e)
	case *ir.Call:
		l.goCall(s, op, e)
	case *ir.Map, *ir.Reduce, *ir.Scan, *ir.Scatter, *ir.Hist, *ir.Sort:
		l.operator(s, e, depth)
	}
}

// stays reports whether an operation on x is done on scalars: x is the same in all lanes, and it is no float inside a
// vector loop. Scalar floating-point instructions between vector ones stall, so floats are splat there.
func (l *lowerer) stays(x value) bool {
	return x.form == uniform && (l.width == 1 || !x.x.Type().Kind.IsFloat())
}

func (l *lowerer) binary(fn ir.BinaryFn, x, y value) value {
	if order, ok := comparedBy[fn]; ok {
		y.x = l.letExpr("v", y.x)
		return l.selectValue(l.binary(order, y, x), y, x)
	}
	if l.stays(x) && l.stays(y) {
		t := x.x.Type()
		if fn.IsComparison() {
			t = kir.ScalarType(ir.Bool)
		}
		return scalar(&kir.Bin{Fn: fn, X: x.x, Y: y.x, T: t, Wrap: l.on.wraps(fn, x.x, y.x)})
	}
	return l.laneBinary(fn, x, y)
}

// fma is x·y + z, rounded once.
func (l *lowerer) fma(x, y, z value) value {
	if l.stays(x) && l.stays(y) && l.stays(z) {
		return scalar(&kir.FMA{X: x.x, Y: y.x, Z: z.x})
	}
	return value{x: &kir.FMA{X: l.vec(x), Y: l.vec(y), Z: l.vec(z)}, form: vector}
}

func (l *lowerer) selectValue(c, x, y value) value {
	if c.form == uniform && l.stays(x) && l.stays(y) {
		return scalar(&kir.Select{C: c.x, X: x.x, Y: y.x})
	}
	if c.form == uniform && x.form == contig && y.form == contig {
		return value{x: l.letExpr("i", &kir.Select{C: c.x, X: x.x, Y: y.x}), form: contig, wraps: x.wraps || y.wraps}
	}
	if v, ok := l.selectCondition(c, x, y); ok {
		return v
	}
	a, b := l.vec(x), l.vec(y)
	m := l.vec(c)
	if a.Type().Kind == ir.Bool { // m ? a : b on masks
		bits := m.Type().Bits
		a, b = l.maskBits(a, bits), l.maskBits(b, bits)
		t := m.Type()
		yes := &kir.Bin{Fn: ir.And, X: m, Y: a, T: t}
		no := &kir.Bin{Fn: ir.And, X: &kir.Un{Fn: ir.Not, X: m, T: t}, Y: b, T: t}
		return value{x: &kir.Bin{Fn: ir.Or, X: yes, Y: no, T: t}, form: vector}
	}
	if c, ok := y.x.(*kir.Const); ok && y.form == uniform && c.C.Bits == 0 { // zeros where the mask is not set take no vector of zeros
		b = &kir.Splat{X: c, T: a.Type()}
	}
	return value{x: &kir.Select{C: l.maskFor(m, a.Type().Kind), X: a, Y: b}, form: vector}
}

// selectCondition is selectValue of conditions of which one is known.
func (l *lowerer) selectCondition(c, x, y value) (value, bool) {
	known := func(v value) (is, known bool) {
		k, ok := v.x.(*kir.Const)
		return ok && k.C.Bits != 0, ok && k.C.Kind == ir.Bool
	}
	not := func(v value) value { return l.laneUnary(ir.Not, v) }
	if yes, ok := known(x); ok {
		no, both := known(y)
		switch {
		case both && yes == no:
			return x, true
		case both && yes:
			return value{x: l.vec(c), form: vector}, true
		case both:
			return not(c), true
		case yes:
			return l.laneBinary(ir.Or, c, y), true
		}
		return l.laneBinary(ir.And, not(c), y), true
	}
	if no, ok := known(y); ok {
		if no {
			return l.laneBinary(ir.Or, not(c), x), true
		}
		return l.laneBinary(ir.And, c, x), true
	}
	return value{}, false
}

func (a *array) length(l *lowerer, e *env) kir.Expr {
	return a.n
}

func (l *lowerer) index(s *ir.Stmt, op *ir.Index, e *env) {
	if v, ok := l.strips[s]; ok {
		l.bind(s.Dst[0], v, e)
		return
	}
	if r, ok := l.packed[s]; ok {
		l.bind(s.Dst[0], value{x: l.privateElement(l.atom(r.array, e).arr, r.element(l, e)), form: vector}, e)
		return
	}
	if x := l.on.staged(s, e); x != nil {
		l.bind(s.Dst[0], scalar(x), e)
		return
	}
	arr := l.atom(op.X, e).arr
	i := l.atom(op.I, e)
	if arr.private {
		l.bind(s.Dst[0], value{x: l.privateElement(arr, i), form: vector}, e)
		return
	}
	if p := l.stored[s]; p != nil && l.width > 1 {
		e.m[s.Dst[0]] = l.atom(p.row, e)
		return
	}
	if arr.rows != nil { // a row of a stored nested sequence
		row := (*array)(nil)
		if i.form == uniform {
			row = l.row(arr, i.x, e)
		} else if row = l.rowsByLane(arr, i); row == nil {
			veto("level %d cannot use lanes: "+rowByRow, l.laneLevel)
		}
		e.m[s.Dst[0]] = value{arr: row}
		return
	}
	if arr.lanes != nil {
		l.bind(s.Dst[0], arr.lanes.element(l, arr.a, i), e)
		return
	}
	k := arr.a.Kind
	if i.form == apart && (l.active != nil || k == ir.Bool || arr.a.Field != nil) {
		i = value{x: l.vec(i), form: vector}
	}
	switch i.form {
	case apart:
		l.bind(s.Dst[0], value{x: &kir.Every{A: arr.a, I: l.at(arr, i.x), By: i.by, T: l.loadType(k)}, form: vector}, e)
	case uniform:
		l.guarded = true // in the inactive lanes there may be no such element
		load := &kir.Load{A: arr.a, I: l.at(arr, i.x), T: kir.ScalarType(k)}
		if l.width > 1 && k.IsFloat() {
			l.bind(s.Dst[0], value{x: &kir.Splat{X: load, T: l.vectorType(k, l.width)}, form: vector}, e)
			return
		}
		l.bind(s.Dst[0], scalar(load), e)
	case contig:
		if arr.a.Field != nil {
			l.bind(s.Dst[0], l.stripElement(s, e), e)
			return
		}
		t := l.loadType(k)
		if k == ir.Bool && l.active != nil {
			veto("level %d cannot use lanes: booleans are read under a condition that differs from lane to lane", l.laneLevel)
		}
		l.bind(s.Dst[0], value{x: &kir.Load{A: arr.a, I: l.at(arr, i.x), T: t, Mask: l.activeFor(k)}, form: vector}, e)
	case vector:
		if k == ir.Bool {
			veto("level %d cannot use lanes: booleans are read by index", l.laneLevel)
		}
		if arr.off != nil {
			veto("level %d cannot use lanes: elements of a row are read by computed indices", l.laneLevel)
		}
		idx := i.x // of a struct, of 64 bits: it is multiplied
		if arr.a.Field == nil {
			idx = l.narrowIndex(op.I, i, e)
		} else {
			l.guarded = true // the address of the field in the first struct is taken, and there may be none
		}
		l.bind(s.Dst[0], value{x: &kir.Gather{A: arr.a, I: idx, T: l.vectorType(k, l.width), Mask: l.activeFor(k)}, form: vector}, e)
	}
}

// narrowIndex returns the vector of 32-bit indices that a vector of ints was widened from, if it was: gathers take
// both, and the narrow one is half the work.
func (l *lowerer) narrowIndex(a ir.Atom, i value, e *env) kir.Expr {
	if c, ok := l.defs[a].(*ir.Convert); ok && c.X.Type().Kind == ir.Int32 {
		if x, ok := e.getAtom(c.X); ok && x.form == vector {
			return x.x
		}
	}
	return i.x
}

// loadType is the type of a vector that is loaded from consecutive elements of kind k.
func (l *lowerer) loadType(k ir.Kind) kir.Type {
	if k == ir.Bool {
		bits := 64
		if l.width > 8 {
			bits = 32
		}
		return kir.Type{Kind: k, Lanes: l.width, Bits: bits}
	}
	return l.vectorType(k, l.width)
}

// at is the index in arr.a of element i of arr.
func (l *lowerer) at(arr *array, i kir.Expr) kir.Expr { return add(arr.off, i) }

func (l *lowerer) row(arr *array, i kir.Expr, e *env) *array {
	r := arr.rows
	i = l.at(arr, i)
	if r.offsets != nil {
		if arr.off != nil {
			i = l.letExpr("row", i)
		}
		lo := l.letExpr("lo", &kir.Load{A: r.offsets, I: i, T: kir.Int})
		hi := l.letExpr("hi", &kir.Load{A: r.offsets, I: add(i, intConst(1)), T: kir.Int})
		n := l.letExpr("n", sub(hi, lo))
		if r.inner == nil {
			l.on.row(lo, n, arr.a)
		}
		return &array{a: arr.a, off: lo, n: n, rows: r.inner}
	}
	n := l.atom(r.length, e).x
	lo := r.base
	if !isZero(i) {
		lo = l.letExpr("lo", add(r.base, &kir.Bin{Fn: ir.Mul, X: i, Y: n, T: kir.Int}))
	}
	if total := r.total; total != nil {
		n = l.letExpr("n", sub(&kir.Bin{Fn: ir.Min, X: add(lo, n), Y: l.atom(total, e).x, T: kir.Int}, lo))
	}
	return &array{a: arr.a, off: lo, n: n, rows: r.inner}
}

func (l *lowerer) view(s *ir.Stmt, op *ir.View, e *env) {
	if op.Fn == ir.Flatten {
		e.m[s.Dst[0]] = value{arr: l.flattened(l.atom(op.Args[0], e).arr, e)}
		return
	}
	veto("%s of a sequence that is not read element by element is not compiled yet", op.Fn)
}

// flattened is a whole nested sequence without its outermost level.
func (l *lowerer) flattened(arr *array, e *env) *array {
	r := arr.rows
	switch {
	case r.inner == nil && r.local == nil:
		return &array{a: arr.a, n: &kir.Length{A: arr.a}}
	case r.inner == nil:
		return &array{a: arr.a, off: r.base, n: r.local, doubled: arr.doubled}
	}
	inner := *r.inner
	inner.local = r.local
	out := &array{a: arr.a, rows: &inner, doubled: arr.doubled}
	if r.offsets != nil {
		out.n = &kir.Load{A: r.offsets, I: arr.n, T: kir.Int}
	} else {
		out.n = times(arr.n, l.atom(r.length, e).x)
		if r.total != nil {
			out.n = &kir.Bin{Fn: ir.Max, X: &kir.Bin{Fn: ir.Min, X: out.n, Y: l.atom(r.total, e).x, T: kir.Int}, Y: intConst(0), T: kir.Int}
		}
	}
	return out
}

func (l *lowerer) check(s *ir.Stmt, op *ir.Check, e *env) {
	if l.hoisted[op] {
		return
	}
	l.guarded = true
	c := &kir.Check{Kind: op.Kind, Op: op.Op, Arg: op.Arg, Pos: s.Pos}
	args := l.atoms(op.Args, e)
	if l.checkEnds(c, args, op) {
		return
	}
	if anyVarying(args) {
		l.checkLanes(c, args, op, e)
		return
	}
	for _, v := range args {
		c.Args = append(c.Args, v.x)
	}
	c.Position = l.position(op, e)
	c.Leave = l.on.leave(c.Args)
	l.emit(c)
}

// position returns the index at which the checked value stands in the array that it was read from, or nil.
func (l *lowerer) position(op *ir.Check, e *env) kir.Expr {
	if op.Kind != ir.CheckIndex && op.Kind != ir.CheckBounds {
		return nil
	}
	if read := l.defs.Read(op.Args[0]); read != nil {
		if i, ok := e.getAtom(read.I); ok && i.form == uniform {
			return i.x
		}
	}
	return nil
}
