package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// use is a read or an update of an element of an array that a loop updates.
type use struct {
	array   *ir.Stmt // what made it
	at      ir.Atom
	form    analysis.Affine // of at, over the index of the loop and those of the loops inside it
	around  []*course       // the loops inside the loop that are around the use, from the outside in, and what moves as they do
	updates bool
	first   bool // it reads before an update, also before those of other arms, which lanes make one after the other
	always  bool // no condition is around it
	turns   turnRange
}

// course is an index with the range that it moves in: that of a loop, or a remainder. Its bounds are sums over the
// courses around it and the index of the loop that is looked at.
type course struct {
	i        ir.Atom
	lo, last analysis.Affine
	step     int64   // how far it moves at a time
	loose    bool    // it may end before last
	from     ir.Atom // where it begins, for steps of more than one
}

// uses finds what the turns of a loop do to the arrays that it updates.
type uses struct {
	arrays  map[*ir.Var]*ir.Stmt // versions of arrays, and what made them
	updated map[*ir.Stmt]bool    // those that the loop carries
	own     map[*ir.Stmt]bool    // those that a turn makes, and updates itself
	touched map[*ir.Stmt]bool    // those that an update stands before the position
	form    analysis.Form
	index   ir.Atom             // the index of the loop
	counts  analysis.Affine     // its form
	turns   turnRange           // that come to the position
	inside  map[ir.Atom]bool    // what a turn computes
	courses map[ir.Atom]*course // by their index
	around  []*course           // of the position
	under   int                 // conditions around it
	all     []*use
	checks  map[*ir.Stmt][]*course // checks of indices that no condition is around, and the loops around them
	starts  map[ir.Atom]ir.Atom    // where rows of one length begin: see evenStarts
	failed  bool
}

// usesOf returns the uses of a loop whose index is known to be of the form own, or nil if they are no sums over
// indices, or a turn does more than to read, to compute and to update.
func usesOf(loop *ir.Loop, index ir.Atom, own analysis.Affine, defs analysis.Defs, arrays map[*ir.Var]*ir.Stmt,
	starts map[ir.Atom]ir.Atom, through looks) *uses {
	a := &uses{arrays: arrays, updated: map[*ir.Stmt]bool{}, own: map[*ir.Stmt]bool{}, touched: map[*ir.Stmt]bool{}, index: index, counts: own, inside: map[ir.Atom]bool{}, courses: map[ir.Atom]*course{}, checks: map[*ir.Stmt][]*course{}, starts: starts}
	for _, p := range loop.Params {
		if arrays[p] != nil {
			a.updated[arrays[p]] = true
		}
		a.inside[p] = true
	}
	a.inside[index] = true
	ir.Walk(loop.Body, func(s *ir.Stmt) {
		for _, v := range slices.Concat(s.Dst, ir.Bound(s.Op)) {
			a.inside[v] = true
		}
	})
	a.form = analysis.Form{Defs: defs, Known: func(x ir.Atom) (analysis.Affine, bool) {
		if of := unlimited(defs, x); of != nil {
			form, ok := a.form.Affine(of)
			return form, ok
		}
		if row, ok := defs[x].(*ir.Index); ok && starts[row.X] != nil {
			i, ok := a.form.Affine(row.I)
			n, ok2 := a.form.Affine(starts[row.X])
			return i.Times(n.Base), ok && ok2 && len(n.Parts) == 0
		}
		switch {
		case x == index:
			return own, true
		case a.courses[x] != nil:
			return analysis.On(x.(*ir.Var)), true
		case !a.inside[x]:
			return analysis.Outside(x), through.stops(defs, x)
		case defs[x] == nil: // what another loop carries
			a.failed = true
			return analysis.Affine{}, true
		}
		if r, ok := defs[x].(*ir.Binary); ok && r.Fn == ir.Rem {
			if by, ok := r.Y.(ir.Const); ok && by.Kind == ir.Int && by.Int() > 0 && by.Int() < farthest {
				return a.remainder(x.(*ir.Var), by.Int()), true
			}
		}
		return analysis.Affine{}, false
	}}
	a.block(loop.Body)
	if a.failed {
		return nil
	}
	return a
}

// unlimited returns what a value is the lesser one of, the other one being a constant that no sum comes near, or nil:
// what a loop runs up to that includes its last index.
func unlimited(defs analysis.Defs, x ir.Atom) ir.Atom {
	if b, ok := defs[x].(*ir.Binary); ok && b.Fn == ir.Min {
		if c, ok := b.Y.(ir.Const); ok && c.Kind == ir.Int && c.Int() >= 1<<62 {
			return b.X
		}
	}
	return nil
}

// remainder is the form of a remainder by a positive constant.
func (a *uses) remainder(x *ir.Var, by int64) analysis.Affine {
	if a.courses[x] == nil {
		a.courses[x] = &course{i: x, lo: constantForm(1 - by), last: constantForm(by - 1), step: 1}
	}
	return analysis.On(x)
}

func constantForm(c int64) analysis.Affine { return analysis.Outside(ir.IntConst(ir.Int, c)) }

// affine returns the form of an index.
func (a *uses) affine(x ir.Atom) analysis.Affine {
	form, ok := a.form.Affine(x)
	ok = ok && a.outside(form.Base)
	for _, p := range form.Parts {
		ok = ok && p.Of.Fn == "" && a.outside(p.Times)
	}
	a.failed = a.failed || !ok
	return form
}

// outside reports whether all values of a sum are there before the loop: a quotient of such may be computed in it.
func (a *uses) outside(s analysis.Sum) bool {
	for _, p := range s {
		for _, v := range p.Of {
			if a.inside[v] {
				return false
			}
		}
	}
	return true
}

func (a *uses) block(b *ir.Block) {
	for _, s := range b.Stmts {
		if a.failed {
			return
		}
		switch op := s.Op.(type) {
		case *ir.Unary, *ir.Binary, *ir.FMA, *ir.Convert, *ir.Select, *ir.Len:
		case *ir.Check:
			if op.Kind == ir.CheckIndex && a.under == 0 {
				a.checks[s] = slices.Clone(a.around)
			}
		case *ir.Index:
			if v, ok := op.X.(*ir.Var); ok && a.updated[a.arrays[v]] {
				a.add(&use{array: a.arrays[v], at: op.I, first: !a.touched[a.arrays[v]]})
			}
		case *ir.Update:
			v, ok := op.X.(*ir.Var)
			if ok && a.own[a.arrays[v]] {
				continue
			}
			if !ok || !a.updated[a.arrays[v]] || op.X.Type().Rank != 1 {
				a.failed = true
				return
			}
			a.add(&use{array: a.arrays[v], at: op.I, updates: true})
			a.touched[a.arrays[v]] = true
		case *ir.Alloc:
			a.own[s] = true
			a.failed = a.failed || op.Grows
		case *ir.If:
			a.under++
			all := a.turns
			a.only(op.Cond, true)
			a.block(op.Then)
			a.turns = all
			a.only(op.Cond, false)
			a.block(op.Else)
			a.turns = all
			a.under--
		case *ir.Loop:
			a.loop(op)
		default:
			a.failed = true
		}
	}
}

func (a *uses) add(x *use) {
	x.form, x.always, x.turns = a.affine(x.at), a.under == 0, a.turns
	x.around = a.with(slices.Clone(a.around), x.form)
	a.all = append(a.all, x)
}

// with adds the remainders in a form, which have no place among the loops, to what is around it.
func (a *uses) with(around []*course, form analysis.Affine) []*course {
	for _, p := range form.Parts {
		if s := a.courses[p.Of.V]; s != nil && !slices.Contains(around, s) {
			around = append(around, s)
		}
	}
	return around
}

// loop goes through a loop inside of the one that is looked at.
func (a *uses) loop(op *ir.Loop) {
	for _, p := range op.Params {
		if p.T.Rank > 0 && !a.updated[a.arrays[p]] && !a.own[a.arrays[p]] {
			a.failed = true // it carries another sequence in each turn
			return
		}
	}
	sp := a.courseOf(op)
	if op.Cond != nil {
		a.block(op.Cond)
	}
	if sp == nil || sp.loose || op.Cond != nil && countedBy(op) == nil { // it may end before it comes to a check or an update
		a.under++
		defer func() { a.under-- }()
	}
	if sp == nil {
		a.block(op.Body)
		return
	}
	for _, bound := range []analysis.Affine{sp.lo, sp.last} { // of remainders that bounds are made of
		for _, p := range bound.Parts {
			if r := a.courses[p.Of.V]; r != nil && !slices.Contains(a.around, r) {
				a.around = append(a.around, r)
				defer func() { a.around = slices.DeleteFunc(a.around, func(x *course) bool { return x == r }) }()
			}
		}
	}
	a.courses[sp.i] = sp
	a.around = append(a.around, sp)
	a.block(op.Body)
	a.around = slices.DeleteFunc(a.around, func(x *course) bool { return x == sp })
}

// courseOf returns the range of a loop inside of the one that is looked at, nil where it is not known before: no update
// may be at a place that depends on such an index.
func (a *uses) courseOf(op *ir.Loop) *course {
	failed := a.failed
	sp := &course{step: 1}
	if op.I != nil {
		sp.i, sp.lo = op.I, a.affine(op.Lo)
		sp.last, sp.loose = a.below(op)
	} else if c := boundedBy(op); c != nil {
		sp.i, sp.step, sp.from = op.Params[c.param], c.step, op.Init[c.param]
		sp.lo, sp.last = a.affine(sp.from), a.affine(c.below)
	} else {
		return nil
	}
	sp.last = sp.last.Plus(constantForm(-1))
	if a.failed {
		a.failed = failed
		return nil
	}
	return sp
}

// below is what the index of a loop is less than: its bound, or, where that is not known before, another number that is
// not less, for all that the loop does to the arrays; loose says that it is such a one.
func (a *uses) below(op *ir.Loop) (form analysis.Affine, loose bool) {
	failed := a.failed
	known := func(x ir.Atom) bool {
		a.failed = false
		form = a.affine(x)
		ok := !a.failed
		a.failed = failed
		return ok
	}
	if known(op.Hi) {
		return form, false
	}
	if least, ok := a.form.Defs[op.Hi].(*ir.Binary); ok && least.Fn == ir.Min {
		x, y := least.X, least.Y
		if _, constant := y.(ir.Const); constant { // it says the most: what a turn copies may be as long as a row
			x, y = y, x
		}
		if known(x) || known(y) {
			return form, true
		}
	}
	for _, s := range op.Body.Stmts { // up to the first one that may read or update an array
		switch c := s.Op.(type) {
		case *ir.Check:
			if c.Kind == ir.CheckIndex && c.Args[0] == ir.Atom(op.I) && known(c.Args[1]) {
				return form, true
			}
		case *ir.Update, *ir.Loop, *ir.If:
			a.failed = true
			return form, false
		case *ir.Index:
			if v, ok := c.X.(*ir.Var); ok && a.updated[a.arrays[v]] {
				a.failed = true
				return form, false
			}
		}
	}
	a.failed = true
	return form, false
}

// stepping is how a loop with a condition counts: as long as what it carries as param is below something that does not
// change, and by step a turn.
type stepping struct {
	param int
	step  int64
	below ir.Atom
}

// boundedBy returns how a loop with a condition counts, nil for others. It may end before it has counted to the end, as
// those do that a break leaves.
func boundedBy(op *ir.Loop) *stepping {
	if op.Cond == nil || len(op.Cond.Results) != 1 {
		return nil
	}
	made := analysis.Of(op.Cond)
	var look func(test ir.Atom) *stepping
	look = func(test ir.Atom) *stepping {
		b, ok := made[test].(*ir.Binary)
		if ok && b.Fn == ir.And {
			if c := look(b.X); c != nil {
				return c
			}
			return look(b.Y)
		}
		if ok {
			return stepsTo(op, b, made)
		}
		return nil
	}
	return look(op.Cond.Results[0])
}

// countedBy returns how a loop counts whose condition is nothing else, nil for others.
func countedBy(op *ir.Loop) *stepping {
	if op.Cond == nil || len(op.Cond.Results) != 1 {
		return nil
	}
	made := analysis.Of(op.Cond)
	test, ok := made[op.Cond.Results[0]].(*ir.Binary)
	if !ok {
		return nil
	}
	for _, s := range op.Cond.Stmts { // arithmetic, which may be done once before the loop
		if b, ok := s.Op.(*ir.Binary); !ok || !(&hoister{}).movable(b) {
			return nil
		}
	}
	return stepsTo(op, test, made)
}

// stepsTo returns how a loop counts where a part of its condition says up to what, nil for other parts.
func stepsTo(op *ir.Loop, test *ir.Binary, made analysis.Defs) *stepping {
	if test.Fn != ir.Lt || test.X.Type() != ir.Scalar(ir.Int) {
		return nil
	}
	at := slices.IndexFunc(op.Params, func(p *ir.Var) bool { return ir.Atom(p) == test.X })
	if at < 0 {
		return nil
	}
	var fixed func(x ir.Atom) bool // arithmetic of what does not change
	fixed = func(x ir.Atom) bool {
		if v, ok := x.(*ir.Var); ok && slices.Contains(op.Params, v) {
			return false
		}
		b, ok := made[x].(*ir.Binary)
		return made[x] == nil || ok && (&hoister{}).movable(b) && fixed(b.X) && fixed(b.Y)
	}
	if !fixed(test.Y) {
		return nil
	}
	next, ok := analysis.Of(op.Body)[op.Body.Results[at]].(*ir.Binary)
	if !ok || next.Fn != ir.Add || next.X != test.X {
		return nil
	}
	step, ok := next.Y.(ir.Const)
	if !ok || step.Int() <= 0 || step.Int() > farthest {
		return nil
	}
	return &stepping{at, step.Int(), test.Y}
}
