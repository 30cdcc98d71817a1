package rt

import (
	"context"
	"testing"
	"unsafe"
)

func TestScratch(t *testing.T) {
	Run(context.Background(), 1, nil, func(_ any, w *Worker) {
		a := Scratch[float64](w, 10)
		for i := range a {
			a[i] = float64(i)
		}
		for range 3 { // grows past several blocks, and again after Release
			m := w.Mark()
			b := Scratch[bool](w, 3)
			c := Scratch[complex128](w, 20_000)
			d := Scratch[int32](w, 1_000_000)
			e := Scratch[uint16](w, 1)
			for _, p := range []unsafe.Pointer{unsafe.Pointer(&a[0]), unsafe.Pointer(&b[0]), unsafe.Pointer(&c[0]), unsafe.Pointer(&d[0]), unsafe.Pointer(&e[0])} {
				if uintptr(p)%scratchAlign != 0 {
					t.Errorf("memory at %v", p)
				}
			}
			b[2], e[0] = true, 65535
			for i := range c {
				c[i] = complex(1, 2)
			}
			for i := range d {
				d[i] = -1
			}
			if !b[2] || e[0] != 65535 || c[19_999] != complex(1, 2) || cap(d) != 1_000_000 {
				t.Error("memory overlaps")
			}
			w.Release(m)
			if again := Scratch[bool](w, 3); &again[0] != &b[0] {
				t.Error("memory is not reused")
			}
			w.Release(m)
		}
		for i, v := range a {
			if v != float64(i) {
				t.Errorf("a[%d] = %v", i, v)
			}
		}
		if s := Scratch[int](w, 0); len(s) != 0 {
			t.Error("not empty")
		}
		if s := Scratch[string](w, 2); s[0] != "" || s[1] != "" {
			t.Error("strings are not empty")
		}
	})
}

func TestScratchMisuse(t *testing.T) {
	for _, misuse := range []func(w *Worker){
		func(w *Worker) { Scratch[int](w, -1) },
		func(w *Worker) { Scratch[int](w, 1<<60) },
		func(w *Worker) { w.Release(w.Mark() + 1) },
		func(w *Worker) { w.Release(-1) },
	} {
		if err := Run(context.Background(), 1, nil, func(_ any, w *Worker) { misuse(w) }); err == nil {
			t.Error("no error")
		}
	}
}

// Chunks return what they take, on every worker.
func TestScratchIsReturnedByChunks(t *testing.T) {
	manyProcs(t, 4)
	err := Run(context.Background(), 4, nil, func(_ any, w *Worker) {
		mine := Scratch[int](w, 100)
		mine[99] = 5
		mark := w.Mark()
		w.For(5000, Loop{Schedule: Dynamic, Chunk: 1, Threads: 4}, func(_ any, w *Worker, chunk, _, _ int) {
			s := Scratch[int](w, 1000)
			s[0], s[999] = chunk, chunk
			w.For(2, Loop{Threads: 2}, func(_ any, w *Worker, k, _, _ int) {
				Scratch[int](w, 50)[49] = k
			}, nil)
			if s[0] != chunk || s[999] != chunk {
				t.Error("memory overlaps")
			}
		}, nil)
		if w.Mark() != mark || mine[99] != 5 {
			t.Error("chunks did not return their memory")
		}
		for _, x := range w.run.workers {
			if x.ID() != 0 && x.scratch.top != 0 || x.scratch.last > 1 || len(x.scratch.blocks) > 1 {
				t.Errorf("worker %d keeps %d bytes in %d blocks", x.ID(), x.scratch.top, len(x.scratch.blocks))
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestGrow(t *testing.T) {
	s := Grow[int](nil, 3)
	s[2] = 7
	if g := Grow(s, 2); len(g) != 2 || &g[0] != &s[0] {
		t.Error("memory is not reused")
	}
	if g := Grow(s, 4); len(g) != 4 || cap(g) < 6 {
		t.Errorf("length %d, capacity %d", len(g), cap(g))
	}
}
