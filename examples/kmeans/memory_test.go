package kmeans

import (
	"context"
	"testing"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/codegen/steady"
)

// TestTenThousandRuns runs an iteration, a chain of computations, ten thousand times. Neither memory nor goroutines
// become more.
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
			count := runs
			if testing.Short() {
				count = 500
			}
			if err := steady.Check(count, turn); err != nil {
				t.Error(err)
			}
		})
	}
}
