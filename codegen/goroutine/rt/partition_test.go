package rt

import (
	"fmt"
	"testing"
)

func loops() []Loop {
	var ls []Loop
	for _, s := range []Schedule{Static, Dynamic, Guided} {
		for _, c := range []int{0, 1, 3, 64, 1000} {
			for _, t := range []int{1, 2, 3, 8} {
				ls = append(ls, Loop{Schedule: s, Chunk: c, Threads: t})
			}
		}
	}
	return ls
}

func TestPartitionCoversInOrder(t *testing.T) {
	sizes := []int{-1, 0, 1, 2, 3, 7, 8, 9, 63, 64, 65, 1000, 1023, 8192, 8193, 65537, 99991, 1 << 20, 3<<20 + 17}
	for _, l := range append(loops(), Loop{Threads: 64}, Loop{Schedule: Guided, Threads: 64}, Loop{Threads: 1 << 20}, Loop{Schedule: Guided, Threads: 1 << 20}) {
		for _, n := range sizes {
			checkPartition(t, n, l)
		}
	}
}

func checkPartition(t *testing.T, n int, l Loop) {
	t.Helper()
	name := fmt.Sprintf("n=%d %+v", n, l)
	chunks := Chunks(n, l)
	if chunks > MaxChunks {
		t.Fatalf("%s: %d chunks", name, chunks)
	}
	var p partition
	p.init(n, l)
	at, size := 0, 0
	for k := range chunks {
		lo, hi := p.bounds(k)
		if lo != at || hi <= lo {
			t.Fatalf("%s: chunk %d is [%d,%d), want it to start at %d and not be empty", name, k, lo, hi, at)
		}
		if l.Schedule == Guided && k > 0 && hi-lo > size {
			t.Fatalf("%s: guided chunk %d of %d iterations after one of %d", name, k, hi-lo, size)
		}
		if l.Schedule == Guided && l.Chunk > 0 && hi-lo < l.Chunk && k != chunks-1 {
			t.Fatalf("%s: chunk %d has %d iterations", name, k, hi-lo)
		}
		if l.Schedule != Guided && l.Chunk > 0 && n/l.Chunk < MaxChunks && hi-lo != l.Chunk && k != chunks-1 {
			t.Fatalf("%s: chunk %d has %d iterations", name, k, hi-lo)
		}
		if l.Chunk == 0 && hi-lo > longChunk && n < 1<<30 {
			t.Fatalf("%s: chunk %d has %d iterations", name, k, hi-lo)
		}
		at, size = hi, hi-lo
		if k%97 == 0 {
			if lo2, hi2 := Bounds(n, l, k); lo2 != lo || hi2 != hi {
				t.Fatalf("%s: Bounds gives [%d,%d) and then [%d,%d)", name, lo, hi, lo2, hi2)
			}
		}
	}
	if at != max(n, 0) {
		t.Fatalf("%s: chunks end at %d", name, at)
	}
}

func TestPartitionOfHugeLoops(t *testing.T) {
	for _, n := range []int{1<<31 + 3, 1 << 40, 1<<47 + 12345} {
		for _, l := range []Loop{{Threads: 2}, {Threads: 1000}, {Chunk: 1, Threads: 2}, {Schedule: Dynamic, Chunk: 1, Threads: 3}, {Schedule: Dynamic, Threads: 2}, {Schedule: Guided, Threads: 2}, {Schedule: Guided, Chunk: 1, Threads: 500}} {
			checkPartition(t, n, l)
		}
	}
}

func TestLanesDealEveryChunkOnce(t *testing.T) {
	for _, l := range loops() {
		if l.Schedule != Static {
			continue
		}
		for _, n := range []int{1, 2, 7, 1000, 200001} {
			var p partition
			p.init(n, l)
			seen := make([]int, p.chunks)
			for lane := range p.lanes {
				for j := range p.laneChunks(lane) {
					seen[p.laneChunk(lane, j)]++
				}
			}
			for k, times := range seen {
				if times != 1 {
					t.Fatalf("n=%d %+v: chunk %d dealt %d times", n, l, k, times)
				}
			}
		}
	}
}

func TestGuidedSizes(t *testing.T) {
	l := Loop{Schedule: Guided, Chunk: 4, Threads: 2}
	var got []int
	for k := range Chunks(100, l) {
		lo, hi := Bounds(100, l, k)
		got = append(got, hi-lo)
	}
	// Two chunks of a quarter each, then of a quarter of the rest, down to 4.
	want := []int{25, 25, 13, 13, 6, 6, 4, 4, 4}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("sizes %v, want %v", got, want)
	}
}

func BenchmarkBounds(b *testing.B) {
	for name, s := range schedules {
		b.Run(string(name), func(b *testing.B) {
			for i := range b.N {
				Bounds(1<<20, Loop{Schedule: s, Threads: 2}, i&3)
			}
		})
	}
}
