package load

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
)

// Note [Arrays of slices]
//
//	var dp [2][]float64             dp := make([][]float64, 2)
//	dp[0], dp[1] = …          →     dp[0], dp[1] = …
//	cur, prev := dp[i%2], …         cur, prev := dp[i%2], …
//
// Lowering gives the slices of an array a variable each, where their indices are constants, or become so as loops are
// unrolled. Where they are computed, a slice of rows is what it knows. A literal of an array or of a slice is one
// assignment an element behind that.

// arraysOfSlices rewrites the arrays that Note [Arrays of slices] is about, and literals of slices that are no
// constants.
func (r *rewriter) arraysOfSlices(fd *ast.FuncDecl) {
	lists(fd.Body, func(list []ast.Stmt, _ token.Pos) (out []ast.Stmt) {
		for i, s := range list {
			v, t, lit := r.declaredRows(s)
			if v == nil || lit != nil && (!r.plainElements(lit) || namesIdent(lit, v.Name())) || !r.predeclared(s.Pos(), "make") {
				out = append(out, s)
				continue
			}
			size := len(r.elements(lit))
			if n, _, isArray := isArray(v.Type()); isArray {
				if !r.onlyIndexed(fd, list[i+1:], v) {
					out = append(out, s)
					continue
				}
				size = int(n)
			}
			r.changed = true
			pos := s.Pos()
			made := callTo("make", pos, &ast.ArrayType{Lbrack: pos, Elt: t.Elt}, number(strconv.Itoa(size), pos))
			out = append(out, set(name(v.Name(), pos), token.DEFINE, made, pos))
			if e := r.elementsAlike(lit); e != nil {
				key := name(unusedName(fd, "k"), pos)
				at := &ast.IndexExpr{X: name(v.Name(), pos), Lbrack: pos, Index: key, Rbrack: pos}
				out = append(out, &ast.RangeStmt{For: pos, Key: key, TokPos: pos, Tok: token.DEFINE, Range: pos, X: name(v.Name(), pos),
					Body: &ast.BlockStmt{Lbrace: pos, List: []ast.Stmt{set(at, token.ASSIGN, e, pos)}, Rbrace: pos}})
				continue
			}
			for k, e := range r.elements(lit) {
				at := &ast.IndexExpr{X: name(v.Name(), e.Pos()), Lbrack: e.Pos(), Index: number(strconv.Itoa(k), e.Pos()), Rbrack: e.Pos()}
				out = append(out, set(at, token.ASSIGN, e, e.Pos()))
			}
		}
		return out
	})
}

// globalRows rewrites package-level arrays of slices that are written out, and that the package uses element by
// element, to slices of slices: an element is found by its index, and not chosen among all.
func (r *rewriter) globalRows(files []*ast.File) bool {
	for _, f := range files {
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			for _, spec := range g.Specs {
				r.globalRow(files, spec.(*ast.ValueSpec))
			}
		}
	}
	return r.changed
}

func (r *rewriter) globalRow(files []*ast.File, spec *ast.ValueSpec) {
	if len(spec.Names) != 1 || len(spec.Values) != 1 || spec.Type != nil {
		return
	}
	v, _ := r.info.Defs[spec.Names[0]].(*types.Var)
	lit, _ := ast.Unparen(spec.Values[0]).(*ast.CompositeLit)
	if v == nil || lit == nil {
		return
	}
	t, ok := lit.Type.(*ast.ArrayType)
	if !ok || t.Len == nil || !isSlice(r.info.TypeOf(t.Elt)) || v.Exported() {
		return
	}
	uses, known, computed := 0, 0, false
	for _, f := range files {
		for _, d := range f.Decls {
			counted := map[*types.Var]bool{}
			if fd, ok := d.(*ast.FuncDecl); ok && fd.Body != nil {
				counted = r.countedVariables(fd)
			}
			a, b, c := r.elementUses(d, v, counted)
			uses, known, computed = uses+a, known+b, computed || c
		}
	}
	n, _, _ := isArray(v.Type())
	at, last := int64(-1), int64(-1)
	for _, e := range lit.Elts {
		at++
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			k, exact := constant.Int64Val(constant.ToInt(r.info.Types[kv.Key].Value))
			if !exact {
				return
			}
			at = k
		}
		last = max(last, at)
	}
	if uses != known || !computed {
		return
	}
	r.changed, r.arrays[v.Name()] = true, true
	if last < n-1 { // so that the slice is as long
		lit.Elts = append(lit.Elts, &ast.KeyValueExpr{Key: number(strconv.FormatInt(n-1, 10), lit.Rbrace), Colon: lit.Rbrace, Value: name("nil", lit.Rbrace)})
	}
	lit.Type = &ast.ArrayType{Lbrack: t.Lbrack, Elt: t.Elt}
}

func (r *rewriter) elements(lit *ast.CompositeLit) []ast.Expr {
	if lit == nil {
		return nil
	}
	return lit.Elts
}

// namesIdent reports whether an identifier in n has a name.
func namesIdent(n ast.Node, name string) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == name
		return !found
	})
	return found
}

// elementsAlike is what each element of a literal is, make([]T, n) of a variable or the length of one; nil if they
// differ.
func (r *rewriter) elementsAlike(lit *ast.CompositeLit) ast.Expr {
	var first *ast.CallExpr
	for _, e := range r.elements(lit) {
		call, ok := ast.Unparen(e).(*ast.CallExpr)
		if !ok || !isBuiltin(r.info, call, "make") || len(call.Args) != 2 || mayCall(r.info, call.Args[1]) || first != nil && text(call) != text(first) {
			return nil
		}
		if first == nil {
			first = call
		}
	}
	if first == nil || len(lit.Elts) < 2 {
		return nil
	}
	return first
}

// declaredRows is the variable that s declares as an array of slices, by its type or by a literal, or as a slice of
// slices by a literal; nil for others.
func (r *rewriter) declaredRows(s ast.Stmt) (v *types.Var, t *ast.ArrayType, lit *ast.CompositeLit) {
	switch s := s.(type) {
	case *ast.DeclStmt:
		g := s.Decl.(*ast.GenDecl)
		if g.Tok != token.VAR || len(g.Specs) != 1 {
			return nil, nil, nil
		}
		if spec := g.Specs[0].(*ast.ValueSpec); len(spec.Names) == 1 && len(spec.Values) == 0 {
			v, _ = r.info.Defs[spec.Names[0]].(*types.Var)
			t, _ = spec.Type.(*ast.ArrayType)
		}
		if t == nil || t.Len == nil {
			return nil, nil, nil
		}
	case *ast.AssignStmt:
		if s.Tok != token.DEFINE || len(s.Lhs) != 1 || len(s.Rhs) != 1 {
			return nil, nil, nil
		}
		lit, _ = ast.Unparen(s.Rhs[0]).(*ast.CompositeLit)
		if lit == nil {
			return nil, nil, nil
		}
		v, _ = r.info.Defs[s.Lhs[0].(*ast.Ident)].(*types.Var)
		t, _ = lit.Type.(*ast.ArrayType)
	}
	if v == nil || t == nil || !isSlice(r.info.TypeOf(t.Elt)) || isLarge(v.Type()) {
		return nil, nil, nil
	}
	return v, t, lit
}

// plainElements reports whether a literal lists its elements, and one of them is computed.
func (r *rewriter) plainElements(lit *ast.CompositeLit) bool {
	computed := false
	for _, e := range lit.Elts {
		switch e := ast.Unparen(e).(type) {
		case *ast.KeyValueExpr:
			return false
		case *ast.CompositeLit:
			if e.Type == nil {
				return false
			}
		case *ast.CallExpr:
			computed = true
		}
	}
	return computed
}

// onlyIndexed reports whether statements use the array v element by element, one of them at an index that is no
// constant when the loops around it are unrolled.
func (r *rewriter) onlyIndexed(fd *ast.FuncDecl, list []ast.Stmt, v *types.Var) bool {
	uses, known, computed := 0, 0, false
	counted := r.countedVariables(fd)
	for _, s := range list {
		a, b, c := r.elementUses(s, v, counted)
		uses, known, computed = uses+a, known+b, computed || c
	}
	return computed && uses == known
}

// elementUses is how often n uses the array v, how often of these element by element, for its length, where that
// need not be a constant, or in a loop over its indices, and whether an index is computed from other variables than
// those.
func (r *rewriter) elementUses(n ast.Node, v *types.Var, counted map[*types.Var]bool) (uses, known int, computed bool) {
	is := func(e ast.Expr) bool { return variable(r.info, e) == v }
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if r.info.Uses[n] == types.Object(v) {
				uses++
			}
		case *ast.IndexExpr:
			if is(n.X) {
				known++
				computed = computed || !r.steadyIndex(n.Index, counted)
			}
		case *ast.RangeStmt:
			if is(n.X) && n.Value == nil {
				known++
			}
		case *ast.CallExpr:
			if len(n.Args) == 1 && is(n.Args[0]) && isBuiltin(r.info, n, "len") {
				known++
			}
		case *ast.ArrayType:
			if n.Len != nil && mentions(r.info, n.Len, map[*types.Var]bool{v: true}) {
				uses++
			}
		case *ast.KeyValueExpr:
			if mentions(r.info, n.Key, map[*types.Var]bool{v: true}) {
				uses++
			}
		case *ast.GenDecl:
			if n.Tok == token.CONST && mentions(r.info, n, map[*types.Var]bool{v: true}) {
				uses++
			}
		}
		return true
	})
	return uses, known, computed
}

// countedVariables are those that loops of a function count with, from a constant to a constant.
func (r *rewriter) countedVariables(fd *ast.FuncDecl) map[*types.Var]bool {
	counted := map[*types.Var]bool{}
	add := func(e ast.Expr) {
		if id, ok := e.(*ast.Ident); ok {
			if v, ok := r.info.Defs[id].(*types.Var); ok {
				counted[v] = true
			}
		}
	}
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.RangeStmt:
			if isArrayType(r.info.TypeOf(n.X)) || r.info.Types[n.X].Value != nil {
				add(n.Key)
			}
		case *ast.ForStmt:
			init, isInit := n.Init.(*ast.AssignStmt)
			cond, isCond := n.Cond.(*ast.BinaryExpr)
			if isInit && isCond && len(init.Lhs) == 1 && r.info.Types[init.Rhs[0]].Value != nil && r.info.Types[cond.Y].Value != nil {
				add(init.Lhs[0])
			}
		}
		return true
	})
	return counted
}

// steadyIndex reports whether e is computed from constants and counted variables alone.
func (r *rewriter) steadyIndex(e ast.Expr, counted map[*types.Var]bool) bool {
	if v := r.info.Types[e].Value; v != nil && v.Kind() == constant.Int {
		return true
	}
	steady := true
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			v, isVar := r.info.Uses[id].(*types.Var)
			steady = steady && (!isVar || counted[v])
		}
		_, isCall := n.(*ast.CallExpr)
		steady = steady && !isCall
		return steady
	})
	return steady
}
