package torture

import "fmt"

// steps replaces a slice by the next one again and again.
func (g *loopgen) steps(w *world) []*Stmt {
	a, out := g.copied(w)
	next := &array{name: g.name("next"), k: a.k, dims: []string{"n"}, mine: true}
	head, l := g.header("n")
	in := w.turn(l)
	in.arrays = append(in.arrays, a, a)
	turns := pickOf(g, "for t := range 3 {}", "for t := 0; t < wide; t++ {}", "for t := range n % 5 {}", "for t := 1; t < 20; t *= 2 {}")
	in.numbers = append(in.numbers, &number{name: "t", k: Int})
	body := append(g.locals(in), g.guarded(in, []*Stmt{with(next.name+"["+l.name+"] = %s", g.expr(in, a.k, 3))})...)
	make := do(fmt.Sprintf("%s := make([]%s, n)", next.name, a.k))
	swap := do(pickOf(g, "%[1]s, %[2]s = %[2]s, %[1]s", "%[1]s, %[2]s = %[2]s, %[1]s", "copy(%[1]s, %[2]s)"))
	swap.Op = fmt.Sprintf(swap.Op, a.name, next.name)
	var turn []*Stmt
	own := g.chance(0.4)
	if own {
		turn = append(turn, make)
		swap = do(a.name + " = " + next.name)
	} else {
		out = append(out, make)
		w.arrays = append(w.arrays, next)
	}
	turn = append(turn, do("_ = t"), do(head, body))
	if g.chance(0.5) {
		v, decl := g.zero(w, g.likely(w))
		out = append(out, decl)
		h2, l2 := g.whole("n")
		deep := w.turn(l2)
		deep.arrays = append(deep.arrays, next, a)
		turn = append(turn, do(h2, g.guarded(deep, []*Stmt{with(into(g.combine(v.k), v.name), g.expr(deep, v.k, 2))})))
		if g.chance(0.4) {
			turn = append(turn, do(fmt.Sprintf("if %s %s {}", v.name, pickOf(g, "> 50", "< 0", "== 3")), []*Stmt{do(pickOf(g, "break", "break", "continue"))}))
		}
		w.numbers = append(w.numbers, v)
	}
	turn = append(turn, swap)
	if g.chance(0.2) {
		turn = append(turn, do(fmt.Sprintf("if n > 0 {\n\t%[1]s[0] = %[1]s[n-1] + 1\n}", a.name)))
	}
	return append(out, do(turns, turn))
}

// converges iterates until nothing changes, or a limit.
func (g *loopgen) converges(w *world) []*Stmt {
	a, out := g.copied(w)
	next, changed, turns := g.name("next"), g.name("changed"), g.name("turns")
	out = append(out, do(fmt.Sprintf("%s := 0", turns)))
	l := &lane{name: g.name("i"), bound: "n", lo: 1}
	in := w.turn(l)
	in.arrays = append(in.arrays, a)
	w.numbers = append(w.numbers, &number{name: turns, k: Int, mine: true})
	inner := []*Stmt{
		do(fmt.Sprintf("%[1]s[%[2]s] = max(%[3]s[%[2]s], %[3]s[%[2]s-1])", next, l.name, a.name)),
		do(fmt.Sprintf("if %s[%s] != %s[%[2]s] {}", next, l.name, a.name), []*Stmt{do(pickOf(g, changed+"++", changed+" += "+l.name, changed+" |= 1"))})}
	turn := []*Stmt{do(fmt.Sprintf("%s := make([]%s, n)\ncopy(%[1]s, %[3]s)\n%[4]s := 0", next, a.k, a.name, changed)),
		do(fmt.Sprintf("for %s := 1; %[1]s < n; %[1]s++ {}", l.name), inner), do(turns + "++"),
		do(a.name + " = " + next), do(fmt.Sprintf("if %s == 0 {}", changed), []*Stmt{do("break")})}
	if g.chance(0.5) {
		return append(out, do(fmt.Sprintf("for %s < %d {}", turns, 3+g.IntN(9)), turn))
	}
	again := g.name("again")
	turn[len(turn)-1] = do(fmt.Sprintf("%s = %s > 0 && %s < 12", again, changed, turns))
	return append(out, do(fmt.Sprintf("%s := %s", again, pickOf(g, "true", "n > 3"))), do("for "+again+" {}", turn))
}

// carriesGrid replaces rows by the next ones, with carried numbers.
func (g *loopgen) carriesGrid(w *world) []*Stmt {
	k := g.likely(w)
	rows, cols := pickOf(g, "high", "wide", "5"), "wide"
	out := g.square(w, k, rows, cols)
	a := w.arrays[len(w.arrays)-1]
	next := g.name("next")
	i, j := &lane{name: "i", bound: rows}, &lane{name: "j", bound: cols}
	in := w.turn(i, j)
	v, decl := g.zero(w, k)
	out = append(out, decl)
	w.numbers = append(w.numbers, v)
	in.numbers = append(in.numbers, v)
	e := func(i, j string) string { return a.name + "[" + i + "][" + j + "]" }
	sum := g.near(k, e("max(i-1, 0)", "j"), e("min(i+1, "+rows+"-1)", "j"), e("i", "max(j-1, 0)"), e("i", "min(j+1, "+cols+"-1)"), e("i", "j"))
	cell := with(fmt.Sprintf("%s[i][j] = %s - %%s", next, sum), g.expr(in, k, 1))
	fill := do("for i := range "+rows+" {}", []*Stmt{do("for j := range "+cols+" {}", g.guarded(in, []*Stmt{cell}))})
	total := do("for i := range "+rows+" {}", []*Stmt{do("for j := range "+cols+" {}", []*Stmt{do(fmt.Sprintf("%s += %s[i][j]", v.name, next))})})
	make := makeRows(next, k, rows, cols)
	turn := []*Stmt{fill}
	if g.chance(0.6) {
		turn = append(turn, total)
	}
	if g.chance(0.5) {
		turn = append([]*Stmt{make}, turn...)
		turn = append(turn, do(a.name+" = "+next))
	} else {
		out = append(out, make)
		turn = append(turn, do(fmt.Sprintf("%s, %s = %[2]s, %[1]s", a.name, next)))
	}
	if g.chance(0.3) {
		turn = append(turn, do("if "+v.name+" > 100 {}", []*Stmt{do("break")}))
	}
	return append(out, do(pickOf(g, "for range 3 {}", "for t := 0; t < n && t < 4; t++ {}"), turn))
}
