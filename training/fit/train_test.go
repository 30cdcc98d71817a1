package fit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/surge-ndp/surge/selector"
)

// world is a table with known truth: below length 1000 variant 0 is best; above, variant 1 for short rows and variant 2
// for long ones; the other variants never are. Times have a little noise.
func world(n int, seed uint64) *Table {
	rng := rand.New(rand.NewPCG(seed, 1))
	t := &Table{Computation: "K.1", Features: []selector.Feature{{Name: "length", Unit: "rows"}, {Name: "average_row_length", Unit: "elements"}}}
	for v := range 10 {
		t.Variants = append(t.Variants, selector.Variant{Computation: "K.1", Form: "nest", Schedule: "sequential", Platform: "goroutine",
			Policy: []selector.Setting{{Name: "unroll_1", Value: fmt.Sprint(v)}}})
	}
	for i := range n {
		length, row := math.Pow(10, 1+5*rng.Float64()), math.Pow(10, 2*rng.Float64())
		in := Input{Name: fmt.Sprint("input", i), Features: []float64{length, row}, Untrained: 3}
		best := 0
		if length > 1000 {
			best = 1
			if row > 12 {
				best = 2
			}
		}
		for v := range t.Variants {
			x := length * row
			switch {
			case v == best:
			case v < 3:
				x *= 1.5
			default:
				x *= 1.2 + 0.1*float64(v)
			}
			in.Times = append(in.Times, x*(1+0.01*rng.Float64()))
		}
		t.Inputs = append(t.Inputs, in)
	}
	return t
}

func TestTrainFindsTheWorld(t *testing.T) {
	train, test := world(40, 1), world(200, 2)
	start := time.Now()
	cl, estimate, err := Train(train)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("trained in %v: %d variants, gamma %g, C %g, %d support vectors, estimate %.4f", time.Since(start), len(cl.Variants), cl.Gamma, cl.Summary.C, len(cl.Support), estimate)
	regret := test.mean(func(in *Input) float64 {
		c := choose(cl, test.Features, in)
		for v := range test.Variants {
			if test.Variants[v].Equal(cl.Variants[c]) {
				return in.Regret(v)
			}
		}
		return 9
	})
	t.Logf("regret %.4f on unseen inputs", regret)
	if len(cl.Variants) != 3 || regret > 0.05 || estimate > 0.1 {
		t.Errorf("%d variants, regret %.3f, estimated %.3f", len(cl.Variants), regret, estimate)
	}
}
