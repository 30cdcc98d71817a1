package fuse

import (
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// grid is what a prover knows of products: of arrays that hold rows of one length, and are read at y·width + x.
type grid struct {
	chosen   map[ir.Atom][]*ir.Stmt // the Selects of a condition
	greater  []*ir.Stmt             // what is the greater one of two values
	products []product
}

// product says that x·y is at most maxOffset, where neither is negative, and y is positive.
type product struct{ x, y ir.Atom }

// product notes what a check says of a product: x ≤ c/y. Such a check is made of sizes, where the kernel begins.
func (p *prover) product(c *ir.Check) {
	if c.Kind != ir.CheckCount {
		return
	}
	v, ok := c.Args[1].(*ir.Var)
	if !ok {
		return
	}
	least, ok := p.defs[v].op.(*ir.Binary)
	if !ok || least.Fn != ir.Div || !ir.IsInt(least.X, maxOffset) || !p.proves(ir.IntConst(ir.Int, 1), 0, least.Y) {
		return
	}
	p.products = append(p.products, product{c.Args[0], least.Y})
	p.follow()
}

// follow notes what the facts that are known by now say of sizes.
func (p *prover) follow() {
	one, most := ir.IntConst(ir.Int, 1), ir.IntConst(ir.Int, maxOffset)
	for _, s := range p.greater {
		op, d := s.Op.(*ir.Binary), s.Dst[0]
		for _, q := range [][2]ir.Atom{{op.X, op.Y}, {op.Y, op.X}} {
			if p.proves(q[1], 0, q[0]) || p.proves(q[1], 1, d) {
				p.learn(d, 0, q[0])
			}
		}
	}
	for _, q := range p.products {
		if p.proves(one, 0, q.x) {
			p.learn(q.y, 0, most)
		}
		p.learn(q.x, 0, most)
	}
}

// bounded reports whether sums with v are known not to overflow.
func (p *prover) bounded(v *ir.Var) bool {
	return len(p.products) > 0 && v.T == tInt && p.proves(ir.IntConst(ir.Int, -maxOffset), 0, v) && p.proves(v, 0, ir.IntConst(ir.Int, maxOffset))
}

// inGrid reports whether i is an element of one of the rows of one length of which n is the number of elements:
// i = y·width + x and n = rows·width, where 0 ≤ y < rows, 0 ≤ x < width, and n does not overflow.
func (p *prover) inGrid(i, n ir.Atom) bool {
	if len(p.products) == 0 {
		return false
	}
	size := p.expanded(n)
	if len(size) != 1 || size[0].C != 1 || len(size[0].Of) != 2 {
		return false
	}
	at := p.expanded(i)
	for k, width := range size[0].Of {
		rows := size[0].Of[1-k]
		var y, x analysis.Sum
		for _, part := range at {
			switch {
			case len(part.Of) == 1 && part.Of[0] == width:
				y = append(y, analysis.Product{C: part.C})
			case len(part.Of) == 2 && part.Of[0] == width:
				y = append(y, analysis.Product{C: part.C, Of: part.Of[1:]})
			case len(part.Of) == 2 && part.Of[1] == width:
				y = append(y, analysis.Product{C: part.C, Of: part.Of[:1]})
			default:
				x = append(x, part)
			}
		}
		if p.below(y, rows) && p.below(x, width) && p.fits(rows, width) {
			return true
		}
	}
	return false
}

// fits reports whether the product of two sizes, which are positive here, is known not to overflow.
func (p *prover) fits(rows, width ir.Atom) bool {
	for _, q := range p.products {
		if p.proves(rows, 0, q.x) && p.proves(width, 0, q.y) {
			return true
		}
	}
	return false
}

// below reports whether 0 ≤ a < b, for a value and a constant that is added to it.
func (p *prover) below(a analysis.Sum, b ir.Atom) bool {
	zero := ir.IntConst(ir.Int, 0)
	v, c, ok := oneAnd(a)
	if constant, is := a.Constant(); is {
		v, c, ok = zero, constant, constant >= -maxOffset && constant <= maxOffset
	}
	return ok && p.proves(ir.IntConst(ir.Int, -c), 0, v) && p.proves(v, c+1, b)
}

// expanded returns a value as a sum of products of what no addition, subtraction or multiplication yields.
func (p *prover) expanded(a ir.Atom) analysis.Sum {
	form, _ := analysis.Form{Known: func(a ir.Atom) (analysis.Affine, bool) {
		v, ok := a.(*ir.Var)
		if !ok {
			return analysis.Affine{}, false
		}
		b, ok := p.defs[v].op.(*ir.Binary)
		if !ok || v.T != tInt {
			return analysis.Outside(a), true
		}
		x := func() analysis.Affine { return analysis.Affine{Base: p.expanded(b.X)} }
		y := func() analysis.Affine { return analysis.Affine{Base: p.expanded(b.Y)} }
		switch b.Fn {
		case ir.Add:
			return analysis.Affine{Base: x().Base.Plus(y().Base)}, true
		case ir.Sub:
			return analysis.Affine{Base: x().Base.Minus(y().Base)}, true
		case ir.Mul:
			return x().Times(y().Base), true
		}
		return analysis.Outside(a), true
	}}.Affine(a)
	return form.Base
}
