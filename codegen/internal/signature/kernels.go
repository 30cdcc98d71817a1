// Package signature has a kernel for each form of parameters and results.
package signature

import (
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
