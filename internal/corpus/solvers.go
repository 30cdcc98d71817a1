// Numerical methods

package corpus

import (
	"errors"
	"math"
	"math/cmplx"
	"slices"
)

// Sym6 is a symmetric matrix, of which the lower triangle counts.
type Sym6 [6][6]float64

// Vec6 is a vector.
type Vec6 [6]float64

func (m Sym6) cholesky() (l Sym6, ok bool) {
	for i := range m {
		for j := 0; j <= i; j++ {
			s := m[i][j]
			for k := 0; k < j; k++ {
				s -= l[i][k] * l[j][k]
			}
			if i == j {
				if s <= 0 {
					return l, false
				}
				l[i][i] = math.Sqrt(s)
			} else {
				l[i][j] = s / l[j][j]
			}
		}
	}
	return l, true
}

func (l Sym6) solve(b Vec6) Vec6 {
	for i := 0; i < 6; i++ {
		for k := 0; k < i; k++ {
			b[i] -= l[i][k] * b[k]
		}
		b[i] /= l[i][i]
	}
	for i := 5; i >= 0; i-- {
		for k := i + 1; k < 6; k++ {
			b[i] -= l[k][i] * b[k]
		}
		b[i] /= l[i][i]
	}
	return b
}

// SolveAll solves many small systems; those that are not positive definite give zeros, and are counted.
//
//surge:kernel
func SolveAll(ms []Sym6, bs []Vec6) (xs []Vec6, bad int) {
	xs = make([]Vec6, len(ms))
	for i, m := range ms {
		l, ok := m.cholesky()
		if !ok {
			bad++
			continue
		}
		xs[i] = l.solve(bs[i])
	}
	return xs, bad
}

// ErrShape says that slices do not fit together.
var ErrShape = errors.New("rows have different lengths")

// Tridiagonal solves a system for each row of right sides, by Thomas' algorithm.
//
//surge:kernel
func Tridiagonal(lower, diag, upper, rhs [][]float64) ([][]float64, error) {
	out := make([][]float64, len(rhs))
	for r, d := range rhs {
		a, b, c := lower[r], diag[r], upper[r]
		n := len(d)
		if len(a) != n || len(b) != n || len(c) != n {
			return nil, ErrShape
		}
		x := slices.Clone(d)
		cp := make([]float64, n)
		for i := 0; i < n; i++ {
			den := b[i]
			if i > 0 {
				den -= a[i] * cp[i-1]
				x[i] -= a[i] * x[i-1]
			}
			cp[i] = c[i] / den
			x[i] /= den
		}
		for i := n - 2; i >= 0; i-- {
			x[i] -= cp[i] * x[i+1]
		}
		out[r] = x
	}
	return out, nil
}

// FFTRows transforms rows of a power of two of complex numbers.
//
//surge:kernel
func FFTRows(rows [][]complex128) [][]complex128 {
	out := make([][]complex128, len(rows))
	for r, row := range rows {
		n := len(row)
		x := make([]complex128, n)
		for i, j := 0, 0; i < n; i++ {
			x[j] = row[i]
			m := n >> 1
			for ; m >= 1 && j&m != 0; m >>= 1 {
				j ^= m
			}
			j |= m
		}
		for size := 2; size <= n; size *= 2 {
			step := cmplx.Rect(1, -2*math.Pi/float64(size))
			for start := 0; start < n; start += size {
				w := complex(1, 0)
				for k := start; k < start+size/2; k++ {
					t := w * x[k+size/2]
					x[k+size/2] = x[k] - t
					x[k] += t
					w *= step
				}
			}
		}
		out[r] = x
	}
	return out
}

// State is a position and a speed with their covariance.
type State struct {
	X [4]float64
	P [4][4]float64
}

type matrix4 [4][4]float64

func (a matrix4) mul(b matrix4) (c matrix4) {
	for i := range a {
		for j := range b[0] {
			for k := range b {
				c[i][j] += a[i][k] * b[k][j]
			}
		}
	}
	return c
}

func (a matrix4) transposed() (t matrix4) {
	for i, row := range a {
		for j, v := range row {
			t[j][i] = v
		}
	}
	return t
}

// Track is one step of a Kalman filter for each target: prediction, and a correction by a measured position.
//
//surge:kernel
func Track(states []State, seen [][2]float64, dt, q, r float64) []State {
	f := matrix4{{1, 0, dt, 0}, {0, 1, 0, dt}, {0, 0, 1, 0}, {0, 0, 0, 1}}
	next := make([]State, len(states))
	for n, s := range states {
		var x [4]float64
		for i := range x {
			for j, v := range s.X {
				x[i] += f[i][j] * v
			}
		}
		p := f.mul(matrix4(s.P)).mul(f.transposed())
		for i := range p {
			p[i][i] += q
		}
		a, b, d := p[0][0]+r, p[0][1], p[1][1]+r
		det := a*d - b*b
		var gain [4][2]float64
		for i := range gain {
			gain[i][0] = (p[i][0]*d - p[i][1]*b) / det
			gain[i][1] = (p[i][1]*a - p[i][0]*b) / det
		}
		ex, ey := seen[n][0]-x[0], seen[n][1]-x[1]
		for i := range x {
			x[i] += gain[i][0]*ex + gain[i][1]*ey
		}
		var pp [4][4]float64
		for i := range pp {
			for j := range pp[i] {
				pp[i][j] = p[i][j] - gain[i][0]*p[0][j] - gain[i][1]*p[1][j]
			}
		}
		next[n] = State{x, pp}
	}
	return next
}

// Rng is a generator of Marsaglia's.
type Rng struct{ s uint64 }

// Next is the next number.
func (r *Rng) Next() uint64 {
	r.s ^= r.s << 13
	r.s ^= r.s >> 7
	r.s ^= r.s << 17
	return r.s
}

// Float is a number from 0 to 1.
func (r *Rng) Float() float64 { return float64(r.Next()>>11) / (1 << 53) }

// Normal is a sum of twelve.
func (r *Rng) Normal() float64 {
	sum := -6.0
	for range 12 {
		sum += r.Float()
	}
	return sum
}

// Barrier is an option that is worthless once the price touches a barrier.
type Barrier struct {
	Spot, Strike, Knock float64
	Rate, Vol, Years    float64
}

// PriceBarriers values options by simulated paths.
//
//surge:kernel
func PriceBarriers(options []Barrier, paths, steps int, seed uint64) []float64 {
	prices := make([]float64, len(options))
	for i, o := range options {
		dt := o.Years / float64(steps)
		drift, vol := (o.Rate-o.Vol*o.Vol/2)*dt, o.Vol*math.Sqrt(dt)
		rng := Rng{seed + uint64(i)*0x9e3779b97f4a7c15 | 1}
		total := 0.0
	path:
		for p := 0; p < paths; p++ {
			s := o.Spot
			for range steps {
				s *= math.Exp(drift + vol*rng.Normal())
				if s >= o.Knock {
					continue path
				}
			}
			total += max(s-o.Strike, 0)
		}
		prices[i] = math.Exp(-o.Rate*o.Years) * total / float64(paths)
	}
	return prices
}

// Redraw draws particles by their weights, evenly spaced along the running sum.
//
//surge:kernel
func Redraw(particles []XY, weights []float64, u float64) []XY {
	n := len(particles)
	sums := make([]float64, n)
	total := 0.0
	for i, w := range weights {
		total += w
		sums[i] = total
	}
	out := make([]XY, n)
	for i := range out {
		target := (float64(i) + u) / float64(n) * total
		at, _ := slices.BinarySearch(sums, target)
		out[i] = particles[min(at, n-1)]
	}
	return out
}

// Isotonic fits a rising step function to each row, by pooling neighbours that fall.
//
//surge:kernel
func Isotonic(rows [][]float64) [][]float64 {
	out := make([][]float64, len(rows))
	for r, y := range rows {
		sums, counts := make([]float64, 0, len(y)), make([]int, 0, len(y))
		for _, v := range y {
			s, c := v, 1
			for len(sums) > 0 && sums[len(sums)-1]*float64(c) > s*float64(counts[len(counts)-1]) {
				s += sums[len(sums)-1]
				c += counts[len(counts)-1]
				sums, counts = sums[:len(sums)-1], counts[:len(counts)-1]
			}
			sums, counts = append(sums, s), append(counts, c)
		}
		fit := make([]float64, 0, len(y))
		for b, s := range sums {
			for range counts[b] {
				fit = append(fit, s/float64(counts[b]))
			}
		}
		out[r] = fit
	}
	return out
}

// Evaluate gives the values of polynomials over a prime field at many places.
//
//surge:kernel
func Evaluate(coefficients []uint32, at []uint32) []uint32 {
	const p = 998244353
	out := make([]uint32, len(at))
	for i, x := range at {
		acc := uint64(0)
		for _, c := range coefficients {
			acc = (acc*uint64(x) + uint64(c)) % p
		}
		out[i] = uint32(acc)
	}
	return out
}
