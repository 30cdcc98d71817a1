package codegen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/load"
)

// plainCost bounds what the kernel costs as plain Go; nil where calls do not run that.
func (g *kernelFile) plainCost() (*fuse.Plain, []string) {
	k := g.k.Source
	plain := fuse.PlainCost(k.Func)
	if plain == nil {
		return nil, nil
	}
	z := &plainSizes{inputs: plain.Inputs, vars: k.Func.Params}
	for i, q := range k.Params {
		z.add(q.Part, g.paramName(i))
	}
	if z.unknown {
		return nil, nil
	}
	sizes := z.sizes
	if len(sizes) == 0 {
		sizes = append(sizes, "0")
	}
	return plain, sizes
}

// plainSizes collects the sizes of the inputs that decide on what the kernel costs.
type plainSizes struct {
	inputs  []*ir.Var // those that count
	vars    []*ir.Var // the parameters that are still to be looked at
	sizes   []string
	unknown bool // one that counts has a size that takes time to find out
}

// add adds the size of x, of the type p.
func (z *plainSizes) add(p *load.Part, x string) {
	n := p.Count()
	used := slices.ContainsFunc(z.vars[:n], func(v *ir.Var) bool { return slices.Contains(z.inputs, v) })
	switch {
	case !used:
	case p.Kind == load.PartStruct:
		for _, f := range p.Fields {
			z.add(f.Part, x+"."+f.Name)
		}
		return
	case p.Kind == load.PartNumber:
		z.sizes = append(z.sizes, "exec.Size("+numeric(x, p)+")")
	case p.Kind == load.PartString, p.Kind == load.PartSlice && !p.Elem.Slices():
		z.sizes = append(z.sizes, "len("+x+")")
	case p.Kind == load.PartSlice && p.Elem.Kind == load.PartSlice && p.Elem.Elem.Kind == load.PartNumber:
		z.sizes = append(z.sizes, "exec.Elements("+x+")")
	default:
		z.unknown = true
	}
	z.vars = z.vars[n:]
}

// plainTable prints what the run time knows of the kernel as plain Go.
func (g *kernelFile) plainTable() string {
	plain, _ := g.plainCost()
	if plain == nil {
		return ""
	}
	work := make([]string, len(plain.Work))
	for i, w := range plain.Work {
		work[i] = fmt.Sprintf("%.3g", w)
	}
	open := ""
	if plain.Open {
		open = ", Open: true"
	}
	return fmt.Sprintf("\tPlain: exec.Plain{Work: []float64{%s}%s},\n", strings.Join(work, ", "), open)
}

// plainCall prints the part of Run that runs the kernel itself on small inputs, and the function that does.
func (g *kernelFile) plainCall(ctx, opts, decl, args string) (call, function string) {
	plain, sizes := g.plainCost()
	if plain == nil {
		return "", ""
	}
	k := g.k.Source
	ok := g.local("ok")
	var names, types []string
	for i, r := range k.Results {
		names = append(names, g.local(fmt.Sprintf("r%d", i+1)))
		types = append(types, names[i]+" "+r.GoType)
	}
	list := strings.Join(names, ", ")
	returned := append(slices.Clone(names), "nil")
	if e := k.Error(); e >= 0 { // the kernel's own error is that of Run
		returned = append(slices.Delete(slices.Clone(names), e, e+1), names[e])
	}
	if k.Variadic {
		args += "..."
	}
	call = fmt.Sprintf("if %sKernel.RunsPlain(%s, %s, %s) {\nif %s, %s := %sPlain(%s); %s {\nreturn %s\n}\n}\n",
		g.base, ctx, opts, strings.Join(sizes, "+"), list, ok, g.base, strings.TrimSuffix(args, "..."), ok, strings.Join(returned, ", "))
	function = fmt.Sprintf("// %[1]sPlain is %[2]s itself, where so little is to be computed that choosing a variant would take longer. ok is false if it\n"+
		"// panics: compiled code then says what is wrong with the input, and where.\n"+
		"func %[1]sPlain(%[3]s) (%[4]s, %[5]s bool) {\ndefer func() {\nif !%[5]s {\nrecover()\n}\n}()\n%[6]s = %[8]s(%[7]s)\nreturn %[6]s, true\n}\n\n",
		g.base, k.Name, strings.TrimSuffix(decl, ", "), strings.Join(types, ", "), ok, list, args, k.Call)
	return call, function
}
