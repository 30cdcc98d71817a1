package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

func (l *lowerer) logical(e *ast.BinaryExpr) value {
	forget := l.callsFirst(e.X)
	x := l.expr(e.X)
	forget()
	if x.bad || len(x.atoms) != 1 {
		return value{bad: true}
	}
	a, ok := l.shortCircuit(e.Op, x.atoms[0], func() (ir.Atom, bool) {
		defer l.callsFirst(e.Y)()
		y := l.expr(e.Y)
		if y.bad || len(y.atoms) != 1 {
			return nil, false
		}
		return y.atoms[0], true
	}, e.OpPos)
	if !ok {
		return value{bad: true}
	}
	return value{typ: x.typ, atoms: []ir.Atom{a}}
}

// maxEager is how many operations the right side of && and || may have to be evaluated whether it is needed or not.
const maxEager = 4

// shortCircuit lowers x && y or x || y. Only where y is expensive or may fail does it cost a branch.
func (l *lowerer) shortCircuit(op token.Token, x ir.Atom, y func() (ir.Atom, bool), pos token.Pos) (ir.Atom, bool) {
	if c, ok := x.(ir.Const); ok {
		if (c.Bits != 0) == (op == token.LOR) {
			return x, true
		}
		return y()
	}
	var b ir.Atom
	ok := false
	right := l.arm(func() { b, ok = y() })
	if !ok {
		return nil, false
	}
	l.pos = pos
	if l.changed(right) {
		return l.shortCircuitEffects(op, x, b, right, pos), true
	}
	fn := ir.And
	if op == token.LOR {
		fn = ir.Or
	}
	if eager(right.blk) {
		l.blk.Stmts = append(l.blk.Stmts, right.blk.Stmts...)
		return l.emit("t", ir.Scalar(ir.Bool), &ir.Binary{Fn: fn, X: x, Y: b}), true
	}
	right.blk.Results = []ir.Atom{b}
	short := &ir.Block{Results: []ir.Atom{ir.BoolConst(op == token.LOR)}}
	branch := &ir.If{Cond: x, Then: right.blk, Else: short}
	if op == token.LOR {
		branch.Then, branch.Else = short, right.blk
	}
	return l.emit("t", ir.Scalar(ir.Bool), branch), true
}

// changed reports whether the arm assigns a variable from before it.
func (l *lowerer) changed(a *arm) bool {
	for _, key := range l.env.keys {
		x, y := l.env.vals[key], a.env.vals[key]
		if x.own != y.own || x.shared != y.shared || x.ptr != y.ptr || !maps.Equal(x.held, y.held) || x.unset != y.unset || x.bad != y.bad || !slices.EqualFunc(x.atoms, y.atoms, sameAtom) {
			return true
		}
	}
	return false
}

// shortCircuitEffects joins the arm right, the right side of && or ||, whose value is b and which assigns variables.
func (l *lowerer) shortCircuitEffects(op token.Token, x, b ir.Atom, right *arm, pos token.Pos) ir.Atom {
	t := &slot{name: "t", typ: types.Typ[types.Bool]}
	l.env.set(t, boolValue(op == token.LOR))
	right.env.set(t, value{typ: t.typ, atoms: []ir.Atom{b}})
	short := l.arm(func() {})
	if op == token.LOR {
		l.join(pos, x, short, right)
	} else {
		l.join(pos, x, right, short)
	}
	a := l.env.vals[t].atoms[0]
	l.env.truncate(len(l.env.keys) - 1)
	return a
}

// eager reports whether the statements are few, cheap and cannot fail.
func eager(b *ir.Block) bool {
	if len(b.Stmts) > maxEager {
		return false
	}
	for _, s := range b.Stmts {
		switch op := s.Op.(type) {
		case *ir.Unary:
			if op.Fn.GoMath() != "" && op.Fn != ir.Abs {
				return false
			}
		case *ir.Binary:
			if op.Fn == ir.Div || op.Fn == ir.Rem || op.Fn.GoMath() != "" {
				return false
			}
		case *ir.Convert, *ir.Select, *ir.Len:
		default:
			return false
		}
	}
	return true
}
