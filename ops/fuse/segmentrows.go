package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// segmentWriter copies what a turn does to its segment as what makes a row.
type segmentWriter struct {
	*segment
	names   *ir.Namer
	sub     ir.Subst
	from, n ir.Atom             // where the segment begins, and its length
	place   map[ir.Atom]ir.Atom // where an index of the source is in the row
	index   map[ir.Atom]ir.Atom // and as an int
}

// block copies the statements of a block.
func (w *segmentWriter) block(e emitter, b *ir.Block) {
	for _, s := range b.Stmts {
		e.pos = s.Pos
		w.stmt(e, s)
	}
}

func (w *segmentWriter) isArray(a ir.Atom) bool { v, ok := a.(*ir.Var); return ok && w.arrays[v] }

// inner is a copy of a block inside a statement.
func (w *segmentWriter) inner(e emitter, b *ir.Block) *ir.Block {
	c := &ir.Block{}
	w.block(e.into(c), b)
	for _, r := range b.Results {
		c.Results = append(c.Results, w.sub.Atom(r))
	}
	return c
}

func (w *segmentWriter) stmt(e emitter, s *ir.Stmt) {
	let := func(op ir.Op) {
		var dst []*ir.Var
		for _, d := range s.Dst {
			v := w.names.Var(d.Name, d.T)
			w.sub[d] = v
			dst = append(dst, v)
		}
		e.stmt(op, dst...)
	}
	switch op := s.Op.(type) {
	case *ir.Check:
		ofArray := func(alloc *ir.Stmt) bool { return op.Args[1] == length(alloc) }
		if op.Kind == ir.CheckIndex && w.own[op.Args[0]] && slices.ContainsFunc(w.allocs, ofArray) {
			return // it is within the array
		}
	case *ir.Index:
		if w.isArray(op.X) {
			let(&ir.Index{X: w.sub.Atom(op.X), I: w.place[op.I]})
			return
		}
	case *ir.Update:
		if w.isArray(op.X) {
			let(&ir.Update{X: w.sub.Atom(op.X), I: w.place[op.I], Value: w.sub.Atom(op.Value)})
			return
		}
	case *ir.Convert:
		if w.own[s.Dst[0]] {
			w.place[s.Dst[0]], w.index[s.Dst[0]] = w.place[op.X], w.index[op.X]
			if s.Dst[0].T == tInt { // what is narrower in between holds it
				w.sub[s.Dst[0]] = w.index[op.X]
				return
			}
		}
	case *ir.Binary:
		if w.own[s.Dst[0]] { // how far it is behind the beginning
			w.place[s.Dst[0]] = w.sub.Atom(op.Y)
			if w.begins(op.Y) {
				w.place[s.Dst[0]] = w.sub.Atom(op.X)
			}
			w.index[s.Dst[0]] = e.bin(ir.Add, s.Dst[0].Name, w.from, w.place[s.Dst[0]])
			w.sub[s.Dst[0]] = w.index[s.Dst[0]]
			return
		}
	case *ir.If:
		c := &ir.If{Cond: w.sub.Atom(op.Cond), Then: w.inner(e, op.Then), Else: w.inner(e, op.Else)}
		let(c)
		return
	case *ir.Loop:
		w.loop(e, op, let)
		return
	}
	c := s.Clone(w.sub, w.names)
	*e.out = append(*e.out, c)
}

// loop copies a loop. One over the segment counts from 0.
func (w *segmentWriter) loop(e emitter, op *ir.Loop, let func(ir.Op)) {
	c := &ir.Loop{Body: &ir.Block{}}
	for i, p := range op.Params {
		v := w.names.Var(p.Name, p.T)
		c.Params, c.Init = append(c.Params, v), append(c.Init, w.sub.Atom(op.Init[i]))
		w.sub[p] = v
	}
	in := e.into(c.Body)
	switch {
	case op.I == nil:
		c.Cond = w.inner(e, op.Cond)
	case w.own[op.I]:
		c.I, c.Lo, c.Hi = w.names.Var("j", tInt), ir.IntConst(ir.Int, 0), w.n
		w.sub[op.I] = in.bin(ir.Add, op.I.Name, w.from, c.I)
		w.place[op.I], w.index[op.I] = c.I, w.sub[op.I]
	default:
		c.I, c.Lo, c.Hi = w.names.Var(op.I.Name, tInt), w.sub.Atom(op.Lo), w.sub.Atom(op.Hi)
		w.sub[op.I] = c.I
	}
	w.block(in, op.Body)
	for _, r := range op.Body.Results {
		c.Body.Results = append(c.Body.Results, w.sub.Atom(r))
	}
	let(c)
}
