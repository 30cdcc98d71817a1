package main

import (
	"context"
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

func agrees(t *testing.T, platform string) {
	for _, pkg := range packages {
		t.Run(pkg, func(t *testing.T) {
			if testing.Short() && pkg != "applications" {
				t.Skip("one package is enough where there are minutes only")
			}
			p, err := agree.Compile(context.Background(), pkg, agree.Options{Platform: platform})
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
