package load

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/ops/ir"
)

// sayer finds what an error says: its Go text, and the numbers that the kernel computes for it.
type sayer struct {
	l     *lowerer
	words []ir.Atom // each an int64
	wraps []wrapped
	// opaque says that the error is of a type with a method Is or Unwrap.
	opaque bool
	// plain says that something of it is neither a constant nor made of numbers.
	plain bool
}

// textFunctions are the functions, by package, that make text of numbers within what an error says.
var textFunctions = map[string][]string{
	"fmt":     {"Sprintf", "Sprint", "Sprintln"},
	"strconv": {"Itoa", "FormatInt", "FormatUint", "FormatFloat", "FormatBool", "FormatComplex", "Quote", "QuoteRune"},
}

// isTextCall reports whether a call makes text of numbers, and returns the function.
func isTextCall(info *types.Info, e *ast.CallExpr) (*types.Func, bool) {
	f, ok := info.Uses[calleeIdent(e)].(*types.Func)
	return f, ok && f.Pkg() != nil && f.Signature().Recv() == nil && slices.Contains(textFunctions[f.Pkg().Path()], f.Name())
}

// call is the text of a call of f; ok is false if that was refused.
func (s *sayer) call(e *ast.CallExpr, f *types.Func) (text string, ok bool) {
	wrapping := f.Name() == "Join"
	var verbs []byte
	if f.Name() == "Errorf" && len(e.Args) > 0 {
		if v := s.l.unit.info.Types[e.Args[0]].Value; v != nil && v.Kind() == constant.String {
			verbs = verbsOf(constant.StringVal(v))
		}
	}
	var args []string
	for i, a := range e.Args {
		arg, ok := s.expr(a, wrapping || i > 0 && i <= len(verbs) && verbs[i-1] == 'w')
		if !ok {
			return "", false
		}
		args = append(args, arg)
	}
	return s.l.kernel.parts.qualify(f.Pkg()) + "." + f.Name() + "(" + strings.Join(args, ", ") + ")", true
}

// expr is the text of an expression. wrap says that an error is wrapped there.
func (s *sayer) expr(e ast.Expr, wrap bool) (text string, ok bool) {
	e = ast.Unparen(e)
	info := s.l.unit.info
	tv := info.Types[e]
	if tv.Value != nil {
		return s.constant(tv), true
	}
	if isError(tv.Type) || tv.IsNil() {
		return s.wrapped(e, wrap)
	}
	switch e := e.(type) {
	case *ast.CallExpr:
		if f, ok := isTextCall(info, e); ok {
			return s.call(e, f)
		}
		if b, ok := tv.Type.Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 && info.Types[e.Fun].IsType() && isInteger(info.TypeOf(e.Args[0])) {
			x, ok := s.expr(e.Args[0], false)
			return s.l.kernel.parts.typeText(tv.Type) + "(" + x + ")", ok && s.nameable(tv.Type)
		}
	case *ast.BinaryExpr:
		if e.Op == token.ADD && isString(tv.Type) {
			x, ok := s.expr(e.X, false)
			if !ok {
				return "", false
			}
			y, ok := s.expr(e.Y, false)
			return "(" + x + " + " + y + ")", ok
		}
	}
	v, back := s.l.looked(e)
	defer back()
	if v.ptr == nil {
		v.typ = tv.Type
	}
	return s.own(v, types.ExprString(e), e.Pos())
}

// looked lowers e, which an error says: that gives what e names no other name. back is to be called when the value is
// not used any more.
func (l *lowerer) looked(e ast.Expr) (v value, back func()) {
	escaped := l.escapes()
	v = l.expr(e)
	return v, func() {
		for own, pos := range escaped {
			own.escaped = pos
		}
	}
}

// own is the text of v, which is made of numbers, or a pointer to a new variable that is. name is how messages call it.
func (s *sayer) own(v value, name string, pos token.Pos) (text string, ok bool) {
	l, prefix := s.l, ""
	if v.ptr != nil {
		key, isNew := v.ptr.root.(*slot)
		if _, isStruct := v.ptr.elem.Underlying().(*types.Struct); !isNew || !isStruct || len(v.ptr.steps) > 0 || key.input || key.global != nil {
			s.plain = true // whoever gets the error may see later assignments
			return "nil", true
		}
		v, prefix = l.load(v.ptr, pos), "&"
	}
	if v = l.use(v, pos); v.bad {
		return "", false
	}
	if v.fn != nil {
		l.problem(pos, errorText(name))
		return "", false
	}
	said := len(s.words)
	text, rest, ok := s.value(v.typ, v.atoms)
	if !ok || len(rest) > 0 { // what the kernel itself says, as plain Go: see Note [Once more] of package codegen
		s.words, s.plain = s.words[:said], true
		text = "nil"
	}
	return prefix + text, true
}

func isInteger(t types.Type) bool {
	k, ok := scalarKind(t)
	return ok && k.IsInteger()
}

// constant is the text of a constant, of its own type.
func (s *sayer) constant(tv types.TypeAndValue) string {
	t, text := types.Default(tv.Type), constantSource(tv.Value)
	if tv.Value.Kind() == constant.String && types.Identical(t, types.Typ[types.String]) {
		return text
	}
	return s.l.kernel.parts.typeText(t) + "(" + text + ")"
}

// wrapped is the text of an error in what is said.
func (s *sayer) wrapped(e ast.Expr, wrap bool) (text string, ok bool) {
	l := s.l
	v := l.use(l.expr(e), e.Pos())
	switch {
	case v.bad || len(v.atoms) == 0:
		return "", false
	case v.null:
		return "nil", true
	}
	c, isConst := v.atoms[0].(ir.Const)
	if isConst && c.Int() == 0 {
		return "error(nil)", true
	}
	if isConst && l.kernel.Errors[c.Int()-1].Plain {
		s.plain = true
	}
	if isConst && l.kernel.Errors[c.Int()-1].Words == 0 {
		if wrap {
			s.wraps = append(s.wraps, wrapped{at: -1, codes: []int{int(c.Int())}})
		}
		return l.kernel.Errors[c.Int()-1].text, true
	}
	codes, known := l.codesOf(v.atoms[0])
	if !known {
		s.plain, s.opaque = true, s.opaque || wrap
		return "nil", true
	}
	s.plain = s.plain || slices.ContainsFunc(codes, func(c int) bool { return c > 0 && l.kernel.Errors[c-1].Plain })
	at, n := len(s.words), l.wordsOf(codes)
	if at+1+n > maxWords {
		s.plain, s.opaque = true, s.opaque || wrap
		return "nil", true
	}
	s.words = append(s.words, l.convert(v.atoms[0], ir.Int64))
	s.words = append(s.words, v.atoms[1:1+n]...)
	if wrap {
		s.wraps = append(s.wraps, wrapped{at: at, codes: codes})
	}
	return fmt.Sprintf("%s(%s[%d:%d])", makerName, wordsName, at, len(s.words)), true
}

// word adds a number, and returns the text that stands for it.
func (s *sayer) word(a ir.Atom) string {
	s.words = append(s.words, a)
	return fmt.Sprintf("%s[%d]", wordsName, len(s.words)-1)
}

// nameable reports whether generated code can name the type.
func (s *sayer) nameable(t types.Type) bool { return s.l.kernel.parts.nameable(t) == nil }

// value is the text of a value of type t that is made of the first of the atoms; rest are the others. ok is false if
// it is not made of numbers, or of a type that generated code cannot name.
func (s *sayer) value(t types.Type, atoms []ir.Atom) (text string, rest []ir.Atom, ok bool) {
	if len(atoms) == 0 || len(s.words) > maxWords {
		return "", nil, false
	}
	name := s.l.kernel.parts.typeText(t)
	if !s.nameable(t) {
		b, basic := t.Underlying().(*types.Basic)
		if named, _ := types.Unalias(t).(*types.Named); !basic || named == nil || named.NumMethods() > 0 {
			return "", nil, false
		}
		name = b.Name()
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if kind, ok := scalarKind(t); ok {
			text := s.number(kind, atoms[0])
			if name != kind.String() || kind.IsInteger() {
				text = name + "(" + text + ")"
			}
			return text, atoms[1:], true
		}
		if part, ok := complexPart(t); ok && len(atoms) > 1 {
			return name + "(complex(" + s.number(part, atoms[0]) + ", " + s.number(part, atoms[1]) + "))", atoms[2:], true
		}
		if isString(t) {
			for _, c := range s.l.literals {
				if c.bytes == atoms[0] {
					return name + "(" + constantSource(constant.MakeString(c.text)) + ")", atoms[1:], true
				}
			}
		}
	case *types.Struct:
		if !nameableFields(u, s.l.prog.root.pkg) {
			return "", nil, false
		}
		var fields []string
		for f := range u.Fields() {
			if text, atoms, ok = s.value(f.Type(), atoms); !ok {
				return "", nil, false
			}
			fields = append(fields, f.Name()+": "+text)
		}
		return name + "{" + strings.Join(fields, ", ") + "}", atoms, true
	case *types.Array:
		if atoms[0].Type().Rank > 0 {
			return "", nil, false
		}
		var elems []string
		for range u.Len() {
			if text, atoms, ok = s.value(u.Elem(), atoms); !ok {
				return "", nil, false
			}
			elems = append(elems, text)
		}
		return name + "{" + strings.Join(elems, ", ") + "}", atoms, true
	}
	return "", nil, false
}

// nameableFields reports whether a file of the package can write all fields of a struct.
func nameableFields(t *types.Struct, pkg *types.Package) bool {
	for f := range t.Fields() {
		if f.Name() == "_" || !f.Exported() && f.Pkg() != pkg {
			return false
		}
	}
	return true
}

// number is the text of a number, which has the type of the word for an integer.
func (s *sayer) number(kind ir.Kind, a ir.Atom) string {
	l := s.l
	switch {
	case kind == ir.Bool:
		one, zero := ir.IntConst(ir.Int64, 1), ir.IntConst(ir.Int64, 0)
		if c, ok := a.(ir.Const); ok {
			return fmt.Sprint(c.Bits != 0)
		}
		return s.word(l.emit("t", ir.Scalar(ir.Int64), &ir.Select{Cond: a, X: one, Y: zero})) + " != 0"
	case kind.IsFloat():
		wide := l.convert(a, ir.Float64)
		bits := l.emit("bits", ir.Scalar(ir.Uint64), &ir.Unary{Fn: ir.FloatBits, X: wide})
		text := "exec.Float(" + s.word(l.convert(bits, ir.Int64)) + ")"
		if kind == ir.Float32 {
			text = "float32(" + text + ")"
		}
		return text
	}
	return s.word(l.convert(a, ir.Int64))
}

// verbsOf returns the verb of each argument of a format, 0 for one that none or several say, or that is a width.
func verbsOf(format string) []byte {
	var verbs []byte
	next := 0
	note := func(verb byte) {
		for len(verbs) <= next {
			verbs = append(verbs, 0)
		}
		if verbs[next] != 'w' { // wrapped once is wrapped
			verbs[next] = verb
		}
		next++
	}
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			continue
		}
		for i++; i < len(format); i++ {
			switch c := format[i]; {
			case c == '*':
				note('*')
				continue
			case c == '[':
				end := strings.IndexByte(format[i:], ']')
				if end < 0 {
					return verbs
				}
				n := 0
				fmt.Sscanf(format[i+1:i+end], "%d", &n)
				next = max(n-1, 0)
				i += end
				continue
			case strings.IndexByte("+-# 0123456789.", c) >= 0:
				continue
			case c != '%':
				note(c)
			}
			break
		}
	}
	return verbs
}
