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
	if isGridType(t) {
		return l.blankGrid(t, n, pos)
	}
	elem, _ := isSequence(t)
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

// rowTarget is a slice that a loop makes, an element in each turn.
type rowTarget struct {
	v       *types.Var
	appends bool       // to it, in place of assigning v[i]
	elem    *types.Var // the element that the turn makes
	kept    *types.Var // whether there is one; nil: in each turn
	pos     token.Pos
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
		if all, ok := l.independent(lp, targets); ok {
			l.turnLoop(lp, all)
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

// rowTargets are the slices with elements that are no numbers whose elements the loop makes, each in its turn.
func (l *lowerer) rowTargets(lp *loop) []*rowTarget {
	var out []*rowTarget
	seen := map[*types.Var]bool{}
	add := func(t *rowTarget) {
		if x, ok := l.env.vals[t.v]; ok && !seen[t.v] && !flatElements(t.v.Type()) && l.makesRows(x) {
			seen[t.v] = true
			out = append(out, t)
		}
	}
	ast.Inspect(lp.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.AssignStmt:
			if v, _ := appendTarget(l.unit.info, n); v != nil {
				add(&rowTarget{v: v, appends: true, pos: n.Pos()})
				return true
			}
			for _, e := range n.Lhs {
				if v := l.turnElement(lp, e); v != nil {
					add(&rowTarget{v: v, pos: n.Pos()})
				} else if v := l.turnElement(lp, elementIn(e)); v != nil && !isGridType(v.Type()) { // a field of it
					add(&rowTarget{v: v, pos: n.Pos()})
				}
			}
		}
		return true
	})
	return out
}

// makesRows reports whether x is a slice of rows, or of structs with rows, whose elements may be replaced.
func (l *lowerer) makesRows(x value) bool {
	switch {
	case x.bad, x.grow != nil:
		return false
	case x.unset:
		return true
	case x.grid != nil:
		return !x.own.escaped.IsValid()
	}
	return x.rows != nil && !x.rows.escaped.IsValid()
}

// turnElement returns v if e is v[i], where i counts the turns of the loop; nil for others.
func (l *lowerer) turnElement(lp *loop, e ast.Expr) *types.Var {
	x, ok := ast.Unparen(e).(*ast.IndexExpr)
	if !ok || lp.index == nil || variable(l.unit.info, x.Index) != lp.index {
		return nil
	}
	v := variable(l.unit.info, x.X)
	if v == nil || !isSlice(v.Type()) {
		return nil
	}
	return v
}

// elementIn returns the element of a variable that e is, or is a part of; e itself if there is none.
func elementIn(e ast.Expr) ast.Expr {
	for x := ast.Unparen(e); ; {
		switch y := x.(type) {
		case *ast.SelectorExpr:
			x = ast.Unparen(y.X)
		case *ast.IndexExpr:
			if _, ok := ast.Unparen(y.X).(*ast.Ident); ok {
				return y
			}
			x = ast.Unparen(y.X)
		default:
			return e
		}
	}
}

// onlyMakes reports whether the body of the loop is z[i] = make([]T, w), and perhaps others like it.
func (l *lowerer) onlyMakes(lp *loop, targets []*rowTarget) bool {
	for _, s := range lp.body.List {
		if v, _ := l.makesRow(lp, s); v == nil {
			return false
		}
	}
	return true
}

// makesRow returns the grid and the call in z[i] = make([]T, w), where i counts the turns of the loop.
func (l *lowerer) makesRow(lp *loop, s ast.Stmt) (*types.Var, *ast.CallExpr) {
	a, ok := s.(*ast.AssignStmt)
	if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
		return nil, nil
	}
	call, ok := ast.Unparen(a.Rhs[0]).(*ast.CallExpr)
	v := l.turnElement(lp, a.Lhs[0])
	if !ok || v == nil || !isBuiltin(l.unit.info, call, "make") || len(call.Args) != 2 || l.env.vals[v].grid == nil {
		return nil, nil
	}
	return v, call
}

// independent reports whether the turns of the loop need each other, or touch anything from before the loop but their
// own elements of some slices; these are the targets, and others whose elements are numbers.
func (l *lowerer) independent(lp *loop, targets []*rowTarget) (all []*rowTarget, ok bool) {
	if returns(lp.body) || jumpsTo(lp.body.List, token.BREAK, lp.label) || len(l.outward(lp.body)) > 0 || lp.changed[lp.index] {
		return nil, false
	}
	byVar := map[*types.Var]*rowTarget{}
	for _, t := range targets {
		byVar[t.v] = t
	}
	all = targets
	for _, key := range l.env.keys {
		if !lp.changed[key] {
			continue
		}
		v, isVar := key.(*types.Var)
		if !isVar {
			return nil, false
		}
		t := byVar[v]
		if t == nil {
			x := l.env.vals[v]
			if !flatElements(v.Type()) || x.bad || x.ref != nil || !x.unset && (x.own == nil || x.own.escaped.IsValid()) {
				return nil, false
			}
			t = &rowTarget{v: v, pos: lp.pos}
			all = append(all, t)
		}
		if l.env.captured(v) || !l.touchesOwn(lp, t) || !t.appends && !l.isInside(lp, t.v) && !l.assignsEach(lp, t.v) {
			return nil, false
		}
	}
	return all, true
}

// touchesOwn reports whether the body of the loop names the slice of t only to make its element of the turn: as v[i],
// or in v = append(v, e), at most once in a turn; or asks for its length.
func (l *lowerer) touchesOwn(lp *loop, t *rowTarget) bool {
	info := l.unit.info
	own := map[*ast.Ident]bool{}
	appends, elements, lengths := 0, 0, 0
	ast.Inspect(lp.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if v, call := appendTarget(info, n); v == t.v && len(call.Args) == 2 && !call.Ellipsis.IsValid() {
				appends++
				own[ast.Unparen(n.Lhs[0]).(*ast.Ident)], own[ast.Unparen(call.Args[0]).(*ast.Ident)] = true, true
			}
		case *ast.IndexExpr:
			if l.turnElement(lp, n) == t.v {
				elements++
				own[ast.Unparen(n.X).(*ast.Ident)] = true
			}
		case *ast.CallExpr:
			if isBuiltin(info, n, "len") && variable(info, n.Args[0]) == t.v {
				lengths++
				own[ast.Unparen(n.Args[0]).(*ast.Ident)] = true
			}
		}
		return true
	})
	ok := true
	ast.Inspect(lp.body, func(n ast.Node) bool {
		id, isIdent := n.(*ast.Ident)
		ok = ok && !(isIdent && info.Uses[id] == types.Object(t.v) && !own[id])
		return ok
	})
	t.appends = appends > 0
	if t.appends {
		return ok && elements == 0 && lengths == 0 && l.appendsOnce(lp.body.List, t.v)
	}
	return ok
}

// appendsOnce reports whether the statements append to v at most once, and not in a loop or a function.
func (l *lowerer) appendsOnce(list []ast.Stmt, v *types.Var) bool {
	most, ok := l.appendsOf(list, v)
	return ok && most <= 1
}

// appendsOf is how often the statements append to v at most; ok is false if that is not known.
func (l *lowerer) appendsOf(list []ast.Stmt, v *types.Var) (most int, ok bool) {
	ok = true
	one := func(s ast.Stmt) int {
		n, known := 0, true
		switch s := s.(type) {
		case nil:
		case *ast.AssignStmt:
			if u, _ := appendTarget(l.unit.info, s); u == v {
				n = 1
			}
		case *ast.BlockStmt:
			n, known = l.appendsOf(s.List, v)
		case *ast.LabeledStmt:
			n, known = l.appendsOf([]ast.Stmt{s.Stmt}, v)
		case *ast.IfStmt:
			a, aKnown := l.appendsOf(s.Body.List, v)
			b, bKnown := 0, true
			if s.Else != nil {
				b, bKnown = l.appendsOf([]ast.Stmt{s.Else}, v)
			}
			n, known = max(a, b), aKnown && bKnown
		case *ast.SwitchStmt:
			for _, c := range fallsThrough(s.Body.List) {
				a, aKnown := l.appendsOf(c.Body, v)
				n, known = max(n, a), known && aKnown
			}
		default:
			known = !mentions(l.unit.info, s, map[*types.Var]bool{v: true})
		}
		ok = ok && known
		return n
	}
	for _, s := range list {
		most += one(s)
	}
	return most, ok
}

// inTurns reports whether the loop makes one turn for each element of v, in order.
func (l *lowerer) inTurns(lp *loop, v *types.Var) bool {
	x := l.env.vals[v]
	return ir.IsInt(lp.lo, 0) && !x.unset && l.sameNumber(lp.hi, l.length(x))
}

// isInside reports whether the loop surely only counts elements of v.
func (l *lowerer) isInside(lp *loop, v *types.Var) bool {
	lo, ok := lp.lo.(ir.Const)
	x := l.env.vals[v]
	if !ok || lo.Int() < 0 || x.unset {
		return false
	}
	n := l.length(x)
	if less, ok := l.definition(lp.hi).(*ir.Binary); ok && less.Fn == ir.Sub {
		if c, ok := less.Y.(ir.Const); ok && c.Int() >= 0 && l.sameNumber(less.X, n) {
			return true
		}
	}
	return l.sameNumber(lp.hi, n)
}

// assignsEach reports whether every turn of the loop assigns its element of v.
func (l *lowerer) assignsEach(lp *loop, v *types.Var) bool {
	if jumpsTo(lp.body.List, token.CONTINUE, lp.label) {
		return false
	}
	for _, s := range lp.body.List {
		if a, ok := s.(*ast.AssignStmt); ok {
			for _, e := range a.Lhs {
				if l.turnElement(lp, e) == v {
					return true
				}
			}
		}
	}
	return false
}

// turnLoop lowers a loop whose turns do not need each other as a Map over the turns.
func (l *lowerer) turnLoop(lp *loop, targets []*rowTarget) {
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
	if lp.index != nil {
		if depth, known := l.env.depth[lp.index]; known {
			defer func() { l.env.depth[lp.index] = depth }()
			l.env.depth[lp.index] = l.ops
		}
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
			l.env.set(t.elem, l.firstElement(l.env.vals[t.v], t, i))
			if t.kept != nil {
				l.env.set(t.kept, boolValue(false))
			}
		}
		continued := l.push("continued", lp.label)
		lp.start(i)
		l.run(body.List)
		l.pop(continued)
		var all []ir.Atom
		for j, t := range targets {
			x := l.env.vals[t.elem]
			results[j] = value{own: cmp.Or(x.own, x.shared)}
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
		if !ok {
			return nil
		}
		return all
	})
	l.ops--
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
	own := results[j].own
	for k, r := range results {
		if k != j && r.own == own {
			return false
		}
	}
	return own != nil && own.depth > l.ops
}

// updatedElsewhere reports whether the function at hand assigns elements of the rows of v, but in the loop.
func (l *lowerer) updatedElsewhere(lp *loop, v *types.Var) bool {
	if len(l.stack) == 0 {
		return false
	}
	e := newEffects(l.prog, l.unit)
	e.without = lp.body
	e.walk(l.bodyOf(l.stack[len(l.stack)-1]))
	e.settle()
	return e.elements[v] > 1
}

// rowsShared says that rows are updated that may be other names of something.
func rowsShared(name string) problem {
	return problem{CodeRows, "an element of a row of " + name + " is assigned, and rows of " + name + " may be other names of something",
		"whoever else has the row would see it", "give " + name + " copies of the rows, as in " + name + "[i] = slices.Clone(row)"}
}

// replaceElement returns x, a slice of rows, with what the steps lead to replaced by v.
func (l *lowerer) replaceElement(x value, steps []step, v value, name string) (out value, ok bool) {
	elem, _ := isSequence(x.typ)
	if len(steps) > 1 && isGridType(x.typ) {
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
