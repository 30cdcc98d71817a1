package fuse

import (
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/ops/ir"
)

// count counts the operations of a kernel by the first word of their text.
func count(k *Kernel) map[string]int {
	n := map[string]int{}
	ir.Walk(k.Func.Body, func(s *ir.Stmt) {
		text := s.String()
		if _, rest, ok := strings.Cut(text, " = "); ok {
			text = rest
		}
		word, _, _ := strings.Cut(text, " ")
		n[word]++
	})
	return n
}

// sum is the end of a reduction by addition.
const sum = `} comb u: float64, v: float64 {
    w: float64 = add u v
    yield w
  }`

// columns is a kernel whose elements make rows that are arrays, and read them in the elements i of a reduction, before
// a loop over j or in it.
func columns(before, in string) string {
	return `func F (x: []float64, n: int) {
  m: int = len x
  y: []float64 = map k < m {
    a: float64 = index x k
    z: [][]float64 = map r < n {
      made: []float64 = alloc n
      f: float64 = convert r
      full: []float64, last: float64 = loop (p: []float64, b: float64) init made f for c = 0:int to n {
        d: float64 = exp b
        q: []float64 = update p c d
        yield q d
      }
      yield full
    }
    s: float64 = reduce i < n init 0:float64 {
      ` + before + `
      t: float64 = loop (u: float64) init a for j = 0:int to n {
        ` + in + `
        e: float64 = index row i
        v: float64 = add u e
        yield v
      }
      yield t
    } comb o: float64, w: float64 {
      h: float64 = add o w
      yield h
    }
    yield s
  }
  yield y
}`
}

// TestFusion checks what is left of small kernels: how many computations, and how many of some operations.
func TestFusion(t *testing.T) {
	for _, c := range []struct {
		name, text   string
		computations int
		want         map[string]int // operation → how many
	}{
		{"a condition that chooses between sequences goes into their elements", `func F (x: []float64, c: bool) {
  y: []float64 = if c {
    n: int = len x
    z: []float64 = map i < n {
      a: float64 = index x i
      b: float64 = exp a
      yield b
    }
    yield z
  } else {
    yield x
  }
  m: int = len y
  s: []float64 = map j < m {
    d: float64 = index y j
    e: float64 = exp d
    yield e
  }
  yield s
}`, 1, map[string]int{"if": 1, "map": 1, "exp": 2, "select": 0}},
		{"rows in an element that are arrays are stored where each is read many times", columns("", "row: []float64 = index z j"), 1, map[string]int{"exp": 1, "map": 2}},
		{"such rows are made where they are read if that is once", columns("row: []float64 = index z i", ""), 1, map[string]int{"exp": 1, "map": 1}},
		{"a condition with nothing but a check stores nothing", `func F (x: []int, m: int) {
  z: []int = alloc m
  n: int = len x
  t: []int = loop (u: []int) init z for i = 0:int to n {
    v: int = index x i
    c: bool = lt v 5:int
    w: []int = if c {
      check index "index" "z[v]" v m
      yield u
    } else {
      yield u
    }
    old: int = index w v
    new: int = add old 1:int
    y: []int = update w v new
    yield y
  }
  yield t
}`, 2, map[string]int{"hist": 0}},
		{"a row that is read at the top is read where its elements are, and not at the top", `func F (x: [][]float64, k: int) {
  n: int = len x
  check index "index" "x[k]" k n
  row: []float64 = index x k
  m: int = len row
  y: []float64 = map i < m {
    a: float64 = index row i
    b: float64 = exp a
    yield b
  }
  s: float64 = reduce p < m init 0:float64 {
    c: float64 = index row p
    yield c
  ` + sum + `
  yield y s
}`, 2, map[string]int{"map": 1, "reduce": 1, "exp": 1, "index": 5}},
		{"what a branch computes and reads stays under its condition, and has no elements without it", `func F (x: []float64, k: int, c: bool) {
  y: []float64 = if c {
    n: int = len x
    check index "x" "k" k n
    first: float64 = index x k
    z: []float64 = scan i < n init first {
      a: float64 = index x i
      yield a
    ` + sum + `
    yield z
  } else {
    yield x
  }
  yield y
}`, 2, map[string]int{"if": 2, "map": 1, "scan": 1, "select": 1, "check": 1}},
		{"a map that is read once disappears into its reader", `func F (x: []float64) {
  n: int = len x
  y: []float64 = map i < n {
    a: float64 = index x i
    b: float64 = exp a
    yield b
  }
  m: int = len y
  s: float64 = reduce j < m init 0:float64 {
    c: float64 = index y j
    yield c
  ` + sum + `
  yield s
}`, 1, map[string]int{"map": 0, "reduce": 1, "exp": 1}},
		{"a chain of cheap maps becomes one", `func F (x: []float64) {
  n: int = len x
  y: []float64 = map i < n {
    a: float64 = index x i
    b: float64 = add a 1:float64
    yield b
  }
  m: int = len y
  z: []float64 = map j < m {
    c: float64 = index y j
    d: float64 = mul c c
    yield d
  }
  l: int = len z
  r: []float64 = map k < l {
    e: float64 = index z k
    f: float64 = sub e 2:float64
    yield f
  }
  yield r
}`, 1, map[string]int{"map": 1, "len": 1, "index": 1}},
		{"the results of a map that is read for several of them are computed once", `func F (x: []float64) {
  n: int = len x
  a: []float64, b: []float64 = map i < n {
    c: float64 = index x i
    t: bool = gt c 0:float64
    d: float64, e: float64 = if t {
      f: float64 = exp c
      g: float64 = neg f
      yield f g
    } else {
      yield 0:float64 1:float64
    }
    yield d e
  }
  y: []float64 = map j < n {
    p: float64 = index a j
    q: float64 = index b j
    r: float64 = mul p q
    yield r
  }
  yield y
}`, 1, map[string]int{"exp": 1, "map": 1, "if": 1}},
		{"lined up rows that are only copied are the result", `func F (x: []float64) {
  n: int = len x
  a: [][]float64, b: [][]float64 = map i < n {
    c: float64 = index x i
    k: int = convert c
    d: []float64, e: []float64 = map j < k {
      f: float64 = exp c
      g: float64 = neg f
      yield f g
    }
    yield d e
  }
  u: []float64 = flatten a
  v: []float64 = flatten b
  m: int = len u
  y: []float64 = map k2 < m {
    p: float64 = index u k2
    yield p
  }
  z: []float64 = map k3 < m {
    q: float64 = index v k3
    yield q
  }
  yield y z
}`, 1, map[string]int{"map": 2, "flatten": 2}},
		{"an expensive map that two read by other indices is stored", `func F (x: []float64) {
  n: int = len x
  y: []float64 = map i < n {
    a: float64 = index x i
    b: float64 = exp a
    yield b
  }
  r: []float64 = reverse y
  m: int = len y
  z: []float64 = map j < m {
    c: float64 = index y j
    d: float64 = index r j
    e: float64 = mul c d
    yield e
  }
  yield z
}`, 2, map[string]int{"exp": 1, "map": 2}},
		{"siblings over one length share a loop", `func F (x: []float64, y: []float64) {
  n: int = len x
  m: int = len y
  check length "Map2" "y" n m
  a: float64 = reduce i < n init 0:float64 {
    e: float64 = index x i
    yield e
  ` + sum + `
  b: float64 = reduce j < n init 1:float64 {
    f: float64 = index y j
    yield f
  } comb p: float64, q: float64 {
    r: float64 = mul p q
    yield r
  }
  c: []float64 = map k < n {
    g: float64 = index x k
    h: float64 = neg g
    yield h
  }
  d: []float64 = map l < n {
    o: float64 = index y l
    z: float64 = neg o
    yield z
  }
  yield a b c d
}`, 2, map[string]int{"reduce": 1, "map": 1, "index": 4}},
		{"a sibling that needs the other one does not", `func F (x: []float64) {
  n: int = len x
  a: float64 = reduce i < n init 0:float64 {
    e: float64 = index x i
    yield e
  ` + sum + `
  b: float64 = reduce j < n init 0:float64 {
    f: float64 = index x j
    g: float64 = mul f a
    yield g
  } comb p: float64, q: float64 {
    r: float64 = add p q
    yield r
  }
  yield b
}`, 2, map[string]int{"reduce": 2}},
		{"what is computed twice is computed once", `func F (x: []float64) {
  n: int = len x
  a: float64 = reduce i < n init 0:float64 {
    e: float64 = index x i
    yield e
  ` + sum + `
  m: int = len x
  b: float64 = reduce j < m init 0:float64 {
    f: float64 = index x j
    yield f
  } comb p: float64, q: float64 {
    r: float64 = add p q
    yield r
  }
  c: float64 = mul a b
  yield c
}`, 1, map[string]int{"reduce": 1, "len": 1}},
		{"rows that are the same are stored one by one", `func F (x: []float64, n: int) {
  check nonneg "Replicate" "n" n
  m: int = len x
  y: []float64 = map i < m {
    a: float64 = index x i
    b: float64 = exp a
    yield b
  }
  z: [][]float64 = replicate y n
  yield z
}`, 2, map[string]int{"exp": 1, "map": 3}},
		{"a condition both of whose branches do the same goes", `func F (x: []float64, k: int, c: bool) {
  n: int = len x
  y: []float64 = map i < n {
    t: bool = lt i k
    b: float64 = if t {
      a: float64 = index x i
      d: float64 = exp a
      yield d
    } else {
      e: float64 = index x i
      f: float64 = exp e
      yield f
    }
    yield b
  }
  yield y
}`, 1, map[string]int{"if": 0, "lt": 0, "exp": 1, "index": 1}},
		{"one whose branches make the same check stays: it says where it stands", `func F (x: []float64, k: []int) {
  n: int = len k
  m: int = len x
  y: []float64 = map i < n {
    j: int = index k i
    t: bool = lt i 7:int
    b: float64 = if t {
      check index "index" "x[j]" j m @f.go:1:1
      a: float64 = index x j
      yield a
    } else {
      check index "index" "x[j]" j m @f.go:2:2
      d: float64 = index x j
      yield d
    }
    yield b
  }
  yield y
}`, 1, map[string]int{"if": 1, "check": 2}},
		{"an unused computation goes", `func F (x: []float64) {
  n: int = len x
  a: float64 = reduce i < n init 0:float64 {
    e: float64 = index x i
    yield e
  ` + sum + `
  b: float64 = add 1:float64 2:float64
  yield b
}`, 0, map[string]int{"reduce": 0, "add": 0}},
		{"what does not change leaves the loop", `func F (x: []float64, s: float64) {
  n: int = len x
  y: []float64 = map i < n {
    r: float64 = sqrt s
    a: float64 = index x i
    b: float64 = mul a r
    yield b
  }
  yield y
}`, 1, map[string]int{"sqrt": 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := compile(t, c.text)
			if len(k.Computations) != c.computations {
				t.Errorf("%d computations, want %d:\n%s", len(k.Computations), c.computations, k.Func)
			}
			got := count(k)
			for op, n := range c.want {
				if got[op] != n {
					t.Errorf("%d times %s, want %d:\n%s", got[op], op, n, k.Func)
				}
			}
		})
	}
}

// TestHoisted checks that invariant code stands before the loop, a read only behind a guard.
func TestHoisted(t *testing.T) {
	k := compile(t, `func F (x: []float64, s: float64, j: int) {
  n: int = len x
  y: []float64 = map i < n {
    r: float64 = sqrt s
    check index "index" "x[j]" j n
    p: float64 = index x j
    a: float64 = index x i
    b: float64 = mul a r
    c: float64 = add b p
    yield c
  }
  yield y
}`)
	m := k.Computations[0].Stmt.Op.(*ir.Map)
	for _, s := range m.Body.Stmts {
		switch op := s.Op.(type) {
		case *ir.Unary, *ir.Check:
			t.Errorf("%s is still in the loop:\n%s", s, k.Func)
		case *ir.Index:
			if op.I != ir.Atom(m.I) {
				t.Errorf("%s is still in the loop:\n%s", s, k.Func)
			}
		}
	}
	guarded := false
	for _, s := range k.Func.Body.Stmts {
		if f, ok := s.Op.(*ir.If); ok {
			_, isCheck := f.Then.Stmts[0].Op.(*ir.Check)
			guarded = guarded || isCheck
		}
		if _, ok := s.Op.(*ir.Check); ok {
			t.Errorf("the check would fail for an empty x:\n%s", k.Func)
		}
	}
	if !guarded {
		t.Errorf("the read is not behind a guard:\n%s", k.Func)
	}
}

// TestHoistedFromCondition checks that float arithmetic that does not change leaves a condition in a loop as well,
// and that what may fail stays.
func TestHoistedFromCondition(t *testing.T) {
	k := compile(t, `func F (x: []float64, s: float64, j: int) {
  n: int = len x
  y: []float64 = map i < n {
    a: float64 = index x i
    c: bool = gt a s
    z: float64 = if c {
      f: float64 = convert j
      p: float64 = mul s f
      check nonzero "division" "j" j
      q: int = div n j
      r: float64 = convert q
      t: float64 = add a p
      u: float64 = add t r
      yield u
    } else {
      yield 0:float64
    }
    yield z
  }
  yield y
}`)
	inside := map[string]int{}
	ir.Walk(k.Computations[0].Stmt.Op.(*ir.Map).Body, func(s *ir.Stmt) {
		switch op := s.Op.(type) {
		case *ir.Binary:
			inside[string(op.Fn)]++
		case *ir.Convert:
			inside["convert"]++
		case *ir.Check:
			inside["check"]++
		}
	})
	want := map[string]int{"gt": 1, "check": 1, "div": 1, "convert": 1, "add": 2}
	if !maps.Equal(inside, want) {
		t.Errorf("the loop has %v, want %v:\n%s", inside, want, k.Func)
	}
}

// TestChecks checks which checks are known to hold, and which are kept.
func TestChecks(t *testing.T) {
	const head = "func F (x: []float64, k: int, narrow: int32, f: float64) {\n  n: int = len x\n"
	for _, c := range []struct {
		name, text string
		left       int
	}{
		{"the same check again", "check index \"\" \"\" k n\n check index \"other\" \"\" k n\n", 1},
		{"in a branch it says nothing about the other", "c: bool = lt k 3:int\n y: int = if c {\n check index \"\" \"\" k n\n yield 1:int\n } else {\n check index \"\" \"\" k n\n yield 2:int\n }\n", 2},
		{"an index below the length", "y: []float64 = map i < n {\n check index \"\" \"\" i n\n a: float64 = index x i\n yield a\n }\n", 0},
		{"constants", "check size \"\" \"\" 3:int\n check nonneg \"\" \"\" 0:int\n check nonzero \"\" \"\" 0.5:float64\n check finite \"\" \"\" 1:float64\n check length \"\" \"\" n n\n", 0},
		{"constants that fail", "check size \"\" \"\" 0:int\n check nonneg \"\" \"\" -1:int\n check nonzero \"\" \"\" 0:int\n check finite \"\" \"\" NaN:float64\n", 4},
		{"the length of a sequence is possible", "check count \"\" \"\" n 5000000000000:int\n m: int = add n 7:int\n check count \"\" \"\" m 5000000000000:int\n", 0},
		{"so is a narrow number", "m: int = convert narrow\n check count \"\" \"\" m 5000000000000:int\n", 0},
		{"any int may not be", "check count \"\" \"\" k 1000000000000:int\n m: int = mul n n\n check count \"\" \"\" m 1000000000000:int\n", 2},
		{"a bounded int is, but only behind the check", "c: bool = lt k 3:int\n y: int = if c {\n check index \"\" \"\" k n\n check count \"\" \"\" k 5000000000000:int\n yield 1:int\n } else {\n yield 2:int\n }\n check count \"\" \"\" k 5000000000000:int\n", 2},
	} {
		k := compile(t, head+c.text+"  yield x k f\n}")
		got := count(k)["check"]
		if strings.Contains(c.text, "y: int") || strings.Contains(c.text, "y: []") {
			k = compile(t, head+c.text+"  yield y\n}")
			got = count(k)["check"]
		}
		if got != c.left {
			t.Errorf("%s: %d checks are left, want %d:\n%s", c.name, got, c.left, k.Func)
		}
	}
}

// TestUnsupported checks that what is not compiled is refused with a code.
func TestUnsupported(t *testing.T) {
	for code, text := range map[string]string{
		"concat-rows": `func F (x: [][][]float64, i: int, j: int, k: int) {
  y: [][][]float64 = concat x x
  a: [][]float64 = index y i
  b: []float64 = index a j
  c: float64 = index b k
  yield c
}`,
	} {
		f, err := ir.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		_, err = Compile(f, nil)
		var u *Unsupported
		if !errors.As(err, &u) || u.Code != code || u.What == "" || u.Why == "" || u.Fix == "" {
			t.Errorf("%s: %v", code, err)
		}
	}
}

// TestHostLoop checks that loops and conditions at the top level that hold operators become a computation of one
// element and stay one, also where only one number of it is read, and that a divisor which is checked before them is
// no reason to divide again in each turn.
func TestHostLoop(t *testing.T) {
	for name, body := range map[string]string{
		"loop": `  s: float64 = loop (a: float64) init 0:float64 for i = 0:int to k {
    parts: int = div n k
    b: float64 = reduce j < parts init a {
      e: float64 = index x j
      yield e
    ` + sum + `
    yield b
  }`,
		"if": `  some: bool = gt k 3:int
  s: float64 = if some {
    parts: int = div n k
    b: float64 = reduce j < parts init 0:float64 {
      e: float64 = index x j
      yield e
    ` + sum + `
    yield b
  } else {
    yield 1:float64
  }`,
		"histogram": `  s: float64 = loop (a: float64) init 0:float64 for i = 0:int to k {
    h: []int = hist j < n into k init 0:int {
      yield 0:int 1:int
    } comb c: int, d: int {
      m: int = add c d
      yield m
    }
    l: int = index h 0:int
    b: float64 = convert l
    yield b
  }`,
	} {
		f, err := ir.Parse("func F (x: []float64, k: int) {\n  n: int = len x\n  check size \"F\" \"k\" k\n" + body + "\n  yield s\n}")
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		k, err := Compile(f, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(k.Computations) != 1 || !k.Computations[0].Sequence[0].HasTrait(TraitOnce) || len(k.Computations[0].Sequence) != 2 {
			t.Errorf("%s: %d computations\n%s", name, len(k.Computations), k.Func)
		}
		if name == "loop" && strings.Index(k.Func.String(), " div ") > strings.Index(k.Func.String(), "= loop") {
			t.Errorf("the division is in the loop:\n%s", k.Func)
		}
	}
}

// FuzzCompile checks that functions which the verifier accepts compile, or are refused, and are valid after every pass.
func FuzzCompile(f *testing.F) {
	f.Add(spmvText)
	f.Add("func F (x: []float64, k: int) {\n  y: [][]float64 = split x k\n  z: []float64 = flatten y\n  yield z\n}")
	f.Add("func F (x: []float64, k: []int32) {\n  y: [][]float64 = nest x k\n  z: [][]float64 = reverse y\n  w: []float64 = gather x k\n  yield z w\n}")
	f.Fuzz(func(t *testing.T, text string) {
		fn, err := ir.Parse(text)
		if err != nil || ir.Verify(fn) != nil || len(text) > 4000 {
			return
		}
		_, err = Compile(fn, func(s Stage) {
			if err := ir.Verify(s.Func); err != nil {
				t.Fatalf("after %s: %v\n%s", s.Name, err, s.Func)
			}
		})
		var u *Unsupported
		if err != nil && !errors.As(err, &u) {
			t.Fatal(err)
		}
	})
}
