package codegen

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/surge-ndp/surge/codegen/goroutine"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/load"
)

// plainCost bounds what the kernel costs as plain Go, and says how large its inputs are; nil where calls do not run
// that.
func (g *kernelFile) plainCost() (*fuse.Plain, *inputSizes) {
	k := g.k.Source
	if k.Call == "" { // no source has it
		return nil, nil
	}
	plain := fuse.PlainCost(k.Func)
	plain.Shared = plain.Shared || k.Shares
	plain.Ordered = plain.Ordered && !k.Approximate
	plain.Exact = plain.Exact || plain.Ordered && g.alike && len(extensions(g.p.opt.Code)) == 0
	z := &inputSizes{params: k.Func.Params}
	for i, q := range k.Params {
		z.add(q.Part, g.paramName(i))
	}
	for _, q := range k.Hidden {
		z.add(q.Part, q.Expr)
	}
	unsaid := func(s fuse.Size) bool { return z.text(s) == "" } // as how many elements the slices of structs have
	plain.Unknown = plain.Unknown || slices.ContainsFunc(plain.Work, func(t fuse.Term) bool { return slices.ContainsFunc(t.Sizes, unsaid) })
	if plain.Unknown && !(k.Twice && g.sequential()) && !plain.Exact && !plain.Ordered || plain.Shared && !g.separable() {
		return nil, nil
	}
	if plain.Unknown { // calls of about as many elements are alike
		plain.Work = []fuse.Term{{Factor: 1, Sizes: []fuse.Size{{Param: fuse.AllInputs}}}}
	}
	return plain, z
}

// separable reports whether results that share memory with something are seen to, and copied: sequences, and those of
// sequences, also as fields of structs.
func (g *kernelFile) separable() bool {
	return !slices.ContainsFunc(g.k.Source.Results, func(q load.Param) bool { return !separable(q.Part) })
}

func separable(p *load.Part) bool {
	switch p.Kind {
	case load.PartSlice:
		return !p.Elem.Slices() || ofRows(p) || p.Elem.Kind == load.PartStruct && separable(p.Elem)
	case load.PartStruct:
		return !slices.ContainsFunc(p.Fields, func(f load.PartField) bool { return !separable(f.Part) })
	case load.PartString: // which nothing changes
		return true
	}
	return !p.Slices()
}

// ofRows reports whether the elements of a slice are slices without any in them.
func ofRows(p *load.Part) bool { return p.Elem.Kind == load.PartSlice && !p.Elem.Elem.Slices() }

// apart prints what gives the results of plain Go memory of their own.
func (g *kernelFile) apart(names []string) string {
	var sb strings.Builder
	var others []string
	for i, q := range g.k.Source.Params {
		others = append(others, g.memory(q.Part, g.paramName(i), g.paramName(i))...)
	}
	for _, q := range g.k.Source.Hidden {
		others = append(others, g.memory(q.Part, q.Name, q.Expr)...)
	}
	var visit func(p *load.Part, x string)
	visit = func(p *load.Part, x string) {
		switch {
		case p.Kind == load.PartStruct:
			for _, f := range p.Fields {
				visit(f.Part, x+"."+f.Name)
			}
		case p.Kind != load.PartSlice:
		case p.Elem.Slices():
			g.own(&sb, p, x)
		default:
			fmt.Fprintf(&sb, "%s = exec.Apart(%[1]s, %s)\n", x, strings.Join(others, ", "))
			others = append(others, fmt.Sprintf("exec.Flat(%q, %s)", x, x))
		}
	}
	for i, q := range g.k.Source.Results {
		visit(q.Part, names[i])
	}
	return sb.String()
}

// own prints what copies x and all that it leads to.
func (g *kernelFile) own(sb *strings.Builder, p *load.Part, x string) {
	switch {
	case p.Kind == load.PartStruct:
		for _, f := range p.Fields {
			g.own(sb, f.Part, x+"."+f.Name)
		}
	case p.Kind != load.PartSlice:
	case ofRows(p):
		fmt.Fprintf(sb, "%s = exec.OwnRows(%[1]s)\n", x)
	case p.Elem.Slices():
		e, fields := g.local("e"), &strings.Builder{}
		if g.own(fields, p.Elem, e); fields.Len() > 0 { // and not for texts alone
			fmt.Fprintf(sb, "%s = exec.OwnStructs(%[1]s, func(%s *%s) {\n%s})\n", x, e, p.Elem.GoType, fields)
			return
		}
		fallthrough
	default:
		fmt.Fprintf(sb, "%s = exec.Own(%[1]s)\n", x)
	}
}

// inputSizes says in Go how large the inputs of a kernel are.
type inputSizes struct {
	params []*ir.Var
	known  []inputSize // of the parameters that were looked at
	copied []string    // how many rows are copied
}

// inputSize has the length of a parameter, or its value if it is a number, and the elements of all of its rows; each
// is empty where that takes time to find out.
type inputSize struct{ length, total string }

// add adds the sizes of x, of the type p.
func (z *inputSizes) add(p *load.Part, x string) {
	var size inputSize
	switch p.Kind {
	case load.PartStruct:
		for _, f := range p.Fields {
			z.add(f.Part, x+"."+f.Name)
		}
		return
	case load.PartPointer:
		if p.Elem.Kind == load.PartStruct || p.Elem.Kind == load.PartTable {
			z.add(p.Elem, x)
			return
		}
	case load.PartNumber:
		size.length = "exec.Size(" + numeric(x, p) + ")"
	case load.PartString:
		size.length = "len(" + x + ")"
	case load.PartTable:
		size.length = strconv.Itoa(p.Len)
	case load.PartSlice:
		size.length = "len(" + x + ")"
		switch {
		case p.Elem.Kind == load.PartSlice && !p.Elem.Elem.Slices():
			size.total = "exec.Elements(" + x + ")"
			z.copied = append(z.copied, "exec.Copied("+x+")")
		case p.Elem.Kind == load.PartTable:
			size.total = fmt.Sprintf("%d*len(%s)", p.Elem.Len, x)
		case p.Elem.Kind == load.PartString:
			size.total = "exec.Letters(" + x + ")"
			z.copied = append(z.copied, size.length)
		case p.Elem.Kind == load.PartStruct:
			for _, total := range totalsIn(p.Elem, x, "") {
				z.known = append(z.known, inputSize{size.length, total})
			}
			return
		}
	}
	for range p.Count() {
		if v := z.params[len(z.known)]; p.Kind == load.PartNumber && !v.T.Kind.IsInteger() {
			size = inputSize{}
		}
		z.known = append(z.known, size)
	}
}

// totalsIn says for each number, string and slice in the elements of x, which are structs, how many elements all of the
// strings or slices at that path have together; "" for the others.
func totalsIn(p *load.Part, x, path string) (all []string) {
	switch {
	case p.Kind == load.PartStruct:
		for _, f := range p.Fields {
			all = append(all, totalsIn(f.Part, x, path+"."+f.Name)...)
		}
		return all
	case p.Kind == load.PartString, p.Kind == load.PartSlice && !p.Elem.Slices():
		total := fmt.Sprintf("exec.Lengths(len(%[1]s), func(i int) int { return len(%[1]s[i]%[2]s) })", x, path)
		return slices.Repeat([]string{total}, p.Count())
	}
	return make([]string, p.Count())
}

// text is a size in Go, "" where it takes time to find out.
func (z *inputSizes) text(s fuse.Size) string {
	switch {
	case s.Param == fuse.AllInputs:
		return z.all()
	case s.Total:
		return z.known[s.Param].total
	}
	return z.known[s.Param].length
}

// all is how many elements all sequences have together of which that can be said: rows of rows count as such.
func (z *inputSizes) all() string {
	var terms []string
	for i, v := range z.params {
		if v.T.Rank == 0 {
			continue
		}
		text := z.known[i].length
		if total := z.known[i].total; v.T.Rank > 1 && total != "" {
			text = total
		}
		if text != "" && !slices.Contains(terms, text) { // the fields of structs are as many
			terms = append(terms, text)
		}
	}
	if len(terms) == 0 {
		return "0"
	}
	return strings.Join(terms, "+")
}

// rows is how many rows a call copies.
func (z *inputSizes) rows() string {
	if len(z.copied) == 0 {
		return "0"
	}
	return strings.Join(z.copied, "+")
}

// plainWork prints the function that bounds what the kernel costs as plain Go.
func (g *kernelFile) plainWork(plain *fuse.Plain, z *inputSizes, decl string) string {
	var sizes goroutine.Pairs
	names := map[string]string{} // of the sizes that are looked at, each once
	var products []string
	factors := map[string]float64{}
	for _, t := range plain.Work {
		product := ""
		for _, s := range t.Sizes {
			text := z.text(s)
			if names[text] == "" {
				names[text] = g.local(fmt.Sprintf("n%d", len(names)+1))
				sizes.Add(names[text], "float64("+text+")")
			}
			product += "*" + names[text]
		}
		if !slices.Contains(products, product) {
			products = append(products, product)
		}
		factors[product] += t.Factor
	}
	var terms []string
	for _, product := range products {
		terms = append(terms, fmt.Sprintf("%.3g", factors[product])+product)
	}
	if len(terms) == 0 {
		terms = []string{"0"}
	}
	says := "bounds what " + g.k.Source.Name + " costs as plain Go, in operations"
	if plain.Unknown {
		says = "is how many elements the inputs of " + g.k.Source.Name + " have: nothing bounds what it costs"
	}
	return fmt.Sprintf("// %[1]sWork %[2]s.\nfunc %[1]sWork(%[3]s) float64 {\n%[4]sreturn %[5]s\n}\n\n",
		g.base, says, decl, sizes.Text(":="), strings.Join(terms, " + "))
}

// plainTable prints what the run time knows of the kernel as plain Go.
func (g *kernelFile) plainTable() string {
	plain, _ := g.plainCost()
	if plain == nil {
		return ""
	}
	var fields []string
	if plain.Open {
		fields = append(fields, "Open: true")
	}
	if g.alike {
		fields = append(fields, "Alike: true")
	}
	if g.k.Source.Twice && g.sequential() {
		fields = append(fields, "Twice: true")
	}
	if plain.Exact {
		fields = append(fields, "Exact: true")
	} else if plain.Ordered {
		fields = append(fields, "Ordered: true")
	}
	if kept := g.kept("b"); kept != nil && kept.copies {
		fields = append(fields, "Copies: true")
	}
	if plain.Unknown {
		fields = append(fields, "Unbounded: true")
	}
	if len(fields) == 0 {
		return ""
	}
	return fmt.Sprintf("\tPlain: exec.Plain{%s},\n", strings.Join(fields, ", "))
}
