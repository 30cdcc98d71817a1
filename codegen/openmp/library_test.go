package openmp

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/openmp/omprt"
	"github.com/surge-ndp/surge/codegen/target"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/policy"
	"github.com/surge-ndp/surge/selector"
)

// spaceOf is the search space of a computation.
func spaceOf(k *fuse.Kernel, c *fuse.Computation) *policy.Space {
	return policy.Enumerate(c.Name, "nest", c.Sequence, Platform, policy.Machine{Cores: 2}, []policy.Constraint{{Name: "lowering", Code: true,
		Reason: func(ctx policy.Context) string {
			v := selector.Variant{Computation: c.Name, Form: "nest", Schedule: ctx.Schedule.String(), Platform: Platform.Name}
			v.Policy = slices.Clone(ctx.Policy)
			if _, err := Lower(k, c, v, "f", nil); err != nil {
				return err.Error()
			}
			return ""
		}}})
}

// parsed calls f for every kernel that package load keeps the IR of; a short test for some of them.
func parsed(t *testing.T, f func(n int, file string, k *fuse.Kernel)) {
	t.Helper()
	files, err := filepath.Glob("../../ops/load/testdata/golden/*.ir")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	for n, file := range files {
		if testing.Short() && n%8 != 0 {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		fn, err := ir.Parse(string(text))
		if err != nil {
			continue // several functions, or what only other tests read
		}
		if k, err := fuse.Compile(fn, nil); err == nil {
			f(n, file, k)
		}
	}
}

// TestLibraries prints what programs in C get of every kernel, and has the C compiler look at it and at a program that
// includes the header.
func TestLibraries(t *testing.T) {
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("there is no C compiler")
	}
	dir := t.TempDir()
	var users strings.Builder
	var args []string
	parsed(t, func(n int, file string, k *fuse.Kernel) {
		base := fmt.Sprintf("k%d", n)
		name := strings.TrimSuffix(filepath.Base(file), ".ir")
		out := Target.File(base)
		kernel := out.Kernel(target.NewFrame(k, name, base, base+"Frame", Target.Label()))
		for i, c := range k.Computations {
			for j, code := range spaceOf(k, c).Codes() {
				lowered, err := Target.Lower(k, c, code.Variant, fmt.Sprintf("%s_%d_%d", base, i, j), nil)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := kernel.Func(i, code, lowered); err != nil {
					t.Fatal(err)
				}
			}
		}
		if text := kernel.End(); len(k.Computations) > 0 && !strings.Contains(text, "var "+base+"1OpenMP = &omprt.Unit{") {
			t.Errorf("%s: no unit in %.300s", file, text)
		}
		files, err := out.Others()
		if err != nil {
			t.Errorf("%s: %v", file, err)
			return
		}
		for path, text := range files {
			if err := os.WriteFile(filepath.Join(dir, path), text, 0o644); err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(path, ".h") {
				fmt.Fprintf(&users, "#include %q\n", path)
			} else {
				args = append(args, path)
			}
		}
	})
	if err := os.WriteFile(filepath.Join(dir, "user.c"), []byte(users.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(cc, append([]string{"-fsyntax-only", "-std=gnu11", "-fopenmp", "-Wall", "-Wno-unused", "-Wno-tautological-compare", "user.c"}, args...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v\n%.4000s", err, out)
	}
	t.Logf("%d files", len(args))
}

const chosen = `func Chosen (x: []int, y: []int) {
  n: int = len x
  m: int = len y
  check length "Map2" "y" n m
  sum: int32 = reduce i < n init 0:int32 {
    a: int = index x i
    b: int = index y i
    small: bool = lt a 100:int
    s: int32 = if small {
      c: int32 = convert b
      yield c
    } else {
      yield 0:int32
    }
    yield s
  } comb p: int32, q: int32 {
    r: int32 = add p q
    yield r
  }
  yield sum
}
`

const chosenProgram = `#include "chosen_surge_openmp.h"

int main(void)
{
	enum { N = 1777 };
	int64_t x[N], y[N];
	int32_t want = 0, got;
	uint32_t random = 1;
	for (int i = 0; i < N; i++) {
		x[i] = (random = random * 1664525 + 1013904223) >> 24;
		y[i] = (random = random * 1664525 + 1013904223) >> 24;
		if (x[i] < 100)
			want += (int32_t)y[i];
		__asm__ volatile("" ::: "memory");
	}
	return Chosen(x, N, y, N, &got, 0) || got != want;
}
`

// TestSumsUnderConditions runs a loop that computes several sums under conditions, as compilers optimise it. Without
// what [function.scalar] prints gcc 12 takes conditions of one sum for another, with AVX2 and with AVX-512.
func TestSumsUnderConditions(t *testing.T) {
	if _, missing := omprt.Compiler(); missing != nil {
		t.Skip(missing)
	}
	if _, err := exec.LookPath("cc"); err != nil {
		t.Skip(err)
	}
	f, err := ir.Parse(chosen)
	if err != nil {
		t.Fatal(err)
	}
	k, err := fuse.Compile(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	out := Target.File("chosen")
	kernel := out.Kernel(target.NewFrame(k, "Chosen", "chosen", "chosenFrame", Target.Label()))
	for _, code := range spaceOf(k, k.Computations[0]).Codes() {
		if !strings.HasSuffix(code.Variant.String(), "/sequential/openmp/unroll_1=4") {
			continue
		}
		lowered, err := Target.Lower(k, k.Computations[0], code.Variant, "chosen1", nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := kernel.Func(0, code, lowered); err != nil {
			t.Fatal(err)
		}
	}
	files, err := out.Others()
	if err != nil {
		t.Fatal(err)
	}
	files["main.c"] = []byte(chosenProgram)
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, machine := range []string{"", "-mno-avx512f"} {
		flags := strings.Fields("-O3 -march=native -std=gnu11 -fopenmp -fwrapv -ffp-contract=off -o chosen main.c chosen_surge_openmp.c -lm " + machine)
		cmd := exec.Command("cc", flags...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Logf("not with %q: %v\n%.1000s", machine, err, out)
			continue
		}
		if err := exec.Command(filepath.Join(dir, "chosen")).Run(); err != nil {
			t.Errorf("with %q another sum than one by one: %v", machine, err)
		}
	}
}
