package eval_test

import (
	"errors"
	"math"
	"math/bits"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/eval"
)

func parse(t *testing.T, text string) *ir.Func {
	t.Helper()
	f, err := ir.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if err := ir.Verify(f); err != nil {
		t.Fatal(err)
	}
	return f
}

func ints(xs ...int) []any {
	out := []any{}
	for _, x := range xs {
		out = append(out, eval.Int(x))
	}
	return out
}

// TestOperators runs the operators that no source of package load's test makes, or that have a form of their own
// after fusion.
func TestOperators(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		args []any
		want []any
	}{
		"scatter": {`func F (x: []int, p: []int) {
  n: int = len x
  y: []int = scatter i < n into 3:int {
    at: int = index p i
    v: int = index x i
    yield at v
  }
  yield y
}
`, []any{ints(7, 8, 9, 10), ints(2, -1, 0, 1)}, []any{ints(9, 10, 7)}},
		"histogram": {`func F (x: []int, p: []int) {
  n: int = len x
  y: []int = hist i < n into 3:int init 5:int {
    at: int = index p i
    v: int = index x i
    yield at v
  } comb a: int, b: int {
    s: int = add a b
    yield s
  }
  yield y
}
`, []any{ints(1, 10, 100), ints(2, 0, 2)}, []any{ints(15, 5, 106)}},
		"histogram of rows": {`func F (x: []int, p: []int) {
  n: int = len p
  y: []int = hist i < n into 4:int init 1:int {
    bin: int = index p i
    at: int = mul bin 2:int
    lo: int = mul i 2:int
    row: []int = map j < 2:int {
      k: int = add lo j
      v: int = index x k
      yield v
    }
    yield at row
  } comb a: int, b: int {
    s: int = mul a b
    yield s
  }
  yield y
}
`, []any{ints(1, 2, 3, 4, 5, 6), ints(1, 0, 1)}, []any{ints(3, 4, 5, 12)}},
		"sort": {`func F (x: []float64) {
  n: int = len x
  y: []int = sort i < n {
    v: float64 = index x i
    yield v
  }
  yield y
}
`, []any{[]any{f64(2), f64(0), f64(math.NaN()), f64(math.Copysign(0, -1)), f64(2)}}, []any{ints(2, 1, 3, 0, 4)}},
	} {
		got, err := eval.Run(parse(t, test.text), test.args, eval.Options{})
		if err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %v, %v; want %v", name, got, err, test.want)
		}
	}
}

func f64(x float64) ir.Const { return ir.FloatConst(ir.Float64, x) }

// TestFailures checks that what fails is named, and that endless loops end.
// TestCalls runs a function that is called as it stands, and one that is not there.
func TestCalls(t *testing.T) {
	f := parse(t, `func f (n: int) {
  a: int, b: bool = call "half" n
  yield a b
}`)
	half := func(args []any) []any {
		n := int(args[0].(ir.Const).Int())
		return []any{eval.Int(n / 2), ir.BoolConst(n%2 == 0)}
	}
	got, err := eval.Run(f, []any{eval.Int(9)}, eval.Options{Calls: map[string]func([]any) []any{"half": half}})
	if want := []any{eval.Int(4), ir.BoolConst(false)}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	if _, err := eval.Run(f, []any{eval.Int(9)}, eval.Options{}); !errors.Is(err, eval.ErrCall) {
		t.Errorf("without the function: %v", err)
	}
}

func TestFailures(t *testing.T) {
	f := parse(t, `func F (x: []int, i: int) {
  n: int = len x
  check index "index" "x" i n
  v: int = index x i
  w: int = loop (p: int) init v while {
    c: bool = gt p 0:int
    yield c
  } {
    yield p
  }
  yield w
}
`)
	var wrong *eval.CheckError
	if _, err := eval.Run(f, []any{ints(1, 2), eval.Int(2)}, eval.Options{}); !errors.As(err, &wrong) || wrong.Check == nil || wrong.Check.Kind != ir.CheckIndex {
		t.Errorf("an index outside: %v", err)
	}
	traced := 0
	_, err := eval.Run(f, []any{ints(1, 2), eval.Int(1)}, eval.Options{Steps: 1000, Trace: func(*ir.Stmt, []any) { traced++ }})
	if !errors.Is(err, eval.ErrSteps) || traced != 3 {
		t.Errorf("an endless loop: %v after %d statements", err, traced)
	}
}

// TestNumbers compares functions of scalars with Go on random bits.
func TestNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	u8 := func(x uint8) ir.Const { return ir.IntConst(ir.Uint8, int64(x)) }
	for range 2000 {
		a, b := r.Uint64(), r.Uint64()
		x, y := uint8(a), uint8(b)
		i, j := int8(a), int8(b)
		s, n := int32(a), int(b%70)
		f, g := math.Float32frombits(uint32(a)), math.Float32frombits(uint32(b))
		type pair struct{ got, want ir.Const }
		pairs := map[string]pair{
			"add":      {eval.Binary(ir.Add, u8(x), u8(y)), u8(x + y)},
			"max":      {eval.Binary(ir.Max, u8(x), u8(y)), u8(max(x, y))},
			"max64":    {eval.Binary(ir.Max, ir.Const{Kind: ir.Uint64, Bits: a}, ir.Const{Kind: ir.Uint64, Bits: b}), ir.Const{Kind: ir.Uint64, Bits: max(a, b)}},
			"rotate":   {eval.Binary(ir.RotateLeft, u8(x), eval.Int(n-35)), u8(bits.RotateLeft8(x, n-35))},
			"leading":  {eval.Unary(ir.LeadingZeros, u8(x)), eval.Int(bits.LeadingZeros8(x))},
			"trailing": {eval.Unary(ir.TrailingZeros, u8(x)), eval.Int(bits.TrailingZeros8(x))},
			"reverse":  {eval.Unary(ir.ReverseBits, u8(x)), u8(bits.Reverse8(x))},
			"shl":      {eval.Binary(ir.Shl, ir.IntConst(ir.Int32, int64(s)), eval.Int(n)), ir.IntConst(ir.Int32, int64(s<<n))},
			"shr":      {eval.Binary(ir.Shr, ir.IntConst(ir.Int32, int64(s)), eval.Int(n)), ir.IntConst(ir.Int32, int64(s>>n))},
			"neg":      {eval.Unary(ir.Neg, ir.IntConst(ir.Int8, int64(i))), ir.IntConst(ir.Int8, int64(-i))},
			"float":    {eval.Convert(ir.Float32, ir.Const{Kind: ir.Uint64, Bits: a}), ir.FloatConst(ir.Float32, float64(float32(a)))},
			"int16":    {eval.Convert(ir.Int16, ir.FloatConst(ir.Float32, float64(f))), ir.IntConst(ir.Int16, int64(int16(f)))},
			"uint64":   {eval.Convert(ir.Uint64, ir.FloatConst(ir.Float32, float64(f))), ir.Const{Kind: ir.Uint64, Bits: uint64(f)}},
		}
		if j != 0 {
			pairs["div"] = pair{eval.Binary(ir.Div, ir.IntConst(ir.Int8, int64(i)), ir.IntConst(ir.Int8, int64(j))), ir.IntConst(ir.Int8, int64(i/j))}
		}
		if p := f * g; p == p {
			pairs["mul"] = pair{eval.Binary(ir.Mul, ir.FloatConst(ir.Float32, float64(f)), ir.FloatConst(ir.Float32, float64(g))), ir.FloatConst(ir.Float32, float64(p))}
		}
		for name, p := range pairs {
			if p.got != p.want {
				t.Fatalf("%s of %#x and %#x: %v, want %v", name, a, b, p.got, p.want)
			}
		}
	}
}
