package load

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Note [Package-level variables]
//
// A variable of a package that nothing in the module assigns, but its declaration and the functions init, has one
// value while kernels run. A kernel that reads it has a hidden parameter for it, which generated code passes, so that
// the kernel still depends on its parameters only. Small values that are written as constants are put in their place
// instead: an element at a constant index then is a constant. A longer array is a sequence, as an array in memory is
// (see Note [Fixed arrays]): that of an array of arrays is all their elements, one behind the other.

// globalVar is the declaration of a package-level variable.
type globalVar struct {
	unit *unit
	init ast.Expr // nil if it has none, or shares a call with others
}

// declared returns how a package-level variable is declared, if its package belongs to the module.
func (p *program) declared(obj *types.Var) (globalVar, bool) {
	if p.globals == nil {
		p.globals = map[*types.Var]globalVar{}
		for _, u := range p.units {
			for _, f := range u.files {
				for _, d := range f.Decls {
					g, ok := d.(*ast.GenDecl)
					if !ok || g.Tok != token.VAR {
						continue
					}
					for _, spec := range g.Specs {
						p.declare(u, spec)
					}
				}
			}
		}
	}
	g, ok := p.globals[obj]
	return g, ok
}

func (p *program) declare(u *unit, spec ast.Spec) {
	s, ok := spec.(*ast.ValueSpec)
	if !ok {
		return
	}
	for i, name := range s.Names {
		if v, ok := u.info.Defs[name].(*types.Var); ok {
			g := globalVar{unit: u}
			if len(s.Values) == len(s.Names) {
				g.init = s.Values[i]
			}
			p.globals[v] = g
		}
	}
}

// assigns reports whether a function of the module other than init assigns the package-level variable, or may do so.
func (p *program) assigns(obj *types.Var) bool {
	if p.assignedGlobals == nil {
		p.assignedGlobals = map[*types.Var]bool{}
		for _, u := range p.units {
			e := newEffects(p, u)
			for _, f := range u.files {
				for _, d := range f.Decls {
					if fd, ok := d.(*ast.FuncDecl); ok && fd.Body != nil && !(fd.Recv == nil && fd.Name.Name == "init") {
						e.walk(fd.Body)
						e.addresses(fd.Body)
					}
				}
			}
			e.settle()
			for v := range e.direct {
				p.assignedGlobals[v] = true
			}
			for v := range e.through {
				p.assignedGlobals[v] = true
			}
		}
	}
	return p.assignedGlobals[obj]
}

// addresses notes every variable whose address is taken but to be given to a function of the program, which is known.
func (e *effects) addresses(n ast.Node) {
	known := map[ast.Expr]bool{}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if id := calleeIdent(n); id != nil && e.prog.callee(e.unit, id) != nil {
				for _, a := range n.Args {
					known[ast.Unparen(a)] = true
				}
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND && !known[n] {
				e.target(n.X)
			}
		}
		return true
	})
}

// global gives a package-level variable its value in env, on its first use; it reports one that kernels cannot read.
func (l *lowerer) global(obj *types.Var, pos token.Pos) {
	if _, ok := l.env.vals[obj]; ok {
		return
	}
	v, ok := l.globals[obj]
	if !ok {
		saved := l.pos
		l.pos = pos
		v = l.globalValue(obj, pos)
		l.pos = saved
		l.globals[obj] = v
	}
	l.memory[obj] = v.mem
	if v.ptr != nil {
		l.env.set(v.ptr.root, l.pointees[v.ptr.root])
	}
	l.env.set(obj, v)
}

func (l *lowerer) globalValue(obj *types.Var, pos token.Pos) value {
	if isFunc(obj.Type()) || l.prog.assigns(obj) {
		return l.problem(pos, globalRead(obj))
	}
	if isError(obj.Type()) {
		return l.errorVariable(obj, pos)
	}
	decl, ours := l.prog.declared(obj)
	n := numbers(obj.Type())
	nameable := obj.Pkg() == l.prog.root.pkg || obj.Exported() && !internalTo(obj.Pkg().Path(), l.prog.root.pkg.Path())
	table := n > maxChosen && nameable && (isVector(obj.Type()) || isMatrix(obj.Type()) && l.prog.indexesGlobal(obj))
	if ours && decl.init != nil && n <= MaxComponents && isWritten(decl.unit.info, decl.init) && !table {
		unit := l.unit
		l.unit = decl.unit
		v := l.expr(decl.init)
		l.unit = unit
		v.typ = obj.Type()
		return v
	}
	if !nameable {
		return l.problem(pos, problem{CodeGlobal, "the package-level variable " + obj.Pkg().Name() + "." + obj.Name() + " is read",
			"generated code of this package passes it to the kernel, and cannot name it", "export it: " + strings.ToUpper(obj.Name()[:1]) + obj.Name()[1:]})
	}
	return l.hidden(obj, pos)
}

// isMatrix reports whether t is an array of arrays of numbers.
func isMatrix(t types.Type) bool {
	base, n := arrayBase(t)
	_, scalar := scalarKind(base)
	return n > 0 && scalar && !isVector(t)
}

// indexesGlobal reports whether a function of the module reads elements of a package-level array at indices that only
// the run knows.
func (p *program) indexesGlobal(obj *types.Var) bool {
	return slices.ContainsFunc(p.units, func(u *unit) bool {
		return slices.ContainsFunc(functions(u.files), func(fd *ast.FuncDecl) bool { return usesOf(u, fd.Body, obj).dynamic })
	})
}

// hidden makes a hidden parameter for a package-level variable.
func (l *lowerer) hidden(obj *types.Var, pos token.Pos) value {
	expr := obj.Name()
	if name := l.kernel.parts.qualify(obj.Pkg()); name != "" {
		expr = name + "." + expr
	}
	t := obj.Type()
	pointed := isPointer(t)
	if pointed {
		t = t.Underlying().(*types.Pointer).Elem()
	}
	v := value{typ: t}
	whole := t
	switch base, n := arrayBase(t); {
	case slices.ContainsFunc(l.prog.units, func(u *unit) bool { return u.pkg == obj.Pkg() && u.arrays[obj.Name()] }):
		expr += "[:]"
	case n > maxChosen && isVector(t):
		whole, v.mem = types.NewSlice(base), true
		expr += "[:]"
	case n > maxChosen:
		whole, v.mem = types.NewSlice(base), true
		expr = fmt.Sprintf("exec.Numbers(&%s%s, %d)", expr, firstOf(t), n)
	case pointed && !isStruct(t): // whose fields are selected as they are
		expr = "*" + expr
	}
	par := Param{Name: obj.Name(), GoType: l.kernel.parts.typeText(whole), Expr: expr}
	l.kernel.parts.result = false
	part, refused := l.kernel.parts.of(whole, 0)
	if refused == nil && !flattensTo(whole, part) {
		refused = &refusal{"a kernel cannot hold a value of type " + typeName(t), "pass what the kernel needs as a parameter"}
	}
	if refused != nil {
		return l.problem(pos, problem{CodeGlobal, "the package-level variable " + obj.Name() + " of type " + typeName(obj.Type()) + " is read", refused.why, refused.fix})
	}
	par.Part = part
	l.kernel.Hidden = append(l.kernel.Hidden, par)
	v.atoms = l.parameter(l.fn, par, whole).atoms
	if pointed {
		key := &slot{name: obj.Name(), typ: t, global: obj}
		l.pointees[key] = v
		return value{typ: obj.Type(), ptr: &pointer{elem: t, root: key}}
	}
	return v
}

// firstOf is the index of the first number of an array of arrays, as it is written behind its name.
func firstOf(t types.Type) string {
	if _, elem, ok := isArray(t); ok {
		return "[0]" + firstOf(elem)
	}
	return ""
}

// globalOf returns the package-level variable whose value is kept under a key of env, or nil.
func globalOf(key any) *types.Var {
	switch k := key.(type) {
	case *types.Var:
		if isGlobal(k) {
			return k
		}
	case *slot:
		return k.global
	}
	return nil
}

// variableIdent returns the identifier that names a variable, also as pkg.Name; nil if e is something else.
func variableIdent(info *types.Info, e ast.Expr) *ast.Ident {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e
	case *ast.SelectorExpr:
		if info.Selections[e] == nil {
			return e.Sel
		}
	}
	return nil
}

// numbers is how many values t is if arrays are not sequences; many for what holds slices.
func numbers(t types.Type) int {
	base, n := arrayBase(t)
	ts, err := layoutIn(base, 1)
	for _, e := range ts {
		if !e.IsScalar() {
			return maxNumbers
		}
	}
	if err != nil || n > maxNumbers {
		return maxNumbers
	}
	return max(int(n), 1) * len(ts)
}

// isVector reports whether t is an array whose elements are no arrays.
func isVector(t types.Type) bool {
	_, elem, ok := isArray(t)
	if !ok {
		return false
	}
	_, inner := arrayBase(elem)
	return inner == 0
}

// isWritten reports whether e is a constant, or a literal of constants.
func isWritten(info *types.Info, e ast.Expr) bool {
	if info.Types[e].Value != nil {
		return true
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		for _, x := range e.Elts {
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				x = kv.Value
			}
			if !isWritten(info, x) {
				return false
			}
		}
		return true
	}
	return false
}
