package load

import (
	"go/token"
	"go/types"
	"maps"

	"github.com/surge-ndp/surge/ops/ir"
)

// arm is one branch: its statements, and the variables at its end.
type arm struct {
	blk *ir.Block
	env *env
}

// arm lowers f in a block of its own, with its own copy of the variables.
func (l *lowerer) arm(f func()) *arm {
	a := &arm{&ir.Block{}, l.env.clone()}
	l.resume(a, f)
	return a
}

// resume lowers f at the end of a.
func (l *lowerer) resume(a *arm, f func()) {
	blk, env := l.blk, l.env
	l.blk, l.env = a.blk, a.env
	l.arms++
	f()
	l.arms--
	a.blk, a.env = l.blk, l.env
	l.blk, l.env = blk, env
}

func (l *lowerer) isDead(a *arm) bool {
	dead, _ := l.status(a.env)
	return dead
}

// join ends a branch on cond: variables that differ between the arms become results of an If.
func (l *lowerer) join(pos token.Pos, cond ir.Atom, then, els *arm) {
	l.pos = pos
	if l.joinPanic(cond, then, els) {
		return
	}
	op := &ir.If{Cond: cond, Then: then.blk, Else: els.blk}
	stmt := &ir.Stmt{Op: op}
	choose := func(name string, t ir.Type, x, y ir.Atom) ir.Atom {
		if sameAtom(x, y) {
			return x
		}
		dst := &ir.Var{Name: name, T: t}
		stmt.Dst = append(stmt.Dst, dst)
		op.Then.Results, op.Else.Results = append(op.Then.Results, x), append(op.Else.Results, y)
		return dst
	}
	chosen := map[any]*choice{}
	for _, key := range l.env.keys {
		x, y := then.env.vals[key], els.env.vals[key]
		switch { // a result that only one arm sets, or a variable without initial value
		case x.unset && !y.unset && !y.bad:
			x = l.zerosIn(then, y, pos)
		case y.unset && !x.unset && !x.bad:
			y = l.zerosIn(els, x, pos)
		}
		if !maps.Equal(x.held, y.held) {
			l.resume(then, func() { x = l.sealed(x) })
			l.resume(els, func() { y = l.sealed(y) })
		}
		if x.own != y.own || x.shared != y.shared {
			x, y = l.frozenIn(then, x, pos), l.frozenIn(els, y, pos)
		}
		if v, ok := l.joinPointers(cond, keyName(key), l.env.vals[key], x, y, choose); ok {
			l.env.vals[key] = v
			continue
		}
		if p, ok := l.joinParts(then, els, x, y); ok {
			name := keyName(key)
			p.lo[0], p.hi[0] = choose(name+"_lo", intType, p.lo[0], p.lo[1]), choose(name+"_hi", intType, p.hi[0], p.hi[1])
			chosen[key] = p
			continue
		}
		v, differs := l.joined(key, x, y, pos)
		if differs {
			v.atoms = make([]ir.Atom, len(x.atoms))
			name := keyName(key)
			for i := range x.atoms {
				each := name
				if len(x.atoms) > 1 {
					each = l.atomName(x, name, i)
				}
				v.atoms[i] = choose(each, x.atoms[i].Type(), x.atoms[i], y.atoms[i])
			}
		}
		l.env.vals[key] = v
	}
	if len(stmt.Dst) > 0 || len(op.Then.Stmts) > 0 || len(op.Else.Stmts) > 0 {
		l.append(stmt)
	}
	for _, key := range l.env.keys {
		if p := chosen[key]; p != nil {
			l.env.vals[key] = l.windowed(p.base, p.lo[0], p.hi[0])
		}
	}
}

// joined returns the common value of x and y, or says that they differ in some atoms.
func (l *lowerer) joined(key any, x, y value, pos token.Pos) (v value, differs bool) {
	switch {
	case x.empty && y.unset && !y.bad: // nil on one path, and still nil on the other
		return x, false
	case y.empty && x.unset && !x.bad:
		return y, false
	case x.empty != y.empty:
		return arrayChoice(key, pos), false
	case x.bad:
		return x, false
	case y.bad:
		return y, false
	case x.fn != nil || y.fn != nil || x.unset && y.unset:
		return x, false
	case x.ref != nil && x.ref == y.ref:
		return x, false
	case x.ref != nil || y.ref != nil:
		return arrayChoice(key, pos), false
	case x.ptr != nil || y.ptr != nil:
		if x.ptr == nil || y.ptr == nil || !x.ptr.same(y.ptr) {
			return pointerChoice(key, pos), false
		}
		return x, false
	}
	if len(x.atoms) != len(y.atoms) {
		return value{bad: true}, false
	}
	v = x
	if v.rows = nil; x.rows != nil && y.rows != nil {
		v.rows = x.rows
		if x.rows != y.rows {
			v.rows = &rows{fresh: x.rows.fresh && y.rows.fresh, escaped: max(x.rows.escaped, y.rows.escaped)}
		}
	}
	for i := range x.atoms {
		if sameAtom(x.atoms[i], y.atoms[i]) {
			continue
		}
		if x.own != y.own || x.atoms[i].Type() != y.atoms[i].Type() {
			return arrayChoice(key, pos), false
		}
		differs = true
	}
	return v, differs
}

// arrayChoice is the value of a variable that holds one sequence or another where only one will do; it is an error as
// soon as it is read.
func arrayChoice(key any, pos token.Pos) value {
	if v, ok := key.(*types.Var); ok && isString(v.Type()) {
		return stringsCarried(key, pos)
	}
	name := keyName(key)
	if _, ok := key.(*slot); ok {
		name = "that is returned"
	}
	p := problem{CodeArrayMerge, "the sequence " + name + " is not the same one on every path",
		"what is updated in place, or goes from one turn of a loop to the next, is one sequence of one length from the beginning to the end",
		"give what a loop carries or returns a value before the loop, and there either replace it as a whole or assign its elements; in place of a local array take a slice"}
	return value{bad: true, late: &p, at: pos}
}

// rowsCarried is the value of a variable that holds other rows in each turn of a loop; it is an error as soon as it
// is read.
func rowsCarried(key any, before value, pos token.Pos) value {
	if before.rows != nil && isGridType(before.typ) && !before.rows.fresh {
		p := rowsShared(keyName(key))
		return value{bad: true, late: &p, at: pos}
	}
	p := problem{CodeArrayMerge, keyName(key) + ", a sequence of rows, goes from one turn of a loop to the next",
		"what a loop carries is a flat sequence: where rows begin in each turn is not known before the run",
		"carry the flat sequence, and cut it into rows by ops.Split or ops.Nest in each turn"}
	return value{bad: true, late: &p, at: pos}
}

// zerosIn is the zero value of v's type, made in the arm a.
func (l *lowerer) zerosIn(a *arm, v value, pos token.Pos) (z value) {
	l.resume(a, func() { z = l.use(value{typ: v.typ, unset: true}, pos) })
	return z
}

// frozenIn is v as a sequence that nothing updates. Where it is a slice that the function made, the arm a copies it:
// what a condition chooses is one of two sequences, and no longer this slice.
func (l *lowerer) frozenIn(a *arm, v value, pos token.Pos) value {
	if v.own == nil && v.shared == nil || v.bad || v.unset {
		return v
	}
	l.resume(a, func() {
		if v.own != nil {
			v.own.escape(pos)
		}
		v = l.ownCopy(v)
	})
	return v
}

func sameAtom(a, b ir.Atom) bool { return a == b }
