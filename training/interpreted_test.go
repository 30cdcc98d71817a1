package training

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/codegen/cluster"
	"github.com/surge-ndp/surge/ops/cut"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/eval"
	"github.com/surge-ndp/surge/ops/load"
)

// TestInterpreted runs kernels block by block, with steps that are interpreted: together they give what the interpreter
// makes of the whole kernel.
func TestInterpreted(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, dir := range []string{"../examples/spmv", "../examples/kmeans", "../examples/scan", "../ops/cut/testdata/scans"} {
		pkg, err := load.Load(t.Context(), dir, load.Options{Whole: true})
		if err != nil {
			t.Fatal(err)
		}
		prog, err := codegen.Compile(pkg, codegen.Options{Machine: codegen.Machine(false, nil), Variants: codegen.ModelVariants})
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range prog.Kernels {
			c, err := prog.CutKernel(k)
			if errors.As(err, new(*cut.Refused)) {
				continue
			} else if err != nil {
				t.Fatal(err)
			}
			good := 0
			for range 60 {
				var args []any
				var inputs cluster.Slices
				for _, p := range c.Plan.Params {
					v := randomValue(r, p.Var.T)
					args, inputs = append(args, v), append(inputs, compiledValue(v, p.Var.T))
				}
				want, wantErr := eval.Run(k.Fused.Func, args, eval.Options{})
				for _, size := range []int{1, 3, 100} {
					got, err := cluster.Run(t.Context(), interpreted(c), inputs, size)
					if (err != nil) != (wantErr != nil) {
						t.Fatalf("%s in blocks of %d: %v, and the whole: %v", k.Source.Name, size, err, wantErr)
					}
					for i, v := range got {
						if one := compiledValue(want[i], c.Plan.Results[i].Type); !reflect.DeepEqual(v, one) {
							t.Fatalf("%s of %v in blocks of %d: result %d is %v, want %v", k.Source.Name, inputs, size, i, v, one)
						}
					}
				}
				if wantErr == nil {
					good++
				}
			}
			t.Logf("%s: %d inputs of 60 are good", k.Source.Name, good)
		}
	}
}

// randomValue is small whole numbers, whose sums are exact in any order; integers may be offsets.
func randomValue(r *rand.Rand, t ir.Type) any {
	if t.Rank > 0 {
		xs := make([]any, 6+r.IntN(2))
		for i := range xs {
			xs[i] = randomValue(r, ir.Type{Kind: t.Kind, Rank: t.Rank - 1})
		}
		if t.Rank == 1 && t.Kind.IsInteger() {
			slices.SortFunc(xs, func(a, b any) int { return int(a.(ir.Const).Int() - b.(ir.Const).Int()) })
		}
		return xs
	}
	switch n := r.IntN(5); {
	case t.Kind == ir.Bool:
		return ir.BoolConst(n > 2)
	case t.Kind.IsFloat():
		return ir.FloatConst(t.Kind, float64(n))
	default:
		return ir.IntConst(t.Kind, int64(n))
	}
}

// TestTooLong leaves to a program what would take long to interpret.
func TestTooLong(t *testing.T) {
	f := &ir.Func{Params: []*ir.Var{{Name: "x", T: ir.Type{Kind: ir.Float64, Rank: 1}}}}
	if _, err := interpret(f, nil, []cluster.Value{make([]float64, planElements+1)}); !errors.Is(err, errTooLong) {
		t.Error(err)
	}
}
