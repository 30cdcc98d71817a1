package codegen

import (
	"fmt"
	"go/types"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/surge-ndp/surge/ops/load"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/selector/param"
)

// unexported lowers the first letter.
func unexported(name string) string {
	r, n := utf8.DecodeRuneInString(name)
	return string(unicode.ToLower(r)) + name[n:]
}

func (g *kernelFile) frame() string { return g.base + "Frame" }

// upper raises the first letter of the kernel's name.
func (g *kernelFile) upper() string {
	r, n := utf8.DecodeRuneInString(g.k.Source.Name)
	return string(unicode.ToUpper(r)) + g.k.Source.Name[n:]
}

// public is Run + SpMV for an exported kernel, run + SpMV for another.
func (g *kernelFile) public(verb string) string {
	if !g.exported {
		verb = strings.ToLower(verb)
	}
	return verb + g.upper()
}

// prefix begins the names of everything that is printed for computation i: spMV1.
func (k *Kernel) prefix(i int) string { return fmt.Sprintf("%s%d", unexported(k.Source.Name), i+1) }

// funcName is the name of a variant's function: the prefix of its computation, its form unless that is the nest, its
// schedule, and the code parameters of each level, such as spMV1_ic_pool_lane8x2.
func funcName(prefix string, v selector.Variant) string {
	var sb strings.Builder
	sb.WriteString(prefix + "_")
	if v.Form != selector.Nest {
		sb.WriteString(strings.NewReplacer(".", "_", "+", "_", "-", "_").Replace(v.Form) + "_")
	}
	elements := strings.Split(v.Schedule, ">")
	for _, e := range elements {
		sb.WriteString(e[:1])
	}
	for d := range elements {
		get := func(p *param.Key) string { s, _ := p.Text(v.Policy, d+1); return s }
		sb.WriteString("_" + strings.ReplaceAll(get(&param.ExecutionResource.Key), "+", ""))
		sb.WriteString(get(&param.VectorWidth.Key))
		if u := get(&param.Unroll.Key); u != "" && u != "1" {
			sb.WriteString("x" + u)
		}
		if t := get(&param.Tile.Key); t != "" && t != "1" {
			sb.WriteString("tile" + t)
			if param.TileAlgo.At(v.Policy, d+1) == param.Routine {
				sb.WriteString("sums")
			}
		}
		if param.GatherAlgo.At(v.Policy, d+1) == param.Row {
			sb.WriteString("row")
		}
		if param.StoreAlgo.At(v.Policy, d+1) == param.Stream {
			sb.WriteString("stream")
		}
		if param.HistAlgo.At(v.Policy, d+1) == param.Sorted {
			sb.WriteString("sorted")
		}
		for _, algo := range []*param.Key{&param.ScanAlgo.Key, &param.BlockReduceAlgo.Key, &param.BlockScanAlgo.Key} {
			if s := get(algo); s != "" {
				sb.WriteString(strings.ReplaceAll(s, "_", ""))
			}
		}
		if s := get(&param.InFlight.Key); s != "" && s != "1" {
			sb.WriteString("f" + s)
		}
		if s := get(&param.BlockScanGrainSize.Key); s != "" && s != "1" {
			sb.WriteString(s)
		}
	}
	return sb.String()
}

// local makes the name of a generated function's own variable different from the parameters' names.
func (g *kernelFile) local(name string) string {
	for taken := true; taken; {
		taken = false
		for i := range g.k.Source.Params {
			taken = taken || g.paramName(i) == name
		}
		taken = taken || g.isFeature(name) || g.mentions(name)
		if taken {
			name += "_"
		}
	}
	return name
}

func (g *kernelFile) params() (decl, args string) {
	var ds, as []string
	for i, p := range g.k.Source.Params {
		name := g.paramName(i)
		ds = append(ds, name+" "+p.GoType)
		as = append(as, name)
	}
	return strings.Join(ds, ", "), strings.Join(as, ", ")
}

// paramName is the name of parameter i in generated functions: its own, unless it would hide something that they use.
func (g *kernelFile) paramName(i int) string {
	for len(g.paramNames) <= i { // each depends on those before it
		g.paramNames = append(g.paramNames, g.freeName(len(g.paramNames)))
	}
	return g.paramNames[i]
}

func (g *kernelFile) freeName(i int) string {
	name := g.k.Source.Params[i].Name
	if name == "" || name == "_" {
		name = fmt.Sprintf("p%d", i+1)
	}
	taken := func(name string) bool {
		if hidden[name] || g.isFeature(name) || g.mentions(name) || types.Universe.Lookup(name) != nil {
			return true
		}
		switch name { // what the functions with the kernel's parameters refer to
		case g.k.Source.Name, g.base + "Plain", g.base + "Work", g.base + "Kernel", g.base + "Bind", g.frame(), g.public("Bind"), g.public("Bound"):
			return true
		}
		return slices.Contains(g.paramNames, name) ||
			slices.ContainsFunc(g.k.Source.Params[i+1:], func(q load.Param) bool { return q.Name == name })
	}
	for taken(name) {
		name += "_"
	}
	return name
}

// mentions reports whether a name stands in the types of parameters, or in the expressions of hidden ones.
func (g *kernelFile) mentions(name string) bool {
	has := func(text string) bool { return slices.Contains(identifiers.FindAllString(text, -1), name) }
	return slices.ContainsFunc(g.k.Source.Params, func(q load.Param) bool { return has(q.GoType) }) ||
		slices.ContainsFunc(g.k.Source.Hidden, func(q load.Param) bool { return has(q.Expr) || has(q.GoType) })
}

var identifiers = regexp.MustCompile(`[\pL_][\pL\pN_]*`)

// hidden are the packages that generated functions with the kernel's parameters mention.
var hidden = map[string]bool{"exec": true, "context": true, "rt": true, "vec": true, "math": true, "bits": true, "harness": true}
