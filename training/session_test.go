package training

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/codegen/harness"
	"github.com/surge-ndp/surge/ops"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/load"
	"github.com/surge-ndp/surge/training/input"
)

func TestRun(t *testing.T) {
	ctx := context.Background()
	s := open(t, spmv, Options{})
	start := time.Now()
	again := open(t, spmv, Options{})
	t.Logf("a start from the cache takes %v", time.Since(start))
	if !again.cached {
		t.Error("the second start builds again")
	}
	if left, _ := filepath.Glob(filepath.Join(sharedCache, "builds", "*", "new-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if d := s.Describe(); d.SIMD || len(d.Kernels) != 1 || d.Kernels[0].Computations[0].Sequence == "" {
		t.Errorf("%+v", d)
	}
	b, err := s.Bind(ctx, "", matrix(), BindOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		r, err := b.Run(ctx, RunOptions{Repeat: 3, Verify: true, Values: true})
		if err != nil {
			t.Fatal(err)
		}
		y, ok := input.Slice[float64](r.Values[0])
		if !ok || len(y) != 3 || y[0] != 201 || y[1] != 0 || y[2] != 30 {
			t.Errorf("%v is %v", r.Values[0], y)
		}
		if !r.Verified() || len(r.Times) != 3 || r.Median() <= 0 || r.Min() <= 0 || r.PlainTime <= 0 ||
			r.ArgumentBytes != 3*8+3*4+4*4+3*8 || r.ResultBytes != 24 || r.Checksums[0] != harness.Checksum(y) {
			t.Errorf("%+v", r)
		}
		if len(r.Decisions) != 1 || r.Decisions[0].Variant.Computation != "SpMV.1" || len(r.Decisions[0].Features) == 0 {
			t.Errorf("%+v", r.Decisions)
		}
	}
	forced, err := b.Run(ctx, RunOptions{Variants: []string{"sequential>sequential/unroll_2=4"}})
	if err != nil || forced.Decisions[0].Selector != "forced" || forced.Decisions[0].Variant.Schedule != "sequential>sequential" {
		t.Errorf("%+v, %v", forced, err)
	}
	if err := b.Release(ctx); err != nil {
		t.Error(err)
	}
	if _, err := b.Run(ctx, RunOptions{}); err == nil {
		t.Error("a released binding runs")
	}
}

func TestUserErrors(t *testing.T) {
	ctx := context.Background()
	s := open(t, spmv, Options{})
	if _, err := s.Bind(ctx, "Spmv", matrix(), BindOptions{}); !hasCode(err, CodeKernel) || !strings.Contains(err.Error(), "did you mean SpMV") {
		t.Error(err)
	}
	if _, err := s.Bind(ctx, "SpMV", matrix()[:2], BindOptions{}); !hasCode(err, CodeArguments) {
		t.Error(err)
	}
	args := matrix()
	args[1] = input.Vector([]int64{0, 2, 1})
	if _, err := s.Bind(ctx, "SpMV", args, BindOptions{}); !hasCode(err, CodeArguments) || !strings.Contains(err.Error(), "columns is a []int32") {
		t.Error(err)
	}
	var wrong *exec.Error
	var misuse *ops.Error
	args[1] = input.Vector([]int32{0, 2, 3})
	if _, err := s.Bind(ctx, "SpMV", args, BindOptions{}); !errors.As(err, &wrong) || !errors.As(err, &misuse) || wrong.Code != ops.CodeIndex {
		t.Error(err)
	}
	args[1], args[2] = matrix()[1], input.Vector([]int32{0, 3, 2, 3})
	if _, err := s.Bind(ctx, "SpMV", args, BindOptions{}); !errors.As(err, &wrong) || wrong.Code != ops.CodeOffsets {
		t.Error(err)
	}
	if _, err := s.Bind(ctx, "SpMV", matrix(), BindOptions{Variants: []string{"cooperatif"}}); !errors.As(err, &wrong) || wrong.Code != "variant" {
		t.Error(err)
	}
	if _, err := s.Bind(ctx, "SpMV", matrix(), BindOptions{Variants: []string{"delinearise.w/independent"}}); !errors.As(err, &wrong) || !strings.Contains(wrong.Detail, "delinearise.w does not apply to SpMV.1: nothing divides") {
		t.Error(err)
	}
	if _, err := s.Bind(ctx, "SpMV", matrix(), BindOptions{}); err != nil {
		t.Errorf("after errors: %v", err)
	}

	var ds load.Diagnostics
	for name, dir := range map[string]string{
		"missing":   filepath.Join(t.TempDir(), "nowhere"),
		"a file":    filepath.Join(spmv, "spmv.go"),
		"empty":     t.TempDir(),
		"no kernel": userModule(t, map[string]string{"a.go": "package a\n"}),
		"bad kernel": userModule(t, map[string]string{"a.go": `package a

//surge:kernel
func K(x []float64) []float64 { go func() {}(); return x }
`}),
	} {
		if _, err := Open(ctx, dir, Options{CacheDir: sharedCache, NoSIMD: true}); !errors.As(err, &ds) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Open(ctx, spmv, Options{CacheDir: filepath.Join(spmv, "spmv.go")}); !hasCode(err, CodeCache) {
		t.Error(err)
	}
}

func hasCode(err error, code string) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == code
}

func TestVariantsAndBench(t *testing.T) {
	ctx := context.Background()
	s := open(t, spmv, Options{})
	all, err := s.Variants(ctx, "SpMV")
	if err != nil || len(all) < 20 {
		t.Fatalf("%d variants, %v", len(all), err)
	}
	b, err := s.Bind(ctx, "SpMV", poisson(t, 60), BindOptions{})
	if err != nil {
		t.Fatal(err)
	}
	last := BenchProgress{}
	ms, err := b.Bench(ctx, BenchOptions{Variants: all, Rounds: 3, Progress: func(p BenchProgress) { last = p }})
	if err != nil {
		t.Fatal(err)
	}
	count := map[Status]int{}
	for i, m := range ms {
		count[m.Status]++
		switch {
		case !m.Variant.Equal(all[i]):
			t.Fatalf("measurement %d is of %s", i, m.Variant)
		case m.Status == Failed:
			t.Errorf("%s: %s", m.Variant, m.Reason)
		case m.Status == OK && (len(m.Times) < 3 || m.Median <= 0 || m.Reason != "" || !m.Comparisons[0].OK):
			t.Errorf("%+v", m)
		case m.Status == Dropped && m.Reason == "":
			t.Errorf("%+v", m)
		}
	}
	if count[OK] == 0 || last.Round != 3 || last.Done != last.Total || last.Best == nil || last.Best.Status != OK {
		t.Errorf("%v, at the end %+v", count, last)
	}
	unknown := all[0]
	unknown.Form = "other"
	ms, err = b.Bench(ctx, BenchOptions{Variants: append(all[:1:1], unknown), Rounds: 1, NoVerify: true})
	if err != nil || ms[0].Status != OK || ms[0].Comparisons != nil || ms[1].Status != Failed || ms[1].Reason == "" {
		t.Errorf("%+v, %v", ms, err)
	}
}

// The context ends every call, and the session with it.
func TestCancel(t *testing.T) {
	s := open(t, spmv, Options{})
	all, err := s.Variants(context.Background(), "SpMV")
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.Bind(context.Background(), "SpMV", poisson(t, 100), BindOptions{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ms, err := b.Bench(ctx, BenchOptions{Variants: all, Progress: func(p BenchProgress) {
		if p.Done == 3 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || len(ms) != len(all) || ms[len(ms)-1].Status != Dropped {
		t.Errorf("%d measurements, %v", len(ms), err)
	}
	// The bench was stopped between two requests. A request that is under way is stopped too.
	ctx, cancel = context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	start := time.Now()
	_, err = b.Run(ctx, RunOptions{Repeat: 1 << 30})
	if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > time.Minute {
		t.Errorf("%v after %v", err, time.Since(start))
	}
	select {
	case <-s.process.waited:
	default:
		t.Error("the harness still runs")
	}
	if _, err := b.Run(context.Background(), RunOptions{}); !hasCode(err, CodeClosed) {
		t.Error(err)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Open(ended, spmv, Options{CacheDir: sharedCache, NoSIMD: true}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if left, _ := filepath.Glob(filepath.Join(sharedCache, "builds", "*", "new-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestCrash(t *testing.T) {
	ctx := context.Background()
	s := open(t, spmv, Options{})
	b, err := s.Bind(ctx, "SpMV", matrix(), BindOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s.process.stderr.Write([]byte("some text\npanic: the sky falls\n\ngoroutine 1 [running]:\n"))
	time.AfterFunc(30*time.Millisecond, s.process.kill)
	_, err = b.Run(ctx, RunOptions{Repeat: 1 << 30})
	var e *Error
	if !errors.As(err, &e) || e.Code != CodeCrash || !e.Bug || !strings.HasPrefix(e.Output, "panic: the sky falls") {
		t.Errorf("%v", err)
	}
	s = open(t, spmv, Options{})
	if b, err = s.Bind(ctx, "SpMV", matrix(), BindOptions{}); err != nil {
		t.Fatal(err)
	}
	s.process.kill()
	if _, err = b.Run(ctx, RunOptions{}); !errors.As(err, &e) || e.Code != CodeCrash || e.Bug || e.Why == "" {
		t.Errorf("killed from outside: %v", err)
	}
	s = open(t, spmv, Options{})
	if b, err = s.Bind(ctx, "SpMV", matrix(), BindOptions{}); err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(30*time.Millisecond, func() { s.Close() })
	if _, err := b.Run(ctx, RunOptions{Repeat: 1 << 30}); !hasCode(err, CodeClosed) {
		t.Error(err)
	}
	if _, err := b.Run(ctx, RunOptions{}); !hasCode(err, CodeClosed) {
		t.Error(err)
	}
}

// A user's module of its own: a package that prints to standard output, has stale generated files of every platform,
// and changes.
func TestUserModule(t *testing.T) {
	ctx := context.Background()
	files := map[string]string{
		"kernel/k.go":       strings.ReplaceAll(doubleKernel, "PACKAGE", "kernel"),
		"kernel/print.go":   "package kernel\n\nimport \"fmt\"\n\nvar _ = say()\n\nfunc say() int { n, _ := fmt.Println(\"{}\"); return n }\n\nfunc init() { say() }\n",
		"kernel/k_surge.go": "// Code generated by surge generate from k.go; DO NOT EDIT.\n\npackage kernel\n\nvar broken int = \"stale\"\n",
	}
	for _, x := range codegen.Targets() {
		files["kernel/k_surge_"+x.Platform().Name+".go"] = "// Code generated by surge from k.go; DO NOT EDIT.\n\npackage kernel\n\nvar _ = missing\n"
	}
	dir := userModule(t, files)
	before := tree(t, dir)
	opt := Options{CacheDir: t.TempDir()}
	run := func() (*Session, float64) {
		t.Helper()
		s := open(t, filepath.Join(dir, "kernel"), opt)
		b, err := s.Bind(ctx, "Double", []input.Value{input.Vector([]float64{1, 2, 3})}, BindOptions{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := b.Run(ctx, RunOptions{Verify: true, Values: true})
		if err != nil || !r.Verified() {
			t.Fatal(r, err)
		}
		return s, r.Values[0].Float64(2)
	}
	if s, y := run(); s.cached || y != 6 {
		t.Errorf("cached %t, y[2] = %g", s.cached, y)
	}
	if after := tree(t, dir); after != before {
		t.Errorf("the user's tree was\n%s\nand is\n%s", before, after)
	}
	source := filepath.Join(dir, "kernel", "k.go")
	edit := func(text string) {
		t.Helper()
		if err := os.WriteFile(source, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	edit(strings.ReplaceAll(files["kernel/k.go"], "2 *", "4 *"))
	if s, y := run(); s.cached || y != 12 {
		t.Errorf("after a change of the same length: cached %t, y[2] = %g", s.cached, y)
	}
	edit(files["kernel/k.go"])
	if s, y := run(); !s.cached || y != 6 {
		t.Errorf("after the change was undone: cached %t, y[2] = %g", s.cached, y)
	}
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(source, later, later); err != nil {
		t.Fatal(err)
	}
	if s, _ := run(); !s.cached {
		t.Error("a new time of change alone builds again")
	}
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), append(mod, "\n// Other versions.\n"...), 0o666); err != nil {
		t.Fatal(err)
	}
	if s, _ := run(); s.cached {
		t.Error("another go.mod does not build again")
	}
	if err := os.WriteFile(filepath.Join(dir, "kernel", "more.go"), []byte("package kernel\n\nfunc BindDouble() {}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	// The new file takes a name that generated code needs.
	_, err = Open(ctx, filepath.Join(dir, "kernel"), Options{CacheDir: opt.CacheDir, NoSIMD: true})
	var refused *fuse.Unsupported
	if !errors.As(err, &refused) || !strings.Contains(err.Error(), "more.go:3:6: BindDouble is declared here") {
		t.Error(err)
	}
	if left, _ := filepath.Glob(filepath.Join(opt.CacheDir, "builds", "*", "new-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// A kernel in a main package, whose init function ends the process when it is told to.
func TestMainPackage(t *testing.T) {
	ctx := context.Background()
	dir := userModule(t, map[string]string{
		"k.go":    strings.ReplaceAll(doubleKernel, "PACKAGE", "main"),
		"main.go": "package main\n\nimport \"os\"\n\nfunc init() {\n\tif os.Getenv(\"SURGE_TEST_EXIT\") != \"\" {\n\t\tpanic(\"told to\")\n\t}\n}\n\nfunc main() { panic(\"reached\") }\n",
	})
	s := open(t, dir, Options{})
	if len(s.Describe().Kernels) != 1 {
		t.Errorf("%+v", s.Describe())
	}
	t.Setenv("SURGE_TEST_EXIT", "1")
	_, err := Open(ctx, dir, Options{CacheDir: sharedCache, NoSIMD: true})
	if !hasCode(err, CodeCrash) || !strings.Contains(err.Error(), "panic: told to") {
		t.Error(err)
	}
}
