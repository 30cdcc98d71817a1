package spmv_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/surge-ndp/surge/examples/spmv"
	"github.com/surge-ndp/surge/ops"
)

// byHand is the loop nest that one would write without operators.
func byHand(values []float64, columns, rowOffsets []int32, x []float64) []float64 {
	y := make([]float64, len(rowOffsets)-1)
	for r := range y {
		for i := rowOffsets[r]; i < rowOffsets[r+1]; i++ {
			y[r] += float64(values[i] * x[columns[i]])
		}
	}
	return y
}

// matrix draws a matrix with the given lengths of rows.
func matrix(rng *rand.Rand, cols int, rowLengths []int) (values []float64, columns, rowOffsets []int32) {
	rowOffsets = []int32{0}
	for _, n := range rowLengths {
		for range n {
			values = append(values, rng.NormFloat64())
			columns = append(columns, rng.Int32N(int32(cols)))
		}
		rowOffsets = append(rowOffsets, int32(len(values)))
	}
	return values, columns, rowOffsets
}

func vector(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

// TestSpMV uses shapes at and around the widths of vectors, and rows that differ wildly.
func TestSpMV(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	shapes := map[string][]int{
		"no rows":            {},
		"one empty row":      {0},
		"empty rows":         {0, 0, 0},
		"empty first, last":  {0, 3, 0},
		"one long row":       {5000},
		"one long row among": {0, 1, 4096, 0, 2, 1},
	}
	for _, n := range []int{1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 129} {
		shapes[fmt.Sprintf("%d rows of %d", n, n)] = ops.Replicate(n, n)
		shapes[fmt.Sprintf("rows up to %d", n)] = ops.Range(0, n+1, 1)
	}
	for name, rowLengths := range shapes {
		values, columns, rowOffsets := matrix(rng, 100, rowLengths)
		x := vector(rng, 100)
		got, want := spmv.SpMV(values, columns, rowOffsets, x), byHand(values, columns, rowOffsets, x)
		if len(got) != len(want) {
			t.Fatalf("%s: %d results, want %d", name, len(got), len(want))
		}
		for r := range want {
			if got[r] != want[r] {
				t.Errorf("%s: y[%d] = %v, want %v", name, r, got[r], want[r])
			}
		}
	}
}

// TestSpMVNaN checks that a NaN reaches the rows that read it, and no other.
func TestSpMVNaN(t *testing.T) {
	y := spmv.SpMV([]float64{1, 0, 1}, []int32{0, 1, 2}, []int32{0, 1, 2, 3}, []float64{1, math.NaN(), math.Inf(1)})
	if y[0] != 1 || !math.IsNaN(y[1]) || !math.IsInf(y[2], 1) {
		t.Errorf("got %v, want [1 NaN +Inf]", y)
	}
}

func TestSpMVMisuse(t *testing.T) {
	values, x := []float64{1, 2}, []float64{1, 1}
	for code, call := range map[string]func(){
		ops.CodeIndex:   func() { spmv.SpMV(values, []int32{0, 2}, []int32{0, 2}, x) },
		ops.CodeOffsets: func() { spmv.SpMV(values, []int32{0, 1}, []int32{0, 2, 1}, x) },
	} {
		func() {
			defer func() {
				err, _ := recover().(error)
				var e *ops.Error
				if !errors.As(err, &e) || e.Code != code {
					t.Errorf("got %v, want an error of code %q", err, code)
				}
			}()
			call()
		}()
	}
}

// Two rows, [2 0 1] and [0 3 0], times (1, 10, 100).
func ExampleSpMV() {
	fmt.Println(spmv.SpMV([]float64{2, 1, 3}, []int32{0, 2, 1}, []int32{0, 2, 3}, []float64{1, 10, 100}))
	// Output: [102 30]
}
