// Package accelerate has the examples of Accelerate that the literature on nested data parallelism measures.
package accelerate

import "math"

// Mandelbrot counts the turns until points leave a circle, for a picture of the plane.
//
//surge:kernel
func Mandelbrot(width, height, limit int, left, top, right, bottom float32) []int32 {
	picture := make([]int32, width*height)
	for y := range height {
		for x := range width {
			cr := left + float32(x)*(right-left)/float32(width)
			ci := top + float32(y)*(bottom-top)/float32(height)
			zr, zi := cr, ci
			n := int32(0)
			for n < int32(limit) && zr*zr+zi*zi < 4 {
				zr, zi = zr*zr-zi*zi+cr, 2*zr*zi+ci
				n++
			}
			picture[y*width+x] = n
		}
	}
	return picture
}

// Vector is a vector in space.
type Vector struct{ X, Y, Z float32 }

// Body is a mass that moves.
type Body struct {
	Position, Velocity Vector
	Mass               float32
}

// NBody moves bodies that attract each other for some steps.
//
//surge:kernel
func NBody(bodies []Body, steps int, dt, softening float32) []Body {
	now := make([]Body, len(bodies))
	copy(now, bodies)
	for range steps {
		next := make([]Body, len(now))
		for i, b := range now {
			var a Vector
			for _, o := range now {
				d := Vector{o.Position.X - b.Position.X, o.Position.Y - b.Position.Y, o.Position.Z - b.Position.Z}
				r2 := d.X*d.X + d.Y*d.Y + d.Z*d.Z + softening*softening
				inv := 1 / float32(math.Sqrt(float64(r2)))
				s := o.Mass * inv * inv * inv
				a.X += d.X * s
				a.Y += d.Y * s
				a.Z += d.Z * s
			}
			b.Velocity.X += a.X * dt
			b.Velocity.Y += a.Y * dt
			b.Velocity.Z += a.Z * dt
			b.Position.X += b.Velocity.X * dt
			b.Position.Y += b.Velocity.Y * dt
			b.Position.Z += b.Velocity.Z * dt
			next[i] = b
		}
		now = next
	}
	return now
}

// wave is one of the waves of a crystal, at an angle.
func wave(angle, x, y, scale float32) float32 {
	sin, cos := math.Sincos(float64(angle))
	return (float32(math.Cos(float64(float32(cos)*x*scale+float32(sin)*y*scale))) + 1) / 2
}

// Crystal is a picture of waves from as many directions, folded into shades.
//
//surge:kernel
func Crystal(size, degree int, scale, time float32) []uint8 {
	picture := make([]uint8, size*size)
	for y := range size {
		for x := range size {
			px := float32(x)/float32(size)*2 - 1
			py := float32(y)/float32(size)*2 - 1
			var sum float32
			for d := range degree {
				sum += wave(time+float32(d)*math.Pi/float32(degree), px, py, scale)
			}
			whole := float32(math.Floor(float64(sum)))
			part := sum - whole
			if int(whole)%2 != 0 {
				part = 1 - part
			}
			picture[y*size+x] = uint8(255 * part)
		}
	}
	return picture
}

// Tunnel is a picture of a tunnel whose wall has stripes.
//
//surge:kernel
func Tunnel(width, height int, time float32) [][3]uint8 {
	picture := make([][3]uint8, width*height)
	for y := range height {
		for x := range width {
			u := 2*float32(x)/float32(width) - 1
			v := 2*float32(y)/float32(height) - 1
			r := float32(math.Sqrt(float64(u*u + v*v)))
			angle := float32(math.Atan2(float64(v), float64(u)))
			depth := 0.3 / max(r, 0.01)
			stripe := float32(math.Sin(float64(20*(depth+time)))) * float32(math.Cos(float64(8*angle)))
			shade := min(r*1.5, 1) * (stripe + 1) / 2
			picture[y*width+x] = [3]uint8{uint8(255 * shade), uint8(255 * shade * shade), uint8(160 * (1 - shade))}
		}
	}
	return picture
}

// Grid is a field over a square with a border of one cell all around: side+2 each way.
type Grid struct {
	Cells []float32
	Side  int
}

func (g Grid) at(x, y int) int { return y*(g.Side+2) + x }

// border sets the cells of the border from those beside them: with their sign turned at walls along x or y.
func (g Grid) border(turnX, turnY bool) {
	n := g.Side
	sx, sy := float32(1), float32(1)
	if turnX {
		sx = -1
	}
	if turnY {
		sy = -1
	}
	for i := 1; i <= n; i++ {
		g.Cells[g.at(0, i)] = sx * g.Cells[g.at(1, i)]
		g.Cells[g.at(n+1, i)] = sx * g.Cells[g.at(n, i)]
		g.Cells[g.at(i, 0)] = sy * g.Cells[g.at(i, 1)]
		g.Cells[g.at(i, n+1)] = sy * g.Cells[g.at(i, n)]
	}
	g.Cells[g.at(0, 0)] = 0.5 * (g.Cells[g.at(1, 0)] + g.Cells[g.at(0, 1)])
	g.Cells[g.at(0, n+1)] = 0.5 * (g.Cells[g.at(1, n+1)] + g.Cells[g.at(0, n)])
	g.Cells[g.at(n+1, 0)] = 0.5 * (g.Cells[g.at(n, 0)] + g.Cells[g.at(n+1, 1)])
	g.Cells[g.at(n+1, n+1)] = 0.5 * (g.Cells[g.at(n, n+1)] + g.Cells[g.at(n+1, n)])
}

// Fluid spreads a density over a square for some steps: diffusion by Jacobi's iteration, and a turn of the flow along
// velocities that stay.
//
//surge:kernel
func Fluid(density Grid, vx, vy []float32, steps, turns int, dt, rate float32) []float32 {
	n := density.Side
	now := Grid{make([]float32, len(density.Cells)), n}
	copy(now.Cells, density.Cells)
	for range steps {
		a := dt * rate * float32(n*n)
		before := make([]float32, len(now.Cells))
		copy(before, now.Cells)
		for range turns {
			next := make([]float32, len(now.Cells))
			for y := 1; y <= n; y++ {
				for x := 1; x <= n; x++ {
					i := now.at(x, y)
					next[i] = (before[i] + a*(now.Cells[i-1]+now.Cells[i+1]+now.Cells[i-n-2]+now.Cells[i+n+2])) / (1 + 4*a)
				}
			}
			now = Grid{next, n}
			now.border(false, false)
		}
		moved := make([]float32, len(now.Cells))
		for y := 1; y <= n; y++ {
			for x := 1; x <= n; x++ {
				i := now.at(x, y)
				fx := min(max(float32(x)-dt*float32(n)*vx[i], 0.5), float32(n)+0.5)
				fy := min(max(float32(y)-dt*float32(n)*vy[i], 0.5), float32(n)+0.5)
				x0, y0 := int(fx), int(fy)
				s, t := fx-float32(x0), fy-float32(y0)
				k := now.at(x0, y0)
				moved[i] = (1-s)*((1-t)*now.Cells[k]+t*now.Cells[k+n+2]) + s*((1-t)*now.Cells[k+1]+t*now.Cells[k+n+3])
			}
		}
		now = Grid{moved, n}
		now.border(false, false)
	}
	return now.Cells
}
