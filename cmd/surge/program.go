package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/load"
	"github.com/surge-ndp/surge/policy"
	"github.com/surge-ndp/surge/selector"
)

// Values of --platform besides the platforms' names.
const (
	platformAll  = "all"
	platformAuto = "auto"
)

func platformNames() []string { return append(targetNames(), platformAll, platformAuto) }

// targetNames are the platforms that kernels compile to.
func targetNames() []string {
	var names []string
	for _, t := range codegen.Targets() {
		names = append(names, t.Platform().Name)
	}
	return names
}

// readyPlatforms are the platforms that kernels can run on here.
func readyPlatforms() []string {
	var names []string
	for _, t := range codegen.Targets() {
		if _, err := t.Ready(); err == nil {
			names = append(names, t.Platform().Name)
		}
	}
	return names
}

// inspectable returns the platforms that --platform names for a command that only looks.
func (a *app) inspectable() []string {
	switch a.platform {
	case platformAuto:
		return []string{selector.Host}
	case platformAll:
		return nil
	}
	return []string{a.platform}
}

// runnable returns the platforms that --platform names for a command that runs kernels, or why that is not possible
// here. For auto these are the host's, those with an accelerator (others run on the same cores), those that have the
// device that is named, and all that can run where choosable says so: a model knows which is faster.
func (a *app) runnable(choosable bool) ([]string, error) {
	var names []string
	for _, t := range codegen.Targets() {
		p := t.Platform()
		if a.platform != p.Name && a.platform != platformAuto && a.platform != platformAll {
			continue
		}
		asked, named := a.platform == p.Name, p.Devices && a.device != ""
		accelerated, err := t.Ready()
		if err != nil && (asked || named) {
			return nil, problem{Code: "platform", What: err.Error(), Fix: "see what there is with: surge platforms; or use --platform " + selector.Host}
		}
		if err == nil && (asked || named || accelerated || choosable || p.Name == selector.Host || a.platform == platformAll) {
			names = append(names, p.Name)
		}
	}
	return names, nil
}

// only is the platform that a run is restricted to, "" for none.
func (a *app) only() string {
	if a.platform == platformAuto || a.platform == platformAll {
		return ""
	}
	return a.platform
}

// compile loads the package in a.dir, of the kernels that of a name if it is not "", and enumerates their search
// spaces.
func (a *app) compile(ctx context.Context, m policy.Machine, platforms []string, kernel string) (*codegen.Program, error) {
	return a.compileWith(ctx, codegen.Options{Machine: m, Platforms: platforms}, kernel)
}

// compileWith is compile with other options. Those for the platforms with code are filled in.
func (a *app) compileWith(ctx context.Context, opt codegen.Options, kernel string) (*codegen.Program, error) {
	pkg, err := load.Load(ctx, a.dir, load.Options{Whole: true, Kernel: kernel})
	if err != nil {
		return nil, err
	}
	a.note("%s: %s in %s", pkg.PkgPath, plural(len(pkg.Kernels), "kernel"), plural(len(pkg.GoFiles), "file"))
	opt.Code, opt.Context = opt.Platforms, ctx
	return codegen.Compile(pkg, opt)
}

// ofGeneration is an error of generating code: surge's own, unless a kernel is refused or the user does not want to
// wait.
func ofGeneration(err error) error {
	var refused *fuse.Unsupported
	if err == nil || errors.As(err, &refused) || errors.Is(err, context.Canceled) {
		return err
	}
	what, output, _ := strings.Cut(err.Error(), "\n")
	return problem{Code: "generate", What: what, Why: "this is a mistake of surge, not of your program", Output: output, bug: true}
}

// kernels returns the kernel of that name, or all for "".
func kernels(prog *codegen.Program, name string) ([]*codegen.Kernel, error) {
	if name == "" {
		return prog.Kernels, nil
	}
	var all []string
	for _, k := range prog.Kernels {
		if k.Source.Name == name {
			return []*codegen.Kernel{k}, nil
		}
		all = append(all, k.Source.Name)
	}
	return nil, unknown("unknown-kernel", "kernel", name, all)
}

// noVariant gives an error of package selector its code, and where a text names a form that no computation has, the
// reason of the rule.
func noVariant(err error, kernels []*codegen.Kernel, texts ...string) error {
	what, fix, _ := strings.Cut(err.Error(), "; ")
	p := problem{Code: "unknown-variant", What: what, Fix: fix}
	for _, k := range kernels {
		for _, text := range texts {
			if why := k.NoForm(text); why != "" {
				p.Why = why
			}
		}
	}
	return p
}

// resolve finds the variant that a text means in each space of some kernels: the id or the canonical text of one
// variant, or parts of one, which may mean a variant of several computations. What none of them has is an error that
// speaks of all.
func resolve(text string, kernels []*codegen.Kernel, cores int) ([]selector.Variant, error) {
	var found []selector.Variant
	var codes []selector.Code
	for _, k := range kernels {
		for _, sp := range k.Spaces {
			if v, err := selector.Resolve(text, sp.Codes(), cores); err == nil {
				found = append(found, v)
			}
			codes = append(codes, sp.Codes()...)
		}
	}
	if len(found) == 0 {
		_, err := selector.Match(text, codes, cores)
		return nil, noVariant(err, kernels, text)
	}
	return found, nil
}

// signature is a kernel as its source declares it.
func signature(k *load.Kernel) string {
	results := list(k.Results)
	if len(k.Results) == 1 {
		results = k.Results[0].GoType
	} else {
		results = "(" + results + ")"
	}
	return fmt.Sprintf("func %s(%s) %s", k.Name, list(k.Params), results)
}

func list(params []load.Param) string {
	var parts []string
	for i, p := range params {
		if i+1 < len(params) && params[i+1].GoType == p.GoType {
			parts = append(parts, p.Name)
		} else {
			parts = append(parts, p.Name+" "+p.GoType)
		}
	}
	return strings.Join(parts, ", ")
}
