package goroutine

import (
	"fmt"
	"maps"
	"strings"

	"github.com/surge-ndp/surge/codegen/kir"
)

// results prints values that are computed for the frame, and are read there from then on, if the body begins with some
// and has no loops, which would read them in every turn. It returns how many statements that are, 0 if it does not.
func (p *printer) results(body []kir.Stmt) (n int) {
	var line Pairs
	width := 4
	made := map[*kir.Var]string{} // in the line
	for n < len(body) && !p.loops {
		v, x, name := p.result(body[n:])
		if name == "" || has(x, func(x kir.Expr) bool { r, ok := x.(*kir.Ref); return ok && made[r.V] != "" }) {
			break
		}
		value := p.expr(x)
		if width += len(name) + len(compact(value)) + 4; n > 0 && width > lineWidth {
			break
		}
		line.Add(name, value)
		n++
		if v != nil {
			made[v] = name
			n++
		}
	}
	maps.Copy(p.inMemory, made)
	p.printf("%s", line.Text("="))
	return n
}

// result returns the value that a body begins with, if that is computed for the frame, the place there, and the
// variable that stands for it, nil if nothing else reads it.
func (p *printer) result(body []kir.Stmt) (v *kir.Var, x kir.Expr, name string) {
	if r, ok := body[0].(*kir.Result); ok {
		if !printsAlone(r.X) {
			return nil, nil, ""
		}
		return nil, r.X, "f." + r.Name
	}
	if len(body) < 2 {
		return nil, nil, ""
	}
	let, ok := body[0].(*kir.Let)
	result, is := body[1].(*kir.Result)
	if !ok || !is || let.V.Memory != nil || let.V.T.Lanes > 1 || p.reset[let.V] || !printsAlone(let.X) {
		return nil, nil, ""
	}
	if r, ok := result.X.(*kir.Ref); !ok || r.V != let.V {
		return nil, nil, ""
	}
	return let.V, let.X, "f." + result.Name
}

// printsAlone reports whether a scalar is printed as an expression.
func printsAlone(x kir.Expr) bool {
	switch x := x.(type) {
	case *kir.ZeroOf:
		return false
	case *kir.Select:
		return isChoice(x)
	}
	return true
}

// together prints the first statements of a body, as many as may stand in one line, and returns how many; 0 or 1 if
// they are to be printed one by one.
func (p *printer) together(body []kir.Stmt) int {
	if n := p.woven(body); n > 0 {
		return n
	}
	if n := p.checks(body); n > 0 {
		return n
	}
	if n := p.stores(body); n > 1 {
		return n
	}
	if n := p.zeros(body); n > 1 {
		return n
	}
	if n := p.counts(body); n > 1 {
		return n
	}
	line, operator := p.line(body)
	if len(line.names) > 1 {
		p.printf("%s", line.Text(operator))
		for _, s := range body[:len(line.names)] {
			if let, ok := s.(*kir.Let); ok {
				p.pointers(let.V)
			}
		}
	}
	return len(line.names)
}

// line returns the names and values of the first statements of a body, as many as stand in one line, and the operator
// between them.
func (p *printer) line(body []kir.Stmt) (line Pairs, operator string) {
	width := 4
	assigned := map[*kir.Var]bool{} // in the line
	for _, s := range body {
		v, x, op := p.simple(s)
		if v == nil || operator != "" && op != operator || has(x, func(x kir.Expr) bool { r, ok := x.(*kir.Ref); return ok && assigned[r.V] }) {
			break
		}
		value := p.assigned(v, x)
		if width += len(v.Name) + len(compact(value)) + 4; width > lineWidth {
			break
		}
		operator, assigned[v] = op, true
		line.Add(v.Name, value)
	}
	return line, operator
}

// zerosFirst returns a body where of values that are declared one after the other, zeros are declared first, by their
// types, if that takes fewer lines.
func (p *printer) zerosFirst(body []kir.Stmt) []kir.Stmt {
	out := make([]kir.Stmt, 0, len(body))
	for len(body) > 0 {
		n := 0
		var zeros Fields
		var declared, others []kir.Stmt
		for ; n < len(body); n++ {
			let, ok := body[n].(*kir.Let)
			if v, _, _ := p.simple(body[n]); !ok || v == nil {
				break
			}
			if c, ok := let.X.(*kir.Const); ok && c.C.Kind.IsFloat() && isZero(c) {
				zeros.Add(let.V.Name, goType(let.V.T))
				declared = append(declared, &kir.Let{V: let.V, X: &kir.ZeroOf{T: let.V.T}})
			} else {
				others = append(others, body[n])
			}
		}
		switch {
		case n == 0:
			n = 1
			out = append(out, body[0])
		case strings.Count(zeros.Text(""), "\n")+p.lines(others) < p.lines(body[:n]):
			out = append(append(out, declared...), others...)
		default:
			out = append(out, body[:n]...)
		}
		body = body[n:]
	}
	return out
}

// lines returns in how many lines declarations stand.
func (p *printer) lines(body []kir.Stmt) (n int) {
	for ; len(body) > 0; n++ {
		line, _ := p.line(body)
		body = body[max(len(line.names), 1):]
	}
	return n
}

// zeros prints consecutive declarations of what is zero, if the body begins with several, and
// returns how many.
func (p *printer) zeros(body []kir.Stmt) int {
	var names Fields
	n := 0
	for ; n < len(body); n++ {
		let, ok := body[n].(*kir.Let)
		if !ok {
			break
		}
		if _, zero := let.X.(*kir.ZeroOf); !zero {
			break
		}
		names.Add(let.V.Name, goType(let.V.T))
	}
	if n > 1 {
		p.printf("%s", names.Text("var "))
	}
	return n
}

// counts prints consecutive variables that are stored in the frame, if the body begins with several, and returns how
// many.
func (p *printer) counts(body []kir.Stmt) (n int) {
	var line Pairs
	for ; n < len(body); n++ {
		r, ok := body[n].(*kir.Result)
		if !ok {
			break
		}
		if _, ok := r.X.(*kir.Ref); !ok {
			break
		}
		line.Add("f."+r.Name, p.expr(r.X))
	}
	if n > 1 {
		p.printf("%s", line.Text("="))
	}
	return n
}

// compact is a value as gofmt prints it among several.
func compact(value string) string {
	return strings.NewReplacer(" + ", "+", " - ", "-", " * ", "*", " / ", "/").Replace(value)
}

// stores prints consecutive stores of scalars that read nothing, if the body begins with several that fit in a line,
// and returns how many.
func (p *printer) stores(body []kir.Stmt) int {
	var line Pairs
	width := 4
	for _, s := range body {
		store, ok := s.(*kir.Store)
		if !ok || store.A.Field != nil || store.X.Type().Lanes > 1 || has(store.X, involved) || has(store.I, involved) {
			break
		}
		at, value := "", p.expr(store.X)
		if store.A.Space == kir.Partial {
			at = fmt.Sprintf("%s[%s]", p.partialRef(store.A), p.expr(store.I))
		} else {
			at = p.elem(store.A, store.I)
		}
		if width += len(at) + len(compact(value)) + 4; width > lineWidth || p.combines(at, store.X) {
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
	case *kir.Load, *kir.Gather, *kir.Every, *kir.Routine, *kir.Horizontal, *kir.Select:
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
		if r, ok := x.(*kir.Ref); ok && r.V == v {
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
