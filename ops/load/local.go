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

// Note [Uniqueness]
//
// A slice that the function made (by make or a literal) and a local array [N]T are updated where they lie. In the IR
// an update yields a new version of the array and consumes the old one, so that the memory must have no other reader:
// no second name, no operator, no slice expression. An owner stands for one such slice; every value that is a version
// of it carries it. Reading an element, len and range over it are no escape, and neither is returning it from the
// function that made it. Every other use of the name is: from there on the slice may be read, not updated.

// owner is a local slice or array that may be updated in place.
type owner struct {
	depth   int       // operators around the place where it was made
	escaped token.Pos // the first use that was more than reading an element
	updated token.Pos // the last update
	loops   int       // around the place where it was made
	arms    int       // and branches
	counted *loop     // made with room for what the turns of this loop append
	sized   bool      // made with a capacity
	given   bool      // the source says how much room there is: see Note [Growing slices]
	// It has room for what the branches at hand append: see [lowerer.reserveBranches].
	reserved bool
	open     bool // its memory grows: see Note [Memory that grows]
	isArray  bool
}

func (o *owner) escape(pos token.Pos) {
	if !o.escaped.IsValid() {
		o.escaped = pos
	}
}

// alloc returns a new sequence of n zeros.
func (l *lowerer) alloc(t types.Type, n ir.Atom, pos token.Pos) value {
	elem, _ := isSequence(t)
	ts, err := l.layout(elem)
	if err != nil {
		p, _ := typeProblem(t)
		return l.problem(pos, p)
	}
	v := value{typ: t, own: &owner{depth: l.ops, loops: l.loops, arms: l.arms}}
	for _, e := range ts {
		if !e.IsScalar() {
			return l.problem(pos, notYet(CodeMake, "a slice of "+typeName(elem)+" that is updated in place", "a slice that is updated in place is one array of numbers",
				"make a flat one, with the elements of row i from i*width on"))
		}
		v.atoms = append(v.atoms, l.emit("made", e.Array(), &ir.Alloc{Kind: e.Kind, N: n}))
	}
	return v
}

// makeCall lowers make([]T, n).
func (l *lowerer) makeCall(e *ast.CallExpr) value {
	if len(e.Args) == 3 {
		return l.makeGrowing(e)
	}
	n := l.expr(e.Args[1])
	if n.bad || len(n.atoms) != 1 {
		return value{bad: true}
	}
	size := l.toInt(n.atoms[0])
	if c, ok := size.(ir.Const); !ok || c.Int() < 0 { // a negative one comes from the argument of an inlined function
		l.check(ir.CheckNonneg, "make", text(e.Args[1]), size)
	}
	if t := l.unit.info.TypeOf(e); !flatElements(t) {
		return l.blankRows(t, size, e.Pos())
	}
	return l.alloc(l.unit.info.TypeOf(e), size, e.Pos())
}

// sequenceLit lowers []T{…} and [N]T{…}.
func (l *lowerer) sequenceLit(e *ast.CompositeLit, t types.Type) value {
	elem, isSlice := isSequence(t)
	if isSlice && !flat(elem) {
		return l.constantRows(e, t)
	}
	length, of, fixed := isArray(t)
	if fixed {
		elem = of
	}
	entries := map[int64]value{}
	at, n := int64(0), int64(0)
	bad := false
	for _, x := range e.Elts {
		if kv, ok := x.(*ast.KeyValueExpr); ok {
			if i, exact := constant.Int64Val(constant.ToInt(l.unit.info.Types[kv.Key].Value)); exact {
				at = i
			}
			x = kv.Value
		}
		var v value
		if lit, ok := ast.Unparen(x).(*ast.CompositeLit); ok && lit.Type == nil {
			v = l.composite(lit, elem)
		} else if v = l.owning(x); !fixed || !l.heldAlone(v) {
			v = l.settled(v, x.Pos())
		}
		bad = bad || v.bad || v.fn != nil
		entries[at] = v
		at++
		n = max(n, at)
	}
	if fixed {
		n = length
	}
	if bad {
		return value{bad: true}
	}
	if fixed && !isLarge(t) {
		return l.arrayLit(t, n, elem, entries, e.Pos())
	}
	var out value
	if fixed {
		out = l.allocArray(t, e.Pos())
	} else {
		out = l.alloc(t, ir.IntConst(ir.Int, n), e.Pos())
	}
	if out.bad {
		return out
	}
	for _, i := range slices.Sorted(maps.Keys(entries)) {
		if fixed {
			out.atoms = l.putElement(out, elem, i, entries[i])
		} else {
			l.update(&out, ir.IntConst(ir.Int, i), entries[i])
		}
	}
	return out
}

// arrayLit is the array of n elements that has the entries, and zeros elsewhere.
func (l *lowerer) arrayLit(t types.Type, n int64, elem types.Type, entries map[int64]value, pos token.Pos) value {
	out := value{typ: t}
	var zero value
	for i := range n {
		v, ok := entries[i]
		if !ok {
			if zero.typ == nil {
				zero = l.zero(elem, pos)
			}
			v = zero
			if isStruct(elem) && hasSlices(elem) {
				v = l.zeroStruct(elem, pos)
			}
		}
		if v.bad {
			return v
		}
		if ok && isSlice(elem) && holds(v) {
			l.hold(&out, len(out.atoms), "part", elem, v)
			v.atoms = v.arrays()
		}
		if l.heldAlone(v) {
			out.held = out.held.with(v.held, len(out.atoms))
		}
		out.atoms = append(out.atoms, v.atoms...)
	}
	return out
}

// putElement returns the sequences of the array v, which lies in memory, with element i replaced.
func (l *lowerer) putElement(v value, elem types.Type, i int64, e value) []ir.Atom {
	if _, inner := arrayBase(elem); inner > 0 {
		v.typ, v.off = elem, ir.IntConst(ir.Int, i*inner)
		return l.overwritten(v, e, inner)
	}
	l.update(&v, ir.IntConst(ir.Int, i), e)
	return v.atoms
}

// update replaces element i of v.
func (l *lowerer) update(v *value, i ir.Atom, elem value) {
	atoms := append([]ir.Atom(nil), v.atoms...)
	for k, a := range atoms {
		if k < len(elem.atoms) && !l.unchanged(a, i, elem.atoms[k]) {
			atoms[k] = l.emit("made", a.Type(), &ir.Update{X: a, I: i, Value: elem.atoms[k]})
		}
	}
	v.atoms = atoms
}

// unchanged reports whether e was just read from element i of a, as for the other fields of x[i].f = v.
func (l *lowerer) unchanged(a, i, e ir.Atom) bool {
	for k := len(l.blk.Stmts) - 1; k >= 0; k-- {
		s := l.blk.Stmts[k]
		read, ok := s.Op.(*ir.Index)
		if ok && len(s.Dst) == 1 && ir.Atom(s.Dst[0]) == e {
			return read.X == a && read.I == i
		}
	}
	return false
}

// borrow lowers e for reading its elements: naming an owned slice is no escape here, unless the function of an operator
// reads it.
func (l *lowerer) borrow(e ast.Expr) value {
	if key, _ := l.fieldSlot(e); key != nil {
		l.pos = e.Pos()
		return l.heldValue(key)
	}
	if _, ok := ast.Unparen(e).(*ast.StarExpr); ok {
		if v, ok := l.env.vals[l.keptSlice(e)]; ok && v.own != nil && !v.bad {
			if l.ops > v.own.depth {
				v.own.escape(e.Pos())
			}
			return v
		}
	}
	if id := variableIdent(l.unit.info, e); id != nil {
		if obj, ok := l.unit.info.Uses[id].(*types.Var); ok {
			if isGlobal(obj) {
				l.global(obj, e.Pos())
			}
			if v := l.env.vals[obj]; v.ref != nil {
				return l.follow(v.ref)
			}
			if l.env.vals[obj].grow != nil {
				return l.problem(e.Pos(), growingRead(obj.Name()))
			}
			if v, ok := l.env.vals[obj]; ok && (v.own != nil || v.rows != nil || v.held != nil || inMemory(v)) && !v.bad {
				if v.own != nil && l.ops > v.own.depth {
					v.own.escape(id.Pos())
				}
				return v
			}
		}
	}
	if key := l.heldTable(e); key != nil {
		l.pos = e.Pos()
		return l.heldValue(key)
	}
	if sel, ok := ast.Unparen(e).(*ast.SelectorExpr); ok { // a struct, or an array, in what a pointer points to
		if v := l.fieldBehind(sel); v.held != nil || inMemory(v) {
			return v
		}
	}
	if ref := l.rowReference(e); ref.ref != nil {
		return l.follow(ref.ref)
	} else if ref.bad {
		return ref
	}
	if part := l.namedPart(e, nil, false); part.ref != nil {
		return l.follow(part.ref)
	} else if part.typ != nil {
		return part
	}
	return l.expr(e)
}

// leave lowers a result of the function at hand: a slice that the function made goes to the caller as it is.
func (l *lowerer) leave(e ast.Expr) (value, bool) {
	if key := l.heldSlot(e); key != nil {
		v := l.env.vals[key]
		return v, holds(v) && slices.Contains(l.env.keys[l.frame.start:], any(key))
	}
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return value{}, false
	}
	obj, ok := l.unit.info.Uses[id].(*types.Var)
	if !ok {
		return value{}, false
	}
	v, ok := l.env.vals[obj]
	if ok && v.held != nil && !v.bad && !v.lent {
		for _, key := range v.held {
			if x := l.env.vals[key]; x.own != nil && x.own.escaped.IsValid() {
				return value{}, false
			}
		}
		return v, slices.Contains(l.env.keys[l.frame.start:], any(obj))
	}
	if ok && !v.bad && v.rows != nil && !v.rows.escaped.IsValid() {
		return v, slices.Contains(l.env.keys[l.frame.start:], any(obj))
	}
	if !ok || v.own == nil || v.bad || v.own.escaped.IsValid() || inMemory(v) && !isLarge(v.typ) {
		return value{}, false
	}
	for _, key := range l.env.keys[l.frame.start:] {
		if key == any(obj) {
			return v, true
		}
	}
	return value{}, false
}

// throughPointer reports whether the assignment to e follows a pointer.
func (l *lowerer) throughPointer(e ast.Expr) bool {
	for {
		var x ast.Expr
		switch t := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			x = t.X
		case *ast.IndexExpr:
			x = t.X
		case *ast.StarExpr:
			return true
		default:
			return false
		}
		if isPointer(l.unit.info.TypeOf(x)) {
			return true
		}
		e = x
	}
}

// mayUpdate reports whether an element of x, the value of the variable name, may be assigned, and what is wrong if not.
func (l *lowerer) mayUpdate(x value, name string, pos token.Pos) bool {
	switch {
	case x.own != nil && !x.own.escaped.IsValid():
		return true
	case l.unit.standard:
		l.standardUpdate(x)
	case x.own != nil:
		p := updateAfterEscape(name, l.prog.irPos(x.own.escaped).String())
		if x.grid != nil || x.row != nil { // whose copy has the same rows
			p.fix = "make all updates before"
		}
		l.problem(pos, p)
	case x.shared != nil:
		l.problem(pos, updateOfAlias(name, l.prog.irPos(x.shared.escaped).String()))
	case x.bad && x.late == nil: // reported
	default:
		l.problem(pos, l.notOwned(name))
	}
	return false
}

// standardUpdate reports that the function of the standard library at hand, which updates a slice, was given one that
// may not be updated.
func (l *lowerer) standardUpdate(x value) {
	why := "a slice that comes into a function, or out of an operator, is read by other iterations at the same time"
	switch {
	case x.bad && x.late == nil:
		return // reported
	case x.own != nil:
		why = "the slice was used as a whole at " + l.prog.irPos(x.own.escaped).String() + ": what got it there reads the same memory"
	case x.shared != nil:
		why = "a slice is updated under the one name that it was made with, and as a whole"
	}
	name := l.standardName()
	l.problem(l.outside, problem{CodeInputWrite, name + " updates a slice that is not the function's own", why,
		"give it a copy that has a name: copied := slices.Clone(" + l.outsideArg + "), and then " + name + " of copied"})
}

// standardName is the function of the standard library that the user's code called.
func (l *lowerer) standardName() string {
	for i, f := range l.stack {
		if f.decl != nil && f.unit.standard && (i == 0 || !l.stack[i-1].unit.standard) {
			name, _, _ := strings.Cut(f.decl.obj.Name(), "[") // without the types of an instance
			return f.unit.pkg.Name() + "." + name
		}
	}
	return "the function"
}

// notOwned says that the elements of the variable name are not the function's to assign.
func (l *lowerer) notOwned(name string) problem {
	f := l.stack[len(l.stack)-1]
	if f.decl != nil && len(l.stack) > 1 {
		for _, v := range f.params() {
			if v.Name() == name {
				return paramWrite(name, f.name())
			}
		}
	}
	return elementWrite(name)
}

func updateAfterEscape(name, escape string) problem {
	return problem{CodeUnique, "an element of " + name + " is assigned after " + name + " was used as a whole at " + escape,
		"what got the slice there (another name, an operator, a part of it) reads the same memory, so that it is no longer known who sees the update",
		"make all updates before, or update a copy, as in copied := slices.Clone(" + name + ")"}
}

func updateOfAlias(name, escape string) problem {
	return problem{CodeUnique, "an element of " + name + " is assigned, and " + name + " shares its elements with the slice that was named at " + escape,
		"a slice is updated under the one name that it was made with",
		"update it under its first name before, or update a copy, as in copied := slices.Clone(" + name + ")"}
}
