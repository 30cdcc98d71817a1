package torture

import (
	"fmt"
	"strings"
)

func init() {
	helper("truncated", "func truncated(f float64) int {\n\tif f > -1000 && f < 1000 {\n\t\treturn int(f)\n\t}\n\treturn 7\n}")
	helper("around", "func around(i, n int) int {\n\tif i < 0 {\n\t\treturn i + n\n\t}\n\tif i >= n {\n\t\treturn i - n\n\t}\n\treturn i\n}")
}

// index writes an index below a length, "" if nothing is known to be one.
func (g *loopgen) index(w *world, bound string) string {
	if g.fails && g.chance(0.08) {
		if v := g.someInt(w); v != "" {
			return v
		}
	}
	var fits []*lane
	for _, l := range w.lanes {
		if l.bound == bound {
			fits = append(fits, l)
		}
	}
	positive := w.positive[bound] || bound != "" && bound[0] >= '1' && bound[0] <= '9'
	if len(fits) == 0 && !positive {
		return ""
	}
	if len(fits) > 0 && (!positive || g.chance(0.8)) {
		l := fits[len(fits)-1-g.IntN(min(len(fits), 2))]
		c := g.IntN(l.lo+l.hi+1) - l.lo
		if g.chance(0.4) {
			c = 0
		}
		switch {
		case c < 0:
			return fmt.Sprintf("%s-%d", l.name, -c)
		case c > 0:
			return fmt.Sprintf("%s+%d", l.name, c)
		}
		return l.name
	}
	var any string
	if len(fits) > 0 {
		any = fits[g.IntN(len(fits))].name
	} else if any = g.someInt(w); any == "" {
		return "0"
	}
	switch g.IntN(8) {
	case 0:
		return fmt.Sprintf("max(%s-%d, 0)", any, 1+g.IntN(3)) + g.below(fits, bound)
	case 1:
		return fmt.Sprintf("min(max(%s+%d, 0), %s-1)", any, g.IntN(4)-1, bound)
	case 2:
		if len(fits) > 0 {
			return fmt.Sprintf("%s-1-%s", bound, any)
		}
	case 3:
		if len(fits) > 0 {
			return fmt.Sprintf("(%s+%d) %% %s", any, g.IntN(4), bound)
		}
	case 4:
		if len(fits) > 0 {
			return fmt.Sprintf("(%s*%d+%d) %% %s", any, 2+g.IntN(3), g.IntN(4), bound)
		}
	case 5:
		if len(fits) > 0 {
			return fmt.Sprintf("%s / %d", any, 1+g.IntN(3))
		}
	case 6:
		if len(fits) > 0 {
			return fmt.Sprintf("around(%s%+d, %s)", any, g.IntN(3)-1, bound)
		}
	}
	return fmt.Sprintf("int(uint64(%s) %% uint64(%s))", any, bound)
}

// below keeps an index below a bound where no lane does.
func (g *loopgen) below(fits []*lane, bound string) string {
	if len(fits) > 0 {
		return ""
	}
	return " % " + bound
}

// someInt is a text of type int that is no constant.
func (g *loopgen) someInt(w *world) string {
	var all []string
	for _, l := range w.lanes {
		all = append(all, l.name)
	}
	for _, v := range w.numbers {
		if v.k.integer() {
			all = append(all, "int("+v.name+")")
		}
	}
	for _, a := range w.arrays {
		if len(a.dims) == 1 && a.k.integer() && !a.moves {
			for _, l := range w.lanes {
				if l.bound == a.dims[0] {
					all = append(all, "int("+a.name+"["+l.name+"])")
				}
			}
		}
	}
	if len(all) == 0 {
		return ""
	}
	return all[g.IntN(len(all))]
}

// place writes an element of an array, "" if no index is known.
func (g *loopgen) place(w *world, a *array) string {
	if a.moves {
		return ""
	}
	if len(a.flat) > 0 && g.chance(0.6) {
		if i, j := g.index(w, a.flat[0]), g.index(w, a.flat[1]); i != "" && j != "" {
			return fmt.Sprintf("%s[(%s)*%s+(%s)]", a.name, i, a.flat[1], j)
		}
	}
	text := a.name
	for d, bound := range a.dims {
		if d > 0 && a.ragged {
			bound = "len(" + text + ")"
		}
		i := g.index(w, bound)
		if i == "" {
			return ""
		}
		text += "[" + i + "]"
	}
	return text
}

// value is a value of type k that is no constant: a variable, an element, an index.
func (g *loopgen) value(w *world, k Kind) *Expr {
	e := func(text string) *Expr { return &Expr{T: scalarOf(k), Op: text} }
	for range 5 {
		switch g.IntN(6) {
		case 0, 1, 2:
			if len(w.arrays) == 0 {
				continue
			}
			a := w.arrays[g.IntN(len(w.arrays))]
			if a.k != k && g.chance(0.5) {
				continue
			}
			if p := g.place(w, a); p != "" {
				return e(converted(a.k, k, p))
			}
		case 3:
			if len(w.numbers) == 0 {
				continue
			}
			v := w.numbers[g.IntN(len(w.numbers))]
			return e(converted(v.k, k, v.name))
		case 4:
			if len(w.lanes) > 0 {
				return e(converted(Int, k, w.lanes[g.IntN(len(w.lanes))].name))
			}
		case 5:
			if len(w.lanes) > 1 {
				a, b := w.lanes[g.IntN(len(w.lanes))], w.lanes[g.IntN(len(w.lanes))]
				return e(converted(Int, k, pickOf(g, a.name+"*7+"+b.name, a.name+"-"+b.name, a.name+"^"+b.name)))
			}
		}
	}
	return e(converted(Int, k, "n"))
}

// converted is a text of one type as another one.
func converted(from, to Kind, text string) string {
	switch {
	case from == to:
		return text
	case from.float() && to.integer():
		return string(to) + "(truncated(float64(" + text + ")))"
	}
	return string(to) + "(" + text + ")"
}

// expr writes a value of type k.
func (g *loopgen) expr(w *world, k Kind, d int) *Expr {
	if d <= 0 || g.chance(0.15) {
		return g.value(w, k)
	}
	op := func(text string, xs ...*Expr) *Expr { return &Expr{T: scalarOf(k), Op: text, Args: xs} }
	x := g.expr(w, k, d-1)
	c := 1 + g.IntN(7)
	if k.float() {
		switch g.IntN(12) {
		case 0:
			return op(fmt.Sprintf("(%%s * %s)", pickOf(g, "0.5", "0.25", "3", "-2")), x)
		case 1:
			return op("(-%s)", x)
		case 2:
			return op("min(%s, %s)", x, g.expr(w, k, d-1))
		case 3:
			return op("max(%s, %s)", x, g.expr(w, k, d-1))
		case 4:
			return op("(%s * %s)", x, g.expr(w, k, d-1))
		case 5:
			return op("(%s / %s)", x, g.expr(w, k, d-1))
		case 6:
			return op(fmt.Sprintf("(%%s - %d)", c), x)
		case 7, 8:
			return op("(%s - %s)", x, g.expr(w, k, d-1))
		}
		return op("(%s + %s)", x, g.expr(w, k, d-1))
	}
	switch g.IntN(20) {
	case 0:
		return op(fmt.Sprintf("(%%s + %d)", c), x)
	case 1:
		return op(fmt.Sprintf("(%%s * %d)", c), x)
	case 2:
		return op(fmt.Sprintf("(%%s >> %d)", c), x)
	case 3:
		return op("(%s << (uint(%s) % 37))", x, g.expr(w, k, d-1))
	case 4:
		return op("(%s >> (uint8(%s) & 63))", x, g.expr(w, k, d-1))
	case 5:
		return op("(%s / (%s | 1))", x, g.expr(w, k, d-1))
	case 6:
		return op("(%s % (%s | 1))", x, g.expr(w, k, d-1))
	case 7:
		return op(fmt.Sprintf("(%%s / %d)", c+1), x)
	case 8:
		return op(fmt.Sprintf("(%%s %% %d)", c+1), x)
	case 9:
		return op("min(%s, %s)", x, g.expr(w, k, d-1))
	case 10:
		return op("max(%s, %s)", x, g.expr(w, k, d-1))
	case 11:
		return op("(%s ^ %s)", x, g.expr(w, k, d-1))
	case 12:
		return op("(%s &^ %s)", x, g.expr(w, k, d-1))
	case 13:
		return op("(-%s)", x)
	case 14:
		return op("(^%s)", x)
	case 15, 16:
		return op("(%s - %s)", x, g.expr(w, k, d-1))
	case 17:
		return op("(%s * %s)", x, g.expr(w, k, d-1))
	case 18: // through another type
		t := g.intKind()
		return op(string(k)+"(%s)", &Expr{T: scalarOf(t), Op: "(%s + " + string(t) + "(%s))", Args: []*Expr{g.expr(w, t, d-1), x}})
	}
	return op("(%s + %s)", x, g.expr(w, k, d-1))
}

// cond writes a condition.
func (g *loopgen) cond(w *world, d int) *Expr {
	op := func(text string, xs ...*Expr) *Expr { return &Expr{T: scalarOf(Bool), Op: text, Args: xs} }
	if d > 0 {
		switch g.IntN(8) {
		case 0:
			return op("(%s && %s)", g.cond(w, d-1), g.cond(w, d-1))
		case 1:
			return op("(%s || %s)", g.cond(w, d-1), g.cond(w, d-1))
		case 2:
			return op("!(%s)", g.cond(w, d-1))
		}
	}
	if len(w.lanes) > 0 && g.chance(0.3) {
		l := w.lanes[g.IntN(len(w.lanes))]
		return op(pickOf(g, fmt.Sprintf("%s%%2 == 0", l.name), fmt.Sprintf("%s > %d", l.name, g.IntN(5)), fmt.Sprintf("%s%%3 != 1", l.name),
			fmt.Sprintf("%s < %s-%d", l.name, l.bound, 1+g.IntN(3))))
	}
	k := g.likely(w)
	c := op("%s "+pickOf(g, "<", "<=", ">", ">=", "==", "!=")+" %s", g.expr(w, k, d-1), g.expr(w, k, d-1))
	if g.chance(0.3) {
		c = op("%s "+pickOf(g, "<", ">", "!=")+" "+fmt.Sprint(g.IntN(9)), g.expr(w, k, d-1))
	}
	return c
}

// combine is an assignment that combines what is there with a value of its type.
func (g *loopgen) combine(k Kind) string {
	if k.float() {
		return pickOf(g, "$ += %s", "$ += %s", "$ -= %s", "$ = max($, %s)", "$ = min(%s, $)", "$ = $/2 + %s")
	}
	return pickOf(g, "$ += %s", "$ += %s", "$ -= %s", "$ ^= %s", "$ |= %s", "$ *= %s", "$ = max($, %s)", "$ = min(%s, $)", "$ = $*3 + %s", "$ &^= %s", "if v := %s; v > $ {\n\t$ = v\n}")
}

// into puts a target into a text of combine.
func into(text, target string) string { return strings.ReplaceAll(text, "$", target) }
