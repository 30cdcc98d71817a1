package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"math"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// loop is a for statement on its way to an ir.Loop.
type loop struct {
	pos     token.Pos
	label   string
	body    *ast.BlockStmt
	changed map[any]bool // the keys of what a turn assigns

	// Counted loops: start sets the loop variables from the index at the beginning of a turn.
	counted bool
	lo, hi  ir.Atom
	start   func(i ir.Atom)
	name    string // of the index

	// Other loops.
	most   ir.Atom                // how many turns there may be; nil: not known
	cond   func() (ir.Atom, bool) // nil: no condition
	post   func()
	hidden bool  // post only steps a variable of the loop's own
	own    []any // keys of the loop's own that go from turn to turn
}

// forStmt lowers a for statement with up to three clauses.
func (l *lowerer) forStmt(s *ast.ForStmt) {
	label := l.takeLabel()
	if l.unrollFor(s, label) {
		return
	}
	lp := &loop{pos: s.Pos(), body: s.Body, label: label}
	l.stmt(s.Init)
	if l.countedFor(s, lp) {
		l.lowerLoop(lp)
		return
	}
	if s.Cond != nil && len(l.assigned(s.Cond)) > 0 { // the condition of an ir.Loop assigns nothing
		not := &ast.UnaryExpr{OpPos: s.Cond.Pos(), Op: token.NOT, X: s.Cond}
		leave := &ast.IfStmt{If: s.Cond.Pos(), Cond: not, Body: &ast.BlockStmt{List: []ast.Stmt{&ast.BranchStmt{TokPos: s.Cond.Pos(), Tok: token.BREAK}}}}
		lp.body = &ast.BlockStmt{Lbrace: s.Body.Lbrace, List: []ast.Stmt{leave, s.Body}, Rbrace: s.Body.Rbrace}
		s = &ast.ForStmt{For: s.For, Init: s.Init, Post: s.Post, Body: lp.body}
	}
	nodes := []ast.Node{s.Body}
	if s.Post != nil {
		nodes = append(nodes, s.Post)
		lp.post = func() { l.stmt(s.Post) }
		lp.hidden = countsOwn(l.unit.info, s.Init, s.Post)
	}
	lp.changed = l.assigned(nodes...)
	if s.Cond != nil {
		lp.cond = func() (ir.Atom, bool) {
			l.pos = s.Cond.Pos()
			v := l.expr(s.Cond)
			if v.bad || len(v.atoms) != 1 {
				return nil, false
			}
			return v.atoms[0], true
		}
	}
	l.lowerLoop(lp)
}

// countedFor recognises "for i := lo; i < hi; i++", where the body assigns neither i nor anything that hi is made of,
// and i cannot overflow. It fills in lp.
func (l *lowerer) countedFor(s *ast.ForStmt, lp *loop) bool {
	info := l.unit.info
	init, ok := s.Init.(*ast.AssignStmt)
	if !ok || init.Tok != token.DEFINE || len(init.Lhs) != 1 {
		return false
	}
	id, _ := init.Lhs[0].(*ast.Ident)
	i, ok := info.Defs[id].(*types.Var)
	if !ok {
		return false
	}
	kind, ok := scalarKind(i.Type())
	if !ok || !kind.IsInteger() || kind == ir.Uint || kind == ir.Uint64 { // these may lie beyond int
		return false
	}
	isI := func(e ast.Expr) bool {
		x, ok := ast.Unparen(e).(*ast.Ident)
		return ok && info.Uses[x] == types.Object(i)
	}
	switch p := s.Post.(type) {
	case *ast.IncDecStmt:
		if p.Tok != token.INC || !isI(p.X) {
			return false
		}
	case *ast.AssignStmt:
		if n, ok := intConst(info, p.Rhs[0]); p.Tok != token.ADD_ASSIGN || !isI(p.Lhs[0]) || !ok || n != 1 {
			return false
		}
	default:
		return false
	}
	cond, ok := s.Cond.(*ast.BinaryExpr)
	if !ok {
		return false
	}
	var hi ast.Expr
	closed := false // the bound belongs to the range
	switch {
	case cond.Op == token.LSS && isI(cond.X):
		hi = cond.Y
	case cond.Op == token.GTR && isI(cond.Y):
		hi = cond.X
	case cond.Op == token.LEQ && isI(cond.X):
		hi, closed = cond.Y, true
	default:
		return false
	}
	lp.changed = l.assigned(s.Body)
	if lp.changed[i] || !l.invariant(hi, lp.changed, i) {
		return false
	}
	if bound, isConst := intConst(info, hi); closed && isConst && bound >= 1<<31-1 { // hi+1 could overflow
		return false
	}
	lo := l.use(l.env.vals[i], s.Pos())
	top := l.expr(hi)
	if lo.bad || top.bad || len(lo.atoms) != 1 || len(top.atoms) != 1 {
		return false
	}
	lp.lo, lp.hi = l.toInt(lo.atoms[0]), l.toInt(top.atoms[0])
	if closed {
		lp.hi = l.behind(hi, lp.hi, kind)
	}
	lp.counted, lp.name = true, i.Name()
	lp.start = func(x ir.Atom) { l.bind(i, value{typ: i.Type(), atoms: []ir.Atom{l.fromInt(x, kind)}}) }
	return true
}

// behind returns hi + 1, where hi is the value of e, for a loop whose index is of that kind and reaches hi. If hi is
// the greatest value of the kind, the loop of the source does not end: neither does one of so many turns as there are
// ints.
func (l *lowerer) behind(e ast.Expr, hi ir.Atom, kind ir.Kind) ir.Atom {
	const turns = math.MaxInt64 - 1
	if c, ok := hi.(ir.Const); ok {
		return ir.IntConst(ir.Int, c.Int()+1)
	}
	switch bits := 8 * kind.Bytes(); {
	case bits < 64:
		top := int64(1)<<bits - 1
		if !kind.IsUnsigned() {
			top >>= 1
		}
		hi = l.selected("hi", l.bin("endless", ir.Eq, hi, ir.IntConst(ir.Int, top)), ir.IntConst(ir.Int, turns), hi)
	case !l.isBelowLength(e):
		hi = l.bin("hi", ir.Min, hi, ir.IntConst(ir.Int, turns))
	}
	return l.bin("hi", ir.Add, hi, ir.IntConst(ir.Int, 1))
}

// isBelowLength reports whether e is the length of something, or that less a constant.
func (l *lowerer) isBelowLength(e ast.Expr) bool {
	e = ast.Unparen(e)
	if sub, ok := e.(*ast.BinaryExpr); ok && sub.Op == token.SUB {
		if c, ok := intConst(l.unit.info, sub.Y); ok && c >= 0 {
			e = ast.Unparen(sub.X)
		}
	}
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	id := calleeIdent(call)
	b, ok := l.unit.info.Uses[id].(*types.Builtin)
	return id != nil && ok && b.Name() == "len"
}

// invariant reports whether e, which a loop evaluates before its first turn in any case, has the same value in every
// turn: it is arithmetic on constants, lengths, variables that the loop does not assign and elements that it does not
// update.
func (l *lowerer) invariant(e ast.Expr, changed map[any]bool, i *types.Var) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		if x, isExpr := n.(ast.Expr); isExpr && l.unit.info.Types[x].Value != nil {
			return false
		}
		switch n := n.(type) {
		case nil, *ast.ParenExpr:
		case *ast.Ident:
			v, isVar := l.unit.info.Uses[n].(*types.Var)
			_, isBuiltin := l.unit.info.Uses[n].(*types.Builtin)
			_, isType := l.unit.info.Uses[n].(*types.TypeName)
			ok = ok && (isVar && !changed[v] && v != i || isBuiltin || isType)
			if isVar { // what it points to, or stands for
				val := l.env.vals[v]
				ok = ok && !(val.ptr != nil && slices.ContainsFunc(val.ptr.roots(), func(key any) bool { return changed[key] })) && !(val.ref != nil && changed[val.ref.root])
			}
		case *ast.SelectorExpr:
			sel := l.unit.info.Selections[n]
			ok = ok && sel != nil && sel.Kind() == types.FieldVal
			if ok {
				ok = l.invariant(n.X, changed, i)
			}
			return false
		case *ast.IndexExpr:
			_, isRow := isSequence(l.unit.info.TypeOf(n.X)) // and no instance of a generic function
			ok = ok && isRow
		case *ast.BinaryExpr:
			kind, isScalar := scalarKind(l.unit.info.TypeOf(n))
			ok = ok && isScalar && kind.IsInteger()
		case *ast.CallExpr:
			if l.unit.info.Types[n.Fun].IsType() {
				return true
			}
			id := calleeIdent(n)
			b, isBuiltin := l.unit.info.Uses[id].(*types.Builtin)
			ok = ok && id != nil && isBuiltin && (b.Name() == "len" || b.Name() == "min" || b.Name() == "max")
		default:
			ok = false
		}
		return ok
	})
	return ok
}

// rangeStmt lowers range over a slice or an integer.
func (l *lowerer) rangeStmt(s *ast.RangeStmt) {
	label := l.takeLabel()
	var x value
	if isPointer(l.unit.info.TypeOf(s.X)) {
		if p := l.pointee(s.X); p != nil {
			x = l.follow(p)
		}
	} else {
		x = l.ranged(s.X)
	}
	if x.bad || len(x.atoms) == 0 {
		return
	}
	lp := &loop{pos: s.Pos(), body: s.Body, changed: l.assigned(s.Body), counted: true, lo: ir.IntConst(ir.Int, 0), name: "i", label: label}
	live := x.own != nil && l.changes(lp.changed, s.X) // the loop reads elements that it also updates
	if isString(x.typ) {
		l.rangeString(s, x, label)
		return
	}
	length, of, overArray := isArray(x.typ)
	if live && overArray && s.Value != nil { // Go ranges over a copy
		x, live = l.whole(x, s.X.Pos()), false
	}
	if l.unrolls(s, x) {
		l.unrollRange(s, x, label)
		return
	}
	elem, overSlice := isSequence(x.typ)
	kind := ir.Int
	var keyType types.Type = types.Typ[types.Int]
	switch {
	case overArray:
		elem, lp.hi = of, ir.IntConst(ir.Int, length)
	case overSlice:
		lp.hi = l.length(x)
	default:
		kind, keyType = x.atoms[0].Type().Kind, x.typ
		lp.hi = l.toInt(x.atoms[0]) // of a uint64 beyond int no one sees the end
	}
	if s.Tok == token.ASSIGN {
		for v := range l.assigned(&ast.AssignStmt{Tok: token.ASSIGN, Lhs: []ast.Expr{orBlank(s.Key), orBlank(s.Value)}}) {
			lp.changed[v] = true
		}
	}
	if id, ok := s.Key.(*ast.Ident); ok && id.Name != "_" {
		lp.name = id.Name
		if obj := l.unit.info.ObjectOf(id); obj != nil {
			keyType = obj.Type()
		}
	}
	lp.start = func(i ir.Atom) {
		l.pos = s.Pos()
		if s.Key != nil {
			l.store(s.Key, value{typ: keyType, atoms: []ir.Atom{l.fromInt(i, kind)}})
		}
		if s.Value != nil && (overSlice || overArray) {
			now := x
			if live {
				now = l.borrow(s.X)
			}
			if now.bad || len(now.atoms) == 0 {
				l.store(s.Value, value{bad: true})
				return
			}
			if overArray {
				l.store(s.Value, l.whole(l.arrayElement(now, length, elem, i), s.Pos()))
			} else {
				l.store(s.Value, l.element(now, elem, i))
			}
		}
	}
	l.lowerLoop(lp)
}

// ranged lowers what a loop ranges over: the bytes of a string need no copy for that.
func (l *lowerer) ranged(e ast.Expr) value {
	if c, ok := ast.Unparen(e).(*ast.CallExpr); ok && len(c.Args) == 1 {
		if tv := l.unit.info.Types[c.Fun]; tv.IsType() && isBytes(tv.Type) && isString(l.unit.info.TypeOf(c.Args[0])) {
			x := l.expr(c.Args[0])
			x.typ = tv.Type
			return x
		}
	}
	return l.borrow(e)
}

// unrollRange lowers a range over an array or a constant turn by turn.
func (l *lowerer) unrollRange(s *ast.RangeStmt, x value, label string) {
	length, elem, overArray := isArray(x.typ)
	var keyType types.Type = types.Typ[types.Int]
	kind := ir.Int
	if !overArray {
		length, _ = intConst(l.unit.info, s.X)
		keyType, kind = x.typ, x.atoms[0].Type().Kind
	}
	l.turns(s.Pos(), s.Body, label, int(length), func(k int) {
		l.pos = s.Pos()
		if s.Key != nil {
			l.store(s.Key, value{typ: keyType, atoms: []ir.Atom{ir.IntConst(kind, int64(k))}})
		}
		if s.Value != nil && overArray {
			l.store(s.Value, l.whole(l.arrayElement(x, length, elem, ir.IntConst(ir.Int, int64(k))), s.Pos()))
		}
	})
}

func orBlank(e ast.Expr) ast.Expr {
	if e == nil {
		return ast.NewIdent("_")
	}
	return e
}

// lowerLoop lowers a loop: the variables of the function that a turn assigns, and the flags of the jumps that leave the
// loop, become its parameters.
func (l *lowerer) lowerLoop(lp *loop) {
	l.reserve(lp)
	if returns(lp.body) && l.frame.late == nil {
		defer l.lateReturns(lp)()
	}
	l.loops++
	l.active = append(l.active, lp)
	defer func() { l.loops, l.active = l.loops-1, l.active[:len(l.active)-1] }()
	keys := append(l.carried(lp), lp.own...)
	if l.frame.late != nil && l.frame.late.which != nil && returns(lp.body) {
		keys = append(keys, l.frame.late.which)
		for _, s := range l.frame.late.slots() {
			keys = append(keys, s)
		}
	}
	flags := l.outward(lp.body)
	for _, f := range flags {
		keys = append(keys, f)
	}
	var broke *slot
	if jumpsTo(lp.body.List, token.BREAK, lp.label) {
		broke = l.push("broke", lp.label)
		keys = append(keys, broke)
	}
	if broke != nil {
		flags = append(flags, broke)
	}
	if returns(lp.body) {
		flags = append(flags, l.frame.returned)
		keys = append(keys, l.frame.returned)
	}
	conditional := !lp.counted || len(flags) > 0

	// A counted loop that may be left early counts in a parameter of its own.
	var count *slot
	if lp.counted && conditional {
		count = &slot{name: lp.name, typ: types.Typ[types.Int]}
		l.env.set(count, value{typ: count.typ, atoms: []ir.Atom{lp.lo}})
		keys = append(keys, count)
		hi := lp.hi
		lp.cond = func() (ir.Atom, bool) {
			l.pos = lp.pos
			return l.emit("more", ir.Scalar(ir.Bool), &ir.Binary{Fn: ir.Lt, X: l.env.vals[count].atoms[0], Y: hi}), true
		}
		lp.hidden = true
		lp.post = func() {
			next := l.emit(lp.name, ir.Scalar(ir.Int), &ir.Binary{Fn: ir.Add, X: l.env.vals[count].atoms[0], Y: ir.IntConst(ir.Int, 1)})
			l.env.set(count, value{typ: count.typ, atoms: []ir.Atom{next}})
		}
	}

	op := &ir.Loop{}
	stmt := &ir.Stmt{Op: op}
	for _, key := range l.env.keys {
		if v, ok := key.(*types.Var); ok && lp.changed[key] && isSlice(v.Type()) && replaces(l.unit.info, lp.body, v) {
			l.strand(l.env, key)
		}
	}
	inside := l.env.clone()
	after := map[any]value{}
	begun := map[any]value{}     // before the loop
	escaped := map[*owner]bool{} // before the loop
	windows := map[any]*window{}
	pointers := map[any]bool{} // that are carried by their indices
	for _, key := range keys {
		v := l.env.vals[key]
		begun[key] = v
		if w := l.windowOf(lp, key, v); w != nil {
			windows[key] = w
			name := keyName(key)
			w.lo, w.hi = &ir.Var{Name: name + "_lo", T: intType}, &ir.Var{Name: name + "_hi", T: intType}
			w.outLo, w.outHi = &ir.Var{Name: name + "_lo", T: intType}, &ir.Var{Name: name + "_hi", T: intType}
			op.Params, stmt.Dst = append(op.Params, w.lo, w.hi), append(stmt.Dst, w.outLo, w.outHi)
			op.Init = append(op.Init, zeroInt, l.length(w.base))
			continue
		}
		if v.unset && !v.bad {
			v = l.scalarZero(key, v, lp.pos)
		}
		if in, out, ok := lp.carriedPointer(key, v, op, stmt); ok {
			inside.vals[key], after[key], pointers[key] = in, out, true
			continue
		}
		if v.bad || v.fn != nil || v.ptr != nil || v.ref != nil {
			inside.vals[key], after[key] = v, v
			continue
		}
		if lp.replaced(l.unit.info, key, v) || v.shared != nil { // another name is only ever replaced
			v = l.ownCopy(v)
		}
		in, out := v, v
		in.atoms, out.atoms, in.shared, out.shared = nil, nil, nil, nil
		if v.own != nil {
			escaped[v.own] = v.own.escaped.IsValid()
			v.own.updated = token.NoPos
		}
		for i, a := range v.atoms {
			if v.held.has(i) { // carried by itself
				in.atoms, out.atoms = append(in.atoms, a), append(out.atoms, a)
				continue
			}
			if a.Type().Rank > 1 {
				in = rowsCarried(key, lp.pos)
				out = in
				break
			}
			name := keyName(key)
			if len(v.atoms) > 1 {
				name = l.atomName(v, name, i)
			}
			p, d := &ir.Var{Name: name, T: a.Type()}, &ir.Var{Name: name, T: a.Type()}
			in.atoms, out.atoms = append(in.atoms, p), append(out.atoms, d)
		}
		for i := range in.atoms {
			if v.held.has(i) {
				continue
			}
			op.Params, stmt.Dst = append(op.Params, in.atoms[i].(*ir.Var)), append(stmt.Dst, out.atoms[i].(*ir.Var))
			op.Init = append(op.Init, v.atoms[i])
		}
		inside.vals[key], after[key] = in, out
	}

	for _, v := range op.Params {
		l.carrying[v] = op
	}
	if conditional {
		op.Cond = l.loopCond(lp, inside, flags, windows)
	} else {
		op.I = &ir.Var{Name: lp.name, T: ir.Scalar(ir.Int)}
		op.Lo, op.Hi = lp.lo, lp.hi
	}

	body := &arm{&ir.Block{}, inside.clone()}
	ok := true
	l.resume(body, func() {
		l.open(keys, windows)
		for _, f := range flags {
			l.env.set(f, boolValue(false)) // or the turn would not have begun
		}
		continued := l.push("continued", lp.label)
		if lp.counted {
			if conditional {
				lp.start(l.env.vals[count].atoms[0])
			} else {
				lp.start(op.I)
			}
		}
		if !lp.counted && lp.start != nil {
			lp.start(nil)
		}
		l.run(lp.body.List)
		l.pop(continued)
		if lp.post != nil {
			l.postOf(lp)
		}
		for _, key := range keys {
			before, now := inside.vals[key], l.env.vals[key]
			if w := windows[key]; w != nil {
				lo, hi, inside := l.within(now, w.base)
				if !inside {
					l.use(windowLeft(key, now, lp.pos), lp.pos)
					ok = false
				}
				body.blk.Results = append(body.blk.Results, lo, hi)
				continue
			}
			if now.empty { // the loop leaves it as it was
				after[key] = begun[key]
			} else if before.empty {
				after[key] = arrayChoice(key, lp.pos)
			}
			if pointers[key] && now.ptr != nil && now.ptr.beside(before.ptr) {
				body.blk.Results = append(body.blk.Results, now.ptr.indices()...)
				continue
			}
			ok = ok && !pointers[key]
			if before.ptr != nil && (now.ptr == nil || !before.ptr.same(now.ptr)) {
				l.use(pointerChoice(key, lp.pos), lp.pos)
			}
			if before.ref != now.ref {
				l.use(arrayChoice(key, lp.pos), lp.pos)
			}
			if before.bad || before.fn != nil || before.ptr != nil || before.ref != nil {
				continue
			}
			if now.unset && !now.bad {
				now = l.scalarZero(key, now, lp.pos)
			}
			if !maps.Equal(before.held, now.held) && !now.bad {
				if before.held != nil {
					now = arrayChoice(key, lp.pos)
				} else {
					now = l.sealed(now)
				}
			}
			if before.own != nil && now.own != before.own && !now.bad { // another slice than the turn began with
				now = arrayChoice(key, lp.pos)
			}
			if isString(before.typ) && !now.bad && len(now.atoms) == 1 && now.atoms[0] != before.atoms[0] {
				now = stringsCarried(key, lp.pos)
			}
			if before.own == nil && before.held == nil && !now.bad {
				l.keepsLength(key, before, now, lp.pos)
			}
			if own := before.own; own != nil && own.updated.IsValid() && own.escaped.IsValid() && !escaped[own] {
				l.problem(own.updated, updateAfterEscape(keyName(key), l.prog.irPos(own.escaped).String()+", in an earlier turn of the loop"))
				ok = false
			}
			if now.bad || len(now.atoms) != len(before.atoms) {
				now = l.use(now, lp.pos)
				ok = false
				continue
			}
			for i, a := range now.atoms {
				if !before.held.has(i) {
					body.blk.Results = append(body.blk.Results, a)
				}
			}
		}
	})
	op.Body = body.blk
	for _, key := range keys {
		l.env.set(key, after[key])
	}
	if broke != nil {
		l.pop(broke)
	}
	if !ok || op.I == nil && op.Cond == nil {
		for _, key := range keys {
			if f, ok := key.(*slot); ok && slices.Contains(flags, f) {
				l.env.set(key, boolValue(false))
			} else {
				l.env.set(key, value{bad: true})
			}
		}
		return
	}
	l.pos = lp.pos
	l.append(stmt)
	for _, key := range keys {
		if w := windows[key]; w != nil {
			l.env.set(key, l.windowed(w.base, w.outLo, w.outHi))
		}
	}
}

// replaced reports whether the loop assigns the variable key, a slice that the function made, as a whole and never an
// element of it: then it carries one sequence after another, and not one that is updated.
func (lp *loop) replaced(info *types.Info, key any, v value) bool {
	if v.own == nil || v.own.isArray || v.grows {
		return false
	}
	whole, element := false, false
	ast.Inspect(lp.body, func(n ast.Node) bool {
		var targets []ast.Expr
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.AssignStmt:
			if vars, _, ok := permutation(info, n); ok { // their elements are exchanged
				for _, v := range vars {
					element = element || key == any(v)
				}
				return true
			}
			targets = n.Lhs
		case *ast.IncDecStmt:
			targets = []ast.Expr{n.X}
		}
		for _, e := range targets {
			if id, ok := ast.Unparen(e).(*ast.Ident); ok {
				whole = whole || key == any(info.Uses[id])
			} else {
				for v := range assigned(info, &ast.IncDecStmt{X: e}) {
					element = element || key == any(v)
				}
			}
		}
		return true
	})
	return whole && !element
}

// ownCopy is v as a sequence that nothing updates: a copy.
func (l *lowerer) ownCopy(v value) value {
	v = l.settled(v, l.pos)
	out := v
	out.own, out.shared, out.atoms = nil, nil, nil
	for _, a := range v.atoms {
		n := l.emit("n", ir.Scalar(ir.Int), &ir.Len{X: a})
		i, x := &ir.Var{Name: "i", T: ir.Scalar(ir.Int)}, &ir.Var{Name: "x", T: a.Type().Elem()}
		body := &ir.Block{Stmts: []*ir.Stmt{{Dst: []*ir.Var{x}, Op: &ir.Index{X: a, I: i}}}, Results: []ir.Atom{x}}
		out.atoms = append(out.atoms, l.emit("copy", a.Type(), &ir.Map{N: n, I: i, Body: body}))
	}
	return out
}

// keepsLength checks that a sequence is as long after a turn as before it.
func (l *lowerer) keepsLength(key any, before, now value, pos token.Pos) {
	for i, a := range before.atoms {
		if a.Type().Rank == 1 && i < len(now.atoms) && now.atoms[i].Type().Rank == 1 {
			l.pos = pos
			was := l.emit("n", ir.Scalar(ir.Int), &ir.Len{X: a})
			is := l.emit("n", ir.Scalar(ir.Int), &ir.Len{X: now.atoms[i]})
			l.check(ir.CheckLength, "for", keyName(key), was, is)
			return
		}
	}
}

// postOf lowers the post statement of a loop. It does not run when the turn ended in a break or a return; but where it
// only counts a variable that nobody sees after the loop, that makes no difference and saves the condition.
func (l *lowerer) postOf(lp *loop) {
	dead, dynamic := l.status(l.env)
	switch {
	case lp.hidden || !dead && len(dynamic) == 0:
		lp.post()
	case !dead:
		l.guard(dynamic, lp.pos, lp.post)
	}
}

// countsOwn reports whether post only steps a variable that init declares.
func countsOwn(info *types.Info, init, post ast.Stmt) bool {
	step, ok := post.(*ast.IncDecStmt)
	if !ok {
		return false
	}
	id, ok := ast.Unparen(step.X).(*ast.Ident)
	if !ok {
		return false
	}
	in, ok := init.(*ast.AssignStmt)
	return ok && in.Tok == token.DEFINE && info.Uses[id] != nil && in.Pos() <= info.Uses[id].Pos() && info.Uses[id].Pos() < in.End()
}

// loopCond lowers the condition of a loop over its parameters: no jump has left the loop, and the user's condition.
func (l *lowerer) loopCond(lp *loop, inside *env, flags []*slot, windows map[any]*window) *ir.Block {
	failed := false
	cond := &arm{&ir.Block{}, inside.clone()}
	l.resume(cond, func() {
		l.open(l.env.keys, windows)
		user := lp.cond
		if user == nil {
			user = func() (ir.Atom, bool) { return ir.BoolConst(true), true }
		}
		var c ir.Atom
		ok := true
		if len(flags) > 0 {
			going := l.emit("going", ir.Scalar(ir.Bool), &ir.Unary{Fn: ir.Not, X: l.any(flags)})
			if c = going; lp.cond != nil {
				c, ok = l.shortCircuit(token.LAND, going, user, lp.pos)
			}
		} else {
			c, ok = user()
		}
		if failed = !ok; ok {
			l.blk.Results = []ir.Atom{c}
		}
	})
	if failed {
		return nil
	}
	return cond.blk
}

// carried returns the variables that live before the loop and are assigned in it, in the order of their declaration,
// and the results of the function if the loop returns from it.
func (l *lowerer) carried(lp *loop) []any {
	var keys []any
	result := map[any]bool{}
	if returns(lp.body) {
		for _, r := range l.frame.results {
			result[r] = true
		}
	}
	for _, key := range l.env.keys {
		if l.frame.late != nil && l.frame.late.results[key] && !lp.changed[key] {
			continue
		}
		if lp.changed[key] || result[key] {
			keys = append(keys, key)
		}
	}
	return keys
}

// scalarZero gives an unset variable its zeros, if they are scalars; a sequence stays unset, as an error to be reported
// when it is read.
func (l *lowerer) scalarZero(key any, v value, pos token.Pos) value {
	ts, err := l.layout(v.typ)
	if err != nil {
		return value{bad: true}
	}
	z := value{typ: v.typ}
	for _, t := range ts {
		if !t.IsScalar() {
			z = arrayChoice(key, pos)
			z.typ, z.empty = v.typ, true
			return z
		}
		z.atoms = append(z.atoms, zeroConst(t.Kind))
	}
	return z
}

// changes reports whether e names one of the variables.
func (l *lowerer) changes(vars map[any]bool, e ast.Expr) bool {
	if key, _ := l.fieldSlot(e); key != nil {
		return vars[key]
	}
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := l.unit.info.Uses[id].(*types.Var)
	return ok && vars[v]
}
