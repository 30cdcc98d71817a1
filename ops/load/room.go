package load

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/surge-ndp/surge/ops/ir"
)

// withRoom is x as a slice that grows, in memory of its own with room for so many elements more.
func (l *lowerer) withRoom(x value, more ir.Atom) value {
	var n ir.Atom = ir.IntConst(ir.Int, 0)
	if !x.unset {
		n = l.length(x)
	}
	size := n
	if !ir.IsInt(more, 0) {
		size = l.bin("room", ir.Add, n, more)
	}
	out := l.alloc(x.typ, size, l.pos)
	if out.bad {
		return out
	}
	l.madeRoom(out)
	if !x.unset {
		old := x.arrays()
		out = l.fill(out, n, func(i ir.Atom, _ []ir.Atom) (ir.Atom, []ir.Atom) { return i, l.elements(old, i) })
	}
	out.grows = true
	out.atoms = append(out.atoms, n)
	return out
}

// fill updates n elements of the sequences of v in a loop: turn i those at the place that at returns, with its
// elements. at gets the sequences as they are in that turn.
func (l *lowerer) fill(v value, n ir.Atom, at func(i ir.Atom, now []ir.Atom) (ir.Atom, []ir.Atom)) value {
	op := &ir.Loop{I: &ir.Var{Name: "i", T: ir.Scalar(ir.Int)}, Lo: ir.IntConst(ir.Int, 0), Hi: n, Body: &ir.Block{}}
	stmt := &ir.Stmt{Op: op}
	var now, after []ir.Atom
	for _, a := range v.arrays() {
		p, d := &ir.Var{Name: "made", T: a.Type()}, &ir.Var{Name: "made", T: a.Type()}
		l.auto[d] = true
		op.Params, op.Init, stmt.Dst = append(op.Params, p), append(op.Init, a), append(stmt.Dst, d)
		now, after = append(now, p), append(after, d)
	}
	outer := l.blk
	l.blk = op.Body
	place, elems := at(op.I, now)
	for k, p := range op.Params {
		op.Body.Results = append(op.Body.Results, l.emit("made", p.T, &ir.Update{X: p, I: place, Value: elems[k]}))
	}
	l.blk = outer
	l.append(stmt)
	out := v
	out.atoms = after
	out.atoms = append(out.atoms, v.atoms[len(v.arrays()):]...)
	out.own.updated = l.pos
	return out
}

// elements reads element i of each sequence.
func (l *lowerer) elements(arrays []ir.Atom, i ir.Atom) []ir.Atom {
	var out []ir.Atom
	for _, a := range arrays {
		out = append(out, l.emit("e", a.Type().Elem(), &ir.Index{X: a, I: i}))
	}
	return out
}

// arrays are the sequences of v, without the number of elements of a slice that grows, and its room.
func (v value) arrays() []ir.Atom {
	n := len(v.atoms)
	if v.grows {
		n--
	}
	if v.isOpen() {
		n--
	}
	return v.atoms[:n:n]
}

// withLength is v, which grows, with another number of elements.
func (v value) withLength(n ir.Atom) value {
	last := len(v.atoms) - 1
	v.atoms = append(v.atoms[:last:last], n)
	return v
}

// room is the number of elements that a slice that the function made has room for.
func (l *lowerer) room(x value) ir.Atom {
	if x.isOpen() {
		return x.atoms[len(x.atoms)-2]
	}
	return l.emit("room", ir.Scalar(ir.Int), &ir.Len{X: x.atoms[0]})
}

// settled is v as a sequence that does not grow any more: what there is of it.
func (l *lowerer) settled(v value, pos token.Pos) value {
	if v.held != nil {
		return l.sealed(v)
	}
	if !v.grows && v.grid == nil && v.row == nil || v.bad {
		return v
	}
	if v.own != nil {
		v.own.escape(pos)
	}
	switch {
	case v.grid != nil:
		return value{typ: v.typ, shared: v.own, atoms: l.gridRows(v)}
	case v.row != nil:
		return l.settledRow(v)
	}
	out := value{typ: v.typ, shared: v.own}
	for _, a := range v.arrays() {
		out.atoms = append(out.atoms, l.emit("part", a.Type(), &ir.View{Fn: ir.Slice, Args: []ir.Atom{a, ir.IntConst(ir.Int, 0), v.atoms[len(v.atoms)-1]}}))
	}
	return out
}

// cut lowers s = s[:n] of a slice that grows.
func (l *lowerer) cut(key any, x value, e *ast.SliceExpr) {
	n := l.expr(e.High)
	if n.bad || len(n.atoms) != 1 {
		return
	}
	next := l.toInt(n.atoms[0])
	l.growing.cuts = append(l.growing.cuts, [2]ir.Atom{next, x.atoms[len(x.atoms)-1]})
	l.check(ir.CheckBounds, "slice", text(e), ir.IntConst(ir.Int, 0), next, l.room(x))
	l.bind(key, x.withLength(next))
}

// makeGrowing lowers make([]T, n, room).
func (l *lowerer) makeGrowing(e *ast.CallExpr) value {
	n, room := l.expr(e.Args[1]), l.expr(e.Args[2])
	if n.bad || room.bad || len(n.atoms) != 1 || len(room.atoms) != 1 {
		return value{bad: true}
	}
	length, size := l.toInt(n.atoms[0]), l.toInt(room.atoms[0])
	l.check(ir.CheckBounds, "make", text(e), ir.IntConst(ir.Int, 0), length, size)
	if t := l.unit.info.TypeOf(e); !flatElements(t) {
		return l.blankRows(t, length, e.Pos())
	}
	v := l.alloc(l.unit.info.TypeOf(e), size, e.Pos())
	if v.bad {
		return v
	}
	if ir.IsInt(length, 0) {
		l.madeRoom(v)
	}
	v.grows, v.atoms = true, append(v.atoms, length)
	l.kernel.Rooms = l.kernel.Rooms || !l.unit.standard
	_, constant := size.(ir.Const)
	v.own.given, v.own.sized = !constant, true
	return v
}

// reserve makes room, before a loop, for what its turns append.
func (l *lowerer) reserve(lp *loop) {
	seen := map[any]bool{}
	var order []any
	l.appends(lp.body.List, 1, func(v any, n int64, pos token.Pos) {
		if x, ok := l.env.vals[v]; !ok || x.grow != nil || !flatElements(keyType(v)) || !x.unset && (x.own == nil || x.own.escaped.IsValid() || x.bad) || x.grows && (x.own.given || x.own.open || x.own.loops != l.loops) {
			return
		}
		if n < 0 || !lp.counted && lp.most == nil && lp.limits[v] == nil {
			if x := l.env.vals[v]; !x.grows {
				l.problem(pos, problem{CodeAppend, "how many elements the loop appends to " + keyName(v) + " is not known before it",
					"a slice that grows has its place in memory before the loop begins", "make it with room for all elements that there may be: " +
						keyName(v) + " := make(" + typeName(keyType(v)) + ", 0, n)"})
				l.env.vals[v] = value{bad: true}
			}
			return
		}
		if !seen[v] && n > 0 {
			order, seen[v] = append(order, v), true
		}
	})
	appends := l.mostAppends(lp.body)
	var most ir.Atom
	for _, v := range order {
		turns := lp.limits[v]
		if turns == nil {
			if most == nil {
				most = l.mostTurns(lp)
			}
			if turns = most; appends[v] != 1 {
				turns = l.bin("more", ir.Mul, turns, ir.IntConst(ir.Int, appends[v]))
			}
		}
		if x := l.env.vals[v]; !x.bad {
			if x.grows { // what there is room for now is for later
				turns = l.bin("more", ir.Add, turns, l.free(x))
			}
			x.typ = keyType(v)
			x = l.withRoom(x, turns)
			if !x.bad {
				x.own.counted = lp
			}
			l.bind(v, x)
		}
	}
}

// mostTurns is how many turns a loop makes, or makes at most. One that is counted ends after that many then, which is
// where it ends anyway, so that it is seen to make as many turns as there is room for.
func (l *lowerer) mostTurns(lp *loop) ir.Atom {
	if !lp.counted {
		return lp.most
	}
	if _, length := l.definition(lp.hi).(*ir.Len); length && ir.IsInt(lp.lo, 0) {
		return lp.hi
	}
	turns := l.bin("turns", ir.Max, l.bin("turns", ir.Sub, lp.hi, lp.lo), ir.IntConst(ir.Int, 0))
	lp.hi = l.bin("hi", ir.Add, lp.lo, turns)
	return turns
}

// appends calls f for every statement s = append(s, …) in the list, with the number of elements that it appends while
// the list is run times times, -1 if that is not known.
func (l *lowerer) appends(list []ast.Stmt, times int64, f func(key any, n int64, pos token.Pos)) {
	info := l.unit.info
	for _, s := range list {
		ast.Inspect(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ForStmt:
				l.appends(n.Body.List, turnsOf(info, n, times), f)
				return false
			case *ast.RangeStmt:
				inner := int64(-1)
				if length, _, ok := isArray(info.TypeOf(n.X)); ok && times > 0 {
					inner = length * times
				} else if c, ok := intConst(info, n.X); ok && times > 0 && c >= 0 && c < 1<<20 {
					inner = c * times
				}
				l.appends(n.Body.List, inner, f)
				return false
			case *ast.FuncLit:
				l.appends(n.Body.List, -1, f)
				return false
			case *ast.AssignStmt:
				var key any
				v, call := appendTarget(info, n)
				if v := appendedRune(info, n); v != nil && times > 0 {
					f(v, times*4, n.Pos())
					return true
				}
				if key = v; v == nil {
					field, of := l.fieldAppend(n)
					if field == nil {
						return true
					}
					key, call = field, of
				}
				count := times * int64(len(call.Args)-1)
				if times < 0 || call.Ellipsis.IsValid() {
					count = -1
				}
				f(key, count, call.Pos())
			}
			return true
		})
	}
}

// turnsOf is how many turns a for statement makes in all whose bounds are constants, if it runs so many times; -1 if
// that is not known.
func turnsOf(info *types.Info, s *ast.ForStmt, times int64) int64 {
	st, ok := stepsOf(info, s)
	if !ok || times < 0 {
		return -1
	}
	lo, isLo := intConst(info, st.lo)
	hi, isHi := intConst(info, st.hi)
	if !isLo || !isHi {
		return -1
	}
	vs, few := st.values(lo, hi)
	if !few {
		return -1
	}
	return int64(len(vs)) * times
}

// headroom gives a slice that the function at hand has just made, and appends to outside of loops, the room for that.
func (l *lowerer) headroom(v *types.Var, x value) value {
	if !isSlice(v.Type()) || !flatElements(v.Type()) || x.bad || x.grows && x.own.given || len(l.stack) == 0 || !x.unset && (x.own == nil || x.own.escaped.IsValid()) {
		return x
	}
	body, ok := l.bodyOf(l.stack[len(l.stack)-1]).(*ast.BlockStmt)
	if !ok {
		return x
	}
	total := int64(0)
	l.appends(body.List, 1, func(u any, n int64, _ token.Pos) {
		if u == any(v) && n > 0 {
			total += n
		}
	})
	if total == 0 {
		return x
	}
	x.typ = v.Type()
	var more ir.Atom = ir.IntConst(ir.Int, total)
	if x.grows {
		more = l.bin("more", ir.Add, more, l.free(x))
	}
	return l.withRoom(x, more)
}
