package training

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/codegen/harness"
	"github.com/surge-ndp/surge/ops/load"
	"github.com/surge-ndp/surge/policy"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/training/input"
)

// Session is a running harness of one Go package. It serves one call at a time; calls from several goroutines wait for
// each other. A call whose context ends before the call does ends the harness too: the session then answers every
// further call with an error.
type Session struct {
	builder     *builder
	process     *process
	description *harness.Description
	cached      bool

	mu      sync.Mutex // guards program
	program *codegen.Program
}

// Open compiles the kernels of the Go package in dir, or finds what was compiled earlier, and starts the harness.
//
// Errors are load.Diagnostics and *fuse.Unsupported where the user's program is at fault, the context's error, and
// *[Error] otherwise. A damaged cache is no error: it is built anew.
func Open(ctx context.Context, dir string, opt Options) (*Session, error) {
	abs, err := load.Directory(dir)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(abs); err != nil || !info.IsDir() {
		_, err := load.Load(ctx, dir, load.Options{Whole: true}) // it says what is wrong
		if err == nil {
			err = fmt.Errorf("%s is no directory", dir)
		}
		return nil, err
	}
	b, err := newBuilder(ctx, abs, &opt)
	if err != nil {
		return nil, err
	}
	s := &Session{builder: b}
	build, binary := b.cache.find(abs, b.surge, b.tools.settings)
	if build == "" && b.alone(opt.Kernel) {
		if build, binary = b.cache.find(abs, b.surge, b.tools.settings); build == "" {
			b.alone("")
		}
	}
	if build != "" {
		if err := s.start(ctx, binary); err == nil {
			s.cached = true
			return s, nil
		} else if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		os.RemoveAll(build) // damaged in a way that its hash does not show, such as a library that is gone
	}
	program, _, binary, err := b.build(ctx)
	if err != nil {
		return nil, err
	}
	s.program = program
	s.filter()
	if err := s.start(ctx, binary); err != nil {
		return nil, err
	}
	return s, nil
}

// start launches the binary and asks it what it holds.
func (s *Session) start(ctx context.Context, binary string) error {
	p, err := launch(s.builder.dir, binary)
	if err != nil {
		return &Error{Where: s.builder.dir, What: "the program that runs the kernels does not start: " + err.Error(), Code: CodeCrash, Err: err, Bug: true}
	}
	d, err := p.describe(ctx)
	if err != nil {
		p.close()
		return err
	}
	s.process, s.description = p, d
	return nil
}

// Alone reports whether the harness lacks kernels of the package, because one cannot be compiled; see Options.Kernel.
func (s *Session) Alone() bool { return s.builder.only != "" }

// Describe returns what the harness holds: kernels with parameters, results, computations and codes, and which of the
// codes cannot run here, and why. The caller must not change it.
func (s *Session) Describe() *harness.Description { return s.description }

// Kernel returns the description of a kernel by name; the error is an *[Error] with the nearest names.
// An empty name stands for the only kernel of the package.
func (s *Session) Kernel(name string) (*harness.KernelInfo, error) {
	all := s.description.Kernels
	if only := harness.Only(all); name == "" && only != nil {
		return only, nil
	}
	names := make([]string, len(all))
	for i := range all {
		if names[i] = all[i].Name; names[i] == name {
			return &all[i], nil
		}
	}
	e := &Error{Where: s.builder.dir, Code: CodeKernel, What: fmt.Sprintf("there is no kernel %q", name), Do: "use one of " + strings.Join(names, ", ")}
	if name == "" {
		e.What = "the package has several kernels and none is named"
	} else if near := selector.Nearest(name, names, 1); len(near) > 0 {
		e.Do = "did you mean " + near[0] + "? There are " + strings.Join(names, ", ")
	}
	return nil, e
}

// Program returns the compiled program with its search spaces. After a start from the cache it loads and compiles the
// package, once. The caller must not change it.
func (s *Session) Program(ctx context.Context) (*codegen.Program, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.program == nil {
		p, err := s.builder.compile(ctx)
		if err != nil {
			return nil, err
		}
		s.program = p
		s.filter()
	}
	return s.program, nil
}

// filter leaves the spaces of the platforms that were asked for.
func (s *Session) filter() {
	for _, k := range s.program.Kernels {
		k.Spaces = slices.DeleteFunc(k.Spaces, func(sp *policy.Space) bool {
			return len(s.builder.opt.Platforms) > 0 && !slices.Contains(s.builder.opt.Platforms, sp.Platform.Name)
		})
	}
}

// Variants returns the variants of a kernel's search space that this machine can run, computation by computation,
// in the order of the space; those of its other algorithms (surge:variant-of) follow. It needs [Session.Program].
func (s *Session) Variants(ctx context.Context, kernel string) ([]selector.Variant, error) {
	info, err := s.Kernel(kernel)
	if err != nil {
		return nil, err
	}
	program, err := s.Program(ctx)
	if err != nil {
		return nil, err
	}
	var all []selector.Variant
	for _, k := range program.Kernels {
		info := info
		if k.Source.Name != info.Name {
			if k.Source.VariantOf != info.Name {
				continue
			}
			if info, err = s.Kernel(k.Source.Name); err != nil {
				return nil, err
			}
		}
		for _, sp := range k.Spaces {
			for _, c := range info.Computations {
				if c.Name == sp.Computation && runs(c, sp.Platform.Name) {
					all = append(all, available(sp.Valid(), c)...)
				}
			}
		}
	}
	return all, nil
}

// runs reports whether the harness has code of the platform for the computation that this machine can run.
func runs(c harness.ComputationInfo, platform string) bool {
	return slices.ContainsFunc(c.Codes, func(code harness.CodeInfo) bool {
		v, err := selector.Parse(code.Text)
		return err == nil && v.Platform == platform && code.Missing == ""
	})
}

// available leaves out the variants whose code this machine cannot run.
func available(all []selector.Variant, c harness.ComputationInfo) []selector.Variant {
	var missing []selector.Code
	for _, code := range c.Codes {
		if v, err := selector.Parse(code.Text); err == nil && code.Missing != "" {
			missing = append(missing, selector.Code{Variant: v})
		}
	}
	return slices.DeleteFunc(all, func(v selector.Variant) bool {
		return slices.ContainsFunc(missing, func(code selector.Code) bool {
			return code.Platform == v.Platform && code.Schedule == v.Schedule && code.Form == v.Form &&
				!slices.ContainsFunc(code.Policy, func(s selector.Setting) bool { value, ok := v.Get(s.Name); return !ok || value != s.Value })
		})
	})
}

// Inputs says of a kernel what binding inputs to its parameters needs.
func (s *Session) Inputs(k *harness.KernelInfo) (*input.Kernel, error) {
	in := &input.Kernel{Name: k.Name, Partial: s.Alone()}
	for _, other := range s.description.Kernels {
		for _, p := range other.Params {
			if other.Name != k.Name {
				in.Others = append(in.Others, p.Name)
				continue
			}
			t, err := input.ParseType(p.Type)
			if err != nil {
				return nil, err
			}
			in.Params = append(in.Params, input.Parameter{Name: p.Name, Type: t, Elements: p.Elements})
		}
	}
	return in, nil
}

// BindOptions of [Session.Bind].
type BindOptions struct {
	// Threads limits the number of workers; 0 means as many as there are processors.
	Threads int
	// Unchecked skips the checks of indices and offsets; see exec.Unchecked.
	Unchecked bool
	// Platform restricts the choice to one platform; "" or "auto" lets the selector choose.
	Platform string
	// Features asks for all features that there are, also those that no model uses.
	Features bool
	// Variants forces variants: ids, canonical texts, or parts of them; see exec.Variant.
	Variants []string
}

// Bind checks arguments and hands them to the harness: one value a parameter of the kernel, in order, of the
// parameter's type. A wrong number or type is an *[Error]; input that the kernel cannot take (an index out of range,
// lengths that disagree) and a variant that does not exist are an *exec.Error. The values are copied; the caller may
// drop them.
func (s *Session) Bind(ctx context.Context, kernel string, args []input.Value, opt BindOptions) (*Bound, error) {
	info, err := s.Kernel(kernel)
	if err != nil {
		return nil, err
	}
	if len(args) != len(info.Params) {
		return nil, &Error{Where: info.Name, Code: CodeArguments, What: fmt.Sprintf("it has %d parameters, and %d arguments are given", len(info.Params), len(args))}
	}
	req := &harness.BindRequest{Kernel: info.Name, Threads: opt.Threads, Unchecked: opt.Unchecked, Platform: opt.Platform, Variants: opt.Variants, Features: opt.Features}
	var send func(io.Writer) error
	if req.Args, send, err = following(info.Params, args); err != nil {
		return nil, &Error{Where: info.Name, Code: CodeArguments, What: "its parameter " + err.Error(), Err: err}
	}
	b := &Bound{session: s, kernel: info, unchecked: opt.Unchecked, threads: opt.Threads}
	err = s.process.call(ctx, &harness.Request{Op: harness.OpBind, Bind: req}, send, func(r *harness.Response, _ io.Reader) error {
		if r.Bound == nil {
			return errors.New("the harness does not answer what it was asked")
		}
		b.number, b.bytes = r.Bound.Bound, r.Bound.Bytes
		b.decisions, err = decisions(r.Bound.Decisions)
		return err
	})
	if err != nil {
		return nil, s.noForm(ctx, info.Name, opt.Variants, s.translate(err, opt.Unchecked))
	}
	return b, nil
}

// following describes the values of parameters or results that follow a request, and returns what writes them: for rows
// first the offsets.
func following(params []harness.Param, values []input.Value) (all []harness.Argument, send func(io.Writer) error, err error) {
	var list []input.Value
	for i, p := range params {
		v := values[i]
		if got := v.Type().String(); got != p.Type && !(p.Type == "[]"+v.Kind.String() && len(v.Dims) > 1 && v.Offsets == nil) {
			return nil, nil, fmt.Errorf("%s is a %s, and the argument is %s", p.Name, p.Type, v)
		}
		a := harness.Argument{Type: p.Type, Count: v.Len()}
		if strings.HasPrefix(p.Type, "[][]") {
			offsets, err := v.RowOffsets()
			if err != nil {
				return nil, nil, fmt.Errorf("%s: %w", p.Name, err)
			}
			for _, level := range offsets {
				a.Rows = append(a.Rows, level.Len()-1)
			}
			list = append(list, offsets...)
		}
		list, all = append(list, v), append(all, a)
	}
	return all, func(w io.Writer) error {
		for _, v := range list {
			if err := input.WriteRaw(w, v); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

// noForm adds to an error about the text of a variant why there is no form of the name that it has.
func (s *Session) noForm(ctx context.Context, kernel string, texts []string, err error) error {
	var wrong *exec.Error
	if !errors.As(err, &wrong) || wrong.Code != "variant" {
		return err
	}
	prog, failed := s.Program(ctx)
	if failed != nil {
		return err
	}
	for _, k := range prog.Kernels {
		for _, text := range texts {
			if why := k.NoForm(text); k.Source.Name == kernel && why != "" {
				e := *wrong
				e.Detail += "; " + why
				return &e
			}
		}
	}
	return err
}

// translate turns a fault into the error that callers know.
func (s *Session) translate(err error, unchecked bool) error {
	var f *harness.Fault
	var e *Error
	switch {
	case errors.As(err, &f) && f.Kind == harness.FaultInput:
		return f.Exec()
	case errors.As(err, &f) && f.Kind == harness.FaultDevice:
		return &Error{Where: f.Kernel, What: f.Detail, Code: CodeDevice, Err: f,
			Do: "use another device (--device; surge platforms lists them), or --platform goroutine"}
	case errors.As(err, &f):
		return &Error{Where: f.Kernel, What: f.Detail, Code: CodeInternal, Bug: true, Output: f.Stack, Err: f}
	case errors.As(err, &e) && e.Code == CodeCrash && unchecked && e.Bug:
		e.Bug, e.Why, e.Do = false, "the arguments were not checked", "check them, to learn which index or offset is wrong"
	}
	return err
}

// Close ends the harness. Calls after it answer with an error.
func (s *Session) Close() error {
	s.process.close()
	return nil
}
