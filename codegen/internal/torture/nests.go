package torture

import (
	"fmt"
	"strings"
)

// nest writes a sequence of k by maps that are nested depth deep; what the inner ones give is combined, or a row.
func (g *gen) nest(k Kind, sc *scope, depth int) *Expr {
	over := g.irregular(sc, depth)
	if over == nil {
		return nil
	}
	v := g.element(over, g.symbol("f"))
	in := sc.enter(over.Len[0], []*Var{v})
	fn := &Fn{Params: []*Var{v}}
	if g.chance(0.4) {
		fn.Body = g.body(in, 2)
	}
	if depth > 1 {
		inner := g.nest(k, in, depth-1)
		if inner == nil {
			return nil
		}
		let := g.let(in, inner)
		fn.Body = append(fn.Body, let, &Stmt{Op: "_ = len(%s)", X: []*Expr{{T: inner.T, A: inner.A, Len: inner.Len, Op: let.Declares, Ref: true}}})
		if g.chance(0.3) {
			fn.Body = append(fn.Body, g.keyedStmt(in, 2)...)
		}
		if depth == 2 && sc.nested == 0 && g.chance(0.3) { // rows
			if fn.Ret = g.seq(k, in, 1, "", need{}); fn.Ret != nil && isWhole(fn.Ret.Len[0]) && in.work > 1 {
				return nil
			}
		} else {
			fn.Ret = g.digest(k, in, &Expr{T: inner.T, A: inner.A, Len: inner.Len, Op: let.Declares, Ref: true})
		}
	} else {
		fn.Ret = g.scalar(k, in, 2, need{stable: true})
	}
	if fn.Ret == nil {
		return nil
	}
	e := &Expr{T: fn.Ret.T.array(), A: fn.Ret.A, Len: []string{over.Len[0]}, Op: "ops.Map(%s, %s)", Args: []*Expr{{T: fn.Ret.T, Fn: fn}, over}}
	for _, l := range fn.Ret.Len {
		e.Len = append(e.Len, g.rowSymbol(l))
	}
	return e
}

// digest makes one value of a sequence.
func (g *gen) digest(k Kind, sc *scope, x *Expr) *Expr {
	switch g.IntN(5) {
	case 0: // of those that satisfy something
		x = &Expr{T: x.T, A: x.A, Len: []string{g.symbol("kept@")}, Op: "ops.Filter(%s, %s)", Args: []*Expr{g.predicate(sc, x, 1), x}}
	case 1:
		x = &Expr{T: x.T, A: x.A, Len: x.Len, Op: "ops.Reverse(%s)", Args: []*Expr{x}}
	case 2:
		if x.A.wobbly {
			break
		}
		init := g.start(k, sc, x)
		if op, a, ok := g.combiner(k, x.A, init.A, true); ok && a.m < magnitude(k)-15 {
			x = &Expr{T: x.T, A: a, Len: x.Len, Op: "ops.InclusiveScan(" + op + ", %s, %s)", Args: []*Expr{x, init}}
		}
	}
	for range 6 {
		init := g.start(k, sc, x)
		if op, a, ok := g.combiner(k, x.A, init.A, false); ok {
			return &Expr{T: scalarOf(k), A: a, Op: "ops.Reduce(" + op + ", %s, %s)", Args: []*Expr{x, init}}
		}
	}
	if k == Int {
		return call(scalarOf(k), "len(%s)", x)
	}
	return nil
}

// irregular picks what the next level of a nest runs over: rows whose lengths differ, parts of rows, lengths that the
// data say.
func (g *gen) irregular(sc *scope, depth int) *Expr {
	for range 6 {
		switch g.IntN(6) {
		case 0, 1:
			if v := g.pick(sc, func(v *Var) bool {
				return v.T.Rank >= 1 && v.OffOf == "" && sc.affordable(v.Len[0]) && (v.T.Rank > 1 || sc.nested > 0 && !isWhole(v.Len[0]))
			}); v != nil {
				return v.ref()
			}
		case 2:
			if v := g.pick(sc, func(v *Var) bool { return v.T == scalarOf(Int) || v.T == scalarOf(I32) || v.T == scalarOf(I64) }); v != nil && sc.nested > 0 {
				return &Expr{T: seqOf(Int), Len: []string{g.symbol("count@")}, Op: "ops.Range(0, int(%s)&7, 1)", Args: []*Expr{v.ref()}}
			}
		case 3:
			if v := g.pick(sc, func(v *Var) bool {
				return v.T.Rank == 1 && v.T.B == "" && v.OffOf == "" && (sc.nested == 0 || !isWhole(v.Len[0])) && sc.affordable(v.Len[0])
			}); v != nil && depth > 1 {
				op := []string{"ops.Split(%s, 3)", "ops.Cyclic(%s, 2)", "ops.Split(%s, 9)", "ops.Cyclic(%s, 5)"}[g.IntN(4)]
				return &Expr{T: v.T.array(), A: v.A, IdxOf: v.IdxOf, Len: []string{g.rename("tiles", v.Len[0]), g.symbol("tile")}, Op: op, Args: []*Expr{v.ref()}}
			}
		case 4:
			if sc.nested < 2 {
				if x := g.nested(g.likelyKind(sc), sc, 1); x != nil && sc.affordable(x.Len[0]) {
					return x
				}
			}
		case 5:
			if v := g.pick(sc, func(v *Var) bool { return v.T.Rank == 1 && sc.affordable(v.Len[0]) && sc.work < 1 }); v != nil {
				return v.ref()
			}
		}
	}
	return nil
}

// chooser is a switch that assigns a variable.
func (g *gen) chooser(sc *scope, d int) []*Stmt {
	k := g.likelyKind(sc)
	s := need{stable: true}
	init := g.scalar(k, sc, d-1, s)
	v := &Var{Name: g.name("c"), T: scalarOf(k), A: init.A}
	tag := g.scalar(Int, sc, d-1, need{})
	if tag.Const {
		return nil
	}
	n := 2 + g.IntN(2)
	var op strings.Builder
	st := &Stmt{X: []*Expr{tag}}
	op.WriteString("switch %s & 3 {\n")
	for i := range n {
		x := g.scalar(k, sc, d-1, s)
		v.A = join(v.A, x.A)
		label := fmt.Sprintf("case %d", i)
		if i == 0 && g.chance(0.3) {
			label = "case 0, 3"
		}
		if i == n-1 && g.chance(0.5) {
			label = "default"
		}
		op.WriteString(label + ":\n" + v.Name + " = %s\n")
		st.X = append(st.X, x)
	}
	op.WriteString("}")
	st.Op = op.String()
	st.Assigns = v.Name
	sc.add(v)
	return []*Stmt{{Declares: v.Name, Op: "var " + v.Name + " " + string(k) + " = %s", X: []*Expr{init}}, st}
}

// search returns from a function inside a loop over a row.
func (g *gen) search(t Type, sc *scope, d int) *Stmt {
	if t.Rank > 0 || t.B != "" {
		return nil
	}
	x := g.pick(sc, func(v *Var) bool {
		return v.T.Rank == 1 && v.T.B == "" && !v.A.wobbly && sc.affordable(v.Len[0])
	})
	if x == nil {
		return nil
	}
	e := &Var{Name: g.name("e"), T: x.T.elem(), A: x.A, IdxOf: x.IdxOf}
	in := sc.inner(e)
	in.nested--
	cond, ret := g.scalar(Bool, in, 2, need{}), g.scalar(t.A, in, d-1, need{stable: true})
	return &Stmt{Op: "for _, " + e.Name + " := range %s {}", X: []*Expr{x.ref()}, Inner: []*Var{e},
		Blocks: [][]*Stmt{{{Op: "if %s {}", X: []*Expr{cond}, Blocks: [][]*Stmt{{{Op: "return %s", X: []*Expr{ret}}}}}, {Op: "_ = %s", X: []*Expr{e.ref()}}}}}
}

// records makes a slice of structs and changes single fields of its elements.
func (g *gen) records(sc *scope, d int) []*Stmt {
	t := g.pairType(sc)
	t.Named = true
	v := &Var{Name: g.name("recs"), T: t.array(), Len: []string{g.symbol("loc@")}}
	i := &Var{Name: g.name("i"), T: scalarOf(Int), IdxOf: v.Len[0]}
	in := sc.inner(i)
	in.nested--
	x, y, again := g.scalar(t.A, in, d-1, need{stable: true}), g.scalar(t.B, in, d-1, need{stable: true}), g.scalar(t.B, in, d-1, need{stable: true})
	v.A, v.A2 = x.A, join(y.A, again.A)
	at := v.Name + "[" + i.Name + "]"
	sc.add(v)
	sc.local = append(sc.local, v)
	return []*Stmt{
		{Declares: v.Name, Op: v.Name + " := make([]" + t.String() + ", " + fmt.Sprint(g.IntN(6)) + ")"},
		{Inner: []*Var{i}, Op: "for " + i.Name + " := range " + v.Name + " {}", Blocks: [][]*Stmt{{{Assigns: v.Name, Op: at + " = " + t.literal(), X: []*Expr{x, y}}}}},
		{Inner: []*Var{i}, Op: "for " + i.Name + " := range " + v.Name + " {}", Blocks: [][]*Stmt{{
			{Op: "if " + i.Name + "%2 == 0 {}", Blocks: [][]*Stmt{{{Assigns: v.Name, Op: at + ".Y = %s", X: []*Expr{again}}}}}}}},
		{Op: "_ = len(%s)", X: []*Expr{v.ref()}},
	}
}
