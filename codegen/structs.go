package codegen

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/codegen/lower"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/load"
)

// structsAt is a slice, or rows, of elements that are made of several values.
type structsAt struct {
	of     string // in Go, as of a parameter: ps, m.Bodies
	elem   *load.Part
	leaves []leaf
}

// leaf is a value in the IR that stands for a part of an element.
type leaf struct {
	at   int        // which of the values it is
	path string     // from the element in Go: .pos.x
	part *load.Part // a number that has an address of its own, or nil
}

// structsIn lists the slices in a part that hold structs. name is its own, first the number of its first value.
func structsIn(p *load.Part, name string, first int) []structsAt {
	switch p.Kind {
	case load.PartStruct:
		var all []structsAt
		for _, f := range p.Fields {
			all = append(all, structsIn(f.Part, name+"."+f.Name, first)...)
			first += f.Part.Count()
		}
		return all
	case load.PartArray:
		var all []structsAt
		for i := range p.Len {
			all = append(all, structsIn(p.Elem, fmt.Sprintf("%s[%d]", name, i), first+i*p.Elem.Count())...)
		}
		return all
	case load.PartPointer:
		return structsIn(p.Elem, name, first)
	case load.PartSlice:
		e := elements(p)
		if e.Kind == load.PartStruct || e.Kind == load.PartArray {
			return []structsAt{{of: name, elem: e, leaves: leavesOf(e, "", first)}}
		}
	}
	return nil
}

func leavesOf(p *load.Part, path string, first int) []leaf {
	switch p.Kind {
	case load.PartNumber:
		return []leaf{{first, path, p}}
	case load.PartStruct:
		var all []leaf
		for _, f := range p.Fields {
			all = append(all, leavesOf(f.Part, path+"."+f.Name, first)...)
			first += f.Part.Count()
		}
		return all
	case load.PartArray:
		var all []leaf
		for i := range p.Len {
			all = append(all, leavesOf(p.Elem, fmt.Sprintf("%s[%d]", path, i), first+i*p.Elem.Count())...)
		}
		return all
	}
	all := make([]leaf, p.Count()) // halves of complex numbers, strings, slices
	for i := range all {
		all[i] = leaf{at: first + i, path: path}
	}
	return all
}

// structsDoc is what the comment of Bind says of parameters and results that hold structs.
func (g *kernelFile) structsDoc() string {
	var sb strings.Builder
	for _, p := range g.k.Placements {
		for line := range wrapped(p.String()+".", docWidth) {
			sb.WriteString("// " + line + "\n")
		}
	}
	return sb.String()
}

// docWidth is how long the lines of generated comments are.
const docWidth = 112

// wrapped cuts a sentence into lines.
func wrapped(text string, width int) iter.Seq[string] {
	return func(yield func(string) bool) {
		for len(text) > width {
			at := strings.LastIndexByte(text[:width], ' ')
			if at < 0 {
				break
			}
			if !yield(text[:at]) {
				return
			}
			text = text[at+1:]
		}
		yield(text)
	}
}

// structsOf returns the name of the structs in the frame that one of vars lies in, "" if none does.
func (g *kernelFile) structsOf(vars []*ir.Var) string {
	for _, v := range vars {
		if place := g.k.Fused.InPlace[v]; place != nil {
			return lower.StructsName(place.Structs)
		}
	}
	return ""
}

// element prints element i of a sequence of the frame as a number of its kind: of its column, or where the structs lie.
func (g *kernelFile) element(v *ir.Var, i string) string {
	place := g.k.Fused.InPlace[v]
	if place == nil {
		return fmt.Sprintf("f.%s[%s]", lower.HostName(v), i)
	}
	x := fmt.Sprintf("f.%s[%s]%s", lower.StructsName(place.Structs), i, place.Path)
	if kind := v.T.Kind.String(); place.GoType != kind {
		return kind + "(" + x + ")"
	}
	return x
}

// lengthName is what a sequence of the frame has the length of: itself, or the structs that it lies in.
func (g *kernelFile) lengthName(v *ir.Var) string {
	if name := g.structsOf([]*ir.Var{v}); name != "" {
		return name
	}
	return lower.HostName(v)
}

// written reports whether a computation writes a sequence in structs.
func (g *kernelFile) written(v *ir.Var) bool {
	return g.k.Fused.InPlace[v] != nil && !slices.Contains(g.k.Fused.Func.Params, v)
}

// structFields prints the fields of the frame that hold structs.
func (g *kernelFile) structFields() string {
	var sb strings.Builder
	done := map[string]bool{}
	for _, p := range g.k.structs() {
		if name := g.structsOf(p.vars); name != "" && !done[name] {
			done[name] = true
			fmt.Fprintf(&sb, "\t%s []%s\n", name, p.elem.GoType)
		}
	}
	return sb.String()
}

// allocateStructs prints how the structs get memory that a computation writes the first fields of: v is one of them. It
// returns "" if an earlier computation did that.
func (g *kernelFile) allocateStructs(v *ir.Var, n, zeros string) string {
	name := g.lengthName(v)
	if g.allocated[name] {
		return ""
	}
	g.allocated[name] = true
	for _, p := range g.k.structs() {
		if p.result >= 0 && slices.Contains(p.vars, v) {
			return fmt.Sprintf("f.%s, err = exec.Result[%s](&b.call, %d, %s)\nif err != nil {\nreturn %serr\n}\n", name, p.elem.GoType, p.result, n, zeros)
		}
	}
	panic("codegen: " + v.Name + " is no field of a result")
}
