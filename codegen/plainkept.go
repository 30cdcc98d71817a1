package codegen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/codegen/lower"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/load"
)

// keptArguments is the text that makes the arguments as bound code sees them in later runs: what it copied is copied,
// what it shares with the caller is shared.
type keptArguments struct {
	before string // what binding does
	each   string // what each run of the kernel itself does
	work   string // what that adds to the operations
	copies bool   // binding copies for the kernel itself
}

// kept prints that, or returns nil where it cannot be said in Go.
func (g *kernelFile) kept(b string) *keptArguments {
	k := &keeper{g: g, b: b, vars: g.k.Fused.Func.Params, named: map[string]bool{}}
	for i, q := range g.k.Source.Params {
		if k.name = g.paramName(i); !k.value(q.Part, k.name, q.GoType) {
			return nil
		}
	}
	return &k.keptArguments
}

// keeper prints how arguments are kept. vars are the values that are still to be gone through, in order.
type keeper struct {
	keptArguments
	g     *kernelFile
	b     string // what is bound
	vars  []*ir.Var
	name  string          // the parameter at hand
	lists int             // variables for the elements of rows
	named map[string]bool // parameters that binding has a copy of, of which fields may be set
}

// value keeps x, a parameter or a field of one, and reports whether that can be said.
func (k *keeper) value(p *load.Part, x, goType string) bool {
	switch p.Kind {
	case load.PartNumber, load.PartComplex, load.PartString:
	case load.PartTable:
		if k.named[k.name] { // a copy is made of what a pointer leads to, and compiled code reads the array itself
			return false
		}
	case load.PartArray:
		if p.Slices() {
			return false
		}
	case load.PartStruct:
		for _, f := range p.Fields {
			if !k.value(f.Part, x+"."+f.Name, f.Part.GoType) {
				return false
			}
		}
		return true
	case load.PartPointer: // what it points to may be given other values between runs
		if x != k.name || p.Elem.Kind != load.PartStruct {
			return false
		}
		k.before += fmt.Sprintf("%[1]s := exec.KeptAt(%[1]s)\n", x)
		k.named[x] = true
		return k.value(p.Elem, x, p.Elem.GoType)
	case load.PartSlice:
		own := k.vars[:p.Count()]
		k.vars = k.vars[p.Count():]
		return k.slice(p, x, goType, own)
	default:
		return false
	}
	k.vars = k.vars[p.Count():]
	return true
}

// slice is value for a slice, which own are the values of.
func (k *keeper) slice(p *load.Part, x, goType string, own []*ir.Var) bool {
	placed := 0
	for _, v := range own {
		if k.g.k.Fused.InPlace[v] != nil {
			placed++
		}
	}
	e := elements(p)
	switch {
	case p.Elem.Kind == load.PartString:
		k.later(x, goType, fmt.Sprintf("exec.StringViews[%s](%s, %s)",
			e.GoType, k.frame(lower.HostName(own[0])), k.frame(lower.RowOffsetsNames(own[0])[0])))
	case e.Slices() || goType != strings.Repeat("[]", depth(p))+e.GoType && depth(p) > 1:
		return false
	case e.Kind == load.PartNumber && depth(p) > 1:
		data := k.frame(lower.HostName(own[0]))
		if !e.Plain {
			data = fmt.Sprintf("exec.As[%s](%s)", e.GoType, data)
		}
		k.later(x, goType, k.rows(data, own))
	case e.Kind == load.PartNumber, e.Kind == load.PartTable:
	case depth(p) > 2:
		return false
	case placed == len(own) && depth(p) == 2:
		k.later(x, goType, k.rows(k.frame(k.g.structsOf(own)), own))
	case placed == len(own):
	case slices.ContainsFunc(leavesOf(e, "", 0), func(l leaf) bool { return l.part == nil }):
		if depth(p) > 1 || placed > 0 {
			return false
		}
		k.set(x, fmt.Sprintf("exec.Kept(%s)", x))
		k.copies = true
	default:
		k.rebuild(p, x, goType, own)
	}
	return true
}

// frame is a field of the frame.
func (k *keeper) frame(name string) string { return k.b + ".frame." + name }

// rows is data as rows of the sequences own.
func (k *keeper) rows(data string, own []*ir.Var) string {
	if sizes := k.g.k.Fused.Regular[own[0]]; sizes != nil {
		return k.regularRowsOf(data, sizes)
	}
	for _, offsets := range slices.Backward(lower.RowOffsetsNames(own[0])) {
		data = fmt.Sprintf("exec.Rows(%s, %s)", data, k.frame(offsets))
	}
	return data
}

// later makes x when the first run of the kernel itself begins, which may never be.
func (k *keeper) later(x, goType, value string) {
	k.made(x, goType, fmt.Sprintf("%s = %s\n", x, value))
}

// made is later by statements that do it.
func (k *keeper) made(x, goType, statements string) {
	if x == k.name {
		k.before += fmt.Sprintf("var %s %s\n", x, goType)
	} else {
		k.set(x, "nil")
	}
	k.each += fmt.Sprintf("if %s == nil {\n%s}\n", x, statements)
}

// set gives the copy of a parameter, or of a field of it, a value.
func (k *keeper) set(x, value string) {
	switch {
	case x == k.name:
		k.before += fmt.Sprintf("%s := %s\n", x, value)
		return
	case !k.named[k.name]:
		k.before += fmt.Sprintf("%[1]s := %[1]s\n", k.name)
		k.named[k.name] = true
	}
	k.before += fmt.Sprintf("%s = %s\n", x, value)
}

// rebuild makes the structs of x out of the columns that bound code has of them. Numbers that it reads in the caller's
// structs are taken from there by each run.
func (k *keeper) rebuild(p *load.Part, x, goType string, own []*ir.Var) {
	e, data := elements(p), x
	if depth(p) > 1 {
		k.lists++
		data = k.g.local(fmt.Sprintf("kept%d", k.lists))
		k.before += fmt.Sprintf("var %s []%s\n", data, e.GoType)
	}
	i := k.g.local("i")
	var once, always strings.Builder
	length := ""
	for _, l := range leavesOf(e, "", 0) {
		v := own[l.at]
		if k.g.k.Fused.InPlace[v] != nil {
			fmt.Fprintf(&always, "%s[%s]%s = %s[%[2]s]%[3]s\n", data, i, l.path, k.frame(k.g.structsOf(own)))
			continue
		}
		length = k.frame(lower.HostName(v))
		value := fmt.Sprintf("%s[%s]", length, i)
		if !l.part.Plain {
			value = l.part.GoType + "(" + value + ")"
		}
		fmt.Fprintf(&once, "%s[%s]%s = %s\n", data, i, l.path, value)
	}
	statements := fmt.Sprintf("%[1]s = make([]%[2]s, len(%[3]s))\nfor %[4]s := range %[1]s {\n%[5]s}\n", data, e.GoType, length, i, once.String())
	if data != x {
		statements += fmt.Sprintf("%s = %s\n", x, k.rows(data, own))
	}
	k.made(x, goType, statements)
	if always.Len() > 0 {
		k.each += fmt.Sprintf("for %s := range %s {\n%s}\n", i, data, always.String())
		k.work += fmt.Sprintf("+float64(len(%s))", length)
	}
}
