package load

import "github.com/surge-ndp/surge/ops/ir"

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
