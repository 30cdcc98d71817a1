package load

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// helperText are functions that rewritten code calls, by the name that they get: in place of conversions between
// strings and characters, and of what changes a slice that a variable holds.
var helperText = map[string]string{
	"count·": `
func helper(i int) int {
	if i < 0 {
		panic("index out of range")
	}
	return i
}`,
	"packed·": `
func helper(s string) uint64 {
	if len(s) > 7 {
		return 1<<64 - 1
	}
	w := uint64(len(s))
	for i := 0; i < len(s); i++ {
		w = w<<8 | uint64(s[i])
	}
	return w
}`,
	"none·": `
func helper[S ~[]E, E any](s S) S {
	return make(S, 0)
}`,
	"emptyFor·": `
func helper[S ~[]E, E any](s S, n int) S {
	return make(S, 0, n)
}`,
	"roomFor·": `
func helper[S ~[]E, E any](s S, n int) S {
	return append(make(S, 0, n), s...)
}`,
	"collected·": `
func helper[S ~[]E, E any](s S) []E {
	return append([]E(nil), s...)
}`,
	"sorted·": `
func helper[S ~[]E, E interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr | ~float32 | ~float64 | ~string
}](s S) []E {
	out := make([]E, len(s))
	for i, x := range s {
		out[i] = x
	}
	slices.Sort(out)
	return out
}`,
	"sortedFunc·": `
func helper[S ~[]E, E any](s S, cmp func(a, b E) int) []E {
	out := make([]E, len(s))
	for i, x := range s {
		out[i] = x
	}
	slices.SortFunc(out, cmp)
	return out
}`,
	"insert·": `
func helper[S ~[]E, E any](s *S, at int, v ...E) {
	n := len(*s)
	if at < 0 || at > n {
		panic("slice bounds out of range")
	}
	*s = append(*s, v...)
	copy((*s)[at+len(v):], (*s)[at:n])
	for k, e := range v {
		(*s)[at+k] = e
	}
}`,
	"insertOne·": `
func helper[S ~[]E, E any](s *S, at int, v E) {
	n := len(*s)
	if at < 0 || at > n {
		panic("slice bounds out of range")
	}
	*s = append(*s, v)
	copy((*s)[at+1:], (*s)[at:n])
	(*s)[at] = v
}`,
	"inserted·": `
func helper[S ~[]E, E any](s S, at int, v ...E) S {
	n := len(s)
	if at < 0 || at > n {
		panic("slice bounds out of range")
	}
	out := make(S, n+len(v))
	copy(out, s[:at])
	copy(out[at:], v)
	copy(out[at+len(v):], s[at:])
	return out
}`,
	"replaced·": `
func helper[S ~[]E, E any](s S, from, to int, v ...E) S {
	n := len(s)
	if from < 0 || from > to || to > n {
		panic("slice bounds out of range")
	}
	out := make(S, from+len(v)+n-to)
	copy(out, s[:from])
	copy(out[from:], v)
	copy(out[from+len(v):], s[to:])
	return out
}`,
	"flatten·": `
func helper[S ~[]E, E any](rows []S) S {
	var out S
	for _, row := range rows {
		out = append(out, row...)
	}
	return out
}`,
	"concat·": `
func helper[S ~[]E, E any](a, b S) S {
	out := make(S, len(a)+len(b))
	copy(out, a)
	copy(out[len(a):], b)
	return out
}`,
	"remove·": `
func helper[S ~[]E, E any](s *S, from, to int) {
	n := len(*s)
	if from < 0 || from > to || to > n {
		panic("slice bounds out of range")
	}
	copy((*s)[from:], (*s)[to:])
	clear((*s)[n-(to-from):])
	*s = (*s)[:n-(to-from)]
}`,
	"joined·": `
func helper[S ~[]E, E any](s *S, from, to int) {
	n := len(*s)
	if from < 0 || from > n || to < 0 || to > n {
		panic("slice bounds out of range")
	}
	if from <= to {
		copy((*s)[from:], (*s)[to:])
	} else {
		for range from - to {
			*s = append(*s, (*s)[0])
		}
		copy((*s)[from:], (*s)[to:n])
	}
	*s = (*s)[:from+n-to]
}`,
	"runes·": `
func helper(s string) []rune {
	n := 0
	for range s {
		n++
	}
	out := make([]rune, n)
	i := 0
	for _, r := range s {
		out[i] = r
		i++
	}
	return out
}`,
	"text·": `
func helper(runes []rune) string {
	out := make([]byte, 4*len(runes))
	n := 0
	for _, r := range runes {
		switch {
		case 0 <= r && r < 0x80:
			out[n] = byte(r)
			n++
		case 0 <= r && r < 0x800:
			out[n] = 0xc0 | byte(r>>6)
			out[n+1] = 0x80 | byte(r)&0x3f
			n += 2
		case 0x10000 <= r && r <= 0x10ffff:
			out[n] = 0xf0 | byte(r>>18)
			out[n+1] = 0x80 | byte(r>>12)&0x3f
			out[n+2] = 0x80 | byte(r>>6)&0x3f
			out[n+3] = 0x80 | byte(r)&0x3f
			n += 4
		default:
			if r < 0 || r > 0x10ffff || 0xd800 <= r && r < 0xe000 {
				r = 0xfffd
			}
			out[n] = 0xe0 | byte(r>>12)
			out[n+1] = 0x80 | byte(r>>6)&0x3f
			out[n+2] = 0x80 | byte(r)&0x3f
			n += 3
		}
	}
	return string(out[:n])
}`,
}

// characters rewrites the conversions []rune(s), string(runes) and string(r), of a rune or a byte r, to calls of
// functions that do the same. What an error says is left alone: the error is made of it as it stands.
func (r *rewriter) characters(n ast.Node) {
	replaceExprs(n, saysText, func(e ast.Expr) ast.Expr {
		call, ok := e.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 || !r.info.Types[call.Fun].IsType() || r.info.Types[call].Value != nil {
			return e
		}
		to, from := r.info.TypeOf(call), r.info.TypeOf(call.Args[0])
		pos, arg := call.Pos(), call.Args[0]
		as := func(t ast.Expr, e ast.Expr) ast.Expr {
			return &ast.CallExpr{Fun: t, Lparen: pos, Args: []ast.Expr{e}, Rparen: pos}
		}
		runes := func() ast.Expr { return &ast.ArrayType{Lbrack: pos, Elt: name("rune", pos)} }
		var helper string
		switch {
		case isString(from) && isRunes(to):
			helper, arg = "runes·", as(name("string", pos), arg)
		case isString(to) && isRunes(from):
			helper = "text·"
			if _, named := types.Unalias(from).(*types.Named); named {
				arg = as(runes(), arg)
			}
		case isString(to) && isCharacter(from):
			helper, arg = "text·", &ast.CompositeLit{Type: runes(), Lbrace: pos, Elts: []ast.Expr{as(name("rune", pos), arg)}, Rbrace: pos}
		default:
			return e
		}
		r.changed = true
		r.helpers[helper] = true
		called := ast.Expr(as(name(helper, pos), arg))
		if types.Identical(to, types.Typ[types.String]) || types.Identical(to, types.NewSlice(types.Universe.Lookup("rune").Type())) {
			return called
		}
		return as(call.Fun, called)
	})
}

func isRunes(t types.Type) bool {
	elem, ok := isSequence(t)
	if !ok {
		return false
	}
	return isCharacter(elem) && types.Identical(elem.Underlying(), types.Typ[types.Int32])
}

// isCharacter reports whether t is an int32 or a uint8, named or not.
func isCharacter(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && (b.Kind() == types.Int32 || b.Kind() == types.Uint8)
}

// helperFile is a file of the package with the functions that rewritten code calls; nil if there are none.
func (r *rewriter) helperFile(fset *token.FileSet, pkg string) (*ast.File, error) {
	if len(r.helpers) == 0 && len(r.texts) == 0 {
		return nil, nil
	}
	text := "package " + pkg + "\n"
	if r.helpers["sorted·"] || r.helpers["sortedFunc·"] {
		text += "import \"slices\"\n"
	}
	text += strings.Join(r.texts, "\n")
	for _, name := range slices.Sorted(maps.Keys(r.helpers)) {
		text += strings.Replace(helperText[name], "func helper", "func "+name, 1)
	}
	const letter = "\ua78f" // a dot that identifiers may have
	f, err := parser.ParseFile(fset, "conversions", strings.ReplaceAll(text, "·", letter), parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			id.Name = strings.ReplaceAll(id.Name, letter, "·")
		}
		return true
	})
	return f, nil
}

// replaceExprs replaces every expression in n, from the inner ones to the outer ones, by what f gives for it, but for
// what is in calls that are left alone.
func replaceExprs(n ast.Node, alone func(*ast.CallExpr) bool, f func(ast.Expr) ast.Expr) {
	replaceIn(reflect.ValueOf(n), alone, f)
}

var exprType = reflect.TypeFor[ast.Expr]()

func replaceIn(v reflect.Value, alone func(*ast.CallExpr) bool, f func(ast.Expr) ast.Expr) {
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return
		}
		replaceIn(v.Elem(), alone, f)
		if v.Type() == exprType && v.CanSet() {
			if e := f(v.Interface().(ast.Expr)); e != v.Interface().(ast.Expr) {
				v.Set(reflect.ValueOf(e))
			}
		}
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		switch n := v.Interface().(type) {
		//lint:ignore SA1019 the parser's nodes have fields of these types, which lead out of the syntax
		case *ast.Object, *ast.Scope:
			return
		case *ast.CallExpr:
			if alone != nil && alone(n) {
				return
			}
		}
		replaceIn(v.Elem(), alone, f)
	case reflect.Struct:
		for i := range v.NumField() {
			replaceIn(v.Field(i), alone, f)
		}
	case reflect.Slice:
		for i := range v.Len() {
			replaceIn(v.Index(i), alone, f)
		}
	}
}

// saysText reports whether a call, by its name, makes an error or panics.
func saysText(call *ast.CallExpr) bool {
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		return f.Name == "panic"
	case *ast.SelectorExpr:
		x, ok := f.X.(*ast.Ident)
		return ok && (x.Name == "errors" || x.Name == "fmt")
	}
	return false
}
