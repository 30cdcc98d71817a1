package load

import (
	"go/ast"
	"go/types"
)

// method lowers x.M or T.M for a method M of the program: a function whose first argument is the receiver. That of
// x.M is evaluated here, as Go does.
func (l *lowerer) method(e *ast.SelectorExpr, sel *types.Selection) value {
	f := l.prog.method(sel)
	if f == nil {
		return l.problem(e.Sel.Pos(), foreignMethod(sel))
	}
	fn := &funcValue{unit: f.unit, decl: f}
	out := value{typ: sel.Type(), fn: fn}
	path := sel.Index()[:len(sel.Index())-1] // the embedded fields on the way
	if sel.Kind() == types.MethodExpr {
		fn.path = path
		return out
	}
	if isNothing(l.unit.info.TypeOf(e.X)) && isPlainPath(e.X) {
		fn.recv = &value{typ: f.receiver().Type()}
		return out
	}
	recv, ok := l.receiver(e.X, path, isPointer(f.receiver().Type()))
	if !ok {
		return value{bad: true}
	}
	fn.recv = &recv
	return out
}

// receiver lowers the receiver of a method that x has by way of the embedded fields of path.
func (l *lowerer) receiver(x ast.Expr, path []int, pointer bool) (value, bool) {
	if !pointer && len(path) == 0 && !isPointer(l.unit.info.TypeOf(x)) {
		if v := l.reference(x); v.ref != nil {
			return v, true
		}
		if v, ok := l.lentStruct(x); ok {
			return v, true
		}
		v := l.expr(x)
		return v, !v.bad
	}
	if !pointer && !isPointer(l.unit.info.TypeOf(x)) {
		v := l.whole(l.promoted(l.borrow(x), l.unit.info.TypeOf(x), path), x.Pos())
		return v, !v.bad
	}
	p := l.base(x)
	if p == nil {
		return value{}, false
	}
	if p = p.fields(l.shape, path); !pointer {
		if r := l.resolved(p); isSlice(p.elem) && len(r.steps) == 0 && r.either[0] == nil {
			if v := l.referenceTo(r.root, p.elem); v.ref != nil {
				return v, true
			}
		}
		if v, ok := l.lent(p); ok {
			return v, true
		}
		v := l.load(p, x.Pos())
		return v, !v.bad
	}
	return value{typ: types.NewPointer(p.elem), ptr: p}, true
}

// promoted is the part of v, of type t, at the end of a path of fields.
func (l *lowerer) promoted(v value, t types.Type, path []int) value {
	p := (&pointer{elem: t}).fields(l.shape, path)
	for _, s := range p.steps {
		v = l.part(v, s)
	}
	return v
}

// receive turns the first argument of a method expression into the receiver that the method takes: (*T).M may be a
// method of T, or of a field embedded in it.
func (l *lowerer) receive(f *funcValue, arg value) value {
	if arg.bad {
		return arg
	}
	wants := isPointer(f.decl.receiver().Type())
	if arg.ptr == nil {
		return l.promoted(arg, arg.typ, f.path)
	}
	p := arg.ptr.fields(l.shape, f.path)
	if wants {
		return value{typ: types.NewPointer(p.elem), ptr: p}
	}
	return l.load(p, l.pos)
}

// method returns the function that a selection of a method names, or nil if its body is not known.
func (p *program) method(sel *types.Selection) *function {
	obj, ok := sel.Obj().(*types.Func)
	if !ok {
		return nil
	}
	f := p.funcs[obj.Origin()]
	if f == nil || f.decl.Body == nil {
		return nil
	}
	return p.instance(f, receiverArgs(obj))
}

// receiver is the variable that a method names before its parameters, nil for a function that is none. An instance of a
// method of a generic type has it as its first parameter, as it is a function of its own.
func (f *function) receiver() *types.Var {
	if r := f.obj.Signature().Recv(); r != nil || !f.isMethod {
		return r
	}
	return f.obj.Signature().Params().At(0)
}

// params are the variables that a call of f sets, the receiver before the others.
func (f *funcValue) params() []*types.Var {
	var sig *types.Signature
	var vs []*types.Var
	switch {
	case f.lit != nil:
		sig, _ = f.unit.info.TypeOf(f.lit).(*types.Signature)
	case f.decl != nil:
		if sig = f.decl.obj.Signature(); sig.Recv() != nil {
			vs = append(vs, sig.Recv())
		}
	}
	if sig != nil {
		for v := range sig.Params().Variables() {
			vs = append(vs, v)
		}
	}
	return vs
}

// foreignMethod refuses a method whose body is not known.
func foreignMethod(sel *types.Selection) problem {
	name := typeName(sel.Recv()) + "." + sel.Obj().Name()
	if types.IsInterface(sel.Recv()) {
		return problem{CodeInterface, "found a call through the interface " + typeName(sel.Recv()),
			"which function is called must be known when the kernel is compiled", "use the concrete type, or pass a function"}
	}
	return problem{CodeForeignCall, name + " is not a method of this module",
		"only functions and methods of this module and functions of package math are inlined", "write a function in this module that does the same, if it is pure"}
}

// receiverArgs are the type arguments of the type that obj is a method of, none if that is not generic.
func receiverArgs(obj *types.Func) []types.Type {
	recv := obj.Signature().Recv()
	if recv == nil {
		return nil
	}
	t := recv.Type()
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.TypeArgs() == nil || obj.Origin() == obj {
		return nil
	}
	var args []types.Type
	for a := range n.TypeArgs().Types() {
		args = append(args, a)
	}
	return args
}

// isNothing reports whether t is a struct without fields, which only has methods, as binary.BigEndian.
func isNothing(t types.Type) bool {
	if t == nil {
		return false
	}
	s, ok := t.Underlying().(*types.Struct)
	return ok && s.NumFields() == 0
}
