package fuse

import "github.com/surge-ndp/surge/ops/ir"

const (
	unrolledTurns = 8   // a loop of more turns stays one
	unrolledSize  = 256 // as does one whose turns have more statements together
)

// unroll puts the turns of a loop of few turns one behind the other, where it is inside an operator, or inside another
// loop: conditions and indices that depend on its counter are constants then, as those of the neighbours of a cell are.
//
//	s' = loop (s) init a for i = 0 to 2 { …; yield s2 }
//
// becomes the statements of the body for 0, and those for 1, which carry on what these yield.
func unroll(f *ir.Func, names *ir.Namer) {
	u := &unroller{names: names, gone: ir.Subst{}}
	u.block(f.Body, false)
}

type unroller struct {
	names *ir.Namer
	gone  ir.Subst // the results of loops that are gone → what stands for them
}

// block unrolls the loops of a block, the innermost ones first, and returns the number of statements that it has then.
func (u *unroller) block(b *ir.Block, inside bool) int {
	size, stmts := 0, b.Stmts
	b.Stmts = nil
	for _, s := range stmts {
		for _, a := range ir.Operands(s.Op) {
			*a = u.gone.Atom(*a)
		}
		loop, isLoop := s.Op.(*ir.Loop)
		own := 1
		for _, c := range ir.Blocks(s.Op) {
			own += u.block(c, inside || isLoop || indexOf(s.Op) != nil)
		}
		if n := int64(own - 1); isLoop && inside && fewTurns(loop, n) {
			size += int(n * (loop.Hi.(ir.Const).Int() - loop.Lo.(ir.Const).Int()))
			u.turns(b, s, loop)
			continue
		}
		size += own
		b.Stmts = append(b.Stmts, s)
	}
	for i, r := range b.Results {
		b.Results[i] = u.gone.Atom(r)
	}
	return size
}

// fewTurns reports whether a loop has few turns, as constants say, of n statements each.
func fewTurns(loop *ir.Loop, n int64) bool {
	lo, ok := loop.Lo.(ir.Const)
	hi, ok2 := loop.Hi.(ir.Const)
	if loop.I == nil || loop.Cond != nil || !ok || !ok2 || lo.Int() < -maxOffset || hi.Int() > maxOffset {
		return false
	}
	turns := hi.Int() - lo.Int()
	return turns >= 0 && turns <= unrolledTurns && turns*n <= unrolledSize
}

// turns writes the turns of a loop.
func (u *unroller) turns(b *ir.Block, s *ir.Stmt, loop *ir.Loop) {
	now := loop.Init
	for i := loop.Lo.(ir.Const).Int(); i < loop.Hi.(ir.Const).Int(); i++ {
		sub := ir.Subst{loop.I: ir.IntConst(ir.Int, i)}
		for k, p := range loop.Params {
			sub[p] = now[k]
		}
		turn := loop.Body.Clone(sub, u.names)
		b.Stmts, now = append(b.Stmts, turn.Stmts...), turn.Results
	}
	for i, d := range s.Dst {
		u.gone[d] = now[i]
	}
}
