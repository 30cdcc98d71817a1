package cut

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// previousKeys lets flags of heads compare keys that blocks compute with those that a Scan hands on from the element
// before: of a parameter a block has the element before its first one too, of what blocks compute it has not. It
// returns what stands before the flags then, once they are rewritten.
func (r *runs) previousKeys() func() []*ir.Stmt {
	flags := r.by[r.flags].Op.(*ir.Map)
	type comparison struct {
		op          *ir.Binary
		key, before *ir.Atom
	}
	var all []comparison
	for _, t := range flags.Body.Stmts {
		op, ok := t.Op.(*ir.Binary)
		if !ok || op.Fn != ir.Ne {
			continue
		}
		c := comparison{op, &op.X, &op.Y}
		if r.mirrors(op.Y, op.X, flags) {
			c.key, c.before = &op.Y, &op.X
		} else if !r.mirrors(op.X, op.Y, flags) {
			continue
		}
		if r.computed(sliceOf(flags.Body, *c.before)) {
			all = append(all, c)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return func() (scans []*ir.Stmt) {
		pos := r.by[r.flags].Pos
		for _, c := range all {
			kind := (*c.key).Type().Kind
			i := r.names.Var("i", ir.Scalar(ir.Int))
			a, b := r.names.Var("a", ir.Scalar(kind)), r.names.Var("b", ir.Scalar(kind))
			before := r.names.Var("before", ir.Type{Kind: kind, Rank: 1})
			scans = append(scans, &ir.Stmt{Dst: []*ir.Var{before}, Pos: pos, Op: &ir.Scan{
				N: r.n, I: i, Init: []ir.Atom{zero(kind)},
				Body: sliceOf(flags.Body, *c.key).Clone(ir.Subst{flags.I: i}, r.names),
				Comb: &ir.Lambda{Params: []*ir.Var{a, b}, Body: &ir.Block{Results: []ir.Atom{b}}},
			}})
			e := r.names.Var("previous", ir.Scalar(kind))
			*c.before = e
			at := slices.IndexFunc(flags.Body.Stmts, func(t *ir.Stmt) bool { return t.Op == ir.Op(c.op) })
			flags.Body.Stmts = slices.Insert(flags.Body.Stmts, at, &ir.Stmt{Dst: []*ir.Var{e}, Op: &ir.Index{X: before, I: flags.I}, Pos: pos})
		}
		drop(flags.Body)
		return scans
	}
}

// sliceOf is what of a block computes a.
func sliceOf(b *ir.Block, a ir.Atom) *ir.Block {
	own := &ir.Block{Stmts: slices.Clone(b.Stmts), Results: []ir.Atom{a}}
	drop(own)
	return own
}

// computed reports whether what a block yields comes of what operators of the level compute.
func (r *runs) computed(b *ir.Block) bool {
	b.Stmts = slices.DeleteFunc(b.Stmts, func(t *ir.Stmt) bool { return len(t.Dst) == 0 }) // checks
	drop(b)
	return slices.ContainsFunc(ir.Free(b), func(v *ir.Var) bool { return r.by[v] != nil && ir.OperatorLength(r.by[v].Op) == r.n })
}

// mirrors reports whether y is computed of the element before the one that x is computed of, in the same way. The first
// element stands before itself.
func (r *runs) mirrors(x, y ir.Atom, flags *ir.Map) bool {
	if x == ir.Atom(flags.I) {
		of, ok := r.defs[y].(*ir.Binary)
		return ok && of.Fn == ir.Max && ir.IsInt(of.Y, 0) && r.binary(of.X, ir.Sub, flags.I, ir.IntConst(ir.Int, 1))
	}
	inside := func(a ir.Atom) bool {
		return slices.ContainsFunc(flags.Body.Stmts, func(t *ir.Stmt) bool {
			return slices.ContainsFunc(t.Dst, func(v *ir.Var) bool { return a == ir.Atom(v) })
		})
	}
	if !inside(x) || !inside(y) {
		return x == y
	}
	switch p := r.defs[x].(type) {
	case *ir.Index:
		q, ok := r.defs[y].(*ir.Index)
		return ok && r.mirrors(p.X, q.X, flags) && r.mirrors(p.I, q.I, flags)
	case *ir.Unary:
		q, ok := r.defs[y].(*ir.Unary)
		return ok && p.Fn == q.Fn && r.mirrors(p.X, q.X, flags)
	case *ir.Binary:
		q, ok := r.defs[y].(*ir.Binary)
		return ok && p.Fn == q.Fn && r.mirrors(p.X, q.X, flags) && r.mirrors(p.Y, q.Y, flags)
	case *ir.Convert:
		q, ok := r.defs[y].(*ir.Convert)
		return ok && p.To == q.To && r.mirrors(p.X, q.X, flags)
	case *ir.Select:
		q, ok := r.defs[y].(*ir.Select)
		return ok && r.mirrors(p.Cond, q.Cond, flags) && r.mirrors(p.X, q.X, flags) && r.mirrors(p.Y, q.Y, flags)
	}
	return false
}
