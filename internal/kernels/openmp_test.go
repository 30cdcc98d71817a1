package kernels_test

import (
	"testing"

	"github.com/surge-ndp/surge/codegen/openmp"
	"github.com/surge-ndp/surge/internal/needs"
	"github.com/surge-ndp/surge/training"
)

// TestOpenMP runs every code in C of every kernel of this package, each with one launch (every third with another
// one), and compares with plain Go.
func TestOpenMP(t *testing.T) {
	needs.OpenMP(t)
	if testing.Short() {
		t.Skip("with -short no code in C: the C compiler takes a second for each computation")
	}
	s, err := training.Open(t.Context(), ".", training.Options{CacheDir: t.TempDir(), Platforms: []string{openmp.Platform.Name}, NoSIMD: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	everyCode(t, s)
}
