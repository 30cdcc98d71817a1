package codegen

import (
	"cmp"
	"fmt"
	"maps"
	"strings"

	"github.com/surge-ndp/surge/codegen/target"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/selector/param"
)

// The code of a platform besides the host's stands in files of its own, so that a program without them has nothing of
// that platform. Such a file adds variants to the tables of the kernels before the program starts.

// extend adds what x has for the kernels of a source file.
func (p *Program) extend(x target.Extension, files map[string][]byte, source string, kernels []*Kernel) error {
	base := strings.TrimSuffix(source, ".go")
	f := x.File(base)
	var body strings.Builder
	for _, k := range kernels {
		text, err := p.extendKernel(x, f, newKernelFile(p, k))
		if err != nil {
			return err
		}
		body.WriteString(text)
	}
	if body.Len() == 0 {
		return nil
	}
	text := body.String() + f.End()
	add := func(g target.GoFile) error {
		imports := map[string]string{x.RunTime(): "", modulePath + "/codegen/exec": ""}
		for _, path := range g.Imports {
			imports[path] = ""
		}
		constraint := kernels[0].Source.Constraint
		if constraint != "" && g.Constraint != "" {
			constraint = "(" + constraint + ") && " + g.Constraint
		}
		src, err := p.assemble(source, cmp.Or(constraint, g.Constraint), imports, g.Body)
		if err != nil {
			return fmt.Errorf("codegen: generated %s code for %s: %w", x.Label(), source, err)
		}
		files[base+"_surge_"+x.Platform().Name+g.Suffix+".go"] = src
		return nil
	}
	if err := add(target.GoFile{Body: text}); err != nil {
		return err
	}
	if b, ok := f.(target.Builder); ok {
		if g := b.Build(); g.Body != "" {
			if err := add(g); err != nil {
				return err
			}
		}
	}
	others, err := f.Others()
	maps.Copy(files, others)
	return err
}

// extendKernel prints the variants of one kernel, "" if there are none.
func (p *Program) extendKernel(x target.Extension, f target.File, g *kernelFile) (string, error) {
	k := g.k
	frame := target.NewFrame(k.Fused, k.called(), g.base, g.frame(), x.Label())
	frame.Columns = k.columns()
	printer := f.Kernel(frame)
	var inits strings.Builder
	coded := false
	for i, c := range k.Fused.Computations {
		space := k.Space(x.Platform().Name, c.Name, selector.Nest)
		if space == nil {
			continue
		}
		codes, omitted, err := p.Codes(k, x.Platform().Name, c)
		if err != nil {
			return "", err
		}
		if len(codes) == 0 {
			fmt.Fprintf(&inits, "%sKernel.Computations[%d].Lacks(%q, %q)\n", g.base, i, x.Platform().Name, space.WhyEmpty())
			continue
		}
		coded = true
		fmt.Fprintf(&inits, "%sKernel.Computations[%d].Codes = append(%[1]sKernel.Computations[%[2]d].Codes,\n", g.base, i)
		for _, code := range codes {
			if err := stopped(p.opt.Context); err != nil {
				return "", err
			}
			lowered, err := k.code(code.Variant)
			if err != nil {
				return "", fmt.Errorf("codegen: %s: %w", code.Variant, err)
			}
			run, err := printer.Func(i, code, lowered)
			if err != nil {
				return "", fmt.Errorf("codegen: %s: %w", code.Variant, err)
			}
			fmt.Fprintf(&inits, "exec.Code{Text: %q,\nLaunch: %q, Func: %s},\n", code.Variant.String(), param.LaunchText(code.Launch), run)
		}
		inits.WriteString(")\n")
		if omitted > 0 {
			fmt.Fprintf(&inits, "%sKernel.Computations[%d].Omitted += %d\n", g.base, i, omitted)
		}
	}
	if inits.Len() == 0 {
		return "", nil
	}
	declared := ""
	if coded {
		declared = frame.Declaration(x.Label())
	}
	// A variable's initialiser runs before every init function, whichever order files come in.
	return declared + printer.End() + fmt.Sprintf("// %s%s adds the variants of %s for the platform %s.\nvar _ = %[1]s%[2]s()\n\nfunc %[1]s%[2]s() bool {\n%[5]sreturn true\n}\n\n",
		g.base, x.Label(), k.Source.Name, x.Platform().Name, inits.String()), nil
}
