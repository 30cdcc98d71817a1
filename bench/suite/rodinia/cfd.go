package rodinia

import "math"

const (
	gamma = 1.4
	// What lies behind a face: another element, a wall, or the flow far away.
	wall, farAway = -1, -2
)

// Flow is the state of the air in an element: density, momentum, energy.
type Flow struct{ Density, X, Y, Z, Energy float32 }

// Face is one of the four faces of an element: what lies behind it, and its normal, as long as the face is large.
type Face struct {
	Neighbour int32
	X, Y, Z   float32
}

// flux is what flows along each axis.
type flux struct{ density, momentumX, momentumY, momentumZ, energy [3]float32 }

func (f Flow) velocity() (x, y, z float32) {
	return f.X / f.Density, f.Y / f.Density, f.Z / f.Density
}

func (f Flow) pressure() float32 {
	x, y, z := f.velocity()
	return (gamma - 1) * (f.Energy - 0.5*f.Density*(x*x+y*y+z*z))
}

func (f Flow) flux() flux {
	x, y, z := f.velocity()
	p := f.pressure()
	e := f.Energy + p
	return flux{
		density:   [3]float32{f.X, f.Y, f.Z},
		momentumX: [3]float32{x*f.X + p, x * f.Y, x * f.Z},
		momentumY: [3]float32{x * f.Y, y*f.Y + p, y * f.Z},
		momentumZ: [3]float32{x * f.Z, y * f.Z, z*f.Z + p},
		energy:    [3]float32{x * e, y * e, z * e},
	}
}

func speedOfSound(density, pressure float32) float32 {
	return float32(math.Sqrt(float64(gamma * pressure / density)))
}

func through(a, b [3]float32, face Face) float32 {
	return 0.5 * (face.X*(a[0]+b[0]) + face.Y*(a[1]+b[1]) + face.Z*(a[2]+b[2]))
}

// CFD is Rodinia's solver of Euler's equations for a compressible flow over an unstructured grid, whose elements have
// four faces: in each step a length of time for each element, and three stages of Runge and Kutta.
//
//surge:kernel
func CFD(start []Flow, faces [][4]Face, areas []float32, far Flow, steps int) []Flow {
	now := make([]Flow, len(start))
	copy(now, start)
	farFlux := far.flux()
	for range steps {
		old := make([]Flow, len(now))
		copy(old, now)
		factors := make([]float32, len(now))
		for i, f := range now {
			x, y, z := f.velocity()
			speed := float32(math.Sqrt(float64(x*x + y*y + z*z)))
			factors[i] = 0.5 / (float32(math.Sqrt(float64(areas[i]))) * (speed + speedOfSound(f.Density, f.pressure())))
		}
		for stage := range 3 {
			fluxes := make([]Flow, len(now))
			for i, f := range now {
				x, y, z := f.velocity()
				speed := float32(math.Sqrt(float64(x*x + y*y + z*z)))
				p := f.pressure()
				sound := speedOfSound(f.Density, p)
				own := f.flux()
				var sum Flow
				for _, face := range faces[i] {
					length := float32(math.Sqrt(float64(face.X*face.X + face.Y*face.Y + face.Z*face.Z)))
					switch {
					case face.Neighbour >= 0:
						g := now[face.Neighbour]
						gx, gy, gz := g.velocity()
						gp := g.pressure()
						other := g.flux()
						smooth := -length * 0.2 * 0.5 * (speed + float32(math.Sqrt(float64(gx*gx+gy*gy+gz*gz))) + sound + speedOfSound(g.Density, gp))
						sum.Density += smooth*(f.Density-g.Density) + through(other.density, own.density, face)
						sum.X += smooth*(f.X-g.X) + through(other.momentumX, own.momentumX, face)
						sum.Y += smooth*(f.Y-g.Y) + through(other.momentumY, own.momentumY, face)
						sum.Z += smooth*(f.Z-g.Z) + through(other.momentumZ, own.momentumZ, face)
						sum.Energy += smooth*(f.Energy-g.Energy) + through(other.energy, own.energy, face)
					case face.Neighbour == wall:
						sum.X += face.X * p
						sum.Y += face.Y * p
						sum.Z += face.Z * p
					case face.Neighbour == farAway:
						sum.Density += through(farFlux.density, own.density, face)
						sum.X += through(farFlux.momentumX, own.momentumX, face)
						sum.Y += through(farFlux.momentumY, own.momentumY, face)
						sum.Z += through(farFlux.momentumZ, own.momentumZ, face)
						sum.Energy += through(farFlux.energy, own.energy, face)
					}
				}
				fluxes[i] = sum
			}
			for i, f := range fluxes {
				factor := factors[i] / float32(3-stage)
				now[i] = Flow{
					Density: old[i].Density + factor*f.Density,
					X:       old[i].X + factor*f.X,
					Y:       old[i].Y + factor*f.Y,
					Z:       old[i].Z + factor*f.Z,
					Energy:  old[i].Energy + factor*f.Energy,
				}
			}
		}
	}
	return now
}
