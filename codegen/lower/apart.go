package lower

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// Numbers that lie in turns one behind the other (real and imaginary parts, colours, coordinates) are read at a small
// distance from lane to lane, as are the elements of windows that do not overlap, and what is read from its end. Such
// an index is not made a vector: [kir.Every] loads what lies there and takes it apart, or turns it round.

// mostApart is the greatest distance that there are such loads for.
const mostApart = 4

// back is the distance of elements that are read from the last one to the first.
const back = -1

// distance is how much an index grows from lane to lane.
func (v value) distance() (by int, ok bool) {
	switch v.form {
	case uniform:
		return 0, true
	case contig:
		return 1, true
	case apart:
		return v.by, true
	}
	return 0, false
}

// apartBinary is laneBinary of indices where an index comes of it that grows by a small number from lane to lane, and
// not by one, or goes back by one.
func (l *lowerer) apartBinary(fn ir.BinaryFn, x, y value) (value, bool) {
	kind := x.x.Type().Kind
	p, okX := x.distance()
	q, okY := y.distance()
	if kind != ir.Int && kind != ir.Int64 || !okX || !okY || x.form == uniform && y.form == uniform {
		return value{}, false
	}
	by, steady := 0, true // steady: no number is so large that the sum goes from the largest integer to the least
	switch fn {
	case ir.Add, ir.Sub:
		if by = p + q; fn == ir.Sub {
			by = p - q
		}
		steady = (x.form != uniform || isSmall(x.x)) && (y.form != uniform || isSmall(y.x))
	case ir.Mul:
		if x.form == uniform {
			x, y, p = y, x, q
		}
		by = p * small(y)
	case ir.Shl:
		if y.form != uniform || small(y) == 0 {
			return value{}, false
		}
		by = p << small(y)
	}
	if by != back && (by < 1 || by > mostApart) {
		return value{}, false
	}
	v := value{x: l.letExpr("i", &kir.Bin{Fn: fn, X: x.x, Y: y.x, T: kir.ScalarType(kind), Wrap: true}), form: apart, by: by, wraps: x.wraps || y.wraps || !steady}
	if by == 1 {
		v.form, v.by = contig, 0
	}
	return v, true
}

// small is a constant of up to mostApart, 0 for everything else.
func small(v value) int {
	c, ok := v.x.(*kir.Const)
	if !ok || v.form != uniform || c.C.Int() < 0 || c.C.Int() > mostApart {
		return 0
	}
	return int(c.C.Int())
}

// everyNumber is an index that is apart as a vector.
func (l *lowerer) everyNumber(v value) kir.Expr {
	kind := v.x.Type().Kind
	t := l.vectorType(kind, l.width)
	steps := l.vec(value{x: &kir.Const{C: ir.IntConst(kind, 0)}, form: contig})
	if v.by == back {
		return l.letExpr("v", &kir.Bin{Fn: ir.Sub, X: l.vec(scalar(v.x)), Y: steps, T: t})
	}
	far := &kir.Bin{Fn: ir.Mul, X: steps, Y: l.vec(scalar(&kir.Const{C: ir.IntConst(kind, int64(v.by))})), T: t}
	return l.letExpr("v", &kir.Bin{Fn: ir.Add, X: far, Y: l.vec(scalar(v.x)), T: t})
}
