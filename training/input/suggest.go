package input

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// unbound returns the error for the parameters that neither a binding nor an input gives a value, nil if there are
// none. It says what would do: random values, of lengths and within limits such that they can be lengths and indices of
// each other.
func (k *Kernel) unbound(params []Parameter, bind []Entry, sources map[string]*Source) *Error {
	var missing []Parameter
	for _, p := range params {
		base, _, _ := strings.Cut(p.Name, ".")
		if p.Expr == "" && sources[p.Name] == nil && sources[base] == nil {
			missing = append(missing, p)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	var names []string
	for _, p := range missing {
		names = append(names, fmt.Sprintf("%s (%s)", p.Name, p.Type))
	}
	what := "parameter " + names[0] + " of " + k.Name + " is not bound"
	if len(names) > 1 {
		last := len(names) - 1
		what = "parameters " + strings.Join(names[:last], ", ") + " and " + names[last] + " of " + k.Name + " are not bound"
	}
	values := k.suggest(missing, bind)
	var flags []string
	for _, e := range values {
		flags = append(flags, "--bind "+e.Name+"="+e.Value)
	}
	return &Error{What: what, Code: CodeUnbound, Why: "no input and no binding gives a value",
		Do: "random values would be " + strings.Join(flags, " "), Bind: values}
}

// offsetsName is how parameters are called that say where rows begin.
var offsetsName = regexp.MustCompile(`(?i)(offsets?|starts?|ptrs?|begins?)$`)

// suggest returns bindings for parameters. All sequences have n elements, rows ten; integers are indices of these.
func (k *Kernel) suggest(missing []Parameter, bind []Entry) (out []Entry) {
	n := k.length(bind)
	if !slices.ContainsFunc(bind, func(e Entry) bool { return e.Name == n }) {
		out = append(out, Entry{Name: n, Value: "1000"})
	}
	used := false
	for _, p := range missing {
		if p.Name == n {
			used = true
			continue
		}
		e := Entry{Name: p.Name, Value: "10"}
		switch {
		case p.Type.Rank > 0:
			e.Value = randomOf(p, n)
			used = used || strings.Contains(e.Value, n)
		case p.Type.Kind.IsFloat():
			e.Value = "0.5"
		case p.Type.Kind == Bool:
			e.Value = "true"
		}
		out = append(out, e)
	}
	if !used && len(out) > len(missing) {
		return out[1:]
	}
	return out
}

// length is the name for the number of elements: no parameter that is something else.
func (k *Kernel) length(bind []Entry) string {
	for _, name := range []string{"n", "size", "elements", "length_of_all"} {
		i := slices.IndexFunc(k.Params, func(p Parameter) bool { return p.Name == name || strings.HasPrefix(p.Name, name+".") })
		if i < 0 || k.Params[i].Name == name && k.Params[i].Type == (Type{Kind: Int}) {
			return name
		}
	}
	return "number_of_elements"
}

// randomOf is an expression for a sequence of n elements.
func randomOf(p Parameter, n string) string {
	count, sizes := n, []string{n}
	if p.Elements > 0 {
		count, sizes = fmt.Sprint(p.Elements), nil
		if p.Type.Rank > 1 {
			count, sizes = fmt.Sprintf("%s*%d", n, p.Elements), []string{n, count}
		}
	}
	for len(sizes) < p.Type.Rank && p.Type.Rank > 1 {
		last := len(sizes)
		if p.Elements > 0 {
			last--
		}
		count, sizes = count+"*10", slices.Insert(sizes, last, "10")
	}
	of := ""
	switch k := p.Type.Kind; {
	case k.IsFloat():
		of = "random(" + count + ")"
	case k == Bool:
		of = "integers(" + count + ", hi=2)"
	case k == Uint8: // printable
		of = "integers(" + count + ", lo=32, hi=127)"
	case k == Int8:
		of = "integers(" + count + ")"
	case p.Type.Rank == 1 && p.Elements == 0 && offsetsName.MatchString(p.Name):
		return "range(" + n + "/10+1, step=10)"
	default:
		of = "integers(" + count + ", hi=" + n + ")"
	}
	if p.Type.Rank > 1 {
		return "matrix(" + of + ", " + strings.Join(sizes, ", ") + ")"
	}
	return of
}
