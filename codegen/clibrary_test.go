package codegen

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/internal/needs"
	"github.com/surge-ndp/surge/ops/load"
)

// TestArgumentsInC runs a program in C that calls the functions of a generated library with good and with bad
// arguments: see the program. A sanitizer looks at what it reads and writes, where the compiler has one.
func TestArgumentsInC(t *testing.T) {
	needs.OpenMP(t)
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("there is no compiler cc")
	}
	source := filepath.Join("testdata", "clibrary")
	pkg, err := load.Load(t.Context(), source, load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := Compile(pkg, Options{Machine: PortableMachine(), Platforms: []string{"goroutine", "openmp"}, Code: []string{"openmp"}})
	if err != nil {
		t.Fatal(err)
	}
	files, err := p.Generated()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range files {
		if strings.HasSuffix(name, ".c") || strings.HasSuffix(name, ".h") {
			if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	program, err := filepath.Abs(filepath.Join(source, "program", "main.c"))
	if err != nil {
		t.Fatal(err)
	}
	build := func(more ...string) ([]byte, error) {
		args := append([]string{"-O1", "-g", "-std=gnu11", "-fopenmp", "-fwrapv", "-ffp-contract=off", "-Wall", "-Werror", "-Wno-unused", "-I.",
			"-o", "program", program, "kernels_surge_openmp.c", "-lm"}, more...)
		cmd := exec.Command(cc, args...)
		cmd.Dir = dir
		return cmd.CombinedOutput()
	}
	out, err := build("-fsanitize=address,undefined", "-fno-sanitize-recover=all")
	if err != nil {
		t.Logf("without sanitizers: %v\n%.1000s", err, out)
		if out, err := build(); err != nil {
			t.Fatalf("%v\n%.4000s", err, out)
		}
	}
	cmd := exec.Command(filepath.Join(dir, "program"))
	cmd.Env = append(os.Environ(), "OMP_NUM_THREADS=2")
	if out, err = cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), " 0 wrong\n") {
		t.Errorf("%v\n%.4000s", err, out)
	}
	t.Logf("%s", out)
}
