package comd

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/codegen/goroutine/vec"
	"github.com/surge-ndp/surge/selector"
)

// system is a periodic box of atoms at random places, no two of them close, with tables of made-up potentials.
type system struct {
	x, y, z, vx, vy, vz []float64
	id, cell, start     []int32
	cells               [3]int
	box                 [3]float64
	near                []int32
	sx, sy, sz          []float64
	phi, rho, embed     []float64
	dr, drho            float64
}

const (
	sigma, epsilon = 2.315, 0.167
	cutoff         = 2.5 * sigma
)

// newSystem puts atoms near the points of an fcc lattice, which leaves some cells fuller than others, into nx×ny×nz
// unit cells; every so many of the atoms is left out.
func newSystem(t testing.TB, n [3]int, leaveOut int) *system {
	const lattice = 3.615
	rng := rand.New(rand.NewPCG(7, uint64(n[0]*n[1]*n[2])))
	s := &system{}
	for d := range n {
		s.box[d] = lattice * float64(n[d])
		s.cells[d] = max(1, int(s.box[d]/cutoff))
	}
	for i := range 4 * n[0] * n[1] * n[2] {
		if leaveOut > 0 && i%leaveOut == 0 {
			continue
		}
		c, q := i/4, [4][3]float64{{.25, .25, .25}, {.25, .75, .75}, {.75, .25, .75}, {.75, .75, .25}}[i%4]
		at := func(cell int, d int) float64 { return lattice * (float64(cell) + q[d] + 0.05*rng.NormFloat64()) }
		x, y, z := at(c/(n[1]*n[2]), 0), at(c/n[2]%n[1], 1), at(c%n[2], 2)
		s.x, s.y, s.z = append(s.x, wrap(x, s.box[0])), append(s.y, wrap(y, s.box[1])), append(s.z, wrap(z, s.box[2]))
		s.vx, s.vy, s.vz = append(s.vx, rng.NormFloat64()), append(s.vy, rng.NormFloat64()), append(s.vz, rng.NormFloat64())
		s.id = append(s.id, int32(i))
	}
	s.x, s.y, s.z, s.vx, s.vy, s.vz, s.id, s.cell, s.start = Link(s.x, s.y, s.z, s.vx, s.vy, s.vz, s.id, s.cells[0], s.cells[1], s.cells[2], s.box[0], s.box[1], s.box[2])
	s.near, s.sx, s.sy, s.sz = Neighbours(s.cells, s.box)
	points := 400
	s.dr, s.drho = cutoff/float64(points-1), 0.1
	table := func(step float64, f func(x float64) float64) []float64 {
		v := make([]float64, points)
		for i := range v {
			v[i] = f(step * float64(i))
		}
		return Pad(v)
	}
	smooth := func(r float64) float64 { return math.Pow(1-min(r/cutoff, 1), 3) }
	s.phi = table(s.dr, func(r float64) float64 { return 5 * math.Exp(-r) * smooth(r) })
	s.rho = table(s.dr, func(r float64) float64 { return 20 * math.Exp(-0.8*r) * smooth(r) })
	s.embed = table(s.drho, func(rho float64) float64 { return -math.Sqrt(rho) })
	return s
}

// forces are the results of a force kernel.
type forces struct{ fx, fy, fz, u []float64 }

func (f forces) energy() float64 {
	sum := 0.0
	for _, u := range f.u {
		sum += u
	}
	return sum
}

// potentials are the four force functions, plain and compiled.
var potentials = []struct {
	name     string
	kernel   *exec.Kernel
	plain    func(s *system) forces
	compiled func(s *system, opts ...exec.Option) (forces, error)
}{
	{"LennardJones", &lennardJonesKernel, func(s *system) (f forces) {
		f.fx, f.fy, f.fz, f.u = LennardJones(s.x, s.y, s.z, s.cell, s.start, s.near, s.sx, s.sy, s.sz, sigma, epsilon, cutoff)
		return f
	}, func(s *system, opts ...exec.Option) (f forces, err error) {
		f.fx, f.fy, f.fz, f.u, err = RunLennardJones(context.Background(), s.x, s.y, s.z, s.cell, s.start, s.near, s.sx, s.sy, s.sz, sigma, epsilon, cutoff, opts...)
		return f, err
	}},
	{"LennardJonesRedistributed", &lennardJonesRedistributedKernel, func(s *system) (f forces) {
		f.fx, f.fy, f.fz, f.u = LennardJonesRedistributed(s.x, s.y, s.z, s.cell, s.start, s.near, s.sx, s.sy, s.sz, sigma, epsilon, cutoff)
		return f
	}, func(s *system, opts ...exec.Option) (f forces, err error) {
		f.fx, f.fy, f.fz, f.u, err = RunLennardJones(context.Background(), s.x, s.y, s.z, s.cell, s.start, s.near, s.sx, s.sy, s.sz, sigma, epsilon, cutoff, append(opts, exec.Variant("LennardJonesRedistributed"))...)
		return f, err
	}},
	{"EAM", &eAMKernel, func(s *system) (f forces) {
		f.fx, f.fy, f.fz, f.u = EAM(s.x, s.y, s.z, s.start, s.near, s.sx, s.sy, s.sz, s.phi, s.rho, s.dr, s.embed, s.drho, cutoff)
		return f
	}, func(s *system, opts ...exec.Option) (f forces, err error) {
		f.fx, f.fy, f.fz, f.u, err = RunEAM(context.Background(), s.x, s.y, s.z, s.start, s.near, s.sx, s.sy, s.sz, s.phi, s.rho, s.dr, s.embed, s.drho, cutoff, opts...)
		return f, err
	}},
	{"EAMRedistributed", &eAMRedistributedKernel, func(s *system) (f forces) {
		f.fx, f.fy, f.fz, f.u = EAMRedistributed(s.x, s.y, s.z, s.start, s.near, s.sx, s.sy, s.sz, s.phi, s.rho, s.dr, s.embed, s.drho, cutoff)
		return f
	}, func(s *system, opts ...exec.Option) (f forces, err error) {
		f.fx, f.fy, f.fz, f.u, err = RunEAM(context.Background(), s.x, s.y, s.z, s.start, s.near, s.sx, s.sy, s.sz, s.phi, s.rho, s.dr, s.embed, s.drho, cutoff, append(opts, exec.Variant("EAMRedistributed"))...)
		return f, err
	}},
}

// close compares two sequences; scale is how large their elements may become before terms cancel.
func close(a, b []float64, scale float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) <= 1e-11*(scale+math.Abs(x)+math.Abs(y)) })
}

func (f forces) close(g forces) bool {
	return close(f.fx, g.fx, 10) && close(f.fy, g.fy, 10) && close(f.fz, g.fz, 10) && close(f.u, g.u, 10)
}

// variants lists, for each computation of a kernel, a variant for every function that was generated.
func variants(t *testing.T, k *exec.Kernel) (texts [][]string, rounds int) {
	t.Helper()
	for _, c := range k.Computations {
		codes, err := c.Available()
		if err != nil {
			t.Fatal(err)
		}
		var ts []string
		for _, code := range codes {
			v, err := selector.FillLaunch(code, 2)
			if err != nil {
				t.Fatal(err)
			}
			ts = append(ts, v.String())
		}
		texts, rounds = append(texts, ts), max(rounds, len(ts))
	}
	return texts, rounds
}

func forced(texts [][]string, round int) (opts []exec.Option) {
	for _, ts := range texts {
		opts = append(opts, exec.Variant(ts[round%len(ts)]))
	}
	return opts
}

// systems are boxes of one cell, of a different number along each side, and with vacancies.
func systems(t testing.TB) map[string]*system {
	return map[string]*system{
		"one cell": newSystem(t, [3]int{2, 2, 2}, 0), "2x1x3 cells": newSystem(t, [3]int{4, 2, 5}, 0),
		"vacancies": newSystem(t, [3]int{5, 5, 5}, 3), "nearly empty": newSystem(t, [3]int{5, 5, 5}, 1),
	}
}

// TestForceVariants runs every function that was generated for the forces, and compares with plain Go.
func TestForceVariants(t *testing.T) {
	all := systems(t)
	for _, p := range potentials {
		texts, rounds := variants(t, p.kernel)
		for name, s := range all {
			want := p.plain(s)
			for r := range rounds {
				got, err := p.compiled(s, forced(texts, r)...)
				if err != nil {
					t.Fatalf("%s, %s, round %d: %v", p.name, name, r, err)
				}
				if !got.close(want) {
					t.Errorf("%s, %s: the forces are not those of plain Go with %v", p.name, name, texts[0][r%len(texts[0])])
				}
			}
		}
	}
}

// TestAlgorithms compares the two algorithms with each other and with a sum over all pairs and images.
func TestAlgorithms(t *testing.T) {
	for name, s := range systems(t) {
		lj, rj, eam, re := potentials[0].plain(s), potentials[1].plain(s), potentials[2].plain(s), potentials[3].plain(s)
		if !lj.close(rj) {
			t.Errorf("%s: Lennard-Jones: direct and redistributed differ", name)
		}
		if !eam.close(re) {
			t.Errorf("%s: EAM: direct and redistributed differ", name)
		}
		if !lj.close(allPairs(s)) {
			t.Errorf("%s: Lennard-Jones: the forces are not those of a sum over all pairs", name)
		}
	}
}

// TestSparseCells checks that without a model a few atoms a cell are redistributed too, and one is not: what filling
// a row takes is counted, and not guessed to be more than it saves.
func TestSparseCells(t *testing.T) {
	if len(vec.Lanes(8)) == 0 {
		t.Skip("without vectors redistributing saves less")
	}
	operations := map[int]float64{}
	for _, atoms := range []int{1, 4, 8} {
		s := &system{cells: [3]int{6, 6, 6}, box: [3]float64{40, 40, 40}}
		s.near, s.sx, s.sy, s.sz = Neighbours(s.cells, s.box)
		for c := range 216 {
			s.start = append(s.start, int32(c*atoms))
			for a := range atoms {
				at := 40.0 / 6
				s.x = append(s.x, at*(float64(c/36)+float64(a)/8))
				s.y, s.z = append(s.y, at*float64(c/6%6)), append(s.z, at*float64(c%6))
				s.cell = append(s.cell, int32(c))
			}
		}
		s.start = append(s.start, int32(len(s.x)))
		b, err := BindLennardJones(s.x, s.y, s.z, s.cell, s.start, s.near, s.sx, s.sy, s.sz, sigma, epsilon, cutoff)
		if err != nil {
			t.Fatal(err)
		}
		ds := b.Decisions()
		want := "LennardJonesRedistributed.1"
		if atoms == 1 {
			want = "LennardJones.1"
		}
		if name := ds[len(ds)-1].Computation; name != want {
			t.Errorf("%d atoms a cell: %s; %s", atoms, name, ds[0].Reason)
			continue
		}
		for _, f := range ds[len(ds)-1].Features {
			if f.Name == selector.LoopOperations {
				operations[atoms] = f.Value
			}
		}
	}
	if ratio := operations[8] / operations[4]; !(1.5 < ratio && ratio < 2) {
		t.Errorf("operations in loops: %v", operations)
	}
}

// allPairs is Lennard-Jones without cells.
func allPairs(s *system) forces {
	n := len(s.x)
	f := forces{make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)}
	shift := 4 * epsilon * (math.Pow(sigma/cutoff, 12) - math.Pow(sigma/cutoff, 6))
	for a := range n {
		for b := range n {
			for k := range 27 {
				dx := s.x[a] - s.x[b] - s.box[0]*float64(k/9-1)
				dy := s.y[a] - s.y[b] - s.box[1]*float64(k/3%3-1)
				dz := s.z[a] - s.z[b] - s.box[2]*float64(k%3-1)
				r := math.Sqrt(dx*dx + dy*dy + dz*dz)
				if r == 0 || r > cutoff {
					continue
				}
				sr6 := math.Pow(sigma/r, 6)
				f.u[a] += 0.5 * (4*epsilon*(sr6*sr6-sr6) - shift)
				w := 4 * epsilon * (12*sr6*sr6 - 6*sr6) / (r * r)
				f.fx[a], f.fy[a], f.fz[a] = f.fx[a]+w*dx, f.fy[a]+w*dy, f.fz[a]+w*dz
			}
		}
	}
	return f
}

// TestForceSum: every force has its opposite.
func TestForceSum(t *testing.T) {
	s := newSystem(t, [3]int{5, 4, 6}, 7)
	for _, p := range potentials {
		f := p.plain(s)
		for d, fs := range [][]float64{f.fx, f.fy, f.fz} {
			sum, largest := 0.0, 0.0
			for _, x := range fs {
				sum, largest = sum+x, max(largest, math.Abs(x))
			}
			if largest < 1e-3 || math.Abs(sum) > 1e-12*largest*float64(len(fs)) {
				t.Errorf("%s: the forces along axis %d sum to %g; the largest is %g", p.name, d, sum, largest)
			}
		}
	}
}

// TestGradient compares forces with differences of the energy when an atom moves. The tables of EAM are interpolated by
// formulas whose slope is not that of their value, so that only the first digits agree there.
func TestGradient(t *testing.T) {
	s := newSystem(t, [3]int{4, 4, 4}, 5)
	for _, p := range potentials {
		tolerance := 1e-6
		if p.kernel == &eAMKernel || p.kernel == &eAMRedistributedKernel {
			tolerance = 2e-3
		}
		f := p.plain(s)
		for _, a := range []int{0, 17, len(s.x) - 1} {
			for d, at := range [][]float64{s.x, s.y, s.z} {
				const h = 1e-4
				was := at[a]
				at[a] = was + h
				up := p.plain(s).energy()
				at[a] = was - h
				down := p.plain(s).energy()
				at[a] = was
				got, want := [][]float64{f.fx, f.fy, f.fz}[d][a], (down-up)/(2*h)
				if math.Abs(got-want) > tolerance*(1+math.Abs(want)) {
					t.Errorf("%s: the force on atom %d along axis %d is %g, the energy's slope %g", p.name, a, d, got, want)
				}
			}
		}
	}
}

// TestStepVariants runs every function that was generated for the other kernels.
func TestStepVariants(t *testing.T) {
	ctx := context.Background()
	for name, s := range systems(t) {
		f := potentials[0].plain(s)
		x, y, z, vx, vy, vz := Advance(s.x, s.y, s.z, s.vx, s.vy, s.vz, f.fx, f.fy, f.fz, s.box[0], s.box[1], s.box[2], 0.01, 3)
		texts, rounds := variants(t, &advanceKernel)
		for r := range rounds {
			gx, gy, gz, gvx, gvy, gvz, err := RunAdvance(ctx, s.x, s.y, s.z, s.vx, s.vy, s.vz, f.fx, f.fy, f.fz, s.box[0], s.box[1], s.box[2], 0.01, 3, forced(texts, r)...)
			if err != nil || !close(gx, x, 1) || !close(gy, y, 1) || !close(gz, z, 1) || !close(gvx, vx, 1) || !close(gvy, vy, 1) || !close(gvz, vz, 1) {
				t.Errorf("%s: Advance is not that of plain Go with %s: %v", name, texts[0][r], err)
			}
		}
		lx, ly, lz, lvx, lvy, lvz, id, cell, start := Link(x, y, z, vx, vy, vz, s.id, s.cells[0], s.cells[1], s.cells[2], s.box[0], s.box[1], s.box[2])
		texts, rounds = variants(t, &linkKernel)
		for r := range rounds {
			gx, gy, gz, gvx, gvy, gvz, gid, gcell, gstart, err := RunLink(ctx, x, y, z, vx, vy, vz, s.id, s.cells[0], s.cells[1], s.cells[2], s.box[0], s.box[1], s.box[2], forced(texts, r)...)
			if err != nil || !slices.Equal(gx, lx) || !slices.Equal(gy, ly) || !slices.Equal(gz, lz) || !slices.Equal(gvx, lvx) || !slices.Equal(gvy, lvy) ||
				!slices.Equal(gvz, lvz) || !slices.Equal(gid, id) || !slices.Equal(gcell, cell) || !slices.Equal(gstart, start) {
				t.Errorf("%s: Link is not that of plain Go in round %d: %v", name, r, err)
			}
		}
		wx, wy, wz, kinetic, potential := Kick(lvx, lvy, lvz, f.fx, f.fy, f.fz, f.u, 0.01, 6000)
		texts, rounds = variants(t, &kickKernel)
		for r := range rounds {
			gx, gy, gz, gk, gp, err := RunKick(ctx, lvx, lvy, lvz, f.fx, f.fy, f.fz, f.u, 0.01, 6000, forced(texts, r)...)
			if err != nil || !close(gx, wx, 1) || !close(gy, wy, 1) || !close(gz, wz, 1) || !close([]float64{gk, gp}, []float64{kinetic, potential}, 1) {
				t.Errorf("%s: Kick is not that of plain Go in round %d: %v", name, r, err)
			}
		}
	}
}

// TestLink checks what Link promises: each atom once, in the cell that it lies in.
func TestLink(t *testing.T) {
	for name, s := range systems(t) {
		if got := int(s.start[len(s.start)-1]); got != len(s.x) || s.start[0] != 0 || len(s.start) != s.cells[0]*s.cells[1]*s.cells[2]+1 {
			t.Errorf("%s: the cells hold %d atoms of %d", name, got, len(s.x))
		}
		seen := map[int32]bool{}
		for a, c := range s.cell {
			seen[s.id[a]] = true
			i, j, k := slot(s.x[a], s.box[0], s.cells[0]), slot(s.y[a], s.box[1], s.cells[1]), slot(s.z[a], s.box[2], s.cells[2])
			if want := int32((i*s.cells[1]+j)*s.cells[2] + k); c != want || int(s.start[c]) > a || int(s.start[c+1]) <= a {
				t.Fatalf("%s: atom %d is in cell %d, and lies in %d", name, a, c, want)
			}
		}
		if len(seen) != len(s.x) {
			t.Errorf("%s: %d different atoms of %d", name, len(seen), len(s.x))
		}
	}
}

// TestInterpolate: values at the points, a parabola exactly, constant beyond the ends.
func TestInterpolate(t *testing.T) {
	values := make([]float64, 11)
	for i := range values {
		values[i] = 1 + float64(i)*float64(i)/4
	}
	table := Pad(values)
	for _, r := range []float64{0.5, 1, 1.25, 2.3, 4, 4.49} {
		if got, slope := Interpolate(table, 2, r); math.Abs(got-(1+r*r)) > 1e-13 || math.Abs(slope-2*r) > 1e-13 {
			t.Errorf("at %g: %g and %g, want %g and %g", r, got, slope, 1+r*r, 2*r)
		}
	}
	for r, want := range map[float64]float64{-1: 1, 0: 1, 5: 26, 9: 26, math.Inf(1): 26} {
		if got, _ := Interpolate(table, 2, r); got != want {
			t.Errorf("at %g: %g, want %g", r, got, want)
		}
	}
}

// TestBadCells: what does not fit together is an error that names it, not a crash.
func TestBadCells(t *testing.T) {
	for i, spoil := range []func(s *system){
		func(s *system) { s.near[5] = int32(len(s.start)) },
		func(s *system) { s.near[5] = -1 },
		func(s *system) { s.start[1] = int32(len(s.x) + 1) },
		func(s *system) { s.cell[2] = 1 << 20 },
		func(s *system) { s.sx = s.sx[:3] },
	} {
		for _, p := range potentials {
			s := newSystem(t, [3]int{4, 4, 4}, 0)
			spoil(s)
			if i == 3 && p.kernel != &lennardJonesKernel {
				continue // the others do not use cell
			}
			texts, _ := variants(t, p.kernel)
			_, err := p.compiled(s, forced(texts, 0)...) // a variant of its own, so that no other algorithm is chosen
			var bad *exec.Error
			if !errors.As(err, &bad) {
				t.Errorf("%s, case %d: %v", p.name, i, err)
			}
		}
	}
}

func Example() {
	cells, box := [3]int{3, 3, 3}, [3]float64{18, 18, 18}
	x, y, z := []float64{1, 17}, []float64{1, 1}, []float64{1, 1} // 2 Å apart, through the wall
	zero := []float64{0, 0}
	x, y, z, _, _, _, _, cell, start := Link(x, y, z, zero, zero, zero, []int32{0, 1}, cells[0], cells[1], cells[2], box[0], box[1], box[2])
	near, sx, sy, sz := Neighbours(cells, box)
	fx, _, _, _, err := RunLennardJones(context.Background(), x, y, z, cell, start, near, sx, sy, sz, 2.315, 0.167, 5.7875)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.4f eV/Å\n", fx)
	// Output: [18.3638 -18.3638] eV/Å
}
