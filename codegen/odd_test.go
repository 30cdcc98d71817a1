package codegen

import (
	"context"
	"errors"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/load"
)

// TestOddNamesAndConstants checks that what is generated is Go that compiles. In testdata/odd are kernels in files
// with the names of packages and variables of generated code, kernels that need nothing, and constants with which an
// operator of Go does not compile where it always fails; the package in testdata/hidden declares what generated code
// imports.
func TestOddNamesAndConstants(t *testing.T) {
	for _, name := range []string{"odd", "hidden"} {
		dir, p := compile(t, name, nil)
		compiles(t, dir, p)
	}
}

// compile compiles a package in testdata with more files.
func compile(t *testing.T, name string, more map[string]string) (dir string, p *Program) {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	overlay := map[string][]byte{}
	for file, text := range more {
		overlay[filepath.Join(dir, file)] = []byte(text)
	}
	pkg, err := load.Load(context.Background(), dir, load.Options{Overlay: overlay})
	if err != nil {
		t.Fatal(err)
	}
	if p, err = Compile(pkg, Options{Machine: PortableMachine(), Code: []string{"opencl"}}); err != nil {
		t.Fatal(err)
	}
	return dir, p
}

// TestClashes checks that names which the package has already are refused where they stand.
func TestClashes(t *testing.T) {
	for text, want := range map[string]string{
		"func RunLeast() {}":  "more.go:3:6: RunLeast is declared here, and by what surge generates [name]",
		"type leastFrame int": "more.go:3:6: leastFrame is declared here, and by what surge generates [name]",
		"const any = 1":       "more.go:3:7: the package declares any, a name that Go has already [name]",
		"//surge:kernel\nfunc least() int { return 1 }": "two kernels need the same generated name least",
	} {
		_, p := compile(t, "hidden", map[string]string{"more.go": "package hidden\n\n" + text + "\n"})
		_, err := p.Generated()
		var refused *fuse.Unsupported
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, not %s", text, err, want)
		}
	}
}

// compiles fails the test where the files that are generated for the package in dir do not compile.
func compiles(t *testing.T, dir string, p *Program) {
	t.Helper()
	files, err := p.Generated()
	if err != nil {
		t.Fatal(err)
	}
	overlay := map[string][]byte{}
	for name, src := range files {
		overlay[filepath.Join(dir, name)] = src
	}
	pkgs, err := packages.Load(&packages.Config{Dir: dir, Overlay: overlay,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports | packages.NeedExportFile}, ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, pkg := range pkgs {
		if len(pkg.GoFiles) < len(files)+1 {
			t.Errorf("%s was checked without its generated files: %v", pkg.Name, pkg.GoFiles)
		}
		for _, e := range pkg.Errors {
			t.Error(e)
		}
	}
}

// TestInterrupted checks that compiling and generating end when their context is done.
func TestInterrupted(t *testing.T) {
	dir, err := filepath.Abs(filepath.Join("testdata", "hidden"))
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := load.Load(t.Context(), dir, load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, code := range [][]string{nil, {"opencl"}} {
		ctx, cancel := context.WithCancel(t.Context())
		opt := Options{Machine: PortableMachine(), Code: code, Context: ctx}
		p, err := Compile(pkg, opt)
		if err != nil {
			t.Fatal(err)
		}
		cancel()
		if files, err := p.Generated(); !errors.Is(err, context.Canceled) {
			t.Errorf("generating %d files: %v", len(files), err)
		}
		if _, err := Compile(pkg, opt); !errors.Is(err, context.Canceled) {
			t.Errorf("compiling: %v", err)
		}
	}
}

// TestLacks checks that the file for a platform says why it has no code for a kernel, and compiles without any.
func TestLacks(t *testing.T) {
	dir, p := compile(t, "lacks", nil)
	compiles(t, dir, p)
	files, err := p.Generated()
	if err != nil {
		t.Fatal(err)
	}
	const want = `hailLastsKernel.Computations[0].Lacks("opencl", "made grows while the kernel runs, and memory must be taken before the launch")`
	if text := string(files["lacks_surge_opencl.go"]); !strings.Contains(text, want) {
		t.Errorf("the generated file lacks %s:\n%s", want, text)
	}
}

// TestBindSaysWhatMayChange checks that the comment of Bind says what may not change while it is bound, and what is
// copied.
func TestBindSaysWhatMayChange(t *testing.T) {
	_, p := compile(t, "hidden", map[string]string{"more.go": "package hidden\n\nimport \"github.com/surge-ndp/surge/ops\"\n\n//surge:kernel\nfunc Firsts(rows [][]float64, at []int, x []float64) []float64 {\n" +
		"\treturn ops.Map(func(i int) float64 { return rows[i][0] + x[i] }, at)\n}\n"})
	files, err := p.Generated()
	if err != nil {
		t.Fatal(err)
	}
	const comment = "while bound:\n// what was checked is not checked again, and a run with others reads and writes outside of its arrays.\n" +
		"// Rows of rows that do not lie one behind the other in one array are copied when bound: no run sees later changes.\nfunc BindFirsts("
	for _, src := range files {
		if strings.Contains(string(src), comment) {
			return
		}
	}
	t.Errorf("no file contains %q", comment)
}

// TestGeneratedConstraints checks that what is generated for a file, and the file that embeds models, belong to the
// package under the same constraint as the file.
func TestGeneratedConstraints(t *testing.T) {
	const kernel = "package hidden\n\n//surge:kernel\nfunc Third(x []float64) float64 { return x[2] }\n"
	_, p := compile(t, "hidden", map[string]string{"more.go": "//go:build !nothing || " + runtime.GOOS + "\n\n" + kernel})
	files, err := p.Generated()
	if err != nil {
		t.Fatal(err)
	}
	if files["surge.model_surge.go"], err = p.Embedding(); err != nil {
		t.Fatal(err)
	}
	for name, constrained := range map[string]bool{"more_surge.go": true, "hidden_surge.go": false, "surge.model_surge.go": true} {
		f, err := parser.ParseFile(token.NewFileSet(), name, files[name], parser.ParseComments|parser.PackageClauseOnly)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, g := range f.Comments {
			for _, c := range g.List {
				found = found || constraint.IsGoBuild(c.Text) && strings.Contains(c.Text, "!nothing || "+runtime.GOOS)
			}
		}
		if found != constrained {
			t.Errorf("%s begins with\n%.200s", name, files[name])
		}
	}
}

// TestOddNamesInC has the C compiler look at what programs in C get of packages whose names mean something in C, or
// in its headers, or are no names there.
func TestOddNamesInC(t *testing.T) {
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("there is no C compiler")
	}
	names := []string{"odd", "hidden", "operators"}
	if testing.Short() {
		names = names[:2]
	}
	for _, name := range names {
		dir, err := filepath.Abs(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		pkg, err := load.Load(t.Context(), dir, load.Options{})
		if err != nil {
			t.Fatal(err)
		}
		p, err := Compile(pkg, Options{Machine: PortableMachine(), Platforms: []string{"goroutine", "openmp"}, Code: []string{"openmp"}})
		if err != nil {
			t.Fatal(err)
		}
		files, err := p.Generated()
		if err != nil {
			t.Fatal(err)
		}
		out := t.TempDir()
		args := []string{"-fsyntax-only", "-std=gnu11", "-fopenmp", "-Wall", "-Wno-unused", "-Wno-tautological-compare"}
		sources := 0
		for file, text := range files {
			if strings.HasSuffix(file, ".go") {
				continue
			}
			if err := os.WriteFile(filepath.Join(out, file), text, 0o644); err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(file, ".c") {
				args = append(args, file)
				sources++
			}
		}
		cmd := exec.Command(cc, args...)
		cmd.Dir = out
		if said, err := cmd.CombinedOutput(); err != nil || len(said) > 0 || sources == 0 {
			t.Errorf("%s: %d files, %v\n%.3000s", name, sources, err, said)
		}
	}
}
