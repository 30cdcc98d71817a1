package fuse

import (
	"slices"
	"testing"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/eval"
)

const rowsText = `func Rows @k.go:1:1 (m: [][]float64, w: [][]float64, x: []float64) {
  n: int = len m
  k: int = len x
  y: []float64 = map i < n {
    row: []float64 = index m i
    d: int = len row
    check index "index" "w[i]" i 3:int
    other: []float64 = index w i
    sum: float64 = loop (s: float64) init 0:float64 for j = 0:int to d {
      check index "index" "x[j]" j k
      a: float64 = index row j
      b: float64 = index x j
      p: float64 = mul a b
      t: float64 = add s p
      yield t
    }
    e: int = len other
    z: float64 = convert e
    r: float64 = add sum z
    yield r
  }
  flat: []float64 = flatten w
  f: int = len flat
  yield y f
}
`

// TestRegular: a kernel does with flat sequences what it does with rows of one length, also where a whole parameter is
// used, and only those parameters are worth it whose rows' lengths are compared with something.
func TestRegular(t *testing.T) {
	f, err := ir.Parse(rowsText)
	if err != nil {
		t.Fatal(err)
	}
	k, err := Compile(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := k.Uneven([]int{0, 1}); !slices.Equal(got, []int{0}) {
		t.Errorf("uneven are the parameters %v, want m alone:\n%s", got, k.Func)
	}
	regular, err := CompileRegular(f, []int{0, 1}, true, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := ir.Verify(regular.Func); err != nil {
		t.Fatalf("%v\n%s", err, regular.Func)
	}
	for _, p := range regular.Func.Params {
		if p.T.Rank > 1 {
			t.Errorf("%s is still of type %s", p.Name, p.T)
		}
	}
	numbers := func(n int) (all []any) {
		for i := range n {
			all = append(all, ir.FloatConst(ir.Float64, float64(i)/4))
		}
		return all
	}
	rows := func(all []any, n, length int) (rows []any) {
		rows = []any{}
		for i := range n {
			rows = append(rows, all[i*length:(i+1)*length])
		}
		return rows
	}
	for _, size := range [][4]int{{3, 4, 4, 2}, {1, 1, 1, 1}, {0, 1, 5, 1}, {2, 5, 9, 3}} {
		n, length, width, other := size[0], size[1], size[2], size[3]
		m, w, x := numbers(n*length), numbers(3*other), numbers(width)
		want, err := eval.Run(f, []any{rows(m, n, length), rows(w, 3, other), x}, eval.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := eval.Run(regular.Func, []any{m, w, x, eval.Int(n), eval.Int(length), eval.Int(3), eval.Int(other)}, eval.Options{})
		if err != nil {
			t.Fatalf("%v: %v\n%s", size, err, regular.Func)
		}
		if !slices.Equal(want[0].([]any), got[0].([]any)) || want[1] != got[1] {
			t.Errorf("%v: %v, want %v", size, got, want)
		}
	}
}

const planesText = `func Planes @k.go:1:1 (v: [][][]float64, x: []float64) {
  n: int = len v
  k: int = len x
  y: []float64 = map i < n {
    plane: [][]float64 = index v i
    h: int = len plane
    sum: float64 = loop (s: float64) init 0:float64 for j = 0:int to h {
      row: []float64 = index plane j
      d: int = len row
      check index "index" "x[j]" j k
      a: float64 = index x j
      check index "index" "row[j]" j d
      b: float64 = index row j
      p: float64 = mul a b
      t: float64 = add s p
      yield t
    }
    yield sum
  }
  yield y
}
`

// TestRegularPlanes: so it is with rows of rows of one length: one flat sequence, with a length for each level.
func TestRegularPlanes(t *testing.T) {
	f, err := ir.Parse(planesText)
	if err != nil {
		t.Fatal(err)
	}
	k, err := Compile(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	if at := k.Uneven([]int{0}); !slices.Equal(at, []int{0}) {
		t.Fatalf("uneven are %v", at)
	}
	r, err := CompileRegular(f, []int{0}, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	sizes := r.Regular[r.Func.Params[0]]
	if r.Func.Params[0].T.Rank != 1 || len(r.Func.Params) != 5 || sizes == nil || len(sizes.Lengths) != 2 || sizes.Row() != r.Func.Params[4] {
		t.Fatalf("parameters %v, sizes %+v", r.Func.Params, sizes)
	}
	num := func(x ...float64) (all []any) {
		for _, v := range x {
			all = append(all, ir.FloatConst(ir.Float64, v))
		}
		return all
	}
	nested := []any{[]any{num(1, 2, 3), num(4, 5, 6)}, []any{num(7, 8, 9), num(10, 11, 12)}}
	want, err := eval.Run(f, []any{nested, num(2, 3)}, eval.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := eval.Run(r.Func, []any{num(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12), num(2, 3), eval.Int(2), eval.Int(2), eval.Int(3)}, eval.Options{})
	if err != nil || !slices.EqualFunc(got, want, func(g, w any) bool { return slices.Equal(g.([]any), w.([]any)) }) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
}

// TestUnevenLengths takes a parameter as regular whose rows are copied before the lengths of the copies are added up,
// as where the copy is updated.
func TestUnevenLengths(t *testing.T) {
	f, err := ir.Parse(`
func f @k.go:1:1 (m: [][]float64) {
  n: int = len m @k.go:1:1
  rows: [][]float64 = map i < n {
    row: []float64 = index m i @k.go:1:1
    w: int = len row @k.go:1:1
    copy: []float64 = map j < w {
      e: float64 = index row j @k.go:1:1
      t: float64 = add e e @k.go:1:1
      yield t
    } @k.go:1:1
    yield copy
  } @k.go:1:1
  ends: []int = inclusive_scan k < n init 0:int {
    r: []float64 = index rows k @k.go:1:1
    l: int = len r @k.go:1:1
    yield l
  } comb a: int, b: int {
    sum: int = add a b @k.go:1:1
    yield sum
  } @k.go:1:1
  yield rows ends
}
`)
	if err != nil {
		t.Fatal(err)
	}
	k, err := Compile(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	if at := k.Uneven([]int{0}); !slices.Equal(at, []int{0}) {
		t.Errorf("uneven are %v:\n%s", at, k.Func)
	}
}
