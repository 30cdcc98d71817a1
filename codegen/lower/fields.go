package lower

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// Numbers that lie in structs are at a distance from each other. Scalar code reads and writes them there, and so do
// vectors where a struct is two to four numbers of one size ([kir.Every]); where indices are computed, vectors gather
// them ([kir.Gather]). Else, on lanes, a loop runs over strips of elements: the fields of a strip are taken into small
// buffers, which stay in the first-level cache, before the vectors of the strip are computed, and what these write is
// put into the structs afterwards.

// fieldOf returns where a sequence of the frame lies if that is in structs, else nil.
func (l *lowerer) fieldOf(v *ir.Var) *kir.Field {
	place := l.k.InPlace[v]
	if place == nil {
		return nil
	}
	name := StructsName(place.Structs)
	l.names[name] = 1
	return &kir.Field{Structs: name, Path: place.Path, GoType: place.GoType, Apart: place.Apart, Nth: place.Nth}
}

// fieldStrips are the buffers of the fields that a strip of elements reads and writes.
type fieldStrips struct {
	i      *ir.Var // the index of the loop over elements
	start  kir.Expr
	reads  []*fieldRead
	writes map[*kir.Array]*kir.Array // fields to buffers
	order  []*array                  // the fields that are written
}

// fieldRead is a field of consecutive elements: number offset+i of from.
type fieldRead struct {
	stmts  []*ir.Stmt
	index  ir.Atom
	from   *array
	offset kir.Expr
	buf    *kir.Array
}

// fieldsOf finds the fields that the elements of a loop on lanes read one after the other and write, nil if there are
// none. A check that is made in the loop ends what is read ahead: the reads after it may be ones that it prevents. So
// does a condition, and a loop that may make no turn.
func (l *lowerer) fieldsOf(r rangeLoop, e *env) *fieldStrips {
	f := &fieldStrips{i: r.i, writes: map[*kir.Array]*kir.Array{}}
	var block func(b *ir.Block) bool
	block = func(b *ir.Block) bool {
		for _, s := range b.Stmts {
			if c, ok := s.Op.(*ir.Check); ok && !l.hoisted[c] {
				return false
			}
			if read, ok := s.Op.(*ir.Index); ok {
				f.read(l, s, read, r, e)
			}
			if ir.OperatorIndex(s.Op) == nil {
				continue
			}
			for _, inner := range ir.Blocks(s.Op) {
				if !block(inner) {
					return false
				}
			}
		}
		return true
	}
	block(r.body)
	for _, a := range r.stores {
		if a.a.Field != nil && a.a.Field.Apart == 0 && f.writes[a.a] == nil {
			f.writes[a.a] = l.stripOf(a.a)
			f.order = append(f.order, a)
		}
	}
	if len(f.reads) == 0 && len(f.order) == 0 {
		return nil
	}
	return f
}

// read adds a read, if it is one of consecutive elements in structs.
func (f *fieldStrips) read(l *lowerer, s *ir.Stmt, read *ir.Index, r rangeLoop, e *env) {
	from, ok := e.getAtom(read.X)
	if !ok || from.arr == nil || from.arr.a == nil || from.arr.a.Field == nil || from.arr.a.Field.Apart > 0 || from.arr.rows != nil {
		return
	}
	for _, g := range f.reads {
		if g.from.a == from.arr.a && g.index == read.I {
			g.stmts = append(g.stmts, s)
			return
		}
	}
	if offset, ok := l.offsetFrom(read.I, r.i, e); ok {
		f.reads = append(f.reads, &fieldRead{stmts: []*ir.Stmt{s}, index: read.I, from: from.arr, offset: offset, buf: l.stripOf(from.arr.a)})
	}
}

func (l *lowerer) stripOf(a *kir.Array) *kir.Array {
	return &kir.Array{Name: l.name(a.Name + "Strip"), Kind: a.Kind, Space: kir.Strip, Size: stripLength}
}

// take fills the buffers with the elements [start, end).
func (f *fieldStrips) take(l *lowerer, start, end kir.Expr) {
	f.start = start
	for _, g := range f.reads {
		l.emit(&kir.Call{R: &kir.Routine{Name: kir.TakeFields, Args: []kir.Arg{
			{A: g.buf, X: intConst(0)}, {A: g.from.a, X: l.at(g.from, add(g.offset, start))}, {X: sub(end, start)}}}})
	}
}

// put writes the elements [start, end) from the buffers.
func (f *fieldStrips) put(l *lowerer, start, end kir.Expr) {
	for _, a := range f.order {
		l.emit(&kir.Call{R: &kir.Routine{Name: kir.PutFields, Args: []kir.Arg{
			{A: a.a, X: l.at(a, start)}, {A: f.writes[a.a], X: intConst(0)}, {X: sub(end, start)}}}})
	}
}

// stripElement is the vector of the elements that a statement reads from structs.
func (l *lowerer) stripElement(s *ir.Stmt, e *env) value {
	if read := s.Op.(*ir.Index); l.active == nil {
		if arr := l.atom(read.X, e).arr; arr.a.Field.Apart > 0 {
			return value{x: &kir.Load{A: arr.a, I: l.at(arr, l.atom(read.I, e).x), T: l.loadType(arr.a.Kind)}, form: vector}
		}
	}
	if l.fields != nil {
		i, _ := e.get(l.fields.i)
		for _, g := range l.fields.reads {
			for _, read := range g.stmts {
				if read == s && i.form == contig {
					return value{x: &kir.Load{A: g.buf, I: l.letExpr("at", sub(i.x, l.fields.start)), T: l.loadType(g.buf.Kind), Mask: l.activeFor(g.buf.Kind)}, form: vector}
				}
			}
		}
	}
	veto("level %d cannot use lanes: elements that lie in structs are read where they are not taken a strip at a time", l.laneLevel)
	return value{}
}

// storeStrip is a store of element i, or of a vector from there on: to a buffer if the array lies in structs.
func (l *lowerer) storeStrip(to *array, i, x kir.Expr) *kir.Store {
	if to.a.Field == nil || to.a.Field.Apart > 0 || x.Type().Lanes == 1 {
		return &kir.Store{A: to.a, I: l.at(to, i), X: x}
	}
	if l.fields == nil || l.fields.writes[to.a] == nil {
		veto("level %d cannot use lanes: elements that lie in structs are written where they are not put a strip at a time", l.laneLevel)
	}
	return &kir.Store{A: l.fields.writes[to.a], I: sub(i, l.fields.start), X: x}
}
