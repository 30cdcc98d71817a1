package codegen_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	osexec "os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/codegen/goroutine"
	"github.com/surge-ndp/surge/codegen/goroutine/vec"
	"github.com/surge-ndp/surge/codegen/harness"
	"github.com/surge-ndp/surge/examples/comd"
	"github.com/surge-ndp/surge/examples/kmeans"
	"github.com/surge-ndp/surge/examples/reduction"
	"github.com/surge-ndp/surge/examples/scan"
	"github.com/surge-ndp/surge/examples/spmv"
	"github.com/surge-ndp/surge/ops"
	"github.com/surge-ndp/surge/ops/load"
	"github.com/surge-ndp/surge/policy"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/selector/param"
)

// portableVectors is the name of the variable of the environment that makes programs without vector instructions run
// vector code.
const portableVectors = "SURGE_PORTABLE_VECTORS"

// TestMain runs the tests with vector variants even where the build has no vector instructions: they are plain Go then.
func TestMain(m *testing.M) {
	if vec.Native() || os.Getenv(portableVectors) != "" {
		os.Exit(m.Run())
	}
	self := osexec.Command(os.Args[0], os.Args[1:]...)
	self.Env = append(os.Environ(), portableVectors+"=1")
	self.Stdin, self.Stdout, self.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := self.Run()
	var exit *osexec.ExitError
	switch {
	case errors.As(err, &exit):
		os.Exit(exit.ExitCode())
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// example is a kernel of the directory examples, with its generated twin.
type example struct {
	dir, kernel string
	result      string // Go type
	// bind binds the generated kernel; run runs it.
	bind func(args []any, opts ...exec.Option) (run func(context.Context) (any, error), err error)
	// plain is the kernel as Go runs it.
	plain func(args []any) any
	// inputs are arguments around size n.
	inputs func(rng *rand.Rand, n int) map[string][]any
}

var examples = []example{
	{
		dir: "spmv", kernel: "SpMV", result: "[]float64",
		bind: func(a []any, opts ...exec.Option) (func(context.Context) (any, error), error) {
			b, err := spmv.BindSpMV(a[0].([]float64), a[1].([]int32), a[2].([]int32), a[3].([]float64), opts...)
			if err != nil {
				return nil, err
			}
			return func(ctx context.Context) (any, error) { return b.Run(ctx) }, nil
		},
		plain: func(a []any) any {
			return spmv.SpMV(a[0].([]float64), a[1].([]int32), a[2].([]int32), a[3].([]float64))
		},
		inputs: sparse,
	},
	{
		dir: "reduction", kernel: "Reduction", result: "float64",
		bind: func(a []any, opts ...exec.Option) (func(context.Context) (any, error), error) {
			b, err := reduction.BindReduction(a[0].([]float64), a[1].(int), opts...)
			if err != nil {
				return nil, err
			}
			return func(ctx context.Context) (any, error) { return b.Run(ctx) }, nil
		},
		plain: func(a []any) any { return reduction.Reduction(a[0].([]float64), a[1].(int)) },
		inputs: func(rng *rand.Rand, n int) map[string][]any {
			in := map[string][]any{}
			for _, tile := range tiles(n) {
				in[fmt.Sprintf("%d in tiles of %d", n, tile)] = []any{numbers(rng, n), tile}
			}
			return in
		},
	},
	{
		dir: "reduction", kernel: "Sum", result: "float64",
		bind: func(a []any, opts ...exec.Option) (func(context.Context) (any, error), error) {
			b, err := reduction.BindSum(a[0].([]float64), opts...)
			if err != nil {
				return nil, err
			}
			return func(ctx context.Context) (any, error) { return b.Run(ctx) }, nil
		},
		plain: func(a []any) any { return reduction.Sum(a[0].([]float64)) },
		inputs: func(rng *rand.Rand, n int) map[string][]any {
			return map[string][]any{fmt.Sprint(n): {numbers(rng, n)}}
		},
	},
	{
		dir: "scan", kernel: "Scan", result: "[]float64",
		bind: func(a []any, opts ...exec.Option) (func(context.Context) (any, error), error) {
			b, err := scan.BindScan(a[0].([]float64), a[1].(int), a[2].(float64), opts...)
			if err != nil {
				return nil, err
			}
			return func(ctx context.Context) (any, error) { return b.Run(ctx) }, nil
		},
		plain: func(a []any) any { return scan.Scan(a[0].([]float64), a[1].(int), a[2].(float64)) },
		inputs: func(rng *rand.Rand, n int) map[string][]any {
			in := map[string][]any{}
			for _, tile := range tiles(n) {
				in[fmt.Sprintf("%d in tiles of %d", n, tile)] = []any{numbers(rng, n), tile, -5.5}
			}
			return in
		},
	},
	{
		dir: "scan", kernel: "PrefixSums", result: "[]float64",
		bind: func(a []any, opts ...exec.Option) (func(context.Context) (any, error), error) {
			b, err := scan.BindPrefixSums(a[0].([]float64), a[1].(float64), opts...)
			if err != nil {
				return nil, err
			}
			return func(ctx context.Context) (any, error) { return b.Run(ctx) }, nil
		},
		plain: func(a []any) any { return scan.PrefixSums(a[0].([]float64), a[1].(float64)) },
		inputs: func(rng *rand.Rand, n int) map[string][]any {
			return map[string][]any{fmt.Sprint(n): {numbers(rng, n), 7.25}}
		},
	},
}

func tiles(n int) []int {
	all := []int{1, 2, 3, 8, 31, 32, 33, max(n, 1), n + 1, math.MaxInt}
	return all
}

// numbers are small integers and halves: every order of summation gives the same sum.
func numbers(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(rng.IntN(2001)-1000) / 2
	}
	return x
}

// sparse are matrices of n rows.
func sparse(rng *rand.Rand, n int) map[string][]any {
	shapes := map[string]func(row int) int{
		"even":    func(int) int { return 3 },
		"square":  func(int) int { return n },
		"ragged":  func(int) int { return rng.IntN(40) },
		"empty":   func(int) int { return 0 },
		"holes":   func(r int) int { return r % 3 * 5 },
		"giant":   func(r int) int { return map[bool]int{true: 3000, false: 1}[r == n/2] },
		"growing": func(r int) int { return r },
	}
	in := map[string][]any{}
	for name, length := range shapes {
		if name == "square" && n > 130 {
			continue
		}
		cols := 1 + rng.IntN(100)
		var columns []int32
		offsets := []int32{0}
		for r := range n {
			for range length(r) {
				columns = append(columns, rng.Int32N(int32(cols)))
			}
			offsets = append(offsets, int32(len(columns)))
		}
		in[fmt.Sprintf("%d rows, %s", n, name)] = []any{numbers(rng, len(columns)), columns, offsets, numbers(rng, cols)}
	}
	if n > 0 {
		in[fmt.Sprintf("%d rows, zero columns", n)] = []any{[]float64{}, []int32{}, make([]int32, n+1), []float64{}}
		// Offsets that neither begin at 0 nor end at the length.
		values, columns := numbers(rng, 2*n+9), make([]int32, 2*n+9)
		offsets := make([]int32, n+1)
		for i := range offsets {
			offsets[i] = int32(4 + 2*i)
		}
		in[fmt.Sprintf("%d rows, offset", n)] = []any{values, columns, offsets, []float64{3}}
	}
	return in
}

// ragged is a matrix of n rows of up to 39 elements.
func ragged(rng *rand.Rand, n int) []any {
	var columns []int32
	offsets := []int32{0}
	for range n {
		for range rng.IntN(40) {
			columns = append(columns, rng.Int32N(1000))
		}
		offsets = append(offsets, int32(len(columns)))
	}
	return []any{numbers(rng, len(columns)), columns, offsets, numbers(rng, 1000)}
}

// program compiles an example as its generated file was: for every machine.
func program(t testing.TB, dir string) *codegen.Program {
	t.Helper()
	return compiledFor(t, dir, codegen.PortableMachine(), generated())
}

func compiledFor(t testing.TB, dir string, m policy.Machine, variants codegen.Variants) *codegen.Program {
	t.Helper()
	pkg, err := load.Load(context.Background(), "../examples/"+dir, load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := codegen.Compile(pkg, codegen.Options{Machine: m, Platforms: []string{goroutine.Platform.Name}, Variants: variants})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// runnable are the texts of all codes of an example that this test can run: vectors of some lengths need a processor
// that has them.
func runnable(t testing.TB, dir string) map[string]bool {
	t.Helper()
	m := codegen.PortableMachine()
	if vec.Native() {
		m.Lanes = map[int][]int{4: vec.Lanes(4), 8: vec.Lanes(8)}
	}
	texts := map[string]bool{}
	for _, k := range compiledFor(t, dir, m, codegen.AllVariants).Kernels {
		for _, s := range k.Spaces {
			for _, code := range s.Codes() {
				texts[code.Variant.String()] = true
			}
		}
	}
	return texts
}

// variants lists, for each computation, every generated code that can run here with several launches.
func (e *example) variants(t testing.TB) [][]string {
	t.Helper()
	p, here := program(t, e.dir), runnable(t, e.dir)
	var all [][]string
	for _, k := range p.Kernels {
		if k.Source.Name != e.kernel {
			continue
		}
		for _, c := range k.Fused.Computations {
			codes, _, err := p.Codes(k, goroutine.Platform.Name, c)
			if err != nil {
				t.Fatal(err)
			}
			codes = slices.DeleteFunc(slices.Clone(codes), func(c selector.Code) bool { return !here[c.Variant.String()] })
			all = append(all, launched(t, codes))
		}
	}
	return all
}

// launched fills the launch parameters of every code: one thread, and three with chunks of different kinds.
func launched(t testing.TB, codes []selector.Code) []string {
	t.Helper()
	var texts []string
	for _, code := range codes {
		for _, set := range []struct{ threads, schedule, chunk string }{
			{"3", "dynamic", "2"}, {"1", "static", "0"}, {"3", "static", "5"}, {"2", "guided", "1"}, {"3", "dynamic", "0"},
		} {
			var ls []selector.Setting
			for _, l := range code.Launch {
				switch {
				case l.Name == "num_threads":
					ls = append(ls, selector.Setting{Name: l.Name, Value: set.threads})
				case strings.HasPrefix(l.Name, "omp_schedule") && slices.Contains(l.Values, set.schedule):
					ls = append(ls, selector.Setting{Name: l.Name, Value: set.schedule})
				case strings.HasPrefix(l.Name, "chunk_size"):
					ls = append(ls, selector.Setting{Name: l.Name, Value: set.chunk})
				}
			}
			v, err := selector.FillLaunch(code, 3, ls...)
			if err != nil {
				continue // a static chained scan
			}
			texts = append(texts, v.String())
			if len(code.Launch) == 0 {
				break
			}
		}
	}
	return texts
}

// round is the options that force variant number i of every computation.
func round(variants [][]string, i int) (opts []exec.Option, name string) {
	opts = []exec.Option{exec.Threads(3)}
	var names []string
	for _, v := range variants {
		opts = append(opts, exec.Variant(v[i%len(v)]))
		names = append(names, v[i%len(v)])
	}
	return opts, strings.Join(names, " & ")
}

func rounds(variants [][]string) int {
	n := 0
	for _, v := range variants {
		n = max(n, len(v))
	}
	return n
}

// TestExamplesEveryVariant compares every variant of every example with plain Go, on sizes at and around the widths of
// vectors and strips. Results go into the middle of a buffer of NaN, whose other elements must stay.
func TestExamplesEveryVariant(t *testing.T) {
	sizes := []int{0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65, 129, 255, 257, 600}
	if race || testing.Short() {
		sizes = []int{0, 1, 33, 300}
	}
	for _, e := range examples {
		t.Run(e.kernel, func(t *testing.T) {
			variants := e.variants(t)
			n, runs := rounds(variants), 0
			for s, size := range sizes {
				rng := rand.New(rand.NewPCG(uint64(size), 1))
				for name, args := range e.inputs(rng, size) {
					want := e.plain(args)
					step := 1
					if race || testing.Short() { // a sample
						step = 7
					}
					for i := s % step; i < n; i += step {
						opts, variant := round(variants, i)
						e.check(t, name, variant, args, want, opts)
						runs++
					}
					if t.Failed() {
						return
					}
				}
			}
			t.Logf("%d variants a computation at most, %d runs", n, runs)
		})
	}
}

const guard = 32

func (e *example) check(t *testing.T, input, variant string, args []any, want any, opts []exec.Option) {
	t.Helper()
	var buffer []float64
	if w, ok := want.([]float64); ok {
		buffer = slices.Repeat([]float64{math.NaN()}, len(w)+2*guard)
		opts = append(opts, exec.Into(buffer[guard:guard+len(w):guard+len(w)]))
	}
	run, err := e.bind(args, opts...)
	if err != nil {
		t.Errorf("%s, %s: %v", input, variant, err)
		return
	}
	for range 2 { // a bound kernel may be run again
		got, err := run(context.Background())
		if err != nil {
			t.Errorf("%s, %s: %v", input, variant, err)
			return
		}
		if c := harness.Compare(got, want, harness.Param{Name: "y", Type: e.result}, 1000); !c.OK {
			t.Errorf("%s, %s: element %d is %s, want %s; %d of %d differ", input, variant, c.First, c.Got, c.Want, c.Bad, c.Count)
		}
	}
	for i, x := range buffer {
		if (i < guard || i >= len(buffer)-guard) && !math.IsNaN(x) {
			t.Errorf("%s, %s: element %d, outside of the result, was written", input, variant, i-guard)
		}
	}
}

// TestExamplesEveryPoint runs every point of the search spaces, launches included, on one input.
func TestExamplesEveryPoint(t *testing.T) {
	if race || testing.Short() {
		t.Skip("long")
	}
	for _, e := range examples {
		t.Run(e.kernel, func(t *testing.T) {
			p, here := program(t, e.dir), runnable(t, e.dir)
			var variants [][]string
			for _, k := range p.Kernels {
				if k.Source.Name != e.kernel {
					continue
				}
				for _, c := range k.Fused.Computations {
					codes, _, err := p.Codes(k, goroutine.Platform.Name, c)
					if err != nil {
						t.Fatal(err)
					}
					var texts []string
					for _, space := range k.Spaces { // one for each form
						if space.Platform.Name != goroutine.Platform.Name || space.Computation != c.Name {
							continue
						}
						for _, v := range space.Valid() {
							if param.NumThreads.Or(v.Policy, 0, 1) <= 4 && slices.ContainsFunc(codes, func(c selector.Code) bool { return here[c.Variant.String()] && c.Realises(v) }) {
								texts = append(texts, v.String())
							}
						}
					}
					if len(texts) == 0 {
						t.Fatalf("%s has no variants", c.Name)
					}
					variants = append(variants, texts)
				}
			}
			for name, args := range e.inputs(rand.New(rand.NewPCG(1, 2)), 77) {
				want := e.plain(args)
				for i := range rounds(variants) {
					opts, variant := round(variants, i)
					e.check(t, name, variant, args, want, append(opts, exec.Threads(4)))
				}
				t.Logf("%s: %d variants", name, rounds(variants))
				break
			}
		})
	}
}

// TestExamplesBadInput checks that misuse is an *exec.Error around the *ops.Error of plain Go, under every schedule.
func TestExamplesBadInput(t *testing.T) {
	values, columns, x := []float64{1, 2, 3, 4}, []int32{0, 1, 1, 0}, []float64{5, 6}
	with := func(at int, v int32) []int32 { c := slices.Clone(columns); c[at] = v; return c }
	for _, c := range []struct {
		kernel, code, says string
		args               []any
	}{
		{"SpMV", ops.CodeOffsets, "rowOffsets", []any{values, columns, []int32{0, 3, 2, 4}, x}},
		{"SpMV", ops.CodeOffsets, "rowOffsets", []any{values, columns, []int32{0, 2, 5}, x}},
		{"SpMV", ops.CodeOffsets, "rowOffsets", []any{values, columns, []int32{-1, 2, 4}, x}},
		{"SpMV", ops.CodeOffsets, "rowOffsets", []any{values, columns, []int32{math.MaxInt32, math.MinInt32}, x}},
		{"SpMV", ops.CodeOffsets, "rowOffsets", []any{values, columns, []int32{}, x}},
		{"SpMV", ops.CodeOffsets, "rowOffsets", []any{values, columns, []int32(nil), x}},
		{"SpMV", ops.CodeOffsets, "rowOffsets", []any{values, columns[:3], []int32{0, 2, 4}, x}},
		{"SpMV", ops.CodeIndex, "columns[1] = 2", []any{values, with(1, 2), []int32{0, 2, 4}, x}},
		{"SpMV", ops.CodeIndex, "columns[3] = -1", []any{values, with(3, -1), []int32{0, 2, 4}, x}},
		{"SpMV", ops.CodeIndex, "columns[0] = -2147483648", []any{values, with(0, math.MinInt32), []int32{0, 2, 4}, x}},
		{"SpMV", ops.CodeIndex, "columns[0] = 0", []any{values[:1], columns[:1], []int32{0, 1}, []float64{}}}, // one element: of several wrong ones static chunks may name any
		{"Reduction", ops.CodeSize, "tileSize = 0", []any{values, 0}},
		{"Reduction", ops.CodeSize, "tileSize = -3", []any{values, -3}},
		{"Scan", ops.CodeSize, "tileSize = 0", []any{values, 0, 1.0}},
		{"Scan", ops.CodeSize, "tileSize = -9223372036854775808", []any{values, math.MinInt, 1.0}},
	} {
		i := slices.IndexFunc(examples, func(e example) bool { return e.kernel == c.kernel })
		e := examples[i]
		t.Run(fmt.Sprintf("%s/%s/%s", c.kernel, c.code, c.says), func(t *testing.T) {
			var plain *ops.Error
			func() {
				defer func() {
					err, _ := recover().(error)
					if !errors.As(err, &plain) || plain.Code != c.code {
						t.Errorf("plain Go panics with %v, want an error with the code %q", err, c.code)
					}
				}()
				e.plain(c.args)
			}()
			variants, step := e.variants(t), 3
			if testing.Short() {
				step = 120
			}
			for i := 0; i < rounds(variants); i += step {
				opts, variant := round(variants, i)
				run, err := e.bind(c.args, opts...)
				if err == nil {
					_, err = run(context.Background())
				}
				var failure *exec.Error
				var misuse *ops.Error
				if !errors.As(err, &failure) || !errors.As(err, &misuse) {
					t.Fatalf("%s: %v, want an *exec.Error around an *ops.Error", variant, err)
				}
				if failure.Code != c.code || misuse.Code != c.code || plain != nil && misuse.Op != plain.Op {
					t.Fatalf("%s: %v, want what plain Go says: %v", variant, err, plain)
				}
				if !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), strings.ToLower(c.kernel)[:4]) {
					t.Fatalf("%s: the message %q names neither %q nor the place", variant, err, c.says)
				}
			}
		})
	}
}

// TestDestination checks the errors of destinations that do not fit.
func TestDestination(t *testing.T) {
	args := []any{[]float64{1, 2, 3}, 1.0}
	e := examples[slices.IndexFunc(examples, func(e example) bool { return e.kernel == "PrefixSums" })]
	for _, o := range []exec.Option{exec.Into(make([]float64, 2)), exec.Into(make([]float64, 4)), exec.Into(make([]float32, 3))} {
		run, err := e.bind(args, o)
		if err == nil {
			_, err = run(context.Background())
		}
		var failure *exec.Error
		if !errors.As(err, &failure) || failure.Code != "destination" {
			t.Errorf("%v, want an error with the code destination", err)
		}
	}
	run, err := e.bind(args, exec.Into[float64](nil))
	if err != nil {
		t.Fatal(err)
	}
	if y, err := run(context.Background()); err != nil || len(y.([]float64)) != 3 {
		t.Errorf("a nil destination gives %v, %v", y, err)
	}
}

// TestAliasedDestination checks that a result cannot go to the memory of any argument, that it can go beside it, and
// that two kernels can be bound to the same two slices, each the other's destination.
func TestAliasedDestination(t *testing.T) {
	ctx := context.Background()
	refused := func(name string, err error, with string) {
		t.Helper()
		var e *exec.Error
		if !errors.As(err, &e) || e.Code != "aliased-result" || !strings.Contains(err.Error(), with+";") {
			t.Errorf("%s: %v, want an error with the code aliased-result and %s", name, err, with)
		}
	}
	x := numbers(rand.New(rand.NewPCG(1, 2)), 2000)
	for _, dst := range [][]float64{x[:1000], x[999:1999], x[500:1500]} {
		_, err := scan.BindPrefixSums(x[:1000], 0, exec.Into(dst))
		refused("PrefixSums", err, "argument s")
		_, err = scan.RunScan(ctx, x[:1000], 32, 0, exec.Into(dst))
		refused("Scan", err, "argument s")
	}
	want := scan.PrefixSums(x[:1000], 0)
	if y, err := scan.RunPrefixSums(ctx, x[:1000], 0, exec.Into(x[1000:])); err != nil || !slices.Equal(y, want) || &y[0] != &x[1000] {
		t.Errorf("directly behind the argument: %v, equal %t", err, slices.Equal(y, want))
	}
	if _, err := scan.RunPrefixSums(ctx, x[:0], 0, exec.Into(x[:0])); err != nil {
		t.Error(err)
	}

	values, columns, offsets := []float64{2, 3, 4}, []int32{0, 1, 2}, []int32{0, 1, 2, 3}
	_, err := spmv.BindSpMV(values, columns, offsets, []float64{1, 1, 1}, exec.Into(values))
	refused("SpMV", err, "argument values")
	a, b := []float64{1, 2, 3}, make([]float64, 3)
	_, err = spmv.BindSpMV(values, columns, offsets, a, exec.Into(a))
	refused("SpMV", err, "argument x")
	there, err := spmv.BindSpMV(values, columns, offsets, a, exec.Into(b))
	if err != nil {
		t.Fatal(err)
	}
	back, err := spmv.BindSpMV(values, columns, offsets, b, exec.Into(a))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		for _, step := range []*spmv.BoundSpMV{there, back} {
			if _, err := step.Run(ctx); err != nil {
				t.Fatal(err)
			}
		}
	}
	if want := []float64{16, 162, 768}; !slices.Equal(a, want) {
		t.Errorf("four steps give %v, want %v", a, want)
	}

	points, centroids, next := make([]float64, 40), make([]float64, 8), make([]float64, 8)
	counts := make([]int, 4)
	_, err = kmeans.BindStep(points, 2, centroids, exec.Into(centroids))
	refused("Step", err, "argument centroids")
	_, err = kmeans.BindStep(points, 2, centroids, exec.Into(next), exec.Into(make([]int32, 20)), exec.Into(counts))
	if err != nil {
		t.Error(err)
	}
	_, err = comd.BindKick(x[:9], x[9:18], x[18:27], x[27:36], x[36:45], x[45:54], x[54:63], 1, 1, exec.Into(x[63:72]), exec.Into(x[72:81]), exec.Into(x[80:89]))
	refused("Kick", err, "that of result 2")
}

// TestCancel checks that a run that takes long ends soon after its context does, leaves no goroutine behind, and that
// the kernel can be run again.
func TestCancel(t *testing.T) {
	n := 1 << 22
	if race {
		n = 1 << 18
	}
	rng := rand.New(rand.NewPCG(1, 2))
	inputs := map[string][]any{"Sum": {numbers(rng, 4*n)}, "PrefixSums": {numbers(rng, 2*n), 0.0}, "Scan": {numbers(rng, n), 1000, 0.0},
		"Reduction": {numbers(rng, 2*n), 1000}, "SpMV": ragged(rng, n/16)}
	for _, e := range examples {
		args := inputs[e.kernel]
		for _, threads := range []string{"num_threads=1", "num_threads=2"} {
			if e.kernel == "PrefixSums" && threads == "num_threads=1" {
				threads += ",omp_schedule_1=static"
			}
			run, err := e.bind(args, exec.Threads(2), exec.Policy(threads))
			if err != nil {
				t.Errorf("%s: %v", e.kernel, err)
				continue
			}
			if _, err := run(context.Background()); err != nil {
				t.Fatal(err)
			}
			cancelled, cancel := context.WithCancel(context.Background())
			cancel()
			if _, err := run(cancelled); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: a run with a context that is done gives %v", e.kernel, err)
			}
			before := runtime.NumGoroutine()
			stopped := 0
			var latest time.Duration
			for i := range 20 {
				ctx, cancel := context.WithCancel(context.Background())
				var at time.Time
				timer := time.AfterFunc(time.Duration(i)*100*time.Microsecond, func() { at = time.Now(); cancel() })
				_, err := run(ctx)
				if err != nil {
					if !errors.Is(err, context.Canceled) {
						t.Errorf("%s: %v", e.kernel, err)
					}
					stopped++
					latest = max(latest, time.Since(at))
				}
				timer.Stop()
				cancel()
			}
			if stopped == 0 {
				t.Logf("%s, %s: no run was stopped in time", e.kernel, threads)
			}
			if latest > 10*time.Second { // chunks are short; the machine may be busy
				t.Errorf("%s, %s: a run went on for %v after it was cancelled", e.kernel, threads, latest)
			}
			for deadline := time.Now().Add(30 * time.Second); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
				if time.Now().After(deadline) {
					t.Errorf("%s, %s: %d goroutines, %d before", e.kernel, threads, runtime.NumGoroutine(), before)
					break
				}
			}
			want := e.plain(args)
			if got, err := run(context.Background()); err != nil {
				t.Error(err)
			} else if c := harness.Compare(got, want, harness.Param{Type: e.result}, n); !c.OK {
				t.Errorf("%s, %s: after being cancelled, element %d is %s, want %s", e.kernel, threads, c.First, c.Got, c.Want)
			}
		}
	}
}

// TestNoAllocation checks that a bound kernel with a destination allocates nothing when it runs, whatever the variant.
func TestNoAllocation(t *testing.T) {
	if race {
		t.Skip("the race detector allocates")
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for _, e := range examples {
		variants := e.variants(t)
		inputs := e.inputs(rng, 257)
		name := slices.Sorted(keys(inputs))[0]
		args := inputs[name]
		var into exec.Option
		if y, ok := e.plain(args).([]float64); ok {
			into = exec.Into(make([]float64, len(y)))
		}
		for i := range rounds(variants) {
			opts, variant := round(variants, i)
			if allocs, err := e.allocations(args, append(opts, into)); err != nil {
				t.Fatal(err)
			} else if allocs != 0 {
				t.Errorf("%s, %s: %v allocations a run", e.kernel, variant, allocs)
				break
			}
		}
	}
}

func keys[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// allocations counts without the conversion of the result to any.
func (e *example) allocations(args []any, opts []exec.Option) (float64, error) {
	ctx := context.Background()
	var run func() error
	switch e.kernel {
	case "SpMV":
		b, err := spmv.BindSpMV(args[0].([]float64), args[1].([]int32), args[2].([]int32), args[3].([]float64), opts...)
		if err != nil {
			return 0, err
		}
		run = func() error { _, err := b.Run(ctx); return err }
	case "Reduction":
		b, err := reduction.BindReduction(args[0].([]float64), args[1].(int), opts...)
		if err != nil {
			return 0, err
		}
		run = func() error { _, err := b.Run(ctx); return err }
	case "Sum":
		b, err := reduction.BindSum(args[0].([]float64), opts...)
		if err != nil {
			return 0, err
		}
		run = func() error { _, err := b.Run(ctx); return err }
	case "Scan":
		b, err := scan.BindScan(args[0].([]float64), args[1].(int), args[2].(float64), opts...)
		if err != nil {
			return 0, err
		}
		run = func() error { _, err := b.Run(ctx); return err }
	case "PrefixSums":
		b, err := scan.BindPrefixSums(args[0].([]float64), args[1].(float64), opts...)
		if err != nil {
			return 0, err
		}
		run = func() error { _, err := b.Run(ctx); return err }
	}
	var failed error
	for range 10 { // regions, scratch memory and the structs of workers grow on first use
		failed = errors.Join(failed, run())
	}
	return testing.AllocsPerRun(100, func() { failed = errors.Join(failed, run()) }), failed
}
