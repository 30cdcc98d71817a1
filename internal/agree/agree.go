// Package agree compiles a package of kernels, runs all of them on inputs made from the types of their parameters, and
// says where they do not do what they do as plain Go. It is for tests.
//
// It imports codegen, codegen/goroutine/vec, codegen/opencl, internal/agree/drive, ops/load and policy.
package agree

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/codegen/goroutine/vec"
	"github.com/surge-ndp/surge/codegen/opencl"
	"github.com/surge-ndp/surge/internal/agree/drive"
	"github.com/surge-ndp/surge/ops/load"
	"github.com/surge-ndp/surge/policy"
)

// Compile loads the package in dir and compiles its kernels for a platform, but for some.
func Compile(ctx context.Context, dir, platform string, without ...string) (*codegen.Program, error) {
	overlay, err := unmarked(dir, without)
	if err != nil {
		return nil, err
	}
	pkg, err := load.Load(ctx, dir, load.Options{Overlay: overlay})
	if err != nil {
		return nil, err
	}
	opt := codegen.Options{Machine: machine(), Platforms: []string{"goroutine", platform}}
	if platform == opencl.Platform.Name {
		opt.Code = []string{platform}
	}
	return codegen.Compile(pkg, opt)
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

// machine is this machine, with vectors of one length only: each length is code of its own, which takes its time to be
// compiled.
func machine() policy.Machine {
	m := codegen.HostMachine(vec.Native())
	if m.NoLanes == "" {
		m.Lanes = map[int][]int{4: {8}, 8: {4}}
	}
	return m
}

const program = `package main

import (
	"os"

	"github.com/surge-ndp/surge/internal/agree/drive"
	_ %q
)

func main() { drive.Main(os.NewFile(3, "report"), %q) }
`

// Run builds a program of the kernels of p, which [Compile] made for the platform, runs it, and returns one report a
// kernel. A file that would be written beside the kernels exists for the compiler only.
func Run(ctx context.Context, p *codegen.Program, platform, dir string) ([]drive.Report, error) {
	files, err := p.Generated()
	if err != nil {
		return nil, err
	}
	name, src, err := p.Harness()
	if err != nil {
		return nil, err
	}
	files[name] = src
	files["surge_agree.go"], err = list(p)
	if err != nil {
		return nil, err
	}
	files[filepath.Join("program", "main.go")] = fmt.Appendf(nil, program, p.Package.PkgPath, platform)
	overlay := map[string]string{}
	for name, src := range files {
		file := filepath.Join(dir, strings.ReplaceAll(name, string(filepath.Separator), "_"))
		if err := os.WriteFile(file, src, 0o666); err != nil {
			return nil, err
		}
		overlay[filepath.Join(p.Package.Dir, name)] = file
	}
	text, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		return nil, err
	}
	replace, binary, report := filepath.Join(dir, "overlay.json"), filepath.Join(dir, "program.exe"), filepath.Join(dir, "report")
	if err := os.WriteFile(replace, text, 0o666); err != nil {
		return nil, err
	}
	build := exec.CommandContext(ctx, "go", "build", "-overlay", replace, "-o", binary, "./program")
	build.Dir = p.Package.Dir
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w\n%s", err, out)
	}
	f, err := os.Create(report)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	run := exec.CommandContext(ctx, binary)
	run.ExtraFiles = []*os.File{f}
	out, failed := run.CombinedOutput()
	reports, err := read(report)
	if failed != nil {
		return reports, fmt.Errorf("%w\n%s", failed, out)
	}
	return reports, err
}

// read reads the lines that drive.Main wrote.
func read(file string) (reports []drive.Report, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for line := range bytes.Lines(text) {
		var r drive.Report
		if err := json.Unmarshal(line, &r); err != nil {
			return reports, err
		}
		reports = append(reports, r)
	}
	return reports, nil
}

// list is the file that adds the kernels to those of package drive.
func list(p *codegen.Program) ([]byte, error) {
	var sb strings.Builder
	fmt.Fprintf(&sb, "package %s\n\nimport \"github.com/surge-ndp/surge/internal/agree/drive\"\n\nfunc init() {\n", p.Package.Name)
	for _, k := range p.Kernels {
		name := k.Source.Name
		if k.Source.VariantOf != "" {
			continue
		}
		first, size := utf8.DecodeRuneInString(name)
		if !unicode.IsUpper(first) {
			return nil, errors.New(name + " is not exported")
		}
		inputs := "nil"
		if declares(p.Package, "Inputs"+name) {
			inputs = "Inputs" + name
		}
		fmt.Fprintf(&sb, "\tdrive.Add(drive.Kernel{Name: %q, Exec: &%sKernel, Plain: %s, Run: Run%s, Inputs: %s})\n",
			name, string(unicode.ToLower(first))+name[size:], name, name, inputs)
	}
	sb.WriteString("}\n")
	return format.Source([]byte(sb.String()))
}

// declares tells whether the package has a function of that name.
func declares(p *load.Package, name string) bool {
	for _, file := range p.GoFiles {
		text, err := os.ReadFile(file)
		if err == nil && bytes.Contains(text, []byte("\nfunc "+name+"(")) {
			return true
		}
	}
	return false
}
