// Package comd is the molecular dynamics of the CoMD proxy application, section 5.4 of the Surge paper: atoms in link
// cells, forces between those closer than a cutoff, velocity Verlet. The potential is Lennard-Jones or the embedded
// atom method, and the forces of both are computed in two ways, between which a selector may choose:
//
//   - direct: each atom visits the atoms of the 27 cells around it where they lie;
//   - redistributed: for each cell the atoms of the 27 cells are first brought together, one behind the other and
//     shifted to the image of the periodic box that is meant, and all atoms of the cell then run over this one row.
//
// Lengths are in Å, energies in eV, times in fs; a mass is in eV·fs²/Å². Atoms are sorted by cell, those of cell c
// being start[c] to start[c+1], and cell[a] is the cell of atom a ([Link]). The neighbours of cell c, itself among
// them, are near[27·c] to near[27·c+26]; the image of neighbour k that is meant lies (sx[k], sy[k], sz[k]) from the
// cell itself ([Neighbours]). A side of a cell must not be shorter than the cutoff.
package comd

import (
	"math"

	"github.com/surge-ndp/surge/ops"
)

//go:generate go run github.com/surge-ndp/surge/cmd/surge generate .

// LennardJones is the force on each atom and its half of the energy of its pairs, by
//
//	u(r) = 4ε ((σ/r)¹² - (σ/r)⁶) - u(cutoff)
//
// This is the direct algorithm.
//
//surge:kernel
func LennardJones(x, y, z []float64, cell, start, near []int32, sx, sy, sz []float64, sigma, epsilon, cutoff float64) (fx, fy, fz, u []float64) {
	p := newPair(sigma, epsilon, cutoff)
	return parts(ops.Map(func(a int) force {
		first := neighbours * int(cell[a])
		var total force
		for k := first; k < first+neighbours; k++ {
			px, py, pz := x[a]-sx[k], y[a]-sy[k], z[a]-sz[k]
			lo, hi := start[near[k]], start[near[k]+1]
			total = add(total, ops.Reduce(add, ops.Map3(func(qx, qy, qz float64) force {
				return lennardJones(p, px-qx, py-qy, pz-qz)
			}, x[lo:hi], y[lo:hi], z[lo:hi]), force{}))
		}
		return units(p, total)
	}, ops.Range(0, len(x), 1)))
}

// LennardJonesRedistributed is LennardJones by the redistributed algorithm. A row is filled up to a multiple of lanes
// by atoms that are out of reach of all others.
//
//surge:variant-of LennardJones
func LennardJonesRedistributed(x, y, z []float64, cell, start, near []int32, sx, sy, sz []float64, sigma, epsilon, cutoff float64) (fx, fy, fz, u []float64) {
	p := newPair(sigma, epsilon, cutoff)
	return parts(ops.Flatten(ops.Map(func(i int) []force {
		first := neighbours * i
		n := (atomsAround(i, start, near) + lanes - 1) / lanes * lanes
		rx, ry, rz := make([]float64, n), make([]float64, n), make([]float64, n)
		at := 0
		for k := first; k < first+neighbours; k++ {
			dx, dy, dz := sx[k], sy[k], sz[k]
			lo, hi := start[near[k]], start[near[k]+1]
			for j := lo; j < hi; j++ {
				rx[at], ry[at], rz[at] = x[j]+dx, y[j]+dy, z[j]+dz
				at++
			}
		}
		for ; at < n; at++ {
			rx[at], ry[at], rz[at] = faraway, faraway, faraway
		}
		lo, hi := start[i], start[i+1]
		return ops.Map3(func(px, py, pz float64) force {
			return units(p, ops.Reduce(add, ops.Map3(func(qx, qy, qz float64) force {
				return lennardJones(p, px-qx, py-qy, pz-qz)
			}, rx, ry, rz), force{}))
		}, x[lo:hi], y[lo:hi], z[lo:hi])
	}, ops.Range(0, len(start)-1, 1))))
}

// EAM is the force on each atom and its share of the energy by the embedded atom method,
//
//	E = Σ_i F(Σ_j ρ(r_ij)) + ½ Σ_ij φ(r_ij)
//
// in three loops: densities and what depends on φ, embedding energies, and what depends on ρ. Reading tables is what
// they do most. phi and rho are tables over r with the step dr, embed is one over the density with the step drho, all
// laid out as [Interpolate] says. This is the direct algorithm.
//
//surge:kernel
func EAM(x, y, z []float64, start, near []int32, sx, sy, sz []float64, phi, rho []float64, dr float64, embed []float64, drho, cutoff float64) (fx, fy, fz, u []float64) {
	rc2, inverse := cutoff*cutoff, 1/dr
	cells := ops.Range(0, len(start)-1, 1)
	pairs := ops.Flatten(ops.Map(func(c int) []bond {
		lo := int(start[c])
		out := make([]bond, int(start[c+1])-lo)
		for i := range out {
			a := lo + i
			for k := neighbours * c; k < neighbours*(c+1); k++ {
				px, py, pz := x[a]-sx[k], y[a]-sy[k], z[a]-sz[k]
				for b := start[near[k]]; b < start[near[k]+1]; b++ {
					out[i] = addBonds(out[i], pairOf(px-x[b], py-y[b], pz-z[b], rc2, phi, rho, inverse))
				}
			}
		}
		return out
	}, cells))
	embedded := ops.Map(func(b bond) embedding { return embeddingOf(b.density, embed, 1/drho) }, pairs)
	return parts(ops.Flatten(ops.Map(func(c int) []force {
		lo := int(start[c])
		out := make([]force, int(start[c+1])-lo)
		for i := range out {
			a := lo + i
			out[i] = force{pairs[a].x, pairs[a].y, pairs[a].z, pairs[a].u + embedded[a].energy}
			for k := neighbours * c; k < neighbours*(c+1); k++ {
				px, py, pz := x[a]-sx[k], y[a]-sy[k], z[a]-sz[k]
				for b := start[near[k]]; b < start[near[k]+1]; b++ {
					out[i] = add(out[i], embeddingForce(px-x[b], py-y[b], pz-z[b], rc2, embedded[a].slope+embedded[b].slope, rho, inverse))
				}
			}
		}
		return out
	}, cells)))
}

// EAMRedistributed is EAM by the redistributed algorithm.
//
//surge:variant-of EAM
func EAMRedistributed(x, y, z []float64, start, near []int32, sx, sy, sz []float64, phi, rho []float64, dr float64, embed []float64, drho, cutoff float64) (fx, fy, fz, u []float64) {
	rc2, inverse := cutoff*cutoff, 1/dr
	cells := ops.Range(0, len(start)-1, 1)
	pairs := ops.Flatten(ops.Map(func(c int) []bond {
		n := atomsAround(c, start, near)
		rx, ry, rz := make([]float64, n), make([]float64, n), make([]float64, n)
		at := 0
		for k := neighbours * c; k < neighbours*(c+1); k++ {
			for b := start[near[k]]; b < start[near[k]+1]; b++ {
				rx[at], ry[at], rz[at] = x[b]+sx[k], y[b]+sy[k], z[b]+sz[k]
				at++
			}
		}
		lo := int(start[c])
		out := make([]bond, int(start[c+1])-lo)
		for i := range out {
			a := lo + i
			px, py, pz := x[a], y[a], z[a]
			var total bond
			for b := range rx {
				total = addBonds(total, pairOf(px-rx[b], py-ry[b], pz-rz[b], rc2, phi, rho, inverse))
			}
			out[i] = total
		}
		return out
	}, cells))
	embedded := ops.Map(func(b bond) embedding { return embeddingOf(b.density, embed, 1/drho) }, pairs)
	return parts(ops.Flatten(ops.Map(func(c int) []force {
		n := atomsAround(c, start, near)
		rx, ry, rz, slopes := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
		at := 0
		for k := neighbours * c; k < neighbours*(c+1); k++ {
			for b := start[near[k]]; b < start[near[k]+1]; b++ {
				rx[at], ry[at], rz[at], slopes[at] = x[b]+sx[k], y[b]+sy[k], z[b]+sz[k], embedded[b].slope
				at++
			}
		}
		lo := int(start[c])
		out := make([]force, int(start[c+1])-lo)
		for i := range out {
			a := lo + i
			px, py, pz, slope := x[a], y[a], z[a], embedded[a].slope
			total := force{pairs[a].x, pairs[a].y, pairs[a].z, pairs[a].u + embedded[a].energy}
			for b := range rx {
				total = add(total, embeddingForce(px-rx[b], py-ry[b], pz-rz[b], rc2, slope+slopes[b], rho, inverse))
			}
			out[i] = total
		}
		return out
	}, cells)))
}

// Advance is the first part of a step of velocity Verlet: velocities change by half a step of the forces, and positions
// by a step of the velocities, back into the box. kick is half a step divided by the mass.
//
//surge:kernel
func Advance(x, y, z, vx, vy, vz, fx, fy, fz []float64, lx, ly, lz, kick, dt float64) (px, py, pz, wx, wy, wz []float64) {
	type state struct{ x, y, z, vx, vy, vz float64 }
	s := ops.Map(func(a int) state {
		vx, vy, vz := vx[a]+kick*fx[a], vy[a]+kick*fy[a], vz[a]+kick*fz[a]
		return state{wrap(x[a]+dt*vx, lx), wrap(y[a]+dt*vy, ly), wrap(z[a]+dt*vz, lz), vx, vy, vz}
	}, ops.Range(0, len(x), 1))
	return ops.Map(func(s state) float64 { return s.x }, s), ops.Map(func(s state) float64 { return s.y }, s), ops.Map(func(s state) float64 { return s.z }, s),
		ops.Map(func(s state) float64 { return s.vx }, s), ops.Map(func(s state) float64 { return s.vy }, s), ops.Map(func(s state) float64 { return s.vz }, s)
}

// Link sorts atoms by cell and says where each cell starts.
//
//surge:kernel
func Link(x, y, z, vx, vy, vz []float64, id []int32, nx, ny, nz int, lx, ly, lz float64) (px, py, pz, wx, wy, wz []float64, number, cell, start []int32) {
	cells := ops.Map3(func(x, y, z float64) int32 {
		return int32((slot(x, lx, nx)*ny+slot(y, ly, ny))*nz + slot(z, lz, nz))
	}, x, y, z)
	cell, order := ops.SortByKey(cells, ops.Range(int32(0), int32(len(x)), 1))
	plus := func(a, b int32) int32 { return a + b }
	counts := ops.Histogram(plus, nx*ny*nz+1, cells, ops.Replicate(int32(1), len(cells)), 0)
	return ops.Gather(x, order), ops.Gather(y, order), ops.Gather(z, order), ops.Gather(vx, order), ops.Gather(vy, order), ops.Gather(vz, order),
		ops.Gather(id, order), cell, ops.Scan(plus, counts, 0)
}

// Kick is the second part of a step: velocities change by half a step of the new forces. It also gives the kinetic
// energy and the sum of the atoms' potential energies u.
//
//surge:kernel
func Kick(vx, vy, vz, fx, fy, fz, u []float64, kick, mass float64) (wx, wy, wz []float64, kinetic, potential float64) {
	type moving struct{ vx, vy, vz, kinetic, potential float64 }
	m := ops.Map(func(a int) moving {
		wx, wy, wz := vx[a]+kick*fx[a], vy[a]+kick*fy[a], vz[a]+kick*fz[a]
		return moving{wx, wy, wz, 0.5 * mass * (wx*wx + wy*wy + wz*wz), u[a]}
	}, ops.Range(0, len(vx), 1))
	plus := func(a, b float64) float64 { return a + b }
	return ops.Map(func(m moving) float64 { return m.vx }, m), ops.Map(func(m moving) float64 { return m.vy }, m), ops.Map(func(m moving) float64 { return m.vz }, m),
		ops.Reduce(plus, ops.Map(func(m moving) float64 { return m.kinetic }, m), 0), ops.Reduce(plus, ops.Map(func(m moving) float64 { return m.potential }, m), 0)
}

// force is a force and an energy.
type force struct{ x, y, z, u float64 }

func add(a, b force) force { return force{a.x + b.x, a.y + b.y, a.z + b.z, a.u + b.u} }

func parts(f []force) (x, y, z, u []float64) {
	return ops.Map(func(f force) float64 { return f.x }, f), ops.Map(func(f force) float64 { return f.y }, f),
		ops.Map(func(f force) float64 { return f.z }, f), ops.Map(func(f force) float64 { return f.u }, f)
}

// pair is a Lennard-Jones potential: cutoff², σ⁶, ε and the value at the cutoff, divided by 4ε.
type pair struct{ rc2, s6, epsilon, shift float64 }

func newPair(sigma, epsilon, cutoff float64) pair {
	rc2, s2 := cutoff*cutoff, sigma*sigma
	s6 := s2 * s2 * s2
	q := s6 / (rc2 * rc2 * rc2)
	return pair{rc2, s6, epsilon, q * (q - 1)}
}

// lennardJones is the force of an atom on another one that lies at (dx, dy, dz) from it, divided by 24ε, with the
// energy of the two, divided by 4ε. An atom has none on itself.
func lennardJones(p pair, dx, dy, dz float64) force {
	r2 := dx*dx + dy*dy + dz*dz
	if r2 <= p.rc2 && r2 > 0 {
		t := 1 / r2
		q := p.s6 * t * t * t
		q2 := q * q
		f := (2*q2 - q) * t
		return force{f * dx, f * dy, f * dz, q2 - q - p.shift}
	}
	return force{}
}

// units multiplies a sum of what [lennardJones] gives by what that left out: the force of an atom, and its half of
// the energy.
func units(p pair, f force) force {
	e := 24 * p.epsilon
	return force{e * f.x, e * f.y, e * f.z, 2 * p.epsilon * f.u}
}

// bond is the pairwise part of the embedded atom method: the force and half the energy of φ, and the density.
type bond struct{ x, y, z, u, density float64 }

func addBonds(a, b bond) bond {
	return bond{a.x + b.x, a.y + b.y, a.z + b.z, a.u + b.u, a.density + b.density}
}

func pairOf(dx, dy, dz, rc2 float64, phi, rho []float64, inverse float64) bond {
	r2 := dx*dx + dy*dy + dz*dz
	if r2 <= rc2 && r2 > 0 {
		r := math.Sqrt(r2)
		energy, slope := Interpolate(phi, inverse, r)
		density, _ := Interpolate(rho, inverse, r)
		f := -slope / r
		return bond{f * dx, f * dy, f * dz, 0.5 * energy, density}
	}
	return bond{}
}

// embedding is F and its derivative at the density of an atom.
type embedding struct{ energy, slope float64 }

func embeddingOf(density float64, embed []float64, inverse float64) embedding {
	energy, slope := Interpolate(embed, inverse, density)
	return embedding{energy, slope}
}

// embeddingForce is the force that comes from the change of both atoms' densities; slopes is the sum of F' of the two.
func embeddingForce(dx, dy, dz, rc2, slopes float64, rho []float64, inverse float64) force {
	r2 := dx*dx + dy*dy + dz*dz
	if r2 <= rc2 && r2 > 0 {
		r := math.Sqrt(r2)
		_, slope := Interpolate(rho, inverse, r)
		f := -slopes * slope / r
		return force{f * dx, f * dy, f * dz, 0}
	}
	return force{}
}

// Interpolate gives the value and the slope of a table at r, by the formulas of CoMD: of the table's parabola through
// the points around r, and of the straight line through the central differences at them. inverse is 1 over the step of
// the table, which begins at 0 and is laid out by [Pad]. Beyond the table's ends it is constant.
func Interpolate(table []float64, inverse, r float64) (value, slope float64) {
	last := len(table) - 4
	t := min(max(r*inverse, 0), float64(last))
	i := int(t)
	t -= float64(i)
	before, here, next, after := table[i], table[i+1], table[i+2], table[i+3]
	rise := next - before
	return here + 0.5*t*(rise+t*(next+before-2*here)), 0.5 * (rise + t*(after-here-rise)) * inverse
}

// Pad lays out a table of values for Interpolate: the first value once more before, and the last one twice more behind.
func Pad(values []float64) []float64 {
	n := len(values)
	padded := append(make([]float64, 0, n+3), values[0])
	return append(append(padded, values...), values[n-1], values[n-1])
}

const (
	neighbours = 27
	lanes      = 8
	faraway    = 1e30
)

// atomsAround counts the atoms of the cells around cell c.
func atomsAround(c int, start, near []int32) int {
	n := 0
	for k := neighbours * c; k < neighbours*(c+1); k++ {
		n += int(start[near[k]+1] - start[near[k]])
	}
	return n
}

// slot is the cell of a coordinate along one side of the box.
func slot(x, length float64, n int) int { return min(max(int(x/length*float64(n)), 0), n-1) }

// wrap brings a coordinate back into the box.
func wrap(x, length float64) float64 { return x - length*math.Floor(x/length) }
