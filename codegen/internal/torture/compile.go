package torture

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/codegen/goroutine"
	"github.com/surge-ndp/surge/codegen/internal/torture/drive"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/load"
	"github.com/surge-ndp/surge/selector"
)

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
		if k.WayOf != "" {
			continue // it goes with the kernel that it is a way of
		}
		both := k.Ways()
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
		if k.WayOf != "" {
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
			o.Step = func(step *codegen.Kernel) { b.sampleOf(step, k) }
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
	for _, k := range p.Kernels {
		mine := b.kernels[cmp.Or(k.WayOf, k.Source.Name)]
		if i := first + slices.Index(kernels, mine); b.opt.Full > 0 && i%b.opt.Full == 0 {
			continue
		}
		b.sampleOf(k, mine)
	}
}

// sampleOf leaves some of the codes of k, which is mine, a way of it, or a step of its blocks.
func (b *batch) sampleOf(k *codegen.Kernel, mine *Kernel) {
	if b.opt.Codes == 0 {
		return
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
