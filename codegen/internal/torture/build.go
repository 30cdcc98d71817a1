package torture

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/surge-ndp/surge/codegen/internal/torture/drive"
)

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
		args := []string{"build", "-ldflags=-s -w", "-o", "torture.bin"}
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
		switch {
		case b.opt.Prism: // a kernel may wait for the pipeline of many
			watch = "-watch=1h"
		case b.opt.Platform != "":
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
		_, panics, _ := strings.Cut("\n"+string(text), "\npanic: ") // behind what Beam logs
		why := cmp.Or(panics, string(text))
		b.fail(b.kernels[last], "crash", "%v\n%s", err, why[:min(len(why), 4000)])
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
