package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// Rows of a parameter [][]T may differ in length, and so nothing is known of row i but that it lies between two
// offsets. Where all have one length, which the caller finds out when inputs are bound, element j of row i is element
// i·length+j of one sequence, as in code that is written for flat sequences: every pass then treats it as such. So it
// is on all levels of a [][][]T.

// Regular is what a parameter is besides its elements, all rows of which have one length, and all that holds rows.
type Regular struct {
	N       *ir.Var   // how many rows there are, or what holds rows
	Lengths []*ir.Var // of what lies in it, level by level, at least 1 even where there is none; the last one is that of rows
}

// Row is the length of the rows.
func (r *Regular) Row() *ir.Var { return r.Lengths[len(r.Lengths)-1] }

// CompileRegular is [Compile], or [CompileTurns] if turns says so, of a kernel whose parameters at the given places
// have rows of one length, on all levels. Each of these becomes the sequence of its elements; how many rows it has, and
// how long they are, are parameters behind all others.
func CompileRegular(f *ir.Func, at []int, turns bool, trace func(Stage)) (*Kernel, error) {
	by := passes
	if turns {
		by = turnPasses
	}
	k, err := compileBy(regular(f, at), by, trace)
	if err != nil {
		return nil, err
	}
	params := map[*ir.Var]*Regular{}
	sizes := k.Func.Params[len(f.Params):]
	for _, p := range at {
		levels := f.Params[p].T.Rank
		params[k.Func.Params[p]] = &Regular{N: sizes[0], Lengths: sizes[1:levels]}
		sizes = sizes[levels:]
	}
	k.PutRegular(params)
	return k, nil
}

// PutRegular says which parameters have rows of one length.
func (k *Kernel) PutRegular(params map[*ir.Var]*Regular) {
	k.Regular = params
	for _, c := range k.Computations {
		c.lengths = k.RowLengths()
	}
}

// regular returns f with the parameters at the given places made regular.
func regular(f *ir.Func, at []int) *ir.Func {
	f = f.Clone()
	names := ir.NewNamer(f)
	r := &regularizer{names: names, sub: ir.Subst{}, parts: map[ir.Atom]*regularPart{}}
	var views []*ir.Stmt
	for _, p := range at {
		x := f.Params[p]
		of := &regularParam{levels: []ir.Atom{names.Var(x.Name+"_all", ir.Type{Kind: x.T.Kind, Rank: 1})}}
		f.Params[p] = of.levels[0].(*ir.Var)
		n := names.Var(x.Name+"_n", tInt)
		f.Params, f.Sizes = append(f.Params, n), f.Sizes+x.T.Rank
		for range x.T.Rank - 1 {
			length := names.Var(x.Name+"_length", tInt)
			f.Params, of.lengths = append(f.Params, length), append(of.lengths, length)
		}
		// Whatever is done with the whole of it is done with its rows, of which the last one is as long as the others.
		for d, length := range slices.Backward(of.lengths) {
			rows := x
			if d > 0 {
				rows = names.Var(x.Name+"_rows", of.levels[0].Type().Array())
			}
			views = append(views, &ir.Stmt{Dst: []*ir.Var{rows}, Op: &ir.View{Fn: ir.Split, Args: []ir.Atom{of.levels[0], length}}, Pos: f.Pos})
			of.levels = slices.Insert(of.levels, 0, ir.Atom(rows))
		}
		r.parts[x] = &regularPart{of: of, n: n}
	}
	r.block(f.Body)
	f.Body.Stmts = append(views, f.Body.Stmts...)
	simplify(f)
	return f
}

// regularParam is a parameter: what lies on each level, all of it one behind the other, the elements last, and how much
// of it lies in each on the level above.
type regularParam struct{ levels, lengths []ir.Atom }

// regularPart is a parameter, a row of it, or what holds rows: what lies in it is on a level, and begins at lo there,
// nil for the whole parameter.
type regularPart struct {
	of    *regularParam
	level int
	n, lo ir.Atom
}

type regularizer struct {
	names *ir.Namer
	sub   ir.Subst
	parts map[ir.Atom]*regularPart
}

func (r *regularizer) block(b *ir.Block) {
	stmts := b.Stmts
	b.Stmts = nil
	for _, s := range stmts {
		for _, a := range ir.Operands(s.Op) {
			*a = r.sub.Atom(*a)
		}
		let := func(name string, fn ir.BinaryFn, x, y ir.Atom) ir.Atom {
			v := r.names.Var(name, tInt)
			b.Stmts = append(b.Stmts, &ir.Stmt{Dst: []*ir.Var{v}, Op: &ir.Binary{Fn: fn, X: x, Y: y}, Pos: s.Pos})
			return v
		}
		switch op := s.Op.(type) {
		case *ir.Len:
			if p := r.parts[op.X]; p != nil {
				r.sub[s.Dst[0]] = p.n
				continue
			}
		case *ir.Index:
			p := r.parts[op.X]
			if p == nil {
				break
			}
			at := op.I
			if p.lo != nil {
				at = let("at", ir.Add, p.lo, at)
			}
			if p.level == len(p.of.lengths) {
				op.X, op.I = p.of.levels[p.level], at
				break
			}
			n := p.of.lengths[p.level]
			lo := let("lo", ir.Mul, at, n)
			r.parts[s.Dst[0]] = &regularPart{of: p.of, level: p.level + 1, n: n, lo: lo}
			s.Op = &ir.View{Fn: ir.Slice, Args: []ir.Atom{p.of.levels[p.level+1], lo, let("hi", ir.Add, lo, n)}}
		}
		for _, c := range ir.Blocks(s.Op) {
			r.block(c)
		}
		b.Stmts = append(b.Stmts, s)
	}
	for i := range b.Results {
		b.Results[i] = r.sub.Atom(b.Results[i])
	}
}

// Uneven returns which of the parameters at the given places are better taken as regular: those whose rows are read at
// places that count up to something else than the row's own length, or whose lengths bound such places in something
// else, so that checks compare lengths of rows, one by one; those whose rows are as long as others that are filled
// in order, which are on lanes where all have one length; and those whose lengths are computed with, row by row, as
// where rows of an array begin that is updated. Where there are such, also those whose rows are read where data say.
// Rows that are only read from end to end lose nothing by being of any length.
func (k *Kernel) Uneven(at []int) []int {
	params := map[ir.Atom]int{}
	for _, p := range at {
		params[k.Func.Params[p]] = p
	}
	type row struct {
		param int
		row   ir.Atom
	}
	of := map[ir.Atom]row{}       // a row of a parameter, or one as long, or what holds rows of it, or what its length bounds
	made := map[ir.Atom]ir.Atom{} // results of Maps, and what their elements are
	counted := map[ir.Atom]bool{} // indices, counters of loops, and sums of them
	found, looked := map[int]bool{}, map[int]bool{}
	allocs := ir.Allocs(k.Func.Body)
	var lengths []ir.Atom // results of Maps and Scans
	counts := func(i *ir.Var, to ir.Atom) {
		counted[i] = true
		if r, ok := of[to]; ok {
			of[i] = r
		}
	}
	ir.Walk(k.Func.Body, func(s *ir.Stmt) {
		switch op := s.Op.(type) {
		case *ir.Check:
			if op.Kind != ir.CheckIndex {
				return
			}
			switch index, length := of[op.Args[0]], of[op.Args[1]]; {
			case !counted[op.Args[0]]:
				looked[length.param] = looked[length.param] || length.row != nil
			case index != length:
				found[index.param] = found[index.param] || index.row != nil
				found[length.param] = found[length.param] || length.row != nil
			}
		case *ir.Index:
			if p, ok := params[op.X]; ok {
				of[s.Dst[0]] = row{p, s.Dst[0]}
			} else if held, ok := of[op.X]; ok && s.Dst[0].T.Rank > 0 {
				of[s.Dst[0]] = row{held.param, s.Dst[0]}
			} else if r, ok := of[made[op.X]]; ok {
				of[s.Dst[0]] = r
			}
		case *ir.Len:
			if r, ok := of[op.X]; ok {
				of[s.Dst[0]] = r
			}
		case *ir.Loop:
			if op.I != nil {
				counts(op.I, op.Hi)
			}
			for _, p := range op.Params {
				if made := allocs[p]; made != nil && !op.Independent {
					r := of[length(made)]
					found[r.param] = found[r.param] || r.row != nil
				}
			}
		default:
			switch op := s.Op.(type) {
			case *ir.Map:
				lengths = append(lengths, op.Body.Results...)
				for i, v := range s.Dst {
					made[v] = op.Body.Results[i]
					if r, ok := of[op.N]; ok && v.T.Rank == 1 {
						of[v] = r
					}
				}
			case *ir.Scan:
				lengths = append(lengths, op.Body.Results...)
			}
			if i := ir.OperatorIndex(s.Op); i != nil {
				counts(i, ir.OperatorLength(s.Op))
			} else if len(s.Dst) == 1 && s.Dst[0].T == tInt {
				for _, a := range ir.Operands(s.Op) {
					if r, ok := of[*a]; ok && (*a).Type().Rank == 0 {
						of[s.Dst[0]] = r
					}
					counted[s.Dst[0]] = counted[s.Dst[0]] || counted[*a]
				}
			}
		}
	})
	for _, a := range lengths {
		if r, ok := of[a]; ok && a.Type().Rank == 0 {
			found[r.param] = found[r.param] || r.row != nil
		}
	}
	some := slices.ContainsFunc(at, func(p int) bool { return found[p] })
	return slices.DeleteFunc(slices.Clone(at), func(p int) bool { return !found[p] && !(some && looked[p]) })
}
