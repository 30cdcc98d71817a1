package fuse

import "github.com/surge-ndp/surge/ops/ir"

// prover knows differences between ints: what holds where it is in its walk through a function. It learns nothing
// from the checks themselves, but for what they say of sizes: one may be made when inputs are bound, and another one,
// that it would follow from, only later.
type prover struct {
	names   *ir.Namer
	defs    map[*ir.Var]definition
	facts   []fact
	sizes   map[*ir.Var]int     // counters and index variables whose magnitude is at most 2 to that power
	lesser  map[*ir.Var]bool    // those that are less than an int, so that one more than them is an int
	lengths map[ir.Atom]*ir.Var // the variable that stands for the length of a sequence, wherever it is taken
	grid
}

// definition is what yields a variable, and which of its results it is.
type definition struct {
	op ir.Op
	i  int
}

// fact says that x + c ≤ y, without overflow; a nil stands for 0.
type fact struct {
	x, y *ir.Var
	c    int64
}

const (
	exactBits    = 60      // sums of ints of this magnitude do not overflow
	maxOffset    = 1 << 40 // constants beyond this are not followed
	maxRounds    = 8       // how many facts a proof uses at most
	maxNesting   = 8       // how deep the operations are that say how large a value is
	maxStep      = 1 << 16 // how much a counter changes in one turn at most
	maxStepBits  = 17
	constantBits = 41
)

// size returns m with |a| ≤ 2^m, 64 if nothing is known.
func (p *prover) size(a ir.Atom) int { return p.sizeOf(a, maxNesting) }

func (p *prover) sizeOf(a ir.Atom, nesting int) int {
	if c, ok := a.(ir.Const); ok {
		if n := c.Int(); n >= -maxOffset && n <= maxOffset {
			return constantBits
		}
		return unknownBits
	}
	v, ok := a.(*ir.Var)
	if !ok || nesting == 0 {
		return unknownBits
	}
	if p.defs[v].op == nil && p.bounded(v) {
		return constantBits + 1
	}
	if m, ok := p.sizes[v]; ok {
		return m
	}
	m := magnitude(p.defs[v].op, func(a ir.Atom) int { return p.sizeOf(a, nesting-1) })
	if m > exactBits {
		return unknownBits
	}
	return m
}

// sum returns v and c with a = v + c; v is nil for a constant.
func (p *prover) sum(a ir.Atom) (v *ir.Var, c int64, ok bool) {
	if k, ok := a.(ir.Const); ok {
		n := k.Int()
		return nil, n, n >= -maxOffset && n <= maxOffset
	}
	v, ok = a.(*ir.Var)
	if !ok || v.T != tInt {
		return nil, 0, false
	}
	switch op := p.defs[v].op.(type) {
	case *ir.Len:
		if first := p.lengths[op.X]; first != nil {
			return first, 0, true
		}
		p.lengths[op.X] = v
	case *ir.Binary:
		x, k := op.X, op.Y
		if _, ok := x.(ir.Const); ok && op.Fn == ir.Add {
			x, k = k, x
		}
		by, ok := k.(ir.Const)
		if !ok || op.Fn != ir.Add && op.Fn != ir.Sub || p.size(x) > exactBits && !(op.Fn == ir.Add && by.Int() == 1 && p.isLesser(x)) {
			break
		}
		base, c, ok := p.sum(x)
		n := by.Int()
		if !ok || n < -maxOffset || n > maxOffset {
			break
		}
		if op.Fn == ir.Sub {
			n = -n
		}
		if c += n; c >= -maxOffset && c <= maxOffset {
			return base, c, true
		}
	}
	return v, 0, true
}

func (p *prover) isLesser(a ir.Atom) bool {
	v, _ := a.(*ir.Var)
	return p.lesser[v]
}

// learn notes that a + c ≤ b.
func (p *prover) learn(a ir.Atom, c int64, b ir.Atom) {
	x, cx, ok := p.sum(a)
	y, cy, ok2 := p.sum(b)
	if ok && ok2 && x != y {
		p.facts = append(p.facts, fact{x, y, cx + c - cy})
	}
}

// proves reports whether a + c ≤ b holds.
func (p *prover) proves(a ir.Atom, c int64, b ir.Atom) bool {
	x, cx, ok := p.sum(a)
	y, cy, ok2 := p.sum(b)
	if !ok || !ok2 {
		return false
	}
	need := cx + c - cy // x + need ≤ y
	above := map[*ir.Var]int64{x: 0}
	for range maxRounds {
		changed := false
		for _, f := range p.facts {
			at, ok := above[f.x]
			if !ok {
				continue
			}
			if old, ok := above[f.y]; !ok || at+f.c > old {
				above[f.y], changed = at+f.c, true
			}
		}
		if got, ok := above[y]; ok && got >= need {
			return true
		}
		if !changed {
			break
		}
	}
	return false
}

// most returns the largest value that an unsigned integer of few bits can have.
func (p *prover) most(a ir.Atom) (int64, bool) {
	k := a.Type().Kind
	if !k.IsUnsigned() || k.Bytes() > 4 {
		return 0, false
	}
	most := int64(1)<<(8*k.Bytes()) - 1
	if v, ok := a.(*ir.Var); ok {
		if op, ok := p.defs[v].op.(*ir.Binary); ok {
			if c, ok := op.Y.(ir.Const); ok && c.Int() > 0 {
				switch op.Fn {
				case ir.And:
					most = min(most, c.Int())
				case ir.Rem:
					most = c.Int() - 1
				case ir.Shr:
					most >>= uint64(c.Int())
				}
			}
		}
	}
	return most, true
}
