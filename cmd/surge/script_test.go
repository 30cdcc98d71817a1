package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/surge-ndp/surge/codegen/opencl/clrt"
	"github.com/surge-ndp/surge/codegen/openmp/omprt"
)

func TestMain(m *testing.M) { testscript.Main(m, map[string]func(){"surge": main}) }

// TestScripts runs testdata/script. UPDATE_SCRIPTS=1 writes what surge prints into the golden files instead of
// comparing. Scripts see two cores and no SIMD, so that what they print is the same everywhere.
func TestScripts(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	dirs := strings.Fields(string(out))
	// The harnesses that scripts build are shared, each is built once.
	cache := t.TempDir()
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
		Condition: func(name string) (bool, error) {
			switch name {
			case "opencl":
				d, err := clrt.Find("")
				return err == nil && d.Missing == "" && d.Doubles, nil
			case "openmp":
				_, missing := omprt.Compiler()
				return missing == nil, nil
			}
			return false, fmt.Errorf("unknown condition %q", name)
		},
		Setup: func(env *testscript.Env) error {
			env.Setenv("GOCACHE", dirs[0])
			env.Setenv("GOMODCACHE", dirs[1])
			env.Setenv("GOPROXY", "off")
			env.Setenv("GOFLAGS", "-mod=mod")
			env.Setenv("GOMAXPROCS", "2")
			env.Setenv("SURGE_NO_SIMD", "true")
			env.Setenv("SURGE_CACHE", cache)
			env.Setenv("ROOT", root)
			return module(env, root)
		},
	})
}

// module makes the script's directory a module that uses this one, with the packages of examples in it.
func module(env *testscript.Env, root string) error {
	mod := "module example.com/kernels\n\ngo 1.26.0\n\nrequire github.com/surge-ndp/surge v0.0.0\n\nreplace github.com/surge-ndp/surge => " + root + "\n"
	if err := os.WriteFile(filepath.Join(env.WorkDir, "go.mod"), []byte(mod), 0o644); err != nil {
		return err
	}
	// The checksums are those of this module, so that the go command asks no database.
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(env.WorkDir, "go.sum"), sums, 0o644); err != nil {
		return err
	}
	for _, name := range []string{"spmv", "reduction", "scan"} {
		dir := filepath.Join(env.WorkDir, name)
		if err := os.Mkdir(dir, 0o755); err != nil {
			return err
		}
		for _, file := range []string{name + ".go", configName} {
			text, err := os.ReadFile(filepath.Join(root, "examples", name, file))
			if err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(dir, file), text, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}
