package drive

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/surge-ndp/surge/codegen/cluster/clustertest"
	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/codegen/harness"
	"github.com/surge-ndp/surge/ops"
)

// Line is what the program prints: the start of a kernel, a failure, or the totals.
type Line struct {
	Start   string   `json:",omitempty"`
	Failure *Failure `json:",omitempty"`
	Totals  *Totals  `json:",omitempty"`
}

// Failure is a disagreement with plain Go.
type Failure struct{ Kernel, Kind, Variant, Input, Detail string }

// Totals counts what was run.
type Totals struct {
	Kernels, Codes, Variants, Runs int
	Refused                        int // runs that returned an error where plain Go panics
	Otherwise                      int // of those that did, runs with another code: a bad input can be noticed at several places
	Restricted                     int // runs that refused bad input with which a loop carries sequences of another length
	Lenient                        int // runs that succeeded where plain Go panics: the bad element was not needed
}

// Main runs the kernels.
func Main(specs []Spec) {
	sizes := flag.String("sizes", "0,1,2,3,7,8,9,15,16,17,31,33,64,65,100,257,515", "lengths")
	skip := flag.String("skip", "", "kernels to leave out")
	few := flag.Bool("few", false, "fewer inputs")
	budget := flag.Duration("budget", 3*time.Second, "time for a kernel, after its first input")
	watch := flag.Duration("watch", 2*time.Minute, "time after which a kernel counts as hanging")
	to := flag.String("out", "/dev/stdout", "file for the lines of JSON") // package harness keeps standard output for itself
	flag.Parse()
	file, err := os.Create(*to)
	if err != nil {
		panic(err)
	}
	defer file.Close()
	out := json.NewEncoder(file)
	var lengths []int
	for _, s := range strings.Split(*sizes, ",") {
		n, err := strconv.Atoi(s)
		if err != nil {
			panic(err)
		}
		lengths = append(lengths, n)
	}
	kernels := map[string]*harness.Kernel{}
	for _, k := range harness.Registered() {
		kernels[k.Exec.Name] = k
	}
	var totals Totals
	for i := range specs {
		sp := &specs[i]
		k := kernels[sp.Kernel]
		if k == nil || slices.Contains(strings.Split(*skip, ","), sp.Kernel) {
			continue
		}
		out.Encode(Line{Start: sp.Kernel})
		d := &driver{sp: sp, k: k, totals: &totals, out: out}
		hangs := time.AfterFunc(*watch, func() { panic(fmt.Sprintf("%s is not done after %v", sp.Kernel, *watch)) })
		d.kernel(lengths, *few, *budget)
		hangs.Stop()
		totals.Kernels++
	}
	clustertest.Flush(context.Background())
	out.Encode(Line{Totals: &totals})
}

type driver struct {
	sp     *Spec
	k      *harness.Kernel
	totals *Totals
	out    *json.Encoder
	found  int
}

// maxFailures is how many failures of a kernel are reported.
const maxFailures = 3

func (d *driver) fail(kind, variant string, s shape, format string, args ...any) {
	if d.found++; d.found <= maxFailures {
		d.out.Encode(Line{Failure: &Failure{d.sp.Kernel, kind, variant, s.String(), fmt.Sprintf(format, args...)}})
	}
}

func (d *driver) kernel(lengths []int, few bool, limit time.Duration) {
	var all [][][]string // for each algorithm
	_, inBlocks := cuts[d.sp.Kernel]
	if len(cuts) > 0 && !inBlocks {
		return
	}
	for _, a := range append([]*exec.Kernel{d.k.Exec}, d.k.Exec.Alternatives...) {
		variants, err := d.variants(a)
		if err != nil {
			d.fail("variants", "", shape{}, "%v", err)
			return
		}
		all = append(all, variants)
	}
	input := func(s shape) {
		if inBlocks {
			d.blocks(s)
			return
		}
		for _, variants := range all {
			rounds := 1
			for _, v := range variants {
				rounds = max(rounds, len(v))
			}
			d.input(s, variants, rounds)
		}
	}
	var budget time.Time
	for _, n := range lengths {
		s := shape{name: fmt.Sprint(n), n: n}
		input(s)
		if budget.IsZero() { // a driver's compiler takes its time for what runs the first time
			budget = time.Now().Add(limit)
		}
		if few && n > 20 {
			continue
		}
		if d.sp.NaN && n%3 == 0 {
			s.mode = "nan"
			input(s)
		}
		if n < 70 {
			s.mode = "bad"
			for s.salt = range badInputs(d.sp) {
				input(s)
			}
		}
		if time.Now().After(budget) {
			break
		}
	}
}

// badInputs is how many bad inputs of one length a kernel is given: many where errors have to be the same.
func badInputs(sp *Spec) uint64 {
	if sp.Same {
		return 40
	}
	return 2
}

// reference runs plain Go; fault is what it panicked with.
func (d *driver) reference(args []any) (results []any, fault error) {
	defer func() {
		if r := recover(); r != nil {
			fault = fmt.Errorf("%v", r)
			if e, ok := r.(*ops.Error); ok {
				fault = e
			}
		}
	}()
	return d.k.Dismantle(d.k.Reference(args))
}

func (d *driver) input(s shape, variants [][]string, rounds int) {
	leaves := d.sp.inputs(s)
	keep := deepCopy(leaves)
	args, err := d.k.Assemble(leaves)
	if err != nil {
		d.fail("generator", "", s, "%v", err)
		return
	}
	want, fault := d.reference(args)
	if fault != nil && s.mode != "bad" && !d.sp.Fails {
		d.fail("generator", "", s, "plain Go panics: %v", fault)
		return
	}
	largest := 1
	for _, a := range leaves {
		largest = max(largest, count(a))
	}
	for _, w := range want {
		largest = max(largest, count(w))
	}
	if len(variants) == 0 {
		variants = [][]string{nil}
	}
	outcome := ""
	for round := range rounds {
		opts := []exec.Option{exec.Threads(3)}
		var names []string
		for _, v := range variants {
			if len(v) > 0 {
				opts = append(opts, exec.Variant(v[round%len(v)]))
				names = append(names, v[round%len(v)])
			}
		}
		name := strings.Join(names, " & ")
		got, err := d.run(s, name, args, want, opts, round)
		d.totals.Runs++
		var e *exec.Error
		switch {
		case errors.As(err, &e) && e.Code == exec.CodeUneven: // was asked for by name
		case err != nil && !errors.As(err, &e):
			d.fail("error", name, s, "not an *exec.Error but %T: %v", err, err)
		case err != nil && fault == nil && s.mode == "bad" && d.sp.Carries && (e.Code == ops.CodeLength || e.Code == "destination"):
			d.totals.Restricted++
		case err != nil && fault == nil:
			d.fail("error", name, s, "plain Go succeeds, the variant says: %v", err)
		case err != nil:
			d.totals.Refused++
		case fault != nil:
			d.totals.Lenient++
		default:
			for i, w := range want {
				if text := inexact(got[i], w, d.sp.ULPs); d.sp.Exact && text != "" {
					d.fail("mismatch", name, s, "result %d: %s", i+1, text)
					break
				}
				if c := harness.Compare(got[i], w, d.k.Outs()[i], largest); !c.OK {
					d.fail("mismatch", name, s, "result %d: element %d is %s, want %s; %d of %d differ (%s)", i+1, c.First, c.Got, c.Want, c.Bad, c.Count, c.Rule)
					break
				}
			}
		}
		if fault != nil && (e == nil || e.Code != exec.CodeUneven) {
			o := "succeeds"
			if err != nil {
				o = "fails"
				var misuse *ops.Error
				if errors.As(fault, &misuse) && e != nil && e.Code != misuse.Code {
					d.totals.Otherwise++
					if d.sp.Same {
						d.fail("error", name, s, "%v, want %v", err, fault)
					}
				}
			}
			if outcome == "" {
				outcome = o
			} else if outcome != o {
				d.fail("disagree", name, s, "plain Go panics (%v); this variant %s (%v), others do not", fault, o, err)
			}
		}
		if d.found > maxFailures {
			return
		}
	}
	if fmt.Sprint(leaves...) != fmt.Sprint(keep...) { // as text: NaN differs from itself
		d.fail("input", "", s, "the inputs were modified")
	}
}

// run binds and runs with guarded destinations, twice now and then.
func (d *driver) run(s shape, name string, args, want []any, opts []exec.Option, round int) (got []any, err error) {
	defer func() {
		if r := recover(); r != nil {
			d.fail("panic", name, s, "%v\n%s", r, debug.Stack())
			err = &exec.Error{Code: "panic"}
		}
	}()
	var guards []func(any) string
	if round%4 != 3 && !d.sp.Structs {
		for _, w := range want {
			o, check := guard(w)
			opts = append(opts, o)
			guards = append(guards, check)
		}
	}
	b, err := d.k.Bind(args, opts...)
	if err != nil {
		return nil, err
	}
	times := 1
	if round%4 == 1 {
		times = 2
	}
	for range times {
		if got, err = b.Run(context.Background()); err != nil {
			return nil, err
		}
	}
	for i, check := range guards {
		if check == nil {
			continue
		}
		if text := check(got[i]); text != "" {
			d.fail("guard", name, s, "%s", text)
		}
	}
	return d.k.Dismantle(got)
}

// Read parses what a program printed.
func Read(text string) (lines []Line) {
	s := bufio.NewScanner(strings.NewReader(text))
	s.Buffer(nil, 1<<24)
	for s.Scan() {
		var l Line
		if json.Unmarshal(s.Bytes(), &l) == nil {
			lines = append(lines, l)
		}
	}
	return lines
}
