package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// Note [Fixed arrays]
//
// The value of a fixed array is its elements, one after the other, as the value of a struct is its fields: copying it
// is free, an element at a constant index is a variable of its own, and loops over it are unrolled (see Note
// [Unrolling]), so that a small array costs no memory. An element whose index is known at run time only is chosen by
// comparisons.
//
// That is dear where there are many elements. A variable that is indexed so lies in memory if it has more than
// maxChosen numbers, or more than maxReplaced and such an element is assigned; one of more than MaxComponents does in
// any case. It is one sequence for each value of an element (of [N][M]T as well: the rows are parts of it), made with
// [ir.Alloc] and updated in place. Only variables lie in memory. Reading one as a whole reads all its elements, so
// that the value is a copy, as in Go; the value of an array of more than MaxComponents numbers is a new sequence.

// maxChosen is the largest number of values of an array whose elements are chosen by comparisons if its variable is
// indexed at run time: up to it, choosing beats memory that is taken and filled for each element of a Map, and
// vectors can do it. maxReplaced is that number if such an element is assigned, which compares its index with every
// other one, and hands all of them on through every condition: a code of four letters took twice as long so as on the
// stack.
const (
	maxChosen   = 16
	maxReplaced = 3
)

// isLarge reports whether arrays of type t have too many numbers to be represented by one value each.
func isLarge(t types.Type) bool {
	base, n := arrayBase(t)
	return n > 0 && n*int64(width(base)) > MaxComponents
}

// inMemory reports whether v is an array that is a sequence.
func inMemory(v value) bool {
	_, _, ok := isArray(v.typ)
	return ok && (v.mem || isLarge(v.typ))
}

// liesInMemory decides whether the variable obj, whose function is at hand, is an array that lies in memory.
func (l *lowerer) liesInMemory(obj *types.Var) bool {
	_, n := arrayBase(obj.Type())
	if n == 0 {
		return false
	}
	if in, ok := l.memory[obj]; ok {
		return in
	}
	in := isLarge(obj.Type())
	if len(l.stack) > 0 && !in {
		ts, _ := l.layout(obj.Type())
		uses := usesOf(l.unit, l.bodyOf(l.stack[len(l.stack)-1]), obj)
		in = uses.sliced || uses.dynamic && len(ts) > maxChosen || uses.replaced && len(ts) > maxReplaced
		for _, t := range ts { // rows are no elements of what is updated in place
			in = in && t.IsScalar()
		}
	}
	l.memory[obj] = in
	return in
}

// bodyOf returns the body of f.
func (l *lowerer) bodyOf(f *funcValue) ast.Node {
	switch {
	case f.lit != nil:
		return f.lit.Body
	case f.decl != nil && f.decl.decl.Body != nil:
		return f.decl.decl.Body
	}
	return &ast.BlockStmt{}
}

// arrayUses is how a function uses an array variable.
type arrayUses struct {
	dynamic  bool // an index is known at run time only
	replaced bool // and such an element is assigned, or perhaps
	sliced   bool // a part of it, or all of it, is taken as a slice
}

// usesOf looks at the uses of obj in a function.
func usesOf(u *unit, body ast.Node, obj *types.Var) (uses arrayUses) {
	info, static := u.info, staticVars(u, body)
	dynamic := func(e ast.Expr) bool { // whether an index of e is, on the way from obj
		if rootOf(info, e) != obj {
			return false
		}
		for {
			switch x := ast.Unparen(e).(type) {
			case *ast.SelectorExpr:
				e = x.X
				continue
			case *ast.IndexExpr:
				if !isStatic(info, x.Index, static) {
					return true
				}
				e = x.X
				continue
			}
			return false
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			uses.replaced = uses.replaced || slices.ContainsFunc(n.Lhs, dynamic)
		case *ast.IncDecStmt:
			uses.replaced = uses.replaced || dynamic(n.X)
		case *ast.IndexExpr:
			uses.dynamic = uses.dynamic || dynamic(n)
		case *ast.UnaryExpr: // what gets the address may assign any element
			uses.replaced = uses.replaced || n.Op == token.AND && rootOf(info, n.X) == obj
		case *ast.SelectorExpr:
			if sel := info.Selections[n]; sel != nil && sel.Kind() == types.MethodVal && rootOf(info, n.X) == obj {
				uses.replaced = uses.replaced || isPointer(sel.Obj().(*types.Func).Signature().Recv().Type())
			}
		case *ast.SliceExpr:
			if id, ok := ast.Unparen(n.X).(*ast.Ident); ok && info.Uses[id] == types.Object(obj) {
				uses.sliced = true
			}
		case *ast.RangeStmt:
			if rootOf(info, n.X) == obj && n.Value != nil {
				if _, ok := staticRange(info, n); !ok {
					uses.dynamic = true
				}
			}
		}
		return true
	})
	return uses
}

// indexesArray reports whether e is an element of a fixed array.
func indexesArray(info *types.Info, e *ast.IndexExpr) bool {
	t := info.TypeOf(e.X)
	if t == nil {
		return false
	}
	_, _, ok := isArray(t)
	return ok
}

// rootOf returns the variable that an element or a field is a part of, or nil. What lies behind a slice is no part.
func rootOf(info *types.Info, e ast.Expr) *types.Var {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			e = x.X
			continue
		case *ast.IndexExpr:
			if !indexesArray(info, x) {
				return nil
			}
			e = x.X
			continue
		case *ast.Ident:
			v, _ := info.ObjectOf(x).(*types.Var)
			return v
		}
		return nil
	}
}

// allocArray makes an array of type t in memory, of zeros.
func (l *lowerer) allocArray(t types.Type, pos token.Pos) value {
	base, n := arrayBase(t)
	ts, err := l.layoutIn(base, 1)
	if err != nil {
		p, _ := typeProblem(t)
		return l.problem(pos, p)
	}
	v := value{typ: t, mem: true, own: &owner{depth: l.ops, isArray: true}}
	for _, e := range ts {
		if !e.IsScalar() {
			return l.problem(pos, notYet(CodeArray, "a variable of type "+typeName(t), "an array of so many elements is one sequence of numbers, and cannot hold slices",
				"use a slice of rows, made with ops.Map"))
		}
		v.atoms = append(v.atoms, l.emit("made", e.Array(), &ir.Alloc{Kind: e.Kind, N: ir.IntConst(ir.Int, n)}))
	}
	return v
}

// toMemory stores v, an array, in memory: in that of old, if old is an array that lies there.
func (l *lowerer) toMemory(v, old value, pos token.Pos) value {
	if inMemory(v) && v.own != nil && (old.own == nil || old.own == v.own) {
		return v
	}
	if old.own != nil && !l.mayUpdate(old, "the array", pos) {
		return value{bad: true}
	}
	to := old
	fresh := old.own == nil
	if fresh {
		if to = l.allocArray(v.typ, pos); to.bad {
			return to
		}
	}
	w := len(to.atoms)
	if !inMemory(v) {
		for i, a := range v.atoms {
			if c, ok := a.(ir.Const); !ok || !fresh || c != zeroConst(c.Kind) {
				to.atoms = with(to.atoms, i%w, l.emit("made", to.atoms[i%w].Type(), &ir.Update{X: to.atoms[i%w], I: ir.IntConst(ir.Int, int64(i/w)), Value: a}))
			}
		}
		return to
	}
	_, n := arrayBase(v.typ)
	to.atoms = l.filled(to.atoms, zeroInt, v, ir.IntConst(ir.Int, n))
	return to
}

// filled updates the n elements of the sequences to, from the position at on, with those of v.
func (l *lowerer) filled(to []ir.Atom, at ir.Atom, v value, n ir.Atom) []ir.Atom {
	op := &ir.Loop{I: &ir.Var{Name: "i", T: ir.Scalar(ir.Int)}, Lo: ir.IntConst(ir.Int, 0), Hi: n, Init: to}
	st := &ir.Stmt{Op: op}
	for _, a := range to {
		op.Params = append(op.Params, &ir.Var{Name: "made", T: a.Type()})
		d := &ir.Var{Name: "made", T: a.Type()}
		l.auto[d] = true
		st.Dst = append(st.Dst, d)
	}
	body := l.arm(func() {
		from, into := l.sum(v.off, op.I), l.sum(at, op.I)
		for k, a := range v.atoms {
			x := l.emit("x", a.Type().Elem(), &ir.Index{X: a, I: from})
			l.blk.Results = append(l.blk.Results, l.emit("made", a.Type(), &ir.Update{X: op.Params[k], I: into, Value: x}))
		}
	})
	op.Body = body.blk
	l.append(st)
	out := make([]ir.Atom, len(st.Dst))
	for i, d := range st.Dst {
		out[i] = d
	}
	return out
}

// whole returns v as a value: the elements of an array that lies in memory are read, those of a large one are copied.
func (l *lowerer) whole(v value, pos token.Pos) value {
	if v.bad || v.fn != nil || !inMemory(v) {
		return v
	}
	l.pos = pos
	if isLarge(v.typ) {
		to := l.allocArray(v.typ, pos)
		if to.bad {
			return to
		}
		_, n := arrayBase(v.typ)
		to.atoms = l.filled(to.atoms, zeroInt, v, ir.IntConst(ir.Int, n))
		return to
	}
	out := value{typ: v.typ}
	_, n := arrayBase(v.typ)
	for i := range n {
		at := l.sum(v.off, ir.IntConst(ir.Int, i))
		for _, a := range v.atoms {
			out.atoms = append(out.atoms, l.emit("e", a.Type().Elem(), &ir.Index{X: a, I: at}))
		}
	}
	return out
}

// sum adds two ints; a nil one is 0.
func (l *lowerer) sum(x, y ir.Atom) ir.Atom {
	switch {
	case x == nil:
		return y
	case y == nil:
		return x
	}
	return l.arith(ir.Add, x, y)
}

// arith is x fn y, of ints; that of constants is a constant.
func (l *lowerer) arith(fn ir.BinaryFn, x, y ir.Atom) ir.Atom {
	if c, ok := foldBinary(fn, x, y); ok {
		return c
	}
	switch {
	case fn == ir.Add && ir.IsInt(x, 0), fn == ir.Mul && ir.IsInt(x, 1):
		return y
	case fn == ir.Add && ir.IsInt(y, 0), fn == ir.Mul && ir.IsInt(y, 1):
		return x
	}
	return l.emit("at", ir.Scalar(ir.Int), &ir.Binary{Fn: fn, X: x, Y: y})
}

// chosen returns the values of element i of an array, where atoms has w values for each element, and i lies from lo
// on below hi.
func (l *lowerer) chosen(atoms []ir.Atom, w, lo, hi int, i ir.Atom) []ir.Atom {
	if hi-lo == 1 {
		return atoms[lo*w : hi*w : hi*w]
	}
	mid := (lo + hi) / 2
	lower, upper := l.chosen(atoms, w, lo, mid, i), l.chosen(atoms, w, mid, hi, i)
	return l.eachOf(l.bin("low", ir.Lt, i, ir.IntConst(ir.Int, int64(mid))), lower, upper)
}

// eachOf yields x if cond holds and y otherwise, value by value.
func (l *lowerer) eachOf(cond ir.Atom, x, y []ir.Atom) []ir.Atom {
	out := make([]ir.Atom, len(x))
	for k := range x {
		t := x[k].Type()
		switch {
		case x[k] == y[k]:
			out[k] = x[k]
		case t.IsScalar():
			out[k] = l.emit("e", t, &ir.Select{Cond: cond, X: x[k], Y: y[k]})
		default:
			out[k] = l.cond("e", t, cond, func() ir.Atom { return x[k] }, func() ir.Atom { return y[k] })
		}
	}
	return out
}

// with returns atoms with the one at i replaced.
func with(atoms []ir.Atom, i int, a ir.Atom) []ir.Atom {
	out := append([]ir.Atom(nil), atoms...)
	out[i] = a
	return out
}

// declare gives a variable its zero value.
func (l *lowerer) declare(v *types.Var) {
	if l.liesInMemory(v) {
		l.env.set(v, l.allocArray(v.Type(), v.Pos()))
		return
	}
	if hasTables(v.Type()) {
		l.env.set(v, l.zeroStruct(v.Type(), v.Pos()))
		return
	}
	l.env.set(v, value{typ: v.Type(), unset: true})
}
