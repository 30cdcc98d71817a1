package load

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/surge-ndp/surge/ops/ir"
)

// Note [Windows]
//
// A sequence that a loop carries keeps its length, but parsers and queues cut theirs: line = line[i+1:]. What such a
// loop carries is where the part of interest begins and ends in the sequence from before the loop, the base, and each
// turn begins with that part as a view. So that it is known where a view of a view lies, every view remembers what it
// is made of. A branch that leaves one part of a sequence on one path and another part on the other path joins their
// bounds.

// window is a sequence of which a loop carries a part.
type window struct {
	base         value
	lo, hi       *ir.Var // in a turn
	outLo, outHi *ir.Var // after the loop
}

// windowOf returns the window of a variable with the value v before the loop, nil for one that is carried in another
// way.
func (l *lowerer) windowOf(lp *loop, key any, v value) *window {
	if v.bad || v.unset || v.fn != nil || v.ptr != nil || v.ref != nil || v.own != nil || v.shared != nil || len(v.atoms) == 0 || inMemory(v) {
		return nil
	}
	obj, ok := key.(*types.Var)
	if !ok || !isString(obj.Type()) && !(isSlice(obj.Type()) && l.cuts(lp, obj)) {
		return nil
	}
	return &window{base: v}
}

// cuts reports whether a loop cuts the slice v: in its body, or by function literals from before it.
func (l *lowerer) cuts(lp *loop, v *types.Var) bool {
	all := []ast.Node{lp.syntax()}
	if cutsOnly(l.unit.info, all, v) {
		return true
	}
	for _, fn := range l.unit.allLiterals() {
		if !within(lp.body, fn.Pos()) && !within(fn, lp.body.Pos()) {
			all = append(all, fn.Body)
		}
	}
	return cutsOnly(l.unit.info, all, v)
}

// allLiterals are the function literals of a unit.
func (u *unit) allLiterals() []*ast.FuncLit {
	if u.literals == nil {
		u.literals = []*ast.FuncLit{}
		for _, file := range u.files {
			ast.Inspect(file, func(n ast.Node) bool {
				if fn, ok := n.(*ast.FuncLit); ok {
					u.literals = append(u.literals, fn)
				}
				return true
			})
		}
	}
	return u.literals
}

// cutsOnly reports whether the nodes assign the slice v, and each time a part of a slice, another variable, or nil.
func cutsOnly(info *types.Info, nodes []ast.Node, v *types.Var) bool {
	cuts, others := false, false
	look := func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok {
			return true
		}
		for i, target := range a.Lhs {
			if id, ok := ast.Unparen(target).(*ast.Ident); !ok || info.Uses[id] != types.Object(v) {
				continue
			}
			if i >= len(a.Rhs) || len(a.Lhs) != len(a.Rhs) {
				others = true
				continue
			}
			switch ast.Unparen(a.Rhs[i]).(type) {
			case *ast.SliceExpr:
				cuts = true
			case *ast.Ident:
			default:
				others = true
			}
		}
		return true
	}
	for _, n := range nodes {
		ast.Inspect(n, look)
	}
	return cuts && !others
}

// open gives the variables of windows their parts, and those that have rows these, at the beginning of a block of the
// loop.
func (l *lowerer) open(keys []any, windows map[any]*window, nested map[any]*carriedRows) {
	for _, key := range keys {
		if w := windows[key]; w != nil {
			l.env.set(key, l.windowed(w.base, w.lo, w.hi))
		}
		if c := nested[key]; c != nil {
			l.env.set(key, l.carriedAs(c, c.in))
		}
	}
}

// windowed is the part [lo, hi) of v.
func (l *lowerer) windowed(v value, lo, hi ir.Atom) value {
	out := value{typ: v.typ}
	for _, a := range v.atoms {
		out.atoms = append(out.atoms, l.emit("part", a.Type(), &ir.View{Fn: ir.Slice, Args: []ir.Atom{a, lo, hi}}))
	}
	return out
}

// within returns where v lies in base; ok is false if that is not known.
func (l *lowerer) within(v, base value) (lo, hi ir.Atom, ok bool) {
	if v.unset && !v.bad {
		return zeroInt, zeroInt, true
	}
	if v.bad || v.own != nil || v.shared != nil || len(v.atoms) != len(base.atoms) {
		return zeroInt, zeroInt, false
	}
	if l.isEmpty(v.atoms[0]) {
		return zeroInt, zeroInt, true
	}
	for i, a := range v.atoms {
		if !slicesOf(l.views, a, base.atoms[i]) {
			return zeroInt, zeroInt, false
		}
	}
	lo, hi = l.bounds(v.atoms[0], base.atoms[0])
	return lo, hi, true
}

// isEmpty reports whether a is the empty string, or the zero value of a slice.
func (l *lowerer) isEmpty(a ir.Atom) bool {
	if text, ok := l.constantText(a); ok {
		return text == ""
	}
	x, ok := a.(*ir.Var)
	if !ok || l.views[x] == nil || l.views[x].Fn != ir.Replicate {
		return false
	}
	n, ok := l.views[x].Args[1].(ir.Const)
	return ok && n.Int() == 0
}

// cutFrom returns the sequence that a is a part of, and its bounds there, if it is made as one.
func cutFrom(views map[*ir.Var]*ir.View, a ir.Atom) (of, lo, hi ir.Atom, ok bool) {
	x, isVar := a.(*ir.Var)
	if !isVar || views[x] == nil || views[x].Fn != ir.Slice {
		return nil, nil, nil, false
	}
	args := views[x].Args
	return args[0], args[1], args[2], true
}

// slicesOf reports whether a is base, or a part of it.
func slicesOf(views map[*ir.Var]*ir.View, a, base ir.Atom) bool {
	for a != base {
		of, _, _, ok := cutFrom(views, a)
		if !ok {
			return false
		}
		a = of
	}
	return true
}

// bounds returns where a, which is base or a part of it, lies in base.
func (l *lowerer) bounds(a, base ir.Atom) (lo, hi ir.Atom) {
	if a == base {
		return zeroInt, l.emit("n", intType, &ir.Len{X: base})
	}
	of, lo, hi, _ := cutFrom(l.views, a)
	for of != base {
		from, first, _, _ := cutFrom(l.views, of)
		lo, hi, of = l.sum(first, lo), l.sum(first, hi), from
	}
	return lo, hi
}

// joinParts joins x and y, the values of a variable at the ends of the arms then and els, if both are parts of one
// sequence that is known before the branch. ok is false if they are not, or are the same.
func (l *lowerer) joinParts(then, els *arm, x, y value) (p *choice, ok bool) {
	if x.bad || y.bad || x.unset || y.unset || x.own != nil || y.own != nil || x.shared != nil || y.shared != nil || x.fn != nil || y.fn != nil ||
		x.ptr != nil || y.ptr != nil || x.ref != nil || y.ref != nil || inMemory(x) || inMemory(y) || len(x.atoms) != len(y.atoms) || len(x.atoms) == 0 {
		return nil, false
	}
	base := value{typ: x.typ}
	for i := range x.atoms {
		if sameAtom(x.atoms[i], y.atoms[i]) || x.atoms[i].Type().IsScalar() {
			return nil, false
		}
		common := l.commonBase(x.atoms[i], y.atoms[i])
		if common == nil || made(then.blk, common) || made(els.blk, common) {
			return nil, false
		}
		base.atoms = append(base.atoms, common)
	}
	p = &choice{base: base}
	l.resume(then, func() { p.lo[0], p.hi[0], _ = l.within(x, base) })
	l.resume(els, func() { p.lo[1], p.hi[1], _ = l.within(y, base) })
	return p, true
}

// choice is one of two parts of a sequence.
type choice struct {
	base   value
	lo, hi [2]ir.Atom
}

// commonBase returns the shortest sequence of which a and b are parts, nil if there is none.
func (l *lowerer) commonBase(a, b ir.Atom) ir.Atom {
	if l.isEmpty(a) || l.isEmpty(b) {
		if l.isEmpty(a) {
			a, b = b, a
		}
		of, _, _, ok := cutFrom(l.views, a)
		if !ok || l.isEmpty(a) {
			return nil
		}
		for ok {
			b = of
			of, _, _, ok = cutFrom(l.views, of)
		}
		return b
	}
	for {
		if slicesOf(l.views, b, a) {
			return a
		}
		of, _, _, ok := cutFrom(l.views, a)
		if !ok {
			return nil
		}
		a = of
	}
}

// made reports whether a statement of b gives a its value.
func made(b *ir.Block, a ir.Atom) bool {
	for _, s := range b.Stmts {
		for _, d := range s.Dst {
			if ir.Atom(d) == a {
				return true
			}
		}
	}
	return false
}

// windowLeft is the value of a variable that a loop cuts, and replaces by something else than a part of what it was
// before the loop; it is an error as soon as it is read.
func windowLeft(key any, now value, pos token.Pos) value {
	if now.bad {
		return now
	}
	if now.typ != nil && isString(now.typ) {
		return stringsCarried(key, pos)
	}
	return arrayChoice(key, pos)
}
