package load

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// Note [Returns from loops]
//
// What a loop carries is one sequence of one length, but a function may return another one from each place: nil with
// an error from within the loop, what the loop has filled behind it. So a loop does not carry the sequences among the
// results. It carries the number of the return statement that left it, and behind the outermost loop of the function
// what that statement returns is lowered, under the condition that it was this one. In between nothing runs. The loop
// carries the numbers that its own variables had, too. Where sequences are made of other variables of the loop, what
// it returns is carried. Of a single return statement nothing is carried but that it ran.

// late are the sequences that are returned from within a loop.
type late struct {
	which   *slot        // the number of the return statement, from 1 on, 0 if none has run; nil where all return nil
	single  bool         // which is whether the only one has run
	results map[any]bool // the keys of the results that are sequences
	others  bool         // that something else than nil and "" is returned
	before  map[*types.Var]bool
	saved   map[*types.Var]*slot // numbers of the loop that these sequences are made of
	count   int                  // of return statements in the loop
	returns []*ast.ReturnStmt    // which have been lowered
}

// lateReturns begins the outermost loop of a function, which may return from it. What it gives is to be called behind
// the loop.
func (l *lowerer) lateReturns(lp *loop) func() {
	d := &late{which: &slot{name: "returns", typ: types.Typ[types.Int]}, results: map[any]bool{}, before: map[*types.Var]bool{}, saved: map[*types.Var]*slot{}}
	for i, key := range l.frame.results {
		if _, unnamed := key.(*slot); unnamed && !flat(l.frame.types[i]) && !isPointer(l.frame.types[i]) && !isFunc(l.frame.types[i]) {
			d.results[key] = true
		}
	}
	for _, key := range l.env.keys {
		if v, ok := key.(*types.Var); ok && (v.Pos() < lp.pos || lp.body.End() <= v.Pos()) { // and not declared by the loop
			d.before[v] = true
		}
	}
	if len(d.results) == 0 || !l.onlyLate(lp.body, d) {
		return func() {}
	}
	if !d.others { // what the results are anyway
		d.which = nil
		l.frame.late = d
		return func() { l.frame.late = nil }
	}
	if d.single = d.count == 1 && slices.Equal(l.env.vals[l.frame.returned].atoms, boolValue(false).atoms); d.single {
		d.which = l.frame.returned
	} else {
		l.env.set(d.which, value{typ: d.which.typ, atoms: []ir.Atom{zeroInt}})
	}
	for _, s := range d.slots() {
		kind, _ := scalarKind(s.typ)
		l.env.set(s, value{typ: s.typ, atoms: []ir.Atom{zeroConst(kind)}})
	}
	l.frame.late = d
	return func() {
		l.frame.late = nil
		l.returnedLate(d, 0)
	}
}

// variables are the variables of the loop that are saved, in the order of the source.
func (d *late) variables() []*types.Var {
	return slices.SortedFunc(maps.Keys(d.saved), func(v, w *types.Var) int { return cmp.Compare(v.Pos(), w.Pos()) })
}

// slots are where they are saved.
func (d *late) slots() []*slot {
	var all []*slot
	for _, v := range d.variables() {
		all = append(all, d.saved[v])
	}
	return all
}

// escapes returns where each slice that the function made escaped.
func (l *lowerer) escapes() map[*owner]token.Pos {
	all := map[*owner]token.Pos{}
	for _, key := range l.env.keys {
		if own := l.env.vals[key].own; own != nil {
			all[own] = own.escaped
		}
	}
	return all
}

// onlyLate reports whether the sequences that n returns can be lowered behind the loop.
func (l *lowerer) onlyLate(n ast.Node, d *late) bool {
	ok := true
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			if l.frame.exits[n] {
				return false
			}
			d.count++
			switch len(n.Results) {
			case len(l.frame.results):
				for i, e := range n.Results {
					if d.results[l.frame.results[i]] {
						ok = ok && l.isLate(e, d)
						tv := l.unit.info.Types[e]
						d.others = d.others || !tv.IsNil() && !(tv.Value != nil && constant.StringVal(tv.Value) == "")
					}
				}
			default:
				ok = false
			}
		}
		return ok
	})
	return ok
}

// isLate reports whether e has the same value behind the loop: it is made of variables from before it, by nothing but
// conversions, copies and parts.
func (l *lowerer) isLate(e ast.Expr, d *late) bool {
	ok := true
	info := l.unit.info
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			v, isVar := info.ObjectOf(n).(*types.Var)
			if isVar && !v.IsField() && !isGlobal(v) && !d.before[v] {
				if _, isScalar := scalarKind(v.Type()); !isScalar {
					ok = false
				} else if d.saved[v] == nil {
					d.saved[v] = &slot{name: v.Name(), typ: v.Type()}
				}
			}
		case *ast.CallExpr:
			b, isBuiltin := info.Uses[calleeIdent(n)].(*types.Builtin)
			ok = ok && (info.Types[n.Fun].IsType() || isBuiltin && slices.Contains([]string{"len", "append", "make", "min", "max"}, b.Name()))
		case *ast.FuncLit:
			ok = false
		}
		return ok
	})
	return ok
}

// returnLate lowers what a return statement within a loop returns, but for the sequences, and notes the statement.
func (l *lowerer) returnLate(s *ast.ReturnStmt) []value {
	d := l.frame.late
	if d.which != nil {
		d.returns = append(d.returns, s)
		if !d.single {
			l.env.set(d.which, value{typ: d.which.typ, atoms: []ir.Atom{ir.IntConst(ir.Int, int64(len(d.returns)))}})
		}
	}
	for _, v := range d.variables() {
		if x, ok := l.env.vals[v]; ok && mentions(l.unit.info, s, map[*types.Var]bool{v: true}) {
			l.env.set(d.saved[v], l.use(x, s.Pos()))
		}
	}
	out := make([]value, len(s.Results))
	var now []ast.Expr
	for i, e := range s.Results {
		if !d.results[l.frame.results[i]] {
			now = append(now, e)
		}
	}
	vs := l.exprs(now, len(now))
	for i := range s.Results {
		if !d.results[l.frame.results[i]] {
			out[i], vs = vs[0], vs[1:]
		}
	}
	return out
}

// returnedLate lowers the sequences of the return statements from number i on, each where it was that one.
func (l *lowerer) returnedLate(d *late, i int) {
	which := l.env.vals[d.which]
	if i == len(d.returns) || which.bad || len(which.atoms) != 1 {
		return
	}
	s := d.returns[i]
	escaped := l.escapes()
	defer func() {
		for own, pos := range escaped { // nothing updates them behind the return
			own.escaped = pos
		}
	}()
	saved := l.pos
	l.pos = s.Pos()
	flags := l.flags
	l.flags = nil
	set := func() {
		known := len(l.env.keys)
		defer func() { l.env.truncate(known) }()
		for _, v := range d.variables() {
			l.env.set(v, l.env.vals[d.saved[v]])
		}
		for k, e := range s.Results {
			key := l.frame.results[k]
			if !d.results[key] {
				continue
			}
			v, ok := l.leave(e)
			if !ok {
				v = l.owning(e)
			}
			v = l.converted(v, l.frame.types[k], s.Pos())
			if v.fn == nil && !v.bad {
				v.typ = l.frame.types[k]
			}
			l.env.set(key, v)
		}
	}
	here := which.atoms[0]
	if number := ir.IntConst(ir.Int, int64(i+1)); !d.single {
		if c, ok := foldBinary(ir.Eq, here, number); ok {
			here = c
		} else {
			here = l.bin("here", ir.Eq, here, number)
		}
	}
	switch cond, known := here.(ir.Const); {
	case known && cond.Bits != 0:
		set()
	case known:
		l.returnedLate(d, i+1)
	default:
		then := l.arm(set)
		els := l.arm(func() { l.returnedLate(d, i+1) })
		l.join(s.Pos(), here, then, els)
	}
	l.flags, l.pos = flags, saved
}
