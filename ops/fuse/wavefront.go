package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// A loop over rows and columns whose turns need those before them, as in a table of dynamic programming, is divided
// into blocks. Those of one diagonal are independent of each other, and the diagonals are made one after the other:
//
//	a' = loop (b) init a for i = lo to hi { …; c' = loop (c) init b for j = from to to { …c… }; yield c' }
//
// becomes
//
//	a' = if ok {
//	  loop (b) init a for diagonal = 0 to down + across - 1 {
//	    loop (b) init b for q = 0 to n independent {
//	      row = first + q; column = diagonal - row
//	      loop (b) init b for i = (that row of blocks) { …; loop (c) init b for j = (that column of blocks) { …c… } }
//	    }
//	  }
//	} else {
//	  the loop as it stands
//	}
//
// A use of an element that another turn updates is so many rows and columns away from it. If both are backwards, or
// both forwards (one of them may be 0), a turn needs only turns that are in the same block, or above it or left of it,
// or is needed only by such that are below it or right of it; in a block turns keep their order. Of two blocks of a
// diagonal one is below and left of the other one. ok says that rows do not reach into each other, that indices are
// within the arrays, and that there are enough blocks for it to pay.
//
// Elements are computed from the same values as before.

// waveRows and waveColumns are how large a block is where there are enough rows and columns, and waveBlocks how many
// blocks each way that has to be at least, of half as many columns where the table is small: a block is some
// microseconds of work, as a parallel region costs a few, and its rows are long enough for memory to be read ahead.
// Tests make them smaller.
var waveRows, waveColumns, waveBlocks int64 = 32, 256, 4

// waveAcross and waveDown are how many blocks each way there are at most: more than enough for all threads.
const waveAcross, waveDown = 16, 64

// wave puts diagonals of blocks in the place of a loop, which is statement at of a block, under their condition. It
// moves at to the statement that the loop is then, and reports whether there are any.
func (u *updater) wave(b *ir.Block, at *int) bool {
	s := b.Stmts[*at]
	op := s.Op.(*ir.Loop)
	inner := onlyLoop(op.Body)
	if op.I == nil || inner == nil || inner.I == nil || slices.ContainsFunc(inner.Params, isScalar) {
		return false
	}
	t := &turnLoop{updater: u, s: s, op: op}
	if !t.look() || t.d.inside[inner.Lo] || t.d.inside[inner.Hi] || !t.d.forwards(inner) || !t.within() || !t.limit() || !t.hopeful() {
		return false
	}
	w := &wavefront{turnLoop: t, inner: inner}
	t.choose(b, at, w.condition, w.write)
	return true
}

// onlyLoop returns the loop that stands in a block, nil if there is none, or several.
func onlyLoop(b *ir.Block) (only *ir.Loop) {
	for _, s := range b.Stmts {
		loop, ok := s.Op.(*ir.Loop)
		switch {
		case ok && only == nil:
			only = loop
		case ok || len(ir.Blocks(s.Op)) > 0:
			return nil
		}
	}
	return only
}

// forwards reports whether all uses of the arrays are made by the loop inside, for each element that it goes to, and
// whether turns need only those before them in rows and columns, under conditions.
func (d *dependence) forwards(inner *ir.Loop) bool {
	along := d.courses[inner.I]
	if along == nil || along.loose {
		return false
	}
	any := false
	for _, w := range d.all {
		if !slices.Equal(w.around, []*course{along}) {
			return false
		}
		if !w.updates {
			continue
		}
		any = true
		stride := w.form.Factor(analysis.Index{V: d.own.i})
		if one, ok := w.form.Factor(analysis.Index{V: inner.I}).Constant(); !ok || one != 1 {
			return false
		}
		for _, x := range d.all {
			if x.array != w.array {
				continue
			}
			at, ok := d.distance(w, x, stride)
			if !ok || at.rows*at.columns < 0 || !d.holds(d.narrow(w, at, stride)) {
				return false
			}
		}
	}
	return any
}

// wavefront is a loop on its way to diagonals of blocks.
type wavefront struct {
	*turnLoop
	inner   *ir.Loop
	columns ir.Atom // how many turns the loop inside makes
}

// condition computes whether blocks are independent, and enough.
func (w *wavefront) condition(e emitter) ir.Atom {
	w.extent(e)
	w.columns = e.bin(ir.Max, "n", e.bin(ir.Sub, "n", w.inner.Hi, w.inner.Lo), ir.IntConst(ir.Int, 0))
	wide := e.bin(ir.Le, "wide", ir.IntConst(ir.Int, waveBlocks*waveColumns/2), w.columns)
	return e.both(wide, w.turnLoop.condition(e, waveBlocks*waveRows))
}

// write writes the loop over diagonals into a block, which yields what it does.
func (w *wavefront) write(e emitter, out *ir.Block) {
	number := func(n int64) ir.Atom { return ir.IntConst(ir.Int, n) }
	one := number(1)
	divided := func(e emitter, n, by ir.Atom) ir.Atom {
		return e.bin(ir.Div, "n", e.bin(ir.Sub, "n", e.bin(ir.Add, "n", n, by), one), by)
	}
	rows := e.bin(ir.Max, "rows", number(waveRows), divided(e, w.n, number(waveDown)))
	columns := e.bin(ir.Max, "columns", e.bin(ir.Min, "t", number(waveColumns), divided(e, w.columns, number(waveBlocks))),
		divided(e, w.columns, number(waveAcross)))
	down, across := divided(e, w.n, rows), divided(e, w.columns, columns)
	last := e.bin(ir.Sub, "last", across, one)
	hi := e.bin(ir.Add, "hi", w.lo, w.n)
	right := e.bin(ir.Add, "right", w.inner.Lo, w.columns)

	diagonals := w.loop("diagonal", w.op.Init)
	diagonals.Hi = e.bin(ir.Add, "diagonals", down, last)
	in := e.into(diagonals.Body)
	first := in.bin(ir.Max, "first", number(0), in.bin(ir.Sub, "t", diagonals.I, last))
	over := in.bin(ir.Min, "over", down, in.bin(ir.Add, "t", diagonals.I, one))

	blocks := w.loop("q", atoms(diagonals.Params))
	blocks.Independent, blocks.Hi = true, in.bin(ir.Sub, "n", over, first)
	of := e.into(blocks.Body)
	row := of.bin(ir.Add, "row", first, blocks.I)
	column := of.bin(ir.Sub, "column", diagonals.I, row)
	span := func(n, size, lo, hi ir.Atom) (from, to ir.Atom) {
		from = of.bin(ir.Add, "from", lo, of.bin(ir.Mul, "t", n, size))
		return from, of.bin(ir.Min, "to", of.bin(ir.Add, "t", from, size), hi)
	}
	top, bottom := span(row, rows, w.lo, hi)
	from, to := span(column, columns, w.inner.Lo, right)

	block := &ir.Stmt{Dst: w.s.Dst, Op: w.op, Pos: w.s.Pos}
	turns := *w.op
	turns.Body = leaveOut(w.op.Body, w.dropped)
	turns.Init, turns.Lo, turns.Hi = atoms(blocks.Params), top, bottom
	block.Op = &turns
	block = block.Clone(ir.Subst{}, w.names)
	inside := onlyLoop(block.Op.(*ir.Loop).Body)
	inside.Lo, inside.Hi = from, to
	blocks.Body.Stmts = append(blocks.Body.Stmts, block)
	blocks.Body.Results = atoms(block.Dst)
	diagonals.Body.Results = atoms(w.put(in, blocks))
	out.Results = atoms(w.put(e, diagonals))
}

// loop begins a loop that carries the arrays.
func (w *wavefront) loop(name string, init []ir.Atom) *ir.Loop {
	loop := &ir.Loop{I: w.names.Var(name, tInt), Lo: ir.IntConst(ir.Int, 0), Init: init, Body: &ir.Block{}}
	for _, p := range w.op.Params {
		loop.Params = append(loop.Params, w.names.Var(p.Name, p.T))
	}
	return loop
}

// put writes a loop, and returns what is left of the arrays.
func (w *wavefront) put(e emitter, loop *ir.Loop) (arrays []*ir.Var) {
	for _, p := range loop.Params {
		arrays = append(arrays, w.names.Var(p.Name, p.T))
	}
	e.stmt(loop, arrays...)
	return arrays
}

func atoms(vars []*ir.Var) (all []ir.Atom) {
	for _, v := range vars {
		all = append(all, v)
	}
	return all
}
