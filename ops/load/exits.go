package load

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/ops/ir"
)

// Note [Exits]
//
// A loop that may return in each turn runs in order: whether there is a next turn, the one before says. But where what
// it returns says that something is wrong with the input, it seldom does. So a kernel with such returns, exits, is
// lowered a second time: there an exit is a check that fails, as a panic is, and its loop is one like others. What
// is returned is not lowered: the kernel itself, run once more as plain Go, says what that is, or what an earlier turn
// panics with. Only functions that no loop calls have exits, as what calls others may do without what they compute.

// exits returns the return statements out of loops of a function's body that are exits.
func exits(info *types.Info, body *ast.BlockStmt, results *types.Tuple) map[*ast.ReturnStmt]bool {
	found := map[*ast.ReturnStmt]bool{}
	var look func(n ast.Node, inLoop bool)
	look = func(n ast.Node, inLoop bool) {
		ast.Inspect(n, func(m ast.Node) bool {
			switch m := m.(type) {
			case *ast.FuncLit:
				return false
			case *ast.ForStmt:
				if m != n {
					look(m.Body, true)
					return false
				}
			case *ast.RangeStmt:
				look(m.Body, true)
				return false
			case *ast.ReturnStmt:
				if inLoop && isExit(info, m, results) {
					found[m] = true
				}
			}
			return true
		})
	}
	look(body, false)
	return found
}

// isExit reports whether a return statement says that something is wrong: it returns an error, or of results without
// one nothing but zeros, with a slice among them that is nil.
func isExit(info *types.Info, s *ast.ReturnStmt, results *types.Tuple) bool {
	if len(s.Results) != results.Len() {
		return false
	}
	null := false
	for i, e := range s.Results {
		tv := info.Types[e]
		if isError(results.At(i).Type()) {
			return !tv.IsNil()
		}
		null = null || tv.IsNil() && isSlice(results.At(i).Type())
	}
	for i, e := range s.Results {
		tv := info.Types[e]
		null = null && (tv.IsNil() && isSlice(results.At(i).Type()) || tv.Value != nil && isZero(tv.Value))
	}
	return null
}

// isZero reports whether a constant is the zero value of its type.
func isZero(v constant.Value) bool {
	switch v.Kind() {
	case constant.Bool:
		return !constant.BoolVal(v)
	case constant.String:
		return constant.StringVal(v) == ""
	}
	return constant.Sign(v) == 0
}

// returns reports whether n has a return statement outside function literals that is no exit.
func (l *lowerer) returns(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			found = found || !l.frame.exits[n]
		}
		return !found
	})
	return found
}

// exit lowers an exit.
func (l *lowerer) exit(s *ast.ReturnStmt) {
	l.pos = s.Pos()
	outcome := l.outcome(s)
	if l.kernel.Exits && !slices.Equal(l.kernel.Outcome, outcome) {
		outcome = nil
	}
	l.kernel.Exits, l.kernel.Outcome = true, outcome
	var said []string
	for _, e := range s.Results {
		said = append(said, text(e))
		tv := l.unit.info.Types[e]
		zero, isLiteral := e.(*ast.CompositeLit)
		none := tv.IsNil() || isLiteral && len(zero.Elts) == 0
		l.kernel.Shares = l.kernel.Shares || !none && (isSlice(tv.Type) || hasSlices(tv.Type)) // with an argument, say
	}
	l.check(ir.CheckPanic, ir.ExitOp, "return "+strings.Join(said, ", "), ir.BoolConst(false))
	l.env.set(l.panicked, boolValue(true))
}

// outcome is what the kernel returns where it returns by s, in Go, if that is the same always: constants as they are
// written, nil, and errors of the package. It is nil for others.
func (l *lowerer) outcome(s *ast.ReturnStmt) (texts []string) {
	if len(l.stack) > 1 {
		return nil
	}
	for _, e := range s.Results {
		e = ast.Unparen(e)
		v := variable(l.unit.info, e)
		number := e
		if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.SUB {
			number = u.X
		}
		_, literal := number.(*ast.BasicLit)
		tv := l.unit.info.Types[e]
		isBool := tv.Value != nil && tv.Value.Kind() == constant.Bool
		switch {
		case tv.IsNil(), literal, isBool, v != nil && isGlobal(v) && v.Pkg() == l.prog.root.pkg && isError(v.Type()) && !l.prog.assignedGlobals[v]:
		default:
			return nil
		}
		if isBool {
			texts = append(texts, tv.Value.String())
		} else {
			texts = append(texts, text(e))
		}
	}
	return texts
}

// withExits is the kernel f where exits are checks, nil if it has none, or cannot be compiled so.
func (p *program) withExits(f *function) *Kernel {
	e := p.again(f, &p.exits)
	if e == nil || !e.Exits {
		return nil
	}
	return e
}

// again is the kernel f as it is lowered once more, under the assumption that the flag stands for; nil if that has
// problems.
func (p *program) again(f *function, assumption *bool) *Kernel {
	list, seen, lines := len(p.rep.list), maps.Clone(p.rep.seen), maps.Clone(p.rep.lines)
	*assumption = true
	k := p.signature(f)
	k.Func = p.lower(f, k)
	*assumption = false
	failed := len(p.rep.list) > list
	p.rep.list, p.rep.seen, p.rep.lines = p.rep.list[:list], seen, lines
	if failed {
		return nil
	}
	return k
}
