package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/sbinet/npyio"
	"gonum.org/v1/gonum/mat"
)

var long = flag.Bool("long", false, "simulate thousands of steps where a short run otherwise stands for them")

// tablesAt is where the tables of published potentials are, beside the project.
const tablesAt = "../../../../shared/data/comd"

// published returns a file of a published potential, or skips the test.
func published(t *testing.T, name string) string {
	t.Helper()
	file := filepath.Join(tablesAt, name)
	if _, err := os.Stat(file); err != nil {
		t.Skipf("the published tables are not here: %v", err)
	}
	return file
}

func call(args ...string) (string, error) {
	var out bytes.Buffer
	err := run(context.Background(), args, &out, io.Discard)
	return out.String(), err
}

// number returns the first group of pattern in text.
func number(t *testing.T, text, pattern string) float64 {
	t.Helper()
	m := regexp.MustCompile(pattern).FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("no %s in\n%s", pattern, text)
	}
	x, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestCohesiveEnergies compares the perfect lattice with the figures that CoMD publishes. That of Lennard-Jones, whose
// sum TestLatticeSum also has from the formula, is known to ten digits.
func TestCohesiveEnergies(t *testing.T) {
	for _, algorithm := range []string{"direct", "redistributed"} {
		for _, c := range []struct {
			file      string
			want      float64
			tolerance float64
		}{
			{"", -1.243619295058, 2.5e-11}, {"Cu_u6.eam", -3.538079224691, 1e-11}, {"Cu01.eam.alloy", -3.539999969176, 1e-11},
		} {
			t.Run(algorithm+" "+c.file, func(t *testing.T) {
				args := []string{"-nx", "5", "-ny", "4", "-nz", "6", "-steps", "1", "-algorithm", algorithm}
				if c.file != "" {
					args = append(args, "-potential", "eam", "-file", published(t, c.file))
				}
				out, err := call(args...)
				if err != nil {
					t.Fatal(err)
				}
				if got := number(t, out, `energy at the start: (\S+) eV`); math.Abs(got-c.want) > c.tolerance {
					t.Errorf("cohesive energy %.13f, published %.12f: %.1e apart", got, c.want, got-c.want)
				}
			})
		}
	}
}

// TestLatticeSum adds up the Lennard-Jones energy of a perfect lattice from the formula alone.
func TestLatticeSum(t *testing.T) {
	u := func(r float64) float64 {
		return 4 * copperEpsilon * (math.Pow(copperSigma/r, 12) - math.Pow(copperSigma/r, 6))
	}
	want := 0.0
	const n = 8 // half lattice constants; a point is on the lattice if its coordinates sum to an even number
	for i := -n; i <= n; i++ {
		for j := -n; j <= n; j++ {
			for k := -n; k <= n; k++ {
				r := copperLattice / 2 * math.Sqrt(float64(i*i+j*j+k*k))
				if (i+j+k)%2 == 0 && r > 0 && r <= 2.5*copperSigma {
					want += 0.5 * (u(r) - u(2.5*copperSigma))
				}
			}
		}
	}
	out, err := call("-nx", "3", "-ny", "2", "-nz", "4", "-steps", "1")
	if err != nil {
		t.Fatal(err)
	}
	if got := number(t, out, `energy at the start: (\S+) eV`); math.Abs(got-want) > 2e-12 {
		t.Errorf("energy %.13f, the sum is %.13f", got, want)
	}
}

// TestConservation: the energy stays once the first steps are past, the forces cancel, no atom is lost.
func TestConservation(t *testing.T) {
	steps, size := 700, "3"
	if *long {
		steps, size = 5000, "6"
	}
	for name, args := range map[string][]string{
		"lj": {"-algorithm", "direct"}, "lj redistributed": {"-algorithm", "redistributed"}, "made": {"-potential", "eam", "-file", madeTables(t)},
		"Adams": {"-potential", "eam", "-file", filepath.Join(tablesAt, "Cu_u6.eam")}, "Mishin": {"-potential", "eam", "-file", filepath.Join(tablesAt, "Cu01.eam.alloy")},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "Adams" || name == "Mishin" {
				published(t, filepath.Base(args[3]))
			}
			out, err := call(append(args, "-nx", size, "-ny", size, "-nz", size, "-steps", fmt.Sprint(steps), "-print", "50")...)
			if err != nil {
				t.Fatal(err)
			}
			if drift := number(t, out, `since step 300 is (\S+) `); drift > 1e-5 {
				t.Errorf("the energy changes by %g of its value\n%s", drift, out)
			}
			if sum := number(t, out, `sum is at most (\S+) eV`); sum > 1e-11 {
				t.Errorf("the forces sum to %g", sum)
			}
			if n := 4 * number(t, size, `(\d)`) * number(t, size, `(\d)`) * number(t, size, `(\d)`); !strings.Contains(out, fmt.Sprintf("atoms: %g of %g are", n, n)) {
				t.Errorf("atoms are lost:\n%s", out)
			}
			// Half of the kinetic energy goes into the lattice.
			if kelvin := number(t, out, fmt.Sprintf(`(?m)^ +%d .* (\S+)$`, steps)); kelvin < 200 || kelvin > 420 {
				t.Errorf("%g K at the end", kelvin)
			}
		})
	}
}

// TestAlgorithmsAgree: both ways to compute forces give the same trajectory, as long as rounding has not grown.
func TestAlgorithmsAgree(t *testing.T) {
	for _, potential := range [][]string{nil, {"-potential", "eam", "-file", madeTables(t)}} {
		var ends []*mat.Dense
		for _, algorithm := range []string{"direct", "redistributed"} {
			file := filepath.Join(t.TempDir(), "p.npy")
			if _, err := call(append(potential, "-nx", "4", "-ny", "3", "-nz", "4", "-steps", "60", "-algorithm", algorithm, "-out", file)...); err != nil {
				t.Fatal(err)
			}
			ends = append(ends, readNpy(t, file))
		}
		if !mat.EqualApprox(ends[0], ends[1], 1e-9) {
			t.Error("the algorithms lead to different positions")
		}
	}
}

func readNpy(t *testing.T, file string) *mat.Dense {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var m mat.Dense
	if err := npyio.Read(f, &m); err != nil {
		t.Fatal(err)
	}
	return &m
}

func TestOutput(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	out, err := call("-nx", "2", "-ny", "3", "-nz", "2", "-steps", "25", "-csv", file("e.csv"), "-out", file("p.npy"), "-plot", file("p.png"), "-threads", "1",
		"-algorithm", "direct", "-variant", "independent>sequential")
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(file("e.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) != 5 || rows[4][0] != "25" {
		t.Errorf("%v %v, want a head and steps 0, 10, 20 and 25", rows, err)
	}
	if p, err := os.ReadFile(file("p.png")); err != nil || !bytes.HasPrefix(p, []byte("\x89PNG")) {
		t.Errorf("no picture: %v", err)
	}
	if r, c := readNpy(t, file("p.npy")).Dims(); r != 48 || c != 3 {
		t.Errorf("positions %d × %d", r, c)
	}
	// The positions are a start like any other: a simulation that goes on from them has their potential energy.
	again, err := call("-algorithm", "auto", "-nx", "2", "-ny", "3", "-nz", "2", "-steps", "1", "-positions", file("p.npy"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := number(t, again, `energy at the start: (\S+) eV`), number(t, out, `(?m)^ +25 +\S+ +\S+ +(\S+)`); math.Abs(got-want) > 1e-9 {
		t.Errorf("the energy is %g where the first run ended, and was %g", got, want)
	}
}

// TestSparse: atoms that are far apart need no cell for each cutoff.
func TestSparse(t *testing.T) {
	out, err := call("-nx", "2", "-ny", "3", "-nz", "2", "-steps", "3", "-lattice", "1e6")
	if err != nil {
		t.Fatal(err)
	}
	if e := number(t, out, `energy at the start: (\S+) eV`); e != 0 || !strings.Contains(out, "atoms: 48 of 48") {
		t.Errorf("energy %g of atoms without neighbours\n%s", e, out)
	}
}

func TestBadInput(t *testing.T) {
	dir := t.TempDir()
	positions := func(name string, m *mat.Dense) string {
		file := filepath.Join(dir, name)
		f, err := os.Create(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := npyio.Write(f, m); err != nil {
			t.Fatal(err)
		}
		return file
	}
	same := mat.NewDense(2, 3, []float64{1, 1, 1, 1 + 1e-60, 1, 1 + 1e-15})
	for _, c := range []struct{ args, want string }{
		{"-steps 0", "-steps is 0; it must be positive"},
		{"-steps -3", "-steps is -3"},
		{"-print 0", "-print is 0"},
		{"-dt 0", "-dt is 0"},
		{"-dt NaN", "-dt is NaN"},
		{"-temperature -1", "-temperature is -1"},
		{"-nx 0", "-nx is 0"},
		{"-nx 1", "the box is 3.615 Å long along x (1 unit cells of 3.615 Å), less than the cutoff of 5.787 Å; it needs at least 2 unit cells"},
		{"-nx 3 -ny 3 -nz 1", "along z"},
		{"-nx 100000 -ny 100000 -nz 100000", "are more than"},
		{"-lattice 0.1", "less than the cutoff"},
		{"-lattice -1", "-lattice is -1"},
		{"-threads -1", "-threads is -1"},
		{"-potential tersoff", `-potential is "tersoff"`},
		{"-potential eam", "needs a file of tables"},
		{"-file x.eam", "Lennard-Jones reads none"},
		{"-algorithm fast", `-algorithm is "fast"; it must be direct, redistributed or auto`},
		{"-variant nosuch", "nosuch"},
		{"-steps 1 -plot x.gif", "must end in .png"},
		{"extra", `unexpected argument "extra"`},
		{"-potential eam -file " + filepath.Join(dir, "missing.eam"), "missing.eam"},
		{"-positions " + filepath.Join(dir, "missing.npy"), "missing.npy"},
		{"-positions " + positions("flat.npy", mat.NewDense(4, 2, nil)), "a row of three numbers"},
		{"-positions " + positions("nan.npy", mat.NewDense(2, 3, []float64{1, 2, 3, 4, math.NaN(), 6})), "coordinate 2 of atom 2 is NaN"},
		{"-positions " + positions("inf.npy", mat.NewDense(2, 3, []float64{1, 2, math.Inf(-1), 4, 5, 6})), "coordinate 3 of atom 1 is -Inf"},
		{"-positions " + positions("same.npy", same), "atoms lie on each other"},
		{"-nx 3 -ny 3 -nz 3 -steps 200 -dt 1e300", "the time step is too long"},
		{"-nx 3 -ny 3 -nz 3 -steps 200 -dt 1e9", "the time step is too long; choose a smaller -dt"},
		{"-nx 3 -ny 3 -nz 3 -steps 200 -temperature 1e12", "the time step is too long"},
		{"-steps 1 -out x.npy -csv ./x.npy", "-csv and -out are the same file"},
	} {
		if _, err := call(strings.Fields(c.args)...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.args, err, c.want)
		}
	}
}
