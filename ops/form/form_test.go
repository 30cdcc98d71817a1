package form_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/ops/form"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/eval"
	"github.com/surge-ndp/surge/ops/load"
)

// TestKernels derives the forms of the kernels of testdata: those that their comments name, which are valid IR, give
// what the nest gives, and fail where it fails. The inputs have sizes that are negative, 0 and larger than what they
// divide.
func TestKernels(t *testing.T) {
	pkg, err := load.Load(t.Context(), "testdata/kernels", load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, src := range pkg.Kernels {
		t.Run(src.Name, func(t *testing.T) {
			k, err := fuse.Compile(src.Func, nil)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, forms := range form.Derive(k) {
				for _, f := range forms.All[1:] {
					names = append(names, f.Name)
					if err := ir.Verify(f.Func); err != nil {
						t.Errorf("%s: %v\n%s", f.Name, err, f.Func)
						continue
					}
					sameMeaning(t, forms.All[0].Func, f.Func)
				}
			}
			if err := ir.Verify(k.Func); err != nil {
				t.Errorf("the kernel: %v\n%s", err, k.Func)
			}
			_, want, _ := strings.Cut(src.Doc, "Forms:")
			if got := strings.Join(names, " "); got != strings.TrimSpace(want) {
				t.Errorf("its forms are %q\n%s", got, k.Func)
			}
		})
	}
}

// sameMeaning runs two functions on random inputs. Rows that one has count as what lies there.
func sameMeaning(t *testing.T, nest, form *ir.Func) {
	t.Helper()
	const runs = 2000
	r := rand.New(rand.NewPCG(1, 2))
	fails := 0
	for range runs {
		args := make([]any, len(nest.Params))
		for i, p := range nest.Params {
			if args[i] = number(r, p.T.Kind); p.T.Rank > 0 {
				xs := make([]any, r.IntN(14))
				for j := range xs {
					xs[j] = number(r, p.T.Kind)
				}
				args[i] = xs
				if first, ok := args[0].([]any); p.Name == "offsets" && ok && r.IntN(9) > 0 { // of rows, for once
					for j := range xs {
						xs[j] = ir.IntConst(p.T.Kind, int64(j*len(first)/max(len(xs)-1, 1)))
					}
				}
			}
		}
		want, wantErr := eval.Run(nest, args, eval.Options{Steps: 1e4})
		var check *eval.CheckError
		if wantErr != nil && !errors.As(wantErr, &check) {
			continue // a loop that takes too long
		}
		got, err := eval.Run(form, args, eval.Options{Steps: 1e6})
		if err != nil && !errors.As(err, &check) {
			t.Fatalf("%v: %v\n%s", args, err, form)
		}
		for i := range got {
			if nest.Body.Results[i].Type() != form.Body.Results[i].Type() {
				got[i] = flat(got[i].([]any))
			}
		}
		if (err != nil) != (wantErr != nil) || err == nil && !reflect.DeepEqual(got, want) {
			t.Fatalf("%v: %v, %v; as a nest %v, %v\n%s\n%s", args, got, err, want, wantErr, nest, form)
		}
		if err != nil {
			fails++
		}
	}
	if fails > runs*9/10 {
		t.Errorf("%d of %d inputs fail", fails, runs)
	}
}

func number(r *rand.Rand, k ir.Kind) any {
	switch v := r.IntN(9) - 2; {
	case k == ir.Bool:
		return ir.BoolConst(v > 2)
	case k.IsFloat():
		return ir.FloatConst(k, float64(v))
	case r.IntN(50) == 0:
		return ir.IntConst(k, []int64{math.MinInt64, math.MaxInt64}[r.IntN(2)])
	default:
		return ir.IntConst(k, int64(v))
	}
}

func flat(rows []any) []any {
	all := []any{}
	for _, row := range rows {
		all = append(all, row.([]any)...)
	}
	return all
}
