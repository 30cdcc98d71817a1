package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
	"unicode"
)

// The directive //surge:instantiate [float32] [float64] says for which type arguments a generic kernel is compiled:
// one kernel for each list. A kernel's name is that of the function and those of the types, as in ScaleFloat32.

// instantiateLine is one such directive, and the function in whose doc comment it stands, nil if there is none.
type instantiateLine struct {
	directive
	decl *ast.FuncDecl
}

// expand puts the instances of generic kernels in their place.
func (p *program) expand(marked []*function, lines []instantiateLine) []*function {
	lists := map[*function][]instantiateLine{}
	for _, line := range lines {
		var f *function
		for _, m := range marked {
			if m.decl == line.decl {
				f = m
			}
		}
		if f == nil || f.obj.Signature().TypeParams() == nil {
			p.rep.at(line.pos, problem{CodeDirective, "//surge:instantiate does not belong to a generic kernel",
				"it says for which types a kernel with type parameters is compiled", "put it below the line //surge:kernel of a function with type parameters, or leave it out"})
			continue
		}
		lists[f] = append(lists[f], line)
	}
	var out []*function
	for _, f := range marked {
		if len(lists[f]) == 0 {
			out = append(out, f)
		}
		for _, line := range lists[f] {
			for _, list := range typeLists(strings.Join(line.args, " ")) {
				if g := p.kernelInstance(f, list, line.pos); g != nil {
					out = append(out, g)
				}
			}
		}
	}
	return out
}

// kernelInstance is the kernel f for one list of type arguments, as its source; nil after reporting.
func (p *program) kernelInstance(f *function, list string, pos token.Pos) *function {
	refuse := func(what string) *function {
		p.rep.at(pos, problem{CodeDirective, "//surge:instantiate: " + what, "each list in brackets has one type for each type parameter of " + f.obj.Name(),
			"write lists of types, as in //surge:instantiate [float32] [float64]"})
		return nil
	}
	tv, err := types.Eval(p.fset, f.unit.pkg, f.decl.Body.Pos(), "func("+list+")")
	sig, ok := tv.Type.(*types.Signature)
	if err != nil || !ok || sig.Variadic() {
		return refuse("[" + list + "] is no list of types")
	}
	var args []types.Type
	var names []string
	suffix := ""
	for v := range sig.Params().Variables() {
		args = append(args, v.Type())
		names = append(names, types.TypeString(v.Type(), types.RelativeTo(p.root.pkg)))
		suffix += identifier(typeName(v.Type()))
	}
	if _, err := types.Instantiate(nil, f.obj.Signature(), args, true); err != nil {
		return refuse(err.Error())
	}
	g := p.instance(f, args)
	if g == nil {
		return nil
	}
	g.kernel, g.call = f.obj.Name()+suffix, f.obj.Name()+"["+strings.Join(names, ", ")+"]"
	p.reassociate[g] = p.reassociate[f]
	if v, ok := p.variantOf[f]; ok {
		p.variantOf[g] = alternative{v.kernel + suffix, v.pos}
	}
	return g
}

// identifier is the name of a type as a part of an identifier: Float64, TimeDuration.
func identifier(name string) string {
	var sb strings.Builder
	upper := true
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_':
			upper = true
			continue
		case upper:
			r = unicode.ToUpper(r)
		}
		sb.WriteRune(r)
		upper = false
	}
	return sb.String()
}

// typeLists takes "[float32, int] [float64, int]" apart; what is outside of brackets is a list of its own, to be
// refused.
func typeLists(text string) []string {
	var lists []string
	depth, start := 0, 0
	for i, r := range text {
		switch r {
		case '[':
			if depth++; depth == 1 {
				start = i + 1
			}
		case ']':
			if depth--; depth == 0 {
				lists = append(lists, text[start:i])
			}
		case ' ':
		default:
			if depth == 0 {
				return []string{text}
			}
		}
	}
	if depth != 0 || len(lists) == 0 {
		return []string{text}
	}
	return lists
}

// someTypes is a list of type arguments that a generic function may be compiled for.
func someTypes(sig *types.Signature) string {
	params := typeParams(sig)
	for _, kind := range []types.BasicKind{types.Float64, types.Int, types.Int32, types.Uint64, types.Uint8, types.Float32, types.Complex128, types.String} {
		args := make([]types.Type, params.Len())
		names := make([]string, params.Len())
		for i := range args {
			args[i], names[i] = types.Typ[kind], types.Typ[kind].Name()
		}
		if _, err := types.Instantiate(nil, sig, args, true); err == nil {
			return strings.Join(names, ", ")
		}
	}
	return "float64"
}
