package torture

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/codegen/internal/torture/drive"
	"github.com/surge-ndp/surge/ops/fuse"
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
