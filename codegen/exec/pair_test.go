package exec

import (
	"context"
	"slices"
	"testing"

	"github.com/surge-ndp/surge/selector"
)

// noted writes down what runs, and shares chunks with its like if it may.
type noted struct {
	name    string
	log     *[]string
	follows bool
}

func (noted) Available(int) string                       { return "" }
func (n noted) Prepare(selector.Variant) (Launch, error) { return n, nil }
func (n noted) Run(ctx context.Context, frame any) error { *n.log = append(*n.log, n.name); return nil }
func (n noted) RunAfter(_ context.Context, first Launch, _ any) (bool, float64, error) {
	if n.follows {
		*n.log = append(*n.log, first.(noted).name+" with "+n.name)
	}
	return n.follows, 0.5, nil
}

// TestRunPair runs two computations in chunks that they share, or one after the other.
func TestRunPair(t *testing.T) {
	for _, follows := range []bool{false, true} {
		var log []string
		k := &Kernel{Name: "K", Pos: "k.go:1", Hash: "h", Computations: []*Computation{
			{Name: "K.1", Codes: []Code{{Text: "K.1/nest/sequential/goroutine", Func: noted{"first", &log, false}}}},
			{Name: "K.2", Codes: []Code{{Text: "K.2/nest/sequential/goroutine", Func: noted{"second", &log, follows}}}}}}
		var c Call
		c.Init(k, nil)
		for i := range k.Computations {
			if err := c.Choose(i); err != nil {
				t.Fatal(err)
			}
		}
		if err := c.RunPair(context.Background(), 0, nil); err != nil {
			t.Fatal(err)
		}
		want := []string{"first", "second"}
		if follows {
			want = []string{"first with second"}
		}
		if !slices.Equal(log, want) {
			t.Errorf("%v, want %v", log, want)
		}
	}
}
