// Structs

package constructs

type tab struct {
	v  [6]int32
	m  [3][3]int32
	n  int
	in tabWeights
}

type tabWeights struct{ w [5]float64 }

func (t *tab) set(i int, x int32)    { t.v[i%6] = x }
func (t *tab) setM(i int, x int32)   { t.m[i%3][i%2] += x }
func (t *tab) setW(i int, x float64) { t.in.w[i%5] += x }
func (t tab) sum() (s int32) {
	for _, x := range t.v {
		s += x
	}
	for _, r := range t.m {
		for _, x := range r {
			s += 3 * x
		}
	}
	return s + int32(t.in.w[2])
}
func (t tab) with(i int, x int32) tab { t.v[i%6] = x; t.n++; return t }

// Traded copies structs, compares them, and gives each the other's value.
//
// Construct: structs with such arrays, and with arrays of arrays, that are copied, compared, and change places
//
//surge:kernel
func Traded(rows [][]int32) []int32 {
	out := make([]int32, len(rows))
	for i, r := range rows {
		var a, b tab
		for j, x := range r {
			a.set(int(uint32(x)%997), x)
			a.setM(j, x)
			a.setW(j, float64(x%100))
			if x > 0 {
				b = a
				b.set(j, -x)
			}
			if x%5 == 0 {
				a = b.with(j, 7)
			}
			a, b = b, a
		}
		out[i] = a.sum() + 2*b.sum() + int32(a.n)
		if a == b {
			out[i]++
		}
	}
	return out
}

// Redrawn assigns such an array by a pointer to it, and as a whole.
//
// Construct: a pointer to an array of a struct, an array assigned as a whole, elements that change places
//
//surge:kernel
func Redrawn(xs []int32) (int32, [6]int32) {
	t := &tab{v: [6]int32{1, 2, 3}}
	p := &t.v
	for i, x := range xs {
		p[int(uint32(x)%997)%6] += int32(i)
		t.v[i%6], t.v[int(uint32(x)%997)%6] = t.v[int(uint32(x)%997)%6], t.v[i%6]
		for k, y := range t.v {
			if k < 5 {
				t.v[k+1] += y % 3
			}
		}
		if x%7 == 0 {
			t.v = [6]int32{x, 1}
		}
		if x%11 == 3 {
			*t = tab{n: i}
		}
	}
	return t.sum(), t.v
}

type house struct {
	t    tab
	rows []int32
	k    int
}

// Housed has such a struct in a struct with a slice.
//
// Construct: a struct with such an array as a field, which is assigned as a whole: other.t = h.t
//
//surge:kernel
func Housed(xs []int32) ([]int32, int32) {
	h := &house{rows: make([]int32, len(xs))}
	other := house{rows: make([]int32, len(xs))}
	for i, x := range xs {
		h.t.set(int(uint32(x)%997), x)
		h.rows[i] = h.t.v[(i+1)%6]
		if i%4 == 1 {
			other.t = h.t
			other.t.set(i, 5)
		}
		h.k++
	}
	copy(other.rows, h.rows)
	return other.rows, h.t.sum() + other.t.sum()
}

type spider struct {
	links      [][]int32
	rank, next []float64
	state      uint8
}

func (s *spider) crawl() (change float64) {
	for i := range s.next {
		s.next[i] = 0
	}
	for i, out := range s.links {
		for _, j := range out {
			s.next[uint32(j)%uint32(len(s.next))] += s.rank[i] / float64(len(out))
		}
		s.state = follows[s.state][len(out)&3]
	}
	for i, v := range s.next {
		change = max(change, v-s.rank[i])
	}
	s.rank, s.next = s.next, s.rank
	return change
}

var follows = [6][4]uint8{{1, 2, 3, 4}, {2, 0, 5, 1}, {5, 4, 3, 0}, {1, 1, 2, 2}, {0, 5, 0, 5}, {3, 3, 1, 4}}

// Crawled follows links in turns.
//
// Construct: a struct with rows that the kernel was given; a table of states, indexed by what turns compute
//
//surge:kernel
func Crawled(links [][]int32, turns uint8) ([]float64, uint8) {
	s := spider{links: links, rank: make([]float64, len(links)), next: make([]float64, len(links))}
	for i := range s.rank {
		s.rank[i] = 1
	}
	for range turns % 6 {
		if s.crawl() < 0.25 {
			break
		}
	}
	return s.rank, s.state
}

type taps struct {
	c    [8]float64
	hist [8]float64
	at   int
	n    int
}

func (t *taps) load(x []float64) {
	t.n = copy(t.c[:], x)
	clear(t.hist[2:5])
	copy(t.hist[1:], t.hist[:])
}

func (t *taps) next(x float64) (s float64) {
	t.hist[t.at] = x
	for k := range t.c {
		s += t.c[k] * t.hist[(t.at+k)%8]
	}
	t.at = (t.at + 1) % 8
	return s
}

// Tapped filters rows, by coefficients that it is given.
//
// Construct: copy and clear of a part of an array in a struct: copy(t.c[:], x)
//
//surge:kernel
func Tapped(rows [][]float64, c []float64, again uint8) []float64 {
	out := make([]float64, len(rows))
	for i, row := range rows {
		var t taps
		t.load(c)
		for j, x := range row {
			out[i] += t.next(x)
			if j == int(again) {
				t.load(row)
			}
		}
		out[i] += float64(t.n)
	}
	return out
}

type page struct {
	sums [5]int32
	n    int32
}

type ledger struct{ open, closed page }

// Flipped keeps sums by remainder on two pages, which change places, and are copied, now and then.
//
// Construct: fields that change places, alone and by another name, structs with arrays
//
//surge:kernel
func Flipped(x []int32) []int32 {
	var b ledger
	open := func() page { return b.open }
	for i, v := range x {
		b.open.sums[uint32(v)%5] += int32(i)
		b.open.n++
		switch {
		case v%11 == 0:
			b.open, b.closed = b.closed, b.open
		case v%7 == 0:
			old := b.open
			b.open = b.closed
			b.closed = old
		case v%5 == 0:
			old := open()
			b.open, b.closed = b.closed, old
		case v%3 == 0:
			b.closed = b.open
		}
	}
	out := make([]int32, 0, 12)
	for k, s := range b.open.sums {
		out = append(out, s, b.closed.sums[k])
	}
	return append(out, b.open.n, b.closed.n)
}
