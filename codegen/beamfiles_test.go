package codegen_test

import (
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/ops/load"
	"github.com/surge-ndp/surge/selector"
)

// TestBeamPlatforms holds that the steps of a kernel that is cut have the code of each platform that is asked for, as
// the kernel has.
func TestBeamPlatforms(t *testing.T) {
	pkg, err := load.Load(t.Context(), "../examples/beam/kernels", load.Options{Kernel: "Histogram"})
	if err != nil {
		t.Fatal(err)
	}
	platforms := []string{selector.Host, "opencl", "openmp"}
	p, err := codegen.Compile(pkg, codegen.Options{Machine: codegen.PortableMachine(), Platforms: platforms, Code: platforms})
	if err != nil {
		t.Fatal(err)
	}
	files, err := p.Beam("Histogram")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"kernels_surge_blocks.go", "kernels_surge_beam.go", "kernels_blocks_surge_opencl.go", "kernels_blocks_surge_openmp.go"} {
		if text := string(files[name]); !strings.Contains(text, "istogram") || !codegen.IsGenerated(name) {
			t.Errorf("%s has %d bytes", name, len(text))
		}
		delete(files, name)
	}
	delete(files, "kernels_blocks_surge_openmp_cgo.go")
	if len(files) > 0 {
		t.Errorf("%d files more", len(files))
	}
}
