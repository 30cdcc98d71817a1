package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// fills makes Maps of the loops at the top level that fill arrays: of a counted loop whose turns each read and update
// one element of the arrays that it carries, another one in each turn,
//
//	z = alloc n
//	z' = loop (z1) init z for i = lo to hi { …; z2 = update z1 i x; yield z2 }
//
// becomes
//
//	z = replicate 0 n
//	z' = map k < n { e = index z k; y = if lo <= k && k < hi { …; x } else { e }; yield y }
//
// and of two such loops, where the element is i·w + j, a Map of Maps: see [nest]. An update of one element is a loop of
// one turn. An array changes as a whole or not at all: one that another statement updates as well stays an array.
func fills(f *ir.Func, names *ir.Namer) {
	if !hasFills(f) {
		return
	}
	g := f.Clone()
	lengths(g)
	simplify(g)
	hoist(g, names)
	simplify(g)
	fl := newFiller(g, names)
	if len(fl.arrays) == 0 {
		return
	}
	fl.rewrite(g.Body, ir.Subst{})
	*f = *g
}

// filler turns the arrays of one function into results of Maps.
type filler struct {
	names  *ir.Namer
	allocs map[*ir.Var]*ir.Stmt // what made the arrays that are updated in place
	defs   analysis.Defs        // of the whole function
	arrays map[*ir.Stmt]bool    // those that become results of Maps
	nests  map[*ir.Stmt]*nest   // the loops that become Maps
}

// host visits the statements at the top level, and those under conditions there.
func host(b *ir.Block, visit func(s *ir.Stmt)) {
	for _, s := range b.Stmts {
		visit(s)
		if _, ok := s.Op.(*ir.If); ok {
			for _, c := range ir.Blocks(s.Op) {
				host(c, visit)
			}
		}
	}
}

// hasFills reports whether a loop at the top level may fill an array whose length is no constant.
func hasFills(f *ir.Func) bool {
	allocs, found := ir.Allocs(f.Body), false
	host(f.Body, func(s *ir.Stmt) {
		if loop, ok := s.Op.(*ir.Loop); ok {
			found = found || carriesArrays(loop, func(p *ir.Var) bool { return sized(allocs[p]) })
		}
	})
	return found
}

// carriesArrays reports whether a counted loop carries nothing but arrays of which ok is true.
func carriesArrays(loop *ir.Loop, ok func(p *ir.Var) bool) bool {
	return loop.I != nil && len(loop.Params) > 0 && !slices.ContainsFunc(loop.Params, func(p *ir.Var) bool { return p.T.Rank != 1 || !ok(p) })
}

// sized reports whether an array has a length that only the run knows: others are registers, or tables.
func sized(alloc *ir.Stmt) bool {
	if alloc == nil {
		return false
	}
	_, isVar := alloc.Op.(*ir.Alloc).N.(*ir.Var)
	return isVar
}

func newFiller(f *ir.Func, names *ir.Namer) *filler {
	fl := &filler{names: names, allocs: versions(f.Body), defs: analysis.Of(f.Body), arrays: map[*ir.Stmt]bool{}, nests: map[*ir.Stmt]*nest{}}
	host(f.Body, func(s *ir.Stmt) {
		if _, ok := s.Op.(*ir.Alloc); ok && sized(s) {
			fl.arrays[s] = true
		}
	})
	consumed := fl.consumed(f.Body)
	for changed := true; changed; {
		before := len(fl.arrays)
		filled := map[*ir.Stmt]bool{}
		host(f.Body, func(s *ir.Stmt) { fl.settle(s, consumed, filled) })
		for array := range fl.arrays {
			if !filled[array] {
				delete(fl.arrays, array)
			}
		}
		changed = len(fl.arrays) < before
	}
	return fl
}

// consumed are the versions of arrays that something updates or carries further.
func (fl *filler) consumed(b *ir.Block) map[*ir.Var]bool {
	used := map[*ir.Var]bool{}
	ir.Walk(b, func(s *ir.Stmt) {
		switch op := s.Op.(type) {
		case *ir.Update:
			mark(used, op.X)
		case *ir.Loop:
			for _, a := range op.Init {
				mark(used, a)
			}
		case *ir.If:
			for _, c := range ir.Blocks(op) {
				for _, a := range c.Results {
					mark(used, a)
				}
			}
		}
	})
	return used
}

// settle takes the arrays back that s, at the top level, updates in another way than a Map can, and notes in filled
// those that a loop fills.
func (fl *filler) settle(s *ir.Stmt, consumed map[*ir.Var]bool, filled map[*ir.Stmt]bool) {
	loop, ok := s.Op.(*ir.Loop)
	if !ok {
		return
	}
	var carried []*ir.Stmt
	ir.Walk(&ir.Block{Stmts: []*ir.Stmt{s}}, func(t *ir.Stmt) {
		if l, ok := t.Op.(*ir.Loop); ok {
			for _, p := range l.Params {
				if a := fl.allocs[p]; fl.arrays[a] {
					carried = append(carried, a)
				}
			}
		}
	})
	if len(carried) == 0 {
		return
	}
	ours := carriesArrays(loop, func(p *ir.Var) bool { return fl.arrays[fl.allocs[p]] })
	if ours {
		if fl.nests[s] == nil {
			fl.nests[s] = fl.nest(loop)
		}
		ours = fl.nests[s] != nil
		for _, v := range ir.Free(loop.Body) { // an array that a Map reads is not updated any more
			if a := fl.allocs[v]; a != nil && !fl.arrays[a] && consumed[v] {
				ours = false
			}
		}
	}
	for _, a := range carried {
		if ours {
			filled[a] = true
		} else {
			delete(fl.arrays, a)
		}
	}
}

// versions is [ir.Allocs] without what is one array or another: that is a version of neither.
func versions(b *ir.Block) map[*ir.Var]*ir.Stmt {
	allocs := ir.Allocs(b)
	ir.Walk(b, func(s *ir.Stmt) {
		if op, ok := s.Op.(*ir.If); ok {
			for i, d := range s.Dst {
				x, _ := op.Then.Results[i].(*ir.Var)
				y, _ := op.Else.Results[i].(*ir.Var)
				if allocs[x] != allocs[y] {
					delete(allocs, d)
				}
			}
		}
	})
	return allocs
}

// lengths puts the length that an array was made with in place of what asks for it.
func lengths(f *ir.Func) {
	allocs, sub := versions(f.Body), ir.Subst{}
	ir.Walk(f.Body, func(s *ir.Stmt) {
		if op, ok := s.Op.(*ir.Len); ok {
			if v, _ := op.X.(*ir.Var); allocs[v] != nil {
				sub[s.Dst[0]] = length(allocs[v])
			}
		}
	})
	substitute(f.Body, sub)
}

// length returns the length of an array.
func length(alloc *ir.Stmt) ir.Atom { return alloc.Op.(*ir.Alloc).N }

// rewrite puts Maps into a block of the top level. sub is what stands for the versions of arrays, and their lengths.
func (fl *filler) rewrite(b *ir.Block, sub ir.Subst) {
	stmts := b.Stmts
	b.Stmts = nil
	for _, s := range stmts {
		for _, a := range ir.Operands(s.Op) {
			*a = sub.Atom(*a)
		}
		e := emitter{&resolver{names: fl.names, defs: map[*ir.Var]*ir.Stmt{}}, &b.Stmts, s.Pos}
		switch op := s.Op.(type) {
		case *ir.Alloc:
			if fl.arrays[s] {
				e.stmt(&ir.View{Fn: ir.Replicate, Args: []ir.Atom{zero(op.Kind), op.N}}, s.Dst[0])
				continue
			}
		case *ir.Update:
			if array := fl.allocs[s.Dst[0]]; fl.arrays[array] {
				sub[s.Dst[0]] = fl.update(e, s.Dst[0], op, length(array))
				continue
			}
		case *ir.Loop:
			if n := fl.nests[s]; n != nil && fl.arrays[fl.allocs[op.Params[0]]] {
				substitute(op.Body, sub)
				n.emit(e, op.Init, func(i int, x *ir.Var) { sub[s.Dst[i]] = x })
				continue
			}
		}
		if _, ok := s.Op.(*ir.If); ok {
			for _, c := range ir.Blocks(s.Op) {
				fl.rewrite(c, sub)
			}
		} else {
			for _, c := range ir.Blocks(s.Op) {
				substitute(c, sub)
			}
		}
		b.Stmts = append(b.Stmts, s)
	}
	for i := range b.Results {
		b.Results[i] = sub.Atom(b.Results[i])
	}
}

// update is an array of n elements with one of them replaced.
func (fl *filler) update(e emitter, like *ir.Var, op *ir.Update, n ir.Atom) *ir.Var {
	body, k := &ir.Block{}, fl.names.Var("k", tInt)
	in := emitter{e.r, &body.Stmts, e.pos}
	old := in.let(elementName(like), like.T.Elem(), &ir.Index{X: op.X, I: k})
	body.Results = []ir.Atom{in.let("x", old.T, &ir.Select{Cond: in.bin(ir.Eq, "here", k, op.I), X: op.Value, Y: old})}
	return e.let(like.Name, like.T, &ir.Map{N: n, I: k, Body: body})
}
