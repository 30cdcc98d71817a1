package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// endChecker makes loops in inspections quick that do nothing but compare indices, which go up or down by one from turn
// to turn, with lengths that no turn changes: where the first and the last turn pass, all do, and the loop, which finds
// out which turn is the first that does not, need not run. The turns of
//
//	loop k = lo to hi { n = len e; check index k n }
//
// are behind
//
//	some = lt lo hi
//	fails = if some { n = len e; …; yield … } else { yield false }
//	if fails { loop … }
type endChecker struct{ names *ir.Namer }

// inside returns a statement of an inspection with the loops in it made so.
func (c *endChecker) inside(s *ir.Stmt) *ir.Stmt {
	if s == nil {
		return nil
	}
	t := *s
	switch op := s.Op.(type) {
	case *ir.Map:
		m := *op
		m.Body = c.block(op.Body)
		t.Op = &m
	case *ir.Loop:
		l := *op
		l.Body = c.block(op.Body)
		t.Op = &l
	case *ir.If:
		t.Op = &ir.If{Cond: op.Cond, Then: c.block(op.Then), Else: c.block(op.Else)}
	}
	return &t
}

func (c *endChecker) block(b *ir.Block) *ir.Block {
	out := &ir.Block{Results: b.Results}
	e := emitter{&resolver{names: c.names, defs: map[*ir.Var]*ir.Stmt{}}, &out.Stmts, ir.Pos{}}
	for _, s := range b.Stmts {
		if len(s.Dst) > 0 { // it computes something: it is the computation's own statement
			out.Stmts = append(out.Stmts, s)
			continue
		}
		e.pos = s.Pos
		switch op := s.Op.(type) {
		case *ir.Map:
			c.loop(e, s, op.I, ir.IntConst(ir.Int, 0), op.N, op.Body)
		case *ir.Loop:
			c.loop(e, s, op.I, op.Lo, op.Hi, op.Body)
		default:
			out.Stmts = append(out.Stmts, c.inside(s))
		}
	}
	return out
}

// loop emits a loop over i, behind its ends where these say enough.
func (c *endChecker) loop(e emitter, s *ir.Stmt, i *ir.Var, lo, hi ir.Atom, body *ir.Block) {
	if i == nil || !atEndsAlone(i, body) {
		*e.out = append(*e.out, c.inside(s))
		return
	}
	ends := &ir.If{Cond: e.bin(ir.Lt, "some", lo, hi), Then: &ir.Block{}, Else: &ir.Block{Results: []ir.Atom{ir.BoolConst(false)}}}
	in := e.into(ends.Then)
	last := in.bin(ir.Sub, "last", hi, ir.IntConst(ir.Int, 1))
	holds := ir.Atom(ir.BoolConst(true))
	if first, ok := lo.(ir.Const); !ok || first.Int() < 0 { // so many turns that an index comes round are looked at
		holds = in.bin(ir.Le, "few", ir.IntConst(ir.Int, 0), in.bin(ir.Sub, "turns", last, lo))
	}
	c.checks(in, ends.Then, slices.Concat(c.of(body, ir.Subst{i: lo}), c.of(body, ir.Subst{i: last})), holds)
	fails := e.let("fails", ir.Scalar(ir.Bool), ends)
	e.stmt(&ir.If{Cond: fails, Then: &ir.Block{Stmts: []*ir.Stmt{s}}, Else: &ir.Block{}})
}

// of returns the statements of one turn, with variables of their own.
func (c *endChecker) of(body *ir.Block, sub ir.Subst) (stmts []*ir.Stmt) {
	for _, s := range body.Stmts {
		stmts = append(stmts, s.Clone(sub, c.names))
	}
	return stmts
}

// checks makes b yield whether holds is false or one of the checks among statements fails. What reads elements comes
// behind the checks before it.
func (c *endChecker) checks(e emitter, b *ir.Block, stmts []*ir.Stmt, holds ir.Atom) {
	always := ir.Atom(ir.BoolConst(true))
	asked := map[operation]bool{}
	ask := func(name string, fn ir.BinaryFn, x, y ir.Atom) {
		if of := (operation{fn, x, y}); !asked[of] {
			asked[of] = true
			holds = e.both(holds, e.bin(fn, name, x, y))
		}
	}
	for k, s := range stmts {
		if check, ok := s.Op.(*ir.Check); ok {
			ask("low", ir.Le, ir.IntConst(ir.Int, 0), check.Args[0])
			ask("high", ir.Lt, check.Args[0], check.Args[1])
			continue
		}
		if _, reads := s.Op.(*ir.Index); reads && holds != always {
			rest := &ir.If{Cond: holds, Then: &ir.Block{}, Else: &ir.Block{Results: []ir.Atom{always}}}
			c.checks(e.into(rest.Then), rest.Then, stmts[k:], always)
			b.Results = []ir.Atom{e.let("fails", ir.Scalar(ir.Bool), rest)}
			return
		}
		*e.out = append(*e.out, s)
	}
	b.Results = []ir.Atom{e.let("fails", ir.Scalar(ir.Bool), &ir.Unary{Fn: ir.Not, X: holds})}
}

// atEndsAlone reports whether the checks of a loop hold in all turns if they do in the first and the last one: there is
// nothing else in it but arithmetic, and they compare what differs from i, or from its negative, by the same in all
// turns with what is the same in all.
func atEndsAlone(i *ir.Var, body *ir.Block) bool {
	const (
		same = iota // in all turns
		step        // one more or one less from turn to turn
		other
	)
	kinds := map[ir.Atom]int{i: step}
	checks := false
	for _, s := range body.Stmts {
		if len(ir.Blocks(s.Op)) > 0 {
			return false
		}
		kind, steps := same, 0
		for _, a := range ir.Operands(s.Op) {
			if k := kinds[*a]; k != same {
				kind, steps = max(kind, k), steps+1
			}
		}
		switch op := s.Op.(type) {
		case *ir.Check:
			if op.Kind != ir.CheckIndex || len(op.Args) != 2 || kinds[op.Args[0]] == other || kinds[op.Args[1]] != same ||
				slices.ContainsFunc(op.Args, func(a ir.Atom) bool { return a.Type() != tInt }) {
				return false
			}
			checks = true
			continue
		case *ir.Binary:
			if kind == step && (op.Fn != ir.Add && op.Fn != ir.Sub || steps > 1 || op.X.Type() != tInt) {
				kind = other
			}
		case *ir.Call:
			return false
		default:
			if kind != same {
				kind = other
			}
		}
		for _, d := range s.Dst {
			kinds[d] = kind
		}
	}
	return checks
}
