package torture

import (
	"fmt"
	"strings"
)

// letTwo declares variables for the two results of a call, one of them or both.
func (g *gen) letTwo(sc *scope, op string, args []*Expr, first, second *Var) []*Stmt {
	first.Name, second.Name = g.name("y"), g.name("z")
	a, b := first.Name, second.Name
	var out []*Stmt
	switch x := g.IntN(4); {
	case x == 0:
		b, second = "_", nil
	case x == 1 && second.T.Rank > 0:
		a, first = "_", nil
	}
	call := &Stmt{Op: a + ", " + b + " := " + op, X: args}
	out = append(out, call)
	for _, v := range []*Var{first, second} {
		if v == nil {
			continue
		}
		sc.add(v)
		sc.local = append(sc.local, v)
		out = append(out, &Stmt{Op: "_ = %s", X: []*Expr{v.ref()}})
		if call.Declares == "" {
			call.Declares = v.Name
		} else {
			call.Second = v.Name
		}
	}
	return out
}

// keyedStmt declares what an operator with two results yields.
func (g *gen) keyedStmt(sc *scope, d int) []*Stmt {
	switch g.IntN(3) {
	case 0:
		x := g.anyData(sc, d-1, "")
		if g.chance(0.2) {
			if rows := g.nested(g.likelyKind(sc), sc, d-1); rows != nil && sc.affordable(rows.Len[0]) {
				x = rows
			}
		}
		if x == nil {
			return nil
		}
		pred := g.predicate(sc, x, d-1)
		y := &Var{T: x.T, A: x.A, A2: x.A2, IdxOf: x.IdxOf, Len: []string{x.Len[0]}}
		for _, l := range x.Len[1:] {
			y.Len = append(y.Len, g.rowSymbol(l))
		}
		return g.letTwo(sc, "ops.Partition(%s, %s)", []*Expr{pred, x}, y, &Var{T: scalarOf(Int)})
	case 1:
		k := g.keyKind()
		keys := g.seq(k, sc, d-1, "", need{stable: true})
		if keys == nil || keys.A.wobbly || !sc.affordable(keys.Len[0]) {
			return nil
		}
		values := g.anyData(sc, d-1, keys.Len[0])
		if values == nil {
			return nil
		}
		return g.letTwo(sc, "ops.SortByKey(%s, %s)", []*Expr{keys, values},
			&Var{T: keys.T, A: keys.A, IdxOf: keys.IdxOf, Len: keys.Len[:1]}, &Var{T: values.T, A: values.A, A2: values.A2, IdxOf: values.IdxOf, Len: keys.Len[:1]})
	}
	keys := g.runKeys(sc, d-1)
	if keys == nil {
		return nil
	}
	runs := g.rename("runs", keys.Len[0])
	ks := &Var{T: keys.T, A: keys.A, IdxOf: keys.IdxOf, Len: []string{runs}}
	if rows, y := g.equalRows(sc, d-1, keys.Len[0]); rows != nil && g.chance(0.5) {
		if op, init, a := g.rowCombiner(sc, rows, y); op != "" {
			sums := &Var{T: rows.T, A: a, Len: []string{runs, g.rowSymbol(y.Len[0])}}
			return g.letTwo(sc, "ops.ReduceByKey("+op+", %s, %s, %s)", []*Expr{rows, keys, init}, ks, sums)
		}
	}
	k := g.likelyKind(sc)
	x := g.seq(k, sc, d-1, keys.Len[0], need{})
	if x == nil {
		return nil
	}
	init := g.start(k, sc, x)
	op, a, ok := g.combiner(k, x.A, init.A, false)
	if !ok {
		return nil
	}
	return g.letTwo(sc, "ops.ReduceByKey("+op+", %s, %s, %s)", []*Expr{x, keys, init}, ks, &Var{T: x.T, A: a, Len: []string{runs}})
}

func (g *gen) keyKind() Kind {
	return []Kind{I32, Int, I64, F64, F32, U8, I16}[g.IntN(7)]
}

// start is an initial value for a reduction of x.
func (g *gen) start(k Kind, sc *scope, x *Expr) *Expr {
	init := g.leaf(k, sc, need{stable: true, nonny: x.A.nonny})
	if init.Const && k == F64 {
		init.Op = "float64(" + init.Op + ")"
	}
	return init
}

// anyData is a sequence of scalars, pairs or structs with the length symbol.
func (g *gen) anyData(sc *scope, d int, length string) *Expr {
	if g.chance(0.35) {
		if v := g.pick(sc, func(v *Var) bool {
			return v.T.Rank == 1 && v.T.B != "" && (length == "" || v.Len[0] == length) && sc.affordable(v.Len[0])
		}); v != nil {
			return v.ref()
		}
	}
	x := g.anySeq(sc, d, length)
	if x != nil && !sc.affordable(x.Len[0]) {
		return nil
	}
	return x
}

// predicate is a function of an element of x.
func (g *gen) predicate(sc *scope, x *Expr, d int) *Expr {
	v := g.element(x, g.symbol("f"))
	in := sc.enter(x.Len[0], []*Var{v})
	fn := &Fn{Params: []*Var{v}, Ret: g.scalar(Bool, in, max(d, 1), need{})}
	if fn.Ret.Const && x.T.Rank == 1 && x.T.B == "" && x.T.A != Bool && !x.A.wobbly { // it keeps all or nothing too often
		fn.Ret = call(scalarOf(Bool), "(%s > %s)", v.ref(), g.constant(x.T.A))
	}
	return &Expr{T: scalarOf(Bool), Fn: fn}
}

// runKeys are keys of which several consecutive ones are equal.
func (g *gen) runKeys(sc *scope, d int) *Expr {
	k := []Kind{I32, Int, I64, F64, Bool, U8}[g.IntN(6)]
	x := g.seq(k, sc, d, "", need{stable: true})
	if x == nil || x.A.wobbly || !sc.affordable(x.Len[0]) {
		return nil
	}
	if k.integer() && g.chance(0.6) {
		return &Expr{T: x.T, Len: x.Len[:1], Op: "ops.Map(func(v " + string(k) + ") " + string(k) + " { return v & 1 }, %s)", Args: []*Expr{x}}
	}
	return x
}

// bins are keys of a Histogram or places of a Scatter, with the number of them and the symbol of that length.
func (g *gen) bins(sc *scope, d int) (keys *Expr, n string, like *Var) {
	idx := g.pick(sc, func(v *Var) bool { return v.T.Rank == 1 && v.T.B == "" && v.IdxOf != "" && sc.affordable(v.Len[0]) })
	if idx != nil && g.chance(0.6) {
		if like = g.pick(sc, func(v *Var) bool { return v.T.Rank > 0 && v.Len[0] == idx.IdxOf }); like != nil {
			return idx.ref(), idx.IdxOf, like
		}
	}
	k := []Kind{Int, I32, I64}[g.IntN(3)]
	x := g.seq(k, sc, d, "", need{})
	if x == nil || !sc.affordable(x.Len[0]) {
		return nil, "", nil
	}
	return &Expr{T: x.T, Len: x.Len[:1], Op: "ops.Map(func(v " + string(k) + ") " + string(k) + " { return v & 7 }, %s)", Args: []*Expr{x}}, "", nil
}

// keyedSeq is a Filter, a Histogram or a Scatter.
func (g *gen) keyedSeq(k Kind, sc *scope, d int, length string, n need) *Expr {
	t := seqOf(k)
	switch g.IntN(3) {
	case 0:
		if length != "" {
			return nil
		}
		x := g.seq(k, sc, d-1, "", n)
		if x == nil || !sc.affordable(x.Len[0]) {
			return nil
		}
		return &Expr{T: t, A: x.A, IdxOf: x.IdxOf, Len: []string{g.rename("kept", x.Len[0])}, Op: "ops.Filter(%s, %s)", Args: []*Expr{g.predicate(sc, x, d-1), x}}
	case 1:
		keys, sym, like := g.bins(sc, d-1)
		if keys == nil || length != "" && length != sym {
			return nil
		}
		x := g.seq(k, sc, d-1, keys.Len[0], need{})
		if x == nil {
			return nil
		}
		init := g.start(k, sc, x)
		op, a, ok := g.combiner(k, x.A, init.A, false)
		if !ok || !a.meets(n, k) {
			return nil
		}
		if like == nil {
			return &Expr{T: t, A: a, Len: []string{g.symbol("bins@")}, Op: "ops.Histogram(" + op + ", 8, %s, %s, %s)", Args: []*Expr{keys, x, init}}
		}
		return &Expr{T: t, A: a, Len: []string{sym}, Op: "ops.Histogram(" + op + ", len(%s), %s, %s, %s)", Args: []*Expr{like.ref(), keys, x, init}}
	}
	keys, sym, like := g.bins(sc, d-1)
	if keys == nil || length != "" && length != sym {
		return nil
	}
	x := g.seq(k, sc, d-1, keys.Len[0], n)
	if x == nil {
		return nil
	}
	var base *Expr
	if like == nil {
		c := g.constant(k)
		for !c.A.meets(n, k) {
			c = g.constant(k)
		}
		if k == F64 {
			c.Op = "float64(" + c.Op + ")"
		}
		base = &Expr{T: t, A: c.A, Len: []string{g.symbol("bins@")}, Op: "ops.Replicate(%s, 8)", Args: []*Expr{c}}
	} else if base = g.seq(k, sc, d-1, sym, n); base == nil {
		return nil
	}
	return &Expr{T: t, A: join(x.A, base.A), Len: base.Len[:1], Op: "ops.Scatter(%s, %s, %s)", Args: []*Expr{x, keys, base}}
}

// equalRows writes rows that all have the length of y: as many as the symbol says, any number if it is "".
func (g *gen) equalRows(sc *scope, d int, length string) (rows *Expr, y *Var) {
	if sc.work > 0 || sc.nested > 1 {
		return nil, nil
	}
	y = g.pick(sc, func(v *Var) bool { return v.T.Rank == 1 && v.T.B == "" && v.T.A != Bool && !v.A.wobbly })
	base := g.pick(sc, func(v *Var) bool { return v.T.Rank == 1 && (length == "" || v.Len[0] == length) })
	if y == nil || base == nil {
		return nil, nil
	}
	v := g.element(base.ref(), g.symbol("f"))
	in := sc.enter(base.Len[0], []*Var{v})
	w := g.element(y.ref(), g.symbol("f"))
	inner := &Fn{Params: []*Var{w}, Ret: g.scalar(y.T.A, in.enter(y.Len[0], []*Var{w}), max(d, 1), need{stable: true})}
	t := y.T
	m := &Expr{T: t, A: inner.Ret.A, Len: y.Len, Op: "ops.Map(%s, %s)", Args: []*Expr{{T: t.elem(), Fn: inner}, y.ref()}}
	outer := &Fn{Params: []*Var{v}, Ret: m}
	return &Expr{T: t.array(), A: m.A, Len: []string{base.Len[0], y.Len[0]}, Op: "ops.Map(%s, %s)", Args: []*Expr{{T: t, Fn: outer}, base.ref()}}, y
}

// rowCombiner combines rows of the length of y position by position.
func (g *gen) rowCombiner(sc *scope, rows *Expr, y *Var) (op string, init *Expr, a attr) {
	k := rows.T.A
	first := g.constant(k)
	for range 5 {
		inner, a, ok := g.combiner(k, rows.A, first.A, false)
		if !ok {
			first = g.constant(k)
			continue
		}
		if k == F64 {
			first.Op = "float64(" + first.Op + ")"
		}
		row, v := "[]"+string(k), "func(v "+string(k)+") "+string(k)
		body := "{ return ops.Map2(" + inner + ", a, b) }"
		switch { // several maps that come to one
		case k.integer() && g.chance(0.3): // with the elements in another guise
			body = "{ c := ops.Map2(" + inner + ", ops.Map(" + v + " { return v ^ 5 }, a), ops.Map(" + v + " { return v ^ 5 }, b)); return ops.Map(" + v + " { return v ^ 5 }, c) }"
		case g.chance(0.2):
			body = "{ one := " + string(k) + "(1); return ops.Map(" + v + " { return v * one }, ops.Map2(" + inner + ", ops.Map(" + v + " { return v }, a), b)) }"
		}
		return "func(a, b " + row + ") " + row + " " + body,
			&Expr{T: seqOf(k), A: first.A, Len: y.Len, Op: "ops.Replicate(%s, len(%s))", Args: []*Expr{first, y.ref()}}, a
	}
	return "", nil, attr{}
}

// rowReduction reduces rows to one, or scans them.
func (g *gen) rowReduction(sc *scope, d int) *Expr {
	rows, y := g.equalRows(sc, d, "")
	if rows == nil {
		return nil
	}
	op, init, a := g.rowCombiner(sc, rows, y)
	if op == "" {
		return nil
	}
	if name := []string{"", "ops.Scan(", "ops.InclusiveScan("}[g.IntN(3)]; name != "" {
		return &Expr{T: rows.T, A: join(a, init.A), Len: rows.Len, Op: name + op + ", %s, %s)", Args: []*Expr{rows, init}}
	}
	return &Expr{T: rows.T.elem(), A: a, Len: y.Len, Op: "ops.Reduce(" + op + ", %s, %s)", Args: []*Expr{rows, init}}
}

// transposed writes the columns of rows of equal length.
func (g *gen) transposed(sc *scope, d int) *Expr {
	rows, y := g.equalRows(sc, d, "")
	if rows == nil {
		return nil
	}
	return &Expr{T: rows.T, A: rows.A, Len: []string{g.rename("columns", y.Len[0]), g.rowSymbol(rows.Len[0])}, Op: "ops.Transpose(%s)", Args: []*Expr{rows}}
}

// joined writes the pairs of all elements of two sequences. Its length is a product: "huge" keeps everything inside
// small.
func (g *gen) joined(sc *scope, d int) *Expr {
	if sc.work > 0 || sc.nested > 0 {
		return nil
	}
	x, y := g.anySeq(sc, d-1, ""), g.anySeq(sc, d-1, "")
	if x == nil || y == nil || strings.HasPrefix(x.Len[0], "huge") || strings.HasPrefix(y.Len[0], "huge") {
		return nil
	}
	return &Expr{T: Type{A: x.T.A, B: y.T.A, Rank: 1}, A: x.A, A2: y.A, Len: []string{g.symbol("huge")},
		Op: fmt.Sprintf("ops.Join(ops.Striding(%%s, %d), %%s)", 2+g.IntN(5)), Args: []*Expr{x, y}}
}

// pairsFrom writes a sequence of the pairs or structs in another one, in another order or only some of them.
func (g *gen) pairsFrom(sc *scope, d int) *Expr {
	v := g.pick(sc, func(v *Var) bool { return v.T.Rank == 1 && v.T.B != "" && sc.affordable(v.Len[0]) })
	if v == nil {
		return nil
	}
	x := v.ref()
	e := &Expr{T: v.T, A: v.A, A2: v.A2, Len: v.Len, Op: "ops.Reverse(%s)", Args: []*Expr{x}}
	switch g.IntN(4) {
	case 0:
		e.Op, e.Len = "ops.Striding(%s, 3)", []string{g.rename("str", v.Len[0])}
	case 1:
		e.Op, e.Args, e.Len = "ops.Filter(%s, %s)", []*Expr{g.predicate(sc, x, d-1), x}, []string{g.rename("kept", v.Len[0])}
	case 2:
		if idx := g.pick(sc, func(i *Var) bool { return i.T.Rank == 1 && i.IdxOf == v.Len[0] && sc.affordable(i.Len[0]) }); idx != nil {
			e.Op, e.Args, e.Len = "ops.Gather(%s, %s)", []*Expr{x, idx.ref()}, idx.Len[:1]
		}
	}
	return e
}
