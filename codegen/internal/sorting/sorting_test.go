package sorting_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/opencl"
	"github.com/surge-ndp/surge/internal/needs"
	"github.com/surge-ndp/surge/training"
	"github.com/surge-ndp/surge/training/input"
)

type number interface {
	int | int8 | int16 | int32 | int64 | uint | uint8 | uint16 | uint32 | uint64 | float32 | float64
}

// shapes makes keys of a type from bits that are drawn, and from special ones.
func shapes[T number](of func(bits uint64) T, special ...T) []input.Value {
	rng := rand.New(rand.NewPCG(7, uint64(len(special))))
	drawn := func(n int, mask uint64) []T {
		x := make([]T, n)
		for i := range x {
			x[i] = of(rng.Uint64() & mask)
		}
		return x
	}
	ordered := drawn(1025, math.MaxUint64)
	slices.Sort(ordered)
	reversed := slices.Clone(ordered)
	slices.Reverse(reversed)
	mixed := drawn(601, math.MaxUint64)
	for i := range mixed {
		if i%2 == 0 {
			mixed[i] = special[rng.IntN(len(special))]
		}
	}
	large := drawn(40_001, math.MaxUint64)
	copy(large[1000:], special)
	var all []input.Value
	for _, x := range [][]T{{}, special[:1], {special[1], special[0]}, slices.Repeat(special[:1], 67), special, slices.Repeat(special, 33), ordered, reversed, mixed,
		drawn(33, 1), drawn(5000, 7), drawn(3001, 0x1FF), drawn(2999, 0xFF00), large} {
		all = append(all, input.Vector(x))
	}
	return all
}

func signed[T int | int8 | int16 | int32 | int64](least, most T) []input.Value {
	return shapes(func(b uint64) T { return T(b) }, most, least, 0, -1, 1, least+1, most-1)
}

func unsigned[T uint | uint8 | uint16 | uint32 | uint64]() []input.Value {
	return shapes(func(b uint64) T { return T(b) }, ^T(0), 0, 1, ^T(0)/2, ^T(0)/2+1)
}

func negative(x float64) float64 { return math.Copysign(x, -1) }

var inputs = map[string][]input.Value{
	"Int": signed[int](math.MinInt, math.MaxInt), "Int8": signed[int8](math.MinInt8, math.MaxInt8), "Int16": signed[int16](math.MinInt16, math.MaxInt16),
	"Int32": signed[int32](math.MinInt32, math.MaxInt32), "Int64": signed[int64](math.MinInt64, math.MaxInt64),
	"Uint": unsigned[uint](), "Uint8": unsigned[uint8](), "Uint16": unsigned[uint16](), "Uint32": unsigned[uint32](), "Uint64": unsigned[uint64](),
	"Float32": shapes(func(b uint64) float32 { return math.Float32frombits(uint32(b>>32 | b<<32)) }, float32(math.NaN()), 0, float32(negative(0)), math.Float32frombits(0xFFC00001),
		float32(math.Inf(1)), float32(math.Inf(-1)), 1, -1, math.SmallestNonzeroFloat32, -math.SmallestNonzeroFloat32, math.MaxFloat32, -math.MaxFloat32),
	"Float64": shapes(func(b uint64) float64 { return math.Float64frombits(b) }, math.NaN(), 0, negative(0), math.Float64frombits(0xFFF8000000000001),
		math.Inf(1), math.Inf(-1), 1, -1, math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64, math.MaxFloat64, -math.MaxFloat64),
}

// TestGoroutines sorts every type of keys by the routine of the goroutine platform.
func TestGoroutines(t *testing.T) {
	sorted(t, "goroutine", 1, func(string) bool { return true }, nil)
}

// TestOpenCL sorts every type of keys on a device, by the grid and by a workgroup, by digits of both sizes, and a
// million of some of them.
func TestOpenCL(t *testing.T) {
	needs.OpenCL(t)
	rng := rand.New(rand.NewPCG(1, 1))
	many := make([]float64, 1_000_003)
	for i := range many {
		many[i] = math.Float64frombits(rng.Uint64())
	}
	few := make([]int32, 1_000_003)
	for i := range few {
		few[i] = rng.Int32N(5000) - 2500
	}
	sorted(t, opencl.Platform.Name, 3, func(v string) bool {
		for _, parts := range [][2]string{{"block_size_x=64,", "=grid,sort_radix_bits_1=4"}, {"block_size_x=32,", "=grid,sort_radix_bits_1=8"}, {"block_size_x=64,", "=group,sort_radix_bits_1=4"}} {
			if strings.Contains(v, parts[0]) && strings.Contains(v, parts[1]) {
				return true
			}
		}
		return false
	}, map[string]input.Value{"Float64": input.Vector(many), "Int32": input.Vector(few)})
}

// sorted runs the variants of a platform that are wanted, at least so many of each kernel, on all inputs.
func sorted(t *testing.T, platform string, least int, wanted func(v string) bool, large map[string]input.Value) {
	ctx := context.Background()
	s, err := training.Open(ctx, ".", training.Options{CacheDir: t.TempDir(), Platforms: []string{platform}, NoSIMD: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for i, k := range s.Describe().Kernels {
		if testing.Short() && (i%4 != 3 || platform == opencl.Platform.Name && i%8 != 3) {
			continue
		}
		variants, err := s.Variants(ctx, k.Name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(k.Name, func(t *testing.T) {
			var picked []string
			for _, v := range variants {
				if text := v.String(); wanted(text) && strings.HasPrefix(text, k.Name+".1/") {
					picked = append(picked, text)
				}
			}
			if len(picked) < least {
				t.Fatalf("%d variants sort on %s", len(picked), platform)
			}
			all := slices.Clone(inputs[k.Name])
			if x, ok := large[k.Name]; ok && !testing.Short() {
				all = append(all, x)
			}
			for i, x := range all {
				b, err := s.Bind(ctx, k.Name, []input.Value{x}, training.BindOptions{})
				if err != nil {
					t.Fatal(err)
				}
				for _, v := range picked {
					if x.Dims[0] > 1e5 && strings.Contains(v, "=group,") {
						continue // by one workgroup, it takes its time
					}
					r, err := b.Run(ctx, training.RunOptions{Variants: []string{v}, Verify: true})
					if err != nil {
						t.Fatalf("%s: %v", v, err)
					}
					if !r.Verified() {
						t.Errorf("input %d, %d keys, %s: %+v", i, x.Dims[0], v, r.Comparisons)
					}
					if d := r.Decisions[0].Variant; d.String() != v {
						t.Errorf("%s was asked for, and %s ran", v, d)
					}
				}
				if err := b.Release(ctx); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}
