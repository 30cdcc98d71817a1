package drive

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/selector"
)

// Result is what was found of a program on one of its sets, in nanoseconds.
type Result struct {
	Kernel, Set string
	Plain       float64 // of plain Go, which is one thread
	Platforms   []PlatformResult
	// Best is the least time of a run on goroutines, of what was chosen and of what the search tried; Variants are the
	// variants of that run.
	Best     float64
	Variants []string
	Tried    int // variants
}

// PlatformResult is the median time of a run of what is bound on a platform, with what is chosen without training.
type PlatformResult struct {
	Platform string
	Time     float64
	Variants []string
	Failed   string // why there is no time: it was refused, or differs from plain Go
}

const (
	suiteTurns = 7
	suiteLimit = 6 * time.Second // for the turns of one set, after which none begins
	plainLimit = time.Second     // a run of plain Go that takes longer is not repeated
)

// Suite runs all kernels that were added on all of their sets, and writes a [Result] a line to out. Times are taken in
// turns: plain Go and all platforms one after the other. search is for how long variants other than the chosen one are
// tried.
func Suite(out *os.File, platforms []string, search time.Duration) {
	lines := json.NewEncoder(out)
	for i := range kernels {
		if kernels[i].Sets == nil {
			continue
		}
		for _, s := range kernels[i].Sets() {
			lines.Encode(kernels[i].suite(s, platforms, search))
			runtime.GC()
		}
	}
}

// sample is what takes its turns.
type sample struct {
	timed
	times []float64
}

func (k *Kernel) suite(s Set, platforms []string, search time.Duration) Result {
	res := Result{Kernel: k.Name, Set: s.Name}
	args := s.Make()
	values := make([]reflect.Value, len(args))
	for i, a := range args {
		values[i] = reflect.ValueOf(a)
	}
	start := time.Now()
	want := k.plain(values)
	res.Plain = float64(time.Since(start))
	var all []*sample
	add := func(run func() error) *sample {
		m := &sample{timed: timed{repeat(run), 1, new(float64), nil}}
		all = append(all, m)
		return m
	}
	res.Platforms = make([]PlatformResult, len(platforms))
	samples := map[string]*sample{}
	var plain *sample
	for i, p := range platforms {
		r := &res.Platforms[i]
		r.Platform = p
		if r.Failed = k.agrees(values, want, exec.Platform(p)); r.Failed != "" {
			continue
		}
		b, err := k.Bind(args, exec.Platform(p))
		if err == nil {
			err = b.Run()
		}
		if err != nil {
			r.Failed = err.Error()
			continue
		}
		if plain == nil && res.Plain < float64(plainLimit) {
			plain = add(func() error { b.Plain(); return nil })
		}
		samples[p] = add(b.Run)
		r.Variants = variantsOf(b.Decisions())
	}
	if err := take(all); err != nil {
		res.Platforms[0].Failed = err.Error()
		return res
	}
	if plain != nil {
		res.Plain = median(plain.times)
	}
	for i, p := range platforms {
		if m := samples[p]; m != nil {
			res.Platforms[i].Time = median(m.times)
		}
	}
	if host := slices.Index(platforms, selector.Host); host >= 0 && samples[selector.Host] != nil {
		res.Best, res.Variants = res.Platforms[host].Time, res.Platforms[host].Variants
		k.search(args, &res, time.Now().Add(search))
	}
	return res
}

// agrees says how the results of a call differ from what plain Go gave, "" if they do not.
func (k *Kernel) agrees(args []reflect.Value, want outcome, opts ...exec.Option) string {
	got := k.compiled(context.Background(), args, opts)
	if want.fault != nil || want.err != nil || got.err != nil {
		return fmt.Sprintf("%v; plain Go: %v", got, want)
	}
	for i := range want.values {
		if diff := difference(got.values[i], want.values[i], elements(args)); diff != "" {
			return fmt.Sprintf("result %d %s", i+1, diff)
		}
	}
	return ""
}

// take runs all samples in turns.
func take(all []*sample) error {
	for _, m := range all {
		if err := calibrate([]*timed{&m.timed}); err != nil {
			return err
		}
	}
	start := time.Now()
	for turn := 0; turn < suiteTurns && (turn < 3 || time.Since(start) < suiteLimit); turn++ {
		for i := range all {
			m := all[(i+turn)%len(all)]
			d, _, err := once(&m.timed)
			if err != nil {
				return err
			}
			m.times = append(m.times, d/float64(m.count))
		}
	}
	return nil
}

// search tries the codes of each computation on goroutines, with all threads and the others as they were chosen, until
// the time is over, and keeps what is faster.
func (k *Kernel) search(args []any, res *Result, until time.Time) {
	threads := runtime.GOMAXPROCS(0)
	best := map[string]string{} // the variant of each computation that was found to be faster
	for _, c := range k.Exec.Computations {
		codes, err := c.Available()
		if err != nil {
			return
		}
		for _, code := range codes {
			if code.Platform != selector.Host || time.Now().After(until) {
				continue
			}
			v, err := selector.FillLaunch(code, threads)
			if err != nil {
				continue
			}
			opts := []exec.Option{exec.Platform(selector.Host), exec.Variant(v.String())}
			for other, text := range best {
				if other != c.Name {
					opts = append(opts, exec.Variant(text))
				}
			}
			b, err := k.Bind(args, opts...)
			if err != nil || b.Run() != nil {
				continue
			}
			m := &sample{timed: timed{repeat(b.Run), 1, new(float64), nil}}
			if take([]*sample{m}) != nil {
				continue
			}
			res.Tried++
			if t := median(m.times); t < res.Best {
				res.Best, best[c.Name], res.Variants = t, v.String(), variantsOf(b.Decisions())
			}
		}
	}
}

func variantsOf(decisions []exec.Decision) (list []string) {
	for _, d := range decisions {
		_, variant, _ := strings.Cut(d.Variant.String(), "/")
		list = append(list, variant)
	}
	return list
}

func median(times []float64) float64 {
	if len(times) == 0 {
		return math.NaN()
	}
	times = slices.Sorted(slices.Values(times))
	return times[len(times)/2]
}
