package rt

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func sortIndex[K Key](t *testing.T, threads int, keys []K) []int {
	t.Helper()
	perm := make([]int, len(keys))
	if len(keys) == 0 {
		return perm
	}
	err := Run(context.Background(), threads, nil, func(_ any, w *Worker) {
		SortIndex(w, Loop{Threads: threads}, &keys[0], &perm[0], len(keys))
	})
	if err != nil {
		t.Fatal(err)
	}
	return perm
}

func checkSort[K Key](t *testing.T, name string, keys []K) {
	t.Helper()
	want := make([]int, len(keys))
	for i := range want {
		want[i] = i
	}
	slices.SortStableFunc(want, func(i, j int) int { return cmp.Compare(keys[i], keys[j]) })
	for _, threads := range []int{1, 2, 3} {
		if got := sortIndex(t, threads, keys); !slices.Equal(got, want) {
			t.Errorf("%s: %d %T, %d threads: wrong permutation", name, len(keys), keys, threads)
		}
	}
}

// TestSortIndex compares with a stable sort, over few and many distinct keys, the whole range of each type, and lengths
// around those at which the algorithm changes.
func TestSortIndex(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	special := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), math.MaxFloat64, math.SmallestNonzeroFloat64, -1, 1, math.Copysign(math.NaN(), -1)}
	for _, n := range []int{0, 1, 2, 31, 32, 33, 1000, 2*sortGrain - 1, 2 * sortGrain, 3*sortGrain + 17} {
		make64 := func(f func(i int) uint64) []uint64 {
			s := make([]uint64, n)
			for i := range s {
				s[i] = f(i)
			}
			return s
		}
		for name, bits := range map[string][]uint64{
			"equal": make64(func(int) uint64 { return 5 }), "few": make64(func(int) uint64 { return rng.Uint64N(10) }),
			"many": make64(func(int) uint64 { return rng.Uint64N(1 << 20) }), "all": make64(func(int) uint64 { return rng.Uint64() }),
			"descending": make64(func(i int) uint64 { return uint64(n - i) }),
		} {
			checkSort(t, name, bits)
			checkSort(t, name, convert(bits, func(u uint64) int { return int(u) }))
			checkSort(t, name, convert(bits, func(u uint64) int8 { return int8(u) }))
			checkSort(t, name, convert(bits, func(u uint64) uint16 { return uint16(u) }))
			checkSort(t, name, convert(bits, func(u uint64) int32 { return int32(u) }))
			checkSort(t, name, convert(bits, func(u uint64) float64 {
				if u%8 == 0 {
					return special[u>>8%uint64(len(special))]
				}
				return math.Float64frombits(u)
			}))
			checkSort(t, name, convert(bits, func(u uint64) float32 {
				if u%8 == 0 {
					return float32(special[u>>8%uint64(len(special))])
				}
				return math.Float32frombits(uint32(u))
			}))
		}
	}
}

func convert[T any](s []uint64, f func(uint64) T) []T {
	y := make([]T, len(s))
	for i, u := range s {
		y[i] = f(u)
	}
	return y
}
