package fuse_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/eval"
	"github.com/surge-ndp/surge/ops/load"
)

// TestEndChecks checks that inspections whose loops look at their first and last turn fail where the kernel does, at
// the same element, and nowhere else; and which loops do.
func TestEndChecks(t *testing.T) {
	pkg, err := load.Load(t.Context(), "testdata/endchecks", load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range pkg.Kernels {
		t.Run(k.Name, func(t *testing.T) {
			fused, err := fuse.Compile(k.Func, nil)
			if err != nil {
				t.Fatal(err)
			}
			c := fused.Computations[len(fused.Computations)-1]
			in := fused.Inspection(c)
			quick := 0
			ir.Walk(&ir.Block{Stmts: []*ir.Stmt{in.All}}, func(s *ir.Stmt) {
				if op, ok := s.Op.(*ir.If); ok && strings.HasPrefix(op.Cond.String(), "fails") && len(s.Dst) == 0 {
					quick++
				}
			})
			if want := fmt.Sprintf("Quick: %d", quick); !strings.HasSuffix(strings.TrimSpace(k.Doc), want) {
				t.Errorf("%d loops are quick:\n%s", quick, in.All)
			}
			sameChecks(t, k.Func, upTo(fused.Func, c.Stmt, nil, in.All))
		})
	}
}

// sameChecks runs two functions on rows that are mostly long enough, which have to fail alike.
func sameChecks(t *testing.T, want, got *ir.Func) {
	r := rand.New(rand.NewPCG(5, 6))
	rows := func(n, most int) any {
		all := make([]any, n)
		for i := range all {
			row := make([]any, r.IntN(most))
			for j := range row {
				row[j] = ir.IntConst(ir.Int, 1)
			}
			all[i] = row
		}
		return all
	}
	fails := 0
	const runs = 2000
	for range runs {
		long := 4
		if r.IntN(2) == 0 {
			long = 12
		}
		args := []any{rows(r.IntN(4), 4), rows(r.IntN(8), long)}
		if len(want.Params) > 2 {
			args = append(args, ir.IntConst(ir.Int, int64(r.IntN(4)-1)))
		}
		_, wantErr := eval.Run(want, args, eval.Options{})
		_, err := eval.Run(got, args, eval.Options{})
		var a, b *eval.CheckError
		if errors.As(wantErr, &a) != errors.As(err, &b) || a != nil && a.Error() != b.Error() {
			t.Fatalf("%v: %v, and by the inspection %v\n%s", args, wantErr, err, got)
		}
		if err != nil {
			fails++
		}
	}
	if fails == 0 || fails == runs {
		t.Errorf("%d of %d runs fail", fails, runs)
	}
}
