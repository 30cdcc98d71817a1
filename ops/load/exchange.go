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
// tell, as no other name reads them. Where the slices were made beside the assignment, the names are exchanged.

// permutation returns the slices that s gives each other's values, as in a, b = b, a: number i gets the value of
// number from[i].
func permutation(info *types.Info, s *ast.AssignStmt) (vars []*types.Var, from []int, ok bool) {
	if s.Tok != token.ASSIGN || len(s.Lhs) < 2 || len(s.Lhs) != len(s.Rhs) {
		return nil, nil, false
	}
	variable := func(e ast.Expr) *types.Var {
		id, _ := ast.Unparen(e).(*ast.Ident)
		v, _ := info.Uses[id].(*types.Var)
		if v == nil || !isSlice(v.Type()) {
			return nil
		}
		return v
	}
	for _, e := range s.Lhs {
		v := variable(e)
		if v == nil || slices.Contains(vars, v) {
			return nil, nil, false
		}
		vars = append(vars, v)
	}
	for _, e := range s.Rhs {
		i := slices.Index(vars, variable(e))
		if i < 0 || slices.Contains(from, i) {
			return nil, nil, false
		}
		from = append(from, i)
	}
	return vars, from, true
}

// exchange lowers s if it exchanges slices that the function made, and says whether it does.
func (l *lowerer) exchange(s *ast.AssignStmt) bool {
	vars, from, ok := permutation(l.unit.info, s)
	if !ok {
		return false
	}
	vs := make([]value, len(vars))
	near := true
	for i, v := range vars {
		x := l.env.vals[v]
		if x.bad || x.unset || x.own == nil || x.grows || inMemory(x) || x.own.escaped.IsValid() || x.own.depth != l.ops ||
			!types.Identical(v.Type(), vars[0].Type()) {
			return false
		}
		if g := x.grid; g != nil && (g.made != nil || i > 0 && (vs[0].grid == nil || (g.width == nil) != (vs[0].grid.width == nil))) {
			return false
		}
		vs[i], near = x, near && x.own.loops == l.loops && x.own.arms == l.arms
	}
	if near {
		for _, v := range vars {
			l.strand(l.env, v)
		}
		for i, v := range vars {
			l.env.set(v, vs[from[i]])
		}
		return true
	}
	for _, v := range vars {
		l.strand(l.env, v)
	}
	n := l.length(vs[0])
	if g := vs[0].grid; g != nil {
		for i, v := range vars[1:] {
			l.sameRowsAs(g, vs[i+1].grid, vars[0].Name()+" and "+v.Name())
		}
		n = l.elementsOf(g)
	} else {
		for i := range vars[1:] {
			l.check(ir.CheckLength, "for", vars[i+1].Name(), n, l.length(vs[i+1]))
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
	for i, v := range vars {
		x := vs[i]
		x.atoms = nil
		for _, d := range st.Dst[i*width : (i+1)*width] {
			l.auto[d] = true
			x.atoms = append(x.atoms, d)
		}
		x.own.updated = s.Pos()
		l.bind(v, x)
	}
	return true
}
