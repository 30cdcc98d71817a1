package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// Note [Parts with a name]
//
// row := m[i*w : (i+1)*w] is another name of a part of the slice m, and so is what a function returns whose only
// statement of that kind is return m[i*w:(i+1)*w]. Where the elements of either may be assigned from there on, the name
// is that of a place, as that of a row of a grid is (see Note [Grids]): a pointer whose last step leads to the part.
// Elsewhere it is a view, after which m is not updated any more. The slice is one that the function made, which does
// not grow as long as there is the name, or an array in memory; where it may be replaced by another one, or grow, the
// name is an error as soon as it is used. A name that is cut again once, dst = dst[:n], is that of a part of its part.
// What a loop ranges over is such a place without a name, for as long as the loop runs: that may be a part of a slice
// that grows elsewhere.

// cutUpTo notes that x is cut up to hi, nil for all of it, which may be beyond its length where nobody knows its
// capacity.
func (l *lowerer) cutUpTo(x value, hi ast.Expr) {
	if hi != nil && x.own == nil && !isString(x.typ) && !l.unit.standard {
		l.kernel.Cuts = true
	}
}

// cutReference is the part e of a slice as a place; its ref is nil if it is none, and it is bad if that was reported.
// It may be one of a slice that grows if that is said to be at hand for as long as nothing is appended.
func (l *lowerer) cutReference(e ast.Expr, grows bool) value {
	cut, ok := ast.Unparen(e).(*ast.SliceExpr)
	if !ok || cut.Slice3 {
		return value{}
	}
	p := l.cutBase(cut.X)
	if p == nil {
		inner := l.partOf(cut.X, grows)
		if inner.ref == nil {
			return value{bad: inner.bad}
		}
		p = inner.ref
	}
	whole := l.follow(p)
	if whole.bad || whole.own == nil || whole.own.escaped.IsValid() || whole.own.depth != l.ops || whole.grows && !grows || whole.grid != nil ||
		whole.rows != nil || whole.grow != nil || len(whole.atoms) == 0 {
		return value{}
	}
	var n ir.Atom
	if length, _, isArr := isArray(whole.typ); isArr && isVector(whole.typ) && inMemory(whole) {
		n = ir.IntConst(ir.Int, length)
	} else if isArr || !flatElements(whole.typ) {
		return value{}
	} else {
		n = l.length(whole)
		l.kernel.Cuts = l.kernel.Cuts || whole.grows && cut.High != nil // it may end behind the length
	}
	lo, hi := l.cutBounds(cut, n)
	if lo == nil || hi == nil {
		return value{bad: true}
	}
	l.pos = e.Pos()
	l.check(ir.CheckBounds, "slice", text(e), lo, hi, l.capacityOf(p, n))
	t := l.unit.info.TypeOf(cut)
	return value{typ: t, ref: p.to(step{typ: t, at: lo, size: l.arith(ir.Sub, hi, lo), text: text(e), pos: e.Pos(), checked: true})}
}

// cut is the part of v that the step leads to.
func (s step) cut(l *lowerer, v value) value {
	return value{typ: s.typ, atoms: v.arrays(), own: v.own, off: l.sum(v.off, s.at), row: s.size}
}

// isCut reports whether p leads to a part of a slice, or into one.
func (p *pointer) isCut() bool {
	for _, s := range p.steps {
		if s.size != nil {
			return true
		}
	}
	return false
}

// namedPart is e, the value of a new variable v or an argument, as a place, if that is what Note [Parts with a name]
// says. of says whether the function assigns elements under that name.
func (l *lowerer) namedPart(e ast.Expr, v *types.Var, of bool) value {
	switch e := ast.Unparen(e).(type) {
	case *ast.SliceExpr:
		base := e.X
		for inner, ok := ast.Unparen(base).(*ast.SliceExpr); ok; inner, ok = ast.Unparen(base).(*ast.SliceExpr) {
			base = inner.X
		}
		p := l.cutBase(base)
		if row, ok := ast.Unparen(base).(*ast.IndexExpr); ok && !isArrayType(l.unit.info.TypeOf(base)) && !l.callsFunctions(base) {
			p, _ = l.gridOf(row.X)
		}
		call, isCall := ast.Unparen(base).(*ast.CallExpr)
		isCall = isCall && l.isView(call)
		if p == nil && !isCall || p != nil && !of && !l.updatedBehind(e.Pos(), p.root, v) {
			return value{}
		}
		part := l.cutReference(e, p != nil && v != nil && l.keptBehind(e, p.root, v))
		if isCall && part.ref != nil && !of && !l.updatedBehind(e.Pos(), part.ref.root, v) {
			return value{}
		}
		return part
	case *ast.CallExpr:
		if !isSlice(l.unit.info.TypeOf(e)) || !l.returnsPart(e) {
			return value{}
		}
		if vs := l.callPlaces(e); len(vs) == 1 {
			if vs[0].ref == nil { // it is evaluated
				return value{typ: vs[0].typ, held: vs[0].held, bad: vs[0].bad, atoms: vs[0].atoms, own: vs[0].own, shared: vs[0].shared, at: e.Pos()}
			}
			if of || l.updatedBehind(e.Pos(), vs[0].ref.root, v) {
				return vs[0]
			}
			return l.load(vs[0].ref, e.Pos())
		}
	}
	return value{}
}

// updatedBehind reports whether elements of the slice with a key, or of the variable v, may be assigned by what runs
// behind the place pos in the function at hand. A slice of a caller may be.
func (l *lowerer) updatedBehind(pos token.Pos, key any, v *types.Var) bool {
	if len(l.stack) == 0 {
		return false
	}
	if !l.isOwnKey(key) {
		return true
	}
	var behind []ast.Node
	ast.Inspect(l.bodyOf(l.stack[len(l.stack)-1]), func(n ast.Node) bool {
		s, ok := n.(ast.Stmt)
		if !ok {
			return true
		}
		_, isFor := s.(*ast.ForStmt)
		_, isRange := s.(*ast.RangeStmt)
		if s.Pos() > pos || (isFor || isRange) && s.Pos() <= pos && pos < s.End() {
			behind = append(behind, s)
			return false
		}
		return true
	})
	keys := l.assigned(behind...)
	return keys[key] || v != nil && keys[v]
}

// keptBehind reports whether the slice with a key is the same one, and does not grow, for as long as there is the
// variable v, whose value e is a part of it: nothing behind it in the block that declares it appends to it.
func (l *lowerer) keptBehind(e ast.Expr, key any, v *types.Var) bool {
	declared, kept := false, true
	lists(l.bodyOf(l.stack[len(l.stack)-1]), func(list []ast.Stmt, _ token.Pos) []ast.Stmt {
		i := slices.IndexFunc(list, func(s ast.Stmt) bool {
			a, ok := s.(*ast.AssignStmt)
			return ok && a.Tok == token.DEFINE && within(a, e.Pos()) && within(a, v.Pos())
		})
		if i >= 0 {
			declared = true
			kept = !slices.ContainsFunc(list[i+1:], func(s ast.Stmt) bool { return l.mayReplace(s, key, map[ast.Node]bool{}) })
		}
		return list
	})
	return declared && kept
}

// isOwnKey reports whether the function at hand, and no caller of it, has the variable with a key.
func (l *lowerer) isOwnKey(key any) bool {
	for _, k := range l.env.keys[l.frame.start:] {
		if k == key {
			return true
		}
	}
	return false
}

// onlyReturn is what the only return statement of the function at hand returns, if it is the last statement and has
// one result.
func onlyReturn(body *ast.BlockStmt) ast.Expr {
	if body == nil || len(body.List) == 0 {
		return nil
	}
	last, ok := body.List[len(body.List)-1].(*ast.ReturnStmt)
	if !ok || len(last.Results) != 1 {
		return nil
	}
	count := 0
	ast.Inspect(body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			count++
		}
		return true
	})
	if count != 1 {
		return nil
	}
	return last.Results[0]
}

// returnsPart reports whether the function that e calls has one return statement, which returns a part of a slice, or a
// row.
func (l *lowerer) returnsPart(e *ast.CallExpr) bool {
	switch ast.Unparen(onlyReturn(l.calledBody(e))).(type) {
	case *ast.SliceExpr, *ast.IndexExpr:
		return true
	}
	return false
}

// calledBody is the body of the function that e calls, nil if that is not known.
func (l *lowerer) calledBody(e *ast.CallExpr) *ast.BlockStmt {
	id := calleeIdent(e)
	if id == nil {
		return nil
	}
	switch obj := l.unit.info.Uses[id].(type) {
	case *types.Var:
		if fn := l.env.vals[obj].fn; fn != nil && fn.lit != nil && len(l.stack) > 0 && !slices.Contains(l.stack[len(l.stack)-1].params(), obj) {
			return fn.lit.Body
		}
	case *types.Func:
		f := l.prog.callee(l.unit, id)
		if sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok && l.unit.info.Selections[sel] != nil {
			f = l.prog.method(l.unit.info.Selections[sel])
		}
		if f != nil && f.decl != nil && !f.unit.standard {
			return f.decl.Body
		}
	}
	return nil
}

// returnsPlace lowers the result e of a return statement as a part of a slice of a caller, and says whether it is one.
func (l *lowerer) returnsPlace(e ast.Expr) (value, bool) {
	if l.placesAt == 0 || l.placesAt != len(l.stack) {
		return value{}, false
	}
	body, _ := l.bodyOf(l.stack[len(l.stack)-1]).(*ast.BlockStmt)
	if only := onlyReturn(body); only == nil || only != e {
		return value{}, false
	}
	cut, isCut := ast.Unparen(e).(*ast.SliceExpr)
	of := e
	if isCut {
		of = cut.X
	}
	p := l.cutBase(of)
	if row, ok := ast.Unparen(of).(*ast.IndexExpr); ok && !isArrayType(l.unit.info.TypeOf(of)) {
		p, _ = l.gridOf(row.X)
	}
	if p == nil || l.isOwnKey(p.root) {
		return value{}, false
	}
	v := l.rowReference(e)
	if isCut {
		v = l.cutReference(e, false)
	}
	return v, v.ref != nil || v.bad
}

// callPlaces lowers a call whose results may be places.
func (l *lowerer) callPlaces(e *ast.CallExpr) []value {
	l.places = true
	defer func() { l.places = false }()
	return l.calls(e)
}

// replaces reports whether running n may give the variable or the field with the key another slice, or let it grow.
func (l *lowerer) mayReplace(n ast.Node, key any, seen map[ast.Node]bool) bool {
	if n == nil || seen[n] {
		return false
	}
	seen[n] = true
	return l.mayReplaceIn(l.unit, n, key, seen)
}

func (l *lowerer) mayReplaceIn(u *unit, n ast.Node, key any, seen map[ast.Node]bool) bool {
	target := func(u *unit, e ast.Expr) bool {
		switch e := ast.Unparen(e).(type) {
		case *ast.Ident:
			obj := u.info.ObjectOf(e)
			return obj != nil && (any(obj) == key || hasSlices(obj.Type()) && !isVarKey(key))
		case *ast.SelectorExpr, *ast.StarExpr:
			t := u.info.TypeOf(e)
			return t != nil && (isSlice(t) || hasSlices(t))
		}
		return false
	}
	return l.reaches(u, n, seen, func(u *unit, n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			return n.Tok == token.ASSIGN && slices.ContainsFunc(n.Lhs, func(e ast.Expr) bool { return target(u, e) })
		case *ast.UnaryExpr:
			id, ok := ast.Unparen(n.X).(*ast.Ident)
			return ok && n.Op == token.AND && any(u.info.ObjectOf(id)) == key
		}
		return false
	})
}

// reaches reports whether something is in n, or in the functions that are called there.
func (l *lowerer) reaches(u *unit, n ast.Node, seen map[ast.Node]bool, is func(u *unit, n ast.Node) bool) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		found = found || is(u, n)
		if n, ok := n.(*ast.CallExpr); ok {
			id := calleeIdent(n)
			if id == nil {
				return !found
			}
			switch obj := u.info.Uses[id].(type) {
			case *types.Var:
				if fn := l.env.vals[obj].fn; fn != nil && fn.lit != nil && !seen[fn.lit] {
					seen[fn.lit] = true
					found = found || l.reaches(fn.unit, fn.lit.Body, seen, is)
				}
			case *types.Func:
				f := l.prog.callee(u, id)
				if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok && u.info.Selections[sel] != nil {
					f = l.prog.method(u.info.Selections[sel])
				}
				if f != nil && f.decl.Body != nil && !f.unit.standard && !seen[f.decl] {
					seen[f.decl] = true
					found = found || l.reaches(f.unit, f.decl.Body, seen, is)
				}
			}
		}
		return !found
	})
	return found
}

func isVarKey(key any) bool {
	_, ok := key.(*types.Var)
	return ok
}

// strandParts makes names of parts unusable, at the beginning of a loop which may replace the slices that they are
// parts of.
func (l *lowerer) strandParts(lp *loop) {
	for _, key := range l.env.keys {
		ref := l.env.vals[key].ref
		if ref == nil || !ref.isCut() || !lp.changed[ref.root] {
			continue
		}
		if l.mayReplace(lp.syntax(), ref.root, map[ast.Node]bool{}) {
			l.strand(l.env, ref.root)
		}
	}
}

// strandCuts makes names of parts of the slice with the key unusable: the slice is another one from here on.
func (l *lowerer) strandCuts(key any) {
	for _, k := range l.env.keys {
		if ref := l.env.vals[k].ref; ref != nil && ref.root == key && ref.isCut() {
			l.strand(l.env, key)
			return
		}
	}
}

// argumentPart is argument number i of a call of f as a place, if f may update it, or something else may behind it.
func (l *lowerer) argumentPart(f *funcValue, i int, e ast.Expr) value {
	if f.lit == nil && f.decl == nil {
		return value{}
	}
	params := f.params()
	if f.recv != nil || f.decl != nil && f.decl.obj.Signature().Recv() != nil {
		i++
	}
	if i >= len(params) || !isSlice(params[i].Type()) {
		return value{}
	}
	writes := f.decl != nil && l.prog.writes(f.decl)[params[i]]
	if f.lit != nil {
		e := newEffects(l.prog, f.unit)
		e.walk(f.lit.Body)
		e.settle()
		writes = e.direct[params[i]]
	}
	return l.namedPart(e, nil, writes)
}
