package kmeans

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/selector/param"
)

// points draws n points of d coordinates around k centres, which are the centroids; the last one is far from all.
func points(n, d, k int) (points, centroids []float64) {
	rng := rand.New(rand.NewPCG(uint64(n), uint64(d)))
	for i := range k * d {
		c := 10 * rng.Float64()
		if i >= (k-1)*d && k > 1 {
			c = 1e3
		}
		centroids = append(centroids, c)
	}
	for range n {
		c := rng.IntN(max(k-1, 1))
		for j := range d {
			points = append(points, centroids[c*d+j]+rng.NormFloat64())
		}
	}
	return points, centroids
}

func close(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) <= 1e-11*(math.Abs(x)+math.Abs(y)) })
}

// TestVariants runs every function that was generated for every computation, alone and in chunks that are shared with
// the computation before, and compares with plain Go.
func TestVariants(t *testing.T) {
	var variants [][]string
	rounds := 1
	for _, c := range stepKernel.Computations {
		codes, err := c.Available()
		if err != nil {
			t.Fatal(err)
		}
		var texts []string
		for _, code := range codes {
			launches := [][]selector.Setting{nil}
			if code.Launches(&param.SharedChunk.Key, 1) {
				for _, chunk := range []int{1, 7, 256, 1024} { // more centroids' coordinates than points in a chunk, too
					launches = append(launches, []selector.Setting{param.SharedChunk.With(1, chunk)})
				}
			}
			for _, launch := range launches {
				v, err := selector.FillLaunch(code, 2, launch...)
				if err != nil {
					t.Fatal(err)
				}
				texts = append(texts, v.String())
			}
		}
		variants, rounds = append(variants, texts), max(rounds, len(texts))
	}
	ctx := context.Background()
	for _, size := range [][3]int{{0, 3, 1}, {1, 1, 1}, {5, 2, 3}, {100, 3, 4}, {257, 32, 10}, {300, 13, 5}, {90, 23, 3}, {2000, 5, 7}} {
		points, centroids := points(size[0], size[1], size[2])
		moved, labels, counts, inertia := Step(points, size[1], centroids)
		if size[0] > 0 && size[2] > 1 && counts[size[2]-1] != 0 {
			t.Fatal("the last cluster should be empty")
		}
		for r := range rounds {
			var opts []exec.Option
			for _, v := range variants {
				opts = append(opts, exec.Variant(v[r%len(v)]))
			}
			gotMoved, gotLabels, gotCounts, gotInertia, err := RunStep(ctx, points, size[1], centroids, opts...)
			if err != nil {
				t.Fatalf("%v, round %d: %v", size, r, err)
			}
			if !close(gotMoved, moved) || !slices.Equal(gotLabels, labels) || !slices.Equal(gotCounts, counts) || !close([]float64{gotInertia}, []float64{inertia}) {
				t.Errorf("%v, round %d: the result is not that of plain Go", size, r)
			}
		}
	}
}

// TestLloyd iterates to the end both ways: the centroids are the same.
func TestLloyd(t *testing.T) {
	points, start := points(3000, 8, 6)
	plain, compiled := slices.Clone(start), slices.Clone(start)
	for range 20 {
		plain, _, _, _ = Step(points, 8, plain)
		next, _, _, _, err := RunStep(context.Background(), points, 8, compiled)
		if err != nil {
			t.Fatal(err)
		}
		compiled = next
	}
	if !close(plain, compiled) {
		t.Errorf("centroids %v\nplain Go  %v", compiled, plain)
	}
}

// TestMemory runs a bound kernel many times: what passes between its computations is not allocated again.
func TestMemory(t *testing.T) {
	points, centroids := points(500, 4, 5)
	b, err := BindStep(points, 4, centroids, exec.Into(make([]float64, 20)), exec.Into(make([]int32, 500)), exec.Into(make([]int, 5)))
	if err != nil {
		t.Fatal(err)
	}
	run := func() {
		if _, _, _, _, err := b.Run(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	run()
	if n := testing.AllocsPerRun(200, run); n > 100 {
		t.Errorf("%v allocations a run", n)
	} else {
		t.Logf("%v allocations a run", n)
	}
}
