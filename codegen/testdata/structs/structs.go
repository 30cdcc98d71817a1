// Package structs has kernels that read and write fields of structs in several ways.
package structs

import "github.com/surge-ndp/surge/ops"

// Label is a name of a number.
type Label uint8

// P is an element.
type P struct {
	X, Y float64
	N    int32
	Tag  Label
}

func sum(a, b float64) float64 { return a + b }

// Scale reads and writes each element once.
//
//surge:kernel
func Scale(ps []P, by float64) []P {
	return ops.Map(func(p P) P { return P{X: by * p.X, Y: by * p.Y, N: p.N + 1, Tag: 3} }, ps)
}

// Total reads one field.
//
//surge:kernel
func Total(ps []P) float64 {
	return ops.Reduce(sum, ops.Map(func(p P) float64 { return p.X }, ps), 0)
}

// Pairs reads X of all for each.
//
//surge:kernel
func Pairs(ps []P) []float64 {
	return ops.Map(func(p P) float64 {
		return p.Y * ops.Reduce(sum, ops.Map(func(q P) float64 { return (p.X - q.X) * (p.X - q.X) }, ps), 0)
	}, ps)
}

// Triangle reads X of those before each.
//
//surge:kernel
func Triangle(ps []P) []float64 {
	return ops.Map(func(i int) float64 {
		return ops.Reduce(sum, ops.Map(func(j int) float64 { return ps[j].X * ps[i].X }, ops.Range(0, i, 1)), 0)
	}, ops.Range(0, len(ps), 1))
}

// Gathered reads X where indices say.
//
//surge:kernel
func Gathered(ps []P, at []int32) []float64 {
	return ops.Map(func(i int32) float64 { return 2 * ps[i].X }, at)
}

// Rows reads rows of structs.
//
//surge:kernel
func Rows(rows [][]P) []float64 {
	return ops.Map(func(row []P) float64 {
		return ops.Reduce(sum, ops.Map(func(p P) float64 { return p.X * p.Y }, row), 0)
	}, rows)
}

// Column returns a field as it is.
//
//surge:kernel
func Column(ps []P) ([]float64, []float64) {
	return ops.Map(func(p P) float64 { return p.X }, ps), ops.Map(func(p P) float64 { return -p.Y }, ps)
}

// Often reads X in computations that depend on each other.
//
//surge:kernel
func Often(ps []P) float64 {
	a := ops.Reduce(sum, ops.Map(func(p P) float64 { return p.X }, ps), 0)
	b := ops.Reduce(sum, ops.Map(func(p P) float64 { return p.X * a }, ps), 0)
	c := ops.Reduce(sum, ops.Map(func(p P) float64 { return p.X * b }, ps), 0)
	return ops.Reduce(sum, ops.Map(func(p P) float64 { return p.X * c }, ps), 0)
}

// Turns reads X in each turn of a loop.
//
//surge:kernel
func Turns(ps []P, n int) float64 {
	s := 0.0
	for range n {
		s = ops.Reduce(sum, ops.Map(func(p P) float64 { return p.X * s }, ps), 1)
	}
	return s
}

// Offsets has the offsets of rows in structs.
//
//surge:kernel
func Offsets(x []float64, ps []P) []float64 {
	return ops.Map(func(row []float64) float64 { return ops.Reduce(sum, row, 0) }, ops.Nest(x, ops.Map(func(p P) int32 { return p.N }, ps)))
}
