package load

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// sum is an integer expression as a sum of products: how often each product is in it. Its keys are the products of
// names, of variables, fields, lengths, and what else is not taken apart; "" is 1. Two expressions with the same sums
// have the same value wherever names have, as integers wrap.
type sum map[string]int64

func constantSum(n int64) sum { return sum{"": n}.withoutZeros() }

func (s sum) withoutZeros() sum {
	maps.DeleteFunc(s, func(_ string, n int64) bool { return n == 0 })
	return s
}

func (s sum) plus(t sum, factor int64) sum {
	out := maps.Clone(s)
	for k, n := range t {
		out[k] += factor * n
	}
	return out.withoutZeros()
}

func (s sum) times(t sum) sum {
	out := sum{}
	for k, n := range s {
		for l, m := range t {
			factors := slices.DeleteFunc(append(strings.Split(k, "·"), strings.Split(l, "·")...), func(f string) bool { return f == "" })
			slices.Sort(factors)
			out[strings.Join(factors, "·")] += n * m
		}
	}
	return out.withoutZeros()
}

// minus is the difference of two sums, where that is a constant.
func (s sum) minus(t sum) (c int64, ok bool) {
	if s == nil || t == nil {
		return 0, false
	}
	rest := s.plus(t, -1)
	c = rest[""]
	delete(rest, "")
	return c, len(rest) == 0
}

// ofLengths reports whether all but the constant of a sum are lengths, which are not negative.
func (s sum) ofLengths() bool {
	for part, n := range s {
		if part != "" && (n < 0 || !strings.HasPrefix(part, "len:") || strings.Contains(part, "·")) {
			return false
		}
	}
	return true
}

func (s sum) equal(t sum) bool { return s != nil && t != nil && maps.Equal(s, t) }

// with is the part of a sum whose products have a factor.
func (s sum) with(factor string) sum {
	out := sum{}
	for k, n := range s {
		if slices.Contains(strings.Split(k, "·"), factor) {
			out[k] = n
		}
	}
	return out
}

// text is the same for equal sums.
func (s sum) text() string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(s)) {
		parts = append(parts, fmt.Sprintf("%d·%s", s[k], k))
	}
	return "(" + strings.Join(parts, "+") + ")"
}

// sum takes an integer expression of type int apart; nil if that is not known.
func (f *filling) sum(e ast.Expr) sum {
	e = ast.Unparen(e)
	if c, ok := intConst(f.r.info, e); ok {
		return constantSum(c)
	}
	if !isIntType(f.r.info.TypeOf(e)) {
		return nil
	}
	switch e := e.(type) {
	case *ast.Ident:
		v := variable(f.r.info, e)
		if v == nil {
			return nil
		}
		if of := f.definition(v); of != nil && f.isSteady(of) {
			if s := f.sum(of); s != nil {
				return s
			}
		}
		return sum{f.key(v): 1}
	case *ast.SelectorExpr:
		if p := f.path(e); p != "" {
			return sum{p: 1}
		}
	case *ast.BinaryExpr:
		x, y := f.sum(e.X), f.sum(e.Y)
		if x == nil || y == nil {
			return nil
		}
		switch e.Op {
		case token.ADD:
			return x.plus(y, 1)
		case token.SUB:
			return x.plus(y, -1)
		case token.MUL:
			return x.times(y)
		case token.QUO, token.REM, token.SHR, token.AND:
			return sum{strings.ReplaceAll(x.text()+e.Op.String()+y.text(), "·", "."): 1}
		}
	case *ast.CallExpr:
		if isBuiltin(f.r.info, e, "len") {
			return f.lengthOf(e.Args[0])
		}
		for _, name := range []string{"min", "max"} {
			if isBuiltin(f.r.info, e, name) {
				return f.extreme(name, e.Args)
			}
		}
	}
	return nil
}

// extreme is the least or the greatest of several numbers, as a number of its own.
func (f *filling) extreme(name string, of []ast.Expr) sum {
	for _, e := range of {
		s := f.sum(e)
		if s == nil {
			return nil
		}
		name += " " + strings.ReplaceAll(s.text(), "·", ".")
	}
	return sum{name: 1}
}

// lengthOf is the length of a slice or an array, nil if that is not known.
func (f *filling) lengthOf(e ast.Expr) sum {
	e = ast.Unparen(e)
	t := f.r.info.TypeOf(e)
	if t == nil {
		return nil
	}
	if n, _, ok := isArray(t); ok {
		return constantSum(n)
	}
	if v := variable(f.r.info, e); f.length != nil && v != nil && (v == f.v || f.same[v]) {
		return f.length
	}
	if n := f.others[variable(f.r.info, e)]; n != nil {
		return n
	}
	switch e := e.(type) {
	case *ast.SliceExpr:
		hi, lo := f.lengthOf(e.X), constantSum(0)
		if e.High != nil {
			hi = f.sum(e.High)
		}
		if e.Low != nil {
			lo = f.sum(e.Low)
		}
		if t := f.r.info.TypeOf(e.X); hi != nil && lo != nil && (isSlice(t) || isArrayType(t)) {
			return hi.plus(lo, -1)
		}
		return nil
	case *ast.Ident, *ast.SelectorExpr:
		if v := variable(f.r.info, e); v != nil && !f.changes(v) {
			if n := f.madeLength(v); n != nil {
				return n
			}
		}
		if p := f.path(e); p != "" && (isSlice(t) || isString(t)) {
			return sum{"len:" + p: 1}
		}
	}
	return nil
}

// key names a variable.
func (f *filling) key(v *types.Var) string { return fmt.Sprintf("%p", v) }

// path names a variable, or a field of one that no pointer leads to; "" if e is neither.
func (f *filling) path(e ast.Expr) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v := variable(f.r.info, e); v != nil {
			return f.key(v)
		}
	case *ast.SelectorExpr:
		s := f.r.info.Selections[e]
		if p := f.path(e.X); s != nil && s.Kind() == types.FieldVal && !s.Indirect() && p != "" {
			return p + "." + e.Sel.Name
		}
	}
	return ""
}

// isSteady reports whether no variable of e changes once it is declared, or once the buffer is, but for those that
// count the loops at hand, so that e has the same value wherever it stands.
func (f *filling) isSteady(e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		if id, isIdent := n.(*ast.Ident); isIdent && ok {
			if v, isVar := f.r.info.Uses[id].(*types.Var); isVar && !v.IsField() {
				ok = f.counts[v] || f.same[v] || !isGlobal(v) && v.Parent() != nil && (!f.changes(v) || f.stays(v))
			}
		}
		return ok
	})
	return ok
}

// stays reports whether a number of the function does not change in the statements behind the buffer's declaration.
func (f *filling) stays(v *types.Var) bool {
	return len(f.behind) > 0 && v.Pos() < f.behind[0].Pos() && types.Identical(v.Type(), types.Typ[types.Int]) && !inLiterals(f.r.info, f.fd.Body, v) && !f.addressed(v) &&
		!slices.ContainsFunc(f.behind, func(s ast.Stmt) bool { return f.r.changes(s, v) })
}

// addressed reports whether the address of a variable is taken.
func (f *filling) addressed(v *types.Var) (found bool) {
	ast.Inspect(f.fd.Body, func(n ast.Node) bool {
		x, ok := n.(*ast.UnaryExpr)
		found = found || ok && x.Op == token.AND && variable(f.r.info, x.X) == v
		return !found
	})
	return found
}

// changes reports whether a variable, or a part of it, may change behind its declaration.
func (f *filling) changes(v *types.Var) bool {
	found := f.r.changes(f.fd.Body, v)
	part := func(e ast.Expr) bool { return rootOf(f.r.info, e) == v }
	ast.Inspect(f.fd.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			found = found || n.Tok != token.DEFINE && slices.ContainsFunc(n.Lhs, part)
		case *ast.IncDecStmt:
			found = found || part(n.X)
		case *ast.RangeStmt:
			found = found || n.Tok == token.ASSIGN && (part(n.Key) || n.Value != nil && part(n.Value))
		case *ast.UnaryExpr:
			found = found || n.Op == token.AND && part(n.X)
		case *ast.SelectorExpr: // a method that gets its address
			s := f.r.info.Selections[n]
			if s != nil && s.Kind() != types.FieldVal && part(n.X) && !isPointer(f.r.info.TypeOf(n.X)) {
				recv := s.Obj().(*types.Func).Signature().Recv()
				found = found || recv == nil || isPointer(recv.Type())
			}
		}
		return !found
	})
	return found
}

// definition is what a variable is declared as, if it never changes; nil if that is not known.
func (f *filling) definition(v *types.Var) (of ast.Expr) {
	ast.Inspect(f.fd.Body, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && a.Tok == token.DEFINE && len(a.Lhs) == len(a.Rhs) {
			for i, e := range a.Lhs {
				if id, ok := e.(*ast.Ident); ok && f.r.info.Defs[id] == types.Object(v) {
					of = a.Rhs[i]
				}
			}
		}
		return of == nil
	})
	if of == nil || !isIntType(v.Type()) || f.changes(v) {
		return nil
	}
	return of
}

// isIntType reports whether t is int, or a named type of it.
func isIntType(t types.Type) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Int
}

// madeLength is the length that a slice is made with, where that is known to be the same wherever it stands.
func (f *filling) madeLength(v *types.Var) (n sum) {
	ast.Inspect(f.fd.Body, func(m ast.Node) bool {
		a, ok := m.(*ast.AssignStmt)
		if !ok || a.Tok != token.DEFINE || len(a.Lhs) != len(a.Rhs) {
			return true
		}
		for i, e := range a.Lhs {
			id, ok := e.(*ast.Ident)
			if !ok || f.r.info.Defs[id] != types.Object(v) {
				continue
			}
			call, ok := ast.Unparen(a.Rhs[i]).(*ast.CallExpr)
			if ok && isBuiltin(f.r.info, call, "make") && len(call.Args) > 1 && f.isSteady(call.Args[1]) {
				n = f.sum(call.Args[1])
			}
		}
		return true
	})
	return n
}
