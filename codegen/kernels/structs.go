package kernels

import "github.com/surge-ndp/surge/ops"

// Kind is a species of particles.
type Kind int32

// Point is a position in the plane.
type Point struct{ X, Y float64 }

// Particle is an element of inputs and results.
type Particle struct {
	At, Velocity Point
	Mass         float32
	Kind         Kind
	Fixed        bool
}

// Totals is what a reduction over particles yields.
type Totals struct {
	Mass   float64
	Center Point
	Count  int
}

// Drift moves each particle and sums them up: structs in, structs out.
//
//surge:kernel
func Drift(particles []Particle, wind Point, dt float64) ([]Particle, Totals, []float64) {
	moved := ops.Map(func(p Particle) Particle {
		if !p.Fixed {
			p.At.X += dt * (p.Velocity.X + wind.X)
			p.At.Y += dt * (p.Velocity.Y + wind.Y)
		}
		return p
	}, particles)
	sum := ops.Reduce(func(a, b Totals) Totals {
		return Totals{a.Mass + b.Mass, Point{a.Center.X + b.Center.X, a.Center.Y + b.Center.Y}, a.Count + b.Count}
	}, ops.Map(func(p Particle) Totals {
		m := float64(p.Mass)
		return Totals{m, Point{m * p.At.X, m * p.At.Y}, 1}
	}, moved), Totals{})
	return moved, sum, ops.Map(func(p Particle) float64 { return p.At.X * p.At.Y }, moved)
}

// Centers averages the points of each row.
//
//surge:kernel
func Centers(rows [][]Point) []Point {
	return ops.Map(func(row []Point) Point {
		s := ops.Reduce(func(a, b Point) Point { return Point{a.X + b.X, a.Y + b.Y} }, row, Point{})
		n := float64(max(len(row), 1))
		return Point{s.X / n, s.Y / n}
	}, rows)
}
