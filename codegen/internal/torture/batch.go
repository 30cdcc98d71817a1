package torture

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/codegen/goroutine"
	"github.com/surge-ndp/surge/codegen/internal/torture/drive"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/load"
	"github.com/surge-ndp/surge/selector"
)

// Options say how kernels are run.
type Options struct {
	// Codes is how many codes of a kernel are generated, shared among its computations, at least one each and one
	// without vectors; 0 means all. Which ones depends on the kernel's seed and not on its name, so that many kernels
	// together have all of them, and one alone has the same.
	Codes int
	// Full makes every kernel whose number is a multiple of it have all codes; 0 for none.
	Full int
	// PerPackage is how many kernels one Go package has.
	PerPackage int
	// Platform, if set, has as many codes of that platform run besides one code of goroutines; the computations of
	// one kernel then run on both.
	Platform string
	// Blocks runs kernels block by block, those that can be cut.
	Blocks bool
	// Prism, with Blocks, runs them on Apache Beam.
	Prism bool
	// Portable runs vector variants although the build has no vector instructions.
	Portable bool
	// Race builds with the race detector.
	Race bool
	// Under is a command that runs the program, such as a checker of kernels, and its options. What it prints is an error.
	Under []string
	// Args are arguments of the program.
	Args []string
	// Stage, if not nil, is called with every stage of every kernel's compilation.
	Stage func(k *Kernel, s fuse.Stage)
	// Compiled, if not nil, is given the kernels that are compiled, and no program is made of them.
	Compiled func(*codegen.Kernel)
	// Mutate, if not nil, changes generated files: a compiler with a bug.
	Mutate func(src []byte) []byte
	// Timeout is for one run of the program; 0 is enough for so many kernels on a busy machine.
	Timeout time.Duration
}

// Failure is a kernel on which compiler and plain Go disagree.
type Failure struct {
	Kernel *Kernel
	Kind   string // load-panic, compile-panic, go-build, mismatch, …: the kinds of drive.Failure and those of compiling
	Detail string
}

// Outcome is what running a batch of kernels gave.
type Outcome struct {
	Failures []Failure
	Refused  map[string][]*Kernel // by the code of the diagnostic
	Reasons  map[*Kernel]string
	Uncut    int // kernels that have no level that is cut into blocks
	Totals   drive.Totals
	Compile  time.Duration // load, fuse, generate
	Build    time.Duration // go build
	Run      time.Duration
}

// repository is the root of this module.
func repository() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Dir(filepath.Dir(filepath.Dir(filepath.Dir(file))))
}

const (
	surgeModule = "github.com/surge-ndp/surge"
	batchModule = surgeModule + "/codegen/internal/torture/batch"
	beamModule  = surgeModule + "/codegen/beamrt"
)

// batch is a module with one Go package for every few kernels and one program.
type batch struct {
	dir     string
	opt     Options
	out     *Outcome
	kernels map[string]*Kernel // by name
	specs   []drive.Spec
	compile []string // packages with generated code
}

// Run compiles and runs kernels in dir, an empty directory that it fills.
func Run(ctx context.Context, dir string, kernels []*Kernel, opt Options) (*Outcome, error) {
	b, err := compileBatch(ctx, dir, kernels, opt)
	if err != nil {
		return nil, err
	}
	if len(b.specs) == 0 {
		return b.out, nil
	}
	if err := b.build(ctx); err != nil {
		return nil, err
	}
	return b.out, b.run(ctx)
}

// compileBatch writes the kernels and what is generated for them into dir.
func compileBatch(ctx context.Context, dir string, kernels []*Kernel, opt Options) (*batch, error) {
	b := &batch{dir: dir, opt: opt, kernels: map[string]*Kernel{}, out: &Outcome{Refused: map[string][]*Kernel{}, Reasons: map[*Kernel]string{}}}
	for _, k := range kernels {
		b.kernels[k.Name] = k
	}
	sums, err := os.ReadFile(filepath.Join(repository(), "go.sum"))
	if err != nil {
		return nil, err
	}
	own, err := os.ReadFile(filepath.Join(repository(), "go.mod"))
	if err != nil {
		return nil, err
	}
	// The requirements of this module are those of the batch, too: go list would have to find them out otherwise.
	_, requirements, _ := strings.Cut(string(own), "\n")
	mod := "module " + batchModule + "\n" + requirements + "\nrequire " + surgeModule + " v0.0.0\n\nreplace " + surgeModule + " => " + repository() + "\n"
	if opt.Prism {
		beam := filepath.Join(repository(), "codegen", "beamrt")
		mod += "\nrequire " + beamModule + " v0.0.0\n\nreplace " + beamModule + " => " + beam + "\n"
		more, err := os.ReadFile(filepath.Join(beam, "go.sum"))
		if err != nil {
			return nil, err
		}
		sums = append(sums, more...)
	}
	if err := errors.Join(b.write("go.mod", mod), b.write("go.sum", string(sums))); err != nil {
		return nil, err
	}
	start := time.Now()
	per := max(opt.PerPackage, 1)
	for i := 0; i < len(kernels); i += per {
		if err := b.addPackage(ctx, fmt.Sprintf("p%d", i/per), kernels[i:min(i+per, len(kernels))], i); err != nil {
			return nil, err
		}
	}
	b.out.Compile = time.Since(start)
	return b, nil
}

func (b *batch) write(name, text string) error {
	file := filepath.Join(b.dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(text), 0o666)
}

func (b *batch) fail(k *Kernel, kind, format string, args ...any) {
	b.out.Failures = append(b.out.Failures, Failure{k, kind, fmt.Sprintf(format, args...)})
}

func (b *batch) refuse(k *Kernel, code, reason string) {
	b.out.Refused[code] = append(b.out.Refused[code], k)
	b.out.Reasons[k] = reason
}

// file is the name of the source file of a kernel.
func file(k *Kernel) string { return strings.ToLower(k.Name) + ".go" }

func (b *batch) byFile(name string) *Kernel {
	base := strings.TrimSuffix(filepath.Base(name), ".go")
	base, _, _ = strings.Cut(base, "_surge")
	for _, k := range b.kernels {
		if strings.ToLower(k.Name) == base {
			return k
		}
	}
	return nil
}

// addPackage compiles kernels as one package; those that are refused are noted and left out.
func (b *batch) addPackage(ctx context.Context, pkg string, kernels []*Kernel, first int) error {
	if err := b.write(pkg+"/helpers.go", header(pkg, helperSource(""))+helperSource("")); err != nil {
		return err
	}
	for _, k := range kernels {
		if err := b.write(pkg+"/"+file(k), k.Source(pkg, false)); err != nil {
			return err
		}
	}
	left := slices.Clone(kernels)
	drop := func(k *Kernel) {
		left = slices.DeleteFunc(left, func(o *Kernel) bool { return o == k })
		os.Remove(filepath.Join(b.dir, pkg, file(k)))
	}
	alone := func() error { // each by itself
		for _, k := range left {
			if err := b.addPackage(ctx, pkg+"_"+strings.ToLower(k.Name), []*Kernel{k}, first+slices.Index(kernels, k)); err != nil {
				return err
			}
		}
		return os.RemoveAll(filepath.Join(b.dir, pkg))
	}
	var loaded *load.Package
	for loaded == nil && len(left) > 0 {
		var err error
		loaded, err = b.load(ctx, pkg)
		if err == nil {
			break
		}
		var ds load.Diagnostics
		if !errors.As(err, &ds) {
			if len(left) == 1 {
				b.fail(left[0], "load-panic", "%v", err)
				return nil
			}
			return alone() // one of them makes the front end panic
		}
		dropped := false
		for _, d := range ds {
			k := b.byFile(d.Pos.File)
			if k == nil && len(left) == 1 { // a helper is refused for the way in which the kernel calls it
				k = left[0]
			}
			if !slices.Contains(left, k) {
				continue
			}
			dropped = true
			drop(k)
			switch d.Code {
			case load.CodeType, load.CodeSyntax, load.CodeImport, load.CodeDirective:
				b.fail(k, "generator", "%v", d)
			default:
				b.refuse(k, d.Code, d.Error())
			}
		}
		if !dropped && len(left) > 1 {
			return alone()
		}
		if !dropped {
			return err
		}
	}
	if len(left) == 0 {
		return nil
	}
	program, err := b.compileAll(loaded)
	if err != nil {
		return err
	}
	if b.opt.Compiled != nil {
		for _, k := range program.Kernels {
			b.opt.Compiled(k)
		}
		return nil
	}
	if len(program.Kernels) == 0 {
		return nil
	}
	b.sample(program, kernels, first)
	var good []*codegen.Kernel
	for _, k := range program.Kernels { // one at a time: which one fails has to be known
		if k.WholeOf != "" {
			continue // it goes with the kernel that it is a way of
		}
		both := append([]*codegen.Kernel{k}, k.Alternatives...)
		files, err := b.generate(program.Only(both...))
		if err != nil {
			b.fail(b.kernels[k.Source.Name], "generate", "%v", err)
			continue
		}
		for name, src := range files {
			if b.opt.Mutate != nil {
				src = b.opt.Mutate(src)
			}
			if err := b.write(pkg+"/"+name, string(src)); err != nil {
				return err
			}
		}
		good = append(good, both...)
		if b.opt.Blocks {
			if err := b.cut(pkg, program.Only(both...), k); err != nil {
				return err
			}
		}
	}
	if len(good) == 0 {
		return nil
	}
	program.Kernels = good
	name, src, err := program.Harness()
	if err != nil {
		return err
	}
	for _, k := range good {
		if k.WholeOf != "" {
			continue
		}
		b.specs = append(b.specs, spec(b.kernels[k.Source.Name]))
	}
	b.compile = append(b.compile, pkg)
	return b.write(pkg+"/"+name, string(src))
}

// load is load.Load; a panic becomes an error.
func (b *batch) load(ctx context.Context, pkg string) (p *load.Package, err error) {
	defer recovered(&err)
	return load.Load(ctx, filepath.Join(b.dir, pkg), load.Options{})
}

func recovered(err *error) {
	if r := recover(); r != nil {
		stack := make([]byte, 1<<14)
		stack = stack[:runtime.Stack(stack, false)]
		*err = fmt.Errorf("panic: %v\n%s", r, stack)
	}
}

// compileAll compiles the kernels of a package one by one, so that a panic is put down to the right one.
func (b *batch) compileAll(pkg *load.Package) (*codegen.Program, error) {
	all := &codegen.Program{Package: pkg}
	for _, src := range pkg.Kernels {
		one := *pkg
		one.Kernels = []*load.Kernel{src}
		k := b.kernels[src.Name]
		if err := ir.Verify(src.Func); err != nil {
			b.fail(k, "verify", "after load: %v\n%s", err, src.Func)
			continue
		}
		p, err := func() (p *codegen.Program, err error) {
			defer recovered(&err)
			o := codegen.Options{Machine: codegen.PortableMachine(), Platforms: []string{goroutine.Platform.Name}}
			if b.opt.Platform != "" {
				o.Platforms, o.Code = append(o.Platforms, b.opt.Platform), []string{b.opt.Platform}
			}
			if b.opt.Blocks {
				o.Variants = codegen.ModelVariants
			}
			return codegen.Compile(&one, o)
		}()
		var u *fuse.Unsupported
		switch {
		case err == nil:
		case errors.As(err, &u):
			b.refuse(k, u.Code, u.Error())
			continue
		default:
			b.fail(k, "compile-panic", "%v", err)
			continue
		}
		for _, s := range p.Kernels[0].Stages {
			if b.opt.Stage != nil {
				b.opt.Stage(k, s)
			}
			if err := ir.Verify(s.Func); err != nil {
				b.fail(k, "verify", "after %s: %v\n%s", s.Name, err, s.Func)
				break
			}
			again, err := ir.Parse(s.Func.String())
			if err != nil || again.String() != s.Func.String() {
				b.fail(k, "parse", "after %s: %v\n%s", s.Name, err, s.Func)
				break
			}
		}
		all = p.Only(append(all.Kernels, p.Kernels...)...)
	}
	return all, nil
}

func (b *batch) generate(p *codegen.Program) (files map[string][]byte, err error) {
	defer recovered(&err)
	return p.Generated()
}

// sample leaves some of the codes of each computation.
func (b *batch) sample(p *codegen.Program, kernels []*Kernel, first int) {
	if b.opt.Codes == 0 {
		return
	}
	for _, k := range p.Kernels {
		mine := b.kernels[cmp.Or(k.WholeOf, k.Source.Name)]
		if i := first + slices.Index(kernels, mine); b.opt.Full > 0 && i%b.opt.Full == 0 {
			continue
		}
		share := (b.opt.Codes + len(k.Fused.Computations) - 1) / max(len(k.Fused.Computations), 1)
		for j, space := range k.Spaces {
			codes := space.Codes()
			slices.SortStableFunc(codes, func(x, y selector.Code) int {
				return cmp.Compare(drive.Hash(mine.Seed, x.Variant), drive.Hash(mine.Seed, y.Variant))
			})
			keep := map[string]bool{}
			n := share
			if b.opt.Platform != "" && space.Platform == goroutine.Platform {
				n = 1
			}
			picked := codes[:min(len(codes), n)]
			for _, c := range picked {
				keep[c.Variant.String()] = true
			}
			// This processor, or an emulated one, may lack the vectors of all of them.
			if i := slices.IndexFunc(codes, withoutVectors); i >= 0 && !slices.ContainsFunc(picked, withoutVectors) {
				keep[codes[i].Variant.String()] = true
			}
			k.Keep(j, func(v selector.Variant) bool { return keep[v.String()] })
		}
	}
}

func withoutVectors(c selector.Code) bool {
	return !slices.ContainsFunc(c.Variant.Policy, func(s selector.Setting) bool { return strings.HasPrefix(s.Name, "vector_width") })
}

func spec(k *Kernel) drive.Spec {
	s := drive.Spec{Kernel: k.Name, NaN: k.NaN, Same: k.Same, Fails: k.Fails, Carries: k.Carries, Exact: k.Exact, ULPs: k.ULPs}
	for _, p := range k.Params {
		of := p.IdxOf
		if p.OffOf != "" {
			of = p.OffOf
		}
		if p.Role == "same" || p.Role == "part" { // of the parameter with that name
			of = strconv.Itoa(slices.IndexFunc(k.Params, func(o *Param) bool { return o.Name == of }))
		}
		if p.T.B == "" {
			s.Params = append(s.Params, drive.Param{Type: p.T.String(), Role: p.Role, Size: p.Size, Of: of})
			continue
		}
		for i, kind := range []Kind{p.T.A, p.T.B} { // the harness takes field by field
			t := Type{A: kind, Rank: p.T.Rank}
			s.Params = append(s.Params, drive.Param{Type: t.String(), Role: p.Role, Size: p.Size, Of: of, Field: i > 0 || p.T.Rank > 0})
		}
	}
	for _, r := range k.Results {
		s.Structs = s.Structs || r.T.B != ""
	}
	return s
}

// program writes the main package.
func (b *batch) program() error {
	var sb strings.Builder
	sb.WriteString("package main\n\nimport (\n\t\"" + surgeModule + "/codegen/internal/torture/drive\"\n")
	if b.opt.Prism {
		sb.WriteString("\t_ \"" + beamModule + "/beamtest\"\n")
	}
	for _, p := range b.compile {
		sb.WriteString("\t_ \"" + batchModule + "/" + p + "\"\n")
	}
	sb.WriteString(")\n\nfunc main() {\n\tdrive.Main([]drive.Spec{\n")
	for _, s := range b.specs {
		fmt.Fprintf(&sb, "\t\t%s,\n", strings.TrimPrefix(fmt.Sprintf("%#v", s), "drive.Spec"))
	}
	sb.WriteString("\t})\n}\n")
	return b.write("main.go", sb.String())
}

// atFile finds a line that names a Go file: an error of the compiler or of the assembler behind it.
var atFile = regexp.MustCompile(`(?m)^.*?([\w./-]+\.go):\d+.*$`)

// build compiles the program; kernels whose generated code does not compile are failures and left out.
func (b *batch) build(ctx context.Context) error {
	start := time.Now()
	defer func() { b.out.Build += time.Since(start) }()
	for {
		if err := b.program(); err != nil {
			return err
		}
		args := []string{"build", "-o", "torture.bin"}
		if b.opt.Race {
			args = append(args, "-race")
		}
		if b.opt.Prism {
			args = append(args, "-mod=mod") // which completes go.mod
		}
		cmd := exec.CommandContext(ctx, "go", append(args, "-gcflags=-e", ".")...)
		cmd.Dir = b.dir
		text, err := cmd.CombinedOutput()
		if err == nil {
			return nil
		}
		broken := map[*Kernel]string{}
		for _, m := range atFile.FindAllStringSubmatch(string(text), -1) {
			if k := b.byFile(m[1]); k != nil {
				broken[k] += m[0] + "\n"
			}
		}
		if len(broken) == 0 {
			return fmt.Errorf("torture: go build: %v\n%s", err, text)
		}
		for k, detail := range broken {
			src, _ := os.ReadFile(b.generated(k))
			b.fail(k, "go-build", "%s%s", detail, excerpt(detail, string(src)))
			if err := b.remove(k); err != nil {
				return err
			}
		}
		if len(b.specs) == 0 {
			return nil
		}
	}
}

// excerpt is the source lines that compile errors name.
func excerpt(errs, src string) string {
	lines := strings.Split(src, "\n")
	var sb strings.Builder
	for _, m := range regexp.MustCompile(`:(\d+):`).FindAllStringSubmatch(errs, 5) {
		var n int
		fmt.Sscan(m[1], &n)
		for i := max(n-3, 1); i <= min(n+1, len(lines)); i++ {
			fmt.Fprintf(&sb, "\t%d: %s\n", i, lines[i-1])
		}
	}
	return sb.String()
}

func (b *batch) generated(k *Kernel) string {
	found, _ := filepath.Glob(filepath.Join(b.dir, "*", strings.TrimSuffix(file(k), ".go")+"_surge.go"))
	if len(found) == 0 {
		return ""
	}
	return found[0]
}

// remove takes a kernel out of the program.
func (b *batch) remove(k *Kernel) error {
	b.specs = slices.DeleteFunc(b.specs, func(s drive.Spec) bool { return s.Kernel == k.Name })
	gen := b.generated(k)
	if gen == "" {
		return nil
	}
	dir := filepath.Dir(gen)
	os.Remove(gen)
	b.uncut(k)
	// The registration of the package is written anew without the kernel: its functions are gone.
	name := filepath.Join(dir, "surge_harness.go")
	src, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	return os.WriteFile(name, withoutKernel(src, k.Name), 0o666)
}

// withoutKernel cuts a kernel's registration and adapter out of the registration file.
func withoutKernel(src []byte, name string) []byte {
	base := strings.ToLower(name[:1]) + name[1:]
	cut := func(from, to string) {
		i := bytes.Index(src, []byte(from))
		if i < 0 {
			return
		}
		j := bytes.Index(src[i:], []byte(to))
		src = slices.Concat(src[:i], src[i+j+len(to):])
	}
	cut("\tharness.Register(&harness.Kernel{\n\t\tExec: &"+base+"Kernel,", "\n\t})\n")
	cut("type "+base+"Harness struct", "\n}\n")
	return src
}

// run runs the program, and again without a kernel that ends it.
func (b *batch) run(ctx context.Context) error {
	start := time.Now()
	defer func() { b.out.Run += time.Since(start) }()
	var skip []string
	lines := filepath.Join(b.dir, "lines.json")
	for {
		if len(skip) >= len(b.specs) {
			return nil
		}
		limit := b.opt.Timeout
		if limit == 0 {
			limit = 2*time.Minute + time.Duration(len(b.specs))*5*time.Second // a kernel that hangs ends the program itself
			if b.opt.Platform != "" {                                         // a driver's compiler takes its time
				limit = max(limit, 9*time.Minute)
			}
		}
		inner, cancel := context.WithTimeout(ctx, limit)
		watch := "-watch=2m"
		if b.opt.Platform != "" {
			watch = "-watch=8m"
		}
		args := slices.Concat(b.opt.Under, []string{filepath.Join(b.dir, "torture.bin"), watch, "-out=" + lines, "-skip=" + strings.Join(skip, ",")}, b.opt.Args)
		cmd := exec.CommandContext(inner, args[0], args[1:]...)
		cmd.Dir = b.dir
		cmd.Env = os.Environ()
		if b.opt.Portable {
			cmd.Env = append(cmd.Env, "SURGE_PORTABLE_VECTORS=1")
		}
		text, err := cmd.CombinedOutput()
		cancel()
		written, _ := os.ReadFile(lines)
		last := ""
		for _, l := range drive.Read(string(written)) {
			switch {
			case l.Start != "":
				last = l.Start
				skip = append(skip, last)
			case l.Failure != nil:
				f := l.Failure
				b.fail(b.kernels[f.Kernel], f.Kind, "n=%s %s: %s", f.Input, f.Variant, f.Detail)
			case l.Totals != nil:
				add(&b.out.Totals, *l.Totals)
			}
		}
		if err == nil && len(b.opt.Under) > 0 && len(text) > 0 {
			return fmt.Errorf("torture: %s:\n%s", b.opt.Under[0], text[:min(len(text), 4000)])
		}
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if last == "" {
			return fmt.Errorf("torture: %v\n%s", err, text)
		}
		b.fail(b.kernels[last], "crash", "%v\n%s", err, text[:min(len(text), 4000)])
	}
}

func add(sum *drive.Totals, t drive.Totals) {
	sum.Kernels += t.Kernels
	sum.Codes += t.Codes
	sum.Variants += t.Variants
	sum.Runs += t.Runs
	sum.Refused += t.Refused
	sum.Restricted += t.Restricted
	sum.Lenient += t.Lenient
	sum.Otherwise += t.Otherwise
}
