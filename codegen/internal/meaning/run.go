package meaning

import (
	"errors"
	"fmt"
	"hash/fnv"

	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/codegen/goroutine"
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/codegen/kir/interp"
	"github.com/surge-ndp/surge/codegen/lower"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/selector"
)

// Check says what to compare with the meaning of a kernel.
type Check struct {
	Kernel  *codegen.Kernel
	Devices bool // the code is for devices, not for the worker pool
	Codes   func(*fuse.Computation) []selector.Code
	All     bool // all codes, and not one for each schedule of each form
}

// Outcome is what came of a check.
type Outcome struct {
	Runs     int // of codes
	Elements int // of the inputs that the kernel does not refuse
}

// Run runs codes of a kernel on inputs. The error is the first disagreement.
func (c Check) Run(inputs [][]any) (Outcome, error) {
	r := &run{Check: c}
	var out Outcome
	if c.Kernel.Fused.IsTree() { // its computations run again and again; in its other way they do that inside of one
		return out, nil
	}
	for i, args := range inputs {
		if args = Regular(c.Kernel.Fused, args); args == nil {
			continue
		}
		m, err := meaningOf(c.Kernel.Fused, args)
		if err != nil {
			continue
		}
		if len(m.failed) == 0 {
			out.Elements += count(args)
		}
		if err := r.input(m, i); err != nil {
			return out, fmt.Errorf("%s, input %d: %w", c.Kernel.Source.Name, i, err)
		}
	}
	out.Runs = r.runs
	return out, nil
}

type run struct {
	Check
	runs int // of codes
}

// errDone is the error of a run that ended as it has to: by a check that fails.
var errDone = errors.New("done")

// input runs a kernel on one input, step by step. Each step begins with what the IR computes before.
func (r *run) input(m *meaning, number int) error {
	opt := interp.Options{Seed: uint64(number), Order: interp.Random}
	step := func(what string, err error) error {
		if wrong := m.expected(err); wrong != nil {
			return fmt.Errorf("%s: %w", what, wrong)
		}
		if err != nil {
			return errDone
		}
		return nil
	}
	cs, early, rest := computations(r.Kernel)
	err := r.steps(m, cs, early, rest, opt, step)
	if errors.Is(err, errDone) {
		return nil
	}
	if err == nil && len(m.failed) > 0 {
		return fmt.Errorf("nothing fails, and in the IR %w", m.failed[0])
	}
	return err
}

// steps runs what a run of the compiled kernel consists of.
func (r *run) steps(m *meaning, cs []computation, early, rest []*ir.Stmt, opt interp.Options, step func(string, error) error) error {
	f := m.frame(nil)
	if err := step("before the run", m.host(early, f, opt)); err != nil {
		return err
	}
	for _, c := range cs {
		fn, err := lower.Inspector(r.Kernel.Fused, c.Computation, "inspect")
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
func (r *run) computation(m *meaning, c computation, opt interp.Options) error {
	failed := 0
	codes := r.Codes(c.Computation)
	if len(codes) == 0 && m.values[c.Stmt.Dst[0]] == nil { // nothing of the platform computes what fails in the IR
		return errDone
	}
	for _, code := range r.sample(codes, opt.Seed) {
		functions, err := Lower(r.Kernel, code.Variant, r.Devices)
		if err != nil {
			return fmt.Errorf("%s: %w", code.Variant, err)
		}
		o := geometry(code.String(), opt)
		for _, run := range functions {
			f := m.frame(c.Stmt)
			if err := m.room(c.Computation, f, o); err != nil {
				if err := m.expected(err); err != nil {
					return fmt.Errorf("%s: %w", c.Name, err)
				}
				return errDone
			}
			r.runs++
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
	}
	if failed > 0 {
		return errDone
	}
	return nil
}

// Code is code of a computation.
type Code struct {
	run  func(*interp.Frame, interp.Options) error
	text fmt.Stringer
}

// Lower makes the functions of a variant, for devices or for the worker pool: there one with vectors of half the width,
// too, where it has such.
func Lower(k *codegen.Kernel, v selector.Variant, devices bool) ([]Code, error) {
	form := k.Form(v)
	if devices {
		d, err := lower.Device(form.Kernel, form.Computation, v, "f")
		if err == nil {
			err = kir.VerifyDevice(d)
		}
		return []Code{{func(f *interp.Frame, o interp.Options) error { return interp.Device(d, f, o) }, d}}, err
	}
	var all []Code
	for range 2 {
		fn, err := lower.Computation(form.Kernel, form.Computation, v, "f")
		if err != nil || len(all) > 0 && !goroutine.Halve(fn) {
			return all, err
		}
		if err := kir.Verify(fn); err != nil {
			return nil, err
		}
		all = append(all, Code{func(f *interp.Frame, o interp.Options) error { return interp.Func(fn, f, o) }, fn})
	}
	return all, nil
}

// sample is one code for each schedule of each form, another one for each seed, or all codes.
func (r *run) sample(codes []selector.Code, seed uint64) []selector.Code {
	if r.All {
		return codes
	}
	var picked []selector.Code
	bySchedule := map[string][]selector.Code{}
	var order []string
	for _, c := range codes {
		s := c.Form + "/" + c.Schedule
		if bySchedule[s] == nil {
			order = append(order, s)
		}
		bySchedule[s] = append(bySchedule[s], c)
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
	opt.Items = []int{4, 8, 6, 5}[pick(4)] // a user may force any number
	opt.Warp = 1
	if opt.Items%2 == 0 {
		opt.Warp = []int{1, 2, opt.Items &^ 3}[pick(3)]
	}
	if opt.Items%max(opt.Warp, 1) != 0 || opt.Warp == 0 {
		opt.Warp = opt.Items
	}
	opt.Subgroup = []int{2, 4, 8, 3}[pick(4)]
	opt.Groups = 1 + pick(3)
	opt.Grain = 1 + pick(2)
	opt.Blockwise = pick(2) == 0
	opt.Chunk = 1 + pick(9)
	return opt
}
