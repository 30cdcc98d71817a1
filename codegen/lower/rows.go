package lower

import (
	"maps"
	"slices"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// Rows of one length that lie one behind the other (ops.Split) can be on lanes, a row a lane: their elements are read
// at a distance then. Where operators read every element several times, or loops in order read them at all, a vector of
// rows is packed first: transposed into memory of its own, where what the rows have at one place lies side by side.

// packBytes is up to what size rows are packed: beyond, what is packed leaves the second-level cache before it is read.
const packBytes = 2 << 20

// rowsOnLanes is what is known of the rows that the elements of a loop read.
type rowsOnLanes struct {
	length ir.Atom // of each row but the last one
	total  ir.Atom // elements of all rows, nil if no row is shorter than length
	signed bool    // length may be negative: then nothing is read
	same   map[*ir.Stmt]ir.Atom
	packs  []*pack
	reads  map[*ir.Stmt]packedRead
	limits []limit
}

// limit is what a loop over rows counts up to, and how much further it reads: rows are packed where both together are
// at most their length.
type limit struct {
	end ir.Atom
	by  int64
}

// pack is a sequence of which each lane reads a row.
type pack struct {
	x     *ir.Var
	array *ir.Var // stands for the packed rows
}

// packedRead is the read of a lane's packed row: of element j + by or, with down, of that many from its end on.
type packedRead struct {
	array *ir.Var
	j     ir.Atom
	down  bool
	by    int64
}

// element is which element that is.
func (r packedRead) element(l *lowerer, e *env) value {
	j := l.atom(r.j, e)
	if r.down {
		j.x = sub(l.atom(r.array, e).arr.n, j.x)
	}
	if r.by != 0 {
		j.x = add(j.x, intConst(int(r.by)))
	}
	return j
}

// rowsOf finds the rows in the body of a loop: lo = i·d, and where they come from a Split, hi = min(lo+d, n) and
// lengths hi-lo. It returns nil if there are none, or if packing them does not pay; of several the first.
func (l *lowerer) rowsOf(r rangeLoop, e *env) *rowsOnLanes {
	if all := l.rowsIn(r, nil, e); len(all) > 0 {
		return all[0]
	}
	flat := fuse.PackedReads(r.body, r.i, l.defs, l.k.RowLengths())
	if len(flat) == 0 || r.what != "map" && r.what != "update" {
		return nil
	}
	all := l.rowsIn(r, flat, e)
	if len(all) == 0 {
		return nil
	}
	rows := all[0]
	// Those of loops in order, which may have a negative number of turns.
	rows.signed = true
	used := map[*ir.Var]bool{}
	maps.DeleteFunc(rows.reads, func(s *ir.Stmt, read packedRead) bool {
		_, inOrder := flat[s]
		used[read.array] = used[read.array] || inOrder
		return !inOrder
	})
	rows.packs = slices.DeleteFunc(rows.packs, func(p *pack) bool { return !used[p.array] })
	if len(rows.packs) == 0 {
		return nil
	}
	return rows
}

// rowsIn finds all of them, one for each place where rows begin. With flat, which is what loops in order read, packing
// is worth it in any case, also for what loops read that are no operators.
func (l *lowerer) rowsIn(r rangeLoop, flat map[*ir.Stmt]fuse.RowRead, e *env) (all []*rowsOnLanes) {
	blocks := []*ir.Block{r.body}
	for at := 0; at < len(blocks); at++ {
		for _, s := range blocks[at].Stmts {
			if flat != nil {
				blocks = append(blocks, ir.Blocks(s.Op)...)
			}
			op, ok := s.Op.(*ir.Binary)
			if !ok || op.Fn != ir.Mul || op.X.Type() != ir.Scalar(ir.Int) {
				continue
			}
			d := op.X
			switch {
			case op.X == ir.Atom(r.i):
				d = op.Y
			case op.Y != ir.Atom(r.i):
				continue
			}
			if v, ok := e.getAtom(d); !ok || v.form != uniform {
				continue
			}
			rows := &rowsOnLanes{length: d, same: map[*ir.Stmt]ir.Atom{}, reads: map[*ir.Stmt]packedRead{}}
			if rows.find(l, r, blocks[at], s.Dst[0], flat, e) || flat != nil && len(rows.packs) > 0 {
				all = append(all, rows)
			}
		}
	}
	return all
}

// find collects the reads of the rows that begin at lo, which block b computes, and reports whether there are some that
// pay.
func (rows *rowsOnLanes) find(l *lowerer, r rangeLoop, b *ir.Block, lo *ir.Var, flat map[*ir.Stmt]fuse.RowRead,
	e *env) bool {
	equal := map[ir.Atom]bool{rows.length: true}
	var end ir.Atom
	his := map[ir.Atom]bool{}
	for _, s := range b.Stmts {
		op, ok := s.Op.(*ir.Binary)
		if !ok {
			continue
		}
		switch {
		case op.Fn == ir.Add && isPair(op, lo, rows.length):
			end = s.Dst[0]
		case op.Fn == ir.Min && end != nil && (op.X == end || op.Y == end) && rows.total == nil:
			n := op.X
			if n == end {
				n = op.Y
			}
			if v, ok := e.getAtom(n); ok && v.form == uniform {
				rows.total, rows.same[s], his[s.Dst[0]] = n, end, true
			}
		case op.Fn == ir.Sub && op.Y == ir.Atom(lo) && (his[op.X] || op.X == end):
			rows.same[s], equal[s.Dst[0]] = rows.length, true
		}
	}
	length, _ := analysis.Form{Defs: l.defs}.Affine(rows.length)
	again, packed := false, map[*ir.Var]*pack{}
	counted := map[*ir.Var]int{}
	var visit func(b *ir.Block, depth int, index map[ir.Atom]ir.Atom, equal map[ir.Atom]bool)
	visit = func(b *ir.Block, depth int, index map[ir.Atom]ir.Atom, outer map[ir.Atom]bool) {
		equal := map[ir.Atom]bool{}
		for a := range outer {
			equal[a] = true
		}
		for _, s := range b.Stmts {
			switch op := s.Op.(type) {
			case *ir.Check: // made before the run: what it says holds here
				if op.Kind == ir.CheckLength && l.hoisted[op] && (equal[op.Args[0]] || equal[op.Args[1]]) {
					equal[op.Args[0]], equal[op.Args[1]] = true, true
				}
			case *ir.Select: // a loop of d turns, or of none
				if equal[op.X] && ir.IsInt(op.Y, 0) {
					equal[s.Dst[0]], rows.signed = true, true
				}
			case *ir.Index:
				n, i, ok := rows.within(l, op, lo, index)
				read := packedRead{j: i}
				if inOrder, is := flat[s]; is && len(inOrder.Length.Minus(length.Base)) == 0 {
					if inOrder.End != nil && !rows.limit(inOrder, e) {
						continue
					}
					read.j, read.down, read.by = inOrder.J, inOrder.Down, inOrder.By
				} else if !ok || !equal[n] {
					continue
				}
				x := op.X.(*ir.Var)
				v, known := e.get(x)
				if !known || v.arr == nil || v.arr.rows != nil || v.arr.private || v.arr.a.Space != kir.Global || v.arr.a.Field != nil || v.arr.a.Kind == ir.Bool {
					continue
				}
				p := packed[x]
				if p == nil {
					p = &pack{x: x, array: &ir.Var{Name: x.Name + "Rows", T: x.T}}
					packed[x] = p
					rows.packs = append(rows.packs, p)
				}
				read.array = p.array
				rows.reads[s] = read
				if counted[x]++; depth > 1 || counted[x] > 1 {
					again = true
				}
			}
			inner, below := index, depth
			if i, n := loopOf(s.Op, flat != nil); i != nil {
				inner, below = map[ir.Atom]ir.Atom{i: n}, depth+1
				for k, v := range index {
					inner[k] = v
				}
			}
			for _, c := range ir.Blocks(s.Op) {
				visit(c, below, inner, equal)
			}
		}
	}
	visit(r.body, 0, map[ir.Atom]ir.Atom{}, equal)
	return again
}

// loopOf returns the index and the length of an operator, or with loops also of a loop, that counts from 0.
func loopOf(op ir.Op, loops bool) (i *ir.Var, n ir.Atom) {
	switch op := op.(type) {
	case *ir.Loop:
		if loops && op.I != nil && ir.IsInt(op.Lo, 0) {
			return op.I, op.Hi
		}
	case *ir.Map:
		return op.I, op.N
	case *ir.Reduce:
		return op.I, op.N
	}
	return nil, nil
}

func isPair(op *ir.Binary, a *ir.Var, b ir.Atom) bool {
	return op.X == ir.Atom(a) && op.Y == b || op.Y == ir.Atom(a) && op.X == b
}

// within reports whether a read is at lo plus the index of a loop inside, and returns that loop's length and index.
func (rows *rowsOnLanes) within(l *lowerer, op *ir.Index, lo *ir.Var, index map[ir.Atom]ir.Atom) (n, i ir.Atom, ok bool) {
	add, isAdd := l.defs[op.I].(*ir.Binary)
	if !isAdd || add.Fn != ir.Add || op.X.Type().Rank != 1 {
		return nil, nil, false
	}
	switch {
	case add.X == ir.Atom(lo):
		i = add.Y
	case add.Y == ir.Atom(lo):
		i = add.X
	default:
		return nil, nil, false
	}
	n, ok = index[i]
	return n, i, ok
}

// whole returns the end of the part of [lo, hi) whose rows are all whole, and not too long to be packed. Rows that
// are not cut from a sequence as long as what is packed may lie beyond its end: then an element that is never read,
// or a check that is made in the loop, keeps them from being read, and a row that is packed is read before.
func (rows *rowsOnLanes) whole(l *lowerer, r rangeLoop, width int, e *env) kir.Expr {
	d := l.atom(rows.length, e).x
	var totals []kir.Expr
	if rows.total != nil {
		totals = append(totals, l.atom(rows.total, e).x)
	}
	for _, p := range rows.packs {
		if !l.isLength(rows.total, p.x) {
			totals = append(totals, l.atom(p.x, e).arr.length(l, e))
		}
	}
	hi := l.fresh("whole", kir.Int)
	end := r.hi
	for _, total := range totals {
		n := &kir.Bin{Fn: ir.Div, X: total, Y: &kir.Bin{Fn: ir.Max, X: d, Y: intConst(1), T: kir.Int}, T: kir.Int}
		end = &kir.Bin{Fn: ir.Min, X: end, Y: n, T: kir.Int}
	}
	l.emit(&kir.Let{V: hi, X: end})
	long := &kir.If{Cond: &kir.Bin{Fn: ir.Gt, X: d, Y: intConst(rows.longest(width)), T: kir.ScalarType(ir.Bool)}}
	if rows.signed {
		long.Cond = compare(ir.Or, long.Cond, compare(ir.Lt, d, intConst(0)))
	}
	for _, most := range rows.limits {
		long.Cond = compare(ir.Or, long.Cond, compare(ir.Gt, most.reach(l, e), d))
	}
	l.inside(&long.Then, func() { l.emit(&kir.Set{V: hi, X: r.lo}) })
	l.emit(long)
	return &kir.Ref{V: hi}
}

// limit notes that rows are packed only where a loop stays in them. It reports whether that is known before.
func (rows *rowsOnLanes) limit(read fuse.RowRead, e *env) bool {
	end, ok := e.getAtom(read.End)
	if !ok || end.form != uniform || end.arr != nil {
		return false
	}
	if most := (limit{read.End, read.By}); !slices.Contains(rows.limits, most) {
		rows.limits = append(rows.limits, most)
	}
	return true
}

// reach is how long rows have to be at least.
func (most limit) reach(l *lowerer, e *env) kir.Expr {
	return add(l.atom(most.end, e).x, intConst(int(most.by)))
}

// longest is how many elements rows have at most that are packed, so many at a time.
func (rows *rowsOnLanes) longest(width int) int {
	bytes := 0
	for _, p := range rows.packs {
		bytes += width * p.x.T.Kind.Bytes()
	}
	return packBytes / bytes
}

// isLength reports whether n is the length of x.
func (l *lowerer) isLength(n ir.Atom, x *ir.Var) bool {
	length, ok := l.defs[n].(*ir.Len)
	return ok && length.X == ir.Atom(x)
}

// buffers takes the memory for the packed rows of some vectors, once for the loop: no more than that of the longest
// rows, since a length may be any number where there is no row.
func (rows *rowsOnLanes) buffers(l *lowerer, vectors, width int, e *env) []map[*pack]*array {
	arrays := make([]map[*pack]*array, vectors)
	d := l.atom(rows.length, e).x
	if rows.signed {
		d = l.letExpr("d", l.integer(ir.Max, d, intConst(0)))
	}
	size := l.letExpr("size", times(minOf(d, intConst(rows.longest(width))), intConst(width)))
	for u := range arrays {
		arrays[u] = map[*pack]*array{}
	}
	for _, p := range rows.packs {
		from := l.atom(p.x, e).arr
		a := &kir.Array{Name: l.name(p.array.Name), Kind: from.a.Kind, Space: kir.Scratch}
		l.emit(&kir.AllocScratch{A: a, N: times(size, intConst(vectors))})
		for u := range arrays {
			arrays[u][p] = &array{a: a, n: d, private: true}
			if u > 0 {
				arrays[u][p].off = l.letExpr("off", times(size, intConst(u)))
			}
		}
	}
	return arrays
}

// fill packs the rows from row i on into e.
func (rows *rowsOnLanes) fill(l *lowerer, arrays map[*pack]*array, i kir.Expr, width int, e *env) {
	d := l.atom(rows.length, e).x
	for _, p := range rows.packs {
		from := l.atom(p.x, e).arr
		first := &kir.Bin{Fn: ir.Mul, X: i, Y: d, T: kir.Int}
		l.emit(&kir.Call{R: &kir.Routine{Name: kir.PackRows, Args: []kir.Arg{
			{A: arrays[p].a, X: orZero(arrays[p].off)}, {A: from.a, X: l.at(from, first)}, {X: intConst(width)}, {X: d}}}})
		e.m[p.array] = value{arr: arrays[p]}
	}
}

// rowLoops emits the loops over whole vectors of whole rows: as many vectors at a time as the level's tile says, and
// then one by one.
func (l *lowerer) rowLoops(i *kir.Var, hi kir.Expr, rows *rowsOnLanes, lv level, r rangeLoop, e *env, element func(i value, copy int, e *env)) {
	l.takesScratch = true
	copies := max(lv.tile, 1)
	if copies == 1 && r.several != nil {
		copies = max(lv.unroll, 1)
	}
	arrays := rows.buffers(l, copies, lv.width, e)
	defer l.skipDead(r.body, slices.Collect(maps.Keys(rows.reads)))()
	same, packed := l.same, l.packed
	l.same, l.packed = rows.same, rows.reads
	l.packedVectors(i, hi, copies, lv.width, r, e, element, func(at kir.Expr, copy int, e *env) {
		rows.fill(l, arrays[copy], at, lv.width, e)
	})
	l.same, l.packed = same, packed
}

// packedVectors emits the loops over whole vectors of rows up to hi: fill packs those from row at on.
func (l *lowerer) packedVectors(i *kir.Var, hi kir.Expr, copies, width int, r rangeLoop, e *env,
	element func(i value, copy int, e *env), fill func(at kir.Expr, copy int, e *env)) {
	steps := vectorSteps{i: i, first: &kir.Ref{V: i}, hi: hi, width: width, copies: copies, pairs: true}
	l.stepsOf(steps, r, func(copies int) {
		is, es := make([]value, copies), make([]*env, copies)
		for u := range is {
			at := l.letExpr(r.i.Name, add(&kir.Ref{V: i}, intConst(u*width)))
			is[u], es[u] = value{x: at, form: contig}, e.child()
			fill(at, u, es[u])
		}
		if r.several != nil {
			r.several(is, es)
		} else {
			element(is[0], 0, es[0])
		}
	})
}
