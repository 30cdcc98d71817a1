package clrt

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/selector"
)

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "clrt")
	if err != nil {
		panic(err)
	}
	os.Setenv("SURGE_OPENCL_CACHE", dir)
	poison = true
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// device returns the device to test on; without one the test is skipped.
func device(t testing.TB) *Device {
	t.Helper()
	d, err := Find("")
	if err != nil {
		t.Skip(err)
	}
	if d.Missing != "" || !d.Doubles {
		t.Skip("no device with doubles: " + d.Name + " " + d.Missing)
	}
	return d
}

// frame is what a generated file would have: y = a*x + y[…], and sums.
type frame struct {
	x, y  []float64
	index []int32
	a     float64
	out   []float64
	sum   float64
}

var testFrame = &exec.Frame{
	Names: []string{"x", "y", "index", "a", "out", "sum"}, Inputs: 4, Outputs: []int{4}, Fixed: []int{2},
	Get: func(f any, i int) exec.Value {
		g := f.(*frame)
		switch i {
		case 0:
			return exec.Array(g.x)
		case 1:
			return exec.Array(g.y)
		case 2:
			return exec.Array(g.index)
		case 3:
			return exec.Scalar(g.a)
		case 4:
			return exec.Array(g.out)
		}
		return exec.Scalar(g.sum)
	},
	Set: func(f any, i int, bits uint64) {
		if i != 5 {
			panic("set of a field that is no result")
		}
		f.(*frame).sum = exec.Bits[float64](bits)
	},
}

func length(f any) int { return len(f.(*frame).x) }

// axpy is out = a*x + y with a grain size and y gathered where there is an index.
var axpy = &Code{Frame: testFrame, Doubles: true, Results: []int{4},
	Source: `
__kernel void axpy(__global const double *x, __global const double *y, double a, __global double *out, long n) {
	// map, test.go:7:3
	long i = ((long)get_group_id(0) * BLOCK_SIZE_X * BLOCK_SIZE_Y + get_local_id(1) * BLOCK_SIZE_X + get_local_id(0)) * GRAIN_SIZE_1;
	for (int g = 0; g < GRAIN_SIZE_1 && i + g < n; g++) out[i + g] = a * x[i + g] + y[i + g];
}`,
	Steps: []Step{{Kernel: "axpy", Count: length, Grain: 1, Args: []Arg{{Kind: Field, Index: 0}, {Kind: Field, Index: 1}, {Kind: Field, Index: 3}, {Kind: Field, Index: 4}, {Kind: Count}}}},
}

// sum reduces x in two steps, with partials on the device.
var sum = &Code{Frame: testFrame, Doubles: true, Results: []int{5},
	Source: `
void tree(__local double *part, double own, __global double *to) {
	int at = get_local_id(1) * BLOCK_SIZE_X + get_local_id(0);
	part[at] = own;
	for (int n = BLOCK_SIZE_X * BLOCK_SIZE_Y / 2; n > 0; n /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (at < n) part[at] += part[at + n];
	}
	if (at == 0) *to = part[0];
}
__kernel __attribute__((reqd_work_group_size(BLOCK_SIZE_X, BLOCK_SIZE_Y, 1))) void parts(__global const double *x, long n, __global double *partial, __local double *local_) {
	double s = 0;
	long item = (long)get_group_id(0) * BLOCK_SIZE_X * BLOCK_SIZE_Y + get_local_id(1) * BLOCK_SIZE_X + get_local_id(0);
	for (long i = item; i < n; i += (long)get_num_groups(0) * BLOCK_SIZE_X * BLOCK_SIZE_Y) s += x[i];
	tree(local_, s, &partial[get_group_id(0)]);
}
__kernel void whole(__global const double *partial, long parts, __global double *result, __local double *local_) {
	double s = 0;
	for (long i = get_local_id(1) * BLOCK_SIZE_X + get_local_id(0); i < parts; i += BLOCK_SIZE_X * BLOCK_SIZE_Y) s += partial[i];
	tree(local_, s, result);
}`,
	Temps: []Temp{{Elem: 8, Step: 0, Count: func(_ any, g Geometry) int { return g.Groups }}},
	Steps: []Step{
		{Kernel: "parts", Count: length, MaxGroups: 7, Always: true, Args: []Arg{{Kind: Field, Index: 0}, {Kind: Length, Index: 0}, {Kind: Temporary}, localDoubles}},
		{Kernel: "whole", Per: OneGroup, Args: []Arg{{Kind: Temporary}, {Kind: Groups, Index: 0}, {Kind: Result, Index: 5}, localDoubles}},
	},
}

var localDoubles = Arg{Kind: Local, Bytes: func(g Geometry) int { return 8 * g.Block() }}

// rounds runs two of its three steps five times, one of them over another number of elements.
var rounds = &Code{Frame: testFrame, Doubles: true, Results: []int{4},
	Source: `
__kernel void begin(__global const double *x, __global double *t, long n) {
	long i = (long)get_group_id(0) * BLOCK_SIZE_X + get_local_id(0);
	if (i < n) t[i] = x[i];
}
__kernel void turn(__global double *t, long round_, long n) {
	long i = (long)get_group_id(0) * BLOCK_SIZE_X + get_local_id(0);
	if (i < n) t[i] = 2 * t[i] + round_;
}
__kernel void put(__global const double *t, long round_, long n, __global double *out) {
	long i = (long)get_group_id(0) * BLOCK_SIZE_X + get_local_id(0);
	if (i < n) out[i] = t[i] * (round_ + 1);
}`,
	Temps: []Temp{{Elem: 8, Step: 0, Count: func(f any, _ Geometry) int { return length(f) }}},
	Round: 1, Rounds: 5,
	Steps: []Step{
		{Kernel: "begin", Count: length, Args: []Arg{{Kind: Field, Index: 0}, {Kind: Temporary}, {Kind: Count}}},
		{Kernel: "turn", Count: func(f any) int { return length(f) / 2 }, Args: []Arg{{Kind: Temporary}, {Kind: Round}, {Kind: Count}}},
		{Kernel: "put", Count: length, Args: []Arg{{Kind: Temporary}, {Kind: Round}, {Kind: Count}, {Kind: Field, Index: 4}}},
	},
}

// gather is out[i] = x[index[i]], checked.
var gather = &Code{Frame: testFrame, Doubles: true, Results: []int{4},
	Source: `
__kernel void gather(__global const double *x, __global const int *index, long n, __global double *out, long m, __global int *status) {
	long i = (long)get_group_id(0) * BLOCK_SIZE_X + get_local_id(0);
	if (i >= m) return;
	long at = index[i];
	if (at < 0 || at >= n) { surge_fail(status, 0, i, at, n, 0); return; }
	out[i] = x[at];
}`,
	Steps: []Step{{Kernel: "gather", Count: func(f any) int { return len(f.(*frame).index) },
		Args: []Arg{{Kind: Field, Index: 0}, {Kind: Field, Index: 2}, {Kind: Length, Index: 0}, {Kind: Field, Index: 4}, {Kind: Count}, {Kind: Status}}}},
	Sites: []exec.Check{{Site: exec.Site{Kernel: "Test", Pos: "test.go:9:2", Op: "Gather", Arg: "index"}, Kind: exec.CheckIndex}},
}

func variant(t testing.TB, policy string) selector.Variant {
	t.Helper()
	v, err := selector.Parse("Test.1/nest/independent/opencl/" + policy)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func prepare(t testing.TB, c *Code, policy string) *launch {
	t.Helper()
	device(t)
	l, err := c.Prepare(variant(t, policy))
	if err != nil {
		t.Fatal(err)
	}
	return l.(*launch)
}

func numbers(n int) []float64 {
	s := make([]float64, n)
	for i := range s {
		s[i] = float64(i%1000) - 300.25
	}
	return s
}

func nans(n int) []float64 {
	s := make([]float64, n)
	for i := range s {
		s[i] = math.NaN()
	}
	return s
}

var sizes = []int{0, 1, 2, 31, 32, 33, 255, 256, 257, 1000, 65537}[:10+large]

// large is 0 in the simulator, which is slow.
var large = map[bool]int{true: 1}[os.Getenv("SURGE_TEST_OCLGRIND") == ""]

func TestMap(t *testing.T) {
	for _, policy := range []string{"block_size_x=32,block_size_y=1,grain_size_1=1", "block_size_x=64,block_size_y=2,grain_size_1=4", "block_size_x=1,grain_size_1=2"} {
		l := prepare(t, axpy, policy)
		for _, n := range sizes {
			// The result is a part of a longer slice: what lies around it stays as it is.
			guarded := nans(n + 2)
			f := &frame{x: numbers(n), y: numbers(n), a: 3, out: guarded[1 : n+1]}
			if err := l.Run(context.Background(), f); err != nil {
				t.Fatal(err)
			}
			for i, got := range f.out {
				if want := 3*f.x[i] + f.y[i]; got != want {
					t.Fatalf("%s: out[%d] of %d = %v, want %v", policy, i, n, got, want)
				}
			}
			if !math.IsNaN(guarded[0]) || !math.IsNaN(guarded[n+1]) {
				t.Fatalf("%s, n = %d: written beyond the result", policy, n)
			}
		}
	}
}

func TestReduction(t *testing.T) {
	for _, policy := range []string{"block_size_x=32,block_size_y=1", "block_size_x=64,block_size_y=4"} {
		l := prepare(t, sum, policy)
		for _, n := range append(sizes[:len(sizes):len(sizes)], 1<<(10+10*large)) {
			f := &frame{x: numbers(n), sum: math.NaN()}
			if err := l.Run(context.Background(), f); err != nil {
				t.Fatal(err)
			}
			want := 0.0
			for _, x := range f.x {
				want += x
			}
			if f.sum != want { // quarters: exact
				t.Errorf("%s: sum of %d = %v, want %v", policy, n, f.sum, want)
			}
		}
	}
}

func TestChecks(t *testing.T) {
	l := prepare(t, gather, "block_size_x=32")
	f := &frame{x: numbers(10), index: []int32{3, 9, 0, 3}, out: nans(4)}
	if err := l.Run(context.Background(), f); err != nil || f.out[1] != f.x[9] {
		t.Fatal(err, f.out)
	}
	f.index[2] = 10
	err := l.Run(context.Background(), f)
	var e *exec.Error
	if !errors.As(err, &e) || err.Error() != "test.go:9:2: Test: ops.Gather: index[2] = 10 is outside of [0, 10) [index]" {
		t.Fatalf("%v", err)
	}
	f.index[2] = 1
	if err := l.Run(context.Background(), f); err != nil { // the report is gone
		t.Fatal(err)
	}
}

// Other devices have buffers of their own, copied to and from.
func TestSeparateMemory(t *testing.T) {
	d := device(t)
	defer func(shared bool) { d.shared = shared }(d.shared)
	d.shared = false
	t.Run("map", TestMap)
	t.Run("reduction", TestReduction)
	t.Run("checks", TestChecks)
	t.Run("calls", TestCalls)
	t.Run("resident", TestResident)
	t.Run("overlapping", TestOverlapping)
}

func bound(t testing.TB, codes []*Code, policy string, opts ...exec.Option) *exec.Call {
	t.Helper()
	device(t)
	k := &exec.Kernel{Name: "Test", Pos: "test.go:1:1"}
	for i, c := range codes {
		name := "Test." + string(rune('1'+i))
		k.Computations = append(k.Computations, &exec.Computation{Name: name, Sequence: "map",
			Codes: []exec.Code{{Text: name + "/nest/independent/opencl/" + policy, Func: c}}})
	}
	c := new(exec.Call)
	c.Init(k, opts)
	for i := range codes {
		if err := c.Choose(i); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// Steps that are repeated run in order, each time with the number of their round; a context that can end the run is
// asked in between.
func TestRounds(t *testing.T) {
	c := bound(t, []*Code{rounds}, "block_size_x=64")
	stoppable, stop := context.WithCancel(context.Background())
	defer stop()
	for _, ctx := range []context.Context{context.Background(), stoppable} {
		f := &frame{x: numbers(1000), out: nans(1000)}
		if err := c.Run(ctx, 0, f); err != nil {
			t.Fatal(err)
		}
		for i, x := range f.x {
			for round := range 5 {
				if i < 500 {
					x = 2*x + float64(round)
				}
			}
			if want := 5 * x; f.out[i] != want {
				t.Fatalf("out[%d] = %v, want %v", i, f.out[i], want)
			}
		}
	}
}

// A call sees what the program changes between its runs, and the results of each run are new slices.
func TestCalls(t *testing.T) {
	c := bound(t, []*Code{axpy, sum}, "block_size_x=64,grain_size_1=1")
	f := &frame{x: numbers(1000), y: numbers(1000), a: 2}
	for run := range 5 {
		f.out = nans(1000)
		f.x[17] = float64(run)
		for i := range 2 {
			if err := c.Run(context.Background(), i, f); err != nil {
				t.Fatal(err)
			}
		}
		want := 0.0
		for i := range f.x {
			want += f.x[i]
			if f.out[i] != 2*f.x[i]+f.y[i] {
				t.Fatalf("run %d: out[%d] = %v", run, i, f.out[i])
			}
		}
		if f.sum != want {
			t.Fatalf("run %d: sum %v, want %v", run, f.sum, want)
		}
		for i := range f.out {
			f.out[i] = 7 // the caller's
		}
	}
}

// With a memory, results and inputs that are the same slice stay on the device until they are fetched.
func TestResident(t *testing.T) {
	d := device(t)
	m := new(exec.Memory)
	defer m.Release()
	state := numbers(1000)
	f := &frame{x: state, y: nans(1000), a: 2, out: state}
	for i := range f.y {
		f.y[i] = 1
	}
	c := bound(t, []*Code{axpy}, "block_size_x=64,grain_size_1=1", exec.Resident(m))
	want := numbers(1000)
	step := func() {
		t.Helper()
		if err := c.Run(context.Background(), 0, f); err != nil {
			t.Fatal(err)
		}
		for i := range want {
			want[i] = 2*want[i] + f.y[i]
		}
	}
	same := func() {
		t.Helper()
		if err := m.Fetch(state); err != nil {
			t.Fatal(err)
		}
		for i := range want {
			if state[i] != want[i] {
				t.Fatalf("state[%d] = %v, want %v", i, state[i], want[i])
			}
		}
	}
	before := state[0]
	step()
	step()
	if !d.shared && state[0] != before {
		t.Error("the result was copied before it was fetched")
	}
	same()
	step()
	same()
	f.y[3] = 100
	if err := m.Changed(f.y); err != nil {
		t.Fatal(err)
	}
	state[5], want[5] = -1, -1
	if err := m.Changed(state); err != nil {
		t.Fatal(err)
	}
	step()
	if err := m.Fetch(); err != nil {
		t.Fatal(err)
	}
	same()
	if err := m.Fetch(3); err == nil {
		t.Error("a number was fetched")
	}
}

// A file of the cache that is cut, changed, or of something else is built again, and replaced.
func TestProgramCache(t *testing.T) {
	d := device(t)
	dir := t.TempDir()
	t.Setenv("SURGE_OPENCL_CACHE", dir)
	if err := d.open(); err != nil {
		t.Fatal(err)
	}
	source := Prelude + "__kernel void k(__global int *x) { x[get_global_id(0)] = 42; }\n"
	key := cacheKey(d, source, "")
	file := cacheFile(key)
	build := func() {
		t.Helper()
		h, err := d.make(key, source, "", []string{"k"})
		if err != nil {
			t.Fatal(err)
		}
		k, s := d.lib.createKernel(h, "k")
		if s != 0 {
			t.Fatal(s)
		}
		b, err := d.pool.take(64)
		if err != nil {
			t.Fatal(err)
		}
		if e := setHandle(d, k, b); e != 0 {
			t.Fatal(e)
		}
		if s := d.lib.launch(d.queue, k, [2]uintptr{16, 1}, [2]uintptr{16, 1}); s != 0 {
			t.Fatal(s)
		}
		got := make([]int32, 16)
		if s := d.lib.read(d.queue, b, 64, pointer(got)); s != 0 || got[15] != 42 {
			t.Fatal(s, got)
		}
		d.pool.give(b, 64)
		d.lib.releaseKernel(k)
		d.lib.releaseProgram(h)
	}
	if d.load(file, key, "", []string{"k"}) != 0 {
		t.Fatal("a program came out of an empty cache")
	}
	build()
	good, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if h := d.load(file, key, "", []string{"k"}); h == 0 {
		t.Fatal("the cached program is not used")
	} else {
		d.lib.releaseProgram(h)
	}
	flipped := append([]byte(nil), good...)
	flipped[len(flipped)/2] ^= 1
	other := []byte(strings.Replace(string(good), key, strings.Repeat("0", len(key)), 1))
	// A whole file around something that is no program: the driver has to refuse it.
	junk := []byte(cacheMagic + key + "\n" + checksum([]byte("junk")) + "\njunk")
	for name, data := range map[string][]byte{"cut": good[:len(good)/2], "empty": nil, "flipped": flipped, "other key": other, "junk": junk} {
		if err := os.WriteFile(file, data, 0o666); err != nil {
			t.Fatal(err)
		}
		if d.load(file, key, "", []string{"k"}) != 0 {
			t.Errorf("%s: the file is used", name)
		}
		build()
		if now, err := os.ReadFile(file); err != nil || len(now) < len(cacheMagic)+100 {
			t.Errorf("%s: the file was not replaced (%v)", name, err)
		}
	}
	// A program without the kernel that is needed is of an older generator.
	if d.load(file, key, "", []string{"k", "missing"}) != 0 {
		t.Error("a program without a kernel is used")
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".program-*")); len(left) > 0 {
		t.Error("temporary files are left:", left)
	}
	t.Setenv("SURGE_OPENCL_CACHE", "/proc/no/such/folder")
	if _, err := d.make(key, source, "", []string{"k"}); err != nil {
		t.Error("a cache that cannot be written is in the way:", err)
	}
}

// The cache keeps to its size: programs that were not used for longest go first, also when several trim it at once.
func TestCacheSize(t *testing.T) {
	dir := t.TempDir()
	now := time.Now()
	const each = 1000
	put := func(name string, age time.Duration) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, make([]byte, each), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, now.Add(-age), now.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	left := func() string {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return strings.Join(names, " ")
	}
	for i := range 8 {
		put(fmt.Sprint(i, programSuffix), time.Duration((i*3)%8)*time.Minute) // 0 3 6 1 4 7 2 5
	}
	put(unfinished+"dead", 2*abandoned)
	put(unfinished+"alive", abandoned/2)
	put("other", 48*time.Hour)
	whole := left()
	if trim(dir, 8*each, now); left() != strings.Replace(whole, unfinished+"dead ", "", 1) {
		t.Errorf("nothing but the abandoned file had to go: %s", left())
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() { trim(dir, 4*each, now) })
	}
	all.Wait()
	// Every one of them takes the same programs, so that three of four are left.
	if want := unfinished + "alive 0.clbin 3.clbin 6.clbin other"; left() != want {
		t.Errorf("%s is left, want %s", left(), want)
	}
	trim(filepath.Join(dir, "missing"), 0, now)
}

// A use counts as much as a build: the program that is loaded stays. A run does not mind a cache that holds nothing.
func TestCacheKeepsWhatIsUsed(t *testing.T) {
	d := device(t)
	dir := t.TempDir()
	t.Setenv(cacheVariable, dir)
	if err := d.open(); err != nil {
		t.Fatal(err)
	}
	build := func(name string) string {
		t.Helper()
		source := Prelude + "__kernel void " + name + "(__global int *x) { x[get_global_id(0)] = 42; }\n"
		key := cacheKey(d, source, "")
		h, err := d.make(key, source, "", []string{name})
		if err != nil {
			t.Fatal(err)
		}
		d.lib.releaseProgram(h)
		return cacheFile(key)
	}
	first, second := build("first"), build("second")
	for _, file := range []string{first, second} {
		old := time.Now().Add(-time.Hour)
		if err := os.Chtimes(file, old, old); err != nil {
			t.Fatal(err)
		}
	}
	build("first")
	info, err := os.Stat(first)
	if err != nil {
		t.Fatal(err)
	}
	trim(dir, info.Size()*3/2, time.Now())
	if _, err := os.Stat(first); err != nil {
		t.Error("the program that was used last is gone:", err)
	}
	if _, err := os.Stat(second); err == nil {
		t.Error("the program that was used first is still there")
	}
	t.Setenv(sizeVariable, "0")
	build("third")
	if files, _ := filepath.Glob(filepath.Join(dir, "*")); len(files) != 0 {
		t.Error("a cache that may hold nothing holds", files)
	}
	build("third")
}

func TestBadSource(t *testing.T) {
	device(t)
	bad := *axpy
	bad.Source = strings.Replace(axpy.Source, "out[i + g] =", "outt[i + g] =", 1)
	_, err := bad.Prepare(variant(t, "block_size_x=64,grain_size_1=1"))
	var failed *exec.DeviceError
	var e *exec.Error
	if !errors.As(err, &failed) || !errors.As(err, &e) {
		t.Fatalf("%v", err)
	}
	if e.Code != "build" || e.Pos != "test.go:7:3" || !strings.Contains(e.Detail, "outt[i + g] = a * x") || !strings.Contains(e.Detail, "undeclared") {
		t.Errorf("%s %s %s", e.Code, e.Pos, e.Detail)
	}
}

func TestLimits(t *testing.T) {
	d := device(t)
	refused := func(c *Code, policy, why string) {
		t.Helper()
		_, err := c.Prepare(variant(t, policy))
		var failed *exec.DeviceError
		if !errors.As(err, &failed) || !strings.Contains(failed.Detail, why) {
			t.Errorf("%s: %v, want %s", policy, err, why)
		}
	}
	defer func(w, l int, a, m int64) {
		d.MaxWorkGroup, d.LocalMemory, d.MaxAllocation, d.Memory = w, l, a, m
	}(d.MaxWorkGroup, d.LocalMemory, d.MaxAllocation, d.Memory)
	// What grows with the number of workgroups has a part of the memory: there are fewer of them, or no launch at all.
	all := d.Memory
	f := &frame{x: numbers(5000)}
	whole := prepare(t, sum, "block_size_x=64")
	if k := whole.kernels[0]; !whole.builtFor(k, [2]int{64, 1}) || whole.builtFor(k, [2]int{64, 2}) || whole.builtFor(k, [2]int{32, 1}) {
		t.Error("it is not known what workgroups a kernel was built for")
	}
	for _, c := range []struct {
		groups int
		memory int64
		why    string
	}{{7, 7 * 8 * usualTemps, ""}, {4, 4 * 8 * usualTemps, ""}, {1, 8 * mostTemps, ""}, {0, 8*mostTemps - 1, "parts needs 8 bytes for what its work-items find, and the device has 15"}} {
		d.Memory = c.memory
		err := whole.Run(context.Background(), f)
		g := whole.geometry(&sum.Steps[0], 5000)
		shrunk := whole.shrink(f, 0, &g)
		d.Memory = all
		if c.why != "" {
			if err == nil || !strings.Contains(err.Error(), c.why) || shrunk == nil {
				t.Errorf("%d bytes of memory: %v", c.memory, err)
			}
			continue
		}
		want := 0.0
		for _, x := range f.x {
			want += x
		}
		if err != nil || g.Groups != c.groups || math.Abs(f.sum-want) > 1e-9*want {
			t.Errorf("%d bytes of memory: %v, %d workgroups, %v, want %d and %v", c.memory, err, g.Groups, f.sum, c.groups, want)
		}
		f.sum = 0
	}
	d.MaxWorkGroup = 128
	refused(axpy, "block_size_x=64,block_size_y=4,grain_size_1=1", "= 256 is more than the 128 work-items")
	refused(axpy, "block_size_x=64,grain_size_1=1,logical_warp_size=48", "does not divide")
	d.LocalMemory = 100
	refused(sum, "block_size_x=64", "bytes of local memory")
	d.MaxAllocation = 1000
	l := prepare(t, axpy, "block_size_x=64,grain_size_1=1")
	err := l.Run(context.Background(), &frame{x: numbers(1000), y: numbers(1000), out: nans(1000)})
	if err == nil || !strings.Contains(err.Error(), "x: opencl on "+d.Name+": an array of 8000 bytes is larger than the device takes") {
		t.Error(err)
	}
	// Without doubles the variant is not there.
	d.Doubles = false
	defer func() { d.Doubles = true }()
	if why := axpy.missing(d); !strings.Contains(why, "no double precision") {
		t.Errorf("available: %q", why)
	}
	if _, err := axpy.On(strconv.Itoa(d.Number)); err == nil || !strings.Contains(err.Error(), "no double precision") {
		t.Error(err)
	}
}

// A device that fails gives way to the goroutine platform where the options leave that open.
func TestFallBack(t *testing.T) {
	d := device(t)
	ran := 0
	host := hostFunc(func(f any) {
		g := f.(*frame)
		ran++
		for i := range g.out {
			g.out[i] = g.a*g.x[i] + g.y[i]
		}
	})
	k := &exec.Kernel{Name: "Test", Pos: "test.go:1:1", Computations: []*exec.Computation{{Name: "Test.1", Sequence: "map", Codes: []exec.Code{
		{Text: "Test.1/nest/independent/opencl/block_size_x=64,grain_size_1=1", Func: accelerated{axpy}},
		{Text: "Test.1/nest/independent/goroutine", Func: host},
	}}}}
	defer func(a int64) { d.MaxAllocation = a }(d.MaxAllocation)
	d.MaxAllocation = 1000
	f := &frame{x: numbers(1000), y: numbers(1000), a: 2, out: nans(1000)}
	var said strings.Builder
	var c exec.Call
	c.Init(k, []exec.Option{exec.Explain(&said)})
	if err := c.Choose(0); err != nil {
		t.Fatal(err)
	}
	if c.Decisions()[0].Variant.Platform != "opencl" {
		t.Fatal("the accelerator is not preferred:", c.Decisions()[0].Variant)
	}
	for range 2 {
		if err := c.Run(context.Background(), 0, f); err != nil {
			t.Fatal(err)
		}
	}
	if ran != 2 || f.out[999] != 2*f.x[999]+f.y[999] || strings.Count(said.String(), "the goroutine platform takes over") != 1 ||
		c.Decisions()[0].Variant.Platform != "goroutine" {
		t.Errorf("ran %d, %s", ran, said.String())
	}
	c = exec.Call{}
	c.Init(k, []exec.Option{exec.Platform("opencl")})
	if err := c.Choose(0); err != nil {
		t.Fatal(err)
	}
	var failed *exec.DeviceError
	if err := c.Run(context.Background(), 0, f); !errors.As(err, &failed) {
		t.Error(err)
	}
}

// accelerated makes any device one that is preferred.
type accelerated struct{ *Code }

func (accelerated) Accelerated() (int, bool) { return 1024, true }

type hostFunc func(frame any)

func (hostFunc) Available(int) string                            { return "" }
func (h hostFunc) Prepare(selector.Variant) (exec.Launch, error) { return h, nil }
func (h hostFunc) Run(_ context.Context, frame any) error        { h(frame); return nil }

// Computations of one kernel on both platforms see each other's arrays.
func TestMixedPlatforms(t *testing.T) {
	device(t)
	for _, hostFirst := range []bool{false, true} {
		host := hostFunc(func(f any) {
			g := f.(*frame)
			if hostFirst {
				for i := range g.out {
					g.out[i] = g.a*g.x[i] + g.y[i]
				}
				return
			}
			g.sum = 0
			for _, x := range g.out {
				g.sum += x
			}
		})
		sumOut := *sum
		sumOut.Steps = append([]Step(nil), sum.Steps...)
		sumOut.Steps[0].Args = append([]Arg{{Kind: Field, Index: 4}}, sum.Steps[0].Args[1:]...)
		funcs := []exec.Func{axpy, host}
		if hostFirst {
			funcs = []exec.Func{host, &sumOut}
		}
		platform := map[bool]string{true: "goroutine", false: "opencl/block_size_x=64,grain_size_1=1"}
		k := &exec.Kernel{Name: "Test", Computations: []*exec.Computation{
			{Name: "Test.1", Codes: []exec.Code{{Text: "Test.1/nest/independent/" + platform[hostFirst], Func: funcs[0]}}},
			{Name: "Test.2", Codes: []exec.Code{{Text: "Test.2/nest/independent/" + platform[!hostFirst], Func: funcs[1]}}},
		}}
		var c exec.Call
		c.Init(k, nil)
		for i := range 2 {
			if err := c.Choose(i); err != nil {
				t.Fatal(err)
			}
		}
		for run := range 3 {
			f := &frame{x: numbers(777), y: numbers(777), a: float64(run), out: nans(777)}
			want := 0.0
			for i := range f.x {
				want += f.a*f.x[i] + f.y[i]
			}
			for i := range 2 {
				if err := c.Run(context.Background(), i, f); err != nil {
					t.Fatal(err)
				}
			}
			if f.sum != want {
				t.Errorf("host first %v, run %d: %v, want %v", hostFirst, run, f.sum, want)
			}
		}
	}
}

// waits counts what waits for the device.
type waits struct {
	binding
	n int
}

func (w *waits) finish(q handle) status { w.n++; return w.binding.finish(q) }

func (w *waits) read(q, b handle, bytes int, to unsafe.Pointer) status {
	w.n++
	return w.binding.read(q, b, bytes, to)
}

// A run waits once, whatever the host wants to see of it, and a computation is not waited for if the next one runs on
// the device too.
func TestOneWait(t *testing.T) {
	d := device(t)
	if !d.shared {
		t.Skip("results are copied from " + d.Name + ", one by one")
	}
	for name, codes := range map[string][]*Code{"arrays": {axpy}, "checks": {gather}, "a scalar": {sum}, "two computations": {axpy, axpy}} {
		f := &frame{x: numbers(100), y: numbers(100), index: make([]int32, 100), out: make([]float64, 100), a: 2}
		c := bound(t, codes, "block_size_x=64,block_size_y=1,grain_size_1=1")
		run := func() {
			t.Helper()
			for i := range codes {
				if err := c.Run(context.Background(), i, f); err != nil {
					t.Fatal(name, err)
				}
			}
		}
		run() // the first run makes buffers
		w := &waits{binding: d.lib}
		d.lib = w
		f.x[7] = 1000 // what the host writes between runs is seen
		run()
		d.lib = w.binding
		if w.n != 1 {
			t.Errorf("%s: %d waits", name, w.n)
		}
		want := map[string][2]float64{"arrays": {f.out[7], 2000 + f.y[7]}, "two computations": {f.out[7], 2000 + f.y[7]}, "checks": {f.out[7], f.x[0]}, "a scalar": {f.sum, total(f.x)}}[name]
		if math.Abs(want[0]-want[1]) > 1e-9*math.Abs(want[1]) {
			t.Errorf("%s: %v, want %v", name, want[0], want[1])
		}
	}
}

func TestCancel(t *testing.T) {
	l := prepare(t, sum, "block_size_x=64")
	ctx, cancel := context.WithCancel(context.Background())
	f := &frame{x: numbers(10)}
	if err := l.Run(ctx, f); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := l.Run(ctx, f); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestFind(t *testing.T) {
	d := device(t)
	for _, want := range []string{"", "0", strings.ToUpper(d.Name[:6]), d.Platform} {
		if got, err := Find(want); err != nil || got.MaxWorkGroup < 1 {
			t.Errorf("%q: %v %v", want, got, err)
		}
	}
	for _, want := range []string{"99", "-1", "no such device"} {
		if _, err := Find(want); err == nil || !strings.Contains(err.Error(), "the devices are 0 (") {
			t.Errorf("%q: %v", want, err)
		}
	}
	t.Setenv("SURGE_DEVICE", "no such device")
	if _, err := Find(""); err == nil {
		t.Error("SURGE_DEVICE does not count")
	}
}

func TestBest(t *testing.T) {
	cpu := &Device{Kind: "CPU", Doubles: true, ComputeUnits: 64}
	gpu := &Device{Kind: "GPU", Doubles: true, ComputeUnits: 8}
	small := &Device{Kind: "GPU", ComputeUnits: 100}
	gone := &Device{Kind: "GPU", Doubles: true, ComputeUnits: 200, Missing: "it is not available"}
	for _, c := range []struct {
		all  []*Device
		best *Device
	}{{[]*Device{cpu, gpu}, gpu}, {[]*Device{small, cpu}, cpu}, {[]*Device{gone, cpu}, cpu}, {[]*Device{gone, small}, small}, {[]*Device{cpu}, cpu}} {
		if got := Best(c.all); got != c.best {
			t.Errorf("%+v", got)
		}
	}
}

func TestPoolSizes(t *testing.T) {
	p := &pool{}
	for n := 1; n < 1<<20; n += n/7 + 1 {
		size := p.size(n)
		if size < n || size < 64 || p.size(size) != size || n > 1024 && size > n+n/8+64 {
			t.Errorf("%d bytes: %d, %d", n, size, p.size(size))
		}
	}
}

func TestErrorLine(t *testing.T) {
	for log, want := range map[string]int{
		"<kernel>:12:3: error: use of undeclared identifier":     12,
		"error: /a/b/tempfile_x1.cl:7:54: use of undeclared":     7,
		"warning: a:3:1: unused\ninput.cl(9): error: expected ;": 9,
		"Build failed":                   0,
		"":                               0,
		"ptxas error : out of registers": 0,
	} {
		if got := errorLine(log); got != want {
			t.Errorf("%q: %d, want %d", log, got, want)
		}
	}
}

// Launches of several goroutines share a device and its programs.
func TestConcurrently(t *testing.T) {
	device(t)
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range 20 {
				l, err := sum.Prepare(variant(t, "block_size_x=32,block_size_y=1"))
				if err != nil {
					t.Error(err)
					return
				}
				f := &frame{x: numbers(1000 + 10*g + i)}
				want := 0.0
				for _, x := range f.x {
					want += x
				}
				if err := l.Run(context.Background(), f); err != nil || f.sum != want {
					t.Errorf("%v, %v, want %v", err, f.sum, want)
				}
			}
		})
	}
	wg.Wait()
}

// Programs that nobody uses are given up, the longest unused first; what is in use stays.
func TestProgramsAreGivenUp(t *testing.T) {
	d := device(t)
	if err := d.open(); err != nil {
		t.Fatal(err)
	}
	defer func(n int) { keptPrograms = n }(keptPrograms)
	keptPrograms = 2
	source := "__kernel void k(__global int *x) { x[0] = N; }\n"
	var held *built
	for i := range keptPrograms + 4 {
		p, err := d.program(source, fmt.Sprintf("-DN=%d", i), []string{"k"})
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			held = p
			continue
		}
		d.leave(p)
	}
	idle := 0
	for _, p := range d.programs.all {
		if p.users == 0 {
			idle++
		}
	}
	if idle > keptPrograms {
		t.Errorf("%d idle programs are kept", idle)
	}
	again, err := d.program(source, "-DN=0", []string{"k"})
	if err != nil || again != held {
		t.Errorf("a program in use was given up: %v", err)
	}
	d.leave(again)
	d.leave(held)
	if p, err := d.program("__kernel void k(", "", nil); err == nil {
		t.Errorf("a wrong program was built: %v", p)
	}
}

// Arrays that share memory, as parts of a slice or one after the other with different lengths, do not overwrite each
// other.
func TestOverlapping(t *testing.T) {
	device(t)
	m := new(exec.Memory)
	defer m.Release()
	c := bound(t, []*Code{axpy}, "block_size_x=64,grain_size_1=1", exec.Resident(m))
	out := nans(300)
	step := func(x []float64, lo, hi int, a float64) {
		t.Helper()
		f := &frame{x: x[:hi-lo], y: make([]float64, hi-lo), a: a, out: out[lo:hi]}
		if err := c.Run(context.Background(), 0, f); err != nil {
			t.Fatal(err)
		}
	}
	want := nans(300)
	x := numbers(300)
	fill := func(lo, hi int, a float64) {
		step(x, lo, hi, a)
		for i := lo; i < hi; i++ {
			want[i] = a * x[i-lo]
		}
	}
	fill(0, 300, 2)
	fill(0, 100, 3)
	fill(50, 200, 4)
	fill(0, 100, 5)
	fill(250, 300, 6)
	// A part of what is on the device is an input, and the whole a result.
	step(out[50:], 0, 50, 7)
	for i := range 50 {
		want[i] = 7 * want[50+i]
	}
	if err := m.Fetch(); err != nil {
		t.Fatal(err)
	}
	for i := range want {
		if out[i] != want[i] {
			t.Fatalf("out[%d] = %v, want %v", i, out[i], want[i])
		}
	}
}

func total(x []float64) (sum float64) {
	for _, v := range x {
		sum += v
	}
	return sum
}

// What a library writes lies still while it is called, also where the call makes the stack grow, which moves it.
func TestCallsGrowTheStack(t *testing.T) {
	d := device(t)
	if err := d.open(); err != nil {
		t.Fatal(err)
	}
	const deviceName = 0x102B
	want, s := d.lib.deviceInfo(d.id, deviceName)
	if s != 0 || len(want) == 0 {
		t.Fatal(s, want)
	}
	for depth := range 500 {
		done := make(chan string)
		go func() { // a stack of its own, small as yet
			done <- deeper(depth, func() string {
				if got, s := d.lib.deviceInfo(d.id, deviceName); s != 0 || string(got) != string(want) {
					return fmt.Sprintf("the name is %q (%v)", got, s)
				}
				if _, s := d.lib.createKernel(0, "none"); s == 0 {
					return "a kernel of no program"
				}
				return ""
			})
		}()
		if bad := <-done; bad != "" {
			t.Fatalf("%d calls deep: %s, want %q", depth, bad, want)
		}
	}
}

func deeper(n int, f func() string) string {
	if n == 0 {
		return f()
	}
	return deeper(n-1, f)
}

// Runs wait between their launches until it is known that all of them take no time to speak of.
func TestPace(t *testing.T) {
	var p pace
	waits := func(count int, want bool) {
		t.Helper()
		if got := p.waits(count); got != want {
			t.Errorf("%+v, %d elements: waits %t, want %t", p, count, got, want)
		}
	}
	waits(10, true)
	p.took(10, time.Second)
	waits(10, true)
	waits(5, true)
	p.took(10, time.Millisecond)
	waits(10, false)
	waits(5, false)
	waits(11, true)
	l := prepare(t, sum, "block_size_x=64")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for range 2 {
		if err := l.Run(ctx, &frame{x: numbers(5000)}); err != nil {
			t.Fatal(err)
		}
	}
	if !l.pace.known {
		t.Error("a run with a context that may end has not been timed")
	}
}
