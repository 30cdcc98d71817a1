package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"

	"github.com/surge-ndp/surge/ops/ir"
)

// A string is the sequence of its bytes. Nothing updates it, so that parts of it and conversions between string types
// share the bytes; []byte(s) copies them. Constants are hidden parameters.

// isString reports whether t is a string type.
func isString(t types.Type) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// isBytes reports whether t is a slice of bytes.
func isBytes(t types.Type) bool {
	elem, ok := isSequence(t)
	if !ok {
		return false
	}
	k, ok := scalarKind(elem)
	return ok && k == ir.Uint8
}

// literal is a constant string of the kernel.
type literal struct {
	text  string
	bytes *ir.Var
}

// stringConst returns the constant string s.
func (l *lowerer) stringConst(s string, t types.Type) value {
	for _, c := range l.literals {
		if c.text == s {
			return value{typ: t, atoms: []ir.Atom{c.bytes}}
		}
	}
	bytes := &ir.Var{Name: "text", T: ir.Type{Kind: ir.Uint8, Rank: 1}}
	l.literals = append(l.literals, &literal{s, bytes})
	return value{typ: t, atoms: []ir.Atom{bytes}}
}

// constantText returns the text of the atom a, if it is a constant string.
func (l *lowerer) constantText(a ir.Atom) (string, bool) {
	for _, c := range l.literals {
		if a == ir.Atom(c.bytes) {
			return c.text, true
		}
	}
	return "", false
}

// passLiterals makes hidden parameters of the constant strings that fn uses.
func (l *lowerer) passLiterals(fn *ir.Func) {
	used := map[*ir.Var]bool{}
	mark(fn.Body, used)
	for _, c := range l.literals {
		if !used[c.bytes] {
			continue
		}
		part, _ := l.kernel.parts.of(types.Typ[types.String], 0)
		l.kernel.Hidden = append(l.kernel.Hidden, Param{Name: "text" + strconv.Itoa(len(fn.Params)), GoType: "string", Part: part, Expr: strconv.Quote(c.text)})
		fn.Params = append(fn.Params, c.bytes)
	}
}

// stringBinary lowers an operator of two strings.
func (l *lowerer) stringBinary(op token.Token, x, y value) value {
	a, b := x.atoms[0], y.atoms[0]
	truth := func(a ir.Atom) value { return value{typ: types.Typ[types.Bool], atoms: []ir.Atom{a}} }
	switch op {
	case token.ADD:
		return value{typ: x.typ, atoms: []ir.Atom{l.emit("concat", a.Type(), &ir.View{Fn: ir.Concat, Args: []ir.Atom{a, b}})}}
	case token.EQL:
		return truth(l.sameText(a, b))
	case token.NEQ:
		return truth(l.emit("t", boolType, &ir.Unary{Fn: ir.Not, X: l.sameText(a, b)}))
	}
	fn, ok := binaryFns[op]
	if !ok || !fn.IsComparison() {
		return value{bad: true}
	}
	return truth(l.bin("t", fn, l.textOrder(a, b), zeroInt))
}

// maxUnrolledText is the length of constants that strings are compared with byte by byte, without a loop.
const maxUnrolledText = 16

// sameText compares the bytes of two strings.
func (l *lowerer) sameText(a, b ir.Atom) ir.Atom {
	if _, ok := l.constantText(a); ok {
		a, b = b, a
	}
	n := l.emit("n", intType, &ir.Len{X: a})
	text, isConst := l.constantText(b)
	if !isConst || len(text) > maxUnrolledText {
		m := l.emit("n", intType, &ir.Len{X: b})
		return l.cond("same", boolType, l.bin("t", ir.Eq, n, m), func() ir.Atom {
			return l.bin("same", ir.Eq, l.commonLength(a, b, n), n)
		}, func() ir.Atom { return ir.BoolConst(false) })
	}
	same := l.bin("t", ir.Eq, n, ir.IntConst(ir.Int, int64(len(text))))
	if len(text) == 0 {
		return same
	}
	return l.cond("same", boolType, same, func() ir.Atom {
		var all ir.Atom
		for i := range len(text) {
			is := l.bin("t", ir.Eq, l.at("b", a, ir.IntConst(ir.Int, int64(i))), ir.IntConst(ir.Uint8, int64(text[i])))
			if all != nil {
				is = l.bin("t", ir.And, all, is)
			}
			all = is
		}
		return all
	}, func() ir.Atom { return ir.BoolConst(false) })
}

// commonLength is the length, at most n, of what a and b begin with in common.
func (l *lowerer) commonLength(a, b, n ir.Atom) ir.Atom {
	i, out := &ir.Var{Name: "i", T: intType}, &ir.Var{Name: "common", T: intType}
	op := &ir.Loop{Params: []*ir.Var{i}, Init: []ir.Atom{zeroInt}}
	op.Cond, _ = l.block(func() value {
		return value{atoms: []ir.Atom{l.cond("more", boolType, l.bin("t", ir.Lt, i, n), func() ir.Atom {
			return l.bin("t", ir.Eq, l.at("b", a, i), l.at("b", b, i))
		}, func() ir.Atom { return ir.BoolConst(false) })}}
	})
	op.Body, _ = l.block(func() value { return value{atoms: []ir.Atom{l.bin("i", ir.Add, i, oneInt)}} })
	l.auto[out] = true
	l.append(&ir.Stmt{Dst: []*ir.Var{out}, Op: op})
	return out
}

// textOrder is negative, zero or positive as a comes before b, is the same, or comes behind.
func (l *lowerer) textOrder(a, b ir.Atom) ir.Atom {
	n, m := l.emit("n", intType, &ir.Len{X: a}), l.emit("n", intType, &ir.Len{X: b})
	shorter := l.bin("shorter", ir.Min, n, m)
	common := l.commonLength(a, b, shorter)
	return l.cond("order", intType, l.bin("t", ir.Lt, common, shorter), func() ir.Atom {
		return l.bin("t", ir.Sub, l.convert(l.at("b", a, common), ir.Int), l.convert(l.at("b", b, common), ir.Int))
	}, func() ir.Atom { return l.bin("t", ir.Sub, n, m) })
}

// textConversion lowers a conversion from or to a string; ok is false if t and the operand are none.
func (l *lowerer) textConversion(e *ast.CallExpr, t types.Type) (v value, ok bool) {
	from := l.unit.info.TypeOf(e.Args[0])
	switch {
	case isString(t) && isString(from):
		return value{}, false
	case isString(t) && isBytes(from):
		x := l.borrow(e.Args[0])
		if x.bad || len(x.arrays()) != 1 {
			return value{bad: true}, true
		}
		if x.own == nil && x.shared == nil {
			return value{typ: t, atoms: x.atoms}, true
		}
		return value{typ: t, atoms: []ir.Atom{l.finished(l.copied(x).atoms[0])}}, true
	case isString(from) && isBytes(t):
		x := l.expr(e.Args[0])
		if x.bad || len(x.atoms) != 1 {
			return value{bad: true}, true
		}
		if l.unit.standard { // whose texts only read the bytes
			return value{typ: t, atoms: x.atoms}, true
		}
		v = l.copied(x)
		v.typ, v.own = t, &owner{depth: l.ops}
		return v, true
	case isString(t) || isString(from):
		return l.problem(e.Pos(), notYet(CodeString, "a conversion from "+typeName(from)+" to "+typeName(t),
			"how many bytes it has is known from the encoding of each character only", "range over the string for its characters, and compute with bytes: []byte(s)")), true
	}
	return value{}, false
}

// finished is the sequence a as one that is not updated any more, so that a condition may choose it.
func (l *lowerer) finished(a ir.Atom) *ir.Var {
	n := l.emit("n", intType, &ir.Len{X: a})
	return l.emit("text", a.Type(), &ir.View{Fn: ir.Slice, Args: []ir.Atom{a, zeroInt, n}})
}

// copied is a new sequence with the elements of x, which may be updated later.
func (l *lowerer) copied(x value) value { return l.copiedOf(x, l.length(x)) }

// copiedOf is [lowerer.copied] of x, which has n elements.
func (l *lowerer) copiedOf(x value, n ir.Atom) value {
	out := value{typ: x.typ}
	for _, a := range x.arrays() {
		out.atoms = append(out.atoms, l.emit("made", a.Type(), &ir.Alloc{Kind: a.Type().Kind, N: n}))
	}
	out.atoms = l.filled(out.atoms, zeroInt, value{atoms: x.arrays(), off: x.off}, n)
	return out
}

// rangeString lowers range over a string: its characters in UTF-8, and where they begin.
func (l *lowerer) rangeString(s *ast.RangeStmt, x value, label string) {
	text := x.atoms[0]
	n := l.length(x)
	at, next := &slot{name: "at", typ: types.Typ[types.Int]}, &slot{name: "next", typ: types.Typ[types.Int]}
	l.env.set(at, value{typ: at.typ, atoms: []ir.Atom{zeroInt}})
	lp := &loop{pos: s.Pos(), body: s.Body, changed: l.assigned(s.Body), own: []any{at}, hidden: true, label: label, most: n}
	if s.Tok == token.ASSIGN {
		for v := range l.assigned(&ast.RangeStmt{Key: orBlank(s.Key), Value: orBlank(s.Value), Tok: token.ASSIGN, X: s.X, Body: &ast.BlockStmt{}}) {
			lp.changed[v] = true
		}
	}
	lp.cond = func() (ir.Atom, bool) {
		l.pos = s.Pos()
		return l.bin("more", ir.Lt, l.env.vals[at].atoms[0], n), true
	}
	lp.start = func(ir.Atom) {
		l.pos = s.Pos()
		i := l.env.vals[at].atoms[0]
		r, size := l.decoded(text, n, i)
		l.env.set(next, value{typ: next.typ, atoms: []ir.Atom{l.bin("next", ir.Add, i, size)}})
		if s.Key != nil {
			l.store(s.Key, value{typ: types.Typ[types.Int], atoms: []ir.Atom{i}})
		}
		if s.Value != nil {
			l.store(s.Value, value{typ: types.Typ[types.Int32], atoms: []ir.Atom{r}})
		}
	}
	lp.post = func() { l.env.set(at, l.env.vals[next]) }
	l.lowerLoop(lp)
}

// decoded is the character of text, which has n bytes, that begins at byte i, and how many bytes it has.
func (l *lowerer) decoded(text, n, i ir.Atom) (r, size ir.Atom) {
	b := l.at("b", text, i)
	i32 := func(x int64) ir.Atom { return ir.IntConst(ir.Int32, x) }
	pair := l.conds(l.bin("ascii", ir.Lt, b, ir.IntConst(ir.Uint8, 0x80)), func() []ir.Atom {
		return []ir.Atom{l.convert(b, ir.Int32), oneInt}
	}, func() []ir.Atom {
		first := l.convert(b, ir.Int32)
		and := func(x, y ir.Atom) ir.Atom { return l.bin("t", ir.And, x, y) }
		within := func(x ir.Atom, lo, hi ir.Atom) ir.Atom {
			return and(l.bin("t", ir.Ge, x, lo), l.bin("t", ir.Le, x, hi))
		}
		is := func(x int64) ir.Atom { return l.bin("t", ir.Eq, first, i32(x)) }
		following := func(k int64) ir.Atom { // 0 behind the end, which follows nothing
			j := l.arith(ir.Add, i, ir.IntConst(ir.Int, k))
			inside := l.bin("t", ir.Lt, j, n)
			c := l.convert(l.at("b", text, l.selected("t", inside, j, i)), ir.Int32)
			return l.selected("b", inside, c, i32(0))
		}
		b1, b2, b3 := following(1), following(2), following(3)
		// What the second byte may be depends on the first one: see the table of package unicode/utf8.
		lo := l.selected("lo", is(0xE0), i32(0xA0), l.selected("lo", is(0xF0), i32(0x90), i32(0x80)))
		hi := l.selected("hi", is(0xED), i32(0x9F), l.selected("hi", is(0xF4), i32(0x8F), i32(0xBF)))
		two := and(within(first, i32(0xC2), i32(0xF4)), within(b1, lo, hi))
		three := and(two, within(b2, i32(0x80), i32(0xBF)))
		four := and(three, within(b3, i32(0x80), i32(0xBF)))
		bits := func(x ir.Atom, mask, shift int64) ir.Atom {
			return l.bin("t", ir.Shl, l.bin("t", ir.And, x, i32(mask)), i32(shift))
		}
		or := func(x ir.Atom, more ...ir.Atom) ir.Atom {
			for _, y := range more {
				x = l.bin("t", ir.Or, x, y)
			}
			return x
		}
		r2 := or(bits(first, 0x1F, 6), bits(b1, 0x3F, 0))
		r3 := or(bits(first, 0x0F, 12), bits(b1, 0x3F, 6), bits(b2, 0x3F, 0))
		r4 := or(bits(first, 0x07, 18), bits(b1, 0x3F, 12), bits(b2, 0x3F, 6), bits(b3, 0x3F, 0))
		r, size := ir.Atom(i32(0xFFFD)), ir.Atom(oneInt)
		choose := func(valid, x ir.Atom, k int64) {
			r, size = l.selected("r", valid, x, r), l.selected("size", valid, ir.IntConst(ir.Int, k), size)
		}
		choose(and(l.bin("t", ir.Lt, first, i32(0xE0)), two), r2, 2)
		choose(and(within(first, i32(0xE0), i32(0xEF)), three), r3, 3)
		choose(and(l.bin("t", ir.Ge, first, i32(0xF0)), four), r4, 4)
		return []ir.Atom{r, size}
	})
	return pair[0], pair[1]
}

// stringsCarried is the value of a string that a loop replaces by another one; it is an error as soon as it is read.
func stringsCarried(key any, pos token.Pos) value {
	p := problem{CodeArrayMerge, "the string " + keyName(key) + " goes from one turn of a loop to the next",
		"what a loop carries is one sequence of one length from the beginning to the end",
		"carry numbers: the index of the string among others, or where the part of interest begins and ends, and take the string behind the loop"}
	return value{bad: true, late: &p, at: pos}
}
