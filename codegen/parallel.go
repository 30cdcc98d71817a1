package codegen

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/ops/load"
)

// Plain Go with parallel loops: see the note on these in package load. Kernels that stay whole run so, and others where
// plain Go is tried against compiled code.

// wholeInParallel is a call of a kernel that stays whole with parallel loops, and of the kernel itself, which is plain,
// where that does not come to its end.
func (g *kernelFile) wholeInParallel(called, given, plain string) string {
	loops, done, stopped := g.local("loops"), g.local("done"), g.local("stopped")
	return fmt.Sprintf("%[4]s := false\nif %[1]s := %[10]s.Loops(%[2]s, %[3]s, %[11]s); %[1]s != nil {\nvar %[5]s error\n%[4]s, %[5]s = %[1]s.Do(func() { %[6]s = %[7]s })\n"+
		"if %[5]s != nil {\nreturn %[8]s%[5]s\n}\n}\nif !%[4]s {\n%[12]s := %[10]s.Alone(%[3]s, %[11]s)\n%[9]s%[12]s()\n}\n",
		loops, g.local("ctx"), g.local("threads"), done, stopped, called, g.callParallel(loops, given), g.zeros(), plain, g.spreadName(), g.spreadSize(),
		g.local("end"))
}

// spreadName is the variable that keeps whether parallel loops of the kernel are worth it.
func (g *kernelFile) spreadName() string { return unexported(g.k.called()) + "Spread" }

// spreadSize is the size of the inputs: what lengths of slices and whole numbers among them add up to.
func (g *kernelFile) spreadSize() string {
	var all []string
	for i, p := range g.k.Source.Params {
		switch {
		case p.Part.Kind == load.PartSlice:
			all = append(all, "len("+g.paramName(i)+")")
		case p.GoType == "int":
			all = append(all, g.paramName(i))
		}
	}
	if len(all) == 0 {
		return "0"
	}
	return strings.Join(all, "+")
}

// inParallel is the part of the kernel itself, as plain Go, that runs it with parallel loops, where it has several
// threads; empty for kernels without such loops.
func (g *kernelFile) inParallel(results, given, apart string) string {
	if g.k.Source.Parallel == nil {
		return ""
	}
	threads, done, loops := g.local("threads"), g.local("done"), g.local("loops")
	return fmt.Sprintf("if %[2]s := %[7]s.Loops(context.Background(), %[1]s, %[8]s); %[2]s != nil {\n"+
		"if %[3]s, _ := %[2]s.Do(func() { %[4]s = %[5]s }); %[3]s {\n%[6]sreturn %[4]s, true\n}\n}\ndefer %[7]s.Alone(%[1]s, %[8]s)()\n",
		threads, loops, done, results, g.callParallel(loops, given), apart, g.spreadName(), g.spreadSize())
}

// callParallel is the call of the kernel with parallel loops, which a variable runs.
func (g *kernelFile) callParallel(loops, given string) string {
	g.spread = true
	if given != "" {
		given = ", " + given
	}
	return unexported(g.k.called()) + "Parallel(" + loops + given + ")"
}

// parallel is the kernel with parallel loops.
func (g *kernelFile) parallel() string {
	k := g.k.Source
	var at []string
	for _, pos := range k.Parallel.Loops {
		pos.File = filepath.Base(pos.File)
		at = append(at, pos.String())
	}
	var lines []string
	for some := range slices.Chunk(at, 3) {
		lines = append(lines, strings.Join(some, ", "))
	}
	loops, params := "loop", k.Parallel.Params
	if len(at) > 1 {
		loops = "loops"
	}
	if params != "" {
		params = ", " + params
	}
	name := unexported(g.k.called()) + "Parallel"
	return fmt.Sprintf("// %s is what calls have shown of the parallel %s of %s.\nvar %[1]s exec.Spread\n\n", g.spreadName(), loops, g.k.called()) +
		fmt.Sprintf("// %s is %s with the turns of its %s on several threads:\n// %s.\n", name, g.k.called(), loops, strings.Join(lines, ",\n// ")) +
		fmt.Sprintf("func %s(%s *exec.Loops%s) %s %s\n\n", name, k.Parallel.Name, params, k.Parallel.Results, k.Parallel.Body)
}
