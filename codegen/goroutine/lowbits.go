package goroutine

import (
	"strings"

	"github.com/surge-ndp/surge/codegen/kir"
)

// onlyStored are the vectors of numbers narrower than their lanes that a body only stores: what the upper bits of their
// lanes are makes no difference.
func onlyStored(body []kir.Stmt) map[*kir.Var]bool {
	found, uses := map[*kir.Var]bool{}, map[*kir.Var]int{}
	kir.Walk(body, func(s kir.Stmt) {
		switch s := s.(type) {
		case *kir.Let:
			if s.V.T.Lanes > 1 && narrow(s.V.T.Kind) && s.V.Memory == nil {
				found[s.V] = true
			}
		case *kir.Store:
			if r, ok := s.X.(*kir.Ref); ok && s.Mask == nil {
				uses[r.V]--
			}
		case *kir.StoreEvery:
			if r, ok := s.X.(*kir.Ref); ok {
				uses[r.V]--
			}
		}
	}, func(x kir.Expr) {
		if r, ok := x.(*kir.Ref); ok {
			uses[r.V]++
		}
	})
	for v := range found {
		if uses[v] > 0 {
			delete(found, v)
		}
	}
	return found
}

// lowBits prints a vector that is stored in elements narrower than its lanes.
func (p *printer) lowBits(x kir.Expr) string {
	text := p.expr(x)
	if t := x.Type(); t.Lanes > 1 && narrow(t.Kind) {
		if inner, ok := strings.CutPrefix(text, "vec.Wrap"+ownName(t)+"("); ok && closes(inner) == len(inner)-1 {
			return inner[:len(inner)-1]
		}
	}
	return text
}

// closes is where a text closes a parenthesis that it has not opened, -1 for nowhere.
func closes(text string) int {
	depth := 0
	for i, c := range text {
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				return i
			}
		}
	}
	return -1
}

// assigned prints what a variable is set to.
func (p *printer) assigned(v *kir.Var, x kir.Expr) string {
	if p.onlyStored[v] {
		return p.lowBits(x)
	}
	return p.expr(x)
}
