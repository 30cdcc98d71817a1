package cut_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/surge-ndp/surge/ops/cut"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/load"
)

// TestAlone checks what is said of what one worker runs, and of kernels that are not cut: which loop of theirs it is.
func TestAlone(t *testing.T) {
	pkg, err := load.Load(t.Context(), "testdata/loops", load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	type said struct {
		line int
		why  string
	}
	alone := map[string][]said{
		"Once":    {{10, "reduce over another length than the level that is cut"}},
		"Ordered": nil, // it is sorted by all workers
		"Only":    nil,
	}
	const turns = "a loop at the top runs its turns one after the other; what one turn does can be a kernel of its own, " +
		"and the loop one of the program that runs it, as k-means in examples/beam"
	refused := map[string]said{
		"Behind":  {23, turns}, // in one computation, as it is the whole loop
		"Turns":   {49, turns},
		"Running": {64, "the loop runs in order"},
		"Either":  {76, "what is to be computed depends on a condition; a kernel of one of the branches can be cut, if the program decides"},
	}
	for _, src := range pkg.Kernels {
		k, err := fuse.Compile(src.Func, nil)
		if err != nil {
			t.Fatal(err)
		}
		plan, err := cut.Divide(k.Func)
		if no := (*cut.Refused)(nil); errors.As(err, &no) {
			if got := (said{no.Pos.Line, no.Why}); got != refused[src.Name] {
				t.Errorf("%s: %v, want %v", src.Name, got, refused[src.Name])
			}
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		var got []said
		for _, one := range plan.Alone {
			got = append(got, said{one.Pos.Line, one.Why})
		}
		if want, ok := alone[src.Name]; !ok || !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", src.Name, got, want)
		}
	}
}
