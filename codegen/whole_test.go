package codegen

import (
	"testing"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/load"
)

// TestKeptWhole checks that a kernel for which no code can be generated runs as it stands, and is refused where that is
// not wanted.
func TestKeptWhole(t *testing.T) {
	for _, whole := range []bool{true, false} {
		pkg, err := load.Load(t.Context(), "testdata/kept", load.Options{Whole: whole})
		if err != nil {
			t.Fatal(err)
		}
		k := pkg.Kernels[0]
		if k.Func, err = ir.Parse(`func Votes (set: []bool, n: int) {
  rows: [][]bool = replicate set n
  xs: [][][]bool = replicate rows n
  ys: [][][]bool = concat xs xs
  a: [][]bool = index ys n
  b: []bool = index a n
  votes: []int32 = map i < n {
    c: bool = index b i
    v: int32 = select c 1:int32 0:int32
    yield v
  }
  yield votes
}`); err != nil {
			t.Fatal(err)
		}
		p, err := Compile(pkg, Options{Machine: PortableMachine()})
		switch {
		case !whole && err == nil:
			t.Error("code is generated for what has none")
		case whole && err != nil:
			t.Error(err)
		case whole && len(p.Kernels[0].Source.Whole) != 1:
			t.Error("the kernel does not run as it stands")
		}
	}
}
