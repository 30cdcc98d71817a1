package torture

import "strings"

// isWhole reports whether a length is of the order of a parameter's, not of one row's.
func isWhole(symbol string) bool { return !strings.Contains(symbol, "@") }

// affordable reports whether a function inside sc may run over a sequence of that length for every element.
func (sc *scope) affordable(symbol string) bool {
	if strings.HasPrefix(symbol, "huge") {
		return sc.work == 0
	}
	return sc.work < 2 || !isWhole(symbol)
}

// enter is the scope of a function that runs for every element of a sequence with that length.
func (sc *scope) enter(symbol string, ps []*Var) *scope {
	in := sc.inner(ps...)
	if isWhole(symbol) {
		in.work++
	}
	if strings.HasPrefix(symbol, "huge") {
		in.work++
	}
	return in
}

// element is the variable for an element of sequence x in the function literal with the mark lambda.
func (g *gen) element(x *Expr, lambda string) *Var {
	v := &Var{Name: g.name("v"), T: x.T.elem(), A: x.A, A2: x.A2, IdxOf: x.IdxOf}
	for _, l := range x.Len[1:] {
		v.Len = append(v.Len, l+"@"+lambda)
	}
	return v
}

// anySeq is a sequence of scalars of any kind with the length symbol ("" for any length).
func (g *gen) anySeq(sc *scope, d int, length string) *Expr {
	for range 4 {
		if e := g.seq(g.likelyKind(sc), sc, d, length, need{}); e != nil {
			return e
		}
	}
	return nil
}

// someLength picks the length of a sequence in scope.
func (g *gen) someLength(sc *scope) *Var {
	return g.pick(sc, func(v *Var) bool { return v.T.Rank > 0 && sc.affordable(v.Len[0]) })
}

// mapped writes ops.Map.. with a result of type t: over up to four sequences of one length.
func (g *gen) mapped(t Type, sc *scope, d int, length string, n need) *Expr {
	base := g.pick(sc, func(v *Var) bool {
		return v.T.Rank > 0 && sc.affordable(v.Len[0]) && (length == "" || v.Len[0] == length)
	})
	if base == nil || sc.nested >= 4 {
		return nil
	}
	lambda := g.symbol("f")
	var args []*Expr
	if length == "" && g.chance(0.25) { // something else than a variable, so of unknown length
		var e *Expr
		if g.chance(0.5) {
			e = g.nested(g.likelyKind(sc), sc, d-1)
		} else {
			e = g.anySeq(sc, d-1, "")
		}
		if e != nil && sc.affordable(e.Len[0]) {
			args = append(args, e)
		}
	}
	if len(args) == 0 {
		args = append(args, base.ref())
		count := []int{1, 1, 1, 2, 2, 3, 4}[g.IntN(7)]
		for len(args) < count {
			e := g.anySeq(sc, d-2, base.Len[0])
			if rows := g.pick(sc, func(v *Var) bool { return v.T.Rank == 2 && v.Len[0] == base.Len[0] }); rows != nil && g.chance(0.4) {
				e = rows.ref()
			}
			if e == nil {
				break
			}
			args = append(args, e)
		}
		g.Shuffle(len(args), func(i, j int) { args[i], args[j] = args[j], args[i] })
	}
	fn := &Fn{}
	for _, a := range args {
		fn.Params = append(fn.Params, g.element(a, lambda))
	}
	in := sc.enter(args[0].Len[0], fn.Params)
	fn.Body = g.body(in, d-1)
	switch {
	case t.B != "":
		x, y := g.scalar(t.A, in, d-1, need{stable: true}), g.scalar(t.B, in, d-1, need{stable: true})
		fn.Ret = &Expr{T: t, A: x.A, A2: y.A, Op: t.literal(), Args: []*Expr{x, y}}
	case t.Rank == 0:
		if g.chance(0.12) && d > 1 {
			cond, early := g.scalar(Bool, in, d-2, need{}), g.scalar(t.A, in, d-2, n)
			fn.Body = append(fn.Body, &Stmt{Op: "if %s {}", X: []*Expr{cond}, Blocks: [][]*Stmt{{{Op: "return %s", X: []*Expr{early}}}}})
			fn.Ret = g.scalar(t.A, in, d-1, n)
			fn.Ret.A = join(fn.Ret.A, early.A)
			break
		}
		fn.Ret = g.scalar(t.A, in, d-1, n)
		if g.chance(0.12) {
			if s := g.search(t, in, d-1); s != nil {
				for _, r := range s.Blocks[0][0].Blocks[0][0].X {
					fn.Ret.A = join(fn.Ret.A, r.A)
				}
				if fn.Ret.A.meets(n, t.A) {
					fn.Body = append(fn.Body, s)
				}
			}
		}
	case t.Rank == 1:
		fn.Ret = g.seq(t.A, in, d-1, "", n)
	default:
		fn.Ret = g.nested(t.A, in, d-1)
	}
	if fn.Ret == nil {
		return nil
	}
	op := "ops.Map"
	if len(args) > 1 {
		op += string(rune('0' + len(args)))
	}
	op += "(%s" + strings.Repeat(", %s", len(args)) + ")"
	e := &Expr{T: fn.Ret.T.array(), A: fn.Ret.A, A2: fn.Ret.A2, Len: []string{args[0].Len[0]}, Op: op, Args: append([]*Expr{{T: fn.Ret.T, Fn: fn, Op: ""}}, args...)}
	for _, l := range fn.Ret.Len {
		e.Len = append(e.Len, g.rowSymbol(l))
	}
	return e
}

// big reports whether rows with that length are as long as a parameter each.
func big(symbol string) bool {
	for _, short := range []string{"row", "tile", "rag"} {
		if strings.HasPrefix(symbol, short) {
			return false
		}
	}
	return isWhole(symbol)
}

// rowSymbol is a new length of rows like those with the length of; "wide" for big ones.
func (g *gen) rowSymbol(of string) string {
	if big(of) {
		return g.symbol("wide")
	}
	return g.symbol("row")
}

// flatSymbol is the length of all rows of x together.
func (g *gen) flatSymbol(x *Expr) string {
	if big(x.Len[0]) && big(x.Len[1]) || strings.HasPrefix(x.Len[0], "huge") {
		return g.symbol("huge")
	}
	return g.rename("flat", x.Len[0]+x.Len[1])
}

// seq writes a sequence of k with the length symbol, any if it is "". It returns nil if it finds none.
func (g *gen) seq(k Kind, sc *scope, d int, length string, n need) *Expr {
	t := seqOf(k)
	variable := func() *Expr {
		v := g.pick(sc, func(v *Var) bool {
			return v.T == t && (length == "" || v.Len[0] == length) && v.A.meets(n, k) && sc.affordable(v.Len[0])
		})
		if v == nil {
			return nil
		}
		return v.ref()
	}
	if d <= 0 {
		if e := variable(); e != nil {
			return e
		}
		return g.closedForm(k, sc, length)
	}
	keep := func(op string, x *Expr) *Expr { // the same elements
		return &Expr{T: t, A: x.A, IdxOf: x.IdxOf, Len: x.Len[:1], Op: op, Args: []*Expr{x}}
	}
	for range 4 {
		switch g.IntN(16) {
		case 14, 15:
			if e := g.keyedSeq(k, sc, d, length, n); e != nil {
				return e
			}
		case 0, 1, 2, 3, 4:
			if e := g.mapped(scalarOf(k), sc, d, length, n); e != nil {
				return e
			}
		case 5, 6:
			if e := g.scan(k, sc, d, length, n); e != nil {
				return e
			}
		case 7:
			idx := g.pick(sc, func(v *Var) bool {
				return v.T.Rank == 1 && v.IdxOf != "" && (length == "" || v.Len[0] == length) && sc.affordable(v.Len[0])
			})
			if idx == nil {
				continue
			}
			if x := g.seq(k, sc, d-1, idx.IdxOf, n); x != nil {
				return &Expr{T: t, A: x.A, IdxOf: x.IdxOf, Len: []string{idx.Len[0]}, Op: "ops.Gather(%s, %s)", Args: []*Expr{x, idx.ref()}}
			}
		case 8:
			if e := g.closedForm(k, sc, length); e != nil && e.A.meets(n, k) {
				return e
			}
		case 9:
			if x := g.seq(k, sc, d-1, length, n); x != nil {
				return keep("ops.Reverse(%s)", x)
			}
		case 10:
			if length != "" {
				continue
			}
			if x := g.seq(k, sc, d-1, "", n); x != nil {
				e := keep("ops.Striding(%s, "+[]string{"2", "3", "1"}[g.IntN(3)]+")", x)
				e.Len = []string{g.rename("str", x.Len[0])}
				return e
			}
		case 11:
			if length != "" {
				continue
			}
			x, y := g.seq(k, sc, d-1, "", n), g.seq(k, sc, d-1, "", n)
			if x != nil && y != nil {
				e := &Expr{T: t, A: join(x.A, y.A), Len: []string{g.rename("cat", x.Len[0]+y.Len[0])}, Op: "ops.Concat(%s, %s)", Args: []*Expr{x, y}}
				return e
			}
		case 12:
			if length != "" {
				continue
			}
			if x := g.nested(k, sc, d-1); x != nil && x.A.meets(n, k) {
				return &Expr{T: t, A: x.A, IdxOf: x.IdxOf, Len: []string{g.flatSymbol(x)}, Op: "ops.Flatten(%s)", Args: []*Expr{x}}
			}
		case 13:
			if length != "" {
				continue
			}
			if v := g.pick(sc, func(v *Var) bool { return v.T == t && v.A.meets(n, k) && sc.affordable(v.Len[0]) }); v != nil {
				op := []string{"%s[:len(" + v.Name + ")/2]", "%s[len(" + v.Name + ")/3:]", "%s[len(" + v.Name + ")/4 : len(" + v.Name + ")-len(" + v.Name + ")/3]"}[g.IntN(3)]
				e := keep(op, v.ref())
				e.Len = []string{g.rename("cut", v.Len[0])}
				return e
			}
		}
	}
	return variable()
}

// rename is a new length symbol that keeps the mark of a row's length.
func (g *gen) rename(base, of string) string {
	if strings.Contains(of, "huge") {
		base = "huge"
	}
	s := g.symbol(base)
	if !isWhole(of) {
		s += "@"
	}
	return s
}

// closedForm is a Range or a Replicate.
func (g *gen) closedForm(k Kind, sc *scope, length string) *Expr {
	like := g.pick(sc, func(v *Var) bool {
		return v.T.Rank > 0 && (length == "" || v.Len[0] == length) && sc.affordable(v.Len[0])
	})
	if like == nil {
		return nil
	}
	t := seqOf(k)
	switch {
	case k == Int && g.chance(0.7):
		return &Expr{T: t, Len: like.Len[:1], IdxOf: like.Len[0], Op: "ops.Range(0, len(%s), 1)", Args: []*Expr{like.ref()}}
	case (k == I32 || k == I64) && length == "" && g.chance(0.4):
		op := "ops.Range(" + string(k) + "(len(%s)), -3, -2)"
		return &Expr{T: t, Len: []string{g.rename("range", like.Len[0])}, Op: op, Args: []*Expr{like.ref()}}
	case k == F64 && length == "" && g.chance(0.3):
		op := "ops.Range(-1, float64(len(%s))*0.25, 0.25)"
		return &Expr{T: t, A: attr{g: 2, m: 8, exact: true}, Len: []string{g.rename("range", like.Len[0])}, Op: op, Args: []*Expr{like.ref()}}
	}
	x := g.leaf(k, sc, need{stable: true})
	if x.Const && k == F64 {
		x.Op = "float64(" + x.Op + ")"
	}
	return &Expr{T: t, A: x.A, Len: like.Len[:1], Op: "ops.Replicate(%s, len(%s))", Args: []*Expr{x, like.ref()}}
}

// nested writes a sequence of rows.
func (g *gen) nested(k Kind, sc *scope, d int) *Expr {
	t := Type{A: k, Rank: 2}
	for range 4 {
		switch g.IntN(16) {
		case 13: // rows that satisfy something
			x := g.nested(k, sc, d-2)
			if x == nil || !sc.affordable(x.Len[0]) {
				continue
			}
			return &Expr{T: t, A: x.A, IdxOf: x.IdxOf, Len: []string{g.rename("kept", x.Len[0]), g.rowSymbol(x.Len[1])}, Op: "ops.Filter(%s, %s)", Args: []*Expr{g.predicate(sc, x, 1), x}}
		case 14: // rows in places
			idx := g.pick(sc, func(v *Var) bool { return v.T.Rank == 1 && v.T.B == "" && v.IdxOf != "" && sc.affordable(v.Len[0]) })
			if idx == nil {
				continue
			}
			x := g.pick(sc, func(v *Var) bool { return v.T == t && v.Len[0] == idx.Len[0] })
			y := g.pick(sc, func(v *Var) bool { return v.T == t && v.Len[0] == idx.IdxOf })
			if x == nil || y == nil {
				continue
			}
			return &Expr{T: t, A: join(x.A, y.A), Len: []string{y.Len[0], g.rowSymbol(y.Len[1])}, Op: "ops.Scatter(%s, %s, %s)", Args: []*Expr{x.ref(), idx.ref(), y.ref()}}
		case 15:
			e := g.transposed(sc, d-1)
			if e == nil || e.T != t {
				continue
			}
			return e
		case 9: // chosen rows
			rows := g.pick(sc, func(v *Var) bool { return v.T == t && sc.affordable(v.Len[0]) })
			if rows == nil {
				continue
			}
			var idx *Expr
			if v := g.pick(sc, func(v *Var) bool { return v.T.Rank == 1 && v.IdxOf == rows.Len[0] }); v != nil {
				idx = v.ref()
			} else {
				idx = &Expr{T: seqOf(Int), Len: rows.Len[:1], IdxOf: rows.Len[0], Op: "ops.Reverse(ops.Range(0, len(%s), 1))", Args: []*Expr{rows.ref()}}
			}
			return &Expr{T: t, A: rows.A, IdxOf: rows.IdxOf, Len: []string{idx.Len[0], g.rowSymbol(rows.Len[1])}, Op: "ops.Gather(%s, %s)", Args: []*Expr{rows.ref(), idx}}
		case 10: // the same row again and again
			x, like := g.seq(k, sc, d-1, "", need{}), g.someLength(sc)
			if x == nil || like == nil || sc.work > 0 {
				continue
			}
			return &Expr{T: t, A: x.A, IdxOf: x.IdxOf, Len: []string{like.Len[0], x.Len[0]}, Op: "ops.Replicate(%s, len(%s))", Args: []*Expr{x, like.ref()}}
		case 11: // rows after rows
			if d <= 0 {
				continue
			}
			x, y := g.nested(k, sc, d-2), g.nested(k, sc, d-2)
			if x == nil || y == nil {
				continue
			}
			return &Expr{T: t, A: join(x.A, y.A), Len: []string{g.rename("cat", x.Len[0]+y.Len[0]), g.rowSymbol(x.Len[1])}, Op: "ops.Concat(%s, %s)", Args: []*Expr{x, y}}
		case 12: // a row of three dimensions, flattened
			v := g.pick(sc, func(v *Var) bool { return v.T.Rank == 3 && v.T.A == k && v.T.B == "" && sc.affordable(v.Len[0]) })
			if v == nil {
				continue
			}
			return &Expr{T: t, A: v.A, Len: []string{g.rename("flat", v.Len[0]), g.symbol("row")}, Op: "ops.Flatten(%s)", Args: []*Expr{v.ref()}}
		case 0, 1:
			if v := g.pick(sc, func(v *Var) bool { return v.T == t && sc.affordable(v.Len[0]) }); v != nil {
				return v.ref()
			}
		case 2, 3, 4:
			x := g.seq(k, sc, d-1, "", need{})
			if x == nil {
				continue
			}
			size := &Expr{T: scalarOf(Int), Op: []string{"3", "8", "20", "1"}[g.IntN(4)], Const: true}
			if v := g.pick(sc, func(v *Var) bool { return v.Tile }); v != nil && g.chance(0.6) {
				size = v.ref()
			}
			op := "ops.Split(%s, %s)"
			if g.chance(0.3) {
				op = "ops.Cyclic(%s, %s)"
			}
			row := g.symbol("tile")
			return &Expr{T: t, A: x.A, IdxOf: x.IdxOf, Len: []string{g.rename("tiles", x.Len[0]), row}, Op: op, Args: []*Expr{x, size}}
		case 5, 6:
			off := g.pick(sc, func(v *Var) bool { return v.OffOf != "" && sc.affordable("r") })
			if off == nil {
				continue
			}
			if x := g.seq(k, sc, d-1, off.OffOf, need{}); x != nil {
				return &Expr{T: t, A: x.A, IdxOf: x.IdxOf, Len: []string{"rows:" + off.Name, "row:" + off.Name}, Op: "ops.Nest(%s, %s)", Args: []*Expr{x, off.ref()}}
			}
		case 7:
			if d > 0 {
				if e := g.mapped(seqOf(k), sc, d, "", need{}); e != nil && e.T == t {
					return e
				}
			}
		case 8:
			if d <= 0 {
				continue
			}
			x := g.nested(k, sc, d-1)
			if x == nil {
				continue
			}
			op := "ops.Reverse(%s)"
			e := &Expr{T: t, A: x.A, IdxOf: x.IdxOf, Len: []string{x.Len[0], g.rowSymbol(x.Len[1])}, Args: []*Expr{x}}
			if g.chance(0.4) {
				op = "ops.Striding(%s, 2)"
				e.Len[0] = g.rename("str", x.Len[0])
			}
			e.Op = op
			return e
		}
	}
	return nil
}

// combiner is an associative function of two k; commutative unless order may matter. It says what a reduction of up to
// 2^10 elements gives.
func (g *gen) combiner(k Kind, elem, init attr, order bool) (op string, a attr, ok bool) {
	lambda := func(body string) string {
		return "func(a, b " + string(k) + ") " + string(k) + " " + body
	}
	both := join(elem, init)
	switch {
	case k == Bool:
		return lambda([]string{"{ return a && b }", "{ return a || b }", "{ return a != b }"}[g.IntN(3)]), attr{}, true
	case k.float():
		extreme := func() string {
			return []string{lambda("{ return min(a, b) }"), lambda("{ return max(b, a) }"), "larger" + letters(k)}[g.IntN(3)]
		}
		if g.chance(0.65) {
			s := attr{g: both.g, m: both.m + 10, exact: both.exact, nonny: both.nonny}
			if both.wobbly || !both.exact || s.g+s.m > precision(k) {
				s.exact, s.wobbly = false, true
				if !both.nonny || s.m > magnitude(k) {
					return "", attr{}, false
				}
			}
			return []string{lambda("{ return a + b }"), lambda("{ return b + a }"), "add" + letters(k)}[g.IntN(3)], s, true
		}
		op := extreme()
		if op[0] == 'l' {
			g.nan = false // the order of NaN matters
			if both.wobbly {
				return "", attr{}, false
			}
		}
		return op, both, true
	}
	if order && g.chance(0.15) {
		return lambda("{ if b != 0 { return b }; return a }"), attr{}, true
	}
	ops := []string{lambda("{ return a + b }"), lambda("{ return a * b }"), lambda("{ return min(a, b) }"), lambda("{ return max(a, b) }"),
		lambda("{ return a ^ b }"), lambda("{ return a & b }"), lambda("{ return a | b }"), lambda("{ return a + b + a*b }"),
		lambda("{ if a > b { return a }; return b }")}
	return ops[g.IntN(len(ops))], attr{}, true
}

func letters(k Kind) string {
	return map[Kind]string{F64: "F64", F32: "F32", I32: "I32", I64: "I64", Int: "Int"}[k]
}

// reduction writes ops.Reduce.
func (g *gen) reduction(k Kind, sc *scope, d int, n need) *Expr {
	if d < 0 {
		return nil
	}
	x := g.seq(k, sc, d, "", need{})
	if x == nil || !sc.affordable(x.Len[0]) {
		return nil
	}
	init := g.leaf(k, sc, need{stable: true, nonny: x.A.nonny})
	if init.Const && k == F64 {
		init.Op = "float64(" + init.Op + ")"
	}
	for range 5 {
		op, a, ok := g.combiner(k, x.A, init.A, false)
		if ok && a.meets(n, k) {
			return &Expr{T: scalarOf(k), A: a, Op: "ops.Reduce(" + op + ", %s, %s)", Args: []*Expr{x, init}}
		}
	}
	return nil
}

// scan writes ops.Scan or ops.InclusiveScan.
func (g *gen) scan(k Kind, sc *scope, d int, length string, n need) *Expr {
	x := g.seq(k, sc, d-1, length, need{})
	if x == nil || !sc.affordable(x.Len[0]) {
		return nil
	}
	init := g.leaf(k, sc, need{stable: true, nonny: x.A.nonny})
	if init.Const && k == F64 {
		init.Op = "float64(" + init.Op + ")"
	}
	name := []string{"ops.Scan(", "ops.InclusiveScan("}[g.IntN(2)]
	for range 5 {
		op, a, ok := g.combiner(k, x.A, init.A, true)
		if ok && a.meets(n, k) {
			return &Expr{T: seqOf(k), A: a, Len: x.Len[:1], Op: name + op + ", %s, %s)", Args: []*Expr{x, init}}
		}
	}
	return nil
}

// pairs writes a sequence of pairs: a Zip, a Map, or a scan that composes affine functions.
func (g *gen) pairs(sc *scope, d int) *Expr {
	v := g.someLength(sc)
	if v == nil {
		return nil
	}
	switch g.IntN(7) {
	case 0, 1, 2:
		return g.mapped(g.pairType(sc), sc, d, "", need{})
	case 3:
		return g.pairsFrom(sc, d)
	case 4:
		return g.joined(sc, d)
	case 5:
		k := []Kind{I32, I64, Int}[g.IntN(3)]
		x, y := g.seq(k, sc, d-1, v.Len[0], need{}), g.seq(k, sc, d-1, v.Len[0], need{})
		if x == nil || y == nil {
			return nil
		}
		t := Type{A: k, B: k, Rank: 1}
		e := t.elem().String()
		op := "ops.InclusiveScan(func(a, b " + e + ") " + e + " { return " + e + "{First: a.First * b.First, Second: a.Second*b.First + b.Second} }, ops.Zip(%s, %s), " + e + "{First: 1, Second: 3})"
		return &Expr{T: t, Len: []string{v.Len[0]}, Op: op, Args: []*Expr{x, y}}
	}
	x, y := g.anySeq(sc, d-1, v.Len[0]), g.anySeq(sc, d-1, v.Len[0])
	if x == nil || y == nil {
		return nil
	}
	return &Expr{T: Type{A: x.T.A, B: y.T.A, Rank: 1}, A: x.A, A2: y.A, Len: []string{v.Len[0]}, Op: "ops.Zip(%s, %s)", Args: []*Expr{x, y}}
}

// pairType is a pair or a struct of kinds that there is something of.
func (g *gen) pairType(sc *scope) Type {
	return Type{A: g.likelyKind(sc), B: g.likelyKind(sc), Named: g.chance(0.6)}
}

// pairReduction writes a reduction of pairs.
func (g *gen) pairReduction(sc *scope, d int) *Expr {
	v := g.someLength(sc)
	if v == nil {
		return nil
	}
	k := []Kind{F64, F32, I32, Int}[g.IntN(4)]
	x := g.seq(k, sc, d-1, v.Len[0], need{stable: true})
	if x == nil || x.A.wobbly {
		return nil
	}
	t := Type{A: k, B: Int}
	e := t.String()
	zip := "ops.Zip(%s, ops.Range(0, len(%s), 1))"
	if k.integer() && g.chance(0.5) { // a product of complex integers
		t = Type{A: k, B: k}
		e = t.String()
		y := g.seq(k, sc, d-1, v.Len[0], need{})
		if y == nil {
			return nil
		}
		op := "ops.Reduce(func(a, b " + e + ") " + e + " { return " + e + "{First: a.First*b.First - a.Second*b.Second, Second: a.First*b.Second + a.Second*b.First} }, ops.Zip(%s, %s), " + e + "{First: 1, Second: 0})"
		return &Expr{T: t, Op: op, Args: []*Expr{x, y}}
	}
	if k.integer() && g.chance(0.5) {
		op := "ops.Reduce(func(a, b " + e + ") " + e + " { return " + e + "{First: a.First + b.First, Second: max(a.Second, b.Second)} }, " + zip + ", " + e + "{First: 5, Second: -1})"
		return &Expr{T: t, Op: op, Args: []*Expr{x, v.ref()}}
	}
	g.nan = false
	op := "ops.Reduce(func(a, b " + e + ") " + e + " { if b.First > a.First || b.First == a.First && b.Second < a.Second { return b }; return a }, " + zip + ", " + e + "{First: -3, Second: -1})"
	return &Expr{T: t, A: join(x.A, attr{m: 2, exact: true}), Op: op, Args: []*Expr{x, v.ref()}}
}

// deep writes a sequence of three dimensions.
func (g *gen) deep(k Kind, sc *scope, d int) *Expr {
	if g.chance(0.3) {
		return g.mapped(Type{A: k, Rank: 2}, sc, d, "", need{})
	}
	x := g.nested(k, sc, d-1)
	if x == nil {
		return nil
	}
	op := []string{"ops.Split(%s, 2)", "ops.Split(%s, 5)", "ops.Cyclic(%s, 3)"}[g.IntN(3)]
	return &Expr{T: x.T.array(), A: x.A, Len: []string{g.rename("tiles", x.Len[0]), g.symbol("tile"), g.symbol("row")}, Op: op, Args: []*Expr{x}}
}
