package load

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/surge-ndp/surge/ops/ir"
)

// Note [Growing slices]
//
// A slice that the function made and appends to is an array with room for all elements that there will be, and the
// number of those that there are: the last of its atoms. Assigning s = append(s, …) puts the elements behind those,
// and s = s[:n] only changes the number; both fail where there is no room. How much room there is, the source says:
// make([]T, 0, n). Where it does not, appends outside of loops are counted, and for a loop that counts its turns the
// room for those of all turns is made before it. Wherever such a slice is used as a whole, it is a view of the
// elements that there are, and does not grow any more.
//
// In Go, an append without room moves the slice to other memory. No one sees the difference, as the slice has no
// other name.

// appendTarget returns the variable and the call of the assignment s = append(s, …), nil for others.
func appendTarget(info *types.Info, s ast.Stmt) (*types.Var, *ast.CallExpr) {
	a, ok := s.(*ast.AssignStmt)
	if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
		return nil, nil
	}
	call, ok := ast.Unparen(a.Rhs[0]).(*ast.CallExpr)
	if !ok || !isBuiltin(info, call, "append") {
		return nil, nil
	}
	v := variable(info, a.Lhs[0])
	if v == nil || variable(info, call.Args[0]) != v {
		return nil, nil
	}
	return v, call
}

// appendedRune returns the variable of the assignment s = utf8.AppendRune(s, r), which appends up to four bytes; nil
// for others.
func appendedRune(info *types.Info, a *ast.AssignStmt) *types.Var {
	if len(a.Lhs) != 1 || len(a.Rhs) != 1 {
		return nil
	}
	call, ok := ast.Unparen(a.Rhs[0]).(*ast.CallExpr)
	if !ok || len(call.Args) != 2 {
		return nil
	}
	f, ok := info.Uses[calleeIdent(call)].(*types.Func)
	v := variable(info, a.Lhs[0])
	if !ok || f.FullName() != "unicode/utf8.AppendRune" || v == nil || variable(info, call.Args[0]) != v {
		return nil
	}
	return v
}

// cutTarget returns the variable and the slice expression of the assignment s = s[:n], nil for others.
func cutTarget(info *types.Info, s ast.Stmt) (*types.Var, *ast.SliceExpr) {
	a, ok := s.(*ast.AssignStmt)
	if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
		return nil, nil
	}
	cut, ok := ast.Unparen(a.Rhs[0]).(*ast.SliceExpr)
	if !ok || cut.Slice3 || cut.High == nil || cut.Low != nil {
		return nil, nil
	}
	v := variable(info, a.Lhs[0])
	if v == nil || variable(info, cut.X) != v || !isSlice(v.Type()) {
		return nil, nil
	}
	return v, cut
}

func variable(info *types.Info, e ast.Expr) *types.Var {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	v, _ := info.Uses[id].(*types.Var)
	return v
}

func isBuiltin(info *types.Info, call *ast.CallExpr, name string) bool {
	id := calleeIdent(call)
	if id == nil {
		return false
	}
	b, ok := info.Uses[id].(*types.Builtin)
	return ok && b.Name() == name
}

// inPlace lowers s if it appends to, or cuts off, a slice that grows, and says whether it is such a statement.
func (l *lowerer) inPlace(s *ast.AssignStmt) bool {
	if v, call := appendTarget(l.unit.info, s); v != nil {
		l.appendTo(v, call)
		return true
	}
	if v, cut := cutTarget(l.unit.info, s); v != nil {
		if x := l.env.vals[v]; x.grows && !x.bad {
			l.cut(v, x, cut)
			return true
		}
	}
	if key, call := l.fieldAppend(s); key != nil {
		l.appendField(key, call)
		return true
	}
	if key, cut := l.fieldCut(s); key != nil {
		if x := l.env.vals[key]; x.grows && !x.bad {
			l.cut(key, x, cut)
			return true
		}
	}
	return false
}

// appendField lowers x.f = append(x.f, …) for a field that is kept as a variable.
func (l *lowerer) appendField(key *slot, call *ast.CallExpr) {
	x := l.env.vals[key]
	if !l.mayAppend(x, text(call.Args[0]), call.Pos()) {
		l.env.vals[key] = value{bad: true}
		return
	}
	x.typ = key.typ
	if x = l.grown(x, text(call.Args[0]), call); !x.bad {
		x = l.appended(x, call)
	}
	l.bind(key, x)
}

// appendTo lowers v = append(v, …).
func (l *lowerer) appendTo(v *types.Var, call *ast.CallExpr) {
	x := l.env.vals[v]
	if x.ref != nil {
		l.store(call.Args[0], l.appendCall(call))
		return
	}
	if !l.mayAppend(x, v.Name(), call.Pos()) {
		l.env.vals[v] = value{bad: true}
		return
	}
	x.typ = v.Type()
	if x = l.roomFor(x, call); !x.bad {
		x = l.appended(x, call)
	}
	l.bind(v, x)
}

// roomFor gives x room for what the call appends, where that was not counted before: where x does not grow yet, and
// where a whole slice is appended on the path on which x was made.
func (l *lowerer) roomFor(x value, call *ast.CallExpr) value {
	switch {
	case !x.grows:
		return l.withRoom(x, l.added(call))
	case call.Ellipsis.IsValid() && !x.own.given && x.own.loops == l.loops && x.own.arms == l.arms:
		return l.withRoom(x, l.bin("more", ir.Add, l.added(call), l.free(x)))
	}
	return x
}

// free is how many elements there is room for behind those of x.
func (l *lowerer) free(x value) ir.Atom {
	return l.bin("free", ir.Sub, l.room(x), x.atoms[len(x.atoms)-1])
}

// added is how many elements a call of append appends, 0 if that is not known when the kernel is compiled.
func (l *lowerer) added(call *ast.CallExpr) ir.Atom {
	if call.Ellipsis.IsValid() {
		y := l.borrow(call.Args[1])
		if y.bad || len(y.atoms) == 0 {
			return ir.IntConst(ir.Int, 0)
		}
		return l.length(y)
	}
	return ir.IntConst(ir.Int, int64(len(call.Args)-1))
}

// appended is x, which has room, with the elements that the call appends.
func (l *lowerer) appended(x value, call *ast.CallExpr) value {
	n, room := x.atoms[len(x.atoms)-1], l.room(x)
	zero := ir.IntConst(ir.Int, 0)
	if call.Ellipsis.IsValid() {
		y := l.borrow(call.Args[1])
		if y.bad || len(y.atoms) == 0 {
			return value{bad: true}
		}
		more := l.length(y)
		next := l.bin("n", ir.Add, n, more)
		l.check(ir.CheckBounds, "append", text(call.Args[0]), zero, next, room)
		same := y.own != nil && y.own == x.own
		out := l.fill(x, more, func(i ir.Atom, now []ir.Atom) (ir.Atom, []ir.Atom) {
			from := y.arrays()
			if same {
				from = now
			}
			return l.bin("at", ir.Add, n, i), l.elements(from, i)
		})
		return out.withLength(next)
	}
	var elems []value
	for _, e := range call.Args[1:] {
		v := l.use(l.expr(e), e.Pos())
		if v.bad || v.fn != nil {
			return value{bad: true}
		}
		elems = append(elems, v)
	}
	next := l.bin("n", ir.Add, n, ir.IntConst(ir.Int, int64(len(elems))))
	l.check(ir.CheckBounds, "append", text(call.Args[0]), zero, next, room)
	for i, v := range elems {
		l.update(&x, l.bin("at", ir.Add, n, ir.IntConst(ir.Int, int64(i))), v)
	}
	x.own.updated = call.Pos()
	return x.withLength(next)
}

// appendCall lowers append as a value. A slice that has a name goes on under the one that the result gets: the first
// name is not used any more, unless it is assigned again.
func (l *lowerer) appendCall(e *ast.CallExpr) value {
	t := l.unit.info.TypeOf(e)
	x := value{typ: t, unset: true}
	name := variable(l.unit.info, e.Args[0])
	switch {
	case l.emptySlice(e.Args[0]):
		name = nil
	case name != nil:
		var key any = name
		if x = l.env.vals[name]; x.ref != nil && len(x.ref.steps) == 0 {
			key = x.ref.root
			x = l.env.vals[key]
		}
		if !l.mayAppend(x, name.Name(), e.Pos()) || l.env.captured(key) {
			return value{bad: true}
		}
		defer func() { l.env.set(key, moved(name.Name(), e.Pos())) }()
	default:
		if x = l.owning(e.Args[0]); !l.mayAppend(x, text(e.Args[0]), e.Pos()) {
			return value{bad: true}
		}
	}
	x.typ = t
	if x = l.roomFor(x, e); x.bad {
		return x
	}
	v := l.appended(x, e)
	v.typ = t
	if name == nil && !v.bad && !x.own.given { // it has exactly these elements
		v.atoms, v.grows = v.arrays(), false
	}
	return v
}

// mayAppend reports whether elements may be appended to x, and what is wrong if not.
func (l *lowerer) mayAppend(x value, name string, pos token.Pos) bool {
	switch {
	case x.bad:
		l.use(x, pos)
		return false
	case x.unset, x.own != nil && !x.own.escaped.IsValid():
		return true
	}
	if l.unit.standard { // of the user's argument
		l.problem(l.outside, appendProblem(l.outsideArg, x.typ))
		return false
	}
	if cutsFront(l.bodyOf(l.stack[len(l.stack)-1]), name) {
		l.problem(pos, problem{CodeAppend, "append to " + name + ", which is cut at its beginning elsewhere", "where a slice begins in its memory is fixed while it grows",
			"keep all elements, and count those that are taken: for head := 0; head < len(" + name + "); head++ { x := " + name + "[head]; … }"})
		return false
	}
	l.problem(pos, appendProblem(name, x.typ))
	return false
}

// cutsFront reports whether n has an assignment such as s = s[1:] for the slice of a name.
func cutsFront(n ast.Node, name string) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || len(a.Lhs) != len(a.Rhs) {
			return true
		}
		for i, e := range a.Rhs {
			s, ok := ast.Unparen(e).(*ast.SliceExpr)
			found = found || ok && s.Low != nil && types.ExprString(s.X) == name && types.ExprString(a.Lhs[i]) == name
		}
		return true
	})
	return found
}

// moved is the value of a slice that append took over under another name; it is an error as soon as it is read.
func moved(name string, pos token.Pos) value {
	p := problem{CodeAppend, name + " is used after its elements, and what was appended, got another name",
		"both would share their memory or not, as there was room or not", "assign the result of append to " + name + " itself, or append to a copy"}
	return value{bad: true, late: &p, at: pos}
}

// emptySlice reports whether e is nil, []T(nil) or []T{}.
func (l *lowerer) emptySlice(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return len(e.Elts) == 0
	case *ast.CallExpr:
		return len(e.Args) == 1 && l.unit.info.Types[e.Fun].IsType() && l.unit.info.Types[e.Args[0]].IsNil()
	}
	return l.unit.info.Types[e].IsNil()
}

// sliceType is the type t as an expression that may be converted to.
func sliceType(t types.Type) types.Type {
	if elem, ok := isSequence(t); ok && !isString(t) {
		return types.NewSlice(elem)
	}
	return t
}

func appendProblem(name string, t types.Type) problem {
	return problem{CodeAppend, "append to " + name + ", which is not a slice that the function made and nothing else names",
		"append may write behind the elements of a slice, where the memory belongs to whoever made it",
		"append to a copy: longer := append(" + typeName(sliceType(t)) + "(nil), " + name + "...), and then longer = append(longer, …)"}
}

// withRoom is x as a slice that grows, in memory of its own with room for so many elements more.
func (l *lowerer) withRoom(x value, more ir.Atom) value {
	var n ir.Atom = ir.IntConst(ir.Int, 0)
	if !x.unset {
		n = l.length(x)
	}
	size := n
	if !ir.IsInt(more, 0) {
		size = l.bin("room", ir.Add, n, more)
	}
	out := l.alloc(x.typ, size, l.pos)
	if out.bad {
		return out
	}
	if !x.unset {
		old := x.arrays()
		out = l.fill(out, n, func(i ir.Atom, _ []ir.Atom) (ir.Atom, []ir.Atom) { return i, l.elements(old, i) })
	}
	out.grows = true
	out.atoms = append(out.atoms, n)
	return out
}

// fill updates n elements of the sequences of v in a loop: turn i those at the place that at returns, with its
// elements. at gets the sequences as they are in that turn.
func (l *lowerer) fill(v value, n ir.Atom, at func(i ir.Atom, now []ir.Atom) (ir.Atom, []ir.Atom)) value {
	op := &ir.Loop{I: &ir.Var{Name: "i", T: ir.Scalar(ir.Int)}, Lo: ir.IntConst(ir.Int, 0), Hi: n, Body: &ir.Block{}}
	stmt := &ir.Stmt{Op: op}
	var now, after []ir.Atom
	for _, a := range v.arrays() {
		p, d := &ir.Var{Name: "made", T: a.Type()}, &ir.Var{Name: "made", T: a.Type()}
		l.auto[d] = true
		op.Params, op.Init, stmt.Dst = append(op.Params, p), append(op.Init, a), append(stmt.Dst, d)
		now, after = append(now, p), append(after, d)
	}
	outer := l.blk
	l.blk = op.Body
	place, elems := at(op.I, now)
	for k, p := range op.Params {
		op.Body.Results = append(op.Body.Results, l.emit("made", p.T, &ir.Update{X: p, I: place, Value: elems[k]}))
	}
	l.blk = outer
	l.append(stmt)
	out := v
	out.atoms = after
	if v.grows {
		out.atoms = append(out.atoms, v.atoms[len(v.atoms)-1])
	}
	out.own.updated = l.pos
	return out
}

// elements reads element i of each sequence.
func (l *lowerer) elements(arrays []ir.Atom, i ir.Atom) []ir.Atom {
	var out []ir.Atom
	for _, a := range arrays {
		out = append(out, l.emit("e", a.Type().Elem(), &ir.Index{X: a, I: i}))
	}
	return out
}

// arrays are the sequences of v, without the number of elements of a slice that grows.
func (v value) arrays() []ir.Atom {
	if v.grows {
		return v.atoms[: len(v.atoms)-1 : len(v.atoms)-1]
	}
	return v.atoms
}

// withLength is v, which grows, with another number of elements.
func (v value) withLength(n ir.Atom) value {
	v.atoms = append(v.arrays(), n)
	return v
}

// room is the number of elements that a slice that the function made has room for.
func (l *lowerer) room(x value) ir.Atom {
	return l.emit("room", ir.Scalar(ir.Int), &ir.Len{X: x.atoms[0]})
}

// settled is v as a sequence that does not grow any more: what there is of it.
func (l *lowerer) settled(v value, pos token.Pos) value {
	if v.held != nil {
		return l.sealed(v)
	}
	if !v.grows || v.bad {
		return v
	}
	if v.own != nil {
		v.own.escape(pos)
	}
	out := value{typ: v.typ, shared: v.own}
	for _, a := range v.arrays() {
		out.atoms = append(out.atoms, l.emit("part", a.Type(), &ir.View{Fn: ir.Slice, Args: []ir.Atom{a, ir.IntConst(ir.Int, 0), v.atoms[len(v.atoms)-1]}}))
	}
	return out
}

// cut lowers s = s[:n] of a slice that grows.
func (l *lowerer) cut(key any, x value, e *ast.SliceExpr) {
	n := l.expr(e.High)
	if n.bad || len(n.atoms) != 1 {
		return
	}
	next := l.toInt(n.atoms[0])
	l.check(ir.CheckBounds, "slice", text(e), ir.IntConst(ir.Int, 0), next, l.room(x))
	l.bind(key, x.withLength(next))
}

// makeGrowing lowers make([]T, n, room).
func (l *lowerer) makeGrowing(e *ast.CallExpr) value {
	n, room := l.expr(e.Args[1]), l.expr(e.Args[2])
	if n.bad || room.bad || len(n.atoms) != 1 || len(room.atoms) != 1 {
		return value{bad: true}
	}
	length, size := l.toInt(n.atoms[0]), l.toInt(room.atoms[0])
	l.check(ir.CheckBounds, "make", text(e), ir.IntConst(ir.Int, 0), length, size)
	v := l.alloc(l.unit.info.TypeOf(e), size, e.Pos())
	if v.bad {
		return v
	}
	v.grows, v.atoms = true, append(v.atoms, length)
	_, constant := size.(ir.Const)
	v.own.given, v.own.sized = !constant, true
	return v
}

// reserve makes room, before a loop, for what its turns append.
func (l *lowerer) reserve(lp *loop) {
	appends := map[any]int64{}
	var order []any
	l.appends(lp.body.List, 1, func(v any, n int64, pos token.Pos) {
		if x, ok := l.env.vals[v]; !ok || !x.unset && (x.own == nil || x.own.escaped.IsValid() || x.bad) || x.grows && (x.own.given || x.own.loops != l.loops) {
			return
		}
		if n < 0 || !lp.counted && lp.most == nil {
			if x := l.env.vals[v]; !x.grows {
				l.problem(pos, problem{CodeAppend, "how many elements the loop appends to " + keyName(v) + " is not known before it",
					"a slice that grows has its place in memory before the loop begins", "make it with room for all elements that there may be: " +
						keyName(v) + " := make(" + typeName(keyType(v)) + ", 0, n)"})
				l.env.vals[v] = value{bad: true}
			}
			return
		}
		if appends[v] == 0 {
			order = append(order, v)
		}
		appends[v] += n
	})
	for _, v := range order {
		turns := lp.most
		if lp.counted {
			turns = l.bin("turns", ir.Max, l.bin("turns", ir.Sub, lp.hi, lp.lo), ir.IntConst(ir.Int, 0))
		}
		if n := appends[v]; n != 1 {
			turns = l.bin("more", ir.Mul, turns, ir.IntConst(ir.Int, n))
		}
		if x := l.env.vals[v]; !x.bad {
			if x.grows { // what there is room for now is for later
				turns = l.bin("more", ir.Add, turns, l.free(x))
			}
			x.typ = keyType(v)
			x = l.withRoom(x, turns)
			if !x.bad {
				x.own.counted = lp
			}
			l.bind(v, x)
		}
	}
}

// appends calls f for every statement s = append(s, …) in the list, with the number of elements that it appends while
// the list is run times times, -1 if that is not known.
func (l *lowerer) appends(list []ast.Stmt, times int64, f func(key any, n int64, pos token.Pos)) {
	info := l.unit.info
	for _, s := range list {
		ast.Inspect(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ForStmt:
				l.appends(n.Body.List, turnsOf(info, n, times), f)
				return false
			case *ast.RangeStmt:
				inner := int64(-1)
				if length, _, ok := isArray(info.TypeOf(n.X)); ok && times > 0 {
					inner = length * times
				} else if c, ok := intConst(info, n.X); ok && times > 0 && c >= 0 && c < 1<<20 {
					inner = c * times
				}
				l.appends(n.Body.List, inner, f)
				return false
			case *ast.FuncLit:
				l.appends(n.Body.List, -1, f)
				return false
			case *ast.AssignStmt:
				var key any
				v, call := appendTarget(info, n)
				if v := appendedRune(info, n); v != nil && times > 0 {
					f(v, times*4, n.Pos())
					return true
				}
				if key = v; v == nil {
					field, of := l.fieldAppend(n)
					if field == nil {
						return true
					}
					key, call = field, of
				}
				count := times * int64(len(call.Args)-1)
				if times < 0 || call.Ellipsis.IsValid() {
					count = -1
				}
				f(key, count, call.Pos())
			}
			return true
		})
	}
}

// turnsOf is how many turns a for statement makes in all whose bounds are constants, if it runs so many times; -1 if
// that is not known.
func turnsOf(info *types.Info, s *ast.ForStmt, times int64) int64 {
	st, ok := stepsOf(info, s)
	if !ok || times < 0 {
		return -1
	}
	lo, isLo := intConst(info, st.lo)
	hi, isHi := intConst(info, st.hi)
	if !isLo || !isHi {
		return -1
	}
	vs, few := st.values(lo, hi)
	if !few {
		return -1
	}
	return int64(len(vs)) * times
}

// headroom gives a slice that the function at hand has just made, and appends to outside of loops, the room for that.
func (l *lowerer) headroom(v *types.Var, x value) value {
	if !isSlice(v.Type()) || x.bad || x.grows && x.own.given || len(l.stack) == 0 || !x.unset && (x.own == nil || x.own.escaped.IsValid()) {
		return x
	}
	body, ok := l.bodyOf(l.stack[len(l.stack)-1]).(*ast.BlockStmt)
	if !ok {
		return x
	}
	total := int64(0)
	l.appends(body.List, 1, func(u any, n int64, _ token.Pos) {
		if u == any(v) && n > 0 {
			total += n
		}
	})
	if total == 0 {
		return x
	}
	x.typ = v.Type()
	var more ir.Atom = ir.IntConst(ir.Int, total)
	if x.grows {
		more = l.bin("more", ir.Add, more, l.free(x))
	}
	return l.withRoom(x, more)
}

// copyCall lowers copy(dst, src), and returns how many elements it copies. Where both are parts of one slice, it
// begins at the end that is not overwritten before it is read.
func (l *lowerer) copyCall(e *ast.CallExpr) value {
	dst := l.region(e.Args[0])
	if dst == nil {
		return value{bad: true}
	}
	src := l.region(e.Args[1])
	var y value
	var from, m ir.Atom = ir.IntConst(ir.Int, 0), nil
	if src != nil && src.key == dst.key {
		y, from, m = src.v, src.lo, src.n
	} else {
		y = l.borrow(e.Args[1])
		if y.bad || len(y.atoms) == 0 {
			return value{bad: true}
		}
		m = l.length(y)
	}
	if !l.mayUpdate(dst.v, dst.name, e.Pos()) {
		return value{bad: true}
	}
	n := l.bin("n", ir.Min, dst.n, m)
	same := src != nil && src.key == dst.key
	var backward ir.Atom
	if same {
		backward = l.bin("backward", ir.Gt, dst.lo, from)
	}
	out := l.fill(dst.v, n, func(i ir.Atom, now []ir.Atom) (ir.Atom, []ir.Atom) {
		arrays := y.arrays()
		if same {
			arrays = now
			last := l.bin("t", ir.Sub, l.bin("t", ir.Sub, n, i), ir.IntConst(ir.Int, 1))
			i = l.emit("i", ir.Scalar(ir.Int), &ir.Select{Cond: backward, X: last, Y: i})
		}
		return l.bin("at", ir.Add, dst.lo, i), l.elements(arrays, l.bin("at", ir.Add, from, i))
	})
	l.bind(dst.key, out)
	return value{typ: types.Typ[types.Int], atoms: []ir.Atom{n}}
}

// clearCall lowers clear(s).
func (l *lowerer) clearCall(e *ast.CallExpr) value {
	dst := l.region(e.Args[0])
	if dst == nil {
		return value{bad: true}
	}
	if !l.mayUpdate(dst.v, dst.name, e.Pos()) {
		return value{bad: true}
	}
	l.bind(dst.key, l.fill(dst.v, dst.n, func(i ir.Atom, now []ir.Atom) (ir.Atom, []ir.Atom) {
		var zeros []ir.Atom
		for _, a := range now {
			zeros = append(zeros, zeroConst(a.Type().Kind))
		}
		return l.bin("at", ir.Add, dst.lo, i), zeros
	}))
	return value{typ: types.Typ[types.Int]}
}

// region is a part of a slice that has a name: n elements from lo on.
type region struct {
	key   any // of the variable
	name  string
	v     value
	lo, n ir.Atom
}

// region lowers s or s[lo:hi], where s is a variable; nil for others, and where the bounds cannot be lowered.
func (l *lowerer) region(e ast.Expr) *region {
	cut, isCut := ast.Unparen(e).(*ast.SliceExpr)
	base := e
	if isCut {
		base = cut.X
	}
	name := variable(l.unit.info, base)
	field := l.heldSlot(base)
	r := &region{name: text(base), lo: ir.IntConst(ir.Int, 0)}
	switch {
	case field != nil:
		r.key = field
	case name == nil || !isSlice(name.Type()):
		return nil
	default:
		r.key = name
		if x := l.env.vals[name]; x.ref != nil {
			if len(x.ref.steps) > 0 {
				return nil
			}
			r.key = x.ref.root
		}
	}
	bound := func(e ast.Expr, otherwise ir.Atom) ir.Atom {
		if e == nil {
			return otherwise
		}
		v := l.expr(e)
		if v.bad || len(v.atoms) != 1 {
			return nil
		}
		return l.toInt(v.atoms[0])
	}
	if r.v = l.env.vals[r.key]; r.v.unset && !r.v.bad {
		r.v = l.zero(r.v.typ, e.Pos())
	}
	if r.v.bad || len(r.v.atoms) == 0 {
		l.use(r.v, e.Pos())
		return nil
	}
	r.n = l.length(r.v)
	if isCut {
		r.lo = bound(cut.Low, r.lo)
		hi := bound(cut.High, r.n)
		if r.lo == nil || hi == nil {
			return nil
		}
		limit := r.n
		if r.v.grows {
			limit = l.room(r.v)
		}
		l.check(ir.CheckBounds, "slice", text(e), r.lo, hi, limit)
		r.n = l.bin("n", ir.Sub, hi, r.lo)
	}
	return r
}
