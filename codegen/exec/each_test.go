package exec

import (
	"sync/atomic"
	"testing"
)

// TestEach checks that each element is in one part, and that many of them are divided among the threads.
func TestEach(t *testing.T) {
	for _, n := range []int{0, 1, 1000, leastJoined/16 - 1, leastJoined / 16, leastJoined + 7} {
		for _, threads := range []int{1, 2, 3, 64} {
			var c Call
			c.Init(testKernel(), []Option{Threads(threads)})
			data := make([]complex128, n)
			var parts atomic.Int32
			Each(&c, data, func(lo, hi int) {
				parts.Add(1)
				for i := lo; i < hi; i++ {
					data[i]++
				}
			})
			for i, x := range data {
				if x != 1 {
					t.Fatalf("%d elements, %d threads: element %d is done %v times", n, threads, i, x)
				}
			}
			want := max(1, min(threads, n*16/(leastJoined/2)))
			if parts.Load() != int32(want) {
				t.Errorf("%d elements, %d threads: %d parts, want %d", n, threads, parts.Load(), want)
			}
		}
	}
}
