package goroutine

import (
	"testing"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/codegen/kir/pass"
	"github.com/surge-ndp/surge/codegen/kir/pass/passtest"
)

// TestPasses compares kernel IR before and after each pass of this package with the texts in testdata/passes.
func TestPasses(t *testing.T) {
	for _, passes := range [][]pass.Pass[*kir.Func]{codePasses, halvedPasses} {
		if err := pass.Check(passes); err != nil {
			t.Error(err)
		}
	}
	passtest.Funcs(t, []pass.Pass[*kir.Func]{unmerged, accumulators, halves, shorter, invariants, operandsInMemory, spillScalars, jumps, bounded, gathered, woven, moves, severalTurns, cleared})
}
