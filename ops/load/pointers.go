package load

import (
	"go/ast"
	"go/token"
	"go/types"

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
	if l.isTabled(v) {
		v = l.holdTables(l.use(v, l.pos), nil)
	}
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
	if s, known := l.sliceOfArray(e, i.atoms[0]); known && !isPointer(l.unit.info.TypeOf(e.X)) {
		return p.to(s)
	}
	s := step{typ: l.unit.info.TypeOf(e), at: l.toInt(i.atoms[0]), text: text(e), pos: e.Pos()}
	if n, _, ok := isArray(whole.typ); ok {
		s.at = l.inRange(s, ir.IntConst(ir.Int, n))
	} else {
		s.at = l.checkedIn(s, whole)
	}
	s.checked = true
	return p.to(s)
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
