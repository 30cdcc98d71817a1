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

// Pixel is a color.
type Pixel struct{ R, G, B, A float32 }

// Tint is map over structs: each field is read and written once, where it lies.
//
//surge:kernel
func Tint(pixels []Pixel, strength float32) []Pixel {
	return ops.Map(func(p Pixel) Pixel {
		grey := 0.3*p.R + 0.6*p.G + 0.1*p.B
		return Pixel{min(1, p.R+strength*(grey-p.R)), min(1, p.G+strength*(grey-p.G)), min(1, p.B+strength*(grey-p.B)), p.A}
	}, pixels)
}

// RGB is a color of bytes.
type RGB struct{ R, G, B uint8 }

// Greys computes with bytes, and returns a field of the input as it is.
//
//surge:kernel
func Greys(pixels []RGB) ([]RGB, []uint8, int) {
	greys := ops.Map(func(p RGB) uint8 { return uint8((77*int(p.R) + 150*int(p.G) + 29*int(p.B)) >> 8) }, pixels)
	dark := ops.Reduce(func(a, b int) int { return a + b }, ops.Map(func(p RGB) int {
		if p.R < 100 {
			return int(p.G)
		}
		return 0
	}, pixels), 0)
	return ops.Map2(func(p RGB, g uint8) RGB { return RGB{p.B, g, p.R} }, pixels, greys), ops.Map(func(p RGB) uint8 { return p.B }, pixels), dark
}

// Body pulls at others.
type Body struct {
	At, Velocity Point
	Mass         float64
}

// Attract reads the places of all bodies for each of them, so that these are copied; the velocities are not.
//
//surge:kernel
func Attract(bodies []Body, dt float64) []Body {
	return ops.Map(func(b Body) Body {
		pull := ops.Reduce(func(a, b Point) Point { return Point{a.X + b.X, a.Y + b.Y} }, ops.Map(func(o Body) Point {
			dx, dy := o.At.X-b.At.X, o.At.Y-b.At.Y
			s := o.Mass / (dx*dx + dy*dy + 0.5)
			return Point{s * dx, s * dy}
		}, bodies), Point{})
		b.Velocity.X += dt * pull.X
		b.Velocity.Y += dt * pull.Y
		return b
	}, bodies)
}

// Edge is an entry of a graph.
type Edge struct {
	To     int32
	Weight float64
}

// Spread reads structs in rows, and what their indices point to.
//
//surge:kernel
func Spread(edges []Edge, offsets []int32, x []float64) []float64 {
	return ops.Map(func(row []Edge) float64 {
		return ops.Reduce(func(a, b float64) float64 { return a + b }, ops.Map(func(e Edge) float64 { return e.Weight * x[e.To] }, row), 0)
	}, ops.Nest(edges, offsets))
}

// Visits reads structs by computed indices, beside each other and under a condition.
//
//surge:kernel
func Visits(points []Point, tour []int32) ([]float64, float64) {
	steps := ops.Map(func(i int) float64 {
		p, q := points[tour[i]], points[tour[i+1]]
		return (p.X-q.X)*(p.X-q.X) + (p.Y-q.Y)*(p.Y-q.Y)
	}, ops.Range(0, max(len(tour)-1, 0), 1))
	walk := ops.Reduce(func(a, b float64) float64 { return a + b }, ops.Map(func(i int) float64 {
		d := points[i+1].X - points[i].X
		if d < 0 {
			return points[i].Y
		}
		return d
	}, ops.Range(0, max(len(points)-1, 0), 1)), 0)
	return steps, walk
}
