package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"math"

	"github.com/surge-ndp/surge/ops/ir"
)

// Note [Sums beside rows]
//
// A loop that makes rows may add up numbers besides: total += len(row). Each turn begins with 0, and what it comes to
// is an element beside the rows; these are added up behind the loop, in order. Of integers a turn may add several, as
// the sum is the same in any order. Of floating-point numbers it adds one at most, to a zero that is negative: that
// changes no number, and is none itself.

// addsUp reports whether the body of the loop uses v, a number of the function at hand, only to add to it, or to
// subtract from it, what does not depend on it.
func (l *lowerer) addsUp(lp *loop, v *types.Var) bool {
	x := l.env.vals[v]
	k, ok := scalarKind(v.Type())
	if !ok || !k.IsInteger() && !(k.IsFloat() && l.addsOnce(lp, v)) || x.bad || x.fn != nil || v == lp.index || l.env.captured(v) {
		return false
	}
	info := l.unit.info
	own := map[*ast.Ident]bool{}
	ast.Inspect(lp.body, func(n ast.Node) bool {
		var target ast.Expr
		switch n := n.(type) {
		case *ast.AssignStmt:
			if (n.Tok == token.ADD_ASSIGN || n.Tok == token.SUB_ASSIGN) && !mentions(info, n.Rhs[0], map[*types.Var]bool{v: true}) {
				target = n.Lhs[0]
			}
		case *ast.IncDecStmt:
			target = n.X
		}
		if id, isIdent := target.(*ast.Ident); isIdent {
			own[id] = true
		}
		return true
	})
	ast.Inspect(lp.body, func(n ast.Node) bool {
		id, isIdent := n.(*ast.Ident)
		ok = ok && !(isIdent && info.Uses[id] == types.Object(v) && !own[id])
		return ok
	})
	return ok && len(own) > 0 && !l.reachedElsewhere(v)
}

// addsOnce reports whether a turn assigns v at one place at most, which no loop in it repeats.
func (l *lowerer) addsOnce(lp *loop, v *types.Var) bool {
	places := 0
	var look func(n ast.Node, each int)
	look = func(n ast.Node, each int) {
		ast.Inspect(n, func(m ast.Node) bool {
			switch m := m.(type) {
			case *ast.ForStmt, *ast.RangeStmt, *ast.FuncLit:
				if m != n {
					look(m, 2)
					return false
				}
			case *ast.Ident:
				if l.unit.info.Uses[m] == types.Object(v) {
					places += each
				}
			}
			return true
		})
	}
	look(lp.body, 1)
	return places == 1
}

// reachedElsewhere reports whether a pointer may lead to v, a variable of the function at hand, or a function in it may
// use v, so that statements change v that do not name it.
func (l *lowerer) reachedElsewhere(v *types.Var) bool {
	if len(l.stack) == 0 {
		return true
	}
	found := false
	ast.Inspect(l.bodyOf(l.stack[len(l.stack)-1]), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			found = found || n.Op == token.AND && rootOf(l.unit.info, n.X) == v
		case *ast.FuncLit:
			found = found || mentions(l.unit.info, n, map[*types.Var]bool{v: true})
		}
		return !found
	})
	return found
}

// beginSums gives the integers that turns add to the value with which each turn begins. It returns what undoes that.
func (l *lowerer) beginSums(sums []*types.Var) (end func()) {
	depths := map[*types.Var]int{}
	for _, v := range sums {
		depths[v] = l.env.depth[v]
		l.env.depth[v] = l.ops
		k, _ := scalarKind(v.Type())
		zero := zeroConst(k)
		if k.IsFloat() {
			zero = ir.FloatConst(k, math.Copysign(0, -1))
		}
		l.env.set(v, value{typ: v.Type(), atoms: []ir.Atom{zero}})
	}
	return func() {
		for v, depth := range depths {
			l.env.depth[v] = depth
		}
	}
}

// addedUp is before with the elements of parts, n of them, added to it.
func (l *lowerer) addedUp(v *types.Var, before value, parts, n ir.Atom) value {
	before = l.use(before, l.pos)
	if before.bad {
		return before
	}
	t := before.atoms[0].Type()
	p, d := &ir.Var{Name: v.Name(), T: t}, &ir.Var{Name: v.Name(), T: t}
	op := &ir.Loop{I: &ir.Var{Name: "i", T: intType}, Lo: zeroInt, Hi: n, Params: []*ir.Var{p}, Init: before.atoms}
	op.Body = l.arm(func() {
		l.blk.Results = []ir.Atom{l.emit(v.Name(), t, &ir.Binary{Fn: ir.Add, X: p, Y: l.at("part", parts, op.I)})}
	}).blk
	l.append(&ir.Stmt{Dst: []*ir.Var{d}, Op: op})
	return value{typ: v.Type(), atoms: []ir.Atom{d}}
}
