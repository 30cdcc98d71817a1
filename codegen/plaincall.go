package codegen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
)

// plainCost bounds what the kernel costs as plain Go; nil where calls do not run that.
func (g *kernelFile) plainCost() (*fuse.Plain, []string) {
	k := g.k.Source
	plain := fuse.PlainCost(k.Func)
	if plain == nil {
		return nil, nil
	}
	sizes := []string{}
	vars := k.Func.Params
	for i, q := range k.Params {
		own := vars[:len(q.Values())]
		vars = vars[len(own):]
		used := slices.ContainsFunc(own, func(v *ir.Var) bool { return slices.Contains(plain.Inputs, v) })
		name := g.paramName(i)
		switch {
		case !used:
		case q.Type.Rank == 1:
			sizes = append(sizes, "len("+name+")")
		case q.Fields != nil:
			return nil, nil
		case q.Type.Rank == 2:
			sizes = append(sizes, "exec.Elements("+name+")")
		default:
			sizes = append(sizes, "exec.Size("+name+")")
		}
	}
	if len(sizes) == 0 {
		sizes = append(sizes, "0")
	}
	return plain, sizes
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
	call = fmt.Sprintf("if %sKernel.RunsPlain(%s, %s, %s) {\nif %s, %s := %sPlain(%s); %s {\nreturn %s, nil\n}\n}\n",
		g.base, ctx, opts, strings.Join(sizes, "+"), list, ok, g.base, args, ok, list)
	function = fmt.Sprintf("// %[1]sPlain is %[2]s itself, where so little is to be computed that choosing a variant would take longer. ok is false if it\n"+
		"// panics: compiled code then says what is wrong with the input, and where.\n"+
		"func %[1]sPlain(%[3]s) (%[4]s, %[5]s bool) {\ndefer func() {\nif !%[5]s {\nrecover()\n}\n}()\n%[6]s = %[2]s(%[7]s)\nreturn %[6]s, true\n}\n\n",
		g.base, k.Name, strings.TrimSuffix(decl, ", "), strings.Join(types, ", "), ok, list, args)
	return call, function
}
