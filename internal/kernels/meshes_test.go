package kernels_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/ops"
	"github.com/surge-ndp/surge/training"
	"github.com/surge-ndp/surge/training/input"
)

// nodes returns the fields of n nodes.
func nodes(n int) []input.Value {
	next := ints[int32](n, 0, max(n, 1))
	return []input.Value{box(floats(3*n, -1, 1), n, 3), float32s(n, 0, 1), next, every[uint16](n), every[int8](n),
		bools(n)}
}

// items returns the fields of n items.
func items(n int) []input.Value {
	return []input.Value{every[uint64](n), every[uint32](n), ints[int32](n, -9, 9), ints[int](n, -1e6, 1e6),
		float32s(n, -1, 1)}
}

// stray returns n indices of which some are in [0, most) and the others far from it.
func stray(n, most int) input.Value {
	x := make([]int, n)
	for i := range x {
		if x[i] = rng.IntN(max(most, 1)); rng.IntN(3) == 0 || most == 0 {
			x[i] = []int{-1, most, math.MaxInt, math.MinInt, 1 << 32, 1 << 40, math.MaxInt / 16}[rng.IntN(7)]
		}
	}
	return input.Vector(x)
}

func init() {
	add := func(name string, fields []input.Value, more ...input.Value) {
		inputs[name] = append(inputs[name], append(fields, more...))
	}
	add("Bonds", nodes(211), input.Vector(offsets), input.Vector(links), scalar(1.5))
	add("Bonds", nodes(3), input.Vector([]int32{0, 0, 40, 77}), ints[int32](77, 0, 3), scalar(0.7))
	add("Bonds", nodes(0), input.Vector([]int32{0}), ints[int32](0, 0, 1), scalar(0.7))
	for _, n := range []int{301, 17, 1, 0} {
		m := max(n, 1)
		add("Faces", []input.Value{floats(m, -1, 1), floats(m, -1, 1)}, box(ints[int32](6*n, 0, m), 2*n, 3))
		add("Follow", nodes(m), ints[int](n+5, 0, m))
		add("Items", items(m), ints[int32](n, 0, m))
		add("Staged", []input.Value{floats(n, -1, 1), every[int8](n)}, stray(n+70, n))
		add("Thirds", nodes(n))
		add("Reordered", []input.Value{floats(m, -1, 1), floats(m, -1, 1)}, ints[int32](n, 0, m))
		add("Chosen", []input.Value{rows(n, 7), rows(n, 7)}, ints[int32](n, 0, 9))
	}
	add("Follow", nodes(0), ints[int](0, 0, 1))
}

// testOutside: whichever code reads structs by indices of which one in the middle is of none says which one it is, as
// the kernel does that is plain Go.
func testOutside(t *testing.T, s *training.Session) {
	ctx := context.Background()
	variants, err := s.Variants(ctx, "Follow")
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []int{40, -1, 1 << 40, math.MinInt} {
		for _, chained := range []bool{false, true} {
			order := make([]int, 101)
			for i := range order {
				order[i] = i % 40
			}
			fields := nodes(40)
			if chained {
				fields[2].Data.([]int32)[29] = int32(bad)
			} else {
				order[53] = bad
			}
			if chained && int(int32(bad)) != bad {
				continue
			}
			errs := map[string]string{}
			for _, v := range variants {
				forced := []string{v.String()}
				b, err := s.Bind(ctx, "Follow", append(fields, input.Vector(order)), training.BindOptions{Variants: forced})
				if err == nil {
					_, err = b.Run(ctx, training.RunOptions{Variants: forced})
					_ = b.Release(ctx)
				}
				var wrong *exec.Error
				if !errors.As(err, &wrong) || wrong.Code != ops.CodeIndex || !strings.HasPrefix(wrong.Pos, "meshes.go:") {
					t.Fatalf("%d, %s: error %v, want one in meshes.go", bad, v, err)
				}
				errs[err.Error()] = v.String()
			}
			t.Log(errs)
			if len(errs) != 1 {
				t.Errorf("different errors: %v", errs)
			}
		}
	}
}
