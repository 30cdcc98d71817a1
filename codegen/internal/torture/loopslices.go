package torture

import (
	"fmt"
	"strings"
)

func init() {
	for _, k := range []Kind{F64, I32, Int, U8, I16} {
		helper("stack_"+string(k), strings.ReplaceAll(`type stack_$ struct {
	items []$
	sum   $
}

func (s *stack_$) push(v $) {
	s.items = append(s.items, v)
	s.sum += v
}

func (s *stack_$) pop() $ {
	v := s.items[len(s.items)-1]
	s.items = s.items[:len(s.items)-1]
	s.sum -= v
	return v
}`, "$", string(k)))
		helper("plane_"+string(k), strings.ReplaceAll(`type plane_$ struct {
	cells []$
	w, h  int
}

func (p *plane_$) at(i, j int) $ { return p.cells[i*p.w+j] }

func (p *plane_$) set(i, j int, v $) { p.cells[i*p.w+j] = v }

func (p *plane_$) blurred() plane_$ {
	out := plane_${cells: make([]$, len(p.cells)), w: p.w, h: p.h}
	for i := 0; i < p.h; i++ {
		for j := 0; j < p.w; j++ {
			out.set(i, j, p.at(i, max(j-1, 0))+p.at(max(i-1, 0), j))
		}
	}
	return out
}`, "$", string(k)))
	}
}

// structKind is a type for which there are structs with methods.
func (g *loopgen) structKind() Kind { return pickOf(g, F64, I32, Int, U8, I16) }

// edits appends to a slice, cuts it, inserts and deletes.
func (g *loopgen) edits(w *world) []*Stmt {
	k := g.likely(w)
	a := &array{name: g.name("list"), k: k, dims: []string{"?"}, mine: true, moves: true}
	head, l := g.whole("n")
	in := w.turn(l)
	value := g.expr(in, k, 2)
	body := g.locals(in)
	list := a.name
	body = append(body, g.guarded(in, []*Stmt{with(list+" = append("+list+", %s)", value)})...)
	for range g.IntN(3) {
		c := g.IntN(3)
		body = append(body, do(pickOf(g,
			fmt.Sprintf("if len(%[1]s) > %[2]d {\n\t%[1]s = %[1]s[:len(%[1]s)-%[2]d]\n}", list, 1+c),
			fmt.Sprintf("if len(%[1]s) > %[2]d {\n\t%[1]s = %[1]s[%[3]d:]\n}", list, 4+c, 1+c),
			fmt.Sprintf("if len(%[1]s) > %[2]d {\n\t%[1]s = append(%[1]s[:%[3]d], %[1]s[%[3]d+1:]...)\n}", list, 5+c, c),
			fmt.Sprintf("if len(%[1]s) > %[2]d {\n\tcopy(%[1]s[1:], %[1]s)\n}", list, 2+c),
			fmt.Sprintf("if len(%[1]s) > %[2]d {\n\tcopy(%[1]s, %[1]s[%[3]d:])\n}", list, 3+c, 1+c),
			fmt.Sprintf("if len(%[1]s) > %[2]d && %[3]s%%3 == 0 {\n\t%[1]s[%[2]d] = %[1]s[0] + 1\n}", list, 1+c, l.name),
			fmt.Sprintf("if p := %[3]s %% (len(%[1]s) + 1); len(%[1]s) < 40 {\n\t%[1]s = append(%[1]s[:p], append([]%[4]s{%[4]s(%[2]d)}, %[1]s[p:]...)...)\n}", list, 1+c, l.name, k),
			fmt.Sprintf("if %[2]s == %[3]d {\n\t%[1]s = %[1]s[:0]\n}", list, l.name, 5+c*7))))
	}
	if g.chance(0.2) {
		body = append(body, &Stmt{Op: "if %s {}", X: []*Expr{g.cond(in, 1)}, Blocks: [][]*Stmt{{do(pickOf(g, "break", "continue"))}}})
	}
	w.arrays = append(w.arrays, a)
	out := []*Stmt{do(pickOf(g, "var %[1]s []%[2]s", "%[1]s := []%[2]s{}", "%[1]s := make([]%[2]s, 0, 2*n+64)", "%[1]s := []%[2]s{1, 2, 3}"))}
	out[0].Op = fmt.Sprintf(strings.ReplaceAll(out[0].Op, "{}", "{ }"), list, k)
	return append(out, do(head, body))
}

// stack uses a slice as a stack or a queue, in a loop that is not counted.
func (g *loopgen) stack(w *world) []*Stmt {
	list, sum := g.name("open"), g.name("sum")
	w.numbers = append(w.numbers, &number{name: sum, k: Int, mine: true})
	src := w.arrays[0]
	read := converted(src.k, Int, src.name+"[at]")
	out := do(fmt.Sprintf("%s := []int{0}\n%s := 0", list, sum))
	take := pickOf(g, "at := %[1]s[len(%[1]s)-1]\n%[1]s = %[1]s[:len(%[1]s)-1]", "at := %[1]s[0]\n%[1]s = %[1]s[1:]")
	body := []*Stmt{do(fmt.Sprintf(take, list)), do("if at >= n {}", []*Stmt{do("continue")}), do(fmt.Sprintf("%s = %[1]s*3 + %s", sum, read)),
		do(fmt.Sprintf("for _, next := range [2]int{2*at + 1, 2*at + 2} {\n\tif next < n {\n\t\t%[1]s = append(%[1]s, next)\n\t}\n}", list))}
	return []*Stmt{out, do(fmt.Sprintf("for len(%s) > 0 {}", list), body)}
}

// overlaps copies within a slice, and updates parts of it by other names.
func (g *loopgen) overlaps(w *world) []*Stmt {
	a, out := g.target(w)
	u := a.name
	for range 1 + g.IntN(3) {
		c := 1 + g.IntN(3)
		out = append(out, do(pickOf(g,
			fmt.Sprintf("copy(%[1]s[min(%[2]d, n):], %[1]s)", u, c),
			fmt.Sprintf("copy(%[1]s, %[1]s[min(%[2]d, n):])", u, c),
			fmt.Sprintf("copy(%[1]s[n/2:], %[1]s[n/3:])", u),
			fmt.Sprintf("clear(%[1]s[n-min(n, %[2]d):])", u, c),
			fmt.Sprintf("for i, v := range %[1]s[:n/2] {\n\t%[1]s[n-1-i] += v\n}", u),
			fmt.Sprintf("for i := range %[1]s[:n/2] {\n\t%[1]s[n-1-i] -= %[1]s[i]\n}", u),
			fmt.Sprintf("if part := %[1]s[n/3:]; len(part) > 1 {\n\tfor i := 1; i < len(part); i++ {\n\t\tpart[i] += part[i-1]\n\t}\n}", u),
			fmt.Sprintf("{\n\tleft, right := %[1]s[:n/2], %[1]s[n/2:]\n\tfor i := range left {\n\t\tleft[i], right[i] = right[i], left[i]\n\t}\n}", u),
			fmt.Sprintf("for i := range n {\n\tfor j := range min(i, %[2]d) {\n\t\t%[1]s[i] += %[1]s[i-1-j]\n\t}\n}", u, c))))
	}
	return out
}

// smallArrays computes each element in an array of its own, which may be sorted there.
func (g *loopgen) smallArrays(w *world) []*Stmt {
	k := g.likely(w)
	a := &array{name: g.name("y"), k: k, dims: []string{"n"}, mine: true}
	head, l := g.whole("n")
	in := w.turn(l)
	size := 2 + g.IntN(5)
	own := &array{name: g.name("own"), k: k, dims: []string{fmt.Sprint(size)}, mine: true}
	j := &lane{name: "j", bound: fmt.Sprint(size)}
	deep := in.turn(j)
	body := []*Stmt{do(pickOf(g, fmt.Sprintf("var %s [%d]%s", own.name, size, k), fmt.Sprintf("%s := make([]%s, %d)", own.name, k, size))),
		do("for j := range "+own.name+" {}", g.guarded(deep, []*Stmt{with(own.name+"[j] = %s", g.expr(deep, k, 2))}))}
	switch g.IntN(4) {
	case 0:
		body = append(body, do(fmt.Sprintf("for i := 1; i < %d; i++ {\n\tv, j := %[2]s[i], i-1\n\tfor j >= 0 && %[2]s[j] > v {\n\t\t%[2]s[j+1] = %[2]s[j]\n\t\tj--\n\t}\n\t%[2]s[j+1] = v\n}", size, own.name)))
	case 1:
		body = append(body, do(fmt.Sprintf("for j := %d; j > 0; j-- {\n\t%[2]s[j] += %[2]s[j-1]\n}", size-1, own.name)))
	case 2:
		body = append(body, do(fmt.Sprintf("%[2]s[int(uint(%[3]s)%%%[1]d)], %[2]s[0] = %[2]s[0], %[2]s[%[4]d]", size, own.name, l.name, size-1)))
	}
	in.arrays = append(in.arrays, own, own)
	body = append(body, with(fmt.Sprintf("%s[%s] = %%s", a.name, l.name), g.expr(in, k, 2)))
	w.arrays = append(w.arrays, a)
	return []*Stmt{do(fmt.Sprintf("%s := make([]%s, n)", a.name, k)), do(head, body)}
}

// structs uses structs with slices, which a loop updates or replaces.
func (g *loopgen) structs(w *world) []*Stmt {
	k := g.structKind()
	v := g.name("p")
	a := &array{name: g.name("cells"), k: k, dims: []string{"high*wide"}, flat: []string{"high", "wide"}, mine: true}
	r, c := &lane{name: "i", bound: "high"}, &lane{name: "j", bound: "wide"}
	in := w.turn(r, c)
	out := []*Stmt{do(fmt.Sprintf("%s := plane_%s{cells: make([]%[2]s, high*wide), w: wide, h: high}", v, k)),
		do("for i := range high {}", []*Stmt{do("for j := range wide {}", g.guarded(in, []*Stmt{with(pickOf(g, v+".set(i, j, %s)", v+".cells[i*wide+j] = %s"), g.expr(in, k, 2))}))})}
	body := []*Stmt{do(pickOf(g, v+" = "+v+".blurred()", fmt.Sprintf("%[1]s = plane_%[2]s{cells: %[1]s.blurred().cells, w: wide, h: high}", v, k), v+".cells = "+v+".blurred().cells"))}
	if g.chance(0.6) {
		body = append(body, do(fmt.Sprintf("for i := range %[1]s.cells {\n\t%[1]s.cells[i] %[2]s %[3]s(i)\n}", v, pickOf(g, "+=", "-=", "*="), k)))
	}
	if g.chance(0.4) {
		body = append(body, do(fmt.Sprintf("for i := 1; i < %[1]s.h; i++ {\n\t%[1]s.set(i, 0, %[1]s.at(i-1, %[1]s.w-1))\n}", v)))
	}
	out = append(out, do(pickOf(g, "for range 2 {}", "for range n % 4 {}", "for t := 0; t < wide; t++ {}"), body), do(fmt.Sprintf("%[1]s := %[2]s.cells\n_ = %[1]s", a.name, v)))
	w.arrays = append(w.arrays, a)
	return out
}

// structRows has a stack of its own for each element.
func (g *loopgen) structRows(w *world) []*Stmt {
	k := g.structKind()
	a := &array{name: g.name("y"), k: k, dims: []string{"n"}, mine: true}
	head, l := g.whole("n")
	in := w.turn(l)
	j := &lane{name: "j", bound: "wide"}
	deep := in.turn(j)
	body := []*Stmt{do("var s stack_" + string(k)), do("for j := range wide {}", []*Stmt{
		{Op: "if %s {} else if len(s.items) > 0 {}", X: []*Expr{g.cond(deep, 2)}, Blocks: [][]*Stmt{{with("s.push(%s)", g.expr(deep, k, 2))}, {do("s.pop()")}}}}),
		do(fmt.Sprintf("%s[%s] = s.sum", a.name, l.name)), do(fmt.Sprintf("for _, v := range s.items {\n\t%s[%s] = %[1]s[%[2]s]*3 - v\n}", a.name, l.name))}
	w.arrays = append(w.arrays, a)
	return []*Stmt{do(fmt.Sprintf("%s := make([]%s, n)", a.name, k)), do(head, body)}
}
