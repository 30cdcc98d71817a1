package load

import (
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/surge-ndp/surge/ops/ir"
)

// seeds are Go texts to mutate: the misuses, and the accepted kernels, all and one by one.
func seeds(t testing.TB) []string {
	archive, err := txtar.ParseFile("testdata/errors.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, file := range archive.Files {
		if strings.HasSuffix(file.Name, ".go") && file.Name != "too_large.go" {
			all = append(all, string(file.Data))
		}
	}
	for _, name := range []string{"control.go", "data.go"} {
		content, err := os.ReadFile(filepath.Join("testdata", "kernels", name))
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(string(content), "\t\"github.com/surge-ndp/surge/ops/load/testdata/kernels/helpers\"\n", "")
		text = strings.ReplaceAll(strings.ReplaceAll(text, "helpers.Cube", "math.Sqrt"), "helpers.Limit", "eps")
		all = append(all, text)
		header, rest, _ := strings.Cut(text, "\n)\n")
		for _, kernel := range strings.Split(rest, "//surge:kernel") {
			all = append(all, header+"\n)\nvar _ = math.Pi\n//surge:kernel"+kernel)
		}
	}
	return all
}

// FuzzLoad feeds Go text to the checks and the lowering. Whatever it is, they end without a panic, in diagnostics or in
// IR that keeps the invariants. A seed other than 0 exchanges expressions and statements of the text first, which
// leaves more programs that type-check than exchanging bytes does.
func FuzzLoad(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add(s, uint64(0))
		f.Add(s, uint64(1))
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		if seed != 0 {
			text = splice(text, rand.New(rand.NewPCG(seed, 1)))
		}
		compileMutant(t, text)
	})
}

// TestMutants is a short deterministic run of what FuzzLoad does.
func TestMutants(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	lowered, refused := 0, 0
	all := seeds(t)
	mutants := 6000
	if testing.Short() {
		mutants = 2000
	}
	withoutPanic(t, mutants, all, rng, func(text string) {
		l, r := compileMutant(t, text)
		lowered, refused = lowered+l, refused+r
	})
	if lowered < mutants/20 || refused < mutants/12 {
		t.Errorf("%d kernels lowered, %d programs refused for other reasons than their types", lowered, refused)
	}
}

// withoutPanic does something with so many mutants of texts, and says which of them it panics with.
func withoutPanic(t *testing.T, mutants int, texts []string, rng *rand.Rand, do func(text string)) {
	t.Helper()
	for range mutants {
		text := splice(texts[rng.IntN(len(texts))], rng)
		func() {
			defer func() {
				if r := recover(); r != nil {
					t.Fatalf("panic: %v\n%s\n%s", r, text, debug.Stack())
				}
			}()
			do(text)
		}()
	}
}

// TestMutantsRewritten mutates the kernels of the construct corpus, one of which is compiled at a time, behind all
// rewritings: these do not panic, and what they make of right Go is right Go.
func TestMutantsRewritten(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "internal", "constructs", "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	var all []string
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		const mark = "//surge:kernel\n"
		parts := strings.Split(string(content), mark)
		for i := 1; i < len(parts); i++ {
			all = append(all, strings.Join(parts[:i], "")+mark+strings.Join(parts[i:], ""))
		}
	}
	rng := rand.New(rand.NewPCG(8, 8))
	lowered, mutants := 0, 3000
	if testing.Short() {
		mutants = 500
	}
	withoutPanic(t, mutants, all, rng, func(text string) {
		p, err := programOf("fuzz.go", text, true)
		if err != nil && strings.HasPrefix(err.Error(), "a rewriting") {
			t.Errorf("%v\n%s", err, text)
		}
		if err != nil {
			return
		}
		for _, k := range p.compile("") {
			if k.Func != nil {
				lowered++
			}
		}
	})
	if lowered < mutants/40 {
		t.Errorf("%d of %d kernels lowered", lowered, mutants)
	}
}

// compileMutant compiles text and returns how many kernels were lowered, and whether the program was refused though it
// type-checks.
func compileMutant(t *testing.T, text string) (lowered, refused int) {
	ks, ds, err := compileText("fuzz.go", text)
	if err != nil {
		return 0, 0
	}
	if len(ds) > 0 && ds[0].Code != CodeType && ds[0].Code != CodeImport {
		refused = 1
	}
	for _, k := range ks {
		if k.Func == nil {
			if len(ds) == 0 {
				t.Errorf("%s is neither lowered nor refused:\n%s", k.Name, text)
			}
			continue
		}
		lowered++
		if err := ir.Verify(k.Func); err != nil {
			t.Errorf("%v\n%s\n%s", err, text, k.Func)
		}
		if len(ks) == 1 {
			if back, err := ir.Parse(k.Func.String()); err != nil || back.String() != k.Func.String() {
				t.Errorf("the text form does not parse back: %v\n%s", err, k.Func)
			}
		}
	}
	return lowered, refused
}

// splice replaces one to three expressions or statements of a Go text by others of it.
func splice(text string, rng *rand.Rand) string {
	for range 1 + rng.IntN(3) {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution)
		if err != nil {
			return text
		}
		type span struct{ lo, hi int }
		var exprs, stmts []span
		ast.Inspect(f, func(n ast.Node) bool {
			if n == nil {
				return true
			}
			s := span{fset.Position(n.Pos()).Offset, fset.Position(n.End()).Offset}
			switch n.(type) {
			case *ast.ImportSpec:
				return false
			case ast.Expr:
				exprs = append(exprs, s)
			case ast.Stmt:
				stmts = append(stmts, s)
			}
			return true
		})
		pool := exprs
		if rng.IntN(3) == 0 {
			pool = stmts
		}
		if len(pool) < 2 {
			continue
		}
		// Neighbours are more often of the same type, and in scope.
		at := rng.IntN(len(pool))
		a, b := pool[at], pool[min(max(at+rng.IntN(31)-15, 0), len(pool)-1)]
		if a.hi > len(text) || b.hi > len(text) {
			return text
		}
		text = text[:a.lo] + text[b.lo:b.hi] + text[a.hi:]
	}
	return text
}
