package load

import (
	"go/ast"
	"go/types"
	"strings"
)

// fillsAgain reports whether a loop of many turns fills an array of numbers again and again, in the turns of another
// loop, as one over the states of a model does for each letter of a text: it stays a loop, and has lanes. The loop over
// the elements of a kernel, which is around it, is not that other one.
func (u *unit) fillsAgain(loop ast.Node) bool {
	if u.again == nil {
		u.again = map[ast.Node]bool{}
		for _, fd := range functions(u.files) {
			around := 0
			if isKernelDecl(fd) {
				around = -1
			}
			u.markAgain(fd.Body, around)
		}
	}
	return u.again[loop]
}

// isKernelDecl reports whether a function is a kernel.
func isKernelDecl(fd *ast.FuncDecl) bool {
	if fd.Doc != nil {
		for _, c := range fd.Doc.List {
			if strings.HasPrefix(c.Text, "//surge:kernel") || strings.HasPrefix(c.Text, "//surge:variant-of") {
				return true
			}
		}
	}
	return false
}

// markAgain notes such loops in a part of the source that so many loops are around whose turns nobody knows before.
func (u *unit) markAgain(n ast.Node, around int) {
	ast.Inspect(n, func(m ast.Node) bool {
		turns, known := int64(0), false
		switch m := m.(type) {
		case *ast.FuncLit:
			u.markAgain(m.Body, 0)
			return false
		case *ast.ForStmt:
			turns, known = u.constantTurns(m)
		case *ast.RangeStmt:
			turns, known = staticRange(u.info, m)
		default:
			return true
		}
		body, _ := loopParts(m.(ast.Stmt))
		if known && around > 0 && turns > fewTurns && fillsNumbers(u.info, body) {
			u.again[m] = true
		}
		if !known {
			u.markAgain(body, around+1)
		} else {
			u.markAgain(body, around)
		}
		return false
	})
}

// constantTurns is how many turns a loop makes whose bounds are constants.
func (u *unit) constantTurns(s *ast.ForStmt) (turns int64, known bool) {
	st, ok := stepsOf(u.info, s)
	if !ok {
		return 0, false
	}
	lo, isLo := intConst(u.info, st.lo)
	hi, isHi := intConst(u.info, st.hi)
	if !isLo || !isHi {
		return 0, false
	}
	vs, ok := st.values(lo, hi)
	return int64(len(vs)), ok
}

// fillsNumbers reports whether a turn of a loop with this body assigns elements of an array of numbers, or of structs
// of numbers.
func fillsNumbers(info *types.Info, body *ast.BlockStmt) bool {
	found := false
	target := func(e ast.Expr) {
		for e != nil && !found {
			switch x := ast.Unparen(e).(type) {
			case *ast.IndexExpr:
				_, elem, ok := isArray(info.TypeOf(x.X))
				found = ok && flat(elem)
				e = x.X
			case *ast.SelectorExpr:
				e = x.X
			default:
				e = nil
			}
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				target(e)
			}
		case *ast.IncDecStmt:
			target(n.X)
		}
		return !found
	})
	return found
}
