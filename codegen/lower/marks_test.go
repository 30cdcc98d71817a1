package lower_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/codegen/lower"
)

// TestMarkedLoops lowers levels on lanes for a compiler that makes the vectors itself: the loops stay scalar, and say
// what their turns combine. Where a turn cannot run beside another, the reason is given.
func TestMarkedLoops(t *testing.T) {
	spmv, err := os.ReadFile(filepath.Join(front, "SpMV.ir"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, variant, want string }{
		{string(spmv), "SpMV.1/nest/independent>cooperative/openmp/execution_resource_1=team,execution_resource_2=lane,simdlen_2=8", "lanes 8 add into"},
		{string(spmv), "SpMV.1/nest/independent>cooperative/openmp/execution_resource_1=team,execution_resource_2=lane,simdlen_2=8", "= fma("},
		{string(spmv), "SpMV.1/nest/independent>sequential/openmp/execution_resource_1=team", ""},
		{string(spmv), "SpMV.1/nest/independent>sequential/openmp/execution_resource_1=lane,simdlen_1=4", "level 1 cannot use lanes: the loops inside it may differ in length"},
		{guarded, "Guarded.1/nest/independent/openmp/execution_resource_1=team+lane,simdlen_1=4", "lanes 4 {"},
		{weigh, "Weigh.1/nest/cooperative/openmp/execution_resource_1=lane,simdlen_1=4", "for i = strip to end step 1 lanes 4 {"},
	} {
		k := compile(t, c.text)
		f, err := lower.Computation(k, k.Computations[0], variant(t, c.variant), "f")
		if err != nil {
			if !strings.HasPrefix(err.Error(), c.want) || c.want == "" {
				t.Errorf("%s: %v, want %q", c.variant, err, c.want)
			}
			continue
		}
		if err := kir.Verify(f); err != nil {
			t.Error(err)
		}
		if got := f.String(); !strings.Contains(got, c.want) || c.want == "" && strings.Contains(got, " lanes ") {
			t.Errorf("%s: no %q in\n%s", c.variant, c.want, got)
		}
	}
}
