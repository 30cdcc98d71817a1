package fuse

import (
	"maps"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// alternate makes several turns at a time of loops in sequential code whose turns end with exchanges of arrays, as the
// steps of a simulation do (now, next = next, now): the second turn has each in the place of the other one, and then
// both lie where they were. Three arrays that go round do so after three turns. Arrays that are updated in place stay
// in their memory, so that an exchange moves all of their elements; only a last turn that is followed by none with
// which they are back still does.
//
//	a', b' = loop (a, b) init x y for i = lo to hi { …a1…b1…; a2, b2 = (exchange a1 b1); yield a2 b2 }
//
// becomes
//
//	a', b' = loop (a, b) init x y for k = 0 to (hi - lo + 1) / 2 {
//	  i = lo + 2·k; …a1…b1…
//	  a3, b3 = if i + 1 < hi {
//	    (the same for i + 1, with b1 in place of a, and a1 in place of b, which yields b1' and a1'); yield a1' b1'
//	  } else {
//	    a2, b2 = (exchange a1 b1); yield a2 b2
//	  }
//	  yield a3 b3
//	}
func alternate(f *ir.Func, names *ir.Namer) {
	a := &alternator{names: names, allocs: ir.Allocs(f.Body), defs: analysis.Of(f.Body), equal: map[ir.Atom]ir.Atom{}}
	for _, s := range f.Body.Stmts {
		if m, ok := s.Op.(*ir.Map); ok && ir.IsInt(m.N, 1) {
			a.block(m.Body)
		}
	}
}

const (
	// mostAlternated is how many statements the turns that are made at a time may have together.
	mostAlternated = 800
	// mostTurnsAtOnce is how many there may be of them.
	mostTurnsAtOnce = 6
)

type alternator struct {
	names  *ir.Namer
	allocs map[*ir.Var]*ir.Stmt // versions of arrays, and what made them
	defs   analysis.Defs
	equal  map[ir.Atom]ir.Atom // lengths that checks before the position compare, and what they are equal to
}

func (a *alternator) block(b *ir.Block) {
	before := maps.Clone(a.equal)
	defer func() { a.equal = before }()
	for at := 0; at < len(b.Stmts); at++ {
		s := b.Stmts[at]
		a.checked(s)
		for _, c := range ir.Blocks(s.Op) {
			a.block(c)
		}
		if loop, ok := s.Op.(*ir.Loop); ok && loop.I != nil && loop.Cond == nil && !loop.Independent {
			if to := a.several(s, loop); to != nil {
				b.Stmts = slices.Replace(b.Stmts, at, at+1, to...)
				at += len(to) - 1
			}
		}
	}
}

// checked notes what a check of lengths says of all that comes after it.
func (a *alternator) checked(s *ir.Stmt) {
	if c, ok := s.Op.(*ir.Check); ok && c.Kind == ir.CheckLength {
		if x, y := a.same(c.Args[0]), a.same(c.Args[1]); x != y {
			a.equal[y] = x
		}
	}
}

// same is one of the lengths that are known to be equal to n.
func (a *alternator) same(n ir.Atom) ir.Atom {
	for a.equal[n] != nil {
		n = a.equal[n]
	}
	return n
}

// sameLength reports whether two lengths are equal, which may be products of lengths that checks have compared.
func (a *alternator) sameLength(n, m ir.Atom) bool {
	form := analysis.Form{Defs: a.defs}
	form.Known = func(x ir.Atom) (analysis.Affine, bool) {
		if y := a.same(x); y != x {
			return form.Affine(y)
		}
		_, computed := a.defs[x].(*ir.Binary)
		return analysis.Outside(x), !computed
	}
	x, ok := form.Affine(n)
	y, also := form.Affine(m)
	return ok && also && len(x.Parts)+len(y.Parts) == 0 && len(x.Base.Minus(y.Base)) == 0
}

// several returns a loop of several turns at a time, and what comes before it; nil if no arrays are exchanged in the
// end.
func (a *alternator) several(s *ir.Stmt, loop *ir.Loop) (out []*ir.Stmt) {
	lo, ok := loop.Lo.(ir.Const)
	if !ok || lo.Int() < 0 {
		return nil
	}
	turn, moves := a.parted(loop)
	times := period(moves)
	size := 0
	ir.Walk(turn, func(*ir.Stmt) { size++ })
	if times < 2 || times > mostTurnsAtOnce || size*times > mostAlternated {
		return nil
	}
	body := &ir.Block{}
	in := emitter{&resolver{names: a.names, defs: map[*ir.Var]*ir.Stmt{}}, &body.Stmts, s.Pos}
	k := a.names.Var(loop.I.Name, tInt)
	at := &ir.Loop{I: k, Lo: ir.IntConst(ir.Int, 0), Init: loop.Init, Body: body}
	var now []ir.Atom
	for _, v := range loop.Params {
		x := a.names.Var(v.Name, v.T)
		at.Params, now = append(at.Params, x), append(now, x)
	}
	n := ir.IntConst(ir.Int, int64(times))
	i := in.bin(ir.Add, loop.I.Name, loop.Lo, in.bin(ir.Mul, "t", k, n))
	body.Results = (&alternation{alternator: a, loop: loop, turn: turn, moves: moves, times: times}).write(in, i, now, 0)
	ahead := emitter{in.r, &out, s.Pos}
	all := ahead.turns(loop)
	more := ahead.let("more", tInt, &ir.Binary{Fn: ir.Min, X: ahead.bin(ir.Rem, "rest", all, n), Y: ir.IntConst(ir.Int, 1)})
	at.Hi = ahead.bin(ir.Add, "times", ahead.bin(ir.Div, "times", all, n), more)
	ahead.stmt(at, s.Dst...)
	return out
}

// parted returns what a turn of the loop does before it exchanges arrays at its end, with what it has then as results,
// and the exchanges in their order.
func (a *alternator) parted(loop *ir.Loop) (turn *ir.Block, moves []*exchanging) {
	before := maps.Clone(a.equal)
	defer func() { a.equal = before }()
	for _, s := range loop.Body.Stmts {
		a.checked(s)
	}
	at, checks := len(loop.Body.Stmts), []*ir.Stmt(nil)
	moved := map[*ir.Var]ir.Atom{}
	for ; at > 0; at-- {
		s := loop.Body.Stmts[at-1]
		if _, ok := s.Op.(*ir.Check); ok { // of the lengths of what is exchanged
			checks = append(checks, s)
			continue
		}
		m := a.exchanged(loop, s, moved)
		if m == nil {
			break
		}
		moves = append(moves, m)
	}
	slices.Reverse(checks)
	turn = &ir.Block{Stmts: slices.Concat(loop.Body.Stmts[:at], checks)}
	for _, r := range loop.Body.Results {
		if v, ok := r.(*ir.Var); ok && moved[v] != nil {
			r = moved[v]
		}
		turn.Results = append(turn.Results, r)
	}
	return turn, moves
}

// exchanging is the loop that exchanges some of what a loop around it carries.
type exchanging struct {
	s     *ir.Stmt
	slots []int // which of what the loop around carries it exchanges
	from  []int // which of them comes to the place of each
}

// after is from after so many turns.
func (m *exchanging) after(turns int) []int {
	at := make([]int, len(m.from))
	for i := range at {
		at[i] = i
	}
	for range turns {
		next := make([]int, len(at))
		for i, j := range m.from {
			next[i] = at[j]
		}
		at = next
	}
	return at
}

// period is after how many turns all arrays are back, 0 if there are no exchanges.
func period(moves []*exchanging) int {
	if len(moves) == 0 {
		return 0
	}
	back := func(turns int) bool {
		return !slices.ContainsFunc(moves, func(m *exchanging) bool { return !slices.IsSorted(m.after(turns)) })
	}
	for turns := 1; turns <= mostTurnsAtOnce; turns++ {
		if back(turns) {
			return turns
		}
	}
	return mostTurnsAtOnce + 1
}

// alternation is the turns of a loop that are made at a time.
type alternation struct {
	*alternator
	loop  *ir.Loop
	turn  *ir.Block
	moves []*exchanging
	times int
}

// write writes turn i, of which done are made before, and those behind it, for arrays that lie where they did before
// the first one, and returns what there is behind the last.
func (t *alternation) write(e emitter, i ir.Atom, now []ir.Atom, done int) []ir.Atom {
	place := make([]int, len(now)) // where what the loop carries lies in this turn
	for k := range place {
		place[k] = k
	}
	for _, m := range t.moves {
		for k, from := range m.after(done) {
			place[m.slots[k]] = m.slots[from]
		}
	}
	sub := ir.Subst{t.loop.I: i}
	for k, v := range t.loop.Params {
		sub[v] = now[place[k]]
	}
	c := t.turn.Clone(sub, t.names)
	*e.out = append(*e.out, c.Stmts...)
	left := make([]ir.Atom, len(now))
	for k, r := range c.Results {
		left[place[k]] = r
	}
	if done+1 == t.times {
		return left
	}
	then, els := &ir.Block{}, &ir.Block{}
	next := e.bin(ir.Add, t.loop.I.Name, i, ir.IntConst(ir.Int, 1))
	more := e.bin(ir.Lt, "more", next, t.loop.Hi)
	then.Results = t.write(e.into(then), next, left, done+1)
	els.Results = slices.Clone(left)
	for _, m := range t.moves {
		if s := m.write(t.names, left, done+1); s != nil {
			els.Stmts = append(els.Stmts, s)
			for k, d := range s.Dst {
				els.Results[m.slots[k]] = d
			}
		}
	}
	var dst []*ir.Var
	var out []ir.Atom
	for _, v := range t.loop.Params {
		x := t.names.Var(v.Name, v.T)
		dst, out = append(dst, x), append(out, x)
	}
	e.stmt(&ir.If{Cond: more, Then: then, Else: els}, dst...)
	return out
}

// write returns the loop that moves arrays to where they are looked for after so many turns, nil if they lie there.
func (m *exchanging) write(names *ir.Namer, left []ir.Atom, turns int) *ir.Stmt {
	from := m.after(turns)
	if slices.IsSorted(from) {
		return nil
	}
	s := m.s.Clone(ir.Subst{}, names)
	move := s.Op.(*ir.Loop)
	reads := map[ir.Atom]*ir.Var{} // an array → its element
	for _, r := range move.Body.Stmts {
		if read, ok := r.Op.(*ir.Index); ok {
			reads[read.X] = r.Dst[0]
		}
	}
	for k, slot := range m.slots {
		move.Init[k] = left[slot]
	}
	for _, u := range move.Body.Stmts {
		if update, ok := u.Op.(*ir.Update); ok {
			k := slices.Index(move.Params, update.X.(*ir.Var))
			update.Value = reads[move.Params[from[k]]]
		}
	}
	return s
}

// exchanged returns what a statement of a turn of the loop, behind which there are only such statements, exchanges:
// whole arrays of one length, or of several that the turn has compared before, element by element; nil for others. It
// notes what it moves.
func (a *alternator) exchanged(loop *ir.Loop, s *ir.Stmt, moved map[*ir.Var]ir.Atom) *exchanging {
	move, ok := s.Op.(*ir.Loop)
	if !ok || move.I == nil || move.Cond != nil || !ir.IsInt(move.Lo, 0) || len(move.Params) < 2 || len(move.Body.Stmts) != 2*len(move.Params) {
		return nil
	}
	m := &exchanging{s: s}
	defs := analysis.Of(move.Body)
	used := map[int]bool{}
	for i, p := range move.Params {
		update, ok := defs[move.Body.Results[i]].(*ir.Update)
		if !ok || update.X != ir.Atom(p) || update.I != ir.Atom(move.I) {
			return nil
		}
		read, ok := defs[update.Value].(*ir.Index)
		if !ok || read.I != ir.Atom(move.I) {
			return nil
		}
		v, _ := read.X.(*ir.Var)
		from := slices.Index(move.Params, v)
		made := a.allocs[p]
		slot := slices.Index(loop.Body.Results, ir.Atom(s.Dst[i]))
		if from < 0 || used[from] || slot < 0 || made == nil || made.Op.(*ir.Alloc).Grows || a.allocs[loop.Params[slot]] != made ||
			length(made) != move.Hi && !a.sameLength(length(made), move.Hi) || loop.Params[slot].T != loop.Params[m.first(slot)].T {
			return nil
		}
		used[from] = true
		m.slots, m.from = append(m.slots, slot), append(m.from, from)
	}
	arrays := map[*ir.Stmt]bool{}
	for _, p := range move.Params {
		arrays[a.allocs[p]] = true
	}
	if len(arrays) < len(m.slots) {
		return nil
	}
	for i, d := range s.Dst {
		moved[d] = move.Init[i]
	}
	return m
}

// first is the first slot, or that one where there is none yet.
func (m *exchanging) first(slot int) int {
	if len(m.slots) == 0 {
		return slot
	}
	return m.slots[0]
}
