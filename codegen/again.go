package codegen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/ops/load"
)

// Note [Once more]
//
// A kernel is pure: run once more, as plain Go, it does the same. So what compiled code cannot do, and what is seldom,
// is left to the kernel itself: to make an error that says text, to go on where more is appended to a slice than it was
// made with room for, or one is cut to more elements than it has, where slices of different lengths change places, or
// where what a loop carries has another length after a turn, where two sizes of an array of rows are negative, and to
// say what comes of it where a check fails and loops have exits.

// mayRunAgain reports whether runs of the kernel may end in such a way.
func (g *kernelFile) mayRunAgain() bool {
	return g.k.Source.Rooms || g.k.Source.Cuts || g.k.Source.Exchanges || g.k.Source.Exits || g.k.Fused.ChecksTurns() || g.k.Fused.ChecksRows() || g.textErrors()
}

// textErrors reports whether errors of the kernel say text.
func (g *kernelFile) textErrors() bool {
	return len(g.k.Source.Whole) > 0 || slices.ContainsFunc(g.k.Source.Errors, func(e load.ErrorValue) bool { return e.Plain })
}

// plainCopy is what has to do with running the kernel itself once more.
type plainCopy struct {
	field    string // of a bound kernel
	bind     string // sets it
	function string // runs the kernel
	late     string // leaves an error of binding to the run
}

// again prints that; all of it is empty where the kernel is not run once more.
func (g *kernelFile) again(decl, args string) (t plainCopy) {
	if !g.mayRunAgain() {
		return t
	}
	k := g.k.Source
	var kept, types []string // the results of Run, and those of the kernel
	var names []string
	failed, failure := g.local("failed"), g.local("err")
	for i, r := range k.Results {
		name := g.local(fmt.Sprintf("r%d", i+1))
		if r.Part.Kind == load.PartError {
			name = failure
		} else {
			kept, types = append(kept, name), append(types, name+" "+r.GoType)
		}
		names = append(names, name)
	}
	types = append(types, failure+" error")
	given, comma := args, ""
	if k.Variadic {
		given += "..."
	}
	if args != "" {
		comma = ", "
	}
	list := strings.Join(append(kept, failure), ", ")
	t.field = "\t// again is the kernel itself, which does what compiled code cannot; it gets the error of that.\n\tagain func(error) " + g.results() + "\n"
	t.bind = fmt.Sprintf("%s.again = func(%s error) %s { return %sAgain(%s%s%s) }\n", g.local("b"), failed, g.results(), g.base, failed, comma, args)
	if k.Exits {
		t.field += "\t// failed is what was wrong with the inputs: a run fails so, unless the kernel itself returns before it comes to that.\n\tfailed error\n"
		t.late = fmt.Sprintf("if exec.Checked(err) {\n%[1]s.failed = err\n%[2]sreturn %[1]s, nil\n}\n", g.local("b"), t.bind)
	}
	t.function = fmt.Sprintf("// %[1]sAgain is %[2]s itself, as plain Go, behind a run that failed.\n"+
		"func %[1]sAgain(%[3]s error%[4]s) (%[5]s) {\ndefer func() {\nif p := recover(); p != nil {\n%[6]s = %[7]s%[1]sKernel.Again(%[3]s, p)\n}\n}()\n",
		g.base, k.Name, failed, withComma(decl), strings.Join(types, ", "), list, g.zeros())
	t.function += fmt.Sprintf("%s = %s(%s)\n%sreturn %s\n}\n\n", strings.Join(names, ", "), k.Call, given, g.apartWhole(names), list)
	return t
}

// failedBefore ends what was bound and has failed then, with what is returned: a run, and the question what was chosen.
func (g *kernelFile) failedBefore(returned string) string {
	if !g.k.Source.Exits {
		return ""
	}
	return "\nif b.failed != nil {\nreturn " + returned + "\n}\n"
}

// withComma is a list of parameters behind others.
func withComma(decl string) string {
	if decl = strings.TrimSuffix(decl, ", "); decl == "" {
		return ""
	}
	return ", " + decl
}

// runAgain prints the function Run of a kernel that is run once more where compiled code cannot go on; ended is what a
// trial is told.
func (g *kernelFile) runAgain(ended string) string {
	var names []string
	placed := ""
	for i, r := range g.k.Source.Results {
		if r.Part.Kind != load.PartError {
			name := fmt.Sprintf("r%d", i+1)
			names = append(names, name)
			placed += g.placed(i, name, "&b.call", "err")
		}
	}
	list := strings.Join(append(names, "err"), ", ")
	again := "return b.again(err)\n"
	if placed != "" {
		again = fmt.Sprintf("if %[1]s = b.again(err); err != nil {\nreturn %[1]s\n}\n%[2]s", list, placed)
	}
	var reasons []string
	if g.textErrors() {
		reasons = append(reasons, "returns an error that says text")
	}
	if g.k.Source.Rooms {
		reasons = append(reasons, "appends more to a slice than it was made with room for")
	}
	if g.k.Source.Cuts {
		reasons = append(reasons, "cuts a slice to more elements than it has")
	}
	if g.k.Source.Exchanges {
		reasons = append(reasons, "gives slices of different lengths each other's places")
	}
	if g.k.Fused.ChecksTurns() {
		reasons = append(reasons, "has a sequence of another length after a turn of a loop")
	}
	if g.k.Fused.ChecksRows() {
		reasons = append(reasons, "makes rows of two sizes that are negative")
	}
	if g.k.Source.Exits {
		reasons = append(reasons, "returns out of a loop, or panics")
	}
	what := strings.Join(reasons, ", or ")
	exited := ""
	if outcome := g.outcome(); outcome != "" {
		exited = fmt.Sprintf("if exec.Exited(err) {\nreturn %s\n}\n", outcome)
	}
	return fmt.Sprintf("// Run computes %s. It stops early when ctx is done, and then returns its error.%s\n// Where it %s, it runs once\n// more, as plain Go.\n"+
		"func (b *%s) Run(ctx context.Context) %s {\n%[7]s%[6]s := b.run(ctx)\n%[8]sif b.call.PlainAgain(ctx, err) {\n%[9]s}\nreturn %[6]s\n}\n\n",
		g.k.Source.Name, g.failureDoc(), what, g.public("Bound"), g.results(), list,
		g.alternativeCall("Run(ctx)")+ended, exited, again)
}

// outcome is what a run returns that ends by an exit, where that is always the same, and nothing but an exit ends one
// early; empty for other kernels, whose exits leave it to the kernel itself.
func (g *kernelFile) outcome() string {
	k := g.k.Source
	if len(k.Outcome) == 0 || !g.k.Fused.OnlyExits() {
		return ""
	}
	var results []string
	failure := "nil"
	for i, r := range k.Results {
		if r.Part.Kind == load.PartError {
			failure = k.Outcome[i]
		} else {
			results = append(results, k.Outcome[i])
		}
	}
	return strings.Join(append(results, failure), ", ")
}

// exitsText prints that the kernel's loops have exits.
func (g *kernelFile) exitsText() string {
	if !g.k.Source.Exits {
		return ""
	}
	return " Exits: true,"
}
