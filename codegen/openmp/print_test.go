package openmp

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/openmp/omprt"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/selector"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestKernelsCompile prints every variant of every kernel that package load keeps the IR of, and has the C compiler
// look at it.
func TestKernelsCompile(t *testing.T) {
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("there is no C compiler")
	}
	var all strings.Builder
	all.WriteString(omprt.Prelude)
	variants, lanes := 0, 0
	parsed(t, func(n int, file string, k *fuse.Kernel) {
		u := NewUnit(fmt.Sprintf("frame%d", n), nil)
		var functions strings.Builder
		for i, c := range k.Computations {
			space := spaceOf(k, c)
			codes := space.Codes()
			if len(codes) == 0 {
				t.Errorf("%s: %s has no variant: %s", file, c.Name, space.WhyEmpty())
			}
			for j, code := range codes {
				fn, err := Lower(k, c, code.Variant, fmt.Sprintf("f%d_%d_%d", n, i, j), nil)
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range fieldsUsed(fn) {
					u.add(f)
				}
				text := u.Print(fn, code.Variant.String())
				functions.WriteString(text.Source)
				variants++
				lanes += strings.Count(text.Source, "#pragma omp simd")
			}
		}
		all.WriteString(u.Frame() + functions.String())
	})
	path := filepath.Join(t.TempDir(), "all.c")
	if err := os.WriteFile(path, []byte(all.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(cc, "-fsyntax-only", "-std=gnu11", "-fopenmp", "-Wall", "-Wno-unused", "-Wno-tautological-compare", path).CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("%v\n%.4000s", err, out)
	}
	t.Logf("%d variants, %d loops on lanes", variants, lanes)
	if variants == 0 || lanes == 0 {
		t.Errorf("%d variants, %d loops on lanes", variants, lanes)
	}
}

const sums = `func Sums (x: []float64, from: float64) {
  n: int = len x
  y: []float64 = scan i < n init from {
    v: float64 = index x i
    yield v
  } comb a: float64, b: float64 {
    c: float64 = add a b
    yield c
  }
  yield y
}
`

// TestPrint compares the C of some variants with a golden file: loops over chunks in each other, lanes, a scan that
// hands its prefix on, and bins.
func TestPrint(t *testing.T) {
	var sb strings.Builder
	for _, c := range []struct{ file, variant string }{
		{"SpMV", "SpMV.1/nest/sequential>sequential/openmp/unroll_2=4"},
		{"SpMV", "SpMV.1/nest/independent>cooperative/openmp/execution_resource_1=team,execution_resource_2=lane,simdlen_2=8"},
		{"SpMV", "SpMV.1/nest/independent>cooperative/openmp/execution_resource_1=team,execution_resource_2=team,unroll_2=1"},
		{"", "Sums.1/nest/cooperative/openmp/execution_resource_1=team,unroll_1=1,scan_algo_1=chained"},
	} {
		text := sums
		if c.file != "" {
			read, err := os.ReadFile(filepath.Join("../../ops/load/testdata/golden", c.file+".ir"))
			if err != nil {
				t.Fatal(err)
			}
			text = string(read)
		}
		f, err := ir.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		k, err := fuse.Compile(f, nil)
		if err != nil {
			t.Fatal(err)
		}
		v, err := selector.Parse(c.variant)
		if err != nil {
			t.Fatal(err)
		}
		code, err := Target.Lower(k, k.Computations[0], v, "f", nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := code.Verify(); err != nil {
			t.Error(err)
		}
		sb.WriteString(Target.Source(code, c.variant) + "\n")
	}
	const path = "testdata/print.golden"
	if *update {
		if err := os.WriteFile(path, []byte(sb.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if sb.String() != string(want) {
		t.Errorf("%s differs; after a look, go test -update\n%s", path, sb.String())
	}
}
