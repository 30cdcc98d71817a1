package load

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/surge-ndp/surge/ops/ir"
)

// Note [Errors]
//
// A value of type error is one number: 0 is nil, and i+1 is entry i of the kernel's list of errors. An error is a
// package-level variable that nothing assigns, or errors.New, errors.Join or fmt.Errorf of constants and of such
// errors: what it says must not depend on what the kernel computes.

var errorType = types.Universe.Lookup("error").Type()

// isError reports whether t is the type error.
func isError(t types.Type) bool { return t != nil && types.Identical(t, errorType) }

func errorConst(i int) value {
	return value{typ: errorType, atoms: []ir.Atom{ir.IntConst(ir.Int32, int64(i))}}
}

// constantError is entry expr of the kernel's list. Entries of different keys are different errors, whatever they say.
func (l *lowerer) constantError(key any, expr string) value {
	i, ok := l.errors[key]
	if !ok {
		i = len(l.kernel.Errors)
		l.errors[key] = i
		l.kernel.Errors = append(l.kernel.Errors, expr)
	}
	return errorConst(i + 1)
}

// errorVariable is the value of a package-level variable of type error.
func (l *lowerer) errorVariable(obj *types.Var, pos token.Pos) value {
	decl, ours := l.prog.declared(obj)
	if ours && decl.init == nil {
		return l.problem(pos, problem{CodeGlobal, "the error " + obj.Name() + " has no value of its own", "which error it is must be known when the kernel is compiled",
			fmt.Sprintf("declare it together with its value: var %s = errors.New(%q)", obj.Name(), obj.Name())})
	}
	if obj.Pkg() != l.prog.root.pkg && (!obj.Exported() || internalTo(obj.Pkg().Path(), l.prog.root.pkg.Path())) {
		return l.problem(pos, problem{CodeGlobal, "the error " + obj.Pkg().Name() + "." + obj.Name() + " is used",
			"generated code of this package returns it, and cannot name it", "export it, or declare an error in this package"})
	}
	expr := obj.Name()
	if name := l.kernel.parts.qualify(obj.Pkg()); name != "" {
		expr = name + "." + expr
	}
	return l.constantError(obj, expr)
}

// isErrorCall reports whether a call makes an error: errors.New, errors.Join or fmt.Errorf.
func isErrorCall(info *types.Info, e *ast.CallExpr) bool {
	f, ok := info.Uses[calleeIdent(e)].(*types.Func)
	return ok && f.Pkg() != nil && (f.Pkg().Path() == "errors" && (f.Name() == "New" || f.Name() == "Join") || f.Pkg().Path() == "fmt" && f.Name() == "Errorf")
}

// errorCall lowers errors.New, errors.Join and fmt.Errorf, of constants and of errors that are known.
func (l *lowerer) errorCall(e *ast.CallExpr) value {
	f := l.unit.info.Uses[calleeIdent(e)].(*types.Func)
	var args string
	for i, a := range e.Args {
		if i > 0 {
			args += ", "
		}
		v := l.unit.info.Types[a].Value
		if v == nil {
			known, bad := l.knownError(a)
			switch {
			case bad:
				return value{bad: true}
			case known == "" || e.Ellipsis.IsValid():
				return l.problem(a.Pos(), errorText(types.ExprString(a)))
			}
			args += known
			continue
		}
		if v.Kind() == constant.String {
			args += constantSource(v)
		} else {
			args += types.TypeString(types.Default(l.unit.info.TypeOf(a)), l.kernel.parts.qualify) + "(" + constantSource(v) + ")"
		}
	}
	return l.constantError(e, l.kernel.parts.qualify(f.Pkg())+"."+f.Name()+"("+args+")")
}

// knownError is the Go expression of a, if that is an error of the kernel's list; bad says that it has been refused.
func (l *lowerer) knownError(a ast.Expr) (expr string, bad bool) {
	if !isError(l.unit.info.TypeOf(a)) {
		return "", false
	}
	v := l.expr(a)
	if v.bad || len(v.atoms) != 1 {
		return "", true
	}
	i, ok := v.atoms[0].(ir.Const)
	if !ok || i.Int() == 0 {
		return "", false
	}
	return l.kernel.Errors[i.Int()-1], false
}

func errorText(what string) problem {
	return problem{CodeErrorValue, "the error has " + what + " in it", "an error of a kernel is a constant: compiled code returns one of a list",
		"return an error with a text that does not change, as in errors.New(\"the argument is out of range\"), and the number as a result of its own"}
}

// converted is v as the value of a variable of type t: nil gets the type, and what is no error is refused as one.
func (l *lowerer) converted(v value, t types.Type, pos token.Pos) value {
	if v.null {
		if isError(t) {
			return errorConst(0)
		}
		return value{typ: t, unset: true, bad: isPointer(t)} // a nil pointer is refused where it stands
	}
	if v.bad || v.unset || !isError(t) || isError(v.typ) {
		return v
	}
	return l.problem(pos, problem{CodeErrorValue, "a value of type " + typeName(v.typ) + " is used as an error", "an error of a kernel is nil, or one of a list of constant errors",
		"declare it in the package, as in var errRange = errors.New(\"out of range\")"})
}
