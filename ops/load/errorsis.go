package load

import (
	"go/ast"
	"go/types"
	"slices"
	"strconv"

	"github.com/surge-ndp/surge/ops/ir"
)

// errorIs lowers errors.Is(err, target), where the target is an error that is known when the kernel is compiled.
func (l *lowerer) errorIs(e *ast.CallExpr) value {
	if len(e.Args) != 2 {
		return value{bad: true}
	}
	x, y := l.converted(l.expr(e.Args[0]), errorType, e.Pos()), l.converted(l.expr(e.Args[1]), errorType, e.Pos())
	x, y = l.use(x, e.Pos()), l.use(y, e.Pos())
	if x.bad || y.bad {
		return value{bad: true}
	}
	target, ok := y.atoms[0].(ir.Const)
	if !ok || target.Int() > 0 && (l.kernel.Errors[target.Int()-1].Words > 0 || l.kernel.Errors[target.Int()-1].Plain) {
		return l.problem(e.Args[1].Pos(), problem{CodeErrorValue, "errors.Is looks for " + types.ExprString(e.Args[1]) + ", which the kernel computes",
			"which error is looked for must be known when the kernel is compiled", "look for a package-level variable"})
	}
	if target.Int() == 0 {
		return l.errorsEqual(ir.Eq, x, y, e.Pos())
	}
	codes, known := l.codesOf(x.atoms[0])
	if !known {
		return l.problem(e.Args[0].Pos(), problem{CodeErrorValue, "errors.Is looks at " + types.ExprString(e.Args[0]) + ", which may be of an earlier turn of a loop, or an element of a sequence",
			"which errors it may be must be known when the kernel is compiled", "look at the error where it is made"})
	}
	a, ok := l.isError(x.atoms[0], x.atoms[1:], codes, int(target.Int()))
	if !ok {
		return l.problem(e.Pos(), problem{CodeErrorValue, "errors.Is looks at an error of a type with a method Is or Unwrap, or at one that says text and wraps another one that is computed", "generated code makes the error when the kernel has returned",
			"return a number beside the error, and look at that"})
	}
	return value{typ: types.Typ[types.Bool], atoms: []ir.Atom{a}}
}

// isError is whether an error, of which the number and the words are given, is the target, or wraps it.
func (l *lowerer) isError(code ir.Atom, words []ir.Atom, codes []int, target int) (ir.Atom, bool) {
	var found ir.Atom = ir.BoolConst(false)
	for _, c := range codes {
		is, ok := l.entryIs(words, c, target)
		if !ok {
			return nil, false
		}
		here, isConst := foldBinary(ir.Eq, code, ir.IntConst(ir.Int32, int64(c)))
		if never, ok := is.(ir.Const); ok && never.Bits == 0 || isConst && here.Bits == 0 {
			continue
		}
		if !isConst {
			is = l.both(ir.And, l.bin("t", ir.Eq, code, ir.IntConst(ir.Int32, int64(c))), is)
		}
		found = l.both(ir.Or, found, is)
	}
	return found, true
}

// both is x fn y, where fn is And or Or, and either may be a constant.
func (l *lowerer) both(fn ir.BinaryFn, x, y ir.Atom) ir.Atom {
	for _, pair := range [][2]ir.Atom{{x, y}, {y, x}} {
		if c, ok := pair[0].(ir.Const); ok {
			if (c.Bits != 0) == (fn == ir.And) {
				return pair[1]
			}
			return c
		}
	}
	return l.bin("t", fn, x, y)
}

// entryIs is whether an entry of the kernel's list, which says the words, is the target, or wraps it. ok is false if
// that is not known.
func (l *lowerer) entryIs(words []ir.Atom, code, target int) (is ir.Atom, ok bool) {
	if code == 0 || code == target {
		return ir.BoolConst(code == target), true
	}
	site, entry := l.sites[code-1], l.kernel.Errors[code-1]
	switch {
	case site.opaque:
		return nil, false
	case entry.Plain && slices.ContainsFunc(site.wraps, func(w wrapped) bool { return w.at >= 0 && !l.noneIs(w.codes, target) }):
		return nil, false
	case entry.Plain:
	case entry.Words == 0 && l.isPlain(site) && l.isPlain(l.sites[target-1]):
		return ir.BoolConst(false), true
	case entry.Words == 0:
		return l.constantIs(code, target), true
	}
	is = ir.BoolConst(false)
	for _, w := range site.wraps {
		var inner ir.Atom
		if entry.Plain && w.at >= 0 { // which is none
			continue
		}
		if w.at < 0 {
			if inner, ok = l.entryIs(nil, w.codes[0], target); !ok {
				return nil, false
			}
		} else if inner, ok = l.isError(l.convert(words[w.at], ir.Int32), words[w.at+1:], w.codes, target); !ok {
			return nil, false
		}
		is = l.both(ir.Or, is, inner)
	}
	return is, true
}

// noneIs reports whether surely none of the entries is the target, or wraps it, whatever they say.
func (l *lowerer) noneIs(codes []int, target int) bool {
	return !slices.ContainsFunc(codes, func(c int) bool {
		if c == 0 || c == target {
			return c == target
		}
		site, entry := l.sites[c-1], l.kernel.Errors[c-1]
		if entry.Words == 0 && !entry.Plain {
			return !l.isPlain(site) || !l.isPlain(l.sites[target-1])
		}
		return site.opaque || slices.ContainsFunc(site.wraps, func(w wrapped) bool { return !l.noneIs(w.codes, target) })
	})
}

// isPlain reports whether an entry is a package-level variable of the module, or of package strconv, that errors.New
// makes: it wraps nothing.
func (l *lowerer) isPlain(site errorSite) bool {
	if site.variable == nil {
		return false
	}
	if site.variable.Pkg().Path() == "strconv" {
		return true
	}
	decl, ours := l.prog.declared(site.variable)
	if !ours || decl.init == nil {
		return false
	}
	call, ok := ast.Unparen(decl.init).(*ast.CallExpr)
	f, _ := decl.unit.info.Uses[calleeIdent(call)].(*types.Func)
	return ok && f != nil && f.FullName() == "errors.New"
}

// constantIs is whether a constant error is another one, or wraps it: a hidden parameter.
func (l *lowerer) constantIs(code, target int) ir.Atom {
	pkg := l.kernel.parts.qualify(types.NewPackage("errors", "errors"))
	par := Param{Name: "is" + strconv.Itoa(code) + "_" + strconv.Itoa(target), GoType: "bool", Part: &Part{Kind: PartNumber, GoType: "bool", Number: ir.Bool, Plain: true},
		Expr: pkg + ".Is(" + l.kernel.Errors[code-1].text + ", " + l.kernel.Errors[target-1].text + ")"}
	if i := slices.IndexFunc(l.kernel.Hidden, func(p Param) bool { return p.Expr == par.Expr }); i >= 0 {
		return l.hiddenAtoms(i)[0]
	}
	l.kernel.Hidden = append(l.kernel.Hidden, par)
	return l.parameter(l.fn, par, types.Typ[types.Bool]).atoms[0]
}
