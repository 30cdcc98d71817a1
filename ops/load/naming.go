package load

import (
	"go/types"
	"strconv"

	"github.com/surge-ndp/surge/ops/ir"
)

func keyName(key any) string {
	switch k := key.(type) {
	case *types.Var:
		if k.Name() != "" && k.Name() != "_" {
			return k.Name()
		}
	case *slot:
		return k.name
	}
	return "t"
}

// atomName names atom i of a variable's value.
func (s shape) atomName(v value, name string, i int) string {
	switch n := len(v.arrays()); {
	case v.grow != nil:
		return name + "_" + strconv.Itoa(i)
	case i == len(v.atoms)-1 && v.grows:
		return name + "_len"
	case i >= n: // of one whose memory grows
		return name + "_room"
	case n > 1:
		return s.componentName(name, v.typ, i)
	}
	return name
}

// componentName names flattened value i of a variable: after the field, for a struct or a slice of structs, and after
// the index of an element of a fixed array.
func (s shape) componentName(name string, t types.Type, i int) string {
	for {
		if e, ok := isSequence(t); ok {
			t = e
			continue
		}
		if _, elem, ok := isArray(t); ok && isLarge(t) {
			t = elem
			continue
		} else if ok {
			w := max(s.width(elem), 1)
			name += "_" + strconv.Itoa(i/w)
			t, i = elem, i%w
			continue
		}
		if _, ok := complexPart(t); ok {
			return name + [2]string{"_re", "_im"}[i&1]
		}
		if isError(t) && i > 0 {
			return name + "_said" + strconv.Itoa(i)
		}
		u, ok := t.Underlying().(*types.Struct)
		if !ok {
			return name
		}
		for f := range u.NumFields() {
			if lo, hi := s.fieldRange(u, f); lo <= i && i < hi {
				name += "_" + u.Field(f).Name()
				t, i = u.Field(f).Type(), i-lo
				break
			}
		}
	}
}

// rename makes all names unique, in the order in which the text form shows them.
func rename(f *ir.Func) {
	n := ir.NewNamer(nil)
	for _, p := range f.Params {
		p.Name = n.Name(p.Name)
	}
	ir.Walk(f.Body, func(s *ir.Stmt) {
		for _, v := range s.Dst {
			v.Name = n.Name(v.Name)
		}
		for _, v := range ir.Bound(s.Op) {
			v.Name = n.Name(v.Name)
		}
	})
}
