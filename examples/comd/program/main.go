// Program simulates a copper crystal with the compiled kernels of the package above it, as the CoMD proxy application
// does.
//
//	go run ./examples/comd/program                                      Lennard-Jones, 2048 atoms
//	go run ./examples/comd/program -potential eam -file Cu_u6.eam       embedded atoms, tables of a file
//	go run ./examples/comd/program -steps 2000 -plot energy.png         and a picture of the energies
//
// It prints the energies every few steps, and at the end whether they, the forces and the atoms add up.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/examples/internal/command"
	"github.com/surge-ndp/surge/examples/internal/output"
)

func main() { command.Main("comd", run) }

func run(ctx context.Context, args []string, out, progress io.Writer) error {
	flags := flag.NewFlagSet("comd", flag.ContinueOnError)
	c := &crystal{lattice: copperLattice, mass: copperMass * massUnit, cutoff: 2.5 * copperSigma}
	for d, name := range []string{"nx", "ny", "nz"} {
		flags.IntVar(&c.cells[d], name, 8, "unit cells along "+name[1:]+", of four atoms each")
	}
	potential := flags.String("potential", "lj", "lj (Lennard-Jones copper) or eam (embedded atoms, needs -file)")
	file := flags.String("file", "", "read the tables of the embedded atom method from `FILE`")
	format := flags.String("type", "auto", "format of the file: funcfl, setfl, or auto (setfl if its name has alloy or setfl in it)")
	lattice := flags.Float64("lattice", 0, "lattice constant in Å; 0 is that of the potential")
	positions := flags.String("positions", "", "start from the positions in `FILE`.npy, a row of three an atom, in Å, instead of the lattice's points")
	flags.Float64Var(&c.temperature, "temperature", 600, "temperature at the start, in K")
	flags.Uint64Var(&c.seed, "seed", 1, "seed of the velocities")
	steps := flags.Int("steps", 100, "time steps")
	dt := flags.Float64("dt", 1, "length of a time step in fs")
	every := flags.Int("print", 10, "print the energies every so many steps")
	algorithm := flags.String("algorithm", "redistributed", "how forces are computed: direct, redistributed, or auto: the selector chooses")
	variant := flags.String("variant", "", "force a variant of the force kernel: id, canonical text or parts of it")
	threads := flags.Int("threads", 0, "workers; 0 is one a processor")
	table := flags.String("csv", "", "write the energies to `FILE`")
	outPositions := flags.String("out", "", "write the positions at the end to `FILE`.npy")
	picture := flags.String("plot", "", "draw the energies to `FILE`.png")
	if err := command.Parse(flags, args, out); err != nil {
		return err
	}
	switch {
	case *steps < 1:
		return fmt.Errorf("-steps is %d; it must be positive", *steps)
	case *every < 1:
		return fmt.Errorf("-print is %d; it must be positive", *every)
	case !(*dt > 0) || math.IsInf(*dt, 0):
		return fmt.Errorf("-dt is %g; it must be positive", *dt)
	case !(c.temperature >= 0) || math.IsInf(c.temperature, 0):
		return fmt.Errorf("-temperature is %g; it must not be negative", c.temperature)
	case !(*lattice >= 0) || math.IsInf(*lattice, 0):
		return fmt.Errorf("-lattice is %g; it must be positive", *lattice)
	case *threads < 0:
		return fmt.Errorf("-threads is %d; it must not be negative", *threads)
	}
	for d, n := range c.cells {
		if n < 1 {
			return fmt.Errorf("-n%c is %d; it must be positive", "xyz"[d], n)
		}
	}
	if err := output.Check(output.File{Option: "-csv", Name: *table}, output.File{Option: "-out", Name: *outPositions, Ext: ".npy"},
		output.File{Option: "-plot", Name: *picture, Ext: ".png"}); err != nil {
		return err
	}
	f, err := c.potential(*potential, *file, *format)
	if err != nil {
		return err
	}
	if *lattice > 0 {
		c.lattice = *lattice
	}
	opts := []exec.Option{exec.Threads(*threads)}
	if *algorithm != "auto" {
		name := algorithms[*potential][*algorithm]
		if name == "" {
			return fmt.Errorf("-algorithm is %q; it must be direct, redistributed or auto", *algorithm)
		}
		opts = append(opts, exec.Variant(name))
	}
	if *variant != "" {
		opts = append(opts, exec.Variant(*variant))
	}
	if *positions != "" {
		if c.positions, err = readPositions(ctx, *positions); err != nil {
			return err
		}
	}
	s, err := newSimulation(ctx, c, f, *dt, opts...)
	if err != nil {
		return err
	}
	r := &record{out: out, atoms: s.n, dt: *dt, every: *every}
	fmt.Fprintf(out, "%d atoms in %.4g × %.4g × %.4g Å, %d × %d × %d link cells, cutoff %.4g Å\n", s.n, s.box[0], s.box[1], s.box[2], s.links[0], s.links[1], s.links[2], c.cutoff)
	fmt.Fprintf(out, "potential energy at the start: %.12f eV an atom\n", s.energy.potential/float64(s.n))
	r.header()
	r.add(0, s.energy)
	bar := progressbar.NewOptions(*steps, progressbar.OptionSetWriter(progress), progressbar.OptionSetVisibility(command.Terminal(progress)), progressbar.OptionSetWidth(30), progressbar.OptionShowCount(),
		progressbar.OptionSetDescription("steps"), progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish())
	began := time.Now()
	for i := 1; i <= *steps; i++ {
		if err := s.step(ctx, i); err != nil {
			return err
		}
		bar.Add(1)
		if i%*every == 0 || i == *steps {
			bar.Clear()
			r.add(i, s.energy)
		}
	}
	bar.Finish()
	r.summary(s, time.Since(began), *steps)
	if *table != "" {
		if err := r.writeCSV(*table); err != nil {
			return err
		}
	}
	if *outPositions != "" {
		if err := writePositions(*outPositions, s); err != nil {
			return err
		}
	}
	if *picture != "" {
		return r.draw(*picture)
	}
	return nil
}

// potential chooses the force kernel, and sets what the file says about the crystal.
func (c *crystal) potential(name, file, format string) (force, error) {
	switch {
	case name == "lj" && file != "":
		return nil, fmt.Errorf("-file %s is for -potential eam; Lennard-Jones reads none", file)
	case name == "lj":
		return lennardJones(c.cutoff), nil
	case name != "eam":
		return nil, fmt.Errorf("-potential is %q; it must be lj or eam", name)
	case file == "":
		return nil, errors.New("-potential eam needs a file of tables: -file FILE")
	}
	t, err := readTables(file, format)
	if err != nil {
		return nil, err
	}
	c.lattice, c.mass, c.cutoff = t.lattice, t.mass*massUnit, t.cutoff
	return embeddedAtom(t), nil
}
