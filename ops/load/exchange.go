package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// Note [Exchanged slices]
//
// prev, next = next, prev gives two slices that the function made each other's memory. In a loop the IR carries each
// of them where it lies, so that the elements are exchanged in place of the slices, which have one length: nobody can
// tell, as no other name reads them. Where the slices were made beside the assignment, the names are exchanged. So it
// is with fields of structs that are kept as variables (see Note [Slices in structs]).

// permutation returns the slices, variables or fields, that s gives each other's values, as in a, b = b, a: number i
// gets the value of number from[i].
func permutation(info *types.Info, s *ast.AssignStmt) (places []ast.Expr, from []int, ok bool) {
	if s.Tok != token.ASSIGN || len(s.Lhs) < 2 || len(s.Lhs) != len(s.Rhs) {
		return nil, nil, false
	}
	at := map[string]int{}
	for i, e := range s.Lhs {
		if t := info.TypeOf(e); t == nil || !isSlice(t) || !isPlainPath(e) {
			return nil, nil, false
		}
		if _, twice := at[text(e)]; twice {
			return nil, nil, false
		}
		at[text(e)] = i
	}
	used := map[int]bool{}
	for _, e := range s.Rhs {
		i, known := at[text(e)]
		if !known || used[i] {
			return nil, nil, false
		}
		used[i] = true
		from = append(from, i)
	}
	return s.Lhs, from, true
}

// exchange lowers s if it exchanges slices that the function made, and says whether it does.
func (l *lowerer) exchange(s *ast.AssignStmt) bool {
	places, from, ok := permutation(l.unit.info, s)
	if !ok {
		return false
	}
	keys := make([]any, len(places))
	vs := make([]value, len(places))
	near, lent := true, false
	for i, e := range places {
		if v := variable(l.unit.info, e); v != nil {
			keys[i] = v
			if ref := l.env.vals[v].ref; ref != nil {
				if !l.lendsAlone(v, ref) {
					return false
				}
				keys[i], lent = ref.root, true
			}
		} else if field, lent := l.fieldSlot(e); field != nil {
			if lent { // the caller's field stays
				return false
			}
			keys[i] = field
			l.toGrid(field)
		}
		x := l.env.vals[keys[i]]
		if keys[i] == nil || slices.Contains(keys[:i], keys[i]) || x.bad || x.unset || x.own == nil || x.grows || inMemory(x) || x.own.escaped.IsValid() ||
			x.own.depth != l.ops || !types.Identical(l.unit.info.TypeOf(e), l.unit.info.TypeOf(places[0])) {
			return false
		}
		if g := x.grid; g != nil && (lent || g.made != nil || i > 0 && (vs[0].grid == nil || (g.width == nil) != (vs[0].grid.width == nil) || (g.row == nil) != (vs[0].grid.row == nil))) {
			return false
		}
		vs[i], near = x, near && x.own.loops == l.loops && x.own.arms == l.arms
	}
	for _, key := range keys {
		if !lent {
			l.strand(l.env, key)
		}
	}
	if near {
		for i, key := range keys {
			l.env.set(key, vs[from[i]])
		}
		return true
	}
	n := l.length(vs[0])
	if g := vs[0].grid; g != nil {
		for i, e := range places[1:] {
			l.sameRowsAs(g, vs[i+1].grid, text(places[0])+" and "+text(e))
		}
		n = l.elementsOf(g)
	} else {
		for i, e := range places[1:] {
			if lent {
				l.sameLengths(n, l.length(vs[i+1]), text(places[0])+" and "+text(e))
				continue
			}
			l.check(ir.CheckLength, "for", text(e), n, l.length(vs[i+1]))
		}
	}
	op := &ir.Loop{I: &ir.Var{Name: "i", T: intType}, Lo: zeroInt, Hi: n}
	st := &ir.Stmt{Op: op}
	for _, x := range vs {
		for _, a := range x.atoms {
			op.Init, op.Params = append(op.Init, a), append(op.Params, &ir.Var{Name: "made", T: a.Type()})
			st.Dst = append(st.Dst, &ir.Var{Name: "made", T: a.Type()})
		}
	}
	width := len(vs[0].atoms)
	op.Body = l.arm(func() {
		var elems []ir.Atom
		for _, p := range op.Params {
			elems = append(elems, l.emit("x", p.T.Elem(), &ir.Index{X: p, I: op.I}))
		}
		for k, p := range op.Params {
			l.blk.Results = append(l.blk.Results, l.emit("made", p.T, &ir.Update{X: p, I: op.I, Value: elems[from[k/width]*width+k%width]}))
		}
	}).blk
	l.append(st)
	for i, key := range keys {
		x := vs[i]
		x.atoms = nil
		for _, d := range st.Dst[i*width : (i+1)*width] {
			l.auto[d] = true
			x.atoms = append(x.atoms, d)
		}
		x.own.updated = s.Pos()
		l.bind(key, x)
	}
	return true
}

// lendsAlone reports whether the parameter v, another name of the slice of a caller that p leads to, is the only way
// for the function at hand to that slice, and the function is of those that Note [Exchanged parameters] is about.
func (l *lowerer) lendsAlone(v *types.Var, p *pointer) bool {
	if len(p.steps) > 0 || len(l.stack) == 0 || !countsExchanges(l.bodyOf(l.stack[len(l.stack)-1])) {
		return false
	}
	return !slices.ContainsFunc(l.env.keys[l.frame.start:], func(k any) bool {
		return k != any(v) && l.leadsTo(k, p.root, map[any]bool{})
	})
}

// leadsTo reports whether the variable with a key is another name of what has the key root, or points to it, or has it
// as a field, directly or by way of others.
func (l *lowerer) leadsTo(key, root any, seen map[any]bool) bool {
	if key == root || seen[key] {
		return key == root
	}
	seen[key] = true
	x := l.env.vals[key]
	for _, p := range []*pointer{x.ptr, x.ref} {
		if p != nil && slices.ContainsFunc(p.roots(), func(k any) bool { return l.leadsTo(k, root, seen) }) {
			return true
		}
	}
	for _, field := range x.held {
		if l.leadsTo(field, root, seen) {
			return true
		}
	}
	return false
}

// sameRowsAs checks that two grids that are exchanged, which names say, have as many rows, of the same lengths. A run
// ends where they do not, and the kernel is run once more, as plain Go: see Note [Exchanged rows].
func (l *lowerer) sameRowsAs(g, h *grid, names string) {
	same := func(n, m ir.Atom) { l.sameLengths(n, m, names) }
	for same(g.n, h.n); g.row != nil; g, h = g.row, h.row {
		same(g.row.n, h.row.n)
	}
	if g.width != nil {
		same(g.width, h.width)
		return
	}
	op := &ir.Loop{I: &ir.Var{Name: "i", T: intType}, Lo: zeroInt, Hi: g.n}
	op.Body = l.arm(func() {
		_, n := l.rowBounds(g, op.I)
		_, m := l.rowBounds(h, op.I)
		same(n, m)
	}).blk
	l.append(&ir.Stmt{Op: op})
}

// sameLengths checks that what is exchanged, which names say, has one length, as [lowerer.sameRowsAs] does with rows.
func (l *lowerer) sameLengths(n, m ir.Atom, names string) {
	if !l.sameNumber(n, m) {
		l.kernel.Exchanges = true
		l.check(ir.CheckLength, "exchange", names, n, m)
	}
}
