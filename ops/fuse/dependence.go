package fuse

import (
	"math"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// Turns of a loop need each other where one updates what another one reads or updates. An index is a sum
//
//	base + I·stride + (what the loops inside add)
//
// so that two uses of different turns do not meet if
//
//   - they move by one stride, and what is beside I·stride differs by less than a stride (each turn has rows of its
// own);
//   - one of them does not move, and lies in the row of a turn that is known: that turn is made between the others;
//   - all of what one reads lies before or behind what the other one updates;
//   - they are in different columns of rows of one stride;
//   - they move by one stride and a few rows, and meet in columns of other parity only.
//
// What of this the sums do not say is said by conditions, of the values that are known before the loop.

const (
	farthest = 1 << 28 // values in sums are closer to 0 than this one, or the loop runs as it stands
	mostSums = 8       // products that a sum may have, so that it does not overflow
)

// far is what values have to be closer to 0 than where so many of them are multiplied, so that no sum overflows.
var far = []int64{farthest, farthest, farthest, 1 << 18, 1 << 13, 1 << 10}

// negatives are sums that are all negative: a condition.
type negatives []analysis.Sum

// dependence decides whether the turns of a loop are independent.
type dependence struct {
	*uses
	own     *course      // the loop's index
	unit    int64        // what the index is multiplied by wherever it stands; its last value is a unit-th of what is said
	split   analysis.Sum // the turn that is made between the others, if divided
	divided bool
	always  negatives     // what has to hold
	either  [][]negatives // of each of these, one has to hold
	near    []ir.Atom     // more values that have to be closer to 0 than farthest
}

// extreme returns the least or the greatest value of a form over all courses but the loop's own, as a sum over its
// index; false where the signs of factors are not known.
func (d *dependence) extreme(form analysis.Affine, greatest bool, around []*course) (analysis.Affine, bool) {
	for k := len(around) - 1; k >= 0; k-- {
		sp := around[k]
		var ok bool
		if form, ok = d.replace(form, sp, greatest); !ok {
			return form, false
		}
	}
	for _, p := range form.Parts {
		if p.Of.V != d.own.i {
			return form, false
		}
	}
	return form, true
}

// replace puts a bound of a course in its place.
func (d *dependence) replace(form analysis.Affine, sp *course, greatest bool) (analysis.Affine, bool) {
	times := form.Factor(analysis.Index{V: sp.i})
	if len(times) == 0 {
		return form, true
	}
	sign, ok := d.sign(times)
	if !ok {
		return form, false
	}
	bound := sp.lo
	if (sign > 0) == greatest {
		bound = sp.last
	}
	if sp == d.own && d.unit > 1 { // which ends at a unit-th of its bound
		if times[0].C%d.unit != 0 {
			return form, false
		}
		times = analysis.Sum{{C: times[0].C / d.unit, Of: times[0].Of}}
	}
	rest := analysis.Affine{Base: form.Base}
	for _, p := range form.Parts {
		if p.Of.V != sp.i {
			rest.Parts = append(rest.Parts, p)
		}
	}
	return rest.Plus(bound.Times(times)), true
}

// sign returns the sign of a factor: of products, that of their constants, where it is a condition that the values are
// not negative.
func (d *dependence) sign(s analysis.Sum) (int, bool) {
	for _, p := range s {
		if p.C < 0 != (s[0].C < 0) {
			return 0, false
		}
		for _, a := range p.Of {
			d.holds(analysis.Sum{{C: -1, Of: []ir.Atom{a}}, {C: -1}})
		}
	}
	switch {
	case len(s) == 0:
		return 0, false
	case s[0].C < 0:
		return -1, true
	}
	return 1, true
}

// holds makes it a condition that a sum is negative.
func (d *dependence) holds(s analysis.Sum) bool {
	if c, ok := s.Constant(); ok {
		return c < 0
	}
	for _, have := range d.always {
		if len(have.Minus(s)) == 0 {
			return true
		}
	}
	if !fits(s) {
		return false
	}
	d.always = append(d.always, s)
	return true
}

// fits reports whether a sum cannot overflow while its values are as close to 0 as far says.
func fits(s analysis.Sum) bool {
	for _, p := range s {
		most := []int64{1 << 50, 1 << 20, 8, 8, 8, 8}
		if len(p.Of) >= len(far) || p.C > most[len(p.Of)] || p.C < -most[len(p.Of)] {
			return false
		}
	}
	return len(s) <= mostSums
}

// alternative drops what is known of conditions: all of them have to hold. It returns false if one cannot.
func alternative(sums ...analysis.Sum) (left negatives, possible bool) {
	for _, s := range sums {
		if c, ok := s.Constant(); ok {
			if c >= 0 {
				return nil, false
			}
			continue
		}
		if !fits(s) {
			return nil, false
		}
		left = append(left, s)
	}
	return left, true
}

// less is the sum that is negative where a < b.
func less(a, b analysis.Sum) analysis.Sum { return a.Minus(b) }

// independent looks at all pairs of an update and another use of the same array, and reports whether conditions may
// make the turns independent.
func (d *dependence) independent() bool {
	any := false
	for _, w := range d.all {
		if !w.updates {
			continue
		}
		any = true
		for _, x := range d.all {
			if x.array != w.array {
				continue
			}
			ways := d.apart(w, x)
			if len(ways) == 0 {
				return false
			}
			if slices.ContainsFunc(ways, func(n negatives) bool { return len(n) == 0 }) {
				continue
			}
			if len(ways) == 1 {
				for _, s := range ways[0] {
					if !d.holds(s) {
						return false
					}
				}
				continue
			}
			d.either = append(d.either, ways)
		}
	}
	return any
}

// apart returns the conditions under which an update and another use of different turns do not meet: each by itself
// is enough, and an empty one always holds.
func (d *dependence) apart(w, x *use) (ways []negatives) {
	add := func(sums ...analysis.Sum) {
		if n, ok := alternative(sums...); ok {
			ways = append(ways, n)
		}
	}
	own := analysis.Index{V: d.own.i}
	stride := w.form.Factor(own)
	if len(stride) == 0 { // every turn updates it
		return nil
	}
	if at, ok := d.shifted(w, x, stride); ok { // before, or behind, for a few turns at most
		if d.otherParity(w, x, at) {
			add(d.narrow(w, at, stride))
		}
		return ways
	}
	moves := x.form.Factor(own)
	rows := len(moves.Minus(stride)) == 0
	rest := x.form
	if len(moves) == 0 && d.divides(w, x, stride) {
		rows, rest = true, analysis.Affine{Base: x.form.Base.Minus(times(d.split, stride)), Parts: x.form.Parts}
	}
	if rows && len(stride) == 1 {
		if _, ok := d.sign(stride); !ok {
			return nil
		}
		below, above, ok := d.beside(w.form, own, w.around)
		least, most, ok2 := d.beside(rest, own, x.around)
		if ok && ok2 {
			size := stride
			if stride[0].C < 0 {
				size = stride.Minus(stride).Minus(stride)
			}
			add(less(most.Minus(below), size), less(above.Minus(least), size))
			if _, constant := stride.Constant(); !constant && len(ways) > 0 {
				return ways
			}
		}
	}
	wLo, wHi, ok := d.whole(w.form, w.around)
	xLo, xHi, ok2 := d.whole(x.form, x.around)
	if ok && ok2 && w != x {
		add(less(wHi, xLo))
		add(less(xHi, wLo))
	}
	ways = append(ways, d.columns(w, x, stride)...)
	return ways
}

func times(s, t analysis.Sum) analysis.Sum { return analysis.Affine{Base: s}.Times(t).Base }

// beside returns the bounds of what a form adds to the loop's index times its stride, over all turns.
func (d *dependence) beside(form analysis.Affine, own analysis.Index, around []*course) (least, most analysis.Sum, ok bool) {
	rest := analysis.Affine{Base: form.Base}
	for _, p := range form.Parts {
		if p.Of != own {
			rest.Parts = append(rest.Parts, p)
		}
	}
	return d.whole(rest, around)
}

// whole returns the bounds of a form over all turns.
func (d *dependence) whole(form analysis.Affine, around []*course) (least, most analysis.Sum, ok bool) {
	lo, ok := d.extreme(form, false, around)
	hi, ok2 := d.extreme(form, true, around)
	if !ok || !ok2 {
		return nil, nil, false
	}
	lo, ok = d.replace(lo, d.own, false)
	hi, ok2 = d.replace(hi, d.own, true)
	return lo.Base, hi.Base, ok && ok2 && len(lo.Parts)+len(hi.Parts) == 0
}

// divides finds the turn in whose row a use lies that does not move: the loop is divided there, unless the turn is
// none of the loop's.
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

// column returns the bounds of what an index is beside multiples of a stride.
func (d *dependence) column(x *use, stride []ir.Atom) (least, most analysis.Sum, ok bool) {
	var rest analysis.Affine
	multiple := func(s analysis.Sum) (other analysis.Sum) {
		for _, p := range s {
			if !slices.Contains(p.Of, stride[0]) {
				other = append(other, p)
			}
		}
		return other
	}
	rest.Base = multiple(x.form.Base)
	for _, p := range x.form.Parts {
		if t := multiple(p.Times); len(t) > 0 {
			if len(t) < len(p.Times) {
				return nil, nil, false
			}
			rest.Parts = append(rest.Parts, p)
		}
	}
	return d.whole(rest, x.around)
}
