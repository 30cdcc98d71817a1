package torture

import (
	"fmt"
	"strings"
)

// localSlice makes a slice, fills it and updates it in place; whole says that it may be as long as a parameter.
func (g *gen) localSlice(sc *scope, d int, whole bool) []*Stmt {
	k := g.likelyKind(sc)
	if k == Bool && g.chance(0.7) {
		k = Int
	}
	v := &Var{Name: g.name("loc"), T: seqOf(k), Len: []string{g.symbol("loc@")}}
	size := fmt.Sprint(g.IntN(9))
	var xs []*Expr
	isArray := false
	like := g.pick(sc, func(v *Var) bool {
		return v.T.Rank > 0 && v.OffOf == "" && (whole || !isWhole(v.Len[0])) && sc.affordable(v.Len[0])
	})
	decl := &Stmt{Declares: v.Name, Op: v.Name + " := make([]" + string(k) + ", " + size + ")"}
	switch {
	case like != nil && g.chance(0.6):
		xs = []*Expr{like.ref()}
		decl.Op = v.Name + " := make([]" + string(k) + ", len(%s))"
		decl.X = xs
		v.Len = []string{like.Len[0]}
	case g.chance(0.3):
		isArray = true
		size = fmt.Sprint(1 + g.IntN(7))
		decl.Op = "var " + v.Name + " [" + size + "]" + string(k)
	}
	out := []*Stmt{decl}
	i := &Var{Name: g.name("i"), T: scalarOf(Int), IdxOf: v.Len[0]}
	in := sc.inner(i)
	in.nested--
	if isWhole(v.Len[0]) {
		in.work++
	}
	e := g.scalar(k, in, d-1, need{stable: true})
	if k.float() && e.A.m > 30 {
		e = g.leaf(k, sc, need{stable: true})
	}
	v.A = e.A
	set := &Stmt{Assigns: v.Name, Op: v.Name + "[" + i.Name + "] = %s", X: []*Expr{e}}
	fill := &Stmt{Inner: []*Var{i}, Op: "for " + i.Name + " := range " + v.Name + " {}", Blocks: [][]*Stmt{{set}}}
	if header := g.partOf(v.Name, i.Name); header != "" { // the rest stays 0
		fill.Op = header
		v.A = join(v.A, attr{exact: true, nonny: true})
	}
	if g.chance(0.15) { // the element is another one than the index: the values do not tell
		set.Op = v.Name + "[len(" + v.Name + ")-1-" + i.Name + "] = %s"
	}
	switch x := g.IntN(10); {
	case x < 2:
		cond := g.scalar(Bool, in, 1, need{})
		fill.Blocks[0] = []*Stmt{{Op: "if %s {}", X: []*Expr{cond}, Blocks: [][]*Stmt{{set}}}}
		v.A = join(v.A, attr{exact: true, nonny: true})
	case x < 4:
		cond := g.scalar(Bool, in, 1, need{})
		jump := &Stmt{Op: "if %s {}", X: []*Expr{cond}, Blocks: [][]*Stmt{{{Op: []string{"break", "continue"}[g.IntN(2)]}}}}
		fill.Blocks[0] = append([]*Stmt{jump}, fill.Blocks[0]...)
		v.A = join(v.A, attr{exact: true, nonny: true})
	}
	out = append(out, fill)
	for range g.IntN(3) {
		if s := g.updateSlice(v, sc, d); s != nil {
			out = append(out, s)
		}
	}
	if isArray { // no sequence of its own: read it
		z := &Var{Name: g.name("z"), T: scalarOf(k), A: v.A}
		sc.add(z)
		return append(out, &Stmt{Declares: z.Name, Op: z.Name + " := " + v.Name + "[" + size + "/2]"}, &Stmt{Op: "_ = %s", X: []*Expr{z.ref()}}, &Stmt{Op: "_ = %s", X: []*Expr{v.ref()}})
	}
	sc.add(v)
	sc.local = append(sc.local, v)
	return append(out, &Stmt{Op: "_ = len(%s)", X: []*Expr{v.ref()}})
}

// partOf is the header of a loop through a part of a slice, "" for all of it.
func (g *gen) partOf(slice, i string) string {
	return strings.NewReplacer("$a", slice, "$i", i, "$c", fmt.Sprint(g.IntN(4))).Replace([]string{"", "", "",
		"for $i := $c; $i < len($a); $i++ {}", "for $i := 0; $i < len($a)-$c; $i++ {}", "for $i := 1; $i <= len($a)-2; $i++ {}"}[g.IntN(6)])
}

// accumulate adds up, or finds extremes, in a loop through a sequence.
func (g *gen) accumulate(sc *scope, d int) []*Stmt {
	k := []Kind{Int, I32, I64, U8}[g.IntN(4)]
	x := g.pick(sc, func(v *Var) bool { return v.T.Rank > 0 && v.OffOf == "" && sc.affordable(v.Len[0]) })
	if x == nil {
		return nil
	}
	i := &Var{Name: g.name("i"), T: scalarOf(Int), IdxOf: x.Len[0]}
	in := sc.inner(i)
	in.nested--
	in.work++
	v := &Var{Name: g.name("acc"), T: scalarOf(k)}
	e := g.scalar(k, in, d-1, need{stable: true})
	out := []*Stmt{{Declares: v.Name, Op: "var " + v.Name + " " + string(k) + " = " + fmt.Sprint(g.IntN(100))}}
	set := &Stmt{Assigns: v.Name, Op: v.Name + []string{" += %s", " -= %s", " ^= %s", " |= %s", " &= %s", " = max(%s, " + v.Name + ")"}[g.IntN(6)], X: []*Expr{e}}
	body := []*Stmt{set}
	if g.chance(0.4) {
		body = []*Stmt{{Op: "if %s {}", X: []*Expr{g.scalar(Bool, in, 1, need{})}, Blocks: [][]*Stmt{{set}}}}
	}
	if g.chance(0.3) && x.T.Rank == 1 && x.T.A.integer() && x.T.B == "" {
		least := &Var{Name: g.name("least"), T: scalarOf(x.T.A)}
		out = append(out, &Stmt{Declares: least.Name, Op: "var " + least.Name + " " + string(x.T.A)})
		value := call(least.T, "%s[%s]", x.ref(), i.ref())
		set := []*Stmt{{Assigns: least.Name, Op: least.Name + " = %s", X: []*Expr{value}}}
		if g.chance(0.5) { // its place, in a loop of its own
			at := &Var{Name: g.name("at"), T: scalarOf(Int)}
			out = append(out, &Stmt{Declares: at.Name, Op: at.Name + " := -1"})
			set = append(set, &Stmt{Assigns: at.Name, Op: at.Name + " = %s", X: []*Expr{i.ref()}})
			body = nil
			sc.add(at)
			out = append(out, &Stmt{Op: "_ = %s", X: []*Expr{at.ref()}})
		}
		body = append(body, &Stmt{Op: []string{"if %s < ", "if %s >= "}[g.IntN(2)] + least.Name + " {}", X: []*Expr{value}, Blocks: [][]*Stmt{set}})
		sc.add(least)
		out = append(out, &Stmt{Op: "_ = %s", X: []*Expr{least.ref()}})
	}
	out = append(out, &Stmt{Inner: []*Var{i}, Op: "for " + i.Name + " := range %s {}", X: []*Expr{x.ref()}, Blocks: [][]*Stmt{append([]*Stmt{{Op: "_ = %s", X: []*Expr{i.ref()}}}, body...)}})
	sc.add(v)
	return append(out, &Stmt{Op: "_ = %s", X: []*Expr{v.ref()}})
}

// matrix makes a slice and fills rows of it, or parts of them.
func (g *gen) matrix(sc *scope, d int) []*Stmt {
	k := g.likelyKind(sc)
	h, w := g.scalar(Int, sc, d-1, need{stable: true}), g.scalar(Int, sc, d-1, need{stable: true})
	if k == Bool || h.Const || w.Const {
		return nil
	}
	v := &Var{Name: g.name("mat"), T: seqOf(k), Len: []string{g.symbol("mat@")}}
	rows, columns := &Var{Name: g.name("rows"), T: scalarOf(Int)}, &Var{Name: g.name("columns"), T: scalarOf(Int)}
	out := []*Stmt{
		{Declares: rows.Name, Op: rows.Name + " := %s & 15", X: []*Expr{h}},
		{Declares: columns.Name, Op: columns.Name + " := %s & 7", X: []*Expr{w}},
		{Declares: v.Name, Op: v.Name + " := make([]" + string(k) + ", %s*%s)", X: []*Expr{rows.ref(), columns.ref()}}}
	i, j := &Var{Name: g.name("i"), T: scalarOf(Int)}, &Var{Name: g.name("j"), T: scalarOf(Int)}
	inRow := sc.inner(i)
	inRow.nested--
	row := &Var{Name: g.name("row"), T: scalarOf(k)}
	x := g.scalar(k, inRow, d-1, need{stable: true})
	row.A = x.A
	inRow.add(row)
	in := inRow.inner(j)
	in.nested--
	e := g.scalar(k, in, d-1, need{stable: true})
	if k.float() && e.A.m > 30 {
		e = g.leaf(k, sc, need{stable: true})
	}
	v.A = join(e.A, attr{exact: true, nonny: true})
	name := func(text string) string {
		return strings.NewReplacer("$a", v.Name, "$i", i.Name, "$j", j.Name, "$h", rows.Name, "$w", columns.Name).Replace(text)
	}
	inner := &Stmt{Inner: []*Var{j}, Op: name([]string{"for $j := 0; $j < %s; $j++ {}", "for $j := 1; $j < %s-1; $j++ {}", "for $j := range %s {}"}[g.IntN(3)]), X: []*Expr{columns.ref()},
		Blocks: [][]*Stmt{{{Assigns: v.Name, Op: name("$a[$i*$w+$j] = %s"), X: []*Expr{e}}}}}
	outer := &Stmt{Inner: []*Var{i}, Op: name([]string{"for $i := 0; $i < %s; $i++ {}", "for $i := 1; $i < %s-1; $i++ {}", "for $i := range %s {}"}[g.IntN(3)]), X: []*Expr{rows.ref()},
		Blocks: [][]*Stmt{{{Declares: row.Name, Op: row.Name + " := %s", X: []*Expr{x}}, {Op: "_ = %s", X: []*Expr{row.ref()}}, inner}}}
	sc.add(v)
	sc.local = append(sc.local, v)
	return append(out, outer, &Stmt{Op: "_ = len(%s)", X: []*Expr{v.ref()}})
}

// updateSlice writes a loop that updates v in place.
func (g *gen) updateSlice(v *Var, sc *scope, d int) *Stmt {
	k, a := v.T.A, v.Name
	i, j := g.name("i"), g.name("j")
	one := func(op string, blocks ...string) *Stmt { // text alone: it names only v and its own variables
		s := &Stmt{Assigns: a, Op: strings.NewReplacer("$a", a, "$i", i, "$j", j).Replace(op)}
		for _, b := range blocks {
			s.Blocks = append(s.Blocks, []*Stmt{{Assigns: a, Op: strings.NewReplacer("$a", a, "$i", i, "$j", j).Replace(b)}})
		}
		return s
	}
	switch g.IntN(6) {
	case 0:
		if k == Bool {
			return one("for $i := 1; $i < len($a); $i++ {}", "$a[$i] = $a[$i] != $a[$i-1]")
		}
		if k.float() {
			if v.A.m > 60 {
				return nil
			}
			v.A = attr{m: v.A.m + 1}
			return one("for $i := 1; $i < len($a); $i++ {}", "$a[$i] = $a[$i]*0.5 + $a[$i-1]*0.5")
		}
		return one("for $i := 1; $i < len($a); $i++ {}", "$a[$i] ^= $a[$i-1] * 3")
	case 1:
		return one("for $i, $j := 0, len($a)-1; $i < $j; $i, $j = $i+1, $j-1 {}", "$a[$i], $a[$j] = $a[$j], $a[$i]")
	case 2:
		if k == Bool {
			return nil
		}
		s := one("for $i := 1; $i < len($a); $i++ {}")
		inner := one("for $j := $i; $j > 0 && $a[$j] < $a[$j-1]; $j-- {}", "$a[$j], $a[$j-1] = $a[$j-1], $a[$j]")
		s.Blocks = [][]*Stmt{{inner}}
		return s
	case 3:
		if k.float() || k == Bool {
			return nil
		}
		n := g.scalar(Int, sc, d-1, need{})
		if n.Const {
			return nil
		}
		s := one("if len($a) > 0 {}", "$a[(%s&1023)%len($a)]++")
		s.Blocks[0][0].X = []*Expr{n}
		return s
	case 4:
		if k != F64 && k != Int && k != I32 {
			return nil
		}
		s := one("for $i := range $a {}", "$a[$i] = -$a[$i]")
		cond := g.scalar(Bool, sc, 1, need{})
		v.A.nonny = false
		s.Blocks[0] = append([]*Stmt{{Op: "if %s {}", X: []*Expr{cond}, Blocks: [][]*Stmt{{{Op: "continue"}}}}}, s.Blocks[0]...)
		return s
	}
	// what stands before is put where the values say
	if !k.integer() || k == U8 {
		return nil
	}
	s := one("for $i := range $a {}")
	s.Blocks = [][]*Stmt{{one("$j := int($a[$i]) & 3"), one("if $j < len($a) {}", "$a[$j] += $a[$i]")}}
	s.Blocks[0][0].Assigns = ""
	return s
}

// record declares a struct and changes its fields.
func (g *gen) record(sc *scope, d int) []*Stmt {
	t := g.pairType(sc)
	x, y := g.scalar(t.A, sc, d-1, need{stable: true}), g.scalar(t.B, sc, d-1, need{stable: true})
	v := &Var{Name: g.name("rec"), T: t, A: x.A, A2: y.A}
	out := []*Stmt{{Declares: v.Name, Op: v.Name + " := " + t.literal(), X: []*Expr{x, y}}}
	again := g.scalar(t.A, sc, d-1, need{stable: true})
	change := &Stmt{Assigns: v.Name, Op: v.Name + t.field(0) + " = %s", X: []*Expr{again}}
	v.A = join(v.A, again.A)
	if g.chance(0.6) {
		change = &Stmt{Op: "if %s {}", X: []*Expr{g.scalar(Bool, sc, d-1, need{})}, Blocks: [][]*Stmt{{change}}}
	}
	sc.add(v)
	return append(out, change, &Stmt{Op: "_ = %s", X: []*Expr{v.ref()}})
}

// helped declares what helper functions return.
func (g *gen) helped(sc *scope, d int) []*Stmt {
	k := []Kind{F64, I32, Int, F32, I64}[g.IntN(5)]
	l := letters(k)
	x, y := g.scalar(k, sc, d-1, need{stable: true}), g.scalar(k, sc, d-1, need{stable: true})
	if x.Const && y.Const {
		return nil
	}
	a := join(x.A, y.A)
	switch g.IntN(4) {
	case 0:
		return g.letTwo(sc, "order"+l+"(%s, %s)", []*Expr{x, y}, &Var{T: x.T, A: a}, &Var{T: x.T, A: a})
	case 1:
		s := g.pick(sc, func(v *Var) bool {
			return v.T == seqOf(k) && !v.A.wobbly && sc.affordable(v.Len[0]) && (sc.work < 1 || !isWhole(v.Len[0]))
		})
		if s == nil {
			return nil
		}
		return []*Stmt{g.let(sc, call(scalarOf(Int), "firstOver"+l+"(%s, %s)", s.ref(), x))}
	case 2:
		if k.float() || x.Const {
			return nil
		}
		e := &Expr{T: seqOf(k), Len: []string{g.symbol("powers@")}, Op: fmt.Sprintf("powers%s(%%s, %d)", l, g.IntN(6)), Args: []*Expr{x}}
		return []*Stmt{g.let(sc, e)}
	}
	s := g.pick(sc, func(v *Var) bool { return v.T == seqOf(k) && v.A.m < 60 && sc.affordable(v.Len[0]) })
	if s == nil {
		return nil
	}
	return []*Stmt{g.let(sc, &Expr{T: s.T, A: attr{g: s.A.g, m: s.A.m + 1, exact: s.A.exact && s.A.g+s.A.m < precision(k), wobbly: s.A.wobbly, nonny: s.A.nonny},
		Len: s.Len, Op: "doubled" + l + "(%s)", Args: []*Expr{s.ref()}})}
}

// failing reads or divides without a guard, so that plain Go panics on some inputs.
func (g *gen) failing(sc *scope, d int) []*Stmt {
	x := g.pick(sc, func(v *Var) bool { return v.T.Rank == 1 && v.T.B == "" && !v.A.wobbly })
	i := g.leaf(Int, sc, need{})
	if x == nil || i.Const {
		return nil
	}
	e := call(scalarOf(x.T.A), "%s[%s]", x.ref(), i)
	e.A = x.A
	switch g.IntN(3) {
	case 0:
		e = call(scalarOf(Int), "(%s / %s)", g.scalar(Int, sc, d-1, need{}), i)
	case 1:
		e.Op = "%s[%s&63]"
	}
	g.k.Fails = true
	return []*Stmt{g.let(sc, e)}
}

func init() {
	for _, k := range []struct {
		name string
		kind Kind
	}{{"F64", F64}, {"F32", F32}, {"I32", I32}, {"I64", I64}, {"Int", Int}} {
		t := string(k.kind)
		helper("order"+k.name, "func order"+k.name+"(a, b "+t+") ("+t+", "+t+") {\n\tif b < a {\n\t\treturn b, a\n\t}\n\treturn a, b\n}")
		helper("firstOver"+k.name, "func firstOver"+k.name+"(x []"+t+", limit "+t+") int {\n\tfor i, v := range x {\n\t\tif v > limit {\n\t\t\treturn i\n\t\t}\n\t}\n\treturn len(x)\n}")
		helper("doubled"+k.name, "func doubled"+k.name+"(x []"+t+") []"+t+" {\n\treturn ops.Map(func(v "+t+") "+t+" { return v + v }, x)\n}")
		helper("powers"+k.name, "func powers"+k.name+"(v "+t+", n int) []"+t+" {\n\tp := make([]"+t+", n)\n\tfor i := range p {\n\t\tif i == 0 {\n\t\t\tp[i] = 1\n\t\t\tcontinue\n\t\t}\n\t\tp[i] = p[i-1] * v\n\t}\n\treturn p\n}")
	}
}
