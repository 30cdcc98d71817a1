package fuse

import (
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
//   - all of what one reads lies before or behind what the other one updates, in the turns that conditions let come to
// them;
//   - they are in different columns of rows of one stride, or in the column of their turn each;
//   - they move by one stride and a few rows, and meet in columns of other parity only.
//
// Where one reads, before a turn updates anything, what later turns update, the turns are not independent, but several
// in a row may be made together.
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
	mayLook bool          // turns may read ahead
	ahead   bool          // they do
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
	if n, ok := d.looksAhead(w, x, stride); ok {
		return []negatives{n}
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
	for _, bounds := range []func(*use) (least, most analysis.Sum, ok bool){d.everywhere, d.reach} {
		wLo, wHi, ok := bounds(w)
		xLo, xHi, ok2 := bounds(x)
		if ok && ok2 && w != x {
			add(less(wHi, xLo))
			add(less(xHi, wLo))
		}
		if slices.ContainsFunc(ways, func(n negatives) bool { return len(n) == 0 }) || w.turns.all() && x.turns.all() {
			break
		}
	}
	ways = append(ways, d.columns(w, x, stride)...)
	return append(ways, d.ownColumns(w, x, stride)...)
}

// looksAhead returns the condition under which a use reads nothing but what the update of a later turn changes; false
// if it is no such use of elements one behind the other. Where the distance is a number that is not known, the
// elements are those of a sack which is filled from its end, dp[c] and dp[c-weight]: others are in other rows more
// often.
func (d *dependence) looksAhead(w, x *use, stride analysis.Sum) (n negatives, ok bool) {
	step, constant := stride.Constant()
	far := x.form.Plus(w.form.Times(analysis.Sum{{C: -1}}))
	if !d.mayLook || !x.first || !constant || step != 1 && step != -1 || d.unit != 1 || len(far.Parts) > 0 || len(x.around)+len(w.around) > 0 {
		return nil, false
	}
	by := times(far.Base, stride)
	if c, known := by.Constant(); known {
		d.ahead = d.ahead || c > 0
		return nil, c > 0
	}
	if step != -1 || len(by) != 1 || by[0].C != 1 || len(by[0].Of) != 1 {
		return nil, false
	}
	n, ok = alternative(less(nil, by.Plus(analysis.Sum{{C: 1}})))
	d.ahead = d.ahead || ok
	return n, ok
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

// everywhere returns the bounds of where a use is, over all turns.
func (d *dependence) everywhere(x *use) (least, most analysis.Sum, ok bool) {
	return d.whole(x.form, x.around)
}

// reach returns the bounds of where a use is, over the turns that come to it.
func (d *dependence) reach(x *use) (least, most analysis.Sum, ok bool) {
	all := d.own
	defer func() { d.own = all }()
	own := *all
	for _, bound := range []struct{ by, of *analysis.Affine }{{x.turns.first, &own.lo}, {x.turns.last, &own.last}} {
		if bound.by == nil || d.unit > 1 {
			continue
		}
		*bound.of = *bound.by
		for _, p := range bound.by.Base { // whose sums must not overflow
			d.near = append(d.near, p.Of...)
		}
	}
	d.own = &own
	return d.whole(x.form, x.around)
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
