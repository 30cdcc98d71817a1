package load

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/eval"
	"github.com/surge-ndp/surge/ops/load/testdata/kernels"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// goFuncs are the kernels of testdata/kernels as the Go compiler compiles them.
var goFuncs = map[string]any{
	"Classify": kernels.Classify, "Newton": kernels.Newton, "Find": kernels.Find, "Runs": kernels.Runs, "Collatz": kernels.Collatz,
	"Switches": kernels.Switches, "Fibonacci": kernels.Fibonacci, "Gcd": kernels.Gcd, "Search": kernels.Search, "Steps": kernels.Steps,
	"Flags": kernels.Flags, "Posts": kernels.Posts, "Unless": kernels.Unless, "SpMV": kernels.SpMV, "ArgMax": kernels.ArgMax,
	"Points": kernels.Points, "Running": kernels.Running, "Views": kernels.Views, "Slices": kernels.Slices, "Helpers": kernels.Helpers,
	"Kinds": kernels.Kinds, "Powers": kernels.Powers, "Limits": kernels.Limits,
	"Medians": kernels.Medians, "Counts": kernels.Counts, "Tables": kernels.Tables, "Tridiagonal": kernels.Tridiagonal,
	"BitCounts": kernels.BitCounts, "BitOrder": kernels.BitOrder, "FloatBits": kernels.FloatBits,
	"Words": kernels.Words, "Turns": kernels.Turns, "AheadOfLength": kernels.AheadOfLength,
	"Filtered": kernels.Filtered, "Pops": kernels.Pops, "Parts": kernels.Parts, "Pushed": kernels.Pushed,
	"Carries": kernels.Carries, "Floats": kernels.Floats, "Runes": kernels.Runes, "Searches": kernels.Searches,
	"Sorted": kernels.Sorted, "Ranked": kernels.Ranked, "Extremes": kernels.Extremes,
	"Heap": kernels.Heap, "Sieve": kernels.Sieve, "Literals": kernels.Literals, "Names": kernels.Names,
	"Draws": kernels.Draws, "Methods": kernels.Methods, "Pointers": kernels.Pointers, "Closures": kernels.Closures,
	"Fills":    kernels.Fills,
	"Matrices": kernels.Matrices, "Copies": kernels.Copies, "Bodies": kernels.Bodies, "Leaving": kernels.Leaving, "Settled": kernels.Settled, "Large": kernels.Large,
	"Stacks": kernels.Stacks, "Windows": kernels.Windows, "Lent": kernels.Lent, "Validated": kernels.Validated, "Outside": kernels.Outside, "Quotients": kernels.Quotients, "Waves": kernels.Waves, "Nearest": kernels.Nearest,
	"Labels": kernels.Labels, "Falls": kernels.Falls, "Variadics": kernels.Variadics, "Panics": kernels.Panics,
	"Keywords": kernels.Keywords, "Orders": kernels.Orders, "Characters": kernels.Characters, "Letters": kernels.Letters,
	"ScaledFloat32": kernels.Scaled[float32], "ScaledInt32": kernels.Scaled[int32], "Queues": kernels.Queues,
	"Lookups": kernels.Lookups, "Order": kernels.Order, "Checked": kernels.Checked, "Bounds": kernels.Bounds,
	"Descents": kernels.Descents, "Strides": kernels.Strides,
	"Gates": kernels.Gates, "Scales": kernels.Scales, "RowCopies": kernels.RowCopies,
}

func loadKernels(t *testing.T, dir string) *Package {
	t.Helper()
	p, err := Load(context.Background(), dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range p.Kernels {
		if err := ir.Verify(k.Func); err != nil {
			t.Errorf("%s: %v\n%s", k.Name, err, k.Func)
		}
		back, err := ir.Parse(k.Func.String())
		if err != nil {
			t.Errorf("%s: %v\n%s", k.Name, err, k.Func)
		} else if back.String() != k.Func.String() {
			t.Errorf("%s: the text form does not parse back to itself", k.Name)
		}
	}
	return p
}

func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
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
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs (go test -update rewrites it):\n got:\n%s\nwant:\n%s", file, got, want)
	}
}

// TestGolden compares the IR of the accepted kernels with golden files.
func TestGolden(t *testing.T) {
	for _, k := range loadKernels(t, "testdata/kernels").Kernels {
		t.Run(k.Name, func(t *testing.T) {
			golden(t, filepath.Join("testdata", "golden", k.Name+".ir"), []byte(k.Func.String()))
		})
	}
}

// TestAgainstGo runs every accepted kernel as Go and as IR on random inputs; where Go panics, a check must fail.
func TestAgainstGo(t *testing.T) {
	p := loadKernels(t, "testdata/kernels")
	if len(p.Kernels) != len(goFuncs) {
		t.Errorf("%d kernels, %d Go functions", len(p.Kernels), len(goFuncs))
	}
	runs := 2000
	if testing.Short() {
		runs = 500
	}
	for _, k := range p.Kernels {
		t.Run(k.Name, func(t *testing.T) {
			fn := reflect.ValueOf(goFuncs[k.Name])
			rng := rand.New(rand.NewPCG(1, uint64(len(k.Name))))
			good := 0
			for range runs {
				args := randomArgs(rng, fn.Type())
				var in []any
				for _, a := range args {
					in = append(in, toIR(a))
				}
				for _, h := range k.Hidden {
					v, ok := kernels.Hidden()[h.Expr]
					if text, err := strconv.Unquote(h.Expr); err == nil { // a constant string
						v, ok = text, true
					}
					if !ok {
						t.Fatalf("kernels.Hidden lacks %s", h.Expr)
					}
					in = append(in, toIR(reflect.ValueOf(v)))
				}
				want, goErr := callGo(fn, args)
				got, err := eval.Run(k.Func, in, eval.Options{Steps: 1e5})
				if (err != nil) != (goErr != nil) {
					t.Fatalf("on %v: Go: %v, IR: %v\n%s", args, goErr, err, k.Func)
				}
				if err != nil {
					continue
				}
				good++
				for i := range got {
					if i < len(want) && want[i].Type() == reflect.TypeFor[error]() {
						if err, _ := want[i].Interface().(error); !sameError(k, got[i].(ir.Const).Int(), err) {
							t.Fatalf("on %v: the error is %v of %v, Go gives %v\n%s", in, got[i], k.Errors, err, k.Func)
						}
						continue
					}
					if w := toIR(want[i]); !reflect.DeepEqual(canonical(got[i]), canonical(w)) {
						t.Fatalf("on %v: result %d is %v, Go gives %v\n%s", in, i, got[i], w, k.Func)
					}
				}
			}
			if good < runs/100 {
				t.Errorf("only %d inputs without a failure", good)
			}
		})
	}
}

// sameError reports whether i stands for the error that Go gives.
func sameError(k *Kernel, i int64, err error) bool {
	if i == 0 || err == nil {
		return i == 0 && err == nil
	}
	expr := k.Errors[i-1].Expr("", "")
	if known, ok := kernels.Errors[expr]; ok {
		return known == err
	}
	return strings.Contains(expr, strconv.Quote(err.Error()))
}

// canonical replaces NaNs by one, so that values can be compared.
func canonical(v any) any {
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = canonical(v[i])
		}
		return out
	case ir.Const:
		if v.Kind.IsFloat() && math.IsNaN(v.Float()) {
			return "NaN"
		}
	}
	return v
}

func callGo(fn reflect.Value, args []reflect.Value) (out []reflect.Value, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return fn.Call(args), nil
}

// randomArgs makes arguments: sequences of one common length mostly, small integers, floats with zeros and NaNs.
func randomArgs(rng *rand.Rand, t reflect.Type) []reflect.Value {
	n := rng.IntN(7)
	var args []reflect.Value
	for i := range t.NumIn() {
		length := n
		if rng.IntN(10) == 0 {
			length = rng.IntN(7)
		}
		args = append(args, randomValue(rng, t.In(i), length))
	}
	return args
}

func randomValue(rng *rand.Rand, t reflect.Type, n int) reflect.Value {
	v := reflect.New(t).Elem()
	switch t.Kind() {
	case reflect.Slice:
		v.Set(reflect.MakeSlice(t, n, n))
		sorted := rng.IntN(2) == 0
		last := int64(0)
		for i := range n {
			e := randomValue(rng, t.Elem(), rng.IntN(4))
			if sorted && e.CanInt() { // so that offsets are sometimes right
				last = min(last+rng.Int64N(3), int64(n))
				e.SetInt(last)
			}
			v.Index(i).Set(e)
		}
	case reflect.Bool:
		v.SetBool(rng.IntN(2) == 0)
	case reflect.Float32, reflect.Float64:
		special := []float64{0, 1, -1, 2, math.NaN(), math.Inf(1), -0.25, 4}
		f := rng.Float64()*4 - 2
		if k := rng.IntN(20); k < len(special) {
			f = special[k]
		}
		v.SetFloat(f)
	case reflect.Uint8:
		v.SetUint(uint64(rng.IntN(256)))
	case reflect.Uint, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(rng.Uint64() >> rng.IntN(64) & (1<<t.Bits() - 1))
	default:
		v.SetInt(int64(rng.IntN(14) - 2))
	}
	return v
}

func toIR(v reflect.Value) any {
	if v.Kind() == reflect.String {
		v = reflect.ValueOf([]byte(v.String()))
	}
	if v.Kind() == reflect.Slice {
		out := []any{}
		for i := range v.Len() {
			out = append(out, toIR(v.Index(i)))
		}
		return out
	}
	k, _ := ir.ParseKind(v.Kind().String())
	switch {
	case k == ir.Bool:
		return ir.BoolConst(v.Bool())
	case k.IsFloat():
		return ir.FloatConst(k, v.Float())
	case k.IsUnsigned():
		return ir.Const{Kind: k, Bits: v.Uint()}
	}
	return ir.IntConst(k, v.Int())
}
