package codegen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/load"
)

// callName is the name of the generated function that calls a function of the program as it stands.
func (g *kernelFile) callName(fn string) string {
	return fmt.Sprintf("%sCall%d", g.base, 1+slices.IndexFunc(g.k.Source.Calls, func(c *load.Called) bool { return c.Name == fn }))
}

// calls prints these functions: they take and return numbers, and put structs and arrays of them together.
func (g *kernelFile) calls() string {
	var sb strings.Builder
	for _, c := range g.k.Source.Calls {
		n := 0
		next := func() string {
			for n++; ; n++ {
				if name := fmt.Sprintf("x%d", n); !c.Mentions(name) {
					return name
				}
			}
		}
		var params, args, results, returned, types []string
		for _, p := range c.Params {
			args = append(args, assembled(p.Part, func(k ir.Kind) string {
				name := next()
				params = append(params, name+" "+k.String())
				return name
			}))
		}
		for _, r := range c.Results {
			name := next()
			results = append(results, name)
			taken(r.Part, name, func(x string, k ir.Kind) {
				returned, types = append(returned, x), append(types, k.String())
			})
		}
		fmt.Fprintf(&sb, "// %[1]s calls %[2]s as it is.\nfunc %[1]s(%[3]s) (%[4]s) {\n%[5]s := %[6]s(%[7]s)\nreturn %[8]s\n}\n\n", g.callName(c.Name), c.Name,
			strings.Join(params, ", "), strings.Join(types, ", "), strings.Join(results, ", "), c.Expr, strings.Join(args, ", "), strings.Join(returned, ", "))
	}
	return sb.String()
}

// assembled is a value of Go that is made of numbers, each of which number names.
func assembled(p *load.Part, number func(ir.Kind) string) string {
	switch p.Kind {
	case load.PartComplex:
		re := number(p.Number)
		return fmt.Sprintf("%s(complex(%s, %s))", p.GoType, re, number(p.Number))
	case load.PartStruct:
		var fields []string
		for _, f := range p.Fields {
			fields = append(fields, f.Name+": "+assembled(f.Part, number))
		}
		return p.GoType + "{" + strings.Join(fields, ", ") + "}"
	case load.PartArray:
		var elements []string
		for range p.Len {
			elements = append(elements, assembled(p.Elem, number))
		}
		return p.GoType + "{" + strings.Join(elements, ", ") + "}"
	}
	if p.Plain {
		return number(p.Number)
	}
	return p.GoType + "(" + number(p.Number) + ")"
}

// taken takes a value of Go apart, number by number.
func taken(p *load.Part, x string, number func(x string, k ir.Kind)) {
	switch p.Kind {
	case load.PartComplex:
		number("real("+x+")", p.Number)
		number("imag("+x+")", p.Number)
	case load.PartStruct:
		for _, f := range p.Fields {
			taken(f.Part, x+"."+f.Name, number)
		}
	case load.PartArray:
		for i := range p.Len {
			taken(p.Elem, fmt.Sprintf("%s[%d]", x, i), number)
		}
	default:
		number(numeric(x, p), p.Number)
	}
}
