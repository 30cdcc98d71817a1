package corpus_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/opencl/clrt"
	"github.com/surge-ndp/surge/internal/agree"
	"github.com/surge-ndp/surge/internal/needs"
	"github.com/surge-ndp/surge/ops/load"
)

var (
	update = flag.Bool("update", false, "write testdata/refused.txt")
	prism  = flag.Int("prism", 0, "run every so many kernels on Apache Beam, 0 for none")
	only   = flag.String("only", "", "run kernels only whose names begin as one of these, which commas divide")
)

// TestGoroutines runs every code of every kernel on goroutines against plain Go.
func TestGoroutines(t *testing.T) {
	if testing.Short() {
		run(t, "goroutine", func(i int) bool { return i%15 == 0 })
		return
	}
	run(t, "goroutine", func(int) bool { return true })
}

// TestOpenCL runs every kernel on a device against plain Go.
func TestOpenCL(t *testing.T) {
	if _, err := clrt.Find(""); err != nil {
		t.Skip(err)
	}
	if testing.Short() {
		t.Skip("the driver compiles a program for each kernel, which takes minutes")
	}
	run(t, "opencl", func(int) bool { return true })
}

// TestBlocks runs every kernel that can be cut block by block against plain Go.
func TestBlocks(t *testing.T) {
	run(t, agree.Blocks, func(i int) bool { return !testing.Short() || i%12 == 0 })
}

// TestPrism runs them on Apache Beam, whose dependencies take minutes to compile, so that make beam and make test-long
// alone ask for it.
func TestPrism(t *testing.T) {
	if *prism < 1 {
		t.Skip("no -prism")
	}
	run(t, agree.Prism, func(i int) bool { return i%*prism == 0 })
}

// TestOpenMP runs every kernel in C against plain Go.
func TestOpenMP(t *testing.T) {
	needs.OpenMP(t)
	if testing.Short() {
		run(t, "openmp", func(i int) bool { return i%120 == 0 })
		return
	}
	run(t, "openmp", func(int) bool { return true })
}

// run runs the kernels whose number is wanted, but for those that are not compiled.
func run(t *testing.T, platform string, wanted func(i int) bool) {
	ctx := context.Background()
	without := refused(t)
	for i, k := range kernels(t) {
		if !wanted(i) || !slices.ContainsFunc(strings.Split(*only, ","), func(name string) bool { return strings.HasPrefix(k, name) }) {
			without = append(without, k)
		}
	}
	p, err := agree.Compile(ctx, ".", agree.Options{Platform: platform, Without: without})
	if err != nil {
		t.Fatal(err)
	}
	reports, err := agree.Run(ctx, p, platform, t.TempDir())
	if err != nil {
		t.Error(err)
	}
	runs, bad := 0, 0
	for _, r := range reports {
		runs, bad = runs+r.Runs, bad+r.Refused
		for _, f := range r.Failures {
			t.Errorf("%s: %s", r.Kernel, f)
		}
	}
	t.Logf("%d kernels, %d runs, %d of them of inputs that are refused", len(reports), runs, bad)
}

// TestRefused checks that testdata/refused.txt lists the kernels that are not compiled, and why.
func TestRefused(t *testing.T) {
	var want strings.Builder
	list := kernels(t)
	if _, err := load.Load(context.Background(), ".", load.Options{Whole: true}); err == nil {
		list = nil // none is refused, which one load says as well as one of each
	}
	for _, k := range list {
		_, err := load.Load(context.Background(), ".", load.Options{Whole: true, Kernel: k})
		var ds load.Diagnostics
		switch {
		case err == nil:
		case errors.As(err, &ds):
			var why []string
			for _, d := range ds {
				if text := fmt.Sprintf("%s [%s]", d.Message, d.Code); !slices.Contains(why, text) {
					why = append(why, text)
				}
			}
			fmt.Fprintf(&want, "%s\t%s\n", k, strings.Join(why, "; "))
		default:
			t.Fatal(err)
		}
	}
	file := filepath.Join("testdata", "refused.txt")
	if *update {
		if err := os.WriteFile(file, []byte(want.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want.String() {
		t.Errorf("%s is not what the compiler refuses; run go test ./internal/corpus -run TestRefused -update. It would be\n%s", file, &want)
	}
}

// refused are the names in testdata/refused.txt.
func refused(t *testing.T) (names []string) {
	text, err := os.ReadFile(filepath.Join("testdata", "refused.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		name, _, _ := strings.Cut(line, "\t")
		names = append(names, name)
	}
	return names
}

// kernels are the names of the kernels, by file and in the order of the source.
func kernels(t *testing.T) (names []string) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range strings.Split(string(text), "\n//surge:kernel\nfunc ")[1:] {
			name, _, _ := strings.Cut(part, "(")
			names = append(names, name)
		}
	}
	return names
}
