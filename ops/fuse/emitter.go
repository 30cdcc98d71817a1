package fuse

import (
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// emitter appends statements at one position.
type emitter struct {
	r   *resolver
	out *[]*ir.Stmt
	pos ir.Pos
}

func (e emitter) stmt(op ir.Op, dst ...*ir.Var) *ir.Stmt {
	s := &ir.Stmt{Dst: dst, Op: op, Pos: e.pos}
	for _, d := range dst {
		if d.T.Rank > 0 {
			e.r.defs[d] = s
		}
	}
	if sum, ok := op.(*ir.Binary); ok && e.r.sums != nil {
		e.r.sums[dst[0]] = sum
	}
	*e.out = append(*e.out, s)
	return s
}

func (e emitter) let(name string, t ir.Type, op ir.Op) *ir.Var {
	v := e.r.names.Var(name, t)
	e.stmt(op, v)
	return v
}

var tInt = ir.Scalar(ir.Int)

func (e emitter) bin(fn ir.BinaryFn, name string, x, y ir.Atom) ir.Atom {
	if a := foldBinary(fn, x, y); a != nil {
		return a
	}
	t := x.Type()
	if fn.IsComparison() {
		t = ir.Scalar(ir.Bool)
	}
	return e.let(name, t, &ir.Binary{Fn: fn, X: x, Y: y})
}

// into is an emitter at the end of b.
func (e emitter) into(b *ir.Block) emitter { return emitter{e.r, &b.Stmts, e.pos} }

// both is the conjunction of two conditions, which are evaluated both.
func (e emitter) both(x, y ir.Atom) ir.Atom {
	holds := ir.Atom(ir.BoolConst(true))
	switch {
	case x == holds:
		return y
	case y == holds:
		return x
	}
	return e.let("both", ir.Scalar(ir.Bool), &ir.Binary{Fn: ir.And, X: x, Y: y})
}

// between is whether lo ≤ i, if low is true, and i < hi, if high is true.
func (e emitter) between(low bool, lo, i, hi ir.Atom, high bool) ir.Atom {
	in := ir.Atom(ir.BoolConst(true))
	if low {
		in = e.bin(ir.Le, "in", lo, i)
	}
	if high {
		in = e.both(in, e.bin(ir.Lt, "in", i, hi))
	}
	return in
}

// when writes a block under a condition.
func (e emitter) when(cond ir.Atom, write func(e emitter)) {
	then := &ir.Block{}
	write(e.into(then))
	e.stmt(&ir.If{Cond: cond, Then: then, Else: &ir.Block{}})
}

// under writes the results of one block or the other to dst, and returns them.
func (e emitter) under(cond ir.Atom, then, els *ir.Block, dst []*ir.Var) []ir.Atom {
	if cond == ir.Atom(ir.BoolConst(true)) {
		*e.out = append(*e.out, then.Stmts...)
		return then.Results
	}
	e.stmt(&ir.If{Cond: cond, Then: then, Else: els}, dst...)
	xs := make([]ir.Atom, len(dst))
	for i, d := range dst {
		xs[i] = d
	}
	return xs
}

// sum writes a sum.
func (e emitter) sum(s analysis.Sum) ir.Atom {
	total := ir.Atom(ir.IntConst(ir.Int, 0))
	for _, p := range s {
		x := ir.Atom(ir.IntConst(ir.Int, p.C))
		for _, a := range p.Of {
			x = e.bin(ir.Mul, "t", x, a)
		}
		total = e.bin(ir.Add, "t", total, x)
	}
	return total
}

func (e emitter) toInt(a ir.Atom) ir.Atom {
	if a.Type() == tInt {
		return a
	}
	if c, ok := a.(ir.Const); ok && c.Kind.IsInteger() {
		return ir.IntConst(ir.Int, c.Int())
	}
	return e.let("k", tInt, &ir.Convert{To: ir.Int, X: a})
}

// ceilDiv is ⌈n/d⌉ for n ≥ 0 and d > 0, of one kind. No term exceeds n, so that a huge d does not overflow:
// (max(n,1)-1)/d is one less than that for n ≥ 1, and 0 for n = 0.
func (e emitter) ceilDiv(n, d ir.Atom) ir.Atom {
	if ir.IsInt(d, 1) {
		return n
	}
	one := ir.IntConst(n.Type().Kind, 1)
	full := e.bin(ir.Div, "full", e.bin(ir.Sub, "n", e.bin(ir.Max, "n", n, one), one), d)
	return e.bin(ir.Add, "n", full, e.bin(ir.Min, "some", n, one))
}
