package kernels_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/ops"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/training"
	"github.com/surge-ndp/surge/training/input"
)

var rng = rand.New(rand.NewPCG(3, 3))

// floats returns n numbers in [lo, hi).
func floats(n int, lo, hi float64) input.Value {
	x := make([]float64, n)
	for i := range x {
		x[i] = lo + (hi-lo)*rng.Float64()
	}
	return input.Vector(x)
}

func float32s(n int, lo, hi float32) input.Value {
	x := make([]float32, n)
	for i := range x {
		x[i] = lo + (hi-lo)*rng.Float32()
	}
	return input.Vector(x)
}

// ints returns n integers in [lo, hi).
func ints[T int | int8 | int32 | uint8 | uint16](n, lo, hi int) input.Value {
	x := make([]T, n)
	for i := range x {
		x[i] = T(lo + rng.IntN(hi-lo))
	}
	return input.Vector(x)
}

// TestKernels runs every code of every kernel of this package on small and odd sizes, and compares with plain Go; a
// short test compiles every 200th of every other kernel, and the plainest. With the same build it tests what does not
// need every variant.
func TestKernels(t *testing.T) {
	ctx := context.Background()
	opt := training.Options{CacheDir: t.TempDir(), Platforms: []string{"goroutine"}}
	if testing.Short() {
		opt.Every, opt.EveryKernel = 200, 2
		opt.Besides = []string{"SumCols", "RowWeights", "Grid", "Recenter", "Shrink", "Follow"} // what runs below needs them
	}
	s, err := training.Open(ctx, ".", opt)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	t.Run("algorithms", func(t *testing.T) { testAlgorithms(t, s) })
	t.Run("bad labels", func(t *testing.T) { testBadLabels(t, s) })
	t.Run("bad bins", func(t *testing.T) { testBadBins(t, s) })
	t.Run("length in a loop", func(t *testing.T) { testLengthInLoop(t, s) })
	t.Run("outside", func(t *testing.T) { testOutside(t, s) })
	for _, k := range s.Describe().Kernels {
		cases := inputsOf(k.Name)
		if len(cases) == 0 && strings.HasSuffix(k.Name, "Whole") {
			continue // Variants gives those of the whole loop beside those of its computations
		}
		if len(cases) == 0 {
			t.Errorf("%s has no inputs", k.Name)
		}
		variants, err := s.Variants(ctx, k.Name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(k.Name, func(t *testing.T) {
			for _, args := range cases {
				b, err := s.Bind(ctx, k.Name, args, training.BindOptions{})
				if uneven(err) {
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				seen := map[string]bool{}
				runs := 0
				for _, v := range variants {
					code := codeOf(v)
					if seen[code] && runs%7 != 0 { // launch parameters: a few
						runs++
						continue
					}
					seen[code] = true
					runs++
					r, err := b.Run(ctx, training.RunOptions{Variants: []string{v.String()}, Verify: true})
					if uneven(err) {
						continue
					}
					if err != nil {
						t.Fatalf("%s: %v", v, err)
					}
					if !r.Verified() {
						t.Errorf("%s: %+v", v, r.Comparisons)
					}
				}
				t.Logf("%d variants, %d codes", len(variants), len(seen))
				if err := b.Release(ctx); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// codeOf is what of a variant decides on its code.
func codeOf(v selector.Variant) string {
	text := v.Form + v.Schedule
	for _, s := range v.Policy {
		switch name := s.Name; {
		case name == "num_threads", name == "enable_nesting", strings.HasPrefix(name, "omp_schedule"), strings.HasPrefix(name, "chunk_size"),
			strings.HasPrefix(name, "block_size"), name == "logical_warp_size", strings.HasPrefix(name, "grain_size"):
		default:
			text += "," + name + "=" + s.Value
		}
	}
	return text
}

// testBadLabels: both ways to the centroids refuse a label that is none, and say where in the source.
func testBadLabels(t *testing.T, s *training.Session) {
	ctx := context.Background()
	for _, bad := range []int32{2, -1} {
		args := []input.Value{input.Vector([]float64{1, 2, 3, 4}), input.Scalar(2), input.Vector([]int32{0, bad}), input.Vector([]float64{0, 0, 1, 1})}
		for _, kernel := range []string{"Recenter", "RecenterSorted"} {
			_, err := s.Bind(ctx, kernel, args, training.BindOptions{})
			var wrong *exec.Error
			if !errors.As(err, &wrong) || wrong.Code != ops.CodeIndex || !strings.HasPrefix(wrong.Pos, "kmeans.go:") {
				t.Errorf("%s with label %d: error %v, want one in kmeans.go", kernel, bad, err)
			}
		}
	}
}

// testLengthInLoop: a sequence that a loop carries keeps its length where results have a destination; else the kernel
// runs once more, as plain Go.
func testLengthInLoop(t *testing.T, s *training.Session) {
	ctx := context.Background()
	compiled := []string{"sequential"} // so few elements run as plain Go, where lengths may change
	for turns, want := range map[int]string{0: "", 1: "x has 4 elements after a turn of the loop, and had 5 before"} {
		for _, placed := range []bool{false, true} { // what is verified is put where guards are
			b, err := s.Bind(ctx, "Shrink", []input.Value{input.Vector([]float64{1, 2, -3, 4, 5}), input.Scalar(turns)}, training.BindOptions{Variants: compiled})
			if err == nil {
				_, err = b.Run(ctx, training.RunOptions{Verify: placed, Variants: compiled})
			}
			if fails := placed && want != ""; !fails && err != nil || fails && (err == nil || !strings.Contains(err.Error(), want)) {
				t.Errorf("%d turns, placed: %t: error %v, want %q", turns, placed, err, want)
			}
		}
	}
}

// testAlgorithms runs a kernel by another algorithm: the first level of the choice.
func testAlgorithms(t *testing.T, s *training.Session) {
	ctx := context.Background()
	args := []input.Value{floats(120, 0, 1), input.Scalar(12)}
	variants, err := s.Variants(ctx, "SumCols")
	if err != nil || len(variants) == 0 {
		t.Fatalf("%d variants: %v", len(variants), err)
	}
	schedule := variants[0].Schedule // one of those that a short test compiles
	for variant, want := range map[string]string{
		"": "SumCols.1", "SumCols": "SumCols.1", "SumCols/" + schedule: "SumCols.1", schedule: "SumCols.1",
		"SumColsByRows": "SumColsByRows.1", "SumColsByRows/sequential": "SumColsByRows.1", "SumColsByRows.1/nest/sequential/goroutine": "SumColsByRows.1",
	} {
		var forced []string
		if variant != "" {
			forced = []string{variant}
		}
		b, err := s.Bind(ctx, "SumCols", args, training.BindOptions{Variants: forced})
		if err != nil {
			t.Fatalf("%q: %v", variant, err)
		}
		r, err := b.Run(ctx, training.RunOptions{Verify: true, Variants: forced})
		if err != nil || !r.Verified() || len(r.Decisions) != 1 || r.Decisions[0].Computation != want {
			t.Errorf("%q: %+v, %v; want %s", variant, r, err, want)
		}
	}
	if _, err := s.Bind(ctx, "SumCols", args, training.BindOptions{Variants: []string{"SumColsByRows/cooperative"}}); err == nil {
		t.Error("a schedule that the algorithm does not have is accepted")
	}
}
