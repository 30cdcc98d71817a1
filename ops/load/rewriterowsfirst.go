package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// Note [Rows before a loop]
//
// A table is often made row by row in the loop that fills it from the rows before, as in
//
//	table := make([][]float64, n+1)
//	table[0] = make([]float64, width)
//	for i := range n {
//		row := make([]float64, width)
//		… table[i][j] …
//		table[i+1] = row
//	}
//
// First such a row becomes table[i+1] = make([]float64, width) and row := table[i+1], which nobody sees before the row
// was stored: the loop looks at rows of earlier turns alone. Then all rows are made where the table is, in a loop of
// their own; or, where none is made before the loop, at the beginning of its turns, which lowering knows. That is so
// where all have one length, each of them is made, the loop is not left early, and nothing looks at a row before it is
// made.

// rowsInTable has the loops that Note [Rows before a loop] is about make their rows in the table.
func (r *rewriter) rowsInTable(files []*ast.File) bool {
	return r.tablesOfRows(files, (*rowTable).madeInTable)
}

// rowsFirst makes these rows before the loop.
func (r *rewriter) rowsFirst(files []*ast.File) bool {
	return r.tablesOfRows(files, (*rowTable).madeBefore)
}

// tablesOfRows rewrites the statements beside the declaration of a table to those that a step returns, if it does.
func (r *rewriter) tablesOfRows(files []*ast.File, step func(t *rowTable) []ast.Stmt) bool {
	decls := r.declared(files)
	for _, fd := range functions(files) {
		f := &filling{r: r, fd: fd, decls: decls}
		lists(fd.Body, func(list []ast.Stmt, _ token.Pos) []ast.Stmt {
			for i := range list {
				if t := f.rowTable(list, i); t != nil {
					if made := step(t); made != nil {
						r.changed = true
						return made
					}
				}
			}
			return list
		})
	}
	return r.changed
}

// rowTable is a slice of rows, and the loop that makes most of them.
type rowTable struct {
	*filling
	v     *types.Var
	rows  sum        // how many it has
	list  []ast.Stmt // the statements beside its declaration
	at    int        // that of them
	loop  int        // which of them is the loop
	heads int        // how many rows stand before the loop
	body  *ast.BlockStmt
	by    *types.Var // what the loop counts by
	limit sum        // what that stays below
	start int64
}

// rowTable returns the one that statement at of a list declares, nil if there is none, or no loop that makes its rows.
func (f *filling) rowTable(list []ast.Stmt, at int) *rowTable {
	a, ok := list[at].(*ast.AssignStmt)
	if !ok || a.Tok != token.DEFINE || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
		return nil
	}
	id, _ := a.Lhs[0].(*ast.Ident)
	v, _ := f.r.info.Defs[id].(*types.Var)
	call, ok := ast.Unparen(a.Rhs[0]).(*ast.CallExpr)
	if v == nil || !ok || !isBuiltin(f.r.info, call, "make") || len(call.Args) != 2 || !f.r.isRows(v.Type()) || !f.isSteady(call.Args[1]) || f.r.reassigned(f.fd, v) {
		return nil
	}
	t := &rowTable{filling: f, v: v, rows: f.sum(call.Args[1]), list: list, at: at}
	for t.loop = at + 1; t.loop < len(list); t.loop++ {
		s := list[t.loop]
		if e, _ := t.makes(s); e != nil {
			if c, ok := intConst(f.r.info, e); !ok || c != int64(t.heads) {
				return nil
			}
			t.heads++
			continue
		}
		if body, _ := loopParts(s); body != nil && slices.ContainsFunc(body.List, func(s ast.Stmt) bool { e, _ := t.stores(s); return e != nil }) {
			t.body = body
			break
		}
		if !t.looksBehind(s, nil) {
			return nil
		}
	}
	if t.rows == nil || t.body == nil {
		return nil
	}
	switch s := list[t.loop].(type) {
	case *ast.RangeStmt:
		if s.Value != nil && !isBlank(s.Value) && variable(f.r.info, s.X) == v {
			return nil
		}
	case *ast.ForStmt:
		init, ok := s.Init.(*ast.AssignStmt)
		post, steps := s.Post.(*ast.IncDecStmt)
		if !ok || !steps || post.Tok != token.INC || len(init.Rhs) != 1 {
			return nil
		}
		if t.start, ok = intConst(f.r.info, init.Rhs[0]); !ok {
			return nil
		}
	}
	t.by, t.limit = f.staysBelow(list[t.loop])
	if t.by == nil || slices.ContainsFunc(t.body.List, leavesLoop) || returnsIn(t.body) {
		return nil
	}
	return t
}

// isRows reports whether t is a slice of slices of numbers.
func (r *rewriter) isRows(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	return ok && flatElements(s.Elem())
}

// stores returns e and x in table[e] = x.
func (t *rowTable) stores(s ast.Stmt) (e, x ast.Expr) {
	a, ok := s.(*ast.AssignStmt)
	if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
		return nil, nil
	}
	at, ok := ast.Unparen(a.Lhs[0]).(*ast.IndexExpr)
	if !ok || variable(t.r.info, at.X) != t.v {
		return nil, nil
	}
	return at.Index, a.Rhs[0]
}

// makes returns e and the call in table[e] = make([]T, n).
func (t *rowTable) makes(s ast.Stmt) (e ast.Expr, call *ast.CallExpr) {
	e, x := t.stores(s)
	if e == nil || !t.isMade(x) {
		return nil, nil
	}
	return e, ast.Unparen(x).(*ast.CallExpr)
}

// isMade reports whether e is make([]T, n), with the same n wherever it stands behind the declaration of the table.
func (t *rowTable) isMade(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || !isBuiltin(t.r.info, call, "make") || len(call.Args) != 2 || t.sum(call.Args[1]) == nil || !t.isSteady(call.Args[1]) {
		return false
	}
	before := true
	ast.Inspect(call.Args[1], func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			v, isVar := t.r.info.Uses[id].(*types.Var)
			before = before && !(isVar && !v.IsField() && v.Pos() > t.v.Pos())
		}
		return before
	})
	return before
}

// looksBehind reports whether all that n does with the table is to take its length, and to use rows that are there:
// those before the loop, and in a turn those up to the one at made; nil where no turn runs.
func (t *rowTable) looksBehind(n ast.Node, made sum) bool {
	ok := true
	uses(n, func(id *ast.Ident, stack []ast.Node) {
		if !ok || variable(t.r.info, id) != t.v {
			return
		}
		switch p := stack[max(len(stack)-2, 0)].(type) {
		case *ast.CallExpr:
			ok = isBuiltin(t.r.info, p, "len")
		case *ast.RangeStmt: // over the numbers of the rows
			ok = p.X == ast.Expr(id) && (p.Value == nil || isBlank(p.Value))
		case *ast.IndexExpr:
			if c, isConst := intConst(t.r.info, p.Index); isConst {
				ok = p.X == ast.Expr(id) && c < int64(t.heads)
			} else {
				d, known := t.sum(p.Index).minus(made)
				ok = p.X == ast.Expr(id) && known && d <= 0
			}
			if a, assigns := stack[max(len(stack)-3, 0)].(*ast.AssignStmt); assigns {
				ok = ok && !slices.Contains(a.Lhs, ast.Expr(p))
			}
		default:
			ok = false
		}
	})
	return ok
}

// madeInTable rewrites a loop that stores a row at the end which it made before to one that makes it in the table, and
// returns the statements; nil for other loops.
func (t *rowTable) madeInTable() []ast.Stmt {
	for k, s := range t.body.List {
		e, x := t.stores(s)
		row := variable(t.r.info, x)
		if e == nil || row == nil {
			continue
		}
		made := t.sum(e)
		c, ok := made.minus(sum{t.key(t.by): 1})
		first := slices.IndexFunc(t.body.List[:k], func(s ast.Stmt) bool { return declares(t.r.info, s, row) })
		if !ok || first < 0 || t.start+c < 0 || t.r.reassigned(t.fd, row) || !t.looksBehind(&ast.BlockStmt{List: t.body.List[:k]}, made.plus(constantSum(1), -1)) ||
			!mentions(t.r.info, &ast.BlockStmt{List: slices.Concat(t.body.List[:k], t.body.List[k+1:])}, map[*types.Var]bool{t.v: true}) {
			return nil
		}
		free, ok := t.rows.minus(t.limit.plus(constantSum(c), 1))
		a, isAssign := t.body.List[first].(*ast.AssignStmt)
		if !ok || free < 0 || !isAssign || len(a.Rhs) != 1 || !t.isMade(a.Rhs[0]) ||
			!types.Identical(row.Type(), t.v.Type().Underlying().(*types.Slice).Elem()) {
			return nil
		}
		store := s.(*ast.AssignStmt)
		to := store.Lhs[0]
		store.Rhs[0], a.Rhs[0] = a.Rhs[0], copyOf(to)
		t.body.List = slices.Insert(slices.Delete(t.body.List, k, k+1), first, ast.Stmt(store))
		return t.list
	}
	return nil
}

// madeBefore returns the statements with a loop that makes all rows behind the declaration, nil if that may be another
// program.
func (t *rowTable) madeBefore() []ast.Stmt {
	k := slices.IndexFunc(t.body.List, func(s ast.Stmt) bool { e, _ := t.makes(s); return e != nil })
	if k < 0 || k == 0 && t.heads == 0 { // lowering knows a turn that begins with its row
		return nil
	}
	e, call := t.makes(t.body.List[k])
	made, n := t.sum(e), t.sum(call.Args[1])
	c, ok := made.minus(sum{t.key(t.by): 1})
	free, all := t.rows.minus(t.limit.plus(constantSum(c), 1))
	if !ok || !all || free != 0 || !t.fromOutside(e) || t.start+c != int64(t.heads) || !t.hasHeads() ||
		!t.looksBehind(&ast.BlockStmt{List: t.body.List[:k]}, made.plus(constantSum(1), -1)) || !t.looksBehind(&ast.BlockStmt{List: t.body.List[k+1:]}, made) {
		return nil
	}
	if t.heads == 0 { // let the turn begin with it
		s := t.body.List[k]
		t.body.List = slices.Insert(slices.Delete(t.body.List, k, k+1), 0, s)
		return t.list
	}
	var rest []ast.Stmt
	for i, s := range t.list[t.at+1:] {
		if _, head := t.makes(s); head != nil && t.at+1+i < t.loop {
			if !t.sum(head.Args[1]).equal(n) {
				return nil
			}
			continue
		}
		rest = append(rest, s)
	}
	pos := t.body.List[k].Pos()
	i := unusedName(t.fd, "i")
	row := &ast.IndexExpr{X: name(t.v.Name(), pos), Lbrack: pos, Index: name(i, pos), Rbrack: pos}
	loop := &ast.RangeStmt{For: pos, Key: name(i, pos), TokPos: pos, Tok: token.DEFINE, X: name(t.v.Name(), pos),
		Body: &ast.BlockStmt{Lbrace: pos, Rbrace: pos, List: []ast.Stmt{set(row, token.ASSIGN, call, pos)}}}
	t.body.List = slices.Delete(t.body.List, k, k+1)
	return slices.Concat(t.list[:t.at+1], []ast.Stmt{loop}, rest)
}

// fromOutside reports whether all variables that e names are from outside the body of the loop.
func (t *rowTable) fromOutside(e ast.Expr) bool {
	ok := true
	uses(e, func(id *ast.Ident, _ []ast.Node) {
		if v, isVar := t.r.info.Uses[id].(*types.Var); isVar && !v.IsField() {
			ok = ok && v.Pos().IsValid() && !within(t.body, v.Pos())
		}
	})
	return ok
}

// hasHeads reports whether the table surely has the rows that are made before the loop: it has as many as a sum of
// lengths and that number, or more.
func (t *rowTable) hasHeads() bool {
	if t.heads == 0 {
		return true
	}
	return t.rows.ofLengths() && t.rows[""] >= int64(t.heads)
}
