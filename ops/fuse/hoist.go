package fuse

import (
	"maps"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// hoist moves what does not change from one iteration to the next out of operators and loops. Arithmetic that cannot
// fail moves as it is. A read of an array, and a loop of arithmetic, which may take long, move into a guard with the
// checks before them, so that they still happen only if there is an iteration and nothing fails before them:
// `x = if 0 < n { check…; index… } else { 0 }`. A short loop leaves the checks where they are: it ends whatever
// they would find, and moved they would come before those of other operators.
func hoist(f *ir.Func, names *ir.Namer) {
	newHoister(f, names).block(f.Body)
}

func newHoister(f *ir.Func, names *ir.Namer) *hoister {
	return &hoister{names: names, nonzero: map[ir.Atom]bool{}, positive: positives(f.Body), shorts: shorts(f.Body), fixed: fixed(f)}
}

// fixed are the flat arrays of integers that nothing updates: places to read and to update come of them. Floats that
// are read again and again would take registers all through their loop.
func fixed(f *ir.Func) map[ir.Atom]bool {
	all := map[ir.Atom]bool{}
	integers := func(v *ir.Var) bool { return v.T.Rank == 1 && v.T.Kind.IsInteger() }
	for _, p := range f.Params {
		all[p] = integers(p)
	}
	ir.Walk(f.Body, func(s *ir.Stmt) {
		if indexOf(s.Op) != nil {
			for _, d := range s.Dst {
				all[d] = integers(d)
			}
		}
	})
	for v := range consumes(f.Body) {
		delete(all, v)
	}
	return all
}

// shortLoop is how many turns a short loop of arithmetic makes at most.
const shortLoop = 64

// isShort reports whether an atom is a constant that is no more than shortLoop.
func isShort(a ir.Atom) bool {
	c, ok := a.(ir.Const)
	return ok && c.Kind == ir.Int && c.Int() <= shortLoop
}

// shorts are the ints of a block that are chosen from constants of which none is more than shortLoop.
func shorts(b *ir.Block) map[ir.Atom]bool {
	all := map[ir.Atom]bool{}
	ir.Walk(b, func(s *ir.Stmt) {
		if op, ok := s.Op.(*ir.Select); ok && isShort(op.X) && isShort(op.Y) {
			all[s.Dst[0]] = true
		}
	})
	return all
}

// positives are the ints of a block that are the greater one of something and a positive constant.
func positives(b *ir.Block) map[ir.Atom]bool {
	all := map[ir.Atom]bool{}
	ir.Walk(b, func(s *ir.Stmt) {
		if op, ok := s.Op.(*ir.Binary); ok && op.Fn == ir.Max && op.X.Type() == tInt {
			for _, a := range []ir.Atom{op.X, op.Y} {
				if c, ok := a.(ir.Const); ok && c.Int() > 0 {
					all[s.Dst[0]] = true
				}
			}
		}
	})
	return all
}

type hoister struct {
	names    *ir.Namer
	nonzero  map[ir.Atom]bool // what checks before the statement at hand have found not to be 0
	positive map[ir.Atom]bool // see [positives]
	shorts   map[ir.Atom]bool // see [shorts]
	fixed    map[ir.Atom]bool // see [fixed]
	// inOrder says that reads move out of loops in order, too. Nothing that may fail stands before one of these: a check
	// that what is read is there.
	inOrder bool
}

func (h *hoister) block(b *ir.Block) {
	outside := h.nonzero
	h.nonzero = maps.Clone(outside)
	defer func() { h.nonzero = outside }()
	var out []*ir.Stmt
	for _, s := range b.Stmts {
		if c, ok := s.Op.(*ir.Check); ok && (c.Kind == ir.CheckSize || c.Kind == ir.CheckNonzero) {
			h.nonzero[c.Args[0]] = true
		}
		for _, c := range ir.Blocks(s.Op) {
			h.block(c)
		}
		switch op := s.Op.(type) {
		case *ir.Map:
			out = append(out, h.from(op.Body, []*ir.Var{op.I}, turns(ir.IntConst(ir.Int, 0), op.N), true)...)
		case *ir.Reduce:
			out = append(out, h.from(op.Body, []*ir.Var{op.I}, turns(ir.IntConst(ir.Int, 0), op.N), true)...)
		case *ir.Scan:
			out = append(out, h.from(op.Body, []*ir.Var{op.I}, turns(ir.IntConst(ir.Int, 0), op.N), true)...)
		case *ir.Scatter:
			out = append(out, h.from(op.Body, []*ir.Var{op.I}, turns(ir.IntConst(ir.Int, 0), op.N), true)...)
		case *ir.Hist:
			out = append(out, h.from(op.Body, []*ir.Var{op.I}, turns(ir.IntConst(ir.Int, 0), op.N), true)...)
		case *ir.Sort:
			out = append(out, h.from(op.Body, []*ir.Var{op.I}, turns(ir.IntConst(ir.Int, 0), op.N), true)...)
		case *ir.Loop:
			if op.I != nil {
				out = append(out, h.from(op.Body, append([]*ir.Var{op.I}, op.Params...), turns(op.Lo, op.Hi), op.Independent || h.inOrder)...)
			} else { // whether there is a turn is not known before it
				out = append(out, h.from(op.Body, op.Params, nil, false)...)
			}
		}
		out = append(out, s)
	}
	b.Stmts = out
}

// turns is whether an operator or a loop from lo to hi has an iteration.
func turns(lo, hi ir.Atom) *ir.Binary { return &ir.Binary{Fn: ir.Lt, X: lo, Y: hi} }

// from takes the invariant statements out of the body of what has an iteration if some is true, and returns them.
// Reads, and checks with them, stay unless reads is true, but for reads of integers that nothing updates at places that
// no check asks for: these are there. Without some, loops stay as well.
func (h *hoister) from(b *ir.Block, bound []*ir.Var, some *ir.Binary, reads bool) []*ir.Stmt {
	inside := map[*ir.Var]bool{}
	for _, v := range bound {
		inside[v] = true
	}
	invariant := func(s *ir.Stmt) bool {
		return !dependsOn(s, inside)
	}
	var moved, kept []*ir.Stmt
	var checks []*ir.Stmt // invariant checks since the last read, waiting for it
	asked := map[ir.Atom]bool{}
	for _, s := range b.Stmts {
		ok := invariant(s)
		switch op := s.Op.(type) {
		case *ir.Check:
			for _, a := range op.Args {
				asked[a] = true
			}
			if ok && reads {
				checks = append(checks, s)
				continue
			}
			ok = false
		case *ir.Index:
			if ok && reads && op.X.Type().Rank == 1 {
				moved = append(moved, h.guard(some, checks, s)...)
				checks = nil
				continue
			}
			if ok && !reads && some != nil && h.fixed[op.X] && !asked[op.I] {
				moved = append(moved, h.guard(some, nil, s)...)
				continue
			}
			ok = false
		case *ir.Loop:
			if ok && some != nil && h.movable(op) {
				if h.short(op) {
					moved = append(moved, h.guard(some, nil, s)...)
					continue
				}
				moved = append(moved, h.guard(some, checks, s)...)
				checks = nil
				continue
			}
			ok = false
		case *ir.If:
			if ok = ok && h.chooses(op) && weigh(op.Then)+weigh(op.Else) <= choiceCost; !ok {
				for _, c := range ir.Blocks(op) {
					moved = append(moved, arithmetic(c, inside)...)
				}
			}
		default:
			ok = ok && h.movable(s.Op)
		}
		if ok {
			moved = append(moved, s)
			continue
		}
		reads = reads && !(h.inOrder && (len(checks) > 0 || mayFail(s)))
		kept = append(kept, checks...)
		checks = nil
		kept = append(kept, s)
		for _, d := range s.Dst {
			inside[d] = true
		}
	}
	b.Stmts = append(kept, checks...)
	return moved
}

// choiceCost is what the branches of a condition may do that moves out of a loop, in additions: it is done where the
// loop has no turn, too.
const choiceCost = 16

// chooses reports whether a condition does nothing but to choose between numbers, by arithmetic that cannot fail and
// conditions inside.
func (h *hoister) chooses(op *ir.If) bool {
	for _, b := range ir.Blocks(op) {
		if slices.ContainsFunc(b.Results, func(a ir.Atom) bool { return a.Type().Rank > 0 }) {
			return false
		}
		for _, s := range b.Stmts {
			inner, isIf := s.Op.(*ir.If)
			if isIf && !h.chooses(inner) || !isIf && !scalarArithmetic(s.Op) || !isIf && !h.movable(s.Op) {
				return false
			}
		}
	}
	return true
}

func scalarArithmetic(op ir.Op) bool {
	switch op.(type) {
	case *ir.Binary, *ir.Unary, *ir.Convert, *ir.Select:
		return true
	}
	return false
}

// short reports whether a loop that is movable is short, and each loop in it.
func (h *hoister) short(op *ir.Loop) bool {
	return ir.IsInt(op.Lo, 0) && (isShort(op.Hi) || h.shorts[op.Hi]) && !slices.ContainsFunc(op.Body.Stmts, func(s *ir.Stmt) bool {
		inner, ok := s.Op.(*ir.Loop)
		return ok && !h.short(inner)
	})
}

// mayFail reports whether a statement makes checks, or calls functions that may.
func mayFail(s *ir.Stmt) bool {
	_, found := s.Op.(*ir.Check)
	for _, b := range ir.Blocks(s.Op) {
		found = found || slices.ContainsFunc(b.Stmts, mayFail)
	}
	return found || ir.HasCalls(s.Op)
}

// arithmetic takes what depends on nothing inside, and neither fails nor costs much, out of a block that a condition
// may leave out.
func arithmetic(b *ir.Block, inside map[*ir.Var]bool) (moved []*ir.Stmt) {
	inside = maps.Clone(inside)
	var kept []*ir.Stmt
	for _, s := range b.Stmts {
		if isFloatArithmetic(s.Op) && !dependsOn(s, inside) {
			moved = append(moved, s)
			continue
		}
		kept = append(kept, s)
		for _, d := range s.Dst {
			inside[d] = true
		}
	}
	b.Stmts = kept
	return moved
}

func isFloatArithmetic(op ir.Op) bool {
	switch op := op.(type) {
	case *ir.Binary:
		return op.X.Type().Kind.IsFloat()
	case *ir.Convert:
		return op.To.IsFloat()
	}
	return false
}

// guard wraps s, and the checks before it, so that they happen only if some is true.
func (h *hoister) guard(some *ir.Binary, checks []*ir.Stmt, s *ir.Stmt) []*ir.Stmt {
	cond, is := h.names.Var("some", ir.Scalar(ir.Bool)), *some
	then, els := &ir.Block{Stmts: append(checks[:len(checks):len(checks)], s)}, &ir.Block{}
	out := &ir.Stmt{Op: &ir.If{Cond: cond, Then: then, Else: els}, Pos: s.Pos}
	for i, d := range s.Dst {
		out.Dst = append(out.Dst, d)
		s.Dst[i] = h.names.Var(d.Name, d.T)
		then.Results = append(then.Results, s.Dst[i])
		els.Results = append(els.Results, zero(d.T.Kind))
	}
	return []*ir.Stmt{{Dst: []*ir.Var{cond}, Op: &is, Pos: s.Pos}, out}
}

func zero(k ir.Kind) ir.Const {
	switch {
	case k == ir.Bool:
		return ir.BoolConst(false)
	case k.IsFloat():
		return ir.FloatConst(k, 0)
	}
	return ir.IntConst(k, 0)
}

// movable reports whether an operation can run even if its loop would not have run at all: it cannot fail, as far as h
// knows, and ends.
func (h *hoister) movable(op ir.Op) bool {
	switch op := op.(type) {
	case *ir.Binary:
		if op.Fn == ir.Div || op.Fn == ir.Rem {
			c, ok := op.Y.(ir.Const)
			return op.X.Type().Kind.IsFloat() || ok && c.Int() != 0 || h.nonzero[op.Y] || h.positive[op.Y]
		}
		if op.Fn == ir.Shl || op.Fn == ir.Shr {
			c, ok := op.Y.(ir.Const)
			return op.Y.Type().Kind.IsUnsigned() || ok && c.Int() >= 0
		}
		return true
	case *ir.Unary, *ir.FMA, *ir.Convert, *ir.Select, *ir.Len:
		return true
	case *ir.View:
		return op.Fn == ir.Slice || op.Fn == ir.Striding
	case *ir.Loop: // one that ends, and works on scalars
		if op.I == nil {
			return false
		}
		for _, p := range op.Params {
			if p.T.Rank > 0 {
				return false
			}
		}
		for _, s := range op.Body.Stmts {
			if !h.movable(s.Op) {
				return false
			}
		}
		return true
	}
	return false
}
