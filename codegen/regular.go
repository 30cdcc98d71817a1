package codegen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/codegen/lower"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/load"
)

// A kernel that compares the lengths of rows of its parameters is compiled once more, for rows of one length
// (fuse.CompileRegular), as matrices have. Binding looks at the lengths before anything else, and hands inputs that are
// like that over to this alternative, unless the options say what is to run.

// regular returns the ways in which k is compiled for rows of one length, none if that makes no difference.
func (p *Program) regular(k *Kernel) []*Kernel {
	if k.Source.VariantOf != "" || len(k.Source.Whole) > 0 {
		return nil
	}
	src, nested := k.Source, k.nested()
	at := k.Fused.Uneven(nested)
	if even := src.Even; even != nil && !slices.ContainsFunc(even.EvenRows, func(p int) bool { return !slices.Contains(nested, p) }) {
		src = even
		at = slices.Compact(slices.Sorted(slices.Values(slices.Concat(at, even.EvenRows))))
	}
	if len(at) == 0 {
		return nil
	}
	by := func(turns bool) compiler {
		return func(f *ir.Func, trace func(fuse.Stage)) (*fuse.Kernel, error) {
			return fuse.CompileRegular(f, at, turns, trace)
		}
	}
	ks, err := p.compiledBy(p.another(src, "Regular"), by(true), by(false), true)
	if err != nil {
		return nil
	}
	for _, way := range ks {
		way.WayOf, way.Regular = k.Source.Name, true
	}
	return ks
}

// nested are the places of the parameters that have rows of numbers.
func (k *Kernel) nested() (at []int) {
	first := 0
	var visit func(p *load.Part)
	visit = func(p *load.Part) {
		switch p.Kind {
		case load.PartStruct:
			for _, f := range p.Fields {
				visit(f.Part)
			}
			return
		case load.PartArray:
			for range p.Len {
				visit(p.Elem)
			}
			return
		case load.PartPointer:
			visit(p.Elem)
			return
		case load.PartSlice:
			if p.Elem.Kind == load.PartSlice && p.Elem.Elem.Kind == load.PartNumber && p.Elem.Elem.Number != ir.Bool {
				at = append(at, first)
			}
		}
		first += p.Count()
	}
	for _, q := range slices.Concat(k.Source.Params, k.Source.Hidden) {
		visit(q.Part)
	}
	return at
}

// regularRows prints how x, with elements of type e in rows of one length, gets into the frame.
func (t *taker) regularRows(e *load.Part, x string, v *ir.Var, sizes *fuse.Regular) {
	n, length := t.field(sizes.N), t.field(sizes.Length)
	if e.Plain {
		t.printf("%s, %s, %s = exec.PackRegular(%s)\n", t.field(v), n, length, t.packed(x))
		return
	}
	data := t.name("data")
	t.printf("{\nvar %s []%s\n%s, %s, %s = exec.PackRegular(%s)\n%s = %s\n}\n", data, e.GoType, data, n, length, t.packed(x), t.field(v), plainSlice(data, e))
}

// uneven lists, in Go, the arguments that k has regular and the conditions that they are not.
func (g *kernelFile) uneven(k *Kernel) (args []string) {
	vars := k.Fused.Func.Params
	var visit func(p *load.Part, x string)
	visit = func(p *load.Part, x string) {
		switch p.Kind {
		case load.PartStruct:
			for _, f := range p.Fields {
				visit(f.Part, x+"."+f.Name)
			}
			return
		case load.PartArray:
			for i := range p.Len {
				visit(p.Elem, fmt.Sprintf("%s[%d]", x, i))
			}
			return
		case load.PartPointer:
			visit(p.Elem, pointed(p, x))
			return
		}
		if k.Fused.Regular[vars[0]] != nil {
			args = append(args, x)
		}
		vars = vars[p.Count():]
	}
	for i, q := range k.Source.Params {
		visit(q.Part, g.paramName(i))
	}
	for _, q := range k.Source.Hidden {
		visit(q.Part, q.Expr)
	}
	return args
}

// regularBind prints how Bind hands inputs over whose rows have one length.
func (g *kernelFile) regularBind(args, opts string) string {
	i := slices.IndexFunc(g.k.Alternatives, func(a *Kernel) bool { return a.Regular && !g.k.Regular })
	if i < 0 {
		return ""
	}
	conditions := []string{fmt.Sprintf("exec.Open(%s)", opts)}
	for _, x := range g.uneven(g.k.Alternatives[i]) {
		conditions = append(conditions, "exec.Even("+x+")")
	}
	b := g.local("b")
	return fmt.Sprintf("if %s {\n%s, err := %s(%s, %s...)\nif err != nil {\nreturn nil, err\n}\nreturn &%s{other: %[2]s}, nil\n}\n",
		strings.Join(conditions, " && "), b, newKernelFile(g.p, g.k.Alternatives[i]).public("Bind"), args, opts, g.public("Bound"))
}

// regularOnly prints, for a kernel of rows of one length, how Bind refuses others.
func (g *kernelFile) regularOnly() string {
	if !g.k.Regular {
		return ""
	}
	var sb strings.Builder
	for _, x := range g.uneven(g.k) {
		fmt.Fprintf(&sb, "if !exec.Even(%s) {\nreturn nil, exec.Uneven(&%sKernel, %q)\n}\n", x, g.base, x)
	}
	return sb.String()
}

// regularRowsOf prints data as the rows of v again, which have one length.
func (k *keeper) regularRowsOf(data string, sizes *fuse.Regular) string {
	return fmt.Sprintf("exec.RegularRows(%s, %s, %s)", data, k.frame(lower.HostName(sizes.N)), k.frame(lower.HostName(sizes.Length)))
}
