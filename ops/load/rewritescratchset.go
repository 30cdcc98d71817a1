package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// filling finds out whether a turn sets all elements of a buffer before it uses any.
type filling struct {
	r     *rewriter
	fd    *ast.FuncDecl
	decls funcDecls
	v     *types.Var // the buffer

	array  bool                // it is an array
	nested bool                // its elements are those of the arrays in it
	grows  bool                // it is empty at first, and appended to
	length sum                 // how many elements it has; nil for one that grows
	behind []ast.Stmt          // the declaration, in its list; nil where that is not known
	turn   *ast.BlockStmt      // the turn, of a buffer that is made with zeros and that turns alone use; nil else
	others map[*types.Var]sum  // how many other buffers have, that each turn has as well
	same   map[*types.Var]bool // buffers that have as many, and may change places with it

	first  int                     // how many elements at the beginning are set
	start  int                     // where the loop at hand begins to count
	early  map[*ast.IndexExpr]bool // elements that turns before have set
	counts map[*types.Var]bool     // what the loops at hand count by, and do not assign
	calls  int                     // how many functions are around

	counter   *types.Var // what the loop at hand counts by, whose first turn is looked at; nil for all turns
	counterIs int64      // what it is in that turn
}

// touches reports whether a part of the source may use elements of the buffer: its length is the same in all turns.
func (f *filling) touches(n ast.Node) bool {
	found := false
	uses(n, func(id *ast.Ident, stack []ast.Node) {
		if variable(f.r.info, id) != f.v {
			return
		}
		call, isCall := stack[max(len(stack)-2, 0)].(*ast.CallExpr)
		found = found || f.grows || !isCall || !isBuiltin(f.r.info, call, "len")
	})
	return found
}

// setsNext is how many elements a statement assigns, by their numbers, of which the first one is the first that is not
// set. It uses none.
func (f *filling) setsNext(s ast.Stmt) (n int) {
	a, ok := s.(*ast.AssignStmt)
	if !ok || a.Tok != token.ASSIGN || f.grows || mentionsIn(f.r.info, a.Rhs, f.v) {
		return 0
	}
	for _, e := range a.Lhs {
		x, isIndex := ast.Unparen(e).(*ast.IndexExpr)
		if !isIndex || variable(f.r.info, x.X) != f.v {
			if mentionsIn(f.r.info, []ast.Expr{e}, f.v) {
				return 0
			}
			continue
		}
		if c, isConst := intConst(f.r.info, x.Index); !isConst || c != int64(f.first+n) {
			return 0
		}
		n++
	}
	return n
}

// sets reports whether a statement that is no loop sets all elements, or empties a buffer that grows, and uses none.
func (f *filling) sets(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ExprStmt:
		call, ok := ast.Unparen(s.X).(*ast.CallExpr)
		return ok && f.callSets(call)
	case *ast.AssignStmt:
		if len(s.Rhs) != 1 || len(s.Lhs) == 1 && variable(f.r.info, s.Lhs[0]) == f.v && s.Tok == token.ASSIGN {
			return len(s.Rhs) == 1 && (f.grows && f.r.isEmptied(s.Rhs[0], f.v) || f.array && !mentionsIn(f.r.info, s.Rhs, f.v))
		}
		call, ok := ast.Unparen(s.Rhs[0]).(*ast.CallExpr)
		return ok && !mentionsIn(f.r.info, s.Lhs, f.v) && f.callSets(call)
	}
	return false
}

// callSets reports whether a call sets all elements of the buffer.
func (f *filling) callSets(call *ast.CallExpr) bool {
	at := -1
	passed, receives := f.r.passed(call)
	for i, a := range passed {
		if !f.touches(a) {
			continue
		}
		if at >= 0 || !f.isWhole(a) {
			return false
		}
		at = i
	}
	if at < 0 || !receives && mentionsIn(f.r.info, []ast.Expr{call.Fun}, f.v) {
		return false
	}
	switch {
	case f.grows:
		return false
	case isBuiltin(f.r.info, call, "clear"):
		return true
	case isBuiltin(f.r.info, call, "copy"):
		return at == 0 && f.lengthOf(call.Args[1]).equal(f.length)
	}
	fd, p := f.r.parameter(f.decls, call, at)
	if fd == nil || f.calls > 3 || !isSlice(p.Type()) && !isPointer(p.Type()) {
		return false
	}
	inner := &filling{r: f.r, fd: fd, decls: f.decls, v: p, nested: f.nested && isPointer(p.Type()), calls: f.calls + 1}
	if inner.changes(p) || outOfOrder(fd.Body) {
		return false
	}
	if inner.length = f.length; isSlice(p.Type()) {
		inner.length = sum{"len:" + inner.key(p): 1}
	}
	for i, s := range fd.Body.List { // no return before they are set
		if returnsIn(s) {
			return false
		}
		if set, ok := inner.before(fd.Body.List[:i+1]); set || !ok {
			return set && ok
		}
	}
	return false
}

// before is [fillings.before] for one buffer, no element of which is set at first: it reports whether all are set
// behind the statements.
func (f *filling) before(list []ast.Stmt) (set, ok bool) {
	have, ok := fillings{f}.before(list, []int{0})
	return ok && have[0] == allSet, ok
}

// isWhole reports whether e is the buffer, v[:], or the address of an array.
func (f *filling) isWhole(e ast.Expr) bool {
	if of, ok := ast.Unparen(e).(*ast.UnaryExpr); ok && of.Op == token.AND && f.array {
		e = of.X
	}
	if cut, ok := ast.Unparen(e).(*ast.SliceExpr); ok && cut.Low == nil && cut.High == nil && cut.Max == nil {
		e = cut.X
	}
	return variable(f.r.info, e) == f.v
}

// passed is what a call passes on by its value: the arguments, and in front of them what a method receives.
func (r *rewriter) passed(call *ast.CallExpr) (all []ast.Expr, receives bool) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return call.Args, false
	}
	m := r.info.Selections[sel]
	if m == nil || m.Kind() != types.MethodVal || len(m.Index()) > 1 || types.IsInterface(m.Recv()) || isPointer(m.Obj().(*types.Func).Signature().Recv().Type()) {
		return call.Args, false
	}
	return append([]ast.Expr{sel.X}, call.Args...), true
}

// passes reports whether a call passes on an expression by its value.
func (r *rewriter) passes(call *ast.CallExpr, x ast.Expr) bool {
	passed, _ := r.passed(call)
	return slices.Contains(passed, x)
}

// parameter is the function of the package that a call calls, and which of its parameters, or its receiver, gets what
// is passed as number at; nil if that is not known.
func (r *rewriter) parameter(decls funcDecls, call *ast.CallExpr, at int) (*ast.FuncDecl, *types.Var) {
	id := calleeIdent(call)
	if id == nil {
		return nil, nil
	}
	fn, ok := r.info.Uses[id].(*types.Func)
	if !ok || decls[fn] == nil || fn.Signature().Variadic() {
		return nil, nil
	}
	if _, receives := r.passed(call); receives {
		if at == 0 {
			return decls[fn], fn.Signature().Recv()
		}
		at--
	}
	if at >= fn.Signature().Params().Len() {
		return nil, nil
	}
	return decls[fn], fn.Signature().Params().At(at)
}

func returnsIn(n ast.Node) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		_, isReturn := n.(*ast.ReturnStmt)
		found = found || isReturn
		return !found && !isFuncLit(n)
	})
	return found
}

// counted is what a loop counts by, from 0 on or from the first element on that is not set, and to which number; nil if
// it does not count so, or leaves earlier.
func (f *filling) counted(loop ast.Stmt) (i *types.Var, n sum) {
	var id ast.Expr
	var body *ast.BlockStmt
	switch s := loop.(type) {
	case *ast.RangeStmt:
		if s.Tok != token.DEFINE || s.Key == nil || s.Value != nil && !isBlank(s.Value) && f.touches(s.X) {
			return nil, nil
		}
		t := f.r.info.TypeOf(s.X)
		if t == nil {
			return nil, nil
		}
		switch t.Underlying().(type) {
		case *types.Basic: // a text has no sum
			n = f.sum(s.X)
		case *types.Slice, *types.Array:
			n = f.lengthOf(s.X)
		}
		id, body, f.start = s.Key, s.Body, 0
	case *ast.ForStmt:
		init, isInit := s.Init.(*ast.AssignStmt)
		cond, isCond := s.Cond.(*ast.BinaryExpr)
		post, isPost := s.Post.(*ast.IncDecStmt)
		if !isInit || !isCond || !isPost || init.Tok != token.DEFINE || len(init.Lhs) != 1 || cond.Op != token.LSS && cond.Op != token.LEQ || post.Tok != token.INC {
			return nil, nil
		}
		c, isConst := intConst(f.r.info, init.Rhs[0])
		lacks := isConst && f.turn != nil // see [filling.lacks]
		if v := variable(f.r.info, init.Rhs[0]); v != nil && v == f.counter {
			c, isConst = f.counterIs, true
		}
		if !isConst || c < 0 || c > int64(f.first) && !lacks || !f.isSteady(cond.Y) {
			return nil, nil
		}
		f.start = int(c)
		id, body, n = init.Lhs[0], s.Body, f.sum(cond.Y)
		if cond.Op == token.LEQ && n != nil {
			n = n.plus(sum{"": 1}, 1)
		}
		v, _ := f.r.info.Defs[id.(*ast.Ident)].(*types.Var)
		if v == nil || variable(f.r.info, cond.X) != v || variable(f.r.info, post.X) != v {
			return nil, nil
		}
	}
	v, isVar := id.(*ast.Ident)
	if !isVar || n == nil {
		return nil, nil
	}
	i, _ = f.r.info.Defs[v].(*types.Var)
	if i == nil || !isIntType(i.Type()) || f.r.changes(body, i) || f.leavesEarly(body) {
		return nil, nil
	}
	return i, n
}

// branches reports whether n has a break, a continue or the like.
func branches(n ast.Node) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		_, isBranch := n.(*ast.BranchStmt)
		found = found || isBranch
		return !found
	})
	return found
}

// fillsAll reports whether a loop, or two loops one in the other, assign each element, and use none but the one that
// they have just assigned.
func (f *filling) fillsAll(loop ast.Stmt) bool {
	i, n := f.counted(loop)
	if f.grows || i == nil {
		return false
	}
	f.counts = map[*types.Var]bool{i: true}
	defer func() { f.counts = nil }()
	body, _ := loopParts(loop)
	one := sum{f.key(i): 1}
	start := f.start
	if n.equal(f.length) && f.assigns(body, i, one) {
		return start <= f.first || f.lacks(loop, start)
	}
	if f.sameInTurns(loop) && f.lacks(loop, -1) && f.assigns(body, i, one) {
		return true
	}
	if branches(body) {
		return false
	}
	var inner ast.Stmt
	for _, s := range body.List {
		if mentions(f.r.info, s, map[*types.Var]bool{f.v: true}) {
			if inner != nil {
				return false
			}
			inner = s
		}
	}
	if f.first > 0 { // the loops may leave out as many turns
		return false
	}
	j, m := f.counted(inner)
	if j == nil || !n.times(m).equal(f.length) || !f.isLength(loop) && !f.isLength(inner) {
		return false // if both numbers were negative, their product would not be
	}
	if (start > 0 || f.start > 0) && !f.lacks(loop, -1) {
		return false
	}
	f.counts[j] = true
	body, _ = loopParts(inner)
	other := sum{f.key(j): 1}
	return f.assigns(body, j, one.times(m).plus(other, 1)) || f.assigns(body, nil, other.times(n).plus(one, 1))
}

// isLength reports whether a loop counts to a number that is not negative.
func (f *filling) isLength(loop ast.Stmt) bool {
	var to ast.Expr
	switch s := loop.(type) {
	case *ast.RangeStmt:
		if !isIntType(f.r.info.TypeOf(s.X)) {
			return true
		}
		to = s.X
	case *ast.ForStmt:
		to = s.Cond.(*ast.BinaryExpr).Y
	}
	if v := variable(f.r.info, to); v != nil {
		if of := f.definition(v); of != nil {
			to = of
		}
	}
	return f.r.isLength(to)
}
