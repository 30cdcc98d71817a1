// Geometry

package corpus

import (
	"math"

	"github.com/surge-ndp/surge/ops"
)

// Point is a point of the plane.
type Point struct{ X, Y float64 }

// Polygon is a closed line.
type Polygon []Point

// Contains tells whether a point lies inside.
func (g Polygon) Contains(p Point) bool {
	inside := false
	for i, a := range g {
		b := g[(i+1)%len(g)]
		if (a.Y > p.Y) != (b.Y > p.Y) && p.X < (b.X-a.X)*(p.Y-a.Y)/(b.Y-a.Y)+a.X {
			inside = !inside
		}
	}
	return inside
}

// Inside tells which points lie in a polygon.
//
//surge:kernel
func Inside(g Polygon, points []Point) []bool { return ops.Map(g.Contains, points) }

// Vec3 is a vector in space.
type Vec3 [3]float64

func (a Vec3) Sub(b Vec3) Vec3    { return Vec3{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
func (a Vec3) Dot(b Vec3) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
func (a Vec3) Cross(b Vec3) Vec3 {
	return Vec3{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// Ray is a ray.
type Ray struct{ From, Dir Vec3 }

// Triangle is a triangle in space.
type Triangle [3]Vec3

// hit is how far a ray flies until it meets the triangle (Möller and Trumbore).
func (t *Triangle) hit(r Ray) (distance float64, ok bool) {
	e1, e2 := t[1].Sub(t[0]), t[2].Sub(t[0])
	p := r.Dir.Cross(e2)
	det := e1.Dot(p)
	if math.Abs(det) < 1e-9 {
		return 0, false
	}
	s := r.From.Sub(t[0])
	u := s.Dot(p) / det
	if u < 0 || u > 1 {
		return 0, false
	}
	q := s.Cross(e1)
	v := r.Dir.Dot(q) / det
	if v < 0 || u+v > 1 {
		return 0, false
	}
	distance = e2.Dot(q) / det
	return distance, distance > 1e-9
}

// Trace finds the triangle that each ray meets first, -1 if there is none.
//
//surge:kernel
func Trace(rays []Ray, triangles []Triangle) (first []int, distance []float64) {
	type meeting struct {
		triangle int
		distance float64
	}
	found := ops.Map(func(r Ray) meeting {
		m := meeting{-1, math.Inf(1)}
		for i := range triangles {
			if d, ok := triangles[i].hit(r); ok && d < m.distance {
				m = meeting{i, d}
			}
		}
		return m
	}, rays)
	return ops.Map(func(m meeting) int { return m.triangle }, found), ops.Map(func(m meeting) float64 { return m.distance }, found)
}

// Degrees is an angle.
type Degrees float64

// Sincos is the sine and the cosine.
func (d Degrees) Sincos() (sin, cos float64) { return math.Sincos(float64(d) * math.Pi / 180) }

// Place is a place on the globe.
type Place struct{ Lat, Lon Degrees }

// distance is the distance in metres, by the formula of haversines.
func (p Place) distance(q Place) float64 {
	const diameter = 2 * 6371e3
	s1, _ := ((q.Lat - p.Lat) / 2).Sincos()
	s2, _ := ((q.Lon - p.Lon) / 2).Sincos()
	_, c1 := p.Lat.Sincos()
	_, c2 := q.Lat.Sincos()
	return diameter * math.Asin(math.Sqrt(s1*s1+c1*c2*s2*s2))
}

// Nearest finds the station that is nearest to each place.
//
//surge:kernel
func Nearest(places, stations []Place) []int32 {
	return ops.Map(func(p Place) int32 {
		best, least := int32(-1), math.Inf(1)
		for i, s := range stations {
			if d := p.distance(s); d < least {
				best, least = int32(i), d
			}
		}
		return best
	}, places)
}

// Mat4 is a matrix of homogeneous coordinates.
type Mat4 [4][4]float32

// Vertex is a corner of a model.
type Vertex struct{ X, Y, Z float32 }

// Project moves vertices by a matrix, and divides by the distance.
//
//surge:kernel
func Project(m Mat4, vertices []Vertex) []Vertex {
	return ops.Map(func(v Vertex) Vertex {
		in := [4]float32{v.X, v.Y, v.Z, 1}
		var out [4]float32
		for i, row := range m {
			for j, c := range row {
				out[i] += c * in[j]
			}
		}
		return Vertex{out[0] / out[3], out[1] / out[3], out[2] / out[3]}
	}, vertices)
}

// Box is a box around points.
type Box struct{ Min, Max Point }

// EmptyBox is around no point.
var EmptyBox = Box{Point{math.Inf(1), math.Inf(1)}, Point{math.Inf(-1), math.Inf(-1)}}

// Extend makes the box large enough for a point.
func (b *Box) Extend(p Point) {
	b.Min.X, b.Min.Y = min(b.Min.X, p.X), min(b.Min.Y, p.Y)
	b.Max.X, b.Max.Y = max(b.Max.X, p.X), max(b.Max.Y, p.Y)
}

// Union is the box around two.
func (b Box) Union(c Box) Box {
	b.Extend(c.Min)
	b.Extend(c.Max)
	return b
}

// Bounds are the boxes around lines, and around all of them.
//
//surge:kernel
func Bounds(lines [][]Point) ([]Box, Box) {
	boxes := ops.Map(func(line []Point) Box {
		box := EmptyBox
		for _, p := range line {
			box.Extend(p)
		}
		return box
	}, lines)
	return boxes, ops.Reduce(Box.Union, boxes, EmptyBox)
}
