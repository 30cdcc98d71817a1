// Places

package corpus

import "math"

// Station is where a trace was recorded, and where it was shot.
type Station struct {
	Source, Receiver float64
}

// Migrate is Kirchhoff time migration of a line: each point of the image sums up the samples at the time that sound
// takes from the source to the point and back to the receiver.
//
//surge:kernel
func Migrate(traces [][]float32, stations []Station, velocity, dt, dx float64, nx, nz int) [][]float32 {
	image := make([][]float32, nx)
	for ix := range image {
		x := float64(ix) * dx
		column := make([]float32, nz)
		for iz := 0; iz < nz; iz++ {
			t0 := float64(iz) * dt / 2
			var sum float32
			for k, s := range stations {
				down := travel(x-s.Source, t0, velocity)
				up := travel(x-s.Receiver, t0, velocity)
				sample := (down + up) / dt
				i := int(sample)
				if i+1 >= len(traces[k]) {
					continue
				}
				f := float32(sample - float64(i))
				sum += traces[k][i]*(1-f) + traces[k][i+1]*f
			}
			column[iz] = sum
		}
		image[ix] = column
	}
	return image
}

func travel(offset, t0, velocity float64) float64 {
	h := offset / velocity
	return math.Sqrt(t0*t0 + h*h)
}

// Point3 is a point of a cloud.
type Point3 struct{ X, Y, Z float32 }

// Extent is an axis-aligned box.
type Extent struct{ Min, Max Point3 }

func spread(v uint32) uint64 {
	x := uint64(v) & 0x1fffff
	x = (x | x<<32) & 0x1f00000000ffff
	x = (x | x<<16) & 0x1f0000ff0000ff
	x = (x | x<<8) & 0x100f00f00f00f00f
	x = (x | x<<4) & 0x10c30c30c30c30c3
	x = (x | x<<2) & 0x1249249249249249
	return x
}

func (b Extent) cell(p Point3) (x, y, z uint32) {
	const cells = 1 << 21
	scale := func(v, lo, hi float32) uint32 {
		if hi <= lo {
			return 0
		}
		t := (v - lo) / (hi - lo)
		if t < 0 {
			t = 0
		}
		if t > 0.999999 {
			t = 0.999999
		}
		return uint32(t * cells)
	}
	return scale(p.X, b.Min.X, b.Max.X), scale(p.Y, b.Min.Y, b.Max.Y), scale(p.Z, b.Min.Z, b.Max.Z)
}

// MortonCodes gives each point the code of its cell along the Z-order curve.
//
//surge:kernel
func MortonCodes(points []Point3, box Extent) []uint64 {
	codes := make([]uint64, len(points))
	for i, p := range points {
		x, y, z := box.cell(p)
		codes[i] = spread(x) | spread(y)<<1 | spread(z)<<2
	}
	return codes
}

// Grid is a uniform grid over the plane, with the points of each cell behind one another.
type Grid struct {
	Size   float32
	W, H   int
	Starts []int32
	Order  []int32
}

// Neighbours counts for each point how many others lie within a radius, by the nine cells around it.
//
//surge:kernel
func Neighbours(xs, ys []float32, g Grid, radius float32) []int {
	counts := make([]int, len(xs))
	r2 := radius * radius
	for i := range xs {
		cx, cy := int(xs[i]/g.Size), int(ys[i]/g.Size)
		n := 0
		for dy := -1; dy <= 1; dy++ {
			for dx := -1; dx <= 1; dx++ {
				x, y := cx+dx, cy+dy
				if x < 0 || y < 0 || x >= g.W || y >= g.H {
					continue
				}
				c := y*g.W + x
				for _, j := range g.Order[g.Starts[c]:g.Starts[c+1]] {
					ddx, ddy := xs[i]-xs[j], ys[i]-ys[j]
					if ddx*ddx+ddy*ddy <= r2 && int(j) != i {
						n++
					}
				}
			}
		}
		counts[i] = n
	}
	return counts
}

const base32 = "0123456789bcdefghjkmnpqrstuvwxyz"

// Coordinate is a place on earth, in degrees.
type Coordinate struct{ Lat, Lon float64 }

// Geohashes encodes places with eight characters each.
//
//surge:kernel
func Geohashes(places []Coordinate) [][8]byte {
	out := make([][8]byte, len(places))
	for i, p := range places {
		latLo, latHi := -90.0, 90.0
		lonLo, lonHi := -180.0, 180.0
		even := true
		var hash [8]byte
		for c := range hash {
			bits := 0
			for b := 0; b < 5; b++ {
				bits <<= 1
				if even {
					mid := (lonLo + lonHi) / 2
					if p.Lon >= mid {
						bits |= 1
						lonLo = mid
					} else {
						lonHi = mid
					}
				} else {
					mid := (latLo + latHi) / 2
					if p.Lat >= mid {
						bits |= 1
						latLo = mid
					} else {
						latHi = mid
					}
				}
				even = !even
			}
			hash[c] = base32[bits]
		}
		out[i] = hash
	}
	return out
}

// XY is a point of the plane.
type XY struct{ X, Y float64 }

// Corners has three corners.
type Corners [3]XY

// Window is a rectangle.
type Window struct{ X0, Y0, X1, Y1 float64 }

// clip cuts a polygon of n corners at one side of the window, by Sutherland and Hodgman.
func (w Window) clip(poly [9]XY, n, side int) (out [9]XY, m int) {
	dist := func(p XY) float64 {
		switch side {
		case 0:
			return p.X - w.X0
		case 1:
			return w.X1 - p.X
		case 2:
			return p.Y - w.Y0
		default:
			return w.Y1 - p.Y
		}
	}
	for i := 0; i < n; i++ {
		a, b := poly[i], poly[(i+1)%n]
		da, db := dist(a), dist(b)
		if da >= 0 {
			out[m] = a
			m++
		}
		if (da >= 0) != (db >= 0) {
			t := da / (da - db)
			out[m] = XY{a.X + t*(b.X-a.X), a.Y + t*(b.Y-a.Y)}
			m++
		}
	}
	return out, m
}

// Coverage is the area of each triangle that lies within the window.
//
//surge:kernel
func Coverage(triangles []Corners, w Window) []float64 {
	areas := make([]float64, len(triangles))
	for i, t := range triangles {
		var poly [9]XY
		n := copy(poly[:], t[:])
		for side := 0; side < 4 && n > 0; side++ {
			poly, n = w.clip(poly, n, side)
		}
		area := 0.0
		for j := 0; j < n; j++ {
			a, b := poly[j], poly[(j+1)%n]
			area += a.X*b.Y - b.X*a.Y
		}
		areas[i] = math.Abs(area) / 2
	}
	return areas
}
