package fuse

import "github.com/surge-ndp/surge/ops/ir"

// liveIn returns the variables of a block, and of the blocks inside, on which its results depend, its checks and its
// calls. What a loop carries depends on itself from turn to turn: it is live only if something else asks for it.
func liveIn(b *ir.Block) map[*ir.Var]bool {
	live := map[*ir.Var]bool{}
	needs := map[*ir.Var][]ir.Atom{}
	var todo []*ir.Var
	root := func(atoms ...ir.Atom) {
		for _, a := range atoms {
			if v, ok := a.(*ir.Var); ok && !live[v] {
				live[v] = true
				todo = append(todo, v)
			}
		}
	}
	root(b.Results...)
	ir.Walk(b, func(s *ir.Stmt) {
		var operands []ir.Atom
		for _, a := range ir.Operands(s.Op) {
			operands = append(operands, *a)
		}
		blocks := ir.Blocks(s.Op)
		switch op := s.Op.(type) {
		case *ir.Loop:
			root(op.Lo, op.Hi)
			if op.Cond != nil {
				root(op.Cond.Results...)
			}
			for i, p := range op.Params {
				needs[s.Dst[i]] = []ir.Atom{op.Init[i], op.Body.Results[i]}
				needs[p] = needs[s.Dst[i]]
			}
		case *ir.If:
			root(op.Cond)
			for i, d := range s.Dst {
				needs[d] = []ir.Atom{op.Then.Results[i], op.Else.Results[i]}
			}
		default:
			for _, d := range s.Dst {
				needs[d] = operands
			}
			if len(blocks) > 0 || len(s.Dst) == 0 || ir.HasCalls(s.Op) {
				root(operands...)
			}
			for _, c := range blocks {
				root(c.Results...)
			}
		}
		if len(blocks) > 0 && (ir.HasCalls(s.Op) || HasExits(s)) {
			for _, d := range s.Dst {
				root(d)
			}
		}
	})
	for len(todo) > 0 {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		root(needs[v]...)
	}
	return live
}
