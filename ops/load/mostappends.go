package load

import (
	"go/ast"
	"go/token"
)

// mostAppends returns how many elements a turn of a loop appends at most, by the keys of the slices: of several
// branches only one runs, and nothing behind one that ends the turn.
func (l *lowerer) mostAppends(body *ast.BlockStmt) map[any]int64 {
	return l.mostBy(body.List, nil, nil)
}

// mostBy is [lowerer.mostAppends] for statements behind which so many are appended, or others where they break.
func (l *lowerer) mostBy(list []ast.Stmt, after, broken map[any]int64) map[any]int64 {
	if len(list) == 0 {
		return after
	}
	rest := func() map[any]int64 { return l.mostBy(list[1:], after, broken) }
	switch s := list[0].(type) {
	case *ast.ReturnStmt:
		return nil
	case *ast.BranchStmt:
		switch {
		case s.Tok == token.BREAK && s.Label == nil:
			return broken
		case s.Tok == token.CONTINUE || s.Tok == token.BREAK:
			return nil
		}
	case *ast.BlockStmt:
		return l.mostBy(s.List, rest(), broken)
	case *ast.IfStmt:
		behind := rest()
		most := l.mostBy(s.Body.List, behind, broken)
		if s.Else == nil {
			most = greater(most, behind)
		} else {
			most = greater(most, l.mostBy([]ast.Stmt{s.Else}, behind, broken))
		}
		return l.summed(s.Init, most)
	case *ast.SwitchStmt:
		behind := rest()
		most := behind // of none of the cases
		for _, c := range s.Body.List {
			clause := c.(*ast.CaseClause)
			if n := len(clause.Body); n > 0 && isFallthrough(clause.Body[n-1]) {
				return l.summed(s, behind)
			}
			most = greater(most, l.mostBy(clause.Body, behind, behind))
		}
		return l.summed(s.Init, most)
	}
	return l.summed(list[0], rest())
}

// summed adds all that a statement appends, wherever that stands in it; nil appends nothing.
func (l *lowerer) summed(s ast.Stmt, after map[any]int64) map[any]int64 {
	total := map[any]int64{}
	for key, n := range after {
		total[key] = n
	}
	if s != nil {
		l.appends([]ast.Stmt{s}, 1, func(key any, n int64, _ token.Pos) { total[key] += max(n, 0) })
	}
	return total
}

// greater is the greater one of two numbers for each key.
func greater(a, b map[any]int64) map[any]int64 {
	most := map[any]int64{}
	for _, m := range []map[any]int64{a, b} {
		for key, n := range m {
			most[key] = max(most[key], n)
		}
	}
	return most
}

func isFallthrough(s ast.Stmt) bool {
	b, ok := s.(*ast.BranchStmt)
	return ok && b.Tok == token.FALLTHROUGH
}
