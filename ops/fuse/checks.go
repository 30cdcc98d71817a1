package fuse

import (
	"maps"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// HoistedChecks returns the checks inside computations that depend on the kernel's inputs alone, not on what another
// computation produced. They are made once, when inputs are bound, by the inspectors; generated variants leave them
// out. The caller may change what is returned.
func (k *Kernel) HoistedChecks() map[*ir.Check]bool { return maps.Clone(k.Facts().hoisted) }

func (k *Kernel) hoistedChecks() map[*ir.Check]bool {
	tainted := k.tainted()
	hoisted := map[*ir.Check]bool{}
	exits := false
	for _, c := range k.Computations {
		if exits = exits || HasExits(c.Stmt); exits { // see Note [Exits]
			break
		}
		t := map[*ir.Var]bool{}
		for v := range tainted {
			t[v] = true
		}
		n, ok := lengthOf(c.Stmt.Op).(*ir.Var)
		late := ok && t[n] // how many indices there are to check is not known before
		h := inspector{t, hoisted, k.bounded(c, tainted)}
		control := free
		if late {
			control = waits
		}
		body := ir.Blocks(c.Stmt.Op)[0]
		h.block(body, control)
		if hasPanics(body) {
			for check := range panicsOnData(body, structuralOf(k.Func.Body)) {
				delete(hoisted, check)
			}
		}
		inOrder(body, hoisted)
	}
	return hoisted
}

// inOrder keeps the order of the panics of a computation: where one of them has to wait, all do. An element panics
// before those behind it, and with the text that plain Go panics with.
func inOrder(b *ir.Block, hoisted map[*ir.Check]bool) {
	var panics []*ir.Check
	wait := false
	ir.Walk(b, func(s *ir.Stmt) {
		if c, ok := s.Op.(*ir.Check); ok && c.Kind == ir.CheckPanic {
			panics = append(panics, c)
			wait = wait || !hoisted[c]
		}
	})
	for _, c := range panics {
		if wait {
			delete(hoisted, c)
		}
	}
}

// tainted are the variables of the host program that depend on a computation's results, on the turn of a loop, or on
// elements that may change between runs.
func (k *Kernel) tainted() map[*ir.Var]bool {
	t, waiting := map[*ir.Var]bool{}, k.waiting()
	Host(k.Func.Body, func(s *ir.Stmt, depth int) {
		if control := Controls(s); depth > 0 || control || indexOf(s.Op) != nil || dependsOn(s, t) || waiting[s] {
			for _, d := range s.Dst {
				t[d] = true
			}
			if control {
				for _, v := range ir.Bound(s.Op) {
					t[v] = true
				}
			}
		}
	})
	return t
}

// Late reports which statements of the host program have to wait: those that depend on the results of computations, and
// those in loops and conditions that hold some, those that fail only where no exit comes before, and those that read
// what may change between runs. The others run once, when inputs are bound.
func (k *Kernel) Late() map[*ir.Stmt]bool {
	t, waiting := k.tainted(), k.waiting()
	late := map[*ir.Stmt]bool{}
	Host(k.Func.Body, func(s *ir.Stmt, depth int) {
		if indexOf(s.Op) == nil && (depth > 0 || Controls(s) || dependsOn(s, t) || waiting[s]) {
			late[s] = true
		}
	})
	return late
}

// inspector finds the checks that no tainted value reaches, neither as an argument nor through the conditions and
// lengths around them.
type inspector struct {
	tainted map[*ir.Var]bool
	hoisted map[*ir.Check]bool
	bounded map[*ir.Check]bool // those that the extremes of indices may show to hold
}

// control says what has to be known for a piece of code to run.
type control int

const (
	free    control = iota // nothing but inputs
	carried                // it is a loop without conditions that goes on with what another one carries
	waits                  // a tainted value
)

func (h inspector) block(b *ir.Block, around control) {
	t := h.tainted
	for _, s := range b.Stmts {
		c := around
		l, loop := s.Op.(*ir.Loop)
		for _, a := range ir.Operands(s.Op) {
			if v, ok := (*a).(*ir.Var); ok && t[v] {
				if loop && *a != l.Lo && *a != l.Hi {
					c = max(c, carried)
				} else {
					c = waits
				}
			}
		}
		if check, ok := s.Op.(*ir.Check); ok {
			if c == free || c == carried && h.bounded[check] {
				h.hoisted[check] = true
			}
			continue
		}
		if _, ok := s.Op.(*ir.Call); ok { // it is not called a second time
			for _, d := range s.Dst {
				t[d] = true
			}
			continue
		}
		// To find what a later turn carries, all turns before would have to run: a call that binds and runs once
		// would run the loop twice. What depends on it is checked where it is, as plain Go does. How many turns a
		// loop with a condition makes depends on it, too. In a loop inside such a loop the same goes for all but
		// those that the extremes of indices tell without running it. A loop that counts in bins does little beside
		// finding them, which would be done twice, too.
		if loop {
			if l.I == nil {
				c = waits
			} else if !l.Independent && putsAnywhere(l) {
				c = max(c, carried)
			}
			for _, v := range slices.Concat(l.Params, s.Dst) {
				t[v] = true
			}
		} else if len(ir.Blocks(s.Op)) > 0 && c == carried {
			c = waits
		}
		for _, v := range ir.Bound(s.Op) {
			if c == waits {
				t[v] = true
			}
		}
		blocks, inside := ir.Blocks(s.Op), c
		for i, inner := range blocks {
			in := inside                        // whatever the other branch yields
			if i == 1 && indexOf(s.Op) != nil { // the combining function sees partial results
				in = waits
			}
			h.block(inner, in)
			for _, r := range inner.Results {
				if v, ok := r.(*ir.Var); ok && t[v] && !loop {
					c = waits
				}
			}
		}
		// What holds a check that has to wait has to wait itself, whatever it yields.
		if c == waits || holdsOther(s.Op, h.hoisted) {
			for _, d := range s.Dst {
				t[d] = true
			}
		}
	}
}

// holdsOther reports whether op has a check inside that is not hoisted, or calls a function as it stands.
func holdsOther(op ir.Op, hoisted map[*ir.Check]bool) bool {
	found := false
	for _, b := range ir.Blocks(op) {
		ir.Walk(b, func(s *ir.Stmt) {
			c, check := s.Op.(*ir.Check)
			_, call := s.Op.(*ir.Call)
			found = found || check && !hoisted[c] || call
		})
	}
	return found
}

// inspect returns an operator reduced to its hoisted checks and what they need: a Map without results whose body makes
// the checks of one index. It shares variables with the operator. It returns nil if there is nothing to check.
func inspect(s *ir.Stmt, hoisted map[*ir.Check]bool) *ir.Stmt {
	body := inspectBlock(ir.Blocks(s.Op)[0], hoisted)
	if len(body.Stmts) == 0 {
		return nil
	}
	return &ir.Stmt{Op: &ir.Map{N: lengthOf(s.Op), I: indexOf(s.Op), Body: body}, Pos: s.Pos}
}

// inspectBlock keeps the hoisted checks of b and what they use; the block yields nothing.
func inspectBlock(b *ir.Block, hoisted map[*ir.Check]bool) *ir.Block {
	return sliceBlock(b, nil, hoisted)
}

// Slice returns b reduced to what computes the results; it yields these alone. Of b's own checks it keeps those that
// are not hoisted: what is left may read at the indices that they check, and the results may be what they must be only
// where the checks hold. Where all results are lengths of sequences that there are, checks behind the last read are
// left out: whatever they need may be most of the work, and b itself makes them.
func Slice(b *ir.Block, results []ir.Atom, hoisted map[*ir.Check]bool) *ir.Block {
	last := len(b.Stmts)
	if areLengths(b, results) {
		last = lastRead(b, sliceBlock(b, results, nil))
	}
	keep := map[*ir.Check]bool{}
	for _, s := range b.Stmts[:last] {
		if c, ok := s.Op.(*ir.Check); ok && !hoisted[c] {
			keep[c] = true
		}
	}
	return sliceBlock(b, results, keep)
}

// areLengths reports whether all results of a block are constants, or lengths of sequences.
func areLengths(b *ir.Block, results []ir.Atom) bool {
	lengths := map[ir.Atom]bool{}
	for _, s := range b.Stmts {
		if _, ok := s.Op.(*ir.Len); ok {
			lengths[s.Dst[0]] = true
		}
	}
	return !slices.ContainsFunc(results, func(a ir.Atom) bool {
		c, isConst := a.(ir.Const)
		return !lengths[a] && !(isConst && a.Type() == tInt && c.Int() >= 0)
	})
}

// lastRead is the position in b behind the last statement of a part of it that does more than arithmetic.
func lastRead(b, part *ir.Block) (last int) {
	reads := map[*ir.Stmt]bool{}
	for _, s := range part.Stmts {
		switch s.Op.(type) {
		case *ir.Len, *ir.Binary, *ir.Unary, *ir.Convert, *ir.Select:
		default:
			reads[s] = true
		}
	}
	for at, s := range b.Stmts {
		if reads[s] {
			last = at + 1
		}
	}
	return last
}

func sliceBlock(b *ir.Block, results []ir.Atom, checks map[*ir.Check]bool) *ir.Block {
	used := map[*ir.Var]bool{}
	for _, r := range results {
		mark(used, r)
	}
	out := &ir.Block{Results: results}
	use := func(s *ir.Stmt) {
		for _, a := range ir.Operands(s.Op) {
			mark(used, *a)
		}
		for _, c := range ir.Blocks(s.Op) {
			for _, v := range ir.Free(c) {
				used[v] = true
			}
		}
		out.Stmts = append(out.Stmts, s)
	}
	for i := len(b.Stmts) - 1; i >= 0; i-- {
		s := b.Stmts[i]
		live := false
		for _, d := range s.Dst {
			live = live || used[d]
		}
		switch op := s.Op.(type) {
		case *ir.Check:
			if checks[op] {
				use(s)
			}
			continue
		case *ir.Map, *ir.Reduce, *ir.Scan, *ir.Scatter, *ir.Hist, *ir.Sort:
			if !live {
				if t := inspect(s, checks); t != nil {
					use(t)
				}
				continue
			}
		case *ir.If:
			if !live {
				then, els := sliceBlock(op.Then, nil, checks), sliceBlock(op.Else, nil, checks)
				if len(then.Stmts)+len(els.Stmts) > 0 {
					use(&ir.Stmt{Op: &ir.If{Cond: op.Cond, Then: then, Else: els}, Pos: s.Pos})
				}
				continue
			}
		case *ir.Loop: // the checks need nothing that it carries
			if !live {
				if body := sliceBlock(op.Body, nil, checks); len(body.Stmts) > 0 {
					use(&ir.Stmt{Op: &ir.Loop{I: op.I, Lo: op.Lo, Hi: op.Hi, Body: body}, Pos: s.Pos})
				}
				continue
			}
		}
		if live {
			use(s)
		}
	}
	for i, j := 0, len(out.Stmts)-1; i < j; i, j = i+1, j-1 {
		out.Stmts[i], out.Stmts[j] = out.Stmts[j], out.Stmts[i]
	}
	return out
}
