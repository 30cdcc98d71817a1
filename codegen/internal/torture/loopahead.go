package torture

import "fmt"

// lookahead computes each element in a slice of its own, whose elements are updated in turn from others before or
// behind them, which are updated later, or have been.
func (g *loopgen) lookahead(w *world) []*Stmt {
	k := g.likely(w)
	a := &array{name: g.name("y"), k: k, dims: []string{"n"}, mine: true}
	head, l := g.whole("n")
	in := w.turn(l)
	size := 9 + g.IntN(32)
	own, other := g.name("own"), g.name("other")
	row := &array{name: own, k: k, dims: []string{fmt.Sprint(size)}, mine: true}
	deep := in.turn(&lane{name: "j", bound: fmt.Sprint(size)})
	body := []*Stmt{do(fmt.Sprintf("%s, %s := make([]%s, %d), make([]%[3]s, %[4]d)", own, other, k, size)), do("h := " + l.name + " % 5\n_ = h"),
		do("for j := range "+own+" {}", []*Stmt{with(own+"[j] = %s", g.expr(deep, k, 2))})}
	var sweeps []*Stmt
	for range 1 + g.IntN(3) {
		far := pickOf(g, "1", "1", "2", "3", "h")
		at, read := own+"[j]", own+"[j+"+far+"]"
		head := fmt.Sprintf("for j := 0; j < %d-%s; j++ {}", size, far)
		if g.chance(0.4) {
			read, head = own+"[j-"+far+"]", fmt.Sprintf("for j := %d; j >= %s; j-- {}", size-1, far)
		}
		if g.chance(0.15) { // a turn needs the one before
			at, read = read, at
		}
		set := do(at + pickOf(g, " = ", " = ", " += ", " -= ") + g.near(k, read, at, read))
		sweep := []*Stmt{set}
		switch g.IntN(9) {
		case 0:
			sweep = []*Stmt{do(fmt.Sprintf("if %s > %s {}", read, at), sweep)}
		case 1:
			sweep = append(sweep, do(fmt.Sprintf("%s[j] = %s", other, read)))
		case 2:
			sweep = append([]*Stmt{do(fmt.Sprintf("%s[j] = %s", other, read))}, sweep...)
		case 5: // what is updated in one arm is read in the other
			sweep = []*Stmt{do(fmt.Sprintf("if %s > 2 {} else {}", at), sweep, []*Stmt{do(fmt.Sprintf("%s[j] = %s", other, read))})}
		case 4: // what was read is used behind the update
			sweep = []*Stmt{do("v := " + read), set, do(other + "[j] = v")}
		case 3:
			sweep = []*Stmt{do(fmt.Sprintf("if v := %s; v > %s {\n\t%[2]s = v\n}", read, at))}
		}
		sweeps = append(sweeps, do(head, sweep))
	}
	body = append(body, do(fmt.Sprintf("for range %d {}", 1+g.IntN(4)), sweeps))
	sum := fmt.Sprintf("%s[%s]", a.name, l.name)
	body = append(body, do(fmt.Sprintf("for j, v := range %s {}", own), []*Stmt{do(fmt.Sprintf("%s = %[1]s*3 + v - %s[j]", sum, other))}))
	in.arrays = append(in.arrays, row)
	if g.chance(0.5) {
		body = append(body, with(sum+" = %s", g.expr(in, k, 2)))
	}
	w.arrays = append(w.arrays, a)
	return []*Stmt{do(fmt.Sprintf("%s := make([]%s, n)", a.name, k)), do(head, body)}
}
