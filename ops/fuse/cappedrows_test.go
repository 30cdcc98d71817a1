package fuse_test

import (
	"testing"

	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/load"
)

// TestCappedRows checks which Maps store rows with room for the most elements, by the sequences of what comes of a
// kernel, and that the pass changes no result.
func TestCappedRows(t *testing.T) {
	before, runs := map[string]*ir.Func{}, 1000
	if testing.Short() {
		runs = 50
	}
	trace := func(k *load.Kernel, s fuse.Stage) {
		switch flat := k.Func.Params[0].T.Rank == 1; {
		case flat && s.Name == "hoist":
			before[k.Name] = s.Func
		case flat && s.Name == "capped":
			sameMeaning(t, before[k.Name], s.Func, runs, 30)
		}
	}
	told(t, "capped", trace, sequences)
}
