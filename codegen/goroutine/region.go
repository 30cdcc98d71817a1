package goroutine

import (
	"fmt"
	"strings"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

func (p *printer) partial(a *kir.Array) string { return p.unit.field(a.Name, "[]"+a.Kind.String()) }

// partialRef is where a partial array is reached from: in the function that starts its loop through the region's struct
// just filled, in the loop's body through the struct that it got.
func (p *printer) partialRef(a *kir.Array) string {
	if r := p.launched[a]; r != "" {
		return r + "." + p.partial(a)
	}
	return "e." + p.partial(a)
}

func (p *printer) chain(c *kir.Chain) string {
	return p.unit.field(c.Name, "rt.Chain["+c.Kind.String()+"]")
}

// par prints the start of a parallel region and what follows it.
func (p *printer) par(s *kir.Par) {
	p.calls++
	r := fmt.Sprintf("r%d", p.calls)
	carried := Pairs{[]string{r + ".f", r + ".l"}, []string{"f", "l"}}
	number := p.calls
	fn, needs := p.body(s)
	env := r
	if !needs {
		env = "f"
	}
	vars, scratch := regionFree(s)
	switch {
	case !needs && s.By == nil: // the frame is all that there is to take
		carried = Pairs{}
	case !p.inBody:
		p.unit.carries = true
		p.printf("r%d := &f.%s\n", number, p.unit.Env)
	default:
		p.nested, p.unit.carries = true, true
		p.printf("r%d := &f.%ss[w.ID()]\n", number, p.unit.Env)
	}
	for _, v := range vars {
		carried.Add(r+"."+p.unit.field(v.Name, goType(v.T)), v.Name)
	}
	for _, a := range scratch {
		carried.Add(r+"."+p.unit.field(a.Name, "*"+a.Kind.String()), a.Name)
	}
	p.printf("%s", carried.Text("="))
	loop := fmt.Sprintf("l.Loops[%d]", s.Level-1)
	n := p.expr(s.N)
	width, elements := "", "1"
	if s.PartialWidth != nil {
		elements = p.operand(s.PartialWidth)
		width = "*" + elements
	}
	if s.Even {
		loop = fmt.Sprintf("rt.Even(%s, %s, %s)", n, elements, loop)
	}
	if s.Work != nil {
		loop = fmt.Sprintf("rt.Worth(%s, %s)", p.expr(s.Work), loop)
	}
	parts := map[ir.Kind][]string{} // the partial arrays of each kind
	var kinds []ir.Kind
	for _, a := range s.Partials {
		p.launched[a] = r
		if parts[a.Kind] == nil {
			kinds = append(kinds, a.Kind)
		}
		parts[a.Kind] = append(parts[a.Kind], "&"+r+"."+p.partial(a))
	}
	for _, k := range kinds {
		p.printf("rt.GrowAll(rt.Chunks(%s, %s)%s, %s)\n", n, loop, width, strings.Join(parts[k], ", "))
	}
	if s.Chain != nil {
		p.printf("%s.%s.Reset(rt.Chunks(%s, %s), %s)\n", r, p.chain(s.Chain), n, loop, p.expr(s.Chain.Seed))
	}
	rows := ""
	if s.By != nil {
		rows = r + "." + p.unit.field("rows", "rt.Rows")
		p.printf("rt.Cut(&%s, %s, %s, %s, %t)\n", rows, n, "f."+stored(s.By), loop, s.Long != nil)
		p.printf("w.ForRows(&%s, %s, %s, %s) // %s", rows, loop, fn, env, s.What)
	} else {
		p.printf("w.For(%s, %s, %s, %s) // %s", n, loop, fn, env, s.What)
	}
	if s.Pos.IsValid() {
		p.printf(", %s:%d:%d", base(s.Pos.File), s.Pos.Line, s.Pos.Col)
	}
	p.printf("\n")
	if !p.final[s] {
		p.printf("%s", ifStopped)
	}
	if s.Count != nil {
		p.printf("%s := rt.Chunks(%s, %s)\n", s.Count.Name, n, loop)
	}
	if c := s.CombinePartial; c != nil {
		part := "part" // not its own name, which depends on how many there are in the body of the loop
		for p.names[part] {
			part += "_"
		}
		p.inMemory[c.K] = part
		p.printf("for %s := range rt.Chunks(%s, %s) {\n", part, n, loop)
		p.stmts(c.Body)
		p.printf("}\n")
	}
	if long := s.Long; long != nil {
		p.printf("for _, %s := range %s.Long() {\n", long.I.Name, rows)
		p.stmts(long.Body)
		p.printf("}\n")
	}
}

// body prints the body of a parallel loop as a function of its own, and returns how it is called, and whether it takes
// more from around it than the frame, so that it needs the region's struct.
func (p *printer) body(s *kir.Par) (string, bool) {
	name := fmt.Sprintf("%s_region%d", p.name, p.calls)
	if p.single {
		name = p.name
	}
	doc := ""
	if p.doc != "" {
		doc, p.doc = comment(name+" "+p.doc), ""
	}
	text, inner := p.bodyText(s, name)
	p.calls, p.nested = inner.calls, p.nested || inner.nested
	name = p.define(doc, name, text)
	p.bodies = append(p.bodies, inner.bodies...)
	if !p.starts {
		return name, inner.carries
	}
	p.started = append(p.started, name)
	return fmt.Sprintf("l.Bodies[%d]", len(p.started)-1), inner.carries
}
