package torture

import "fmt"

// carriesFlat steps a grid that lies in one slice, in one loop whose turns take their number apart: as many as rows and
// columns are, or as the slice has elements, of which the last row may have fewer.
func (g *loopgen) carriesFlat(w *world) []*Stmt {
	k := g.likely(w)
	a, next := g.name("flat"), g.name("next")
	n := pickOf(g, "high*wide", "high*wide", "n")
	rows := pickOf(g, "high", "high", "max(high, 1)")
	out := []*Stmt{do(fmt.Sprintf("%s, %s := make([]%s, %s), make([]%[3]s, %[4]s)", a, next, k, n))}
	i := &lane{name: g.name("i"), bound: n}
	filled := w.turn(i)
	out = append(out, do(fmt.Sprintf("for %s := range %s {}", i.name, a), []*Stmt{with(fmt.Sprintf("%s[%s] = %%s", a, i.name), g.expr(filled, k, 2))}))
	in := w.turn(i)
	in.numbers = append(in.numbers, &number{name: "x", k: Int}, &number{name: "y", k: Int}, &number{name: "t", k: Int})
	e := func(at string) string { return fmt.Sprintf("%s[%s%s]", a, i.name, at) }
	border := fmt.Sprintf("if x == 0 || y == 0 || x == wide-1 || y >= %s-1 {\n\t%s[%s] = %s\n\tcontinue\n}", rows, next, i.name, pickOf(g, e(""), "3"))
	sum := g.near(k, e("-1"), e("+1"), e("-wide"), e(""))
	cell := with(fmt.Sprintf("%s[%s] = %s - %%s", next, i.name, sum), g.expr(in, k, 2))
	head := pickOf(g, fmt.Sprintf("for %s := range %s {}", i.name, n), fmt.Sprintf("for %s := 0; %[1]s < len(%s); %[1]s++ {}", i.name, a), fmt.Sprintf("for %s := range %s {}", i.name, next))
	apart := do(fmt.Sprintf("x, y := %s%%wide, %[1]s/wide\n_, _ = x, y", i.name))
	turn := []*Stmt{do("_ = t"), do(head, []*Stmt{apart, do(border), cell})}
	if g.chance(0.4) { // what is left of the last row
		turn = append(turn, do(fmt.Sprintf("if len(%s) > 0 {\n\t%[1]s[0]++\n}", next)))
	}
	turn = append(turn, do(fmt.Sprintf("%s, %s = %[2]s, %[1]s", a, next)))
	w.arrays = append(w.arrays, &array{name: a, k: k, dims: []string{n}, mine: true}, &array{name: next, k: k, dims: []string{n}, mine: true})
	return append(out, do(pickOf(g, "for t := range 3 {}", "for t := 0; t < n && t < 4; t++ {}"), turn))
}
