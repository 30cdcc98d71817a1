package load

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/ops/ir"
)

// Note [Errors]
//
// A value of type error is a number, and the numbers that it says: 0 is nil, and i+1 is entry i of the kernel's list of
// errors. An entry is a Go expression. Most are constants: a package-level variable that nothing assigns, or
// errors.New, errors.Join or fmt.Errorf of constants. Others say numbers that the kernel computes, as in
// fmt.Errorf("row %d: %w", i, err): these come with the value, 64 bits each, and generated code makes the error of them
// when the kernel has returned. An error among what is said is its number, with the numbers that it says itself.
//
// All errors of a kernel carry as many numbers as the one that says most (see shape), so that variables, results of
// branches and parameters of loops hold any of them. Lowering begins with none, and begins again when an error needs
// more. How many an error needs that says another one is known from the entries that this one may be: see codesOf.

// ErrorValue is an error that a kernel returns: a Go expression, as a file of the package writes it.
type ErrorValue struct {
	// Words is how many numbers the error says. It is 0 for a constant, whose expression is evaluated once.
	Words int
	// Plain says that the error says text, or another error that does: the kernel itself makes it, as plain Go.
	Plain bool
	text  string // with wordsName and makerName in it
}

// The text of an [ErrorValue] has these for names that are chosen later.
const (
	wordsName = "\x00w"
	makerName = "\x00m"
)

// Expr is the Go expression. words is the name of a slice with the numbers, an []int64, and maker that of a function
// which makes an error of a slice with its number and its own numbers.
func (e ErrorValue) Expr(words, maker string) string {
	return strings.NewReplacer(wordsName, words, makerName, maker).Replace(e.text)
}

// maxWords bounds the numbers that an error says.
const maxWords = 32

// moreWords unwinds the lowerer, which begins again with errors that carry so many numbers.
type moreWords int

// errorSite is what the lowerer knows of an entry of the kernel's list.
type errorSite struct {
	variable *types.Var // of a package-level variable
	opaque   bool       // that its type may say itself what it is, or wraps
	wraps    []wrapped  // what it wraps, if it says numbers
}

// wrapped is an error that another one wraps: its number and its words begin at word at, and it is one of the codes.
// Where at is negative it is a constant, the only one of the codes.
type wrapped struct {
	at    int
	codes []int
}

var errorType = types.Universe.Lookup("error").Type()

// isError reports whether t is the type error.
func isError(t types.Type) bool { return t != nil && types.Identical(t, errorType) }

// errorConst is entry i-1 of the kernel's list, a constant; 0 is nil.
func (s shape) errorConst(i int) value {
	v := value{typ: errorType, atoms: []ir.Atom{ir.IntConst(ir.Int32, int64(i))}}
	for range s {
		v.atoms = append(v.atoms, ir.IntConst(ir.Int64, 0))
	}
	return v
}

// errorEntry is the number of an entry of the kernel's list, which is made if there is none for the key. Entries of
// different keys are different errors, whatever they say.
func (l *lowerer) errorEntry(key any, e ErrorValue, site errorSite) int {
	i, ok := l.errors[key]
	if !ok {
		i = len(l.kernel.Errors)
		l.errors[key] = i
		l.kernel.Errors = append(l.kernel.Errors, e)
		l.sites = append(l.sites, site)
	}
	return i + 1
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
	return l.errorConst(l.errorEntry(obj, ErrorValue{text: expr}, errorSite{variable: obj}))
}

// errorFunction returns the function of package errors or fmt that a call calls, if it makes or compares errors.
func errorFunction(info *types.Info, e *ast.CallExpr) *types.Func {
	f, ok := info.Uses[calleeIdent(e)].(*types.Func)
	if !ok || f.Pkg() == nil {
		return nil
	}
	switch f.Pkg().Path() + "." + f.Name() {
	case "errors.New", "errors.Join", "errors.Is", "fmt.Errorf":
		return f
	}
	return nil
}

// isErrorCall reports whether a call makes an error, or compares one: errors.New, errors.Join, errors.Is or fmt.Errorf.
func isErrorCall(info *types.Info, e *ast.CallExpr) bool { return errorFunction(info, e) != nil }

// errorCall lowers such a call.
func (l *lowerer) errorCall(e *ast.CallExpr) value {
	f := errorFunction(l.unit.info, e)
	if f.Name() == "Is" {
		return l.errorIs(e)
	}
	s := &sayer{l: l}
	text, ok := s.call(e, f)
	if !ok {
		return value{bad: true}
	}
	return l.saidError(e, text, s)
}

// saidError is the error of the expression e, whose Go text is what s has found.
func (l *lowerer) saidError(e any, text string, s *sayer) value {
	type key struct {
		at   any
		text string
	}
	site := errorSite{wraps: s.wraps, opaque: s.opaque}
	if s.plain {
		s.words = nil
	}
	v := l.errorConst(l.errorEntry(key{e, text}, ErrorValue{Words: len(s.words), Plain: s.plain, text: text}, site))
	if len(s.words) > int(l.shape) {
		panic(moreWords(len(s.words)))
	}
	copy(v.atoms[1:], s.words)
	return v
}

// codesOf returns what an error's number a may be; ok is false if that is not known, as it may be what a later turn of
// a loop makes.
func (l *lowerer) codesOf(a ir.Atom) (codes []int, ok bool) {
	found, seen := map[int]bool{}, map[ir.Atom]bool{}
	var look func(a ir.Atom) bool
	look = func(a ir.Atom) bool {
		if c, ok := a.(ir.Const); ok {
			found[int(c.Int())] = true
			return true
		}
		if seen[a] {
			return true
		}
		seen[a] = true
		v := a.(*ir.Var)
		if op := l.carrying[v]; op != nil { // a parameter of a loop
			i := indexOf(op.Params, v)
			return op.Body != nil && look(op.Init[i]) && look(op.Body.Results[i])
		}
		s := l.made[v]
		if s == nil {
			return false
		}
		i := indexOf(s.Dst, v)
		switch op := s.Op.(type) {
		case *ir.If:
			return look(op.Then.Results[i]) && look(op.Else.Results[i])
		case *ir.Loop:
			return look(op.Init[i]) && look(op.Body.Results[i])
		case *ir.Select:
			return look(op.X) && look(op.Y)
		case *ir.Index: // of what an operator has made
			if of, ok := op.X.(*ir.Var); ok && l.made[of] != nil {
				if m, ok := l.made[of].Op.(*ir.Map); ok {
					return look(m.Body.Results[indexOf(l.made[of].Dst, of)])
				}
			}
		}
		if l.loops > 0 || l.ops > 0 {
			return false
		}
		for i := range l.sites { // an element of a sequence, for instance: any that was made before
			found[i+1] = true
		}
		return true
	}
	if !look(a) {
		return nil, false
	}
	for i := range len(l.sites) + 1 {
		if found[i] {
			codes = append(codes, i)
		}
	}
	return codes, true
}

func indexOf(vars []*ir.Var, v *ir.Var) int {
	for i := range vars {
		if vars[i] == v {
			return i
		}
	}
	return -1
}

// wordsOf is how many numbers the errors of some codes say at most.
func (l *lowerer) wordsOf(codes []int) (n int) {
	for _, c := range codes {
		if c > 0 {
			n = max(n, l.kernel.Errors[c-1].Words)
		}
	}
	return n
}

// errorsEqual compares two errors, of which one is nil or a package-level variable. Errors that the kernel makes are
// different even if they say the same, which their numbers do not tell.
func (l *lowerer) errorsEqual(fn ir.BinaryFn, x, y value, pos token.Pos) value {
	if !l.isVariable(x.atoms[0]) && !l.isVariable(y.atoms[0]) {
		return l.problem(pos, problem{CodeErrorValue, "two errors are compared, of which the kernel makes at least one", "each error that is made is another one, whatever it says",
			"compare with a package-level variable, or with nil"})
	}
	v := value{typ: types.Typ[types.Bool]}
	if c, ok := foldBinary(fn, x.atoms[0], y.atoms[0]); ok {
		v.atoms = []ir.Atom{c}
		return v
	}
	v.atoms = []ir.Atom{l.bin("t", fn, x.atoms[0], y.atoms[0])}
	return v
}

// isVariable reports whether an error's number is that of nil, or of a package-level variable, whichever.
func (l *lowerer) isVariable(a ir.Atom) bool {
	codes, ok := l.codesOf(a)
	return ok && !slices.ContainsFunc(codes, func(c int) bool { return c > 0 && l.sites[c-1].variable == nil })
}

func errorText(what string) problem {
	return problem{CodeErrorValue, "the error has " + what + " in it", "an error says constants, and what is made of numbers: only these come out of compiled code",
		"say which one it is by its index, as in fmt.Errorf(\"name %d is unknown\", i)"}
}

// converted is v as the value of a variable of type t: nil gets the type, and what is no error is refused as one.
func (l *lowerer) converted(v value, t types.Type, pos token.Pos) value {
	if v.null {
		if isError(t) {
			return l.errorConst(0)
		}
		return value{typ: t, unset: true, bad: isPointer(t)} // a nil pointer is refused where it stands
	}
	if v.bad || v.unset || !isError(t) || isError(v.typ) {
		return v
	}
	return l.ownError(v, pos)
}

// ownError is v, a value of a type of the module that has the method Error, as an error.
func (l *lowerer) ownError(v value, pos token.Pos) value {
	s := &sayer{l: l}
	text, ok := s.own(v, typeName(v.typ), pos)
	if !ok {
		return value{bad: true}
	}
	s.opaque = hasMethod(v.typ, "Is") || hasMethod(v.typ, "Unwrap")
	return l.saidError(pos, text, s)
}

// hasMethod reports whether t, or a pointer to it, has a method of a name.
func hasMethod(t types.Type, name string) bool {
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
	_, ok := obj.(*types.Func)
	return ok
}
