package goroutine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/codegen/kir"
)

// What vectors leave of a worker's share are a few elements at its end. The loop over these is the body of the same
// parallel loop without vectors, which is called for them: the code without vectors has it mostly, and codes whose
// vectors differ in width share it.

// restOf returns the body of a parallel loop without the scalar loop at its end, and that as one from the share's
// beginning on; nil where there is none, or where it needs something that is made before it.
func restOf(s *kir.Par) (head []kir.Stmt, rest *kir.For) {
	if len(s.Body) == 0 || s.Chain != nil {
		return s.Body, nil
	}
	head = s.Body[:len(s.Body)-1]
	last, ok := s.Body[len(s.Body)-1].(*kir.For)
	if !ok || !last.Keep || last.Step != 1 || last.Whole || last.Watched || !refersTo(last.Hi, s.Hi) {
		return s.Body, nil
	}
	loop := &kir.For{V: last.V, Lo: &kir.Ref{V: s.Lo}, Hi: last.Hi, Step: 1, Body: last.Body, Pos: last.Pos, What: last.What}
	around := map[*kir.Var]bool{s.Chunk: true}
	made := map[*kir.Array]bool{}
	kir.Walk(head, func(s kir.Stmt) {
		for _, v := range kir.Declares(s) {
			around[v] = true
		}
		if a, ok := s.(*kir.AllocScratch); ok {
			made[a.A] = true
		}
	}, nil)
	vars, scratch := free([]kir.Stmt{loop})
	ok = !slices.ContainsFunc(vars, func(v *kir.Var) bool { return around[v] }) && !slices.ContainsFunc(scratch, func(a *kir.Array) bool { return made[a] })
	array := func(a *kir.Array) {
		ok = ok && (a == nil || a.Space == kir.Global || a.Space == kir.Scratch)
	}
	kir.Walk(last.Body, func(s kir.Stmt) { array(kir.ArrayOf(s)) }, func(x kir.Expr) {
		array(kir.ArrayOf(x))
		ok = ok && x.Type().Lanes == 1
	})
	if !ok {
		return s.Body, nil
	}
	for len(head) > 0 && restores(head[len(head)-1]) { // for the loop that has gone
		head = head[:len(head)-1]
	}
	return head, loop
}

func refersTo(x kir.Expr, v *kir.Var) bool {
	r, ok := x.(*kir.Ref)
	return ok && r.V == v
}

// restores reports whether a statement loads a scalar that vectors were filled with by way of memory.
func restores(s kir.Stmt) bool {
	set, ok := s.(*kir.Set)
	if !ok {
		return false
	}
	load, ok := set.X.(*kir.Load)
	return ok && load.A.Space == kir.Strip && set.V.T.Lanes == 1
}

// bodyText prints the body of a parallel loop, which is a function called name, and by a function of its own the rest
// that its vectors leave.
func (p *printer) bodyText(s *kir.Par, name string) (text string, inner *printer) {
	params := fmt.Sprintf("env any, w *rt.Worker, %s, %s, %s int", s.Chunk.Name, s.Lo.Name, s.Hi.Name)
	head, rest := restOf(s)
	part := func(name string, body []kir.Stmt, carries bool) (string, *printer) {
		inner := &printer{unit: p.unit, name: name, calls: p.calls, carries: carries, params: map[*kir.Var]bool{s.Lo: true, s.Hi: true, s.Chunk: true}}
		return inner.text(params, body, true), inner
	}
	text, inner = part(p.name, head, false)
	if rest == nil {
		return text, inner
	}
	of, other := part(p.name, []kir.Stmt{rest}, inner.carries)
	if other.carries != inner.carries {
		text, inner = part(p.name, head, true)
	}
	i := rest.V.Name
	call := p.define(comment(name+"_rest computes what vectors leave."), name+"_rest", of)
	return strings.TrimSuffix(text, "}\n\n") + fmt.Sprintf("if %s < %s {\n%s(env, w, %s, %s, %s)\n}\n}\n\n", i, s.Hi.Name, call, s.Chunk.Name, i, s.Hi.Name), inner
}
