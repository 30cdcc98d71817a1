package lower

import (
	"fmt"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
)

// A probe looks at probeSample elements, and where it holds loops at one of probeShare at most: then it costs a small
// part of what the computation spends on them.
const (
	probeSample = 8
	probeShare  = 16
)

// Probe lowers the probe of computation c, the number-th of its kernel: statements that leave in the frame's fields
// [ProbeName] what the probe counts for a sample of elements.
func Probe(k *fuse.Kernel, c *fuse.Computation, number int) (body []kir.Stmt, err error) {
	defer refused(&err)
	levels := make([]level, len(c.Sequence)+1)
	for i := range levels {
		levels[i] = level{width: 1, unroll: 1}
	}
	l := newLowerer(k, levels)
	p := c.Probe
	n := l.atom(ir.OperatorLength(c.Stmt.Op), l.env).x
	integer := func(fn ir.BinaryFn, x, y kir.Expr) kir.Expr { return &kir.Bin{Fn: fn, X: x, Y: y, T: kir.Int} }
	limit := n
	if p.Loops {
		limit = integer(ir.Div, n, intConst(probeShare))
	}
	sample := l.letExpr("sample", integer(ir.Min, limit, intConst(probeSample)))
	step := l.letExpr("step", integer(ir.Div, n, integer(ir.Max, sample, intConst(1))))
	sums := make([]*kir.Var, len(p.Body.Results))
	for i := range sums {
		sums[i] = l.fresh("sum", kir.Int)
		l.emit(&kir.Let{V: sums[i], X: intConst(0)})
	}
	i := l.fresh("i", kir.Int)
	loop := &kir.For{V: i, Lo: intConst(0), Hi: sample, Step: 1}
	l.inside(&loop.Body, func() {
		e := l.env.child()
		e.m[p.Index] = scalar(l.letExpr(p.Index.Name, integer(ir.Mul, &kir.Ref{V: i}, step)))
		for i, r := range l.block(p.Body, e, 1) {
			l.emit(&kir.Set{V: sums[i], X: add(&kir.Ref{V: sums[i]}, r.x)})
		}
	})
	l.emit(loop)
	for i, s := range sums {
		l.emit(&kir.Result{Name: ProbeName(number, i), X: &kir.Ref{V: s}})
	}
	return kir.Prune(l.body), nil
}

// ProbeName is the frame's field for result i of a computation's probe.
func ProbeName(number, i int) string { return fmt.Sprintf("%sProbe%d_%d", EnvPrefix, number, i) }
