package main

import (
	"context"
	"fmt"

	"github.com/surge-ndp/surge/examples/comd"
	"github.com/surge-ndp/surge/training"
	"github.com/surge-ndp/surge/training/input"
)

// comdForce is the energy and the forces of all atoms of a copper crystal of n³ unit cells by Lennard-Jones, with atoms
// in link cells already.
func comdForce(n int) measured {
	const lattice, sigma, epsilon, cutoff = 3.615, 2.315, 0.167, 2.5 * 2.315
	return measured{
		name: fmt.Sprintf("CoMD force step, %d atoms", 4*n*n*n), program: "ljforce", args: []string{fmt.Sprint(n)}, bench: "ljforce", dir: "./examples/comd", kernel: "LennardJones",
		inputs: func(context.Context) ([]input.Value, float64, error) {
			atoms := 4 * n * n * n
			shifts := sample[float64](3*atoms, 61, 0, 1)
			var p [3][]float64
			for a := range atoms {
				basis := [4][3]float64{{0, 0, 0}, {0, .5, .5}, {.5, 0, .5}, {.5, .5, 0}}[a%4]
				for d, at := range [3]int{a / 4 / (n * n), a / 4 / n % n, a / 4 % n} {
					p[d] = append(p[d], (float64(at)+basis[d]+.25)*lattice+0.1*(2*shifts[3*a+d]-1))
				}
			}
			length := float64(n) * lattice
			cells := int(length / cutoff)
			zero, id := make([]float64, atoms), make([]int32, atoms)
			x, y, z, _, _, _, _, cell, start := comd.Link(p[0], p[1], p[2], zero, zero, zero, id, cells, cells, cells, length, length, length)
			near, sx, sy, sz := comd.Neighbours([3]int{cells, cells, cells}, [3]float64{length, length, length})
			return []input.Value{input.Vector(x), input.Vector(y), input.Vector(z), input.Vector(cell), input.Vector(start), input.Vector(near),
				input.Vector(sx), input.Vector(sy), input.Vector(sz), input.Scalar(sigma), input.Scalar(epsilon), input.Scalar(cutoff)}, 7 * 8 * float64(atoms), nil
		},
		check: func(r *training.RunResult) float64 { // the energy
			sum := 0.0
			for i := range r.Values[3].Len() {
				sum += r.Values[3].Float64(i)
			}
			return sum
		}}
}
