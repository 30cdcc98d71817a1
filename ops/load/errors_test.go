package load

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"golang.org/x/tools/go/gcexportdata"
	"golang.org/x/tools/go/packages"

	"github.com/surge-ndp/surge/ops/ir"
)

// exports finds the export data of the packages that small test programs import.
var exports = sync.OnceValue(func() map[string]string {
	cfg := &packages.Config{Mode: packages.NeedName | packages.NeedExportFile | packages.NeedImports | packages.NeedDeps}
	pkgs, err := packages.Load(cfg, opsPath, "math", "fmt", "os", "strings", "sort", "slices", "cmp", "math/bits", "math/cmplx", "unicode", "unicode/utf8", "bytes", "container/heap")
	if err != nil {
		panic(err)
	}
	files := map[string]string{}
	packages.Visit(pkgs, nil, func(p *packages.Package) { files[p.PkgPath] = p.ExportFile })
	return files
})

// compileText checks and lowers a package of one file, without go list.
func compileText(name, text string) ([]*Kernel, Diagnostics, error) {
	p, err := programOf(name, text, false)
	if err != nil {
		return nil, nil, err
	}
	ks := p.compile("")
	return ks, p.rep.sorted(), nil
}

// programOf type-checks a package of one file, and does all rewritings of its source if that is right Go and asked for.
func programOf(name, text string, rewrite bool) (*program, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	known := map[string]*types.Package{}
	imp := importerFunc(func(path string) (*types.Package, error) {
		if path == "unsafe" {
			return types.Unsafe, nil
		}
		if p := known[path]; p != nil && p.Complete() {
			return p, nil
		}
		file, err := os.Open(exports()[path])
		if err != nil {
			return nil, err
		}
		defer file.Close()
		//lint:ignore SA1019 go list -export names the compiler's archive, which Read alone does not take
		r, err := gcexportdata.NewReader(file)
		if err != nil {
			return nil, err
		}
		return gcexportdata.Read(r, fset, known, path)
	})
	rep := newReporter(fset)
	u := checkUnit(fset, "p", []*ast.File{f}, imp, "")
	if rewrite && len(u.errs) == 0 {
		if u, err = rewriteAll(fset, u, "p", imp, ""); err != nil {
			return nil, err
		}
		if len(u.errs) > 0 {
			return nil, fmt.Errorf("a rewriting of right Go is not: %v", u.errs[0])
		}
	}
	stds, err := standards(fset, imp, []*unit{u})
	if err != nil {
		return nil, err
	}
	return newProgram(fset, u, nil, stds, rep), nil
}

// TestErrors compares the diagnostics of each misuse with what testdata/errors.txtar wants.
func TestErrors(t *testing.T) {
	const file = "testdata/errors.txtar"
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for _, f := range archive.Files {
		want[f.Name] = string(f.Data)
	}
	codes := map[string]bool{}
	for i, f := range archive.Files {
		name, ok := strings.CutSuffix(f.Name, ".go")
		if !ok {
			continue
		}
		t.Run(name, func(t *testing.T) {
			ks, ds, err := compileText(f.Name, string(f.Data))
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if len(ds) > 0 {
				got = ds.Error() + "\n"
			}
			for _, d := range ds {
				codes[d.Code] = true
				if d.Code != CodeType && (d.Why == "" || d.Fix == "") {
					t.Errorf("%s: the reason or the remedy is missing", d.Error())
				}
			}
			for _, k := range ks {
				if k.Func != nil {
					if err := ir.Verify(k.Func); err != nil {
						t.Error(err)
					}
				}
			}
			if *update {
				archive.Files[i+1].Data = []byte(got)
			} else if got != want[name+".want"] {
				t.Errorf("got:\n%s\nwant:\n%s", got, want[name+".want"])
			}
		})
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(archive), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if len(codes) < 40 {
		t.Errorf("only %d codes are covered", len(codes))
	}
}
