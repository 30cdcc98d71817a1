package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// loop is a for statement on its way to an ir.Loop.
type loop struct {
	pos     token.Pos
	label   string
	body    *ast.BlockStmt
	changed map[any]bool // the keys of what a turn assigns

	// Counted loops: start sets the loop variables from the index at the beginning of a turn.
	counted bool
	lo, hi  ir.Atom
	start   func(i ir.Atom)
	name    string     // of the index
	index   *types.Var // of the source, where a turn begins with it; nil: it has none
	counter *types.Var // of the source, which start sets; nil: it has none

	twice bool // this is its first run: see Note [Loops that run twice]

	by int64 // what the index goes by where that is not 1: then the loop is not counted, but has bounds and start

	// Other loops.
	header *ast.ForStmt           // with the condition and what ends a turn; nil where the body says all
	most   ir.Atom                // how many turns there may be; nil: not known
	limits map[any]ir.Atom        // how many elements are appended at most, where that is known: see Note [Loops until there are enough]
	cond   func() (ir.Atom, bool) // nil: no condition
	post   func()
	hidden bool  // post only steps a variable of the loop's own
	own    []any // keys of the loop's own that go from turn to turn
}

// syntax is the loop with what ends a turn.
func (lp *loop) syntax() ast.Node {
	if lp.header != nil {
		return lp.header
	}
	return lp.body
}

// lowerLoop lowers a loop: the variables of the function that a turn assigns, and the flags of the jumps that leave the
// loop, become its parameters.
func (l *lowerer) lowerLoop(lp *loop) {
	defer l.fieldsAsVariables(lp)()
	if l.rowLoop(lp) || l.runTwice(lp) {
		return
	}
	l.adoptChanged(lp)
	l.compacts(lp)
	if l.lowerOpen(lp) {
		return
	}
	l.reserve(lp)
	if l.returns(lp.body) && l.frame.late == nil {
		defer l.lateReturns(lp)()
	}
	l.loops++
	l.active = append(l.active, lp)
	defer func() { l.loops, l.active = l.loops-1, l.active[:len(l.active)-1] }()
	keys := append(l.carried(lp), lp.own...)
	if l.frame.late != nil && l.frame.late.which != nil && l.returns(lp.body) {
		keys = append(keys, l.frame.late.which)
		for _, s := range l.frame.late.slots() {
			keys = append(keys, s)
		}
	}
	flags := l.outward(lp.body)
	for _, f := range flags {
		keys = append(keys, f)
	}
	var broke *slot
	if jumpsTo(lp.body.List, token.BREAK, lp.label) {
		broke = l.push("broke", lp.label)
		keys = append(keys, broke)
	}
	if broke != nil {
		flags = append(flags, broke)
	}
	if l.returns(lp.body) {
		flags = append(flags, l.frame.returned)
		keys = append(keys, l.frame.returned)
	}
	conditional := !lp.counted || len(flags) > 0

	// A counted loop that may be left early, or goes by more than 1, counts in a parameter of its own.
	var count *slot
	if lp.counted && conditional || lp.by > 0 {
		count = &slot{name: lp.name, typ: types.Typ[types.Int]}
		l.env.set(count, value{typ: count.typ, atoms: []ir.Atom{lp.lo}})
		keys = append(keys, count)
		hi := lp.hi
		lp.cond = func() (ir.Atom, bool) {
			l.pos = lp.pos
			return l.emit("more", ir.Scalar(ir.Bool), &ir.Binary{Fn: ir.Lt, X: l.env.vals[count].atoms[0], Y: hi}), true
		}
		lp.hidden = true
		lp.post = func() {
			next := l.emit(lp.name, ir.Scalar(ir.Int), &ir.Binary{Fn: ir.Add, X: l.env.vals[count].atoms[0], Y: ir.IntConst(ir.Int, max(lp.by, 1))})
			l.env.set(count, value{typ: count.typ, atoms: []ir.Atom{next}})
		}
	}

	op := &ir.Loop{}
	stmt := &ir.Stmt{Op: op}
	for _, key := range l.env.keys {
		if v, ok := key.(*types.Var); ok && lp.changed[key] && isSlice(v.Type()) && replaces(l.unit.info, lp.syntax(), v) {
			l.strand(l.env, key)
		}
	}
	l.strandParts(lp)
	l.strandRows(lp)
	inside := l.env.clone()
	after := map[any]value{}
	begun := map[any]value{}     // before the loop
	escaped := map[*owner]bool{} // before the loop
	windows := map[any]*window{}
	pointers := map[any]bool{} // that are carried by their indices
	nested := map[any]*carriedRows{}
	for _, key := range keys {
		v := l.env.vals[key]
		begun[key] = v
		if w := l.windowOf(lp, key, v); w != nil {
			windows[key] = w
			name := keyName(key)
			w.lo, w.hi = &ir.Var{Name: name + "_lo", T: intType}, &ir.Var{Name: name + "_hi", T: intType}
			w.outLo, w.outHi = &ir.Var{Name: name + "_lo", T: intType}, &ir.Var{Name: name + "_hi", T: intType}
			op.Params, stmt.Dst = append(op.Params, w.lo, w.hi), append(stmt.Dst, w.outLo, w.outHi)
			op.Init = append(op.Init, zeroInt, l.length(w.base))
			continue
		}
		if v.unset && !v.bad {
			v = l.scalarZero(key, v, lp.pos)
		}
		if in, out, ok := lp.carriedPointer(key, v, op, stmt); ok {
			inside.vals[key], after[key], pointers[key] = in, out, true
			continue
		}
		if v.bad || v.fn != nil || v.ptr != nil || v.ref != nil {
			inside.vals[key], after[key] = v, v
			continue
		}
		if lp.replaced(l.unit.info, key, v) || v.shared != nil { // another name is only ever replaced
			v = l.ownCopy(v)
		}
		if carriesRows(v) {
			nested[key] = l.carryRows(key, v, op, stmt)
			continue
		}
		in, out := v, v
		in.atoms, out.atoms, in.shared, out.shared = nil, nil, nil, nil
		if v.own != nil {
			escaped[v.own] = v.own.escaped.IsValid()
			v.own.updated = token.NoPos
		}
		for i, a := range v.atoms {
			if v.held.has(i) || v.staysRows(i) { // carried by itself, or not at all
				in.atoms, out.atoms = append(in.atoms, a), append(out.atoms, a)
				continue
			}
			if a.Type().Rank > 1 {
				in = rowsCarried(key, v, lp.pos)
				out = in
				break
			}
			name := keyName(key)
			if len(v.atoms) > 1 {
				name = l.atomName(v, name, i)
			}
			p, d := &ir.Var{Name: name, T: a.Type()}, &ir.Var{Name: name, T: a.Type()}
			in.atoms, out.atoms = append(in.atoms, p), append(out.atoms, d)
		}
		for i := range in.atoms {
			if v.held.has(i) || v.staysRows(i) {
				continue
			}
			op.Params, stmt.Dst = append(op.Params, in.atoms[i].(*ir.Var)), append(stmt.Dst, out.atoms[i].(*ir.Var))
			op.Init = append(op.Init, v.atoms[i])
		}
		inside.vals[key], after[key] = in, out
	}

	for _, v := range op.Params {
		l.carrying[v] = op
	}
	if conditional {
		op.Cond = l.loopCond(lp, inside, flags, windows, nested)
	} else {
		op.I = &ir.Var{Name: lp.name, T: ir.Scalar(ir.Int)}
		op.Lo, op.Hi = lp.lo, lp.hi
	}

	body := &arm{&ir.Block{}, inside.clone()}
	ok := true
	l.resume(body, func() {
		l.open(keys, windows, nested)
		for _, f := range flags {
			l.env.set(f, boolValue(false)) // or the turn would not have begun
		}
		continued := l.push("continued", lp.label)
		switch {
		case count != nil:
			lp.start(l.env.vals[count].atoms[0])
		case lp.counted:
			lp.start(op.I)
		case lp.start != nil:
			lp.start(nil)
		}
		l.run(lp.body.List)
		l.pop(continued)
		if lp.post != nil {
			l.postOf(lp)
		}
		for _, key := range keys {
			before, now := inside.vals[key], l.env.vals[key]
			if w := windows[key]; w != nil {
				lo, hi, inside := l.within(now, w.base)
				if !inside {
					l.use(windowLeft(key, now, lp.pos), lp.pos)
					ok = false
				}
				body.blk.Results = append(body.blk.Results, lo, hi)
				continue
			}
			if c := nested[key]; c != nil {
				elements, carried := l.endRows(key, c, now, lp.pos)
				ok = ok && carried
				body.blk.Results = append(body.blk.Results, elements...)
				continue
			}
			if now.empty { // the loop leaves it as it was
				after[key] = begun[key]
			} else if before.empty {
				after[key] = arrayChoice(key, lp.pos)
			}
			if pointers[key] && now.ptr != nil && now.ptr.beside(before.ptr) {
				body.blk.Results = append(body.blk.Results, now.ptr.indices()...)
				continue
			}
			ok = ok && !pointers[key]
			if before.ptr != nil && (now.ptr == nil || !before.ptr.same(now.ptr)) {
				l.use(pointerChoice(key, lp.pos), lp.pos)
			}
			if before.ref != now.ref {
				l.use(arrayChoice(key, lp.pos), lp.pos)
			}
			if before.bad || before.fn != nil || before.ptr != nil || before.ref != nil {
				continue
			}
			if now.unset && !now.bad {
				now = l.scalarZero(key, now, lp.pos)
			}
			if !maps.Equal(before.held, now.held) && !now.bad {
				if before.held != nil {
					now = arrayChoice(key, lp.pos)
				} else {
					now = l.sealed(now)
				}
			}
			if before.own != nil && now.own != before.own && !now.bad { // another slice than the turn began with
				now = arrayChoice(key, lp.pos)
			}
			if isString(before.typ) && !now.bad && len(now.atoms) == 1 && now.atoms[0] != before.atoms[0] {
				now = stringsCarried(key, lp.pos)
			}
			if before.own == nil && before.held == nil && !now.bad {
				l.keepsLength(key, before, now, lp.pos)
			}
			if own := before.own; own != nil && own.updated.IsValid() && own.escaped.IsValid() && !escaped[own] {
				l.problem(own.updated, updateAfterEscape(keyName(key), l.prog.irPos(own.escaped).String()+", in an earlier turn of the loop"))
				ok = false
			}
			if now.bad || len(now.atoms) != len(before.atoms) {
				now = l.use(now, lp.pos)
				ok = false
				continue
			}
			for i, a := range now.atoms {
				switch {
				case before.held.has(i):
				case !before.staysRows(i):
					body.blk.Results = append(body.blk.Results, a)
				case a != before.atoms[i]:
					l.use(rowsCarried(key, before, lp.pos), lp.pos)
					ok = false
				}
			}
		}
	})
	op.Body = body.blk
	for _, key := range keys {
		l.env.set(key, after[key])
	}
	if broke != nil {
		l.pop(broke)
	}
	if !ok || op.I == nil && op.Cond == nil {
		for _, key := range keys {
			if f, ok := key.(*slot); ok && slices.Contains(flags, f) {
				l.env.set(key, boolValue(false))
			} else {
				l.env.set(key, value{bad: true})
			}
		}
		return
	}
	l.pos = lp.pos
	l.append(stmt)
	for _, key := range keys {
		if w := windows[key]; w != nil {
			l.env.set(key, l.windowed(w.base, w.outLo, w.outHi))
		}
		if c := nested[key]; c != nil {
			l.env.set(key, l.carriedAs(c, c.out))
		}
	}
}

// postOf lowers the post statement of a loop. It does not run when the turn ended in a break or a return; but where it
// only counts a variable that nobody sees after the loop, that makes no difference and saves the condition.
func (l *lowerer) postOf(lp *loop) {
	dead, dynamic := l.status(l.env)
	switch {
	case lp.hidden || !dead && len(dynamic) == 0:
		lp.post()
	case !dead:
		l.guard(dynamic, lp.pos, lp.post)
	}
}

// loopCond lowers the condition of a loop over its parameters: no jump has left the loop, and the user's condition.
func (l *lowerer) loopCond(lp *loop, inside *env, flags []*slot, windows map[any]*window, nested map[any]*carriedRows) *ir.Block {
	failed := false
	cond := &arm{&ir.Block{}, inside.clone()}
	l.resume(cond, func() {
		l.open(l.env.keys, windows, nested)
		user := lp.cond
		if user == nil {
			user = func() (ir.Atom, bool) { return ir.BoolConst(true), true }
		}
		var c ir.Atom
		ok := true
		if len(flags) > 0 {
			going := l.emit("going", ir.Scalar(ir.Bool), &ir.Unary{Fn: ir.Not, X: l.any(flags)})
			if c = going; lp.cond != nil {
				c, ok = l.shortCircuit(token.LAND, going, user, lp.pos)
			}
		} else {
			c, ok = user()
		}
		if failed = !ok; ok {
			l.blk.Results = []ir.Atom{c}
		}
	})
	if failed {
		return nil
	}
	return cond.blk
}
