package fuse

import (
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// largestDivisor is the most that n may be for i + c + n, where i < n, not to overflow.
const largestDivisor = 1<<62 - 2*maxOffset

// remainder writes what takes the place of a remainder by n where it is that of a position beside one from 0 to n - 1,
// as the neighbours on a torus have: of i + c or i + c + n, for a constant c. A comparison and a sum are quicker than a
// division, and say where in a row the position is. It reports whether that is so.
//
//	r = rem (i + c + n) n    becomes    t = add i c; r = select (t < 0) (t + n) t            where c < 0
//	                                    t = add i c; r = select (n ≤ t) (t - n) t            where c > 0
//
// Where nothing says how large n is, a check does for i + c + n: that this does not overflow.
func (p *prover) remainder(e emitter, s *ir.Stmt) bool {
	op, ok := s.Op.(*ir.Binary)
	if !ok || op.Fn != ir.Rem || op.X.Type() != tInt {
		return false
	}
	large := p.size(op.Y) > exactBits
	x, n, zero := p.expanded(op.X), p.expanded(op.Y), ir.IntConst(ir.Int, 0)
	for around, t := range []analysis.Sum{x, x.Minus(n)} {
		i, c, ok := oneAnd(t)
		if large && around > 0 {
			v, isVar := op.Y.(*ir.Var)
			if !isVar {
				break
			}
			p.sizes[v] = exactBits // as far as what follows needs that, the check says so
			defer delete(p.sizes, v)
		}
		if large && around == 0 && c > 1 || !ok || !p.proves(zero, 0, i) || !p.proves(i, 1, op.Y) || c < 0 && around == 0 || !p.proves(ir.IntConst(ir.Int, max(c, -c)), 0, op.Y) {
			continue
		}
		d := s.Dst[0]
		if large && around > 0 {
			e.stmt(&ir.Check{Kind: ir.CheckCount, Op: "%", Arg: "the divisor", Args: []ir.Atom{op.Y, ir.IntConst(ir.Int, largestDivisor)}})
		}
		at := e.bin(ir.Add, "t", i, ir.IntConst(ir.Int, c))
		var outside, there ir.Atom = ir.BoolConst(false), at
		switch {
		case c < 0:
			outside, there = e.bin(ir.Lt, "below", at, zero), e.bin(ir.Add, "above", at, op.Y)
		case c > 0:
			outside, there = e.bin(ir.Le, "above", op.Y, at), e.bin(ir.Sub, "below", at, op.Y)
		}
		e.stmt(&ir.Select{Cond: outside, X: there, Y: at}, d)
		p.learn(zero, 0, d)
		p.learn(d, 1, op.Y)
		return true
	}
	return false
}

// oneAnd returns a sum as a value and a constant, if it is that.
func oneAnd(s analysis.Sum) (i ir.Atom, c int64, ok bool) {
	for _, part := range s {
		switch {
		case len(part.Of) == 0:
			c = part.C
		case len(part.Of) == 1 && part.C == 1 && i == nil:
			i = part.Of[0]
		default:
			return nil, 0, false
		}
	}
	return i, c, i != nil && c >= -maxOffset && c <= maxOffset
}
