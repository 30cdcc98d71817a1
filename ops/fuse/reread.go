package fuse

import (
	"maps"
	"math"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// reread returns a loop that fills and one that accumulates, which reads what the first one has filled. It returns nil
// where that would need more than these elements, or do much of the first loop's work again.
func (p *parting) reread() []*ir.Stmt {
	sums := p.s.Clone(ir.Subst{}, p.names)
	loop := sums.Op.(*ir.Loop)
	inside := map[*ir.Var]bool{}
	r := &reader{names: p.names, final: map[*ir.Var]*ir.Var{}, own: map[place1]bool{}, consumed: map[ir.Atom]bool{}, ends: map[*ir.Var]*ir.Var{}}
	made := map[*ir.Var]*ir.Stmt{}
	ends := map[*ir.Stmt]*ir.Var{}
	for i, v := range loop.Params {
		inside[v] = isArray(v)
		if isArray(v) {
			made[v] = p.allocs[p.s.Dst[i]]
			ends[made[v]] = p.s.Dst[i]
		}
	}
	newVersions(loop.Body, made)
	for v, of := range made {
		r.ends[v] = ends[of]
	}
	ir.Walk(loop.Body, func(s *ir.Stmt) {
		for _, v := range slices.Concat(s.Dst, ir.Bound(s.Op)) {
			inside[v] = true
		}
		switch op := s.Op.(type) {
		case *ir.Update:
			r.consumed[op.X] = true
		case *ir.Loop:
			for _, a := range op.Init {
				r.consumed[a] = true
			}
		}
	})
	for i, v := range loop.Params {
		if isArray(v) {
			r.end(loop.Body.Results[i], p.s.Dst[i])
		}
	}
	r.finals(loop.Body, analysis.Of(loop.Body))
	r.block(loop.Body, ir.Subst{})
	sums.Dst, loop.Params, loop.Init, loop.Body.Results = r.scalars(p.s.Dst, loop.Params, loop.Init, loop.Body.Results)
	only := map[*ir.Var]bool{}
	for _, d := range sums.Dst {
		only[d] = true
	}
	p.leaveChecks(loop.Body)
	prune(sums, maps.Clone(only))
	p.leaveChecks(loop.Body) // of reads that only checks had
	prune(sums, only)
	again, cheap := weigh(loop.Body), rereadCost*math.Pow(guessedTurns, float64(carryDepth(loop)))
	if again > cheap && again > p.work/4 || p.ordered && again > p.work/2 {
		return nil
	}
	for _, v := range ir.Free(loop.Body) {
		if inside[v] { // an element before it was updated
			return nil
		}
	}
	return []*ir.Stmt{p.part(isArray), sums}
}

// carryDepth returns how many loops inside of one, each in the other, go on with what it carries.
func carryDepth(loop *ir.Loop) (depth int) {
	ir.Walk(loop.Body, func(s *ir.Stmt) {
		inner, ok := s.Op.(*ir.Loop)
		if ok && slices.ContainsFunc(inner.Init, func(a ir.Atom) bool {
			return slices.ContainsFunc(loop.Params, func(p *ir.Var) bool { return a == ir.Atom(p) })
		}) {
			depth = max(depth, 1+carryDepth(inner))
		}
	})
	return depth
}

// leaveChecks leaves of the checks of a block those of what it reads itself: the loop before it has made all.
func (p *parting) leaveChecks(b *ir.Block) {
	read := map[ir.Atom][]ir.Atom{} // index → arrays that are read there
	of := map[ir.Atom]ir.Atom{}     // length → the array that has it
	ir.Walk(b, func(s *ir.Stmt) {
		if op, ok := s.Op.(*ir.Index); ok {
			read[op.I] = append(read[op.I], op.X)
		}
	})
	for _, all := range []*ir.Block{p.f.Body, b} {
		ir.Walk(all, func(s *ir.Stmt) {
			if op, ok := s.Op.(*ir.Len); ok {
				of[s.Dst[0]] = op.X
			}
		})
	}
	needed := func(c *ir.Check) bool {
		arrays, x := read[c.Args[0]], of[c.Args[1]]
		return len(arrays) > 0 && (x == nil || slices.Contains(arrays, x))
	}
	drop := map[*ir.Stmt]bool{}
	ir.Walk(b, func(s *ir.Stmt) {
		c, ok := s.Op.(*ir.Check)
		drop[s] = ok && (c.Kind == ir.CheckPanic || c.Kind == ir.CheckIndex && !needed(c))
	})
	b.Stmts = leaveOut(b, drop).Stmts
}

// place1 is an element of an array.
type place1 struct {
	array *ir.Var
	index ir.Atom
}

// reader rewrites the body of a loop to one that does not update arrays, but reads what they have in the end.
type reader struct {
	names    *ir.Namer
	ends     map[*ir.Var]*ir.Var // versions of arrays → what is left of the loop
	final    map[*ir.Var]*ir.Var // versions that a turn does not change any more → what is left of the loop
	own      map[place1]bool     // the elements that a turn updates
	consumed map[ir.Atom]bool    // versions that an update or a loop goes on with
}

// end notes that a version stays as it is, if nothing updates it.
func (r *reader) end(a ir.Atom, end *ir.Var) {
	if v, ok := a.(*ir.Var); ok && !r.consumed[v] {
		r.final[v] = end
	}
}

// finals finds the versions inside of blocks that stay as they are to the end: each turn of a loop inside updates other
// elements, and what one branch leaves as it is the other one does not update.
func (r *reader) finals(b *ir.Block, defs analysis.Defs) {
	for at := len(b.Stmts) - 1; at >= 0; at-- {
		s := b.Stmts[at]
		for i, d := range s.Dst {
			end := r.final[d]
			if end == nil {
				continue
			}
			var bodies []*ir.Block
			switch op := s.Op.(type) {
			case *ir.Loop:
				if advances(op, defs) {
					bodies = []*ir.Block{op.Body}
				}
			case *ir.If:
				bodies = []*ir.Block{op.Then, op.Else}
			}
			for _, c := range bodies {
				r.end(c.Results[i], end)
			}
		}
		for _, c := range ir.Blocks(s.Op) {
			r.finals(c, defs)
		}
	}
}

// advances reports whether all updates in a counted loop are of other elements in each turn.
func advances(loop *ir.Loop, defs analysis.Defs) bool {
	ok := loop.I != nil
	form := analysis.Form{Defs: defs, Known: func(a ir.Atom) (analysis.Affine, bool) { return analysis.On(a), ok && a == ir.Atom(loop.I) }}
	ir.Walk(loop.Body, func(s *ir.Stmt) {
		if op, update := s.Op.(*ir.Update); update && ok {
			at, known := form.Affine(op.I)
			c, constant := at.Factor(analysis.Index{V: loop.I}).Constant()
			ok = known && constant && c != 0
		}
	})
	return ok
}

// scalars leaves out what is an array.
func (r *reader) scalars(dst, params []*ir.Var, init, results []ir.Atom) (d, p []*ir.Var, i, res []ir.Atom) {
	for k, v := range dst {
		if isScalar(v) {
			d = append(d, v)
			if params != nil {
				p, i = append(p, params[k]), append(i, init[k])
			}
			res = append(res, results[k])
		}
	}
	return d, p, i, res
}

func (r *reader) block(b *ir.Block, sub ir.Subst) {
	var kept []*ir.Stmt
	for _, s := range b.Stmts {
		for _, a := range ir.Operands(s.Op) {
			*a = sub.Atom(*a)
		}
		switch op := s.Op.(type) {
		case *ir.Update:
			end := r.final[s.Dst[0]]
			r.own[place1{r.ends[s.Dst[0]], op.I}] = true
			if v, ok := op.Value.(*ir.Var); ok && end != nil {
				x := r.names.Var(v.Name, v.T)
				kept = append(kept, &ir.Stmt{Dst: []*ir.Var{x}, Op: &ir.Index{X: end, I: op.I}, Pos: s.Pos})
				sub[v] = x
			}
			continue
		case *ir.Index:
			if v, ok := op.X.(*ir.Var); ok && r.final[v] != nil && r.own[place1{r.final[v], op.I}] {
				op.X = r.final[v]
			}
		case *ir.Loop:
			r.block(op.Body, maps.Clone(sub))
			s.Dst, op.Params, op.Init, op.Body.Results = r.scalars(s.Dst, op.Params, op.Init, op.Body.Results)
		case *ir.If:
			r.block(op.Then, maps.Clone(sub))
			r.block(op.Else, maps.Clone(sub))
			dst := s.Dst
			s.Dst, _, _, op.Then.Results = r.scalars(dst, nil, nil, op.Then.Results)
			_, _, _, op.Else.Results = r.scalars(dst, nil, nil, op.Else.Results)
		}
		kept = append(kept, s)
	}
	b.Stmts = kept
	for i := range b.Results {
		b.Results[i] = sub.Atom(b.Results[i])
	}
}
