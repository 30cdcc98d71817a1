// Package drive runs every variant of the registered kernels against plain Go. It is linked into the program that the
// test of package keyed builds, and imports nothing of the compiler.
package drive

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/codegen/harness"
	"github.com/surge-ndp/surge/codegen/steady"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/selector/param"
)

// sizes lie at and around the widths of vectors and the sizes of chunks and tiles.
var sizes = []int{0, 1, 2, 3, 8, 9, 17, 33, 65, 200, 1025}

// Main runs all kernels that are registered and ends the process: status 1 if any result is wrong. It runs the
// variants of a platform. Of those that are launched in workgroups a driver has to compile each: one of each
// computation runs, on fewer inputs, on a device that SURGE_OPENCL_COPY gives memory of its own.
func Main(out *os.File, platform string) {
	runtime.GOMAXPROCS(3)
	failed, runs := 0, 0
	for _, k := range harness.Registered() {
		d := &driver{k: k, out: out, platform: platform, devices: platform == "opencl"}
		d.run()
		failed, runs = failed+d.failed, runs+d.runs
		fmt.Fprintf(out, "%s: %d runs\n", k.Exec.Name, d.runs)
	}
	fmt.Fprintf(out, "%d runs, %d wrong\n", runs, failed)
	if failed > 0 {
		os.Exit(1)
	}
	os.Exit(0)
}

type driver struct {
	k            *harness.Kernel
	out          *os.File
	failed, runs int
	platform     string // of the codes
	devices      bool
}

func (d *driver) fail(format string, args ...any) {
	if d.failed++; d.failed <= 3 {
		fmt.Fprintf(d.out, "WRONG %s: %s\n", d.k.Exec.Name, fmt.Sprintf(format, args...))
	}
}

func (d *driver) run() {
	if d.k.Exec.Name == "Positive" {
		d.into()
	}
	if (d.k.Exec.Name == "SumsOfSorted" || d.k.Exec.Name == "RowRuns") && d.platform == selector.Host {
		d.memory()
	}
	d.aliased()
	variants, rounds := d.variants()
	if d.k.Exec.Name == "Resorted" && d.devices {
		d.resident(variants)
	}
	for _, n := range sizes {
		if d.devices && n != 0 && n != 1 && n != 9 && n != 65 {
			continue
		}
		if n > 65 && strings.HasPrefix(d.k.Exec.Name, "Join") {
			break // the product is large
		}
		for _, shape := range []string{"random", "equal", "distinct", "nan", "bad"} {
			if (n > 300 || d.devices && n > 1) && shape != "random" && shape != "equal" {
				continue
			}
			args := d.arguments(n, shape)
			want, fault := d.reference(args)
			for r := range rounds {
				var opts []exec.Option
				var text []string
				for _, v := range variants {
					v := v[r%len(v)]
					opts = append(opts, exec.Variant(v))
					text = append(text, v)
				}
				d.once(args, want, fault, opts, fmt.Sprintf("n=%d %s under %s", n, shape, strings.Join(text, " and ")))
			}
		}
	}
}

// memory runs a chain of computations, whose sequences in between have other lengths each time, ten thousand times.
// Neither memory nor goroutines become more.
func (d *driver) memory() {
	const runs = 10_000
	for _, threads := range []int{1, 3} {
		args := d.arguments(200, "random")
		keys := args[1].([]int32)
		b, err := d.k.Bind(args, exec.Threads(threads))
		if err != nil {
			d.fail("%v", err)
			return
		}
		turn := func(i int) {
			for j := range keys {
				keys[j] = int32(j * (i%23 + 1) / 200)
			}
			if _, err := b.Run(context.Background()); err != nil {
				d.fail("run %d: %v", i, err)
			}
		}
		if err := steady.Check(runs, turn); err != nil {
			d.fail("on %d threads: %v", threads, err)
		}
		runtime.KeepAlive(b)
		d.runs += runs
	}
}

// aliased checks that no argument, and no row of one, can be a destination too.
func (d *driver) aliased() {
	if !slices.ContainsFunc(d.k.Results, func(p harness.Value) bool { return strings.HasPrefix(p.Type, "[]") }) {
		return
	}
	args := d.arguments(9, "random")
	for i, a := range args {
		var into exec.Option
		switch a := a.(type) {
		case []float64:
			into = exec.Into(a[len(a)-1:])
		case []float32:
			into = exec.Into(a[len(a)-1:])
		case []int32:
			into = exec.Into(a[len(a)-1:])
		case []int64:
			into = exec.Into(a[len(a)-1:])
		case [][]float64:
			rows := slices.DeleteFunc(slices.Clone(a), func(row []float64) bool { return len(row) == 0 })
			into = exec.Into(rows[len(rows)-1])
		default:
			if reflect.TypeOf(a).Kind() == reflect.Slice {
				d.fail("no destination for a %T", a)
			}
			continue
		}
		_, err := d.k.Bind(args, into)
		var e *exec.Error
		if !errors.As(err, &e) || e.Code != "aliased-result" || !strings.Contains(e.Detail, "the argument "+d.k.Params[i].Name+";") {
			d.fail("the result goes to its argument %s: %v", d.k.Params[i].Name, err)
		}
	}
}

// into checks that a result whose length depends on the data goes to the beginning of a longer destination, and that a
// shorter one is refused.
func (d *driver) into() {
	x := []float64{1, -1, 2, -2, 3}
	for _, n := range []int{2, 3, 9} {
		dst := make([]float64, n)
		var got []any
		b, err := d.k.Bind([]any{x}, exec.Into(dst))
		if err == nil {
			got, err = b.Run(context.Background())
		}
		if n < 3 {
			if err == nil {
				d.fail("a destination of %d elements for 3: no error", n)
			}
			continue
		}
		if err != nil || difference(got[0], []float64{1, 2, 3}) != "" || &got[0].([]float64)[0] != &dst[0] {
			d.fail("into %d elements: %v %v", n, got, err)
		}
	}
}

// resident checks that a loop that sorts leaves everything on a device with memory of its own (see Main) until it is
// asked for.
func (d *driver) resident(variants [][]string) {
	const turns, n, untouched = 6, 1025, -7
	args := d.arguments(n, "random")
	x, k := args[0].([]float64), args[1].([]int32)
	y, l := fill(n, func(int) float64 { return untouched }), fill(n, func(int) int32 { return untouched })
	memory := new(exec.Memory)
	defer memory.Release()
	opts := []exec.Option{exec.Resident(memory)}
	for _, v := range variants {
		opts = append(opts, exec.Variant(v[0]))
	}
	there, err := d.k.Bind(args, append(slices.Clone(opts), exec.Into(y), exec.Into(l))...)
	if err != nil {
		d.fail("%v", err)
		return
	}
	back, err := d.k.Bind([]any{y, l}, append(slices.Clone(opts), exec.Into(x), exec.Into(k))...)
	if err != nil {
		d.fail("%v", err)
		return
	}
	before := []any{slices.Clone(x), slices.Clone(k), slices.Clone(y), slices.Clone(l)}
	want := []any{slices.Clone(x), slices.Clone(k)}
	for i := range turns {
		b := []interface {
			Run(context.Context) ([]any, error)
		}{there, back}[i%2]
		if _, err := b.Run(context.Background()); err != nil {
			d.fail("turn %d: %v", i, err)
			return
		}
		want = d.k.Reference(want)
	}
	for i, s := range []any{x, k, y, l} {
		if diff := difference(s, before[i]); diff != "" {
			d.fail("slice %d came home in a loop: %s", i, diff)
		}
	}
	if err := memory.Fetch(); err != nil {
		d.fail("%v", err)
	}
	for i, s := range []any{x, k} {
		if diff := difference(s, want[i]); diff != "" {
			d.fail("slice %d after %d turns: %s", i, turns, diff)
		}
	}
	d.runs += turns
}

func (d *driver) once(args, want []any, fault any, opts []exec.Option, what string) {
	d.runs++
	b, err := d.k.Bind(args, opts...)
	for range 2 { // the second run meets the memory of the first
		var got []any
		if err == nil {
			got, err = b.Run(context.Background())
		}
		if fault != nil || err != nil {
			if fault == nil || err == nil {
				d.fail("%s: error %v, plain Go: %v", what, err, fault)
			}
			return
		}
		for i := range got {
			if diff := difference(got[i], want[i]); diff != "" {
				d.fail("%s: result %d: %s", what, i, diff)
				return
			}
		}
	}
}

func (d *driver) reference(args []any) (results []any, fault any) {
	defer func() { fault = recover() }()
	return d.k.Reference(args), nil
}

// variants lists what to run of each computation: every code with two launches.
func (d *driver) variants() (all [][]string, rounds int) {
	rounds = 1
	for _, c := range d.k.Exec.Computations {
		codes, err := c.Available()
		if err != nil {
			panic(err)
		}
		var texts []string
		if d.devices {
			texts = onDevices(codes)
		}
		for i, code := range codes {
			of := d.platform
			if d.devices { // a computation without code for them runs on the processors
				of = selector.Host
			}
			if len(texts) > 0 && d.devices || code.Platform != of {
				continue
			}
			for _, ls := range launches(code, i) { // not every code has every launch
				if v, err := selector.FillLaunch(code, 3, ls...); err == nil && !slices.Contains(texts, v.String()) {
					texts = append(texts, v.String())
				}
			}
		}
		if len(texts) == 0 {
			panic("no variant of " + c.Name)
		}
		all = append(all, texts)
		rounds = max(rounds, len(texts))
	}
	return all, rounds
}

// onDevices lists one of the codes that are launched in workgroups; which one depends on the computation.
func onDevices(codes []selector.Code) (texts []string) {
	codes = slices.DeleteFunc(slices.Clone(codes), func(c selector.Code) bool { return c.Platform != "opencl" })
	for i, code := range codes {
		sum := 0
		for _, r := range code.Computation {
			sum += int(r)
		}
		if i != sum%len(codes) {
			continue
		}
		var ls []selector.Setting
		for _, l := range code.Launch {
			value := map[string]string{"block_size_x": "32", "block_size_y": "1", "logical_warp_size": strconv.Itoa(4 << (i % 3)), "grain_size_1": "2"}[l.Name]
			if value != "" {
				ls = append(ls, selector.Setting{Name: l.Name, Value: value})
			}
		}
		if v, err := selector.FillLaunch(code, 3, ls...); err == nil {
			texts = append(texts, v.String())
		}
	}
	return texts
}

func launches(code selector.Code, number int) [][]selector.Setting {
	set := func(threads, schedule string, chunk int) (out []selector.Setting) {
		for _, l := range code.Launch {
			switch {
			case param.NumThreads.Is(selector.Setting{Name: l.Name}):
				out = append(out, selector.Setting{Name: l.Name, Value: threads})
			case strings.HasPrefix(l.Name, "omp_schedule") && slices.Contains(l.Values, schedule):
				out = append(out, selector.Setting{Name: l.Name, Value: schedule})
			case strings.HasPrefix(l.Name, "chunk_size"):
				out = append(out, selector.Setting{Name: l.Name, Value: strconv.Itoa(chunk)})
			}
		}
		return out
	}
	sets := [][]selector.Setting{set("3", "dynamic", 2), set("2", "static", 0), set("3", "guided", 1), set("3", "static", 5), set("1", "static", 0)}
	return [][]selector.Setting{sets[0], sets[1+number%4], set("3", "static", 0)}
}

// arguments makes inputs: small whole numbers, so that every order of addition gives the same sum.
func (d *driver) arguments(n int, shape string) []any {
	rng := rand.New(rand.NewPCG(uint64(n), uint64(len(shape))))
	bins := 7
	if shape == "distinct" {
		bins = 5*n + 7 // more bins than elements
	}
	key := func(i int) int {
		switch {
		case shape == "equal":
			return 3
		case shape == "distinct" && d.scalar("bins"):
			return (i * 5) % bins
		case shape == "distinct":
			return i
		case shape == "bad" && i == n/2:
			return bins + 3
		}
		return rng.IntN(3) + rng.IntN(3)
	}
	number := func(i int) float64 {
		switch {
		case shape == "nan" && rng.IntN(4) == 0:
			return math.NaN()
		case shape == "equal":
			return 2
		}
		return float64(rng.IntN(9) - 4)
	}
	width := 1 + rng.IntN(9)
	var args []any
	for _, p := range d.k.Params {
		switch p.Type {
		case "[]float64":
			args = append(args, fill(n, number))
		case "[]float32":
			args = append(args, fill(n, func(i int) float32 { return float32(number(i)) }))
		case "[]int32":
			args = append(args, fill(n, func(i int) int32 { return int32(key(i)) }))
		case "[]int64":
			args = append(args, fill(n, func(i int) int64 { return int64(key(i)) }))
		case "[][]float64":
			rows := make([][]float64, n)
			for i := range rows {
				rows[i] = fill(width, number)
			}
			if shape == "bad" && n > 2 {
				rows[n/2] = rows[n/2][1:]
			}
			args = append(args, rows)
		case "int":
			switch p.Name {
			case "bins":
				args = append(args, bins)
			default:
				args = append(args, width)
			}
		default:
			panic("no input of type " + p.Type)
		}
	}
	return args
}

func (d *driver) scalar(name string) bool {
	return slices.ContainsFunc(d.k.Params, func(p harness.Value) bool { return p.Name == name })
}

func fill[T any](n int, f func(i int) T) []T {
	s := make([]T, n)
	for i := range s {
		s[i] = f(i)
	}
	return s
}

// difference says where two results differ; NaN equals NaN.
func difference(got, want any) string { return differ(reflect.ValueOf(got), reflect.ValueOf(want), "") }

func differ(g, w reflect.Value, at string) string {
	switch g.Kind() {
	case reflect.Slice:
		if g.Len() != w.Len() {
			return fmt.Sprintf("%s has %d elements, want %d", at, g.Len(), w.Len())
		}
		for i := range g.Len() {
			if diff := differ(g.Index(i), w.Index(i), fmt.Sprintf("%s[%d]", at, i)); diff != "" {
				return diff
			}
		}
		return ""
	case reflect.Float32, reflect.Float64:
		if a, b := g.Float(), w.Float(); a == b || a != a && b != b {
			return ""
		}
	default:
		if g.Equal(w) {
			return ""
		}
	}
	return fmt.Sprintf("%s is %v, want %v", at, g, w)
}
