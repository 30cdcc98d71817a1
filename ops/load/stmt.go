package load

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/surge-ndp/surge/ops/ir"
)

// inline lowers a call of f and returns its results.
func (l *lowerer) inline(f *funcValue, args []value, pos token.Pos) []value {
	if len(l.stack) > 0 {
		l.tick()
	}
	if f.decl != nil && l.prog.asIs[f.decl] != nil {
		if f.recv != nil {
			args = append([]value{*f.recv}, args...)
		} else if f.path != nil && len(args) > 0 {
			args = append([]value{l.receive(f, args[0])}, args[1:]...)
		}
		return l.callAsIs(f.decl, args, pos)
	}
	if f.unit != nil && f.unit.standard && f.unit.pkg.Path() == "math/cmplx" {
		l.kernel.Approximate = true
	}
	if f.math != "" {
		return []value{l.mathCall(f.math, args, pos)}
	}
	if f.std != nil {
		return l.intrinsicCall(f.std, args, pos)
	}
	var body *ast.BlockStmt
	var sig *types.Signature
	if f.lit != nil {
		body = f.lit.Body
		sig, _ = f.unit.info.TypeOf(f.lit).(*types.Signature)
	} else {
		body, sig = f.decl.decl.Body, f.decl.obj.Signature()
	}
	if f.recv != nil {
		args = append([]value{*f.recv}, args...)
	} else if f.path != nil && len(args) > 0 {
		args = append([]value{l.receive(f, args[0])}, args[1:]...)
	}
	params := f.params()
	bad := sig == nil || body == nil || len(params) != len(args)
	names := []string{f.name()}
	for i := len(l.stack) - 1; i >= 0 && !bad; i-- {
		g := l.stack[i]
		names = append([]string{g.name()}, names...)
		if f.lit != nil && g.lit == f.lit || f.decl != nil && g.decl == f.decl {
			l.prog.rep.at(pos, recursive(names))
			bad = true
		}
	}
	if bad {
		if sig == nil {
			return []value{{bad: true}}
		}
		return badResults(sig)
	}

	savedUnit, savedFrame, savedFlags, savedPos, keep := l.unit, l.frame, l.flags, l.pos, len(l.env.keys)
	l.stack = append(l.stack, f)
	if f.unit.standard && !l.unit.standard {
		l.outside = pos
	}
	l.unit = f.unit
	fr := &frame{returned: &slot{name: "returned", typ: types.Typ[types.Bool]}, start: keep}
	l.frame, l.flags = fr, []*slot{l.panicked, fr.returned}
	l.env.set(fr.returned, boolValue(false))
	for i, v := range args {
		v = l.converted(v, params[i].Type(), pos)
		if v.fn == nil && !v.bad {
			v.typ = params[i].Type()
		}
		if v.fn == nil && !v.bad && v.ref == nil && v.ptr == nil && !(inMemory(v) && v.own != nil) && (l.liesInMemory(params[i]) || l.holdsTables(params[i])) {
			l.pos = pos
			l.bind(params[i], v)
			continue
		}
		l.env.set(params[i], v)
	}
	if l.prog.exits && l.loops+l.ops == 0 && !l.unit.standard {
		fr.exits = exits(l.unit.info, body, sig.Results())
	}
	explicit := returns(body) && !returnsBare(body)
	for i := range sig.Results().Len() {
		v := sig.Results().At(i)
		t := f.resultType(i, v.Type())
		var key any = v
		if named := v.Name() != "" && v.Name() != "_"; !named || explicit && !flat(t) || f.pointsTo(i) {
			key = &slot{name: resultName(i, sig.Results().Len()), typ: t}
			if named { // a variable like others
				l.declare(v)
			}
		}
		fr.results, fr.types = append(fr.results, key), append(fr.types, t)
		if u, ok := key.(*types.Var); ok {
			l.declare(u)
		} else {
			l.env.set(key, value{typ: t, unset: true})
		}
	}
	l.run(body.List)
	results := make([]value, len(fr.results))
	for i, key := range fr.results {
		if results[i] = l.use(l.env.vals[key], pos); !isLarge(results[i].typ) {
			results[i] = l.whole(results[i], pos)
		}
	}
	kept := l.keptResults(results, keep)
	l.env.truncate(keep)
	kept()
	l.unit, l.frame, l.flags, l.pos = savedUnit, savedFrame, savedFlags, savedPos
	l.stack = l.stack[:len(l.stack)-1]
	for i, r := range results {
		if t := sig.Results().At(i).Type(); f.pointsTo(i) && !r.bad && len(l.stack) > 0 { // a kernel that another one calls
			results[i] = l.newVariable(resultName(i, len(results)), r, t.Underlying().(*types.Pointer).Elem())
		}
	}
	return results
}

func badResults(sig *types.Signature) []value {
	out := make([]value, max(sig.Results().Len(), 1))
	for i := range out {
		out[i] = value{bad: true}
	}
	return out
}

func boolValue(b bool) value {
	return value{typ: types.Typ[types.Bool], atoms: []ir.Atom{ir.BoolConst(b)}}
}

// run lowers statements in order. Where some of them may have been skipped by a jump, the rest is put under a
// condition.
func (l *lowerer) run(list []ast.Stmt) {
	for i, s := range list {
		dead, dynamic := l.status(l.env)
		if dead {
			return
		}
		if len(dynamic) > 0 {
			l.guard(dynamic, s.Pos(), func() { l.run(list[i:]) })
			return
		}
		l.label = ""
		if labeled, ok := s.(*ast.LabeledStmt); ok {
			l.label, s = labeled.Label.Name, labeled.Stmt
		}
		switch s := s.(type) {
		case *ast.BlockStmt:
			l.run(join(s.List, list[i+1:]))
			return
		case *ast.IfStmt:
			if l.ifStmt(s, list[i+1:]) {
				return
			}
		case *ast.SwitchStmt:
			if l.switchStmt(s, list[i+1:]) {
				return
			}
		default:
			l.stmt(s)
		}
	}
}

func join(a, b []ast.Stmt) []ast.Stmt {
	return append(a[:len(a):len(a)], b...)
}

// stmt lowers one statement that is neither a block nor a branch.
func (l *lowerer) stmt(s ast.Stmt) {
	if s == nil {
		return
	}
	l.pos = s.Pos()
	switch s := s.(type) {
	case *ast.AssignStmt:
		l.adoptCalled(s)
		l.assign(s)
	case *ast.IncDecStmt:
		op := token.ADD
		if s.Tok == token.DEC {
			op = token.SUB
		}
		target := l.place(s.X)
		x := target.read()
		if x.bad || len(x.atoms) == 0 {
			target.write(value{bad: true})
			return
		}
		kind := x.atoms[0].Type().Kind
		one := value{typ: x.typ, atoms: []ir.Atom{oneConst(kind)}}
		if len(x.atoms) == 2 { // a complex number
			one.atoms = append(one.atoms, zeroConst(kind))
		}
		target.write(l.binary(op, x, one, s.TokPos, s.X, nil))
	case *ast.DeclStmt:
		l.decl(s)
	case *ast.ExprStmt:
		if call, ok := ast.Unparen(s.X).(*ast.CallExpr); ok {
			l.adoptUpdated(s)
			l.call(call)
		}
	case *ast.ReturnStmt:
		l.returnStmt(s)
	case *ast.BranchStmt:
		l.jump(s)
	case *ast.ForStmt:
		l.forStmt(s)
	case *ast.RangeStmt:
		l.rangeStmt(s)
	}
}

func oneConst(k ir.Kind) ir.Const {
	if k.IsFloat() {
		return ir.FloatConst(k, 1)
	}
	return ir.IntConst(k, 1)
}

func (l *lowerer) assign(s *ast.AssignStmt) {
	defer l.callsFirst(append(append([]ast.Expr{}, s.Lhs...), s.Rhs...)...)()
	if s.Tok != token.ASSIGN && s.Tok != token.DEFINE {
		target := l.place(s.Lhs[0])
		x, y := target.read(), l.expr(s.Rhs[0])
		target.write(l.binary(opOf(s.Tok), x, y, s.TokPos, s.Lhs[0], s.Rhs[0]))
		return
	}
	if l.inPlace(s) || l.exchange(s) || l.exchangeRows(s) || l.replaceElements(s) || l.namesRow(s) || l.narrowsPart(s) {
		return
	}
	targets := make([]place, len(s.Lhs))
	for i, e := range s.Lhs {
		targets[i] = l.place(e)
	}
	for i, v := range l.apartFrom(s.Lhs, l.exprs(s.Rhs, len(s.Lhs))) {
		targets[i].write(v)
	}
}

// opOf returns the operator of an assignment such as +=.
func opOf(tok token.Token) token.Token { return tok - token.ADD_ASSIGN + token.ADD }

// exprs lowers the n values of an expression list, which may be one call with n results.
func (l *lowerer) exprs(list []ast.Expr, n int) []value {
	if len(list) == 1 && n > 1 {
		if call, ok := ast.Unparen(list[0]).(*ast.CallExpr); ok {
			vs := l.call(call)
			for len(vs) < n {
				vs = append(vs, value{bad: true})
			}
			return vs[:n]
		}
	}
	defer l.callsFirst(list...)()
	vs := make([]value, n)
	for i := range vs {
		vs[i] = value{bad: true}
		if i < len(list) {
			vs[i] = l.owning(list[i])
		}
	}
	return vs
}

// store assigns v to a variable, to what [lowerer.place] says, or to nothing.
func (l *lowerer) store(target ast.Expr, v value) {
	t, ok := ast.Unparen(target).(*ast.Ident)
	if !ok {
		l.place(target).write(v)
		return
	}
	if t.Name == "_" {
		return
	}
	if obj, ok := l.unit.info.ObjectOf(t).(*types.Var); ok {
		if old := l.env.vals[obj]; l.unit.info.Defs[t] != nil && old.own != nil { // of an earlier turn
			l.env.vals[obj] = value{bad: true}
		}
		v = l.converted(v, obj.Type(), t.Pos())
		if v.fn == nil && !v.bad {
			v.typ = obj.Type()
		}
		if l.unit.info.Defs[t] != nil && v.fn == nil && v.ptr == nil {
			v = l.headroom(obj, v)
		}
		if isSlice(obj.Type()) {
			l.strand(l.env, obj)
		}
		l.bind(obj, v)
		if gridRank(obj.Type()) > 1 && l.mayBecomeGrid(obj) && l.updatesRowsOf(obj) {
			l.toGrid(obj)
		}
	}
}

func (l *lowerer) decl(s *ast.DeclStmt) {
	g, ok := s.Decl.(*ast.GenDecl)
	if !ok || g.Tok != token.VAR {
		return
	}
	for _, spec := range g.Specs {
		spec, ok := spec.(*ast.ValueSpec)
		if !ok {
			continue
		}
		if len(spec.Values) == 0 {
			for _, name := range spec.Names {
				if obj := l.unit.info.Defs[name]; obj != nil {
					if v, ok := obj.(*types.Var); ok && l.liesInMemory(v) {
						delete(l.env.vals, obj)
						l.env.set(obj, l.named(l.allocArray(obj.Type(), name.Pos()), name.Name))
						continue
					}
					zero := value{typ: obj.Type(), unset: true}
					if v, ok := obj.(*types.Var); ok {
						zero = l.headroom(v, zero)
						if hasSlices(obj.Type()) || hasTables(obj.Type()) {
							zero = l.zeroSlices(v, zero)
						}
						if l.holdsTables(v) {
							zero = l.holdTables(l.use(zero, name.Pos()), nil)
						}
					}
					l.env.set(obj, zero)
				}
			}
			continue
		}
		for i, v := range l.apartFrom(nil, l.exprs(spec.Values, len(spec.Names))) {
			l.store(spec.Names[i], v)
		}
	}
}

func (l *lowerer) returnStmt(s *ast.ReturnStmt) {
	if l.frame.exits[s] {
		l.exit(s)
		return
	}
	if len(s.Results) > 0 {
		var list []value
		if l.frame.late != nil {
			list = l.returnLate(s)
		} else {
			list = l.results(s)
		}
		for i, v := range list {
			if v.fn == nil && v.atoms == nil && v.late == nil && v.typ == nil && !v.bad { // comes behind the loop
				continue
			}
			v = l.converted(v, l.frame.types[i], s.Pos())
			if v.fn == nil && !v.bad {
				v.typ = l.frame.types[i]
			}
			l.env.set(l.frame.results[i], v)
		}
	}
	l.env.set(l.frame.returned, boolValue(true))
}

// results lowers the values of a return statement.
func (l *lowerer) results(s *ast.ReturnStmt) []value {
	defer l.callsFirst(s.Results...)()
	n := len(l.frame.results)
	if len(s.Results) != n {
		return l.exprs(s.Results, n)
	}
	vs := make([]value, n)
	for i, e := range s.Results {
		if v, ok := l.returnsPlace(e); ok {
			vs[i] = v
			continue
		}
		if v := variable(l.unit.info, e); v != nil && any(v) == l.frame.results[i] && inMemory(l.env.vals[v]) {
			continue // it is there already: to read it as a whole would end that its elements can be assigned
		}
		v, ok := l.leave(e)
		if !ok {
			v = l.owning(e)
		} else {
			for _, before := range vs[:i] {
				if v.own != nil && before.own == v.own { // returned twice
					v.own.escape(e.Pos())
				}
			}
		}
		vs[i] = v
	}
	return vs
}
