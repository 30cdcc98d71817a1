//go:build !gogl && linux && (amd64 || arm64)

package clrt

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Where there is no loader the drivers are opened themselves.
func TestWithoutLoader(t *testing.T) {
	if os.Getenv("SURGE_OPENCL_LIBRARY") != "" || testing.Short() {
		t.Skip("inside already, or short")
	}
	device(t)
	for _, name := range driverNames() {
		at, err := openLibrary(name)
		if err != nil {
			continue
		}
		if _, err := driver(at, name); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		// In a process of its own, which has not opened the loader.
		cmd := exec.Command(os.Args[0], "-test.run=^(TestMap|TestReduction|TestChecks|TestSeparateMemory)$", "-test.v")
		cmd.Env = append(os.Environ(), "SURGE_OPENCL_LIBRARY="+name)
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "--- PASS: TestSeparateMemory") {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}
