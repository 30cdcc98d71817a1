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

// plainCost bounds what the kernel costs as plain Go, and says by which sizes; nil where calls do not run that.
func (g *kernelFile) plainCost() (*fuse.Plain, *plainSizes) {
	k := g.k.Source
	if k.Call == "" { // no source has it
		return nil, nil
	}
	plain := fuse.PlainCost(k.Func)
	if plain == nil || plain.Unknown && !(k.Twice && g.sequential()) {
		return nil, nil
	}
	z := &plainSizes{inputs: plain.Inputs, vars: k.Func.Params}
	for i, q := range k.Params {
		z.add(q.Part, g.paramName(i))
	}
	if z.unknown {
		return nil, nil
	}
	return plain, z
}

// plainSizes collects the sizes of the inputs that decide on what the kernel costs.
type plainSizes struct {
	inputs  []*ir.Var // those that count
	vars    []*ir.Var // the parameters that are still to be looked at
	sizes   []string
	copied  []string // how many rows are copied
	unknown bool     // one that counts has a size that takes time to find out
}

// sum adds up terms.
func sum(terms []string) string {
	if len(terms) == 0 {
		return "0"
	}
	return strings.Join(terms, "+")
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
	case p.Kind == load.PartSlice && p.Elem.Kind == load.PartSlice && !p.Elem.Elem.Slices():
		z.sizes = append(z.sizes, "exec.Elements("+x+")")
		z.copied = append(z.copied, "exec.Copied("+x+")")
	case p.Kind == load.PartSlice && p.Elem.Kind == load.PartString:
		z.sizes = append(z.sizes, "exec.Letters("+x+")")
		z.copied = append(z.copied, "len("+x+")")
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
	if g.alike {
		open += ", Alike: true"
	}
	if g.k.Source.Twice && g.sequential() {
		open += ", Twice: true"
	}
	return fmt.Sprintf("\tPlain: exec.Plain{Work: []float64{%s}%s},\n", strings.Join(work, ", "), open)
}

// sequential reports whether no computation has anything that runs in parallel.
func (g *kernelFile) sequential() bool {
	return !slices.ContainsFunc(g.k.Fused.Computations, func(c *fuse.Computation) bool {
		m, ok := c.Stmt.Op.(*ir.Map)
		return !ok || !ir.IsInt(m.N, 1) || len(c.Sequence) > 1
	})
}

// plainRun is the text that has to do with runs of the kernel itself.
type plainRun struct {
	call     string // the part of Run that runs it on small inputs
	function string // the function that does
	field    string // of the bound kernel: that function with what is bound
	bind     string // the part of Bind that sets the field, and run the part of a run that calls it
	run      string
}

// plainRun prints that; all of it is empty where calls do not run the kernel itself, and the last three are where a
// bound kernel does not: where it keeps copies that the function cannot be given.
func (g *kernelFile) plainRun(ctx, opts, decl, args string) (t plainRun) {
	plain, sizes := g.plainCost()
	if plain == nil {
		return t
	}
	k := g.k.Source
	ok, b := g.local("ok"), g.local("b")
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
	given := args
	if k.Variadic {
		args += "..."
	}
	take := func(f string) string {
		return fmt.Sprintf("if %s, %s := %s; %[2]s {\nreturn %[4]s\n}\n", list, ok, f, strings.Join(returned, ", "))
	}
	t.call = fmt.Sprintf("if %sKernel.RunsPlain(%s, %s, %s, %s) {\n%s}\n",
		g.base, ctx, opts, sum(sizes.sizes), sum(sizes.copied), take(fmt.Sprintf("%sPlain(%s)", g.base, given)))
	t.function = fmt.Sprintf("// %[1]sPlain is %[2]s itself, where so little is to be computed that choosing a variant would take longer. ok is false if it\n"+
		"// panics: compiled code then says what is wrong with the input, and where.\n"+
		"func %[1]sPlain(%[3]s) (%[4]s, %[5]s bool) {\ndefer func() {\nif !%[5]s {\nrecover()\n}\n}()\n%[6]s = %[8]s(%[7]s)\nreturn %[6]s, true\n}\n\n",
		g.base, k.Name, strings.TrimSuffix(decl, ", "), strings.Join(types, ", "), ok, list, args, k.Call)
	kept, possible := g.kept(b)
	if !possible {
		return t
	}
	signature := fmt.Sprintf("func() (%s, %s bool)", strings.Join(types, ", "), ok)
	t.field = "\t// plain is the kernel itself, where so little is to be computed that starting compiled code would take longer.\n\tplain " + signature + "\n"
	t.bind = fmt.Sprintf("if %s.call.RunsPlain(%s) {\n%s%[1]s.plain = %[4]s { return %[5]sPlain(%[6]s) }\n}\n", b, sum(sizes.sizes), kept, signature, g.base, given)
	t.run = fmt.Sprintf("if b.plain != nil && b.call.Plain(ctx) {\n%s}\n", take("b.plain()"))
	return t
}

// kept prints what makes the arguments as bound code sees them in later runs: what it copied is copied, what it
// shares with the caller is shared. possible is false where that cannot be said in Go.
func (g *kernelFile) kept(b string) (text string, possible bool) {
	var sb strings.Builder
	vars := g.k.Fused.Func.Params
	for i, q := range g.k.Source.Params {
		name, n := g.paramName(i), q.Part.Count()
		own := vars[:n]
		vars = vars[n:]
		placed := 0
		for _, v := range own {
			if g.k.Fused.InPlace[v] != nil {
				placed++
			}
		}
		p := q.Part
		switch {
		case p.Kind == load.PartSlice && p.Elem.Kind == load.PartString:
			fmt.Fprintf(&sb, "%s := exec.Kept(%[1]s)\n", name)
		case depth(p) > 1 && elements(p).Kind == load.PartNumber && elements(p).Plain && q.GoType == strings.Repeat("[]", depth(p))+elements(p).GoType:
			rows := fmt.Sprintf("%s.frame.%s", b, lower.HostName(own[0]))
			for _, offsets := range slices.Backward(lower.RowOffsetsNames(own[0])) {
				rows = fmt.Sprintf("exec.Rows(%s, %s.frame.%s)", rows, b, offsets)
			}
			fmt.Fprintf(&sb, "%s := %s\n", name, rows)
		case p.Kind == load.PartSlice && p.Elem.Kind == load.PartStruct && !p.Elem.Slices() && placed == 0:
			fmt.Fprintf(&sb, "%s := exec.Kept(%[1]s)\n", name)
		case shared(p) && (placed == 0 || placed == n):
		default:
			return "", false
		}
	}
	return sb.String(), true
}

// shared reports whether bound code reads what a part holds from the caller's memory, or got it by value. Structs in
// a slice are to be asked about before.
func shared(p *load.Part) bool {
	switch p.Kind {
	case load.PartNumber, load.PartString:
		return true
	case load.PartArray:
		return !p.Slices()
	case load.PartStruct:
		return !slices.ContainsFunc(p.Fields, func(f load.PartField) bool {
			return !shared(f.Part) || f.Part.Kind == load.PartSlice && f.Part.Elem.Kind != load.PartNumber
		})
	case load.PartSlice:
		return p.Elem.Kind == load.PartNumber || p.Elem.Kind == load.PartStruct && !p.Elem.Slices()
	}
	return false
}
