package load

import (
	"go/token"

	"github.com/surge-ndp/surge/ops/ir"
)

// Note [Carried rows]
//
// A loop carries flat sequences. One of rows, of any depth, is carried as its elements, one behind the other, and where
// rows begin is known before the loop: each turn starts with a view of both, and ends with a check that the rows it
// computed are as long as those before. A loop whose rows change their lengths ends in that check. Where all rows have
// one length from the beginning, that says where they begin: see Note [Even rows].

// carriedRows are rows that go from turn to turn.
type carriedRows struct {
	of     value     // before the loop
	n      ir.Atom   // how many rows there are, where all have one length
	width  ir.Atom   // that length; nil where they may differ
	starts []ir.Atom // of each level, the outermost one first: where row i begins, and the end of the last one
	in     []ir.Atom // the elements, as a turn has them
	out    []ir.Atom // and behind the loop
}

// carriesRows reports whether v is of rows that a loop can carry so: all its arrays have one shape.
func carriesRows(v value) bool {
	if v.bad || v.own != nil || v.held != nil || v.grid != nil || v.grow != nil || len(v.atoms) == 0 {
		return false
	}
	if v.rows != nil && !v.rows.fresh && isGridType(v.typ) { // elements of rows may be assigned, which are not its own
		return false
	}
	t := v.typ
	for range v.atoms[0].Type().Rank {
		elem, ok := isSequence(t)
		if !ok {
			return false
		}
		t = elem
	}
	return v.atoms[0].Type().Rank > 1 && flat(t)
}

// carryRows makes what the loop carries in place of the rows v, and adds it to the loop.
func (l *lowerer) carryRows(key any, v value, op *ir.Loop, stmt *ir.Stmt) *carriedRows {
	c := &carriedRows{of: v}
	rows := v.atoms[0]
	if rows.Type().Rank == 2 {
		c.width = l.evenWidth(rows)
	}
	if c.width != nil {
		c.n = l.counter(l.emit("n", intType, &ir.Len{X: rows}))
	} else {
		c.starts = l.startsOfLevels(rows)
	}
	for i, a := range v.atoms {
		name := keyName(key)
		if len(v.atoms) > 1 {
			name = l.atomName(v, name, i)
		}
		// A copy, which is no array that something updates, however the rows get one behind the other.
		flat := l.ownCopy(value{atoms: []ir.Atom{l.lined(a)}}).atoms[0]
		in, out := &ir.Var{Name: name, T: flat.Type()}, &ir.Var{Name: name, T: flat.Type()}
		op.Params, op.Init, stmt.Dst = append(op.Params, in), append(op.Init, flat), append(stmt.Dst, out)
		c.in, c.out = append(c.in, in), append(c.out, out)
	}
	return c
}

// startsOfLevels is, for each level of rows, where they begin, and the end of the last one.
func (l *lowerer) startsOfLevels(rows ir.Atom) (out []ir.Atom) {
	for range rows.Type().Rank - 1 {
		n := l.emit("n", intType, &ir.Len{X: rows})
		at := rows
		widths := l.mapped("widths", n, func(i *ir.Var) []ir.Atom {
			return []ir.Atom{l.emit("n", intType, &ir.Len{X: l.at("row", at, i)})}
		})
		starts, _ := l.startsOf(n, widths[0])
		out = append(out, starts)
		rows = l.emit("rows", rows.Type().Elem(), &ir.View{Fn: ir.Flatten, Args: []ir.Atom{rows}})
	}
	return out
}

// lined are the elements of rows one behind the other.
func (l *lowerer) lined(a ir.Atom) ir.Atom {
	for a.Type().Rank > 1 {
		a = l.emit("flat", a.Type().Elem(), &ir.View{Fn: ir.Flatten, Args: []ir.Atom{a}})
	}
	return a
}

// sameRows checks that a has n elements, and that those are as long as the starts of the levels say: the first one is
// number first of its level.
func (l *lowerer) sameRows(name string, a, n ir.Atom, starts []ir.Atom, first ir.Atom) {
	have := l.emit("n", intType, &ir.Len{X: a})
	l.check(ir.CheckLength, "for", name, n, have)
	if len(starts) == 0 {
		return
	}
	op := &ir.Loop{I: &ir.Var{Name: "i", T: intType}, Lo: zeroInt, Hi: have}
	op.Body = l.arm(func() {
		row := l.at("row", a, op.I)
		k := l.arith(ir.Add, first, op.I)
		start := l.at("start", starts[0], k)
		l.sameRows(name, row, l.bin("n", ir.Sub, l.at("end", starts[0], l.arith(ir.Add, k, oneInt)), start), starts[1:], start)
	}).blk
	l.append(&ir.Stmt{Op: op})
}

// evenRows checks that a has as many rows as c, and that they are as long.
func (l *lowerer) evenRows(name string, a ir.Atom, c *carriedRows) {
	have := l.emit("n", intType, &ir.Len{X: a})
	l.check(ir.CheckLength, "for", name, c.n, have)
	width := l.evenWidth(a)
	switch {
	case width == nil:
		op := &ir.Loop{I: &ir.Var{Name: "i", T: intType}, Lo: zeroInt, Hi: have}
		op.Body = l.arm(func() {
			l.check(ir.CheckLength, "for", name, c.width, l.emit("n", intType, &ir.Len{X: l.at("row", a, op.I)}))
		}).blk
		l.append(&ir.Stmt{Op: op})
	case !l.sameNumber(width, c.width):
		l.conds(l.bin("some", ir.Gt, have, zeroInt), func() []ir.Atom {
			l.check(ir.CheckLength, "for", name, c.width, width)
			return nil
		}, func() []ir.Atom { return nil })
	}
}

// carriedAs are elements that a loop carries, cut into rows.
func (l *lowerer) carriedAs(c *carriedRows, elements []ir.Atom) value {
	out := value{typ: c.of.typ}
	for _, a := range elements {
		if c.width != nil {
			a = l.emit("rows", a.Type().Array(), &ir.View{Fn: ir.Grid, Args: []ir.Atom{a, c.n, c.width}})
		}
		for k := len(c.starts) - 1; k >= 0; k-- {
			a = l.emit("rows", a.Type().Array(), &ir.View{Fn: ir.Nest, Args: []ir.Atom{a, c.starts[k]}})
		}
		out.atoms = append(out.atoms, a)
	}
	return out
}

// endRows gives what a turn yields for carried rows, and checks that they are as long as before; ok is false if now
// cannot be carried.
func (l *lowerer) endRows(key any, c *carriedRows, now value, pos token.Pos) (elements []ir.Atom, ok bool) {
	if now = l.use(now, pos); now.bad {
		return nil, false
	}
	now = l.settled(now, pos)
	if len(now.atoms) != len(c.of.atoms) {
		l.use(arrayChoice(key, pos), pos)
		return nil, false
	}
	l.pos = pos
	if c.width != nil {
		l.evenRows(keyName(key), now.atoms[0], c)
	} else {
		rows := l.bin("n", ir.Sub, l.emit("n", intType, &ir.Len{X: c.starts[0]}), oneInt)
		l.sameRows(keyName(key), now.atoms[0], rows, c.starts, zeroInt)
	}
	for _, a := range now.atoms {
		elements = append(elements, l.lined(a))
	}
	return elements, true
}
