package fuse

import (
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// RowRead is the read of an element of the row of d elements that element i of a level has, x[i·d+place]: at J + By
// or, with Down, where the place goes down as J goes up, at Length - J + By. Length is d.
type RowRead struct {
	Length analysis.Sum
	J      *ir.Var // counts a loop in order
	Down   bool
	By     int64
	// End is what J stays below, where only a run says whether the loop stays in the row, one of a parameter whose rows
	// have one length: whether End + By is at most Length. It is nil where the loop does.
	End ir.Atom
}

// PackedReads returns what in the body b of element i of a level reads elements of rows of d that lie one behind the
// other, at places that loops in order count and that are never outside of the row, but for [RowRead.End]: the rows are
// worth packing where the level has lanes. Defs are those of the kernel, lengths the [Kernel.RowLengths]. The result is
// not nil.
func PackedReads(b *ir.Block, i *ir.Var, defs analysis.Defs, lengths map[ir.Atom]bool) map[*ir.Stmt]RowRead {
	reads, _ := rowReads(b, i, defs, lengths)
	return reads
}

// RowLengths are how long the rows of parameters are that have rows of one length.
func (k *Kernel) RowLengths() map[ir.Atom]bool {
	lengths := map[ir.Atom]bool{}
	for _, r := range k.Regular {
		lengths[r.Row()] = true
	}
	return lengths
}

// rowReads is PackedReads with how many loops are around those of each sequence, added up.
func rowReads(b *ir.Block, i *ir.Var, defs analysis.Defs, lengths map[ir.Atom]bool) (
	reads map[*ir.Stmt]RowRead, times map[ir.Atom]int) {
	r := &rowReader{i: i, lengths: lengths, turns: map[ir.Atom]counter{}}
	r.form = analysis.Form{Defs: defs, Known: func(a ir.Atom) (analysis.Affine, bool) {
		if of := unlimited(defs, a); of != nil {
			return r.form.Affine(of)
		}
		return analysis.On(a), a == ir.Atom(i) || r.turns[a].v != nil
	}}
	reads, times = map[*ir.Stmt]RowRead{}, map[ir.Atom]int{}
	var visit func(b *ir.Block, loops int)
	visit = func(b *ir.Block, loops int) {
		for _, s := range b.Stmts {
			switch op := s.Op.(type) {
			case *ir.Index:
				if op.X.Type().Rank != 1 {
					continue
				}
				if read, ok := r.read(op.I); ok {
					reads[s] = read
					times[op.X] += loops
				}
			case *ir.Loop:
				if c := counterOf(op); c.v != nil {
					r.turns[c.v] = c
				}
				visit(op.Body, loops+1) // a condition may read behind the last turn
				continue
			}
			if indexOf(s.Op) == nil {
				for _, c := range ir.Blocks(s.Op) {
					visit(c, loops)
				}
			}
		}
	}
	visit(b, 0)
	return reads, times
}

// counter is what a loop counts by ones, from lo to below end.
type counter struct {
	v   *ir.Var
	lo  int64
	end ir.Atom
}

// counterOf returns the counter of a loop, with no variable if it has none. Independent turns are made in order where
// the elements around them have lanes.
func counterOf(loop *ir.Loop) counter {
	lo, ok := loop.Lo.(ir.Const)
	if loop.I == nil || !ok {
		return counter{}
	}
	return counter{loop.I, lo.Int(), loop.Hi}
}

// rowReader tells reads of rows from others.
type rowReader struct {
	i       *ir.Var // of the level
	form    analysis.Form
	turns   map[ir.Atom]counter // of the loops around
	lengths map[ir.Atom]bool    // see [Kernel.RowLengths]
}

// read returns the read of the element at a place that depends on i and on one of the loops around.
func (r *rowReader) read(at ir.Atom) (read RowRead, ok bool) {
	place, ok := r.form.Affine(at)
	read.Length = place.Factor(analysis.Index{V: r.i})
	if !ok || len(place.Parts) != 2 || len(read.Length) == 0 {
		return read, false
	}
	other := place.Parts[0]
	if other.Of.V == ir.Atom(r.i) {
		other = place.Parts[1]
	}
	turn := r.turns[other.Of.V]
	if turn.v == nil || other.Of.Fn != "" {
		return read, false
	}
	step, _ := other.Times.Constant()
	if step == -1 {
		read.Down, place.Base = true, place.Base.Minus(read.Length)
	}
	end, sum := r.form.Affine(turn.end)
	past, ends := end.Base.Minus(read.Length).Constant() // of the row's length
	by, near := place.Base.Constant()
	if !sum || len(end.Parts) > 0 || !near || min(past, by) < -farthest || max(past, by, turn.lo) > farthest {
		return read, false
	}
	read.J, read.By = turn.v, by
	if !ends {
		read.End = turn.end
		row, alone := read.Length[0], len(read.Length) == 1 && len(read.Length[0].Of) == 1
		return read, step == 1 && turn.lo+by >= 0 && alone && row.C == 1 && r.lengths[row.Of[0]]
	}
	if read.Down {
		return read, by-past+1 >= 0 && by-turn.lo < 0
	}
	return read, step == 1 && turn.lo+by >= 0 && past+by <= 0
}
