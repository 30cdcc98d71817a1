package codegen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/codegen/lower"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/load"
)

// sequential reports whether no computation has anything that runs in parallel.
func (g *kernelFile) sequential() bool {
	return !slices.ContainsFunc(g.k.Fused.Computations, func(c *fuse.Computation) bool {
		m, ok := c.Stmt.Op.(*ir.Map)
		return !ok || !ir.IsInt(m.N, 1) || len(c.Sequence) > 1
	})
}

// plainRun is the text that has to do with runs of the kernel itself.
type plainRun struct {
	call     string // the part of Run that runs it on small inputs
	function string // the function that does
	field    string // of the bound kernel: that function with what is bound
	bind     string // the part of Bind that sets the field, and run the part of a run that calls it
	run      string
}

// plainRun prints that; all of it is empty where calls do not run the kernel itself, and the last three are where a
// bound kernel does not: where it keeps copies that the function cannot be given.
func (g *kernelFile) plainRun(ctx, opts, decl, args string) (t plainRun) {
	plain, sizes := g.plainCost()
	if plain == nil {
		return t
	}
	k := g.k.Source
	ok, b := g.local("ok"), g.local("b")
	var names, types []string
	for i, r := range k.Results {
		names = append(names, g.local(fmt.Sprintf("r%d", i+1)))
		types = append(types, names[i]+" "+r.GoType)
	}
	list := strings.Join(names, ", ")
	returned := append(slices.Clone(names), "nil")
	if e := k.Error(); e >= 0 { // the kernel's own error is that of Run
		returned = append(slices.Delete(slices.Clone(names), e, e+1), names[e])
	}
	apart := ""
	if plain.Shared {
		apart = g.apart(names)
	}
	work := g.plainWork(plain, sizes, strings.TrimSuffix(decl, ", "))
	given := args
	if k.Variadic {
		args += "..."
	}
	take := func(f string) string {
		return fmt.Sprintf("if %s, %s := %s; %[2]s {\nreturn %[4]s\n}\n", list, ok, f, strings.Join(returned, ", "))
	}
	if !plain.Unknown || g.sequential() {
		asked := fmt.Sprintf("(%s, %s, %sWork(%s), %s)", ctx, opts, g.base, given, sizes.rows())
		decided := fmt.Sprintf("if %sKernel.RunsPlain%s {\n", g.base, asked)
		if turn := g.local("turn"); plain.Exact {
			decided = fmt.Sprintf("%[1]s := %[2]sKernel.Turn%[3]s\ndefer %[1]s.End()\nif %[1]s.Plain {\n", turn, g.base, asked)
		}
		t.call = decided + take(fmt.Sprintf("%sPlain(%s)", g.base, given)) + "}\n"
	}
	t.function = work + fmt.Sprintf("// %[1]sPlain is %[2]s itself, where so little is to be computed that choosing a variant would take longer. ok is false if it\n"+
		"// panics: compiled code then says what is wrong with the input, and where.\n"+
		"func %[1]sPlain(%[3]s) (%[4]s, %[5]s bool) {\ndefer exec.Recovered(&%[5]s)\n%[6]s = %[8]s(%[7]s)\n%[9]sreturn %[6]s, true\n}\n\n",
		g.base, k.Name, strings.TrimSuffix(decl, ", "), strings.Join(types, ", "), ok, list, args, k.Call, apart)
	kept := g.kept(b)
	if kept == nil {
		return t
	}
	signature := fmt.Sprintf("func() (%s, %s bool)", strings.Join(types, ", "), ok)
	t.field = "\t// plain is the kernel itself, where so little is to be computed that starting compiled code would take longer.\n\tplain " + signature + "\n"
	t.bind = fmt.Sprintf("if %[1]s.call.RunsPlain(%[2]sWork(%[3]s)) {\n%[4]s%[1]s.plain = %[5]s {\n%[6]sreturn %[2]sPlain(%[3]s)\n}\n}\n",
		b, g.base, given, kept.before, signature, kept.first)
	t.run = fmt.Sprintf("if b.plain != nil && b.call.Plain(ctx) {\n%s}\n", take("b.plain()"))
	if plain.Ordered {
		t.run = "if b.plain != nil {\ndefer b.call.Ended(ctx)\n}\n" + t.run
	}
	return t
}

// keptArguments is the text that makes the arguments as bound code sees them in later runs: what it copied is copied,
// what it shares with the caller is shared.
type keptArguments struct {
	before string // what binding does
	first  string // what the first run of the kernel itself does
	copies bool   // binding copies for the kernel itself
}

// kept prints that, or returns nil where it cannot be said in Go.
func (g *kernelFile) kept(b string) *keptArguments {
	kept := &keptArguments{}
	later := func(name, goType, value string) {
		kept.before += fmt.Sprintf("var %s %s\n", name, goType)
		kept.first += fmt.Sprintf("if %[1]s == nil {\n%[1]s = %[2]s\n}\n", name, value)
	}
	vars := g.k.Fused.Func.Params
	for i, q := range g.k.Source.Params {
		name, n := g.paramName(i), q.Part.Count()
		own := vars[:n]
		vars = vars[n:]
		placed := 0
		for _, v := range own {
			if g.k.Fused.InPlace[v] != nil {
				placed++
			}
		}
		p := q.Part
		switch {
		case p.Kind == load.PartSlice && p.Elem.Kind == load.PartString:
			later(name, q.GoType, fmt.Sprintf("exec.StringViews[%[1]s](%[2]s.frame.%[3]s, %[2]s.frame.%[4]s)", p.Elem.GoType, b, lower.HostName(own[0]), lower.RowOffsetsNames(own[0])[0]))
		case depth(p) > 1 && elements(p).Kind == load.PartNumber && q.GoType == strings.Repeat("[]", depth(p))+elements(p).GoType:
			rows := fmt.Sprintf("%s.frame.%s", b, lower.HostName(own[0]))
			if !elements(p).Plain {
				rows = fmt.Sprintf("exec.As[%s](%s)", elements(p).GoType, rows)
			}
			for _, offsets := range slices.Backward(lower.RowOffsetsNames(own[0])) {
				rows = fmt.Sprintf("exec.Rows(%s, %s.frame.%s)", rows, b, offsets)
			}
			later(name, q.GoType, rows)
		case depth(p) == 2 && elements(p).Kind == load.PartStruct && !elements(p).Slices() && placed == n && q.GoType == "[][]"+elements(p).GoType:
			later(name, q.GoType, fmt.Sprintf("exec.Rows(%[1]s.frame.%[2]s, %[1]s.frame.%[3]s)", b, g.structsOf(own), lower.RowOffsetsNames(own[0])[0]))
		case p.Kind == load.PartSlice && !p.Elem.Slices() && p.Elem.Kind != load.PartNumber && placed == 0:
			kept.before += fmt.Sprintf("%s := exec.Kept(%[1]s)\n", name)
			kept.copies = true
		case shared(p) && (placed == 0 || placed == n):
		default:
			return nil
		}
	}
	return kept
}

// shared reports whether bound code reads what a part holds from the caller's memory, or got it by value. Structs in
// a slice are to be asked about before.
func shared(p *load.Part) bool {
	switch p.Kind {
	case load.PartNumber, load.PartComplex, load.PartString:
		return true
	case load.PartArray:
		return !p.Slices()
	case load.PartStruct:
		return !slices.ContainsFunc(p.Fields, func(f load.PartField) bool {
			return !shared(f.Part) || f.Part.Kind == load.PartSlice && f.Part.Elem.Kind != load.PartNumber
		})
	case load.PartSlice:
		return p.Elem.Kind == load.PartNumber || (p.Elem.Kind == load.PartStruct || p.Elem.Kind == load.PartArray) && !p.Elem.Slices()
	}
	return false
}
