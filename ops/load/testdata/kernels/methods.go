package kernels

import "github.com/surge-ndp/surge/ops"

// rng is a generator whose method updates its receiver.
type rng struct {
	state uint64
	draws int
}

func newRNG(seed uint64) *rng {
	r := &rng{state: seed}
	if seed == 0 {
		r.state = 88172645463325252
	}
	return r
}

func (r *rng) next() uint64 {
	r.state ^= r.state << 13
	r.state ^= r.state >> 7
	r.state ^= r.state << 17
	r.draws++
	return r.state
}

func (r *rng) below(n int) int { return int(r.next() % uint64(n)) }

func (r rng) used() int { return r.draws }

// Draws calls methods with pointer and value receivers on local variables, one of which a function made.
//
//surge:kernel
func Draws(seeds []int, n int) ([]int, []int) {
	total := ops.Map(func(seed int) int {
		r := newRNG(uint64(seed))
		sum := 0
		for i := 0; i < n; i++ {
			if k := r.below(10); k > 3 && r.below(2) == 0 {
				sum += k
			}
		}
		return sum + 1000*r.used()
	}, seeds)
	while := ops.Map(func(seed int) int {
		var r rng
		r.state = uint64(seed) | 1
		turns := 0
		for r.below(4) != 0 && turns < 20 {
			turns++
		}
		next := r.next
		next()
		next()
		return turns + 100*r.draws
	}, seeds)
	return total, while
}

type celsius float64

func (c celsius) fahrenheit() float64 { return float64(c)*9/5 + 32 }

func (c *celsius) warm(by celsius) { *c += by }

type series []float64

func (s series) at(i int) float64 {
	if i < 0 || i >= len(s) {
		return 0
	}
	return s[i]
}

func (s series) mean() float64 {
	return ops.Reduce(func(a, b float64) float64 { return a + b }, s, 0) / float64(len(s)+1)
}

type point2 struct{ x, y float64 }

func (p point2) plus(q point2) point2 { return point2{p.x + q.x, p.y + q.y} }

func (p *point2) scale(f float64) {
	p.x *= f
	p.y *= f
}

type body struct {
	point2
	mass float64
}

func (b *body) push(by point2) {
	b.point2 = b.plus(by)
	b.scale(b.mass)
}

// Methods calls methods of named numbers and sequences, promoted ones, method values and method expressions.
//
//surge:kernel
func Methods(t []float64, k int) ([]float64, float64, float64) {
	s := series(t)
	f := ops.Map(func(x float64) float64 {
		c := celsius(x)
		c.warm(0.5)
		return c.fahrenheit()
	}, t)
	b := body{point2{1, 2}, 0.5}
	for i := range k {
		b.push(point2{s.at(i), 1})
	}
	at := s.at
	plus := point2.plus
	scale := (*point2).scale
	q := plus(b.point2, point2{at(k), at(-1)})
	scale(&q, 2)
	warm := (*body).scale
	warm(&b, 3)
	return f, q.x + b.x + s.mean(), q.y + b.y
}

type account struct {
	balance   int
	overdrawn bool
}

func (a *account) put(n int) bool {
	if n < 0 {
		return false
	}
	a.balance += n
	return true
}

func swap(a, b *int) { *a, *b = *b, *a }

func extremes(x []int, lo, hi *int) {
	for i, v := range x {
		if i == 0 || v < *lo {
			*lo = v
		}
		if i == 0 || v > *hi {
			*hi = v
		}
	}
}

// Pointers follows pointers to local variables, to fields, to elements of a local array, and to what new makes.
//
//surge:kernel
func Pointers(x []int, n int) (int, int, int, []int) {
	lo, hi := 7, 9
	extremes(x, &lo, &hi)
	if n > 3 {
		swap(&lo, &hi)
	}
	p := &lo
	*p += 5
	p = &hi
	*p *= 2
	var a account
	refused := 0
	q := &a
	for _, v := range x {
		if !q.put(v) {
			refused++
			continue
		}
		r := &q.balance
		*r++
	}
	c := new(int)
	for i := 0; i < n; i++ {
		*c += i
	}
	counts := make([]int, 4)
	for _, v := range x {
		e := &counts[(v%4+4)%4]
		*e += v
	}
	return lo + *c, hi + refused, a.balance, counts
}

// Closures calls function literals that update what they capture.
//
//surge:kernel
func Closures(x []float64, n int) (float64, int) {
	sum, count := 0.0, 0
	add := func(v float64) {
		if v != v {
			return
		}
		sum += v
		count++
	}
	for _, v := range x {
		add(v)
	}
	twice := func(f func(float64), v float64) {
		f(v)
		f(v)
	}
	for i := 0; i < n && count < 10; i++ {
		twice(add, float64(i))
	}
	next := func() int {
		count++
		return count
	}
	for next() < n {
		sum++
	}
	if n > 2 && next() > 5 || next() == 3 {
		sum--
	}
	return sum, count
}

func fill(x []float64, v float64) {
	for i := range x {
		x[i] = v * float64(i)
	}
}

func total(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += v
	}
	return s
}

type ring []float64

func (r ring) put(at int, v float64) {
	if at < 0 {
		at += len(r)
	}
	r[at%len(r)] += v
}

// Fills hands local slices to functions and methods that assign their elements.
//
//surge:kernel
func Fills(x []float64, n int) ([]float64, float64) {
	y := make([]float64, len(x)+1)
	fill(y, 2)
	s := 0.0
	for i, v := range x {
		y[i] += v
		s += total(y)
		if i == n {
			fill(y, v)
		}
	}
	r := make(ring, 3)
	for i := range n {
		r.put(i, s)
	}
	for i, v := range r {
		y[0] += v * float64(i)
	}
	return y, s
}
