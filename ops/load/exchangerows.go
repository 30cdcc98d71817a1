package load

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/surge-ndp/surge/ops/ir"
)

// Note [Exchanged rows]
//
// z[i], z[j] = z[j], z[i] gives two rows of a grid (see Note [Grids]) each other's places. Their elements are exchanged
// instead, as they have one length, mostly. A run ends where they do not, and the kernel is run once more, as plain Go.
// Another name of a row, or of an element, would lead to the place and not to the row: it is not usable any more, and
// in a loop that exchanges rows somewhere no such name from before the loop is.

// rowExchange returns z, i and j if s is z[i], z[j] = z[j], z[i], where elements of z are slices.
func rowExchange(info *types.Info, s *ast.AssignStmt) (z ast.Expr, at [2]ast.Expr, ok bool) {
	if s.Tok != token.ASSIGN || len(s.Lhs) != 2 || len(s.Rhs) != 2 {
		return nil, at, false
	}
	for k, e := range s.Lhs {
		x, isIndex := ast.Unparen(e).(*ast.IndexExpr)
		if !isIndex || text(x) != text(s.Rhs[1-k]) || mayCall(info, x) || info.TypeOf(x.X) == nil || gridRank(info.TypeOf(x.X)) == 0 {
			return nil, at, false
		}
		if k == 1 && text(x.X) != text(z) {
			return nil, at, false
		}
		z, at[k] = x.X, x.Index
	}
	return z, at, true
}

// mayCall reports whether e calls anything but len.
func mayCall(info *types.Info, e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		call, isCall := n.(*ast.CallExpr)
		found = found || isCall && !isBuiltin(info, call, "len")
		return !found
	})
	return found
}

// exchangeRows lowers s if it exchanges rows of a grid that the function made, and says whether it does.
func (l *lowerer) exchangeRows(s *ast.AssignStmt) bool {
	z, indices, ok := rowExchange(l.unit.info, s)
	if !ok {
		return false
	}
	p, ok := l.gridPlace(z)
	if !ok {
		return false
	}
	var at, starts, lengths [2]ir.Atom
	for k, e := range indices {
		i := l.expr(e)
		if i.bad || len(i.atoms) != 1 {
			return true
		}
		at[k] = l.toInt(i.atoms[0])
	}
	x := l.env.vals[p.root]
	l.pos = s.Pos()
	for k := range at {
		e := s.Lhs[k]
		at[k] = l.inRange(step{at: at[k], text: text(e), pos: e.Pos()}, x.grid.n)
		starts[k], lengths[k] = l.rowBounds(x.grid, at[k])
	}
	if x.grid.width == nil {
		l.check(ir.CheckLength, "exchange", text(s.Lhs[0])+" and "+text(s.Lhs[1]), lengths[0], lengths[1])
		l.kernel.Exchanges = true
	}
	l.strand(l.env, p.root)
	op := &ir.Loop{I: &ir.Var{Name: "i", T: intType}, Lo: zeroInt, Hi: lengths[0]}
	st := &ir.Stmt{Op: op}
	for _, a := range x.atoms {
		d := &ir.Var{Name: "made", T: a.Type()}
		l.auto[d] = true
		op.Init, op.Params = append(op.Init, a), append(op.Params, &ir.Var{Name: "made", T: a.Type()})
		st.Dst = append(st.Dst, d)
	}
	op.Body = l.arm(func() {
		first, second := l.arith(ir.Add, starts[0], op.I), l.arith(ir.Add, starts[1], op.I)
		for _, a := range op.Params {
			one, other := l.emit("x", a.T.Elem(), &ir.Index{X: a, I: first}), l.emit("x", a.T.Elem(), &ir.Index{X: a, I: second})
			half := l.emit("made", a.T, &ir.Update{X: a, I: first, Value: other})
			l.blk.Results = append(l.blk.Results, l.emit("made", a.T, &ir.Update{X: half, I: second, Value: one}))
		}
	}).blk
	l.append(st)
	x.atoms = nil
	for _, d := range st.Dst {
		x.atoms = append(x.atoms, d)
	}
	x.own.updated = s.Pos()
	l.bind(p.root, x)
	return true
}

// gridPlace is the variable, or the field that is kept as one, whose grid e names and whose rows may change places.
func (l *lowerer) gridPlace(e ast.Expr) (*pointer, bool) {
	ref := l.reference(e).ref
	if ref == nil || ref.either[0] != nil {
		return nil, false
	}
	p := l.resolved(ref)
	if len(p.steps) > 0 || l.env.captured(p.root) {
		return nil, false
	}
	l.toGrid(p.root)
	x := l.env.vals[p.root]
	g := x.grid
	return p, !x.bad && !x.unset && g != nil && !g.blank && g.made == nil && !x.own.escaped.IsValid() && x.own.depth == l.ops
}

// strandRows makes names of rows, and of elements of rows, unusable at the beginning of a loop that exchanges rows.
func (l *lowerer) strandRows(lp *loop) {
	exchanges := false
	for _, key := range l.env.keys {
		if x := l.env.vals[key]; !lp.changed[key] || x.grid == nil {
			continue
		}
		if !exchanges && !l.reaches(l.unit, lp.syntax(), map[ast.Node]bool{}, func(u *unit, n ast.Node) bool {
			s, ok := n.(*ast.AssignStmt)
			if ok {
				_, _, ok = rowExchange(u.info, s)
			}
			return ok
		}) {
			return
		}
		exchanges = true
		l.strand(l.env, key)
	}
}
