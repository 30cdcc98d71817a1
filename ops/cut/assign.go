package cut

import (
	"slices"
	"strings"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// partial is what a block yields and that becomes a whole value: components of a Reduce or a Hist, or elements of a Map
// or a Scan that others read at places of other blocks.
type partial struct {
	of     *ir.Stmt // the operator that a block runs for nothing else, nil if there is none
	yields []*ir.Var
	dst    []*ir.Var
	comb   *comb
	listed bool
}

// assign puts each statement at the top into the step of a stage that can run it first.
func (d *divider) assign() error {
	for n, s := range d.f.Body.Stmts {
		if d.takeEnds(n) {
			continue
		}
		d.gatherReads(s)
		ready, blocks := d.needs(s)
		if blocks >= 0 {
			ready = max(ready, blocks)
			d.gatherEarlier(s, ready)
		}
		switch {
		case d.over(s):
			if err := d.cutOperator(s, max(ready, blocks)); err != nil {
				return err
			}
		case blocks >= 0: // each block flattens its own rows
			at := max(ready, blocks)
			d.stage(at).blocks = append(d.stage(at).blocks, s)
			d.made[s.Dst[0]] = at
		default:
			d.alone(s)
			d.once(s, ready)
		}
	}
	for i, r := range d.f.Body.Results {
		if v, ok := r.(*ir.Var); ok {
			if made, block := d.made[v]; block && d.places(made) != d.places(len(d.steps)) {
				v = d.gathered(v)
				d.f.Body.Results[i] = v
			}
			d.wanted[v] = true
		}
	}
	return nil
}

// alone notes a loop or an operator that is no part of the level.
func (d *divider) alone(s *ir.Stmt) {
	if ir.OperatorName(s.Op) != "" {
		d.plan.Alone = append(d.plan.Alone, Alone{s.Pos, ir.OperatorName(s.Op) + " over another length than the level that is cut"})
	} else if _, loop := s.Op.(*ir.Loop); loop {
		d.plan.Alone = append(d.plan.Alone, Alone{s.Pos, "a loop, which runs its turns one after the other"})
	}
}

// once lets a statement run once, in the step before the blocks of a stage.
func (d *divider) once(s *ir.Stmt, at int) {
	d.stage(at).once = append(d.stage(at).once, s)
	for _, v := range s.Dst {
		d.phase[v] = at
	}
}

func (d *divider) stage(i int) *stageStmts {
	for len(d.steps) <= i {
		d.steps = append(d.steps, stageStmts{})
	}
	return &d.steps[i]
}

// needs returns the first stage that has all whole values that a statement reads, and the one whose blocks make what it
// reads of block values, -1 if it reads none.
func (d *divider) needs(s *ir.Stmt) (ready, blocks int) {
	blocks = -1
	for _, v := range ir.Free(&ir.Block{Stmts: []*ir.Stmt{s}}) {
		if at, ok := d.made[v]; ok {
			blocks = max(blocks, at)
		} else if at, ok := d.phase[v]; ok {
			ready = max(ready, at)
		}
	}
	return ready, blocks
}

// gatherReads replaces block values that a statement reads at places that one block does not have by whole values,
// which are what all blocks have of them, one behind the other: all but those that an element of the level reads at its
// own place, and what is flattened.
func (d *divider) gatherReads(s *ir.Stmt) {
	if v, ok := s.Op.(*ir.View); ok && v.Fn == ir.Flatten {
		return
	}
	var index *ir.Var
	if d.over(s) {
		index = ir.OperatorIndex(s.Op)
	}
	replace := func(a *ir.Atom) {
		if v, ok := (*a).(*ir.Var); ok {
			if _, block := d.made[v]; block {
				*a = d.gathered(v)
			}
		}
	}
	var visit func(t *ir.Stmt)
	visit = func(t *ir.Stmt) {
		for i, a := range ir.Operands(t.Op) {
			if x, ok := t.Op.(*ir.Index); ok && i == 0 && index != nil && d.is(x.I, index) {
				continue
			}
			replace(a)
		}
		for _, c := range ir.Blocks(t.Op) {
			for _, t := range c.Stmts {
				visit(t)
			}
			for i := range c.Results {
				replace(&c.Results[i])
			}
		}
	}
	visit(s)
}

// gathered is the whole value that all parts of a block value are together.
func (d *divider) gathered(v *ir.Var) *ir.Var {
	if w := d.all[v]; w != nil {
		return w
	}
	w, at := d.names.Var(after(v.Name, "All"), v.T), d.made[v]
	stage := d.stage(at)
	p := partial{yields: []*ir.Var{v}, dst: []*ir.Var{w}, listed: true}
	if d.moves[v] { // no step computes it
		p.of = d.copied(v, at)
		p.yields = p.of.Dst
	}
	stage.partials = append(stage.partials, p)
	d.all[v], d.phase[w] = w, at+1
	d.stage(at + 1)
	return w
}

// is reports whether a is the index itself.
func (d *divider) is(a, index ir.Atom) bool {
	form, ok := d.affine(a)
	if !ok || len(form.Base) > 0 || len(form.Parts) != 1 {
		return false
	}
	one, ok := form.Factor(analysis.Index{V: index}).Constant()
	return ok && one == 1
}

// cutOperator puts an operator of the level into the first stage from one on that can run it.
func (d *divider) cutOperator(s *ir.Stmt, from int) error {
	switch op := s.Op.(type) {
	case *ir.Sort:
		return d.sort(s, op)
	case *ir.Scatter:
		if d.moving(op) {
			return d.scatter(s, op)
		}
	}
	_, twoPasses := s.Op.(*ir.Scan)
	at := d.stageFor(ir.OperatorLength(s.Op), from, twoPasses)
	if at < 0 {
		return d.misplaced(s)
	}
	d.gatherEarlier(s, at)
	switch op := s.Op.(type) {
	case *ir.Map:
		d.stage(at).blocks = append(d.stage(at).blocks, s)
		for _, v := range s.Dst {
			d.made[v] = at
		}
		return nil
	case *ir.Reduce:
		c := newComb(op.Comb, op.Init)
		d.combined(s, at, c)
		return nil
	case *ir.Hist:
		c := newComb(op.Comb, op.Init)
		if c.fns == nil && op.Row() != nil {
			return d.refuse(s.Pos, "it combines rows by a function of which no neutral element is known, from which each block could begin")
		}
		d.combined(s, at, c)
		return nil
	case *ir.Scan:
		d.scan(s, op, newComb(op.Comb, op.Init), at)
		return nil
	case *ir.Scatter:
	default:
		return d.refuse(s.Pos, "%s is not cut into blocks: its turns update what others read", ir.OperatorName(s.Op))
	}
	return d.byOneWorker(s, at)
}

// misplaced is for an operator that needs what comes only when the elements of its level are gone.
func (d *divider) misplaced(s *ir.Stmt) error {
	return d.refuse(s.Pos, "it needs what blocks compute of the elements that are left of its level")
}

// combined lets blocks run a Reduce or a Hist from neutral elements on. What it is from its own initial values is
// computed behind, unless these are neutral.
func (d *divider) combined(s *ir.Stmt, at int, c *comb) {
	dst := s.Dst
	var after []*ir.Stmt
	if !c.neutral || c.fns == nil {
		dst, after = c.behind(s, d.names)
	}
	own := &ir.Stmt{Dst: dst, Op: c.fromNeutral(s.Op, d.names), Pos: s.Pos}
	stage := d.stage(at)
	stage.blocks = append(stage.blocks, own)
	stage.partials = append(stage.partials, partial{of: own, yields: own.Dst, dst: dst, comb: c})
	for _, v := range dst {
		d.phase[v] = at + 1
	}
	for _, t := range after {
		d.once(t, at+1)
	}
	d.stage(at + 1)
}

// scan is a Scan in two passes: blocks yield the totals of their elements, from which follows what each block of the
// next stage begins with.
func (d *divider) scan(s *ir.Stmt, op *ir.Scan, c *comb, at int) {
	names := d.names
	together, from := cloneLambda(op.Comb, names), op.Init
	if c.fns == nil { // blocks say whether they have elements
		together, from = c.met(names), append([]ir.Atom{ir.BoolConst(true)}, op.Init...)
	}
	own := d.blockTotals(s, op, c, at)
	var lists []*ir.Var
	for _, v := range own.Dst {
		lists = append(lists, names.Var(after(v.Name, "s"), ir.Type{Kind: v.T.Kind, Rank: 1}))
	}
	stage := d.stage(at)
	stage.partials = append(stage.partials, partial{of: own, yields: own.Dst, dst: lists, comb: c, listed: true})
	for _, v := range lists {
		d.phase[v] = at + 1
	}
	// What a block begins with: the totals of those before it, from the initial values on.
	n := names.Var("blocks", ir.Scalar(ir.Int))
	d.once(&ir.Stmt{Dst: []*ir.Var{n}, Op: &ir.Len{X: lists[0]}, Pos: s.Pos}, at+1)
	overBlocks := func(suffix string, inclusive bool) []*ir.Var {
		j := names.Var("block", ir.Scalar(ir.Int))
		each := &ir.Block{}
		var dst []*ir.Var
		for _, l := range lists {
			e := names.Var(l.Name, ir.Scalar(l.T.Kind))
			each.Stmts = append(each.Stmts, &ir.Stmt{Dst: []*ir.Var{e}, Op: &ir.Index{X: l, I: j}, Pos: s.Pos})
			each.Results = append(each.Results, e)
			dst = append(dst, names.Var(after(l.Name, suffix), l.T))
		}
		d.once(&ir.Stmt{Dst: dst, Op: &ir.Scan{N: n, I: j, Body: each, Comb: cloneLambda(together, names), Init: from, Inclusive: inclusive}, Pos: s.Pos}, at+1)
		return dst[len(dst)-len(s.Dst):]
	}
	ends := func() (ends []*ir.Var) { // of all blocks, of which there is one at least
		last := names.Var("last", ir.Scalar(ir.Int))
		d.once(&ir.Stmt{Dst: []*ir.Var{last}, Op: &ir.Binary{Fn: ir.Sub, X: n, Y: ir.IntConst(ir.Int, 1)}, Pos: s.Pos}, at+1)
		for _, l := range overBlocks("To", true) {
			v := names.Var(after(l.Name, "End"), ir.Scalar(l.T.Kind))
			d.once(&ir.Stmt{Dst: []*ir.Var{v}, Op: &ir.Index{X: l, I: last}, Pos: s.Pos}, at+1)
			ends = append(ends, v)
		}
		return ends
	}
	if op.Inclusive && c.exact() {
		d.noteEnds(s.Dst, op.N, ends)
	}
	if totals := d.totals[s]; totals != nil {
		as := ir.Subst{}
		for i, v := range ends() {
			as[totals[i]] = v
		}
		substitute(d.f.Body, as)
	}
	next := d.stage(at + 1)
	var init []ir.Atom
	for _, v := range overBlocks("Before", false) {
		e := names.Var(v.Name, ir.Scalar(v.T.Kind))
		next = d.stage(at + 1)
		next.blocks = append(next.blocks, &ir.Stmt{Dst: []*ir.Var{e}, Op: &ir.Index{X: v, I: blockNumber}, Pos: s.Pos})
		init = append(init, e)
	}
	next.blocks = append(next.blocks, &ir.Stmt{Dst: s.Dst, Op: &ir.Scan{N: op.N, I: op.I, Body: op.Body, Comb: op.Comb, Init: init, Inclusive: op.Inclusive}, Pos: s.Pos})
	for _, v := range s.Dst {
		d.made[v] = at + 1
	}
}

// blockTotals lets blocks compute what their elements of a Scan are together. A Reduce may take them in another order,
// so that where the function is not known it is the last element of another Scan.
func (d *divider) blockTotals(s *ir.Stmt, op *ir.Scan, c *comb, at int) *ir.Stmt {
	names := d.names
	i := names.Var(op.I.Name, op.I.T)
	body := op.Body.Clone(ir.Subst{op.I: i}, names)
	var totals []*ir.Var
	if c.fns == nil {
		totals = append(totals, names.Var("met", ir.Scalar(ir.Bool)))
	}
	for _, v := range s.Dst {
		totals = append(totals, names.Var(after(v.Name, "Total"), ir.Scalar(v.T.Kind)))
	}
	own := &ir.Stmt{Dst: totals, Pos: s.Pos}
	if c.fns != nil {
		own.Op = &ir.Reduce{N: op.N, I: i, Body: body, Comb: cloneLambda(op.Comb, names), Init: c.neutrals()}
		d.addDefs(own)
		d.stage(at).blocks = append(d.stage(at).blocks, own)
		return own
	}
	body.Results = append([]ir.Atom{ir.BoolConst(true)}, body.Results...)
	init := append([]ir.Atom{ir.BoolConst(false)}, op.Init...)
	along := &ir.Stmt{Op: &ir.Scan{N: op.N, I: i, Body: body, Comb: c.met(names), Init: init, Inclusive: true}, Pos: s.Pos}
	last, some := names.Var("last", ir.Scalar(ir.Int)), names.Var("some", ir.Scalar(ir.Bool))
	ends := &ir.Block{}
	for _, v := range totals {
		l, e := names.Var(after(v.Name, "s"), ir.Type{Kind: v.T.Kind, Rank: 1}), names.Var(v.Name, v.T)
		along.Dst = append(along.Dst, l)
		ends.Stmts = append(ends.Stmts, &ir.Stmt{Dst: []*ir.Var{e}, Op: &ir.Index{X: l, I: last}, Pos: s.Pos})
		ends.Results = append(ends.Results, e)
	}
	d.addDefs(along)
	own.Op = &ir.If{Cond: some, Then: ends, Else: &ir.Block{Results: init}}
	d.stage(at).blocks = append(d.stage(at).blocks, along,
		&ir.Stmt{Dst: []*ir.Var{last}, Op: &ir.Binary{Fn: ir.Sub, X: blockCount, Y: ir.IntConst(ir.Int, 1)}, Pos: s.Pos},
		&ir.Stmt{Dst: []*ir.Var{some}, Op: &ir.Binary{Fn: ir.Gt, X: blockCount, Y: ir.IntConst(ir.Int, 0)}, Pos: s.Pos}, own)
	return own
}

// byOneWorker lets blocks compute where each element goes. One worker moves them, behind the blocks of stage at.
func (d *divider) byOneWorker(s *ir.Stmt, at int) error {
	index, body := ir.OperatorIndex(s.Op), ir.Blocks(s.Op)[0]
	if slices.ContainsFunc(body.Results, func(r ir.Atom) bool { return r.Type().Rank > 0 }) {
		return d.refuse(s.Pos, "it moves rows, which blocks do not list")
	}
	i := d.names.Var(index.Name, index.T)
	each := &ir.Stmt{Op: &ir.Map{N: ir.OperatorLength(s.Op), I: i, Body: body.Clone(ir.Subst{index: i}, d.names)}, Pos: s.Pos}
	*body = ir.Block{}
	for _, r := range each.Op.(*ir.Map).Body.Results {
		v := d.names.Var("listed", ir.Type{Kind: r.Type().Kind, Rank: 1})
		each.Dst = append(each.Dst, v)
		d.made[v] = at
		e := d.names.Var(v.Name, ir.Scalar(v.T.Kind))
		body.Stmts = append(body.Stmts, &ir.Stmt{Dst: []*ir.Var{e}, Op: &ir.Index{X: d.gathered(v), I: index}, Pos: s.Pos})
		body.Results = append(body.Results, e)
	}
	d.addDefs(each)
	d.stage(at).blocks = append(d.stage(at).blocks, each)
	d.plan.Alone = append(d.plan.Alone, Alone{s.Pos, ir.OperatorName(s.Op) + " of what blocks compute, as something needs the elements where they were before"})
	d.once(s, at+1)
	return nil
}

// addDefs makes the statements of a copy known to the analysis.
func (d *divider) addDefs(s *ir.Stmt) {
	d.defs.Add(s)
	ir.Walk(&ir.Block{Stmts: []*ir.Stmt{s}}, func(t *ir.Stmt) {
		d.defs.Add(t)
		if i := ir.OperatorIndex(t.Op); i != nil {
			d.turns[i] = bounded{ir.IntConst(ir.Int, 0), ir.OperatorLength(t.Op)}
		}
	})
}

// First, count and number of a block are parameters of its steps.
var (
	blockFirst  = &ir.Var{Name: "first", T: ir.Scalar(ir.Int)}
	blockCount  = &ir.Var{Name: "count", T: ir.Scalar(ir.Int)}
	blockNumber = &ir.Var{Name: "number", T: ir.Scalar(ir.Int)}
)

// after is a name behind another one, of which a number that the namer has given is left out.
func after(name, what string) string {
	base, _, _ := strings.Cut(name, ".")
	return base + what
}
