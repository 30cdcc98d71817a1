package goroutine

import (
	"github.com/surge-ndp/surge/codegen/kir"
)

// result prints a value that is computed for the frame, and is read there from then on, if the body begins with one
// and has no loops, which would read it in every turn. It returns how many statements that are, 0 if it does not.
func (p *printer) result(body []kir.Stmt) int {
	if p.loops || len(body) < 2 {
		return 0
	}
	let, ok := body[0].(*kir.Let)
	result, is := body[1].(*kir.Result)
	if !ok || !is || let.V.Memory != nil || let.V.T.Lanes > 1 || p.reset[let.V] {
		return 0
	}
	if r, ok := result.X.(*kir.Ref); !ok || r.V != let.V {
		return 0
	}
	switch x := let.X.(type) {
	case *kir.ZeroOf:
		return 0
	case *kir.Select:
		if !isChoice(x) {
			return 0
		}
	}
	p.printf("f.%s = %s\n", result.Name, p.expr(let.X))
	p.inMemory[let.V] = "f." + result.Name
	return 2
}

// together prints the first statements of a body, as many as may stand in one line, and returns how many; 0 or 1 if
// they are to be printed one by one.
func (p *printer) together(body []kir.Stmt) int {
	if n := p.checks(body); n > 0 {
		return n
	}
	if n := p.stores(body); n > 1 {
		return n
	}
	var line Pairs
	operator, width := "", 4
	assigned := map[*kir.Var]bool{} // in the line
	for _, s := range body {
		v, x, op := p.simple(s)
		if v == nil || operator != "" && op != operator || has(x, func(x kir.Expr) bool { r, ok := x.(*kir.Ref); return ok && assigned[r.V] }) {
			break
		}
		value := p.expr(x)
		if width += len(v.Name) + len(value) + 4; width > lineWidth {
			break
		}
		operator, assigned[v] = op, true
		line.Add(v.Name, value)
	}
	if len(line.names) > 1 {
		p.printf("%s", line.Text(operator))
		for _, s := range body[:len(line.names)] {
			if let, ok := s.(*kir.Let); ok {
				p.rowStart(let.V)
			}
		}
	}
	return len(line.names)
}

// stores prints consecutive stores of scalars that read nothing, if the body begins with several that fit in a line,
// and returns how many.
func (p *printer) stores(body []kir.Stmt) int {
	var line Pairs
	width := 4
	for _, s := range body {
		store, ok := s.(*kir.Store)
		if !ok || store.A.Space == kir.Partial || store.A.Field != nil || store.X.Type().Lanes > 1 || has(store.X, involved) || has(store.I, involved) {
			break
		}
		at, value := p.elem(store.A, store.I), p.expr(store.X)
		if width += len(at) + len(value) + 4; width > lineWidth || p.combines(at, store.X) {
			break
		}
		line.Add(at, value)
	}
	if len(line.names) > 1 {
		p.printf("%s", line.Text("="))
	}
	return len(line.names)
}

// involved reports whether an expression itself reads memory, or is printed as more than an expression.
func involved(x kir.Expr) bool {
	switch x.(type) {
	case *kir.Load, *kir.Gather, *kir.Routine, *kir.Horizontal, *kir.Select:
		return true
	}
	return calls(x)
}

// simple returns what a statement assigns, and the operator, if it is printed as a name and a value that nothing
// depends on but them; else nil.
func (p *printer) simple(s kir.Stmt) (v *kir.Var, x kir.Expr, operator string) {
	switch s := s.(type) {
	case *kir.Let:
		v, x, operator = s.V, s.X, ":="
		if v.Memory != nil {
			return nil, nil, ""
		}
	case *kir.Set:
		v, x, operator = s.V, s.X, "="
		if r, ok := x.(*kir.Ref); ok && r.V == v || p.combines(v.Name, x) {
			return nil, nil, ""
		}
	default:
		return nil, nil, ""
	}
	switch x := x.(type) {
	case *kir.ZeroOf:
		return nil, nil, ""
	case *kir.Select:
		if v.T.Lanes == 1 && !isChoice(x) {
			return nil, nil, ""
		}
	}
	if kir.Calls(s) || has(x, func(x kir.Expr) bool { _, routine := x.(*kir.Routine); return routine || calls(x) }) {
		return nil, nil, ""
	}
	return v, x, operator
}
