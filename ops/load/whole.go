package load

import (
	"go/ast"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/surge-ndp/surge/ops/ir"
)

// Note [Kernels that stay whole]
//
// Some Go has no place in the IR: maps, strings that a loop grows, functions that are chosen at run time. A kernel with
// such is compiled as a whole where it is pure (see Note [Pure functions]): it runs as it stands, as plain Go, in one
// thread, and all that its compiled form adds is what callers expect of one, a context, options, errors in place of
// panics. It is as fast as plain Go, and no faster, which is said whenever it is inspected, with what is not compiled.
//
// It is not so for a kernel with operators of package ops: who writes these wants them in parallel, and is told what
// prevents it. Nor is it where something else is wrong than that the IR lacks a part of Go: directives, signatures,
// writes to what others see.

// notWhole are the problems that no kernel may have, whether it stays whole or not.
var notWhole = map[string]bool{
	CodeNoPackage: true, CodeNoKernel: true, CodeImport: true, CodeCgo: true, CodeSyntax: true, CodeType: true, CodeDirective: true, CodeVariantOf: true,
	CodeFeature: true, CodeSignature: true, CodeParamType: true, CodeGeneric: true, CodeCapturedWrite: true, CodeGlobalWrite: true, CodeOperator: true,
	CodeConstant: true,
}

// keepWhole returns the kernel f as one that runs as it stands, nil if it cannot.
func (p *program) keepWhole(f *function, problems Diagnostics) *Kernel {
	if !p.wholeKernels || f.generic != nil && f.call == "" || p.variantOf[f].kernel != "" || slices.ContainsFunc(problems, func(d Diagnostic) bool { return notWhole[d.Code] }) {
		return nil
	}
	for _, a := range p.variantOf {
		if called(f, a.kernel) {
			return nil
		}
	}
	for g := range p.callers(f) {
		if usesOperators(g) {
			return nil
		}
	}
	if bad := p.pure().impure(f); bad != nil {
		why := "it cannot run as it stands either: it " + bad.what + " (" + p.rep.position(bad.pos).String() + ")"
		for i, d := range problems {
			if !leavable[d.Code] || d.Code == CodeIO { // which says it
				continue
			}
			problems[i].Why = strings.TrimPrefix(problems[i].Why+"; "+why, "; ")
		}
		return nil
	}
	before := len(p.rep.list)
	k := p.signature(f)
	if len(p.rep.list) > before || len(p.features[f])+len(p.requested[f]) > 0 {
		return nil
	}
	effect := p.pure().of(f)
	for i := range k.Results {
		part := k.Results[i].Part
		if part.depth() > mostPlaced {
			return nil
		}
		shares := effect.resultShares(len(k.Params), i)
		if shares && !part.copied() {
			return nil
		}
		k.Results[i].Apart = !shares
	}
	k.Whole = slices.Clone(problems)
	fn := &ir.Func{Name: k.Name, Pos: k.Pos, Body: &ir.Block{}}
	l := &lowerer{}
	call := &ir.Call{Fn: k.Name}
	for i, v := range inputs(f.obj.Signature()) {
		call.Args = append(call.Args, l.parameter(fn, k.Params[i], v.Type()).atoms...)
	}
	names := ir.NewNamer(fn)
	s := &ir.Stmt{Op: call, Pos: k.Pos}
	for _, r := range k.Results {
		for _, field := range r.Values() {
			v := names.Var(field.Name, field.Type)
			s.Dst, fn.Body.Results = append(s.Dst, v), append(fn.Body.Results, v)
		}
	}
	fn.Body.Stmts = []*ir.Stmt{s}
	k.Func = fn
	k.Parallel = p.parallel(f, k)
	return k
}

// KeptWhole returns the kernel as one that runs as it stands, because of a problem that another package has with it. It
// returns nil if the kernel cannot, or if [Options] do not want that.
func (k *Kernel) KeptWhole(problem Diagnostic) *Kernel {
	if k.keepWhole == nil {
		return nil
	}
	return k.keepWhole(problem)
}

// mostPlaced is how many slices are around the elements of a result that can be given a destination.
const mostPlaced = 3

// depth is how many slices are around the elements of a part.
func (p *Part) depth() (n int) {
	for ; p.Kind == PartSlice; p = p.Elem {
		n++
	}
	return n
}

// copied reports whether generated code copies a result of the type where it is a part of an input: elements without
// slices in them, and rows of such.
func (p *Part) copied() bool {
	if p.Kind == PartSlice && p.Elem.Kind == PartSlice {
		p = p.Elem
	}
	return p.Kind == PartError || p.Kind == PartSlice && !p.Elem.Slices()
}

// usesOperators reports whether a function names something of package ops.
func usesOperators(f *function) (found bool) {
	ast.Inspect(f.decl, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			pkg, isPackage := f.unit.info.Uses[id].(*types.PkgName)
			found = found || isPackage && pkg.Imported().Path() == opsPath
		}
		return !found
	})
	return found
}

// resultShares reports whether a result of a function of so many parameters may hold memory that a parameter or a
// package-level variable does.
func (e *effect) resultShares(params, result int) bool {
	if len(e.class) <= params+result || e.class[params+result] < 0 {
		return false
	}
	c := e.class[params+result]
	return e.shared[c] || slices.Contains(e.class[:params], c)
}

// WhyWhole says what of a kernel that stays whole is not compiled, in a line.
func (k *Kernel) WhyWhole() string {
	const most = 3
	var all []string
	for _, d := range k.Whole {
		if text := d.Message + " (" + d.Pos.String() + ") [" + d.Code + "]"; !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	if n := len(all); n > most {
		all = append(all[:most], "and "+strconv.Itoa(n-most)+" more")
	}
	return strings.Join(all, "; ")
}
