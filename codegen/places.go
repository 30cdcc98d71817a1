package codegen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/load"
)

// Structs are elements of parameters and results only: inside a kernel each field is a sequence of its own. Whether
// that sequence is a column in memory, or the field is read and written where the structs lie, is decided here, for
// every field by itself, when the kernel is compiled.
//
// A column costs a pass over all structs in each call, on one thread, which is more than most kernels then do with
// the elements. It pays where elements are read again and again. What is read once is read where it lies, also by
// vectors, which take it a strip at a time (see package lower), or gather it where indices are computed.

// Placement is where some fields of a parameter or a result lie that holds structs.
type Placement struct {
	Of      string   // the parameter or result
	Result  bool     // which of them it is
	Fields  []string // the numbers of a struct: pos.x
	InPlace bool     // they are read or written in the structs, not in columns
	Why     string
}

// String says it in a sentence.
func (p Placement) String() string {
	of := p.Of
	if p.Result && of != "result" {
		of = "result " + of
	}
	if p.Result {
		of = "the " + of
	}
	how := "copied to columns by Bind"
	switch {
	case p.Why == unread:
		how = "not copied"
	case p.Result && p.InPlace:
		how = "written where the structs lie"
	case p.Result:
		how = "written to columns, and copied from there by each Run"
	case p.InPlace:
		how = "read where the structs lie"
	}
	fields := p.Fields
	if last := len(fields) - 1; last > mostFields {
		fields = append(slices.Clone(fields[:2]), "… "+fields[last])
	}
	return fmt.Sprintf("%s of %s: %s, because %s", strings.Join(fields, ", "), of, how, p.Why)
}

// mostFields is how many fields are listed one by one: arrays in structs have many.
const mostFields = 8

// unread is why fields are in place that nothing reads.
const unread = "the kernel does not read them"

// placeStructs decides where the fields of structs lie. columns is why all have to be columns, "" if they need not.
func (k *Kernel) placeStructs(columns string) {
	k.Fused.PutInPlace(nil)
	k.Placements = nil
	places := map[*ir.Var]*fuse.Place{}
	uses := k.Fused.UsesOf()
	names := map[string]bool{}
	for _, p := range k.structs() {
		name := strings.NewReplacer(".", "_", "[", "_", "]", "").Replace(p.of)
		for names[name] {
			name += "Result"
		}
		names[name] = true
		apart := p.apart()
		for i, l := range p.leaves {
			v := p.vars[i]
			why, in := "strings, slices and complex numbers are taken apart", false
			switch {
			case l.part == nil:
			case p.result >= 0:
				why, in = k.whyResult(uses[v], v, columns)
			default:
				why, in = k.whyParameter(uses[v], v, columns)
			}
			k.Placements = append(k.Placements, Placement{Of: p.of, Result: p.result >= 0, Fields: []string{strings.TrimPrefix(l.path, ".")}, InPlace: in, Why: why})
			if in {
				places[v] = &fuse.Place{Structs: name, Path: l.path, GoType: l.part.GoType, Apart: apart, Nth: i}
			}
		}
	}
	k.Placements = joined(k.Placements)
	k.Fused.PutInPlace(places)
}

// placedStructs are structs in a parameter, or a result.
type placedStructs struct {
	structsAt
	result int       // which one it is, -1 for a parameter
	vars   []*ir.Var // the sequence for each leaf; nil for what is none
}

// apart returns Apart of the structs' places.
func (p *placedStructs) apart() int {
	var kinds []ir.Kind
	for _, l := range p.leaves {
		if l.part == nil {
			return 0
		}
		kinds = append(kinds, l.part.Number)
	}
	return fuse.ApartIn(kinds)
}

// structs lists the sequences of structs among the kernel's parameters and results.
func (k *Kernel) structs() []placedStructs {
	var all []placedStructs
	vars := k.Fused.Func.Params
	for _, q := range k.Source.Params {
		for _, s := range structsIn(q.Part, q.Name, 0) {
			p := placedStructs{structsAt: s, result: -1}
			for _, l := range s.leaves {
				p.vars = append(p.vars, vars[l.at])
			}
			all = append(all, p)
		}
		vars = vars[q.Part.Count():]
	}
	atoms := k.Fused.Func.Body.Results
	for i, q := range k.Source.Results {
		// What is a part of a result is put together when it is complete.
		if q.Part.Kind == load.PartSlice && q.Part.Elem.Kind != load.PartSlice {
			for _, s := range structsIn(q.Part, q.Name, 0) {
				p := placedStructs{structsAt: s, result: i}
				for _, l := range s.leaves {
					v, _ := atoms[l.at].(*ir.Var)
					p.vars = append(p.vars, v)
				}
				all = append(all, p)
			}
		}
		atoms = atoms[q.Part.Count():]
	}
	return all
}

// joined makes one placement of several that differ in their fields only.
func joined(all []Placement) []Placement {
	var few []Placement
	for _, p := range all {
		i := slices.IndexFunc(few, func(o Placement) bool {
			return o.Of == p.Of && o.Result == p.Result && o.InPlace == p.InPlace && o.Why == p.Why
		})
		if i < 0 {
			few = append(few, p)
			continue
		}
		for _, f := range p.Fields { // a slice in a struct may be several sequences
			if !slices.Contains(few[i].Fields, f) {
				few[i].Fields = append(few[i].Fields, f)
			}
		}
	}
	return few
}

// whyParameter decides for a field of a parameter.
func (k *Kernel) whyParameter(u *fuse.Uses, v *ir.Var, columns string) (why string, inPlace bool) {
	switch {
	case columns != "":
		return columns, false
	case u.Whole || k.returned(v) > 0 && !k.inStructs(v):
		return "the kernel needs the column as a sequence of its own", false
	case u.Again:
		return "a level reads the elements again for each element of a level around it", false
	case u.Passes >= fuse.ManyPasses:
		return fmt.Sprintf("%d computations read the elements", u.Passes), false
	case u.Passes == 0:
		return unread, true
	}
	return "no level reads the elements again and again, and a copy takes as long as reading them", true
}

// whyResult decides for a field of a result.
func (k *Kernel) whyResult(u *fuse.Uses, v *ir.Var, columns string) (why string, inPlace bool) {
	computed := slices.ContainsFunc(k.Fused.Computations, func(c *fuse.Computation) bool {
		_, isMap := c.Stmt.Op.(*ir.Map)
		return isMap && slices.Contains(c.Stmt.Dst, v)
	})
	switch {
	case columns != "":
		return columns, false
	case v == nil || !computed || u.Whole || k.returned(v) > 1 || !k.inStructs(v):
		return "the column is more than the result of a map that is read by elements", false
	case u.Again || u.Passes >= fuse.ManyPasses:
		return "later levels read the elements again", false
	}
	return "columns would have to be copied", true
}

// returned is how often a sequence is among the kernel's results.
func (k *Kernel) returned(v *ir.Var) int {
	n := 0
	for _, a := range k.Fused.Func.Body.Results {
		if a == ir.Atom(v) {
			n++
		}
	}
	return n
}

// inStructs reports whether a sequence, where it is a result, is a number of structs.
func (k *Kernel) inStructs(v *ir.Var) bool {
	n := 0
	for _, p := range k.structs() {
		for i, l := range p.leaves {
			if p.result >= 0 && p.vars[i] == v && l.part != nil {
				n++
			}
		}
	}
	return n == k.returned(v)
}
