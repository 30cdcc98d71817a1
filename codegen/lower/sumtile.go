package lower

import (
	"fmt"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// The sums of products of a register tile are one call of a routine where every product has a factor that all lanes share
// and one that is a vector in memory, and both lie at steps that do not change: the routine has no address computations
// but one for all rows and one for all vectors, and reads a factor where it multiplies.

// tileSum is such a tile: a grid of rows, which give the shared factors, and vectors.
type tileSum struct {
	rows, vectors    []*spot
	rowStep, vecStep kir.Expr
	at               [][2]int // row and vector of each element
}

// spot is where a factor of the first product lies.
type spot struct {
	a    *kir.Array
	base kir.Expr
}

// sumTogether lowers a sequential sum of products for all elements of a tile by a routine, and returns the sums; false
// if it is none, or if the routine does not have the tile's shape.
func (l *lowerer) sumTogether(r reduction, n kir.Expr, es []*env) ([]value, bool) {
	if l.width == 1 || l.dev != nil || len(es) < 2 || len(r.comb.fns) != 1 || r.comb.fns[0] != ir.Add {
		return nil, false
	}
	kind := r.body.Results[0].Type().Kind
	if bits := l.width * bitsOf(kind); !kind.IsFloat() || bits != 256 && bits != 512 {
		return nil, false
	}
	product := l.onlyProduct(r.body, r.body.Results[0])
	if product == nil || l.skip[product] {
		return nil, false
	}
	t := l.tileSum(r, product, children(es))
	if t == nil || len(t.rows)*len(t.vectors) != len(es) || len(t.vectors) > 2 || 8%len(t.rows) != 0 {
		return nil, false
	}
	sums := &kir.Array{Name: l.name(r.names[0] + "Tile"), Kind: kind, Space: kir.Strip, Size: len(es) * l.width}
	args := []kir.Arg{{A: sums, X: intConst(0)}}
	for _, s := range append(append([]*spot(nil), t.rows...), t.vectors...) {
		args = append(args, kir.Arg{A: s.a, X: orZero(s.base)})
	}
	args = append(args, kir.Arg{X: t.rowStep}, kir.Arg{X: t.vecStep}, kir.Arg{X: n})
	l.emit(&kir.Call{R: &kir.Routine{Name: fmt.Sprintf("sum_tile_%d", len(t.rows)), Args: args}})
	out := make([]value, len(es))
	for u, at := range t.at {
		load := &kir.Load{A: sums, I: intConst((at[0]*len(t.vectors) + at[1]) * l.width), T: l.vectorType(kind, l.width)}
		out[u] = value{x: l.letExpr(r.names[0], load), form: vector}
	}
	return out, true
}

// tileSum lowers the factors to see where they lie, and keeps nothing of it.
func (l *lowerer) tileSum(r reduction, product *ir.Stmt, es []*env) *tileSum {
	var trial []kir.Stmt
	i := l.fresh(r.i.Name, kir.Int)
	l.inside(&trial, func() {
		for _, e := range es {
			e.m[r.i] = scalar(&kir.Ref{V: i})
		}
		for _, s := range r.body.Stmts {
			if !l.skip[s] && s != product {
				l.lockstep(s, es, r.depth+1)
			}
		}
	})
	f := affine{i: i, defs: map[*kir.Var]kir.Expr{}}
	for _, s := range trial {
		let, ok := s.(*kir.Let)
		if !ok {
			return nil
		}
		f.defs[let.V] = let.X
	}
	t := &tileSum{}
	rows, vectors := map[string]int{}, map[string]int{}
	taken := map[[2]int]bool{}
	op := product.Op.(*ir.Binary)
	for _, e := range es {
		x, y := f.load(l.atom(op.X, e)), f.load(l.atom(op.Y, e))
		if x == nil || y == nil {
			return nil
		}
		if x.T.Lanes > 1 {
			x, y = y, x
		}
		if x.T.Lanes > 1 || y.T.Lanes != l.width || x.Mask != nil || y.Mask != nil {
			return nil
		}
		row, ok1 := f.place(x, rows, &t.rows, &t.rowStep)
		v, ok2 := f.place(y, vectors, &t.vectors, &t.vecStep)
		at := [2]int{row, v}
		if !ok1 || !ok2 || taken[at] {
			return nil
		}
		taken[at] = true
		t.at = append(t.at, at)
	}
	return t
}

// affine knows the variables of a loop's body whose index is i.
type affine struct {
	i    *kir.Var
	defs map[*kir.Var]kir.Expr
}

// load returns the load that a factor is: with one lane, if all lanes share it; nil if it is none.
func (f affine) load(v value) *kir.Load {
	if v.arr != nil {
		return nil
	}
	x := v.x
	for {
		switch y := x.(type) {
		case *kir.Load:
			return y
		case *kir.Splat:
			x = y.X
			continue
		case *kir.Ref:
			if def, ok := f.defs[y.V]; ok {
				x = def
				continue
			}
		}
		return nil
	}
}

// place returns the number of the place that a load begins at, among those that are known.
func (f affine) place(x *kir.Load, known map[string]int, spots *[]*spot, step *kir.Expr) (int, bool) {
	base, by, ok := f.split(x.I)
	if !ok || len(*spots) > 0 && exprKey(by) != exprKey(*step) {
		return 0, false
	}
	key := fmt.Sprintf("%p %s", x.A, exprKey(base))
	k, ok := known[key]
	if !ok {
		k = len(*spots)
		known[key], *step = k, orZero(by)
		*spots = append(*spots, &spot{x.A, base})
	}
	return k, true
}

// split writes x as base + i·by, both known outside of the loop; nil is 0.
func (f affine) split(x kir.Expr) (base, by kir.Expr, ok bool) {
	switch x := x.(type) {
	case nil:
		return nil, nil, true
	case *kir.Const, *kir.Length:
		return x, nil, true
	case *kir.Ref:
		if x.V == f.i {
			return nil, intConst(1), true
		}
		if def, inside := f.defs[x.V]; inside {
			return f.split(def)
		}
		return x, nil, x.V.T == kir.Int
	case *kir.Bin:
		b1, s1, ok1 := f.split(x.X)
		b2, s2, ok2 := f.split(x.Y)
		if !ok1 || !ok2 {
			return nil, nil, false
		}
		switch {
		case x.Fn == ir.Add:
			return add(b1, b2), add(s1, s2), true
		case x.Fn == ir.Mul && s1 == nil:
			return times(b1, b2), times(b1, s2), true
		case x.Fn == ir.Mul && s2 == nil:
			return times(b1, b2), times(s1, b2), true
		}
	}
	return nil, nil, false
}

// times is x·y on ints; nil is 0.
func times(x, y kir.Expr) kir.Expr {
	one := func(x kir.Expr) bool {
		c, ok := x.(*kir.Const)
		return ok && c.C.Int() == 1
	}
	switch {
	case x == nil || y == nil || isZero(x) || isZero(y):
		return nil
	case one(x):
		return y
	case one(y):
		return x
	}
	return &kir.Bin{Fn: ir.Mul, X: x, Y: y, T: kir.Int}
}

// exprKey is a text that is the same for expressions that are certainly equal.
func exprKey(x kir.Expr) string {
	switch x := x.(type) {
	case nil:
		return "0"
	case *kir.Ref:
		return fmt.Sprintf("%p", x.V)
	case *kir.Const:
		return x.C.String()
	case *kir.Length:
		return fmt.Sprintf("len %p", x.A)
	case *kir.Bin:
		return fmt.Sprintf("(%s %s %s)", exprKey(x.X), x.Fn, exprKey(x.Y))
	}
	return fmt.Sprintf("%p", x)
}
