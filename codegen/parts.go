package codegen

import (
	"fmt"
	"strings"

	"github.com/surge-ndp/surge/codegen/lower"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/load"
)

// Inside a kernel there are scalars and sequences of numbers only: what a parameter of Go is made of is handed over
// number by number. A slice whose elements are numbers is taken as it is, whatever its type is called; one whose
// elements are made of several becomes a sequence for each, so that lanes load and store consecutive numbers. Bind
// pays for taking parameters apart, once; Run for putting results together (results.go), each time.

// unpackDoc is what the comment of Bind says of parameters whose elements are copied, but for the fields of structs
// (structsDoc).
func (g *kernelFile) unpackDoc() string {
	var sb strings.Builder
	for i, q := range g.k.Source.Params {
		describeCopies(&sb, q.Part, g.paramName(i))
	}
	return sb.String()
}

func describeCopies(sb *strings.Builder, p *load.Part, name string) {
	switch p.Kind {
	case load.PartStruct:
		for _, f := range p.Fields {
			describeCopies(sb, f.Part, name+"."+f.Name)
		}
	case load.PartPointer:
		describeCopies(sb, p.Elem, name)
	case load.PartArray:
		if p.Slices() {
			describeCopies(sb, p.Elem, name+"[i]")
		}
	case load.PartSlice:
		e := elements(p) // or those of rows
		switch {
		case e.Kind == load.PartString:
			fmt.Fprintf(sb, "// The strings of %s are copied, one behind the other.\n", name)
		case e.Kind != load.PartNumber && e.Slices():
			fmt.Fprintf(sb, "// The slices and strings in elements of %s are copied: each becomes a row of one sequence.\n", name)
		case e.Kind == load.PartNumber && p.Elem.Kind == load.PartSlice:
			fmt.Fprintf(sb, "// Rows of %s that do not lie one behind the other in one array are copied when bound: no run sees later changes.\n", name)
		case e.Kind == load.PartComplex:
			fmt.Fprintf(sb, "// The elements of %s are copied: each part becomes a sequence of its own.\n", name)
		}
	}
}

// numeric is a number of a type as one of its kind.
func numeric(x string, p *load.Part) string {
	if p.Plain {
		return x
	}
	return p.Number.String() + "(" + x + ")"
}

// taker prints how a parameter gets into a frame. vars are the values that are still to be filled, in order.
type taker struct {
	g    *kernelFile
	out  strings.Builder
	f    string // the frame
	vars []*ir.Var
	uses int // names in use

	level int // slices of slices around
}

// take prints how the parameter called name gets into the frame f: vars are its values.
func (g *kernelFile) take(q load.Param, vars []*ir.Var, name, f string) string {
	t := &taker{g: g, f: f, vars: vars}
	t.value(q.Part, name)
	return t.out.String()
}

func (t *taker) printf(format string, args ...any) { fmt.Fprintf(&t.out, format, args...) }

// next returns the field of the frame for the next value.
func (t *taker) next() *ir.Var {
	v := t.vars[0]
	t.vars = t.vars[1:]
	return v
}

func (t *taker) field(v *ir.Var) string { return t.f + "." + lower.HostName(v) }

// name makes the name of a variable.
func (t *taker) name(base string) string {
	t.uses++
	if t.uses > 1 {
		base = fmt.Sprintf("%s%d", base, t.uses)
	}
	return t.g.local(base)
}

// value takes a value that is no element: x is an expression without effects.
func (t *taker) value(p *load.Part, x string) {
	switch p.Kind {
	case load.PartNumber:
		t.printf("%s = %s\n", t.field(t.next()), numeric(x, p))
	case load.PartComplex:
		t.printf("%s = real(%s)\n", t.field(t.next()), x)
		t.printf("%s = imag(%s)\n", t.field(t.next()), x)
	case load.PartString:
		t.printf("%s = exec.Bytes(string(%s))\n", t.field(t.next()), x)
	case load.PartStruct:
		for _, f := range p.Fields {
			t.value(f.Part, x+"."+f.Name)
		}
	case load.PartArray:
		for i := range p.Len {
			t.value(p.Elem, fmt.Sprintf("%s[%d]", x, i))
		}
	case load.PartPointer:
		t.value(p.Elem, pointed(p, x))
	case load.PartSlice:
		t.slice(p.Elem, x)
	case load.PartTable:
		t.slice(p.Elem, tabled(p, x))
	}
}

// tabled is the table x, which has an address, as a slice of its elements.
func tabled(p *load.Part, x string) string {
	if p.First == "[0]" {
		return x + "[:]"
	}
	return fmt.Sprintf("exec.Numbers(&%s%s, %d)", x, p.First, p.Len)
}

// pointed is what a pointer points to, for selecting fields and elements of it.
func pointed(p *load.Part, x string) string {
	if p.Elem.Kind == load.PartStruct {
		return x
	}
	return "(*" + x + ")"
}

// slice takes a slice x with elements e.
func (t *taker) slice(e *load.Part, x string) {
	switch e.Kind {
	case load.PartNumber:
		t.printf("%s = %s\n", t.field(t.next()), plainSlice(x, e))
	case load.PartSlice:
		t.rows(e, x)
	case load.PartTable:
		v := t.next()
		t.printf("%s, %s = exec.Tables[%s](%s, %d)\n", t.field(v), t.offsets(v), e.Elem.Number, x, e.Len)
	case load.PartString:
		v := t.next()
		t.printf("%s, %s = exec.PackStrings(%s)\n", t.field(v), t.offsets(v), x)
	default:
		t.columns(e, x)
	}
}

// plainSlice is a slice of numbers as one of their kind.
func plainSlice(x string, e *load.Part) string {
	if e.Plain {
		return x
	}
	return fmt.Sprintf("exec.As[%s](%s)", e.Number, x)
}

// offsets is the field of the frame with the offsets of the rows of v at the level at hand.
func (t *taker) offsets(v *ir.Var) string { return t.f + "." + lower.RowOffsetsNames(v)[t.level] }

// packed prints the arguments of what packs the rows x.
func (t *taker) packed(x string) string {
	t.g.packs = true
	return fmt.Sprintf("&%s.call, %s", t.g.local("b"), x)
}

// rows takes a slice x of slices of type p.
func (t *taker) rows(p *load.Part, x string) {
	if sizes := t.g.k.Fused.Regular[t.vars[0]]; sizes != nil {
		t.regularRows(p, x, t.next(), sizes)
		return
	}
	e := p.Elem
	if e.Kind == load.PartNumber {
		v := t.next()
		if e.Plain {
			t.printf("%s, %s = exec.PackNumbers(%s)\n", t.field(v), t.offsets(v), t.packed(x))
			return
		}
		data := t.name("data")
		t.printf("{\nvar %s []%s\n%s, %s = exec.PackNumbers(%s)\n%s = %s\n}\n", data, e.GoType, data, t.offsets(v), t.packed(x), t.field(v), plainSlice(data, e))
		return
	}
	data, offsets := t.name("data"), t.name("offsets")
	t.printf("{\n%s, %s := exec.Pack(%s)\n", data, offsets, x)
	for _, v := range t.vars[:e.Count()] {
		t.printf("%s = %s\n", t.offsets(v), offsets)
	}
	t.level++
	t.slice(e, data)
	t.level--
	t.printf("}\n")
}

// columns takes a slice x whose elements e are made of several values: each becomes a sequence of its own, but for
// what is read where it lies (places.go).
func (t *taker) columns(e *load.Part, x string) {
	if structs := t.g.structsOf(t.vars[:e.Count()]); structs != "" {
		t.printf("%s.%s = %s\n", t.f, structs, x)
	}
	i := t.name("i")
	c := &columns{t: t, i: i}
	c.element(e, x+"["+i+"]", x)
	if e.Slices() { // names of their rows end here: those of another parameter are the same
		t.printf("{\n")
		defer t.printf("}\n")
	}
	t.printf("%s", c.before.String())
	if c.loop.Len() > 0 {
		t.printf("%s", t.g.each(t.g.local("b"), i, x, c.loop.String()))
	}
	t.printf("%s", c.behind.String())
}

// each prints a loop over the elements of a slice x whose turns have nothing to do with each other, with an index i; b
// is what was bound.
func (g *kernelFile) each(b, i, x, body string) string {
	lo, hi := g.local("lo"), g.local("hi")
	return fmt.Sprintf("exec.Each(&%s.call, %s, func(%s, %s int) {\nfor %s := %[3]s; %[5]s < %[4]s; %[5]s++ {\n%s}\n})\n", b, x, lo, hi, i, body)
}

// columns are the statements before, in and behind the loop over elements.
type columns struct {
	t                    *taker
	i                    string
	before, loop, behind strings.Builder
}

func (c *columns) number(kind ir.Kind, value, of string) {
	v := c.t.next()
	if c.t.g.k.Fused.InPlace[v] != nil {
		return
	}
	fmt.Fprintf(&c.before, "%s = make([]%s, len(%s))\n", c.t.field(v), kind, of)
	fmt.Fprintf(&c.loop, "%s[%s] = %s\n", c.t.field(v), c.i, value)
}

// element takes x, an element of the slice of.
func (c *columns) element(e *load.Part, x, of string) {
	switch e.Kind {
	case load.PartNumber:
		c.number(e.Number, numeric(x, e), of)
	case load.PartComplex:
		c.number(e.Number, "real("+x+")", of)
		c.number(e.Number, "imag("+x+")", of)
	case load.PartStruct:
		for _, f := range e.Fields {
			c.element(f.Part, x+"."+f.Name, of)
		}
	case load.PartArray:
		for i := range e.Len {
			c.element(e.Elem, fmt.Sprintf("%s[%d]", x, i), of)
		}
	case load.PartString, load.PartSlice:
		rows := c.t.name("rows")
		fmt.Fprintf(&c.before, "%s := make([]%s, len(%s))\n", rows, e.GoType, of)
		fmt.Fprintf(&c.loop, "%s[%s] = %s\n", rows, c.i, x)
		inner := &taker{g: c.t.g, f: c.t.f, vars: c.t.vars, uses: c.t.uses, level: c.t.level}
		inner.slice(e, rows)
		c.t.vars, c.t.uses = inner.vars, inner.uses
		c.behind.WriteString(inner.out.String())
	}
}

// present prints the checks that pointers are not nil, in a function that then returns zeros before the error.
func (g *kernelFile) present(zeros string) string {
	var sb strings.Builder
	for i, q := range g.k.Source.Params {
		if q.Part.Kind == load.PartPointer {
			fmt.Fprintf(&sb, "if %s == nil {\nreturn %sexec.NilPointer(&%sKernel, %q)\n}\n", g.paramName(i), zeros, g.base, q.Name)
		}
	}
	return sb.String()
}

// memory lists, as arguments of exec.Call.Separate, the memory that the parameter called name reads.
func (g *kernelFile) memory(p *load.Part, name, x string) []string {
	switch p.Kind {
	case load.PartStruct:
		var all []string
		for _, f := range p.Fields {
			all = append(all, g.memory(f.Part, name+"."+f.Name, x+"."+f.Name)...)
		}
		return all
	case load.PartArray:
		var all []string
		for i := range p.Len {
			all = append(all, g.memory(p.Elem, fmt.Sprintf("%s[%d]", name, i), fmt.Sprintf("%s[%d]", x, i))...)
		}
		return all
	case load.PartPointer:
		return g.memory(p.Elem, name, pointed(p, x))
	case load.PartTable: // which a pointer may lead to
		return []string{fmt.Sprintf("exec.Flat(%q, %s)", name, tabled(p, x))}
	case load.PartSlice:
		if n := depth(p); n > 1 {
			for range n - 2 {
				x = fmt.Sprintf("exec.Lined(%s)", x)
			}
			return []string{fmt.Sprintf("exec.Ragged(%q, %s)", name, x)}
		}
		return []string{fmt.Sprintf("exec.Flat(%q, %s)", name, x)}
	}
	return nil
}
