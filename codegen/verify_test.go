package codegen

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/codegen/lower"
	"github.com/surge-ndp/surge/codegen/opencl"
	"github.com/surge-ndp/surge/ops/load"
)

// TestKernelIR verifies the kernel IR of every code of the kernels that this module has for tests and examples, and reads its
// text back. A short test takes a sample.
func TestKernelIR(t *testing.T) {
	step := 1
	if testing.Short() {
		step = 11
	}
	for _, dir := range []string{"kernels", "internal/keyed", "internal/sorting", "testdata/operators",
		"../examples/spmv", "../examples/reduction", "../examples/scan", "../examples/kmeans", "../examples/comd"} {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			pkg, err := load.Load(t.Context(), dir, load.Options{})
			if err != nil {
				t.Fatal(err)
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
						v := code.Variant
						_, i, err := p.find(v)
						if err != nil {
							t.Fatal(err)
						}
						c := k.Fused.Computations[i]
						var f fmt.Stringer
						var wrong error
						var again func(string) (fmt.Stringer, error)
						if v.Platform == opencl.Platform.Name {
							d, err := lower.Device(k.Fused, c, v, "f")
							if err != nil {
								t.Fatal(err)
							}
							f, wrong = d, kir.VerifyDevice(d)
							again = func(text string) (fmt.Stringer, error) { return kir.ParseDevice(text) }
						} else {
							g, err := lower.Computation(k.Fused, c, v, "f")
							if err != nil {
								t.Fatal(err)
							}
							f, wrong = g, kir.Verify(g)
							again = func(text string) (fmt.Stringer, error) { return kir.ParseFunc(text) }
						}
						text := f.String()
						if wrong != nil {
							t.Fatalf("%s: %v\n%s", v, wrong, text)
						}
						if parsed, err := again(text); err != nil {
							t.Fatalf("%s: %v\n%s", v, err, text)
						} else if parsed.String() != text {
							t.Fatalf("%s: the text\n%s\nis read as\n%s", v, text, parsed)
						}
					}
				}
			}
			t.Logf("%d codes, every %d. verified", codes, step)
		})
	}
}
