package load

import (
	"go/ast"
	"go/constant"
	"go/types"

	"github.com/surge-ndp/surge/ops/ir"
)

// Note [Panics]
//
// panic(…) is a check that always fails, and nothing runs after it. What stands under a condition that ends in a
// panic needs no flag, and the rest no branch: the check is made under the condition, and the rest runs after it,
// where the condition did not hold. Exits are such checks, too: see Note [Exits].

// panic lowers a call of panic.
func (l *lowerer) panic(e *ast.CallExpr) {
	l.check(ir.CheckPanic, "panic", l.panicText(e.Args[0]), ir.BoolConst(false))
	l.env.set(l.panicked, boolValue(true))
}

// panicText is what the error of a panic says: the text, as far as it is constant. Of a format it is the format.
func (l *lowerer) panicText(e ast.Expr) string {
	e = ast.Unparen(e)
	if v := l.unit.info.Types[e].Value; v != nil {
		if v.Kind() == constant.String {
			return constant.StringVal(v)
		}
		return v.String()
	}
	if call, ok := e.(*ast.CallExpr); ok && len(call.Args) > 0 {
		if f, ok := l.unit.info.Uses[calleeIdent(call)].(*types.Func); ok && f.Pkg() != nil && (f.Pkg().Path() == "fmt" || f.Pkg().Path() == "errors") {
			if v := l.unit.info.Types[call.Args[0]].Value; v != nil && v.Kind() == constant.String {
				return constant.StringVal(v)
			}
		}
	}
	return types.ExprString(e)
}

// isPanicked reports whether a panic is certain at the end of the arm.
func (l *lowerer) isPanicked(a *arm) bool {
	c, ok := a.env.vals[l.panicked].atoms[0].(ir.Const)
	return ok && c.Bits != 0
}

// joinPanic ends a branch on cond of which one arm panics, as [lowerer.join] does; it reports false if neither does.
func (l *lowerer) joinPanic(cond ir.Atom, then, els *arm) bool {
	switch a, b := l.isPanicked(then), l.isPanicked(els); {
	case a && b:
		l.append(&ir.Stmt{Op: &ir.If{Cond: cond, Then: then.blk, Else: els.blk}})
		l.adopt(els)
	case a:
		l.failIf(cond, then.blk, els.blk, false)
		l.adopt(els)
	case b:
		l.failIf(cond, then.blk, els.blk, true)
		l.adopt(then)
	default:
		return false
	}
	return true
}

// failIf emits the arm that panics, els or then, under its condition, and then what the other one does.
func (l *lowerer) failIf(cond ir.Atom, then, els *ir.Block, elsFails bool) {
	fails, goes := then, els
	if elsFails {
		fails, goes = els, then
	}
	if len(fails.Stmts) == 1 { // nothing but the panic
		if c, ok := fails.Stmts[0].Op.(*ir.Check); ok && c.Kind == ir.CheckPanic {
			if c.Args[0] = cond; !elsFails {
				c.Args[0] = l.emit("t", ir.Scalar(ir.Bool), &ir.Unary{Fn: ir.Not, X: cond})
			}
			l.blk.Stmts = append(append(l.blk.Stmts, fails.Stmts...), goes.Stmts...)
			return
		}
	}
	branch := &ir.If{Cond: cond, Then: fails, Else: &ir.Block{}}
	if elsFails {
		branch.Then, branch.Else = branch.Else, fails
	}
	l.append(&ir.Stmt{Op: branch})
	l.blk.Stmts = append(l.blk.Stmts, goes.Stmts...)
}

// adopt goes on where the arm ended.
func (l *lowerer) adopt(a *arm) {
	l.env.keys, l.env.vals = a.env.keys, a.env.vals
}
