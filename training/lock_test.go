package training

import (
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// One process at a time adds to a file of measurements; others may read it meanwhile.
func TestMeasurementsAreLocked(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files are not locked there")
	}
	paths := []string{filepath.Join(t.TempDir(), "m.jsonl")}
	first, err := OpenMeasurements(paths, false)
	if err != nil {
		t.Fatal(err)
	}
	if second, err := OpenMeasurements(paths, false); err == nil || !strings.Contains(err.Error(), "another process measures into this file now") {
		t.Errorf("%v, %v", second, err)
	}
	if reader, err := OpenMeasurements(paths, true); err != nil {
		t.Error(err)
	} else {
		reader.Close()
	}
	first.Close()
	third, err := OpenMeasurements(paths, false)
	if err != nil {
		t.Fatal(err)
	}
	third.Close()
}
