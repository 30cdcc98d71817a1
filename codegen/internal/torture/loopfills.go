package torture

import (
	"fmt"
	"strings"
)

// zero declares a number.
func (g *loopgen) zero(w *world, k Kind) (*number, *Stmt) {
	v := &number{name: g.name("s"), k: k, mine: true}
	init := pickOf(g, "0", "0", "1", "5", "100")
	return v, do(fmt.Sprintf("%s := %s(%s)\n_ = %s", v.name, k, init, v.name))
}

// header is a loop up to a bound, and its variable.
func (g *loopgen) header(bound string) (string, *lane) {
	l := &lane{name: g.name("i"), bound: bound}
	switch g.IntN(8) {
	case 0:
		l.lo, l.hi = 1, 1
		return fmt.Sprintf("for %s := 1; %[1]s < %s-1; %[1]s++ {}", l.name, bound), l
	case 1:
		l.lo = 1
		return fmt.Sprintf("for %s := 1; %[1]s < %s; %[1]s++ {}", l.name, bound), l
	case 2:
		l.hi = 2
		return fmt.Sprintf("for %s := 0; %[1]s+2 < %s; %[1]s++ {}", l.name, bound), l
	case 3:
		return fmt.Sprintf("for %s := range %s {}", l.name, bound), l
	case 4:
		return fmt.Sprintf("for %s := %s - 1; %[1]s >= 0; %[1]s-- {}", l.name, bound), l
	}
	return fmt.Sprintf("for %s := 0; %[1]s < %s; %[1]s++ {}", l.name, bound), l
}

// whole is a loop that visits all below a bound.
func (g *loopgen) whole(bound string) (string, *lane) {
	l := &lane{name: g.name("i"), bound: bound}
	if g.chance(0.5) {
		return fmt.Sprintf("for %s := range %s {}", l.name, bound), l
	}
	return fmt.Sprintf("for %s := 0; %[1]s < %s; %[1]s++ {}", l.name, bound), l
}

// length picks a length that there is.
func (g *loopgen) length(w *world) string {
	return pickOf(g, "n", "n", "high", "wide", pickOf(g, "3", "4", "8"))
}

// guarded puts statements under a condition now and then.
func (g *loopgen) guarded(w *world, body []*Stmt) []*Stmt {
	if !g.chance(0.3) {
		return body
	}
	s := &Stmt{Op: "if %s {}", X: []*Expr{g.cond(w, 2)}, Blocks: [][]*Stmt{body}}
	return []*Stmt{s}
}

// locals declares numbers inside a turn, some of which a condition changes.
func (g *loopgen) locals(w *world) []*Stmt {
	var out []*Stmt
	for range g.IntN(3) {
		k := g.likely(w)
		v := &number{name: g.name("t"), k: k, mine: true}
		out = append(out, with(fmt.Sprintf("%s := %%s\n_ = %[1]s", v.name), g.expr(w, k, 2)))
		if g.chance(0.5) {
			set := with(v.name+" = %s", g.expr(w, k, 1))
			s := &Stmt{Op: "if %s {}", X: []*Expr{g.cond(w, 1)}, Blocks: [][]*Stmt{{set}}}
			if g.chance(0.3) {
				s.Op = "if %s {} else {}"
				s.Blocks = append(s.Blocks, []*Stmt{with(into(g.combine(k), v.name), g.expr(w, k, 1))})
			}
			out = append(out, s)
		}
		w.numbers = append(w.numbers, v)
	}
	return out
}

// leaves ends a turn, or the loop, under a condition.
func (g *loopgen) leaves(w *world, p float64) []*Stmt {
	if !g.chance(p) {
		return nil
	}
	return []*Stmt{{Op: "if %s {}", X: []*Expr{g.cond(w, 1)}, Blocks: [][]*Stmt{{do(pickOf(g, "break", "continue"))}}}}
}

// fill makes a slice and assigns elements of it in a loop.
func (g *loopgen) fill(w *world) []*Stmt {
	k, n := g.likely(w), g.length(w)
	a := &array{name: g.name("y"), k: k, dims: []string{n}, mine: true}
	head, l := g.header(n)
	in := w.turn(l)
	body := append(g.leaves(in, 0.1), g.locals(in)...)
	set := with(fmt.Sprintf("%s[%s] = %%s", a.name, l.name), g.expr(in, k, 3))
	body = append(body, g.guarded(in, []*Stmt{set})...)
	w.arrays = append(w.arrays, a)
	return []*Stmt{do(fmt.Sprintf("%s := make([]%s, %s)", a.name, k, n)), do(head, body)}
}

// fillsAndSums assigns elements of several slices and accumulates numbers in the same turns.
func (g *loopgen) fillsAndSums(w *world) []*Stmt {
	n := g.length(w)
	head, l := g.header(n)
	in := w.turn(l)
	var out []*Stmt
	var made []*array
	var sums []*number
	for range 1 + g.IntN(2) {
		a := &array{name: g.name("y"), k: g.likely(w), dims: []string{n}, mine: true}
		out = append(out, do(fmt.Sprintf("%s := make([]%s, %s)", a.name, a.k, n)))
		made = append(made, a)
	}
	for range 1 + g.IntN(3) {
		v, decl := g.zero(w, g.likely(w))
		out = append(out, decl)
		sums = append(sums, v)
	}
	body := g.locals(in)
	reads := g.chance(0.4) // the sums read the elements, and the elements sums
	if reads {
		in.arrays = append(in.arrays, made...)
	}
	if g.chance(0.4) {
		in.numbers = append(in.numbers, sums...)
	}
	var turn []*Stmt
	for _, a := range made {
		turn = append(turn, g.guarded(in, []*Stmt{with(fmt.Sprintf("%s[%s] = %%s", a.name, l.name), g.expr(in, a.k, 2))})...)
	}
	for _, v := range sums {
		s := with(into(g.combine(v.k), v.name), g.expr(in, v.k, 2))
		turn = append(turn, g.guarded(in, []*Stmt{s})...)
	}
	g.Shuffle(len(turn), func(i, j int) { turn[i], turn[j] = turn[j], turn[i] })
	body = append(body, turn...)
	if g.chance(0.1) {
		body = append(body, &Stmt{Op: "if %s {}", X: []*Expr{g.cond(in, 1)}, Blocks: [][]*Stmt{{do("break")}}})
	}
	w.arrays = append(w.arrays, made...)
	w.numbers = append(w.numbers, sums...)
	return append(out, do(head, body))
}

// sums accumulates in a loop, the innermost of several maybe.
func (g *loopgen) sums(w *world) []*Stmt {
	v, decl := g.zero(w, g.likely(w))
	head, l := g.header(g.length(w))
	in := w.turn(l)
	body := g.locals(in)
	if g.chance(0.5) {
		inner, m := g.header(g.length(w))
		in2 := in.turn(m)
		body = append(body, do(inner, append(g.locals(in2), g.guarded(in2, []*Stmt{with(into(g.combine(v.k), v.name), g.expr(in2, v.k, 2))})...)))
	} else {
		body = append(body, g.guarded(in, []*Stmt{with(into(g.combine(v.k), v.name), g.expr(in, v.k, 3))})...)
	}
	w.numbers = append(w.numbers, v)
	return []*Stmt{decl, do(head, body)}
}

// countDown fills from the end, in steps.
func (g *loopgen) countDown(w *world) []*Stmt {
	k := g.likely(w)
	a := &array{name: g.name("y"), k: k, dims: []string{"n"}, mine: true}
	l := &lane{name: g.name("i"), bound: "n"}
	in := w.turn(l)
	step := 1 + g.IntN(3)
	head := pickOf(g, fmt.Sprintf("for %s := n - 1; %[1]s >= 0; %[1]s -= %[2]d {}", l.name, step), fmt.Sprintf("for %s := 0; %[1]s < n; %[1]s += %[2]d {}", l.name, step),
		fmt.Sprintf("for %s := n - 1; %[1]s > %[2]d; %[1]s-- {}", l.name, step), fmt.Sprintf("for %s := %[2]d; %[1]s <= n-1; %[1]s += %[2]d {}", l.name, step))
	place := pickOf(g, l.name, l.name, "n-1-"+l.name, fmt.Sprintf("(%s*%d) %% n", l.name, step))
	body := append(g.locals(in), with(fmt.Sprintf("%s[%s] = %%s", a.name, place), g.expr(in, k, 2)))
	w.arrays = append(w.arrays, a)
	return []*Stmt{do(fmt.Sprintf("%s := make([]%s, n)", a.name, k)), do(head, body)}
}

// scatter accumulates or assigns at computed places.
func (g *loopgen) scatter(w *world) []*Stmt {
	k, size := g.likely(w), pickOf(g, "7", "16", "64", "n")
	a := &array{name: g.name("bins"), k: k, dims: []string{size}, mine: true}
	head, l := g.whole("n")
	in := w.turn(l)
	body := g.locals(in)
	ik := g.intKind()
	place := &Expr{T: scalarOf(Int), Op: fmt.Sprintf("int(uint64(%%s) %% uint64(%s))", size), Args: []*Expr{g.expr(in, ik, 2)}}
	op := pickOf(g, "+=", "+=", "=", "-=")
	if !k.float() && g.chance(0.3) {
		op = pickOf(g, "^=", "|=", "*=")
	}
	body = append(body, g.guarded(in, []*Stmt{with(fmt.Sprintf("%s[%%s] %s %%s", a.name, op), place, g.expr(in, k, 2))})...)
	w.arrays = append(w.arrays, a)
	return []*Stmt{do(fmt.Sprintf("%s := make([]%s, %s)", a.name, k, size)), do(head, body)}
}

// guardedPlace reads at an index whose range only a condition says.
func (g *loopgen) guardedPlace(w *world) []*Stmt {
	k := g.likely(w)
	a := &array{name: g.name("y"), k: k, dims: []string{"n"}, mine: true}
	head, l := g.whole("n")
	in := w.turn(l)
	j := g.name("j")
	ik := pickOf(g, Int, Int, Int, I32, I16, I8, U8)
	at := with(fmt.Sprintf("%s := int(%%s)\n_ = %[1]s", j), g.expr(in, ik, 2))
	if ik == Int && g.chance(0.5) {
		at = do(fmt.Sprintf("%s := %s\n_ = %[1]s", j, pickOf(g, l.name+"-1", l.name+"+1", "2*"+l.name, l.name+"-wide", l.name+"+wide", "3*"+l.name+"-n", l.name+"*"+l.name, "n/2-"+l.name)))
	}
	in.numbers = append(in.numbers, &number{name: j, k: Int})
	guard := pickOf(g, "%s >= 0 && %s < n", "uint(%s) < uint(n)", "%s < n && %s > 0", "%s > -1 && n > %s", "!(%s < 0 || %s >= n)", "%s >= 2 && %s < n-1")
	text := ""
	for i, part := range strings.Split(guard, "%s") {
		if i > 0 {
			text += j
		}
		text += part
	}
	yes := in.inner()
	yes.lanes = append(yes.lanes, &lane{name: j, bound: "n"}, &lane{name: j, bound: "n"})
	then := []*Stmt{with(fmt.Sprintf("%s[%s] = %%s", a.name, l.name), g.expr(yes, k, 2))}
	if g.chance(0.3) {
		then = append(then, with(fmt.Sprintf("%s[%s] = %%s", a.name, j), g.expr(yes, k, 1)))
	}
	s := do("if "+text+" {}", then)
	if g.chance(0.4) {
		s = do("if "+text+" {} else {}", then, []*Stmt{with(fmt.Sprintf("%s[%s] = %%s", a.name, l.name), g.expr(in, k, 2))})
	}
	body := []*Stmt{at, s}
	if g.chance(0.3) { // the guard leaves the turn
		body = []*Stmt{at, do("if !("+text+") {}", []*Stmt{do("continue")})}
		body = append(body, then...)
	}
	w.arrays = append(w.arrays, a)
	return []*Stmt{do(fmt.Sprintf("%s := make([]%s, n)", a.name, k)), do(head, body)}
}
