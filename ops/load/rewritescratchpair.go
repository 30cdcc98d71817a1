package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"math"
	"slices"
)

// fillings are those of buffers that change places with each other, or are given to one function: mostly there is one.
type fillings []*filling

// allSet is how many elements are set where all are.
const allSet = math.MaxInt

// before goes through statements, before which so many elements at the beginning of each buffer are set. It returns how
// many are set behind them, and false for ok if others may be used.
func (fs fillings) before(list []ast.Stmt, have []int) (after []int, ok bool) {
	have = slices.Clone(have)
	for _, s := range list {
		if l, isLabeled := s.(*ast.LabeledStmt); isLabeled {
			s = l.Stmt
		}
		if from := fs.exchange(s); from != nil {
			now := slices.Clone(have)
			for i, k := range from {
				now[i] = have[k]
			}
			have = now
			continue
		}
		if !fs.touched(s, have) && !fs.exchangesIn(s) {
			continue
		}
		switch s := s.(type) {
		case *ast.BlockStmt:
			have, ok = fs.before(s.List, have)
		case *ast.IfStmt:
			have, ok = fs.condition(s, have)
		case *ast.ForStmt, *ast.RangeStmt:
			have, ok = fs.loop(s, have)
		default:
			have, ok = fs.simple(s, have)
		}
		if !ok {
			return nil, false
		}
	}
	return have, true
}

// nest makes the elements of arrays in arrays those of the buffers, and reports whether there are such.
func (fs fillings) nest() (found bool) {
	for _, f := range fs {
		if n, _, isArr := isArray(f.v.Type()); isArr {
			if _, all := arrayBase(f.v.Type()); all != n {
				f.nested, f.length, found = true, constantSum(all), true
			}
		}
	}
	return found
}

// touched reports whether a part of the source uses elements of a buffer not all of which are set.
func (fs fillings) touched(n ast.Node, have []int) bool {
	for i, f := range fs {
		if have[i] != allSet && f.touches(n) {
			return true
		}
	}
	return false
}

// exchange says, of a statement that lets buffers change places, which one each is behind it; nil for other statements.
func (fs fillings) exchange(s ast.Stmt) []int {
	a, ok := s.(*ast.AssignStmt)
	if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != len(a.Rhs) || len(a.Lhs) < 2 || len(fs[0].same) < 2 {
		return nil
	}
	at := func(e ast.Expr) int {
		v := variable(fs[0].r.info, e)
		return slices.IndexFunc(fs, func(f *filling) bool { return f.v == v })
	}
	from, left, right := make([]int, len(fs)), map[int]bool{}, map[int]bool{}
	for i := range from {
		from[i] = i
	}
	for i, e := range a.Lhs {
		x, y := at(e), at(a.Rhs[i])
		if x < 0 || y < 0 {
			return nil
		}
		from[x], left[x], right[y] = y, true, true
	}
	if !maps.Equal(left, right) || len(left) != len(a.Lhs) {
		return nil
	}
	return from
}

func (fs fillings) exchangesIn(n ast.Node) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		s, ok := n.(ast.Stmt)
		found = found || ok && fs.exchange(s) != nil
		return !found
	})
	return found
}

func (fs fillings) condition(s *ast.IfStmt, have []int) (after []int, ok bool) {
	if s.Init != nil {
		if have, ok = fs.before([]ast.Stmt{s.Init}, have); !ok {
			return nil, false
		}
	}
	if fs.touched(s.Cond, have) {
		return nil, false
	}
	then, ok := fs.before(s.Body.List, have)
	other := have
	if ok && s.Else != nil {
		other, ok = fs.before([]ast.Stmt{s.Else}, have)
	}
	if !ok {
		return nil, false
	}
	return least(then, other), true
}

// least is how many elements are set on both of two ways.
func least(a, b []int) []int {
	both := slices.Clone(a)
	for i := range both {
		both[i] = min(both[i], b[i])
	}
	return both
}

func (fs fillings) loop(s ast.Stmt, have []int) (after []int, ok bool) {
	if filled := fs.filled(s, have); filled != nil {
		return filled, true
	}
	body, header := loopParts(s)
	if slices.ContainsFunc(header, func(n ast.Node) bool { return fs.touched(n, have) }) || fs.exchangesIn(body) && branches(body) {
		return nil, false
	}
	if after, ok = fs.turns(body, have); ok {
		return after, true
	}
	first := fs.firstTurn(s, have)
	if first == nil {
		return nil, false
	}
	if after, ok = fs.turns(body, first); !ok {
		return nil, false
	}
	return least(have, after), true
}

// turns is before for the turns of a loop, of which there may be none.
func (fs fillings) turns(body *ast.BlockStmt, have []int) (after []int, ok bool) {
	for { // until a turn begins with no less than the next one
		after, ok := fs.before(body.List, have)
		if !ok {
			return nil, false
		}
		next := least(have, after)
		if slices.Equal(next, have) {
			return have, true
		}
		have = next
	}
}

// firstTurn is what is set behind the first turn of a loop that counts from a constant on, as one that sets the
// elements from that of its counter on; nil if the turn uses others.
func (fs fillings) firstTurn(s ast.Stmt, have []int) (after []int) {
	loop, ok := s.(*ast.ForStmt)
	if !ok || branches(loop.Body) {
		return nil
	}
	init, ok := loop.Init.(*ast.AssignStmt)
	if !ok || init.Tok != token.DEFINE || len(init.Lhs) != 1 {
		return nil
	}
	v, _ := fs[0].r.info.Defs[init.Lhs[0].(*ast.Ident)].(*types.Var)
	lo, isConst := intConst(fs[0].r.info, init.Rhs[0])
	if v == nil || !isConst || !isIntType(v.Type()) || fs[0].r.changes(loop.Body, v) {
		return nil
	}
	around, is := fs[0].counter, fs[0].counterIs
	know := func(v *types.Var, is int64) {
		for _, f := range fs {
			f.counter, f.counterIs = v, is
		}
	}
	know(v, lo)
	after, ok = fs.before(loop.Body.List, have)
	if know(around, is); !ok {
		return nil
	}
	return after
}

// filled is what is set behind a loop that sets all elements of the buffers that it uses; nil if it does not.
func (fs fillings) filled(s ast.Stmt, have []int) []int {
	if fs.exchangesIn(s) {
		return nil
	}
	after := slices.Clone(have)
	for i, f := range fs {
		if have[i] == allSet || !f.touches(s) {
			continue
		}
		if f.first = have[i]; !f.fillsAll(s) {
			return nil
		}
		after[i] = allSet
	}
	return after
}

// simple is before for a statement that holds no others.
func (fs fillings) simple(s ast.Stmt, have []int) (after []int, ok bool) {
	after = slices.Clone(have)
	given := false // to a function that uses what it sets
	for i, f := range fs {
		if have[i] == allSet || !f.touches(s) {
			continue
		}
		f.first = have[i]
		if n := f.setsNext(s); n > 0 {
			if after[i] += n; constantSum(int64(after[i])).equal(f.length) {
				after[i] = allSet
			}
		} else if f.sets(s) {
			after[i] = allSet
		} else {
			given = true
		}
	}
	return after, !given || fs.given(s, have)
}

// given reports whether a statement gives buffers to functions, or parts of them, which use no elements but those that
// they have set, and does nothing else with them.
func (fs fillings) given(s ast.Stmt, have []int) bool {
	ok := true
	var calls []*ast.CallExpr
	for i, f := range fs {
		if have[i] == allSet {
			continue
		}
		uses(s, func(id *ast.Ident, st []ast.Node) {
			if variable(f.r.info, id) != f.v {
				return
			}
			arg, at := ast.Expr(id), len(st)-2
			if cut, isCut := st[max(at, 0)].(*ast.SliceExpr); isCut && cut.X == arg {
				arg, at = cut, at-1
			}
			if _, isMethod := st[max(at, 0)].(*ast.SelectorExpr); isMethod {
				at--
			}
			call, isCall := st[max(at, 0)].(*ast.CallExpr)
			length := isCall && !f.grows && isBuiltin(f.r.info, call, "len")
			ok = ok && (length || isCall && !slices.ContainsFunc(st, isFuncLit) && f.r.passes(call, arg))
			if ok && !length && !slices.Contains(calls, call) {
				calls = append(calls, call)
			}
		})
	}
	return ok && !slices.ContainsFunc(calls, func(call *ast.CallExpr) bool { return !fs.safe(call, have) })
}

// safe reports whether a function of the package uses no elements of the buffers that it gets but those that are set.
func (fs fillings) safe(call *ast.CallExpr, have []int) bool {
	var inner fillings
	var set []int
	length, equal := sum(nil), true
	var fd *ast.FuncDecl
	passed, _ := fs[0].r.passed(call)
	for at, e := range passed {
		cut, isPart := ast.Unparen(e).(*ast.SliceExpr)
		if isPart {
			e = cut.X
		}
		i := slices.IndexFunc(fs, func(f *filling) bool { return f.v == variable(f.r.info, e) })
		if i < 0 {
			continue
		}
		f := fs[i]
		of, p := f.r.parameter(f.decls, call, at)
		if of == nil || f.calls > 3 || f.grows || !isSlice(p.Type()) || outOfOrder(of.Body) {
			return false
		}
		n := f.lengthOf(passed[at])
		equal = equal && n != nil && (length == nil || n.equal(length))
		fd, length = of, n
		next := &filling{r: f.r, fd: of, decls: f.decls, v: p, calls: f.calls + 1}
		next.length = sum{"len:" + next.key(p): 1}
		inner, set = append(inner, next), append(set, have[i])
		if isPart && have[i] != allSet { // it may begin elsewhere
			set[len(set)-1] = 0
		}
	}
	if inner == nil {
		return false
	}
	inner.together(equal)
	if _, ok := inner.before(fd.Body.List, set); !ok {
		return false
	}
	ok := true
	ast.Inspect(fd.Body, func(n ast.Node) bool { // no parameter becomes anything else
		for _, f := range inner {
			switch n := n.(type) {
			case *ast.AssignStmt:
				ok = ok && (inner.exchange(n) != nil || !slices.ContainsFunc(n.Lhs, func(e ast.Expr) bool { return variable(f.r.info, e) == f.v }))
			case *ast.RangeStmt:
				ok = ok && (n.Tok != token.ASSIGN || variable(f.r.info, n.Key) != f.v && (n.Value == nil || variable(f.r.info, n.Value) != f.v))
			case *ast.UnaryExpr:
				ok = ok && (n.Op != token.AND || variable(f.r.info, n.X) != f.v)
			}
		}
		return ok
	})
	return ok
}

// together notes that buffers have one length, if that is so: then they may change places.
func (fs fillings) together(equal bool) {
	if !equal {
		return
	}
	same := map[*types.Var]bool{}
	for _, f := range fs {
		same[f.v], f.same, f.length = true, same, fs[0].length
	}
}
