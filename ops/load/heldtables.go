package load

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
)

// Note [Arrays in structs]
//
// An array of many numbers is one sequence in a struct, too, if the struct is no element of anything. Where a function
// assigns parts of a variable of such a type, the field is a variable of its own, as a slice is (see Note [Slices in
// structs]). Other than a slice it belongs to that struct alone: whoever reads the struct as a whole, and a function
// that gets it as an argument, gets a copy. So it is with an array of a few numbers, if the module assigns elements of
// that field at indices that only the run knows: else each such assignment chooses for every element.

// hasTables reports whether t is a struct that has an array of many numbers as a field, or as one of a field.
func hasTables(t types.Type) bool {
	return anyField(t, func(f types.Type) bool { return isLarge(f) || hasTables(f) })
}

// isHeld reports whether a field of type t may be kept as a variable.
func isHeld(t types.Type) bool {
	base, n := arrayBase(t)
	return isSlice(t) || n > 0 && flat(base)
}

// isTabled reports whether v is a struct that has arrays which are kept as variables.
func (l *lowerer) isTabled(v value) bool {
	return !v.bad && v.fn == nil && v.ptr == nil && v.ref == nil && v.typ != nil && l.keepsTables(v.typ)
}

// holdsTables reports whether the variable obj is a struct whose arrays are variables: the function at hand assigns
// parts of it.
func (l *lowerer) holdsTables(obj *types.Var) bool {
	return l.keepsTables(obj.Type()) && len(l.stack) > 0 && l.assigned(l.bodyOf(l.stack[len(l.stack)-1]))[obj]
}

// holdTables keeps the arrays of v, a struct, as variables: those that kept are, if they are variables
// already, and new ones otherwise. Each has memory of its own.
func (l *lowerer) holdTables(v value, kept held) value {
	out := v
	out.held = held{}
	maps.Copy(out.held, v.held)
	l.tables(v.typ, 0, func(lo, hi int, f *types.Var) {
		if v.bad || hi > len(v.atoms) {
			return
		}
		x := value{typ: f.Type(), atoms: v.atoms[lo:hi:hi]}
		if key := v.held[lo]; key != nil {
			if kept[lo] == nil || kept[lo] == key {
				return
			}
			x = l.heldValue(key)
		}
		if key := kept[lo]; key != nil {
			l.bind(key, x)
			out.held[lo] = key
			return
		}
		if x = l.toMemory(x, value{}, l.pos); x.bad {
			out.bad = true
			return
		}
		l.hold(&out, lo, f.Name(), f.Type(), x)
	})
	return out
}

// tables visits the arrays that are kept as variables in a struct of type t, whose values begin at number first, with
// the numbers of theirs.
func (l *lowerer) tables(t types.Type, first int, visit func(lo, hi int, f *types.Var)) {
	of := t.Underlying().(*types.Struct)
	for i := range of.NumFields() {
		f := of.Field(i)
		lo, hi := l.fieldRange(of, i)
		switch {
		case l.isTable(f):
			visit(first+lo, first+hi, f)
		case l.keepsTables(f.Type()):
			l.tables(f.Type(), first+lo, visit)
		}
	}
}

// heldTable is the variable that keeps the array which the field e is; nil if e is something else.
func (l *lowerer) heldTable(e ast.Expr) *slot {
	root := rootOf(l.unit.info, e)
	if root == nil || !isPlainPath(e) || !isArrayType(l.unit.info.TypeOf(e)) {
		return nil
	}
	if v := l.env.vals[root]; v.bad || v.held == nil && (v.ptr == nil || l.env.vals[v.ptr.root].held == nil) {
		return nil
	}
	if p := l.addressOf(e); p != nil {
		if r := l.resolved(p); r != p && len(r.steps) == 0 {
			key, _ := r.root.(*slot)
			return key
		}
	}
	return nil
}

// apart is v, a struct, for a function that gets it as an argument: it has copies of the arrays.
func (l *lowerer) apart(v value) value {
	for _, lo := range slices.Sorted(maps.Keys(v.held)) {
		key := v.held[lo]
		if isSlice(key.typ) {
			continue
		}
		x := l.whole(l.heldValue(key), l.pos)
		if x.bad {
			return value{typ: v.typ, bad: true}
		}
		v.atoms = replaced(v.atoms, lo, x.atoms)
		delete(v.held, lo)
	}
	return v
}

// apartFrom gives structs whose arrays are those of variables, and that go to variables or are assigned among others,
// copies of them: they may be assigned before the structs are read. Without targets, all go to variables.
func (l *lowerer) apartFrom(targets []ast.Expr, vs []value) []value {
	for i, v := range vs {
		isName := targets == nil
		if !isName {
			_, isName = ast.Unparen(targets[i]).(*ast.Ident)
		}
		if v.held != nil && (isName || len(vs) > 1) && l.heldElsewhere(v) {
			v.held = maps.Clone(v.held)
			vs[i] = l.apart(v)
		}
	}
	return vs
}

// heldElsewhere reports whether a variable has some of the fields of v that are kept as variables.
func (l *lowerer) heldElsewhere(v value) bool {
	for _, x := range l.env.vals {
		for _, key := range x.held {
			for _, own := range v.held {
				if key == own {
					return true
				}
			}
		}
	}
	return false
}

// zeroTables is the zero value of a struct that has arrays of many numbers, which are no variables.
func (l *lowerer) zeroTables(t types.Type) value {
	v := value{typ: t}
	for f := range t.Underlying().(*types.Struct).Fields() {
		part := l.zero(f.Type(), l.pos)
		if part.bad {
			return value{typ: t, bad: true}
		}
		v.atoms = append(v.atoms, part.atoms...)
	}
	return v
}

// valuesOf is how many values a variable of type t has.
func (s shape) valuesOf(t types.Type) int {
	ts, _ := s.layout(t)
	return len(ts)
}
