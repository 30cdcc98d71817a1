package training

import (
	"testing"

	"github.com/surge-ndp/surge/codegen/cluster"
	"github.com/surge-ndp/surge/ops/load"
)

// TestLongArrays checks that what cuts arguments into blocks and what compiles kernels agree on which arrays are
// sequences.
func TestLongArrays(t *testing.T) {
	if cluster.MostNumbers != load.MaxComponents {
		t.Errorf("%d and %d", cluster.MostNumbers, load.MaxComponents)
	}
	type pair struct {
		A int32
		B float64
	}
	long := [2][100]pair{1: {99: {7, 8}}}
	got := cluster.Columns(long)
	if len(got) != 2 || cluster.Len(got[0]) != 200 || got[0].([]int32)[199] != 7 || got[1].([]float64)[199] != 8 {
		t.Errorf("%d values: %v", len(got), got)
	}
}
