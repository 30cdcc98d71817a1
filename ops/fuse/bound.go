package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// bound makes it known that a loop, statement at of a block, has no more turns than something has elements, so that it
// can become a Reduce: each of its turns reads elements that one of a nest fills, and others change nothing. It reports
// whether the loop can.
func (p *parting) bound(b *ir.Block, at int, n *nest) bool {
	loop := b.Stmts[at].Op.(*ir.Loop)
	r := &reducer{defs: analysis.Of(p.f.Body), made: madeOf(p.f)}
	if lo, ok := loop.Lo.(ir.Const); !ok || lo.Int() < 0 {
		return false
	}
	if r.measured(loop.Hi) {
		if p.alongRows(loop, n) {
			p.reduceRows(loop)
		}
		return true
	}
	for _, q := range n.places {
		first, constant := q.base.Constant()
		if q.width != nil {
			first, constant = q.up, true
		}
		if q.backwards || !constant || q.width != nil && !p.alongRows(loop, n) {
			continue
		}
		var before []*ir.Stmt
		e := p.emitter(&before)
		loop.Hi = e.let("hi", tInt, &ir.Binary{Fn: ir.Min, X: e.bin(ir.Sub, "most", q.n, ir.IntConst(ir.Int, first)), Y: loop.Hi})
		b.Stmts = slices.Insert(b.Stmts, at, before...)
		if q.width != nil {
			p.reduceRows(loop)
		}
		return true
	}
	return false
}

// alongRows reports whether a loop accumulates nothing but in loops inside that have the turns of those of a nest that
// go along its rows.
func (p *parting) alongRows(loop *ir.Loop, n *nest) bool {
	along := func(inner *ir.Loop) bool {
		for _, l := range n.along {
			if inner.I != nil && inner.Lo == l.Lo && inner.Hi == l.Hi {
				return true
			}
		}
		return false
	}
	rows := 0
	for _, s := range loop.Body.Stmts {
		inner, ok := s.Op.(*ir.Loop)
		if !ok || !along(inner) {
			continue
		}
		for i, d := range s.Dst {
			at := slices.Index(loop.Body.Results, ir.Atom(d))
			if at < 0 || inner.Init[i] != ir.Atom(loop.Params[at]) {
				return false
			}
			rows++
		}
	}
	return rows == len(loop.Params)
}

// reduceRows makes Reduces of the loops inside of one that [parting.alongRows] is true of.
func (p *parting) reduceRows(loop *ir.Loop) {
	r := &reducer{names: p.names, floats: p.floats}
	stmts := loop.Body.Stmts
	loop.Body.Stmts = nil
	e := p.emitter(&loop.Body.Stmts)
	for _, s := range stmts {
		inner, ok := s.Op.(*ir.Loop)
		if !ok || len(s.Dst) == 0 || !slices.Contains(loop.Body.Results, ir.Atom(s.Dst[0])) {
			loop.Body.Stmts = append(loop.Body.Stmts, s)
			continue
		}
		e.pos = s.Pos
		row, whole := &ir.Stmt{Pos: s.Pos}, *inner
		whole.Init = nil
		for _, d := range s.Dst {
			at := slices.Index(loop.Body.Results, ir.Atom(d))
			whole.Init = append(whole.Init, p.sums.identity(p.sums.by[p.scalar(at)], d.T.Kind))
			row.Dst = append(row.Dst, p.names.Var(d.Name, d.T))
		}
		row.Op = &whole
		if !r.accumulates(e, row, &whole) {
			loop.Body.Stmts = append(loop.Body.Stmts, s)
			continue
		}
		for i, d := range s.Dst {
			at := slices.Index(loop.Body.Results, ir.Atom(d))
			e.stmt(&ir.Binary{Fn: p.sums.by[p.scalar(at)], X: inner.Init[i], Y: row.Dst[i]}, d)
		}
	}
}

// scalar is the position, among all that the loop carries, of one of the scalars.
func (p *parting) scalar(at int) int {
	for i, v := range p.loop().Params {
		if isScalar(v) {
			if at == 0 {
				return i
			}
			at--
		}
	}
	panic("fuse: no such scalar")
}
