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

	"github.com/surge-ndp/surge/codegen"
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
	cs = append(cs, sideBySide{name: fmt.Sprintf("sums of rows, %d×%d", rows, width), dir: "./internal/kernels", kernel: "SumRows", bytes: 8 * float64(rows*width),
		load: values(func() input.Value {
			v := vector(rows * width)()
			v.Dims = []int{rows, width}
			return v
		})}, sideBySide{name: fmt.Sprintf("sums of columns, %d×%d", rows, width), dir: "./internal/kernels", kernel: "SumCols", bytes: 8 * float64(rows*width),
		load: values(vector(rows*width), number(width))},
		sideBySide{name: fmt.Sprintf("matrix product, %d×%d×%d", side, side, side), dir: "./bench/kernels", kernel: "MatMul", bytes: 12 * float64(side*side), flops: 2 * math.Pow(float64(side), 3),
			load: values(singles(side*side, 81), singles(side*side, 82), number(side), number(side))},
		sideBySide{name: fmt.Sprintf("k-means iteration, %d points", n/50), dir: "./examples/kmeans", kernel: "Step", bytes: float64(n/50) * (8*d + 4),
			load: values(vector(n/50*d), number(d), vector(d*k))})
	matrices := []string{"gen:poisson2d:30x30", "gen:poisson2d:300x300", "gen:poisson2d:1000x1000", "gen:long:rows=2048", "gen:powerlaw:rows=1<<16,avg=16"}
	files, _ := filepath.Glob(filepath.Join(mtx, "*.mtx*"))
	for _, spec := range append(matrices, files...) {
		name, _, _ := strings.Cut(filepath.Base(spec), ".mtx")
		cs = append(cs, sideBySide{name: "spmv, " + name, dir: "./examples/spmv", kernel: "SpMV", load: func(ctx context.Context) ([]input.Value, error) { return product(ctx, spec, 34) }})
	}
	return cs
}

// product returns the arguments of a sparse product: a matrix, and a vector of random numbers for it.
func product(ctx context.Context, spec string, seed int) ([]input.Value, error) {
	a, err := input.Open(ctx, spec, input.Options{})
	if err != nil {
		return nil, err
	}
	var params []input.Parameter
	for _, p := range [][3]string{{"values", "[]float64", "A.values"}, {"columns", "[]int32", "A.columns"}, {"rowOffsets", "[]int32", "A.row_offsets"},
		{"x", "[]float64", fmt.Sprintf("uniform(A.cols, seed=%d)", seed)}} {
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
	bytes        float64 // that the computation moves
}

// comparePlatforms measures the goroutine platform and another side by side: for each case a search finds the fastest
// variant on each, and these take turns. What stays on the device is compared with copying there, and with a library if
// vendor.py finds one.
func comparePlatforms(ctx context.Context, o options) error {
	tmp, err := os.MkdirTemp("", "surge-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	var cs []sideBySide
	var all []sideTimes
	var failed []string
	v := &vendor{dir: tmp}
	cases := sideBySides(o.mtx, o.size)
	if !slices.ContainsFunc(cases, func(c sideBySide) bool { return wanted(c.name, o.only) }) {
		return fmt.Errorf("no case's name contains a part of %q", o.only)
	}
	tuner := newTuner("goroutine", o.platform)
	defer tuner.close()
	for i, c := range cases {
		if i > 0 && !wanted(c.name, o.only) {
			continue // the first one tells the bandwidth
		}
		times, err := c.measure(ctx, tuner, o, v)
		if ctx.Err() != nil {
			break // there may be rows
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", c.name, err)
			failed = append(failed, c.name) // the others have their rows
			continue
		}
		fmt.Fprintf(os.Stderr, "%s: %.4g µs on goroutines, %.4g µs on %s, %.4g µs without copies\n", c.name, times.host/1e3, times.device/1e3, o.platform, times.near/1e3)
		cs, all = append(cs, c), append(all, times)
	}
	tuner.close() // the library needs the memory
	libraries := v.run(ctx)
	bandwidth := math.NaN()
	t := table.NewWriter()
	t.AppendHeader(table.Row{"case", "goroutine µs", o.platform + " µs", "speed", "without copies µs", "speed", "GB/s", "of copying", "library", "library µs", "of library"})
	for i, c := range cs {
		x := all[i]
		rate := x.bytes / x.near // bytes a nanosecond are GB a second
		if strings.HasPrefix(c.name, copying) {
			bandwidth = rate
		}
		row := table.Row{c.name, fmt.Sprintf("%.1f", x.host/1e3), fmt.Sprintf("%.1f", x.device/1e3), fmt.Sprintf("%.2f", x.host/x.device),
			fmt.Sprintf("%.1f", x.near/1e3), fmt.Sprintf("%.2f", x.host/x.near), fmt.Sprintf("%.1f", rate), fmt.Sprintf("%.2f", rate/bandwidth)}
		if c.flops > 0 {
			row[len(row)-1] = fmt.Sprintf("%.1f Gflop/s", c.flops/x.near)
		}
		if l, ok := libraries[c.name]; ok {
			row = append(row, l.Library, fmt.Sprintf("%.1f", l.Microseconds), fmt.Sprintf("%.2f", l.Microseconds*1e3/x.near))
		}
		t.AppendRow(row)
	}
	if err := printTable(t, fmt.Sprintf("%s, %s\n\n", deviceName(o.platform), time.Now().UTC().Format(time.DateOnly)), o.out); err != nil {
		return err
	}
	if len(failed) > 0 {
		return fmt.Errorf("not measured: %s", strings.Join(failed, "; "))
	}
	return nil
}

// deviceName says what a platform runs on.
func deviceName(platform string) string {
	for _, d := range codegen.Target(platform).Here(true).Devices {
		if d.Used {
			return d.Name + " (" + d.Driver + ")"
		}
	}
	return platform
}

// measure times the case on goroutines and on the other platform, each with the fastest variants that a search finds,
// in turns, and lets a library time it later.
func (c *sideBySide) measure(ctx context.Context, t *tuner, o options, v *vendor) (times sideTimes, err error) {
	args, err := c.load(ctx)
	if err != nil {
		return times, err
	}
	if times.bytes = c.bytes; times.bytes == 0 {
		times.bytes = sparseBytes(args)
	}
	var runs [3]func() (*training.RunResult, error) // host, device, and device where arrays stay there
	for i, platform := range []string{"goroutine", o.platform} {
		b, found, err := t.tune(ctx, c.name+" on "+platform, c.dir, c.kernel, platform, args, o.budget)
		if err != nil {
			return times, err
		}
		defer b.Release(context.WithoutCancel(ctx))
		for resident := range i + 1 {
			runs[i+resident] = func() (*training.RunResult, error) {
				return b.Run(ctx, training.RunOptions{Variants: found.Forced, Warmup: 1, Repeat: turnRuns, Resident: resident > 0})
			}
		}
	}
	var turns [len(runs)][]float64
	for range o.rounds {
		for i, run := range runs {
			r, err := run()
			if err != nil {
				return times, err
			}
			turns[i] = append(turns[i], float64(r.Median()))
		}
	}
	times.host, times.device, times.near = median(turns[0]), median(turns[1]), median(turns[2])
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
