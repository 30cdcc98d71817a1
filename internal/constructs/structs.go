// Structs

package constructs

import "github.com/surge-ndp/surge/ops"

// Point is a point of the plane.
type Point struct{ X, Y float64 }

// Segment is a struct of structs.
type Segment struct {
	From, To Point
	Weight   float32
}

// Lengths takes structs.
//
// Construct: slices of structs as parameters, structs in structs
//
//surge:kernel
func Lengths(s []Segment) []float64 {
	return ops.Map(func(g Segment) float64 {
		dx, dy := g.To.X-g.From.X, g.To.Y-g.From.Y
		return (dx*dx + dy*dy) * float64(g.Weight)
	}, s)
}

// Midpoints makes structs.
//
// Construct: slices of structs as results, composite literals with field names
//
//surge:kernel
func Midpoints(s []Segment) []Point {
	return ops.Map(func(g Segment) Point {
		return Point{X: (g.From.X + g.To.X) / 2, Y: (g.From.Y + g.To.Y) / 2}
	}, s)
}

// Moved assigns a field.
//
// Construct: assignment to a field of a local struct
//
//surge:kernel
func Moved(p []Point, by Point) []Point {
	return ops.Map(func(q Point) Point {
		q.X += by.X
		q.Y -= by.Y
		return q
	}, p)
}

// Centre reduces structs.
//
// Construct: structs as the value of a reduction
//
//surge:kernel
func Centre(p []Point) Point {
	s := ops.Reduce(func(a, b Point) Point { return Point{a.X + b.X, a.Y + b.Y} }, p, Point{})
	n := float64(max(len(p), 1))
	return Point{s.X / n, s.Y / n}
}

// Same compares structs.
//
// Construct: comparison of structs
//
//surge:kernel
func Same(a, b []Point) []bool {
	return ops.Map2(func(p, q Point) bool { return p == q }, a, b)
}

// Cluster is a centre with a count.
type Cluster struct {
	Sum   [2]float64
	Count int
}

// Spread assigns elements of arrays in structs in a local slice.
//
// Construct: assignment to parts of parts: elements of arrays in structs in a local slice
//
//surge:kernel
func Spread(p []Point) float64 {
	clusters := make([]Cluster, 3)
	for _, q := range p {
		k := 0
		if q.X > q.Y {
			k = 1
		} else if q.X < 0 {
			k = 2
		}
		clusters[k].Sum[0] += q.X
		clusters[k].Sum[1] -= q.Y
		clusters[k].Count++
	}
	best := clusters[0]
	for _, c := range clusters {
		if c.Count > best.Count {
			best = c
		}
	}
	return best.Sum[0] + 2*best.Sum[1] + float64(best.Count)
}

type lot struct {
	ID     uint32
	Kind   uint8
	Weight int16
	Price  float32
	Sold   uint64
	Open   bool
}

// Draw gives lots other numbers.
//
// Construct: structs with numbers of all sizes, signed and unsigned, side by side
//
//surge:kernel
func Draw(lots []lot, tax float32) []lot {
	out := make([]lot, len(lots))
	for i, l := range lots {
		l.ID ^= l.ID << 13
		l.ID ^= l.ID >> 17
		l.Price += l.Price * tax
		l.Weight -= 3
		l.Kind = l.Kind*3 + 1
		l.Sold += uint64(l.ID)
		l.Open = l.ID%2 == 0
		out[i] = l
	}
	return out
}
