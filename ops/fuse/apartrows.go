package fuse

import (
	"math"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// divides finds the turn in whose row a use lies that does not move: the loop is divided there, unless the turn is
// none of the loop's, or is one that does not come to the update.
func (d *dependence) divides(w, x *use, stride analysis.Sum) bool {
	if len(stride) != 1 || stride[0].C != 1 || d.unit > 1 {
		return false
	}
	for _, p := range x.form.Parts { // it goes through rows itself
		if len(stride[0].Of) > 0 && len(quotient(p.Times, stride[0].Of)) > 0 {
			return false
		}
	}
	turn := quotient(x.form.Base.Minus(w.form.Base), stride[0].Of)
	if !fits(turn) {
		return false
	}
	if d.split != nil && len(d.split.Minus(turn)) > 0 {
		return false
	}
	d.split = turn
	if turn == nil {
		d.split = analysis.Sum{}
	}
	lo, last := d.own.lo, d.own.last
	outside := func(s analysis.Sum, parts int) bool {
		c, ok := s.Constant()
		return parts == 0 && ok && c < 0
	}
	if w.turns.leavesOut(turn) {
		return true
	}
	if !outside(less(turn, lo.Base), len(lo.Parts)) && !outside(less(last.Base, turn), len(last.Parts)) {
		d.divided = true
	}
	return true
}

// quotient divides the products of a sum that have all values of a divisor; what others there are is the rest.
func quotient(s analysis.Sum, by []ir.Atom) (q analysis.Sum) {
	for _, p := range s {
		rest, whole := slices.Clone(p.Of), true
		for _, a := range by {
			if i := slices.Index(rest, a); i >= 0 {
				rest = slices.Delete(rest, i, i+1)
			} else {
				whole = false
			}
		}
		if whole {
			q = q.Plus(analysis.Sum{{C: p.C, Of: rest}})
		}
	}
	return q
}

// shift is how far a use is from an update of the same turn: by rows of one stride, and columns.
type shift struct{ rows, columns int64 }

// shifted returns the distance of a use that moves as an update does, in each of the loops around; false if it is in
// the same row, or nothing of the kind.
func (d *dependence) shifted(w, x *use, stride analysis.Sum) (shift, bool) {
	if len(stride) != 1 || stride[0].C != 1 {
		return shift{}, false
	}
	at, ok := d.distance(w, x, stride)
	return at, ok && at.rows != 0
}

// distance returns the distance, a few rows and columns, of a use that moves as an update does, in each of the loops
// around; false for others.
func (d *dependence) distance(w, x *use, stride analysis.Sum) (shift, bool) {
	far := x.form.Plus(w.form.Times(analysis.Sum{{C: -1}}))
	if len(stride) == 0 || len(far.Parts) > 0 || !slices.Equal(x.around, w.around) {
		return shift{}, false
	}
	var at shift
	if wide, constant := stride.Constant(); constant {
		columns, ok := far.Base.Constant()
		if !ok || wide < 1 {
			return shift{}, false
		}
		at.rows = int64(math.Round(float64(columns) / float64(wide))) // narrow says that it is this row
		at.columns = columns - at.rows*wide
		return at, fits(far.Base)
	}
	lead := slices.IndexFunc(stride, func(p analysis.Product) bool { return len(p.Of) > 0 })
	for _, p := range far.Base {
		if slices.Equal(p.Of, stride[lead].Of) && p.C%stride[lead].C == 0 {
			at.rows = p.C / stride[lead].C
		}
	}
	rest := far.Base
	if at.rows != 0 {
		rest = rest.Minus(times(stride, analysis.Sum{{C: at.rows}}))
	}
	columns, ok := rest.Constant()
	at.columns = columns
	return at, ok
}

// narrow is the condition that two uses of one shift meet in the row that the shift says only: the columns of a row are
// less than a stride.
func (d *dependence) narrow(w *use, at shift, stride analysis.Sum) analysis.Sum {
	least, most, ok := d.beside(w.form, analysis.Index{V: d.own.i}, w.around)
	if !ok {
		return nil // which is not negative
	}
	width := most.Minus(least)
	if far := max(at.columns, -at.columns); far > 0 {
		width = width.Plus(analysis.Sum{{C: far}})
	}
	return less(width, stride)
}

// otherParity reports whether a use of another turn, at a shift, never meets the update, as the places that a turn
// goes through are some steps apart: those of the row that the shift says are between those of the update.
func (d *dependence) otherParity(w, x *use, at shift) bool {
	for _, sp := range w.around {
		factor, constant := w.form.Factor(analysis.Index{V: sp.i}).Constant()
		if sp.step < 2 || !constant || factor != 1 {
			continue
		}
		for _, other := range w.around {
			if other != sp && len(w.form.Factor(analysis.Index{V: other.i})) > 0 {
				return false
			}
		}
		moves, ok := d.modulo(sp.from, sp.step)
		if ok && (moves*at.rows-at.columns)%sp.step != 0 {
			return true
		}
	}
	return false
}

// modulo returns by how much a value moves with the loop's index, but for multiples of m.
func (d *dependence) modulo(a ir.Atom, m int64) (int64, bool) {
	if a == d.own.i {
		return 1, true
	}
	if !d.inside[a] {
		d.near = append(d.near, a)
		return 0, true
	}
	b, ok := d.form.Defs[a].(*ir.Binary)
	if !ok {
		return 0, false
	}
	x, okX := d.modulo(b.X, m)
	y, okY := d.modulo(b.Y, m)
	c, isConst := b.Y.(ir.Const)
	switch {
	case !okX || !okY:
		return 0, false
	case b.Fn == ir.Add:
		return (x + y) % m, true
	case b.Fn == ir.Sub:
		return (x - y) % m, true
	case b.Fn == ir.Mul && isConst && b.X == d.own.i:
		return c.Int() % m, true
	case b.Fn == ir.Rem && isConst && c.Int() > 0 && c.Int()%m == 0:
		return x, true
	}
	return 0, false
}

// columns are the conditions that two uses are in different columns of rows of one stride, whatever rows they are
// in.
func (d *dependence) columns(w, x *use, stride analysis.Sum) (ways []negatives) {
	if len(stride) != 1 || stride[0].C != 1 || len(stride[0].Of) != 1 {
		return nil
	}
	wLo, wHi, ok := d.column(w, stride[0].Of)
	xLo, xHi, ok2 := d.column(x, stride[0].Of)
	if !ok || !ok2 {
		return nil
	}
	one := analysis.Sum{{C: 1}}
	inside := func(lo, hi analysis.Sum) []analysis.Sum {
		return []analysis.Sum{less(nil, lo.Plus(one)), less(hi, stride)}
	}
	both := slices.Concat(inside(wLo, wHi), inside(xLo, xHi))
	for _, apart := range []analysis.Sum{less(wHi, xLo), less(xHi, wLo)} {
		if n, ok := alternative(append(slices.Clone(both), apart)...); ok {
			ways = append(ways, n)
		}
	}
	return ways
}

// ownColumns are the conditions that each turn has a column of its own, in rows of any stride that loops inside go
// through, as those of a matrix whose rows are the steps of many simulations, of which each turn makes one.
func (d *dependence) ownColumns(w, x *use, stride analysis.Sum) (ways []negatives) {
	if c, ok := stride.Constant(); !ok || c != 1 {
		return nil
	}
	for _, p := range w.form.Parts {
		row := p.Times
		if len(row) != 1 || row[0].C != 1 || len(row[0].Of) != 1 {
			continue
		}
		mine, ok := beside(w.form, row[0].Of[0])
		its, ok2 := beside(x.form, row[0].Of[0])
		if !ok || !ok2 || !same(mine, its) || len(mine.Parts) != 1 {
			continue
		}
		if lo, hi, ok := d.whole(mine, w.around); ok {
			if n, ok := alternative(less(nil, lo.Plus(analysis.Sum{{C: 1}})), less(hi, row)); ok {
				ways = append(ways, n)
			}
		}
	}
	return ways
}

// same reports whether two forms are.
func same(a, b analysis.Affine) bool {
	return len(a.Base.Minus(b.Base)) == 0 && len(a.Plus(b.Times(analysis.Sum{{C: -1}})).Parts) == 0
}

// column returns the bounds of what an index is beside multiples of a stride.
func (d *dependence) column(x *use, stride []ir.Atom) (least, most analysis.Sum, ok bool) {
	rest, ok := beside(x.form, stride[0])
	if !ok {
		return nil, nil, false
	}
	return d.whole(rest, x.around)
}

// beside is what a form is beside multiples of a stride; false if it has an index only in part as such.
func beside(form analysis.Affine, stride ir.Atom) (rest analysis.Affine, ok bool) {
	other := func(s analysis.Sum) (other analysis.Sum) {
		for _, p := range s {
			if !slices.Contains(p.Of, stride) {
				other = append(other, p)
			}
		}
		return other
	}
	rest.Base = other(form.Base)
	for _, p := range form.Parts {
		if t := other(p.Times); len(t) > 0 {
			if len(t) < len(p.Times) {
				return rest, false
			}
			rest.Parts = append(rest.Parts, p)
		}
	}
	return rest, true
}
