package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"go/version"

	"golang.org/x/tools/go/types/typeutil"
)

// Note [Cells]
//
// A turn i of a loop may write to x[i] where no other turn reaches that element. It does not by the name x, as all uses
// of x in the loop are x[i] and len(x). There is no other name for the elements of x if x is owned: it gets nothing but
// new slices, and nothing else gets it, nor the address of an element of it. Where that is not so, x and the other
// variables of the loop are looked at as those of pure functions are: see Note [Pure functions].
//
// What x[i] leads to is another matter: x[i][j] may be x[i+1][j] too. A turn writes there if the elements of x are
// apart, which they are where they are zero, as behind make, or were assigned in turns of loops like this one, in which
// they got nothing that others hold.

// parallelLoop is a loop whose turns have nothing to do with each other.
type parallelLoop struct {
	label    string
	loop     ast.Stmt
	body     *ast.BlockStmt
	i        string   // counts the turns, as the source calls it; "" for a loop that does not name it
	least    ast.Expr // i begins with it, nil for 0
	bound    ast.Expr // and ends before it, nil for the length of over
	over     ast.Expr // the slice or array that the loop ranges over, nil for none
	value    *ast.Ident
	gathered []*types.Var // in the order in which the loop names them
	totals   []total
	private  []private
	tallied  []*types.Var // slices of integers to whose elements turns add
	left     []*ast.ReturnStmt
}

// total is an integer that turns change, each in the same way.
type total struct {
	v  *types.Var
	by string // the method of exec.Total that a thread calls at its end
	op string // what the loop does with what all threads have
}

// loop returns a loop if it can be a parallel one.
func (s *spreader) loop(stmt ast.Stmt, label string) *parallelLoop {
	l := &parallelLoop{label: label, loop: stmt}
	var i *types.Var
	switch x := stmt.(type) {
	case *ast.ForStmt:
		i = s.counted(l, x)
	case *ast.RangeStmt:
		i = s.ranged(l, x)
	}
	if l.body == nil || s.assigned(l.body, i) || !s.heavy(l.body) || !s.stays(l) {
		return nil
	}
	c := &captures{spreader: s, loop: l, i: i, captured: map[*types.Var]int{}}
	if !c.collect() || !c.classify() || !c.alone() {
		return nil
	}
	return l
}

// counted recognises for i := a; i < n; i++, where i is no part of n.
func (s *spreader) counted(l *parallelLoop, x *ast.ForStmt) *types.Var {
	init, ok := x.Init.(*ast.AssignStmt)
	if !ok || init.Tok != token.DEFINE || len(init.Lhs) != 1 || len(init.Rhs) != 1 {
		return nil
	}
	i, ok := s.info.Defs[init.Lhs[0].(*ast.Ident)].(*types.Var)
	cond, isCond := x.Cond.(*ast.BinaryExpr)
	post, isPost := x.Post.(*ast.IncDecStmt)
	if !ok || !isCond || !isPost || i.Type() != types.Typ[types.Int] || cond.Op != token.LSS || post.Tok != token.INC ||
		variable(s.info, cond.X) != i || variable(s.info, post.X) != i || mentions(s.info, cond.Y, map[*types.Var]bool{i: true}) ||
		s.info.TypeOf(cond.Y) != types.Typ[types.Int] || !s.steadyExpr(cond.Y) {
		return nil
	}
	l.body, l.i, l.least, l.bound = x.Body, i.Name(), init.Rhs[0], cond.Y
	return i
}

// assigned reports whether a body assigns a variable, or takes its address; no variable is not assigned.
func (s *spreader) assigned(body *ast.BlockStmt, v *types.Var) (found bool) {
	uses(body, func(id *ast.Ident, stack []ast.Node) {
		found = found || v != nil && s.info.Uses[id] == types.Object(v) && isTarget(stack, len(stack)-1)
	})
	return found
}

// steadyExpr reports whether an expression is made of variables, their lengths and numbers: then it has the same value
// in every turn of a loop that assigns none of these.
func (s *spreader) steadyExpr(e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case nil, *ast.Ident, *ast.BasicLit, *ast.ParenExpr, *ast.BinaryExpr:
		case *ast.SelectorExpr:
			_, isVar := s.info.Uses[n.Sel].(*types.Var)
			ok = ok && (!isVar || !isPointer(s.info.TypeOf(n.X)))
		case *ast.CallExpr:
			ok = ok && (isBuiltin(s.info, n, "len") || isBuiltin(s.info, n, "min") || isBuiltin(s.info, n, "max"))
		default:
			ok = false
		}
		return ok
	})
	return ok
}

// ranged recognises loops over numbers, slices and arrays.
func (s *spreader) ranged(l *parallelLoop, x *ast.RangeStmt) *types.Var {
	if x.Tok == token.ASSIGN {
		return nil
	}
	t := s.info.TypeOf(x.X).Underlying()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem().Underlying()
	}
	switch t := t.(type) {
	case *types.Slice, *types.Array:
		l.over = x.X
	case *types.Basic:
		if of := types.Unalias(s.info.TypeOf(x.X)); of != types.Typ[types.Int] && t.Kind() != types.UntypedInt {
			return nil
		}
		l.bound = x.X
	default:
		return nil
	}
	var i *types.Var
	if id, ok := x.Key.(*ast.Ident); ok && id.Name != "_" {
		if i, ok = s.info.Defs[id].(*types.Var); !ok || i.Type() != types.Typ[types.Int] {
			return nil
		}
		l.i = id.Name
	}
	if id, ok := x.Value.(*ast.Ident); ok && id.Name != "_" {
		l.value = id
	}
	l.body = x.Body
	return i
}

// sharesCounters reports whether the turns of loops in a function have one variable for all, as before Go 1.22.
func sharesCounters(f *function) bool {
	for _, file := range f.unit.files {
		if file.FileStart <= f.decl.Pos() && f.decl.Pos() < file.FileEnd && file.GoVersion != "" && version.Compare(file.GoVersion, "go1.22") < 0 {
			return true
		}
	}
	return false
}

// heavy reports whether turns do enough for threads to matter: they have loops, or, where the loop runs once, call
// functions of the program.
func (s *spreader) heavy(body *ast.BlockStmt) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			found = true
		case *ast.CallExpr:
			tv := s.info.Types[n.Fun]
			if tv.IsType() || tv.IsBuiltin() || s.depth > 0 {
				break
			}
			f, _ := typeutil.Callee(s.info, n).(*types.Func)
			found = found || f == nil || f.Pkg() == nil || f.Pkg().Path() != "math"
		}
		return !found
	})
	return found
}

// stays reports whether control leaves the loop at its end only, or by returns of errors, which it notes.
func (s *spreader) stays(l *parallelLoop) bool {
	inner := map[string]bool{}
	ast.Inspect(l.body, func(n ast.Node) bool {
		if x, ok := n.(*ast.LabeledStmt); ok {
			inner[x.Label.Name] = true
		}
		return true
	})
	ok := true
	var look func(n ast.Node, breaks, continues bool)
	look = func(n ast.Node, breaks, continues bool) { // whether these are those of a statement in the body
		ast.Inspect(n, func(m ast.Node) bool {
			if m == n {
				return true
			}
			switch m := m.(type) {
			case *ast.FuncLit:
				return false
			case *ast.DeferStmt:
				ok = false
			case *ast.ForStmt, *ast.RangeStmt:
				look(m, true, true)
				return false
			case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
				look(m, true, continues)
				return false
			case *ast.BranchStmt:
				switch {
				case m.Label != nil && inner[m.Label.Name]:
				case m.Label != nil:
					ok = ok && m.Tok == token.CONTINUE && m.Label.Name == l.label
				case m.Tok == token.BREAK:
					ok = ok && breaks
				}
			case *ast.ReturnStmt:
				ok = ok && s.fails(m)
				l.left = append(l.left, m)
			}
			return ok
		})
	}
	look(l.body, false, false)
	return ok
}

// fails reports whether a return gives an error back, or false behind other results: most calls do not come to it.
func (s *spreader) fails(r *ast.ReturnStmt) bool {
	results := s.fn.obj.Signature().Results()
	if results.Len() == 0 {
		return false
	}
	last := results.At(results.Len() - 1).Type()
	if len(r.Results) != results.Len() {
		return isError(last) && len(r.Results) == 1
	}
	x := r.Results[len(r.Results)-1]
	if isError(last) {
		return !s.info.Types[x].IsNil()
	}
	b, ok := last.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0 && len(r.Results) > 1 && text(x) == "false"
}
