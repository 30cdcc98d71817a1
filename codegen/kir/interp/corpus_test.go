package interp_test

import (
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"path/filepath"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/codegen/goroutine"
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/codegen/kir/interp"
	"github.com/surge-ndp/surge/codegen/lower"
	"github.com/surge-ndp/surge/codegen/opencl"
	"github.com/surge-ndp/surge/codegen/openmp"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/load"
	"github.com/surge-ndp/surge/policy"
	"github.com/surge-ndp/surge/selector"
)

var only = flag.String("only", "", "run kernels whose names begin so only")

// TestDevices runs the device code of every kernel that this module has, and compares it with what the IR means: all of it, or in
// a short test one code for each schedule.
func TestDevices(t *testing.T) { runAll(t, opencl.Platform.Name, codegen.PortableMachine()) }

// TestPool does the same with the code of the worker pool, for vectors of one length of each kind.
func TestPool(t *testing.T) {
	m := codegen.PortableMachine()
	m.Lanes = map[int][]int{4: {8}, 8: {4}}
	runAll(t, goroutine.Platform.Name, m)
}

// TestLoopsInLanes does the same with code for compilers that make the vectors themselves: what loops say of their turns is true.
func TestLoopsInLanes(t *testing.T) { runAll(t, openmp.Platform.Name, codegen.PortableMachine()) }

func runAll(t *testing.T, platform string, m policy.Machine) {
	for _, dir := range packages {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			pkg, err := load.Load(t.Context(), dir, load.Options{})
			if pkg == nil {
				t.Fatal(err)
			}
			p, err := codegen.Compile(pkg, codegen.Options{Machine: m, Platforms: []string{platform}})
			if p == nil {
				t.Fatal(err)
			}
			codes := 0
			for _, k := range p.Kernels {
				if strings.HasPrefix(k.Source.Name, *only) {
					r := &runner{T: t, k: k, pkg: pkg.Name, platform: platform}
					r.kernel()
					codes += r.codes
				}
			}
			t.Logf("%d kernels, %d runs of codes", len(p.Kernels), codes)
		})
	}
}

var packages = []string{"../../../examples/spmv", "../../../examples/reduction", "../../../examples/scan", "../../../examples/kmeans",
	"../../../examples/comd", "../../../internal/corpus", "../../../internal/constructs", "../../kernels"}

// runner runs the code of a kernel.
type runner struct {
	*testing.T
	k        *codegen.Kernel
	pkg      string
	platform string
	codes    int // that were run
}

func (r *runner) kernel() {
	good := 0
	sizes := []int{13, 0, 29}
	if r.pkg == "corpus" { // whose inputs are a part of that
		sizes = []int{60, 0, 200}
	}
	for i, args := range inputs(r.k.Source, makers[r.pkg+"."+r.k.Source.Name], sizes, r.pkg == "constructs") {
		m, err := meaningOf(r.k.Fused, args)
		if err != nil {
			continue
		}
		if len(m.failed) == 0 {
			good += count(args)
		}
		if err := r.input(m, i); err != nil {
			r.Errorf("%s, input %d: %v", r.k.Source.Name, i, err)
			return
		}
	}
	if good < 8 {
		r.Logf("%s refuses all inputs", r.k.Source.Name)
	}
}

// done is the error of a run that ended as it has to: by a check that fails.
var done = errors.New("done")

// input runs a kernel on one input, step by step. Each step begins with what the IR computes before.
func (r *runner) input(m *meaning, number int) error {
	opt := interp.Options{Seed: uint64(number), Order: interp.Random}
	step := func(what string, err error) error {
		if wrong := m.expected(err); wrong != nil {
			return fmt.Errorf("%s: %w", what, wrong)
		}
		if err != nil {
			return done
		}
		return nil
	}
	cs, early, rest := computations(r.k)
	err := r.steps(m, cs, early, rest, opt, step)
	if errors.Is(err, done) {
		return nil
	}
	if err == nil && len(m.failed) > 0 {
		return fmt.Errorf("nothing fails, and in the IR %w", m.failed[0])
	}
	return err
}

// steps runs what a run of the compiled kernel consists of.
func (r *runner) steps(m *meaning, cs []computation, early, rest []*ir.Stmt, opt interp.Options, step func(string, error) error) error {
	f := m.frame(nil)
	if err := step("before the run", m.host(early, f, opt)); err != nil {
		return err
	}
	for _, c := range cs {
		fn, err := lower.Inspector(r.k.Fused, c.Computation, "inspect")
		if err != nil {
			return err
		}
		if fn == nil {
			continue
		}
		if err := kir.Verify(fn); err != nil {
			return err
		}
		if err := step(c.Name+", its inspector", interp.Func(fn, f, opt)); err != nil {
			return err
		}
	}
	for _, c := range cs {
		if err := step("before "+c.Name, m.host(c.before, m.frame(c.Stmt), opt)); err != nil {
			return err
		}
		if err := r.computation(m, c, opt); err != nil {
			return err
		}
	}
	if len(rest) == 0 {
		return nil
	}
	return step("after the last computation", m.host(rest, m.frame(rest[0]), opt))
}

// computation runs codes of a computation.
func (r *runner) computation(m *meaning, c computation, opt interp.Options) error {
	space := r.k.Space(r.platform, c.Name)
	if space == nil {
		space = r.lanes(c)
	}
	failed := 0
	for _, code := range sample(space.Codes(), opt.Seed) {
		run, err := r.lowered(c, code.Variant)
		if err != nil {
			return fmt.Errorf("%s: %w", code.Variant, err)
		}
		o := geometry(code.String(), opt)
		f := m.frame(c.Stmt)
		if err := m.room(c.Computation, f, o); err != nil {
			if err := m.expected(err); err != nil {
				return fmt.Errorf("%s: %w", c.Name, err)
			}
			return done
		}
		r.codes++
		switch err = run.run(f, o); {
		case err != nil:
			failed++
			err = m.expected(err)
		case m.values[c.Stmt.Dst[0]] == nil:
			err = fmt.Errorf("nothing fails, and in the IR %w", m.failed[0])
		default:
			err = m.stored(c.Computation, f)
		}
		if err != nil {
			return fmt.Errorf("%s, %+v: %w\n%s", code.Variant, o, err, run.text)
		}
	}
	if failed > 0 {
		return done
	}
	return nil
}

// lanes is the space of a computation for loops in lanes.
func (r *runner) lanes(c computation) *policy.Space {
	lowers := policy.Constraint{Name: "lowering", Code: true, Reason: func(ctx policy.Context) string {
		v := selector.Variant{Computation: c.Name, Form: codegen.Form, Schedule: ctx.Schedule.String(), Platform: r.platform}
		for _, a := range ctx.Assignment {
			v.Policy = append(v.Policy, selector.Setting{Name: a.Name, Value: a.Value})
		}
		if _, err := r.lowered(c, v); err != nil {
			return err.Error()
		}
		return ""
	}}
	return policy.Enumerate(c.Name, codegen.Form, c.Sequence, openmp.Platform, codegen.PortableMachine(), []policy.Constraint{lowers})
}

// runnable is code of a computation.
type runnable struct {
	run  func(*interp.Frame, interp.Options) error
	text fmt.Stringer
}

// lowered is the code of a variant.
func (r *runner) lowered(c computation, v selector.Variant) (runnable, error) {
	if r.platform == opencl.Platform.Name {
		d, err := opencl.Lower(r.k.Fused, c.Computation, v, "f", nil)
		if err == nil {
			err = kir.VerifyDevice(d)
		}
		return runnable{func(f *interp.Frame, o interp.Options) error { return interp.Device(d, f, o) }, d}, err
	}
	fn, err := goroutine.Lower(r.k.Fused, c.Computation, v, "f", nil)
	if err == nil {
		err = kir.Verify(fn)
	}
	return runnable{func(f *interp.Frame, o interp.Options) error { return interp.Func(fn, f, o) }, fn}, err
}

// sample is one code for each schedule, another one for each seed, or all codes where tests are not short.
func sample(codes []selector.Code, seed uint64) []selector.Code {
	if !testing.Short() {
		return codes
	}
	var picked []selector.Code
	bySchedule := map[string][]selector.Code{}
	var order []string
	for _, c := range codes {
		if s := c.Variant.Schedule; bySchedule[s] == nil {
			order = append(order, s)
		}
		bySchedule[c.Variant.Schedule] = append(bySchedule[c.Variant.Schedule], c)
	}
	for _, s := range order {
		h := fnv.New64a()
		fmt.Fprint(h, bySchedule[s][0].String(), seed)
		picked = append(picked, bySchedule[s][h.Sum64()%uint64(len(bySchedule[s]))])
	}
	return picked
}

// geometry is how a code is launched, another way for each.
func geometry(code string, opt interp.Options) interp.Options {
	h := fnv.New64a()
	fmt.Fprint(h, code, opt.Seed)
	x := h.Sum64()
	pick := func(n uint64) int {
		k := x % n
		x /= n
		return int(k)
	}
	opt.Order = interp.Order(pick(3))
	opt.Items = []int{4, 8}[pick(2)] // powers of two, as all values of block_size_x and block_size_y are
	opt.Warp = []int{1, 2, 4}[pick(3)]
	opt.Subgroup = []int{2, 4, 8, 3}[pick(4)]
	opt.Groups = 1 + pick(3)
	opt.Grain = 1 + pick(2)
	opt.Blockwise = pick(2) == 0
	opt.Chunk = 1 + pick(9)
	return opt
}
