package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// Note [Pointers]
//
// The IR has no addresses. A pointer is known when the kernel is compiled: it is the variable that it leads to, and
// the way from there to a field or an element. What is read or assigned through it is that variable's, under its key
// in env, so that branches and loops treat it as they treat every assignment. &T{…} and new(T) make a variable
// without a name. A pointer that would have to be stored is refused: a struct with a pointer in it, a slice of
// pointers. See also Note [Pointers that depend on a path].

// pointer is the value of an expression of pointer type.
type pointer struct {
	elem  types.Type // what it points to
	root  any        // the key of the variable in env
	steps []step     // from the variable to what it points to

	cond   ir.Atom     // of a pointer that depends on a path: whether it is the first of either, or the second
	either [2]*pointer // which see Note [Pointers that depend on a path]
}

// step goes from a value to a part of it: to the values [lo, hi) of a struct, or to element at of a sequence.
type step struct {
	typ    types.Type // of the part
	lo, hi int
	at     ir.Atom // nil for a field
	size   ir.Atom // of a part of a sequence, which begins at at: how many elements it has; nil for an element
	text   string  // the source of the element, for messages
	pos    token.Pos

	checked bool // that the index is in range
}

// same reports whether p and q surely point to the same thing.
func (p *pointer) same(q *pointer) bool {
	if p == q {
		return true
	}
	if p.either[0] != nil || q.either[0] != nil || p.root != q.root || len(p.steps) != len(q.steps) {
		return false
	}
	for i, s := range p.steps {
		if o := q.steps[i]; s.lo != o.lo || s.hi != o.hi || s.at != o.at || s.size != o.size {
			return false
		}
	}
	return true
}

// to is p with one step more.
func (p *pointer) to(s step) *pointer {
	if p.either[0] != nil {
		return &pointer{elem: s.typ, cond: p.cond, either: [2]*pointer{p.either[0].to(s), p.either[1].to(s)}}
	}
	return &pointer{elem: s.typ, root: p.root, steps: append(p.steps[:len(p.steps):len(p.steps)], s)}
}

// fields is p followed by a path of fields, as a selection gives it.
func (p *pointer) fields(shape shape, path []int) *pointer {
	for _, i := range path {
		s, ok := p.elem.Underlying().(*types.Struct)
		if !ok {
			return p
		}
		lo, hi := shape.fieldRange(s, i)
		p = p.to(step{typ: s.Field(i).Type(), lo: lo, hi: hi})
	}
	return p
}

// isPointer reports whether t is a pointer type.
func isPointer(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

// newVariable makes a variable without a name that holds v, and returns a pointer to it.
func (l *lowerer) newVariable(name string, v value, t types.Type) value {
	key := &slot{name: name, typ: t}
	v.typ = t
	l.bind(key, v)
	return value{typ: types.NewPointer(t), ptr: &pointer{elem: t, root: key}}
}

// address lowers &x, or x where a method with a pointer receiver is called on it.
func (l *lowerer) address(e ast.Expr) value {
	p := l.addressOf(e)
	if p == nil {
		return value{bad: true}
	}
	return value{typ: types.NewPointer(p.elem), ptr: p}
}

func (l *lowerer) addressOf(e ast.Expr) *pointer {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		obj, ok := l.unit.info.Uses[e].(*types.Var)
		if !ok {
			l.unknown(e)
			return nil
		}
		if isGlobal(obj) {
			l.global(obj, e.Pos())
		}
		if ref := l.env.vals[obj].ref; ref != nil {
			return ref
		}
		return &pointer{elem: obj.Type(), root: obj}
	case *ast.StarExpr:
		return l.pointee(e.X)
	case *ast.SelectorExpr:
		sel := l.unit.info.Selections[e]
		if sel == nil {
			return l.addressOf(e.Sel) // a qualified name
		}
		if sel.Kind() != types.FieldVal {
			l.unknown(e)
			return nil
		}
		p := l.base(e.X)
		if p == nil {
			return nil
		}
		return p.fields(l.shape, sel.Index())
	case *ast.IndexExpr:
		return l.elementAddress(e)
	case *ast.CompositeLit:
		v := l.owning(e)
		if v.bad {
			return nil
		}
		return l.newVariable("new", v, l.unit.info.TypeOf(e)).ptr
	}
	l.unknown(e)
	return nil
}

// base is the address of what a selector or an index starts from: x itself, or what it points to.
func (l *lowerer) base(x ast.Expr) *pointer {
	if isPointer(l.unit.info.TypeOf(x)) {
		return l.pointee(x)
	}
	return l.addressOf(x)
}

// elementAddress is the address of x[i].
func (l *lowerer) elementAddress(e *ast.IndexExpr) *pointer {
	p := l.base(e.X)
	i := l.expr(e.Index)
	if p == nil || i.bad || len(i.atoms) != 1 {
		return nil
	}
	whole := l.follow(p)
	if whole.bad || len(whole.atoms) == 0 {
		return nil
	}
	l.pos = e.Pos()
	s := step{typ: l.unit.info.TypeOf(e), at: l.toInt(i.atoms[0]), text: text(e), pos: e.Pos()}
	if n, _, ok := isArray(whole.typ); ok {
		s.at = l.inRange(s, ir.IntConst(ir.Int, n))
	} else {
		s.at = l.checkedIn(s, whole)
	}
	s.checked = true
	return p.to(s)
}

// pointee lowers e, an expression of pointer type, and returns what it points to, or nil after reporting.
func (l *lowerer) pointee(e ast.Expr) *pointer {
	v := l.use(l.expr(e), e.Pos())
	if v.ptr == nil {
		if !v.bad {
			l.unknown(e)
		}
		return nil
	}
	return v.ptr
}

// follow returns what p points to, for reading a part of it: an owned slice keeps its owner.
func (l *lowerer) follow(p *pointer) value {
	if p.either[0] != nil {
		return l.followEither(p)
	}
	v, ok := l.env.vals[p.root]
	if !ok {
		return value{bad: true}
	}
	if v.own != nil && l.ops > v.own.depth { // read by the function of an operator: see borrow
		v.own.escape(l.pos)
	}
	v = l.use(v, l.pos)
	return l.parts(v, p.steps)
}

// load returns what p points to as a value of its own.
func (l *lowerer) load(p *pointer, pos token.Pos) value {
	v := l.follow(p)
	if inMemory(v) {
		return l.whole(v, pos)
	}
	if v.held != nil {
		return l.sealed(v)
	}
	if v.grows || v.grid != nil || v.row != nil {
		return l.settled(v, pos)
	}
	if v.own != nil {
		v.own.escape(pos)
		v.own, v.shared = nil, v.own
	}
	v.rows = v.rows.escape(pos)
	return v
}

// assignTo lowers the assignment *p = v.
func (l *lowerer) assignTo(p *pointer, v value, pos token.Pos) {
	if p.either[0] != nil {
		l.pos = pos
		l.assignEither(p, v)
		return
	}
	root, ok := l.env.vals[p.root]
	if !ok || v.bad && root.bad {
		return
	}
	l.pos = pos
	if to := l.resolved(p); to != p && !(root.lent && len(to.steps) == 0) {
		l.assignTo(to, v, pos)
		return
	}
	if len(p.steps) == 0 && isSlice(p.elem) {
		l.strandCuts(p.root)
	}
	if len(p.steps) > 0 {
		if isSlice(p.elem) {
			l.strand(l.env, p.root)
		}
		if lo, isField := fieldAt(p.steps); isField && isSlice(p.elem) && holds(v) && !root.bad && !inMemory(root) {
			root = l.use(root, pos)
			root.atoms = replaced(root.atoms, lo, v.arrays())
			l.hold(&root, lo, fieldName(p), p.elem, v)
			l.bind(p.root, root)
			return
		}
		v = l.settled(v, pos)
	}
	if v.fn == nil && !v.bad {
		v.typ = p.elem
	}
	if len(p.steps) > 0 {
		root = l.use(root, pos)
		if root.bad || v.bad || v.fn != nil {
			if root.own == nil {
				l.env.set(p.root, value{bad: true})
			}
			return
		}
		if v, ok = l.assignPath(root, p.steps, v, keyName(p.root)); !ok {
			return
		}
	}
	l.bind(p.root, v)
}

// arguments lowers the n arguments of a call that is inlined. A slice that the function made goes there as another
// name of it: what the callee does with it counts, and not that it was handed over. back is to be called behind the
// call: see Note [Arrays that are lent].
func (l *lowerer) arguments(f *funcValue, list []ast.Expr, n int) (args []value, back func()) {
	if len(list) != n {
		return l.exprs(list, n), func() {}
	}
	defer l.callsFirst(list...)()
	args = make([]value, n)
	var backs []func()
	for i, e := range list {
		if f.decl != nil && f.decl.unit.standard {
			if lent, back, ok := l.lend(f.decl, list, i); ok {
				args[i], backs = lent, append(backs, back)
				continue
			}
		}
		if args[i] = l.reference(e); args[i].ref != nil {
			continue
		}
		if part := l.argumentPart(f, i, e); part.ref != nil || part.typ != nil {
			args[i] = part
			continue
		}
		if lent, ok := l.lentStruct(e); ok {
			args[i] = lent
			continue
		}
		args[i] = l.expr(e)
	}
	return args, func() {
		for _, back := range backs {
			back()
		}
	}
}

// reference is e as another name of a local slice, if it names one.
func (l *lowerer) reference(e ast.Expr) value {
	if key, _ := l.fieldSlot(e); key != nil {
		if x := l.env.vals[key]; x.own != nil && !x.bad && !x.unset && !x.own.escaped.IsValid() {
			return value{typ: l.unit.info.TypeOf(e), ref: &pointer{elem: key.typ, root: key}}
		}
	}
	if star, ok := ast.Unparen(e).(*ast.StarExpr); ok && isPlainPath(star.X) {
		if key := l.keptSlice(e); key != nil {
			return l.referenceTo(key, l.unit.info.TypeOf(e))
		}
	}
	if row := l.rowReference(e); row.ref != nil {
		return row
	}
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return value{}
	}
	obj, ok := l.unit.info.Uses[id].(*types.Var)
	if !ok || !isSlice(obj.Type()) {
		return value{}
	}
	return l.referenceTo(obj, obj.Type())
}

// referenceTo is the slice of type t that a variable keeps as a place; its ref is nil if it cannot be updated.
func (l *lowerer) referenceTo(key any, t types.Type) value {
	v := l.env.vals[key]
	if v.ref != nil {
		return v
	}
	if v.own == nil || v.bad || v.unset || v.grow != nil || v.own.escaped.IsValid() {
		return value{}
	}
	return value{typ: t, ref: &pointer{elem: t, root: key}}
}

// pointerPlace is the place that p points to.
func (l *lowerer) pointerPlace(p *pointer, pos token.Pos) place {
	if p == nil {
		return place{read: func() value { return value{bad: true} }, write: func(value) {}}
	}
	return place{read: func() value { return l.whole(l.follow(p), pos) }, write: func(v value) { l.assignTo(p, v, pos) }}
}

// keptResults are the variables of a call that its results point to: they outlive it, under new keys.
func (l *lowerer) keptResults(results []value, start int) func() {
	own := map[any]bool{}
	for _, key := range l.env.keys[start:] {
		own[key] = true
	}
	moved := map[any]*slot{}
	vals := map[*slot]value{}
	var order []*slot
	var fields func(v value) value
	move := func(key any) *slot {
		to := moved[key]
		if to == nil {
			v := l.env.vals[key]
			to = &slot{name: keyName(key), typ: v.typ}
			if s, ok := key.(*slot); ok {
				to.typ = s.typ
			}
			moved[key] = to
			vals[to] = fields(v)
			order = append(order, to)
		}
		return to
	}
	fields = func(v value) value {
		for _, lo := range slices.Sorted(maps.Keys(v.held)) {
			if key := v.held[lo]; own[key] {
				v.held = maps.Clone(v.held)
				v.held[lo] = move(key)
			}
		}
		return v
	}
	for i, r := range results {
		results[i] = fields(r)
		if r.ptr != nil && r.ptr.either[0] != nil && slices.ContainsFunc(r.ptr.roots(), func(key any) bool { return own[key] }) {
			results[i] = pointerChoice(&slot{}, l.pos)
			continue
		}
		if r.ptr == nil || !own[r.ptr.root] {
			continue
		}
		p := *r.ptr
		p.root = move(r.ptr.root)
		results[i].ptr = &p
	}
	return func() {
		for _, s := range order {
			l.env.set(s, vals[s])
		}
	}
}

// nilPointer is the value of a pointer that points to nothing; it is an error as soon as it is followed.
func nilPointer(t types.Type, pos token.Pos) value {
	elem := t.Underlying().(*types.Pointer).Elem()
	p := problem{CodePointer, "found a nil pointer of type " + typeName(t), "what a pointer points to must be known when the kernel is compiled",
		"let it point to a variable: new(" + typeName(elem) + ")"}
	return value{typ: t, bad: true, late: &p, at: pos}
}

// pointerChoice is the value of a pointer that leads to different variables on different paths; it is an error as
// soon as it is followed.
func pointerChoice(key any, pos token.Pos) value {
	name := keyName(key)
	if _, ok := key.(*slot); ok {
		name = "that is returned"
	}
	p := problem{CodePointer, "the pointer " + name + " does not point to the same variable on every path",
		"what a pointer points to must be known when the kernel is compiled", "choose between the values, and point to a variable that holds the chosen one"}
	return value{bad: true, late: &p, at: pos}
}

// pointedInput is the value of a parameter of the kernel that is a pointer: v is what it points to.
func (l *lowerer) pointedInput(name string, v value, elem types.Type) value {
	key := &slot{name: name, typ: elem, input: true}
	v.typ = elem
	l.env.set(key, v)
	return value{typ: types.NewPointer(elem), ptr: &pointer{elem: elem, root: key}}
}

func pointedWrite(name string) problem {
	return problem{CodeInputWrite, "the kernel assigns what its parameter " + name + " points to", "a kernel has no effect but its results",
		"assign to a copy, as in copied := *" + name + ", and return what changes"}
}

// fieldAt returns the place, among the values of a variable, of the field that the steps lead to; ok is false if they
// lead through an element.
func fieldAt(steps []step) (lo int, ok bool) {
	for _, s := range steps {
		if s.at != nil {
			return 0, false
		}
		lo += s.lo
	}
	return lo, true
}

// fieldName is the name of the variable that p leads into, for what it leads to.
func fieldName(p *pointer) string { return keyName(p.root) + "_part" }

// keyType is the type of the variable with a key of env.
func keyType(key any) types.Type {
	switch k := key.(type) {
	case *types.Var:
		return k.Type()
	case *slot:
		return k.typ
	}
	return nil
}
