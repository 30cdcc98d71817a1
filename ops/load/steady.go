package load

import "github.com/surge-ndp/surge/ops/ir"

// steady drops parameters of loops that no turn changes, and results of conditions that are the same on both paths:
// what a loop may assign, be it through a pointer, it need not assign. A sequence that is carried is another one in
// each turn as far as computations know.
func steady(f *ir.Func) {
	sub := ir.Subst{}
	steadyBlock(f.Body, sub)
	if len(sub) > 0 {
		substitute(f.Body, sub)
	}
}

// steadyBlock drops from b, inner blocks first, and notes in sub what takes the places.
func steadyBlock(b *ir.Block, sub ir.Subst) {
	for _, s := range b.Stmts {
		for _, c := range ir.Blocks(s.Op) {
			steadyBlock(c, sub)
		}
		switch op := s.Op.(type) {
		case *ir.Loop:
			for i := len(op.Params) - 1; i >= 0; i-- {
				if sub.Atom(op.Body.Results[i]) == ir.Atom(op.Params[i]) {
					sub[op.Params[i]], sub[s.Dst[i]] = op.Init[i], op.Init[i]
					s.Dst, op.Params, op.Init = cut(s.Dst, i), cut(op.Params, i), cut(op.Init, i)
					op.Body.Results = cut(op.Body.Results, i)
				}
			}
		case *ir.If:
			for i := len(s.Dst) - 1; i >= 0; i-- {
				then := sub.Atom(op.Then.Results[i])
				if _, isVar := then.(*ir.Var); isVar && sub.Atom(op.Else.Results[i]) == then {
					sub[s.Dst[i]] = then
					s.Dst = cut(s.Dst, i)
					op.Then.Results, op.Else.Results = cut(op.Then.Results, i), cut(op.Else.Results, i)
				}
			}
		}
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
