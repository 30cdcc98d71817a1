package cut

import (
	"fmt"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// Divide cuts the outermost level of a fused function. Where operators at the top are over several lengths, it takes
// the deepest nest among those that cut a parameter. The error is a *[Refused].
func Divide(f *ir.Func) (*Plan, error) {
	var best *Plan
	var bestRank []int
	var refused error
	for _, n := range lengths(f) {
		p, err := divide(f, n)
		if err != nil {
			if refused == nil {
				refused = err
			}
			continue
		}
		rank := []int{min(len(p.Cuts), 1), depthOver(f, n)}
		if best == nil || slices.Compare(rank, bestRank) > 0 {
			best, bestRank = p, rank
		}
	}
	switch {
	case best != nil:
		return best, nil
	case refused != nil:
		return nil, refused
	}
	return nil, uncut(f)
}

// uncut says why a function has no level: it names the loop in which its work is, or is not.
func uncut(f *ir.Func) *Refused {
	var first *Refused
	var look func(b *ir.Block) (found *Refused)
	look = func(b *ir.Block) *Refused {
		for _, s := range b.Stmts {
			switch op := s.Op.(type) {
			case *ir.If:
				for _, c := range []*ir.Block{op.Then, op.Else} {
					if r := look(c); r != nil {
						return r
					}
					if first == nil && holdsOperators(c) {
						first = &Refused{s.Pos, "what is to be computed depends on a condition; a kernel of one of the branches can be cut, if the program decides"}
					}
				}
			case *ir.Map: // of a constant number of elements: of one where all of the kernel is sequential
				if r := look(op.Body); r != nil {
					return r
				}
			case *ir.Loop:
				if holdsOperators(op.Body) {
					return &Refused{s.Pos, "a loop at the top runs its turns one after the other; what one turn does can be a kernel of its own, " +
						"and the loop one of the program that runs it, as k-means in examples/beam"}
				}
				if first == nil {
					first = &Refused{s.Pos, "the loop runs in order"}
				}
			}
		}
		return nil
	}
	if r := look(f.Body); r != nil {
		return r
	}
	if first == nil {
		first = &Refused{f.Pos, "nothing at the top level of the kernel has as many elements as an argument says"}
	}
	return first
}

func holdsOperators(b *ir.Block) (found bool) {
	ir.Walk(b, func(s *ir.Stmt) { found = found || ir.OperatorIndex(s.Op) != nil })
	return found
}

// lengths are those of the operators at the top, each once.
func lengths(f *ir.Func) (ns []ir.Atom) {
	for _, s := range f.Body.Stmts {
		if n, ok := ir.OperatorLength(s.Op).(*ir.Var); ok && !slices.Contains(ns, ir.Atom(n)) {
			ns = append(ns, n)
		}
	}
	return ns
}

// depthOver is how deep the deepest nest over n is.
func depthOver(f *ir.Func, n ir.Atom) int {
	var depth func(s *ir.Stmt) int
	depth = func(s *ir.Stmt) int {
		d := 0
		for _, b := range ir.Blocks(s.Op) {
			for _, t := range b.Stmts {
				d = max(d, depth(t))
			}
		}
		if ir.OperatorIndex(s.Op) != nil {
			d++
		}
		return d
	}
	most := 0
	for _, s := range f.Body.Stmts {
		if ir.OperatorLength(s.Op) == n {
			most = max(most, depth(s))
		}
	}
	return most
}

// divider cuts one level of one function.
type divider struct {
	f      *ir.Func
	n      ir.Atom // the length of the level
	names  *ir.Namer
	defs   analysis.Defs
	top    map[ir.Atom]bool    // what is known before operators: parameters, and what is computed at the top
	turns  map[ir.Atom]bounded // the indices of operators and counted loops inside
	nonneg map[ir.Atom]bool
	plan   *Plan

	extents map[*ir.Var]*extent    // of the parameters that are cut
	length  map[*ir.Var]*ir.Var    // the length of a parameter that is cut
	base    map[*ir.Var]*ir.Var    // where the part of one begins
	phase   map[*ir.Var]int        // of whole values: the stage whose first step knows them
	all     map[*ir.Var]*ir.Var    // of block values: the whole value that they are together, if something reads that
	made    map[*ir.Var]int        // of block values: the stage whose blocks compute them
	moves   map[*ir.Var]bool       // block values that a sort moves to the blocks of that stage
	sparse  map[*ir.Stmt]bool      // the Scatters of which several elements may go to one place, or none
	last    map[*ir.Var]*ends      // of the results of Scans: their last elements
	totals  map[*ir.Stmt][]*ir.Var // of Scans: what all of their elements are together, if that is asked for
	levels  map[ir.Atom]bool       // the lengths of the level: n, and those that it has behind what moves elements to places
	whole   map[*ir.Var]int        // the places of whole values
	part    map[*ir.Var]int        // the places of block values
	steps   []stageStmts
	wanted  map[*ir.Var]bool // what later steps, or the caller, read
}

// bounded is an index that counts from lo to below hi.
type bounded struct{ lo, hi ir.Atom }

// stageStmts are the statements of a stage, and what its blocks' partial results become.
type stageStmts struct {
	once, blocks []*ir.Stmt
	partials     []partial
	sort         *sorting // behind the blocks, nil if there is none
}

func (d *divider) refuse(pos ir.Pos, format string, args ...any) error {
	return &Refused{pos, fmt.Sprintf(format, args...)}
}

// divide cuts the level of length n. Where something needs the elements that were there before others have moved to
// places, one worker moves them.
func divide(f *ir.Func, n ir.Atom) (*Plan, error) {
	plan, err := cutLevel(f, n, true)
	if err != nil {
		if alone, err := cutLevel(f, n, false); err == nil {
			return alone, nil
		}
	}
	return plan, err
}

// cutLevel is divide; with places says whether Scatters move elements between blocks.
func cutLevel(f *ir.Func, n ir.Atom, places bool) (*Plan, error) {
	number := -1
	for i, s := range f.Body.Stmts {
		if ir.OperatorLength(s.Op) == n {
			number = i
			break
		}
	}
	f = f.Clone()
	at := f.Body.Stmts[number]
	n = ir.OperatorLength(at.Op)
	var totals map[*ir.Stmt][]*ir.Var
	if places {
		totals = accumulateRuns(f, n)
	}
	d := &divider{f: f, n: n, names: ir.NewNamer(f), defs: analysis.Of(f.Body), top: map[ir.Atom]bool{},
		turns: map[ir.Atom]bounded{}, nonneg: map[ir.Atom]bool{}, extents: map[*ir.Var]*extent{}, length: map[*ir.Var]*ir.Var{},
		base: map[*ir.Var]*ir.Var{}, phase: map[*ir.Var]int{}, made: map[*ir.Var]int{}, whole: map[*ir.Var]int{}, part: map[*ir.Var]int{},
		wanted: map[*ir.Var]bool{}, all: map[*ir.Var]*ir.Var{}, moves: map[*ir.Var]bool{}, sparse: map[*ir.Stmt]bool{}, last: map[*ir.Var]*ends{},
		levels: map[ir.Atom]bool{n: true}, totals: totals, plan: &Plan{Name: f.Name, Pos: at.Pos}}
	if places {
		d.follow()
	}
	d.move()
	d.look()
	d.measure()
	d.number()
	d.takeLengths()
	if err := d.assign(); err != nil {
		return nil, err
	}
	if err := d.build(); err != nil {
		return nil, err
	}
	return d.plan, nil
}

// follow finds the lengths that the level has where a Scatter has moved its elements.
func (d *divider) follow() {
	for _, s := range d.f.Body.Stmts {
		d.lasts(s)
		if op, ok := s.Op.(*ir.Scatter); ok && d.levels[op.N] {
			if w, ok := op.W.(*ir.Var); ok && !slices.ContainsFunc(op.Body.Results, func(r ir.Atom) bool { return r.Type().Rank > 0 }) {
				d.levels[w] = true
			}
		}
	}
}

// moving reports whether elements go to the blocks of their places.
func (d *divider) moving(op *ir.Scatter) bool { return d.levels[op.W] }

// over reports whether a statement at the top is an operator of the level.
func (d *divider) over(s *ir.Stmt) bool { return d.levels[ir.OperatorLength(s.Op)] }

// yields is how many elements the sequences have that an operator of the level yields, nil if it is not known here.
func (d *divider) yields(s *ir.Stmt) ir.Atom {
	switch op := s.Op.(type) {
	case *ir.Map, *ir.Scan, *ir.Sort:
		return ir.OperatorLength(op)
	case *ir.Scatter:
		if d.moving(op) {
			return op.W
		}
	}
	return nil
}

// look collects what the analysis of indices needs.
func (d *divider) look() {
	for _, p := range d.f.Params {
		d.top[p] = true
	}
	for _, s := range d.f.Body.Stmts {
		for _, v := range s.Dst {
			d.top[v] = true
		}
		if c, ok := s.Op.(*ir.Check); ok && (c.Kind == ir.CheckSize || c.Kind == ir.CheckNonneg) {
			d.nonneg[c.Args[0]] = true
		}
	}
	ir.Walk(d.f.Body, func(s *ir.Stmt) {
		if i := ir.OperatorIndex(s.Op); i != nil {
			d.turns[i] = bounded{ir.IntConst(ir.Int, 0), ir.OperatorLength(s.Op)}
		} else if l, ok := s.Op.(*ir.Loop); ok && l.I != nil {
			d.turns[l.I] = bounded{l.Lo, l.Hi}
		}
	})
}

// number gives parameters their places.
func (d *divider) number() {
	for i, p := range d.f.Params {
		d.whole[p], d.phase[p] = i, 0
	}
	d.plan.Wholes = len(d.f.Params)
	for i, p := range d.f.Params {
		if d.extents[p] != nil {
			d.plan.Params[i].Cut = true
			d.length[p] = d.names.Var(after(p.Name, "Len"), ir.Scalar(ir.Int))
			d.whole[d.length[p]], d.phase[d.length[p]] = i, 0
		}
	}
	for _, p := range d.inOrder() {
		d.part[p] = d.plan.Parts
		d.plan.Parts++
	}
	for _, p := range d.inOrder() {
		d.base[p] = d.names.Var(after(p.Name, "Base"), ir.Scalar(ir.Int))
		d.part[d.base[p]] = d.plan.Parts
		d.plan.Parts++
	}
}

// inOrder are the parameters that are cut, those that hold offsets before those that these cut.
func (d *divider) inOrder() (order []*ir.Var) {
	for _, by := range []bool{false, true} {
		for _, p := range d.f.Params {
			if x := d.extents[p]; x != nil && (x.by != nil) == by {
				order = append(order, p)
			}
		}
	}
	return order
}

// takeLengths replaces the lengths of parameters that are cut, and of what Maps over the level make, by scalars.
func (d *divider) takeLengths() {
	known := map[ir.Atom]ir.Atom{}
	for p, n := range d.length {
		known[p] = n
	}
	for _, s := range d.f.Body.Stmts {
		if n := d.yields(s); n != nil && d.over(s) {
			for _, v := range s.Dst {
				known[v] = n
			}
		}
	}
	as := ir.Subst{}
	var visit func(b *ir.Block)
	visit = func(b *ir.Block) {
		b.Stmts = slices.DeleteFunc(b.Stmts, func(s *ir.Stmt) bool {
			if l, ok := s.Op.(*ir.Len); ok && known[l.X] != nil {
				as[s.Dst[0]] = known[l.X]
				return true
			}
			for _, c := range ir.Blocks(s.Op) {
				visit(c)
			}
			return false
		})
	}
	visit(d.f.Body)
	substitute(d.f.Body, as)
	levels := map[ir.Atom]bool{}
	for n := range d.levels {
		levels[as.Atom(n)] = true
	}
	d.levels = levels
	d.n = as.Atom(d.n)
	for _, p := range d.extents {
		p.replace(as)
	}
	if v, ok := d.n.(*ir.Var); ok {
		d.wanted[v] = true
	}
}
