package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
)

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
			if part := l.argumentPart(f, i, e); part.ref != nil || part.typ != nil {
				args[i] = part
				continue
			}
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
