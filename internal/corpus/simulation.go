// Simulation

package corpus

import (
	"math"

	"github.com/surge-ndp/surge/ops"
)

// Body is a body that attracts others.
type Body struct {
	Pos, Vel Vec3
	Mass     float64
}

// plus is a + b·s.
func (a Vec3) plus(b Vec3, s float64) Vec3 {
	for i := range a {
		a[i] += b[i] * s
	}
	return a
}

// Gravity moves bodies by a step.
//
//surge:kernel
func Gravity(bodies []Body, dt, softening float64) []Body {
	return ops.Map(func(b Body) Body {
		var acc Vec3
		for _, o := range bodies {
			d := o.Pos.Sub(b.Pos)
			r2 := d.Dot(d) + softening*softening
			acc = acc.plus(d, o.Mass/(r2*math.Sqrt(r2)))
		}
		b.Vel = b.Vel.plus(acc, dt)
		b.Pos = b.Pos.plus(b.Vel, dt)
		return b
	}, bodies)
}

// Heat spreads heat over a plate whose edges keep their temperature.
//
//surge:kernel
func Heat(plate []float64, width, steps int, alpha float64) []float64 {
	height := len(plate) / width
	for range steps {
		plate = ops.Map(func(i int) float64 {
			x, y := i%width, i/width
			if x == 0 || y == 0 || x == width-1 || y == height-1 {
				return plate[i]
			}
			return plate[i] + alpha*(plate[i-1]+plate[i+1]+plate[i-width]+plate[i+width]-4*plate[i])
		}, ops.Range(0, width*height, 1))
	}
	return plate
}

// Epidemic is the state of an epidemic: shares of people that can fall ill, are ill, and were.
type Epidemic struct{ Susceptible, Infected, Recovered float64 }

//lint:ignore U1000 rungeKutta calls it
func (e Epidemic) add(d Epidemic, h float64) Epidemic {
	return Epidemic{e.Susceptible + h*d.Susceptible, e.Infected + h*d.Infected, e.Recovered + h*d.Recovered}
}

// rungeKutta makes a step of the classical method.
func rungeKutta[S interface{ add(S, float64) S }](s S, h float64, slope func(S) S) S {
	k1 := slope(s)
	k2 := slope(s.add(k1, h/2))
	k3 := slope(s.add(k2, h/2))
	k4 := slope(s.add(k3, h))
	return s.add(k1, h/6).add(k2, h/3).add(k3, h/3).add(k4, h/6)
}

// Peak is when the most people are ill, and how many.
type Peak struct{ Day, Infected float64 }

// Outbreaks simulates epidemics of several rates.
//
//surge:kernel
func Outbreaks(beta, gamma []float64, days int) []Peak {
	return ops.Map2(func(b, g float64) Peak {
		e := Epidemic{Susceptible: 0.999, Infected: 0.001}
		peak := Peak{Infected: e.Infected}
		for day := range days {
			e = rungeKutta(e, 1, func(e Epidemic) Epidemic {
				infections, recoveries := b*e.Susceptible*e.Infected, g*e.Infected
				return Epidemic{-infections, infections - recoveries, recoveries}
			})
			if e.Infected > peak.Infected {
				peak = Peak{float64(day + 1), e.Infected}
			}
		}
		return peak
	}, beta, gamma)
}

// Spin is up or down, +1 or −1.
type Spin int8

// Ising makes a sweep of a magnet on a torus: all black squares of the checkerboard, then all white ones.
//
//surge:kernel
func Ising(spins []Spin, size int, beta float64, seed uint64) []Spin {
	for colour := range 2 {
		spins = ops.Map(func(i int) Spin {
			x, y := i%size, i/size
			s := spins[i]
			if (x+y)%2 != colour {
				return s
			}
			sum := spins[y*size+(x+1)%size] + spins[y*size+(x+size-1)%size] + spins[(y+1)%size*size+x] + spins[(y+size-1)%size*size+x]
			gain := 2 * float64(s) * float64(sum)
			chance := float64(mix64(seed+uint64(2*i+colour))>>11) / (1 << 53)
			if gain <= 0 || chance < math.Exp(-beta*gain) {
				return -s
			}
			return s
		}, ops.Range(0, len(spins), 1))
	}
	return spins
}

// Cell is how much of a fluid moves in each of nine directions.
type Cell [9]float64

var (
	directions = [9][2]int{{0, 0}, {1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 1}, {-1, 1}, {-1, -1}, {1, -1}}
	weights    = [9]float64{4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36}
)

// collide brings a cell closer to its equilibrium.
func (c Cell) collide(omega float64) Cell {
	var rho, ux, uy float64
	for k, f := range c {
		rho += f
		ux += f * float64(directions[k][0])
		uy += f * float64(directions[k][1])
	}
	ux, uy = ux/rho, uy/rho
	for k := range c {
		eu := ux*float64(directions[k][0]) + uy*float64(directions[k][1])
		equilibrium := weights[k] * rho * (1 + 3*eu + 4.5*eu*eu - 1.5*(ux*ux+uy*uy))
		c[k] += omega * (equilibrium - c[k])
	}
	return c
}

// Fluid makes a step of the lattice Boltzmann method on a torus.
//
//surge:kernel
func Fluid(cells []Cell, width int, omega float64) []Cell {
	height := len(cells) / width
	collided := ops.Map(func(c Cell) Cell { return c.collide(omega) }, cells)
	return ops.Map(func(i int) Cell {
		x, y := i%width, i/width
		var c Cell
		for k, d := range directions {
			fromX, fromY := (x-d[0]+width)%width, (y-d[1]+height)%height
			c[k] = collided[fromY*width+fromX][k]
		}
		return c
	}, ops.Range(0, width*height, 1))
}
