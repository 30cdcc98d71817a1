package kernels

import (
	"math"

	"github.com/surge-ndp/surge/ops"
)

// HeatSteps is heat that spreads in a cube of side n, whose cells lie plane by plane, row by row: a sequence that goes
// from turn to turn, and a computation a turn.
//
//surge:kernel
func HeatSteps(cells []float64, n int, k float64, steps int) []float64 {
	side := max(n, 0)
	plane := side * side
	for range steps {
		cells = ops.Map(func(c int) float64 {
			x, y, z := c%max(side, 1), c/max(side, 1)%max(side, 1), c/max(plane, 1)
			if x == 0 || y == 0 || z == 0 || x == side-1 || y == side-1 || z >= side-1 {
				return cells[c]
			}
			around := cells[c-1] + cells[c+1] + cells[c-side] + cells[c+side] + cells[c-plane] + cells[c+plane]
			return cells[c] + k*(around-6*cells[c])
		}, ops.Range(0, len(cells), 1))
	}
	return cells
}

// Conjugate solves values·x = b, a sparse symmetric matrix, by conjugate gradients until the residual is small: three
// sequences and two scalars that go from turn to turn, and four computations a turn.
//
//surge:kernel
func Conjugate(values []float64, columns, offsets []int32, b []float64, limit int, eps float64) ([]float64, int) {
	n := len(b)
	x := ops.Replicate(0.0, n)
	r, p := b, b
	rr := ops.Reduce(plus, ops.Map(func(v float64) float64 { return v * v }, b), 0)
	turns := 0
	for turns < limit && rr > eps {
		q := ops.Map2(func(v []float64, c []int32) float64 {
			return ops.Reduce(plus, ops.Map2(func(a, e float64) float64 { return a * e }, v, ops.Gather(p, c)), 0)
		}, ops.Nest(values, offsets), ops.Nest(columns, offsets))
		alpha := rr / ops.Reduce(plus, ops.Map2(func(a, e float64) float64 { return a * e }, p, q), 0)
		x = ops.Map2(func(a, d float64) float64 { return a + alpha*d }, x, p)
		r = ops.Map2(func(a, d float64) float64 { return a - alpha*d }, r, q)
		next := ops.Reduce(plus, ops.Map(func(v float64) float64 { return v * v }, r), 0)
		beta := next / rr
		p = ops.Map2(func(a, d float64) float64 { return a + beta*d }, r, p)
		rr = next
		turns++
	}
	return x, turns
}

// RankUntil is the power iteration for the ranks of pages until they change by no more than eps in all: a loop whose
// condition is a computed number.
//
//surge:kernel
func RankUntil(links, offsets, out []int32, damping, eps float64) ([]float64, int) {
	n := len(out)
	rank := ops.Replicate(1/float64(max(n, 1)), n)
	rows := ops.Nest(links, offsets)
	change, turns := math.Inf(1), 0
	for change > eps && turns < 200 {
		share := ops.Map2(func(r float64, k int32) float64 { return r / float64(max(k, 1)) }, rank, out)
		next := ops.Map(func(row []int32) float64 {
			return (1-damping)/float64(n) + damping*ops.Reduce(plus, ops.Gather(share, row), 0)
		}, rows)
		change = ops.Reduce(plus, ops.Map2(func(a, b float64) float64 { return math.Abs(a - b) }, rank, next), 0)
		rank = next
		turns++
	}
	return rank, turns
}

// LifeSteps is the game of life on a torus that is w cells wide.
//
//surge:kernel
func LifeSteps(cells []int32, w, steps int) ([]int32, int32) {
	n := len(cells)
	for range steps {
		cells = ops.Map(func(c int) int32 {
			around := int32(0)
			for _, d := range [8]int{-w - 1, -w, -w + 1, -1, 1, w - 1, w, w + 1} {
				around += cells[((c+d)%n+n)%n]
			}
			if around == 3 || around == 2 && cells[c] != 0 {
				return 1
			}
			return 0
		}, ops.Range(0, n, 1))
	}
	return cells, ops.Reduce(func(a, b int32) int32 { return a + b }, cells, 0)
}

// Diffusion spreads heat on a torus of w×h places, in steps.
//
//surge:kernel
func Diffusion(heat []float64, w, h, steps int) []float64 {
	cur, next := make([]float64, w*h), make([]float64, w*h)
	copy(cur, heat)
	for range steps {
		for y := 0; y < h; y++ {
			for x := 0; x < w; x++ {
				beside := cur[y*w+(x-1+w)%w] + cur[y*w+(x+1)%w]
				next[y*w+x] = (cur[y*w+x] + beside + cur[(y+h-1)%h*w+x] + cur[(y+h+1)%h*w+x]) / 5
			}
		}
		cur, next = next, cur
	}
	return cur
}

// BitSort sorts by one bit after the other: in each turn the keys without the bit come before those with it, by a scan
// that says where they go.
//
//surge:kernel
func BitSort(keys []int32, bits int) []int32 {
	for b := range bits {
		zeros := ops.Map(func(k int32) int {
			if k>>b&1 == 0 {
				return 1
			}
			return 0
		}, keys)
		before := ops.Scan(func(a, c int) int { return a + c }, zeros, 0)
		all := ops.Reduce(func(a, c int) int { return a + c }, zeros, 0)
		at := ops.Map2(func(i, z int) int {
			if keys[i]>>b&1 == 0 {
				return z
			}
			return all + i - z
		}, ops.Range(0, len(keys), 1), before)
		keys = ops.ScatterUnique(keys, at, keys)
	}
	return keys
}

// Descend finds the least point of a smooth function of many numbers by steps against the slope, each as long as a
// search along it says: a loop inside of a loop, both of which end early.
//
//surge:kernel
func Descend(x, c []float64, steps int) ([]float64, float64) {
	least := 0.0
	for range steps {
		slope := ops.Map2(func(v, w float64) float64 { return 2*w*v + 4*v*v*v }, x, c)
		size := ops.Reduce(plus, ops.Map(func(g float64) float64 { return g * g }, slope), 0)
		if size < 1e-12 {
			break
		}
		at := ops.Reduce(plus, ops.Map2(func(v, w float64) float64 { return w*v*v + v*v*v*v }, x, c), 0)
		t := 1.0
		for t > 1e-6 {
			there := ops.Reduce(plus, ops.Map3(func(v, g, w float64) float64 {
				u := v - t*g
				return w*u*u + u*u*u*u
			}, x, slope, c), 0)
			if there < at-0.5*t*size {
				break
			}
			t *= 0.5
		}
		x = ops.Map2(func(v, g float64) float64 { return v - t*g }, x, slope)
		least = at
	}
	return x, least
}

// Bounded is a sum or a largest distance, and the number that goes with it: a condition whose branches compute.
//
//surge:kernel
func Bounded(x, y []float64, largest bool, turns int) (size float64, count int) {
	if largest {
		size = ops.Reduce(math.Max, ops.Map2(func(a, b float64) float64 { return math.Abs(a - b) }, x, y), 0)
		count = 1
	} else {
		for t := range turns {
			size += ops.Reduce(plus, ops.Map2(func(a, b float64) float64 { return (a - b) * (a - b) / float64(t+1) }, x, y), 0)
			if size > 1000 {
				count = ops.Reduce(func(a, b int) int { return a + b }, ops.Map(func(v float64) int {
					if v > size/1000 {
						return 1
					}
					return 0
				}, x), 0)
			}
		}
	}
	return size, count
}

// Exchange carries two sequences that change places, one of which is also what the other was two turns ago.
//
//surge:kernel
func Exchange(a, b []float64, turns int) (x, y, z []float64) {
	x, y, z = a, b, a
	for t := range turns {
		next := ops.Map2(func(p, q float64) float64 { return 0.5*p + 0.25*q + float64(t) }, x, y)
		if t%3 == 2 {
			next = ops.Map2(func(p, q float64) float64 { return p - q }, next, z)
		}
		x, y, z = y, next, x
	}
	return x, y, z
}

// FailsLate reads where the last turns have led it: in a late turn an index is outside.
//
//surge:kernel
func FailsLate(x []float64, at []int32, turns int) []float64 {
	step := 0
	for range turns {
		x = ops.Map(func(i int32) float64 { return x[int(i)+step] + 1 }, at)
		step++
	}
	return x
}
