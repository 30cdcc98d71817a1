package load

import (
	"go/types"
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

// scalarElements reports whether the elements of a sequence are scalars or structs of these.
func scalarElements(s value) bool {
	return !slices.ContainsFunc(s.atoms, func(a ir.Atom) bool { return a.Type().Rank != 1 })
}

func (op *operation) result(l *lowerer, i int) types.Type {
	if t, ok := op.typ.(*types.Tuple); ok {
		return t.At(i).Type()
	}
	return op.typ
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
