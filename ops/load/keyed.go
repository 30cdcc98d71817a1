package load

import (
	"go/types"
	"math"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// The keyed operators are lowered to few nodes. Whatever has a length that depends on the data is a scan that counts,
// the last element of it as a scalar, and a scatter to the places that the scan gives; so the length is known when the
// result gets its memory.

var (
	intType  = ir.Scalar(ir.Int)
	boolType = ir.Scalar(ir.Bool)
	zeroInt  = ir.IntConst(ir.Int, 0)
	oneInt   = ir.IntConst(ir.Int, 1)
)

func (l *lowerer) bin(name string, fn ir.BinaryFn, x, y ir.Atom) ir.Atom {
	t := x.Type()
	if fn.IsComparison() {
		t = boolType
	}
	return l.emit(name, t, &ir.Binary{Fn: fn, X: x, Y: y})
}

func (l *lowerer) selected(name string, c, x, y ir.Atom) ir.Atom {
	return l.emit(name, x.Type(), &ir.Select{Cond: c, X: x, Y: y})
}

// cond emits a condition whose arms yield one value each.
func (l *lowerer) cond(name string, t ir.Type, c ir.Atom, then, els func() ir.Atom) ir.Atom {
	arm := func(f func() ir.Atom) *ir.Block {
		b, _ := l.block(func() value { return value{atoms: []ir.Atom{f()}} })
		return b
	}
	return l.emit(name, t, &ir.If{Cond: c, Then: arm(then), Else: arm(els)})
}

// over lowers a body for the index of a parallel operator; nil means that it failed.
func (l *lowerer) over(body func(i *ir.Var) []ir.Atom) (*ir.Var, *ir.Block) {
	i := &ir.Var{Name: "i", T: intType}
	pos := l.pos
	b, _ := l.block(func() value { return value{atoms: body(i)} })
	l.pos = pos
	if len(b.Results) == 0 {
		return i, nil
	}
	return i, b
}

// mapped emits a Map; it returns nil if the body failed.
func (l *lowerer) mapped(name string, n ir.Atom, body func(i *ir.Var) []ir.Atom) []ir.Atom {
	i, b := l.over(body)
	if b == nil {
		return nil
	}
	return l.arrays(name, b.Results, &ir.Map{N: n, I: i, Body: b})
}

// placed emits a Scatter to w places.
func (l *lowerer) placed(name string, n, w ir.Atom, body func(i *ir.Var) []ir.Atom) []ir.Atom {
	i, b := l.over(body)
	if b == nil {
		return nil
	}
	return l.arrays(name, b.Results[1:], &ir.Scatter{N: n, W: w, I: i, Body: b})
}

func (l *lowerer) at(name string, x, i ir.Atom) ir.Atom {
	return l.emit(name, x.Type().Elem(), &ir.Index{X: x, I: i})
}

// counted emits the inclusive sums of flags (ints) and their total.
func (l *lowerer) counted(n, flags ir.Atom) (sums, total ir.Atom) {
	i, body := l.over(func(i *ir.Var) []ir.Atom { return []ir.Atom{l.at("flag", flags, i)} })
	a, b := &ir.Var{Name: "a", T: intType}, &ir.Var{Name: "b", T: intType}
	comb := &ir.Lambda{Params: []*ir.Var{a, b}}
	comb.Body, _ = l.block(func() value { return value{atoms: []ir.Atom{l.bin("sum", ir.Add, a, b)}} })
	init := []ir.Atom{zeroInt}
	sums = l.arrays("ranks", init, &ir.Scan{N: n, I: i, Body: body, Comb: comb, Init: init, Inclusive: true})[0]
	total = l.cond("count", intType, l.bin("some", ir.Gt, n, zeroInt),
		func() ir.Atom { return l.at("last", sums, l.bin("k", ir.Sub, n, oneInt)) }, func() ir.Atom { return zeroInt })
	return sums, total
}

// flagged emits 1 for every element that satisfies the predicate op.args[0], and 0 for the others.
func (l *lowerer) flagged(op *operation, n ir.Atom, s value) ir.Atom {
	elem, _ := isSequence(s.typ)
	f := op.args[0].fn
	flags := l.mapped("keep", n, func(i *ir.Var) []ir.Atom {
		v := l.inline(f, []value{l.named(l.element(s, elem, i), paramName(f, 0))}, op.call.Args[0].Pos())[0]
		if v.bad || len(v.atoms) != 1 {
			return nil
		}
		return []ir.Atom{l.selected("flag", v.atoms[0], oneInt, zeroInt)}
	})
	if flags == nil {
		return nil
	}
	return flags[0]
}

// scalarElements reports whether the elements of a sequence are scalars or structs of these.
func scalarElements(s value) bool {
	return !slices.ContainsFunc(s.atoms, func(a ir.Atom) bool { return a.Type().Rank != 1 })
}

// gathered is the elements of each of arrays at the places idx, as views.
func (l *lowerer) gathered(arrays []ir.Atom, idx ir.Atom) []ir.Atom {
	var out []ir.Atom
	for _, a := range arrays {
		out = append(out, l.emit("gather", a.Type(), &ir.View{Fn: ir.Gather, Args: []ir.Atom{a, idx}}))
	}
	return out
}

func (op *operation) result(l *lowerer, i int) types.Type {
	if t, ok := op.typ.(*types.Tuple); ok {
		return t.At(i).Type()
	}
	return op.typ
}

// filterOp lowers Filter and Partition: the elements are counted and placed; of rows, their numbers are.
func (l *lowerer) filterOp(op *operation) []value {
	s := op.args[1]
	flat := scalarElements(s)
	n := l.length(s)
	flags := l.flagged(op, n, s)
	if flags == nil {
		return nil
	}
	ranks, count := l.counted(n, flags)
	split := op.name == "Partition"
	w := count
	if split {
		w = n
	}
	out := l.placed("kept", n, w, func(i *ir.Var) []ir.Atom {
		keep := l.bin("kept", ir.Ne, l.at("flag", flags, i), zeroInt)
		rank := l.at("rank", ranks, i)
		var other ir.Atom = ir.IntConst(ir.Int, -1)
		if split { // the others come behind count, in order
			other = l.bin("place", ir.Add, count, l.bin("others", ir.Sub, i, rank))
		}
		place := l.selected("place", keep, l.bin("place", ir.Sub, rank, oneInt), other)
		if !flat {
			return []ir.Atom{place, i}
		}
		elem, _ := isSequence(s.typ)
		return append([]ir.Atom{place}, l.element(s, elem, i).atoms...)
	})
	if !flat && out != nil {
		out = l.gathered(s.atoms, out[0])
	}
	y := value{typ: op.result(l, 0), atoms: out}
	if split {
		return []value{y, {typ: op.result(l, 1), atoms: []ir.Atom{count}}}
	}
	return []value{y}
}

// scatterOp lowers Scatter: a histogram finds the last element for each place, so that sequence order decides whatever
// runs it, and a map fetches it. For ScatterUnique it finds the first one, too: it has to be the same.
func (l *lowerer) scatterOp(op *operation) []value {
	s, idx, d := op.args[0], op.args[1], op.args[2]
	n := l.sameLength(&operation{name: op.name, call: op.call, args: op.args[:2]}, 0)
	w := l.length(d)
	a, b := &ir.Var{Name: "a", T: intType}, &ir.Var{Name: "b", T: intType}
	comb := &ir.Lambda{Params: []*ir.Var{a, b}}
	unique := op.name == "ScatterUnique"
	if unique {
		c, d := &ir.Var{Name: "c", T: intType}, &ir.Var{Name: "d", T: intType}
		comb.Params = []*ir.Var{a, c, b, d}
		comb.Body, _ = l.block(func() value {
			return value{atoms: []ir.Atom{l.bin("later", ir.Max, a, b), l.bin("earlier", ir.Min, c, d)}}
		})
	} else {
		comb.Body, _ = l.block(func() value { return value{atoms: []ir.Atom{l.bin("later", ir.Max, a, b)}} })
	}
	i, body := l.over(func(i *ir.Var) []ir.Atom {
		place := l.toInt(l.at("place", idx.atoms[0], i))
		l.check(ir.CheckIndex, op.name, op.argText(1), place, w)
		if unique {
			return []ir.Atom{place, i, i}
		}
		return []ir.Atom{place, i}
	})
	init := []ir.Atom{ir.IntConst(ir.Int, -1)}
	if unique {
		init = append(init, n)
	}
	found := l.arrays("last", body.Results[1:], &ir.Hist{N: n, W: w, I: i, Body: body, Comb: comb, Init: init})
	last := found[0]
	if unique {
		last = l.mapped("only", w, func(j *ir.Var) []ir.Atom {
			to := l.at("last", last, j)
			from := l.selected("first", l.bin("hit", ir.Ge, to, zeroInt), l.at("first", found[1], j), to)
			l.check(ir.CheckUnique, op.name, op.argText(1), from, to, j)
			return []ir.Atom{to}
		})[0]
	}
	v := value{typ: op.typ}
	if !scalarElements(s) { // of rows, those of s and of d together
		from := l.mapped("from", w, func(j *ir.Var) []ir.Atom {
			from := l.at("from", last, j)
			return []ir.Atom{l.selected("from", l.bin("hit", ir.Ge, from, zeroInt), from, l.bin("own", ir.Add, n, j))}
		})
		var both []ir.Atom
		for k, a := range s.atoms {
			both = append(both, l.emit("rows", a.Type(), &ir.View{Fn: ir.Concat, Args: []ir.Atom{a, d.atoms[k]}}))
		}
		v.atoms = l.gathered(both, from[0])
		return []value{v}
	}
	for k := range s.atoms { // one value at a time: only one side is read
		v.atoms = append(v.atoms, l.mapped("scattered", w, func(j *ir.Var) []ir.Atom {
			from := l.at("from", last, j)
			return []ir.Atom{l.cond("x", s.atoms[k].Type().Elem(), l.bin("hit", ir.Ge, from, zeroInt),
				func() ir.Atom { return l.at("x", s.atoms[k], from) }, func() ir.Atom { return l.at("x", d.atoms[k], j) })}
		})...)
	}
	return []value{v}
}

// combination lowers the function of two elements of type elem to a lambda over their components.
func (l *lowerer) combination(op *operation, f *funcValue, elem types.Type, kinds []ir.Type) *ir.Lambda {
	comb := &ir.Lambda{}
	operand := func(k int) value {
		v := value{typ: elem}
		name := paramName(f, k)
		for j, t := range kinds {
			x := &ir.Var{Name: name, T: t}
			if len(kinds) > 1 {
				x.Name = l.componentName(name, elem, j)
			}
			comb.Params = append(comb.Params, x)
			v.atoms = append(v.atoms, x)
		}
		return v
	}
	args := []value{operand(0), operand(1)}
	var v value
	pos := l.pos
	comb.Body, v = l.block(func() value { return l.inline(f, args, op.call.Args[0].Pos())[0] })
	l.pos = pos
	if v.bad || len(v.atoms) != len(kinds) {
		return nil
	}
	return comb
}

func elemTypes(as []ir.Atom) []ir.Type {
	ts := make([]ir.Type, len(as))
	for i, a := range as {
		ts[i] = a.Type().Elem()
	}
	return ts
}

// histogramOp lowers Histogram(op, n, keys, s, p).
func (l *lowerer) histogramOp(op *operation) []value {
	f, w, keys, s, p := op.args[0].fn, op.args[1].atoms[0], op.args[2], op.args[3], op.args[4]
	if c, ok := w.(ir.Const); !ok {
		l.check(ir.CheckNonneg, op.name, op.argText(1), w)
	} else if c.Int() < 0 {
		l.constantProblem(op, 1, "a length must not be negative")
		return nil
	}
	n := l.length(keys)
	l.check(ir.CheckLength, op.name, op.argText(3), n, l.length(s))
	elem, _ := isSequence(s.typ)
	comb := l.elementwise(op, f, elem, s)
	if comb == nil {
		return nil
	}
	if s.atoms[0].Type().Rank == 2 {
		return l.rowHistogram(op, comb, n)
	}
	i, body := l.over(func(i *ir.Var) []ir.Atom {
		bin := l.toInt(l.at("bin", keys.atoms[0], i))
		l.check(ir.CheckIndex, op.name, op.argText(2), bin, w)
		return append([]ir.Atom{bin}, l.element(s, elem, i).atoms...)
	})
	return []value{{typ: op.typ, atoms: l.arrays("histogram", p.atoms, &ir.Hist{N: n, W: w, I: i, Body: body, Comb: comb, Init: p.atoms})}}
}

// rowHistogram lowers a Histogram of rows, which are combined position by position: the bins lie one behind the other.
func (l *lowerer) rowHistogram(op *operation, comb *ir.Lambda, n ir.Atom) []value {
	w, keys, s, p := op.args[1].atoms[0], op.args[2], op.args[3], op.args[4]
	var init []ir.Atom
	for _, a := range p.atoms {
		start, _ := a.(*ir.Var)
		view := l.views[start]
		if view == nil || view.Fn != ir.Replicate {
			l.problem(op.call.Args[4].Pos(), notYet(CodeRows, "ops.Histogram of rows that starts from a row of different values", "each worker starts its own bins, and only a value that is the same at every position needs no row for that",
				"start from ops.Replicate(x, d), and combine the other row with the result in an ops.Map"))
			return nil
		}
		init = append(init, view.Args[0])
	}
	width := l.length(p)
	// The largest int stands for a product that is none: that much memory is refused.
	most := l.bin("most", ir.Div, ir.IntConst(ir.Int, math.MaxInt64), l.bin("m", ir.Max, width, oneInt))
	size := l.selected("size", l.bin("large", ir.Gt, w, most), ir.IntConst(ir.Int, math.MaxInt64), l.bin("size", ir.Mul, w, width))
	i, body := l.over(func(i *ir.Var) []ir.Atom {
		bin := l.toInt(l.at("bin", keys.atoms[0], i))
		l.check(ir.CheckIndex, op.name, op.argText(2), bin, w)
		at := l.bin("at", ir.Mul, bin, width) // before the row, which is combined there as it is computed
		var rows []ir.Atom
		for _, a := range s.atoms {
			row := l.at("row", a, i)
			l.check(ir.CheckLength, op.name, op.argText(3), width, l.emit("n", intType, &ir.Len{X: row}))
			rows = append(rows, row)
		}
		out := l.mapped("row", width, func(j *ir.Var) []ir.Atom {
			var es []ir.Atom
			for _, row := range rows {
				es = append(es, l.at("e", row, j))
			}
			return es
		})
		return append([]ir.Atom{at}, out...)
	})
	flat := l.arrays("histogram", init, &ir.Hist{N: n, W: size, I: i, Body: body, Comb: comb, Init: init})
	v := value{typ: op.typ}
	for _, a := range flat { // the bins as rows
		v.atoms = append(v.atoms, l.mapped("bins", w, func(b *ir.Var) []ir.Atom {
			first := l.bin("first", ir.Mul, b, width)
			return l.mapped("bin", width, func(j *ir.Var) []ir.Atom { return []ir.Atom{l.at("e", a, l.bin("at", ir.Add, first, j))} })
		})...)
	}
	return []value{v}
}

// sortOp lowers SortByKey: a permutation, then reads through it.
func (l *lowerer) sortOp(op *operation) []value {
	keys, vals := op.args[0], op.args[1]
	n := l.sameLength(op, 0)
	if k := keys.atoms[0].Type(); len(keys.atoms) != 1 || k.Rank != 1 || !k.Kind.IsNumeric() {
		l.problem(op.call.Pos(), notYet(CodeElement, "ops.SortByKey of keys that are not one number", "it sorts by the digits of a number", "sort by a number"))
		return nil
	}
	i, body := l.over(func(i *ir.Var) []ir.Atom { return []ir.Atom{l.at("key", keys.atoms[0], i)} })
	perm := l.arrays("order", []ir.Atom{i}, &ir.Sort{N: n, I: i, Body: body})[0]
	sorted := func(name string, k int, x value) value {
		v := value{typ: op.result(l, k)}
		elem, _ := isSequence(x.typ)
		v.atoms = l.mapped(name, n, func(i *ir.Var) []ir.Atom { return l.element(x, elem, l.at("from", perm, i)).atoms })
		return v
	}
	return []value{sorted("keys", 0, keys), sorted("values", 1, vals)}
}

// reduceByKeyOp lowers ReduceByKey(op, s, k, p): the heads of runs are counted and placed, and each run is a row that
// is reduced. Rows as elements are reduced position by position.
func (l *lowerer) reduceByKeyOp(op *operation) []value {
	f, s, k, p := op.args[0].fn, op.args[1], op.args[2], op.args[3]
	elem, _ := isSequence(s.typ)
	n := l.length(s)
	l.check(ir.CheckLength, op.name, op.argText(2), n, l.length(k))
	for _, a := range k.atoms {
		if a.Type().Rank != 1 {
			l.problem(op.call.Pos(), notYet(CodeRows, "ops.ReduceByKey with rows as keys", "whether two neighbours are one run would be a loop of its own", "use a number as the key"))
			return nil
		}
	}
	rows := s.atoms[0].Type().Rank == 2
	comb := l.elementwise(op, f, elem, s)
	if comb == nil {
		return nil
	}
	var width ir.Atom
	if rows {
		width = l.length(p)
	}
	flags := l.mapped("head", n, func(i *ir.Var) []ir.Atom {
		if rows {
			for _, a := range s.atoms {
				row := l.at("row", a, i)
				l.check(ir.CheckLength, op.name, op.argText(1), width, l.emit("n", intType, &ir.Len{X: row}))
			}
		}
		head := l.bin("first", ir.Eq, i, zeroInt)
		before := l.bin("before", ir.Max, l.bin("k", ir.Sub, i, oneInt), zeroInt)
		for _, a := range k.atoms {
			head = l.bin("head", ir.Or, head, l.bin("new", ir.Ne, l.at("key", a, i), l.at("previous", a, before)))
		}
		return []ir.Atom{l.selected("flag", head, oneInt, zeroInt)}
	})[0]
	ranks, runs := l.counted(n, flags)
	// One element more than there are: it puts n behind the last head, so that each run is a row between two offsets.
	offsets := l.placed("starts", l.bin("n", ir.Add, n, oneInt), l.bin("n", ir.Add, runs, oneInt), func(i *ir.Var) []ir.Atom {
		place := l.cond("place", intType, l.bin("inside", ir.Lt, i, n), func() ir.Atom {
			head := l.bin("head", ir.Ne, l.at("flag", flags, i), zeroInt)
			return l.selected("place", head, l.bin("place", ir.Sub, l.at("rank", ranks, i), oneInt), ir.IntConst(ir.Int, -1))
		}, func() ir.Atom { return runs })
		return []ir.Atom{place, i}
	})[0]
	keys := l.mapped("keys", runs, func(r *ir.Var) []ir.Atom {
		head := l.at("head", offsets, r)
		var out []ir.Atom
		for _, a := range k.atoms {
			out = append(out, l.at("key", a, head))
		}
		return out
	})
	sums := l.mapped("sums", runs, func(r *ir.Var) []ir.Atom {
		lo := l.at("lo", offsets, r)
		hi := l.at("hi", offsets, l.bin("next", ir.Add, r, oneInt))
		return l.reduced(s, p, width, comb, l.bin("length", ir.Sub, hi, lo), lo)
	})
	return []value{{typ: op.result(l, 0), atoms: keys}, {typ: op.result(l, 1), atoms: sums}}
}

// elementwise lowers the function of a reduction whose elements are scalars, or rows that it combines position by
// position. It returns nil after reporting.
func (l *lowerer) elementwise(op *operation, f *funcValue, elem types.Type, s value) *ir.Lambda {
	kinds := elemTypes(s.atoms)
	for _, t := range kinds {
		if t.Rank != kinds[0].Rank || t.Rank > 1 {
			l.problem(op.call.Pos(), notYet(CodeRows, "ops."+op.name+" of elements that are nested deeper than rows", "partial results are rows at most", "flatten the elements"))
			return nil
		}
	}
	comb := l.combination(op, f, elem, kinds)
	if comb == nil || kinds[0].Rank == 0 {
		return comb
	}
	if comb = pointwise(comb); comb == nil {
		l.problem(op.call.Pos(), notYet(CodeRows, "ops."+op.name+" of whole rows with a function that does not combine them position by position", "partial results would be rows whose length is not known",
			"combine both rows by ops.Map2, func(a, b []T) []T { return ops.Map2(f, a, b) }, or by several such maps; or put ops."+op.name+" inside ops.Map"))
	}
	return comb
}

// reduced emits the reduction of count elements of s from lo on, from p; with a width, of each position of rows.
func (l *lowerer) reduced(s, p value, width ir.Atom, comb *ir.Lambda, count, lo ir.Atom) []ir.Atom {
	reduce := func(comb *ir.Lambda, d ir.Atom, init []ir.Atom) []ir.Atom {
		i, body := l.over(func(i *ir.Var) []ir.Atom {
			at := ir.Atom(i)
			if lo != nil {
				at = l.bin("at", ir.Add, lo, i)
			}
			var es []ir.Atom
			for _, a := range s.atoms {
				x := l.at("e", a, at)
				if d != nil {
					x = l.at("e", x, d)
				}
				es = append(es, x)
			}
			return es
		})
		st := &ir.Stmt{Op: &ir.Reduce{N: count, I: i, Body: body, Comb: comb, Init: init}}
		var out []ir.Atom
		for _, a := range init {
			v := &ir.Var{Name: "sum", T: a.Type()}
			l.auto[v] = true
			st.Dst = append(st.Dst, v)
			out = append(out, v)
		}
		l.append(st)
		return out
	}
	if width == nil {
		return reduce(comb, nil, p.atoms)
	}
	return l.mapped("sums", width, func(d *ir.Var) []ir.Atom {
		var init []ir.Atom
		for _, a := range p.atoms {
			init = append(init, l.at("p", a, d))
		}
		return reduce(comb, d, init)
	})
}

// joinOp lowers Join and Join3: a map over all positions of the product, whose operands are found by division.
func (l *lowerer) joinOp(op *operation) []value {
	lengths := make([]ir.Atom, len(op.args))
	total := ir.Atom(oneInt)
	for i, x := range op.args {
		lengths[i] = l.length(x)
		if i == 0 {
			total = lengths[0]
		} else {
			total = l.bin("n", ir.Mul, total, lengths[i])
		}
	}
	out := l.mapped("join", total, func(i *ir.Var) []ir.Atom {
		at := make([]ir.Atom, len(op.args))
		rest := ir.Atom(i)
		for k := len(op.args) - 1; k > 0; k-- {
			// Inside the map no length is 0; the lower bound lets the division move out of loops.
			m := l.bin("m", ir.Max, lengths[k], oneInt)
			q := l.bin("q", ir.Div, rest, m)
			at[k] = l.bin("k", ir.Sub, rest, l.bin("k", ir.Mul, q, m))
			rest = q
		}
		at[0] = rest
		var all []ir.Atom
		for k, x := range op.args {
			elem, _ := isSequence(x.typ)
			all = append(all, l.element(x, elem, at[k]).atoms...)
		}
		return all
	})
	return []value{{typ: op.typ, atoms: out}}
}

// transposeOp lowers Transpose of a regular nested sequence.
func (l *lowerer) transposeOp(op *operation) []value {
	s := op.args[0]
	n := l.length(s)
	m := l.cond("m", intType, l.bin("some", ir.Gt, n, zeroInt), func() ir.Atom {
		return l.emit("n", intType, &ir.Len{X: l.at("row", s.atoms[0], zeroInt)})
	}, func() ir.Atom { return zeroInt })
	v := value{typ: op.typ}
	for _, a := range s.atoms {
		v.atoms = append(v.atoms, l.mapped("transposed", m, func(j *ir.Var) []ir.Atom {
			return l.mapped("column", n, func(i *ir.Var) []ir.Atom {
				row := l.at("row", a, i)
				l.check(ir.CheckLength, op.name, op.argText(0), m, l.emit("n", intType, &ir.Len{X: row}))
				return []ir.Atom{l.at("e", row, j)}
			})
		})...)
	}
	return []value{v}
}
