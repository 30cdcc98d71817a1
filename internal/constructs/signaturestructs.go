// Structs

package constructs

import (
	"math/rand/v2"

	"github.com/surge-ndp/surge/ops"
)

// DenseMatrix is a dense matrix.
type DenseMatrix struct {
	Data       []float64
	Rows, Cols int
}

// MulVec multiplies a matrix with a vector.
//
// Construct: a struct with slices as a parameter, its fields bound one by one
//
//surge:kernel
func MulVec(m DenseMatrix, x []float64) []float64 {
	return ops.Map(func(row []float64) float64 {
		return ops.Reduce(func(a, b float64) float64 { return a + b }, ops.Map2(func(a, b float64) float64 { return a * b }, row, x), 0)
	}, ops.Split(m.Data, m.Cols))
}

// Halved returns a matrix.
//
// Construct: a struct with slices as a result
//
//surge:kernel
func Halved(m DenseMatrix) (half DenseMatrix, sum float64) {
	data := ops.Map(func(x float64) float64 { return x / 2 }, m.Data)
	return DenseMatrix{data, m.Rows, m.Cols}, ops.Reduce(func(a, b float64) float64 { return a + b }, data, 0)
}

// IDPolygon has a slice in each element of a sequence.
type IDPolygon struct {
	ID     TradeSide
	Points []Corner
}

// Corner is a position.
type Corner struct{ X, Y float64 }

// Areas moves each polygon by the sum of its points.
//
// Construct: elements that are structs with slices, as a parameter
//
//surge:kernel
func Areas(ps []IDPolygon) []float64 {
	return ops.Map(func(p IDPolygon) float64 {
		return float64(p.ID) + ops.Reduce(func(a, b float64) float64 { return a + b }, ops.Map(func(q Corner) float64 { return q.X * q.Y }, p.Points), 0)
	}, ps)
}

// MovedPolygons moves each polygon.
//
// Construct: elements that are structs with slices, as a result
//
//surge:kernel
func MovedPolygons(ps []IDPolygon, by Corner) []IDPolygon {
	return ops.Map(func(p IDPolygon) IDPolygon {
		return IDPolygon{p.ID + 1, ops.Map(func(q Corner) Corner { return Corner{q.X + by.X, q.Y + by.Y} }, p.Points)}
	}, ps)
}

// Mirrored mirrors rows of points.
//
// Construct: slices of slices of structs, as a parameter and a result
//
//surge:kernel
func Mirrored(rows [][]Corner) [][]Corner {
	return ops.Map(func(row []Corner) []Corner {
		return ops.Map(func(q Corner) Corner { return Corner{-q.X, q.Y} }, row)
	}, rows)
}

// InputsMulVec makes a matrix and a vector as long as its rows.
func InputsMulVec(n int, r *rand.Rand) []any {
	m := matrix(n, r)
	x := make([]float64, m.Cols)
	for i := range x {
		x[i] = r.Float64()
	}
	return []any{m, x}
}

// SharedCorners counts the corners that two polygons of the same number share.
//
// Construct: two parameters whose elements are structs with slices
//
//surge:kernel
func SharedCorners(ps, qs []IDPolygon) []int {
	counts := make([]int, len(ps))
	for i, p := range ps {
		if i >= len(qs) {
			break
		}
		for _, a := range p.Points {
			for _, b := range qs[i].Points {
				if a == b {
					counts[i]++
				}
			}
		}
	}
	return counts
}
