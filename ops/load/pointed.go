package load

import (
	"go/ast"
	"go/token"
	"go/types"
)

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

// fieldBehind is e, a field of what a pointer points to: a struct, with those of its fields that are kept as variables,
// or a large array where it lies in memory; nothing if e is something else.
func (l *lowerer) fieldBehind(e *ast.SelectorExpr) value {
	info := l.unit.info
	sel := info.Selections[e]
	if sel == nil || sel.Kind() != types.FieldVal || !isStruct(info.TypeOf(e)) && !isLarge(info.TypeOf(e)) || !isPointer(info.TypeOf(e.X)) || variable(info, e.X) == nil {
		return value{}
	}
	p := l.pointee(e.X)
	if p == nil {
		return value{}
	}
	return l.follow(p.fields(l.shape, sel.Index()))
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
	if to := l.resolved(p); to != p && !(root.lent && len(to.steps) == 0 && isSlice(p.elem)) { // the caller's field stays
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
		if lo, isField := fieldAt(p.steps); isField && !root.bad && root.held != nil && hasSlices(p.elem) && l.heldAlone(v) {
			root = l.use(root, pos)
			root.atoms = replaced(root.atoms, lo, v.atoms)
			root.held = root.held.without(lo, lo+len(v.atoms)).with(v.held, lo)
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
		width := len(v.atoms)
		if v, ok = l.assignPath(root, p.steps, v, keyName(p.root)); !ok {
			return
		}
		if lo, isField := fieldAt(p.steps); isField { // what the variables of fields in it had is gone
			v.held = v.held.without(lo, lo+width)
		}
	}
	l.bind(p.root, v)
}

// nilPointer is the value of a pointer that points to nothing; it is an error as soon as it is followed.
func nilPointer(t types.Type, pos token.Pos) value {
	elem := t.Underlying().(*types.Pointer).Elem()
	p := problem{CodePointer, "found a nil pointer of type " + typeName(t), "what a pointer points to must be known when the kernel is compiled",
		"let it point to a variable: new(" + typeName(elem) + ")"}
	return value{typ: t, bad: true, late: &p, at: pos}
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
