package codegen_test

import (
	"context"
	"encoding/json"
	"os"
	osexec "os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/ops/load"
)

// allVariants is the name of the variable of the environment that is set where the examples' generated files have all
// variants, as [TestAllVariants] builds them.
const allVariants = "SURGE_TEST_ALL_VARIANTS"

// generated says which variants the examples' generated files have.
func generated() codegen.Variants {
	if os.Getenv(allVariants) != "" {
		return codegen.AllVariants
	}
	return codegen.ModelVariants
}

// TestAllVariants runs the tests of the examples' variants once more, with files that have all of them: those beside
// the sources have what programs choose.
func TestAllVariants(t *testing.T) {
	if race || os.Getenv(allVariants) != "" {
		t.Skip("the tests are run by another one")
	}
	dir := t.TempDir()
	replace := map[string]string{}
	for _, name := range []string{"spmv", "reduction", "scan", "kmeans", "comd"} {
		pkg, err := load.Load(context.Background(), filepath.Join("../examples", name), load.Options{})
		if err != nil {
			t.Fatal(err)
		}
		p, err := codegen.Compile(pkg, codegen.Options{Machine: codegen.PortableMachine()})
		if err != nil {
			t.Fatal(err)
		}
		files, err := p.Generated()
		if err != nil {
			t.Fatal(err)
		}
		for base, text := range files {
			at := filepath.Join(dir, base)
			if err := os.WriteFile(at, text, 0o666); err != nil {
				t.Fatal(err)
			}
			replace[filepath.Join(pkg.Dir, base)] = at
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(list, overlay, 0o666); err != nil {
		t.Fatal(err)
	}
	run := "TestExamples|Variants$|^TestTenThousandRuns$"
	if testing.Short() {
		run = "TestExamplesEveryVariant"
	}
	args := []string{"test", "-overlay", list, "-run", run, "-count=1", "-timeout=30m"}
	if testing.Short() {
		args = append(args, "-short")
	}
	cmd := osexec.Command("go", append(args, ".", "../examples/kmeans", "../examples/comd")...)
	// Vectors that are plain Go there are a matter of the test of this package, which asks for them itself.
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(s string) bool { return strings.HasPrefix(s, portableVectors+"=") }), allVariants+"=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
