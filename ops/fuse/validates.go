package fuse

import "github.com/surge-ndp/surge/ops/ir"

// validates writes the Reduce of a loop that carries nothing, and has exits: it looks whether something is wrong.
//
//	loop for i = lo to hi { …; check panic "return" … t }
//
// becomes
//
//	s = reduce k < hi - lo init 0 { i = add lo k; …; check panic "return" … t; yield 0 } combine add
//
// of which nothing needs the result.
func (r *reducer) validates(e emitter, loop *ir.Loop) bool {
	if len(loop.Params) > 0 || !r.countsTurns(loop, atTop) || !HasExits(&ir.Stmt{Op: loop}) || ir.HasCalls(loop) || holdsOperators(loop) {
		return false
	}
	n := loop.Hi
	if !ir.IsInt(loop.Lo, 0) {
		n = e.turns(loop)
	}
	k, body := e.r.names.Var("k", tInt), &ir.Block{}
	in := e.into(body)
	sub := ir.Subst{loop.I: k}
	if !ir.IsInt(loop.Lo, 0) {
		sub[loop.I] = in.bin(ir.Add, loop.I.Name, loop.Lo, k)
	}
	substitute(loop.Body, sub)
	nothing := ir.IntConst(ir.Int, 0)
	body.Stmts, body.Results = append(body.Stmts, loop.Body.Stmts...), []ir.Atom{nothing}
	comb := &ir.Lambda{Params: []*ir.Var{e.r.names.Var("a", tInt), e.r.names.Var("b", tInt)}, Body: &ir.Block{}}
	comb.Body.Results = []ir.Atom{e.into(comb.Body).let("c", tInt, &ir.Binary{Fn: ir.Add, X: comb.Params[0], Y: comb.Params[1]})}
	e.stmt(&ir.Reduce{N: n, I: k, Body: body, Comb: comb, Init: []ir.Atom{nothing}}, e.r.names.Var("wrong", tInt))
	return true
}
