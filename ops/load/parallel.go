package load

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/surge-ndp/surge/ops/ir"
)

// Note [Parallel loops]
//
// A kernel that stays whole (see Note [Kernels that stay whole]) has loops as any other has, and the turns of one of
// them often have nothing to do with each other. Such a loop runs on several threads, as plain Go: generated code has
// the kernel once more, from its source, with a call of exec.Loops.Run in the place of the loop. What the kernel does
// in a turn, maps, recursion, pointers, stays what it is.
//
// The turns of a loop have nothing to do with each other if
//
//   - what they do to memory from outside of the loop is to write to x[i], where i counts the turns, and they reach the
//     elements of x in no other way (see Note [Cells]);
//   - the variables from outside that they assign are slices to which they append, or integers, or elements of a slice
//     of integers, to which they add, and they use them in no other way: each thread has its own, and these are put
//     together, in order, behind the loop; or they are for one turn (see Note [Private variables]);
//   - nobody leaves the loop before its end, but by a return of an error.
//
// A turn that returns an error, or panics, ends it all, and the kernel runs once more, as it stands: then what comes of
// it is what the first such turn makes. Nothing has happened that could be seen, as the kernel is pure. (A turn behind
// one that returns an error, to which plain Go does not come, must end, too.)

// Parallel is a kernel that stays whole, with loops that run on several threads. All are texts of Go, as generated
// files of the package have it.
type Parallel struct {
	Params  string // the receiver, if there is one, and the parameters: m Model, x, y []float64
	Results string // ([]float64, error)
	Body    string // in braces
	Name    string // of the variable of type *exec.Loops in the body
	Loops   []ir.Pos
}

// Threads says on how many threads a kernel runs that stays whole, and which of its loops on several.
func (k *Kernel) Threads() string {
	if k.Parallel == nil {
		return " on one thread"
	}
	var at []string
	for _, pos := range k.Parallel.Loops {
		at = append(at, pos.String())
	}
	if len(at) == 1 {
		return " on one thread, but for the loop at " + at[0] + ", which runs on all"
	}
	return " on one thread, but for the loops at " + strings.Join(at, ", ") + ", which run on all"
}

// spread gives a kernel that is compiled its parallel loops, and all ways in which it is lowered: they run where plain
// Go is tried against compiled code.
func (p *program) spread(f *function, k *Kernel) {
	for g := range p.callers(f) {
		if usesOperators(g) { // which plain Go does in other ways
			return
		}
	}
	k.Parallel = p.parallel(f, k)
	for _, way := range []*Kernel{k.Exiting, k.Even} {
		if way != nil {
			way.Parallel, way.Imports = k.Parallel, k.Imports
		}
	}
}

// parallel returns a kernel with parallel loops, nil if it has none. k gets the imports that it needs.
func (p *program) parallel(kernel *function, k *Kernel) *Parallel {
	if kernel.generic != nil || p.asWritten == nil {
		return nil
	}
	again, content := p.asWritten()
	if again == nil {
		return nil
	}
	var f *function
	for obj, g := range again.funcs {
		if obj.FullName() == kernel.obj.FullName() && g.decl.Body != nil {
			f = g
		}
	}
	if f == nil || again.pure().impure(f) != nil || jumps(f.decl) || sharesCounters(f) {
		return nil
	}
	s := &spreader{program: again, fn: f, info: f.unit.info, names: map[string]bool{}, apart: map[*types.Var]bool{}, mixes: map[*types.Var]bool{}}
	s.source = source{fset: p.fset, content: content[p.fset.Position(f.decl.Pos()).Filename]}
	if !s.named(k) {
		return nil
	}
	s.all = again.pure().flowOf(f)
	s.all.run()
	s.owners()
	s.name = s.fresh("loops")
	s.list(f.decl.Body.List)
	if len(s.loops) == 0 {
		return nil
	}
	out := &Parallel{Body: s.source.text(f.decl.Body.Pos(), f.decl.Body.End()), Name: s.name, Loops: s.loops}
	out.Params, out.Results = s.signature()
	return out
}

// jumps reports whether a function has a goto.
func jumps(n ast.Node) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		b, ok := n.(*ast.BranchStmt)
		found = found || ok && b.Tok == token.GOTO
		return !found
	})
	return found
}

// spreader finds parallel loops in a function, and changes its source.
type spreader struct {
	*program
	fn     *function
	info   *types.Info
	all    *flow // of the whole function
	names  map[string]bool
	name   string // of the variable that runs loops
	source source
	loops  []ir.Pos

	owned map[*types.Var]bool // see [spreader.owners]
	apart map[*types.Var]bool // slices of which no two elements reach the same memory: see Note [Cells]
	mixes map[*types.Var]bool // those of which that was forgotten
	dry   bool                // nothing is changed, to find out what holds in all turns of a loop in order
	depth int                 // how many loops are around
	first ast.Stmt            // of these, the outermost one
}

// list goes through statements that no parallel loop is around.
func (s *spreader) list(list []ast.Stmt) {
	for _, stmt := range list {
		s.stmt(stmt)
	}
}

func (s *spreader) stmt(stmt ast.Stmt) {
	label := ""
	at := stmt
	for {
		l, ok := at.(*ast.LabeledStmt)
		if !ok {
			break
		}
		label, at = l.Label.Name, l.Stmt
	}
	switch x := at.(type) {
	case *ast.ForStmt, *ast.RangeStmt:
		if l := s.loop(at, label); l != nil {
			if !s.dry {
				s.source.spread(s, stmt, l)
				s.loops = append(s.loops, s.irPos(at.Pos()))
			}
			return
		}
		s.inOrder(at)
		return
	case *ast.AssignStmt:
		if s.permuted(x) {
			return
		}
	case *ast.BlockStmt:
		s.list(x.List)
		return
	case *ast.IfStmt:
		s.mixed(x.Init, x.Cond)
		before := maps.Clone(s.apart)
		s.list(x.Body.List)
		then := s.apart
		s.apart = before
		if x.Else != nil {
			s.stmt(x.Else)
		}
		maps.DeleteFunc(s.apart, func(v *types.Var, _ bool) bool { return !then[v] })
		return
	}
	s.mixed(at)
}

// mixed forgets of slices that a part of the function outside of parallel loops uses that their elements are apart.
func (s *spreader) mixed(parts ...ast.Node) {
	for _, n := range parts {
		if stmt, ok := n.(ast.Stmt); n == nil || ok && stmt == nil {
			continue
		}
		uses(n, func(id *ast.Ident, stack []ast.Node) {
			v, ok := s.info.Uses[id].(*types.Var)
			if ok && s.apart[v] && !s.isCounted(stack) && !s.reads(id, stack) && !s.renews(v, stack) {
				delete(s.apart, v)
				s.mixes[v] = true
			}
		})
		s.makesEmpty(n)
	}
}

// makesEmpty notes the slices that a statement makes, with elements that are zero.
func (s *spreader) makesEmpty(n ast.Node) {
	a, ok := n.(*ast.AssignStmt)
	if !ok || len(a.Lhs) != len(a.Rhs) {
		return
	}
	for i, x := range a.Rhs {
		call, isCall := ast.Unparen(x).(*ast.CallExpr)
		id, isIdent := a.Lhs[i].(*ast.Ident)
		if !isCall || !isIdent || !isBuiltin(s.info, call, "make") {
			continue
		}
		if v, ok := s.info.ObjectOf(id).(*types.Var); ok && !s.elsewhere(v) {
			s.apart[v] = true
		}
	}
}

// reads reports whether the element of a slice, or a part of it, is read here that holds no references.
func (s *spreader) reads(id *ast.Ident, stack []ast.Node) bool {
	x := ast.Expr(id)
	for at := len(stack) - 2; at >= 0; at-- {
		p, ok := stack[at].(*ast.IndexExpr)
		if !ok || p.X != x {
			break
		}
		x = p
	}
	return x != id && !refers(s.info.TypeOf(x)) && !isTarget(stack, len(stack)-1)
}

// renews reports whether a use of a slice is one in x[e] = append(x[e], …), or in x[e] = make(…): neither gives an
// element memory of another one.
func (s *spreader) renews(x *types.Var, stack []ast.Node) bool {
	for _, n := range slices.Backward(stack) {
		a, ok := n.(*ast.AssignStmt)
		if !ok {
			continue
		}
		if a.Tok != token.ASSIGN || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
			return false
		}
		to, ok := a.Lhs[0].(*ast.IndexExpr)
		call, isCall := a.Rhs[0].(*ast.CallExpr)
		if !ok || !isCall || variable(s.info, to.X) != x || !s.steadyExpr(to.Index) || mentions(s.info, to.Index, map[*types.Var]bool{x: true}) {
			return false
		}
		if isBuiltin(s.info, call, "make") {
			return !slices.ContainsFunc(call.Args, func(e ast.Expr) bool { return mentions(s.info, e, map[*types.Var]bool{x: true}) })
		}
		return isBuiltin(s.info, call, "append") && text(call.Args[0]) == text(to) && flatElements(elementType(x)) &&
			!slices.ContainsFunc(call.Args[1:], func(e ast.Expr) bool { return mentions(s.info, e, map[*types.Var]bool{x: true}) })
	}
	return false
}

// isCounted reports whether the length of the slice at the end of a stack is asked for, or a loop ranges over it and
// takes no references out of it.
func (s *spreader) isCounted(stack []ast.Node) bool {
	if len(stack) < 2 {
		return false
	}
	x, ok := stack[len(stack)-2].(*ast.RangeStmt)
	return ok && x.X == stack[len(stack)-1] && s.ranges(x) || isLen(s.info, stack)
}

// isLen reports whether the last node of a stack is the argument of len.
func isLen(info *types.Info, stack []ast.Node) bool {
	if len(stack) < 2 {
		return false
	}
	call, ok := stack[len(stack)-2].(*ast.CallExpr)
	return ok && isBuiltin(info, call, "len")
}

// uses calls f for all identifiers of a part of a function, each with what is around it, itself last.
func uses(n ast.Node, f func(id *ast.Ident, stack []ast.Node)) {
	var stack []ast.Node
	ast.Inspect(n, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		stack = append(stack, n)
		if id, ok := n.(*ast.Ident); ok {
			f(id, stack)
		}
		return true
	})
}

// named notes the names in the function, and gives packages those that they have in generated files. It reports whether
// the source can stand there.
func (s *spreader) named(k *Kernel) bool {
	ok := true
	packages := map[string]bool{"exec": true}
	uses(s.fn.decl, func(id *ast.Ident, _ []ast.Node) {
		s.names[id.Name] = true
		if pkg, isPkg := s.info.Uses[id].(*types.PkgName); isPkg {
			name := pkg.Imported().Name()
			if path := pkg.Imported().Path(); path != "math" && path != "math/bits" && path != "context" { // which generated files import
				name = k.parts.qualify(pkg.Imported())
			}
			packages[name] = true
			s.source.replace(id.Pos(), id.End(), name)
		} else if hides(id.Name) && s.fn.unit.pkg.Scope().Lookup(id.Name) != nil {
			ok = false // generated files mean something else by it
		} else if obj := s.info.Uses[id]; obj != nil && obj.Pkg() != nil && obj.Pkg() != s.fn.unit.pkg && obj.Parent() == obj.Pkg().Scope() {
			ok = ok && s.selected(id)
		}
	})
	written := map[string]bool{"len": true, "int": true, "append": true} // in what takes the place of loops
	for _, obj := range s.info.Defs {
		if obj != nil && within(s.fn.decl, obj.Pos()) && (packages[obj.Name()] || written[obj.Name()]) {
			ok = false
		}
	}
	return ok
}

// hides reports whether a package that declares a name hides a built-in function of Go, or a package that generated
// files import.
func hides(name string) bool {
	return types.Universe.Lookup(name) != nil || slices.Contains(reserved, name)
}

// selected reports whether an identifier of another package stands behind the name of that package.
func (s *spreader) selected(id *ast.Ident) (found bool) {
	ast.Inspect(s.fn.decl, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel == id {
			found = true
		}
		return !found
	})
	return found
}

// fresh returns a name that the function does not have.
func (s *spreader) fresh(name string) string {
	for s.names[name] {
		name += "_"
	}
	s.names[name] = true
	return name
}

// signature is the text of the parameters, and of the results.
func (s *spreader) signature() (params, results string) {
	d := s.fn.decl
	inner := func(l *ast.FieldList) string {
		if l == nil || len(l.List) == 0 {
			return ""
		}
		return s.source.text(l.List[0].Pos(), l.List[len(l.List)-1].End())
	}
	params = inner(d.Type.Params)
	if d.Recv != nil {
		recv := inner(d.Recv)
		if len(d.Recv.List[0].Names) == 0 {
			recv = "_ " + recv
		}
		if params != "" {
			recv += ", "
		}
		params = recv + params
	}
	return params, "(" + inner(d.Type.Results) + ")"
}

// written is the program with the source of its root package as it stands in its files, nil if that has errors.
func (s *sources) written(p *program, root *packages.Package) *program {
	var files []*ast.File
	for _, name := range root.GoFiles {
		if s.skip[name] {
			continue
		}
		f, err := parser.ParseFile(s.fset, name, s.contents[name], parser.SkipObjectResolution)
		if err != nil {
			return nil
		}
		files = append(files, f)
	}
	u := checkFiles(s.fset, root.PkgPath, files, s.importerOf(root), goVersion(root))
	if u.pkg == nil || slices.ContainsFunc(u.errs, func(e types.Error) bool { return !isUndefined(e.Msg) }) { // what surge generates
		return nil
	}
	helpers := slices.DeleteFunc(slices.Clone(p.units), func(h *unit) bool { return h == p.root })
	again := newProgram(s.fset, u, helpers, nil, newReporter(s.fset))
	again.dir = p.dir
	return again
}
