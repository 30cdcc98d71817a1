package openmp

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/lower"
	"github.com/surge-ndp/surge/codegen/openmp/omprt"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/policy"
	"github.com/surge-ndp/surge/selector"
)

// TestKernelsCompile prints every variant of every kernel that package load keeps the IR of, and has the C compiler look at it.
func TestKernelsCompile(t *testing.T) {
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("there is no C compiler")
	}
	files, err := filepath.Glob("../../ops/load/testdata/golden/*.ir")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var all strings.Builder
	all.WriteString(omprt.Prelude)
	variants, lanes := 0, 0
	for n, file := range files {
		if testing.Short() && n%8 != 0 {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		f, err := ir.Parse(string(text))
		if err != nil {
			continue // several functions, or what only other tests read
		}
		k, err := fuse.Compile(f, nil)
		if err != nil {
			continue
		}
		u := NewUnit(fmt.Sprintf("frame%d", n), fieldsOf(k))
		all.WriteString(u.Frame())
		for i, c := range k.Computations {
			space := policy.Enumerate(c.Name, "nest", c.Sequence, Platform, policy.Machine{Cores: 2}, []policy.Constraint{{Name: "lowering", Code: true,
				Reason: func(ctx policy.Context) string {
					v := selector.Variant{Computation: c.Name, Form: "nest", Schedule: ctx.Schedule.String(), Platform: "openmp"}
					for _, a := range ctx.Assignment {
						v.Policy = append(v.Policy, selector.Setting{Name: a.Name, Value: a.Value})
					}
					if _, err := Lower(k, c, v, "f", nil); err != nil {
						return err.Error()
					}
					return ""
				}}})
			codes := space.Codes()
			if len(codes) == 0 {
				t.Errorf("%s: %s has no variant: %s", file, c.Name, space.WhyEmpty())
			}
			for j, code := range codes {
				fn, err := Lower(k, c, code.Variant, fmt.Sprintf("f%d_%d_%d", n, i, j), nil)
				if err != nil {
					t.Fatal(err)
				}
				text := u.Print(fn, code.Variant.String())
				all.WriteString(text.Source)
				variants++
				lanes += strings.Count(text.Source, "#pragma omp simd")
			}
		}
	}
	path := filepath.Join(dir, "all.c")
	if err := os.WriteFile(path, []byte(all.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	if keep := os.Getenv("SURGE_KEEP_C"); keep != "" {
		os.WriteFile(keep, []byte(all.String()), 0o644)
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

// fieldsOf lists the fields of a kernel's frame.
func fieldsOf(k *fuse.Kernel) []Field {
	var fields []Field
	seen := map[string]bool{}
	add := func(f Field) {
		if !seen[f.Name] {
			seen[f.Name] = true
			fields = append(fields, f)
		}
	}
	value := func(v *ir.Var) {
		if v.T.IsScalar() {
			add(Field{lower.HostName(v), v.T.Kind, true})
			return
		}
		add(Field{lower.HostName(v), v.T.Kind, false})
		if v.T.Rank > 1 {
			add(Field{lower.RowOffsetsName(v), ir.Int, false})
		}
	}
	for _, p := range k.Func.Params {
		value(p)
	}
	for _, s := range k.Func.Body.Stmts {
		for _, d := range s.Dst {
			value(d)
		}
	}
	return fields
}
