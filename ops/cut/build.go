package cut

import (
	"fmt"
	"maps"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// build makes functions of what stages run.
func (d *divider) build() error {
	cuts, terms := d.cuts()
	d.stage(0).once = append(d.stage(0).once, terms...)
	for _, s := range terms {
		d.phase[s.Dst[0]] = 0
	}
	for _, s := range terms {
		for _, a := range ir.Operands(s.Op) {
			if v, ok := (*a).(*ir.Var); ok && d.phase[v] > 0 {
				return d.refuse(d.plan.Pos, "which part of a parameter a block reads depends on %s, which blocks compute", v.Name)
			}
		}
	}
	d.want()
	for i := range d.steps {
		if err := d.step(i); err != nil {
			return err
		}
	}
	for _, c := range cuts {
		d.plan.Cuts = append(d.plan.Cuts, c.located(d.whole))
	}
	n, ok := d.n.(*ir.Var)
	if !ok {
		return d.refuse(d.plan.Pos, "the level has a constant number of elements")
	}
	d.plan.Length = d.whole[n]
	for _, r := range d.f.Body.Results {
		v, ok := r.(*ir.Var)
		switch _, made := d.made[v]; {
		case !ok:
			return d.refuse(d.f.Pos, "a result is the constant %s", r)
		case made:
			d.plan.Results = append(d.plan.Results, Result{v.T, true, d.part[v]})
		default:
			d.plan.Results = append(d.plan.Results, Result{v.T, false, d.whole[v]})
		}
	}
	return nil
}

// want drops what nobody reads, and marks what a step computes for another one.
func (d *divider) want() {
	read := maps.Clone(d.wanted)
	for i := range slices.Backward(d.steps) {
		st := &d.steps[i]
		kept := map[*ir.Stmt]bool{}
		for _, p := range st.partials {
			kept[p.of] = true
			for _, v := range p.yields {
				read[v] = true
			}
		}
		st.blocks = live(st.blocks, kept, read)
		st.once = live(st.once, nil, read)
	}
	for _, st := range d.steps {
		for _, list := range [][]*ir.Stmt{st.once, st.blocks} {
			for _, v := range ir.Free(&ir.Block{Stmts: list}) {
				d.wanted[v] = true
			}
		}
	}
}

// live returns those of some statements that are kept, that compute what is read, or that may fail. What these read is
// read, too.
func live(stmts []*ir.Stmt, kept map[*ir.Stmt]bool, read map[*ir.Var]bool) (rest []*ir.Stmt) {
	for _, s := range slices.Backward(stmts) {
		if ir.Pure(s) && !kept[s] && !slices.ContainsFunc(s.Dst, func(v *ir.Var) bool { return read[v] }) {
			continue
		}
		for _, v := range ir.Free(&ir.Block{Stmts: []*ir.Stmt{s}}) {
			read[v] = true
		}
		rest = append(rest, s)
	}
	slices.Reverse(rest)
	return rest
}

// step makes the two functions of a stage.
func (d *divider) step(i int) error {
	st := d.steps[i]
	stage := Stage{}
	if len(st.once) > 0 {
		stage.Whole = d.onceStep(fmt.Sprintf("%sOnce%d", d.f.Name, i+1), st.once)
	}
	if len(st.blocks) > 0 {
		var err error
		if stage.Block, err = d.blockStep(fmt.Sprintf("%sBlock%d", d.f.Name, i+1), st); err != nil {
			return err
		}
	}
	var combined []partial
	for _, p := range st.partials {
		for _, v := range p.dst {
			d.place(v)
			stage.Partials = append(stage.Partials, Partial{d.whole[v], p.listed})
		}
		if !p.listed {
			combined = append(combined, p)
		}
	}
	if len(combined) > 0 {
		stage.Combine = combining(fmt.Sprintf("%sCombine%d", d.f.Name, i+1), combined, ir.NewNamer(nil)).Clone()
	}
	if st.sort != nil {
		d.planned(st.sort, &stage)
	}
	d.plan.Stages = append(d.plan.Stages, stage)
	return nil
}

// place gives a whole value a place.
func (d *divider) place(v *ir.Var) {
	if _, ok := d.whole[v]; !ok {
		d.whole[v] = d.plan.Wholes
		d.plan.Wholes++
	}
}

// onceStep is the function of statements that run once. A check among them needs no result.
func (d *divider) onceStep(name string, stmts []*ir.Stmt) *Step {
	own := map[*ir.Var]bool{}
	var out []*ir.Var
	for _, s := range stmts {
		for _, v := range s.Dst {
			own[v] = true
			if d.wanted[v] {
				out = append(out, v)
			}
		}
	}
	body := &ir.Block{Stmts: stmts, Results: atoms(out)}
	step := &Step{}
	f := &ir.Func{Name: name, Pos: d.plan.Pos}
	for _, v := range ir.Free(body) {
		f.Params = append(f.Params, v)
		step.Wholes = append(step.Wholes, d.whole[v])
	}
	if len(out) == 0 { // checks alone; a function yields something
		out = f.Params[:1]
		body.Results = atoms(out)
	}
	for _, v := range out {
		d.place(v)
		step.Out = append(step.Out, d.whole[v])
	}
	f.Body = body
	step.Func = f.Clone()
	return step
}

// blockStep is the function of what runs for each block.
func (d *divider) blockStep(name string, st stageStmts) (*Step, error) {
	b := &blockBuilder{d: d, names: ir.NewNamer(d.f)}
	partials := map[*ir.Stmt]bool{}
	for _, p := range st.partials {
		partials[p.of] = p.of != nil
	}
	body := &ir.Block{}
	step := &Step{}
	for _, s := range st.blocks {
		body.Stmts = append(body.Stmts, b.stmt(s))
		if partials[s] {
			continue
		}
		for _, v := range s.Dst {
			if _, made := d.made[v]; made && d.wanted[v] {
				d.part[v] = d.plan.Parts
				d.plan.Parts++
				step.Out = append(step.Out, d.part[v])
				body.Results = append(body.Results, v)
			}
		}
	}
	for _, p := range st.partials {
		body.Results = append(body.Results, atoms(p.yields)...)
	}
	if len(body.Results) == 0 { // only what may fail; a function yields something
		v := st.blocks[len(st.blocks)-1].Dst[0]
		d.part[v] = d.plan.Parts
		d.plan.Parts++
		step.Out, body.Results = []int{d.part[v]}, []ir.Atom{v}
	}
	f := &ir.Func{Name: name, Pos: d.plan.Pos, Params: []*ir.Var{blockFirst, blockCount, blockNumber}, Body: body}
	var parts []*ir.Var
	for _, v := range ir.Free(body) {
		_, part := d.part[v]
		_, whole := d.whole[v]
		switch {
		case slices.Contains(f.Params[:3], v):
		case part:
			parts = append(parts, v)
			step.Parts = append(step.Parts, d.part[v])
		case whole:
			f.Params = append(f.Params, v)
			step.Wholes = append(step.Wholes, d.whole[v])
		default:
			return nil, d.refuse(d.plan.Pos, "%s is computed by no step before the one that reads it", v.Name)
		}
	}
	f.Params = append(f.Params, parts...)
	step.Func = f.Clone()
	return step, nil
}

// blockBuilder rewrites operators of the level into operators of a block.
type blockBuilder struct {
	d     *divider
	names *ir.Namer
}

// stmt is a statement of the level for the elements of a block.
func (b *blockBuilder) stmt(s *ir.Stmt) *ir.Stmt {
	if !b.d.over(s) {
		return s
	}
	index := ir.OperatorIndex(s.Op)
	local := b.names.Var(index.Name, index.T)
	b.reads(s, index, local)
	body := ir.Blocks(s.Op)[0]
	global := &ir.Stmt{Dst: []*ir.Var{index}, Op: &ir.Binary{Fn: ir.Add, X: blockFirst, Y: local}, Pos: s.Pos}
	body.Stmts = append([]*ir.Stmt{global}, body.Stmts...)
	switch op := s.Op.(type) {
	case *ir.Map:
		op.N, op.I = blockCount, local
	case *ir.Reduce:
		op.N, op.I = blockCount, local
	case *ir.Hist:
		op.N, op.I = blockCount, local
	case *ir.Scan:
		op.N, op.I = blockCount, local
	}
	return s
}

// reads replaces the places that elements read by places in the parts that a block has.
func (b *blockBuilder) reads(s *ir.Stmt, index, local *ir.Var) {
	var visit func(blk *ir.Block)
	visit = func(blk *ir.Block) {
		var stmts []*ir.Stmt
		for _, t := range blk.Stmts {
			if x, ok := t.Op.(*ir.Index); ok {
				v, _ := x.X.(*ir.Var)
				extent := b.d.extents[v]
				_, made := b.d.made[v]
				switch {
				case made || extent != nil && extent.exact():
					x.I = local
				case extent != nil:
					at := b.names.Var("at", ir.Scalar(ir.Int))
					stmts = append(stmts, &ir.Stmt{Dst: []*ir.Var{at}, Op: &ir.Binary{Fn: ir.Sub, X: x.I, Y: b.d.base[v]}, Pos: t.Pos})
					x.I = at
				}
			}
			for _, c := range ir.Blocks(t.Op) {
				visit(c)
			}
			stmts = append(stmts, t)
		}
		blk.Stmts = stmts
	}
	for _, blk := range ir.Blocks(s.Op) {
		visit(blk)
	}
}

// located is a cut whose terms are values that are still to get places.
type located struct {
	Cut
	times, lo, hi *ir.Var
}

// located fills in the places.
func (c located) located(whole map[*ir.Var]int) Cut {
	at := func(t *Term, v *ir.Var) {
		if v != nil {
			t.Slot = whole[v]
		}
	}
	at(&c.Times, c.times)
	at(&c.Lo, c.lo)
	at(&c.Hi, c.hi)
	return c.Cut
}

// cuts describes the extents, and returns the statements that compute what is no constant in them. Parameters that hold
// offsets come first.
func (d *divider) cuts() (cuts []located, stmts []*ir.Stmt) {
	number := map[*ir.Var]int{}
	for i, p := range d.f.Params {
		number[p] = i
	}
	for _, p := range d.inOrder() {
		x := d.extents[p]
		c := located{Cut: Cut{Param: number[p], By: -1, From: x.from, To: x.to}}
		if x.by != nil {
			c.By = number[x.by]
		}
		c.Times, c.times = d.term(&stmts, ir.Min, x.times)
		c.Lo, c.lo = d.term(&stmts, ir.Min, x.lows...)
		c.Hi, c.hi = d.term(&stmts, ir.Max, x.highs...)
		cuts = append(cuts, c)
	}
	return cuts, stmts
}

// term is the least or greatest of sums, as a constant or a value that statements compute.
func (d *divider) term(stmts *[]*ir.Stmt, fn ir.BinaryFn, sums ...analysis.Sum) (Term, *ir.Var) {
	var all []int64
	for _, s := range sums {
		if c, ok := s.Constant(); ok {
			all = append(all, c)
		}
	}
	if len(all) == len(sums) {
		if fn == ir.Min {
			return Term{-1, int(slices.Min(all))}, nil
		}
		return Term{-1, int(slices.Max(all))}, nil
	}
	emit := func(op ir.Op) *ir.Var {
		v := d.names.Var("extent", ir.Scalar(ir.Int))
		*stmts = append(*stmts, &ir.Stmt{Dst: []*ir.Var{v}, Op: op, Pos: d.plan.Pos})
		return v
	}
	var best ir.Atom
	for _, s := range sums {
		var sum ir.Atom = ir.IntConst(ir.Int, 0)
		for _, p := range s {
			var product ir.Atom = ir.IntConst(ir.Int, p.C)
			for _, a := range p.Of {
				product = emit(&ir.Binary{Fn: ir.Mul, X: product, Y: a})
			}
			sum = emit(&ir.Binary{Fn: ir.Add, X: sum, Y: product})
		}
		if best == nil {
			best = sum
		} else {
			best = emit(&ir.Binary{Fn: fn, X: best, Y: sum})
		}
	}
	v := best.(*ir.Var)
	d.wanted[v] = true
	return Term{}, v
}
