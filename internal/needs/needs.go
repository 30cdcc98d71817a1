// Package needs says what a test needs of the machine, and skips the test with the reason where that is missing.
//
// It imports codegen/opencl/clrt, which finds devices, and codegen/openmp/omprt, which finds compilers, and is
// imported by tests alone.
package needs

import (
	"testing"

	"github.com/surge-ndp/surge/codegen/opencl/clrt"
	"github.com/surge-ndp/surge/codegen/openmp/omprt"
)

// OpenMP skips a test that compiles C with OpenMP where no compiler does that. It skips it too in a build with the
// experiment simd, on which that code does not depend.
func OpenMP(t testing.TB) {
	t.Helper()
	if experiment {
		t.Skip("C does not depend on GOEXPERIMENT=simd: it is tested without")
	}
	if _, missing := omprt.Compiler(); missing != nil {
		t.Skip(missing)
	}
}

// OpenCL skips a test that runs code on an OpenCL device where there is none. It skips it too in a build with the
// experiment simd: code for devices does not depend on that, and is tested by the same tests without it.
func OpenCL(t testing.TB) {
	t.Helper()
	if experiment {
		t.Skip("code for devices does not depend on GOEXPERIMENT=simd: it is tested without")
	}
	if _, err := clrt.Find(""); err != nil {
		t.Skip(err)
	}
}
