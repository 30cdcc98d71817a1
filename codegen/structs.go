package codegen

import (
	"fmt"
	"strings"

	"github.com/surge-ndp/surge/codegen/lower"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/load"
)

// Structs are elements of parameters and results only: inside a kernel each field is a sequence of its own, so that
// lanes load and store consecutive numbers. Bind pays for taking parameters apart, once; Run for putting results
// together, each time.

// unpackDoc is what the comment of Bind says of parameters that hold structs.
func (g *kernelFile) unpackDoc() string {
	var sb strings.Builder
	for i, q := range g.k.Source.Params {
		if q.Fields == nil || q.Type.Rank == 0 {
			continue
		}
		bytes := 0
		for _, f := range q.Fields {
			bytes += f.Type.Kind.Bytes()
		}
		fmt.Fprintf(&sb, "// The elements of %s are copied: each field becomes a sequence of its own (%d bytes an element).\n", g.paramName(i), bytes)
	}
	return sb.String()
}

// converted is x as type to, where the types differ.
func converted(x, from, to string) string {
	if from == to {
		return x
	}
	return to + "(" + x + ")"
}

// unpack prints how the parameter name, which holds structs, gets into the frame f: vars are its fields.
func (g *kernelFile) unpack(q load.Param, vars []*ir.Var, name, f string) string {
	var sb strings.Builder
	field := func(k int, elem string) string {
		return converted(elem+q.Fields[k].Path, q.Fields[k].GoType, q.Fields[k].Type.Kind.String())
	}
	if q.Type.Rank == 0 {
		for k, v := range vars {
			fmt.Fprintf(&sb, "%s.%s = %s\n", f, lower.HostName(v), field(k, name))
		}
		return sb.String()
	}
	elems, i := name, g.local("i")
	if q.Type.Rank == 2 {
		data, offsets := g.local("data"), g.local("offsets")
		fmt.Fprintf(&sb, "{\n%s, %s := exec.Pack(%s)\n", data, offsets, name)
		elems = data
		for _, v := range vars {
			fmt.Fprintf(&sb, "%s.%s = %s\n", f, lower.RowOffsetsName(v), offsets)
		}
	}
	for _, v := range vars {
		fmt.Fprintf(&sb, "%s.%s = make([]%s, len(%s))\n", f, lower.HostName(v), v.T.Kind, elems)
	}
	fmt.Fprintf(&sb, "for %s := range %s {\n", i, elems)
	for k, v := range vars {
		fmt.Fprintf(&sb, "%s.%s[%s] = %s\n", f, lower.HostName(v), i, field(k, elems+"["+i+"]"))
	}
	sb.WriteString("}\n")
	if q.Type.Rank == 2 {
		sb.WriteString("}\n")
	}
	return sb.String()
}

// pack prints how result number i of Run, which holds structs, is put together in the variable name: atoms are its
// fields.
func (g *kernelFile) pack(q load.Param, atoms []ir.Atom, name string, i int, zeros string) string {
	var sb strings.Builder
	field := func(k int, x string) string {
		return converted(x, q.Fields[k].Type.Kind.String(), q.Fields[k].GoType)
	}
	fmt.Fprintf(&sb, "var %s %s\n", name, q.GoType)
	if q.Type.Rank == 0 {
		for k, a := range atoms {
			fmt.Fprintf(&sb, "%s%s = %s\n", name, q.Fields[k].Path, field(k, g.result(a, "")))
		}
		return sb.String()
	}
	elem := strings.TrimPrefix(q.GoType, "[]")
	fmt.Fprintf(&sb, "%s, err = exec.Result[%s](&b.call, %d, len(%s))\nif err != nil {\nreturn %serr\n}\nfor i := range %s {\n",
		name, elem, i, g.result(atoms[0], ""), zeros, name)
	for k, a := range atoms {
		fmt.Fprintf(&sb, "%s[i]%s = %s\n", name, q.Fields[k].Path, field(k, g.result(a, "")+"[i]"))
	}
	sb.WriteString("}\n")
	return sb.String()
}

// harnessArgs prints the arguments of a kernel from the values that the harness has, one a field: the expressions, and
// the checks that all fields of a sequence have its length, and the functions that put structs together.
func (g *kernelFile) harnessArgs() (exprs []string, checks, helpers string) {
	var sb, cs strings.Builder
	at := 0
	for i, q := range g.k.Source.Params {
		if q.Fields == nil {
			exprs = append(exprs, fmt.Sprintf("args[%d].(%s)", at, q.GoType))
			at++
			continue
		}
		fn := fmt.Sprintf("%sHarnessArg%d", g.base, i+1)
		for k, f := range q.Fields[1:] {
			if q.Type.Rank > 0 {
				first := q.Fields[0]
				fmt.Fprintf(&cs, "if len(args[%d].(%s)) != len(args[%d].(%s)) {\nreturn nil, &exec.Error{Kernel: %q, Code: \"length\", Detail: %q}\n}\n",
					at, first.Type, at+k+1, f.Type, g.k.Source.Name, fmt.Sprintf("%s and %s are fields of one sequence and differ in length", first.Name, f.Name))
			}
		}
		exprs = append(exprs, fmt.Sprintf("%s(args[%d:%d])", fn, at, at+len(q.Fields)))
		at += len(q.Fields)
		fmt.Fprintf(&sb, "func %s(args []any) (r %s) {\n", fn, q.GoType)
		get := make([]string, len(q.Fields))
		for k, f := range q.Fields {
			get[k] = fmt.Sprintf("x%d", k)
			fmt.Fprintf(&sb, "x%d := args[%d].(%s)\n", k, k, f.Type)
		}
		index := ""
		switch q.Type.Rank {
		case 1:
			sb.WriteString("n := len(x0)\n")
			for _, x := range get[1:] {
				fmt.Fprintf(&sb, "n = min(n, len(%s))\n", x)
			}
			fmt.Fprintf(&sb, "r = make(%s, n)\nfor i := range r {\n", q.GoType)
			index = "[i]"
		case 2:
			fmt.Fprintf(&sb, "r = make(%s, len(x0))\nfor j := range r {\nr[j] = make(%s, len(x0[j]))\nfor i := range r[j] {\n", q.GoType, strings.TrimPrefix(q.GoType, "[]"))
			index = "[j][i]"
		}
		for k, f := range q.Fields {
			fmt.Fprintf(&sb, "r%s%s = %s\n", index, f.Path, converted(get[k]+index, f.Type.Kind.String(), f.GoType))
		}
		sb.WriteString(strings.Repeat("}\n", q.Type.Rank) + "return r\n}\n\n")
	}
	return exprs, cs.String(), sb.String()
}

// harnessResults prints the values that the harness gets of the results r1, r2, …, one a field, and the functions that
// take structs apart.
func (g *kernelFile) harnessResults() (exprs []string, helpers string, structs bool) {
	var sb strings.Builder
	for i, q := range g.k.Source.Results {
		r := fmt.Sprintf("r%d", i+1)
		if q.Fields == nil {
			exprs = append(exprs, r)
			continue
		}
		structs = true
		for k, f := range q.Fields {
			if q.Type.Rank == 0 {
				exprs = append(exprs, converted(r+f.Path, f.GoType, f.Type.Kind.String()))
				continue
			}
			fn := fmt.Sprintf("%sHarnessResult%d_%d", g.base, i+1, k+1)
			exprs = append(exprs, fmt.Sprintf("%s(%s)", fn, r))
			fmt.Fprintf(&sb, "func %s(r %s) %s {\nx := make(%s, len(r))\nfor i := range r {\nx[i] = %s\n}\nreturn x\n}\n\n",
				fn, q.GoType, f.Type, f.Type, converted("r[i]"+f.Path, f.GoType, f.Type.Kind.String()))
		}
	}
	return exprs, sb.String(), structs
}
