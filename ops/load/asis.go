package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/ops/ir"
)

// Note [Functions that are called as they stand]
//
// Functions are inlined into the kernel. One that cannot be, because it uses Go that has no place in the IR, stays
// what it is if it is pure (see Note [Pure functions]) and numbers are all that it takes and returns: the IR has a
// call of it (see [ir.Call]), which runs on processors, in Go. Which functions these are follows from what is refused:
// a kernel is compiled, and where something is wrong in a function that it calls, that function is left as it stands
// and the kernel is compiled again. If it cannot be left so, the functions that call it may. What is wrong in the
// kernel itself stays wrong.

// Called is a function that a kernel calls as it stands.
type Called struct {
	Name            string // in [ir.Call] and in messages: score, Table.Score
	Expr            string // as a file of the package writes it: score, Table.Score, stats.Score
	Params, Results []Param
	Pos             ir.Pos // where the function is declared
	Why             string // why it is not inlined, in a line with the place
}

// Mentions reports whether a name stands in the expression or in the types of parameters and results.
func (c *Called) Mentions(name string) bool {
	has := func(text string) bool { return slices.Contains(identifiers.FindAllString(text, -1), name) }
	return has(c.Expr) || slices.ContainsFunc(slices.Concat(c.Params, c.Results), func(p Param) bool { return has(p.GoType) })
}

var identifiers = regexp.MustCompile(`[\pL_][\pL\pN_]*`)

// asIs is a function that is called as it stands.
type asIs struct {
	why    string
	called *Called // nil before it is called
}

// compileKernel checks and lowers one kernel; it returns nil after reporting problems.
func (p *program) compileKernel(f *function) *Kernel {
	p.asIs = map[*function]*asIs{}
	p.pointedResults(f)
	list, seen, lines := len(p.rep.list), maps.Clone(p.rep.seen), maps.Clone(p.rep.lines)
	for {
		k := p.signature(f)
		p.checkAll(f)
		checked := len(p.rep.list) == list
		p.rep.follows = !checked
		k.Func = p.lower(f, k)
		p.rep.follows = false
		if len(p.rep.list) == list {
			k.keepWhole = func(problem Diagnostic) *Kernel { return p.keepWhole(f, Diagnostics{problem}) }
			k.Exiting = p.withExits(f)
			k.Even = p.withEven(f, k)
			p.spread(f, k)
			return k
		}
		problems := slices.Clone(p.rep.list[list:])
		if checked {
			p.rep.list, p.rep.seen, p.rep.lines = p.rep.list[:list], maps.Clone(seen), maps.Clone(lines)
			if k := p.withExits(f); k != nil {
				k.keepWhole = func(Diagnostic) *Kernel { return p.keepWhole(f, problems) }
				p.exits = true
				k.Even = p.withEven(f, k)
				p.exits = false
				p.spread(f, k)
				return k
			}
			p.rep.list = append(p.rep.list, problems...)
		}
		if problems = p.rep.list[list:]; !p.leave(f, problems) {
			k := p.keepWhole(f, problems)
			if k != nil {
				p.rep.list, p.rep.seen, p.rep.lines = p.rep.list[:list], maps.Clone(seen), maps.Clone(lines)
			}
			return k
		}
		p.rep.list, p.rep.seen, p.rep.lines = p.rep.list[:list], maps.Clone(seen), maps.Clone(lines)
	}
}

// leave decides for functions that they are called as they stand, because of problems. It reports whether there are any
// besides those before. Where a problem stays, it says why.
func (p *program) leave(kernel *function, problems Diagnostics) bool {
	l := &leaving{program: p, kernel: kernel, callers: p.callers(kernel), no: map[*function]string{}}
	for i := range problems {
		d := &problems[i]
		if !d.at.IsValid() || !leavable[d.Code] {
			continue
		}
		for _, g := range l.at(d.at) {
			if !l.leave(g, d.Message+" ("+d.Pos.String()+")") {
				continue
			}
		}
	}
	if l.found {
		return true
	}
	for i := range problems {
		if d := &problems[i]; d.at.IsValid() && told[d.Code] {
			for _, g := range l.at(d.at) {
				if g == kernel && movable[d.Code] && d.Fix != "" {
					d.Fix += ", or do it in a function of its own that takes and returns numbers: such a function is called as it is"
				}
				if why := l.no[g]; why != "" && !strings.Contains(d.Why, why) {
					d.Why = strings.TrimPrefix(d.Why+"; "+why, "; ")
				}
			}
		}
	}
	return false
}

// leavable are the problems that are none in functions that are called as they stand.
var leavable = map[string]bool{
	CodeDefer: true, CodeJump: true, CodePanic: true, CodeRecursion: true, CodePointer: true, CodeMapType: true, CodeString: true, CodeInterface: true,
	CodeArray: true, CodeElement: true, CodeForeignCall: true, CodeMathFunc: true, CodeBuiltin: true, CodeFuncValue: true, CodeRange: true, CodeCompare: true,
	CodeMake: true, CodeAppend: true, CodeUnique: true, CodeErrorValue: true, CodeIO: true, CodeInputWrite: true, CodeCapturedWrite: true, CodeArrayMerge: true,
	CodeRows: true, CodeSliceLit: true, CodeSlice3: true, CodeVariadic: true, CodeGlobal: true,
}

// told are those of them for which it is said why the function is not left as it stands.
var told = map[string]bool{
	CodeDefer: true, CodeJump: true, CodeRecursion: true, CodePointer: true, CodeMapType: true, CodeInterface: true, CodeForeignCall: true, CodeFuncValue: true,
	CodeRange: true, CodeIO: true,
}

// movable are those that are none any more in a function of its own.
var movable = map[string]bool{CodeDefer: true, CodeJump: true, CodeMapType: true, CodeInterface: true}

// leaving finds functions to be left as they stand.
type leaving struct {
	*program
	kernel  *function
	callers map[*function][]*function
	no      map[*function]string // why functions are not left
	found   bool
}

// at are the functions that the kernel may call in whose source a position is.
func (l *leaving) at(pos token.Pos) (list []*function) {
	for f := range l.callers {
		if f.decl.Pos() <= pos && pos < f.decl.End() {
			list = append(list, f)
		}
	}
	slices.SortFunc(list, func(a, b *function) int { return strings.Compare(a.String(), b.String()) })
	return list
}

// leave leaves a function as it stands, or all functions that call it, and reports whether it could.
func (l *leaving) leave(f *function, why string) bool {
	return l.leaveFrom(f, why, map[*function]bool{})
}

func (l *leaving) leaveFrom(f *function, why string, under map[*function]bool) bool {
	if l.asIs[f] != nil {
		return true
	}
	if f == l.kernel || under[f] {
		return false
	}
	under[f] = true
	no := l.mustInline(f)
	if no == "" {
		l.asIs[f] = &asIs{why: why}
		l.found = true
		return true
	}
	all := len(l.callers[f]) > 0
	for _, g := range l.callers[f] {
		all = l.leaveFrom(g, why, under) && all
	}
	if !all {
		l.no[f] = no
	}
	return all
}

// mustInline says why a function cannot be called as it stands, "" if it can.
func (l *leaving) mustInline(f *function) string {
	name := f.String()
	cannot := name + " cannot be called as it is either: "
	sig := f.obj.Signature()
	switch {
	case f.unit.standard || strings.Contains(f.obj.Name(), "·") || l.kernels[f]:
		return cannot + "it is no function of the program"
	case f.generic != nil:
		return cannot + "it is generic"
	case f.obj.Pkg() != l.root.pkg && (!f.obj.Exported() || internalTo(f.obj.Pkg().Path(), l.root.pkg.Path())):
		return cannot + "generated code of the package " + l.root.pkg.Name() + " cannot name it"
	case sig.Variadic():
		return cannot + "it takes any number of arguments"
	case sig.Results().Len() == 0:
		return cannot + "it returns nothing"
	}
	b := &parts{root: l.root.pkg, imports: map[string]string{}}
	if c, why := b.called(f); c == nil {
		return cannot + why
	}
	if bad := l.pure().impure(f); bad != nil {
		return cannot + "it " + bad.what + " (" + l.rep.position(bad.pos).String() + ")"
	}
	return ""
}

// pure finds out what functions do. What it instantiates for that is no problem of the kernel.
func (p *program) pure() *purity {
	if p.purity == nil {
		p.purity = newPurity(p)
	}
	return p.purity
}

// called is how a function is called, or why it cannot be.
func (b *parts) called(f *function) (*Called, string) {
	c := &Called{Name: f.String(), Expr: f.obj.Name()}
	if q := b.qualify(f.obj.Pkg()); q != "" {
		c.Expr = q + "." + c.Expr
	}
	sig := f.obj.Signature()
	if recv := sig.Recv(); recv != nil {
		if isPointer(recv.Type()) {
			return nil, "its receiver is a pointer"
		}
		t := b.typeText(recv.Type())
		c.Expr = "(" + t + ")." + f.obj.Name()
		c.Name = typeName(recv.Type()) + "." + f.obj.Name()
	}
	param := func(v *types.Var, what string) (Param, string) {
		part, r := b.of(v.Type(), 0)
		if r != nil {
			return Param{}, what + " is of type " + typeName(v.Type()) + ", and " + r.why
		}
		if !numeric(part) || !flattensTo(v.Type(), part) {
			return Param{}, what + " is of type " + typeName(v.Type()) + ", and numbers, and structs and arrays of them, are what it may take and return"
		}
		return Param{GoType: b.typeText(v.Type()), Part: part}, ""
	}
	for i, v := range (&funcValue{unit: f.unit, decl: f}).params() {
		par, why := param(v, "its parameter "+quoteParam(v, i))
		if why != "" {
			return nil, why
		}
		c.Params = append(c.Params, par)
	}
	for v := range sig.Results().Variables() {
		r, why := param(v, "a result")
		if why != "" {
			return nil, why
		}
		c.Results = append(c.Results, r)
	}
	return c, ""
}

func quoteParam(v *types.Var, i int) string {
	if v.Name() == "" || v.Name() == "_" {
		return resultName(i, 2)
	}
	return v.Name()
}

// numeric reports whether a part is made of numbers alone.
func numeric(p *Part) bool {
	switch p.Kind {
	case PartNumber, PartComplex:
		return true
	case PartArray:
		return numeric(p.Elem)
	case PartStruct:
		return !slices.ContainsFunc(p.Fields, func(f PartField) bool { return !numeric(f.Part) })
	}
	return false
}

// callers are the functions that a kernel may call, each with those that call it.
func (p *program) callers(kernel *function) map[*function][]*function {
	callers := map[*function][]*function{}
	var visit func(f *function)
	visit = func(f *function) {
		if f.decl.Body == nil || p.asIs[f] != nil {
			return
		}
		call := func(g *function) {
			if g == nil {
				return
			}
			_, known := callers[g]
			if !slices.Contains(callers[g], f) {
				callers[g] = append(callers[g], f)
			}
			if !known {
				visit(g)
			}
		}
		ast.Inspect(f.decl.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if sel := f.unit.info.Selections[n]; sel != nil && sel.Kind() != types.FieldVal {
					call(p.method(sel))
				}
			case *ast.Ident:
				if _, ok := f.unit.info.Uses[n].(*types.Func); ok {
					call(p.callee(f.unit, n))
				}
			}
			return true
		})
	}
	callers[kernel] = nil
	visit(kernel)
	return callers
}

// callAsIs lowers the call of a function that is called as it stands.
func (l *lowerer) callAsIs(f *function, args []value, pos token.Pos) []value {
	a := l.prog.asIs[f]
	c, why := l.kernel.parts.called(f)
	if c == nil {
		l.prog.rep.at(pos, problem{CodeForeignCall, f.String() + " is called as it is", why, "write it so that it can be inlined"})
		return badResults(f.obj.Signature())
	}
	if a.called == nil || !slices.Contains(l.kernel.Calls, a.called) {
		c.Pos, c.Why = l.prog.irPos(f.decl.Name.Pos()), a.why
		a.called = c
		l.kernel.Calls = append(l.kernel.Calls, c)
	}
	saved := l.pos
	l.pos = pos
	defer func() { l.pos = saved }()
	op := &ir.Call{Fn: a.called.Name}
	for i, v := range (&funcValue{unit: f.unit, decl: f}).params() {
		x := l.converted(args[i], v.Type(), pos)
		if x.ref != nil && !x.bad {
			x = l.load(x.ref, pos)
		}
		x = l.settled(l.use(x, pos), pos)
		fields := a.called.Params[i].Part.values("", 0)
		fits := !x.bad && len(x.atoms) == len(fields)
		for j := 0; fits && j < len(fields); j++ {
			fits = x.atoms[j].Type() == fields[j].Type
		}
		if !fits {
			if !x.bad {
				l.prog.rep.at(pos, problem{CodeElement, "an argument of " + f.String() + " cannot be passed as it is", "it does not lie in variables", "pass its numbers"})
			}
			return badResults(f.obj.Signature())
		}
		op.Args = append(op.Args, x.atoms...)
	}
	s := &ir.Stmt{Op: op}
	var results []value
	for i, r := range a.called.Results {
		v := value{typ: f.obj.Signature().Results().At(i).Type()}
		for _, field := range r.Part.values(resultName(i, len(a.called.Results)), 0) {
			x := &ir.Var{Name: field.Name, T: field.Type}
			l.auto[x] = true
			s.Dst = append(s.Dst, x)
			v.atoms = append(v.atoms, x)
		}
		results = append(results, v)
	}
	l.append(s)
	return results
}
