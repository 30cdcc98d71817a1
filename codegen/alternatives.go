package codegen

import (
	"fmt"
	"strings"

	"github.com/surge-ndp/surge/ops/fuse"
)

// Another algorithm for a kernel is compiled as a kernel of its own, with its own computations and search spaces. The
// selection has two levels: which algorithm, when inputs are bound (by exec.Algorithm if the options say it, otherwise by
// exec.Call.ChooseAlgorithm), and then which variant of each of its computations. The kernel's Bound hands everything over to that of the algorithm.

func (g *kernelFile) alternativeTable() string {
	if len(g.k.Alternatives) == 0 {
		return ""
	}
	var names []string
	for _, a := range g.k.Alternatives {
		names = append(names, "&"+newKernelFile(a).base+"Kernel")
	}
	return "\tAlternatives: []*exec.Kernel{" + strings.Join(names, ", ") + "},\n"
}

func (g *kernelFile) alternativeField() string {
	if len(g.k.Alternatives) == 0 {
		return ""
	}
	return "\t// other is set if another algorithm runs.\n\tother interface {\n\t\tRun(context.Context) " + g.results() + "\n\t\tDecisions() []exec.Decision\n\t}\n"
}

func (g *kernelFile) alternativeBind(args, opts string) string {
	if len(g.k.Alternatives) == 0 {
		return ""
	}
	n, b := g.local("n"), g.local("b")
	if args != "" {
		args += ", "
	}
	var sb strings.Builder
	fmt.Fprintf(&sb, "%s, %s := exec.Algorithm(&%sKernel, %s)\nswitch %s {\n", n, opts, g.base, opts, n)
	for i, a := range g.k.Alternatives {
		fmt.Fprintf(&sb, "case %d:\n%s, err := %s(%s%s...)\nif err != nil {\nreturn nil, err\n}\nreturn &%s{other: %s}, nil\n",
			i+1, b, newKernelFile(a).public("Bind"), args, opts, g.public("Bound"), b)
	}
	sb.WriteString("}\n")
	return sb.String()
}

// alternativeChoice is the choice of the algorithm by a model, from the features of the first computation.
func (g *kernelFile) alternativeChoice(c *fuse.Computation, args, opts, b, f string) string {
	if len(g.k.Alternatives) == 0 {
		return ""
	}
	if args != "" {
		args += ", "
	}
	var sb strings.Builder
	fmt.Fprintf(&sb, "switch %s.call.ChooseAlgorithm(%s) {\n", b, strings.TrimPrefix(g.features(c, f), ", "))
	for i, a := range g.k.Alternatives {
		o := g.local("o")
		fmt.Fprintf(&sb, "case %d:\n%s, err := %s(%s%s...)\nif err != nil {\nreturn nil, err\n}\n%s.other = %s\nreturn %s, nil\n",
			i+1, o, newKernelFile(a).public("Bind"), args, opts, b, o, b)
	}
	sb.WriteString("}\n")
	return sb.String()
}

func (g *kernelFile) alternativeDecisions() string {
	if len(g.k.Alternatives) == 0 {
		return " return b.call.Decisions() "
	}
	return "\nif b.other != nil {\nreturn b.call.WithAlgorithm(b.other.Decisions())\n}\nreturn b.call.WithAlgorithm(b.call.Decisions())\n"
}

func (g *kernelFile) alternativeCall(call string) string {
	if len(g.k.Alternatives) == 0 {
		return ""
	}
	return "\nif b.other != nil {\nreturn b.other." + call + "\n}\n"
}
