package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/examples/comd"
)

// A made-up embedded atom potential: ρ = e^(2-r)·s(r), φ = 3·e^(2-r)·s(r), F = -1.2·√(ρ+0.01), s falling to 0 at the
// cutoff.
const (
	madeCutoff = 5.0
	madePoints = 2000
	madeDr     = madeCutoff / (madePoints - 1)
	madeDrho   = 40.0 / madePoints
)

func madeSmooth(r float64) float64 { return math.Pow(1-min(r/madeCutoff, 1), 3) }
func madeRho(r float64) float64    { return 8 * math.Exp(2-r) * madeSmooth(r) }
func madePhi(r float64) float64    { return 4 * math.Exp(2*(2-r)) * madeSmooth(r) }
func madeF(rho float64) float64    { return -1.2 * math.Sqrt(rho+0.01) }

// values prints a table, five numbers a line.
func values(n int, step float64, f func(x float64) float64) string {
	var sb strings.Builder
	for i := range n {
		fmt.Fprintf(&sb, "%24.16e", f(step*float64(i)))
		if i%5 == 4 || i == n-1 {
			sb.WriteString("\n")
		}
	}
	return sb.String()
}

func grid() string {
	return fmt.Sprintf("%d %.17g %d %.17g %.17g\n", madePoints, madeDrho, madePoints, madeDr, madeCutoff)
}

// funcflText is the made-up potential in the format funcfl.
func funcflText() string {
	charge := func(r float64) float64 { return math.Sqrt(madePhi(r) * r / (hartree * bohr)) }
	return "made-up tables\n 29 63.55 3.615 FCC\n" + grid() + values(madePoints, madeDrho, madeF) + values(madePoints, madeDr, charge) + values(madePoints, madeDr, madeRho)
}

// setflText is the same in the format setfl.
func setflText() string {
	return "one\ntwo UNITS: metal\nthree\n 1 Cu\n" + grid() + " 29 63.55 3.615 fcc\n" + values(madePoints, madeDrho, madeF) + values(madePoints, madeDr, madeRho) +
		values(madePoints, madeDr, func(r float64) float64 { return r * madePhi(r) })
}

func write(t testing.TB, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// madeTables writes the made-up potential to a file.
func madeTables(t testing.TB) string { return write(t, "made.eam", funcflText()) }

// TestReadTables reads the same potential in both formats.
func TestReadTables(t *testing.T) {
	for name, text := range map[string]string{"made.eam": funcflText(), "made.eam.alloy": setflText()} {
		p, err := readTables(write(t, name, text), "auto")
		if err != nil {
			t.Fatal(err)
		}
		if p.mass != 63.55 || p.lattice != 3.615 || p.cutoff != madeCutoff {
			t.Errorf("%s: mass %g, lattice %g, cutoff %g", name, p.mass, p.lattice, p.cutoff)
		}
		for _, r := range []float64{1.7, 2.5, 3.61, 4.9} {
			for what, c := range map[string][3]float64{
				"φ": {value(p.phi, p.dr, r), madePhi(r), 1e-6}, "ρ": {value(p.rho, p.dr, r), madeRho(r), 1e-6}, "F": {value(p.embed, p.drho, r), madeF(r), 1e-6},
			} {
				if math.Abs(c[0]-c[1]) > c[2]*(1+math.Abs(c[1])) {
					t.Errorf("%s: %s(%g) = %g, want %g", name, what, r, c[0], c[1])
				}
			}
		}
	}
}

func value(table []float64, step, x float64) float64 {
	v, _ := comd.Interpolate(table, 1/step, x)
	return v
}

// TestBadTables spoils a line, or cuts the file.
func TestBadTables(t *testing.T) {
	replace := func(text string, line int, with string) string {
		lines := strings.SplitAfter(text, "\n")
		lines[line-1] = with + "\n"
		return strings.Join(lines, "")
	}
	good, alloy := funcflText(), setflText()
	for _, c := range []struct{ name, text, want string }{
		{"empty.eam", "", "empty.eam:1: the file ends before the comment"},
		{"one.eam", "one line\n", "the file ends before atomic number"},
		{"head.eam", replace(good, 2, "29 63.55"), `head.eam:2: "29 63.55" is not the line of atomic number`},
		{"word.eam", replace(good, 2, "29 copper 3.615 FCC"), `word.eam:2: the mass is "copper"; it must be a number`},
		{"mass.eam", replace(good, 2, "29 -1 3.615 FCC"), "the mass is -1; it must be positive"},
		{"bcc.eam", replace(good, 2, "29 63.55 3.615 bcc"), `the lattice is "bcc"; only fcc`},
		{"grid.eam", replace(good, 3, "500 0.1 500"), "grid.eam:3"},
		{"count.eam", replace(good, 3, "1e3 0.1 500 0.01 4.9"), `the number of densities is "1e3"`},
		{"huge.eam", replace(good, 3, "500 0.1 99999999999 0.01 4.9"), "the number of radii is"},
		{"few.eam", replace(good, 3, "1 0.1 500 0.01 4.9"), "it must be a whole number from 2"},
		{"step.eam", replace(good, 3, "500 0.1 500 0 4.9"), "the step of radii is 0; it must be positive"},
		{"nan.eam", replace(good, 3, "500 NaN 500 0.01 4.9"), `the step of densities is "NaN"`},
		{"reach.eam", replace(good, 3, "500 0.1 500 0.001 4.9"), "the cutoff is 4.9, but 500 radii in steps of 0.001 reach only to 0.5"},
		{"value.eam", replace(good, 4, "0 1 2 x 4"), `value.eam:4: value 4 of F(ρ) is "x"`},
		{"infinite.eam", replace(good, 4, "0 1 2 +Inf 4"), `value 4 of F(ρ) is "+Inf"`},
		{"short.eam", good[:len(good)/2], "values of Z(r)"},
		{"cut.eam", good[:len(good)-30], "the file ends after 1999 of the 2000 values of ρ(r)"},
		{"shift.eam", strings.Replace(good, "\n", " 1.0\n", 20), "shift.eam"},
		{"units.eam", replace(good, 1, "made-up UNITS: real"), `units.eam:1: the units are "real"; only metal`},
		{"units.eam.alloy", replace(alloy, 2, "# DATE: 2011 UNITS: electron CONTRIBUTOR: x"), `units.eam.alloy:2: the units are "electron"`},
		{"nounits.eam", replace(good, 1, "UNITS:"), `the units are ""`},
		{"two.eam.alloy", replace(alloy, 4, "2 Cu Ni"), `there are "2" elements; only files of one`},
		{"names.eam.alloy", replace(alloy, 4, "1"), "names.eam.alloy:4"},
		{"cut.eam.alloy", alloy[:len(alloy)/3], "values of"},
		{"more.eam", good + "\n1.5 2\n", `the file goes on, with "1.5 2", after all values that line 3 announces`},
		{"funcfl.eam.alloy", good, "read as setfl; see -type"},
		{"other.eam", alloy, "read as funcfl; see -type"},
	} {
		file := write(t, c.name, c.text)
		if _, err := call("-potential", "eam", "-file", file); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
	if _, err := readTables(write(t, "made.eam", good), "table"); err == nil || !strings.Contains(err.Error(), `-type is "table"`) {
		t.Errorf("error %v", err)
	}
	if _, err := call("-potential", "eam", "-type", "setfl", "-file", write(t, "made.dat", alloy), "-nx", "2", "-ny", "2", "-nz", "2", "-steps", "1"); err != nil {
		t.Errorf("-type setfl: %v", err)
	}
}

// FuzzReadTables: whatever a file holds, there is a potential or an error.
func FuzzReadTables(f *testing.F) {
	small := "c\n29 63.55 3.615 FCC\n3 0.1 3 2 5\n0 1 2\n3 2 1\n1 .5 0\n"
	f.Add([]byte(small), false)
	f.Add([]byte("a\nb\nc\n1 Cu\n3 0.1 3 2 5\n29 63.55 3.615 fcc\n0 1 2\n3 2 1\n1 .5 0\n"), true)
	f.Add([]byte("UNITS:"), true)
	f.Fuzz(func(t *testing.T, text []byte, setfl bool) {
		r := &potentialFile{name: "f", format: "funcfl", rest: text}
		read := r.funcfl
		if setfl {
			read = r.setfl
		}
		p := read()
		if r.err == nil && (len(p.phi) != p.radial+3 || len(p.rho) != p.radial+3 || len(p.embed) != p.densities+3 || !(p.cutoff > 0)) {
			t.Errorf("accepted %q: %d values of φ, %d of ρ, %d of F", text, len(p.phi), len(p.rho), len(p.embed))
		}
	})
}
