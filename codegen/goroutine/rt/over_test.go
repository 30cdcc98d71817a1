package rt

import (
	"sync/atomic"
	"testing"

	"github.com/surge-ndp/surge/selector"
)

// TestOver checks that a loop over what the frame says runs the given body, or that of the launch, and hands it the
// frame.
func TestOver(t *testing.T) {
	type frame struct {
		n    int
		done [2]atomic.Int64
	}
	body := func(i int) Body {
		return func(env any, _ *Worker, _, lo, hi int) { env.(*frame).done[i].Add(int64(hi - lo)) }
	}
	n := func(f *frame) int { return f.n }
	f := &frame{n: 1000}
	if err := Inspect(2, f, Over(n, body(0))); err != nil {
		t.Fatal(err)
	}
	l, err := Loops(Over(n), body(1)).Prepare(selector.Variant{})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Run(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	if f.done[0].Load() != 1000 || f.done[1].Load() != 1000 {
		t.Errorf("%d and %d elements of 1000", f.done[0].Load(), f.done[1].Load())
	}
}
