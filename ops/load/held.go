package load

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// Note [Slices in structs]
//
// m := Matrix{Data: make([]float64, n)} makes a slice that only the field names: m.Data[i] = x updates it, as it
// would a variable of its own. And so it is one: the field is kept as a variable without a name, a slot, which
// branches and loops treat as any other, and the value of m says which of its sequences are kept so. Whoever reads m
// as a whole gets the sequences as they are then, and they are not updated any more; a function that gets m as an
// argument may do both. So it is with the elements of an array of slices at constant indices, as loops over such an
// array have them, which are unrolled.

// held are the variables that keep fields of a struct, by the place of the field among the struct's values.
type held map[int]*slot

// hold gives field lo of v, a struct, the slice x, which nothing else names.
func (l *lowerer) hold(v *value, lo int, name string, t types.Type, x value) {
	key := &slot{name: name, typ: t}
	x.typ = t
	l.bind(key, x)
	v.held = maps.Clone(v.held)
	if v.held == nil {
		v.held = held{}
	}
	v.held[lo] = key
}

// zeroField is the zero value of a field: a slice of numbers is a variable that has its zero value, and so are those in
// structs and in arrays of such.
func (l *lowerer) zeroField(t types.Type, pos token.Pos) value {
	if flatElements(t) && isSlice(t) {
		return value{typ: t, unset: true}
	}
	if _, _, isArr := isArray(t); isArr && hasSlices(t) && !isLarge(t) {
		return l.zeroArray("part", t, pos)
	}
	return l.zero(t, pos)
}

// zeroArray is the zero value of an array of slices, or of structs with slices, with a name.
func (l *lowerer) zeroArray(name string, t types.Type, pos token.Pos) value {
	n, elem, _ := isArray(t)
	v := value{typ: t}
	for k := range n {
		lo := len(v.atoms)
		switch {
		case isSlice(elem) && flatElements(elem):
			l.hold(&v, lo, fmt.Sprintf("%s_%d", name, k), elem, l.zeroField(elem, pos))
			v.atoms = append(v.atoms, l.zero(elem, pos).atoms...)
		case isStruct(elem) && hasSlices(elem):
			part := l.zeroStruct(elem, pos)
			v.held = v.held.with(part.held, lo)
			v.atoms = append(v.atoms, part.atoms...)
		default:
			return l.zero(t, pos)
		}
	}
	return v
}

// zeroStruct is the zero value of a struct, whose slices may grow.
func (l *lowerer) zeroStruct(t types.Type, pos token.Pos) value {
	return l.composite(&ast.CompositeLit{Lbrace: pos, Rbrace: pos}, t)
}

// zeroSlices is the zero value of the variable obj, a struct with slices, or an array of some: those of numbers are
// variables. Of another array it is zero.
func (l *lowerer) zeroSlices(obj *types.Var, zero value) value {
	if isStruct(obj.Type()) {
		return l.zeroStruct(obj.Type(), obj.Pos())
	}
	if !hasSlices(obj.Type()) || isLarge(obj.Type()) {
		return zero
	}
	return l.zeroArray(obj.Name(), obj.Type(), obj.Pos())
}

// holds reports whether x is a slice that a field may hold: one that the function made, and that has no name.
func holds(x value) bool {
	if x.own == nil {
		return !x.bad && x.rows != nil && x.rows.fresh && !x.rows.escaped.IsValid() && gridRank(x.typ) > 2
	}
	return !x.bad && !x.own.escaped.IsValid() && !x.own.isArray && x.ref == nil
}

// heldValue is what the variable of a field has now, for reading its elements.
func (l *lowerer) heldValue(key *slot) value {
	x := l.env.vals[key]
	if x.own != nil && l.ops > x.own.depth {
		x.own.escape(l.pos)
	}
	return l.use(x, l.pos)
}

// sealed is v with the sequences that its fields have now.
func (l *lowerer) sealed(v value) value {
	if v.held == nil || v.bad {
		return v
	}
	atoms := append([]ir.Atom(nil), v.atoms...)
	for _, lo := range slices.Sorted(maps.Keys(v.held)) {
		x := l.heldValue(v.held[lo])
		if x.bad {
			return value{typ: v.typ, bad: true}
		}
		if isSlice(x.typ) {
			if x.own != nil {
				x.own.escape(l.pos)
			}
			x.rows = x.rows.escape(l.pos)
			x = l.settled(x, l.pos)
		}
		copy(atoms[lo:], l.whole(x, l.pos).atoms)
	}
	v.atoms, v.held, v.lent = atoms, nil, false
	return v
}

// heldAlone reports whether x is a struct with fields that are kept as variables, which no variable has: a literal, or
// what a function made and returns.
func (l *lowerer) heldAlone(x value) bool {
	if x.bad || x.lent || x.held == nil || x.typ == nil || !hasSlices(x.typ) {
		return false
	}
	return !l.heldElsewhere(x)
}

// with are the fields h, and those of a part that begins at value lo.
func (h held) with(part held, lo int) held {
	all := held{}
	maps.Copy(all, h)
	for k, key := range part {
		all[lo+k] = key
	}
	return all
}

// within are the fields of v that are kept as variables among its values [lo, hi).
func (h held) within(lo, hi int) held {
	var out held
	for k, key := range h {
		if lo <= k && k < hi {
			if out == nil {
				out = held{}
			}
			out[k-lo] = key
		}
	}
	return out
}

// without are the fields h but for those among the values [lo, hi).
func (h held) without(lo, hi int) held {
	all := maps.Clone(h)
	maps.DeleteFunc(all, func(k int, _ *slot) bool { return lo <= k && k < hi })
	return all
}

// has reports whether value i of a struct of type t is kept in a variable.
func (h held) has(i int) bool {
	for lo, key := range h {
		if lo <= i && i < lo+shape(0).valuesOf(key.typ) {
			return true
		}
	}
	return false
}

// resolved is p, or, if it leads to a field that is kept as a variable, or into it, a pointer that begins there.
func (l *lowerer) resolved(p *pointer) *pointer {
	h := l.env.vals[p.root].held
	if h == nil {
		return p
	}
	at := 0
	for i, s := range p.steps {
		if s.at != nil {
			return p
		}
		at += s.lo
		if key := h[at]; key != nil && isHeld(s.typ) {
			return &pointer{elem: p.elem, root: key, steps: p.steps[i+1:]}
		}
	}
	return p
}

// heldSlot returns the variable that keeps the field e, which may be replaced; nil if e is something else.
func (l *lowerer) heldSlot(e ast.Expr) *slot {
	key, lent := l.fieldSlot(e)
	if lent {
		return nil
	}
	return key
}

// keptSlice returns the variable that keeps the slice e, a field or what a pointer points to, which may be replaced;
// nil if e is something else.
func (l *lowerer) keptSlice(e ast.Expr) any {
	if star, ok := ast.Unparen(e).(*ast.StarExpr); ok {
		v := variable(l.unit.info, star.X)
		if v == nil || l.env.vals[v].ptr == nil || !isSlice(l.unit.info.TypeOf(e)) {
			return nil
		}
		p := l.resolved(l.env.vals[v].ptr)
		if root, ok := p.root.(*types.Var); len(p.steps) > 0 || p.either[0] != nil || ok && isGlobal(root) {
			return nil
		}
		return p.root
	}
	if key := l.heldSlot(e); key != nil {
		return key
	}
	return nil
}

// fieldSlot returns the variable that keeps the field e, and whether it is a field of the caller's; nil if e is
// something else.
func (l *lowerer) fieldSlot(e ast.Expr) (key *slot, lent bool) {
	if t := l.unit.info.TypeOf(e); t == nil || !isSlice(t) {
		return nil, false
	}
	if _, isName := ast.Unparen(e).(*ast.Ident); isName || !l.isFieldPath(e) {
		return nil, false
	}
	root := rootOf(l.unit.info, e)
	if root == nil {
		return nil, false
	}
	if v := l.env.vals[root]; v.bad || v.held == nil && (v.ptr == nil || l.env.vals[v.ptr.root].held == nil) {
		return nil, false
	}
	p := l.addressOf(e)
	if p == nil {
		return nil, false
	}
	if r := l.resolved(p); r != p && len(r.steps) == 0 {
		key, _ = r.root.(*slot)
	}
	return key, l.env.vals[p.root].lent
}

// isFieldPath reports whether e is a variable, a field of such a path, or an element of an array at a constant index.
func (l *lowerer) isFieldPath(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return l.unit.info.Selections[e] != nil && l.isFieldPath(e.X)
	case *ast.IndexExpr:
		return indexesArray(l.unit.info, e) && l.isFieldPath(e.X) && l.isConstant(e.Index)
	}
	return false
}

// isConstant reports whether e is a constant, or a variable that has a constant value at this point.
func (l *lowerer) isConstant(e ast.Expr) bool {
	if _, ok := intConst(l.unit.info, e); ok {
		return true
	}
	v := variable(l.unit.info, e)
	if v == nil || len(l.env.vals[v].atoms) != 1 {
		return false
	}
	_, ok := l.env.vals[v].atoms[0].(ir.Const)
	return ok
}

// lentStruct is the struct that e names as the argument of a function, which may update the slices of its fields; ok
// is false if e names none.
func (l *lowerer) lentStruct(e ast.Expr) (v value, ok bool) {
	if !isPlainPath(e) || isPointer(l.unit.info.TypeOf(e)) {
		return value{}, false
	}
	root := rootOf(l.unit.info, e)
	if root == nil || isGlobal(root) {
		return value{}, false
	}
	if v := l.env.vals[root]; v.bad || v.ref != nil || v.held == nil && (v.ptr == nil || l.env.vals[v.ptr.root].held == nil) {
		return value{}, false
	}
	p := l.addressOf(e)
	if p == nil {
		return value{}, false
	}
	return l.lent(p)
}

// lent is what p points to as an argument: see [lowerer.lentStruct].
func (l *lowerer) lent(p *pointer) (v value, ok bool) {
	v = l.follow(p)
	if v.bad || v.held == nil {
		return v, false
	}
	v.held, v.lent = maps.Clone(v.held), true
	return l.apart(v), true
}

// fieldAppend returns the variable of the field in the assignment x.f = append(x.f, …), or of what p points to in
// *p = append(*p, …), and the call; nil for others.
func (l *lowerer) fieldAppend(s ast.Stmt) (any, *ast.CallExpr) {
	a, call := l.fieldUpdate(s)
	if call, ok := call.(*ast.CallExpr); ok && isBuiltin(l.unit.info, call, "append") && text(call.Args[0]) == text(a) {
		return l.keptSlice(a), call
	}
	return nil, nil
}

// fieldCut returns the variable of the field in the assignment x.f = x.f[:n], or of what p points to in *p = (*p)[:n],
// and the slice expression; nil for others.
func (l *lowerer) fieldCut(s ast.Stmt) (any, *ast.SliceExpr) {
	a, e := l.fieldUpdate(s)
	if cut, ok := e.(*ast.SliceExpr); ok && !cut.Slice3 && cut.High != nil && fromStart(l.unit.info, cut) && text(ast.Unparen(cut.X)) == text(ast.Unparen(a)) {
		return l.keptSlice(a), cut
	}
	return nil, nil
}

// fieldUpdate returns the two sides of an assignment to one selector, or to what a pointer points to.
func (l *lowerer) fieldUpdate(s ast.Stmt) (to, from ast.Expr) {
	a, ok := s.(*ast.AssignStmt)
	if !ok || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
		return nil, nil
	}
	switch ast.Unparen(a.Lhs[0]).(type) {
	case *ast.SelectorExpr, *ast.StarExpr:
	default:
		return nil, nil
	}
	return a.Lhs[0], ast.Unparen(a.Rhs[0])
}

// grown is x, the slice of a field, with room for what the call appends. Where the source does not say how much room
// there is, and no loop was counted, the slice moves to other memory; under a condition or in a loop it cannot.
func (l *lowerer) grown(x value, name string, call *ast.CallExpr) value {
	switch {
	case x.isOpen():
		return l.ensure(x, l.bin("n", ir.Add, x.atoms[len(x.atoms)-1], l.added(call)))
	case x.unset && l.loops == 0:
		return l.withRoom(x, l.added(call))
	case x.unset || x.own == nil:
	case x.grows && (x.own.sized || x.own.given || x.own.reserved || slices.Contains(l.active, x.own.counted)):
		return x
	case x.own.loops == l.loops && x.own.arms == l.arms:
		return l.withRoom(x, l.added(call))
	}
	return l.problem(call.Pos(), problem{CodeAppend, "how many elements are appended to " + name + " is not known before",
		"a slice that grows has its place in memory before the loop or the branch that appends to it", "make it with room for all elements that there may be: make(" +
			typeName(x.typ) + ", 0, n)"})
}

// isStruct reports whether t is a struct type.
func isStruct(t types.Type) bool {
	_, ok := t.Underlying().(*types.Struct)
	return ok
}

// hasSlices reports whether t is a struct, or an array, with a slice in it.
func hasSlices(t types.Type) bool {
	if _, elem, ok := isArray(t); ok {
		return isSlice(elem) || hasSlices(elem)
	}
	return anyField(t, func(f types.Type) bool { return isSlice(f) || hasSlices(f) })
}

// anyField reports whether t is a struct with a field whose type is one of those.
func anyField(t types.Type, is func(types.Type) bool) bool {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range s.Fields() {
		if is(f.Type()) {
			return true
		}
	}
	return false
}
