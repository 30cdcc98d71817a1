// Functions

package constructs

import "github.com/surge-ndp/surge/ops"

type meters float64

func (m meters) feet() float64 { return float64(m) / 0.3048 }

// Feet calls a method of a named number.
//
// Construct: methods of named types over numbers and sequences
//
//surge:kernel
func Feet(x []float64) []float64 {
	return ops.Map(func(v float64) float64 { return meters(v).feet() }, x)
}

type xorshift struct{ state uint64 }

func (r *xorshift) next() uint64 {
	r.state ^= r.state << 13
	r.state ^= r.state >> 7
	r.state ^= r.state << 17
	return r.state
}

func newXorshift(seed uint64) *xorshift { return &xorshift{state: seed | 1} }

// Dice draws random numbers from a generator that updates itself.
//
// Construct: methods with pointer receivers that update a local variable, or what a function returned a pointer to
//
//surge:kernel
func Dice(seeds []uint64, n int) []uint64 {
	return ops.Map(func(seed uint64) uint64 {
		r := newXorshift(seed)
		sum := uint64(0)
		for i := 0; i < n%100; i++ {
			for r.next()%6 == 5 {
				sum++
			}
			sum += 1 + r.next()%6
		}
		return sum
	}, seeds)
}

type planar struct{ x, y float64 }

func (p planar) dot(q planar) float64 { return p.x*q.x + p.y*q.y }

func (p *planar) turn() { p.x, p.y = -p.y, p.x }

type weighted struct {
	planar
	weight float64
}

// Projected calls promoted methods, a method value and a method expression.
//
// Construct: methods of embedded structs, method values and method expressions
//
//surge:kernel
func Projected(x, y []float64, weight float64) []float64 {
	axis := planar{0.6, 0.8}
	along := axis.dot
	turn := (*planar).turn
	return ops.Map2(func(a, b float64) float64 {
		w := weighted{planar{a, b}, weight}
		w.turn()
		turn(&w.planar)
		return w.weight * (along(w.planar) + w.dot(axis))
	}, x, y)
}

func order(a, b *float64) {
	if *a > *b {
		*a, *b = *b, *a
	}
}

// Middle follows pointers to local variables.
//
// Construct: pointers to local variables, fields and elements that do not leave the function
//
//surge:kernel
func Middle(x, y, z []float64) []float64 {
	return ops.Map3(func(a, b, c float64) float64 {
		order(&a, &b)
		order(&b, &c)
		order(&a, &b)
		p := &planar{b, 0}
		p.y += 1
		q := &p.y
		*q *= 2
		return p.x + *q
	}, x, y, z)
}

func prefixSums(x []int64) {
	for i := 1; i < len(x); i++ {
		x[i] += x[i-1]
	}
}

// Ranks hands a slice that it made to a function that updates it.
//
// Construct: functions that update a slice that the caller made
//
//surge:kernel
func Ranks(x []int64) []int64 {
	counts := make([]int64, 16)
	for _, v := range x {
		counts[v&15]++
	}
	prefixSums(counts)
	return counts
}

// Tally updates variables from a function literal.
//
// Construct: function literals that update variables around them, where no operator calls them
//
//surge:kernel
func Tally(x []float64) (float64, int) {
	sum, n := 0.0, 0
	add := func(v float64) {
		if v > 0 {
			sum += v
			n++
		}
	}
	for _, v := range x {
		add(v)
		add(v - 1)
	}
	return sum, n
}

func sumOf(first int64, more ...int64) int64 {
	for _, v := range more {
		first += v
	}
	return first
}

// Checksums calls a function with a variable number of arguments.
//
// Construct: functions with a variable number of arguments
//
//surge:kernel
func Checksums(x []int64) []int64 {
	return ops.Map(func(v int64) int64 { return sumOf(v) + sumOf(1, v, v>>8, v>>16) + sumOf(v, x...) }, x)
}

// A Bid is a price for an amount.
type Bid struct {
	Price  float64
	Amount int
}

func (b *Bid) fill(n int) int {
	n = min(n, b.Amount)
	b.Amount -= n
	return n
}

// Matched fills the best of the bids first, and counts in one of two variables.
//
// Construct: pointers to elements that a loop finds, and to one of several variables
//
//surge:kernel
func Matched(bids []Bid, orders []int, limit int) (int, int, int, float64) {
	if len(bids) == 0 {
		return 0, 0, 0, 0
	}
	best, last := &bids[0], &bids[len(bids)-1]
	for i := range bids {
		b := &bids[i]
		if b.Price > best.Price {
			best = b
		} else if b.Price < last.Price {
			last = &bids[i]
		}
	}
	var small, large, other Bid
	book := make([]Bid, 8)
	for i, n := range orders {
		into := &small
		if n > limit {
			into = &large
		} else if n < -limit {
			into = &other
		}
		into.Amount += n
		if into.Price += best.Price; into.Amount > 50 {
			into.fill(n & 7)
		}
		slot := &book[i&7]
		if n&1 == 0 {
			slot = &book[n&7]
		}
		slot.Amount++
		slot.fill(i % 3)
	}
	p := &limit
	if limit > 3 {
		p = &small.Amount
	}
	*p *= 2
	count := 0
	for i, b := range book {
		count += b.Amount * (i + 1)
	}
	return small.Amount + limit, large.Amount - other.Amount, count, best.Price - last.Price + small.Price
}
