package clrt

import (
	"context"
	"testing"
)

// BenchmarkCosts measures what runs on a device cost besides the computing: the driver's calls one by one, and runs of
// kernels that have next to nothing to do.
func BenchmarkCosts(b *testing.B) {
	d := device(b)
	lib := d.lib
	l := prepare(b, axpy, "block_size_x=64,block_size_y=1,grain_size_1=1")
	var shared [64]float64
	check := func(b *testing.B, s status) {
		if s != 0 {
			b.Fatal(s)
		}
	}
	f := &frame{x: shared[:], y: make([]float64, 64), out: make([]float64, 64), a: 2}
	if err := l.Run(context.Background(), f); err != nil { // sets the arguments
		b.Fatal(err)
	}
	h, err := d.pool.take(4096)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("finish", func(b *testing.B) {
		for b.Loop() {
			check(b, lib.finish(d.queue))
		}
	})
	b.Run("launch and finish", func(b *testing.B) {
		p := newPlace(d)
		defer p.Close()
		if err := l.RunIn(context.Background(), f, p); err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			check(b, lib.launch(d.queue, l.kernels[0], [2]uintptr{64, 1}, [2]uintptr{64, 1}))
			check(b, lib.finish(d.queue))
		}
	})
	b.Run("fill", func(b *testing.B) {
		for b.Loop() {
			check(b, lib.fill(d.queue, h, 64, 0))
			check(b, lib.finish(d.queue))
		}
	})
	for name, code := range map[string]*Code{"run": axpy, "run with checks": gather, "run with a sum": sum} {
		b.Run(name, func(b *testing.B) {
			f := &frame{x: make([]float64, 64), y: make([]float64, 64), index: make([]int32, 64), out: make([]float64, 64), a: 2}
			c := bound(b, []*Code{code}, "block_size_x=64,block_size_y=1,grain_size_1=1")
			b.ReportAllocs()
			for b.Loop() {
				if err := c.Run(context.Background(), 0, f); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
