package main

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"time"

	"github.com/sbinet/npyio"
	"github.com/surge-ndp/surge/examples/internal/output"
	"github.com/surge-ndp/surge/training/input"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/palette"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// record is what was printed of the energies.
type record struct {
	out   io.Writer
	atoms int
	dt    float64
	every int
	rows  []row
}

type row struct {
	step int
	energies
}

func (r *record) header() {
	fmt.Fprintf(r.out, "%8s %10s %18s %16s %14s %12s\n", "step", "time fs", "total eV/atom", "potential", "kinetic", "temperature K")
}

func (r *record) add(step int, e energies) {
	r.rows = append(r.rows, row{step, e})
	n := float64(r.atoms)
	fmt.Fprintf(r.out, "%8d %10.1f %18.12f %16.10f %14.10f %12.4f\n", step, float64(step)*r.dt, e.total()/n, e.potential/n, e.kinetic/n, e.temperature(r.atoms))
}

// settled is how many steps the atoms get to leave the lattice's points before the drift of their energy is judged.
const settled = 300

// drift is the largest relative change of the total energy, against that after the first steps, or at the start of a
// short run.
func (r *record) drift() (from int, largest float64) {
	first := r.rows[0]
	for _, x := range r.rows {
		if last := r.rows[len(r.rows)-1].step; x.step <= settled && last >= 2*settled {
			first = x
		}
	}
	for _, x := range r.rows {
		if x.step >= first.step {
			largest = max(largest, math.Abs(x.total()/first.total()-1))
		}
	}
	return first.step, largest
}

func (r *record) summary(s *simulation, took time.Duration, steps int) {
	from, drift := r.drift()
	fmt.Fprintf(r.out, "\ntotal energy: largest relative change since step %d is %.1e (%.1f digits conserved)\n", from, drift, -math.Log10(max(drift, 1e-17)))
	fmt.Fprintf(r.out, "forces: their sum is at most %.1e eV/Å along an axis\n", s.sumOfForces())
	fmt.Fprintf(r.out, "atoms: %d of %d are in the cells\n", s.counted(), s.n)
	fmt.Fprintf(r.out, "time: %v, %.3g µs an atom and step\n", took.Round(time.Millisecond), float64(took.Nanoseconds())/1e3/float64(steps)/float64(s.n))
}

func (r *record) writeCSV(file string) error {
	return output.Write(file, func(out io.Writer) error {
		w := csv.NewWriter(out)
		w.Write([]string{"step", "time_fs", "total_eV", "potential_eV", "kinetic_eV", "temperature_K"})
		for _, x := range r.rows {
			text := []string{strconv.Itoa(x.step)}
			for _, v := range []float64{float64(x.step) * r.dt, x.total(), x.potential, x.kinetic, x.temperature(r.atoms)} {
				text = append(text, strconv.FormatFloat(v, 'g', -1, 64))
			}
			w.Write(text)
		}
		w.Flush()
		return w.Error()
	})
}

// writePositions writes a row of three an atom, in the order in which the atoms were at the start.
func writePositions(file string, s *simulation) error {
	m := mat.NewDense(s.n, 3, nil)
	for a, id := range s.id {
		m.SetRow(int(id), []float64{s.x[a], s.y[a], s.z[a]})
	}
	return output.Write(file, func(w io.Writer) error { return npyio.Write(w, m) })
}

// readPositions reads a row of three numbers an atom.
func readPositions(ctx context.Context, file string) ([]float64, error) {
	array, err := input.Open(ctx, file, input.Options{})
	if err != nil {
		return nil, err
	}
	v, err := array.Field("")
	if err != nil {
		return nil, err
	}
	if len(v.Dims) != 2 || v.Dims[0] < 1 || v.Dims[0] > mostAtoms || v.Dims[1] != 3 {
		return nil, fmt.Errorf("%s: the array has the shape %v; positions need a row of three numbers an atom", file, v.Dims)
	}
	if v, err = input.Convert(v, input.Float64); err != nil {
		return nil, err
	}
	data, _ := input.Slice[float64](v)
	for i, x := range data {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, fmt.Errorf("%s: coordinate %d of atom %d is %v; all must be finite numbers", file, i%3+1, i/3+1, x)
		}
	}
	return data, nil
}

// draw makes a picture of the energies an atom, each less its value at the start.
func (r *record) draw(file string) error {
	p := plot.New()
	p.Title.Text = fmt.Sprintf("%d atoms", r.atoms)
	p.X.Label.Text, p.Y.Label.Text = "time (fs)", "change of energy (eV an atom)"
	p.Legend.Top = true
	first := r.rows[0]
	colours := palette.Rainbow(4, 0, 0.9, 0.9, 0.8, 1).Colors()
	for i, curve := range []struct {
		name  string
		value func(e energies) float64
	}{
		{"potential", func(e energies) float64 { return e.potential - first.potential }},
		{"kinetic", func(e energies) float64 { return e.kinetic - first.kinetic }},
		{"total", func(e energies) float64 { return e.total() - first.total() }},
	} {
		points := make(plotter.XYs, len(r.rows))
		for k, x := range r.rows {
			points[k] = plotter.XY{X: float64(x.step) * r.dt, Y: curve.value(x.energies) / float64(r.atoms)}
		}
		l, err := plotter.NewLine(points)
		if err != nil {
			return err
		}
		l.Color, l.Width = colours[i], vg.Points(1.2)
		p.Add(l)
		p.Legend.Add(curve.name, l)
	}
	c, err := p.WriterTo(7*vg.Inch, 4.5*vg.Inch, "png")
	if err != nil {
		return err
	}
	return output.Write(file, func(w io.Writer) error { _, err := c.WriteTo(w); return err })
}
