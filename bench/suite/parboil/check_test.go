package parboil

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/blas/blas32"

	"gonum.org/v1/gonum/blas"
)

// The checks know what a program has to compute in another way than the program does.

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*max(1, math.Abs(want))) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

// TestMRIQ checks a sum of waves of one length, whose real part is known where all are in step.
func TestMRIQ(t *testing.T) {
	re, im := MRIQ([]float32{0, 1}, []float32{0, 0}, []float32{0, 0}, []Sample{{0, 1, 1, 2}, {1, 0, 0, 3}, {0.5, 0, 0, 4}})
	near(t, "the first", float64(re[0]), 9, 1e-6)
	near(t, "the first", float64(im[0]), 0, 1e-6)
	near(t, "the second", float64(re[1]), 2+3-4, 1e-6)
	near(t, "the second", float64(im[1]), 0, 1e-5)
}

func TestSGEMM(t *testing.T) {
	args := sgemm(7, 9, 11, seeded())
	a, b, c := args[0].([]float32), args[1].([]float32), args[2].([]float32)
	want := append([]float32(nil), c...)
	blas32.Gemm(blas.NoTrans, blas.NoTrans, 1.5, blas32.General{Rows: 7, Cols: 11, Stride: 11, Data: a}, blas32.General{Rows: 11, Cols: 9, Stride: 9, Data: b},
		0.5, blas32.General{Rows: 7, Cols: 9, Stride: 9, Data: want})
	for i, v := range SGEMM(a, b, c, 7, 9, 11, 1.5, 0.5) {
		near(t, "an element", float64(v), float64(want[i]), 1e-5)
	}
}

// TestStencil checks that sides stay, and that a field that is the same everywhere inside and outside falls by what the
// program's constants say.
func TestStencil(t *testing.T) {
	const n = 5
	start := make([]float32, n*n*n)
	for i := range start {
		start[i] = 6
	}
	after := Stencil(start, n, n, n, 1)
	near(t, "a corner", float64(after[0]), 6, 0)
	near(t, "the middle", float64(after[(2*n+2)*n+2]), 6*6.0/36-6.0/6, 1e-6)
}

// TestTPACF checks that each pair is in one bin, and each point with itself in the first.
func TestTPACF(t *testing.T) {
	args := tpacf(40, seeded())
	a, b, limits := args[0].([]Direction), args[1].([]Direction), args[2].([]float32)
	dd, rr, dr := TPACF(a, b, limits)
	for _, bins := range [][]int64{dd, rr, dr} {
		sum := int64(0)
		for _, n := range bins {
			sum += n
		}
		if sum != 1600 {
			t.Errorf("%d pairs, want 1600", sum)
		}
	}
	for k, limit := range limits {
		within := int64(0)
		for _, n := range dr[:k+1] {
			within += n
		}
		want := int64(0)
		for _, p := range a {
			for _, q := range b {
				if p.X*q.X+p.Y*q.Y+p.Z*q.Z >= limit {
					want++
				}
			}
		}
		if within != want {
			t.Errorf("%d pairs up to angle %d, want %d", within, k, want)
		}
	}
}

func TestHisto(t *testing.T) {
	pixels := histo(5000, 10, seeded())[0].([]uint32)
	want := map[uint32]int{}
	for _, p := range pixels {
		want[p]++
	}
	for i, n := range Histo(pixels, 10) {
		if int(n) != min(want[uint32(i)], 255) {
			t.Errorf("bin %d has %d, want %d", i, n, want[uint32(i)])
		}
	}
}

// TestSPMV checks a matrix that moves each element by one and doubles it.
func TestSPMV(t *testing.T) {
	y := SPMV([]float32{2, 0, 2, 0, 2, 0}, []int32{1, 0, 2, 0, 0, 1}, 2, []float32{5, 6, 7})
	for i, want := range []float32{12, 14, 10} {
		near(t, "an element", float64(y[i]), float64(want), 0)
	}
}
