package codegen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
)

// sequential reports whether no computation has anything that runs in parallel.
func (g *kernelFile) sequential() bool {
	return !slices.ContainsFunc(g.k.Fused.Computations, func(c *fuse.Computation) bool {
		m, ok := c.Stmt.Op.(*ir.Map)
		return !ok || !onlyCopies(m) && (!ir.IsInt(m.N, 1) || len(c.Sequence) > 1)
	})
}

// onlyCopies reports whether a Map does nothing but copy elements.
func onlyCopies(m *ir.Map) bool {
	return !slices.ContainsFunc(m.Body.Stmts, func(s *ir.Stmt) bool {
		x, ok := s.Op.(*ir.Index)
		return !ok || x.I != ir.Atom(m.I) || !s.Dst[0].T.IsScalar()
	})
}

// plainRun is the text that has to do with runs of the kernel itself.
type plainRun struct {
	call     string // the part of Run that runs it on small inputs
	function string // the function that does
	field    string // of the bound kernel: that function with what is bound
	bind     string // the part of Bind that sets the field, and run the part of a run that calls it
	run      string
	ended    string // the part of Run that tells a trial how long the run took, with what the kernel itself does behind it
}

// plainRun prints that; all of it is empty where calls do not run the kernel itself, and the last four are where a
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
	turn, called, bound, first := g.local("turn"), "", "", "" // how the kernel itself is called, with its threads
	if k.Parallel != nil {
		comma := ""
		if given != "" {
			comma = ", "
		}
		called, bound, first = turn+".Threads"+comma, b+".call.PlainThreads()"+comma, g.local("threads")+" int"+comma
	}
	take := func(f string) string {
		return fmt.Sprintf("if %s, %s := %s; %[2]s {\nreturn %[4]s\n}\n", list, ok, f, strings.Join(returned, ", "))
	}
	same := plain.Exact || plain.Ordered // to the bit, or where no lanes are used
	if !plain.Unknown || same || g.sequential() {
		asked := fmt.Sprintf("(%s, %s, %sWork(%s), %s)", ctx, opts, g.base, given, sizes.rows())
		decided := fmt.Sprintf("if %sKernel.RunsPlain%s {\n", g.base, asked)
		if same || k.Parallel != nil {
			decided = fmt.Sprintf("%[1]s := %[2]sKernel.Turn%[3]s\ndefer %[1]s.End()\nif %[1]s.Plain {\n", turn, g.base, asked)
		}
		t.call = decided + take(fmt.Sprintf("%sPlain(%s%s)", g.base, called, given)) + "}\n"
	}
	t.function = work + fmt.Sprintf("// %[1]sPlain is %[2]s itself, where so little is to be computed that choosing a variant would take longer. ok is false if it\n"+
		"// panics: compiled code then says what is wrong with the input, and where.\n"+
		"func %[1]sPlain(%[10]s%[3]s) (%[4]s, %[5]s bool) {\ndefer exec.Recovered(&%[5]s)\n%[11]s%[6]s = %[8]s(%[7]s)\n%[9]sreturn %[6]s, true\n}\n\n",
		g.base, k.Name, strings.TrimSuffix(decl, ", "), strings.Join(types, ", "), ok, list, args, k.Call, apart, first, g.inParallel(list, args, apart))
	kept := g.kept(b)
	if kept == nil {
		return t
	}
	signature := fmt.Sprintf("func() (%s, %s bool)", strings.Join(types, ", "), ok)
	t.field = "\t// plain is the kernel itself, where so little is to be computed that starting compiled code would take longer.\n\tplain " + signature + "\n"
	t.bind = fmt.Sprintf("if %[1]s.call.RunsPlain(%[2]sWork(%[3]s)%[7]s) {\n%[4]s%[1]s.plain = %[5]s {\n%[6]sreturn %[2]sPlain(%[8]s%[3]s)\n}\n}\n",
		b, g.base, given, kept.before, signature, kept.each, kept.work, bound)
	t.run = fmt.Sprintf("if b.plain != nil && b.call.Plain(ctx) {\n%s}\n", take("b.plain()"))
	if plain.Ordered {
		t.ended = "if b.plain != nil {\ndefer b.call.Ended(ctx)\n}\n"
	}
	return t
}
