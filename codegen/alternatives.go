package codegen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/codegen/lower"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/selector"
)

// Another algorithm for a kernel is compiled as a kernel of its own, with its own computations and search spaces. The
// selection has two levels: which algorithm, when inputs are bound (by exec.Algorithm if the options say it,
// otherwise by exec.Call.ChooseAlgorithm), and then which variant of each of its computations. The kernel's Bound
// hands everything over to that of the algorithm.

func (g *kernelFile) alternativeTable() string {
	if len(g.k.Alternatives) == 0 {
		return ""
	}
	var names []string
	for _, a := range g.k.Alternatives {
		names = append(names, "&"+newKernelFile(g.p, a).base+"Kernel")
	}
	return "\tAlternatives: []*exec.Kernel{" + strings.Join(names, ", ") + "},\n"
}

// alikeAlternatives finds out whether codes of other algorithms for the kernel, which its calls may choose, use
// vectors or routines.
func (g *kernelFile) alikeAlternatives() error {
	for _, a := range g.k.Alternatives {
		for _, c := range a.Fused.Computations {
			codes, _, err := g.p.Codes(a, selector.Host, c)
			if err != nil {
				return err
			}
			g.alike = g.alike && !usesLanes(codes)
		}
	}
	return nil
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
			i+1, b, newKernelFile(g.p, a).public("Bind"), args, opts, g.public("Bound"), b)
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
	n, e := g.local("n"), g.local("e")
	features := ""
	if !g.lateFeatures(c) {
		features = strings.TrimPrefix(g.features(c, f), ", ")
	}
	choice := fmt.Sprintf("%s.call.ChooseAlgorithm(%s)", b, features)
	if whole := g.whole(); whole > 0 {
		fmt.Fprintf(&sb, "%s = %s\nif %s := %s.call.Turns(%d); %[3]s != nil {\n", n, choice, e, b, whole)
		for i, c := range g.k.Fused.Computations {
			if g.k.Fused.Nested(c) && !g.lateFeatures(c) {
				fmt.Fprintf(&sb, "%s.Add(%d%s)\n", e, i, g.features(c, f))
			}
		}
		fmt.Fprintf(&sb, "%s = %s.Choose()\n}\n", n, e)
		choice = n
	}
	if g.estimable() {
		fmt.Fprintf(&sb, "%s = %s\nif %s := %s.call.Estimates(); %s != nil {\n%s(%s, 0", n, choice, e, b, e, g.estimateName(), e)
		fmt.Fprintf(&sb, "%s)\n", strings.TrimSuffix(", "+args, ", "))
		for i, a := range g.k.Alternatives {
			fmt.Fprintf(&sb, "%s(%s, %d%s)\n", newKernelFile(g.p, a).estimateName(), e, i+1, strings.TrimSuffix(", "+args, ", "))
		}
		fmt.Fprintf(&sb, "%s = %s.Least()\n}\n", n, e)
		choice = n
	}
	fmt.Fprintf(&sb, "switch %s {\n", choice)
	for i, a := range g.k.Alternatives {
		if a.Regular && !g.k.Regular {
			continue // the lengths of rows decide about it, before features are computed
		}
		o := g.local("o")
		fmt.Fprintf(&sb, "case %d:\n%s, err := %s(%s%s...)\nif err != nil {\nreturn nil, err\n}\n%s.other = %s\nreturn %s, nil\n",
			i+1, o, newKernelFile(g.p, a).public("Bind"), args, opts, b, o, b)
	}
	sb.WriteString("}\n")
	return sb.String()
}

// whole returns which alternative of the kernel has each of its loops as one computation, counted from 1; 0 if none
// has.
func (g *kernelFile) whole() int {
	return 1 + slices.IndexFunc(g.k.Alternatives, func(a *Kernel) bool { return a.Whole && a.Regular == g.k.Regular })
}

// estimable reports whether the features of every algorithm are known before it runs, without packing rows.
func (g *kernelFile) estimable() bool {
	if slices.ContainsFunc(g.k.Fused.Func.Params, func(v *ir.Var) bool { return v.T.Rank > 1 }) {
		return false
	}
	for _, k := range append([]*Kernel{g.k}, g.k.Alternatives...) {
		if k.Fused.IsTree() {
			return false // how many turns there are is not known
		}
		if of := newKernelFile(g.p, k); slices.ContainsFunc(k.Fused.Computations, of.lateFeatures) {
			return false
		}
	}
	return true
}

func (g *kernelFile) estimateName() string { return g.base + "Estimate" }

// estimates prints, for a kernel with alternatives, the functions that estimate each algorithm.
func (g *kernelFile) estimates() (string, error) {
	if len(g.k.Alternatives) == 0 || !g.estimable() {
		return "", nil
	}
	var sb strings.Builder
	for _, k := range append([]*Kernel{g.k}, g.k.Alternatives...) {
		text, err := newKernelFile(g.p, k).estimate()
		if err != nil {
			return "", err
		}
		sb.WriteString(text)
	}
	return sb.String(), nil
}

// estimate prints the function that estimates the kernel on inputs that nobody has checked.
func (g *kernelFile) estimate() (string, error) {
	decl, _ := g.params()
	if decl != "" {
		decl = ", " + decl
	}
	e, a, f := g.local("e"), g.local("algorithm"), g.local("f")
	var sb strings.Builder
	fmt.Fprintf(&sb, "// %s estimates what %s costs.\nfunc %s(%s *exec.Estimates, %s int%s) {\n%s := new(%s)\n%s", g.estimateName(), g.k.Source.Name,
		g.estimateName(), e, a, decl, f, g.frame(), g.fill(f))
	prepare, err := lower.Host(g.k.Fused, g.early())
	if err != nil {
		return "", g.unsupported(err)
	}
	if len(prepare) > 0 {
		fmt.Fprintf(&sb, "if err := rt.Inspect(1, %s, %sPrepare); err != nil {\n%s.Fail(%s)\nreturn\n}\n", f, g.base, e, a)
	}
	var known strings.Builder // functions that the kernel's Bind prints
	for i, c := range g.k.Fused.Computations {
		probe, err := g.probe(c, &known, f)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&sb, "%s%s.Add(%s, %d%s)\n", probe, e, a, i, g.features(c, f))
	}
	sb.WriteString("}\n\n")
	return sb.String(), nil
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
	return "if b.other != nil {\nreturn b.other." + call + "\n}\n"
}
