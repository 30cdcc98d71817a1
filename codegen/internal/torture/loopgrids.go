package torture

import (
	"fmt"
	"slices"
	"strings"
)

// makeRows declares rows of one length, with their slices made in the loop that fills them, or before.
func makeRows(name string, k Kind, rows, cols string) *Stmt {
	return do(fmt.Sprintf("%s := make([][]%s, %s)\nfor r := range %[1]s {\n\t%[1]s[r] = make([]%[2]s, %[4]s)\n}", name, k, rows, cols))
}

// grid fills rows, from rows if there are any.
func (g *loopgen) grid(w *world) []*Stmt {
	k := g.likely(w)
	rows, cols := pickOf(g, "high", "high", "n", "4", "wide"), pickOf(g, "wide", "wide", "m", "5", "high")
	if cols == "m" && !g.hasLength(w, "m") {
		cols = "wide"
	}
	a := &array{name: g.name("z"), k: k, dims: []string{rows, cols}, mine: true}
	hi, i := g.whole(rows)
	in := w.turn(i)
	hj, j := g.header(cols)
	early := g.chance(0.5)
	out := []*Stmt{makeRows(a.name, k, rows, cols)}
	body := g.locals(in)
	if early { // rows are made where they are filled
		out = []*Stmt{do(fmt.Sprintf("%s := make([][]%s, %s)", a.name, k, rows))}
		body = append(body, do(fmt.Sprintf("%s[%s] = make([]%s, %s)", a.name, i.name, k, cols)))
	}
	row := fmt.Sprintf("%s[%s]", a.name, i.name)
	if early && g.chance(0.4) {
		row = g.name("row")
		body = append(body[:len(body)-1], do(fmt.Sprintf("%s := make([]%s, %s)", row, k, cols)))
	}
	cell := in.turn(j)
	turn := g.locals(cell)
	var behind []*Stmt
	value := g.expr(cell, k, 3)
	if g.chance(0.3) { // a product of rows and columns
		v, decl := g.zero(w, k)
		head, l := g.header(pickOf(g, "wide", "high", cols, rows))
		deep := cell.turn(l)
		turn = append(turn, decl, do(head, g.guarded(deep, []*Stmt{with(into(g.combine(k), v.name), g.expr(deep, k, 2))})))
		value = &Expr{T: scalarOf(k), Op: v.name}
	}
	turn = append(turn, g.guarded(cell, []*Stmt{with(fmt.Sprintf("%s[%s] = %%s", row, j.name), value)})...)
	if g.chance(0.25) { // a sum beside the elements
		v, decl := g.zero(w, g.likely(w))
		out = append(out, decl)
		turn = append(turn, with(into(g.combine(v.k), v.name), g.expr(cell, v.k, 2)))
		w.numbers = append(w.numbers, v)
	}
	if g.chance(0.2) { // sums of rows
		v, decl := g.zero(w, k)
		s := &array{name: g.name("y"), k: k, dims: []string{rows}, mine: true}
		out = append(out, do(fmt.Sprintf("%s := make([]%s, %s)", s.name, k, rows)))
		body = append(body, decl)
		turn = append(turn, do(fmt.Sprintf("%s += %s[%s]", v.name, row, j.name)))
		behind = append(behind, do(fmt.Sprintf("%s[%s] = %s", s.name, i.name, v.name)))
		w.arrays = append(w.arrays, s)
	}
	body = append(body, do(hj, turn))
	body = append(body, behind...)
	if early && row[0] == 'r' {
		body = append(body, do(fmt.Sprintf("%s[%s] = %s", a.name, i.name, row)))
	}
	w.arrays = append(w.arrays, a)
	return append(out, do(hi, body))
}

func (g *loopgen) hasLength(w *world, n string) bool {
	for _, a := range w.arrays {
		if a.dims[0] == n {
			return true
		}
	}
	return false
}

// rowsOf picks an array of rows, ragged ones too, and makes one if there is none.
func (g *loopgen) rowsOf(w *world, ragged bool) (*array, []*Stmt) {
	var all []*array
	for _, a := range w.arrays {
		if len(a.dims) == 2 && (ragged || !a.ragged) && !a.moves {
			all = append(all, a)
		}
	}
	if len(all) > 0 && g.chance(0.8) {
		return all[g.IntN(len(all))], nil
	}
	out := g.square(w, g.likely(w), pickOf(g, "high", "wide", "6"), pickOf(g, "wide", "wide", "5"))
	return w.arrays[len(w.arrays)-1], out
}

// square makes rows whose elements are those of something, or computed, without anything hidden: what is updated next.
func (g *loopgen) square(w *world, k Kind, rows, cols string) []*Stmt {
	a := &array{name: g.name("z"), k: k, dims: []string{rows, cols}, mine: true}
	i, j := &lane{name: g.name("i"), bound: rows}, &lane{name: g.name("j"), bound: cols}
	in := w.turn(i, j)
	fill := do(fmt.Sprintf("for %s := range %s {}", i.name, rows), []*Stmt{do(fmt.Sprintf("for %s := range %s {}", j.name, cols),
		[]*Stmt{with(fmt.Sprintf("%s[%s][%s] = %%s", a.name, i.name, j.name), g.expr(in, k, 2))})})
	w.arrays = append(w.arrays, a)
	return []*Stmt{makeRows(a.name, k, rows, cols), fill}
}

// columns accumulates over the rows of each column.
func (g *loopgen) columns(w *world) []*Stmt {
	src, out := g.rowsOf(w, true)
	k := src.k
	cols := src.dims[1]
	if src.ragged {
		cols = "wide"
	}
	a := &array{name: g.name("col"), k: k, dims: []string{cols}, mine: true}
	out = append(out, do(fmt.Sprintf("%s := make([]%s, %s)", a.name, k, cols)))
	i, j := &lane{name: g.name("i"), bound: src.dims[0]}, &lane{name: g.name("j"), bound: cols}
	in := w.turn(i, j)
	cell := fmt.Sprintf("%s[%s][%s]", src.name, i.name, j.name)
	add := with(into(g.combine(k), a.name+"["+j.name+"]"), g.expr(in, k, 1))
	if g.chance(0.5) {
		add = do(fmt.Sprintf("%s[%s] += %s", a.name, j.name, cell))
	}
	body := g.guarded(in, []*Stmt{add})
	oi, oj := fmt.Sprintf("for %s := range %s {}", i.name, src.dims[0]), fmt.Sprintf("for %s := range %s {}", j.name, cols)
	if src.ragged {
		oj = pickOf(g, fmt.Sprintf("for %s := range min(%s, len(%s[%s])) {}", j.name, cols, src.name, i.name),
			fmt.Sprintf("for %[1]s := 0; %[1]s < %[2]s && %[1]s < len(%[3]s[%[4]s]); %[1]s++ {}", j.name, cols, src.name, i.name))
	} else if g.chance(0.35) {
		oi, oj = oj, oi
	}
	if g.chance(0.2) {
		v, decl := g.zero(w, g.likely(w))
		out = append(out, decl)
		body = append(body, with(into(g.combine(v.k), v.name), g.expr(in, v.k, 2)))
		w.numbers = append(w.numbers, v)
	}
	w.arrays = append(w.arrays, a)
	return append(out, do(oi, []*Stmt{do(oj, body)}))
}

// volume makes an array of rank 3 or 4, and steps on it.
func (g *loopgen) volume(w *world) []*Stmt {
	k := g.likely(w)
	dims := []string{pickOf(g, "3", "wide"), pickOf(g, "high", "wide", "2"), pickOf(g, "wide", "4")}
	rank := 3
	if g.chance(0.2) {
		rank, dims = 4, append(dims, pickOf(g, "2", "wide"))
	}
	build := func(a *array, value func(in *world, lanes []*lane) []*Stmt) []*Stmt {
		var lanes []*lane
		for _, d := range a.dims {
			lanes = append(lanes, &lane{name: g.name("i"), bound: d})
		}
		var level func(d int, place string) []*Stmt
		level = func(d int, place string) []*Stmt {
			if d == rank {
				return value(w.turn(lanes...), lanes)
			}
			var out []*Stmt
			if d > 0 {
				brackets := ""
				for range rank - d {
					brackets += "[]"
				}
				out = append(out, do(fmt.Sprintf("%s = make(%s%s, %s)", place, brackets, a.k, a.dims[d])))
			}
			return append(out, do(fmt.Sprintf("for %s := range %s {}", lanes[d].name, a.dims[d]), level(d+1, place+"["+lanes[d].name+"]")))
		}
		brackets := "[]"
		for range rank - 1 {
			brackets += "[]"
		}
		return append([]*Stmt{do(fmt.Sprintf("%s := make(%s%s, %s)", a.name, brackets, a.k, a.dims[0]))}, level(0, a.name)...)
	}
	at := func(a *array, lanes []*lane) string {
		text := a.name
		for _, l := range lanes {
			text += "[" + l.name + "]"
		}
		return text
	}
	a := &array{name: g.name("v"), k: k, dims: dims, mine: true}
	out := build(a, func(in *world, lanes []*lane) []*Stmt {
		return append(g.locals(in), g.guarded(in, []*Stmt{with(at(a, lanes)+" = %s", g.expr(in, k, 2))})...)
	})
	w.arrays = append(w.arrays, a)
	if g.chance(0.5) {
		b := &array{name: g.name("v"), k: g.likely(w), dims: dims, mine: true}
		out = append(out, build(b, func(in *world, lanes []*lane) []*Stmt {
			v, decl := g.zero(w, b.k)
			head, l := g.header(dims[g.IntN(rank)])
			deep := in.turn(l)
			if g.chance(0.5) {
				return g.guarded(in, []*Stmt{with(at(b, lanes)+" = %s", g.expr(in, b.k, 3))})
			}
			return []*Stmt{decl, do(head, []*Stmt{with(into(g.combine(b.k), v.name), g.expr(deep, b.k, 2))}), do(at(b, lanes) + " = " + v.name)}
		})...)
		w.arrays = append(w.arrays, b)
	}
	if g.chance(0.5) { // in place, and a sum
		var lanes []*lane
		for _, d := range dims {
			lanes = append(lanes, &lane{name: g.name("i"), bound: d})
		}
		in := w.turn(lanes...)
		v, decl := g.zero(w, g.likely(w))
		body := []*Stmt{with(into(g.combine(k), at(a, lanes)), g.expr(in, k, 2)), with(into(g.combine(v.k), v.name), g.expr(in, v.k, 2))}
		if g.chance(0.3) {
			body = body[g.IntN(2):][:1]
		}
		order := g.Perm(rank)
		for _, d := range order {
			body = []*Stmt{do(fmt.Sprintf("for %s := range %s {}", lanes[d].name, dims[d]), body)}
		}
		out = append(append(out, decl), body...)
		w.numbers = append(w.numbers, v)
	}
	return out
}

// flatFill computes an array by indices that are taken apart and put together.
func (g *loopgen) flatFill(w *world) []*Stmt {
	k := g.likely(w)
	a := &array{name: g.name("y"), k: k, dims: []string{"high*wide"}, flat: []string{"high", "wide"}, mine: true}
	out := []*Stmt{do(fmt.Sprintf("%s := make([]%s, high*wide)", a.name, k))}
	r, c := &lane{name: g.name("r"), bound: "high"}, &lane{name: g.name("c"), bound: "wide"}
	in := w.turn(r, c)
	in.lanes = append(in.lanes, &lane{name: "p", bound: "high*wide"})
	var head string
	var body []*Stmt
	place := "p"
	if g.chance(0.6) {
		head = pickOf(g, "for p := range high * wide {}", "for p := 0; p < high*wide; p++ {}", fmt.Sprintf("for p := range %s {}", a.name))
		apart := do(fmt.Sprintf("%s := p / wide\n%s := p %% wide\n_, _ = %[1]s, %[2]s", r.name, c.name))
		if g.chance(0.3) {
			apart = do(fmt.Sprintf("%s, %s := p/wide, p-p/wide*wide\n_, _ = %[1]s, %[2]s", r.name, c.name))
		} else if g.chance(0.3) {
			apart = do(fmt.Sprintf("%s, %s := p%%high, p/high\n_, _ = %[1]s, %[2]s", r.name, c.name))
		}
		body = append(body, apart)
		if g.chance(0.25) { // transposed
			place = fmt.Sprintf("%s*high+%s", c.name, r.name)
		}
	} else {
		place = fmt.Sprintf("%s*wide+%s", r.name, c.name)
		if g.chance(0.3) {
			place = fmt.Sprintf("%s*high+%s", c.name, r.name)
		}
	}
	turn := g.locals(in)
	if g.chance(0.5) { // a stencil with guards
		v, decl := g.zero(w, k)
		src := g.flatOf(w)
		turn = append(turn, decl)
		for range 1 + g.IntN(3) {
			near := [][2]string{{"if %[1]s > 0 {\n\t$ += @\n}", "(%[1]s-1)*wide+%[2]s"}, {"if %[2]s+1 < wide {\n\t$ -= @\n}", "%[1]s*wide+%[2]s+1"},
				{"if %[1]s < high-1 && %[2]s > 0 {\n\t$ += @\n}", "(%[1]s+1)*wide+%[2]s-1"}, {"if q := %[1]s*wide + %[2]s - wide; q >= 0 {\n\t$ -= @\n}", "q"},
				{"if q := %[1]s*wide + %[2]s + 1; q < n {\n\t$ += @\n}", "q"}}[g.IntN(5)]
			text := strings.ReplaceAll(near[0], "@", converted(src.k, k, src.name+"["+near[1]+"]"))
			text = strings.NewReplacer("%[1]s", r.name, "%[2]s", c.name).Replace(text)
			turn = append(turn, do(into(text, v.name)))
		}
		in.numbers = append(in.numbers, v)
	}
	turn = append(turn, g.guarded(in, []*Stmt{with(a.name+"["+place+"] = %s", g.expr(in, k, 2))})...)
	if g.chance(0.2) {
		v, decl := g.zero(w, g.likely(w))
		out = append(out, decl)
		turn = append(turn, with(into(g.combine(v.k), v.name), g.expr(in, v.k, 2)))
		w.numbers = append(w.numbers, v)
	}
	if head != "" {
		body = append(body, turn...)
		out = append(out, do(head, body))
	} else {
		hr, hc := fmt.Sprintf("for %s := range high {}", r.name), fmt.Sprintf("for %s := 0; %[1]s < wide; %[1]s++ {}", c.name)
		in2 := append([]*Stmt{do(fmt.Sprintf("p := %s*wide + %s\n_ = p", r.name, c.name))}, turn...)
		out = append(out, do(hr, []*Stmt{do(hc, in2)}))
	}
	w.arrays = append(w.arrays, a)
	return out
}

// flatOf is an array with as many elements as high*wide at least.
func (g *loopgen) flatOf(w *world) *array {
	var all []*array
	for _, a := range w.arrays {
		grid := len(a.flat) == 2 && slices.Contains(a.flat, "high") && slices.Contains(a.flat, "wide")
		if !a.moves && len(a.dims) == 1 && (a.dims[0] == "n" || grid) {
			all = append(all, a)
		}
	}
	return all[g.IntN(len(all))]
}

// flatVolume takes an index apart into three or four.
func (g *loopgen) flatVolume(w *world) []*Stmt {
	k := g.likely(w)
	a := &array{name: g.name("y"), k: k, dims: []string{"n"}, mine: true}
	c, b, d := g.name("c"), g.name("b"), g.name("d")
	last := pickOf(g, "2", "3", "wide")
	in := w.turn(&lane{name: "p", bound: "n"}, &lane{name: c, bound: last}, &lane{name: b, bound: "wide"})
	in.numbers = append(in.numbers, &number{name: d, k: Int})
	body := []*Stmt{do(fmt.Sprintf("%s := p %% %s\n%s := p / %[2]s %% wide\n%[4]s := p / (%[2]s * wide)\n_, _, _ = %[1]s, %[3]s, %[4]s", c, last, b, d))}
	near := g.name("q")
	body = append(body, do(fmt.Sprintf("%s := (%s*wide+%s)*%s + %s", near, pickOf(g, d, d, d+"-1", d+"+1", "max("+d+"-1, 0)"), pickOf(g, b, b, b+"-1", "(wide-1-"+b+")", "(("+b+"+1)%wide)"),
		last, pickOf(g, c, c, "("+last+"-1-"+c+")", c+"+1"))))
	yes := in.inner()
	yes.lanes = append(yes.lanes, &lane{name: near, bound: "n"}, &lane{name: near, bound: "n"})
	s := do(fmt.Sprintf("if %s >= 0 && %[1]s < n {} else {}", near), []*Stmt{with(a.name+"[p] = %s", g.expr(yes, k, 2))}, []*Stmt{with(a.name+"[p] = %s", g.expr(in, k, 2))})
	w.arrays = append(w.arrays, a)
	return []*Stmt{do(fmt.Sprintf("%s := make([]%s, n)", a.name, k)), do(pickOf(g, "for p := range n {}", "for p := 0; p < n; p++ {}"), append(body, s))}
}

// nestedSums accumulates in rows of any length, in nested loops, with a place of the extreme.
func (g *loopgen) nestedSums(w *world) []*Stmt {
	src, out := g.rowsOf(w, true)
	k := g.likely(w)
	a := &array{name: g.name("y"), k: k, dims: []string{src.dims[0]}, mine: true}
	i := &lane{name: g.name("i"), bound: src.dims[0]}
	row := src.name + "[" + i.name + "]"
	bound := src.dims[1]
	if src.ragged {
		bound = "len(" + row + ")"
	}
	in := w.turn(i)
	v, decl := g.zero(w, k)
	body := append(g.locals(in), decl)
	head, j := g.header(bound)
	deep := in.turn(j)
	turn := g.leaves(deep, 0.25)
	turn = append(append(turn, g.locals(deep)...), g.guarded(deep, []*Stmt{with(into(g.combine(k), v.name), g.expr(deep, k, 2))})...)
	at := ""
	if g.chance(0.3) {
		at = g.name("at")
		body = append(body, do(at+" := -1"))
		turn = append(turn, do(fmt.Sprintf("if %[1]s < 0 || %[2]s[%[3]s] %[4]s %[2]s[%[1]s] {\n\t%[1]s = %[3]s\n}", at, row, j.name, pickOf(g, "<", ">", ">=", "<="))))
	}
	body = append(body, do(head, turn))
	end := in.inner()
	end.numbers = append(end.numbers, v)
	if at != "" {
		end.numbers = append(end.numbers, &number{name: at, k: Int})
	}
	body = append(body, with(fmt.Sprintf("%s[%s] = %%s", a.name, i.name), g.expr(end, k, 1)))
	out = append(out, do(fmt.Sprintf("%s := make([]%s, %s)", a.name, k, src.dims[0])))
	w.arrays = append(w.arrays, a)
	return append(out, do(fmt.Sprintf("for %s := range %s {}", i.name, src.dims[0]), body))
}
