package analysis

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// Affine is an index as a sum: Base + Σ Times · Of, where Base and Times do not depend on the indices that were asked
// about.
type Affine struct {
	Base  Sum
	Parts []Part
}

// Part is what an index depends on, and by which factor.
type Part struct {
	Of    Index
	Times Sum
}

// Index is a loop index V, or, where Fn is ir.Div or ir.Rem, its quotient or remainder by By.
type Index struct {
	V  ir.Atom
	Fn ir.BinaryFn
	By ir.Atom
}

// Sum is a sum of products; none of them is 0.
type Sum []Product

// Product is C times the values Of.
type Product struct {
	C  int64
	Of []ir.Atom
}

// Constant returns the value of a sum that is a constant.
func (s Sum) Constant() (int64, bool) {
	switch {
	case len(s) == 0:
		return 0, true
	case len(s) == 1 && len(s[0].Of) == 0:
		return s[0].C, true
	}
	return 0, false
}

// Factor returns the factor of an index, which is 0 if a does not depend on it.
func (a Affine) Factor(of Index) Sum {
	for _, p := range a.Parts {
		if p.Of == of {
			return p.Times
		}
	}
	return nil
}

// Form says how far [Form.Affine] looks.
type Form struct {
	// Defs are the operations that it looks through.
	Defs Defs
	// Known returns the form of a value that it does not look into: an index that was asked about, something that
	// does not depend on any. Without it, or where it says no, values without a definition are such, and are
	// themselves.
	Known func(a ir.Atom) (Affine, bool)
}

// On is the form of a loop index that is asked about.
func On(i ir.Atom) Affine { return Affine{Parts: []Part{{Index{V: i}, Sum{{C: 1}}}}} }

// Outside is the form of a value that depends on no index that is asked about.
func Outside(a ir.Atom) Affine {
	if c, ok := a.(ir.Const); ok {
		return constant(c.Int())
	}
	return Affine{Base: Sum{{C: 1, Of: []ir.Atom{a}}}}
}

func constant(c int64) Affine {
	if c == 0 {
		return Affine{}
	}
	return Affine{Base: Sum{{C: c}}}
}

// Affine returns the form of an index, and false if it is no such sum. A value that depends on none of the indices is
// its own base, whatever computes it.
func (f Form) Affine(a ir.Atom) (Affine, bool) {
	if c, ok := a.(ir.Const); ok {
		return constant(c.Int()), c.Kind.IsInteger()
	}
	if f.Known != nil {
		if form, ok := f.Known(a); ok {
			return form, true
		}
	}
	if f.Defs[a] == nil {
		return Outside(a), true
	}
	b, ok := f.Defs[a].(*ir.Binary)
	if !ok {
		return Affine{}, false
	}
	x, okX := f.Affine(b.X)
	y, okY := f.Affine(b.Y)
	if !okX || !okY {
		return Affine{}, false
	}
	switch fixed := len(x.Parts) == 0 && len(y.Parts) == 0; {
	case b.Fn == ir.Add:
		return x.Plus(y), true
	case b.Fn == ir.Sub:
		return x.Plus(y.Times(Sum{{C: -1}})), true
	case b.Fn == ir.Mul && len(y.Parts) == 0:
		return x.Times(y.Base), true
	case b.Fn == ir.Mul && len(x.Parts) == 0:
		return y.Times(x.Base), true
	case fixed:
		return Outside(a), true
	case b.Fn == ir.Div || b.Fn == ir.Rem:
		if i, ok := x.index(); ok && len(y.Parts) == 0 {
			return Affine{Parts: []Part{{Index{i, b.Fn, b.Y}, Sum{{C: 1}}}}}, true
		}
	}
	return Affine{}, false
}

// index returns the loop index that a is nothing else than.
func (a Affine) index() (ir.Atom, bool) {
	if len(a.Base) > 0 || len(a.Parts) != 1 || a.Parts[0].Of.Fn != "" {
		return nil, false
	}
	c, ok := a.Parts[0].Times.Constant()
	return a.Parts[0].Of.V, ok && c == 1
}

// Plus returns a + b.
func (a Affine) Plus(b Affine) Affine {
	sum := Affine{Base: a.Base.Plus(b.Base), Parts: slices.Clone(a.Parts)}
	for _, p := range b.Parts {
		sum.add(p)
	}
	for i := 0; i < len(sum.Parts); i++ {
		if sum.rejoin(sum.Parts[i]) {
			i = -1 // the parts are others
		}
	}
	return sum
}

func (a *Affine) add(p Part) {
	for i, q := range a.Parts {
		if q.Of == p.Of {
			a.Parts[i].Times = q.Times.Plus(p.Times)
			if len(a.Parts[i].Times) == 0 {
				a.Parts = slices.Delete(a.Parts, i, i+1)
			}
			return
		}
	}
	a.Parts = append(a.Parts, p)
}

// rejoin makes i of d·(i/d) + i%d, and reports whether it did for this quotient.
func (a *Affine) rejoin(quotient Part) bool {
	if quotient.Of.Fn != ir.Div {
		return false
	}
	rest := Index{quotient.Of.V, ir.Rem, quotient.Of.By}
	times := a.Factor(rest)
	if len(times) == 0 || len(quotient.Times.Minus(times.times(Outside(quotient.Of.By).Base))) > 0 {
		return false
	}
	a.Parts = slices.DeleteFunc(a.Parts, func(p Part) bool { return p.Of == rest || p.Of == quotient.Of })
	a.add(Part{Index{V: quotient.Of.V}, times})
	return true
}

// Times returns a times a sum that depends on no index.
func (a Affine) Times(s Sum) Affine {
	product := Affine{Base: a.Base.times(s)}
	for _, p := range a.Parts {
		if t := p.Times.times(s); len(t) > 0 {
			product.Parts = append(product.Parts, Part{p.Of, t})
		}
	}
	return product
}

// Minus returns s - t.
func (s Sum) Minus(t Sum) Sum { return s.Plus(t.times(Sum{{C: -1}})) }

// Plus returns s + t.
func (s Sum) Plus(t Sum) Sum {
	sum := slices.Clone(s)
	for _, p := range t {
		i := slices.IndexFunc(sum, func(q Product) bool { return sameValues(p.Of, q.Of) })
		if i < 0 {
			sum = append(sum, p)
			continue
		}
		if sum[i].C += p.C; sum[i].C == 0 {
			sum = slices.Delete(sum, i, i+1)
		}
	}
	return sum
}

func (s Sum) times(t Sum) Sum {
	var product Sum
	for _, p := range s {
		for _, q := range t {
			product = product.Plus(Sum{{C: p.C * q.C, Of: slices.Concat(p.Of, q.Of)}})
		}
	}
	return product
}

// sameValues reports whether two products are of the same values, in whatever order.
func sameValues(a, b []ir.Atom) bool {
	if len(a) != len(b) {
		return false
	}
	rest := slices.Clone(b)
	for _, x := range a {
		i := slices.Index(rest, x)
		if i < 0 {
			return false
		}
		rest = slices.Delete(rest, i, i+1)
	}
	return true
}
