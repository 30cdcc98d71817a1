package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// Note [Loops that run twice]
//
// Where turns need each other, how many rows a loop appends, and how long they are, is known only when it has run. So
// such a loop is lowered twice: first it only counts what it appends, on copies of the slices that it updates, and
// then, with the room that this takes, it does it. What is appended to lies in flat sequences, as a grid does, and is
// one behind the loop. In the loop nothing but the lengths of what there is can be known, as the first run keeps
// nothing else. It is so for z = append(z, row), where every row is a part of one growing sequence, and for
// z[k] = append(z[k], v), where the rows grow side by side.

// growth is a slice that a loop appends to which runs twice.
type growth struct {
	counting bool
	buckets  bool    // rows that grow side by side
	n        ir.Atom // of buckets: how many there are
	starts   ir.Atom // of buckets: where each begins; nil while counting

	// Of a slice of elements: its parts, in order. Those that are sequences lie one behind the other, and of each
	// group of them, which have one length, there is where each begins, behind the parts.
	parts  []ir.Type
	groups []int // the first part of each group

	room []ir.Atom // for how many elements there is room, and how many the sequences of each group may have in all
}

// The values of a slice that grows by elements are its parts and the starts of each group, which are left out while the
// loop only counts, then the number of elements, and how many elements the sequences of each group have in all.

// growingTargets are the slices of rows that the loop appends to, and that it has to run twice for.
func (l *lowerer) growingTargets(lp *loop) map[*types.Var]*growth {
	out := map[*types.Var]*growth{}
	info := l.unit.info
	ast.Inspect(lp.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.AssignStmt:
			v, _ := appendTarget(info, n)
			b, _ := bucketAppend(info, n)
			switch {
			case v != nil && out[v] == nil && (!flatElements(v.Type()) && l.mayGrow(v) || l.growsUncounted(lp, v)):
				if g := growthOf(v.Type()); g != nil {
					out[v] = g
				}
			case b != nil && isGridType(b.Type()) && l.mayGrow(b) && l.env.vals[b].grid != nil && l.env.vals[b].grid.blank:
				out[b] = &growth{buckets: true, n: l.env.vals[b].grid.n}
			}
		}
		return true
	})
	return out
}

// growsUncounted reports whether the loop appends numbers to the slice v, how many is not known before it, and does
// nothing else with it.
func (l *lowerer) growsUncounted(lp *loop, v *types.Var) bool {
	x, ok := l.env.vals[v]
	if !ok || !flatElements(v.Type()) || x.bad || x.isOpen() || x.grow != nil || x.ref != nil || l.env.captured(v) || !x.unset && (x.own == nil || x.own.escaped.IsValid() || x.grows && (x.own.given || x.own.counted != nil && slices.Contains(l.active, x.own.counted))) {
		return false
	}
	unknown := !lp.counted && lp.most == nil && lp.limits[v] == nil
	l.appends(lp.body.List, 1, func(u any, n int64, _ token.Pos) { unknown = unknown || u == any(v) && n < 0 })
	if !unknown {
		return false
	}
	own := map[*ast.Ident]bool{}
	only := true
	ast.Inspect(lp.syntax(), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			only = only && !mentions(l.unit.info, n, map[*types.Var]bool{v: true})
		case *ast.AssignStmt:
			if u, call := appendTarget(l.unit.info, n); u == v {
				own[ast.Unparen(n.Lhs[0]).(*ast.Ident)], own[ast.Unparen(call.Args[0]).(*ast.Ident)] = true, true
			}
		case *ast.CallExpr:
			if isBuiltin(l.unit.info, n, "len") && variable(l.unit.info, n.Args[0]) == v {
				own[ast.Unparen(n.Args[0]).(*ast.Ident)] = x.unset
			}
		case *ast.Ident:
			only = only && (l.unit.info.Uses[n] != types.Object(v) || own[n])
		}
		return only
	})
	return only
}

// mayGrow reports whether elements may be appended to the variable v, which is from before the loop at hand.
func (l *lowerer) mayGrow(v *types.Var) bool {
	x, ok := l.env.vals[v]
	return ok && l.makesRows(x) && !l.env.captured(v)
}

// growthOf is how a slice of type t grows, nil if its elements hold slices of slices.
func growthOf(t types.Type) *growth {
	elem, ok := isSequence(t)
	parts, err := layout(elem)
	if !ok || err != nil {
		return nil
	}
	g := &growth{parts: parts}
	for i, p := range parts {
		switch {
		case p.Rank > 1:
			return nil
		case p.Rank == 1 && (len(g.groups) == 0 || !isGridType(t)):
			g.groups = append(g.groups, i)
		}
	}
	return g
}

// bucketAppend returns z and the call in z[k] = append(z[k], …), nil for others.
func bucketAppend(info *types.Info, s ast.Stmt) (*types.Var, *ast.CallExpr) {
	a, ok := s.(*ast.AssignStmt)
	if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
		return nil, nil
	}
	call, ok := ast.Unparen(a.Rhs[0]).(*ast.CallExpr)
	if !ok || !isBuiltin(info, call, "append") || text(call.Args[0]) != text(a.Lhs[0]) {
		return nil, nil
	}
	x, ok := ast.Unparen(a.Lhs[0]).(*ast.IndexExpr)
	if !ok {
		return nil, nil
	}
	return variable(info, x.X), call
}

// runTwice lowers a loop that appends to slices of rows, and says whether it does.
func (l *lowerer) runTwice(lp *loop) bool {
	targets := l.growingTargets(lp)
	if len(targets) == 0 {
		return false
	}
	l.pos = lp.pos
	before := map[*types.Var]value{}
	var order []*types.Var
	for _, key := range l.env.keys {
		if v, ok := key.(*types.Var); ok && targets[v] != nil {
			order = append(order, v)
			before[v] = l.env.vals[v]
		}
	}
	found := len(l.prog.rep.list)
	counts := l.counts(lp, order, targets)
	if len(l.prog.rep.list) > found || counts == nil {
		for _, v := range order {
			l.env.set(v, value{bad: true})
		}
		return true
	}
	for i, v := range order {
		l.env.set(v, l.grownRoom(v.Type(), targets[v], counts[i]))
	}
	l.lowerLoop(lp)
	for _, v := range order {
		x := l.env.vals[v]
		if x.bad || x.grow == nil {
			continue
		}
		out := l.grownUp(v.Type(), x)
		switch {
		case flatElements(v.Type()):
			if old := before[v]; !old.unset {
				n, more, arrays := l.length(old), l.length(out), out.atoms
				out = l.fill(l.withRoom(old, more), more, func(i ir.Atom, _ []ir.Atom) (ir.Atom, []ir.Atom) {
					return l.bin("at", ir.Add, n, i), l.elements(arrays, i)
				})
				out.atoms, out.grows = out.arrays(), false
			}
		case !targets[v].buckets:
			if old := before[v]; !old.unset && !(old.grid != nil && ir.IsInt(l.counter(old.grid.n), 0)) {
				rows := value{typ: v.Type(), rows: &rows{fresh: true}, atoms: l.settled(out, l.pos).atoms}
				out = l.joinedBehind(old, rows)
			}
		}
		l.bind(v, out)
	}
	return true
}

// counts lowers the loop as one that only counts what it appends, and returns the counts of each slice.
func (l *lowerer) counts(lp *loop, order []*types.Var, targets map[*types.Var]*growth) [][]ir.Atom {
	env, flags := l.env, l.flags
	l.env = env.clone()
	for _, key := range env.keys {
		x := l.env.vals[key]
		if lp.changed[key] && x.own != nil && x.grow == nil && !x.bad && !x.unset {
			l.env.vals[key] = l.duplicate(x)
		}
	}
	for _, v := range order {
		g := *targets[v]
		g.counting = true
		x := value{typ: v.Type(), grow: &g}
		if g.buckets {
			x.own = &owner{depth: l.ops, loops: l.loops, arms: l.arms}
			x.atoms = []ir.Atom{l.emit("counts", intType.Array(), &ir.Alloc{Kind: ir.Int, N: g.n})}
		} else {
			x.atoms = append(x.atoms, zeroInt)
			for range g.groups {
				x.atoms = append(x.atoms, zeroInt)
			}
		}
		l.env.vals[v] = x
	}
	first := *lp
	first.twice = true
	l.kernel.Twice = l.kernel.Twice || l.ops == 0
	l.lowerLoop(&first)
	var out [][]ir.Atom
	for _, v := range order {
		x := l.env.vals[v]
		if x.bad || x.grow == nil {
			l.use(x, lp.pos)
			out = nil
			break
		}
		out = append(out, x.atoms)
	}
	l.env, l.flags = env, flags
	return out
}

// duplicate is a copy of x, a slice that the function made, which may be updated as x may.
func (l *lowerer) duplicate(x value) value {
	arrays := value{typ: x.typ, atoms: x.arrays()}
	out := l.copied(arrays)
	own := *x.own
	x.own = &own
	x.atoms = append(out.atoms, x.atoms[len(x.arrays()):]...)
	return x
}

// grownRoom is the memory for what the loop appends, of which there is nothing yet.
func (l *lowerer) grownRoom(t types.Type, g *growth, counts []ir.Atom) value {
	x := value{typ: t, grow: g, own: &owner{depth: l.ops, loops: l.loops, arms: l.arms}}
	alloc := func(k ir.Kind, n ir.Atom) {
		x.atoms = append(x.atoms, l.emit("made", ir.Type{Kind: k, Rank: 1}, &ir.Alloc{Kind: k, N: n}))
	}
	if g.buckets {
		full := *g
		var total ir.Atom
		full.starts, total = l.startsOf(g.n, counts[0])
		x.grow = &full
		row, _ := isSequence(t)
		elem, _ := isSequence(row)
		parts, _ := l.layout(elem)
		for _, p := range parts {
			alloc(p.Kind, total)
		}
		alloc(ir.Int, g.n)
		return x
	}
	full := *g
	full.room = counts
	x.grow = &full
	for i, p := range g.parts {
		if p.Rank == 0 {
			alloc(p.Kind, counts[0])
			continue
		}
		alloc(p.Kind, counts[1+g.group(i)])
	}
	for range g.groups {
		alloc(ir.Int, l.arith(ir.Add, counts[0], oneInt))
	}
	for range 1 + len(g.groups) {
		x.atoms = append(x.atoms, zeroInt)
	}
	return x
}

// group is the group of part i, which is a sequence.
func (g *growth) group(i int) int {
	at := 0
	for k, first := range g.groups {
		if first <= i {
			at = k
		}
	}
	return at
}

// grownUp is x, behind the loop, as a slice of rows.
func (l *lowerer) grownUp(t types.Type, x value) value {
	g := x.grow
	own := &owner{depth: l.ops, loops: l.loops, arms: l.arms}
	if g.buckets {
		return value{typ: t, own: own, atoms: x.atoms[: len(x.atoms)-1 : len(x.atoms)-1], grid: &grid{n: g.n, starts: g.starts}}
	}
	k := len(g.parts)
	starts, n := x.atoms[k:k+len(g.groups)], x.atoms[k+len(g.groups)]
	if flatElements(t) {
		return value{typ: t, own: own, atoms: x.atoms[:k:k]} // there is room for what there is
	}
	if isGridType(t) {
		row, _ := isSequence(t)
		g := &grid{n: n, starts: starts[0]}
		if w := arrayWidth(row); w != nil {
			g = &grid{n: n, width: w}
		}
		return value{typ: t, own: own, atoms: x.atoms[:k:k], grid: g}
	}
	out := value{typ: t, rows: &rows{fresh: true}}
	for i, p := range g.parts {
		a := x.atoms[i]
		if p.Rank == 0 {
			out.atoms = append(out.atoms, l.emit("part", a.Type(), &ir.View{Fn: ir.Slice, Args: []ir.Atom{a, zeroInt, n}}))
			continue
		}
		begin := starts[g.group(i)]
		out.atoms = append(out.atoms, l.mapped("rows", n, func(i *ir.Var) []ir.Atom {
			lo, hi := l.at("start", begin, i), l.at("end", begin, l.arith(ir.Add, i, oneInt))
			return []ir.Atom{l.emit("row", a.Type(), &ir.View{Fn: ir.Slice, Args: []ir.Atom{a, lo, hi}})}
		})...)
	}
	return out
}
