package drive

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/selector/param"
)

// Report is what a run of a kernel found.
type Report struct {
	Kernel   string
	Runs     int      // of compiled code
	Refused  int      // inputs of which plain Go panics or returns an error
	Failures []string // at most maxFailures of them
}

const (
	maxFailures = 3
	watch       = 2 * time.Minute // after which a kernel counts as hanging
)

// Main runs all kernels that were added on a platform, and writes a [Report] a line to out. On goroutines each code of
// each computation runs, on a device what is chosen: a driver compiles every code for itself, which takes its time.
func Main(out *os.File, platform string) {
	runtime.GOMAXPROCS(3)
	lines := json.NewEncoder(out)
	for i := range kernels {
		k := &kernels[i]
		hangs := time.AfterFunc(watch, func() { panic(fmt.Sprintf("%s is not done after %v", k.Name, watch)) })
		d := &driver{k: k, platform: platform, report: Report{Kernel: k.Name}}
		d.run()
		hangs.Stop()
		lines.Encode(d.report)
	}
}

type driver struct {
	k        *Kernel
	platform string
	report   Report
	kept     []kept // the results of the last call
}

// kept is a result of a call, and what it was when the call ended.
type kept struct {
	result, was reflect.Value
	elements    int // of the arguments
	what        string
}

// later fails if a later call has changed results.
func (d *driver) later() {
	for _, k := range d.kept {
		if diff := difference(k.result, k.was, k.elements); diff != "" {
			d.fail("%s: a later call has changed a result: %s", k.what, diff)
		}
	}
	d.kept = nil
}

func (d *driver) fail(format string, args ...any) {
	if len(d.report.Failures) < maxFailures {
		d.report.Failures = append(d.report.Failures, fmt.Sprintf(format, args...))
	}
}

func (d *driver) run() {
	if d.platform == "blocks" || d.platform == "prism" {
		d.runBlocks()
		return
	}
	sizes := []int{0, 1, 3, 64, 1000}
	choices := []choice{{"1 thread", []exec.Option{exec.Threads(1)}}, {"3 threads", []exec.Option{exec.Threads(3)}}}
	if d.platform == "goroutine" {
		forced, err := d.forced()
		if err != nil {
			d.fail("%v", err)
			return
		}
		choices = append(choices, forced...)
	} else {
		sizes, choices = []int{0, 3, 64}, []choice{{d.platform, []exec.Option{exec.Platform(d.platform)}}}
	}
	d.changed(choices[len(choices)-1])
	for _, n := range sizes {
		for _, mode := range []string{"usual", "odd", "uneven"} {
			if d.k.Inputs != nil && mode != "usual" {
				continue
			}
			for _, c := range choices {
				d.once(shape{n, mode}, c)
			}
		}
	}
}

// choice is how the variants of a run are chosen.
type choice struct {
	name string
	opts []exec.Option
}

// forced are choices that, together, take every code of every computation of every algorithm.
func (d *driver) forced() (all []choice, err error) {
	for _, a := range append([]*exec.Kernel{d.k.Exec}, d.k.Exec.Alternatives...) {
		of, err := d.codes(a)
		if err != nil {
			return nil, err
		}
		all = append(all, of...)
	}
	return all, nil
}

// codes are choices that, together, take every code of every computation of an algorithm.
func (d *driver) codes(algorithm *exec.Kernel) (all []choice, err error) {
	for i, c := range algorithm.Computations {
		codes, err := c.Available()
		if err != nil {
			return nil, err
		}
		for j, code := range codes {
			if code.Platform != d.platform {
				continue
			}
			v, err := selector.FillLaunch(code, 3, launch(code, j)...)
			if err != nil {
				if v, err = selector.FillLaunch(code, 3); err != nil {
					return nil, err
				}
			}
			for len(all) <= j {
				all = append(all, choice{})
			}
			all[j].name += " " + v.String()
			all[j].opts = append(all[j].opts, exec.Variant(v.String()))
		}
		if i == 0 && len(all) == 0 {
			return nil, errors.New("no code of " + c.Name + " can run")
		}
	}
	return all, nil
}

// launch are settings for code number j, so that chunks are handed out in all ways.
func launch(code selector.Code, j int) (out []selector.Setting) {
	schedule, chunk := []string{"dynamic", "guided", "static"}[j%3], []int{2, 1, 5, 0}[j%4]
	for _, l := range code.Launch {
		switch {
		case param.NumThreads.Is(selector.Setting{Name: l.Name}):
			out = append(out, selector.Setting{Name: l.Name, Value: "3"})
		case strings.HasPrefix(l.Name, "omp_schedule") && slices.Contains(l.Values, schedule):
			out = append(out, selector.Setting{Name: l.Name, Value: schedule})
		case strings.HasPrefix(l.Name, "chunk_size"):
			out = append(out, selector.Setting{Name: l.Name, Value: strconv.Itoa(chunk)})
		}
	}
	return out
}

// once runs the kernel on one input, and plain Go on one that is the same.
func (d *driver) once(s shape, c choice) {
	args, err := d.k.arguments(s)
	if err != nil {
		d.fail("%v", err)
		return
	}
	same, _ := d.k.arguments(s)
	want := d.k.plain(same)
	got := d.k.compiled(context.Background(), args, c.opts)
	if e := (*exec.Error)(nil); errors.As(got.err, &e) && e.Code == exec.CodeUneven {
		return // the code was asked for by name
	}
	d.later()
	d.report.Runs++
	what := fmt.Sprintf("%v, under %s", s, strings.TrimSpace(c.name))
	if want.fault != nil || want.err != nil {
		d.report.Refused++
		if !agreed(got.err, want) {
			d.fail("%s: %v; plain Go: %v", what, got, want)
			return
		}
		if want.fault != nil {
			return
		}
	} else if got.err != nil {
		d.fail("%s: %v; plain Go: %v", what, got, want)
		return
	}
	n := elements(args)
	for i := range want.values {
		if diff := difference(got.values[i], want.values[i], n); diff != "" {
			d.fail("%s: result %d: %s", what, i+1, diff)
			return
		}
		if !d.k.Exec.Plain.Exact || runtime.GOARCH != "amd64" {
			continue
		}
		if diff := identical(got.values[i], want.values[i]); diff != "" {
			d.fail("%s: result %d of a kernel whose results are said to be exact: %s", what, i+1, diff)
			return
		}
	}
	if inside := memoryOf(args); slices.ContainsFunc(memoryOf(got.values), inside.overlaps) {
		d.fail("%s: a result shares memory with an argument", what)
	}
	for i, v := range got.values {
		d.kept = append(d.kept, kept{v, want.values[i], n, what})
	}
	for i := range args {
		if diff := difference(args[i], same[i], 0); diff != "" {
			d.fail("%s: the argument %d was changed: %s", what, i+1, diff)
		}
	}
}

// sameError tells whether an error is what plain Go returned in two runs: the same one, or, where plain Go makes one
// in each run, one of the same type and text that wraps the same errors.
func sameError(got, want, again error) bool {
	if got == nil || want == nil || again == nil {
		return got == want
	}
	if want == again {
		return got == want
	}
	if reflect.TypeOf(got) != reflect.TypeOf(want) || got.Error() != want.Error() {
		return false
	}
	gs, ws, as := inside(got), inside(want), inside(again)
	if len(gs) != len(ws) || len(as) != len(ws) {
		return false
	}
	for i := range ws {
		if !sameError(gs[i], ws[i], as[i]) {
			return false
		}
	}
	return true
}

// inside are the errors that an error wraps.
func inside(err error) []error {
	switch err := err.(type) {
	case interface{ Unwrap() error }:
		return []error{err.Unwrap()}
	case interface{ Unwrap() []error }:
		return err.Unwrap()
	}
	return nil
}

// agreed tells whether compiled code failed as plain Go did: with the error that the kernel returned, with the text
// that it panicked with, or, where Go itself or an operator panicked, with an error of the run.
func agreed(err error, want outcome) bool {
	if err == nil {
		return false
	}
	if want.err != nil {
		return sameError(err, want.err, want.again)
	}
	if text, ok := want.fault.(string); ok {
		return strings.Contains(err.Error(), text)
	}
	return errors.As(err, new(*exec.Error))
}
