package codegen

import (
	"fmt"
	"slices"
	"strings"
)

func sortStrings(ss []string) []string {
	slices.Sort(ss)
	return ss
}

// Harness returns a file for the same Go package that registers every kernel, compiled and as plain Go, with package
// harness. It is for builds with an overlay and is never written beside the source.
func (p *Program) Harness() (name string, src []byte, err error) {
	var sb strings.Builder
	sb.WriteString("func init() {\n")
	for _, k := range p.Kernels {
		g := newKernelFile(k)
		params := func(ps []string) string { return "[]harness.Param{" + strings.Join(ps, ", ") + "}" }
		var ins, outs, args []string
		for i, q := range k.Source.Params {
			ins = append(ins, fmt.Sprintf("{Name: %q, Type: %q}", g.paramName(i), q.Type.String()))
			args = append(args, fmt.Sprintf("args[%d].(%s)", i, q.GoType))
		}
		for _, q := range k.Source.Results {
			outs = append(outs, fmt.Sprintf("{Name: %q, Type: %q}", q.Name, q.Type.String()))
		}
		rs := make([]string, len(k.Source.Results))
		for i := range rs {
			rs[i] = fmt.Sprintf("r%d", i+1)
		}
		list := strings.Join(rs, ", ")
		comma := ""
		if len(args) > 0 {
			comma = ", "
		}
		fmt.Fprintf(&sb, `harness.Register(&harness.Kernel{
	Exec: &%[1]sKernel, Params: %[2]s, Results: %[3]s,
	Bind: func(args []any, opts ...exec.Option) (harness.Bound, error) {
		b, err := %[4]s(%[5]s%[9]sopts...)
		if err != nil {
			return nil, err
		}
		return %[1]sHarness{b}, nil
	},
	Reference: func(args []any) []any {
		%[6]s := %[7]s(%[5]s)
		return []any{%[6]s}
	},
})
`, g.base, params(ins), params(outs), g.public("Bind"), strings.Join(args, ", "), list, k.Source.Name, "", comma)
	}
	sb.WriteString("}\n\n")
	for _, k := range p.Kernels {
		g := newKernelFile(k)
		rs := make([]string, len(k.Source.Results))
		for i := range rs {
			rs[i] = fmt.Sprintf("r%d", i+1)
		}
		list := strings.Join(rs, ", ")
		fmt.Fprintf(&sb, `type %[1]sHarness struct{ *%[2]s }

func (h %[1]sHarness) Run(ctx context.Context) ([]any, error) {
	%[3]s, err := h.%[2]s.Run(ctx)
	if err != nil {
		return nil, err
	}
	return []any{%[3]s}, nil
}

`, g.base, g.public("Bound"), list)
	}
	imports := map[string]bool{"context": true, modulePath + "/codegen/exec": true, modulePath + "/codegen/harness": true}
	src, err = assemble(p.Package.Name, "the kernels of the package", imports, sb.String())
	return "surge_harness.go", src, err
}
