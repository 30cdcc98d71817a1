package fuse

import (
	"slices"
	"testing"

	"github.com/surge-ndp/surge/ops/ir"
)

const spmvText = `func SpMV @spmv.go:12:1 (values: []float64, columns: []int32, rowOffsets: []int32, x: []float64) {
  rows: [][]float64 = nest values rowOffsets
  cols: [][]int32 = nest columns rowOffsets
  n: int = len rows
  m: int = len cols
  check length "Map2" "cols" n m
  y: []float64 = map i < n {
    row: []float64 = index rows i
    col: []int32 = index cols i
    z: []float64 = gather x col
    k: int = len row
    k2: int = len z
    check length "Map2" "ops.Gather(x, col)" k k2
    products: []float64 = map j < k {
      a: float64 = index row j
      b: float64 = index z j
      p: float64 = mul a b
      yield p
    }
    q: int = len products
    s: float64 = reduce l < q init 0:float64 {
      e: float64 = index products l
      yield e
    } comb u: float64, v: float64 {
      w: float64 = add u v
      yield w
    }
    yield s
  }
  yield y
}
`

func compile(t *testing.T, text string) *Kernel {
	t.Helper()
	f, err := ir.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	k, err := Compile(f, func(s Stage) {
		if err := ir.Verify(s.Func); err != nil {
			t.Fatalf("after %s: %v\n%s", s.Name, err, s.Func)
		}
		again, err := ir.Parse(s.Func.String())
		if err != nil {
			t.Fatalf("after %s: %v\n%s", s.Name, err, s.Func)
		}
		if again.String() != s.Func.String() {
			t.Fatalf("after %s: the text does not parse back to itself", s.Name)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestSpMVNeedsNoTemporary(t *testing.T) {
	k := compile(t, spmvText)
	t.Logf("%s", k.Func)
	maps := 0
	ir.Walk(k.Func.Body, func(s *ir.Stmt) {
		if _, ok := s.Op.(*ir.Map); ok {
			maps++
		}
	})
	if maps != 1 {
		t.Errorf("%d maps are left, want the outermost one alone:\n%s", maps, k.Func)
	}
	c := k.Computations[0]
	if got := c.Sequence.String(); got != "map ▷ reduce" {
		t.Errorf("expression sequence %s", got)
	}
	if len(c.Features) != 4 || c.Features[1].Name != "average_row_length" || c.Features[1].Offsets.Name != "rowOffsets" ||
		c.Features[2].Name != "load_imbalance" || c.Features[2].Offsets.Name != "rowOffsets" ||
		c.Features[3].Name != "element_row_length" || c.Features[3].Offsets.Name != "rowOffsets" {
		t.Errorf("features %+v", c.Features)
	}
}

// How many bins a reduction by index has is known before it starts, and decides about copies for each thread.
func TestBinsAreAFeature(t *testing.T) {
	k := compile(t, `func K (keys: []int, n: int) {
  m: int = len keys
  h: []int = hist i < m into n init 0:int {
    key: int = index keys i
    yield key 1:int
  } comb u: int, v: int {
    w: int = add u v
    yield w
  }
  yield h
}
`)
	fs := k.Computations[0].Features
	if len(fs) != 2 || fs[0].Name != "length" || fs[1].Name != "bins" || fs[1].Length != ir.Atom(k.Func.Params[1]) {
		t.Errorf("features %+v", fs)
	}
}

// TestTrianglesHaveNoRatio checks that rows which are as long as their number says are not taken for rows of one
// length.
func TestTrianglesHaveNoRatio(t *testing.T) {
	for _, text := range []string{`  y: [][]float64 = map i < n {
    r: []float64 = map j < i {
      e: float64 = index x j
      yield e
    }
    yield r
  }`, `  y: []float64 = map i < n {
    hi: int = add i 1:int
    a: []float64 = alloc hi
    b: []float64 = loop (c: []float64) init a for j = 0:int to hi independent {
      e: float64 = index x j
      d: []float64 = update c j e
      yield d
    }
    s: float64 = index b i
    yield s
  }`} {
		k := compile(t, "func K (x: []float64, n: int) {\n"+text+"\n  yield y\n}")
		ratio := func(f Feature) bool { return f.Name == "aspect_ratio" }
		if fs := k.Computations[0].Features; len(fs) == 0 || slices.ContainsFunc(fs, ratio) {
			t.Errorf("features %+v", fs)
		}
	}
}

// What a loop of unknown turns does not change moves out of it, so that rows inside have a length that is known before.
// What may fail stays.
func TestInvariantsOfLoops(t *testing.T) {
	k := compile(t, `func K (xs: []float32, n: int, a: int, b: int) {
  y: []float32 = map i < n {
    z: float32 = convert i
    z2: float32, k2: int = loop (z1: float32, k: int) init z 0:int while {
      c: bool = lt z1 1000:float32
      yield c
    } {
      m: int = len xs
      check nonzero "/" "b" b
      q: int = div a b
      k1: int = add k q
      r: float32 = reduce j < m init z1 {
        e: float32 = index xs j
        yield e
      } comb u: float32, v: float32 {
        w: float32 = max u v
        yield w
      }
      yield r k1
    }
    t: float32 = convert k2
    s: float32 = add z2 t
    yield s
  }
  yield y
}
`)
	fs := k.Computations[0].Features
	if len(fs) < 2 || fs[1].Name != "aspect_ratio" {
		t.Errorf("features %+v\n%s", fs, k.Func)
	}
	ir.Walk(k.Func.Body, func(s *ir.Stmt) {
		if l, ok := s.Op.(*ir.Loop); ok && !slices.ContainsFunc(l.Body.Stmts, func(s *ir.Stmt) bool { _, ok := s.Op.(*ir.Check); return ok }) {
			t.Errorf("the check has moved\n%s", k.Func)
		}
	})
}

// The bins of the first histogram inside are a feature too, where they are known before.
func TestBinsInside(t *testing.T) {
	for want, bins := range map[int]string{2: "n", 1: "i"} {
		k := compile(t, `func K (keys: []int, rows: int, n: int) {
  m: int = len keys
  y: []int = map i < rows {
    h: []int = hist j < m into `+bins+` init 0:int {
      yield 0:int 1:int
    } comb u: int, v: int {
      w: int = add u v
      yield w
    }
    l: int = index h 0:int
    yield l
  }
  yield y
}
`)
		fs := k.Computations[0].Features
		if found := slices.ContainsFunc(fs, func(f Feature) bool { return f.Name == "bins" && f.Length == ir.Atom(k.Func.Params[2]) }); found != (want == 2) {
			t.Errorf("into %s: features %+v", bins, fs)
		}
	}
}
