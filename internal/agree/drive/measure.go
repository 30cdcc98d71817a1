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

	"golang.org/x/sys/unix"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/codegen/harness"
)

// Times are the times of a kernel on one input, in nanoseconds: the least of several turns, in which all are measured
// one after another. What has an entry for one thread and one for two is processor time of that thread for one, which
// other work on the machine hardly changes, and time that passes for two.
type Times struct {
	Kernel   string
	N        int
	Plain    [2]float64 // of plain Go, to be compared with the entries of the others
	Again    [2]float64 // of plain Go once more, as the others: what of differences is noise
	Call     [2]float64 // of what Run takes, on one and on two threads
	Run      [2]float64 // of a run of what is bound
	Variants []string   // what was chosen on two threads
	Reasons  []string   // why
	Failed   string     // why nothing was measured, if so
}

// What a run may take: so many times as long as plain Go, and so many nanoseconds.
const (
	AllowedRatio = 1.05
	AllowedExtra = 100
)

// Over is how many times as long as allowed a time is, that of entry i.
func (t *Times) Over(i int, took float64) float64 {
	return took / (AllowedRatio*t.Plain[i] + AllowedExtra)
}

const (
	turns     = 5
	moreTurns = 25                   // where something is slower than allowed
	slice     = 2 * time.Millisecond // of measuring one thing in a turn
	limit     = 2 * time.Second      // for a kernel on one input, after which no turn begins
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
	least *float64 // of the time that passes
	used  *float64 // the least processor time; may be nil
}

func (k *Kernel) measure(n int) (t Times) {
	t = Times{Kernel: k.Name, N: n, Plain: [2]float64{math.Inf(1), math.Inf(1)}, Again: [2]float64{math.Inf(1), math.Inf(1)}}
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
			plain := repeat(func() error { b.Plain(); return nil })
			all = append(all, &timed{plain, 1, &t.Plain[1], &t.Plain[0]}, &timed{plain, 1, &t.Again[1], &t.Again[0]})
		}
		t.Call[i], t.Run[i] = math.Inf(1), math.Inf(1)
		for _, m := range []*timed{{repeat(b.Call), 1, &t.Call[i], nil}, {repeat(b.Run), 1, &t.Run[i], nil}} {
			if i == 0 {
				m.least, m.used = new(float64), m.least
			}
			all = append(all, m)
		}
		decisions = b.Decisions
	}
	if failed := attempt(func() error { return calibrate(all) }); failed != nil {
		t.Failed = failed.Error()
		t.Plain, t.Again, t.Call, t.Run = [2]float64{}, [2]float64{}, [2]float64{}, [2]float64{}
		return t
	}
	start := time.Now()
	for turn := 0; turn < moreTurns && (turn < 2 || time.Since(start) < limit) && (turn < turns || t.slow()); turn++ {
		for i := range all {
			m := all[(i+turn)%len(all)]
			runtime.GC() // what the one before left behind
			d, used, err := once(m)
			if err != nil {
				t.Failed = err.Error()
				return t
			}
			*m.least = min(*m.least, d/float64(m.count))
			if m.used != nil {
				*m.used = min(*m.used, used/float64(m.count))
			}
		}
	}
	for _, d := range decisions() {
		_, variant, _ := strings.Cut(d.Variant.String(), "/nest/")
		t.Variants = append(t.Variants, variant)
		t.Reasons = append(t.Reasons, d.Reason)
	}
	return t
}

// slow reports whether runs take longer than allowed, or seem to: so may plain Go itself.
func (t *Times) slow() bool {
	return t.Over(0, t.Run[0]) > 1 || t.Over(1, t.Run[1]) > 1 || t.Over(0, t.Again[0]) > 1 || t.Over(1, t.Again[1]) > 1
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
			d, _, err := once(m)
			if err != nil {
				return err
			}
			if d >= float64(slice)/2 && d < 10*float64(slice) { // it may have waited for another program
				again, _, err := once(m)
				if err != nil {
					return err
				}
				d = min(d, again)
			}
			if d >= float64(slice)/2 || m.count > 1<<20 {
				break
			}
			m.count = max(2*m.count, int(float64(m.count)*float64(slice)/max(d, 1)/2))
		}
	}
	return nil
}

// once returns how long m takes, and how much processor time of the calling thread.
func once(m *timed) (nanoseconds, used float64, err error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before, start := processorTime(), time.Now()
	err = m.run(m.count)
	return float64(time.Since(start)), processorTime() - before, err
}

// processorTime is what the calling thread has used so far, in nanoseconds. That of the whole process has the time of
// its other threads as of when the system last looked at them, which may be milliseconds ago.
func processorTime() float64 {
	var t unix.Timespec
	if unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t) != nil {
		return 0
	}
	return float64(t.Nano())
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
