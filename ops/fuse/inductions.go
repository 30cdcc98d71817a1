package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// inductions computes what a loop, outside of operators or in an element of a Map, only counts with from the number of
// the turn, so that no turn needs the one before for it:
//
//	p' , s' = loop (p, s) init a b for i = lo to hi { …p…; q = add p 3; yield q t }
//
// becomes
//
//	s' = loop (s) init b for i = lo to hi { k = sub i lo; p = add a (mul 3 k); …p…; yield t }
//	p' = add a (mul 3 (max (hi - lo) 0))
//
// It is what appends so many elements a turn (`out = append(out, x, y, z)`), and the place in a slice of what comes in
// groups. A loop that ends where such a number reaches a bound, as `for i := 0; i+2 < len(x); i += 3`, becomes one that
// counts its turns. Integers wrap around, so that sums come out the same.
func inductions(f *ir.Func, names *ir.Namer) {
	if !holdsLoop(f) {
		return
	}
	g := f.Clone()
	for changed := true; changed; {
		lengths(g)
		simplify(g)
		hoist(g, names)
		simplify(g)
		in := &inducer{names: names, defs: analysis.Of(g.Body)}
		in.block(g.Body, 0)
		if changed = in.found; changed {
			simplify(g)
			wholeResults(g)
			*f = *g
			g = f.Clone()
		}
	}
}

// wholeResults puts an array in place of a result that is all of it, as it is where the loop that has appended to it
// has used the capacity that it was made with.
func wholeResults(f *ir.Func) {
	defs, made := analysis.Of(f.Body), versions(f.Body)
	for i, a := range f.Body.Results {
		view, ok := defs[a].(*ir.View)
		if !ok || view.Fn != ir.Slice || !ir.IsInt(view.Args[1], 0) {
			continue
		}
		if x, ok := view.Args[0].(*ir.Var); ok && made[x] != nil && len(expanded(defs, view.Args[2]).Minus(expanded(defs, length(made[x])))) == 0 {
			f.Body.Results[i] = x
		}
	}
}

type inducer struct {
	names *ir.Namer
	defs  analysis.Defs
	found bool
	// elements says that the block is in an element of a Map. There a loop that does not begin with 0 stays as it is:
	// what it counts with stands for places one behind the other.
	elements bool
}

// block looks at the loops of a block, and of elements of Maps in it, the innermost first. The turns of loops with a
// condition are counted where no other loop is around them: inside of others such a loop is one of a few elements of a
// row, as those of one colour, of which the pass updates knows more as it stands.
func (in *inducer) block(b *ir.Block, around int) {
	stmts := b.Stmts
	b.Stmts = nil
	for _, s := range stmts {
		e := emitter{&resolver{names: in.names, defs: map[*ir.Var]*ir.Stmt{}}, &b.Stmts, s.Pos}
		_, elements := s.Op.(*ir.Map)
		if elements || indexOf(s.Op) == nil {
			inside, within := around, in.elements
			if _, loop := s.Op.(*ir.Loop); loop || elements {
				inside++
			}
			in.elements = in.elements || elements
			for _, c := range ir.Blocks(s.Op) {
				in.block(c, inside)
			}
			in.elements = within
		}
		if loop, ok := s.Op.(*ir.Loop); ok && !loop.Independent && !(in.elements && loop.I != nil && !ir.IsInt(loop.Lo, 0)) {
			if around == 0 && loop.I == nil && in.counted(e, s, loop) || loop.I != nil && in.counts(e, s, loop) {
				in.found = true
				continue
			}
		}
		b.Stmts = append(b.Stmts, s)
	}
}

// counted writes a loop that counts its turns in place of one with a condition, if it can.
func (in *inducer) counted(e emitter, s *ir.Stmt, loop *ir.Loop) bool {
	u := countedUpTo(loop)
	if u == nil {
		return false
	}
	first, ok := loop.Init[u.param].(ir.Const)
	if !ok || first.Int() < 0 || first.Int() > farthest {
		return false // the first test might overflow
	}
	cond := loop.Cond.Clone(ir.Subst{}, in.names)
	below := u.below
	for i, c := range loop.Cond.Stmts {
		if u.outside[c] {
			*e.out = append(*e.out, cond.Stmts[i])
			if ir.Atom(c.Dst[0]) == below {
				below = cond.Stmts[i].Dst[0]
			}
		}
	}
	least := ir.IntConst(ir.Int, first.Int()+u.ahead)
	n := e.ceilDiv(e.bin(ir.Sub, "n", e.bin(ir.Max, "hi", below, least), least), ir.IntConst(ir.Int, u.step))
	k := in.names.Var("k", tInt)
	in.write(e, s, loop, u.param, k, n, func(body emitter) ir.Atom {
		return body.bin(ir.Add, loop.Params[u.param].Name, first, body.bin(ir.Mul, "t", k, ir.IntConst(ir.Int, u.step)))
	}, e.bin(ir.Mul, "t", n, ir.IntConst(ir.Int, u.step)))
	return true
}

// counts takes a number that a counted loop only counts with out of what it carries, if there is one.
func (in *inducer) counts(e emitter, s *ir.Stmt, loop *ir.Loop) bool {
	for at, p := range loop.Params {
		if p.T != tInt || len(loop.Params) == 1 {
			continue
		}
		steps, ok := in.steps(loop, loop.Body.Results[at], p)
		if !ok || len(steps) == 0 {
			continue
		}
		step := ir.Atom(ir.IntConst(ir.Int, 0))
		for _, a := range steps {
			fn := ir.Add
			if a.less {
				fn = ir.Sub
			}
			step = e.bin(fn, "step", step, a.by)
		}
		n := loop.Hi
		if _, length := in.defs[n].(*ir.Len); !length || !ir.IsInt(loop.Lo, 0) {
			n = e.turns(loop)
		}
		in.write(e, s, loop, at, loop.I, loop.Hi, func(body emitter) ir.Atom {
			k := body.bin(ir.Sub, "k", loop.I, loop.Lo)
			return body.bin(ir.Add, p.Name, loop.Init[at], body.bin(ir.Mul, "t", k, step))
		}, e.bin(ir.Mul, "t", n, step))
		return true
	}
	return false
}

// added is something that a turn adds to a number, or takes away from it.
type added struct {
	by   ir.Atom
	less bool
}

// steps returns what lies between two values, where it comes from outside of the loop.
func (in *inducer) steps(loop *ir.Loop, from ir.Atom, to *ir.Var) (all []added, ok bool) {
	inside := map[ir.Atom]bool{}
	ir.Walk(loop.Body, func(s *ir.Stmt) {
		for _, v := range slices.Concat(s.Dst, ir.Bound(s.Op)) {
			inside[v] = true
		}
	})
	for _, p := range loop.Params {
		inside[p] = true
	}
	inside[loop.I] = true
	for from != ir.Atom(to) {
		b, ok := in.defs[from].(*ir.Binary)
		switch {
		case !ok || b.Fn != ir.Add && b.Fn != ir.Sub:
			return nil, false
		case !inside[b.Y]:
			all, from = append(all, added{b.Y, b.Fn == ir.Sub}), b.X
		case !inside[b.X] && b.Fn == ir.Add:
			all, from = append(all, added{b.X, false}), b.Y
		default:
			return nil, false
		}
	}
	return all, true
}

// write writes a loop of i up to hi that does not carry what stands at a place, but computes it from the turn; more is
// what is added to it over all turns.
func (in *inducer) write(e emitter, s *ir.Stmt, loop *ir.Loop, at int, i *ir.Var, hi ir.Atom, value func(emitter) ir.Atom, more ir.Atom) {
	body := &ir.Block{}
	v := value(e.into(body))
	c := loop.Body.Clone(ir.Subst{loop.Params[at]: v}, in.names)
	body.Stmts, body.Results = append(body.Stmts, c.Stmts...), slices.Delete(c.Results, at, at+1)
	lo := loop.Lo
	if lo == nil {
		lo = ir.IntConst(ir.Int, 0)
	}
	rest := &ir.Loop{I: i, Lo: lo, Hi: hi, Params: without(loop.Params, at), Init: without(loop.Init, at), Body: body}
	e.stmt(rest, without(s.Dst, at)...)
	e.stmt(&ir.Binary{Fn: ir.Add, X: loop.Init[at], Y: more}, s.Dst[at])
}

// without returns a list without what stands at a place.
func without[T any](xs []T, at int) []T { return slices.Delete(slices.Clone(xs), at, at+1) }

// upTo is how a loop with a condition counts: as long as what it carries as param, and ahead, is below something from
// outside, and by step a turn.
type upTo struct {
	param       int
	step, ahead int64
	below       ir.Atom
	outside     map[*ir.Stmt]bool // the statements of the condition that compute below
}

// countedUpTo returns how a loop with a condition counts, nil for others.
func countedUpTo(loop *ir.Loop) *upTo {
	if loop.Cond == nil || len(loop.Cond.Results) != 1 {
		return nil
	}
	made := analysis.Of(loop.Cond)
	test, ok := made[loop.Cond.Results[0]].(*ir.Binary)
	if !ok || test.Fn != ir.Lt && test.Fn != ir.Le || test.X.Type() != tInt {
		return nil
	}
	u := &upTo{below: test.Y, outside: map[*ir.Stmt]bool{}}
	if test.Fn == ir.Le {
		u.ahead--
	}
	counter := map[ir.Op]bool{test: true}
	x := test.X
	for made[x] != nil {
		b, ok := made[x].(*ir.Binary)
		if !ok {
			return nil
		}
		c, ok := b.Y.(ir.Const)
		if !ok || b.Fn != ir.Add && b.Fn != ir.Sub || c.Int() < 0 || c.Int() > farthest {
			return nil
		}
		if counter[b] = true; b.Fn == ir.Add {
			u.ahead += c.Int()
		} else {
			u.ahead -= c.Int()
		}
		x = b.X
	}
	carried := map[*ir.Var]bool{}
	u.param = -1
	for i, p := range loop.Params {
		if carried[p] = true; ir.Atom(p) == x {
			u.param = i
		}
	}
	if v, ok := u.below.(*ir.Var); u.param < 0 || ok && carried[v] {
		return nil
	}
	for _, s := range loop.Cond.Stmts {
		if counter[s.Op] {
			continue
		}
		b, binary := s.Op.(*ir.Binary)
		_, length := s.Op.(*ir.Len)
		if dependsOn(s, carried) || !length && !(binary && (&hoister{}).movable(b)) {
			return nil
		}
		u.outside[s] = true
	}
	next, ok := analysis.Of(loop.Body)[loop.Body.Results[u.param]].(*ir.Binary)
	if !ok || next.Fn != ir.Add || next.X != x {
		return nil
	}
	step, ok := next.Y.(ir.Const)
	if !ok || step.Int() <= 0 || step.Int() > farthest {
		return nil
	}
	u.step = step.Int()
	return u
}
