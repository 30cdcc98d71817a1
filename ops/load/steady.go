package load

import "github.com/surge-ndp/surge/ops/ir"

// steady drops parameters of loops that no turn changes: what a loop may assign, be it through a pointer, it need not
// assign. A sequence that is carried is another one in each turn as far as computations know.
func steady(f *ir.Func) {
	sub := ir.Subst{}
	ir.Walk(f.Body, func(s *ir.Stmt) {
		op, ok := s.Op.(*ir.Loop)
		if !ok {
			return
		}
		for i := len(op.Params) - 1; i >= 0; i-- {
			if op.Body.Results[i] != ir.Atom(op.Params[i]) {
				continue
			}
			sub[op.Params[i]], sub[s.Dst[i]] = op.Init[i], op.Init[i]
			s.Dst, op.Params, op.Init = cut(s.Dst, i), cut(op.Params, i), cut(op.Init, i)
			op.Body.Results = cut(op.Body.Results, i)
		}
	})
	if len(sub) > 0 {
		substitute(f.Body, sub)
	}
}

// substitute puts what sub says in the place of variables.
func substitute(b *ir.Block, sub ir.Subst) {
	for _, s := range b.Stmts {
		for _, a := range ir.Operands(s.Op) {
			*a = sub.Atom(*a)
		}
		for _, c := range ir.Blocks(s.Op) {
			substitute(c, sub)
		}
	}
	for i, r := range b.Results {
		b.Results[i] = sub.Atom(r)
	}
}
