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
	var rest strings.Builder
	sb.WriteString("func init() {\n")
	for _, k := range p.Kernels {
		g := newKernelFile(k)
		params := func(ps []string) string { return "[]harness.Param{" + strings.Join(ps, ", ") + "}" }
		var ins, outs []string
		for i, q := range k.Source.Params {
			for _, f := range q.Values() {
				name := f.Name
				if q.Fields == nil {
					name = g.paramName(i)
				}
				ins = append(ins, fmt.Sprintf("{Name: %q, Type: %q}", name, f.Type.String()))
			}
		}
		for _, q := range k.Source.Results {
			for _, f := range q.Values() {
				outs = append(outs, fmt.Sprintf("{Name: %q, Type: %q}", f.Name, f.Type.String()))
			}
		}
		args, checks, helpers := g.harnessArgs()
		values, more, structs := g.harnessResults()
		rest.WriteString(helpers + more)
		fresh := "opts"
		if structs { // results of the harness are fields, destinations whole results
			fresh = "append(opts, exec.Fresh())"
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
		%[11]sb, err := %[4]s(%[5]s%[9]s%[10]s...)
		if err != nil {
			return nil, err
		}
		return %[1]sHarness{b}, nil
	},
	Reference: func(args []any) []any {
		%[6]s := %[7]s(%[5]s)
		return []any{%[8]s}
	},
})
`, g.base, params(ins), params(outs), g.public("Bind"), strings.Join(args, ", "), list, k.Source.Name, strings.Join(values, ", "), comma, fresh, checks)
	}
	sb.WriteString("}\n\n")
	for _, k := range p.Kernels {
		g := newKernelFile(k)
		rs := make([]string, len(k.Source.Results))
		for i := range rs {
			rs[i] = fmt.Sprintf("r%d", i+1)
		}
		list := strings.Join(rs, ", ")
		values, _, _ := g.harnessResults()
		fmt.Fprintf(&sb, `type %[1]sHarness struct{ *%[2]s }

func (h %[1]sHarness) Run(ctx context.Context) ([]any, error) {
	%[3]s, err := h.%[2]s.Run(ctx)
	if err != nil {
		return nil, err
	}
	return []any{%[4]s}, nil
}

`, g.base, g.public("Bound"), list, strings.Join(values, ", "))
	}
	sb.WriteString(rest.String())
	imports := map[string]bool{"context": true, modulePath + "/codegen/exec": true, modulePath + "/codegen/harness": true}
	src, err = assemble(p.Package, "the kernels of the package", imports, sb.String())
	return "surge_harness.go", src, err
}
