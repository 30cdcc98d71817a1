package cut

import (
	"maps"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// runPart is what somebody reads of runs: what an element at the head is, the elements together, or where a run ends.
type runPart struct {
	index ir.Atom    // in body, the place of an element
	body  *ir.Block  // computes what an element is
	comb  *ir.Lambda // of elements; nil if only the head is asked for
	init  []ir.Atom  // what elements are combined with; of a head no matter what
	end   bool       // where the run ends is asked for, and nothing else
	reads []*ir.Var  // what the reader has of it

	along, total, placed []*ir.Var
}

// begin appends to the body of a Scan what element i is, as the head of a run or inside of one.
func (p *runPart) begin(b *ir.Block, i, head *ir.Var, names *ir.Namer) []ir.Atom {
	if p.end {
		return nil
	}
	as := ir.Subst{}
	if v, ok := p.index.(*ir.Var); ok {
		as[v] = i
	}
	body := p.body.Clone(as, names)
	b.Stmts = append(b.Stmts, body.Stmts...)
	if p.comb == nil {
		return body.Results
	}
	with := &ir.Block{}
	with.Results = apply(p.comb, with, p.init, body.Results, names)
	var dst []*ir.Var
	for _, r := range body.Results {
		dst = append(dst, names.Var("begun", r.Type()))
	}
	b.Stmts = append(b.Stmts, &ir.Stmt{Dst: dst, Op: &ir.If{Cond: head, Then: with, Else: &ir.Block{Results: slices.Clone(body.Results)}}})
	return atoms(dst)
}

// further is what a run that goes on is with more of its elements.
func (p *runPart) further(b *ir.Block, earlier, later []ir.Atom, names *ir.Namer) []ir.Atom {
	if p.comb == nil {
		return earlier
	}
	return apply(p.comb, b, earlier, later, names)
}

// reader is an operator over runs that reads where they begin.
type reader struct {
	r     *runs
	op    ir.Op
	body  *ir.Block // a copy, in which others compute what the parts are
	parts []*runPart
}

// reader takes apart what an operator reads of runs, or returns nil if that is something else than parts.
func (r *runs) reader(s *ir.Stmt) *reader {
	if ir.OperatorIndex(s.Op) == nil || ir.OperatorLength(s.Op) != r.count {
		return nil
	}
	q := &reader{r: r, op: s.Op, body: ir.Blocks(s.Op)[0].Clone(ir.Subst{}, r.names)}
	for _, b := range ir.Blocks(s.Op)[1:] {
		if slices.Contains(ir.Free(b), r.starts.Dst[0]) {
			return nil
		}
	}
	defs := map[ir.Atom]ir.Op{}
	for _, t := range q.body.Stmts {
		for _, v := range t.Dst {
			defs[v] = t.Op
		}
	}
	lo, hi := map[ir.Atom]bool{}, map[ir.Atom]bool{}
	index := ir.Atom(ir.OperatorIndex(s.Op))
	for _, t := range q.body.Stmts {
		read, ok := t.Op.(*ir.Index)
		if !ok || read.X != ir.Atom(r.starts.Dst[0]) {
			continue
		}
		next, _ := defs[read.I].(*ir.Binary)
		switch {
		case read.I == index:
			lo[t.Dst[0]] = true
		case next != nil && next.Fn == ir.Add && next.X == index && ir.IsInt(next.Y, 1):
			hi[t.Dst[0]] = true
		default:
			return nil
		}
	}
	for _, t := range q.body.Stmts {
		if op, ok := t.Op.(*ir.Reduce); ok {
			if n, ok := defs[op.N].(*ir.Binary); ok && n.Fn == ir.Sub && hi[n.X] && lo[n.Y] {
				q.together(t, op, n.Y)
			}
		}
	}
	q.drop()
	q.heads(lo)
	for _, t := range q.body.Stmts {
		if len(t.Dst) == 1 && hi[t.Dst[0]] {
			q.parts = append(q.parts, &runPart{end: true, reads: t.Dst})
		}
	}
	q.drop()
	if slices.Contains(ir.Free(q.body), r.starts.Dst[0]) {
		return nil
	}
	return q
}

// inside are the variables that the body, or the operator around it, binds, and what the parts are.
func (q *reader) inside() map[*ir.Var]bool {
	own := map[*ir.Var]bool{ir.OperatorIndex(q.op): true}
	for _, t := range q.body.Stmts {
		for _, v := range t.Dst {
			own[v] = true
		}
	}
	for _, p := range q.parts {
		for _, v := range p.reads {
			own[v] = true
		}
	}
	return own
}

// together makes a part of a reduction of the elements of a run, if it reads them by their places alone.
func (q *reader) together(t *ir.Stmt, op *ir.Reduce, lo ir.Atom) {
	at := q.r.names.Var("at", ir.Scalar(ir.Int))
	as := ir.Subst{}
	body := &ir.Block{Results: op.Body.Results}
	for _, u := range op.Body.Stmts {
		if sum, ok := u.Op.(*ir.Binary); ok && sum.Fn == ir.Add && (sum.X == lo && sum.Y == ir.Atom(op.I) || sum.Y == lo && sum.X == ir.Atom(op.I)) {
			as[u.Dst[0]] = at
			continue
		}
		body.Stmts = append(body.Stmts, u)
	}
	body = body.Clone(as, q.r.names)
	own := q.inside()
	own[op.I] = true
	free := slices.Concat(ir.Free(body), ir.Free(&ir.Block{Stmts: []*ir.Stmt{{Op: &ir.If{Cond: at, Then: op.Comb.Body, Else: &ir.Block{Results: op.Init}}}}}))
	if slices.ContainsFunc(free, func(v *ir.Var) bool { return own[v] && !slices.Contains(op.Comb.Params, v) }) {
		return
	}
	q.parts = append(q.parts, &runPart{index: at, body: body, comb: op.Comb, init: op.Init, reads: t.Dst})
}

// heads makes parts of what the body reads of elements by the place of a head alone, and of that place itself.
func (q *reader) heads(lo map[ir.Atom]bool) {
	at := q.r.names.Var("at", ir.Scalar(ir.Int))
	as := ir.Subst{}
	known := map[*ir.Var]bool{}
	own := q.inside()
	var ofHead []*ir.Stmt
	for _, t := range q.body.Stmts {
		if len(t.Dst) == 1 && lo[t.Dst[0]] {
			as[t.Dst[0]], known[t.Dst[0]] = at, true
			continue
		}
		depends, alone := false, ir.Pure(t)
		for _, v := range ir.Free(&ir.Block{Stmts: []*ir.Stmt{t}}) {
			depends = depends || known[v]
			alone = alone && (known[v] || !own[v])
		}
		if depends && alone && !slices.ContainsFunc(t.Dst, func(v *ir.Var) bool { return v.T.Rank > 0 }) {
			ofHead = append(ofHead, t)
			for _, v := range t.Dst {
				known[v] = true
			}
		}
	}
	// A Scan computes what is read, and what that takes; what comes of it is computed of each run, not of each element.
	read := map[*ir.Var]bool{}
	var reads []*ir.Stmt
	for _, t := range slices.Backward(ofHead) {
		if _, index := t.Op.(*ir.Index); index || slices.ContainsFunc(t.Dst, func(v *ir.Var) bool { return read[v] }) {
			reads = append(reads, t)
			for _, v := range ir.Free(&ir.Block{Stmts: []*ir.Stmt{t}}) {
				read[v] = true
			}
		}
	}
	slices.Reverse(reads)
	asked := map[*ir.Var]bool{}
	others := &ir.Block{Results: q.body.Results}
	for _, t := range q.body.Stmts {
		if slices.Contains(reads, t) || len(t.Dst) == 1 && lo[t.Dst[0]] {
			for _, v := range t.Dst {
				asked[v] = true
			}
			continue
		}
		others.Stmts = append(others.Stmts, t)
	}
	for _, v := range ir.Free(others) {
		if !asked[v] {
			continue
		}
		body := (&ir.Block{Stmts: reads, Results: []ir.Atom{v}}).Clone(maps.Clone(as), q.r.names)
		drop(body)
		q.parts = append(q.parts, &runPart{index: at, body: body, init: []ir.Atom{zero(v.T.Kind)}, reads: []*ir.Var{v}})
	}
}

// drop drops what nothing in the body reads any more: what parts have in place of it.
func (q *reader) drop() {
	own := map[*ir.Var]bool{}
	for _, p := range q.parts {
		for _, v := range p.reads {
			own[v] = true
		}
	}
	q.body.Stmts = slices.DeleteFunc(q.body.Stmts, func(t *ir.Stmt) bool {
		return slices.ContainsFunc(t.Dst, func(v *ir.Var) bool { return own[v] })
	})
	drop(q.body)
}

// drop drops statements of a block that nothing reads.
func drop(b *ir.Block) {
	read := map[*ir.Var]bool{}
	for _, a := range b.Results {
		if v, ok := a.(*ir.Var); ok {
			read[v] = true
		}
	}
	b.Stmts = live(b.Stmts, nil, read)
}

// commit puts the copy into the place of the body. The last run is what the Scan is together.
func (q *reader) commit() {
	r, index := q.r, ir.OperatorIndex(q.op)
	b := &builder{names: r.names, pos: r.starts.Pos, block: &ir.Block{}}
	last := b.emit("last", ir.Int, &ir.Binary{Fn: ir.Sub, X: r.count, Y: ir.IntConst(ir.Int, 1)})
	isLast := b.emit("isLast", ir.Bool, &ir.Binary{Fn: ir.Eq, X: index, Y: last})
	for _, p := range q.parts {
		for i, v := range p.placed {
			e := b.emit("run", v.T.Kind, &ir.Index{X: v, I: index})
			of := r.n
			if !p.end {
				of = p.total[i]
			}
			b.block.Stmts = append(b.block.Stmts, &ir.Stmt{Dst: []*ir.Var{p.reads[i]}, Op: &ir.Select{Cond: isLast, X: of, Y: e}, Pos: r.starts.Pos})
		}
	}
	body := ir.Blocks(q.op)[0]
	body.Stmts, body.Results = append(b.block.Stmts, q.body.Stmts...), q.body.Results
}

// zero is a value of a kind.
func zero(k ir.Kind) ir.Const {
	if k.IsFloat() {
		return ir.FloatConst(k, 0)
	}
	return ir.Const{Kind: k}
}
