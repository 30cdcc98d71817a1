package torture

import "fmt"

// labelled leaves an outer loop from an inner one.
func (g *loopgen) labelled(w *world) []*Stmt {
	k := g.likely(w)
	v, decl := g.zero(w, k)
	label := g.name("rows")
	i, j := &lane{name: g.name("i"), bound: pickOf(g, "n", "high")}, &lane{name: g.name("j"), bound: "wide"}
	in := w.turn(i, j)
	leave := &Stmt{Op: "if %s {}", X: []*Expr{g.cond(in, 2)}, Blocks: [][]*Stmt{{do(pickOf(g, "break ", "continue ") + label)}}}
	add := with(into(g.combine(k), v.name), g.expr(in, k, 2))
	body := []*Stmt{leave, add}
	if g.chance(0.5) {
		body = []*Stmt{add, leave}
	}
	if g.chance(0.3) {
		body = append(body, &Stmt{Op: "if %s {}", X: []*Expr{g.cond(in, 1)}, Blocks: [][]*Stmt{{do("break")}}})
	}
	turn := []*Stmt{do(fmt.Sprintf("for %s := range wide {}", j.name), body)}
	out := []*Stmt{decl}
	if g.chance(0.4) {
		a := &array{name: g.name("y"), k: k, dims: []string{i.bound}, mine: true}
		out = append(out, do(fmt.Sprintf("%s := make([]%s, %s)", a.name, k, i.bound)))
		turn = append(turn, do(fmt.Sprintf("%s[%s] = %s", a.name, i.name, v.name)))
		w.arrays = append(w.arrays, a)
	}
	w.numbers = append(w.numbers, v)
	return append(out, do(label+":\nfor "+i.name+" := range "+i.bound+" {}", turn))
}

// search looks for an element by a loop that returns from a function literal, or ends.
func (g *loopgen) search(w *world) []*Stmt {
	at := &number{name: g.name("at"), k: Int, mine: true}
	head, l := g.header("n")
	in := w.turn(l)
	if g.chance(0.5) {
		w.numbers = append(w.numbers, at)
		found := &Stmt{Op: "if %s {}", X: []*Expr{g.cond(in, 2)}, Blocks: [][]*Stmt{{do(at.name + " = " + l.name), do("break")}}}
		return []*Stmt{do(at.name + " := -1\n_ = " + at.name), do(head, append(g.locals(in), found))}
	}
	k := g.likely(w)
	find := g.name("find")
	a := &array{name: g.name("y"), k: Int, dims: []string{"n"}, mine: true}
	in.numbers = append(in.numbers, &number{name: "limit", k: k})
	found := &Stmt{Op: "if %s {}", X: []*Expr{g.cond(in, 2)}, Blocks: [][]*Stmt{{do("return " + l.name)}}}
	out := []*Stmt{do(fmt.Sprintf("%s := func(limit %s) int {}", find, k), []*Stmt{do(head, []*Stmt{found}), do("return -1")}),
		do(fmt.Sprintf("%s := make([]int, n)", a.name))}
	h2, l2 := g.whole("n")
	deep := w.turn(l2)
	out = append(out, do(h2, []*Stmt{with(fmt.Sprintf("%s[%s] = %s(%%s)", a.name, l2.name, find), g.expr(deep, k, 1))}))
	w.arrays = append(w.arrays, a)
	return out
}

// hasReturn computes elements by a function literal that returns early, and is called with what a loop counts.
func (g *loopgen) hasReturn(w *world) []*Stmt {
	k := g.likely(w)
	a := &array{name: g.name("y"), k: k, dims: []string{"n"}, mine: true}
	f := g.name("f")
	in := w.inner()
	in.lanes = append(in.lanes, &lane{name: "i", bound: "n"})
	in.positive["n"] = true
	var body []*Stmt
	for range 1 + g.IntN(2) {
		body = append(body, &Stmt{Op: "if %s {}", X: []*Expr{g.cond(in, 2)}, Blocks: [][]*Stmt{{with("return %s", g.expr(in, k, 2))}}})
	}
	j := &lane{name: "j", bound: "wide"}
	deep := in.turn(j)
	v, decl := g.zero(w, k)
	deep.numbers = append(deep.numbers, v)
	body = append(body, decl, do("for j := range wide {}", []*Stmt{
		{Op: "if %s {}", X: []*Expr{g.cond(deep, 1)}, Blocks: [][]*Stmt{{with("return %s", g.expr(deep, k, 1))}}},
		with(into(g.combine(k), v.name), g.expr(deep, k, 1))}), do("return "+v.name))
	w.arrays = append(w.arrays, a)
	return []*Stmt{do(fmt.Sprintf("%s := func(i int) %s {}", f, k), body), do(fmt.Sprintf("%s := make([]%s, n)", a.name, k)),
		do(fmt.Sprintf("for i := range n {\n\t%s[i] = %s(i)\n}", a.name, f))}
}
