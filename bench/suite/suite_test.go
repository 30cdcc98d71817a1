package main

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/opencl/clrt"
	"github.com/surge-ndp/surge/internal/agree"
	"github.com/surge-ndp/surge/internal/needs"
)

// TestGoroutines runs every code of every program on goroutines against plain Go, on small inputs.
func TestGoroutines(t *testing.T) { agrees(t, "goroutine") }

// TestOpenMP runs every program in C against plain Go.
func TestOpenMP(t *testing.T) {
	needs.OpenMP(t)
	if testing.Short() {
		t.Skip("the corpus runs in C where there are minutes only")
	}
	agrees(t, "openmp")
}

// TestOpenCL runs every program on a device against plain Go.
func TestOpenCL(t *testing.T) {
	if _, err := clrt.Find(""); err != nil {
		t.Skip(err)
	}
	if testing.Short() {
		t.Skip("the driver compiles a program for each kernel, which takes minutes")
	}
	agrees(t, "opencl")
}

// refused are the programs that are not compiled, with what the compiler says.
var refused = map[string]string{"Fluid": "an element of g is assigned"}

func agrees(t *testing.T, platform string) {
	for _, pkg := range packages {
		t.Run(pkg, func(t *testing.T) {
			names, err := kernels(pkg)
			if err != nil {
				t.Fatal(err)
			}
			without := slices.DeleteFunc(names, func(n string) bool { return refused[n] == "" })
			if testing.Short() && pkg != "applications" {
				t.Skip("one package is enough where there are minutes only")
			}
			p, err := agree.Compile(context.Background(), pkg, agree.Options{Platform: platform, Without: without})
			if err != nil {
				t.Fatal(err)
			}
			reports, err := agree.Run(context.Background(), p, platform, t.TempDir())
			if err != nil {
				t.Error(err)
			}
			for _, r := range reports {
				for _, f := range r.Failures {
					t.Errorf("%s: %s", r.Kernel, f)
				}
			}
		})
	}
}

// TestRefused checks that what is refused is refused for the reason that stands here.
func TestRefused(t *testing.T) {
	for _, pkg := range packages {
		names, err := kernels(pkg)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if why := refused[name]; why != "" {
				without := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == name })
				if _, err := agree.Compile(context.Background(), pkg, agree.Options{Platform: "goroutine", Without: without}); err == nil || !strings.Contains(err.Error(), why) {
					t.Errorf("%s: %v, want %s", filepath.Join(pkg, name), err, why)
				}
			}
		}
	}
}
