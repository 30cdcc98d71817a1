package goroutine_test

import (
	"flag"
	"go/format"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/goroutine"
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/codegen/lower"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/selector"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// rowNorms has a map over rows with a reduction inside: its square root of a sum of squares, where it is not too small.
const rowNorms = `func RowNorms @norms.go:8:6 (values: []float64, offsets: []int32, least: float64) {
  rows: [][]float64 = nest values offsets @norms.go:9:10
  k: int = len offsets
  check size "Nest" "offsets" k @norms.go:9:10
  n: int = len rows
  y: []float64 = map i < n {
    row: []float64 = index rows i
    m: int = len row
    s: float64 = reduce j < m init 0:float64 {
      e: float64 = index row j
      q: float64 = mul e e @norms.go:10:44
      yield q
    } comb a: float64, b: float64 {
      c: float64 = add a b @norms.go:10:44
      yield c
    } @norms.go:10:20
    r: float64 = sqrt s
    low: bool = lt r least
    z: float64 = select low 0:float64 r
    yield z
  } @norms.go:9:20
  yield y
}
`

// TestPrint compares the code of some variants of a small kernel, and of its inspector, with golden files.
func TestPrint(t *testing.T) {
	f, err := ir.Parse(rowNorms)
	if err != nil {
		t.Fatal(err)
	}
	k, err := fuse.Compile(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := k.Computations[0]
	for name, text := range map[string]string{
		"sequential": "RowNorms.1/nest/sequential>sequential/goroutine/unroll_2=1",
		"pool_lane":  "RowNorms.1/nest/independent>cooperative/goroutine/execution_resource_1=pool,execution_resource_2=lane,vector_width_2=4,unroll_2=2",
		"pool_pool":  "RowNorms.1/nest/independent>cooperative/goroutine/execution_resource_1=pool,execution_resource_2=pool,unroll_2=1",
	} {
		v, err := selector.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		fn, err := goroutine.Lower(k, c, v, "rowNorms1_"+name, nil)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		golden(t, name, "rowNorms1", fn.Name+" is\n"+text+".", func(u *goroutine.Unit, doc string) string { return u.Func(fn, doc) })
	}
	inspector, err := goroutine.Inspector(k, c, "rowNorms1_inspect")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "inspect", "rowNorms1", "rowNorms1_inspect checks.", func(u *goroutine.Unit, doc string) string { return u.Func(inspector, doc) })
}

func golden(t *testing.T, name, prefix, doc string, print func(*goroutine.Unit, string) string) {
	t.Helper()
	u := goroutine.NewUnit("RowNorms", prefix, "rowNormsFrame", lower.EnvPrefix+"1")
	text := print(u, doc)
	got, err := format.Source([]byte("package p\n\n" + text + u.EnvType() + "\n" + u.Text()))
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, text)
	}
	file := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.MkdirAll("testdata", 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, got, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (go test -update writes it)", err)
	}
	if string(got) != string(want) {
		t.Errorf("%s differs (go test -update rewrites it); got\n%s", file, got)
	}
}

// TestScoped checks that statements which give scratch memory back have a name for it once in a block, also where they
// end with such statements.
func TestScoped(t *testing.T) {
	store := func(a *kir.Array) kir.Stmt {
		return &kir.Store{A: a, I: &kir.Const{C: ir.IntConst(ir.Int, 0)}, X: &kir.Const{C: ir.IntConst(ir.Int, 1)}}
	}
	scoped := func(name string, rest ...kir.Stmt) kir.Stmt {
		a := &kir.Array{Name: name, Kind: ir.Int, Space: kir.Scratch}
		return &kir.Scoped{Body: append([]kir.Stmt{&kir.AllocScratch{A: a, N: &kir.Const{C: ir.IntConst(ir.Int, 8)}}, store(a)}, rest...)}
	}
	f := &kir.Func{Name: "f", Body: []kir.Stmt{scoped("a", scoped("b"), scoped("c", scoped("d")))}}
	text := goroutine.NewUnit("K", "k1", "kFrame", lower.EnvPrefix+"1").Func(f, "")
	if marks, names := strings.Count(text, "mark := w.Mark()"), strings.Count(text, "w.Release(mark)"); marks != 2 || names != 2 {
		t.Errorf("%d and %d:\n%s", marks, names, text)
	}
	for _, name := range []string{"a", "b", "c", "d"} {
		if !strings.Contains(text, name+" := vec.Ptr(rt.Scratch[int](w, 8))") {
			t.Errorf("%s has no memory:\n%s", name, text)
		}
	}
}
