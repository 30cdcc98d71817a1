package cut

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// Sort says that elements of the level change places behind the blocks of a stage, as package cluster has it.
type Sort struct {
	Keys, From int // block values: the key of an element, and where it was, behind the sort
	Moved, Out []int
	Splitters  [2]int // whole values; of a sort that is placed there are none
	// Placed says that keys are places, of Width elements, a whole value, and that elements at negative ones are dropped.
	// If it is Sparse, there may be several elements for one place, of which the last one stays, or none.
	Placed, Sparse bool
	Width          int
}

// sorting is a Sort on its way to the plan.
type sorting struct {
	keys, from *ir.Var
	moved, out []*ir.Var
	splitters  []*ir.Var
	width      ir.Atom // of the level behind it, if elements go to places; nil if it sorts
	sparse     bool
}

// move lets sorts of the level, and sparse Scatters, take along what operators behind them read in their order:
// x[p[i]], where p says where elements were, becomes element i of another result of the sort, and its function yields
// x[i], too.
func (d *divider) move() {
	known := slices.Clone(d.f.Params)
	for n, s := range d.f.Body.Stmts {
		if _, sorts := s.Op.(*ir.Sort); (sorts || d.sparse[s]) && d.over(s) {
			moved := map[*ir.Var]*ir.Var{}
			for _, t := range d.f.Body.Stmts[n+1:] {
				if ir.OperatorLength(t.Op) == d.yields(s) {
					d.moveReads(t, s, known, moved)
				}
			}
		}
		known = append(known, s.Dst...)
	}
}

// moveReads replaces what t reads in the order of the sort s of what is known before it.
func (d *divider) moveReads(t, s *ir.Stmt, known []*ir.Var, moved map[*ir.Var]*ir.Var) {
	index, body := ir.OperatorIndex(t.Op), ir.Blocks(s.Op)[0]
	ir.Walk(&ir.Block{Stmts: []*ir.Stmt{t}}, func(r *ir.Stmt) {
		read, ok := r.Op.(*ir.Index)
		if !ok {
			return
		}
		x, ok := read.X.(*ir.Var)
		if !ok || x.T.Rank != 1 || !slices.Contains(known, x) {
			return
		}
		from, ok := d.defs[read.I].(*ir.Index)
		if !ok || from.X != ir.Atom(s.Dst[0]) || from.I != ir.Atom(index) {
			return
		}
		if moved[x] == nil {
			out := d.names.Var(after(x.Name, "Sorted"), x.T)
			body.Results = append(body.Results, d.elementOf(x, ir.OperatorIndex(s.Op), body, s.Pos))
			s.Dst = append(s.Dst, out)
			moved[x] = out
		}
		read.X, read.I = moved[x], index
	})
}

// elementOf is the element of x that the function of a sort reads, or is made to read.
func (d *divider) elementOf(x, index *ir.Var, body *ir.Block, pos ir.Pos) *ir.Var {
	for _, s := range body.Stmts {
		if read, ok := s.Op.(*ir.Index); ok && read.X == ir.Atom(x) && read.I == ir.Atom(index) {
			return s.Dst[0]
		}
	}
	e := d.names.Var(x.Name, ir.Scalar(x.T.Kind))
	body.Stmts = append(body.Stmts, &ir.Stmt{Dst: []*ir.Var{e}, Op: &ir.Index{X: x, I: index}, Pos: pos})
	return e
}

// sort lets blocks compute keys and what moves with them. Behind that, the elements are in other blocks.
func (d *divider) sort(s *ir.Stmt, op *ir.Sort) error {
	sort := &sorting{from: s.Dst[0], out: s.Dst[1:]}
	if err := d.exchange(s, op.I, op.Body, sort); err != nil {
		return err
	}
	sort.splitters = []*ir.Var{d.names.Var("splitters", sort.keys.T), d.names.Var("splitterPlaces", ir.Type{Kind: ir.Int, Rank: 1})}
	return nil
}

// scatter lets blocks compute where elements go, which is a sort by places. Behind it the level is as long as there are
// places.
func (d *divider) scatter(s *ir.Stmt, op *ir.Scatter) error {
	sort, body := &sorting{width: op.W, sparse: d.sparse[s]}, *op.Body
	if sort.sparse { // the first of its results is where elements were
		sort.from, sort.out, body.Results = s.Dst[0], s.Dst[1:], slices.Delete(slices.Clone(body.Results), 1, 2)
	} else {
		sort.from, sort.out = d.names.Var("from", ir.Type{Kind: ir.Int, Rank: 1}), s.Dst
	}
	if w, ok := op.W.(*ir.Var); ok {
		d.wanted[w] = true
	}
	return d.exchange(s, op.I, &body, sort)
}

// exchange lets blocks compute the results of the body of s, of which the first is the key by which elements move. It
// is behind all that blocks do so far, as nothing that comes behind it may count on the blocks before it.
func (d *divider) exchange(s *ir.Stmt, index *ir.Var, body *ir.Block, sort *sorting) error {
	ready, blocks := d.needs(s)
	at := max(ready, blocks, 0)
	for i, st := range d.steps {
		if len(st.blocks) > 0 {
			at = max(at, i)
		}
	}
	for d.stage(at).sort != nil {
		at++
	}
	if d.lengthOf(at) != ir.OperatorLength(s.Op) {
		return d.misplaced(s)
	}
	d.gatherEarlier(s, at)
	i := d.names.Var(index.Name, index.T)
	elements := &ir.Map{N: ir.OperatorLength(s.Op), I: i, Body: body.Clone(ir.Subst{index: i}, d.names)}
	each := &ir.Stmt{Op: elements, Pos: s.Pos}
	results := elements.Body.Results
	elements.Body.Results = nil
	for n, r := range results {
		same := slices.Index(elements.Body.Results, r) // a key may move with itself
		if same < 0 {
			v := d.names.Var("keys", ir.Type{Kind: r.Type().Kind, Rank: 1})
			if n > 0 {
				v = d.names.Var(after(sort.out[n-1].Name, ""), v.T)
			}
			same = len(each.Dst)
			each.Dst, elements.Body.Results = append(each.Dst, v), append(elements.Body.Results, r)
		}
		if v := each.Dst[same]; n == 0 {
			sort.keys = v
		} else {
			sort.moved = append(sort.moved, v)
		}
	}
	for _, v := range each.Dst {
		d.made[v], d.wanted[v] = at, true
	}
	d.addDefs(each)
	stage := d.stage(at)
	stage.blocks, stage.sort = append(stage.blocks, each), sort
	for _, v := range s.Dst {
		d.made[v], d.moves[v] = at+1, true
	}
	d.stage(at + 1)
	return nil
}

// lengthOf is how many elements the level has in the blocks of a stage.
func (d *divider) lengthOf(stage int) ir.Atom {
	n := d.n
	for _, st := range d.steps[:min(stage, len(d.steps))] {
		if st.sort != nil && st.sort.width != nil {
			n = st.sort.width
		}
	}
	return n
}

// stageFor is the first stage from one on whose blocks can run an operator over a length, and those of the stage behind
// it too if it has two passes; -1 if there is none.
func (d *divider) stageFor(n ir.Atom, at int, twoPasses bool) int {
	for ; at <= len(d.steps); at++ {
		if d.lengthOf(at) == n && !(twoPasses && at < len(d.steps) && d.steps[at].sort != nil) {
			return at
		}
	}
	return -1
}

// copied lets the blocks of a stage copy a value that a sort has moved.
func (d *divider) copied(v *ir.Var, at int) *ir.Stmt {
	i, e := d.names.Var("i", ir.Scalar(ir.Int)), d.names.Var(v.Name, ir.Scalar(v.T.Kind))
	s := &ir.Stmt{Dst: []*ir.Var{d.names.Var(after(v.Name, "Own"), v.T)}, Pos: d.plan.Pos, Op: &ir.Map{N: d.lengthOf(at), I: i, Body: &ir.Block{
		Stmts:   []*ir.Stmt{{Dst: []*ir.Var{e}, Op: &ir.Index{X: v, I: i}, Pos: d.plan.Pos}},
		Results: []ir.Atom{e},
	}}}
	d.addDefs(s)
	d.stage(at).blocks = append(d.stage(at).blocks, s)
	return s
}

// places is how often elements have changed places before the blocks of a stage run.
func (d *divider) places(stage int) (n int) {
	for _, st := range d.steps[:min(stage, len(d.steps))] {
		if st.sort != nil {
			n++
		}
	}
	return n
}

// gatherEarlier replaces block values that a statement of stage at reads, and that were made while elements were in
// other blocks, by whole values.
func (d *divider) gatherEarlier(s *ir.Stmt, at int) {
	for _, v := range ir.Free(&ir.Block{Stmts: []*ir.Stmt{s}}) {
		if made, block := d.made[v]; block && d.places(made) != d.places(at) {
			replaceAtom(s, v, d.gathered(v))
		}
	}
}

// replaceAtom puts another value into the place of v in a statement.
func replaceAtom(s *ir.Stmt, v, by *ir.Var) {
	as := func(a *ir.Atom) {
		if *a == ir.Atom(v) {
			*a = by
		}
	}
	ir.Walk(&ir.Block{Stmts: []*ir.Stmt{s}}, func(t *ir.Stmt) {
		for _, a := range ir.Operands(t.Op) {
			as(a)
		}
		for _, b := range ir.Blocks(t.Op) {
			for i := range b.Results {
				as(&b.Results[i])
			}
		}
	})
}

// planned gives what a sort moves its places, behind the step of the blocks before it.
func (d *divider) planned(s *sorting, stage *Stage) {
	part := func(v *ir.Var) int {
		if _, ok := d.part[v]; !ok {
			d.part[v] = d.plan.Parts
			d.plan.Parts++
		}
		return d.part[v]
	}
	stage.Sort = &Sort{Keys: part(s.keys), From: part(s.from)}
	for i := range s.moved {
		stage.Sort.Moved = append(stage.Sort.Moved, part(s.moved[i]))
		stage.Sort.Out = append(stage.Sort.Out, part(s.out[i]))
	}
	if w, ok := s.width.(*ir.Var); ok {
		stage.Sort.Placed, stage.Sort.Sparse, stage.Sort.Width = true, s.sparse, d.whole[w]
	}
	for i, v := range s.splitters {
		d.place(v)
		stage.Sort.Splitters[i] = d.whole[v]
		stage.Partials = append(stage.Partials, Partial{d.whole[v], true})
	}
}
