package fuse_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/eval"
	"github.com/surge-ndp/surge/ops/load"
)

// TestLoops checks of each kernel of testdata how many of its loops are left behind a pass that makes operators of
// loops, and that it gives the same results and fails on the same inputs as before: short and empty slices, sizes and
// positions that are negative, 0 and too large.
func TestLoops(t *testing.T) {
	for pass, counts := range map[string]func(loop *ir.Loop) bool{
		"fills":      func(loop *ir.Loop) bool { return loop.Params[0].T.Rank > 0 },
		"reductions": func(*ir.Loop) bool { return true },
	} {
		pkg, err := load.Load(t.Context(), "testdata/"+pass, load.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range pkg.Kernels {
			t.Run(pass+"/"+k.Name, func(t *testing.T) {
				var before, behind *ir.Func
				if _, err := fuse.Compile(k.Func, func(s fuse.Stage) {
					switch s.Name {
					case "load":
						before = s.Func
					case pass:
						behind = s.Func
					}
				}); err != nil {
					t.Fatal(err)
				}
				if err := ir.Verify(behind); err != nil {
					t.Fatalf("%v\n%s", err, behind)
				}
				loops := 0
				ir.Walk(behind.Body, func(s *ir.Stmt) {
					if loop, ok := s.Op.(*ir.Loop); ok && counts(loop) {
						loops++
					}
				})
				if want := fmt.Sprintf("Loops: %d", loops); !strings.HasSuffix(strings.TrimSpace(k.Doc), want) {
					t.Errorf("%d loops are left:\n%s", loops, behind)
				}
				sameMeaning(t, before, behind)
			})
		}
	}
}

func sameMeaning(t *testing.T, before, behind *ir.Func) {
	r := rand.New(rand.NewPCG(1, 2))
	fails := 0
	const runs = 3000
	for range runs {
		args := make([]any, len(before.Params))
		for i, p := range before.Params {
			number := func() any {
				v := r.IntN(9) - 2
				if p.T.Kind == ir.Bool {
					return ir.BoolConst(v > 2)
				}
				if p.T.Kind.IsFloat() {
					return ir.FloatConst(p.T.Kind, float64(v))
				}
				return ir.IntConst(p.T.Kind, int64(v))
			}
			if p.T.Rank == 0 {
				args[i] = number()
				continue
			}
			xs := make([]any, r.IntN(12))
			for j := range xs {
				xs[j] = number()
			}
			args[i] = xs
		}
		want, wantErr := eval.Run(before, args, eval.Options{})
		got, err := eval.Run(behind, args, eval.Options{})
		var check *eval.CheckError
		if err != nil && !errors.As(err, &check) {
			t.Fatal(err)
		}
		if (err != nil) != (wantErr != nil) || err == nil && !reflect.DeepEqual(got, want) {
			t.Fatalf("%v: %v, %v; before the pass %v, %v\n%s", args, got, err, want, wantErr, behind)
		}
		if err != nil {
			fails++
		}
	}
	if fails == runs {
		t.Error("all inputs fail")
	}
}
