package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// Note [Rewritten source]
//
// Some of what Go programmers write is Go of another form, which is what lowering knows: the source is rewritten, and
// type-checked again. Each rewriting keeps what the program means, whatever the rest of it is. Names of functions that
// it makes have a "·" in them, which no identifier of a program has.

// rewriter rewrites the functions of a package.
type rewriter struct {
	fset    *token.FileSet
	info    *types.Info
	pkg     *types.Package
	changed bool
	own     map[*types.Var]bool // slices that the function at hand makes where it declares them
	helpers map[string]bool     // functions of [helperText] that are called
	texts   []string            // of other functions that are called
	arrays  map[string]bool     // package-level arrays that become slices

	editedFields map[*types.Var]bool
	lefts        int // variables that say how loops were left
}

// rewritings are all rewritings, in their order. The source is type-checked behind each that changes it.
var rewritings = []func(r *rewriter, files []*ast.File) bool{
	each((*rewriter).iterators),
	each((*rewriter).splitNames),
	(*rewriter).otherNames,
	each((*rewriter).listedSlices),
	each((*rewriter).arraysOfSlices),
	(*rewriter).globalRows,
	(*rewriter).fieldRows,
	each((*rewriter).elementsApart),
	each((*rewriter).placedRows),
	each((*rewriter).returnedAppends),
	(*rewriter).yields,
	(*rewriter).tables,
	(*rewriter).heaps,
	each((*rewriter).exchangesApart),
	each((*rewriter).renewals),
	(*rewriter).grownBuffers,
	each((*rewriter).partsApart),
	each((*rewriter).beginnings),
	(*rewriter).scratches,
	(*rewriter).scratches, // of turns of loops inside, too, what turns got in place of parts
	each((*rewriter).buffers),
	each((*rewriter).newSlices),
	each(func(r *rewriter, fd *ast.FuncDecl) { r.splitShifts(fd.Body) }),
	each((*rewriter).nones),
	each((*rewriter).filters),
	each((*rewriter).deletions),
	each((*rewriter).queues),
	each(func(r *rewriter, fd *ast.FuncDecl) { r.edits(fd.Body) }),
	(*rewriter).threads,
	each((*rewriter).exitsLast),
	each((*rewriter).wholeStructs),
	each((*rewriter).exchangedStructs),
	each((*rewriter).exchangedParameters),
	each(func(r *rewriter, fd *ast.FuncDecl) { r.frontiers(fd, fd.Body, nil) }),
	(*rewriter).rowsInTable,
	(*rewriter).rowsFirst,
	(*rewriter).listsApart,
	each((*rewriter).filledRows),
	each((*rewriter).parts),
	each((*rewriter).bounds),
	each(func(r *rewriter, fd *ast.FuncDecl) { r.characters(fd.Body) }),
}

// each is the rewriting that rewrites each function by itself.
func each(step func(r *rewriter, fd *ast.FuncDecl)) func(r *rewriter, files []*ast.File) bool {
	return func(r *rewriter, files []*ast.File) bool {
		r.findEdited(files)
		for _, fd := range functions(files) {
			r.own = r.owned(fd.Body)
			step(r, fd)
		}
		return r.changed
	}
}

// lists calls f for every list of statements in n, which it may replace.
func lists(n ast.Node, f func(list []ast.Stmt, end token.Pos) []ast.Stmt) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			n.List = f(n.List, n.End())
		case *ast.CaseClause:
			n.Body = f(n.Body, n.End())
		}
		return true
	})
}

func name(s string, pos token.Pos) *ast.Ident { return &ast.Ident{Name: s, NamePos: pos} }

func number(s string, pos token.Pos) *ast.BasicLit {
	return &ast.BasicLit{Kind: token.INT, Value: s, ValuePos: pos}
}

func set(to ast.Expr, tok token.Token, from ast.Expr, pos token.Pos) *ast.AssignStmt {
	return &ast.AssignStmt{Lhs: []ast.Expr{to}, Tok: tok, TokPos: pos, Rhs: []ast.Expr{from}}
}

func asStmt(n ast.Node) ast.Stmt {
	s, _ := n.(ast.Stmt)
	return s
}

// isEmpty reports whether e is []T{}, []T(nil) or make([]T, 0, n).
func (r *rewriter) isEmpty(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return len(e.Elts) == 0
	case *ast.CallExpr:
		if id := calleeIdent(e); id != nil && id.Name == "emptyFor·" {
			return true
		}
		if isBuiltin(r.info, e, "make") && len(e.Args) > 1 {
			c, ok := intConst(r.info, e.Args[1])
			return ok && c == 0
		}
		return len(e.Args) == 1 && r.info.Types[e.Fun].IsType() && r.info.Types[e.Args[0]].IsNil()
	}
	return false
}

func (r *rewriter) usesAny(list []ast.Stmt, v *types.Var) bool {
	return slices.ContainsFunc(list, func(s ast.Stmt) bool { return mentions(r.info, s, map[*types.Var]bool{v: true}) })
}

// rangedOver reports whether one of the loops ranges over something with v in it.
func (r *rewriter) rangedOver(loops []ast.Stmt, v *types.Var) bool {
	return slices.ContainsFunc(loops, func(s ast.Stmt) bool {
		l, ok := s.(*ast.RangeStmt)
		return ok && mentions(r.info, l.X, map[*types.Var]bool{v: true})
	})
}

// addressTaken reports whether the loops take the address of one of the variables, or function literals in them name
// one.
func (r *rewriter) addressTaken(loops []ast.Stmt, vars ...*types.Var) bool {
	of := map[*types.Var]bool{}
	for _, v := range vars {
		of[v] = true
	}
	found := false
	ast.Inspect(loops[0], func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			found = found || n.Op == token.AND && mentions(r.info, n.X, of)
		case *ast.FuncLit:
			found = found || mentions(r.info, n, of)
		}
		return !found
	})
	return found
}

func within(n ast.Node, pos token.Pos) bool { return n.Pos() <= pos && pos < n.End() }

// owned are the variables that n declares with a slice of their own.
func (r *rewriter) owned(n ast.Node) map[*types.Var]bool {
	own := map[*types.Var]bool{}
	add := func(id *ast.Ident, value ast.Expr) {
		v, ok := r.info.Defs[id].(*types.Var)
		if !ok {
			return
		}
		switch e := ast.Unparen(value).(type) {
		case nil, *ast.CompositeLit:
			own[v] = true
		case *ast.CallExpr:
			if isBuiltin(r.info, e, "make") || isBuiltin(r.info, e, "append") || r.isEmpty(e) || r.makesSlice(e) {
				own[v] = true
			}
		}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, to := range n.Lhs {
				if id, ok := to.(*ast.Ident); ok && n.Tok == token.DEFINE && len(n.Lhs) == len(n.Rhs) {
					add(id, n.Rhs[i])
				}
			}
		case *ast.ValueSpec:
			for i, id := range n.Names {
				switch {
				case len(n.Values) == 0:
					add(id, nil)
				case len(n.Values) == len(n.Names):
					add(id, n.Values[i])
				}
			}
		}
		return true
	})
	return own
}

// makesSlice reports whether c calls a function of package slices that returns a new slice.
func (r *rewriter) makesSlice(c *ast.CallExpr) bool {
	id := calleeIdent(c)
	if id == nil {
		return false
	}
	f, ok := r.info.Uses[id].(*types.Func)
	return ok && f.Pkg() != nil && f.Pkg().Path() == "slices" && slices.Contains([]string{"Clone", "Concat", "Repeat", "Collect", "Sorted"}, f.Name())
}
