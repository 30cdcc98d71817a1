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
			if e := p.Elem.Innermost(); e != p.Elem && e.Kind == load.PartNumber && e.Number != ir.Bool {
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

// regularRows prints how x, a slice of type p of rows that have one length, on all levels, gets into the frame.
func (t *taker) regularRows(p *load.Part, x string, v *ir.Var, sizes *fuse.Regular) {
	e, n := p.Innermost(), t.field(sizes.N)
	inner, last := sizes.Lengths[:len(sizes.Lengths)-1], t.field(sizes.Row())
	if e.Plain && len(inner) == 0 {
		t.printf("%s, %s, %s = exec.PackRegular(%s)\n", t.field(v), n, last, t.packed(x))
		return
	}
	t.printf("{\n")
	for _, length := range inner {
		t.printf("%s, %s = exec.Shape(%s)\n", n, t.field(length), x)
		rows := t.name("rows")
		t.printf("%s := exec.Joined(%s)\n", rows, x)
		x, n = rows, "_"
	}
	data := t.field(v)
	if !e.Plain {
		data = t.name("data")
		t.printf("var %s []%s\n", data, e.GoType)
	}
	t.printf("%s, %s, %s = exec.PackRegular(%s)\n", data, n, last, t.packed(x))
	if !e.Plain {
		t.printf("%s = %s\n", t.field(v), plainSlice(data, e))
	}
	t.printf("}\n")
}

// evenArg is an argument of which all rows, on all levels, have to have one length.
type evenArg struct {
	name  string // in Go
	sizes *fuse.Regular
}

// even is the condition that they have, in Go.
func (a evenArg) even() string {
	all, x := "exec.Even("+a.name+")", a.name
	for k := range a.sizes.Lengths[1:] {
		if k > 0 {
			x = "exec.Joined(" + x + ")"
		}
		all += " && exec.EvenRows(" + x + ")"
	}
	return all
}

// evenArgs lists the arguments that k has regular.
func (g *kernelFile) evenArgs(k *Kernel) (args []evenArg) {
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
		if sizes := k.Fused.Regular[vars[0]]; sizes != nil {
			args = append(args, evenArg{x, sizes})
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
	for _, a := range g.evenArgs(g.k.Alternatives[i]) {
		conditions = append(conditions, a.even())
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
	for _, a := range g.evenArgs(g.k) {
		fmt.Fprintf(&sb, "if !(%s) {\nreturn nil, exec.Uneven(&%sKernel, %q)\n}\n", a.even(), g.base, a.name)
	}
	return sb.String()
}

// regularRowsOf prints data as the rows of v again, which have one length on each level.
func (k *keeper) regularRowsOf(data string, sizes *fuse.Regular) string {
	size := func(v *ir.Var) string { return k.frame(lower.HostName(v)) }
	counts := []string{size(sizes.N)}
	for _, v := range sizes.Lengths[:len(sizes.Lengths)-1] {
		counts = append(counts, counts[len(counts)-1]+" * "+size(v))
	}
	for d, v := range slices.Backward(sizes.Lengths) {
		data = fmt.Sprintf("exec.RegularRows(%s, %s, %s)", data, counts[d], size(v))
	}
	return data
}
