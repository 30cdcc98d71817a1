// Package signature has a kernel for each form of parameters and results.
package signature

import (
	"math/rand/v2"
	"time"

	"github.com/surge-ndp/surge/ops"
)

// Side is a number of a type of its own.
type Side int32

// Price is one too.
type Price float64

// Vector and Grid are sequences of types of their own.
type (
	Vector []float64
	Cells  []Side
	Grid   []Cells
)

// Signed gives each side a sign.
//
//surge:kernel
func Signed(sides []Side, prices []Price, scale Price) ([]Price, []Side, Side) {
	signed := ops.Map2(func(s Side, p Price) Price {
		if s < 0 {
			return -p * scale
		}
		return p * scale
	}, sides, prices)
	flipped := ops.Map(func(s Side) Side { return -s }, sides)
	return signed, flipped, ops.Reduce(func(a, b Side) Side { return a + b }, sides, 0)
}

// Total adds waits up, and the time that each leaves of a limit.
//
//surge:kernel
func Total(waits []time.Duration, limit time.Duration) (total time.Duration, left []time.Duration) {
	total = ops.Reduce(func(a, b time.Duration) time.Duration { return a + b }, waits, 0)
	left = ops.Map(func(w time.Duration) time.Duration { return max(limit-w, 0) }, waits)
	return total, left
}

// Scaled takes and returns a named sequence.
//
//surge:kernel
func Scaled(v Vector, by float64) Vector {
	return ops.Map(func(x float64) float64 { return x * by }, v)
}

// Count adds up the cells of each row of a grid, and returns the grid with its signs changed.
//
//surge:kernel
func Count(g Grid) ([]Side, Grid) {
	sums := ops.Map(func(row Cells) Side { return ops.Reduce(func(a, b Side) Side { return a + b }, row, 0) }, g)
	negated := ops.Map(func(row Cells) Cells { return ops.Map(func(c Side) Side { return -c }, row) }, g)
	return sums, negated
}

// Matrix is a dense matrix.
type Matrix struct {
	Data       []float64
	Rows, Cols int
}

// MulVec multiplies a matrix with a vector.
//
//surge:kernel
func MulVec(m Matrix, x []float64) []float64 {
	return ops.Map(func(row []float64) float64 {
		return ops.Reduce(func(a, b float64) float64 { return a + b }, ops.Map2(func(a, b float64) float64 { return a * b }, row, x), 0)
	}, ops.Split(m.Data, m.Cols))
}

// Half returns a matrix.
//
//surge:kernel
func Half(m Matrix) (half Matrix, sum float64) {
	data := ops.Map(func(x float64) float64 { return x / 2 }, m.Data)
	return Matrix{data, m.Rows, m.Cols}, ops.Reduce(func(a, b float64) float64 { return a + b }, data, 0)
}

// Polygon has a slice in each element of a sequence.
type Polygon struct {
	ID     Side
	Points []Point
}

// Point is a position.
type Point struct{ X, Y float64 }

// Shift moves each polygon by the sum of its points.
//
//surge:kernel
func Shift(ps []Polygon) []float64 {
	return ops.Map(func(p Polygon) float64 {
		return float64(p.ID) + ops.Reduce(func(a, b float64) float64 { return a + b }, ops.Map(func(q Point) float64 { return q.X * q.Y }, p.Points), 0)
	}, ps)
}

// Moved moves each polygon.
//
//surge:kernel
func Moved(ps []Polygon, by Point) []Polygon {
	return ops.Map(func(p Polygon) Polygon {
		return Polygon{p.ID + 1, ops.Map(func(q Point) Point { return Point{q.X + by.X, q.Y + by.Y} }, p.Points)}
	}, ps)
}

// Mirrored mirrors rows of points.
//
//surge:kernel
func Mirrored(rows [][]Point) [][]Point {
	return ops.Map(func(row []Point) []Point {
		return ops.Map(func(q Point) Point { return Point{-q.X, q.Y} }, row)
	}, rows)
}

// Trace adds the diagonal of a matrix up.
//
//surge:kernel
func (m *Matrix) Trace() float64 {
	return ops.Reduce(func(a, b float64) float64 { return a + b }, ops.Map(func(i int) float64 { return m.Data[i*m.Cols+i] }, ops.Range(0, min(m.Rows, m.Cols), 1)), 0)
}

// InputsMatrixTrace makes matrices.
func InputsMatrixTrace(n int, r *rand.Rand) []any {
	m := matrix(n, r)
	return []any{&m}
}

func matrix(n int, r *rand.Rand) Matrix {
	cols := 1 + n%7
	m := Matrix{make([]float64, n/cols*cols), n / cols, cols}
	for i := range m.Data {
		m.Data[i] = r.Float64()
	}
	return m
}

// Add adds a vector to a vector.
//
//surge:kernel
func (v Vector) Add(w Vector) Vector {
	return ops.Map2(func(a, b float64) float64 { return a + b }, v, w)
}

// Largest takes any number of arguments.
//
//surge:kernel
func Largest(x ...float64) float64 {
	return ops.Reduce(func(a, b float64) float64 { return max(a, b) }, x, 0)
}

// Rotated turns vectors by a matrix.
//
//surge:kernel
func Rotated(by [2][2]float64, p [2]float64, ps [][2]float64) ([2]float64, [][2]float64) {
	turn := func(q [2]float64) [2]float64 {
		return [2]float64{by[0][0]*q[0] + by[0][1]*q[1], by[1][0]*q[0] + by[1][1]*q[1]}
	}
	return turn(p), ops.Map(turn, ps)
}

// Spun multiplies complex numbers.
//
//surge:kernel
func Spun(z []complex128, by complex128, w []complex64) ([]complex128, complex128, []complex64) {
	spun := ops.Map(func(x complex128) complex128 { return x * by }, z)
	return spun, by * by, ops.Map(func(x complex64) complex64 { return x + 1i }, w)
}

// Letters counts a letter in a text, in bytes and in words.
//
//surge:kernel
func Letters(text string, data []byte, words []string, letter byte) (int, int, []int) {
	count := func(s []byte) int {
		return ops.Reduce(func(a, b int) int { return a + b }, ops.Map(func(c byte) int {
			if c == letter {
				return 1
			}
			return 0
		}, s), 0)
	}
	n := 0
	for i := 0; i < len(text); i++ {
		if text[i] == letter {
			n++
		}
	}
	return n, count(data), ops.Map(func(w string) int {
		n := 0
		for i := 0; i < len(w); i++ {
			if w[i] == letter {
				n++
			}
		}
		return n
	}, words)
}
