package torture

import "fmt"

// tallies accumulates integers at computed places, in one loop or in two, and beside that in a number.
func (g *gen) tallies(sc *scope, d int) []*Stmt {
	k := []Kind{Int, I32, I64, U8}[g.IntN(4)]
	sequence := func() *Var {
		return g.pick(sc, func(v *Var) bool { return v.T.Rank > 0 && v.OffOf == "" && sc.affordable(v.Len[0]) })
	}
	x := sequence()
	if x == nil {
		return nil
	}
	v := &Var{Name: g.name("bins"), T: seqOf(k), Len: []string{g.symbol("bins@")}}
	all := &Var{Name: g.name("all"), T: scalarOf(k)}
	size := 1 + g.IntN(40)
	out := []*Stmt{
		{Declares: v.Name, Op: fmt.Sprintf("%s := make([]%s, %d)", v.Name, k, size)},
		{Declares: all.Name, Op: fmt.Sprintf("var %s %s = %d", all.Name, k, g.IntN(100))}}
	if g.chance(0.3) {
		j := g.name("j")
		out = append(out, &Stmt{Op: fmt.Sprintf("for %s := range %s {}", j, v.Name), Blocks: [][]*Stmt{{{Assigns: v.Name, Op: fmt.Sprintf("%s[%s] = %s(%s+1)", v.Name, j, k, j)}}}})
	}
	i := &Var{Name: g.name("i"), T: scalarOf(Int), IdxOf: x.Len[0]}
	in := sc.inner(i)
	in.nested--
	in.work++
	y := x
	if g.chance(0.4) && in.affordable(x.Len[0]) {
		y = sequence()
	}
	j := &Var{Name: g.name("i"), T: scalarOf(Int), IdxOf: y.Len[0]}
	nested := y != x && in.affordable(y.Len[0])
	if nested {
		in = in.inner(j)
		in.nested--
		in.work++
	}
	combine := []string{" += %s", " -= %s", " ^= %s", " |= %s", " &= %s", " *= %s"}
	place := g.scalar(Int, in, d-1, need{stable: true})
	body := []*Stmt{{Assigns: v.Name, Op: fmt.Sprintf("%s[int(uint(%%s)%%%d)]%s", v.Name, size, combine[g.IntN(6)]), X: []*Expr{place, g.scalar(k, in, d-1, need{stable: true})}}}
	if g.chance(0.3) {
		body = []*Stmt{{Op: "if %s {}", X: []*Expr{g.scalar(Bool, in, 1, need{})}, Blocks: [][]*Stmt{body}}}
	}
	if g.chance(0.5) {
		body = append(body, &Stmt{Assigns: all.Name, Op: all.Name + combine[g.IntN(6)], X: []*Expr{g.scalar(k, in, 1, need{stable: true})}})
	}
	used := func(v *Var) *Stmt { return &Stmt{Op: "_ = %s", X: []*Expr{v.ref()}} }
	if nested {
		body = []*Stmt{{Inner: []*Var{j}, Op: "for " + j.Name + " := range %s {}", X: []*Expr{y.ref()}, Blocks: [][]*Stmt{append([]*Stmt{used(j)}, body...)}}}
	}
	out = append(out, &Stmt{Inner: []*Var{i}, Op: "for " + i.Name + " := range %s {}", X: []*Expr{x.ref()}, Blocks: [][]*Stmt{append([]*Stmt{used(i)}, body...)}})
	sc.add(all)
	sc.add(v)
	return append(out, used(all), &Stmt{Op: "_ = len(%s)", X: []*Expr{v.ref()}})
}
