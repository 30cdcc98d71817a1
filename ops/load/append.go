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
// room for those of all turns is made before it; other loops run twice: see Note [Loops that run twice]. Wherever
// such a slice is used as a whole, it is a view of the elements that there are, and does not grow any more.
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
	if !ok || cut.Slice3 || cut.High == nil || !fromStart(info, cut) {
		return nil, nil
	}
	v := variable(info, a.Lhs[0])
	if v == nil || variable(info, cut.X) != v || !isSlice(v.Type()) {
		return nil, nil
	}
	return v, cut
}

// fromStart reports whether e is s[:n] or s[0:n].
func fromStart(info *types.Info, e *ast.SliceExpr) bool {
	if e.Low == nil {
		return true
	}
	c, ok := intConst(info, e.Low)
	return ok && c == 0
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
		x := l.env.vals[v]
		if x.grows && !x.bad {
			l.cut(v, x, cut)
			return true
		}
		if n, isConst := intConst(l.unit.info, cut.High); x.unset && isConst && n == 0 { // of nothing
			return true
		}
	}
	if l.appendBucket(s) {
		return true
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

// appendField lowers x.f = append(x.f, …) for a field that is kept as a variable, and *p = append(*p, …).
func (l *lowerer) appendField(key any, call *ast.CallExpr) {
	l.strandCuts(key)
	x := l.env.vals[key]
	if !l.mayAppend(x, text(call.Args[0]), call.Pos()) {
		l.env.vals[key] = value{bad: true}
		return
	}
	x.typ = keyType(key)
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
	if x.grow != nil && !x.bad {
		l.appendGrowing(v, x, call)
		return
	}
	if !flatElements(v.Type()) {
		l.bind(v, l.appendRows(x, v.Type(), call))
		return
	}
	l.strandCuts(v)
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
	case x.isOpen():
		return l.ensure(x, l.bin("n", ir.Add, x.atoms[len(x.atoms)-1], l.added(call)))
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
			return l.bin("at", ir.Add, n, i), l.elements(from, l.sum(y.off, i))
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
	if !flatElements(t) {
		return l.appendRows(x, t, e)
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
	case x.unset, x.own != nil && !x.own.escaped.IsValid(), l.makesRows(x):
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
