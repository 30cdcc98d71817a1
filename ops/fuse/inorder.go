package fuse

import (
	"fmt"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// InOrder is a loop at the top level, or in the turns of such a loop, that runs in the order of the source.
type InOrder struct {
	Pos ir.Pos
	Why string // which dependence keeps its turns in order, and where
}

// String returns a line for people.
func (o InOrder) String() string {
	return fmt.Sprintf("The loop at %s runs in order: %s", o.Pos, o.Why)
}

// loopsInOrder returns the loops that no pass before has made operators of.
func loopsInOrder(f *ir.Func) []InOrder {
	f = f.Clone() // what looks into a loop rewrites it
	names := ir.NewNamer(f)
	lengths(f)
	simplify(f)
	hoist(f, names)
	simplify(f)
	r := &reducer{names: names, defs: analysis.Of(f.Body), arrays: lifetimesOf(f.Body), made: madeOf(f), floats: true}
	var all []InOrder
	var block func(b *ir.Block)
	block = func(b *ir.Block) {
		for _, s := range b.Stmts {
			switch op := s.Op.(type) {
			case *ir.If:
				block(op.Then)
				block(op.Else)
			case *ir.Loop:
				if holdsOperators(op) {
					block(op.Body)
				} else if why := r.why(s, op, f.Reassociate); why != "" {
					all = append(all, InOrder{s.Pos, why})
				}
			}
		}
	}
	block(f.Body)
	return all
}

// stillInOrder returns those of the loops of which later passes have made nothing parallel.
func stillInOrder(f *ir.Func, loops []InOrder) []InOrder {
	left, apart, divided := map[ir.Pos]bool{}, map[ir.Pos]bool{}, map[ir.Pos]bool{}
	ir.Walk(f.Body, func(s *ir.Stmt) {
		switch op := s.Op.(type) {
		case *ir.Loop:
			left[s.Pos] = left[s.Pos] || !holdsOperators(op)
			apart[s.Pos] = apart[s.Pos] || op.Independent
		case *ir.Map:
			divided[s.Pos] = !ir.IsInt(op.N, 1)
		}
	})
	for i, o := range loops {
		if divided[o.Pos] {
			loops[i].Why = "what it accumulates does, but its turns leave the rest of their work to a Map before it (" + o.Why + ")"
		}
	}
	return slices.DeleteFunc(loops, func(o InOrder) bool { return !left[o.Pos] || apart[o.Pos] })
}

// why says why a loop is no operator; "" for one of few turns.
func (r *reducer) why(s *ir.Stmt, loop *ir.Loop, permitted bool) string {
	if loop.I == nil {
		return "whether there is one more turn depends on what the turns before have computed"
	}
	_, lo := loop.Lo.(ir.Const)
	_, hi := loop.Hi.(ir.Const)
	if lo && hi || len(loop.Params) == 0 {
		return ""
	}
	_, places := r.scattered(loop)
	arrays := carriesSome(loop)
	conditions(emitter{r: &resolver{names: r.names, defs: map[*ir.Var]*ir.Stmt{}}}, loop.Body, map[ir.Atom]*ir.Binary{})
	dropDead(loop.Body)
	a := accumulation{floats: true, of: map[ir.Atom]int{}, by: make([]ir.BinaryFn, len(loop.Params))}
	floats := false
	var sum *ir.Var
	for i, p := range loop.Params {
		floats = floats || p.T.Kind.IsFloat()
		if p.T.Rank == 0 {
			a.of[p] = i
			sum = p
		}
	}
	scalars := a.find(loop.Body)
	for i, v := range loop.Body.Results {
		if at, ok := a.of[v]; loop.Params[i].T.Rank == 0 && (!ok || at != i) {
			scalars = false
		}
	}
	switch {
	case scalars && (places || !arrays) && floats && !permitted:
		return "floats are added or multiplied in the order of the source; the line //surge:reassociate below //surge:kernel permits any order"
	case scalars && (places || !arrays) && !r.counts(loop, atTop):
		return "it has as many turns as a number says, between which nothing could stop it; one that goes to the length of a slice from a constant can be parallel"
	case scalars && places && !r.arrays.last(s):
		return "what it accumulates into is updated again behind it"
	case scalars && arrays && sum != nil && !places:
		return fmt.Sprintf("it accumulates %s (%s) and assigns elements in the same turns; a loop for each may be parallel", sourceName(sum), firstUse(loop, sum))
	case !scalars:
		for i, p := range loop.Params {
			if at := firstUse(loop, p); p.T.Rank == 0 && at.IsValid() && loop.Body.Results[i] != ir.Atom(p) {
				return fmt.Sprintf("a turn needs %s of the turn before (%s)", sourceName(p), at)
			}
		}
	}
	return r.dependence(loop)
}

// dependence names an element that one turn may read or assign and another one assigns.
func (r *reducer) dependence(loop *ir.Loop) string {
	var reads, updates []*ir.Stmt
	carried := map[*ir.Stmt]bool{}
	for _, p := range loop.Params {
		carried[r.arrays.allocs[p]] = p.T.Rank > 0
	}
	at := map[ir.Atom]bool{}
	ir.Walk(loop.Body, func(s *ir.Stmt) {
		switch op := s.Op.(type) {
		case *ir.Index:
			if v, _ := op.X.(*ir.Var); r.arrays.allocs[v] != nil && carried[r.arrays.allocs[v]] {
				reads = append(reads, s)
			}
		case *ir.Update:
			if v, _ := op.X.(*ir.Var); r.arrays.allocs[v] != nil && carried[r.arrays.allocs[v]] {
				updates = append(updates, s)
				at[op.I] = true
			}
		}
	})
	elsewhere := func(s *ir.Stmt) bool { return !at[s.Op.(*ir.Index).I] }
	if len(updates) == 0 || len(at) == 1 && r.own(updates[0].Op.(*ir.Update).I, loop) && !slices.ContainsFunc(reads, elsewhere) {
		return "" // the reason is another statement, which keeps the arrays where they are
	}
	into := updates[0]
	for _, s := range reads {
		v := s.Op.(*ir.Index).X.(*ir.Var)
		if !elsewhere(s) {
			continue
		}
		for _, u := range updates {
			if r.arrays.allocs[u.Dst[0]] == r.arrays.allocs[v] {
				into = u
			}
		}
		return fmt.Sprintf("a turn may read an element of %s (%s) that another one assigns (%s)", sourceName(v), s.Pos, into.Pos)
	}
	return fmt.Sprintf("two turns may assign the same element of %s (%s)", sourceName(into.Dst[0]), into.Pos)
}

// own reports whether an element is another one in each turn: the index, or some times it, and what is fixed.
func (r *reducer) own(i ir.Atom, loop *ir.Loop) bool {
	b, ok := r.defs[i].(*ir.Binary)
	switch {
	case i == ir.Atom(loop.I):
		return true
	case !ok:
		return false
	case b.Fn == ir.Mul:
		c, isConst := b.Y.(ir.Const)
		return isConst && c.Int() != 0 && r.own(b.X, loop)
	}
	return (b.Fn == ir.Add || b.Fn == ir.Sub) && (r.own(b.X, loop) && r.fixed(b.Y, loop) || r.fixed(b.X, loop) && r.own(b.Y, loop))
}

// fixed reports whether a value comes from outside of a loop.
func (r *reducer) fixed(a ir.Atom, loop *ir.Loop) bool {
	v, ok := a.(*ir.Var)
	return !ok || v != loop.I && slices.Contains(ir.Free(loop.Body), v) && !slices.Contains(loop.Params, v)
}

// sourceName is the name of a variable without the number behind it.
func sourceName(v *ir.Var) string {
	name, _, _ := strings.Cut(v.Name, ".")
	return name
}

// firstUse is where a loop first uses what it carries.
func firstUse(loop *ir.Loop, p *ir.Var) ir.Pos {
	var at ir.Pos
	ir.Walk(loop.Body, func(s *ir.Stmt) {
		for _, a := range ir.Operands(s.Op) {
			if *a == ir.Atom(p) && !at.IsValid() {
				at = s.Pos
			}
		}
	})
	return at
}
