package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/surge-ndp/surge/codegen/opencl/clrt"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/training"
	"github.com/surge-ndp/surge/training/input"
)

// sideBySide is a case that both platforms run.
type sideBySide struct {
	name, dir, kernel string
	load              func(ctx context.Context) ([]input.Value, error)
	bytes             float64 // that the computation has to move; 0 for a sparse product
	flops             float64 // operations, where they are what limits it
}

// copying is the case that tells the bandwidth of a device.
const copying = "y = a·x"

// sideBySides are sums, scans, sparse products and what libraries for GPUs have, the largest with n elements.
func sideBySides(mtx string, n int) []sideBySide {
	values := func(vs ...func() input.Value) func(context.Context) ([]input.Value, error) {
		return func(context.Context) (args []input.Value, err error) {
			for _, v := range vs {
				args = append(args, v())
			}
			return args, nil
		}
	}
	vector := func(n int) func() input.Value {
		return func() input.Value { return input.Vector(sample[float64](n, 11, 0, 1)) }
	}
	singles := func(n int, seed uint64) func() input.Value {
		return func() input.Value { return input.Vector(sample[float32](n, seed, 0, 1)) }
	}
	number := func(x int) func() input.Value { return func() input.Value { return input.Scalar(x) } }
	factor := func() input.Value { return input.Scalar(3.0) }
	cs := []sideBySide{{name: fmt.Sprintf("%s, %d", copying, n), dir: "./bench/kernels", kernel: "Scale", load: values(vector(n), factor), bytes: 16 * float64(n)}}
	for _, n := range []int{1e3, 1e5, n} {
		bytes := 8 * float64(n)
		cs = append(cs, sideBySide{name: fmt.Sprintf("sum, %d", n), dir: "./examples/reduction", kernel: "Sum", load: values(vector(n)), bytes: bytes},
			sideBySide{name: fmt.Sprintf("reduction, tiles of 1000, %d", n), dir: "./examples/reduction", kernel: "Reduction", load: values(vector(n), number(1000)), bytes: bytes},
			sideBySide{name: fmt.Sprintf("scan, flat, %d", n), dir: "./examples/scan", kernel: "PrefixSums", load: values(vector(n), factor), bytes: 2 * bytes},
			sideBySide{name: fmt.Sprintf("scan, tiles of 1000, %d", n), dir: "./examples/scan", kernel: "Scan", load: values(vector(n), number(1000), factor), bytes: 2 * bytes})
	}
	const width, d, k = 1000, 32, 10
	rows, side := max(n/width, 1), max(int(math.Cbrt(10*float64(n)))/64, 1)*64
	cs = append(cs, sideBySide{name: fmt.Sprintf("sums of rows, %d×%d", rows, width), dir: "./codegen/kernels", kernel: "SumRows", bytes: 8 * float64(rows*width),
		load: values(func() input.Value {
			v := vector(rows * width)()
			v.Dims = []int{rows, width}
			return v
		})}, sideBySide{name: fmt.Sprintf("sums of columns, %d×%d", rows, width), dir: "./codegen/kernels", kernel: "SumCols", bytes: 8 * float64(rows*width),
		load: values(vector(rows*width), number(width))},
		sideBySide{name: fmt.Sprintf("matrix product, %d×%d×%d", side, side, side), dir: "./bench/kernels", kernel: "MatMul", bytes: 12 * float64(side*side), flops: 2 * math.Pow(float64(side), 3),
			load: values(singles(side*side, 81), singles(side*side, 82), number(side), number(side))},
		sideBySide{name: fmt.Sprintf("k-means iteration, %d points", n/50), dir: "./examples/kmeans", kernel: "Step", bytes: float64(n/50) * (8*d + 4),
			load: values(vector(n/50*d), number(d), vector(d*k))})
	matrices := []string{"gen:poisson2d:30x30", "gen:poisson2d:300x300", "gen:poisson2d:1000x1000", "gen:long:rows=2048", "gen:powerlaw:rows=1<<16,avg=16"}
	files, _ := filepath.Glob(filepath.Join(mtx, "*.mtx*"))
	for _, spec := range append(matrices, files...) {
		name, _, _ := strings.Cut(filepath.Base(spec), ".mtx")
		cs = append(cs, sideBySide{name: "spmv, " + name, dir: "./examples/spmv", kernel: "SpMV", load: func(ctx context.Context) ([]input.Value, error) { return product(ctx, spec) }})
	}
	return cs
}

// product returns the arguments of a sparse product: a matrix, and a vector for it.
func product(ctx context.Context, spec string) ([]input.Value, error) {
	a, err := input.Open(ctx, spec, input.Options{})
	if err != nil {
		return nil, err
	}
	var params []input.Parameter
	for _, p := range [][3]string{{"values", "[]float64", "A.values"}, {"columns", "[]int32", "A.columns"}, {"rowOffsets", "[]int32", "A.row_offsets"}, {"x", "[]float64", "random(A.cols)"}} {
		t, err := input.ParseType(p[1])
		if err != nil {
			return nil, err
		}
		params = append(params, input.Parameter{Name: p[0], Type: t, Expr: p[2]})
	}
	return input.Bind(params, map[string]*input.Source{"A": a}, input.Options{})
}

// sideTimes are medians in nanoseconds.
type sideTimes struct {
	host, device float64 // arrays on the host: for the device, copies included
	near         float64 // on the device, with arrays that stay there
	hostNear     float64 // on the host, in turns with near
	bytes        float64 // that the computation moves
}

// comparePlatforms measures the goroutine platform and another side by side: for each case a search finds the fastest
// variant on each, and these take turns. What stays on the device is compared with copying there, and with a library if
// vendor.py finds one.
func comparePlatforms(ctx context.Context, other, only, mtx, out string, n int) error {
	tmp, err := os.MkdirTemp("", "surge-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	var cs []sideBySide
	var all []sideTimes
	var failed []string
	v := &vendor{dir: tmp}
	cases := sideBySides(mtx, n)
	if !slices.ContainsFunc(cases, func(c sideBySide) bool { return wanted(c.name, only) }) {
		return fmt.Errorf("no case's name contains a part of %q", only)
	}
	for i, c := range cases {
		if i > 0 && !wanted(c.name, only) {
			continue // the first one tells the bandwidth
		}
		store, err := training.OpenMeasurements([]string{filepath.Join(tmp, fmt.Sprint(i))}, false)
		if err != nil {
			return err
		}
		times, err := c.measure(ctx, other, store, v)
		store.Close()
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", c.name, err)
			failed = append(failed, c.name) // the others have their rows
			continue
		}
		fmt.Fprintf(os.Stderr, "%s: %.4g µs on goroutines, %.4g µs on %s, %.4g µs without copies\n", c.name, times.host/1e3, times.device/1e3, other, times.near/1e3)
		cs, all = append(cs, c), append(all, times)
	}
	closeSessions() // the library needs the memory
	libraries := v.run(ctx)
	bandwidth := math.NaN()
	t := table.NewWriter()
	t.AppendHeader(table.Row{"case", "goroutine µs", other + " µs", "speed", "copies apart µs", "speed", "GB/s", "of copying", "library", "library µs", "of library"})
	for i, c := range cs {
		x := all[i]
		rate := x.bytes / x.near // bytes a nanosecond are GB a second
		if strings.HasPrefix(c.name, copying) {
			bandwidth = rate
		}
		row := table.Row{c.name, fmt.Sprintf("%.1f", x.host/1e3), fmt.Sprintf("%.1f", x.device/1e3), fmt.Sprintf("%.2f", x.host/x.device),
			fmt.Sprintf("%.1f", x.near/1e3), fmt.Sprintf("%.2f", x.hostNear/x.near), fmt.Sprintf("%.1f", rate), fmt.Sprintf("%.2f", rate/bandwidth)}
		if c.flops > 0 {
			row[len(row)-1] = fmt.Sprintf("%.1f Gflop/s", c.flops/x.near)
		}
		if l, ok := libraries[c.name]; ok {
			row = append(row, l.Library, fmt.Sprintf("%.1f", l.Microseconds), fmt.Sprintf("%.2f", l.Microseconds*1e3/x.near))
		}
		t.AppendRow(row)
	}
	fmt.Println(t.Render())
	if out != "" {
		title := fmt.Sprintf("%s, %s\n\n", deviceName(other), time.Now().UTC().Format(time.DateOnly))
		if err := os.WriteFile(filepath.Clean(out), []byte(title+t.RenderMarkdown()+"\n"), 0o644); err != nil {
			return err
		}
	}
	if len(failed) > 0 {
		return fmt.Errorf("not measured: %s", strings.Join(failed, "; "))
	}
	return nil
}

// deviceName says what a platform runs on.
func deviceName(platform string) string {
	if platform == "opencl" {
		if d, err := clrt.Find(""); err == nil {
			return d.Fingerprint()
		}
	}
	return platform
}

// A search on a device has to compile most of what it tries, twice on some drivers: it begins with so many variants of a
// computation, and goes on from the best of them only as long as this.
const (
	beginnings = 24
	patience   = 90 * time.Second
)

// patient bounds a search.
type patient struct {
	training.Strategy
	until time.Time
}

// Pick implements [training.Strategy].
func (p *patient) Pick(computation string, features []selector.Feature, all []selector.Variant, known map[string]float64) []selector.Variant {
	if len(known) > 0 && time.Now().After(p.until) {
		return nil
	}
	next := p.Strategy.Pick(computation, features, all, known)
	return next[:min(len(next), beginnings)]
}

// measure times the case on goroutines and on the other platform, and lets a library time it later.
func (c *sideBySide) measure(ctx context.Context, other string, store *training.Measurements, v *vendor) (times sideTimes, err error) {
	s := sessions[c.dir]
	if s == nil {
		if s, err = training.Open(ctx, c.dir, training.Options{Platforms: []string{"goroutine", other}, Progress: func(text string) { fmt.Fprintln(os.Stderr, text) }}); err != nil {
			return times, err
		}
		sessions[c.dir] = s
	}
	kernel, err := s.Kernel(c.kernel)
	if err != nil {
		return times, err
	}
	args, err := c.load(ctx)
	if err != nil {
		return times, err
	}
	load := training.Case{Name: c.name, Load: func(context.Context) ([]input.Value, error) { return args, nil }}
	if times.bytes = c.bytes; times.bytes == 0 {
		times.bytes = sparseBytes(args)
	}
	p := &training.Platforms{}
	var id string
	for _, platform := range []string{"goroutine", other} {
		t, err := training.NewTrainer(ctx, s, kernel.Name, platform, store)
		if err != nil {
			return times, err
		}
		t.Strategy = training.NewSearch(1)
		if platform == other {
			t.Strategy = &patient{Strategy: t.Strategy, until: time.Now().Add(patience)}
		}
		if id, err = t.Measure(ctx, load, nil); err != nil {
			return times, err
		}
		matter, err := t.Finalists([]string{id})
		if err != nil {
			return times, err
		}
		for pass := range training.ComparePasses {
			if err := t.Compare(ctx, load, id, pass, matter, nil); err != nil {
				return times, err
			}
		}
		p.Trainers = append(p.Trainers, t)
	}
	for pass := range training.ComparePasses {
		if err := p.Compare(ctx, load, id, pass); err != nil {
			return times, err
		}
	}
	host, device := p.Times(id)
	times.host, times.device, times.near, times.hostNear = host["goroutine"], host[other], device[other], device["goroutine"]
	return times, v.add(c, args)
}

// sparseBytes is what a sparse product has to move: the matrix, the vector and the result.
func sparseBytes(args []input.Value) float64 {
	bytes := 0.0
	for _, a := range args {
		bytes += float64(a.Bytes())
	}
	return bytes + 8*float64(args[2].Len()-1)
}
