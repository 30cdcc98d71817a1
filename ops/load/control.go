package load

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
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

// ifStmt lowers s, and says whether it has lowered rest, the statements behind s, as well.
func (l *lowerer) ifStmt(s *ast.IfStmt, rest []ast.Stmt) bool {
	l.stmt(s.Init)
	defer l.reserveBranches(s, rest)()
	forget := l.callsFirst(s.Cond)
	cond := l.expr(s.Cond)
	forget()
	if cond.bad || len(cond.atoms) != 1 {
		return false
	}
	var els []ast.Stmt
	if s.Else != nil {
		els = []ast.Stmt{s.Else}
	}
	return l.branch(s.Pos(), cond.atoms[0], s.Body.List, func(rest []ast.Stmt) bool { l.run(join(els, rest)); return true }, rest)
}

// branch lowers a choice: then if cond holds, els otherwise. els takes statements to lower behind its own, and says
// whether it did. branch itself says whether it has lowered rest.
func (l *lowerer) branch(pos token.Pos, cond ir.Atom, then []ast.Stmt, els func(rest []ast.Stmt) bool, rest []ast.Stmt) bool {
	if c, ok := cond.(ir.Const); ok {
		if c.Bits != 0 {
			l.run(join(then, rest))
			return true
		}
		return els(rest)
	}
	t := l.arm(func() { l.run(then) })
	if l.isDead(t) {
		e := l.arm(func() {
			if !els(rest) {
				l.run(rest)
			}
		})
		l.join(pos, cond, t, e)
		return true
	}
	e := l.arm(func() { els(nil) })
	if l.isDead(e) {
		l.resume(t, func() { l.run(rest) })
		l.join(pos, cond, t, e)
		return true
	}
	l.join(pos, cond, t, e)
	return false
}

// switchStmt lowers s as a chain of conditions; see ifStmt.
func (l *lowerer) switchStmt(s *ast.SwitchStmt, rest []ast.Stmt) bool {
	label := l.takeLabel()
	l.stmt(s.Init)
	defer l.reserveBranches(s, rest)()
	var tag *value
	if s.Tag != nil {
		v := l.expr(s.Tag)
		if v.bad {
			return false
		}
		tag = &v
	}
	var clauses []*ast.CaseClause
	var otherwise []ast.Stmt
	breaks := false
	for _, c := range fallsThrough(s.Body.List) {
		c.Body = withoutBreak(c.Body)
		breaks = breaks || jumpsTo(c.Body, token.BREAK, label)
		if c.List == nil {
			otherwise = c.Body
		} else {
			clauses = append(clauses, c)
		}
	}
	var chain func(i int, rest []ast.Stmt) bool
	chain = func(i int, rest []ast.Stmt) bool {
		if i == len(clauses) {
			l.run(join(otherwise, rest))
			return true
		}
		c := clauses[i]
		cond, ok := l.caseCond(c, tag, s.Tag)
		if !ok {
			return false
		}
		return l.branch(c.Pos(), cond, c.Body, func(rest []ast.Stmt) bool { return chain(i+1, rest) }, rest)
	}
	if !breaks {
		return chain(0, rest)
	}
	broke := l.push("broke", label)
	chain(0, nil)
	l.pop(broke)
	return false
}

// fallsThrough returns the cases of a switch. Where one falls through, what follows in the next one is a part of it.
func fallsThrough(list []ast.Stmt) []*ast.CaseClause {
	out := make([]*ast.CaseClause, len(list))
	for i := len(list) - 1; i >= 0; i-- {
		c, ok := list[i].(*ast.CaseClause)
		if !ok {
			c = &ast.CaseClause{}
		}
		out[i] = &ast.CaseClause{Case: c.Case, List: c.List, Body: c.Body}
		if n := len(c.Body); n > 0 && i+1 < len(out) {
			if b, ok := c.Body[n-1].(*ast.BranchStmt); ok && b.Tok == token.FALLTHROUGH {
				out[i].Body = join(c.Body[:n-1], []ast.Stmt{&ast.BlockStmt{List: out[i+1].Body}})
			}
		}
	}
	return out
}

// takeLabel returns the label of the loop or switch that begins here.
func (l *lowerer) takeLabel() string {
	label := l.label
	l.label = ""
	return label
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

// caseCond lowers the condition of a case: the tag equals one of its expressions, or one of them is true.
func (l *lowerer) caseCond(c *ast.CaseClause, tag *value, tagExpr ast.Expr) (ir.Atom, bool) {
	var cond ir.Atom
	for _, e := range c.List {
		one := func() (ir.Atom, bool) {
			v := l.expr(e)
			if tag != nil && !v.bad {
				v = l.binary(token.EQL, *tag, v, e.Pos(), tagExpr, e)
			}
			if v.bad || len(v.atoms) != 1 {
				return nil, false
			}
			return v.atoms[0], true
		}
		var ok bool
		if cond == nil {
			if cond, ok = one(); !ok {
				return nil, false
			}
			continue
		}
		if cond, ok = l.shortCircuit(token.LOR, cond, one, e.Pos()); !ok {
			return nil, false
		}
	}
	return cond, cond != nil
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

// assigned returns the variables that n assigns, without those of function literals, which assign only their own.
func assigned(info *types.Info, nodes ...ast.Node) map[*types.Var]bool {
	vars := map[*types.Var]bool{}
	add := func(e ast.Expr) {
		for {
			switch x := ast.Unparen(e).(type) {
			case *ast.SelectorExpr:
				e = x.X
				continue
			case *ast.IndexExpr:
				e = x.X
				continue
			case *ast.Ident:
				if v, ok := info.Uses[x].(*types.Var); ok {
					vars[v] = true
				}
			}
			return
		}
	}
	for _, n := range nodes {
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.AssignStmt:
				for _, e := range n.Lhs {
					add(e)
				}
			case *ast.IncDecStmt:
				add(n.X)
			case *ast.RangeStmt:
				if n.Tok == token.ASSIGN {
					add(n.Key)
					if n.Value != nil {
						add(n.Value)
					}
				}
			}
			return true
		})
	}
	return vars
}

// intConst returns the value of an integer constant expression.
func intConst(info *types.Info, e ast.Expr) (int64, bool) {
	tv := info.Types[e]
	if tv.Value == nil {
		return 0, false
	}
	return constant.Int64Val(constant.ToInt(tv.Value))
}
