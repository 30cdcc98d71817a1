package kernels_test

import (
	"errors"
	"math"
	"testing"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/ops"
	"github.com/surge-ndp/surge/training"
	"github.com/surge-ndp/surge/training/input"
)

func init() {
	bright := func(n, every int) input.Value {
		img := make([]uint8, n)
		for i := range img {
			if rng.IntN(every) == 0 {
				img[i] = 200
			}
		}
		return input.Vector(img)
	}
	hashed := func(n, different int) input.Value { // many of them in a vector are equal
		x := make([]uint32, n)
		for i := range x {
			x[i] = uint32(rng.IntN(different)) << 11
		}
		return input.Vector(x)
	}
	inputs["HoughLines"] = [][]input.Value{
		{bright(31*17, 9), scalar(31), float32s(300, -1, 1), float32s(300, -1, 1), scalar(40)},
		{bright(31*17, 3), scalar(31), float32s(5, -1, 1), float32s(5, -1, 1), scalar(90)},
		{bright(2000, 3), scalar(50), float32s(1, -1, 1), float32s(1, -1, 1), scalar(1)},
		{bright(0, 1), scalar(3), float32s(0, -1, 1), float32s(0, -1, 1), scalar(7)}}
	inputs["Octants"] = [][]input.Value{{float32s(301*7, 0, 1), scalar(301), scalar(7)}, {float32s(5*4, 0, 1), scalar(5), scalar(4)}, {float32s(2, 0, 1), scalar(1), scalar(2)}}
	inputs["Gradients"] = [][]input.Value{{floats(301*7, 0, 1), scalar(301), scalar(7)}, {floats(5*4, 0, 1), scalar(5), scalar(4)}, {floats(2, 0, 1), scalar(1), scalar(2)}}
	inputs["Grid"] = [][]input.Value{
		{floats(2011, -1, 9), floats(2011, -1, 9), floats(2011, -1e9, 1e9), scalar(3), scalar(2), scalar(0.4)},
		{strange(777, 1), strange(777, 0), floats(777, 0, 1), scalar(4), scalar(5), scalar(1.5)},
		{floats(7, -1, 9), floats(7, -1, 9), floats(7, 0, 1), scalar(1), scalar(1), scalar(1.5)},
		{floats(0, 0, 1), floats(0, 0, 1), floats(0, 0, 1), scalar(0), scalar(0), scalar(1.5)}}
	inputs["Buckets"] = [][]input.Value{{hashed(5003, 3), scalar(2)}, {every[uint32](1027), scalar(1000)}, {every[uint32](9), scalar(1)}, {every[uint32](0), scalar(0)}}
	inputs["RowWeights"] = [][]input.Value{
		{float32s(900, -1, 1), input.Vector([]int32{0, 0, 3, 3, 600, 601, 617, 900}), scalar(5)},
		{float32s(2, -1, 1), input.Vector([]int32{0, 2}), scalar(1)}, {float32s(0, -1, 1), input.Vector([]int32{0}), scalar(1)}}
	inputs["HashSums"] = [][]input.Value{{hashed(5003, 3), floats(5003, 0, 9), scalar(2)}, {every[uint32](1027), floats(1027, 0, 9), scalar(1000)},
		{every[uint32](3), floats(3, 0, 9), scalar(7)}, {every[uint32](0), floats(0, 0, 9), scalar(3)}}
	inputs["NearestInBin"] = [][]input.Value{{floats(2003, -1, 1), floats(2003, -1, 1), scalar(6)}, {floats(300, -1, 1), floats(300, 0, 0), scalar(1)},
		{floats(3, -1, 1), floats(3, -1, 1), scalar(9)}, {floats(0, 0, 1), floats(0, 0, 1), scalar(2)}}
}

// testBadBins: an element in the middle of a vector has no bin, and one behind it neither: all codes report the first.
func testBadBins(t *testing.T, s *training.Session) {
	x, a, b := make([]float32, 700), make([]float64, 700), make([]float64, 700)
	for i := range x {
		x[i] = 0.5
	}
	x[363], x[365], x[366] = 3, 2, float32(math.NaN())
	for _, c := range []struct {
		kernel, want string
		args         []input.Value
	}{
		{"RowWeights", ops.CodeIndex, []input.Value{input.Vector(x), input.Vector([]int32{0, 700}), scalar(5)}},
		{"Grid", ops.CodeIndex, []input.Value{input.Vector(a), input.Vector(b[:370]), input.Vector(a), scalar(5), scalar(5), scalar(1.0)}},
	} {
		variants, err := s.Variants(t.Context(), c.kernel)
		if err != nil {
			t.Fatal(err)
		}
		first := ""
		seen := map[string]bool{}
		for _, v := range variants {
			if code := codeOf(v); seen[code] {
				continue
			} else {
				seen[code] = true
			}
			bound, err := s.Bind(t.Context(), c.kernel, c.args, training.BindOptions{Variants: []string{v.String()}})
			if err == nil {
				_, err = bound.Run(t.Context(), training.RunOptions{Variants: []string{v.String()}})
			}
			var wrong *exec.Error
			if !errors.As(err, &wrong) || wrong.Code != c.want {
				t.Fatalf("%s: error %v", v, err)
			}
			if first == "" {
				first = err.Error()
			}
			if err.Error() != first {
				t.Errorf("%s: error %v, and %s before", v, err, first)
			}
		}
		t.Log(first)
	}
}
