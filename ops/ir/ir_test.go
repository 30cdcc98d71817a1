package ir

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
)

// sample has every kind of node.
const sample = `func Sample @sample.go:3:1 (x: []float64, idx: []int32, rows: [][]float32, s: float64, b: bool, n: int) {
  check nonzero "Range" "a \"quoted\" name" n @sample.go:4:2
  m: int = len x
  check length "Map2" "idx" m n
  check bounds "Nest" "idx" 0:int n m
  check index "" "" n m
  check size "Split" "n" n
  check nonneg "Replicate" "n" n
  check count "Range" "the length" n 17592186044416:int
  check finite "Range" "start" s
  tiles: [][]float64 = split x n
  deal: [][]float64 = cyclic x n
  g: []float64 = gather x idx
  r: []float64 = reverse g
  t: []float64 = striding r n
  range: []float64 = range s 10:float64 0.5:float64
  rep: []bool = replicate b n
  part: []float64 = slice x 0:int n
  flat: []float32 = flatten rows
  both: []float64 = concat x t
  nested: [][]float64 = nest x idx
  y: []float64, z: []bool = map i < m {
    e: float64 = index x i
    root: float64 = sqrt e
    minus: float64 = neg root
    c: bool = lt minus s
    not: bool = not c
    sel: float64 = select c minus 1e-300:float64
    k: int32 = convert sel @sample.go:9:3
    k.1: int = convert k
    odd: int = inv k.1
    v: float64, w: int = if not {
      yield sel odd
    } else {
      yield +Inf:float64 k.1
    }
    a: float64, j: int = loop (a.1: float64, j.1: int) init v w while {
      go: bool = gt a.1 0:float64
      yield go
    } {
      half: float64 = mul a.1 0.5:float64
      yield half j.1
    }
    q: float64 = loop (q.1: float64) init a for l = 0:int to j {
      q.2: float64 = pow q.1 NaN:float64
      yield q.2
    }
    called: float64, many: int = call "table.Score" q k.1 x @sample.go:9:7
    late: int8 = call "now"
    yield called not
  }
  sum: float64, any: bool = reduce i.1 < m init 0:float64 false {
    e.1: float64 = index y i.1
    f: bool = index z i.1
    yield e.1 f
  } comb p: float64, p.1: bool, p.2: float64, p.3: bool {
    add: float64 = add p p.2
    or: bool = or p.1 p.3
    yield add or
  }
  scan: []int64 = inclusive_scan i.2 < m init -9223372036854775808:int64 {
    u: int64 = convert i.2
    yield u
  } comb h: int64, h.1: int64 {
    max: int64 = max h h.1
    yield max
  }
  scan.1: []uint64 = scan i.3 < m init 18446744073709551615:uint64 {
    u.1: uint64 = convert i.3
    yield u.1
  } comb h.2: uint64, h.3: uint64 {
    x.1: uint64 = xor h.2 h.3
    yield x.1
  }
  yield y sum scan
}
`

// TestRoundTrip parses the text form back.
func TestRoundTrip(t *testing.T) {
	f, err := Parse(sample)
	if err != nil {
		t.Fatal(err)
	}
	if err := Verify(f); err != nil {
		t.Fatal(err)
	}
	if got := f.String(); got != sample {
		t.Errorf("the text does not come back:\n%s", got)
	}
	if err := sameButNames(f, f.Clone()); err != nil {
		t.Error(err)
	}
}

// sameButNames checks that a clone is a valid function of its own with the same operations.
func sameButNames(f, clone *Func) error {
	if err := Verify(clone); err != nil {
		return fmt.Errorf("clone: %w", err)
	}
	vars := map[*Var]bool{}
	kinds := func(f *Func, each func(*Var)) (text string) {
		Walk(f.Body, func(s *Stmt) {
			text += fmt.Sprintf("%T %d ", s.Op, len(s.Dst))
			for _, d := range s.Dst {
				each(d)
			}
		})
		return text
	}
	before := kinds(f, func(v *Var) { vars[v] = true })
	shared := false
	if after := kinds(clone, func(v *Var) { shared = shared || vars[v] }); after != before {
		return fmt.Errorf("clone: %s, not %s", after, before)
	}
	if shared {
		return errors.New("the clone shares a variable")
	}
	return nil
}

// TestConstants checks that constants keep their bits.
func TestConstants(t *testing.T) {
	for _, c := range []Const{
		FloatConst(Float64, math.Copysign(0, -1)), FloatConst(Float64, math.SmallestNonzeroFloat64), FloatConst(Float32, 0.1),
		FloatConst(Float64, math.Inf(-1)), FloatConst(Float64, math.NaN()), IntConst(Int8, 200), IntConst(Uint8, 300), IntConst(Int64, math.MinInt64),
		IntConst(Uint64, -1), BoolConst(true),
	} {
		f, err := Parse("func F () {\n  yield " + c.String() + "\n}\n")
		if err != nil {
			t.Errorf("%s: %v", c, err)
			continue
		}
		if got := f.Body.Results[0].(Const); got != c {
			t.Errorf("%s comes back as %s (%x, %x)", c, got, c.Bits, got.Bits)
		}
	}
	if got := IntConst(Int8, 200).Int(); got != -56 {
		t.Errorf("int8(200) is %d", got)
	}
}

// TestVerify has one violation a case; the message must name it.
func TestVerify(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"operands differ", "y: float64 = add s 1:int", "add of float64 and int"},
		{"result type", "y: int = len x\n z: float64 = add y y", "add of int and int|yields int|has type"},
		{"len of scalar", "y: int = len s", "len of a scalar"},
		{"index of scalar", "y: float64 = index s 0:int", "index of a scalar"},
		{"index kind", "y: float64 = index x 0:int32", "index has type int32"},
		{"logic of floats", "y: float64 = and s s", "and of float64"},
		{"not of int", "y: int = not 1:int", "not of int"},
		{"sqrt of int", "y: int = sqrt 1:int", "sqrt of int"},
		{"unknown function", "y: float64 = frobnicate s", "frobnicate of float64"},
		{"shift by float", "y: int = shl 1:int s", "shl of int and float64"},
		{"convert bool", "y: int = convert true", "convert bool to int"},
		{"select of arrays", "y: []float64 = select true x x", "select of []float64"},
		{"select condition", "y: float64 = select s s s", "condition has type float64"},
		{"gather by floats", "y: []float64 = gather x x", "needs a sequence of integers"},
		{"view of scalar", "y: []float64 = reverse s", "reverse of a scalar"},
		{"flatten of flat", "y: []float64 = flatten x", "flatten of []float64"},
		{"range of bool", "y: []bool = range true false true", "range of bool"},
		{"check arguments", `check index "" "" 1:int`, "check index with 1 arguments"},
		{"unknown check", `check odd "" "" 1:int`, "check odd"},
		{"check of array", `check nonneg "" "" x`, "check of []float64"},
		{"map without result", "y: []int = map i < 1:int {\n yield\n }", "map yields nothing"},
		{"map length", "y: []int = map i < s {\n yield i\n }", "length has type float64"},
		{"an element that grows", "y: [][]int = map i < 1:int {\n g: []int = growing 4:int\n yield g\n }", "which grows"},
		{"element type", "y: []float64 = map i < 1:int {\n yield i\n }", "yields []int"},
		{"branches", "y: int = if true {\n yield 1:int\n } else {\n yield s\n }", "branches yield different types"},
		{"if condition", "y: int = if 1:int {\n yield 1:int\n } else {\n yield 2:int\n }", "condition has type int"},
		{"comb parameters", "y: int = reduce i < 1:int init 0:int {\n yield i\n } comb a: int {\n yield a\n }", "takes other types"},
		{"comb result", "y: int = reduce i < 1:int init 0:int {\n yield i\n } comb a: int, b: int {\n yield s\n }", "combining function yields"},
		{"initial value", "y: int = reduce i < 1:int init s {\n yield i\n } comb a: int, b: int {\n yield a\n }", "initial values"},
		{"rows combined", "y: int = reduce i < 1:int init 0:int {\n yield x\n } comb a: int, b: int {\n yield a\n }", "cannot be combined"},
		{"loop types", "y: int = loop (a: int) init 0:int for l = 0:int to 3:int {\n yield s\n }", "loop body yields"},
		{"loop condition", "y: int = loop (a: int) init 0:int while {\n yield a\n } {\n yield a\n }", "not a bool"},
		{"loop bound", "y: int = loop (a: int) init 0:int for l = 0:int to s {\n yield a\n }", "high bound"},
		{"results", "y: int = if true {\n yield 1:int 2:int\n } else {\n yield 3:int 4:int\n }", "2 results bound to 1"},
	} {
		f, err := Parse("func F (x: []float64, s: float64) {\n" + c.body + "\n yield x\n}\n")
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		err = Verify(f)
		found := false
		for _, want := range strings.Split(c.want, "|") {
			found = found || err != nil && strings.Contains(err.Error(), want)
		}
		if !found {
			t.Errorf("%s: the verifier says %v, want %q", c.name, err, c.want)
		}
	}
	if err := Verify(&Func{Name: "F", Body: &Block{}}); err == nil {
		t.Error("a function without results is accepted")
	}
}

// TestLostUpdates has arrays that are updated in a loop or a Map: those that the loop carries, or the element has made,
// are not lost.
func TestLostUpdates(t *testing.T) {
	for body, want := range map[string]int{
		"b: []int = loop (c: []int) init a for i = 0:int to 9:int {\n d: []int = update c i i\n yield d\n }":               0,
		"loop () init for i = 0:int to 9:int {\n b: []int = update a i i\n yield\n }":                                      1,
		"z: []int = map i < 9:int {\n b: []int = update a i i\n e: int = index b i\n yield e\n }":                          1,
		"z: []int = map i < 9:int {\n o: []int = alloc 9:int\n b: []int = update o i i\n e: int = index b i\n yield e\n }": 0,
	} {
		f, err := Parse("func F (n: int) {\n a: []int = alloc 9:int\n " + body + "\n yield n\n}\n")
		if err != nil {
			t.Errorf("%v\n%s", err, body)
		} else if got := len(LostUpdates(f)); got != want {
			t.Errorf("%d updates are lost, want %d:\n%s", got, want, body)
		}
	}
}

// TestVerifyScope builds what the parser refuses: variables that are used before, outside of, or without a binding.
func TestVerifyScope(t *testing.T) {
	x, y, i := &Var{"x", Seq(Float64)}, &Var{"y", Scalar(Float64)}, &Var{"i", Scalar(Int)}
	read := &Stmt{Dst: []*Var{y}, Op: &Index{x, IntConst(Int, 0)}}
	sum := &Stmt{Dst: []*Var{{"z", Scalar(Float64)}}, Op: &Binary{Add, y, y}}
	for name, b := range map[string]*Block{
		"use before":   {Stmts: []*Stmt{sum, read}, Results: []Atom{y}},
		"bound twice":  {Stmts: []*Stmt{read, {Dst: []*Var{y}, Op: read.Op}}, Results: []Atom{y}},
		"same name":    {Stmts: []*Stmt{read, {Dst: []*Var{{"y", Scalar(Float64)}}, Op: read.Op}}, Results: []Atom{y}},
		"inner escape": {Stmts: []*Stmt{{Dst: []*Var{{"m", Seq(Float64)}}, Op: &Map{N: IntConst(Int, 1), I: i, Body: &Block{Stmts: []*Stmt{read}, Results: []Atom{y}}}}}, Results: []Atom{y}},
		"index escape": {Stmts: []*Stmt{{Dst: []*Var{{"m", Seq(Int)}}, Op: &Map{N: IntConst(Int, 1), I: i, Body: &Block{Results: []Atom{i}}}}}, Results: []Atom{i}},
		"unbound":      {Results: []Atom{y}},
		"no type":      {Stmts: []*Stmt{{Dst: []*Var{{Name: "q"}}, Op: &Len{x}}}, Results: []Atom{x}},
		"no operand":   {Stmts: []*Stmt{{Dst: []*Var{{"q", Scalar(Int)}}, Op: &Len{}}}, Results: []Atom{x}},
	} {
		if err := Verify(&Func{Name: "F", Params: []*Var{x}, Body: b}); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

// TestParseErrors checks that bad text is an error with a line.
func TestParseErrors(t *testing.T) {
	for _, text := range []string{"", "func", "func F", "func F (", "func F () {", "func F () {\n yield\n} more", "func F (x: float16) {\n yield x\n}",
		"func F (x: int, x: int) {\n yield x\n}", "func F () {\n yield y\n}", "func F () {\n y: int = len\n yield y\n}", "func F () {\n y: int = add 1:int 2:int 3:int\n yield y\n}",
		"func F () {\n y: int = neg 999:int8x\n yield y\n}", "func F () {\n check index \"a\n}", "func F @a.go:x:1 () {\n yield 1:int\n}",
		"func F () " + strings.Repeat("{ y: int = if true ", 300)} {
		if f, err := Parse(text); err == nil {
			t.Errorf("%q parses:\n%s", text, f)
		} else if !strings.HasPrefix(err.Error(), "ir: line ") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// FuzzParse checks that parsing and verifying never panic, and that what is printed parses back to itself.
func FuzzParse(f *testing.F) {
	f.Add(sample)
	for part := range strings.SplitSeq(sample, "\n  check") {
		f.Add("func F () {\n  check" + part)
	}
	f.Fuzz(func(t *testing.T, text string) {
		fn, err := Parse(text)
		if err != nil {
			return
		}
		if Verify(fn) != nil {
			return
		}
		printed := fn.String()
		again, err := Parse(printed)
		if err != nil {
			t.Fatalf("%v\n%s", err, printed)
		}
		if again.String() != printed {
			t.Fatalf("printed\n%s\nparsed back\n%s", printed, again)
		}
		if err := sameButNames(fn, fn.Clone()); err != nil {
			t.Fatal(err)
		}
	})
}
