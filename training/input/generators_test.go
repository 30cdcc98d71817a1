package input

import (
	"bytes"
	"context"
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
		bound, err := Bind([]Parameter{{"x", Type{Float64, 1}, "random(A.cols, seed=34)"}}, map[string]*Source{"A": s}, Options{})
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

func TestPowerLawMean(t *testing.T) {
	s, err := Open(t.Context(), "gen:powerlaw:rows=1e5,avg=16,seed=3", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if mean := float64(s.array("values").Len()) / 1e5; mean < 12 || mean > 20 {
		t.Errorf("mean row length %v", mean)
	}
}

// The longest rows come last, in order; the others, and how many elements there are, stay as they are.
func TestPowerLawSorted(t *testing.T) {
	lengths := func(spec string) []int {
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
	random := lengths("gen:powerlaw:rows=1000,avg=8")
	for share, last := range map[string]int{"0": 0, "0.1": 100, "1": 1000} {
		got := lengths("gen:powerlaw:rows=1000,avg=8,sorted=" + share)
		want := slices.Sorted(slices.Values(random))
		if !slices.Equal(slices.Sorted(slices.Values(got)), want) {
			t.Errorf("sorted=%s: other rows", share)
		}
		if !slices.Equal(got[1000-last:], want[1000-last:]) {
			t.Errorf("sorted=%s: the longest rows are not the last ones, in order", share)
		}
		rest := got[:1000-last]
		for _, length := range random {
			if len(rest) > 0 && length == rest[0] {
				rest = rest[1:]
			}
		}
		if len(rest) > 0 {
			t.Errorf("sorted=%s: the other rows are not in their order", share)
		}
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
