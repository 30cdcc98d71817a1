package load

import (
	"go/ast"
	"go/types"

	"github.com/surge-ndp/surge/ops/ir"
)

// reserveBranches makes room for what the branches of s append to fields, and to what pointers point to, where they do
// so outside of loops: a slice that grows has its memory before the branch. Where a branch returns, what stands behind
// s is one, too. The function that it returns is called behind the branches.
func (l *lowerer) reserveBranches(s ast.Stmt, rest []ast.Stmt) func() {
	nodes := []ast.Node{s}
	if holdsReturn(s) {
		for _, r := range rest {
			nodes = append(nodes, r)
		}
	}
	counts := map[types.Type]int64{}
	for _, n := range nodes {
		l.countAppends(l.unit, n, counts, 0)
	}
	var made []*owner
	if len(counts) == 0 {
		return func() {}
	}
	for _, key := range l.env.keys {
		x, t := l.env.vals[key], keyType(key)
		if t == nil || !isSlice(t) || x.bad || x.isOpen() || x.grow != nil || x.grid != nil || x.row != nil || x.ref != nil || inMemory(x) || !flatElements(t) ||
			l.env.captured(key) || !x.unset && (x.own == nil || x.own.escaped.IsValid() || x.own.given || x.own.sized || x.own.reserved || x.own.loops != l.loops || x.own.arms != l.arms) {
			continue
		}
		more := int64(0)
		for of, n := range counts {
			if types.Identical(of, t) {
				more += n
			}
		}
		if more == 0 || x.unset && l.loops > 0 && !l.madeInTurn(key) {
			continue
		}
		var room ir.Atom = ir.IntConst(ir.Int, more)
		if x.grows {
			room = l.bin("more", ir.Add, room, l.free(x))
		}
		x.typ = t
		if x = l.withRoom(x, room); x.bad {
			continue
		}
		x.own.reserved = true
		made = append(made, x.own)
		l.bind(key, x)
	}
	return func() {
		for _, own := range made {
			own.reserved = false
		}
	}
}

// madeInTurn reports whether the variable with a key is one of the turn at hand of all loops around.
func (l *lowerer) madeInTurn(key any) bool {
	for _, lp := range l.active {
		if lp.changed[key] {
			return false
		}
	}
	return true
}

// countAppends adds how many elements n appends to fields, and to what pointers point to, by the types of the slices,
// but for loops.
func (l *lowerer) countAppends(u *unit, n ast.Node, counts map[types.Type]int64, depth int) {
	const deepest = 16 // functions in functions
	if depth > deepest {
		return
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if isBuiltin(u.info, n, "append") {
				switch ast.Unparen(n.Args[0]).(type) {
				case *ast.SelectorExpr, *ast.StarExpr:
					if !n.Ellipsis.IsValid() {
						counts[u.info.TypeOf(n.Args[0])] += int64(len(n.Args) - 1)
					}
				}
				return true
			}
			of, body := l.bodyCalled(u, n)
			if body == nil || of.standard {
				return true
			}
			inner, known := l.prog.appends[body]
			if !known {
				inner = map[types.Type]int64{}
				l.prog.appends[body] = inner // of a function that calls itself, which is refused
				l.countAppends(of, body, inner, depth+1)
			}
			for t, k := range inner {
				counts[t] += k
			}
		}
		return true
	})
}

// holdsReturn reports whether s returns from the function around it.
func holdsReturn(s ast.Stmt) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
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
