// Package agree compiles a package of kernels, runs all of them on inputs made from the types of their parameters, and
// says where they do not do what they do as plain Go. It is for tests.
//
// It imports codegen, codegen/goroutine, codegen/goroutine/vec, internal/agree/drive, ops/load and selector.
package agree

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/codegen/goroutine/vec"
	"github.com/surge-ndp/surge/internal/agree/drive"
	"github.com/surge-ndp/surge/ops/load"
	"github.com/surge-ndp/surge/selector"
)

// Options say what to compile.
type Options struct {
	Platform string
	Also     []string // other platforms that code is made for
	Without  []string // kernels that are left out
	// AllVectors has code for vectors of every length. Where results are compared one length is enough: each is code
	// of its own, which takes its time to be compiled.
	AllVectors bool
	// Every, if it is more than 1, has every so many of the codes only, for tests that have minutes.
	Every int
	// EveryKernel, if it is more than 1, has every so many of the kernels only.
	EveryKernel int
}

// Compile loads the package in dir and compiles its kernels.
func Compile(ctx context.Context, dir string, opt Options) (*codegen.Program, error) {
	overlay, err := unmarked(dir, opt.Without)
	if err != nil {
		return nil, err
	}
	pkg, err := load.Load(ctx, dir, load.Options{Whole: true, Overlay: overlay})
	if err != nil {
		return nil, err
	}
	if n := opt.EveryKernel; n > 1 {
		at := -1
		pkg.Kernels = slices.DeleteFunc(pkg.Kernels, func(k *load.Kernel) bool {
			if k.VariantOf == "" { // other algorithms stand behind theirs, or not at all
				at++
			}
			return at%n != 0 || k.VariantOf != ""
		})
	}
	m := codegen.Machine(vec.Native(), []string{selector.Host})
	if m.NoLanes == "" && !opt.AllVectors {
		m.Lanes = map[int][]int{4: {8}, 8: {4}}
	}
	o := codegen.Options{Machine: m, Platforms: append([]string{selector.Host, opt.Platform}, opt.Also...), Code: append([]string{opt.Platform}, opt.Also...)}
	if opt.Platform == Blocks || opt.Platform == Prism {
		o.Variants = codegen.ModelVariants
	}
	p, err := codegen.Compile(pkg, o)
	if err == nil && opt.Every > 1 {
		p.KeepEvery(opt.Every)
	}
	return p, err
}

// unmarked are the files of dir, with some functions that are no kernels there.
func unmarked(dir string, names []string) (map[string][]byte, error) {
	overlay := map[string][]byte{}
	if len(names) == 0 {
		return overlay, nil
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(abs, "*.go"))
	if err != nil {
		return nil, err
	}
	mark := regexp.MustCompile(`(?m)^//surge:kernel\n(func (\([^)]*\) )?(` + strings.Join(names, "|") + `)\b)`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if changed := mark.ReplaceAll(text, []byte("//\n$1")); !bytes.Equal(changed, text) {
			overlay[file] = changed
		}
	}
	return overlay, nil
}

// Blocks stands for the platform of the host, block by block, and Prism for that on Apache Beam, whose dependencies
// take minutes to compile.
const (
	Blocks = "blocks"
	Prism  = "prism"
)

const beamModule = "github.com/surge-ndp/surge/codegen/beamrt"

const program = `package main

import (
	"os"

	"github.com/surge-ndp/surge/internal/agree/drive"
	_ %q
	%s
)

func main() {
	report := os.NewFile(3, "report")
	%s
}
`

// Run builds a program of the kernels of p, which [Compile] made for the platform, runs it, and returns one report a
// kernel. A file that would be written beside the kernels exists for the compiler only.
func Run(ctx context.Context, p *codegen.Program, platform, dir string) (reports []drive.Report, err error) {
	err = run(ctx, p, dir, fmt.Sprintf("drive.Main(report, %q)", platform), &reports)
	return reports, err
}

// Measure builds a program of the kernels of p, and times them against plain Go at lengths.
func Measure(ctx context.Context, p *codegen.Program, lengths []int, dir string) (times []drive.Times, err error) {
	err = run(ctx, p, dir, fmt.Sprintf("drive.Measure(report, %#v)", lengths), &times)
	return times, err
}

// Suite builds a program of the kernels of p, runs them on their sets on the platforms, compares the results with plain
// Go's, and times both; search is for how long other variants are tried a set.
func Suite(ctx context.Context, p *codegen.Program, platforms []string, search time.Duration, dir string) (results []drive.Result, err error) {
	err = run(ctx, p, dir, fmt.Sprintf("drive.Suite(report, %#v, %d)", platforms, search), &results)
	return results, err
}

// Compare builds a program of the kernels of p, which [Compile] made for the platform, and times them on goroutines
// and on the platform at lengths, in turns.
func Compare(ctx context.Context, p *codegen.Program, platform string, lengths []int, dir string) (times []drive.Versus, err error) {
	err = run(ctx, p, dir, fmt.Sprintf("drive.Compare(report, %q, %#v)", platform, lengths), &times)
	return times, err
}

// run builds a program that has the kernels and does what main says, and reads the lines of its report. A file that
// would be written beside the kernels exists for the compiler only.
func run[T any](ctx context.Context, p *codegen.Program, dir, main string, lines *[]T) error {
	files, err := p.Generated()
	if err != nil {
		return err
	}
	name, src, err := p.Harness()
	if err != nil {
		return err
	}
	files[name] = src
	var blocks map[string][]byte
	prism := slices.Contains(p.Platforms(), Prism)
	if prism || slices.Contains(p.Platforms(), Blocks) {
		if blocks, err = p.Blocks(""); err != nil {
			return err
		}
		maps.Copy(files, blocks)
	}
	files["surge_agree.go"], err = list(p, blocks)
	if err != nil {
		return err
	}
	build, more := []string{"build"}, ""
	if prism {
		if build, err = beamBuild(p.Package.Dir, dir); err != nil {
			return err
		}
		more = fmt.Sprintf("_ %q", beamModule+"/beamtest")
	}
	files[filepath.Join("program", "main.go")] = fmt.Appendf(nil, program, p.Package.PkgPath, more, main)
	overlay := map[string]string{}
	for name, src := range files {
		file := filepath.Join(dir, strings.ReplaceAll(name, string(filepath.Separator), "_"))
		if err := os.WriteFile(file, src, 0o666); err != nil {
			return err
		}
		overlay[filepath.Join(p.Package.Dir, name)] = file
	}
	text, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		return err
	}
	replace, binary, report := filepath.Join(dir, "overlay.json"), filepath.Join(dir, "program.exe"), filepath.Join(dir, "report")
	if err := os.WriteFile(replace, text, 0o666); err != nil {
		return err
	}
	builder := exec.CommandContext(ctx, "go", append(build, "-ldflags=-s -w", "-overlay", replace, "-o", binary, "./program")...)
	builder.Dir = p.Package.Dir
	if out, err := builder.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	f, err := os.Create(report)
	if err != nil {
		return err
	}
	defer f.Close()
	command := exec.CommandContext(ctx, binary)
	command.ExtraFiles = []*os.File{f}
	out, failed := command.CombinedOutput()
	if failed != nil {
		failed = fmt.Errorf("%w\n%s", failed, out)
	}
	text, err = os.ReadFile(report)
	if err != nil {
		return err
	}
	for line := range bytes.Lines(text) {
		var t T
		if err := json.Unmarshal(line, &t); err != nil {
			return errors.Join(failed, err)
		}
		*lines = append(*lines, t)
	}
	return failed
}

// beamBuild is go build with a go.mod in temp that is that of the module around dir and requires Beam's module, too.
func beamBuild(dir, temp string) ([]string, error) {
	for root := dir; ; root = filepath.Dir(root) {
		mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
		if errors.Is(err, os.ErrNotExist) && filepath.Dir(root) != root {
			continue
		}
		own := filepath.Join(root, "codegen", "beamrt")
		mod = fmt.Appendf(mod, "\nrequire %s v0.0.0\n\nreplace %[1]s => %s\n", beamModule, own)
		sums, bad := os.ReadFile(filepath.Join(root, "go.sum"))
		more, worse := os.ReadFile(filepath.Join(own, "go.sum"))
		file := filepath.Join(temp, "go.mod")
		return []string{"build", "-mod=mod", "-modfile", file}, errors.Join(err, bad, worse,
			os.WriteFile(file, mod, 0o666), os.WriteFile(filepath.Join(temp, "go.sum"), append(sums, more...), 0o666))
	}
}
