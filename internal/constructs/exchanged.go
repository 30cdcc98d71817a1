// Rows that a kernel makes

package constructs

import (
	"errors"
	"math"
	"slices"

	"github.com/surge-ndp/surge/ops"
)

var errSingular = errors.New("the matrix is singular")

// Solution solves a system by elimination, with the greatest number of a column as pivot.
//
// Construct: rows that change places in a loop whose turns need each other: m[c], m[p] = m[p], m[c]
//
//surge:kernel
func Solution(a [][]float64, b []float64) ([]float64, error) {
	n := min(len(a), len(b), 40)
	m := make([][]float64, n)
	for i := range m {
		m[i] = make([]float64, n+1)
		copy(m[i], a[i])
		m[i][n] = b[i]
	}
	for c := range n {
		p := c
		for r := c + 1; r < n; r++ {
			if math.Abs(m[r][c]) > math.Abs(m[p][c]) {
				p = r
			}
		}
		if m[p][c] == 0 {
			return nil, errSingular
		}
		m[c], m[p] = m[p], m[c]
		pivot := m[c]
		for r := c + 1; r < n; r++ {
			f := m[r][c] / pivot[c]
			for k := c; k <= n; k++ {
				m[r][k] -= f * pivot[k]
			}
		}
	}
	x := make([]float64, n)
	for i := n - 1; i >= 0; i-- {
		s := m[i][n]
		for k := i + 1; k < n; k++ {
			s -= m[i][k] * x[k]
		}
		x[i] = s / m[i][i]
	}
	return x, nil
}

// exchange gives two rows each other's places.
func exchange(rows [][]int32, i, j int) { rows[i], rows[j] = rows[j], rows[i] }

// Lexical sorts the halves of rows by insertion, and turns them around.
//
// Construct: rows that a function gives each other's places; where their lengths differ the kernel runs once more, as
// plain Go
//
//surge:kernel
func Lexical(rows [][]int32) [][]int32 {
	sorted := make([][]int32, len(rows))
	for i, row := range rows {
		sorted[i] = slices.Clone(row[:(len(row)+1)/2])
	}
	for i := 1; i < min(len(sorted), 64); i++ {
		for j := i; j > 0 && slices.Compare(sorted[j], sorted[j-1]) < 0; j-- {
			exchange(sorted, j, j-1)
		}
	}
	for i, j := 0, len(sorted)-1; i < j; i, j = i+1, j-1 {
		sorted[i], sorted[j] = sorted[j], sorted[i]
	}
	return sorted
}

// ladder makes rows of three numbers.
func ladder(x []float64) [][]float64 {
	rows := make([][]float64, len(x))
	for i, v := range x {
		rows[i] = []float64{v, 2 * v, 0}
	}
	return rows
}

// Leaning adds rows up from one to the next.
//
// Construct: range over rows that another function has made, while the loop updates rows that come later
//
//surge:kernel
func Leaning(x []float64) [][]float64 {
	rows := ladder(x)
	for i, row := range rows {
		for j := range row {
			if i+1 < len(rows) {
				rows[i+1][j] += row[(j+1)%3] / 2
			}
		}
		if k := (i * 7) % len(rows); k > i {
			rows[k], rows[len(rows)-1] = rows[len(rows)-1], rows[k]
		}
	}
	return rows
}

// Rod is the state of a rod, and where the next one comes.
type Rod struct{ now, next []float64 }

func (r *Rod) step(by float64) {
	for i := 1; i < len(r.now)-1; i++ {
		r.next[i] = r.now[i] + by*(r.now[i-1]+r.now[i+1]-2*r.now[i])
	}
	r.now, r.next = r.next, r.now
}

// Cooled is a rod after some steps.
//
// Construct: slices in fields of a struct that change places, turn by turn: r.now, r.next = r.next, r.now
//
//surge:kernel
func Cooled(x []float64, by float64, steps uint8) ([]float64, float64) {
	r := Rod{now: make([]float64, len(x)), next: make([]float64, len(x))}
	copy(r.now, x)
	for range steps % 6 {
		r.step(by)
	}
	s := 0.0
	for _, e := range r.next {
		s = s/2 + e
	}
	return r.now, s
}

// Net is a layer of neurons.
type Net struct {
	W    [][]float64
	Bias []float64
	N    int
}

func newNet(n, inputs int) *Net {
	t := &Net{W: make([][]float64, n), Bias: make([]float64, n), N: n}
	for i := range t.W {
		t.W[i] = make([]float64, inputs)
		for j := range t.W[i] {
			t.W[i][j] = float64(i*j%5) - 2
		}
		t.Bias[i] = float64(i)
	}
	return t
}

func (t *Net) learn(x []float64, y float64) {
	for i, row := range t.W {
		wrong := y - t.Bias[i]
		for j := range row {
			t.W[i][j] += wrong * x[j] / 8
		}
	}
}

// Learned is what a layer answers that has learned.
//
// Construct: loops that make rows of a struct's field, t.W[i] = make(…), as constructors do
//
//surge:kernel
func Learned(x []float64, size, rounds uint8) []float64 {
	t := newNet(int(size%9), len(x))
	for r := range rounds % 4 {
		t.learn(x, float64(r))
	}
	out := make([]float64, t.N)
	for i, row := range t.W {
		out[i] = t.Bias[i]
		for j, w := range row {
			out[i] += w * x[j]
		}
	}
	return out
}

// Swayed reads two numbers of a row alternately, forwards and backwards, and two integers.
//
// Construct: sequences that a loop in an element gives each other's names, of several types
//
//surge:kernel
func Swayed(rows [][]float64, times int) []float64 {
	return ops.Map(func(row []float64) float64 {
		up, down := ops.Map(func(x float64) float64 { return x / 2 }, row), ops.Map(func(x float64) float64 { return -x }, row)
		low, high := ops.Map(func(x float64) int32 { return int32(len(row)) }, row), ops.Map(func(x float64) int32 { return 1 }, row)
		sum := 0.0
		for i := range max(0, min(times, len(row))) {
			up, down = down, up
			low, high = high, low
			sum += up[i] + down[len(row)-1-i]*float64(low[i]-high[i])
		}
		return sum
	}, rows)
}

type magnet struct {
	spins [][]int8
	flips int
}

func (m *magnet) around(y, x int) int {
	h, row := len(m.spins), m.spins[y]
	up, down := m.spins[(y+h-1)%h], m.spins[(y+1)%h]
	return int(up[x%len(up)]) + int(down[x%len(down)]) + int(row[(x+1)%len(row)])
}

func (m *magnet) sweep(least int) {
	for y := range m.spins {
		for x := range m.spins[y] {
			if m.around(y, x) < least {
				m.spins[y][x] = -m.spins[y][x]
				m.flips++
			}
		}
	}
}

// Magnetised turns spins with few neighbours like them.
//
// Construct: a field that gets one row a turn, m.spins = append(m.spins, row); h, row := len(rows), rows[y]
//
//surge:kernel
func Magnetised(spins [][]int8, least, sweeps int8) ([][]int8, int) {
	m := magnet{}
	for _, row := range spins {
		m.spins = append(m.spins, append(slices.Clone(row), 1))
	}
	for range min(sweeps, 9) {
		m.sweep(int(least))
	}
	return m.spins, m.flips
}

// Settling is x after so many steps in which each element becomes the mean of itself and what is around it, or as soon
// as a step changes nothing by more than a limit; with the number of steps, and how the last one was found.
//
// Construct: an exit before the exchange that ends a turn: if change < limit { return now, k }; now, next = next, now
//
//surge:kernel
func Settling(x []float64, limit float64, steps int) (settled []float64, turns, odd int) {
	a, b := slices.Clone(x), make([]float64, len(x))
	for turns < steps {
		change := 0.0
		for i := range b {
			before, after := a[max(i-1, 0)], a[min(i+1, len(a)-1)]
			b[i] = (before + 2*a[i] + after) / 4
			change = max(change, math.Abs(b[i]-a[i]))
		}
		turns++
		if change < limit {
			odd = turns % 2
			return a, turns, odd + 2
		}
		a, b = b, a
	}
	return a, turns, odd
}
