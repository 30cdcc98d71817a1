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
// that gets it as an argument, gets a copy.

// hasTables reports whether t is a struct that has an array of many numbers as a field, or as one of a field.
func hasTables(t types.Type) bool {
	return anyField(t, func(f types.Type) bool { return isLarge(f) || hasTables(f) })
}

// isHeld reports whether a field of type t may be kept as a variable.
func isHeld(t types.Type) bool { return isSlice(t) || isLarge(t) }

// isTabled reports whether v is a struct that has such arrays.
func isTabled(v value) bool {
	return !v.bad && v.fn == nil && v.ptr == nil && v.ref == nil && v.typ != nil && hasTables(v.typ)
}

// holdsTables reports whether the variable obj is a struct whose arrays of many numbers are variables: the function at
// hand assigns parts of it.
func (l *lowerer) holdsTables(obj *types.Var) bool {
	return hasTables(obj.Type()) && len(l.stack) > 0 && l.assigned(l.bodyOf(l.stack[len(l.stack)-1]))[obj]
}

// holdTables keeps the arrays of many numbers of v, a struct, as variables: those that kept are, if they are variables
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

// tables visits the arrays of many numbers in a struct of type t, whose values begin at number first, with the numbers
// of theirs.
func (s shape) tables(t types.Type, first int, visit func(lo, hi int, f *types.Var)) {
	of := t.Underlying().(*types.Struct)
	for i := range of.NumFields() {
		f := of.Field(i)
		lo, hi := s.fieldRange(of, i)
		switch {
		case isLarge(f.Type()):
			visit(first+lo, first+hi, f)
		case hasTables(f.Type()):
			s.tables(f.Type(), first+lo, visit)
		}
	}
}

// heldTable is the array that the field e is, which is kept as a variable; without an owner if e is something else.
func (l *lowerer) heldTable(e ast.Expr) value {
	root := rootOf(l.unit.info, e)
	if root == nil || !isPlainPath(e) || !isLarge(l.unit.info.TypeOf(e)) || l.env.vals[root].held == nil {
		return value{}
	}
	if p := l.addressOf(e); p != nil {
		if r := l.resolved(p); r != p && len(r.steps) == 0 {
			return l.env.vals[r.root]
		}
	}
	return value{}
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
