package codegen

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/load"
)

// TestKernelIR verifies the kernel IR of every code of the kernels that this module has for tests and examples, after
// lowering and after every pass, and reads its text back. A short test takes a sample.
func TestKernelIR(t *testing.T) {
	step := 1
	if testing.Short() {
		step = 23
	}
	for _, dir := range []string{"../internal/kernels", "internal/keyed", "internal/sorting", "testdata/operators",
		"../examples/spmv", "../examples/reduction", "../examples/scan", "../examples/kmeans", "../examples/comd"} {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			pkg, err := load.Load(t.Context(), dir, load.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if testing.Short() && len(pkg.Kernels) > 30 { // compiling all takes longer than verifying some of their codes
				n := 0
				pkg.Kernels = slices.DeleteFunc(pkg.Kernels, func(k *load.Kernel) bool {
					n++
					return k.VariantOf != "" || n%7 != 0
				})
			}
			p, err := Compile(pkg, Options{Machine: PortableMachine()})
			if err != nil {
				t.Fatal(err)
			}
			codes := 0
			for _, k := range p.Kernels {
				for _, space := range k.Spaces {
					for _, code := range space.Codes() {
						if codes++; codes%step != 0 {
							continue
						}
						last := ""
						err := k.stages(code.Variant, func(stage, _ string, f fmt.Stringer) {
							if text := f.String(); text != last {
								verifyStage(t, code.Variant.String()+", "+stage, f, text)
								last = text
							}
						})
						if err != nil {
							t.Fatal(err)
						}
					}
				}
			}
			t.Logf("%d codes, every %d. verified", codes, step)
		})
	}
}

// verifyStage verifies kernel IR after a stage, and reads its text back.
func verifyStage(t *testing.T, stage string, code fmt.Stringer, text string) {
	t.Helper()
	var again fmt.Stringer
	var err, wrong error
	switch code := code.(type) {
	case *kir.Func:
		wrong = kir.Verify(code)
		again, err = kir.ParseFunc(text)
	case *kir.Device:
		wrong = kir.VerifyDevice(code)
		again, err = kir.ParseDevice(text)
	}
	switch {
	case wrong != nil:
		t.Fatalf("%s: %v\n%s", stage, wrong, text)
	case err != nil:
		t.Fatalf("%s: %v\n%s", stage, err, text)
	case again.String() != text:
		t.Fatalf("%s: the text\n%s\nis read as\n%s", stage, text, again)
	}
}
