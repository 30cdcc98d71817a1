package fuse

import (
	"maps"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// TraitDotGather marks a level whose reduction is a sum of products of consecutive elements with elements gathered
// through consecutive indices (a sparse row times a dense vector). Platforms have routines for it.
const TraitDotGather = "dot_gather"

// TraitOnce marks a level of one element: sequential code at the top level of the kernel.
const TraitOnce = "once"

// TraitByElements marks an outermost Map of rows whose elements threads share, and not the rows: see [ir.Map].
const TraitByElements = "by_elements"

// TraitBins marks a level that combines scalars by index, and not rows.
const TraitBins = "bins"

// TraitStrided marks a level whose elements are read at a distance from each other while those of the level around it
// lie side by side (the column of a row-major matrix, beside the next column): lanes belong to that level.
const TraitStrided = "strided"

// TraitColumns marks an outermost Map each of whose elements reads a column of rows: around a strided Reduce, or the
// only level, with one loop of little work over these rows.
const TraitColumns = "columns"

// TraitShared marks a level whose reduction reads an input at places that do not depend on the element of some level
// around it: all elements of that level read the same there (the bodies that pull at each body). Devices can read such
// an input once for many of them.
const TraitShared = "shared"

// shared reports whether a read in the body of an operator, whose index is i, moves with i and not with one of outer,
// the indices of the operators around it. made are the sequences that these compute themselves.
func shared(b *ir.Block, i *ir.Var, outer []*ir.Var, defs analysis.Defs, made map[ir.Atom]bool) bool {
	for _, s := range b.Stmts {
		defs.Add(s)
		read, ok := s.Op.(*ir.Index)
		if !ok || read.X.Type().Rank != 1 || made[read.X] || step(defs, read.I, i) == still {
			continue
		}
		for _, o := range outer {
			if o != nil && step(defs, read.I, o) == still {
				return true
			}
		}
	}
	return false
}

// TraitTurns marks a level of elements that loops compute, of as many turns for all of them and for all elements of the
// level around, from what also several of the latter read (the columns of a matrix product of loops): where these are
// computed together, they read it once.
const TraitTurns = "turns"

// sameTurns reports whether the body of a Map, whose index is i, inside one whose index is outer, has such loops and no
// others. made are the variables that these compute.
func sameTurns(b *ir.Block, i, outer *ir.Var, defs analysis.Defs, made map[ir.Atom]bool) bool {
	made = maps.Clone(made)
	ir.Walk(b, func(s *ir.Stmt) {
		defs.Add(s)
		for _, d := range s.Dst {
			made[d] = true
		}
		if loop, ok := s.Op.(*ir.Loop); ok {
			for _, p := range loop.Params {
				made[p] = true
			}
		}
	})
	outside := func(a ir.Atom) bool {
		_, computed := made[a] // also scalars that the level around computes
		return !computed && a != ir.Atom(i) && a != ir.Atom(outer)
	}
	fixed := func(a ir.Atom) bool { return defs.Uniform(a, outside) }
	found, same := false, true
	ir.Walk(b, func(s *ir.Stmt) {
		loop, ok := s.Op.(*ir.Loop)
		if !ok {
			return
		}
		same = same && loop.I != nil && fixed(loop.Lo) && fixed(loop.Hi)
		ir.Walk(loop.Body, func(s *ir.Stmt) {
			if read, ok := s.Op.(*ir.Index); ok && read.X.Type().Rank == 1 {
				at := step(defs, read.I, i)
				found = found || step(defs, read.I, outer) == still && still < at && at < unknown
			}
		})
	})
	return found && same
}

// strided reports whether a read in the body of an operator, or of a loop, whose index is i, is at a distance for i and
// at the next element for outer, the index of the operator around it.
func strided(b *ir.Block, i, outer *ir.Var, defs analysis.Defs) bool {
	found := false
	ir.Walk(b, func(s *ir.Stmt) {
		defs.Add(s)
		if read, ok := s.Op.(*ir.Index); ok && read.X.Type().Rank == 1 {
			apart := strides(step(defs, read.I, i))
			if row, ok := defs[read.X].(*ir.Index); ok { // one row behind the other
				moves := step(defs, row.I, i)
				apart = step(defs, read.I, i) == still && (moves == next || strides(moves)) && step(defs, row.I, outer) == still
			}
			found = found || apart && step(defs, read.I, outer) == next
		}
	})
	return found
}

// columnWork is how much work, in additions, a turn of a loop over rows does at most for which several vectors of
// columns share it: they stay in registers.
const columnWork = 8

// loopsOverRows reports whether the elements of a Map have one loop, of as many turns for all of them, that carries one
// value, does little and reads rows side by side. Four vectors of each of two values and of what they are made from are
// more than registers hold.
func loopsOverRows(m *ir.Map, defs analysis.Defs) bool {
	var all []*ir.Loop
	inside := map[ir.Atom]bool{m.I: true}
	ir.Walk(m.Body, func(s *ir.Stmt) {
		defs.Add(s)
		for _, d := range s.Dst {
			inside[d] = true
		}
		if loop, ok := s.Op.(*ir.Loop); ok {
			all = append(all, loop)
		}
	})
	if len(all) != 1 || all[0].I == nil || len(all[0].Params) != 1 || carriesSome(all[0]) {
		return false
	}
	loop := all[0]
	fixed := func(a ir.Atom) bool { return defs.Uniform(a, func(a ir.Atom) bool { return !inside[a] }) }
	return fixed(loop.Lo) && fixed(loop.Hi) && weigh(loop.Body) <= columnWork && strided(loop.Body, loop.I, m.I, defs)
}

// How far an index moves when another one moves by one: by one back, by a number up to mostApart, or else by a factor
// that is larger or not known.
const (
	back  = -1
	still = 0
	next  = 1
	// mostApart is the greatest distance of elements that vectors take apart: pairs, colours, quadruples.
	mostApart = 4
	distant   = mostApart + 1
	unknown   = mostApart + 2
)

// strides reports whether an index moves by more than one.
func strides(move int) bool { return next < move && move < unknown }

// step is how an index moves with i, one of the indices that have no definition.
func step(defs analysis.Defs, a ir.Atom, i *ir.Var) int {
	form, ok := analysis.Form{Defs: defs, Known: func(a ir.Atom) (analysis.Affine, bool) { return analysis.On(i), a == ir.Atom(i) }}.Affine(a)
	if !ok {
		return unknown
	}
	if len(form.Parts) == 0 {
		return still
	}
	c, constant := form.Factor(analysis.Index{V: i}).Constant()
	switch {
	case len(form.Parts) > 1 || form.Parts[0].Of.Fn != "" || constant && c < 0: // quotients and remainders stand still, and jump
		return unknown
	case constant && 0 < c && c <= mostApart:
		return int(c)
	}
	return distant
}

// stepOf is how x fn y moves where x and y move like that; a and b are their values where they are constants of up to
// mostApart, else 0.
func stepOf(fn ir.BinaryFn, x, y, a, b int) int {
	near := func(by int) int {
		if by < back {
			return unknown
		}
		return min(by, distant)
	}
	switch {
	case x == still && y == still:
		return still
	case x == unknown || y == unknown:
		return unknown
	case fn == ir.Add && (x == still || y == still), fn == ir.Sub && y == still:
		return x + y
	case fn == ir.Add && x < distant && y < distant:
		return near(x + y)
	case fn == ir.Sub && x < distant && y < distant:
		return near(x - y)
	case fn == ir.Mul && x == still && a > 0:
		return near(a * y)
	case fn == ir.Mul && y == still && b > 0:
		return near(b * x)
	case fn == ir.Mul && (x == still || y == still):
		return distant
	case fn == ir.Shl && y == still && b > 0:
		return near(x << b)
	}
	return unknown
}

// smallConst is a constant of up to mostApart, 0 for everything else.
func smallConst(a ir.Atom) int {
	if c, ok := a.(ir.Const); ok && c.Kind.IsInteger() && 0 < c.Int() && c.Int() <= mostApart {
		return int(c.Int())
	}
	return 0
}

// DotGather is the pattern Σ A[a+i] · X[Index[k+i]].
type DotGather struct {
	A, X, Index        *ir.Var
	AIndex, IndexIndex ir.Atom // the indices a+i and k+i
}

// MatchDotGather recognises the pattern in a reduction whose checks are made elsewhere.
func MatchDotGather(op *ir.Reduce) (*DotGather, bool) {
	if len(op.Init) != 1 || len(op.Comb.Body.Stmts) != 1 {
		return nil, false
	}
	add, ok := op.Comb.Body.Stmts[0].Op.(*ir.Binary)
	p := op.Comb.Params
	if !ok || add.Fn != ir.Add || !(add.X == p[0] && add.Y == p[1] || add.X == p[1] && add.Y == p[0]) {
		return nil, false
	}
	defs := analysis.Defs{}
	for _, s := range op.Body.Stmts {
		switch s.Op.(type) {
		case *ir.Binary, *ir.Convert, *ir.Index, *ir.Check:
		default:
			return nil, false
		}
		for _, d := range s.Dst {
			defs[d] = s.Op
		}
	}
	mul, ok := defs[op.Body.Results[0]].(*ir.Binary)
	if !ok || mul.Fn != ir.Mul || !mul.X.Type().Kind.IsFloat() {
		return nil, false
	}
	for _, pair := range [][2]ir.Atom{{mul.X, mul.Y}, {mul.Y, mul.X}} {
		a, ok1 := defs[pair[0]].(*ir.Index)
		x, ok2 := defs[pair[1]].(*ir.Index)
		if !ok1 || !ok2 || a.X.Type().Rank != 1 || x.X.Type().Rank != 1 {
			continue
		}
		k := x.I
		if c, ok := defs[k].(*ir.Convert); ok {
			k = c.X
		}
		idx, ok := defs[k].(*ir.Index)
		if !ok || idx.X.Type() != ir.Seq(ir.Int32) || !moves(defs, a.I, op.I) || !moves(defs, idx.I, op.I) {
			continue
		}
		return &DotGather{a.X.(*ir.Var), x.X.(*ir.Var), idx.X.(*ir.Var), a.I, idx.I}, true
	}
	return nil, false
}

// moves reports whether a is i or i plus something defined outside of the body.
func moves(defs analysis.Defs, a ir.Atom, i *ir.Var) bool {
	form, ok := analysis.Form{Defs: defs, Known: func(a ir.Atom) (analysis.Affine, bool) { return analysis.On(i), a == ir.Atom(i) }}.Affine(a)
	c, constant := form.Factor(analysis.Index{V: i}).Constant()
	return ok && len(form.Parts) == 1 && constant && c == 1 &&
		(len(form.Base) == 0 || len(form.Base) == 1 && form.Base[0].C == 1 && len(form.Base[0].Of) == 1 && defs[form.Base[0].Of[0]] == nil)
}

// TraitProducts marks a level whose reduction is a sum of products of two elements of sequences.
const TraitProducts = "products"

// MatchProducts returns the factors of a reduction that is Σ x·y of floating-point elements that its body reads and
// does nothing else with.
func MatchProducts(op *ir.Reduce) (x, y *ir.Index, ok bool) {
	if len(op.Init) != 1 || len(op.Comb.Body.Stmts) != 1 || !op.Init[0].Type().Kind.IsFloat() {
		return nil, nil, false
	}
	add, ok := op.Comb.Body.Stmts[0].Op.(*ir.Binary)
	p := op.Comb.Params
	if !ok || add.Fn != ir.Add || !(add.X == p[0] && add.Y == p[1] || add.X == p[1] && add.Y == p[0]) {
		return nil, nil, false
	}
	defs := analysis.Defs{}
	for _, s := range op.Body.Stmts {
		switch s.Op.(type) {
		case *ir.Binary, *ir.Convert, *ir.Index, *ir.Check, *ir.Len:
		default:
			return nil, nil, false
		}
		for _, d := range s.Dst {
			defs[d] = s.Op
		}
	}
	product, ok := defs[op.Body.Results[0]].(*ir.Binary)
	if !ok || product.Fn != ir.Mul {
		return nil, nil, false
	}
	x, okX := defs[product.X].(*ir.Index)
	y, okY := defs[product.Y].(*ir.Index)
	return x, y, okX && okY
}
