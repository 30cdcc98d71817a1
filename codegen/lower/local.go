package lower

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// privateBytes is up to what size an array of which each lane has its own is a buffer of the function.
const privateBytes = 16 << 10

// alloc gives an array that is updated in place its memory: where the operator around it stores its result, if the
// array is that result, or scratch memory. On lanes each has an array of its own.
func (l *lowerer) alloc(s *ir.Stmt, op *ir.Alloc, e *env) {
	l.on.oneWorker("a sequence that is updated in place (" + sourceName(s.Dst[0].Name) + ") belongs to one work-item")
	n := l.atom(op.N, e)
	if op.Grows {
		l.allocGrowing(s.Dst[0], n, e)
		return
	}
	var arr *array
	size := n.x
	if l.width > 1 {
		arr, size = l.privateArray(s.Dst[0], n)
		e.m[s.Dst[0]] = value{arr: arr}
	} else {
		arr = l.destination(s.Dst[0], n.x, e)
	}
	if !op.Blank {
		l.emit(&kir.Call{R: &kir.Routine{Name: kir.Zero, Args: []kir.Arg{{A: arr.a, X: orZero(arr.off)}, {X: size}}}})
	}
}

// allocGrowing gives an array that grows its first memory, whose elements have no value.
func (l *lowerer) allocGrowing(d *ir.Var, n value, e *env) {
	switch {
	case !l.on.can().scopes:
		veto("%s grows while the kernel runs, and memory must be taken before the launch", sourceName(d.Name))
	case l.width > 1:
		veto("level %d cannot use lanes: each of its elements has a sequence that grows (%s)", l.laneLevel, sourceName(d.Name))
	}
	arr := &array{a: &kir.Array{Name: l.name(d.Name), Kind: d.T.Kind, Space: kir.Scratch}, n: n.x}
	l.emit(&kir.AllocScratch{A: arr.a, N: n.x, Grows: true})
	e.m[d] = value{arr: arr}
}

// grow gives an array more memory: all versions of it lie there from now on.
func (l *lowerer) grow(s *ir.Stmt, op *ir.Grow, e *env) {
	arr := l.atom(op.X, e).arr
	l.emit(&kir.Grow{A: arr.a, Keep: l.atom(op.Keep, e).x, N: l.atom(op.N, e).x})
	e.m[s.Dst[0]] = value{arr: arr}
}

// privateArray declares an array of which each lane has its own, and returns how many elements that are in all.
func (l *lowerer) privateArray(d *ir.Var, n value) (*array, kir.Expr) {
	if known, ok := l.own.lengthOf(d); ok {
		n = known
	}
	if n.form != uniform {
		veto("level %d cannot use lanes: each of its elements has a sequence of its own length (%s)", l.laneLevel, d.Name)
	}
	if l.dest[d] != nil {
		l.vetoRow()
	}
	l.vectorType(d.T.Kind, l.width) // vetoes kinds without vectors
	a := &kir.Array{Name: l.name(d.Name), Kind: d.T.Kind, Space: kir.Scratch}
	arr := &array{a: a, n: n.x, private: true}
	if c, ok := n.x.(*kir.Const); ok && c.C.Int() > 0 && c.C.Int()*int64(l.width*d.T.Kind.Bytes()) <= privateBytes {
		a.Space, a.Size = kir.Strip, int(c.C.Int())*l.width
		return arr, intConst(a.Size)
	}
	x := &kir.Bin{Fn: ir.Mul, X: n.x, Y: intConst(l.width), T: kir.Int}
	if l.known(n.x) { // taken once for all vectors
		size := l.fresh("size", kir.Int)
		*l.preheader = append(*l.preheader, &kir.Let{V: size, X: x}, &kir.AllocScratch{A: a, N: &kir.Ref{V: size}})
		l.takesScratch = true
		return arr, &kir.Ref{V: size}
	}
	size := l.letExpr("size", x)
	l.emit(&kir.AllocScratch{A: a, N: size})
	l.scratch = true
	return arr, size
}

// known reports whether a scalar exists before the current vector loop.
func (l *lowerer) known(x kir.Expr) bool {
	switch x := x.(type) {
	case *kir.Const, *kir.Length:
		return true
	case *kir.Ref:
		return l.outside(x.V)
	}
	return false
}

// privateAt is where element i lies in all lanes, if that is the same index in all, and otherwise the vector of where
// each lane's lies.
func (l *lowerer) privateAt(arr *array, i value) (kir.Expr, form) {
	w := intConst(l.width)
	if i.form == uniform {
		if c, ok := i.x.(*kir.Const); ok {
			return add(arr.off, intConst(int(c.C.Int())*l.width)), uniform
		}
		return l.letExpr("at", add(arr.off, &kir.Bin{Fn: ir.Mul, X: i.x, Y: w, T: kir.Int})), uniform
	}
	t := l.vectorType(ir.Int, l.width)
	scaled := &kir.Bin{Fn: ir.Mul, X: l.vec(i), Y: l.vec(scalar(w)), T: t}
	return l.letExpr("at", &kir.Bin{Fn: ir.Add, X: scaled, Y: l.vec(value{x: orZero(arr.off), form: contig}), T: t}), vector
}

// privateElement reads element i of each lane's own array.
func (l *lowerer) privateElement(arr *array, i value) kir.Expr {
	at, f := l.privateAt(arr, i)
	t := l.vectorType(arr.a.Kind, l.width)
	if f == uniform {
		l.guarded = true // if no lane is active, there may be no such element
		return &kir.Load{A: arr.a, I: at, T: t}
	}
	return &kir.Gather{A: arr.a, I: at, T: t, Mask: l.activeFor(arr.a.Kind)}
}

// update writes an element where it lies: nothing else reads the old version.
func (l *lowerer) update(s *ir.Stmt, op *ir.Update, e *env) {
	arr := l.atom(op.X, e).arr
	i, x := l.atom(op.I, e), l.atom(op.Value, e)
	e.m[s.Dst[0]] = value{arr: arr}
	if arr.private {
		l.guarded = true
		l.updatePrivate(arr, i, x)
		return
	}
	if l.width > 1 && l.updating == l.laneLevel && (i.form == contig || i.form == apart) {
		l.updateLanes(arr, i, l.vec(x))
		return
	}
	if l.width > 1 || i.form != uniform || x.form != uniform {
		veto("level %d cannot use lanes: a sequence that its elements share is updated element by element", l.laneLevel)
	}
	l.emit(&kir.Store{A: arr.a, I: l.at(arr, i.x), X: x.x})
}

// updatePrivate writes element i of the active lanes' own arrays.
func (l *lowerer) updatePrivate(arr *array, i, x value) {
	at, f := l.privateAt(arr, i)
	v := l.letExpr("x", l.vec(x))
	t := v.Type()
	mask := l.activeFor(arr.a.Kind)
	if f == uniform {
		if mask != nil {
			old := l.letExpr("old", &kir.Load{A: arr.a, I: at, T: t})
			v = &kir.Select{C: mask, X: v, Y: old}
		}
		l.emit(&kir.Store{A: arr.a, I: at, X: v})
		return
	}
	if mask == nil {
		bits := bitsOf(arr.a.Kind)
		mask = l.letExpr("all", &kir.Splat{X: &kir.Const{C: ir.BoolConst(true)}, T: kir.Type{Kind: ir.Bool, Lanes: l.width, Bits: bits}})
	}
	l.emit(&kir.Scatter{A: arr.a, I: at, X: v, Mask: mask})
}

// scoped runs f with the scratch memory that it takes for the blocks given back at the end.
func (l *lowerer) scoped(f func(), blocks ...*ir.Block) {
	need := false
	for _, b := range blocks {
		need = need || l.needsScratch(b)
	}
	if !need || !l.on.can().scopes {
		f()
		return
	}
	sc := &kir.Scoped{}
	scratch := l.scratch
	l.scratch = false
	l.inside(&sc.Body, f)
	if l.width > 1 && !l.scratch { // the lanes' arrays are buffers of the function
		for _, s := range sc.Body {
			l.emit(s)
		}
	} else {
		l.emit(sc)
	}
	l.scratch = scratch
}
