package input

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/harness"
)

// TestSharedDefinitions compares random inputs with checksums computed by a
// program of its own, in another language, from the definitions in Generators.
func TestSharedDefinitions(t *testing.T) {
	tests := []struct {
		spec                          string
		values, columns, offsets, out float64
	}{
		{"gen:short:rows=1000", 3474.45219515425, 3427324.25, 3443440.0, 1710.8509852849002},
		{"gen:uniform:rows=1000,per_row=5", 3474.45219515425, 3427324.25, 3443440.0, 1710.8509852849002},
		{"gen:long:20", 13704.571122916748, 260804.125, 299250.0, 5773.49986740093},
		{"gen:powerlaw:rows=1k", 6959.836972841811, 6963589.625, 7387070.625, 3482.1424357827414},
		{"gen:banded:rows=100,half=13", 1709.8108634156858, 171372.375, 174214.125, 813.5390928983977},
	}
	for _, test := range tests {
		s, err := Open(t.Context(), test.spec, Options{})
		if err != nil {
			t.Fatal(err)
		}
		checkCSR(t, s)
		bound, err := Bind([]Parameter{{Name: "x", Type: Type{Float64, 1}, Expr: "random(A.cols, seed=34)"}}, map[string]*Source{"A": s}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		x := bound[0].Data.([]float64)
		values, columns, offsets := s.array("values").Data.([]float64), s.array("columns").Data.([]int32), s.array("row_offsets").Data.([]int32)
		out := make([]float64, s.rows)
		for r := range out {
			for k := offsets[r]; k < offsets[r+1]; k++ {
				out[r] += float64(values[k] * x[columns[k]])
			}
		}
		got := []float64{harness.Checksum(values), harness.Checksum(columns), harness.Checksum(offsets), harness.Checksum(out)}
		for i, want := range []float64{test.values, test.columns, test.offsets, test.out} {
			if math.Abs(got[i]-want) > 1e-12*math.Abs(want) {
				t.Errorf("%s: checksum %d is %v, want %v", test.spec, i, got[i], want)
			}
		}
	}
	v, err := bindOne("lcg(1000, seed=34, lo=-1, hi=1)", nil, Type{Float64, 1})
	if got := harness.Checksum(v.Data.([]float64)); err != nil || math.Abs(got-4.301725585435406) > 1e-10 {
		t.Errorf("lcg: %v, %v", got, err)
	}
}

// TestGeneratorsAreDeterministic opens each generator twice, small, and its
// example once.
func TestGeneratorsAreDeterministic(t *testing.T) {
	for _, g := range Generators() {
		t.Run(g.Name, func(t *testing.T) {
			open := func(spec string) *Source {
				s, err := Open(t.Context(), spec, Options{})
				if err != nil {
					t.Fatal(err)
				}
				if s.form == formMatrix {
					checkCSR(t, s)
				}
				t.Logf("%s: %v", spec, s)
				return s
			}
			small := "gen:" + g.Name + ":" + g.Parameters[0].Name + "=50"
			a, b := open(small), open(small)
			if a.Fingerprint() != b.Fingerprint() || len(a.Fingerprint()) != 32 {
				t.Errorf("fingerprints %s, %s", a.Fingerprint(), b.Fingerprint())
			}
			for i := range a.arrays {
				if !bytes.Equal(memory(a.arrays[i].value.Data), memory(b.arrays[i].value.Data)) {
					t.Errorf("%s differs between two runs", a.arrays[i].name)
				}
			}
			if open(g.Example).Fingerprint() == a.Fingerprint() {
				t.Error("different arguments, same fingerprint")
			}
		})
	}
}

func TestPoisson(t *testing.T) {
	for spec, want := range map[string][3]int{
		"gen:poisson2d:3x4":         {12, 46, 4},
		"gen:poisson2d:nx=1,ny=1":   {1, 1, 4},
		"gen:poisson2d:0x5":         {0, 0, 0},
		"gen:poisson3d:2x3x4":       {24, 24 + 2*(1*3*4+2*2*4+2*3*3), 6},
		"gen:poisson3d:1x1<<2x1+1":  {8, 8 + 2*(3*2+4*1), 6},
		"gen:poisson2d:2Ki*0+5 x 2": {10, 10 + 2*(4*2+5), 4},
	} {
		s, err := Open(t.Context(), spec, Options{})
		if err != nil {
			t.Fatal(err)
		}
		checkCSR(t, s)
		if s.rows != want[0] || s.cols != want[0] || s.array("values").Len() != want[1] {
			t.Errorf("%s: %v, want %v", spec, s, want)
		}
		// Symmetric, and rows sum to 0 inside and above it at borders.
		values, columns, offsets := s.array("values").Data.([]float64), s.array("columns").Data.([]int32), s.array("row_offsets").Data.([]int32)
		total, transposed := 0.0, 0.0
		for r := range s.rows {
			for k := offsets[r]; k < offsets[r+1]; k++ {
				total += values[k] * float64(r*31+int(columns[k])*17)
				transposed += values[k] * float64(r*17+int(columns[k])*31)
				if int(columns[k]) == r && values[k] != float64(want[2]) {
					t.Errorf("%s: diagonal %v", spec, values[k])
				}
			}
		}
		if total != transposed {
			t.Errorf("%s is not symmetric", spec)
		}
	}
}

// rowLengths returns the lengths of the rows of a generated matrix.
func rowLengths(t *testing.T, spec string) []int {
	t.Helper()
	s, err := Open(t.Context(), spec, Options{})
	if err != nil {
		t.Fatal(err)
	}
	checkCSR(t, s)
	var all []int
	offsets := s.array("row_offsets").Data.([]int32)
	for r := range len(offsets) - 1 {
		all = append(all, int(offsets[r+1]-offsets[r]))
	}
	return all
}

func moments(lengths []int) (mean, variance float64) {
	for _, n := range lengths {
		mean += float64(n) / float64(len(lengths))
	}
	for _, n := range lengths {
		variance += (float64(n) - mean) * (float64(n) - mean) / float64(len(lengths))
	}
	return mean, variance
}

func TestPowerLawMean(t *testing.T) {
	for _, exponent := range []string{"0.7", "1", "1.001", "2", "5"} {
		if mean, _ := moments(rowLengths(t, "gen:powerlaw:rows=2e4,avg=16,seed=3,exponent="+exponent)); mean < 12 || mean > 20 {
			t.Errorf("exponent %s: mean row length %v", exponent, mean)
		}
	}
	if got := rowLengths(t, "gen:powerlaw:rows=1,avg=5"); got[0] != 0 { // a quarter of one row is the longest
		t.Errorf("one row: %v", got)
	}
}

// Twice the length is 2^exponent times as rare.
func TestPowerLawExponent(t *testing.T) {
	for exponent, want := range map[string]float64{"0.7": 1.62, "1": 2, "2": 4} {
		at := map[bool]float64{}
		for _, n := range rowLengths(t, "gen:powerlaw:rows=5e4,scale=3,exponent="+exponent) {
			if n >= 12 {
				at[n >= 24]++
			}
		}
		if got := (at[false] + at[true]) / at[true]; math.Abs(got-want) > 0.15*want {
			t.Errorf("exponent %s: %v rows of 12 for one of 24 or more, want %v", exponent, got, want)
		}
	}
}

func TestScattered(t *testing.T) {
	for _, avg := range []float64{0, 0.5, 7, 1200} {
		mean, variance := moments(rowLengths(t, fmt.Sprintf("gen:scattered:rows=2000,avg=%g", avg)))
		if e := math.Sqrt(avg / 2000); math.Abs(mean-avg) > 5*e || math.Abs(variance-avg) > 0.2*avg {
			t.Errorf("avg %v: mean %v, variance %v", avg, mean, variance)
		}
	}
}

// How many elements there are stays as it is; the rows' order goes from chance to that of their lengths.
func TestPowerLawSorted(t *testing.T) {
	random := rowLengths(t, "gen:powerlaw:rows=1000,avg=8")
	want := slices.Sorted(slices.Values(random))
	last := 0.0 // share of the elements in the second half
	for _, sorted := range []string{"0", "0.2", "0.5", "1"} {
		got := rowLengths(t, "gen:powerlaw:rows=1000,avg=8,sorted="+sorted)
		if !slices.Equal(slices.Sorted(slices.Values(got)), want) {
			t.Errorf("sorted=%s: other rows", sorted)
		}
		if sorted == "1" && !slices.Equal(got, want) {
			t.Errorf("sorted=1: the rows are not in order")
		}
		mean, _ := moments(got)
		half, _ := moments(got[500:])
		if half/mean < last+0.05 {
			t.Errorf("sorted=%s: the second half has %v of the mean length, with less order %v", sorted, half/mean, last)
		}
		last = half / mean
	}
}

func TestVectorGenerators(t *testing.T) {
	open := func(spec string) Value {
		t.Helper()
		s, err := Open(t.Context(), spec, Options{})
		if err != nil {
			t.Fatal(err)
		}
		v, err := s.Field("")
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	if v := open("gen:range:n=4,start=5,step=-2"); !bytes.Equal(memory(v.Data), memory([]int64{5, 3, 1, -1})) {
		t.Error(v.Data)
	}
	if v := open("gen:range:n=5,start=1,step=3,each=2"); !bytes.Equal(memory(v.Data), memory([]int64{1, 1, 4, 4, 7})) {
		t.Error(v.Data)
	}
	if v := open("gen:range:n=3,step=0.5"); v.Data.([]float64)[2] != 1 {
		t.Error(v.Data)
	}
	if v := open("gen:ones:3"); v.Data.([]float64)[2] != 1 || v.Len() != 3 {
		t.Error(v.Data)
	}
	mean, square := 0.0, 0.0
	for _, x := range open("gen:normal:n=1e5,mean=3,sd=2").Data.([]float64) {
		mean += x / 1e5
		square += (x - 3) * (x - 3) / 1e5
	}
	if math.Abs(mean-3) > 0.05 || math.Abs(square-4) > 0.1 {
		t.Errorf("normal: mean %v, variance %v", mean, square)
	}
	for _, x := range open("gen:integers:n=1000,lo=-3,hi=4").Data.([]int64) {
		if x < -3 || x > 3 {
			t.Error(x)
		}
	}
	if v := open("gen:dense:3x4"); len(v.Dims) != 2 || v.Dims[1] != 4 {
		t.Error(v)
	}
}

func TestGeneratorStopsWithContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Open(ctx, "gen:long", Options{}); err != context.Canceled {
		t.Error(err)
	}
}

// FuzzGenerator: any spec gives an error or a source, never a panic, and takes
// no more memory than allowed.
func FuzzGenerator(f *testing.F) {
	for _, g := range Generators() {
		f.Add(strings.TrimPrefix(g.Example, "gen:"))
	}
	f.Fuzz(func(t *testing.T, text string) {
		const limit = 1 << 16
		s, err := Open(context.Background(), "gen:"+text, Options{MaxBytes: limit})
		if err != nil {
			checkError(t, err)
		} else if s.form == formMatrix {
			checkCSR(t, s)
		}
	})
}
