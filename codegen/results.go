package codegen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/codegen/goroutine"
	"github.com/surge-ndp/surge/codegen/lower"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/load"
)

// giver prints how results are put together from what a frame holds. atoms are the values that are still to be used,
// in order.
type giver struct {
	g     *kernelFile
	out   strings.Builder
	atoms []ir.Atom
	zeros string
	uses  int
	outer int // slices around, whose elements are put together as if they were those of one
}

func (v *giver) printf(format string, args ...any) { fmt.Fprintf(&v.out, format, args...) }

func (v *giver) next() ir.Atom {
	a := v.atoms[0]
	v.atoms = v.atoms[1:]
	return a
}

func (v *giver) name(base string) string {
	v.uses++
	return fmt.Sprintf("%s%d", base, v.uses)
}

// typed is a number of its kind as one of a type.
func typed(x string, p *load.Part) string {
	if p.Plain {
		return x
	}
	return p.GoType + "(" + x + ")"
}

// typedSlice is a slice of numbers of a kind as one of the type of elements.
func typedSlice(x string, e *load.Part) string {
	if e.Plain {
		return x
	}
	return fmt.Sprintf("exec.As[%s](%s)", e.GoType, x)
}

// result prints statements that leave result number i of Run in the expression that it returns, or in a variable.
func (v *giver) result(q load.Param, i int) (expr string) {
	p := q.Part
	name := fmt.Sprintf("r%d", i+1)
	switch {
	case p.Kind == load.PartNumber:
		return typed(v.scalar(v.next()), p)
	case p.Kind == load.PartSlice && stored(p):
		a := v.next()
		at := v.g.k.Fused.Stored(a)
		e := elements(p)
		data := "f." + lower.HostName(at)
		if v.g.resultIndex(at) != i { // another result already, or an argument: results share no memory
			v.printf("%s, err := exec.Result[%s](&b.call, %d, len(%s))\nif err != nil {\nreturn %serr\n}\ncopy(%s, %s)\n",
				name, e.GoType, i, data, v.zeros, name, plainTo(data, e))
			data = name
			return v.rowsOf(a, data, p)
		}
		return v.rowsOf(a, typedSlice(data, e), p)
	}
	v.printf("var %s %s\n", name, q.GoType)
	v.value(p, name, i)
	return name
}

// plainTo is data, a slice of a kind, as a slice of the type of e.
func plainTo(data string, e *load.Part) string { return typedSlice(data, e) }

// stored reports whether a slice is memory of a computation as it is: numbers, or rows of numbers.
func stored(p *load.Part) bool { return elements(p).Kind == load.PartNumber }

// elements is the type of the elements of a slice, or of its rows.
func elements(p *load.Part) *load.Part {
	for p.Kind == load.PartSlice {
		p = p.Elem
	}
	return p
}

// depth is how many slices there are one around the other.
func depth(p *load.Part) (n int) {
	for ; p.Kind == load.PartSlice; p = p.Elem {
		n++
	}
	return n
}

// scalar prints a scalar value.
func (v *giver) scalar(a ir.Atom) string {
	if c, ok := a.(ir.Const); ok {
		return goroutine.Constant(c)
	}
	return "f." + lower.HostName(a.(*ir.Var))
}

// sequence prints the elements of a sequence, those of rows one behind the other.
func (v *giver) sequence(a ir.Atom) string { return "f." + lower.HostName(v.g.k.Fused.Stored(a)) }

// rowsOf prints the value of a slice: data, its elements, or for a slice of rows these.
func (v *giver) rowsOf(a ir.Atom, data string, p *load.Part) string {
	if p.Elem.Kind != load.PartSlice {
		return data
	}
	at := v.g.k.Fused.Stored(a)
	from := v.outer + at.T.Rank - a.Type().Rank // where it is flattened
	rows := v.g.rows(at, data, from, from+depth(p)-1)
	if p.Elem.GoType == strings.Repeat("[]", depth(p.Elem))+elements(p).GoType {
		return rows
	}
	return fmt.Sprintf("exec.As[%s](%s)", p.Elem.GoType, rows)
}

// value prints statements that assign to target. i is the number of the result if target is the whole result, which
// goes where the caller wants it; otherwise negative.
func (v *giver) value(p *load.Part, target string, i int) {
	switch p.Kind {
	case load.PartNumber:
		v.printf("%s = %s\n", target, typed(v.scalar(v.next()), p))
	case load.PartComplex:
		re, im := v.next(), v.next()
		v.printf("%s = %s(complex(%s, %s))\n", target, p.GoType, v.half(re, p), v.half(im, p))
	case load.PartString:
		v.printf("%s = %s(%s)\n", target, p.GoType, v.sequence(v.next()))
	case load.PartStruct:
		for _, f := range p.Fields {
			v.value(f.Part, target+"."+f.Name, -1)
		}
	case load.PartArray:
		for k := range p.Len {
			v.value(p.Elem, fmt.Sprintf("%s[%d]", target, k), -1)
		}
	case load.PartPointer:
		v.printf("%s = new(%s)\n", target, p.Elem.GoType)
		v.value(p.Elem, target, -1)
	case load.PartSlice:
		v.slice(p, target, i)
	case load.PartTable:
		v.table(p, target)
	}
}

// table prints statements that give a table its elements.
func (v *giver) table(p *load.Part, target string) {
	if p.Elem.Kind == load.PartNumber {
		v.printf("copy(%s, %s)\n", tabled(p, target), typedSlice(v.sequence(v.next()), p.Elem))
		return
	}
	data := v.name("data")
	v.printf("%s := %s\n", data, tabled(p, target))
	v.gather(p.Elem, data, v.outer)
}

// half prints the real or the imaginary part of a complex number. Constants get the type that complex needs.
func (v *giver) half(a ir.Atom, p *load.Part) string {
	x := v.scalar(a)
	if _, ok := a.(ir.Const); ok {
		return p.Number.String() + "(" + x + ")"
	}
	return x
}

// slice prints statements that assign a slice to target.
func (v *giver) slice(p *load.Part, target string, i int) {
	e := elements(p)
	switch {
	case stored(p):
		a := v.next()
		v.printf("%s = %s\n", target, v.rowsOf(a, "append([]"+e.GoType+"{}, "+typedSlice(v.sequence(a), e)+"...)", p))
		return
	case e.Kind == load.PartString:
		a := v.next()
		v.printf("%s = %s\n", target, v.rowsOf(a, v.strings(a, e, v.outer+depth(p)-1), p))
		return
	}
	first := v.atoms[0]
	data := target
	if p.Elem.Kind == load.PartSlice {
		data = v.name("data")
		v.printf("var %s []%s\n", data, e.GoType)
	}
	length := v.count(p)
	var computed []*ir.Var // in the structs
	for _, a := range v.atoms[:e.Count()] {
		if at := v.g.k.Fused.Stored(a); v.g.written(at) {
			computed = append(computed, at)
		}
	}
	if e.Kind == load.PartTable {
		v.tables(e, data, length, i)
		return
	}
	switch structs := v.g.structsOf(computed); {
	case structs != "":
		v.printf("%s = f.%s\n", data, structs)
	case i >= 0:
		v.printf("%s, err = exec.Result[%s](&b.call, %d, %s)\nif err != nil {\nreturn %serr\n}\n", data, e.GoType, i, length, v.zeros)
	default:
		v.printf("%s = make([]%s, %s)\n", data, e.GoType, length)
	}
	v.gather(e, data, v.outer+depth(p)-1)
	if p.Elem.Kind == load.PartSlice {
		v.printf("%s = %s\n", target, v.rowsOf(first, data, p))
	}
}

// tables prints statements that give the slice target so many tables. i is the number of the result, as [giver.value]
// has it.
func (v *giver) tables(e *load.Part, target, length string, i int) {
	if i >= 0 {
		v.printf("%s, err = exec.Result[%s](&b.call, %d, %s)\nif err != nil {\nreturn %serr\n}\n", target, e.GoType, i, length, v.zeros)
	} else {
		v.printf("%s = make([]%s, %s)\n", target, e.GoType, length)
	}
	v.printf("copy(exec.Flattened[%s](%s, %d), %s)\n", e.Elem.Number, target, e.Len, v.sequence(v.next()))
}

// gather prints the loop that puts the elements e of the slice data together; level is theirs.
func (v *giver) gather(e *load.Part, data string, level int) {
	k := v.name("i")
	c := &gathered{v: v, k: k, level: level}
	c.element(e, data+"["+k+"]")
	v.printf("%s", c.before.String())
	if c.loop.Len() > 0 {
		v.printf("%s", v.g.each("b", k, data, c.loop.String()))
	}
}

// strings prints the strings that a stored sequence has, whose bytes are the rows of a level.
func (v *giver) strings(a ir.Atom, e *load.Part, level int) string {
	at := v.g.k.Fused.Stored(a)
	level += at.T.Rank - a.Type().Rank
	return fmt.Sprintf("exec.Strings[%s](%s)", e.GoType, v.g.rows(at, v.sequence(a), level, level+1))
}

// count is how many elements a result has, or how many its rows have in all.
func (v *giver) count(p *load.Part) string {
	rank := v.outer + depth(p)
	first := v.atoms[0] // which has one level more where an element is a slice
	for _, a := range v.atoms[:elements(p).Count()] {
		if a.Type().Rank == rank {
			first = a
			break
		}
	}
	at := v.g.k.Fused.Stored(first)
	counts, _ := v.g.nesting(at)
	return counts[rank-1+at.T.Rank-first.Type().Rank]
}

// gathered are the statements before and in the loop over the elements of a result.
type gathered struct {
	v            *giver
	k            string
	level        int // of the elements
	before, loop strings.Builder
}

// at prints element k of the next sequence.
func (c *gathered) at() string { return c.v.g.element(c.v.g.k.Fused.Stored(c.v.next()), c.k) }

func (c *gathered) element(e *load.Part, target string) {
	switch e.Kind {
	case load.PartNumber:
		if c.v.g.written(c.v.g.k.Fused.Stored(c.v.atoms[0])) {
			c.v.next()
			return
		}
		fmt.Fprintf(&c.loop, "%s = %s\n", target, typed(c.at(), e))
	case load.PartComplex:
		re := c.at()
		fmt.Fprintf(&c.loop, "%s = %s(complex(%s, %s))\n", target, e.GoType, re, c.at())
	case load.PartStruct:
		for _, f := range e.Fields {
			c.element(f.Part, target+"."+f.Name)
		}
	case load.PartArray:
		for i := range e.Len {
			c.element(e.Elem, fmt.Sprintf("%s[%d]", target, i))
		}
	case load.PartString:
		a := c.v.next()
		rows := c.v.name("rows")
		fmt.Fprintf(&c.before, "%s := %s\n", rows, c.v.strings(a, e, c.level))
		fmt.Fprintf(&c.loop, "%s = %s[%s]\n", target, rows, c.k)
	case load.PartSlice:
		rows := c.v.name("rows")
		inner := &giver{g: c.v.g, atoms: c.v.atoms, zeros: c.v.zeros, uses: c.v.uses, outer: c.level}
		inner.printf("var %s []%s\n", rows, e.GoType)
		inner.slice(&load.Part{Kind: load.PartSlice, Elem: e, GoType: "[]" + e.GoType}, rows, -1)
		c.v.atoms, c.v.uses = inner.atoms, inner.uses
		c.before.WriteString(inner.out.String())
		fmt.Fprintf(&c.loop, "%s = %s[%s]\n", target, rows, c.k)
	}
}

// resultIndex returns which result of the kernel a stored sequence is, itself or flattened; -1 if none, or only a part
// of a result.
func (g *kernelFile) resultIndex(v *ir.Var) int {
	atoms := g.k.Fused.Func.Body.Results
	for i, q := range g.k.Source.Results {
		if q.Part.Kind == load.PartSlice && stored(q.Part) && g.k.Fused.Stored(atoms[0]) == v {
			return i
		}
		atoms = atoms[q.Part.Count():]
	}
	return -1
}

// nesting prints how many elements each level of a stored sequence has, and how long the rows of a level are that all
// have one length, "" for others.
func (g *kernelFile) nesting(v *ir.Var) (counts, lengths []string) {
	var levels []lower.Rows // none for a parameter
	var count string
	names := lower.RowOffsetsNames(v)
	for _, c := range g.k.Fused.Computations {
		if j := slices.Index(c.Stmt.Dst, v); j >= 0 {
			levels, _ = lower.RowsOf(g.k.Fused, c, j) // as it was allocated
			count = g.host1(ir.ResultLength(c.Stmt.Op), "f")
		}
	}
	if levels == nil && len(names) > 0 {
		count = fmt.Sprintf("len(f.%s)-1", names[0])
	}
	for k, offsets := range names {
		counts, lengths = append(counts, count), append(lengths, "")
		if levels == nil || levels[k].Length == nil {
			count = fmt.Sprintf("f.%s[len(f.%[1]s)-1]", offsets)
			continue
		}
		lengths[k] = g.host1(levels[k].Length, "f")
		if count += " * " + lengths[k]; levels[k].Total != nil {
			count = fmt.Sprintf("max(min(%s, %s), 0)", count, g.host1(levels[k].Total, "f"))
		}
	}
	return append(counts, "len(f."+g.lengthName(v)+")"), lengths
}

// rows prints the rows of a stored sequence at levels from..to-1: data holds the elements of level to.
func (g *kernelFile) rows(v *ir.Var, data string, from, to int) string {
	counts, lengths := g.nesting(v)
	names := lower.RowOffsetsNames(v)
	for k := to - 1; k >= from; k-- {
		if lengths[k] != "" {
			data = fmt.Sprintf("exec.RegularRows(%s, %s, %s)", data, counts[k], lengths[k])
		} else {
			data = fmt.Sprintf("exec.Rows(%s, f.%s)", data, names[k])
		}
	}
	return data
}
