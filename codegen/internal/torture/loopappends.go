package torture

import "fmt"

// appendsOnce makes an array by appending one element a turn, whatever the conditions are.
func (g *loopgen) appendsOnce(w *world) []*Stmt {
	k := g.likely(w)
	a := &array{name: g.name("y"), k: k, dims: []string{"n"}, mine: true}
	head, l := g.whole("n")
	in := w.turn(l)
	one := func(depth int) []*Stmt {
		return []*Stmt{with(a.name+" = append("+a.name+", %s)", g.expr(in, k, depth))}
	}
	body := g.locals(in)
	if g.chance(0.6) {
		body = append(body, &Stmt{Op: "if %s {}", X: []*Expr{g.cond(in, 2)}, Blocks: [][]*Stmt{append(one(1), do("continue"))}})
	}
	if g.chance(0.6) {
		body = append(body, &Stmt{Op: "if %s {} else {}", X: []*Expr{g.cond(in, 2)}, Blocks: [][]*Stmt{one(2), one(1)}})
	} else {
		body = append(body, one(2)...)
	}
	w.arrays = append(w.arrays, a)
	decl := pickOf(g, "var %s []%s", "%s := make([]%s, 0)", "%s := make([]%s, 0, n)", "%s := make([]%s, 0, 3)")
	return []*Stmt{do(fmt.Sprintf(decl, a.name, k)), do(head, body)}
}

// states carries, in each element, an array of states through a loop, whose turns make all of them anew, or in place.
func (g *loopgen) states(w *world) []*Stmt {
	k := g.likely(w)
	a := &array{name: g.name("y"), k: k, dims: []string{"n"}, mine: true}
	head, l := g.whole("n")
	in := w.turn(l)
	size := pickOf(g, 4, 9, 17, 18, 33)
	now := &array{name: g.name("now"), k: k, dims: []string{fmt.Sprint(size)}, mine: true}
	next := &array{name: g.name("next"), k: k, dims: now.dims, mine: true}
	s := &lane{name: "s", bound: fmt.Sprint(size)}
	loop := func(to, value string, x *Expr) *Stmt {
		return do("for s := range "+fmt.Sprint(size)+" {}", []*Stmt{with(to+"[s] = "+value, x)})
	}
	body := []*Stmt{do(fmt.Sprintf(pickOf(g, "%s := make([]%s, %d)", "var %s [%[3]d]%[2]s"), now.name, k, size)), loop(now.name, "%s", g.expr(in.turn(s), k, 1))}
	in.arrays = append(in.arrays, now, now)
	turn := in.turn(s)
	turns := pickOf(g, "for range wide {}", "for t := 0; t < wide; t++ {}", fmt.Sprintf("for range %s %% 5 {}", l.name))
	sum := pickOf(g, "%[1]s[s] + %%s", "%[1]s[%[2]d-1-s] - %%s", "max(%[1]s[max(s, 1)-1], %%s)", "%[1]s[min(s+3, %[2]d-1)] + %%s")
	switch g.IntN(3) {
	case 0:
		body = append(body, do(turns, []*Stmt{loop(now.name, fmt.Sprintf("%s[s] - %%s", now.name), g.expr(in, k, 2))}))
	case 1:
		body = append(body, do(turns, []*Stmt{{Op: "if %s {}", X: []*Expr{g.cond(in, 1)}, Blocks: [][]*Stmt{{loop(now.name, fmt.Sprintf("%s[s] + %%s", now.name), g.expr(turn, k, 2))}}}}))
	default:
		decl := "%s := make([]%s, %d)"
		if body[0].Op[0] == 'v' {
			decl = "var %s [%[3]d]%[2]s"
		}
		body = append(body, do(fmt.Sprintf(decl, next.name, k, size)),
			do(turns, []*Stmt{loop(next.name, fmt.Sprintf(sum, now.name, size), g.expr(in, k, 1)), do(now.name + ", " + next.name + " = " + next.name + ", " + now.name)}))
	}
	body = append(body, with(fmt.Sprintf("%s[%s] = %%s", a.name, l.name), g.expr(in, k, 2)),
		do(fmt.Sprintf("for s := range %d {\n\t%s[%s] += %s[s]\n}", size, a.name, l.name, now.name)))
	w.arrays = append(w.arrays, a)
	return []*Stmt{do(fmt.Sprintf("%s := make([]%s, n)", a.name, k)), do(head, body)}
}
