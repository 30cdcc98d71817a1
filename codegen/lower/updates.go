package lower

import (
	"slices"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
)

// updateOp lowers a loop whose turns are independent: they are divided and vectorised as the elements of a Map are, and
// update the arrays that the loop carries where they lie.
func (l *lowerer) updateOp(s *ir.Stmt, op *ir.Loop, e *env, depth int, lv level) {
	n := l.atom(op.Hi, e)
	if op.Ahead && lv.par {
		veto(aheadOnly, depth+1)
	}
	if op.Ahead && lv.pool { // other loops of the level may have the pool
		lv.pool, l.poolless = false, depth+1
	}
	if op.Ahead && lv.marked > 0 { // and the marks, which say that turns are independent: a compiler sees itself that it may
		lv.marked, l.markless = 0, depth+1
	}
	l.marks = l.marks || lv.marked > 0
	if l.width > 1 && l.own != nil { // each lane updates a row of its own
		l.loop(s, op, e, depth)
		return
	}
	if l.width > 1 {
		veto("level %d cannot use lanes: each of its elements updates a sequence turn by turn", l.laneLevel)
	}
	if lv.lanes() {
		if why := l.lanesBarred(op, e); why != "" { // other loops of the level may have the lanes
			lv.width = 1
			l.laneless, l.whyLaneless = depth+1, why
		} else {
			l.laned = true
		}
	}
	inner := e.child()
	for i, v := range l.atoms(op.Init, e) {
		inner.m[op.Params[i]] = v
	}
	turn := func(i value, e *env) {
		e.m[op.I] = i
		if i.form != uniform {
			l.updating = depth + 1
			defer func() { l.updating = 0 }()
		}
		l.scoped(func() { l.block(op.Body, e, depth+1) }, op.Body)
	}
	run := func(lo, hi kir.Expr, e *env) {
		r := rangeLoop{body: op.Body, i: op.I, n: op.Hi, lo: lo, hi: hi, depth: depth, what: "update", pos: s.Pos}
		kind, tail := l.hasUpdateTail(op, lv, inner)
		if tail {
			r.tail = func(i *kir.Var, hi kir.Expr, e *env) { l.updateTail(r, i, hi, e, kind, turn) }
		}
		r.halves = !tail
		l.iterate(r, lv, e, func(i value, _ int, e *env) { turn(i, e) }, nil)
	}
	if lv.pool {
		work := l.letExpr("work", l.work(op, n.x, depth, e))
		p := l.par(n.x, depth, s.Pos, "update", func(p *kir.Par) { run(&kir.Ref{V: p.Lo}, &kir.Ref{V: p.Hi}, inner.child()) })
		p.Work = work
	} else {
		run(intConst(0), n.x, inner)
	}
	for i, d := range s.Dst {
		e.m[d] = inner.m[op.Params[i]]
	}
}

const aheadOnly = "level %d can use lanes only: its elements read ahead what later ones update"

// someUse refuses lanes, or the pool, on a level of which no loop has them.
func (l *lowerer) someUse() {
	if l.poolless > 0 && l.pooled>>(l.poolless-1)&1 == 0 {
		veto(aheadOnly, l.poolless)
	}
	if l.markless > 0 && !l.marks {
		veto("level %d has no lanes to mark: its elements read ahead what later ones update", l.markless)
	}
	if l.laneless > 0 && !l.laned {
		veto("level %d cannot use lanes: %s", l.laneless, l.whyLaneless)
	}
}

// lanesBarred says why a loop of independent turns has no lanes where others of its level may have, "" if it may have
// some.
func (l *lowerer) lanesBarred(op *ir.Loop, e *env) (why string) {
	if holdsOperator(op) {
		return "each of its elements updates a sequence turn by turn"
	}
	moves := map[ir.Atom]bool{op.I: true}
	ir.Walk(op.Body, func(s *ir.Stmt) {
		if index, ok := s.Op.(*ir.Index); ok && moves[index.I] && !fuse.PackedRow(op.Body, op.I, s) {
			if v, ok := e.getAtom(index.X); ok && v.arr != nil && v.arr.rows != nil && !(readByLane(v.arr) && onlyRead(op.Body, s.Dst[0])) {
				why = rowByRow
			}
		}
		if slices.ContainsFunc(ir.Operands(s.Op), func(a *ir.Atom) bool { return moves[*a] }) {
			for _, d := range s.Dst {
				moves[d] = true
			}
		}
	})
	return why
}

// onlyRead reports whether all that a block does with a row is to read elements, and to ask for its length.
func onlyRead(b *ir.Block, row *ir.Var) bool {
	only := !slices.Contains(b.Results, ir.Atom(row))
	ir.Walk(b, func(s *ir.Stmt) {
		for _, c := range ir.Blocks(s.Op) {
			only = only && !slices.Contains(c.Results, ir.Atom(row))
		}
		switch op := s.Op.(type) {
		case *ir.Index:
			return
		case *ir.Len:
			return
		default:
			only = only && !slices.ContainsFunc(ir.Operands(op), func(a *ir.Atom) bool { return *a == ir.Atom(row) })
		}
	})
	return only
}

const rowByRow = "rows of a stored nested sequence are read one by one"

// guessedTurns are the turns of a loop that nobody knows before it.
const guessedTurns = 16

// work is about how many operations all n turns of a loop of independent turns are: a vector of operations is one.
func (l *lowerer) work(op *ir.Loop, n kir.Expr, depth int, e *env) kir.Expr {
	lv := l.levels[depth]
	x := folded(ir.Mul, n, l.operations(op.Body, depth, e))
	if w := max(lv.width, lv.marked); w > 1 {
		x = folded(ir.Div, x, intConst(w))
	}
	return x
}

// operations is about how many operations a block at a level is, with those of the loops and operators inside.
func (l *lowerer) operations(b *ir.Block, depth int, e *env) kir.Expr {
	own, inside := 0, intConst(0)
	for _, s := range b.Stmts {
		switch op := s.Op.(type) {
		case *ir.Loop:
			turns := kir.Expr(intConst(guessedTurns))
			if most := l.mostTurns(op, e); most != nil && !isEndless(most) {
				turns = most
			}
			if op.Independent {
				inside = folded(ir.Add, inside, l.work(op, turns, depth+1, e))
			} else {
				inside = folded(ir.Add, inside, folded(ir.Mul, turns, l.operations(op.Body, depth, e)))
			}
		case *ir.If:
			own++
			inside = folded(ir.Add, inside, folded(ir.Max, l.operations(op.Then, depth, e), l.operations(op.Else, depth, e)))
		default:
			own++
			n := ir.OperatorLength(op)
			if n == nil {
				continue
			}
			turns := kir.Expr(intConst(guessedTurns))
			if v, ok := e.getAtom(n); ok && v.form == uniform {
				turns = v.x
			}
			for _, b := range ir.Blocks(op) {
				inside = folded(ir.Add, inside, folded(ir.Mul, turns, l.operations(b, depth, e)))
			}
		}
	}
	return folded(ir.Add, inside, intConst(own))
}

// isEndless reports whether a number of turns is a constant that says nothing of them.
func isEndless(turns kir.Expr) bool {
	c, ok := turns.(*kir.Const)
	return ok && (c.C.Int() < 0 || c.C.Int() > mostCounted)
}

// mostCounted is how many operations are told from more.
const mostCounted = 1 << 30

// folded is x fn y for numbers that are not negative, a constant where that is known.
func folded(fn ir.BinaryFn, x, y kir.Expr) kir.Expr {
	c, isConst := x.(*kir.Const)
	d, also := y.(*kir.Const)
	if isConst && also {
		n, m := int(c.C.Int()), int(d.C.Int())
		switch fn {
		case ir.Add:
			return intConst(n + m)
		case ir.Mul:
			if m > 0 && n > mostCounted/m {
				return intConst(mostCounted)
			}
			return intConst(n * m)
		case ir.Div:
			return intConst(n / m)
		case ir.Max:
			return intConst(max(n, m))
		}
	}
	switch {
	case (fn == ir.Add || fn == ir.Max) && isZero(x), fn == ir.Mul && isConst && c.C.Int() == 1:
		return y
	case (fn == ir.Add || fn == ir.Max) && isZero(y), (fn == ir.Mul || fn == ir.Div) && also && d.C.Int() == 1:
		return x
	}
	return &kir.Bin{Fn: fn, X: x, Y: y, T: kir.Int}
}

// mostTurns is what a loop does not make more turns than, nil if that is not known before.
func (l *lowerer) mostTurns(op *ir.Loop, e *env) kir.Expr {
	if op.I == nil {
		return nil
	}
	most := fuse.MostTurns(l.defs, op, func(a ir.Atom) bool { v, ok := e.getAtom(a); return ok && v.form == uniform })
	if most == nil {
		return nil
	}
	return l.atom(most, e).x
}

// updateLanes writes consecutive elements of an array, or such at a small distance, one a lane. Lanes that are not
// active write nothing, or what they find where there are no such stores: these elements are theirs, and within the
// array.
func (l *lowerer) updateLanes(arr *array, i value, x kir.Expr) {
	if arr.a.Field != nil || arr.a.Kind == ir.Bool {
		veto("level %d cannot use lanes: what it updates has no vectors", l.laneLevel)
	}
	at := l.at(arr, i.x)
	if i.form == apart {
		if mask := l.activeFor(arr.a.Kind); mask != nil {
			if i.by != back {
				veto("level %d cannot use lanes: elements at a distance are updated under a condition", l.laneLevel)
			}
			l.guarded = true
			old := l.letExpr("old", &kir.Every{A: arr.a, I: at, By: i.by, T: x.Type()})
			x = &kir.Select{C: mask, X: x, Y: old}
		}
		l.emit(&kir.StoreEvery{A: arr.a, I: at, By: i.by, X: x})
		return
	}
	if mask := l.activeFor(arr.a.Kind); mask != nil && arr.a.Kind.Bytes() >= 4 {
		l.emit(&kir.Store{A: arr.a, I: at, X: x, Mask: mask})
		return
	} else if mask != nil {
		l.guarded = true
		old := l.letExpr("old", &kir.Load{A: arr.a, I: at, T: x.Type()})
		x = &kir.Select{C: mask, X: x, Y: old}
	}
	l.emit(&kir.Store{A: arr.a, I: at, X: x})
}
