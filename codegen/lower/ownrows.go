package lower

import (
	"slices"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// Elements of a Map may each fill a row of the result in order, as a filter of a series or a running sum does. Such
// elements can be on lanes, a row a lane, where their rows have one length: the rows of a vector are computed in memory
// of their own, where what they have at one place lies side by side, and transposed to where the result has them.

// ownRows are the rows that the elements of a loop fill.
type ownRows struct {
	level int       // that has the loop
	made  []*ir.Var // what makes each
	n     []value   // of how many elements
	bytes int       // of one element of each of them
}

// ownRowsOf finds the rows that the elements of a Map on lanes fill. It returns nil if there are none.
func (l *lowerer) ownRowsOf(r rangeLoop) *ownRows {
	if r.what != "map" {
		return nil
	}
	own := ownRows{level: r.depth + 1}
	for _, a := range r.body.Results {
		v, ok := a.(*ir.Var)
		if !ok || v.T.Rank != 1 || l.allocs[v] == nil {
			continue
		}
		own.made = append(own.made, l.allocs[v].Dst[0])
		own.bytes += v.T.Kind.Bytes()
	}
	if own.made == nil {
		return nil
	}
	return &own
}

// fitting emits f, which lowers the vectors of the loop, behind the condition that the rows of one have elements and
// are, so many of them together, not too long for a cache. Rows and stored are what is known of the rows that the
// elements read.
func (own *ownRows) fitting(l *lowerer, together int, rows *rowsOnLanes, stored *storedRows, e *env, f func()) {
	own.n = nil
	var fits kir.Expr
	var lengths []kir.Expr
	for _, d := range own.made {
		x := own.length(l, l.allocs[d].Op.(*ir.Alloc).N, rows, stored, e)
		if x == nil {
			veto("level %d cannot use lanes: each of its elements stores a row of a length that is not known before (%s)",
				own.level, sourceName(d.Name))
		}
		if i := slices.IndexFunc(lengths, func(y kir.Expr) bool { return kir.Equal(x, y) }); i >= 0 {
			lengths, own.n = append(lengths, x), append(own.n, own.n[i]) // rows of several results, all as long
			continue
		}
		n := l.letExpr("n", x)
		lengths, own.n = append(lengths, x), append(own.n, scalar(n))
		is := compare(ir.And, compare(ir.Gt, n, intConst(0)), compare(ir.Le, n, intConst(packBytes/(together*own.bytes))))
		if fits == nil {
			fits = is
		} else {
			fits = compare(ir.And, fits, is)
		}
	}
	some := &kir.If{Cond: fits}
	was := l.own
	l.own = own
	l.inside(&some.Then, f)
	l.own = was
	l.emit(some)
}

// length is what an atom of the body is for all elements, computed before the loop, or nil.
func (own *ownRows) length(l *lowerer, a ir.Atom, rows *rowsOnLanes, stored *storedRows, e *env) kir.Expr {
	if v, known := e.getAtom(a); known {
		if v.form != uniform || v.arr != nil {
			return nil
		}
		return v.x
	}
	if rows != nil {
		for s, other := range rows.same {
			if s.Dst[0] == a {
				return own.length(l, other, rows, stored, e)
			}
		}
	}
	switch op := l.defs[a].(type) {
	case *ir.Len:
		if stored == nil {
			return nil
		}
		for s, p := range stored.of {
			if s.Dst[0] == op.X {
				return p.n
			}
		}
	case *ir.Binary:
		switch op.Fn {
		case ir.Add, ir.Sub, ir.Mul, ir.Min, ir.Max:
		default:
			return nil
		}
		x := own.length(l, op.X, rows, stored, e)
		if x == nil {
			return nil
		}
		if y := own.length(l, op.Y, rows, stored, e); y != nil {
			return l.letExpr("n", l.integer(op.Fn, x, y))
		}
	}
	return nil
}

// lengthOf is how many elements a row has that the elements of a loop fill and that d makes.
func (own *ownRows) lengthOf(d *ir.Var) (n value, ok bool) {
	if own == nil {
		return n, false
	}
	for k, made := range own.made {
		if made == d {
			return own.n[k], true
		}
	}
	return n, false
}

// makesOwn prepares for the rows that the body of a Map on lanes fills: each lane has one.
func (l *lowerer) makesOwn(b *ir.Block) {
	for _, a := range b.Results {
		v, ok := a.(*ir.Var)
		if !ok || v.T.Rank == 0 {
			continue
		}
		made := l.allocs[v]
		if made != nil {
			delete(l.dest, made.Dst[0]) // of elements that were lowered one by one
		}
		if made == nil || l.own == nil {
			l.vetoRow()
		}
	}
}

func (l *lowerer) vetoRow() {
	veto("level %d cannot use lanes: each of its elements is a row that is stored", l.laneLevel)
}

// unpack stores the rows that the lanes have filled as those from row i of the result on.
func (l *lowerer) unpack(to, from *array, i kir.Expr, e *env) {
	r := to.rows
	if !from.private || from.off != nil || r == nil || r.inner != nil || r.total != nil || l.active != nil {
		l.vetoRow()
	}
	var lo kir.Expr
	if i = l.at(to, i); r.offsets != nil {
		lo = l.letExpr("lo", &kir.Load{A: r.offsets, I: i, T: kir.Int})
	} else {
		lo = l.letExpr("lo", add(r.base, times(i, l.atom(r.length, e).x)))
	}
	l.emit(&kir.Call{R: &kir.Routine{Name: kir.UnpackRows, Args: []kir.Arg{
		{A: to.a, X: lo}, {A: from.a, X: orZero(from.off)}, {X: intConst(l.width)}, {X: from.n}}}})
}
