package cut

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// runs is what a ReduceByKey has become: flags of elements at the head of a run, how many heads there are up to an
// element, and, of each run, where it begins. Runs read their elements from there on, which may be any place, so that
// each worker would need all of them. Along the elements, though, what a run is together is what a Scan has come to
// that begins anew at each head, and blocks have what that needs. At the head of a run it is what the run before is
// together, so that this goes to the place of that run. What is left of the last run is what the whole Scan is
// together.
type runs struct {
	f      *ir.Func
	names  *ir.Namer
	defs   analysis.Defs
	by     map[ir.Atom]*ir.Stmt // the statements at the top that compute values
	n      ir.Atom              // how many elements there are
	count  ir.Atom              // how many runs
	starts *ir.Stmt             // where they begin, and n
	flags  *ir.Var              // 1 for heads, 0 for others
	ranks  *ir.Var              // how many heads there are up to an element
	total  map[*ir.Stmt][]*ir.Var
}

// accumulateRuns rewrites what reads runs of the level of length n, as far as it reads nothing else of them than their
// heads and reductions of their elements. It returns the Scans of which it needs what they are together.
func accumulateRuns(f *ir.Func, n ir.Atom) map[*ir.Stmt][]*ir.Var {
	r := &runs{f: f, n: n, names: ir.NewNamer(f), total: map[*ir.Stmt][]*ir.Var{}}
	var all []runs
	r.look()
	for k, s := range f.Body.Stmts {
		op, ok := s.Op.(*ir.Scatter)
		if !ok || !r.match(s, op) {
			continue
		}
		same := slices.IndexFunc(all, func(q runs) bool { return q.flags == r.flags && q.ranks == r.ranks })
		if same < 0 {
			all = append(all, *r)
			continue
		}
		// The places cover all runs, so that there are as many of them.
		as := ir.Subst{s.Dst[0]: all[same].starts.Dst[0]}
		if count, ok := r.count.(*ir.Var); ok {
			as[count] = all[same].count
		}
		substitute(&ir.Block{Stmts: f.Body.Stmts[k+1:], Results: f.Body.Results}, as)
	}
	for _, r := range all {
		drop(f.Body) // what nobody reads any more needs nothing
		r.look()
		r.rewrite()
	}
	return r.total
}

// look notes what computes each value.
func (r *runs) look() {
	r.defs, r.by = analysis.Of(r.f.Body), map[ir.Atom]*ir.Stmt{}
	for _, s := range r.f.Body.Stmts {
		for _, v := range s.Dst {
			r.by[v] = s
		}
	}
}

// match reports whether a Scatter puts where runs begin.
func (r *runs) match(s *ir.Stmt, op *ir.Scatter) bool {
	if len(op.Body.Results) != 2 || op.Body.Results[1] != ir.Atom(op.I) || !r.oneMore(op.N, r.n) {
		return false
	}
	place, ok := r.defs[op.Body.Results[0]].(*ir.If)
	if !ok || !r.binary(place.Cond, ir.Lt, op.I, r.n) || len(place.Then.Results) != 1 || !r.oneMore(op.W, place.Else.Results[0]) {
		return false
	}
	at, ok := r.defs[place.Then.Results[0]].(*ir.Select)
	if !ok || !ir.IsInt(at.Y, -1) {
		return false
	}
	rank, okRank := r.defs[at.X].(*ir.Binary)
	head, okHead := r.defs[at.Cond].(*ir.Binary)
	if !okRank || !okHead || rank.Fn != ir.Sub || !ir.IsInt(rank.Y, 1) || head.Fn != ir.Ne || !ir.IsInt(head.Y, 0) {
		return false
	}
	r.starts, r.count = s, place.Else.Results[0]
	r.flags, r.ranks = r.element(head.X, op.I), r.element(rank.X, op.I)
	return r.flags != nil && r.ranks != nil && r.counts()
}

// counts reports whether the flags are 0 and 1, and the ranks count them.
func (r *runs) counts() bool {
	flag, ok := r.by[r.flags].Op.(*ir.Map)
	if !ok || flag.N != r.n {
		return false
	}
	of, ok := r.defs[flag.Body.Results[slices.Index(r.by[r.flags].Dst, r.flags)]].(*ir.Select)
	if !ok || !ir.IsInt(of.X, 1) || !ir.IsInt(of.Y, 0) {
		return false
	}
	rank, ok := r.by[r.ranks].Op.(*ir.Scan)
	if !ok || rank.N != r.n || !rank.Inclusive || len(rank.Init) != 1 || !ir.IsInt(rank.Init[0], 0) || r.element(rank.Body.Results[0], rank.I) != r.flags {
		return false
	}
	fns := analysis.Combining(rank.Comb)
	return len(fns) == 1 && fns[0] == ir.Add
}

// element is the sequence of the level of which a is element i.
func (r *runs) element(a ir.Atom, i *ir.Var) *ir.Var {
	if read, ok := r.defs[a].(*ir.Index); ok && read.I == ir.Atom(i) {
		if x, ok := read.X.(*ir.Var); ok && r.by[x] != nil {
			return x
		}
	}
	return nil
}

func (r *runs) binary(a ir.Atom, fn ir.BinaryFn, x, y ir.Atom) bool {
	op, ok := r.defs[a].(*ir.Binary)
	return ok && op.Fn == fn && op.X == x && op.Y == y
}

func (r *runs) oneMore(a, than ir.Atom) bool {
	return r.binary(a, ir.Add, than, ir.IntConst(ir.Int, 1))
}

// rewrite replaces what reads the beginnings of runs, if it can.
func (r *runs) rewrite() {
	var readers []*reader
	first := -1
	for k, s := range r.f.Body.Stmts {
		if s == r.starts || !slices.Contains(ir.Free(&ir.Block{Stmts: []*ir.Stmt{s}}), r.starts.Dst[0]) {
			continue
		}
		reader := r.reader(s)
		if reader == nil {
			return
		}
		readers = append(readers, reader)
		if first < 0 {
			first = k
		}
	}
	if len(readers) == 0 || slices.Contains(r.f.Body.Results, ir.Atom(r.starts.Dst[0])) {
		return
	}
	var parts []*runPart
	for _, reader := range readers {
		parts = append(parts, reader.parts...)
	}
	before := r.previousKeys()
	added := append(r.along(parts), r.toPlaces(parts))
	defined := map[*ir.Var]bool{}
	for _, p := range r.f.Params {
		defined[p] = true
	}
	for _, s := range r.f.Body.Stmts[:first] {
		for _, v := range s.Dst {
			defined[v] = true
		}
	}
	for _, v := range ir.Free(&ir.Block{Stmts: added}) {
		if !defined[v] {
			return
		}
	}
	for _, reader := range readers {
		reader.commit()
	}
	stmts := slices.Insert(r.f.Body.Stmts, first, added...)
	stmts = slices.DeleteFunc(stmts, func(s *ir.Stmt) bool { return s == r.starts })
	if at := slices.Index(stmts, r.by[r.flags]); before != nil {
		stmts = slices.Insert(stmts, at, before()...)
	}
	r.f.Body.Stmts = stmts
}

// along is the Scan of what runs are together. Its first component says whether there was a head.
func (r *runs) along(parts []*runPart) []*ir.Stmt {
	pos, names := r.starts.Pos, r.names
	i, flag, head := names.Var("i", ir.Scalar(ir.Int)), names.Var("flag", ir.Scalar(ir.Int)), names.Var("head", ir.Scalar(ir.Bool))
	scan := &ir.Scan{N: r.n, I: i, Init: []ir.Atom{ir.BoolConst(false)}, Body: &ir.Block{Results: []ir.Atom{head}, Stmts: []*ir.Stmt{
		{Dst: []*ir.Var{flag}, Op: &ir.Index{X: r.flags, I: i}, Pos: pos},
		{Dst: []*ir.Var{head}, Op: &ir.Binary{Fn: ir.Ne, X: flag, Y: ir.IntConst(ir.Int, 0)}, Pos: pos},
	}}}
	s := &ir.Stmt{Dst: []*ir.Var{names.Var("headed", ir.Type{Kind: ir.Bool, Rank: 1})}, Op: scan, Pos: pos}
	earlier, later := []*ir.Var{names.Var("a", ir.Scalar(ir.Bool))}, []*ir.Var{names.Var("b", ir.Scalar(ir.Bool))}
	totals := []*ir.Var{names.Var("headed", ir.Scalar(ir.Bool))}
	for _, p := range parts {
		scan.Init = append(scan.Init, p.init...)
		scan.Body.Results = append(scan.Body.Results, p.begin(scan.Body, i, head, names)...)
		for _, a := range p.init {
			t := a.Type()
			earlier, later = append(earlier, names.Var("a", t)), append(later, names.Var("b", t))
			v, total := names.Var("run", ir.Type{Kind: t.Kind, Rank: 1}), names.Var("lastRun", t)
			s.Dst, totals = append(s.Dst, v), append(totals, total)
			p.along, p.total = append(p.along, v), append(p.total, total)
		}
	}
	either := names.Var("headed", ir.Scalar(ir.Bool))
	begun, goesOn := &ir.Block{}, &ir.Block{}
	var dst []*ir.Var
	k := 1
	for _, p := range parts {
		m := len(p.init)
		begun.Results = append(begun.Results, atoms(later[k:k+m])...)
		goesOn.Results = append(goesOn.Results, p.further(goesOn, atoms(earlier[k:k+m]), atoms(later[k:k+m]), names)...)
		for _, v := range later[k : k+m] {
			dst = append(dst, names.Var(v.Name, v.T))
		}
		k += m
	}
	scan.Comb = &ir.Lambda{Params: slices.Concat(earlier, later), Body: &ir.Block{
		Stmts:   []*ir.Stmt{{Dst: []*ir.Var{either}, Op: &ir.Binary{Fn: ir.Or, X: earlier[0], Y: later[0]}, Pos: pos}},
		Results: append([]ir.Atom{either}, atoms(dst)...),
	}}
	if len(dst) == 0 { // nothing but where runs end is asked for
		return nil
	}
	scan.Comb.Body.Stmts = append(scan.Comb.Body.Stmts, &ir.Stmt{Dst: dst, Op: &ir.If{Cond: later[0], Then: begun, Else: goesOn}, Pos: pos})
	r.total[s] = totals
	return []*ir.Stmt{s}
}

// toPlaces sends what a run is together from the head of the next one to its place. The first head has none before it,
// and goes to the place of the last run, which is left.
func (r *runs) toPlaces(parts []*runPart) *ir.Stmt {
	pos := r.starts.Pos
	b := &builder{names: r.names, pos: pos, block: &ir.Block{}}
	i := r.names.Var("i", ir.Scalar(ir.Int))
	intConst := func(c int64) ir.Atom { return ir.IntConst(ir.Int, c) }
	first := b.emit("first", ir.Bool, &ir.Binary{Fn: ir.Eq, X: i, Y: intConst(0)})
	last := b.emit("last", ir.Int, &ir.Binary{Fn: ir.Sub, X: r.count, Y: intConst(1)})
	rank := b.emit("rank", ir.Int, &ir.Index{X: r.ranks, I: i})
	before := b.emit("before", ir.Int, &ir.Binary{Fn: ir.Sub, X: rank, Y: intConst(2)})
	place := b.emit("place", ir.Int, &ir.Select{Cond: first, X: last, Y: before})
	flag := b.emit("flag", ir.Int, &ir.Index{X: r.flags, I: i})
	head := b.emit("head", ir.Bool, &ir.Binary{Fn: ir.Ne, X: flag, Y: intConst(0)})
	b.block.Results = []ir.Atom{b.emit("place", ir.Int, &ir.Select{Cond: head, X: place, Y: intConst(-1)})}
	s := &ir.Stmt{Op: &ir.Scatter{N: r.n, W: r.count, I: i, Body: b.block}, Pos: pos}
	for _, p := range parts {
		var values []ir.Atom
		for _, v := range p.along {
			values = append(values, b.emit("run", v.T.Kind, &ir.Index{X: v, I: i}))
		}
		if p.end {
			values = []ir.Atom{i}
		}
		for _, a := range values {
			v := r.names.Var("run", ir.Type{Kind: a.Type().Kind, Rank: 1})
			p.placed, s.Dst = append(p.placed, v), append(s.Dst, v)
		}
		b.block.Results = append(b.block.Results, values...)
	}
	return s
}

// builder appends statements to a block.
type builder struct {
	names *ir.Namer
	pos   ir.Pos
	block *ir.Block
}

func (b *builder) emit(name string, k ir.Kind, op ir.Op) *ir.Var {
	v := b.names.Var(name, ir.Scalar(k))
	b.block.Stmts = append(b.block.Stmts, &ir.Stmt{Dst: []*ir.Var{v}, Op: op, Pos: b.pos})
	return v
}
