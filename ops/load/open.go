package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// Note [Memory that grows]
//
// Stacks, queues and heaps are read while they grow, in loops whose turns nobody counts. The memory of such a slice is
// open: where append finds no room, it moves to twice as much, as in Go. The room that there is, is one of its values,
// in front of the number of elements; what lies behind the elements has no value yet, and is not read.
//
// How much memory the results of a computation take is known before it runs. So, at the top level of a kernel, a loop
// that such a slice outlives runs twice: first for the room, on copies, and then with as much.

// leastRoom is for how many elements there is room in memory that grows, at least.
const leastRoom = 16

// isOpen reports whether the memory of v grows.
func (v value) isOpen() bool { return v.grows && v.own != nil && v.own.open }

// opened is x in memory that grows.
func (l *lowerer) opened(x value) value {
	n := ir.Atom(zeroInt)
	if !x.unset {
		n = l.length(x)
	}
	elem, _ := isSequence(x.typ)
	parts, err := l.layout(elem)
	if err != nil {
		p, _ := typeProblem(x.typ)
		return l.problem(l.pos, p)
	}
	room := l.bin("room", ir.Max, n, ir.IntConst(ir.Int, leastRoom))
	out := value{typ: x.typ, grows: true, own: &owner{depth: l.ops, loops: l.loops, arms: l.arms, open: true}}
	for _, p := range parts {
		out.atoms = append(out.atoms, l.emit("made", p.Array(), &ir.Alloc{Kind: p.Kind, N: room, Grows: true}))
	}
	out.atoms = append(out.atoms, room, n)
	if x.unset {
		return out
	}
	old := x.arrays()
	return l.fill(out, n, func(i ir.Atom, _ []ir.Atom) (ir.Atom, []ir.Atom) { return i, l.elements(old, l.sum(x.off, i)) })
}

// ensure gives x, whose memory grows, room for so many elements.
func (l *lowerer) ensure(x value, next ir.Atom) value {
	arrays, room, n := x.arrays(), l.room(x), x.atoms[len(x.atoms)-1]
	more := l.arm(func() {
		size := l.bin("room", ir.Max, next, l.bin("room", ir.Mul, room, ir.IntConst(ir.Int, 2)))
		for _, a := range arrays {
			l.blk.Results = append(l.blk.Results, l.emit("made", a.Type(), &ir.Grow{X: a, Keep: n, N: size}))
		}
		l.blk.Results = append(l.blk.Results, size)
	})
	as := append(arrays, room)
	op := &ir.If{Cond: l.bin("full", ir.Lt, room, next), Then: more.blk, Else: &ir.Block{Results: as}}
	st := &ir.Stmt{Op: op}
	x.atoms = nil
	for _, a := range as {
		d := &ir.Var{Name: "made", T: a.Type()}
		if d.T.Rank == 0 {
			d.Name = "room"
		}
		l.auto[d] = true
		st.Dst, x.atoms = append(st.Dst, d), append(x.atoms, d)
	}
	l.append(st)
	x.atoms = append(x.atoms, n)
	return x
}

// opens returns the slices that the loop appends to without a bound.
func (l *lowerer) opens(lp *loop) []any {
	var keys []any
	var appended *appendedTo
	for _, key := range l.env.keys {
		x := l.env.vals[key]
		t := keyType(key)
		if !lp.changed[key] || x.bad || t == nil || !isSlice(t) || !flatElements(t) || x.grow != nil || x.grid != nil || x.row != nil || inMemory(x) ||
			l.env.captured(key) || !x.unset && (x.own == nil || x.own.escaped.IsValid()) || x.grows && (x.own.given || x.own.open || x.own.loops != l.loops) {
			continue
		}
		if appended == nil {
			appended = l.appendedIn(lp)
		}
		if appended.has(key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// openAll opens these slices.
func (l *lowerer) openAll(keys []any) {
	for _, key := range keys {
		x := l.env.vals[key]
		x.typ = keyType(key)
		l.bind(key, l.opened(x))
	}
}

// lowerOpen lowers a loop that appends to slices without a bound at the top level of a kernel, and says whether it is
// one; in other loops it opens these slices.
func (l *lowerer) lowerOpen(lp *loop) bool {
	keys := l.opens(lp)
	if len(keys) == 0 || l.ops > 0 || l.loops > 0 {
		l.openAll(keys)
		return false
	}
	l.pos = lp.pos
	if !slices.ContainsFunc(keys, func(key any) bool { return l.usedBehind(key, lp) }) {
		l.openAll(keys)
		l.lowerLoop(lp)
		for _, key := range keys {
			l.env.set(key, moved(keyName(key), lp.pos))
		}
		return true
	}
	rooms := l.roomTaken(lp, keys)
	for i, key := range keys {
		x := l.env.vals[key]
		x.typ = keyType(key)
		if rooms == nil {
			x = value{bad: true}
		} else if x = l.withRoom(x, rooms[i]); !x.bad {
			x.own.given = true
		}
		l.bind(key, x)
	}
	if rooms != nil {
		l.lowerLoop(lp)
	}
	for _, key := range keys {
		if x := l.env.vals[key]; x.own != nil {
			x.own.given = false
		}
	}
	return true
}

// roomTaken lowers the loop on copies of what it updates, and returns how much room its slices take; nil if it cannot
// be lowered.
func (l *lowerer) roomTaken(lp *loop, keys []any) []ir.Atom {
	l.kernel.Twice = true
	env, flags, found := l.env, l.flags, len(l.prog.rep.list)
	l.env = env.clone()
	for _, key := range env.keys {
		x := l.env.vals[key]
		if lp.changed[key] && !slices.Contains(keys, key) && x.own != nil && x.grow == nil && !x.bad && !x.unset {
			l.env.vals[key] = l.duplicate(x)
		}
	}
	l.openAll(keys)
	first := *lp
	l.lowerLoop(&first)
	var rooms []ir.Atom
	for _, key := range keys {
		x := l.env.vals[key]
		if x.bad || !x.isOpen() {
			l.use(x, lp.pos)
			rooms = nil
			break
		}
		rooms = append(rooms, l.room(x))
	}
	if len(l.prog.rep.list) > found {
		rooms = nil
	}
	l.env, l.flags = env, flags
	return rooms
}

// usedBehind reports whether a variable may be used behind the loop.
func (l *lowerer) usedBehind(key any, lp *loop) bool {
	v, ok := key.(*types.Var)
	body := l.bodyOf(l.stack[len(l.stack)-1])
	if !ok || slices.Contains(l.frame.results, key) || v.Pos() < body.Pos() || v.Pos() > body.End() {
		return true
	}
	found, info := false, l.unit.info
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			found = found || n.Pos() >= lp.body.End() && info.Uses[n] == types.Object(v)
		case *ast.ReturnStmt: // the sequences that one in the loop returns are put together behind it
			for _, e := range n.Results {
				basic, isBasic := info.TypeOf(e).Underlying().(*types.Basic)
				found = found || !(isBasic && basic.Info()&types.IsString == 0) && mentionsIn(info, []ast.Expr{e}, v)
			}
		}
		return !found
	})
	return found
}

// appendedTo is what a loop appends to, where nobody knows how much.
type appendedTo struct {
	keys  map[any]bool
	types []types.Type // of fields, and of what pointers point to, in functions that are called
}

// has reports whether the loop may append to the variable.
func (a *appendedTo) has(key any) bool {
	return a.keys[key] || slices.ContainsFunc(a.types, func(t types.Type) bool { return types.Identical(t, keyType(key)) })
}

// appendedIn looks for what a loop appends to.
func (l *lowerer) appendedIn(lp *loop) *appendedTo {
	out := &appendedTo{keys: map[any]bool{}}
	all := map[any]bool{}
	l.appends(lp.body.List, 1, func(key any, n int64, _ token.Pos) {
		all[key] = true
		if n < 0 || !lp.counted && lp.most == nil && lp.limits[key] == nil {
			out.keys[key] = true
		}
	})
	seen := map[ast.Node]bool{}
	l.callsOf(l.unit, lp.body, func(u *unit, body ast.Node) { out.inFunction(l, u, body, seen) })
	info := l.unit.info
	ast.Inspect(lp.body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok {
			return true
		}
		for i, e := range a.Rhs {
			if i >= len(a.Lhs) {
				break
			}
			v := variable(info, a.Lhs[i])
			if v == nil || a.Tok != token.ASSIGN {
				continue
			}
			switch e := ast.Unparen(e).(type) {
			case *ast.Ident: // the slice that the turn has filled
				if w := variable(info, e); w != nil && all[w] && w != v {
					out.keys[v] = true
				}
			case *ast.CallExpr: // a function that appends to its argument
				if isBuiltin(info, e, "append") || !slices.ContainsFunc(e.Args, func(a ast.Expr) bool { return variable(info, a) == v }) {
					continue
				}
				l.callsOf(l.unit, &ast.ExprStmt{X: e}, func(_ *unit, body ast.Node) { out.keys[v] = out.keys[v] || holdsAppend(body) })
			}
		}
		return true
	})
	return out
}

// inFunction notes what a function appends to that is not its own.
func (a *appendedTo) inFunction(l *lowerer, u *unit, body ast.Node, seen map[ast.Node]bool) {
	if seen[body] {
		return
	}
	seen[body] = true
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || !isBuiltin(u.info, call, "append") {
			return true
		}
		if v := variable(u.info, call.Args[0]); v != nil {
			a.keys[v] = true // around a literal
		} else {
			a.types = append(a.types, u.info.TypeOf(call.Args[0]))
		}
		return true
	})
	l.callsOf(u, body, func(u *unit, body ast.Node) { a.inFunction(l, u, body, seen) })
}

// callsOf calls f for the body of each function of the user's that n calls.
func (l *lowerer) callsOf(u *unit, n ast.Node, f func(u *unit, body ast.Node)) {
	ast.Inspect(n, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if of, body := l.bodyCalled(u, call); body != nil {
				f(of, body)
			}
		}
		return true
	})
}

// bodyCalled is the body of the function that is called, and its unit; nil if that is not known.
func (l *lowerer) bodyCalled(u *unit, call *ast.CallExpr) (*unit, *ast.BlockStmt) {
	id := calleeIdent(call)
	if id == nil {
		return nil, nil
	}
	switch obj := u.info.Uses[id].(type) {
	case *types.Var:
		if x := l.env.vals[obj]; x.fn != nil && x.fn.lit != nil {
			return x.fn.unit, x.fn.lit.Body
		}
	case *types.Func:
		callee := l.prog.callee(u, id)
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && u.info.Selections[sel] != nil {
			callee = l.prog.method(u.info.Selections[sel])
		}
		if callee != nil && callee.decl.Body != nil {
			return callee.unit, callee.decl.Body
		}
	}
	return nil, nil
}

// holdsAppend reports whether n calls append.
func holdsAppend(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if ok {
			id := calleeIdent(call)
			found = found || id != nil && id.Name == "append"
		}
		return !found
	})
	return found
}
