package main

import (
	"context"
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

// hostOnly are the programs that have no code for devices, which take all memory before a launch, and why.
var hostOnly = map[string]string{
	"BFS": "grows while the kernel runs, and memory must be taken before the launch",
}

// TestOpenCL runs every program that has code for devices on one against plain Go, and checks that no other has it.
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
				why := hostOnly[r.Kernel]
				if platform != "opencl" {
					why = ""
				}
				if why != "" && len(r.Failures) == 0 {
					t.Errorf("%s has code for devices", r.Kernel)
				}
				for _, f := range r.Failures {
					if why != "" && strings.Contains(f, why+" [variant]") {
						continue
					}
					t.Errorf("%s: %s", r.Kernel, f)
				}
			}
		})
	}
}
