package fuse

import (
	"slices"
	"strings"

	"github.com/surge-ndp/surge/ops/ir"
)

// resolve rewrites every Index and Len of a view into scalar code on the arrays behind it, and inserts the checks that
// Gather and Nest owe: gather(s, idx)[i] becomes s[idx[i]] behind a check of idx[i] against len(s). Views that nothing
// reads any more are left to dead-code elimination.
func resolve(f *ir.Func, names *ir.Namer) {
	r := &resolver{names: names, defs: map[*ir.Var]*ir.Stmt{}, sub: ir.Subst{}, allocs: ir.Allocs(f.Body), first: map[*ir.Var]ir.Atom{},
		sums: map[ir.Atom]*ir.Binary{}, ends: map[ir.Atom]ir.Atom{}}
	r.block(f.Body)
}

type resolver struct {
	names  *ir.Namer
	defs   map[*ir.Var]*ir.Stmt // the statement that defines an array
	sub    ir.Subst
	allocs map[*ir.Var]*ir.Stmt   // the statement that made an array that is updated in place
	first  map[*ir.Var]ir.Atom    // a sequence that a loop carries, inside and behind it: the one that it begins with
	sums   map[ir.Atom]*ir.Binary // the arithmetic of places
	ends   map[ir.Atom]ir.Atom    // the end of an index that begins at 0 or above
}

func (r *resolver) block(b *ir.Block) {
	stmts := b.Stmts
	b.Stmts = nil
	for _, s := range stmts {
		for _, a := range ir.Operands(s.Op) {
			*a = r.sub.Atom(*a)
		}
		e := emitter{r, &b.Stmts, s.Pos}
		switch op := s.Op.(type) {
		case *ir.Index:
			if a := e.element(op.X, op.I); a != nil {
				r.sub[s.Dst[0]] = a
				continue
			}
		case *ir.Len:
			if a := e.length(op.X); a != nil {
				r.sub[s.Dst[0]] = a
				continue
			}
		}
		switch op := s.Op.(type) {
		case *ir.Binary:
			r.sums[s.Dst[0]] = op
		case *ir.Map, *ir.Reduce, *ir.Scan:
			r.ends[indexOf(op)] = ir.OperatorLength(op)
		}
		if loop, ok := s.Op.(*ir.Loop); ok {
			if lo, ok := loop.Lo.(ir.Const); ok && loop.I != nil && lo.Int() >= 0 {
				r.ends[loop.I] = loop.Hi
			}
			for i, p := range loop.Params {
				if p.T.Rank > 0 {
					r.first[p], r.first[s.Dst[i]] = loop.Init[i], loop.Init[i]
				}
			}
		}
		for _, c := range ir.Blocks(s.Op) {
			r.block(c)
		}
		e.stmt(s.Op, s.Dst...)
	}
	for i := range b.Results {
		b.Results[i] = r.sub.Atom(b.Results[i])
	}
}

// element returns element i of x after rewriting, or nil if x is stored and the Index has to stay.
func (e emitter) element(x, i ir.Atom) ir.Atom {
	s := e.r.defs[x.(*ir.Var)]
	if s == nil {
		return nil
	}
	v, ok := s.Op.(*ir.View)
	if !ok {
		return nil
	}
	a := v.Args
	elem := x.Type().Elem()
	switch v.Fn {
	case ir.Nest:
		lo := e.toInt(e.read(a[1], i))
		hi := e.toInt(e.read(a[1], e.bin(ir.Add, "next", i, ir.IntConst(ir.Int, 1))))
		e.stmt(&ir.Check{Kind: ir.CheckBounds, Op: "Nest", Arg: e.r.rootName(a[1]), Args: []ir.Atom{lo, hi, e.len(a[0])}})
		return e.let("row", elem, &ir.View{Fn: ir.Slice, Args: []ir.Atom{a[0], lo, hi}})
	case ir.Split:
		lo := e.bin(ir.Mul, "lo", i, a[1])
		hi := e.bin(ir.Min, "hi", e.bin(ir.Add, "end", lo, a[1]), e.len(a[0]))
		return e.let("tile", elem, &ir.View{Fn: ir.Slice, Args: []ir.Atom{a[0], lo, hi}})
	case ir.Grid:
		lo := e.bin(ir.Mul, "lo", i, a[2])
		return e.let("row", elem, &ir.View{Fn: ir.Slice, Args: []ir.Atom{a[0], lo, e.bin(ir.Add, "hi", lo, a[2])}})
	case ir.Cyclic:
		n := e.len(a[0])
		tail := e.let("tail", elem, &ir.View{Fn: ir.Slice, Args: []ir.Atom{a[0], e.bin(ir.Min, "lo", i, n), n}})
		return e.let("tile", elem, &ir.View{Fn: ir.Striding, Args: []ir.Atom{tail, a[1]}})
	case ir.Gather:
		k := e.toInt(e.read(a[1], i))
		e.stmt(&ir.Check{Kind: ir.CheckIndex, Op: "Gather", Arg: e.r.rootName(a[1]), Args: []ir.Atom{k, e.len(a[0])}})
		return e.read(a[0], k)
	case ir.Reverse:
		last := e.bin(ir.Sub, "last", e.len(a[0]), ir.IntConst(ir.Int, 1))
		return e.read(a[0], e.bin(ir.Sub, "k", last, i))
	case ir.Striding:
		return e.read(a[0], e.bin(ir.Mul, "k", i, a[1]))
	case ir.RangeOf:
		k := i
		if kind := elem.Kind; kind != ir.Int {
			k = e.let("k", elem, &ir.Convert{To: kind, X: i})
		}
		return e.bin(ir.Add, "x", a[0], e.bin(ir.Mul, "step", k, a[2]))
	case ir.Replicate:
		return a[0]
	case ir.Slice:
		return e.read(a[0], e.bin(ir.Add, "k", a[1], i))
	case ir.Concat:
		if elem.Rank > 0 {
			return e.let("row", elem, &ir.View{Fn: ir.ConcatRow, Args: []ir.Atom{a[0], a[1], i}})
		}
		return e.either("x", elem, a[0], a[1], i, func(e emitter, x, i ir.Atom) ir.Atom { return e.read(x, i) })
	case ir.ConcatRow:
		if elem.Rank > 0 {
			return nil
		}
		return e.either("x", elem, a[0], a[1], a[2], func(e emitter, x, row ir.Atom) ir.Atom { return e.read(e.read(x, row), i) })
	case ir.Flatten:
		if flat := e.flat(a[0]); flat != nil {
			return e.read(flat, i)
		}
		if row, at := e.r.inRow(a[0].(*ir.Var), i); row != nil {
			return e.read(e.read(a[0], row), at)
		}
	}
	return nil
}

// inRow takes an index of flatten(x) apart that is row·width + at, where all rows of x, which a Map stores, have that
// width, row is an index of them, or a constant away from one, and at is an index of the elements of one row: what
// computes the element may then take its place. It returns nil for any other index.
func (r *resolver) inRow(x *ir.Var, i ir.Atom) (row, at ir.Atom) {
	width := positive(r, r.rowLength(x, 0))
	sum := r.sums[i]
	if width == nil || sum == nil || sum.Fn != ir.Add {
		return nil, nil
	}
	for _, way := range [][2]ir.Atom{{sum.X, sum.Y}, {sum.Y, sum.X}} {
		lo, end := r.sums[way[0]], r.ends[way[1]]
		if lo == nil || lo.Fn != ir.Mul || end == nil || positive(r, end) != width {
			continue
		}
		row = lo.X
		if positive(r, row) == width {
			row = lo.Y
		} else if positive(r, lo.Y) != width {
			continue
		}
		if r.counts(row) {
			return row, way[1]
		}
	}
	return nil, nil
}

// counts reports whether a is an index, or a constant away from one: products with lengths do not overflow then.
func (r *resolver) counts(a ir.Atom) bool {
	if sum := r.sums[a]; sum != nil && (sum.Fn == ir.Add || sum.Fn == ir.Sub) {
		if c, ok := sum.Y.(ir.Const); ok && c.Int() <= farthest && c.Int() >= -farthest {
			a = sum.X
		}
	}
	return r.ends[a] != nil
}

// positive is a without the greatest of it and 0, or 1: the same where something has so many elements, and one of them.
func positive(r *resolver, a ir.Atom) ir.Atom {
	if m := r.sums[a]; m != nil && m.Fn == ir.Max {
		if c, ok := m.Y.(ir.Const); ok && c.Int() <= 1 {
			return m.X
		}
	}
	return a
}

// either is f of element i of concat(a, b): of element i of a, or of element i - len a of b.
func (e emitter) either(name string, t ir.Type, a, b, i ir.Atom, f func(e emitter, x, i ir.Atom) ir.Atom) ir.Atom {
	n := e.len(a)
	cond := e.bin(ir.Lt, "first", i, n)
	then, els := &ir.Block{}, &ir.Block{}
	et, ee := emitter{e.r, &then.Stmts, e.pos}, emitter{e.r, &els.Stmts, e.pos}
	then.Results = []ir.Atom{f(et, a, i)}
	els.Results = []ir.Atom{f(ee, b, ee.bin(ir.Sub, "k", i, n))}
	return e.let(name, t, &ir.If{Cond: cond, Then: then, Else: els})
}

// flat returns a sequence with the elements of flatten(x), or nil if x is stored (its rows then lie one behind the
// other and flatten is free).
func (e emitter) flat(x ir.Atom) ir.Atom {
	s := e.r.defs[x.(*ir.Var)]
	if s == nil {
		return nil
	}
	v, ok := s.Op.(*ir.View)
	if !ok {
		return nil
	}
	switch a := v.Args; v.Fn {
	case ir.Split, ir.Grid:
		return a[0]
	case ir.Nest:
		if x.Type().Rank != 2 {
			return nil
		}
		last := e.bin(ir.Sub, "last", e.len(a[1]), ir.IntConst(ir.Int, 1))
		lo := e.toInt(e.read(a[1], ir.IntConst(ir.Int, 0)))
		hi := e.toInt(e.read(a[1], last))
		e.stmt(&ir.Check{Kind: ir.CheckBounds, Op: "Nest", Arg: e.r.rootName(a[1]), Args: []ir.Atom{lo, hi, e.len(a[0])}})
		return e.let("flat", x.Type().Elem(), &ir.View{Fn: ir.Slice, Args: []ir.Atom{a[0], lo, hi}})
	}
	return nil
}

// read is Index after rewriting.
func (e emitter) read(x, i ir.Atom) ir.Atom {
	if a := e.element(x, i); a != nil {
		return a
	}
	return e.let(elementName(x), x.Type().Elem(), &ir.Index{X: x, I: i})
}

// len is Len after rewriting.
func (e emitter) len(x ir.Atom) ir.Atom {
	if a := e.length(x); a != nil {
		return a
	}
	return e.let("n", tInt, &ir.Len{X: x})
}

// length returns the length of x after rewriting, or nil if Len has to stay.
func (e emitter) length(x ir.Atom) ir.Atom {
	if a := e.r.allocs[x.(*ir.Var)]; a != nil {
		return e.r.sub.Atom(a.Op.(*ir.Alloc).N)
	}
	if a := e.r.first[x.(*ir.Var)]; a != nil { // all have one length
		return e.len(a)
	}
	s := e.r.defs[x.(*ir.Var)]
	if s == nil {
		return nil
	}
	if n := ir.ResultLength(s.Op); n != nil {
		return n
	}
	if v, ok := s.Op.(*ir.View); ok {
		return e.viewLength(v)
	}
	if read, ok := s.Op.(*ir.Index); ok {
		return e.r.rowLength(read.X.(*ir.Var), 0)
	}
	return nil
}

// rowLength returns the length of the rows of x at a level, the outermost of which is 0, if a Map stores them, or what
// x is a row of, and they all have one length, that of what computes them; else nil.
func (r *resolver) rowLength(x *ir.Var, level int) ir.Atom {
	s := r.defs[x]
	if s == nil {
		return nil
	}
	switch op := s.Op.(type) {
	case *ir.Map:
		if levels := RowLevels(op, slices.Index(s.Dst, x)); level < len(levels) && Outside(op, levels[level].Length) {
			return levels[level].Length
		}
	case *ir.Index:
		return r.rowLength(op.X.(*ir.Var), level+1)
	case *ir.View:
		if op.Fn == ir.Flatten {
			return r.rowLength(op.Args[0].(*ir.Var), level+1)
		}
	}
	return nil
}

func (e emitter) viewLength(v *ir.View) ir.Atom {
	a := v.Args
	one := ir.IntConst(ir.Int, 1)
	switch v.Fn {
	case ir.Nest:
		return e.bin(ir.Max, "n", e.bin(ir.Sub, "n", e.len(a[1]), one), ir.IntConst(ir.Int, 0))
	case ir.Split, ir.Striding:
		return e.ceilDiv(e.len(a[0]), a[1])
	case ir.Grid:
		return a[1]
	case ir.Cyclic:
		e.checkCount("Cyclic", a[1], sliceBytes)
		return a[1]
	case ir.Replicate:
		bytes := sliceBytes
		if t := a[0].Type(); t.IsScalar() {
			bytes = t.Kind.Bytes()
		}
		e.checkCount("Replicate", a[1], bytes)
		return a[1]
	case ir.Gather:
		return e.len(a[1])
	case ir.Reverse:
		return e.len(a[0])
	case ir.Slice:
		if end := e.r.sums[a[2]]; end != nil && end.Fn == ir.Add && end.X == a[1] {
			return end.Y
		}
		return e.bin(ir.Sub, "n", a[2], a[1])
	case ir.Concat:
		return e.bin(ir.Add, "n", e.len(a[0]), e.len(a[1]))
	case ir.ConcatRow:
		return e.either("n", tInt, a[0], a[1], a[2], func(e emitter, x, row ir.Atom) ir.Atom { return e.len(e.read(x, row)) })
	case ir.Flatten:
		if flat := e.flat(a[0]); flat != nil {
			return e.len(flat)
		}
	case ir.RangeOf:
		n := e.rangeLength(a[0], a[1], a[2])
		e.checkCount("Range", n, a[0].Type().Kind.Bytes())
		return n
	}
	return nil
}

// sliceBytes is the size of a row of a nested sequence, without its elements.
const sliceBytes = 24

// checkCount checks that n elements of that many bytes could be held in memory, as package ops does: the length of a
// range and the like comes out of a computation, and a loop of that length would not end.
func (e emitter) checkCount(op string, n ir.Atom, bytes int) {
	const addressSpace = 1 << 47
	limit := ir.IntConst(ir.Int, addressSpace/int64(bytes))
	if c, ok := n.(ir.Const); ok && c.Int() <= limit.Int() {
		return
	}
	e.stmt(&ir.Check{Kind: ir.CheckCount, Op: op, Arg: "the length", Args: []ir.Atom{n, limit}})
}

func argName(a ir.Atom) string {
	if v, ok := a.(*ir.Var); ok {
		return v.Name
	}
	return a.String()
}

// rootName names the stored sequence that a is a part of.
func (r *resolver) rootName(a ir.Atom) string {
	for {
		v, ok := a.(*ir.Var)
		if !ok || r.defs[v] == nil {
			return argName(a)
		}
		switch op := r.defs[v].Op.(type) {
		case *ir.View:
			if op.Fn == ir.RangeOf || op.Fn == ir.Replicate {
				return argName(a)
			}
			a = op.Args[0]
		case *ir.Index:
			a = op.X
		default:
			return argName(a)
		}
	}
}

// elementName names an element after its array: columns → column, x → x0.
func elementName(x ir.Atom) string {
	name := strings.ReplaceAll(argName(x), ".", "_") // a suffix ends a name
	if n := len(name); n > 2 && name[n-1] == 's' {
		return name[:n-1]
	}
	return name + "_i"
}
