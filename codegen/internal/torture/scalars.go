package torture

import (
	"fmt"
	"strings"
)

// need is what a number has to be.
type need struct {
	stable bool // not wobbly
	nonny  bool
}

const (
	precision64, precision32 = 50, 22 // bits that an exact value may have
	magnitude64, magnitude32 = 120, 40
)

func precision(k Kind) int {
	if k == F32 {
		return precision32
	}
	return precision64
}

func magnitude(k Kind) int {
	if k == F32 {
		return magnitude32
	}
	return magnitude64
}

// scope is the variables that an expression may use.
type scope struct {
	vars   []*Var
	local  []*Var // of the function being written: those that it may assign
	nested int    // function literals around
	work   int    // how many of them run once an element of a whole parameter
}

func (sc *scope) inner(vs ...*Var) *scope {
	c := &scope{vars: append([]*Var(nil), sc.vars...), nested: sc.nested + 1, work: sc.work}
	c.vars = append(c.vars, vs...)
	return c
}

func (sc *scope) add(v *Var) { sc.vars = append(sc.vars, v) }

// pick returns a random variable that satisfies ok, the youngest more often than others.
func (g *gen) pick(sc *scope, ok func(*Var) bool) *Var {
	var found []*Var
	for _, v := range sc.vars {
		if ok(v) {
			found = append(found, v)
		}
	}
	if len(found) == 0 {
		return nil
	}
	if g.chance(0.3) {
		return found[len(found)-1]
	}
	return found[g.IntN(len(found))]
}

func (a attr) meets(n need, k Kind) bool {
	return (!n.stable || !a.wobbly) && (!n.nonny || a.nonny || !k.float())
}

func call(t Type, op string, args ...*Expr) *Expr {
	e := &Expr{T: t, Op: op, Args: args, Const: len(args) > 0}
	for _, a := range args {
		e.Const = e.Const && a.Const
	}
	return e
}

func (g *gen) constant(k Kind) *Expr {
	e := &Expr{T: scalarOf(k), Const: true, A: attr{exact: true, nonny: true}}
	switch {
	case k == Bool:
		e.Op = []string{"true", "false"}[g.IntN(2)]
	case k.float():
		q := g.IntN(64) - 24
		if g.chance(0.2) {
			q = []int{0, 4, -4, 8}[g.IntN(4)]
		}
		e.A = attr{g: 2, m: 4, exact: true, nonny: q >= 0}
		e.Op = fmt.Sprintf("%g", float64(q)/4)
		if !strings.ContainsAny(e.Op, ".e") {
			e.Op += ".0"
		}
		if k == F32 {
			e.Op = "float32(" + e.Op + ")"
		}
	case k.unsigned():
		e.Op = fmt.Sprintf("%s(%d)", k, g.IntN(40))
	default:
		n := g.IntN(30) - 10
		if g.chance(0.05) {
			n = 127
		}
		e.Op = fmt.Sprint(n)
		if k != Int {
			e.Op = fmt.Sprintf("%s(%d)", k, n)
		}
	}
	return e
}

// leaf is a variable or a constant.
func (g *gen) leaf(k Kind, sc *scope, n need) *Expr {
	ok := func(v *Var) bool { return v.T == scalarOf(k) && v.A.meets(n, k) }
	if v := g.pick(sc, ok); v != nil && g.chance(0.85) {
		return v.ref()
	}
	first := func(v *Var) bool { return v.T.Rank == 0 && v.T.B != "" && v.T.A == k && v.A.meets(n, k) }
	if v := g.pick(sc, first); v != nil {
		return &Expr{T: scalarOf(k), A: v.A, Op: "%s" + v.T.field(0), Args: []*Expr{v.ref()}}
	}
	second := func(v *Var) bool { return v.T.Rank == 0 && v.T.B == k && v.A2.meets(n, k) }
	if v := g.pick(sc, second); v != nil {
		return &Expr{T: scalarOf(k), A: v.A2, Op: "%s" + v.T.field(1), Args: []*Expr{v.ref()}}
	}
	if g.chance(0.75) {
		if e := g.converted(k, sc, n); e != nil {
			return e
		}
	}
	for {
		if c := g.constant(k); c.A.meets(n, k) {
			return c
		}
	}
}

// converted makes something of kind k of a variable of another kind.
func (g *gen) converted(k Kind, sc *scope, n need) *Expr {
	v := g.pick(sc, func(v *Var) bool { return v.T.Rank == 0 && v.T.B == "" && v.T.A != k && v.T.A != Bool && !v.A.wobbly })
	if v == nil {
		return nil
	}
	from, t := v.T.A, scalarOf(k)
	switch {
	case k == Bool:
		c := g.constant(from)
		return call(t, []string{"(%s < %s)", "(%s >= %s)", "(%s != %s)"}[g.IntN(3)], v.ref(), c)
	case k.float() && from.integer():
		e := call(t, string(k)+"(%s & 63)", v.ref())
		e.A = attr{m: 6, exact: true, nonny: true}
		return e
	case k.float():
		e := call(t, string(k)+"(%s)", v.ref())
		e.A = v.A
		if e.A.exact = v.A.exact && v.A.g+v.A.m <= precision(k); v.A.m > magnitude32 || !e.A.meets(n, k) {
			return nil
		}
		return e
	case from.integer():
		return call(t, string(k)+"(%s)", v.ref())
	case v.A.m <= 12 && !k.unsigned():
		g.nan = false
		return call(t, string(k)+"(%s)", v.ref())
	}
	return nil
}

// scalar writes an expression of kind k.
func (g *gen) scalar(k Kind, sc *scope, d int, n need) *Expr {
	var e *Expr
	switch {
	case d <= 0 || g.chance(0.06):
		e = g.leaf(k, sc, n)
	case k == Bool:
		e = g.boolean(sc, d)
	case k.float():
		e = g.float(k, sc, d, n)
	default:
		e = g.integer(k, sc, d)
	}
	if !e.A.meets(n, k) || e.A.m > magnitude(k) && k.float() {
		e = g.leaf(k, sc, n)
	}
	return e
}

func (g *gen) boolean(sc *scope, d int) *Expr {
	t := scalarOf(Bool)
	switch g.IntN(10) {
	case 0:
		return call(t, "!(%s)", g.scalar(Bool, sc, d-1, need{}))
	case 1, 2:
		return call(t, []string{"(%s && %s)", "(%s || %s)", "(%s != %s)"}[g.IntN(3)], g.scalar(Bool, sc, d-1, need{}), g.scalar(Bool, sc, d-1, need{}))
	case 3:
		if i := g.pick(sc, func(v *Var) bool { return v.T == scalarOf(Int) }); i != nil {
			return call(t, "(%s%2 == 0)", i.ref())
		}
	case 4:
		k := g.floatKind()
		x := g.scalar(k, sc, d-1, need{stable: true})
		if k == F64 && !x.Const {
			return call(t, "math.IsNaN(%s)", x)
		}
	}
	k := g.likelyKind(sc)
	if k == Bool {
		k = F64
	}
	x, y := g.scalar(k, sc, d-1, need{stable: true}), g.scalar(k, sc, d-1, need{stable: true})
	if x.Const && y.Const {
		return g.leaf(Bool, sc, need{})
	}
	return call(t, []string{"(%s < %s)", "(%s <= %s)", "(%s > %s)", "(%s >= %s)", "(%s == %s)", "(%s != %s)"}[g.IntN(6)], x, y)
}

func (g *gen) float(k Kind, sc *scope, d int, n need) *Expr {
	t := scalarOf(k)
	mathOf := func(name string, x *Expr) *Expr { // math functions take float64
		if k == F32 {
			return call(t, "float32(math."+name+"(float64(%s)))", x)
		}
		return call(t, "math."+name+"(%s)", x)
	}
	switch g.IntN(20) {
	case 0, 1, 2: // sum
		m := need{stable: true}
		if !n.stable && g.chance(0.3) || n.nonny {
			m = need{stable: n.stable, nonny: true}
		}
		x, y := g.scalar(k, sc, d-1, m), g.scalar(k, sc, d-1, m)
		e := call(t, "(%s + %s)", x, y)
		e.A = sum(x.A, y.A, k)
		return g.constGuard(e, sc, n)
	case 3, 4: // difference
		x, y := g.scalar(k, sc, d-1, need{stable: true}), g.scalar(k, sc, d-1, need{stable: true})
		e := call(t, "(%s - %s)", x, y)
		e.A = sum(x.A, y.A, k)
		e.A.nonny = false
		return g.constGuard(e, sc, n)
	case 5, 6, 7: // product
		x, y := g.scalar(k, sc, d-1, n), g.scalar(k, sc, d-1, n)
		e := call(t, "(%s * %s)", x, y)
		e.A = product(x.A, y.A, k)
		return g.constGuard(e, sc, n)
	case 8: // quotient
		x, y := g.scalar(k, sc, d-1, n), g.scalar(k, sc, d-1, need{stable: true})
		e := call(t, "(%s / (%s + 0.5))", x, g.abs(y))
		e.A = attr{m: x.A.m + 1, wobbly: x.A.wobbly, nonny: x.A.nonny}
		return g.constGuard(e, sc, n)
	case 9, 10:
		x := g.abs(g.scalar(k, sc, d-1, need{stable: n.stable}))
		e := mathOf("Sqrt", x)
		e.A = attr{m: (max(x.A.m, 0) + 1) / 2, wobbly: x.A.wobbly, nonny: true}
		return e
	case 11:
		return g.abs(g.scalar(k, sc, d-1, need{stable: n.stable}))
	case 12:
		x := g.scalar(k, sc, d-1, need{stable: true})
		e := mathOf([]string{"Floor", "Ceil", "Trunc", "Round", "RoundToEven"}[g.IntN(5)], x)
		e.A = attr{m: x.A.m + 1, exact: x.A.exact, nonny: x.A.nonny}
		return e
	case 13:
		x := g.scalar(k, sc, d-1, need{stable: true})
		e := mathOf([]string{"Exp", "Tanh", "Atan", "Cbrt", "Expm1", "Exp2", "Erf", "Erfc", "Asinh"}[g.IntN(9)], call(t, "-%s", g.abs(x)))
		e.A = attr{m: x.A.m + 1}
		return e
	case 14:
		x, y := g.scalar(k, sc, d-1, n), g.scalar(k, sc, d-1, n)
		e := call(t, []string{"min(%s, %s)", "max(%s, %s)"}[g.IntN(2)], x, y)
		e.A = join(x.A, y.A)
		return g.constGuard(e, sc, n)
	case 15:
		from := g.intKind()
		x := g.scalar(from, sc, d-1, need{})
		if x.Const {
			break
		}
		e := call(t, string(k)+"(%s & 63)", x)
		e.A = attr{m: 6, exact: true, nonny: true}
		return e
	case 16:
		other := F64
		if k == F64 {
			other = F32
		}
		x := g.scalar(other, sc, d-1, n)
		if x.Const || x.A.m > magnitude32 {
			break
		}
		e := call(t, string(k)+"(%s)", x)
		e.A = x.A
		if k == F32 {
			e.A.exact = x.A.exact && x.A.g+x.A.m <= precision32
		} else if x.A.wobbly {
			break // it wobbles by what float32 rounds
		}
		return e
	case 17:
		if e := g.read(k, sc, n); e != nil {
			return e
		}
	case 18:
		x, y := g.scalar(k, sc, d-1, need{stable: true, nonny: true}), g.scalar(k, sc, d-1, need{stable: true, nonny: true})
		if k == F64 && x.A.m < 30 && y.A.m < 30 {
			e := call(t, "math.Hypot(%s, %s)", x, y)
			e.A = attr{m: max(x.A.m, y.A.m) + 1, nonny: true, wobbly: true} // on a device it may be rounded to another one
			return e
		}
	case 19:
		if e := g.reduction(k, sc, d-1, n); e != nil {
			return e
		}
	}
	return g.leaf(k, sc, n)
}

// constGuard replaces a constant expression, which Go would calculate exactly or refuse.
func (g *gen) constGuard(e *Expr, sc *scope, n need) *Expr {
	if !e.Const {
		return e
	}
	if v := g.pick(sc, func(v *Var) bool { return v.T == e.T && v.A.meets(n, e.T.A) }); v != nil {
		return v.ref()
	}
	c := g.constant(e.T.A)
	for !c.A.meets(n, e.T.A) {
		c = g.constant(e.T.A)
	}
	return c
}

func (g *gen) abs(x *Expr) *Expr {
	k := x.T.A
	if x.Const { // Go would evaluate -c and so on; a constant is its own magnitude or not used
		x = &Expr{T: x.T, Op: "1.5", Const: true, A: attr{g: 1, m: 1, exact: true, nonny: true}}
		if k == F32 {
			x.Op = "float32(1.5)"
		}
		return x
	}
	e := call(x.T, "math.Abs(%s)", x)
	if k == F32 {
		e.Op = "float32(math.Abs(float64(%s)))"
	}
	e.A = x.A
	e.A.nonny = true
	return e
}

func sum(a, b attr, k Kind) attr {
	s := attr{g: max(a.g, b.g), m: max(a.m, b.m) + 1, wobbly: a.wobbly || b.wobbly, nonny: a.nonny && b.nonny}
	s.exact = a.exact && b.exact && s.g+s.m <= precision(k)
	return s
}

func product(a, b attr, k Kind) attr {
	s := attr{g: a.g + b.g, m: a.m + b.m, wobbly: a.wobbly || b.wobbly, nonny: a.nonny && b.nonny}
	s.exact = a.exact && b.exact && s.g+s.m <= precision(k)
	return s
}

func (g *gen) integer(k Kind, sc *scope, d int) *Expr {
	t := scalarOf(k)
	two := func(ops ...string) *Expr {
		e := call(t, ops[g.IntN(len(ops))], g.scalar(k, sc, d-1, need{}), g.scalar(k, sc, d-1, need{}))
		return g.constGuard(e, sc, need{})
	}
	switch g.IntN(14) {
	case 0, 1, 2, 3:
		return two("(%s + %s)", "(%s - %s)", "(%s * %s)")
	case 4:
		return two("(%s & %s)", "(%s | %s)", "(%s ^ %s)", "(%s &^ %s)")
	case 5:
		return two("min(%s, %s)", "max(%s, %s)")
	case 6:
		return two("(%s / (%s&7 + 1))", "(%s % (%s&15 + 1))")
	case 7:
		x := g.scalar(k, sc, d-1, need{})
		if !x.Const {
			return call(t, []string{"(%s << 3)", "(%s >> 2)", "(%s << 1)"}[g.IntN(3)], x)
		}
	case 8:
		x, y := g.scalar(k, sc, d-1, need{}), g.scalar(Int, sc, d-1, need{})
		if !x.Const && !y.Const {
			return call(t, []string{"(%s << (%s & 7))", "(%s >> uint(%s & 7))"}[g.IntN(2)], x, y)
		}
	case 9:
		from := g.intKind()
		if x := g.scalar(from, sc, d-1, need{}); !x.Const {
			return call(t, string(k)+"(%s)", x)
		}
	case 10:
		from := g.floatKind()
		x := g.scalar(from, sc, d-1, need{stable: true})
		if !x.Const && x.A.m <= 14 && !k.unsigned() {
			g.nan = false
			return call(t, string(k)+"(%s)", x)
		}
	case 11:
		if e := g.read(k, sc, need{}); e != nil {
			return e
		}
	case 12:
		if e := g.reduction(k, sc, d-1, need{}); e != nil {
			return e
		}
	case 13:
		if s := g.pick(sc, func(v *Var) bool { return v.T.Rank > 0 }); s != nil && k == Int {
			return call(t, "len(%s)", s.ref())
		}
		if x := g.scalar(k, sc, d-1, need{}); !x.Const && !k.unsigned() {
			return call(t, []string{"(-%s)", "(^%s)"}[g.IntN(2)], x)
		}
	}
	return g.leaf(k, sc, need{})
}

// read writes x[i] for an i that is in range, or a guarded read of a neighbour.
func (g *gen) read(k Kind, sc *scope, n need) *Expr {
	i := g.pick(sc, func(v *Var) bool { return v.T.Rank == 0 && v.T.B == "" && v.IdxOf != "" })
	if i != nil {
		x := g.pick(sc, func(v *Var) bool { return v.T == seqOf(k) && v.Len[0] == i.IdxOf && v.A.meets(n, k) })
		if x != nil {
			e := call(scalarOf(k), "%s[%s]", x.ref(), i.ref())
			if g.chance(0.3) {
				e = call(scalarOf(k), "%s[len(%s)-1-int(%s)]", x.ref(), x.ref(), i.ref())
			}
			e.A = x.A
			return e
		}
	}
	if i != nil && k == Int && g.chance(0.5) {
		if x := g.pick(sc, func(v *Var) bool { return v.T.Rank == 2 && v.Len[0] == i.IdxOf }); x != nil {
			return call(scalarOf(k), "len(%s[%s])", x.ref(), i.ref())
		}
	}
	x := g.pick(sc, func(v *Var) bool { return v.T == seqOf(k) && v.A.meets(n, k) })
	if x == nil || k != F64 && k != F32 && k != I32 && k != Int {
		return nil
	}
	at := map[Kind]string{F64: "atF64", F32: "atF32", I32: "atI32", Int: "atInt"}[k]
	j := g.scalar(Int, sc, 1, need{})
	e := call(scalarOf(k), at+"(%s, %s)", x.ref(), j)
	e.A = x.A
	return e
}

func init() {
	for _, k := range []struct {
		name string
		kind Kind
	}{{"F64", F64}, {"F32", F32}, {"I32", I32}, {"I64", I64}, {"Int", Int}} {
		t := string(k.kind)
		helper("at"+k.name, "func at"+k.name+"(x []"+t+", i int) "+t+" {\n\tif i < 0 || i >= len(x) {\n\t\treturn 0\n\t}\n\treturn x[i]\n}")
		helper("add"+k.name, "func add"+k.name+"(a, b "+t+") "+t+" { return a + b }")
		helper("larger"+k.name, "func larger"+k.name+"(a, b "+t+") "+t+" {\n\tif a > b {\n\t\treturn a\n\t}\n\treturn b\n}")
	}
}
