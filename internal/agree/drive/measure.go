package drive

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/codegen/harness"
)

// Times are the times of a kernel on one input, in nanoseconds: the least of several turns, in which all are measured
// one after another.
type Times struct {
	Kernel   string
	N        int
	Plain    float64
	Call     [2]float64 // of what Run takes, on one and on two threads
	Run      [2]float64 // of a run of what is bound
	Variants []string   // what was chosen on two threads
	Failed   string     // why nothing was measured, if so
}

const (
	turns = 5
	slice = 2 * time.Millisecond // of measuring one thing in a turn
	limit = 2 * time.Second      // for a kernel on one input, after which no turn begins
)

// Measure times all kernels that were added, and writes [Times] a line to out.
func Measure(out *os.File, lengths []int) {
	harness.Untimed(true)
	lines := json.NewEncoder(out)
	for i := range kernels {
		for _, n := range lengths {
			lines.Encode(kernels[i].measure(n))
		}
	}
}

// timed is what is measured: run runs it count times.
type timed struct {
	run   func(count int) error
	count int
	least *float64
}

func (k *Kernel) measure(n int) (t Times) {
	t = Times{Kernel: k.Name, N: n, Plain: math.Inf(1)}
	args := k.Inputs.(func(int, *rand.Rand) []any)(n, rand.New(rand.NewPCG(1, uint64(n))))
	var all []*timed
	var decisions func() []exec.Decision
	for i := range 2 {
		opts := []exec.Option{exec.Threads(i + 1)}
		b, err := k.Bind(args, opts...)
		if err != nil {
			t.Failed = err.Error()
			return t
		}
		if i == 0 {
			all = append(all, &timed{repeat(func() error { b.Plain(); return nil }), 1, &t.Plain})
		}
		t.Call[i], t.Run[i] = math.Inf(1), math.Inf(1)
		all = append(all, &timed{repeat(b.Call), 1, &t.Call[i]}, &timed{repeat(b.Run), 1, &t.Run[i]})
		decisions = b.Decisions
	}
	if failed := attempt(func() error { return calibrate(all) }); failed != nil {
		t.Failed = failed.Error()
		return t
	}
	start := time.Now()
	for turn := 0; turn < turns && (turn < 2 || time.Since(start) < limit); turn++ {
		runtime.GC()
		for _, m := range all {
			d, err := once(m)
			if err != nil {
				t.Failed = err.Error()
				return t
			}
			*m.least = min(*m.least, d/float64(m.count))
		}
	}
	for _, d := range decisions() {
		_, variant, _ := strings.Cut(d.Variant.String(), "/nest/")
		t.Variants = append(t.Variants, variant)
	}
	return t
}

// attempt turns a panic into an error: plain Go panics for some inputs.
func attempt(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	return f()
}

// calibrate finds how often each has to run, so that it takes long enough to be measured.
func calibrate(all []*timed) error {
	for _, m := range all {
		for {
			d, err := once(m)
			if err != nil {
				return err
			}
			if d >= float64(slice)/2 || m.count > 1<<20 {
				break
			}
			m.count = max(2*m.count, int(float64(m.count)*float64(slice)/max(d, 1)/2))
		}
	}
	return nil
}

func once(m *timed) (nanoseconds float64, err error) {
	start := time.Now()
	err = m.run(m.count)
	return float64(time.Since(start)), err
}

func repeat(f func() error) func(int) error {
	return func(count int) error {
		for range count {
			if err := f(); err != nil {
				return err
			}
		}
		return nil
	}
}
