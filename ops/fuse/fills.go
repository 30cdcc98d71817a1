package fuse

import (
	"maps"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// fills makes Maps of the loops at the top level, and in the turns of loops there, that fill arrays: of a counted loop
// whose turns each read and update one element of the arrays that it carries, another one in each turn,
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
	names    *ir.Namer
	allocs   map[*ir.Var]*ir.Stmt // what made the arrays that are updated in place
	consumed map[*ir.Var]bool     // the versions of them that something updates or carries further
	defs     analysis.Defs        // of the whole function
	given    map[ir.Atom]bool     // parameters, and lengths of them
	arrays   map[*ir.Stmt]bool    // those that become results of Maps
	nests    map[*ir.Stmt]*nest   // the loops that become Maps
	hoister  *hoister             // says what cannot fail
	checked  map[ir.Atom]bool     // what checks before the statement at hand have found not to be negative
}

// host visits the statements at the top level, and those in conditions and loops there.
func host(b *ir.Block, visit func(s *ir.Stmt)) {
	for _, s := range b.Stmts {
		visit(s)
		if controls(s) {
			for _, c := range ir.Blocks(s.Op) {
				host(c, visit)
			}
		}
	}
}

// controls reports whether a statement is a condition or a loop.
func controls(s *ir.Stmt) bool {
	switch s.Op.(type) {
	case *ir.If, *ir.Loop:
		return true
	}
	return false
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
	fl := &filler{names: names, allocs: versions(f.Body), defs: analysis.Of(f.Body), arrays: map[*ir.Stmt]bool{}, nests: map[*ir.Stmt]*nest{}, given: map[ir.Atom]bool{}}
	fl.hoister = &hoister{positive: positives(f.Body)}
	for _, p := range f.Params {
		fl.given[p] = true
	}
	host(f.Body, func(s *ir.Stmt) {
		if op, ok := s.Op.(*ir.Len); ok && fl.given[op.X] {
			fl.given[s.Dst[0]] = true
		}
		if _, ok := s.Op.(*ir.Alloc); ok && sized(s) {
			fl.arrays[s] = true
		}
	})
	fl.consumed = consumes(f.Body)
	for changed := true; changed; {
		before := len(fl.arrays)
		filled := map[*ir.Stmt]bool{}
		fl.checked = map[ir.Atom]bool{}
		fl.settle(f.Body, filled)
		for array := range fl.arrays {
			if !filled[array] {
				delete(fl.arrays, array)
			}
		}
		changed = len(fl.arrays) < before
	}
	return fl
}

// consumes returns the versions of arrays that something updates or carries further.
func consumes(b *ir.Block) map[*ir.Var]bool {
	used := map[*ir.Var]bool{}
	ir.Walk(b, func(s *ir.Stmt) {
		switch op := s.Op.(type) {
		case *ir.Update:
			mark(used, op.X)
		case *ir.Grow:
			mark(used, op.X)
		case *ir.Loop:
			for _, a := range slices.Concat(op.Init, op.Body.Results) {
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

// settle takes the arrays back that the statements of a block update in another way than Maps can, and notes in filled
// those that a loop fills.
func (fl *filler) settle(b *ir.Block, filled map[*ir.Stmt]bool) {
	outside := fl.checked
	fl.checked = maps.Clone(outside)
	defer func() { fl.checked = outside }()
	for _, s := range b.Stmts {
		switch op := s.Op.(type) {
		case *ir.Check:
			if op.Kind == ir.CheckNonneg {
				fl.checked[op.Args[0]] = true
			}
		case *ir.If:
			fl.settle(op.Then, filled)
			fl.settle(op.Else, filled)
		case *ir.Loop:
			fl.settleLoop(s, op, filled)
		}
	}
}

func (fl *filler) settleLoop(s *ir.Stmt, loop *ir.Loop, filled map[*ir.Stmt]bool) {
	carried := map[*ir.Stmt]bool{}
	for _, p := range loop.Params {
		if a := fl.allocs[p]; fl.arrays[a] {
			carried[a] = true
		}
	}
	if len(carried) == 0 {
		fl.settle(loop.Body, filled) // a turn may make arrays and fill them
		return
	}
	if fl.fillsArrays(s, loop) {
		maps.Copy(filled, carried)
		return
	}
	if fl.steps(loop, carried) {
		fl.settle(loop.Body, filled)
		return
	}
	for a := range carried {
		delete(fl.arrays, a)
	}
}

// fillsArrays reports whether a loop becomes a Map.
func (fl *filler) fillsArrays(s *ir.Stmt, loop *ir.Loop) bool {
	if !carriesArrays(loop, func(p *ir.Var) bool { return fl.arrays[fl.allocs[p]] }) {
		return false
	}
	if _, ok := fl.nests[s]; !ok {
		fl.nests[s] = fl.nest(loop)
	}
	return fl.nests[s] != nil && !slices.ContainsFunc(ir.Free(loop.Body), func(v *ir.Var) bool {
		a := fl.allocs[v]
		return a != nil && !fl.arrays[a] && fl.consumed[v] // an array that a Map reads is not updated any more
	})
}

// steps reports whether each turn of a loop computes all of an array that it carries, but for some elements at the
// ends, and reads elements of an array that it carries to compute another one, as the steps of a simulation do: the
// loop stays, and has Maps inside. A loop in its turns may do so in its place, as the stages of a step.
func (fl *filler) steps(loop *ir.Loop, carried map[*ir.Stmt]bool) bool {
	whole, reads := map[*ir.Stmt]bool{}, false
	for _, s := range loop.Body.Stmts {
		inner, ok := s.Op.(*ir.Loop)
		if !ok {
			continue
		}
		own := map[*ir.Stmt]bool{}
		for _, p := range inner.Params {
			if a := fl.allocs[p]; a != nil {
				own[a] = true
			}
		}
		if !fl.fillsArrays(s, inner) {
			if len(own) > 0 && fl.steps(inner, own) {
				maps.Copy(whole, own)
				reads = true
			}
			continue
		}
		if p := fl.nests[s].rowPlace(); p != nil && p.rows == nil { // they would be put together one after the other
			return false
		}
		for a := range own {
			whole[a] = whole[a] || fl.nests[s].most
		}
		reads = reads || slices.ContainsFunc(ir.Free(inner.Body), func(v *ir.Var) bool { return carried[fl.allocs[v]] && !own[fl.allocs[v]] })
	}
	for a := range carried {
		if !whole[a] {
			return false
		}
	}
	return reads
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

// lengths puts the length that an array was made with, and that of a slice where its ends say it, in place of what asks
// for it, and sizes that are not negative in place of the greater one of them and 0.
func lengths(f *ir.Func) {
	allocs, sub, defs := versions(f.Body), ir.Subst{}, analysis.Of(f.Body)
	ir.Walk(f.Body, func(s *ir.Stmt) {
		switch op := s.Op.(type) {
		case *ir.Len:
			if v, _ := op.X.(*ir.Var); allocs[v] != nil {
				sub[s.Dst[0]] = length(allocs[v])
			} else if slice, ok := defs[op.X].(*ir.View); ok && slice.Fn == ir.Slice {
				put(sub, s.Dst[0], between(defs, slice.Args[1], slice.Args[2]))
			}
		case *ir.Binary: // the length of a part that has no name
			if op.Fn == ir.Sub && s.Dst[0].T == tInt {
				put(sub, s.Dst[0], between(defs, op.Y, op.X))
			}
		}
	})
	substitute(f.Body, sub)
	sameLengths(f.Body)
}

// put notes what stands for v, unless that is nil.
func put(sub ir.Subst, v *ir.Var, a ir.Atom) {
	if a != nil {
		sub[v] = a
	}
}

// between returns the difference of two ints if it is a constant or one value, as that of i*w and (i+1)*w is; nil for
// others.
func between(defs analysis.Defs, lo, hi ir.Atom) ir.Atom {
	if ir.IsInt(lo, 0) {
		return hi
	}
	switch n := expanded(defs, hi).Minus(expanded(defs, lo)); {
	case len(n) == 1 && len(n[0].Of) == 0:
		return ir.IntConst(ir.Int, n[0].C)
	case len(n) == 1 && n[0].C == 1 && len(n[0].Of) == 1:
		return n[0].Of[0]
	}
	return nil
}

// expanded returns a value as a sum of products of what no addition, subtraction or multiplication yields, or lies
// behind many of them.
func expanded(defs analysis.Defs, a ir.Atom) analysis.Sum { return expandedTo(8, defs, a) }

func expandedTo(depth int, defs analysis.Defs, a ir.Atom) analysis.Sum {
	b, ok := defs[a].(*ir.Binary)
	if !ok || a.Type() != tInt || depth == 0 {
		return analysis.Outside(a).Base
	}
	of := func(a ir.Atom) analysis.Affine { return analysis.Affine{Base: expandedTo(depth-1, defs, a)} }
	switch b.Fn {
	case ir.Add:
		return of(b.X).Base.Plus(of(b.Y).Base)
	case ir.Sub:
		return of(b.X).Base.Minus(of(b.Y).Base)
	case ir.Mul:
		return of(b.X).Times(of(b.Y).Base).Base
	}
	return analysis.Outside(a).Base
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
		case *ir.Map: // a copy for one branch to yield, of what is not updated any more
			if x := copied(op); x != nil && fl.arrays[fl.allocs[x]] && op.N == length(fl.allocs[x]) {
				sub[s.Dst[0]] = sub.Atom(x)
				continue
			}
		case *ir.Loop:
			if n := fl.nests[s]; n != nil && fl.arrays[fl.allocs[op.Params[0]]] {
				substitute(op.Body, sub)
				n.emit(e, op.Init, func(i int, x *ir.Var) { sub[s.Dst[i]] = x })
				continue
			}
		}
		for _, c := range ir.Blocks(s.Op) {
			if controls(s) {
				fl.rewrite(c, sub)
			} else {
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
