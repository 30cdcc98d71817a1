package torture

import "fmt"

// carries is a loop that carries flat sequences from one turn to the next, and perhaps a scalar: each turn computes
// one of them anew, as x/2 + e/2 so that it stays bounded, or lets two change places. A turn may begin with a jump,
// choose by a condition, or have a loop of the same kind inside.
func (g *gen) carries(sc *scope, d int) []*Stmt {
	like := g.someLength(sc)
	if like == nil || sc.work > 1 {
		return nil
	}
	length := like.Len[0]
	var out []*Stmt
	var vs []*Var
	for range 1 + g.IntN(3) {
		k := g.likelyKind(sc)
		if len(vs) > 0 && g.chance(0.5) {
			k = vs[0].T.A
		}
		init := g.seq(k, sc, d-2, length, need{stable: true})
		if init == nil || k.float() && init.A.m > 30 {
			continue
		}
		v := &Var{Name: g.name("seq"), T: seqOf(k), A: init.A, Len: []string{length}}
		if k.float() {
			v.A = attr{m: 30} // nothing more is known of what later turns begin with
		}
		out = append(out, &Stmt{Declares: v.Name, Op: "var " + v.Name + " " + v.T.String() + " = %s", X: []*Expr{init}})
		vs = append(vs, v)
	}
	if len(vs) == 0 {
		return nil
	}
	g.k.Carries = true
	i := &Var{Name: g.name("i"), T: scalarOf(Int)}
	in := sc.inner(append(vs[:len(vs):len(vs)], i)...)
	in.nested--
	var body []*Stmt
	if g.chance(0.35) { // before anything happened in the turn
		body = append(body, &Stmt{Op: "if %s {}", X: []*Expr{g.scalar(Bool, in, d-1, need{})}, Blocks: [][]*Stmt{{{Op: []string{"break", "continue"}[g.IntN(2)]}}}})
	}
	for range 1 + g.IntN(2) {
		body = append(body, g.carriedStep(in, vs, d)...)
	}
	if d > 2 && g.chance(0.2) {
		j := &Var{Name: g.name("j"), T: scalarOf(Int)}
		deeper := in.inner(j)
		deeper.nested--
		body = append(body, &Stmt{Op: fmt.Sprintf("for %s := 0; %s < %d; %s++ {}", j.Name, j.Name, g.IntN(3), j.Name), Inner: []*Var{j},
			Blocks: [][]*Stmt{g.carriedStep(deeper, vs, d-1)}})
	}
	if g.chance(0.2) {
		body = append(body, &Stmt{Op: "if %s {}", X: []*Expr{g.scalar(Bool, in, d-1, need{})}, Blocks: [][]*Stmt{{{Op: "break"}}}})
	}
	loop := &Stmt{Op: fmt.Sprintf("for %s := 0; %s < %d; %s++ {}", i.Name, i.Name, g.IntN(4), i.Name), Inner: []*Var{i}, Blocks: [][]*Stmt{body}}
	if x := g.scalar(Int, sc, d-1, need{}); !x.Const && g.chance(0.4) {
		loop.Op, loop.X = "for "+i.Name+" := 0; "+i.Name+" < (%s & 3); "+i.Name+"++ {}", []*Expr{x}
	}
	out = append(out, loop)
	for _, v := range vs {
		sc.add(v)
		sc.local = append(sc.local, v)
		out = append(out, &Stmt{Op: "_ = len(%s)", X: []*Expr{v.ref()}})
	}
	return out
}

// carriedStep gives one of the sequences vs that a loop carries its next value, always or under a condition.
func (g *gen) carriedStep(in *scope, vs []*Var, d int) []*Stmt {
	v := vs[g.IntN(len(vs))]
	k := v.T.A
	for _, w := range vs { // change places
		if w != v && w.T == v.T && g.chance(0.3) {
			return []*Stmt{{Assigns: v.Name, Op: "%s, %s = %s, %s", X: []*Expr{v.ref(), w.ref(), w.ref(), v.ref()}}}
		}
	}
	e := g.seq(k, in, d-1, v.Len[0], need{stable: true})
	if e == nil || k.float() && e.A.m > 30 {
		return nil
	}
	next := e
	if k.float() {
		t := string(k)
		next = &Expr{T: v.T, A: v.A, Len: v.Len, Op: "ops.Map2(func(a, b " + t + ") " + t + " { return a*0.5 + b*0.5 }, %s, %s)", Args: []*Expr{v.ref(), e}}
	}
	set := assign(v, next)
	switch g.IntN(4) {
	case 0:
		return []*Stmt{{Op: "if %s {}", X: []*Expr{g.scalar(Bool, in, d-1, need{})}, Blocks: [][]*Stmt{{set}}}}
	case 1:
		if other := g.carriedStep(in, vs, d-1); other != nil {
			return []*Stmt{{Op: "if %s {} else {}", X: []*Expr{g.scalar(Bool, in, d-1, need{})}, Blocks: [][]*Stmt{{set}, other}}}
		}
	}
	return []*Stmt{set}
}

// chosen declares a sequence that is one or another, by a condition: of one length or of two.
func (g *gen) chosen(sc *scope, d int) []*Stmt {
	like := g.someLength(sc)
	if like == nil || sc.work > 1 {
		return nil
	}
	k, length := g.likelyKind(sc), ""
	if g.chance(0.5) {
		length = like.Len[0]
	}
	rows := length == "" && sc.nested == 0 && g.chance(0.2)
	some := func(d int) *Expr {
		if rows {
			return g.nested(k, sc, d)
		}
		return g.seq(k, sc, d, length, need{})
	}
	first, then := some(d-2), some(d-1)
	if first == nil || then == nil || !sc.affordable(first.Len[0]) || !sc.affordable(then.Len[0]) || first.T != then.T {
		return nil
	}
	v := &Var{Name: g.name("one"), T: then.T, A: join(first.A, then.A), Len: []string{length}}
	if length == "" {
		v.Len[0] = g.rename("either", first.Len[0]+then.Len[0])
	}
	if rows {
		v.Len = append(v.Len, g.rowSymbol(first.Len[1]+then.Len[1]))
		if big(first.Len[1]) || big(then.Len[1]) {
			v.Len[1] = g.symbol("wide")
		}
	}
	decl := &Stmt{Declares: v.Name, Op: "var " + v.Name + " " + v.T.String() + " = %s", X: []*Expr{first}}
	branch := &Stmt{Op: "if %s {}", X: []*Expr{g.scalar(Bool, sc, d-1, need{})}, Blocks: [][]*Stmt{{assign(v, then)}}}
	if g.chance(0.3) {
		if els := some(d - 1); els != nil && els.T == v.T && sc.affordable(els.Len[0]) && !big(els.Len[len(els.Len)-1]) {
			v.A = join(v.A, els.A)
			branch.Op = "if %s {} else {}"
			branch.Blocks = append(branch.Blocks, []*Stmt{assign(v, els)})
		}
	}
	sc.add(v)
	sc.local = append(sc.local, v)
	return []*Stmt{decl, branch, {Op: "_ = len(%s)", X: []*Expr{v.ref()}}}
}
