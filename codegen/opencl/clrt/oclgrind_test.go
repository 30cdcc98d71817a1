package clrt

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The simulator sees what no result shows: races between work-items, reads of what nobody wrote, accesses out of
// bounds, and calls that OpenCL does not allow.
func TestUnderOclgrind(t *testing.T) {
	const inside = "SURGE_TEST_OCLGRIND"
	if os.Getenv(inside) != "" || testing.Short() {
		t.Skip("inside already, or short")
	}
	tool, err := exec.LookPath("oclgrind")
	if err != nil {
		t.Skip("oclgrind is not installed")
	}
	log := filepath.Join(t.TempDir(), "log")
	cmd := exec.Command(tool, "--data-races", "--check-api", "--log", log, os.Args[0], "-test.run=^(TestMap|TestReduction|TestRounds|TestChecks|TestCalls|TestResident|TestMixedPlatforms)$")
	cmd.Env = append(os.Environ(), inside+"=1")
	out, err := cmd.CombinedOutput()
	report, _ := os.ReadFile(log)
	if err != nil || len(report) > 0 {
		t.Errorf("%v\n%s%s", err, out, report)
	}
}
