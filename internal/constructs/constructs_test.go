package constructs_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/opencl/clrt"
	"github.com/surge-ndp/surge/internal/agree"
	"github.com/surge-ndp/surge/internal/needs"
	"github.com/surge-ndp/surge/ops/load"
)

var update = flag.Bool("update", false, "write docs/go.md")

// TestGoroutines runs every code of every construct on goroutines against plain Go, a short test every sixtieth and the
// plainest of every fourth construct; package interp interprets all.
func TestGoroutines(t *testing.T) { run(t, "goroutine") }

// TestCompiled compiles them all, of which a short run takes some.
func TestCompiled(t *testing.T) {
	if _, err := load.Load(context.Background(), ".", load.Options{}); err != nil {
		t.Error(err)
	}
}

// TestWhole runs the kernels that run as they stand against plain Go.
func TestWhole(t *testing.T) {
	ctx, dir := context.Background(), filepath.Join("testdata", "refused")
	var without []string
	for _, e := range refusedExamples(t) {
		if !e.whole {
			without = append(without, e.function)
		}
	}
	p, err := agree.Compile(ctx, dir, agree.Options{Platform: "goroutine", Without: without})
	if err != nil {
		t.Fatal(err)
	}
	reports, err := agree.Run(ctx, p, "goroutine", t.TempDir())
	if err != nil {
		t.Error(err)
	}
	for _, r := range reports {
		for _, f := range r.Failures {
			t.Errorf("%s: %s", r.Kernel, f)
		}
		if r.Runs == 0 {
			t.Errorf("%s was not run", r.Kernel)
		}
	}
	t.Logf("%d kernels", len(reports))
}

// TestOpenCL runs every construct on a device against plain Go.
func TestOpenCL(t *testing.T) {
	if _, err := clrt.Find(""); err != nil {
		t.Skip(err)
	}
	if testing.Short() {
		t.Skip("the driver compiles a program for each kernel, which takes minutes")
	}
	run(t, "opencl")
}

// TestOpenMP runs every construct in C against plain Go.
func TestOpenMP(t *testing.T) {
	needs.OpenMP(t)
	if testing.Short() {
		t.Skip("with -short no code in C: the C compiler takes a second for each kernel")
	}
	run(t, "openmp")
}

func run(t *testing.T, platform string) {
	ctx := context.Background()
	opt := agree.Options{Platform: platform}
	if testing.Short() {
		opt.Every, opt.EveryKernel = 60, 6
	}
	p, err := agree.Compile(ctx, ".", opt)
	if err != nil {
		t.Fatal(err)
	}
	reports, err := agree.Run(ctx, p, platform, t.TempDir())
	if err != nil {
		t.Error(err)
	}
	without, calls := map[string]bool{}, map[string]bool{}
	for _, e := range compiledExamples(t) {
		without[e.function] = e.without == platform
		calls[e.function] = e.section == calledSection
	}
	for _, k := range p.Kernels {
		if len(k.Source.Whole) > 0 {
			t.Errorf("%s is said to be compiled, and runs as it stands: %v", k.Source.Name, k.Source.Whole)
		}
		if calls[k.Source.Name] != (len(k.Source.Calls) > 0) {
			t.Errorf("%s calls %d functions as they are", k.Source.Name, len(k.Source.Calls))
		}
	}
	runs, refused := 0, 0
	for _, r := range reports {
		if calls[r.Kernel] && platform != "goroutine" {
			if len(r.Failures) == 0 || !strings.Contains(r.Failures[0], "is called as it is") {
				t.Errorf("%s is said to have no variant on %s: %q", r.Kernel, platform, r.Failures)
			}
			continue
		}
		if without[r.Kernel] {
			if len(r.Failures) == 0 || !strings.Contains(r.Failures[0], "must be taken before the launch [variant]") {
				t.Errorf("%s is said to have no variant on %s: %q", r.Kernel, platform, r.Failures)
			}
			continue
		}
		runs, refused = runs+r.Runs, refused+r.Refused
		for _, f := range r.Failures {
			t.Errorf("%s: %s", r.Kernel, f)
		}
	}
	t.Logf("%d kernels, %d runs, %d of them of inputs that are refused", len(reports), runs, refused)
}

// example is a row of the table.
type example struct {
	section, construct, function, file string
	without                            string           // the platform that has no variant of it
	refusal                            *load.Diagnostic // nil: it is compiled
	code, instead                      string           // of a refused one, as its comment says
	whole                              bool             // a kernel with it runs as it stands
}

// sections are those of the table, in order.
var sections = []string{"Numbers", "Types", "Structs", "Arrays", "Slices", "Rows that a kernel makes", "Text", "Control flow", "Loops that fill slices", "Loops that accumulate", "Functions", calledSection, "Generics", "Errors", "Standard library",
	"Input, output and concurrency"}

// calledSection has kernels with functions that are called as they stand, which processors do alone.
const calledSection = "Functions that are called as they stand"

const tableHead = `# What of Go is compiled

What a kernel, and every function that it calls, may contain. Each row is made from an example that a test compiles, and
runs on all platforms against plain Go. Devices take memory before a launch: what needs more of it while the kernel
runs is not for opencl. The table is made by ` + "`go test ./internal/constructs -run TestTable -update`" + `:
do not edit it. [operators.md](operators.md) is the table of operators.

What is not compiled in a kernel may stand in a function of its own that takes and returns numbers, or structs and
arrays of them: such a function is called as it is, on goroutines, if it is pure. There are no vectors around the call,
and no code for devices or in C. It must not depend on the order of a map's entries, on variables that the program
assigns, or on anything outside, and write to no memory but its own. ` + "`surge inspect`" + ` says which functions these are,
and why.

A kernel that has something of what is marked as plain Go in its own body runs as it stands, with the context, the
options and the errors of a compiled one, if it is pure and has no operators of package ops. Loops of it run on several
threads whose turns have nothing to do with each other: [the guide](guide.md#what-a-kernel-may-contain) says which. The
rest is as fast as plain Go, and no faster. A context stops it before it begins, and in such loops. ` + "`surge inspect`" + ` says
which these are, and what to change so that the kernel is compiled.

`

// TestTable checks that docs/go.md is what the compiler does, that each refused construct is refused for the reason
// that its comment says, and that the kernel that shows what to write in its place is there.
func TestTable(t *testing.T) {
	compiled := compiledExamples(t)
	refused := refusedExamples(t)
	kernels := map[string]bool{}
	for _, e := range compiled {
		kernels[e.function] = true
	}
	for _, e := range append(slices.Clone(compiled), refused...) {
		if !slices.Contains(sections, e.section) {
			t.Errorf("%s: the section %q is none of %q", e.file, e.section, sections)
		}
		if e.construct == "" {
			t.Errorf("%s: %s has no line \"Construct: …\" in its comment", e.file, e.function)
		}
	}
	for _, e := range refused {
		switch d := e.refusal; {
		case d == nil:
			t.Errorf("%s is compiled: make it a kernel of this package, and remove the file", e.file)
		case d.Code != e.code:
			t.Errorf("%s is refused as [%s], want [%s]: %v", e.file, d.Code, e.code, d)
		case d.Why == "" || d.Fix == "":
			t.Errorf("%s: no reason, or no remedy: %v", e.file, d)
		}
		if !kernels[e.instead] {
			t.Errorf("%s: there is no kernel %q to write instead", e.file, e.instead)
		}
	}
	if t.Failed() {
		return
	}
	want := table(compiled, refused)
	file := filepath.Join("..", "..", "docs", "go.md")
	if *update {
		if err := os.WriteFile(file, want, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is not what the compiler does: run go test ./internal/constructs -run TestTable -update", file)
	}
}

func table(compiled, refused []example) []byte {
	var sb bytes.Buffer
	sb.WriteString(tableHead)
	place := map[string]string{}
	for _, e := range compiled {
		place[e.function] = e.file
	}
	link := func(function, file string) string {
		return fmt.Sprintf("[%s](../internal/constructs/%s)", function, file)
	}
	cell := func(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
	for _, s := range sections {
		var rows strings.Builder
		for _, e := range compiled {
			if e.section == s {
				how := "compiled"
				if s == calledSection {
					how = "called as it is"
				}
				if e.without != "" {
					how += ", not for " + e.without
				}
				fmt.Fprintf(&rows, "| %s | %s | %s |\n", cell(e.construct), how, link(e.function, e.file))
			}
		}
		for _, e := range refused {
			if d := e.refusal; e.section == s {
				how, instead := "refused", "Instead"
				if e.whole {
					how, instead = "plain Go", "To have it compiled"
				}
				fmt.Fprintf(&rows, "| %s | %s: %s. %s: %s [%s] | %s, instead %s |\n", cell(e.construct), how, cell(d.Why), instead, cell(d.Fix), d.Code,
					link(e.function, e.file), link(e.instead, place[e.instead]))
			}
		}
		if rows.Len() > 0 {
			fmt.Fprintf(&sb, "## %s\n\n| construct | | example |\n| --- | --- | --- |\n%s\n", s, rows.String())
		}
	}
	return append(bytes.TrimRight(sb.Bytes(), "\n"), '\n')
}

// compiledExamples are the kernels of this package.
func compiledExamples(t *testing.T) (list []example) {
	files, _ := filepath.Glob("*.go")
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f := parse(t, file)
		section := ""
		if len(f.Comments) > 0 && f.Comments[0].Pos() < f.Package {
			section = strings.TrimSpace(f.Comments[0].Text())
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && isKernel(fn) {
				list = append(list, example{section: section, construct: line(fn.Doc.Text(), "Construct"), without: line(fn.Doc.Text(), "Without"), function: fn.Name.Name, file: file})
			}
		}
	}
	return list
}

// refusedExamples are those of testdata/refused, with the first refusal of each.
func refusedExamples(t *testing.T) (list []example) {
	ctx := context.Background()
	dir := filepath.Join("testdata", "refused")
	files, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	found, strictly := refusals(ctx, t, dir, false), refusals(ctx, t, dir, true)
	for _, file := range files {
		f := parse(t, file)
		e := example{file: filepath.ToSlash(file)}
		if len(f.Comments) > 0 {
			text := f.Comments[0].Text()
			e.section, e.construct, e.code, e.instead = line(text, "Section"), line(text, "Construct"), line(text, "Code"), line(text, "Instead")
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && isKernel(fn) {
				e.function = fn.Name.Name
			}
		}
		inFile := func(d load.Diagnostic) bool { return filepath.Base(d.Pos.File) == filepath.Base(file) }
		if i := slices.IndexFunc(found, inFile); i >= 0 {
			e.refusal, e.whole = &found[i], !slices.ContainsFunc(strictly, inFile)
		}
		list = append(list, e)
	}
	return list
}

// refusals are all refusals of a package, but for kernels that may stay whole.
func refusals(ctx context.Context, t *testing.T, dir string, whole bool) load.Diagnostics {
	_, err := load.Load(ctx, dir, load.Options{Whole: whole})
	var ds load.Diagnostics
	if !errors.As(err, &ds) {
		t.Fatalf("the examples of what is refused: %v", err)
	}
	return ds
}

func parse(t *testing.T, file string) *ast.File {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func isKernel(fn *ast.FuncDecl) bool {
	return fn.Doc != nil && slices.ContainsFunc(fn.Doc.List, func(c *ast.Comment) bool { return c.Text == "//surge:kernel" })
}

// line returns what stands behind "key: " in a comment, up to the next key or paragraph.
func line(text, key string) string {
	_, rest, ok := strings.Cut("\n"+text, "\n"+key+": ")
	if !ok {
		return ""
	}
	var words []string
	for i, l := range strings.Split(rest, "\n") {
		if i > 0 && (l == "" || anyKey.MatchString(l)) {
			break
		}
		words = append(words, strings.Fields(l)...)
	}
	return strings.Join(words, " ")
}

var anyKey = regexp.MustCompile(`^(Section|Construct|Code|Instead): `)
