package omprt

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/selector"
)

// numbers is a frame by hand: what the C of these tests works on.
type numbers struct {
	x     []float64
	y     []int
	limit int
	sum   float64
}

var numbersFrame = &exec.Frame{Names: []string{"x", "y", "limit", "sum"}, Inputs: 3,
	Get: func(frame any, i int) exec.Value {
		f := frame.(*numbers)
		switch i {
		case 0:
			return exec.Array(f.x)
		case 1:
			return exec.Array(f.y)
		case 2:
			return exec.Scalar(f.limit)
		}
		return exec.Scalar(f.sum)
	},
	Set: func(frame any, i int, bits uint64) {
		if i == 3 {
			frame.(*numbers).sum = exec.Bits[float64](bits)
		}
	},
}

const source = `
typedef struct {
	double *x;
	int64_t len_x;
	int64_t *y;
	int64_t len_y;
	_Alignas(8) int64_t limit;
	_Alignas(8) double sum;
} frame;

struct env { frame *f; double *parts; };

static void chunk_of_sum(const surge_at *at, surge_arena *arena, void *env, int64_t chunk, int64_t lo, int64_t hi)
{
	const struct env *e = env;
	double *scratch = surge_scratch(arena, hi - lo, sizeof(double)), sum = 0;
	if (!scratch) {
		surge_memory(at);
		return;
	}
	for (int64_t i = lo; i < hi; i++)
		scratch[i - lo] = e->f->x[i];
	for (int64_t i = lo; i < hi; i++) {
		if (scratch[i - lo] < 0) {
			surge_fail(at, 0, i, (int64_t)scratch[i - lo], e->f->limit, 0);
			return;
		}
		sum += scratch[i - lo];
	}
	e->parts[chunk] = sum;
}

void sum_of(surge_run *run, frame *f)
{
	const surge_at here = {run}, *at = &here;
	surge_arena *arena = surge_take();
	surge_loop l;
	surge_open(&l, at, 1, f->len_x, 0);
	surge_worth(&l, f->len_x); // a short one
	struct env e = {f, surge_scratch(arena, l.chunks, sizeof(double))};
	surge_for(&l, chunk_of_sum, &e, at, arena, false);
	double sum = 0;
	if (!surge_stopped(at)) {
		for (int64_t k = 0; k < l.chunks; k++)
			sum += e.parts[k];
		f->sum = sum;
	}
	surge_give(arena);
}

void forever(surge_run *run, frame *f)
{
	const surge_at here = {run}, *at = &here;
	while (!surge_stopped(at))
		;
}

static void chunk_of_scan(const surge_at *at, surge_arena *arena, void *env, int64_t chunk, int64_t lo, int64_t hi)
{
	struct { frame *f; surge_link *links; } *e = env;
	double total = 0, seed;
	for (int64_t i = lo; i < hi; i++)
		total += e->f->x[i];
	if (!surge_await(at, e->links, chunk, &seed, sizeof seed))
		return;
	total += seed;
	surge_publish(e->links, chunk + 1, &total, sizeof total);
	for (int64_t i = lo; i < hi; i++)
		seed += e->f->x[i], e->f->x[i] = seed;
}

void scan(surge_run *run, frame *f)
{
	const surge_at here = {run}, *at = &here;
	surge_arena *arena = surge_take();
	surge_loop l;
	double zero = 0;
	surge_open(&l, at, 1, f->len_x, 0);
	struct { frame *f; surge_link *links; } e = {f, surge_chain(arena, l.chunks, &zero, sizeof zero)};
	surge_for(&l, chunk_of_scan, &e, at, arena, true);
	surge_give(arena);
}

void sort(surge_run *run, frame *f)
{
	const surge_at here = {run};
	surge_arena *arena = surge_take();
	surge_sort(&here, arena, 1, f->x, surge_keys_f64, f->y, f->len_x);
	surge_give(arena);
}
`

// unit returns the C above as a unit of a frame, with a cache of its own.
func unit(t *testing.T) *Unit {
	t.Helper()
	if _, err := compiler(); err != nil {
		t.Skip(err)
	}
	t.Setenv(cacheVariable, t.TempDir())
	return &Unit{Computation: "Sum.1", Frame: numbersFrame, Source: source, Sites: []exec.Check{{Site: exec.Site{Kernel: "Sum", Pos: "sum.go:3:4", Op: "index", Arg: "x"}}}}
}

func prepare(t *testing.T, u *Unit, name, settings string) exec.Launch {
	t.Helper()
	v, err := selector.Parse("Sum.1/nest/cooperative/openmp/" + settings)
	if err != nil {
		t.Fatal(err)
	}
	l, err := u.Func(name, 3).Prepare(v)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

var ways = []string{
	"num_threads=1,omp_schedule_1=static,chunk_size_1=0", "num_threads=2,omp_schedule_1=static,chunk_size_1=0",
	"num_threads=3,omp_schedule_1=static,chunk_size_1=100", "num_threads=2,omp_schedule_1=dynamic,chunk_size_1=64",
	"num_threads=4,omp_schedule_1=guided,chunk_size_1=0", "num_threads=2,omp_schedule_1=dynamic,chunk_size_1=0",
}

// TestRuns sums and scans numbers under all schedules, several goroutines at a time.
func TestRuns(t *testing.T) {
	u := unit(t)
	for _, n := range []int{0, 1, 63, 1000, 300_001} {
		var wait sync.WaitGroup
		for _, way := range ways {
			sum, scan := prepare(t, u, "sum_of", way), prepare(t, u, "scan", way)
			wait.Add(1)
			go func() {
				defer wait.Done()
				f := &numbers{x: make([]float64, n)}
				want := 0.0
				for i := range f.x {
					f.x[i] = float64(i % 17)
					want += f.x[i]
				}
				if err := sum.Run(context.Background(), f); err != nil || f.sum != want {
					t.Errorf("%d numbers, %s: %v, %v, want %v", n, way, f.sum, err, want)
				}
				if err := scan.Run(context.Background(), f); err != nil || n > 0 && f.x[n-1] != want {
					t.Errorf("scan of %d numbers, %s: %v", n, way, err)
				}
				for i := 1; i < n; i++ {
					if f.x[i] != f.x[i-1]+float64(i%17) {
						t.Errorf("scan of %d numbers, %s: element %d is %v after %v", n, way, i, f.x[i], f.x[i-1])
						break
					}
				}
			}()
		}
		wait.Wait()
	}
}

// TestFirstFailure checks that the failure is reported that a sequential run would meet first, whatever runs first
// here.
func TestFirstFailure(t *testing.T) {
	u := unit(t)
	f := &numbers{x: make([]float64, 100_000), limit: 9}
	f.x[99_000], f.x[70_000], f.x[40_001], f.x[40_002] = -1, -2, -3, -4
	for _, way := range ways {
		l := prepare(t, u, "sum_of", way)
		for range 20 {
			err := l.Run(context.Background(), f)
			var at *exec.Error
			if !errors.As(err, &at) || !strings.Contains(err.Error(), "index -3 ") {
				t.Fatalf("%s: %v", way, err)
			}
		}
	}
}

// TestCancelled ends a run that would go on for ever, and runs the launch again.
func TestCancelled(t *testing.T) {
	u := unit(t)
	l := prepare(t, u, "forever", ways[1])
	for range 3 {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Millisecond)
		if err := l.Run(ctx, &numbers{}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a run that ended with %v", err)
		}
		cancel()
	}
}

// TestSorts sorts stably, NaN first.
func TestSorts(t *testing.T) {
	u := unit(t)
	for _, n := range []int{0, 5, 32, 33, 40_000} {
		f := &numbers{x: make([]float64, n), y: make([]int, n)}
		for i := range f.x {
			f.x[i] = float64((i*7919)%101 - 50)
			if i%50 == 3 {
				f.x[i] /= 0 * f.x[i] // an infinity or NaN
			}
		}
		for _, way := range ways {
			if err := prepare(t, u, "sort", way).Run(context.Background(), f); err != nil {
				t.Fatal(err)
			}
			for i := 1; i < n; i++ {
				a, b := f.x[f.y[i-1]], f.x[f.y[i]]
				if a > b || b != b && a == a || (a == b || a != a && b != b) && f.y[i-1] >= f.y[i] {
					t.Fatalf("%d keys, %s: %v from %d before %v from %d", n, way, a, f.y[i-1], b, f.y[i])
				}
			}
		}
	}
}

// TestCache checks that what was compiled is found again, and that a damaged object is made again.
func TestCache(t *testing.T) {
	prepare(t, unit(t), "sum_of", ways[0])
	objects := func() []string {
		all, _ := filepath.Glob(filepath.Join(CacheDir(), "*"+objectSuffix))
		return all
	}
	first := objects()
	if len(first) != 1 {
		t.Fatalf("the cache holds %v", first)
	}
	again := &Unit{Frame: numbersFrame, Source: source}
	before, _ := os.Stat(CacheDir())
	prepare(t, again, "sum_of", ways[0])
	if after, _ := os.Stat(CacheDir()); !after.ModTime().Equal(before.ModTime()) {
		t.Error("what was compiled is compiled again")
	}
	for _, damage := range []func() error{
		func() error { return os.WriteFile(first[0], []byte("no object"), 0o644) },
		func() error { return os.Truncate(first[0], 100) },
		func() error { return os.Remove(first[0]) },
		func() error {
			refs, _ := filepath.Glob(filepath.Join(CacheDir(), "*"+refSuffix))
			return os.WriteFile(refs[0], []byte("../../etc/passwd"), 0o644)
		},
	} {
		// Another source: an object that is open must not be damaged.
		if err := os.RemoveAll(CacheDir()); err != nil {
			t.Fatal(err)
		}
		text := source + "// " + t.Name() + time.Now().String()
		cc, err := compiler()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := cc.compiled(Prelude + text); err != nil {
			t.Fatal(err)
		}
		if first = objects(); len(first) != 1 {
			t.Fatalf("the cache holds %v", first)
		}
		copied, err := os.ReadFile(first[0])
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(first[0]); err != nil { // the open one stays as it is
			t.Fatal(err)
		}
		if err := os.WriteFile(first[0], copied, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := damage(); err != nil {
			t.Fatal(err)
		}
		f := &numbers{x: []float64{1, 2, 3}}
		if err := prepare(t, &Unit{Frame: numbersFrame, Source: text}, "sum_of", ways[0]).Run(context.Background(), f); err != nil || f.sum != 6 {
			t.Errorf("after damage: %v, %v", f.sum, err)
		}
	}
}

// TestCompilers checks the messages for machines whose compiler cannot be used, and that flags are left out which one
// refuses.
func TestCompilers(t *testing.T) {
	if _, err := compiler(); err != nil {
		t.Skip(err)
	}
	script := func(text string) string {
		path := filepath.Join(t.TempDir(), "cc")
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	t.Setenv(cacheVariable, t.TempDir())
	real := strings.Join(must(compiler()).command, " ")
	refuses := func(flag string) string {
		return `for a in "$@"; do case "$a" in ` + flag + `) echo "error: unknown argument: $a" >&2; exit 1;; esac; done; exec ` + real + ` "$@"`
	}
	for _, c := range []struct{ cc, want string }{
		{"/nowhere/cc", "there is no compiler /nowhere/cc, which the environment variable CC names"},
		{script("exit 3"), "does not run: exit status 3"},
		{script(`case "$1" in --version) echo "Some C 1.0";; *) echo "error: no" >&2; exit 1;; esac`), "Some C 1.0 does not compile C11: "},
		{script(refuses("-fopenmp")), " has no OpenMP; "},
		{script(refuses("-march=*")), ""},
		{script(refuses("-march=*|-mcpu=*")), ""},
	} {
		t.Setenv("CC", c.cc)
		cc, err := findCompiler()
		switch {
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n")):
			t.Errorf("%s: %v, want %q", c.cc, err, c.want)
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.cc, err)
		case c.want == "":
			if _, err := cc.compiled(Prelude + source); err != nil {
				t.Error(err)
			}
		}
	}
}

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// BenchmarkCall is what a run costs that has nothing to do.
func BenchmarkCall(b *testing.B) {
	if _, err := compiler(); err != nil {
		b.Skip(err)
	}
	u := &Unit{Frame: numbersFrame, Source: source}
	for _, way := range ways[:2] {
		v, _ := selector.Parse("Sum.1/nest/cooperative/openmp/" + way)
		l, err := u.Func("sum_of", 3).Prepare(v)
		if err != nil {
			b.Fatal(err)
		}
		f := &numbers{x: make([]float64, 16)}
		b.Run(way, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := l.Run(context.Background(), f); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
