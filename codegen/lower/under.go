package lower

import (
	"slices"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// Elements of a reduction that are a condition's, and neutral where it fails, change nothing there: a pair of atoms
// beyond the cutoff adds no force. Which lanes take the condition nobody can foresee, and a jump that is not foreseen
// costs more than some vectors. So the loop over vectors only finds out what the lanes that take it need, and puts
// that one behind the other, without a jump; a loop over these, all lanes at work, then computes the elements. The
// first of these loops needs few variables and turns often, so it is a function of its own, where no others compete
// for registers. Where all that cannot be, what depends on the condition is jumped over in vectors of which no lane
// takes it.

// Each of the values that wait has a page of memory, and pages are filled alike: where a processor compares the lower
// bits of addresses, what is loaded from rows then never looks like what was just stored (see package rt). More than
// some pages would contend for the same lines of the first-level cache.
const (
	pageBytes    = 4 << 10
	waitingPages = 6
)

// denseLeast is how many elements pay for two loops in place of one.
const denseLeast = 64

// under returns the last statement of the body of a reduction, if that is a condition on which all elements depend and
// that is worth a jump.
func (l *lowerer) under(r reduction, accs []*kir.Var) (*ir.Stmt, *ir.If) {
	stmts := r.body.Stmts
	if r.comb.fns == nil || len(stmts) == 0 {
		return nil, nil
	}
	s := stmts[len(stmts)-1]
	op, ok := s.Op.(*ir.If)
	if !ok || len(op.Else.Stmts) > 0 || !costly(op.Then) {
		return nil, nil
	}
	for k, a := range r.body.Results {
		at := slices.IndexFunc(s.Dst, func(d *ir.Var) bool { return a == ir.Atom(d) })
		if at < 0 || accs[k].T.Bits != 0 {
			return nil, nil
		}
		if n, ok := analysis.Neutral(r.comb.fns[k], a.Type().Kind); !ok || op.Else.Results[at] != ir.Atom(n) {
			return nil, nil
		}
	}
	return s, op
}

// elementsUnder computes the elements of the lanes in which c holds and combines them into accs.
func (l *lowerer) elementsUnder(r reduction, s *ir.Stmt, op *ir.If, c value, accs []*kir.Var, e *env) {
	for i, x := range l.block(op.Then, e.child(), r.depth+1) {
		e.m[s.Dst[i]] = x
	}
	elems := l.atoms(r.body.Results, e)
	if c.form != uniform { // lanes outside of the mask are neutral
		for k := range elems {
			elems[k] = l.selectValue(c, elems[k], l.atom(op.Else.Results[slices.Index(s.Dst, r.body.Results[k].(*ir.Var))], e))
		}
	}
	l.combineInto(accs, elems, r.comb, e)
}

// accumulateUnder accumulates elements on lanes that are a condition's, which is jumped over where no lane takes it. It
// reports false, having done nothing, if the elements are not of this form.
func (l *lowerer) accumulateUnder(r reduction, accs []*kir.Var, e *env) bool {
	s, op := l.under(r, accs)
	if s == nil || l.width == 1 {
		return false
	}
	l.before(r, e)
	c := l.atom(op.Cond, e)
	node := &kir.If{Cond: c.x}
	active := l.active
	if c.form != uniform {
		c.x = l.letExpr("cond", c.x)
		l.active = l.and(c.x)
		node.Cond = &kir.AnyLane{X: l.active}
		l.guarded = true
	}
	l.inside(&node.Then, func() { l.elementsUnder(r, s, op, c, accs, e) })
	l.emit(node)
	l.active = active
	return true
}

// before computes what the body of a reduction does before its last statement.
func (l *lowerer) before(r reduction, e *env) {
	for _, s := range r.body.Stmts[:len(r.body.Stmts)-1] {
		if !l.skip[s] {
			l.stmt(s, e, r.depth+1)
		}
	}
}

// dense is what the elements under a condition need of what is computed before it.
type dense struct {
	waits []*ir.Var         // these wait
	again map[*ir.Stmt]bool // the others are computed from them by these
}

// compressBits is the size of the vectors that have an instruction which moves lanes together.
const compressBits = 512

// denseFor returns what the elements of a reduction need, nil if that cannot wait: it has to be vectors of 512 bits,
// which have an instruction that moves lanes together. What follows from others by a few cheap operations does not
// wait, but is computed again.
func (l *lowerer) denseFor(r reduction, op *ir.If) *dense {
	before := r.body.Stmts[:len(r.body.Stmts)-1]
	made := map[ir.Atom]*ir.Stmt{}
	for _, s := range before {
		for _, d := range s.Dst {
			made[d] = s
		}
	}
	needs := map[ir.Atom]bool{}
	var vs []*ir.Var
	for _, v := range ir.Free(op.Then) {
		if made[v] == nil && v != r.i {
			continue
		}
		if !v.T.IsScalar() || v.T.Kind == ir.Bool || bitsOf(v.T.Kind)*l.width != compressBits {
			return nil
		}
		needs[v] = true
		vs = append(vs, v)
	}
	d := &dense{again: map[*ir.Stmt]bool{}}
	for _, s := range slices.Backward(before) { // what is made last follows from the others, if any does
		if len(s.Dst) == 1 && needs[s.Dst[0]] {
			delete(needs, s.Dst[0])
			again := map[*ir.Stmt]bool{}
			if follows(s, r.i, made, needs, again) && len(again) <= cheapAgain {
				for s := range again {
					d.again[s] = true
				}
			} else {
				needs[s.Dst[0]] = true
			}
		}
	}
	for _, v := range vs {
		if needs[v] {
			d.waits = append(d.waits, v)
		}
	}
	if len(d.waits) == 0 || len(d.waits) > waitingPages || !speculatable(op.Then) || l.needsScratch(r.body) {
		return nil
	}
	return d
}

// cheapAgain is how many operations cost less than to have their result wait: that takes three instructions a vector,
// of which the operations have to run for a fraction only.
const cheapAgain = 8

// follows reports whether what s makes follows from values by arithmetic without quotients and functions, and adds
// the statements of it.
func follows(s *ir.Stmt, i *ir.Var, made map[ir.Atom]*ir.Stmt, from map[ir.Atom]bool, by map[*ir.Stmt]bool) bool {
	if s.Dst[0].T.Kind == ir.Bool {
		return false
	}
	b, ok := s.Op.(*ir.Binary)
	if !ok || b.Fn != ir.Add && b.Fn != ir.Sub && b.Fn != ir.Mul {
		return false
	}
	by[s] = true
	for _, a := range []ir.Atom{b.X, b.Y} {
		if a == ir.Atom(i) && !from[a] || made[a] != nil && !from[a] && !follows(made[a], i, made, from, by) {
			return false
		}
	}
	return true
}

// accumulateDense accumulates the elements of whole vectors from i's value on, if these are many: those that take the
// condition one behind the other. It does nothing if they are not of this form.
func (l *lowerer) accumulateDense(r reduction, accs []*kir.Var, i *kir.Var, hi kir.Expr, e *env) {
	s, op := l.under(r, accs)
	if s == nil {
		return
	}
	d := l.denseFor(r, op)
	if d == nil {
		return
	}
	spots := l.spots(d.waits)
	at := &kir.Ref{V: i}
	more := func() kir.Expr {
		return &kir.Bin{Fn: ir.Le, X: add(at, intConst(l.width)), Y: hi, T: kir.ScalarType(ir.Bool)}
	}
	n := &kir.Ref{V: l.fresh("waiting", kir.Int)}
	stretch := &kir.For{V: i, Step: l.width, Whole: true, Keep: true, Outlined: true}
	fill := &kir.While{Body: []kir.Stmt{stretch}}
	l.inside(&fill.Cond, func() { // as many as there is room for, even if all take the condition
		stretch.Hi = l.letExpr("end", &kir.Bin{Fn: ir.Min, X: hi, Y: add(at, sub(intConst(l.pageLength()), n)), T: kir.ScalarType(ir.Int)})
		fill.Test = &kir.Bin{Fn: ir.Le, X: add(at, intConst(l.width)), Y: stretch.Hi, T: kir.ScalarType(ir.Bool)}
	})
	l.inside(&stretch.Body, func() {
		inner := e.child()
		inner.m[r.i] = value{x: at, form: contig}
		l.before(r, inner)
		mask := l.letExpr("cond", l.maskBits(l.and(l.vec(l.atom(op.Cond, inner))), compressBits/l.width))
		count := &kir.CountLanes{X: mask}
		if and, ok := l.defs[op.Cond].(*ir.Binary); ok && and.Fn == ir.And {
			x, okX := inner.getAtom(and.X)
			y, okY := inner.getAtom(and.Y)
			if okX && okY && x.form == vector && y.form == vector && x.x.Type() == mask.Type() && y.x.Type() == mask.Type() {
				count.X = &kir.Bin{Fn: ir.And, X: x.x, Y: y.x, T: mask.Type()}
			}
		}
		for k, v := range d.waits {
			l.emit(&kir.Store{A: spots[k].a, I: add(n, spots[k].from), X: &kir.Compress{X: l.vec(l.atom(v, inner)), Mask: mask}})
		}
		l.emit(&kir.Set{V: n.V, X: add(n, count)})
	})
	from := &kir.Ref{V: l.fresh("from", kir.Int)}
	waiting := func() *env { // the values of a vector
		inner := e.child()
		for k, v := range d.waits {
			x := l.letExpr(v.Name, &kir.Load{A: spots[k].a, I: add(from, spots[k].from), T: l.vectorType(v.T.Kind, l.width)})
			inner.m[v] = value{x: x, form: vector}
		}
		for _, s := range r.body.Stmts {
			if d.again[s] {
				l.stmt(s, inner, r.depth+1)
			}
		}
		return inner
	}
	whole := &kir.For{V: from.V, Hi: n, Step: l.width, Whole: true, Keep: true}
	l.inside(&whole.Body, func() { // all lanes take the condition
		all := r
		all.body = &ir.Block{Stmts: op.Then.Stmts}
		for _, a := range r.body.Results {
			all.body.Results = append(all.body.Results, op.Then.Results[slices.Index(s.Dst, a.(*ir.Var))])
		}
		inner := waiting()
		l.accumulateAll(all, [][]*kir.Var{accs}, []value{inner.m[r.i]}, []*env{inner})
	})
	rest := &kir.If{Cond: &kir.Bin{Fn: ir.Lt, X: from, Y: n, T: kir.ScalarType(ir.Bool)}}
	l.inside(&rest.Then, func() {
		inner := waiting()
		mask := l.letExpr("m", &kir.FirstLanes{Start: from, Bound: n, T: kir.Type{Kind: ir.Bool, Lanes: l.width, Bits: compressBits / l.width}})
		active := l.active
		l.active = mask
		l.elementsUnder(r, s, op, value{x: mask, form: vector}, accs, inner)
		l.active = active
	})
	outer := &kir.While{Test: more(), Body: []kir.Stmt{&kir.Let{V: n.V, X: intConst(0)}, fill, &kir.Let{V: from.V, X: intConst(0)}, whole, rest}}
	enough := &kir.Bin{Fn: ir.Ge, X: sub(hi, at), Y: intConst(denseLeast), T: kir.ScalarType(ir.Bool)}
	l.emit(&kir.If{Cond: enough, Then: []kir.Stmt{outer}})
}

// spot is where one of the values waits: from this element of the room on.
type spot struct {
	a    *kir.Array
	from kir.Expr
}

// pageLength is how many elements of a vector's kind are in a page.
func (l *lowerer) pageLength() int { return pageBytes / (compressBits / 8) * l.width }

// spots gives each value a place, those of one kind in one room, so that few addresses are needed.
func (l *lowerer) spots(vs []*ir.Var) []spot {
	used := map[ir.Kind]int{}
	ps := make([]spot, len(vs))
	for k, v := range vs {
		from := used[v.T.Kind]
		used[v.T.Kind] += l.pageLength()
		ps[k] = spot{a: l.room(v.T.Kind, used[v.T.Kind]), from: intConst(from)}
	}
	return ps
}
