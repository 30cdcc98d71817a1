package rt

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
)

// rowsOf returns offsets of rows of these lengths.
func rowsOf(lengths ...int) []int32 {
	offsets := []int32{7}
	for _, n := range lengths {
		offsets = append(offsets, offsets[len(offsets)-1]+int32(n))
	}
	return offsets
}

// skewed are offsets that share badly by rows.
func skewed() map[string][]int32 {
	giant := slices.Repeat([]int{3}, 5000)
	giant[1234] = 900_000
	several := slices.Repeat([]int{0}, 300)
	several[0], several[1], several[150], several[299] = 70_000, 80_000, 90_000, 100_000
	r := rand.New(rand.NewPCG(1, 2))
	power := make([]int, 20_000)
	for i := range power {
		power[i] = int(min(2/r.Float64(), 200_000))
	}
	return map[string][]int32{
		"none": rowsOf(), "one": rowsOf(5), "one giant": rowsOf(1 << 20), "empty": rowsOf(make([]int, 1000)...),
		"equal": rowsOf(slices.Repeat([]int{40}, 3000)...), "a giant among short": rowsOf(giant...), "giants at the ends": rowsOf(several...),
		"power law": rowsOf(power...), "empty, then full": rowsOf(append(make([]int, 200_000), slices.Repeat([]int{256}, 512)...)...),
		"full, then empty": rowsOf(append(slices.Repeat([]int{256}, 512), make([]int, 200_000)...)...), "ten": rowsOf(slices.Repeat([]int{100_000}, 10)...),
	}
}

// Each row is in one chunk, or long; no chunk holds much more than its share, and what is long is longer than that.
func TestCut(t *testing.T) {
	for name, offsets := range skewed() {
		n := len(offsets) - 1
		for _, threads := range []int{1, 2, 3, 16, MaxThreads} {
			for _, leave := range []bool{false, true} {
				var r Rows
				Cut(&r, n, offsets, Loop{Threads: threads}, leave)
				seen := covered(t, fmt.Sprintf("%s, %d threads", name, threads), &r, n)
				weight := func(lo, hi int) int { return hi - lo + int(offsets[hi]-offsets[lo]) }
				share, longest := weight(0, n)/(threads*rowShare)+1, 0
				for i := range n {
					if seen[i] == 1 {
						longest = max(longest, weight(i, i+1))
					}
				}
				for i := 0; i < len(r.bounds); i += 2 {
					if w := weight(r.bounds[i], r.bounds[i+1]); w > 3*share+longest {
						t.Errorf("%s, %d threads: a chunk holds %d, of shares of %d and rows of %d", name, threads, w, share, longest)
					}
				}
				if !leave && len(r.long) > 0 {
					t.Errorf("%s: rows are left out", name)
				}
				if leave && longest > 2*max(share, longRow) {
					t.Errorf("%s, %d threads: a row of %d is in a chunk, of shares of %d", name, threads, longest, share)
				}
			}
		}
	}
}

// covered checks that each of n rows is in one chunk, 1, or long, 2.
func covered(t *testing.T, name string, r *Rows, n int) []int {
	t.Helper()
	seen := make([]int, n)
	last := 0
	for i := 0; i < len(r.bounds); i += 2 {
		if lo, hi := r.bounds[i], r.bounds[i+1]; lo < last || lo >= hi || hi > n {
			t.Fatalf("%s: chunk [%d,%d) of %d rows behind %d", name, lo, hi, n, last)
		}
		for k := r.bounds[i]; k < r.bounds[i+1]; k++ {
			seen[k]++
		}
		last = r.bounds[i+1]
	}
	for _, k := range r.Long() {
		seen[k] += 2
	}
	for k, s := range seen {
		if s != 1 && s != 2 {
			t.Fatalf("%s: row %d is taken %d times", name, k, s)
		}
	}
	if !slices.IsSorted(r.long) {
		t.Errorf("%s: long rows %v", name, r.long)
	}
	return seen
}

// Offsets that are nonsense still give each row to one chunk.
func TestCutNonsense(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var rows Rows
	for range 2000 {
		offsets := make([]int64, 2+r.IntN(300))
		for i := range offsets {
			if offsets[i] = r.Int64N(1 << 20); r.IntN(20) == 0 {
				offsets[i] = int64(r.Uint64())
			}
		}
		Cut(&rows, len(offsets)-1, offsets, Loop{Threads: 1 + r.IntN(8)}, r.IntN(2) == 0)
		covered(t, fmt.Sprint(offsets), &rows, len(offsets)-1)
		if most := 2*8*rowShare + 1; len(rows.bounds) > 2*most {
			t.Fatalf("%d chunks of %v", len(rows.bounds)/2, offsets)
		}
	}
}

// All chunks of cut rows are executed once, by any number of threads, also where all rows are long; and the region is
// another one's afterwards.
func TestForRows(t *testing.T) {
	for name, offsets := range skewed() {
		n := len(offsets) - 1
		for _, threads := range []int{1, 2, 5} {
			times := make([]atomic.Int32, n)
			err := Run(context.Background(), threads, nil, func(_ any, w *Worker) {
				var rows Rows
				l := Loop{Threads: threads, Schedule: Guided}
				for range 2 {
					Cut(&rows, n, offsets, l, true)
					w.ForRows(&rows, l, func(_ any, _ *Worker, chunk, lo, hi int) {
						for i := lo; i < hi; i++ {
							times[i].Add(1)
						}
					}, nil)
					for _, i := range rows.Long() {
						w.For(10, l, func(_ any, _ *Worker, _, lo, hi int) {
							if lo == 0 {
								times[i].Add(1)
							}
						}, nil)
					}
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			for i := range times {
				if got := times[i].Load(); got != 2 {
					t.Fatalf("%s, %d threads: row %d is computed %d times in 2 runs", name, threads, i, got)
				}
			}
		}
	}
}

func BenchmarkCut(b *testing.B) {
	for name, offsets := range skewed() {
		b.Run(name, func(b *testing.B) {
			var r Rows
			for b.Loop() {
				Cut(&r, len(offsets)-1, offsets, Loop{Threads: 2}, true)
			}
		})
	}
}
