package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// Note [Jumps]
//
// The IR has no jumps. Each return, break and continue sets a flag, an ordinary variable: one "returned" a call, one
// "broke" and one "continued" a loop or switch. After a construct that may have jumped, the flag says so:
//
//	constant true    what follows is unreachable and is not lowered
//	constant false   nothing happened
//	a variable       the rest of the statement list goes under If(flag) {} else {…}
//
// The common shape "if c { …; return }; rest" needs no flag: when one branch ends in a jump, rest is lowered inside the
// other one, so that both branches end with the same constant flag and joining them leaves no variable. No statement is
// lowered twice. A loop whose body may break or return becomes conditional, with the flags among its parameters.

// takeLabel returns the label of the loop or switch that begins here.
func (l *lowerer) takeLabel() string {
	label := l.label
	l.label = ""
	return label
}

// push declares the flag of a jump and sets it to false.
func (l *lowerer) push(name, label string) *slot {
	f := &slot{name: name, typ: types.Typ[types.Bool], label: label}
	l.flags = append(l.flags[:len(l.flags):len(l.flags)], f)
	l.env.set(f, boolValue(false))
	return f
}

// pop ends the reach of flag f: the jump, if it is under way, has arrived.
func (l *lowerer) pop(f *slot) {
	for i := range l.flags {
		if l.flags[i] == f {
			l.flags = append(l.flags[:i:i], l.flags[i+1:]...)
			break
		}
	}
	l.env.set(f, boolValue(false))
}

// jump lowers break and continue: the innermost flag of that name is set, or that of the label.
func (l *lowerer) jump(s *ast.BranchStmt) {
	if f := l.flagOf(s); f != nil {
		l.env.set(f, boolValue(true))
	}
}

// flagOf returns the flag of a jump, nil for one that belongs to a statement inside the one at hand.
func (l *lowerer) flagOf(s *ast.BranchStmt) *slot {
	name := map[token.Token]string{token.BREAK: "broke", token.CONTINUE: "continued"}[s.Tok]
	for i := len(l.flags) - 1; i >= 0; i-- {
		if f := l.flags[i]; f.name == name && (s.Label == nil || s.Label.Name == f.label) {
			return f
		}
	}
	return nil
}

// jumpsTo reports whether list has a break or a continue that leaves it: one with the label, or one without a label
// that is not inside a statement that it belongs to; and not in a function literal.
func jumpsTo(list []ast.Stmt, tok token.Token, label string) bool {
	found := false
	var look func(n ast.Node, direct bool)
	look = func(n ast.Node, direct bool) {
		ast.Inspect(n, func(m ast.Node) bool {
			inner := direct
			switch m := m.(type) {
			case *ast.FuncLit:
				return false
			case *ast.ForStmt, *ast.RangeStmt:
				inner = false
			case *ast.SwitchStmt, *ast.SelectStmt, *ast.TypeSwitchStmt:
				inner = direct && tok != token.BREAK
			case *ast.BranchStmt:
				found = found || m.Tok == tok && (m.Label == nil && direct || m.Label != nil && m.Label.Name == label)
			}
			if inner == direct || m == n {
				return !found
			}
			look(m, inner)
			return false
		})
	}
	for _, s := range list {
		look(&ast.BlockStmt{List: []ast.Stmt{s}}, true)
	}
	return found
}

// outward returns the flags of jumps with labels in body that leave the loop at hand for one around it.
func (l *lowerer) outward(body ast.Node) []*slot {
	var flags []*slot
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BranchStmt:
			if n.Label != nil {
				if f := l.flagOf(n); f != nil && !slices.Contains(flags, f) {
					flags = append(flags, f)
				}
			}
		}
		return true
	})
	return flags
}

// returns reports whether n has a return statement outside function literals.
func returns(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			found = true
		}
		return !found
	})
	return found
}

// returnsBare reports whether n has a return statement without values outside function literals.
func returnsBare(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			found = found || len(n.Results) == 0
		}
		return !found
	})
	return found
}

// withoutBreak drops a break at the end of a case, where it changes nothing.
func withoutBreak(body []ast.Stmt) []ast.Stmt {
	if n := len(body); n > 0 {
		if b, ok := body[n-1].(*ast.BranchStmt); ok && b.Tok == token.BREAK && b.Label == nil {
			return body[:n-1]
		}
	}
	return body
}

// status says whether a jump is under way in e: surely, or depending on the flags in dynamic.
func (l *lowerer) status(e *env) (dead bool, dynamic []*slot) {
	for _, f := range l.flags {
		switch a := e.vals[f].atoms[0].(type) {
		case ir.Const:
			if a.Bits != 0 {
				return true, nil
			}
		default:
			dynamic = append(dynamic, f)
		}
	}
	return false, dynamic
}

// any returns the disjunction of flags.
func (l *lowerer) any(flags []*slot) ir.Atom {
	a := l.env.vals[flags[0]].atoms[0]
	for _, f := range flags[1:] {
		a = l.emit("stop", ir.Scalar(ir.Bool), &ir.Binary{Fn: ir.Or, X: a, Y: l.env.vals[f].atoms[0]})
	}
	return a
}

// guard lowers rest so that it runs only if none of the flags is set.
func (l *lowerer) guard(flags []*slot, pos token.Pos, rest func()) {
	l.pos = pos
	cond := l.any(flags)
	skip := l.arm(func() {
		if len(flags) == 1 {
			l.env.set(flags[0], boolValue(true))
		}
	})
	run := l.arm(func() {
		for _, f := range flags {
			l.env.set(f, boolValue(false))
		}
		rest()
	})
	l.join(pos, cond, skip, run)
}
