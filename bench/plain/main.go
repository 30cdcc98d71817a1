// Plain measures kernels against themselves as plain Go, at lengths from 0 to ten millions, on one thread and on all:
// what is chosen without training, bound and run again, and bound and run in one call. All three are timed in turn
// and make new memory for their results. The worst come first; a run may take 1.05 of plain Go's time and 100 ns.
//
//	go run ./bench/plain -o docs/measurements/plain.md
//
// Interrupted, it prints what it has measured so far.
package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// What a run may take: so many times as long as plain Go, and so many nanoseconds.
const (
	allowedRatio = 1.05
	allowedExtra = 100
)

// row is what was measured of a kernel on one input.
type row struct {
	kernel           string
	n, threads       int
	plain, run, call float64 // nanoseconds
}

// over is how many times as long as allowed t is.
func (r row) over(t float64) float64 { return t / (allowedRatio*r.plain + allowedExtra) }

func main() {
	only := flag.String("only", "", "measure kernels whose names contain this")
	lengths := flag.String("lengths", "0,1,4,16,100,1000,10000,100000,1000000,10000000", "about how many elements inputs have")
	repeat := flag.Int("repeat", 9, "times that each is run")
	out := flag.String("o", "", "write the table to this file, as Markdown, too")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := measure(ctx, *only, *lengths, *repeat, *out); err != nil {
		fmt.Fprintln(os.Stderr, "plain:", err)
		os.Exit(1)
	}
}

func measure(ctx context.Context, only, lengths string, repeat int, out string) error {
	var ns []int
	for text := range strings.SplitSeq(lengths, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			return fmt.Errorf("-lengths: %q is no length", text)
		}
		ns = append(ns, n)
	}
	dir, err := os.MkdirTemp("", "surge-plain")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	surge := filepath.Join(dir, "surge")
	if text, err := exec.CommandContext(ctx, "go", "build", "-o", surge, "./cmd/surge").CombinedOutput(); err != nil {
		return fmt.Errorf("go build ./cmd/surge: %w\n%s", err, text)
	}
	var rows []row
	for _, c := range cases {
		if !strings.Contains(c.kernel, only) {
			continue
		}
		fmt.Fprintf(os.Stderr, "%s\n", c.kernel)
		for _, n := range ns {
			for _, threads := range slices.Compact([]int{1, runtime.GOMAXPROCS(0)}) {
				if c.most > 0 && n > c.most || ctx.Err() != nil {
					continue
				}
				r, err := c.measure(ctx, surge, n, threads, repeat)
				if err != nil {
					fmt.Fprintf(os.Stderr, "%s, %d elements: %v\n", c.kernel, n, err)
					continue
				}
				rows = append(rows, r)
			}
		}
	}
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(b.over(b.run), a.over(a.run)) })
	text := table(rows, strings.Join(os.Args[1:], " "))
	fmt.Print(text)
	if out == "" {
		return nil
	}
	return os.WriteFile(out, []byte(text), 0o666)
}

// measure runs surge run on an input of about n elements.
func (c *testCase) measure(ctx context.Context, surge string, n, threads, repeat int) (row, error) {
	fill := strings.NewReplacer("N", strconv.Itoa(n), "R", strconv.Itoa(int(math.Sqrt(float64(n)))))
	args := []string{"run", c.dir, "-k", c.kernel, "--json", "--plain", "--model", "none", "--platform", "goroutine", "--threads", strconv.Itoa(threads), "--repeat", strconv.Itoa(repeat)}
	if name, spec, ok := strings.Cut(c.data, "="); ok {
		args = append(args, "--data", name+"="+fill.Replace(spec))
	}
	for _, b := range c.bind {
		name, value, _ := strings.Cut(b, "=")
		args = append(args, "--bind", name+"="+fill.Replace(value))
	}
	cmd := exec.CommandContext(ctx, surge, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return row{}, fmt.Errorf("surge %s: %w\n%s%s", strings.Join(args, " "), err, &stdout, &stderr)
	}
	var report struct {
		Plain struct {
			Plain float64 `json:"plain_go_ns"`
			Run   float64 `json:"run_ns"`
			Call  float64 `json:"call_ns"`
		} `json:"against_plain_go"`
	}
	if err := json.Unmarshal(stdout.Bytes(), &report); err != nil {
		return row{}, err
	}
	return row{c.kernel, n, threads, report.Plain.Plain, report.Plain.Run, report.Plain.Call}, nil
}

func table(rows []row, args string) string {
	var sb strings.Builder
	within, calls := 0, 0
	for _, r := range rows {
		if r.over(r.run) <= 1 {
			within++
		}
		if r.over(r.call) <= 1 {
			calls++
		}
	}
	fmt.Fprintf(&sb, "# Kernels against themselves as plain Go\n\nMedians of runs in turn, of what is chosen without training; all make new results. \"Bound\" is a run of what is bound, \"call\" binds and runs.\n"+
		"Allowed are %.2f of plain Go's time and %d ns: %d of %d bound runs keep to it, and %d calls. The worst come first.\n\n%s, %s, %d cores. `go run ./bench/plain %s`\n\n",
		allowedRatio, allowedExtra, within, len(rows), calls, time.Now().Format(time.DateOnly), processor(), runtime.NumCPU(), args)
	sb.WriteString("| kernel | elements | threads | plain Go | bound | call | bound / allowed | call / allowed |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	for _, r := range rows {
		fmt.Fprintf(&sb, "| %s | %d | %d | %s | %s | %s | %.2f | %.2f |\n", r.kernel, r.n, r.threads, duration(r.plain), duration(r.run), duration(r.call), r.over(r.run), r.over(r.call))
	}
	return sb.String()
}

func duration(ns float64) string {
	switch {
	case ns < 1e3:
		return fmt.Sprintf("%.0f ns", ns)
	case ns < 1e6:
		return fmt.Sprintf("%.3g µs", ns/1e3)
	}
	return fmt.Sprintf("%.3g ms", ns/1e6)
}

// processor is the processor's name as Linux tells it.
func processor() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}
