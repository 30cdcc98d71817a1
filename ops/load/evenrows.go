package load

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// Note [Even rows]
//
// Rows that a function makes mostly have one length, which the source says: make([]T, w) in each turn, or a copy of
// such a row. Then a row begins at a multiple of it, no table of places is needed, and what indexes rows is what code
// for flat sequences is. How long the rows of a sequence are is read off the operations that make it.
//
// Rows that are as long as those of a parameter have one length if these have, which nobody knows before the run. A
// kernel with such rows is lowered a second time, for parameters whose rows have one length, each: see
// fuse.CompileRegular.

// evenWidth is the length of all rows of a, a sequence of rows, nil if it is not known before they are made, or they
// may differ. It is computed where a is known.
func (l *lowerer) evenWidth(a ir.Atom) ir.Atom {
	v, ok := a.(*ir.Var)
	if !ok {
		return nil
	}
	if sizes := l.evenSizes(v, 1); len(sizes) > 0 {
		return sizes[0]
	}
	return nil
}

// evenSizes are the lengths of what lies in a, a sequence of rows, on so many levels at most, the outermost one first,
// as far as all of a level have one that is known before they are made.
func (l *lowerer) evenSizes(a ir.Atom, levels int) (sizes []ir.Atom) {
	v, _ := a.(*ir.Var)
	if slices.Contains(l.fn.Params, v) {
		return l.inputSizes(v, levels)
	}
	s := l.made[v]
	if s == nil || v.T.Rank < 2 || levels == 0 {
		return nil
	}
	inner := func(row ir.Atom) []ir.Atom {
		if n := l.lengthMade(row); n != nil {
			return append([]ir.Atom{n}, l.evenSizes(row, levels-1)...)
		}
		return nil
	}
	switch op := s.Op.(type) {
	case *ir.View:
		switch op.Fn {
		case ir.Grid:
			return append([]ir.Atom{op.Args[2]}, l.evenSizes(op.Args[0], levels-1)...)
		case ir.Replicate:
			return inner(op.Args[0])
		}
	case *ir.Index:
		if sizes = l.evenSizes(op.X, levels+1); len(sizes) > 0 {
			return sizes[1:]
		}
	case *ir.Map:
		for _, n := range inner(op.Body.Results[slices.Index(s.Dst, v)]) {
			if n = l.same(op, n); n == nil {
				break
			}
			sizes = append(sizes, n)
		}
	}
	return sizes
}

// widthIn is the number that all elements of widths, which a Map has computed, are, nil if they may differ.
func (l *lowerer) widthIn(widths ir.Atom) ir.Atom {
	v, _ := widths.(*ir.Var)
	if s := l.made[v]; s != nil {
		if op, ok := s.Op.(*ir.Map); ok {
			return l.same(op, op.Body.Results[slices.Index(s.Dst, v)])
		}
	}
	return nil
}

// same is n, which an element of a Map computes, as the number that it is in all elements, nil if they may differ.
func (l *lowerer) same(op *ir.Map, n ir.Atom) ir.Atom {
	inside := map[ir.Atom]bool{op.I: true}
	defines(op.Body, inside)
	return l.takenOut(n, inside)
}

// wantEven notes that it makes a difference whether all rows of each parameter have one length.
func (l *lowerer) wantEven() {
	for at, v := range l.fn.Params {
		if v.T.Rank > 1 && v.T.Kind != ir.Bool && !slices.Contains(l.kernel.EvenRows, at) {
			l.kernel.EvenRows = append(l.kernel.EvenRows, at)
		}
	}
}

// inputSizes are the lengths of what lies in the parameter v, on so many levels at most, where they are taken to be the
// same for all of a level.
func (l *lowerer) inputSizes(v *ir.Var, levels int) (sizes []ir.Atom) {
	if v.T.Rank < 2 {
		return nil
	}
	l.wantEven()
	if !l.prog.even || v.T.Kind == ir.Bool { // of which nobody asks whether they are even
		return nil
	}
	row := ir.Atom(v)
	for range min(levels, v.T.Rank-1) { // who packs such rows says how long they are even of none
		row = l.at("row", row, zeroInt)
		sizes = append(sizes, l.emit("width", intType, &ir.Len{X: row}))
	}
	return sizes
}

// withEven is the kernel f where the rows of parameters have one length, nil if k, which is f where nothing is known of
// them, has not asked for it.
func (p *program) withEven(f *function, k *Kernel) *Kernel {
	if len(k.EvenRows) == 0 {
		return nil
	}
	return p.again(f, &p.even)
}

// lengthMade is the number of elements that a was made with, nil if the operations that make it do not say it.
func (l *lowerer) lengthMade(a ir.Atom) ir.Atom {
	v, ok := a.(*ir.Var)
	if !ok || l.made[v] == nil {
		return nil
	}
	s := l.made[v]
	at := slices.Index(s.Dst, v)
	switch op := s.Op.(type) {
	case *ir.Alloc:
		return l.counter(op.N)
	case *ir.Map:
		return l.counter(op.N)
	case *ir.Update:
		return l.lengthMade(op.X)
	case *ir.Loop:
		if at < len(op.Init) && op.Init[at].Type() == v.T {
			return l.lengthMade(op.Init[at])
		}
	case *ir.If:
		x, y := l.lengthMade(op.Then.Results[at]), l.lengthMade(op.Else.Results[at])
		if x != nil && y != nil && l.sameNumber(x, y) {
			inside := map[ir.Atom]bool{}
			defines(op.Then, inside)
			return l.takenOut(x, inside)
		}
	case *ir.View:
		switch op.Fn {
		case ir.Replicate:
			return l.counter(op.Args[1])
		case ir.Slice:
			if ir.IsInt(op.Args[1], 0) {
				return l.counter(op.Args[2])
			}
			if end, ok := l.definition(op.Args[2]).(*ir.Binary); ok && end.Fn == ir.Add && sameAtom(end.X, op.Args[1]) {
				return l.counter(end.Y)
			}
		}
	case *ir.Index:
		return l.evenWidth(op.X)
	}
	return nil
}

// gridLength is the length of a where that is a grid of rows of one length, or one of the rows, nil for all else.
func (l *lowerer) gridLength(a ir.Atom) ir.Atom {
	row := false
	if op, ok := l.definition(a).(*ir.Index); ok {
		a, row = op.X, true
	}
	op, ok := l.definition(a).(*ir.View)
	switch {
	case !ok || op.Fn != ir.Grid:
		return nil
	case row:
		return op.Args[2]
	}
	return op.Args[1]
}

// takenOut is n as a number that does not depend on what is inside of a level, nil if it does.
func (l *lowerer) takenOut(n ir.Atom, inside map[ir.Atom]bool) ir.Atom {
	if !inside[n] {
		return n
	}
	switch op := l.definition(n).(type) {
	case *ir.Len:
		if !inside[op.X] {
			return l.emit("n", intType, &ir.Len{X: op.X})
		}
		if w := l.lengthMade(op.X); w != nil {
			return l.takenOut(w, inside)
		}
	case *ir.Binary:
		if op.Fn != ir.Add && op.Fn != ir.Sub && op.Fn != ir.Mul && op.Fn != ir.Max && op.Fn != ir.Min || n.Type() != intType {
			return nil
		}
		x, y := l.takenOut(op.X, inside), l.takenOut(op.Y, inside)
		if x != nil && y != nil {
			return l.arith(op.Fn, x, y)
		}
	}
	return nil
}

// defines notes what the statements of b, and of the blocks in it, give a value.
func defines(b *ir.Block, into map[ir.Atom]bool) {
	for _, s := range b.Stmts {
		for _, d := range s.Dst {
			into[d] = true
		}
		if i := ir.OperatorIndex(s.Op); i != nil {
			into[i] = true
		}
		for _, c := range ir.Blocks(s.Op) {
			defines(c, into)
		}
		if loop, ok := s.Op.(*ir.Loop); ok {
			if loop.I != nil {
				into[loop.I] = true
			}
			for _, p := range loop.Params {
				into[p] = true
			}
		}
	}
}
