package keyed_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/codegen/goroutine/vec"
	"github.com/surge-ndp/surge/codegen/opencl"
	"github.com/surge-ndp/surge/codegen/openmp"
	"github.com/surge-ndp/surge/internal/needs"
	"github.com/surge-ndp/surge/ops/load"
	"github.com/surge-ndp/surge/selector"
)

const program = `package main

import (
	"os"

	"github.com/surge-ndp/surge/codegen/internal/keyed/drive"
	_ "github.com/surge-ndp/surge/codegen/internal/keyed"
)

func main() { drive.Main(os.NewFile(3, "report"), os.Args[1]) }
`

// TestVariants compiles the kernels of this package, and runs every variant of each, in a short test those of every
// eleventh code, on adversarial inputs against plain Go.
func TestVariants(t *testing.T) { variants(t) }

// TestOpenCL does so with one OpenCL variant of each computation that has some, in a short test of every third kernel.
func TestOpenCL(t *testing.T) {
	needs.OpenCL(t)
	variants(t, opencl.Platform.Name)
}

// TestOpenMP does so with the variants in C.
func TestOpenMP(t *testing.T) {
	needs.OpenMP(t)
	if testing.Short() {
		t.Skip("with -short no code in C: the C compiler takes a second for each kernel")
	}
	variants(t, openmp.Platform.Name)
}

func variants(t *testing.T, platforms ...string) {
	ctx := context.Background()
	pkg, err := load.Load(ctx, ".", load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if testing.Short() && len(platforms) > 0 { // a driver compiles for each
		pkg.Kernels = everySixth(pkg.Kernels)
	}
	// The program that is built has vectors where the go command is told so, whatever this test was built with.
	vectors := vec.Native() || os.Getenv("GOEXPERIMENT") == "simd" && len(vec.CPULanes(4)) > 0
	p, err := codegen.Compile(pkg, codegen.Options{Machine: codegen.Machine(vectors, []string{selector.Host}), Code: platforms})
	if err != nil {
		t.Fatal(err)
	}
	if testing.Short() {
		p.KeepEvery(23)
	}
	files, err := p.Generated()
	if err != nil {
		t.Fatal(err)
	}
	name, src, err := p.Harness()
	if err != nil {
		t.Fatal(err)
	}
	files[name] = src
	files[filepath.Join("program", "main.go")] = []byte(program)
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	overlay := map[string]string{}
	i := 0
	for name, src := range files {
		i++
		file := filepath.Join(dir, filepath.Base(name))
		if err := os.WriteFile(file, src, 0o666); err != nil {
			t.Fatal(err)
		}
		overlay[filepath.Join(here, name)] = file
	}
	text, _ := json.Marshal(map[string]any{"Replace": overlay})
	list := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(list, text, 0o666); err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(dir, "program.exe")
	args := []string{"build", "-ldflags=-s -w", "-overlay", list, "-o", binary}
	if os.Getenv("SURGE_KEYED_RACE") != "" {
		args = append(args, "-race")
	}
	build := exec.Command("go", append(args, "./program")...)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	report := filepath.Join(dir, "report")
	f, err := os.Create(report)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	run := exec.Command(binary, append(platforms, selector.Host)[0])
	run.ExtraFiles = []*os.File{f}
	run.Env = append(os.Environ(), "SURGE_OPENCL_COPY=1")
	out, err := run.CombinedOutput()
	text, _ = os.ReadFile(report)
	t.Logf("%s", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

func everySixth(kernels []*load.Kernel) (some []*load.Kernel) {
	for i, k := range kernels {
		if i%6 == 0 && k.VariantOf == "" {
			some = append(some, k)
		}
	}
	return some
}
