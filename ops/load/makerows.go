package load

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/surge-ndp/surge/ops/ir"
)

// Note [Loops that make rows]
//
// A loop whose turns only make z[i], where i counts the turns, is a Map over the turns: for the body, z[i] is a
// variable of its own, and its value at the end of the turn is the row. It may be made in any way that a slice of the
// function's is made, or be a part of something. So it is with all slices that the body touches at i only, with
// elements of any type, and with those that it appends one element to, z = append(z, row); where not every turn does,
// the rows that there are are picked out behind the Map.
//
// What other loops do with rows, grids do: see Note [Grids]. Rows that nothing else names become a grid where one of
// their elements is assigned.

// rows is a slice of rows that the function made, of which nothing is updated in place.
type rows struct {
	fresh   bool      // no row is another name of something
	escaped token.Pos // the first use of the slice as a whole
	blank   bool      // all elements have their zero values
}

// escape notes a use as a whole. It returns nil, as what is used so is not replaced any more.
func (r *rows) escape(pos token.Pos) *rows {
	if r != nil && !r.escaped.IsValid() {
		r.escaped = pos
	}
	return nil
}

// flatElements reports whether t is a slice of numbers, or of structs of numbers.
func flatElements(t types.Type) bool {
	elem, ok := isSequence(t)
	return ok && flat(elem)
}

// blankRows is a slice of n zero values that are, or hold, slices.
func (l *lowerer) blankRows(t types.Type, n ir.Atom, pos token.Pos) value {
	elem, _ := isSequence(t)
	switch {
	case isLarge(elem):
		return l.arrayGrid(t, n, pos)
	case isGridType(t):
		return l.blankGrid(t, n, pos)
	}
	zero := l.zero(elem, pos)
	if zero.bad {
		return zero
	}
	v := value{typ: t, rows: &rows{fresh: true, blank: true}}
	for _, a := range zero.atoms {
		v.atoms = append(v.atoms, l.emit("made", a.Type().Array(), &ir.View{Fn: ir.Replicate, Args: []ir.Atom{a, n}}))
	}
	return v
}

// rowLoop lowers a loop that makes rows, and says whether it has.
func (l *lowerer) rowLoop(lp *loop) bool {
	if !lp.counted {
		return false
	}
	targets := l.rowTargets(lp)
	if len(targets) == 0 {
		return false
	}
	if !l.onlyMakes(lp, targets) {
		if all, sums, ok := l.independent(lp, targets); ok {
			l.turnLoop(lp, all, sums)
			return true
		}
	}
	rest := targets[:0:0]
	for _, t := range targets {
		if !t.appends || growthOf(t.v.Type()) == nil {
			rest = append(rest, t)
		}
	}
	return len(rest) > 0 && l.gridLoop(lp, rest)
}

// turnLoop lowers a loop whose turns do not need each other, but for sums, as a Map over the turns.
func (l *lowerer) turnLoop(lp *loop, targets []*rowTarget, sums []*types.Var) {
	l.pos = lp.pos
	body := l.turnBody(lp, targets)
	exact := make([]bool, len(targets))
	turns := lp.hi
	if !ir.IsInt(lp.lo, 0) {
		turns = l.arith(ir.Sub, lp.hi, lp.lo)
	}
	for i, t := range targets {
		if exact[i] = !t.appends && l.inTurns(lp, t.v); !exact[i] && !t.appends && !l.isInside(lp, t.v) {
			l.inside(lp, l.use(l.env.vals[t.v], lp.pos), t.v.Name()+"["+lp.index.Name()+"]")
		}
	}
	if !l.atLeastZero(turns) {
		turns = l.bin("turns", ir.Max, turns, zeroInt)
	}
	l.ops++
	if lp.counter != nil {
		if depth, known := l.env.depth[lp.counter]; known {
			defer func() { l.env.depth[lp.counter] = depth }()
			l.env.depth[lp.counter] = l.ops
		}
	}
	before := map[*types.Var]value{}
	for _, v := range sums {
		before[v] = l.env.vals[v]
	}
	widths := make([]int, len(targets))
	results := make([]value, len(targets))
	ok := true
	made := l.mapped("made", turns, func(k *ir.Var) []ir.Atom {
		i := l.sum(k, lp.lo)
		if ir.IsInt(lp.lo, 0) {
			i = k
		}
		for _, t := range targets {
			first := l.firstElement(l.env.vals[t.v], t, i)
			if l.isTabled(first) {
				first = l.holdTables(l.use(first, lp.pos), nil)
			}
			l.env.set(t.elem, first)
			if t.kept != nil {
				l.env.set(t.kept, boolValue(false))
			}
		}
		end := l.beginSums(sums)
		continued := l.push("continued", lp.label)
		lp.start(i)
		l.run(body.List)
		l.pop(continued)
		end()
		var all []ir.Atom
		for j, t := range targets {
			x := l.env.vals[t.elem]
			results[j] = value{own: cmp.Or(x.own, x.shared), rows: x.rows}
			x = l.settled(l.use(x, lp.pos), lp.pos)
			if ok = ok && !x.bad; !ok {
				continue
			}
			all = append(all, x.atoms...)
			widths[j] = len(x.atoms)
			if t.kept != nil {
				kept := l.use(l.env.vals[t.kept], lp.pos)
				all = append(all, l.selected("flag", kept.atoms[0], oneInt, zeroInt))
			}
		}
		for _, v := range sums {
			x := l.env.vals[v]
			if ok = ok && !x.bad; ok {
				all = append(all, x.atoms...)
			}
		}
		if !ok {
			return nil
		}
		return all
	})
	l.ops--
	for k, v := range sums {
		if made == nil {
			l.env.set(v, value{bad: true})
			continue
		}
		l.env.set(v, before[v])
		l.bind(v, l.addedUp(v, before[v], made[len(made)-len(sums)+k], turns))
	}
	if made == nil {
		for _, t := range targets {
			l.env.set(t.v, value{bad: true})
		}
		return
	}
	for j, t := range targets {
		x := value{typ: t.v.Type(), atoms: made[:widths[j]:widths[j]], rows: &rows{fresh: l.isFresh(results, j)}}
		made = made[widths[j]:]
		old := l.env.vals[t.v]
		if t.appends {
			if t.kept != nil {
				x.atoms, made = l.keptOnly(x.atoms, turns, made[0]), made[1:]
			}
			x = l.joinedBehind(old, x)
		} else if !exact[j] {
			x = l.replacedPart(lp, old, x)
		}
		if flatElements(t.v.Type()) {
			x.rows = nil
			x = l.copied(x)
			x.own = &owner{depth: l.ops, loops: l.loops, arms: l.arms}
		}
		l.pos = lp.pos
		l.bind(t.v, x)
		if l.updatedElsewhere(lp, t.v) {
			l.toGrid(t.v)
		}
	}
}

// isFresh reports whether result j of a turn is a slice that the turn made, and that is none of its other results.
func (l *lowerer) isFresh(results []value, j int) bool {
	if r := results[j].rows; r != nil {
		return r.fresh && !r.escaped.IsValid()
	}
	own := results[j].own
	for k, r := range results {
		if k != j && r.own == own {
			return false
		}
	}
	return own != nil && own.depth > l.ops
}

// rowsShared says that rows are updated that may be other names of something.
func rowsShared(name string) problem {
	return problem{CodeRows, "an element of a row of " + name + " is assigned, and rows of " + name + " may be other names of something",
		"whoever else has the row would see it", "give " + name + " copies of the rows, as in " + name + "[i] = slices.Clone(row)"}
}

// replaceElement returns x, a slice of rows, with what the steps lead to replaced by v.
func (l *lowerer) replaceElement(x value, steps []step, v value, name string) (out value, ok bool) {
	elem, _ := isSequence(x.typ)
	if isGridType(x.typ) && len(steps) > 1 || gridRank(x.typ) > 2 && len(steps) >= gridRank(x.typ) {
		if !x.rows.fresh {
			l.problem(steps[0].pos, rowsShared(name))
			return x, false
		}
		return l.assignRow(l.gridOfRows(x), steps, v, name)
	}
	at := l.checkedIn(steps[0], x)
	now := v
	if len(steps) > 1 {
		if now, ok = l.assignPath(l.element(x, elem, at), steps[1:], v, name); !ok {
			return x, false
		}
	}
	now = l.still(l.settled(now, l.pos))
	if len(now.atoms) != len(x.atoms) {
		if !now.bad {
			l.unassigned(steps[0].pos, name)
		}
		return x, false
	}
	out = value{typ: x.typ, rows: &rows{fresh: x.rows.fresh && v.own != nil}}
	out.atoms = l.mapped("made", l.length(x), func(i *ir.Var) []ir.Atom {
		return l.conds(l.bin("here", ir.Eq, i, at), func() []ir.Atom { return now.atoms }, func() []ir.Atom { return l.element(x, elem, i).atoms })
	})
	return out, true
}

// atLeastZero reports whether a, a number of turns, surely is not negative.
func (l *lowerer) atLeastZero(a ir.Atom) bool {
	if c, ok := a.(ir.Const); ok {
		return c.Int() >= 0
	}
	_, ok := l.definition(a).(*ir.Len)
	return ok
}

// inside checks that the elements of x that the loop makes are there.
func (l *lowerer) inside(lp *loop, x value, text string) {
	n := l.length(x)
	l.conds(l.bin("some", ir.Lt, lp.lo, lp.hi), func() []ir.Atom {
		l.check(ir.CheckIndex, "index", text, lp.lo, n)
		l.check(ir.CheckIndex, "index", text, l.arith(ir.Sub, lp.hi, oneInt), n)
		return nil
	}, func() []ir.Atom { return nil })
}

// firstElement is what element i of x, which t is about, is at the beginning of its turn.
func (l *lowerer) firstElement(x value, t *rowTarget, i ir.Atom) value {
	if t.appends || x.unset || x.grid != nil && x.grid.blank || x.rows != nil && x.rows.blank || l.justMade(x) {
		if isStruct(t.elem.Type()) {
			return l.zeroStruct(t.elem.Type(), l.pos)
		}
		return value{typ: t.elem.Type(), unset: true}
	}
	v := l.settled(l.element(x, t.elem.Type(), i), l.pos)
	v.typ = t.elem.Type()
	return v
}

// justMade reports whether all elements of x are zero.
func (l *lowerer) justMade(x value) bool {
	if x.bad || len(x.atoms) == 0 {
		return false
	}
	_, ok := l.definition(x.atoms[0]).(*ir.Alloc)
	return ok && x.grid == nil && x.row == nil
}

// keptOnly are the elements of arrays, n each, whose flag is 1.
func (l *lowerer) keptOnly(arrays []ir.Atom, n, flags ir.Atom) []ir.Atom {
	ranks, count := l.counted(n, flags)
	idx := l.placed("kept", n, count, func(i *ir.Var) []ir.Atom {
		keep := l.bin("kept", ir.Ne, l.at("flag", flags, i), zeroInt)
		place := l.selected("place", keep, l.bin("place", ir.Sub, l.at("rank", ranks, i), oneInt), ir.IntConst(ir.Int, -1))
		return []ir.Atom{place, i}
	})
	return l.gathered(arrays, idx[0])
}

// joinedBehind is x behind the elements of old.
func (l *lowerer) joinedBehind(old, x value) value {
	if old.unset || old.grid != nil && old.grid.blank && ir.IsInt(old.grid.n, 0) || old.rows != nil && old.rows.blank && ir.IsInt(l.counter(l.length(old)), 0) {
		return x
	}
	fresh := old.grid != nil || old.rows != nil && old.rows.fresh
	old = l.settled(old, l.pos)
	for k, a := range x.atoms {
		x.atoms = with(x.atoms, k, l.emit("concat", a.Type(), &ir.View{Fn: ir.Concat, Args: []ir.Atom{old.atoms[k], a}}))
	}
	x.rows = &rows{fresh: x.rows.fresh && fresh}
	return x
}

// replacedPart is old with x in the place of the elements that the loop makes.
func (l *lowerer) replacedPart(lp *loop, old, x value) value {
	fresh := x.rows.fresh && (old.grid != nil || old.rows == nil || old.rows.fresh)
	elem, _ := isSequence(x.typ)
	before := l.settled(l.use(old, lp.pos), lp.pos)
	out := value{typ: x.typ, rows: &rows{fresh: fresh}}
	out.atoms = l.mapped("made", l.length(before), func(i *ir.Var) []ir.Atom {
		here := l.bin("here", ir.And, l.bin("t", ir.Le, lp.lo, i), l.bin("t", ir.Lt, i, lp.hi))
		return l.conds(here, func() []ir.Atom { return l.element(x, elem, l.arith(ir.Sub, i, lp.lo)).atoms }, func() []ir.Atom { return l.element(before, elem, i).atoms })
	})
	return out
}

// still is v as a sequence that is not updated any more, so that a condition may choose it.
func (l *lowerer) still(v value) value {
	for k, a := range v.atoms {
		if a.Type().Rank == 1 && !v.bad {
			v.atoms = with(v.atoms, k, l.finished(a))
		}
	}
	return v
}

// appendRows is x, a slice of rows of type t, with what the call appends behind.
func (l *lowerer) appendRows(x value, t types.Type, call *ast.CallExpr) value {
	elem, _ := isSequence(t)
	if x.bad || !l.makesRows(x) {
		if !x.bad {
			l.problem(call.Pos(), appendProblem(text(call.Args[0]), t))
		}
		return value{bad: true}
	}
	if call.Ellipsis.IsValid() {
		y := l.expr(call.Args[1])
		if y.bad {
			return y
		}
		return l.joinedBehind(x, value{typ: t, atoms: y.atoms, rows: &rows{}})
	}
	for _, e := range call.Args[1:] {
		y := l.owning(e)
		fresh := y.own != nil
		if y = l.settled(l.converted(l.use(y, e.Pos()), elem, e.Pos()), e.Pos()); y.bad {
			return y
		}
		y = l.still(y)
		one := value{typ: t, rows: &rows{fresh: fresh}}
		for _, a := range y.atoms {
			one.atoms = append(one.atoms, l.emit("one", a.Type().Array(), &ir.View{Fn: ir.Replicate, Args: []ir.Atom{a, oneInt}}))
		}
		x = l.joinedBehind(x, one)
	}
	return x
}
