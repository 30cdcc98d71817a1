package torture

import "fmt"

// apart is a Map over indices, each of which it takes apart: into the number of a row and the place in it. Rows have a
// few elements, or as many as a parameter says, which may be taken with the wrong sign.
func (g *gen) apart(k Kind, sc *scope, d int) *Expr {
	x := g.pick(sc, func(v *Var) bool { return v.T.Rank == 1 && v.T.B == "" && sc.affordable(v.Len[0]) })
	if x == nil {
		return nil
	}
	over := &Expr{T: seqOf(Int), A: leafAttr(Int), Len: x.Len[:1], IdxOf: x.Len[0], Op: "ops.Range(0, len(%s), 1)", Args: []*Expr{x.ref()}}
	i := g.element(over, g.symbol("f"))
	in := sc.enter(x.Len[0], []*Var{i})
	w := &Expr{T: scalarOf(Int), Op: fmt.Sprint(1 + g.IntN(5)), Const: true}
	if v := g.pick(sc, func(v *Var) bool { return v.Tile }); v != nil && g.chance(0.7) {
		if w = v.ref(); g.chance(0.3) {
			w = call(w.T, "(-%s)", w)
		}
	}
	row, col := &Var{Name: g.name("row"), T: scalarOf(Int), A: leafAttr(Int)}, &Var{Name: g.name("col"), T: scalarOf(Int), A: leafAttr(Int)}
	near := &Var{Name: g.name("near"), T: x.T.elem(), A: x.A}
	fn := &Fn{Params: []*Var{i}, Body: []*Stmt{
		{Declares: row.Name, Op: row.Name + " := %s / %s", X: []*Expr{i.ref(), w}},
		{Declares: col.Name, Op: col.Name + " := %s % %s", X: []*Expr{i.ref(), cloneExpr(w)}},
		{Declares: near.Name, Op: near.Name + " := %s[%s*%s+%s]", X: []*Expr{x.ref(), row.ref(), cloneExpr(w), col.ref()}},
		{Op: "_ = %s", X: []*Expr{near.ref()}}}}
	in.add(row)
	in.add(col)
	in.add(near)
	fn.Body = append(fn.Body, g.body(in, d-1)...)
	fn.Ret = g.scalar(k, in, d-1, need{})
	switch {
	case k.float(): // no element is the same without its place
		e := call(scalarOf(k), "(%s + "+string(k)+"(%s&7))", fn.Ret, col.ref())
		e.A = sum(fn.Ret.A, attr{m: 3, exact: true}, k)
		fn.Ret = e
	case k == Int:
		fn.Ret = call(scalarOf(k), "(%s ^ %s)", fn.Ret, row.ref())
	}
	return &Expr{T: seqOf(k), A: fn.Ret.A, Len: x.Len[:1], Op: "ops.Map(%s, %s)", Args: []*Expr{{T: fn.Ret.T, Fn: fn}, over}}
}
