package load

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/surge-ndp/surge/ops/ir"
)

// Note [Arrays that are lent]
//
// slices.Sort(a[:]) updates the elements of the array a, and slices.Sort(x[lo:hi]) some of those of the slice x.
// Arrays are values here, and a slice is updated under the name that it was made with, so that the elements are
// copied to a slice that the function at hand owns, the call gets that slice, and what it has changed is copied back
// behind it. That is the same only if the call reaches the array in no other way and keeps no part of the slice.
// Functions of the standard library do neither, unless a function that they are given names the array; functions of
// the user may do both, and get no array lent. What lies in memory is not lent, but a place (see Note [Parts with a
// name]).

// lend lowers argument number at of a call of f, a function of the standard library, if it is the whole of an array
// as a slice that no other argument names. back copies the elements back.
func (l *lowerer) lend(f *function, list []ast.Expr, at int) (arg value, back func(), ok bool) {
	e := list[at]
	s, isCut := ast.Unparen(e).(*ast.SliceExpr)
	if !isCut || s.Slice3 || !isPlainPath(s.X) {
		return value{}, nil, false
	}
	params := (&funcValue{unit: f.unit, decl: f}).params()
	if f.obj.Signature().Recv() != nil {
		params = params[1:]
	}
	if at < len(params) && l.prog.writes(f)[params[at]] {
		if arg, back, ok := l.lendPart(list, at, s); ok {
			return arg, back, true
		}
	}
	if s.Low != nil || s.High != nil {
		return value{}, nil, false
	}
	t := l.unit.info.TypeOf(s.X)
	n, elem, isArr := isArray(t)
	if !isArr || !isVector(t) {
		return value{}, nil, false
	}
	root := rootOf(l.unit.info, s.X)
	if root == nil || isGlobal(root) || l.env.captured(root) {
		return value{}, nil, false
	}
	if l.namedElsewhere(list, at, root) {
		return value{}, nil, false
	}
	p := l.addressOf(s.X)
	if p == nil {
		return value{bad: true}, func() {}, true
	}
	from := l.follow(p)
	slice := l.alloc(types.NewSlice(elem), ir.IntConst(ir.Int, n), e.Pos())
	if from.bad || slice.bad {
		return value{bad: true}, func() {}, true
	}
	if inMemory(from) {
		slice.atoms = l.filled(slice.atoms, zeroInt, from, ir.IntConst(ir.Int, n))
	} else {
		w := len(slice.atoms)
		for i, a := range from.atoms {
			slice.atoms[i%w] = l.emit("lent", slice.atoms[i%w].Type(), &ir.Update{X: slice.atoms[i%w], I: ir.IntConst(ir.Int, int64(i/w)), Value: a})
		}
	}
	key := &slot{name: "lent", typ: slice.typ}
	l.env.set(key, slice)
	back = func() {
		now := l.env.vals[key]
		if now.bad || now.own == nil || !now.own.updated.IsValid() {
			return
		}
		out := value{typ: t, atoms: now.atoms, mem: true}
		if !inMemory(from) {
			out = value{typ: t}
			for i := range n {
				for _, a := range now.atoms {
					out.atoms = append(out.atoms, l.emit("e", a.Type().Elem(), &ir.Index{X: a, I: ir.IntConst(ir.Int, i)}))
				}
			}
		}
		l.assignTo(p, out, e.Pos())
	}
	return value{typ: slice.typ, ref: &pointer{elem: slice.typ, root: key}}, back, true
}

// namedElsewhere reports whether an argument other than number at names v.
func (l *lowerer) namedElsewhere(list []ast.Expr, at int, v *types.Var) bool {
	for i, other := range list {
		if i != at && mentions(l.unit.info, other, map[*types.Var]bool{v: true}) {
			return true
		}
	}
	return false
}

// lendPart is lend for x[lo:hi], where x is a slice that the function made, or a variable that is an array in memory.
func (l *lowerer) lendPart(list []ast.Expr, at int, s *ast.SliceExpr) (arg value, back func(), ok bool) {
	root := rootOf(l.unit.info, s.X)
	if root == nil || isGlobal(root) || l.namedElsewhere(list, at, root) {
		return value{}, nil, false
	}
	var key any = root
	if field := l.heldSlot(s.X); field != nil {
		key = field
	} else if table := l.heldTable(s.X); table != nil {
		key = table
	} else if variable(l.unit.info, s.X) == nil {
		return value{}, nil, false
	}
	if ref := l.env.vals[key].ref; ref != nil {
		if len(ref.steps) > 0 {
			return value{}, nil, false
		}
		key = ref.root
	}
	v := l.env.vals[key]
	elem, isSequence := isSequence(v.typ)
	length, of, isArr := isArray(v.typ)
	switch {
	case v.bad || v.own == nil || v.own.escaped.IsValid() || l.env.captured(key) || isArr && s.Low == nil && s.High == nil:
		return value{}, nil, false
	case isArr && inMemory(v) && isVector(v.typ):
		elem = of
	case !isSequence:
		return value{}, nil, false
	}
	var n ir.Atom = ir.IntConst(ir.Int, length)
	limit := n
	if !isArr {
		n = l.length(v)
		if limit = n; v.grows {
			limit = l.room(v)
		}
	}
	lo, hi := l.cutBounds(s, n)
	failed := func() (value, func(), bool) { return value{bad: true}, func() {}, true }
	if lo == nil || hi == nil {
		return failed()
	}
	l.check(ir.CheckBounds, "slice", text(s), lo, hi, limit)
	count := l.arith(ir.Sub, hi, lo)
	room := count
	if isArr {
		room = n // is known before the run
	}
	lent := l.alloc(types.NewSlice(elem), room, s.Pos())
	if lent.bad {
		return failed()
	}
	if isArr {
		lent.grows, lent.own.given = true, true
		lent.atoms = append(lent.atoms, count)
	}
	from := v.arrays()
	lent = l.fill(lent, count, func(i ir.Atom, _ []ir.Atom) (ir.Atom, []ir.Atom) {
		return i, l.elements(from, l.sum(l.sum(v.off, lo), i))
	})
	lent.own.updated = token.NoPos
	temporary := &slot{name: "lent", typ: lent.typ}
	l.env.set(temporary, lent)
	back = func() {
		now, to := l.env.vals[temporary], l.env.vals[key]
		if now.bad || to.bad || now.own == nil || !now.own.updated.IsValid() {
			return
		}
		l.bind(key, l.fill(to, count, func(i ir.Atom, _ []ir.Atom) (ir.Atom, []ir.Atom) {
			return l.sum(l.sum(to.off, lo), i), l.elements(now.arrays(), i)
		}))
	}
	return value{typ: lent.typ, ref: &pointer{elem: lent.typ, root: temporary}}, back, true
}

// isPlainPath reports whether e is a variable or a field of one: evaluating it twice has no effect.
func isPlainPath(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return isPlainPath(e.X)
	}
	return false
}
