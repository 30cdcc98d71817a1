package torture

import (
	"fmt"
	"strings"
)

// copied makes a slice of the function's own from something, in one of the ways that Go has.
func (g *loopgen) copied(w *world) (*array, []*Stmt) {
	var from []*array
	for _, a := range w.arrays {
		if len(a.dims) == 1 && !a.moves && a.dims[0] == "n" {
			from = append(from, a)
		}
	}
	src := from[g.IntN(len(from))]
	a := &array{name: g.name("u"), k: src.k, dims: []string{"n"}, flat: src.flat, mine: true}
	way := pickOf(g, "%[1]s := make([]%[3]s, n)\ncopy(%[1]s, %[2]s)", "%[1]s := append([]%[3]s(nil), %[2]s...)", "%[1]s := make([]%[3]s, len(%[2]s))\nfor i := range %[1]s {\n\t%[1]s[i] = %[2]s[i]\n}",
		"%[1]s := make([]%[3]s, n)\nfor i, v := range %[2]s {\n\t%[1]s[i] = v + 1\n}")
	w.arrays = append(w.arrays, a)
	return a, []*Stmt{do(fmt.Sprintf(way, a.name, src.name, src.k))}
}

// target picks an array of the function's own with elements in a row, or makes one.
func (g *loopgen) target(w *world) (*array, []*Stmt) {
	for range 3 {
		if a := w.arrays[g.IntN(len(w.arrays))]; a.mine && len(a.dims) == 1 && a.dims[0] == "n" && !a.moves {
			return a, nil
		}
	}
	return g.copied(w)
}

// near lists elements near one, each within the array.
func (g *loopgen) near(k Kind, parts ...string) string {
	n := 1 + g.IntN(len(parts))
	var out []string
	for _, i := range g.Perm(len(parts))[:n] {
		out = append(out, parts[i])
	}
	text := strings.Join(out, pickOf(g, " + ", " - ", " + "))
	if k.float() {
		return pickOf(g, "("+text+")*0.25", "("+text+")/3", text, "min("+strings.Join(out, ", ")+")")
	}
	return pickOf(g, "("+text+")/2", text, "("+text+")>>1", "("+text+")*3", "max("+strings.Join(out, ", ")+")")
}

// colours updates every second element from its neighbours, turn by turn.
func (g *loopgen) colours(w *world) []*Stmt {
	if g.chance(0.5) {
		a, out := g.target(w)
		e := func(d string) string { return a.name + "[" + d + "]" }
		i := g.name("i")
		head := pickOf(g, "for %[1]s := 1 + c; %[1]s < n-1; %[1]s += 2 {}", "for %[1]s := n - 2 - c; %[1]s > 0; %[1]s -= 2 {}", "for %[1]s := 1; %[1]s < n-1; %[1]s++ {}")
		set := do(e(i) + pickOf(g, " = ", " += ", " -= ") + g.near(a.k, e(i+"-1"), e(i+"+1"), e(i)))
		body := []*Stmt{set}
		if strings.Contains(head, "++") {
			body = []*Stmt{do(fmt.Sprintf("if %s%%2 == c {}", i), []*Stmt{set})}
		}
		inner := do(fmt.Sprintf(head, i), body)
		return append(out, do("for c := range 2 {}", []*Stmt{inner}))
	}
	a, out := g.rowsOf(w, false)
	if !a.mine {
		return nil
	}
	e := func(i, j string) string { return a.name + "[" + i + "][" + j + "]" }
	rows, cols := a.dims[0], a.dims[1]
	set := do(e("i", "j") + pickOf(g, " = ", " += ") + g.near(a.k, e("i-1", "j"), e("i+1", "j"), e("i", "j-1"), e("i", "j+1"), e("i", "j")))
	inner := pickOf(g, do(fmt.Sprintf("for j := 1 + (i+c)%%2; j < %s-1; j += 2 {}", cols), []*Stmt{set}),
		do(fmt.Sprintf("for j := 1; j < %s-1; j++ {}", cols), []*Stmt{do("if (i+j)%2 == c {}", []*Stmt{set})}),
		do(fmt.Sprintf("for j := 1; j < %s-1; j++ {}", cols), []*Stmt{do("if (i+j)%2 != c {}", []*Stmt{do("continue")}), set}))
	return append(out, do("for c := 0; c < 2; c++ {}", []*Stmt{do(fmt.Sprintf("for i := 1; i < %s-1; i++ {}", rows), []*Stmt{inner})}))
}

// sweep updates a slice in place from elements before and behind.
func (g *loopgen) sweep(w *world) []*Stmt {
	a, out := g.target(w)
	l := &lane{name: g.name("i"), bound: "n"}
	head := pickOf(g, fmt.Sprintf("for %s := 1; %[1]s < n; %[1]s++ {}", l.name), fmt.Sprintf("for %s := n - 1; %[1]s > 0; %[1]s-- {}", l.name),
		fmt.Sprintf("for %s := 2; %[1]s < n; %[1]s += 2 {}", l.name), fmt.Sprintf("for %s := 0; %[1]s < n; %[1]s++ {}", l.name), fmt.Sprintf("for %s := 0; %[1]s < n/2; %[1]s++ {}", l.name))
	l.lo = 0
	if strings.Contains(head, ":= 1;") || strings.Contains(head, ":= 2;") || strings.Contains(head, "> 0") {
		l.lo = 1
	}
	if strings.Contains(head, "n/2") {
		l.hi = 0
	}
	in := w.turn(l)
	var body []*Stmt
	place := pickOf(g, l.name, l.name, l.name, "n-1-"+l.name, fmt.Sprintf("%s/2", l.name), fmt.Sprintf("(%s*3) %% n", l.name), fmt.Sprintf("(%s+1) %% n", l.name), fmt.Sprintf("(%s*2) %% n", l.name))
	at := a.name + "[" + place + "]"
	value := g.expr(in, a.k, 2)
	text := pickOf(g, at+" = %s", into(g.combine(a.k), at), at+" = "+a.name+"["+pickOf(g, l.name, "n-1-"+l.name, l.name+"/2", "(7*"+l.name+") % n")+"] - %s")
	body = append(g.locals(in), g.guarded(in, []*Stmt{with(text, value)})...)
	if g.chance(0.3) {
		body = append(body, do(fmt.Sprintf("%[1]s[%[2]s], %[1]s[n-1-%[2]s] = %[1]s[n-1-%[2]s], %[1]s[%[2]s]", a.name, l.name)))
	}
	if g.chance(0.25) {
		v, decl := g.zero(w, a.k)
		out = append(out, decl)
		body = append(body, do(into("$ += "+at, v.name)))
		w.numbers = append(w.numbers, v)
	}
	s := do(head, body)
	if g.chance(0.3) {
		s = do(fmt.Sprintf("for range %d {}", 2+g.IntN(3)), []*Stmt{s})
	}
	return append(out, s)
}

// eliminate decomposes rows in place, or relaxes paths through each node.
func (g *loopgen) eliminate(w *world) []*Stmt {
	k := g.likely(w)
	size := pickOf(g, "wide", "6", "high", "wide")
	var out []*Stmt
	out = append(out, g.square(w, k, size, size)...)
	a := w.arrays[len(w.arrays)-1]
	e := func(i, j string) string { return a.name + "[" + i + "][" + j + "]" }
	if g.chance(0.4) { // flat
		f := &array{name: g.name("f"), k: k, dims: []string{size + "*" + size}, flat: []string{size, size}, mine: true}
		out = append(out, do(fmt.Sprintf("%[1]s := make([]%[2]s, %[3]s*%[3]s)\nfor i := range %[3]s {\n\tfor j := range %[3]s {\n\t\t%[1]s[i*%[3]s+j] = %[4]s[i][j]\n\t}\n}", f.name, k, size, a.name)))
		w.arrays = append(w.arrays, f)
		e = func(i, j string) string { return f.name + "[(" + i + ")*" + size + "+" + j + "]" }
	}
	div := func(x, y string) string {
		if k.float() {
			return x + " / " + y
		}
		return x + " / (" + y + " | 1)"
	}
	from := pickOf(g, "k + 1", "k + 1", "0", "k")
	lower := pickOf(g, "i < $", "i < $", "i < min($, k+4)")
	switch g.IntN(5) {
	case 0, 1:
		body := []*Stmt{do(fmt.Sprintf("for j := %s; j < %s; j++ {}", pickOf(g, "k + 1", "k", "0"), size), []*Stmt{do(fmt.Sprintf("%s -= %s * %s", e("i", "j"), e("i", "k"), e("k", "j")))})}
		if g.chance(0.7) {
			body = append([]*Stmt{do(e("i", "k") + " = " + div(e("i", "k"), e("k", "k")))}, body...)
		}
		if from == "0" || from == "k" && g.chance(0.5) {
			body = []*Stmt{do("if i != k {}", body)}
		}
		turn := []*Stmt{do(fmt.Sprintf("for i := %s; %s; i++ {}", from, strings.ReplaceAll(lower, "$", size)), body)}
		if g.chance(0.3) {
			turn = append([]*Stmt{do(fmt.Sprintf("for j := k + 1; j < %s; j++ {}", size), []*Stmt{do(e("k", "j") + " = " + div(e("k", "j"), e("k", "k")))})}, turn...)
		}
		return append(out, do("for k := range "+size+" {}", turn))
	case 2: // all paths
		through := e("i", "k") + " + " + e("k", "j")
		set := pickOf(g, do("if d := "+through+"; d < "+e("i", "j")+" {\n\t"+e("i", "j")+" = d\n}"), do(e("i", "j")+" = min("+e("i", "j")+", "+through+")"))
		return append(out, do(fmt.Sprintf("for k := 0; k < %[1]s; k++ {}", size), []*Stmt{do(fmt.Sprintf("for i := range %s {}", size), []*Stmt{do(fmt.Sprintf("for j := range %s {}", size), []*Stmt{set})})}))
	case 3: // the lower triangle
		return append(out, do("for j := range "+size+" {}", []*Stmt{
			do("for k := range j {}", []*Stmt{do(fmt.Sprintf("for i := j; i < %s; i++ {}", size), []*Stmt{do(e("i", "j") + " -= " + e("i", "k") + " * " + e("j", "k"))})}),
			do(fmt.Sprintf("for i := j + 1; i < %s; i++ {}", size), []*Stmt{do(e("i", "j") + " = " + div(e("i", "j"), e("j", "j")))})}))
	}
	// the transposed, in place
	return append(out, do("for i := range "+size+" {}", []*Stmt{do("for j := "+pickOf(g, "range i", "i + 1; j < "+size+"; j++")+" {}",
		[]*Stmt{do(fmt.Sprintf("%s, %s = %[2]s, %[1]s%[3]s", e("i", "j"), e("j", "i"), pickOf(g, "", " + 1")))})}))
}

// wavefront updates each cell from those above and to its left.
func (g *loopgen) wavefront(w *world) []*Stmt {
	k := g.likely(w)
	rows, cols := pickOf(g, "high", "wide", "6"), "wide"
	out := g.square(w, k, rows, cols)
	a := w.arrays[len(w.arrays)-1]
	e := func(i, j string) string { return a.name + "[" + i + "][" + j + "]" }
	i, j := &lane{name: "i", bound: rows, lo: 1}, &lane{name: "j", bound: cols, lo: 1}
	in := w.turn(i, j)
	before := g.near(k, e("i-1", "j"), e("i", "j-1"), e("i-1", "j-1"))
	set := with(e("i", "j")+pickOf(g, " = ", " += ")+before+" + %s", g.expr(in, k, 1))
	if g.chance(0.3) { // by diagonals
		return append(out, do(fmt.Sprintf("for d := 2; d < %s+%s-1; d++ {}", rows, cols), []*Stmt{do(fmt.Sprintf("for i := max(1, d-%s+1); i < min(d, %s); i++ {}", cols, rows),
			[]*Stmt{do("j := d - i"), set})}))
	}
	oi, oj := fmt.Sprintf("for i := 1; i < %s; i++ {}", rows), fmt.Sprintf("for j := 1; j < %s; j++ {}", cols)
	if g.chance(0.3) {
		oi, oj = oj, oi
	}
	return append(out, do(oi, []*Stmt{do(oj, g.guarded(in, []*Stmt{set}))}))
}

// triangle solves by rows of a triangle.
func (g *loopgen) triangle(w *world) []*Stmt {
	k := g.likely(w)
	out := g.square(w, k, "wide", "wide")
	a := w.arrays[len(w.arrays)-1]
	y := &array{name: g.name("y"), k: k, dims: []string{"wide"}, mine: true}
	i := &lane{name: "i", bound: "wide"}
	out = append(out, do(fmt.Sprintf("%s := make([]%s, wide)", y.name, k)), do("for i := range wide {}", []*Stmt{with(y.name+"[i] = %s", g.expr(w.turn(i), k, 2))}))
	w.arrays = append(w.arrays, y)
	if g.chance(0.5) {
		return append(out, do(pickOf(g, "for i := range wide {}", "for i := wide - 1; i >= 0; i-- {}"), []*Stmt{
			do(pickOf(g, "for j := range i {}", "for j := i + 1; j < wide; j++ {}"), []*Stmt{do(fmt.Sprintf("%[1]s[i] -= %[2]s[i][j] * %[1]s[j]", y.name, a.name))})}))
	}
	return append(out, do("for j := range wide {}", []*Stmt{do(pickOf(g, "for i := j + 1; i < wide; i++ {}", "for i := range wide {}", "for i := range j {}"),
		[]*Stmt{do(fmt.Sprintf("%[1]s[i] -= %[2]s[i][j] * %[1]s[j]", y.name, a.name))})}))
}

// exchange moves elements of a slice, or sorts it.
func (g *loopgen) exchange(w *world) []*Stmt {
	a, out := g.target(w)
	switch g.IntN(4) {
	case 0: // odd and even
		return append(out, do("for t := range min(n, 9) {}", []*Stmt{do("for i := t % 2; i+1 < n; i += 2 {}", []*Stmt{do(fmt.Sprintf("if %[1]s[i] > %[1]s[i+1] {\n\t%[1]s[i], %[1]s[i+1] = %[1]s[i+1], %[1]s[i]\n}", a.name))})}))
	case 1:
		return append(out, do(fmt.Sprintf("for i, j := 0, n-1; i < j; i, j = i+1, j-1 {\n\t%[1]s[i], %[1]s[j] = %[1]s[j], %[1]s[i]\n}", a.name)))
	case 2: // the half behind the half before
		return append(out, do(fmt.Sprintf("for i := range n / 2 {\n\t%[1]s[i], %[1]s[i+(n+1)/2] = %[1]s[i+(n+1)/2]+1, %[1]s[i]\n}", a.name)))
	}
	// butterflies
	return append(out, do("for h := 1; h < n; h *= 2 {}", []*Stmt{do("for i := 0; i+h < n; i += 2 * h {}", []*Stmt{do("for j := i; j < i+h && j+h < n; j++ {}",
		[]*Stmt{do(fmt.Sprintf("p, q := %[1]s[j], %[1]s[j+h]\n%[1]s[j], %[1]s[j+h] = p+q, p-q", a.name))})})}))
}

// swapsRows exchanges, copies, or updates whole rows.
func (g *loopgen) swapsRows(w *world) []*Stmt {
	k := g.likely(w)
	out := g.square(w, k, pickOf(g, "high", "wide"), "wide")
	a := w.arrays[len(w.arrays)-1]
	rows := a.dims[0]
	move := pickOf(g, "%[1]s[i], %[1]s[(i+1)%%%[2]s] = %[1]s[(i+1)%%%[2]s], %[1]s[i]", "copy(%[1]s[i], %[1]s[(i*3+1)%%%[2]s])", "row := %[1]s[i]\nfor j := range row {\n\trow[j] += %[1]s[(i+1)%%%[2]s][j]\n}",
		"for j, v := range %[1]s[%[2]s-1-i] {\n\t%[1]s[i][j] -= v\n}", "%[1]s[i] = append([]"+string(k)+"(nil), %[1]s[%[2]s-1-i]...)")
	return append(out, do(fmt.Sprintf("for i := range %s {}", rows), []*Stmt{do(fmt.Sprintf(move, a.name, rows))}))
}
