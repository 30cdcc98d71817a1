package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/surge-ndp/surge/examples/comd"
)

// tables are an embedded atom potential of one element, read from a file.
type tables struct {
	element           string
	mass              float64 // in atomic mass units
	lattice           float64 // lattice constant in Å
	cutoff            float64 // in Å
	embed, phi, rho   []float64
	drho, dr          float64
	densities, radial int // values in a table over the density, and over r
}

// The format funcfl gives φ by a charge Z(r) in atomic units, φ = Z²/r. The digits are those of CODATA 2010, with which
// CoMD's published energies were computed.
const (
	hartree = 27.21138505   // eV
	bohr    = 0.52917721092 // Å
)

// mostValues bounds the tables that are accepted.
const mostValues = 10_000_000

// readTables reads a potential in the format funcfl or setfl, by its name if format is "auto".
func readTables(file, format string) (*tables, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if format == "auto" {
		format = "funcfl"
		if name := strings.ToLower(file); strings.Contains(name, "alloy") || strings.Contains(name, "setfl") {
			format = "setfl"
		}
	}
	f := &potentialFile{name: file, format: format, rest: text}
	var t *tables
	switch format {
	case "funcfl":
		t = f.funcfl()
	case "setfl":
		t = f.setfl()
	default:
		return nil, fmt.Errorf("-type is %.40q; it must be funcfl, setfl or auto", format)
	}
	if f.err != nil {
		return nil, f.err
	}
	return t, nil
}

// potentialFile reads a file line by line, then number by number. Its first error stays.
type potentialFile struct {
	name, format string
	line         int
	grids        int // line that gives the lengths of the tables
	rest         []byte
	err          error
}

func (f *potentialFile) fail(format string, args ...any) {
	if f.err == nil {
		f.err = fmt.Errorf("%s:%d: %s (read as %s; see -type)", f.name, max(f.line, 1), fmt.Sprintf(format, args...), f.format)
	}
}

// next returns the next line.
func (f *potentialFile) next(what string) string {
	if len(f.rest) == 0 {
		f.fail("the file ends before %s", what)
		return ""
	}
	f.line++
	line, rest, _ := bytes.Cut(f.rest, []byte("\n"))
	f.rest = rest
	return string(line)
}

// comment skips a line of text. Files of other programs may name their units there.
func (f *potentialFile) comment() {
	_, units, named := strings.Cut(strings.ToUpper(f.next("the comment")), "UNITS:")
	if words := strings.Fields(units); named && (len(words) == 0 || words[0] != "METAL") {
		f.fail("the units are %q; only metal (eV and Å) is understood", strings.ToLower(strings.Join(words[:min(1, len(words))], "")))
	}
}

// fields splits the next line and checks how many words it has.
func (f *potentialFile) fields(what string, n int) []string {
	words := strings.Fields(f.next(what))
	if f.err == nil && len(words) < n {
		f.fail("%.40q is not the line of %s", strings.Join(words, " "), what)
	}
	return append(words, make([]string, n)...)
}

func (f *potentialFile) number(word, what string) float64 {
	x, err := strconv.ParseFloat(word, 64)
	if f.err == nil && (err != nil || math.IsNaN(x) || math.IsInf(x, 0)) {
		f.fail("%s is %.40q; it must be a number", what, word)
	}
	return x
}

func (f *potentialFile) positive(word, what string) float64 {
	x := f.number(word, what)
	if f.err == nil && x <= 0 {
		f.fail("%s is %s; it must be positive", what, word)
	}
	return x
}

func (f *potentialFile) count(word, what string) int {
	n, err := strconv.Atoi(word)
	if f.err == nil && (err != nil || n < 2 || n > mostValues) {
		f.fail("%s is %.40q; it must be a whole number from 2 to %d", what, word, mostValues)
	}
	return n
}

// element reads the line of atomic number, mass, lattice constant and kind of lattice.
func (f *potentialFile) element(t *tables) {
	w := f.fields("atomic number, mass, lattice constant and lattice", 4)
	f.positive(w[0], "the atomic number")
	t.mass, t.lattice = f.positive(w[1], "the mass"), f.positive(w[2], "the lattice constant")
	if f.err == nil && !strings.EqualFold(w[3], "fcc") {
		f.fail("the lattice is %q; only fcc is laid out", w[3])
	}
}

// grid reads the line of both tables' lengths and steps, and of the cutoff.
func (f *potentialFile) grid(t *tables) {
	w := f.fields("numbers and steps of densities and radii, and cutoff", 5)
	f.grids = f.line
	t.densities, t.drho = f.count(w[0], "the number of densities"), f.positive(w[1], "the step of densities")
	t.radial, t.dr = f.count(w[2], "the number of radii"), f.positive(w[3], "the step of radii")
	t.cutoff = f.positive(w[4], "the cutoff")
	if reach := t.dr * float64(t.radial); f.err == nil && t.cutoff > reach*(1+1e-9) {
		f.fail("the cutoff is %g, but %d radii in steps of %g reach only to %g", t.cutoff, t.radial, t.dr, reach)
	}
}

// table reads n numbers, however they are divided into lines.
func (f *potentialFile) table(what string, n int) []float64 {
	var values []float64
	for f.err == nil && len(values) < n {
		if len(f.rest) == 0 {
			f.fail("the file ends after %d of the %d values of %s", len(values), n, what)
			break
		}
		words := strings.Fields(f.next(what))
		if f.err == nil && len(values)+len(words) > n {
			f.fail("the line has more numbers than are left of the %d values of %s", n, what)
		}
		for _, w := range words {
			values = append(values, f.number(w, fmt.Sprintf("value %d of %s", len(values)+1, what)))
		}
	}
	if f.err != nil {
		return make([]float64, 2)
	}
	return values
}

// end checks that nothing follows the tables: what does was meant to be read, so that their lengths are wrong.
func (f *potentialFile) end() {
	for f.err == nil && len(f.rest) > 0 {
		if words := strings.Fields(f.next("")); len(words) > 0 {
			f.fail("the file goes on, with %.40q, after all values that line %d announces", strings.Join(words, " "), f.grids)
		}
	}
}

// funcfl reads one comment, element, grid, then F, Z and ρ.
func (f *potentialFile) funcfl() *tables {
	t := &tables{}
	f.comment()
	f.element(t)
	f.grid(t)
	t.embed = comd.Pad(f.table("F(ρ)", t.densities))
	z := f.table("Z(r)", t.radial)
	for i := range z {
		z[i] *= z[i] * hartree * bohr
	}
	t.phi = comd.Pad(overRadius(z, t.dr))
	t.rho = comd.Pad(f.table("ρ(r)", t.radial))
	f.end()
	t.element = "atoms"
	return t
}

// setfl reads three comments, the elements' names, grid, element, then F, ρ and r·φ.
func (f *potentialFile) setfl() *tables {
	t := &tables{}
	for range 3 {
		f.comment()
	}
	w := f.fields("the number of elements and their names", 2)
	if f.err == nil && w[0] != "1" {
		f.fail("there are %.40q elements; only files of one are understood", w[0])
	}
	t.element = w[1]
	f.grid(t)
	f.element(t)
	t.embed = comd.Pad(f.table("F(ρ)", t.densities))
	t.rho = comd.Pad(f.table("ρ(r)", t.radial))
	t.phi = comd.Pad(overRadius(f.table("r·φ(r)", t.radial), t.dr))
	f.end()
	return t
}

// overRadius divides a table by r; the value at 0 follows from the next two on a straight line.
func overRadius(values []float64, dr float64) []float64 {
	for i := 1; i < len(values); i++ {
		values[i] /= dr * float64(i)
	}
	if len(values) > 2 {
		values[0] = 2*values[1] - values[2]
	}
	return values
}
