package load

import "github.com/surge-ndp/surge/ops/ir"

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

// gathered is the elements of each of arrays at the places idx, as views.
func (l *lowerer) gathered(arrays []ir.Atom, idx ir.Atom) []ir.Atom {
	var out []ir.Atom
	for _, a := range arrays {
		out = append(out, l.emit("gather", a.Type(), &ir.View{Fn: ir.Gather, Args: []ir.Atom{a, idx}}))
	}
	return out
}

func elemTypes(as []ir.Atom) []ir.Type {
	ts := make([]ir.Type, len(as))
	for i, a := range as {
		ts[i] = a.Type().Elem()
	}
	return ts
}
