package load

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// Note [Pointers that depend on a path]
//
// Two pointers to elements of one slice or array differ in their indices only, so that a branch chooses the index, and
// a loop carries it: best = &items[i]. Pointers to different variables are chosen when they are followed: both
// variables are read, and an assignment gives each of them its new value or the one that it has. That is so for numbers
// and structs of numbers that live where the choice is made.

// roots are the keys of the variables that p may lead to.
func (p *pointer) roots() []any {
	if p.either[0] != nil {
		return append(p.either[0].roots(), p.either[1].roots()...)
	}
	return []any{p.root}
}

// beside reports whether p and q lead to elements of the same thing, by indices that may differ.
func (p *pointer) beside(q *pointer) bool {
	if p.root != q.root || p.either[0] != nil || q.either[0] != nil || len(p.steps) != len(q.steps) {
		return false
	}
	for i, s := range p.steps {
		if o := q.steps[i]; s.lo != o.lo || s.hi != o.hi || (s.at == nil) != (o.at == nil) || s.size != nil || o.size != nil || s.at != nil && s.at != o.at && !(s.checked && o.checked) {
			return false
		}
	}
	return true
}

// at is p with other indices: f gives that of each step that has one.
func (p *pointer) at(f func(i int, at ir.Atom) ir.Atom) *pointer {
	out := *p
	out.steps = append([]step(nil), p.steps...)
	for i, s := range out.steps {
		if s.at != nil {
			out.steps[i].at = f(i, s.at)
		}
	}
	return &out
}

// indices are those of the steps of p.
func (p *pointer) indices() (all []ir.Atom) {
	p.at(func(_ int, at ir.Atom) ir.Atom {
		all = append(all, at)
		return at
	})
	return all
}

// joinPointers is a pointer that is x where cond holds and y elsewhere, at the end of a branch; ok is false if there is
// no such one. before is the value before the branch, and choose makes a result of the branch.
func (l *lowerer) joinPointers(cond ir.Atom, name string, before, x, y value, choose func(name string, t ir.Type, x, y ir.Atom) ir.Atom) (v value, ok bool) {
	if x.ptr == nil || y.ptr == nil || x.bad || y.bad || x.ptr.same(y.ptr) {
		return value{}, false
	}
	if _, lives := l.env.vals[x.ptr.root]; lives && x.ptr.beside(y.ptr) {
		x.ptr = x.ptr.at(func(i int, at ir.Atom) ir.Atom { return choose(name+"_at", intType, at, y.ptr.steps[i].at) })
		return x, true
	}
	if !types.Identical(x.ptr.elem, y.ptr.elem) || !flat(x.ptr.elem) || !l.outlives(x.ptr, before) || !l.outlives(y.ptr, before) {
		return value{}, false
	}
	no := ir.BoolConst(false)
	first := x.ptr.under(func(is ir.Atom) ir.Atom { return choose(name+"_is", is.Type(), is, no) })
	second := y.ptr.under(func(is ir.Atom) ir.Atom { return choose(name+"_is", is.Type(), no, is) })
	x.ptr = &pointer{elem: x.ptr.elem, cond: cond, either: [2]*pointer{first, second}}
	return x, true
}

// under is p behind the branch of which it is an arm's: conditions that it depends on become results of the branch.
func (p *pointer) under(out func(cond ir.Atom) ir.Atom) *pointer {
	if p.either[0] == nil {
		return p
	}
	return &pointer{elem: p.elem, cond: out(p.cond), either: [2]*pointer{p.either[0].under(out), p.either[1].under(out)}}
}

// strand makes pointers to elements of the slice with a key unusable: the slice is another one from here on.
func (l *lowerer) strand(e *env, key any) {
	for _, k := range e.keys {
		p := e.vals[k].ptr
		ref := e.vals[k].ref // a row, or an argument
		if p == nil {
			p = ref
		}
		if p == nil || !slices.Contains(p.roots(), key) || len(p.indices()) == 0 && p.either[0] == nil && ref == nil {
			continue
		}
		gone := problem{CodePointer, "the pointer " + keyName(k) + " leads to an element of " + keyName(key) + ", which is another slice now",
			"what a pointer points to is an element of a variable, as the IR has no addresses", "keep the slice under a name of its own, and take the address there"}
		if ref != nil && len(ref.steps) == 0 {
			gone.message, gone.why = keyName(k)+" is a name of "+keyName(key)+", which is another slice now", "the IR has no addresses: a name stands for a variable, not for its memory"
			gone.fix = "use the name before the slice is replaced"
		}
		e.vals[k] = value{typ: e.vals[k].typ, bad: true, late: &gone, at: l.pos}
	}
}

// replaces reports whether n assigns the slice v as a whole, but by append.
func replaces(info *types.Info, n ast.Node, v *types.Var) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok {
			if u, _ := appendTarget(info, a); u == v {
				return true
			}
			for _, e := range a.Lhs {
				id, ok := ast.Unparen(e).(*ast.Ident)
				found = found || ok && info.Uses[id] == types.Object(v)
			}
		}
		return !found
	})
	return found
}

// outlives reports whether p, at the end of an arm, leads to parts of variables that live around the branch.
func (l *lowerer) outlives(p *pointer, before value) bool {
	if p.either[0] != nil {
		return p == before.ptr || l.outlives(p.either[0], before) && l.outlives(p.either[1], before)
	}
	v, ok := l.env.vals[p.root]
	if !ok || v.bad || v.own != nil || v.ref != nil || v.grows || v.held != nil || inMemory(v) || l.env.captured(p.root) {
		return false
	}
	for _, s := range p.steps {
		if _, isConst := s.at.(ir.Const); s.at != nil && !isConst && p != before.ptr {
			return false
		}
	}
	return keyType(p.root) != nil && flat(keyType(p.root))
}

// followEither reads what p points to, one thing or another.
func (l *lowerer) followEither(p *pointer) value {
	x, y := l.use(l.follow(p.either[0]), l.pos), l.use(l.follow(p.either[1]), l.pos)
	if x.bad || y.bad || len(x.atoms) != len(y.atoms) {
		return value{bad: true}
	}
	return value{typ: p.elem, atoms: l.eachOf(p.cond, x.atoms, y.atoms)}
}

// assignEither lowers the assignment *p = v, where p points to one thing or another.
func (l *lowerer) assignEither(p *pointer, v value) {
	for i, q := range p.either {
		now := l.use(l.follow(q), l.pos)
		if now.bad || v.bad || len(now.atoms) != len(v.atoms) {
			l.assignTo(q, value{bad: true}, l.pos)
			continue
		}
		if i == 0 {
			now.atoms = l.eachOf(p.cond, v.atoms, now.atoms)
		} else {
			now.atoms = l.eachOf(p.cond, now.atoms, v.atoms)
		}
		l.assignTo(q, value{typ: p.elem, atoms: now.atoms}, l.pos)
	}
}

// carriedPointer is the pointer v as a loop that assigns it carries it: by its indices, of which it makes parameters.
// ok is false if it is carried in another way.
func (lp *loop) carriedPointer(key any, v value, op *ir.Loop, stmt *ir.Stmt) (in, out value, ok bool) {
	if v.ptr == nil || v.bad || !lp.changed[key] || v.ptr.either[0] != nil || len(v.ptr.indices()) == 0 {
		return v, v, false
	}
	for _, s := range v.ptr.steps {
		if s.at != nil && !s.checked {
			return v, v, false
		}
	}
	in, out = v, v
	name := keyName(key) + "_at"
	in.ptr = v.ptr.at(func(_ int, at ir.Atom) ir.Atom {
		p := &ir.Var{Name: name, T: intType}
		op.Params, op.Init = append(op.Params, p), append(op.Init, at)
		return p
	})
	out.ptr = v.ptr.at(func(int, ir.Atom) ir.Atom {
		d := &ir.Var{Name: name, T: intType}
		stmt.Dst = append(stmt.Dst, d)
		return d
	})
	return in, out, true
}
