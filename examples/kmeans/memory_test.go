package kmeans

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/surge-ndp/surge/codegen/exec"
)

// TestTenThousandRuns runs an iteration, a chain of computations, ten thousand times. Neither memory nor goroutines become
// more.
func TestTenThousandRuns(t *testing.T) {
	const n, d, k, runs = 300, 2, 4, 10_000
	ctx := context.Background()
	points, first := points(n, d, k)
	step := func(cs []float64, opts ...exec.Option) (func() error, error) {
		b, err := BindStep(points, d, cs, append(opts, exec.Into(make([]float64, k*d)), exec.Into(make([]int32, n)), exec.Into(make([]int, k)))...)
		return func() error { _, _, _, _, err := b.Run(ctx); return err }, err
	}
	workers := []exec.Option{exec.Threads(3), exec.Policy("num_threads=3,omp_schedule_1=dynamic,chunk_size_1=64")}
	for _, c := range []struct {
		name string
		opts []exec.Option
		bind func(centroids []float64, opts ...exec.Option) (func() error, error)
	}{
		{"Step", nil, step},
		{"Step, several workers", workers, step},
	} {
		t.Run(c.name, func(t *testing.T) {
			centroids := append([]float64(nil), first...)
			run, err := c.bind(centroids, c.opts...)
			if err != nil {
				t.Fatal(err)
			}
			turn := func(i int) {
				for j := range centroids { // now and then a cluster is empty
					centroids[j] = first[j] + float64((i*7+j)%13)
				}
				if err := run(); err != nil {
					t.Fatal(err)
				}
			}
			for i := range 100 {
				turn(i)
			}
			heap, goroutines := inUse()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			count := runs
			if testing.Short() {
				count = 500
			}
			for i := range count {
				turn(i)
			}
			runtime.ReadMemStats(&after)
			laterHeap, laterGoroutines := inUse()
			if grown := int64(laterHeap) - int64(heap); grown > 64<<10 {
				t.Errorf("%d runs need %d bytes more", count, grown)
			}
			if laterGoroutines > goroutines {
				t.Errorf("%d goroutines, %d after %d runs", goroutines, laterGoroutines, count)
			}
			t.Logf("%.0f bytes of garbage a run", float64(after.TotalAlloc-before.TotalAlloc)/float64(count)) // what chooses variants anew for new lengths
		})
	}
}

// inUse returns the bytes that are reachable and the number of goroutines, when both have come to rest.
func inUse() (heap uint64, goroutines int) {
	for range 3 {
		runtime.GC()
		time.Sleep(10 * time.Millisecond)
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc, runtime.NumGoroutine()
}
