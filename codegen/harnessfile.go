package codegen

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/load"
)

func sortStrings(ss []string) []string {
	slices.Sort(ss)
	return ss
}

// Harness returns a file for the same Go package that registers every kernel, compiled and as plain Go, with package
// harness. It is for builds with an overlay and is never written beside the source.
func (p *Program) Harness() (name string, src []byte, err error) {
	var register, types strings.Builder
	imports := map[string]string{"context": "", modulePath + "/codegen/exec": "", modulePath + "/codegen/harness": ""}
	for _, k := range p.Kernels {
		newKernelFile(p, k).harness(&register, &types)
		maps.Copy(imports, k.Source.Imports)
	}
	src, err = p.assemble("the kernels of the package", "", imports, "func init() {\n"+register.String()+"}\n\n"+types.String())
	return "surge_harness.go", src, err
}

// harness prints the registration of the kernel, and the type that it hands out for the bound kernel.
func (g *kernelFile) harness(register, types *strings.Builder) {
	k := g.k.Source
	var ins, outs, args, plain, values, bound []string
	for i, q := range k.Params {
		ins = append(ins, fmt.Sprintf("harness.Of[%s](%q)", q.GoType, g.paramName(i)))
		args = append(args, fmt.Sprintf("args[%d].(%s)", i, q.GoType))
	}
	for i, q := range k.Results {
		r := fmt.Sprintf("r%d", i+1)
		plain = append(plain, r)
		switch {
		case q.Part.Kind == load.PartError:
			outs = append(outs, fmt.Sprintf("harness.Of[string](%q)", q.Name))
			values = append(values, "harness.ErrorText("+r+")")
			continue
		case q.Part.Kind == load.PartPointer: // what it points to is compared and shown
			outs = append(outs, fmt.Sprintf("harness.Of[%s](%q)", q.Part.Elem.GoType, q.Name))
			values, bound = append(values, "harness.Pointed("+r+")"), append(bound, r)
			continue
		case q.Part.Kind == load.PartSlice && stored(q.Part):
			outs = append(outs, fmt.Sprintf("harness.Into[%s, %s](%q)", q.GoType, elements(q.Part).GoType, q.Name))
		default:
			outs = append(outs, fmt.Sprintf("harness.Of[%s](%q)", q.GoType, q.Name))
		}
		values, bound = append(values, r), append(bound, r)
	}
	call := strings.Join(args, ", ")
	rest := ""
	if k.Variadic {
		rest = "..."
	}
	comma := ""
	if len(args) > 0 {
		comma = ", "
	}
	failure, foreign := "err", "err != nil"
	if e := k.Error(); e >= 0 {
		failure = fmt.Sprintf("r%d", e+1)
		foreign = fmt.Sprintf("%s != nil && !harness.Own(%[1]s, %sErrors[:], %t)", failure, g.base, g.computedErrors() || g.textErrors() || g.k.Source.Exits)
	}
	list := func(vs []string) string { return "[]harness.Value{" + strings.Join(vs, ", ") + "}" }
	fmt.Fprintf(register, `harness.Register(&harness.Kernel{
	Exec: &%[1]sKernel, Params: %[2]s, Results: %[3]s,
	Bind: func(args []any, opts ...exec.Option) (harness.Bound, error) {
		b, err := %[4]s(%[5]s%[6]sopts...)
		if err != nil {
			return nil, err
		}
		return %[1]sHarness{b}, nil
	},
	Call: func(ctx context.Context, args []any, opts ...exec.Option) ([]any, error) {
		%[12]s := %[11]s(ctx, %[5]s%[6]sopts...)
		if %[13]s {
			return nil, %[14]s
		}
		return []any{%[10]s}, nil
	},
	Reference: func(args []any) []any {
		%[7]s := %[8]s(%[5]s%[9]s)
		return []any{%[10]s}
	},%[15]s
})
`, g.base, list(ins), list(outs), g.public("Bind"), call, comma, strings.Join(plain, ", "), k.Call, rest, strings.Join(values, ", "),
		g.public("Run"), strings.Join(append(bound, failure), ", "), foreign, failure, g.mathFunctions())
	fmt.Fprintf(types, `type %[1]sHarness struct{ *%[2]s }

func (h %[1]sHarness) Run(ctx context.Context) ([]any, error) {
	%[3]s := h.%[2]s.Run(ctx)
	if %[4]s {
		return nil, %[5]s
	}
	return []any{%[6]s}, nil
}

`, g.base, g.public("Bound"), strings.Join(append(bound, failure), ", "), foreign, failure, strings.Join(values, ", "))
}

// mathFunctions prints the field of the registration that names the functions of package math which lanes and devices
// compute in their own way and the kernel calls for float64 numbers.
func (g *kernelFile) mathFunctions() string {
	called := map[string]bool{}
	ir.Walk(g.k.Fused.Func.Body, func(s *ir.Stmt) {
		if u, ok := s.Op.(*ir.Unary); ok && (u.Fn == ir.Exp || u.Fn == ir.Log) && s.Dst[0].Type().Kind == ir.Float64 {
			called[u.Fn.GoMath()] = true
		}
	})
	if len(called) == 0 {
		return ""
	}
	return fmt.Sprintf("\n\tMath: %#v,", slices.Sorted(maps.Keys(called)))
}
