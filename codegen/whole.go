package codegen

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/load"
)

// keptWhole is a kernel that runs as it stands: see the note on kernels that stay whole in package load. It has no
// computations, and so no search spaces and nothing to choose.
func (p *Program) keptWhole(src *load.Kernel) *Kernel {
	f := src.Func.Clone()
	return &Kernel{Source: src, Fused: &fuse.Kernel{Func: f}, Hash: hash(&fuse.Kernel{Func: f}),
		Stages: []fuse.Stage{{Name: "load", Doc: "the kernel as it stands", Func: f.Clone()}}}
}

// printWhole prints everything of a kernel that runs as it stands.
func (g *kernelFile) printWhole() {
	k := g.k.Source
	pos := k.Pos
	pos.File = filepath.Base(pos.File)
	decl, args := g.params()
	given := args
	if k.Variadic {
		given += "..."
	}
	opts, ctx, b, err := g.local("opts"), g.local("ctx"), g.local("b"), g.local("err")
	bound := g.public("Bound")
	g.printf("// %[1]sKernel describes %[2]s, which runs as it stands, as plain Go.\nvar %[1]sKernel = exec.Kernel{Name: %[2]q, Pos: %[3]q, Hash: %[4]q}\n\n", g.base, k.Name, pos.String(), g.k.Hash)
	if k.Error() >= 0 { // what harnesses compare errors with: those of plain Go are its own
		g.printf("// %[1]sErrors says that errors of %[2]s are made by it.\nvar %[1]sErrors = [...]error{exec.ErrText}\n\n", g.base, k.Name)
	}
	g.printf("// %[1]s is %[2]s bound to its inputs. It may be run many times, by one goroutine at a time.\ntype %[1]s struct {\ncall exec.Call\nwhole func(context.Context) %[3]s\n}\n\n", bound, k.Name, g.results())

	comma := ""
	if args != "" {
		comma = ", "
	}
	g.printf("// %[1]s keeps the inputs of %[2]s for any number of runs. They are not copied.\n", g.public("Bind"), k.Name)
	g.printf("func %s(%s%s%s ...exec.Option) (*%s, error) {\n%s%[7]s := &%[5]s{}\n", g.public("Bind"), decl, comma, opts, bound, g.present("nil, "), b)
	g.printf("%s.call.Init(&%sKernel, %s)\n%s", b, g.base, opts, g.separate(b))
	g.printf("%[1]s.whole = func(%[6]s context.Context) %[2]s { return %[3]sWhole(%[6]s, &%[1]s.call, %[1]s.call.Threads()%[4]s%[5]s) }\nreturn %[1]s, nil\n}\n\n", b, g.results(), g.base, comma, args, ctx)
	g.printf("// Decisions returns nothing: there is nothing to choose.\nfunc (b *%s) Decisions() []exec.Decision { return nil }\n\n", bound)

	g.printf("// %[1]s is %[2]s with a context and options. It runs as it stands, so that a context stops it\n// %[3]s.\n", g.public("Run"), k.Name, g.stops())
	g.printf("func %s(%s context.Context, %s%s%s ...exec.Option) %s {\n", g.public("Run"), ctx, decl, comma, opts, g.results())
	g.printf("%sif %s := %sKernel.AsItStands(%s); %[2]s > 0 && %[5]s.Err() == nil {\nreturn %[3]sWhole(%[5]s, &exec.Call{}, %[2]s%[6]s%[7]s)\n}\n", g.present(g.zeros()), g.local("threads"), g.base, opts, ctx, comma, args)
	g.printf("%s, %s := %s(%s%s%s...)\nif %[2]s != nil {\nreturn %[7]s%[2]s\n}\nreturn %[1]s.Run(%[8]s)\n}\n\n", b, err, g.public("Bind"), args, comma, opts, g.zeros(), ctx)
	g.printf("// Run computes %s, unless ctx is done.%s\nfunc (b *%s) Run(ctx context.Context) %s {\nif err := ctx.Err(); err != nil {\nreturn %serr\n}\nreturn b.whole(ctx)\n}\n\n",
		k.Name, g.failureDoc(), bound, g.results(), g.zeros())

	var named, called, returned []string // the results with their types, what the kernel is assigned to, what is returned
	var after strings.Builder
	call, failure, failed := g.local("call"), g.local("err"), g.local("failed")
	for i, r := range k.Results {
		name := g.local(fmt.Sprintf("r%d", i+1))
		if r.Part.Kind == load.PartError {
			name = failure
		} else {
			named, returned = append(named, name+" "+r.GoType), append(returned, name)
		}
		called = append(called, name)
		after.WriteString(g.placed(i, name, call, failed))
	}
	named = append(named, failure+" error")
	given = strings.TrimSpace(given)
	if decl != "" {
		decl = ", " + decl
	}
	g.printf("// %[1]sWhole is %[2]s itself. A panic of it is the error of the run.\nfunc %[1]sWhole(%[7]s context.Context, %[3]s *exec.Call, %[8]s int%[4]s) (%[5]s) {\ndefer exec.Panicked(&%[1]sKernel, &%[6]s)\n", g.base, k.Name, call, decl, strings.Join(named, ", "), failure, ctx, g.local("threads"))
	if after.Len() > 0 {
		g.printf("var %s error\n", failed)
	}
	plain := fmt.Sprintf("%s = %s(%s)\n", strings.Join(called, ", "), k.Call, given)
	if k.Parallel != nil {
		plain = g.wholeInParallel(strings.Join(called, ", "), given, plain)
	}
	g.printf("%s%s%sreturn %s\n}\n\n", plain, g.apartWhole(called), after.String(), strings.Join(append(slices.Clone(returned), failure), ", "))
}

// stops says when a context stops a kernel that runs as it stands.
func (g *kernelFile) stops() string {
	if g.k.Source.Parallel != nil {
		return "before it begins, and where its parallel loops are, if these take long"
	}
	return "before it begins only"
}

// placed prints what puts result i of the kernel itself where the caller of a run wants it, if that can be: a slice,
// one of rows, or one of planes. It is called name, call is the run's exec.Call, and failed a variable for the error.
func (g *kernelFile) placed(i int, name, call, failed string) string {
	p := g.k.Source.Results[i].Part
	f := "Placed"
	switch {
	case p.Kind != load.PartSlice || depth(p) > 3:
		return ""
	case depth(p) == 2:
		f = "PlacedRows"
	case depth(p) == 3:
		f = "PlacedPlanes"
	}
	return fmt.Sprintf("if %[1]s, %[2]s = exec.%[3]s[%[4]s](%[5]s, %[6]d, %[1]s); %[2]s != nil {\nreturn %[7]s%[2]s\n}\n",
		name, failed, f, p.Innermost().GoType, call, i, g.zeros())
}

// apartWhole prints what gives results that may be a part of an input memory of their own, as compiled code does. Those
// of other types are none, or the kernel would not stay whole.
func (g *kernelFile) apartWhole(names []string) string {
	var inputs []string
	for i, q := range g.k.Source.Params {
		inputs = append(inputs, g.memory(q.Part, g.paramName(i), g.paramName(i))...)
	}
	var sb strings.Builder
	for i, q := range g.k.Source.Results {
		f := ""
		switch {
		case q.Apart || q.Part.Kind != load.PartSlice || len(inputs) == 0:
		case !q.Part.Elem.Slices():
			f = "Apart"
		case ofRows(q.Part):
			f = "ApartRows"
		}
		if f != "" {
			fmt.Fprintf(&sb, "%[1]s = exec.%[2]s(%[1]s, %[3]s)\n", names[i], f, strings.Join(inputs, ", "))
		}
	}
	return sb.String()
}
