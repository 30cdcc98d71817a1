package load

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/surge-ndp/surge/ops/ir"
)

// path takes an expression apart into what it begins with and the steps from there. Its indices are evaluated, in
// order.
func (l *lowerer) path(e ast.Expr) (root ast.Expr, steps []step, ok bool) {
	switch x := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		sel := l.unit.info.Selections[x]
		if sel == nil || sel.Kind() != types.FieldVal {
			break
		}
		if _, isStruct := sel.Recv().Underlying().(*types.Struct); !isStruct {
			break
		}
		root, steps, ok = l.path(x.X)
		lo, hi, found := l.fieldOf(sel)
		return root, append(steps, step{typ: sel.Type(), pos: x.Pos(), lo: lo, hi: hi}), ok && found
	case *ast.IndexExpr:
		if tv := l.unit.info.Types[x.X]; !tv.IsValue() || isFunc(tv.Type) || isPointer(tv.Type) {
			break
		}
		root, steps, ok = l.path(x.X)
		i := l.expr(x.Index)
		if !ok || i.bad || len(i.atoms) != 1 {
			return root, nil, false
		}
		if s, known := l.sliceOfArray(x, i.atoms[0]); known {
			return root, append(steps, s), true
		}
		return root, append(steps, step{typ: l.unit.info.TypeOf(x), pos: x.Pos(), at: l.toInt(i.atoms[0]), text: text(x)}), true
	}
	return e, nil, true
}

// sliceOfArray is the step to an element of an array of slices, or of structs with slices, at a constant index: such
// elements are like the fields of a struct, see Note [Slices in structs].
func (l *lowerer) sliceOfArray(e *ast.IndexExpr, i ir.Atom) (s step, ok bool) {
	n, elem, isArr := isArray(l.unit.info.TypeOf(e.X))
	c, constant := i.(ir.Const)
	if !isArr || !constant || !isSlice(elem) && !hasSlices(elem) || isLarge(l.unit.info.TypeOf(e.X)) || c.Int() < 0 || c.Int() >= n {
		return step{}, false
	}
	w := l.width(elem)
	return step{typ: elem, pos: e.Pos(), lo: int(c.Int()) * w, hi: int(c.Int()+1) * w}, true
}

// fieldOf returns which values of a struct a field selection picks.
func (s shape) fieldOf(sel *types.Selection) (lo, hi int, ok bool) {
	t := sel.Recv()
	for _, i := range sel.Index() { // more than one step: the field of an embedded struct
		u, isStruct := t.Underlying().(*types.Struct)
		if !isStruct {
			return 0, 0, false
		}
		a, b := s.fieldRange(u, i)
		lo, hi = lo+a, lo+b
		t = u.Field(i).Type()
	}
	return lo, hi, true
}

// readPath lowers an expression of selectors and indices.
func (l *lowerer) readPath(e ast.Expr) value {
	root, steps, ok := l.path(e)
	if !ok {
		return value{bad: true}
	}
	if len(steps) == 0 {
		return l.unknown(e)
	}
	whole := l.borrow(root)
	v := l.parts(whole, steps)
	if !v.bad && !flat(v.typ) {
		whole.rows.escape(e.Pos()) // a row got another name
	}
	if v.own != nil && !v.bad && !inMemory(v) { // all of a field that is kept as a variable
		v = l.settled(v, e.Pos())
		if v.own != nil {
			v.own.escape(e.Pos())
			v.own, v.shared = nil, v.own
		}
	}
	return l.whole(v, e.Pos())
}

// parts returns the part of v that the steps lead to.
func (l *lowerer) parts(v value, steps []step) value {
	for _, s := range steps {
		v = l.part(v, s)
	}
	return v
}

// part is one step from v.
func (l *lowerer) part(v value, s step) value {
	if v.bad || v.fn != nil || len(v.atoms) == 0 {
		return value{bad: true}
	}
	if s.pos.IsValid() {
		l.pos = s.pos
	}
	if s.at == nil {
		if s.hi > len(v.atoms) {
			return value{bad: true}
		}
		if key := v.held[s.lo]; key != nil && isHeld(s.typ) {
			return l.heldValue(key)
		}
		return value{typ: s.typ, atoms: v.atoms[s.lo:s.hi:s.hi], held: v.held.within(s.lo, s.hi), lent: v.lent}
	}
	if s.size != nil {
		return s.cut(l, v)
	}
	n, elem, isArr := isArray(v.typ)
	if !isArr {
		return l.element(v, s.typ, l.checkedIn(s, v))
	}
	at := l.inRange(s, ir.IntConst(ir.Int, n))
	return l.arrayElement(l.sealed(v), n, elem, at)
}

// arrayElement returns element i of the array v, which is in range.
func (l *lowerer) arrayElement(v value, n int64, elem types.Type, i ir.Atom) value {
	out := value{typ: elem}
	switch c, isConst := i.(ir.Const); {
	case inMemory(v):
		return l.memoryElement(v, elem, i)
	case isConst:
		w := len(v.atoms) / int(n)
		k := int(c.Int()) * w
		out.atoms = v.atoms[k : k+w : k+w]
	default:
		out.atoms = l.chosen(v.atoms, len(v.atoms)/int(n), 0, int(n), i)
	}
	return out
}

// memoryElement is element i of an array that lies in memory: a part of it, if that is an array as well.
func (l *lowerer) memoryElement(v value, elem types.Type, i ir.Atom) value {
	if _, inner := arrayBase(elem); inner > 0 {
		v.typ, v.mem, v.off = elem, true, l.sum(v.off, l.arith(ir.Mul, i, ir.IntConst(ir.Int, inner)))
		return v
	}
	v.off = l.sum(v.off, i)
	out := value{typ: elem}
	for _, a := range v.atoms {
		out.atoms = append(out.atoms, l.emit("e", a.Type().Elem(), &ir.Index{X: a, I: v.off}))
	}
	return out
}

// inRange checks the index of a step against n, and returns it. A constant that is in range needs no check; for one
// that is not, the run ends at the check, and any other index will do behind it.
func (l *lowerer) inRange(s step, n ir.Atom) ir.Atom {
	if s.checked {
		return s.at
	}
	i, isConst := s.at.(ir.Const)
	if c, ok := n.(ir.Const); ok && isConst {
		if 0 <= i.Int() && i.Int() < c.Int() {
			return s.at
		}
		l.check(ir.CheckIndex, "index", s.text, s.at, n)
		return ir.IntConst(ir.Int, 0)
	}
	l.check(ir.CheckIndex, "index", s.text, s.at, n)
	return s.at
}

// checkedIn is inRange for an element of the slice v.
func (l *lowerer) checkedIn(s step, v value) ir.Atom {
	if s.checked {
		return s.at
	}
	return l.inRange(s, l.length(v))
}

// assignPath returns x with the part that the steps lead to replaced by v. name is the variable that x is the value of.
func (l *lowerer) assignPath(x value, steps []step, v value, name string) (out value, ok bool) {
	if len(steps) == 0 {
		if inMemory(x) {
			_, n := arrayBase(x.typ)
			x.atoms = l.overwritten(x, v, n)
			return x, true
		}
		x.atoms = v.atoms
		return x, true
	}
	s := steps[0]
	if s.pos.IsValid() {
		l.pos = s.pos
	}
	n, elem, isArr := isArray(x.typ)
	switch {
	case s.size != nil:
		part, ok := l.assignPath(s.cut(l, x), steps[1:], v, name)
		x.atoms = replaced(x.atoms, 0, part.atoms) // a slice that grows has its length behind them
		return x, ok
	case s.at == nil:
		if s.hi > len(x.atoms) {
			return x, false
		}
		part, ok := l.assignPath(value{typ: s.typ, atoms: x.atoms[s.lo:s.hi:s.hi]}, steps[1:], v, name)
		x.atoms = replaced(x.atoms, s.lo, part.atoms)
		return x, ok
	case !isArr || inMemory(x):
		return l.assignElement(x, steps, v, name)
	}
	at := l.inRange(s, ir.IntConst(ir.Int, n))
	if x = l.sealed(x); x.bad {
		return x, false
	}
	w := len(x.atoms) / int(n)
	elemAt := func(k int) (value, bool) {
		return l.assignPath(value{typ: elem, atoms: x.atoms[k*w : (k+1)*w : (k+1)*w]}, steps[1:], v, name)
	}
	if c, isConst := at.(ir.Const); isConst {
		part, ok := elemAt(int(c.Int()))
		x.atoms = replaced(x.atoms, int(c.Int())*w, part.atoms)
		return x, ok
	}
	all := x.atoms
	for k := range int(n) {
		part, ok := elemAt(k)
		if !ok {
			return x, false
		}
		here := l.bin("here", ir.Eq, at, ir.IntConst(ir.Int, int64(k)))
		all = replaced(all, k*w, l.eachOf(here, part.atoms, x.atoms[k*w:(k+1)*w]))
	}
	x.atoms = all
	return x, true
}

// assignElement is assignPath for an element of a slice, or of an array that lies in memory.
func (l *lowerer) assignElement(x value, steps []step, v value, name string) (out value, ok bool) {
	s := steps[0]
	if x.grow != nil {
		l.problem(s.pos, growingRead(name))
		return x, false
	}
	if x.rows != nil && !x.rows.escaped.IsValid() {
		return l.replaceElement(x, steps, v, name)
	}
	if x.grid != nil && len(steps) == 1 && !x.grid.blank && x.own != nil && !isLarge(s.typ) {
		l.problem(s.pos, rowReplaced(name, s.text))
		return x, false
	}
	if !l.mayUpdate(x, name, s.pos) {
		return x, false
	}
	l.pos = s.pos
	elem, _ := isSequence(x.typ)
	var at ir.Atom
	if x.grid != nil {
		return l.assignRow(x, steps, v, name)
	}
	if n, inner, isArr := isArray(x.typ); isArr {
		i := l.inRange(s, ir.IntConst(ir.Int, n))
		if _, rows := arrayBase(inner); rows > 0 { // a part of the array
			part := l.memoryElement(x, inner, i)
			part, ok = l.assignPath(part, steps[1:], v, name)
			x.atoms = part.atoms
			return x, ok
		}
		elem, at = inner, l.sum(x.off, i)
	} else {
		at = l.sum(x.off, l.checkedIn(s, x))
	}
	x.own.updated = s.pos
	now := v
	if len(steps) > 1 {
		old := value{typ: elem, atoms: l.elements(x.arrays(), at)}
		if now, ok = l.assignPath(old, steps[1:], v, name); !ok {
			return x, false
		}
	}
	if len(now.atoms) != len(x.arrays()) {
		if l.loses(now); !now.bad {
			l.unassigned(s.pos, name)
		}
		return x, false
	}
	for k, a := range now.atoms {
		if !l.unchanged(x.atoms[k], at, a) {
			x.atoms = with(x.atoms, k, l.emit("made", x.atoms[k].Type(), &ir.Update{X: x.atoms[k], I: at, Value: a}))
		}
	}
	return x, true
}

// unassigned reports an element that gets a value of another form, which no assignment of Go's types leads to.
func (l *lowerer) unassigned(pos token.Pos, name string) {
	l.problem(pos, problem{CodeElement, "cannot compile an assignment to an element of " + name, "the value is not made of the numbers of an element",
		"compute the value into a variable, and assign that"})
}

// overwritten returns the sequences of x, an array in memory or a part of one, with its n elements replaced by those
// of v.
func (l *lowerer) overwritten(x, v value, n int64) []ir.Atom {
	x.own.updated = l.pos
	if inMemory(v) {
		return l.filled(x.atoms, x.off, v, ir.IntConst(ir.Int, n))
	}
	w := len(x.atoms)
	for i, a := range v.atoms {
		at := l.sum(x.off, ir.IntConst(ir.Int, int64(i/w)))
		x.atoms = with(x.atoms, i%w, l.emit("made", x.atoms[i%w].Type(), &ir.Update{X: x.atoms[i%w], I: at, Value: a}))
	}
	return x.atoms
}

// replaced returns atoms with those from lo on replaced by part.
func replaced(atoms []ir.Atom, lo int, part []ir.Atom) []ir.Atom {
	out := append([]ir.Atom(nil), atoms...)
	copy(out[lo:], part)
	return out
}

// place is what an assignment assigns to. Its index expressions are evaluated once, before the values on the right.
type place struct {
	read  func() value
	write func(value)
}

func (l *lowerer) place(e ast.Expr) place {
	if l.throughPointer(e) {
		return l.pointerPlace(l.addressOf(e), e.Pos())
	}
	root, steps, ok := l.path(e)
	if ok && len(steps) == 0 {
		return place{read: func() value { return l.expr(e) }, write: func(v value) { l.store(e, v) }}
	}
	failed := place{read: func() value { return value{bad: true} }, write: func(value) {}}
	if !ok {
		return failed
	}
	if part := l.namedPart(root, nil, true); part.ref != nil {
		steps = append(part.ref.steps[:len(part.ref.steps):len(part.ref.steps)], steps...)
		return l.pointerPlace(&pointer{elem: steps[len(steps)-1].typ, root: part.ref.root, steps: steps}, e.Pos())
	}
	id, _ := ast.Unparen(root).(*ast.Ident)
	obj, isVar := l.unit.info.ObjectOf(id).(*types.Var)
	if !isVar {
		l.problem(e.Pos(), elementWrite(types.ExprString(root)))
		return failed
	}
	p := &pointer{elem: steps[len(steps)-1].typ, root: obj, steps: steps}
	if ref := l.env.vals[obj].ref; ref != nil {
		p.root, p.steps = ref.root, append(ref.steps[:len(ref.steps):len(ref.steps)], steps...)
	}
	return l.pointerPlace(p, e.Pos())
}
