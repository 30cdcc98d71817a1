package lower

import (
	"fmt"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
)

// NoCalls refuses a computation that calls a function of the program as it stands, where there is no Go to run it.
func NoCalls(c *fuse.Computation) error {
	for _, b := range ir.Blocks(c.Stmt.Op) {
		if names := ir.Calls(b); len(names) > 0 {
			return fmt.Errorf("%s is called as it is, and it is Go", names[0])
		}
	}
	return nil
}

// goCall calls a function of the program as it stands: with the values of one element at a time.
func (l *lowerer) goCall(s *ir.Stmt, op *ir.Call, e *env) {
	if l.width > 1 {
		veto("level %d cannot use lanes: %s is called as it is, which takes one element at a time", l.laneLevel, op.Fn)
	}
	r := &kir.Routine{Name: kir.GoFunc, T: kir.ScalarType(s.Dst[0].T.Kind)}
	for _, a := range op.Args {
		r.Args = append(r.Args, kir.Arg{X: l.atom(a, e).x})
	}
	call := &kir.GoCall{Fn: op.Fn, R: r, Pos: s.Pos}
	for _, d := range s.Dst {
		v := l.fresh(d.Name, kir.ScalarType(d.T.Kind))
		call.Dst = append(call.Dst, v)
		e.m[d] = scalar(&kir.Ref{V: v})
	}
	l.emit(call)
}
