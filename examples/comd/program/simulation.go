package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/examples/comd"
)

// Units: Å, eV, fs.
const (
	boltzmann = 8.617333262e-5 // eV/K
	massUnit  = 103.642696     // atomic mass unit in eV·fs²/Å²
)

// Lennard-Jones copper, the default of CoMD.
const (
	copperLattice = 3.615 // Å
	copperMass    = 63.55 // atomic mass units
	copperSigma   = 2.315 // Å
	copperEpsilon = 0.167 // eV
)

// mostAtoms bounds a simulation: its arrays then fit into the memory of a larger machine, and its numbers into 32 bits.
const mostAtoms = 1 << 28

// force fills the forces and energies of a simulation's atoms.
type force func(ctx context.Context, s *simulation, opts ...exec.Option) error

func lennardJones(cutoff float64) force {
	return func(ctx context.Context, s *simulation, opts ...exec.Option) error {
		_, _, _, _, err := comd.RunLennardJones(ctx, s.x, s.y, s.z, s.cell, s.start, s.near, s.sx, s.sy, s.sz, copperSigma, copperEpsilon, cutoff, opts...)
		return err
	}
}

func embeddedAtom(t *tables) force {
	return func(ctx context.Context, s *simulation, opts ...exec.Option) error {
		_, _, _, _, err := comd.RunEAM(ctx, s.x, s.y, s.z, s.start, s.near, s.sx, s.sy, s.sz, t.phi, t.rho, t.dr, t.embed, t.drho, t.cutoff, opts...)
		return err
	}
}

// algorithms are the names that the two ways to compute forces have for the user.
var algorithms = map[string]map[string]string{
	"lj":  {"direct": "LennardJones", "redistributed": "LennardJonesRedistributed"},
	"eam": {"direct": "EAM", "redistributed": "EAMRedistributed"},
}

// crystal is what a simulation starts from.
type crystal struct {
	cells       [3]int // unit cells, of four atoms each
	lattice     float64
	cutoff      float64
	mass        float64 // in eV·fs²/Å²
	temperature float64 // K
	seed        uint64
	positions   []float64 // three numbers an atom, instead of the lattice's points
}

// simulation is the state of the atoms, sorted by link cell, and the kernels that take it a step further.
type simulation struct {
	n      int
	box    [3]float64
	links  [3]int // link cells along each side
	mass   float64
	force  force
	opts   []exec.Option // of the force kernel
	kick   float64       // half a step over the mass
	energy energies      // now
	first  energies      // at the start

	x, y, z, vx, vy, vz, fx, fy, fz, u []float64
	id, cell, start                    []int32
	number                             []int32 // id, as Link reads it
	near                               []int32
	sx, sy, sz                         []float64

	advance *comd.BoundAdvance
	link    *comd.BoundLink
	finish  *comd.BoundKick
}

// energies are sums over all atoms, in eV.
type energies struct{ potential, kinetic float64 }

func (e energies) total() float64 { return e.potential + e.kinetic }

// temperature of n atoms with that kinetic energy.
func (e energies) temperature(n int) float64 { return 2 * e.kinetic / (3 * float64(n) * boltzmann) }

// atoms returns the positions and velocities that the crystal starts with.
func (c *crystal) atoms() (positions, velocities [3][]float64) {
	basis := [4][3]float64{{.25, .25, .25}, {.25, .75, .75}, {.75, .25, .75}, {.75, .75, .25}}
	for i := range c.cells[0] {
		for j := range c.cells[1] {
			for k := range c.cells[2] {
				for _, b := range basis {
					for d, at := range [3]int{i, j, k} {
						positions[d] = append(positions[d], c.lattice*(float64(at)+b[d]))
					}
				}
			}
		}
	}
	if c.positions != nil {
		for d := range positions {
			positions[d] = nil
			length := c.lattice * float64(c.cells[d])
			for a := d; a < len(c.positions); a += 3 {
				x := math.Mod(c.positions[a], length)
				if x < 0 {
					x += length
				}
				positions[d] = append(positions[d], x)
			}
		}
	}
	return positions, c.velocities(len(positions[0]))
}

// velocities draws Maxwell's distribution, takes away the motion of the whole, and scales to the temperature exactly.
func (c *crystal) velocities(n int) (v [3][]float64) {
	rng := rand.New(rand.NewPCG(c.seed, 0))
	squares := 0.0
	for d := range v {
		mean := 0.0
		for range n {
			x := rng.NormFloat64()
			v[d] = append(v[d], x)
			mean += x / float64(n)
		}
		for a := range v[d] {
			v[d][a] -= mean
			squares += v[d][a] * v[d][a]
		}
	}
	if squares > 0 {
		scale := math.Sqrt(3 * float64(n) * boltzmann * c.temperature / (c.mass * squares))
		for d := range v {
			for a := range v[d] {
				v[d][a] *= scale
			}
		}
	}
	return v
}

// newSimulation prepares the atoms of c and computes their forces. dt is the length of a step in fs; opts are for the
// force kernel.
func newSimulation(ctx context.Context, c *crystal, f force, dt float64, opts ...exec.Option) (*simulation, error) {
	s := &simulation{mass: c.mass, force: f, kick: 0.5 * dt / c.mass}
	for d := range s.box {
		s.box[d] = c.lattice * float64(c.cells[d])
		if s.box[d] < c.cutoff {
			return nil, fmt.Errorf("the box is %.4g Å long along %c (%d unit cells of %g Å), less than the cutoff of %.4g Å; it needs at least %d unit cells",
				s.box[d], "xyz"[d], c.cells[d], c.lattice, c.cutoff, int(math.Ceil(c.cutoff/c.lattice)))
		}
		s.links[d] = int(min(s.box[d]/c.cutoff, mostAtoms))
	}
	if c.positions == nil && float64(c.cells[0])*float64(c.cells[1])*float64(c.cells[2]) > mostAtoms/4 {
		return nil, fmt.Errorf("%d×%d×%d unit cells are more than %d atoms", c.cells[0], c.cells[1], c.cells[2], mostAtoms)
	}
	positions, velocities := c.atoms()
	s.n = len(positions[0])
	for slices.Max(s.links[:]) > 1 && float64(s.links[0])*float64(s.links[1])*float64(s.links[2]) > float64(s.n) {
		// Where atoms are far apart, most cells as small as the cutoff would be empty.
		d := slices.Index(s.links[:], slices.Max(s.links[:]))
		s.links[d] = (s.links[d] + 1) / 2
	}
	s.near, s.sx, s.sy, s.sz = comd.Neighbours(s.links, s.box)
	floats := func() []float64 { return make([]float64, s.n) }
	ints := func() []int32 { return make([]int32, s.n) }
	s.x, s.y, s.z, s.vx, s.vy, s.vz, s.id = floats(), floats(), floats(), floats(), floats(), floats(), ints()
	s.fx, s.fy, s.fz, s.u, s.cell, s.start = floats(), floats(), floats(), floats(), ints(), make([]int32, s.links[0]*s.links[1]*s.links[2]+1)
	s.opts = append([]exec.Option{exec.Into(s.fx), exec.Into(s.fy), exec.Into(s.fz), exec.Into(s.u)}, opts...)

	// Every kernel reads one set of arrays and writes another: Link sorts what Advance moved (m…) back into the state,
	// and the velocities after a step (w…) are what Advance starts from.
	mx, my, mz, mvx, mvy, mvz := positions[0], positions[1], positions[2], velocities[0], velocities[1], velocities[2]
	s.number = ints()
	for i := range s.number {
		s.number[i] = int32(i)
	}
	wx, wy, wz := floats(), floats(), floats()
	var err error
	if s.link, err = comd.BindLink(mx, my, mz, mvx, mvy, mvz, s.number, s.links[0], s.links[1], s.links[2], s.box[0], s.box[1], s.box[2],
		exec.Into(s.x), exec.Into(s.y), exec.Into(s.z), exec.Into(s.vx), exec.Into(s.vy), exec.Into(s.vz), exec.Into(s.id), exec.Into(s.cell), exec.Into(s.start)); err != nil {
		return nil, err
	}
	if s.finish, err = comd.BindKick(s.vx, s.vy, s.vz, s.fx, s.fy, s.fz, s.u, s.kick, s.mass, exec.Into(wx), exec.Into(wy), exec.Into(wz)); err != nil {
		return nil, err
	}
	if s.advance, err = comd.BindAdvance(s.x, s.y, s.z, wx, wy, wz, s.fx, s.fy, s.fz, s.box[0], s.box[1], s.box[2], s.kick, dt,
		exec.Into(mx), exec.Into(my), exec.Into(mz), exec.Into(mvx), exec.Into(mvy), exec.Into(mvz)); err != nil {
		return nil, err
	}
	if err := s.linkAndForce(ctx); err != nil {
		return nil, err
	}
	still, err := comd.BindKick(s.vx, s.vy, s.vz, s.fx, s.fy, s.fz, s.u, 0, s.mass, exec.Into(wx), exec.Into(wy), exec.Into(wz))
	if err != nil {
		return nil, err
	}
	if _, _, _, s.energy.kinetic, s.energy.potential, err = still.Run(ctx); err != nil {
		return nil, err
	}
	s.first = s.energy
	return s, s.sound(0)
}

// linkAndForce sorts the moved atoms into the cells and computes their forces. The force kernel is bound anew, as its
// checks hold for one distribution of the atoms.
func (s *simulation) linkAndForce(ctx context.Context) error {
	if _, _, _, _, _, _, _, _, _, err := s.link.Run(ctx); err != nil {
		return err
	}
	copy(s.number, s.id)
	return s.force(ctx, s, s.opts...)
}

// step takes the atoms through one step of velocity Verlet.
func (s *simulation) step(ctx context.Context, number int) error {
	if _, _, _, _, _, _, err := s.advance.Run(ctx); err != nil {
		return err
	}
	if err := s.linkAndForce(ctx); err != nil {
		return err
	}
	var err error
	if _, _, _, s.energy.kinetic, s.energy.potential, err = s.finish.Run(ctx); err != nil {
		return err
	}
	return s.sound(number)
}

// sound checks the energy after a step. It stays within a fraction of a percent as long as the simulation means
// anything; one that has changed by as much as there was is far beyond that.
func (s *simulation) sound(step int) error {
	t := s.energy.total()
	if math.IsNaN(t) || math.IsInf(t, 0) {
		return fmt.Errorf("the energy is %v at step %d: atoms lie on each other, or the time step is too long", t, step)
	}
	if first := s.first; step > 0 && math.Abs(t-first.total()) > first.kinetic+math.Abs(first.potential) {
		return fmt.Errorf("the energy was %.6g eV and is %.6g eV at step %d: the time step is too long; choose a smaller -dt", first.total(), t, step)
	}
	return nil
}

// counted returns the number of different atoms in the cells.
func (s *simulation) counted() int {
	seen := make([]bool, s.n)
	n := 0
	for _, id := range s.id[:s.start[len(s.start)-1]] {
		if !seen[id] {
			seen[id] = true
			n++
		}
	}
	return n
}

// sumOfForces is the largest component of the sum of all forces.
func (s *simulation) sumOfForces() float64 {
	largest := 0.0
	for _, fs := range [][]float64{s.fx, s.fy, s.fz} {
		sum := 0.0
		for _, f := range fs {
			sum += f
		}
		largest = max(largest, math.Abs(sum))
	}
	return largest
}
