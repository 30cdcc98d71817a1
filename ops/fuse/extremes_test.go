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

// TestExtremes checks of each kernel of testdata that no check of its nest fails where the extremes of the indices say
// so, with sizes and positions that are negative, 0, too large, and so large that their products overflow; and that
// they say so where sizes fit, or else nothing would be gained.
func TestExtremes(t *testing.T) {
	pkg, err := load.Load(t.Context(), "testdata/extremes", load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range pkg.Kernels {
		t.Run(k.Name, func(t *testing.T) {
			fused, err := fuse.Compile(k.Func, nil)
			if err != nil {
				t.Fatal(err)
			}
			c := fused.Computations[0]
			in := fused.Inspection(c)
			levels, left := nestings(in.All), nestings(in.Rest)
			if in.Bounded == nil {
				left = levels
			}
			if want := fmt.Sprintf("Levels: %d of %d", left, levels); strings.TrimSpace(k.Doc) != want {
				t.Errorf("%s, not %s", want, strings.TrimSpace(k.Doc))
			}
			if in.Bounded != nil {
				saysSo(t, fused.Func, c.Stmt, in)
			}
		})
	}
}

func nestings(s *ir.Stmt) int {
	n := 0
	if s != nil {
		ir.Walk(&ir.Block{Stmts: []*ir.Stmt{s}}, func(s *ir.Stmt) {
			if l, ok := s.Op.(*ir.Loop); ok && l.I != nil || ir.OperatorIndex(s.Op) != nil {
				n++
			}
		})
	}
	return n
}

// upTo is a kernel up to a computation, and statements in its place.
func upTo(f *ir.Func, computation *ir.Stmt, results []ir.Atom, stmts ...*ir.Stmt) *ir.Func {
	g := &ir.Func{Name: f.Name, Params: f.Params, Body: &ir.Block{Results: results}}
	for _, s := range f.Body.Stmts {
		if s == computation {
			break
		}
		g.Body.Stmts = append(g.Body.Stmts, s)
	}
	g.Body.Stmts = append(g.Body.Stmts, stmts...)
	return g
}

func saysSo(t *testing.T, f *ir.Func, computation *ir.Stmt, in *fuse.Inspection) {
	until := func(results []ir.Atom, stmts ...*ir.Stmt) *ir.Func { return upTo(f, computation, results, stmts...) }
	all, bounded := until(nil, in.All), until(in.Bounded.Results, in.Bounded.Stmts...)
	if err := ir.Verify(bounded); err != nil {
		t.Fatalf("%v\n%s", err, bounded)
	}
	rest := until(nil)
	if in.Rest != nil {
		rest = until(nil, in.Rest)
	}
	r := rand.New(rand.NewPCG(3, 4))
	var said, fine int
	// Indices 1 to 4 of 4 elements, by a difference that is 0 once its parts are rounded to a float64.
	four, large := []any{eval.Int(1), eval.Int(1), eval.Int(1), eval.Int(1)}, eval.Int(1<<53)
	rounded := map[string][]any{"Between": {four, eval.Int(4), eval.Int(1<<53 + 1), large}, "Scaled": {four, eval.Int(4), eval.Int(1), eval.Int(1<<53 + 1), large}}
	for run := range 8000 {
		huge := r.IntN(2) == 0
		args := make([]any, len(f.Params))
		for i, p := range f.Params {
			if p.T.Rank == 0 {
				args[i] = eval.Int(r.IntN(6) - 1)
				if huge && r.IntN(2) == 0 {
					args[i] = eval.Int([]int{1 << 53, 1<<53 + 1, 1 << 53, 1<<53 + 1, 1 << 62, 1 << 32, 1 << 62, -1 << 62, 1<<63 - 1, -1 << 63, 1 << 20}[r.IntN(11)])
				}
				continue
			}
			xs := make([]any, r.IntN(30)/(1+5*r.IntN(2)))
			for j := range xs {
				xs[j] = eval.Int(r.IntN(12) - 1)
			}
			args[i] = xs
		}
		if run == 0 && rounded[f.Name] != nil {
			args = rounded[f.Name]
		}
		options := eval.Options{Steps: 20000}
		_, err := eval.Run(all, args, options)
		says, boundedErr := eval.Run(bounded, args, options)
		if boundedErr != nil {
			if err == nil {
				t.Fatalf("%v: %v", args, boundedErr)
			}
			continue // a check before the computation fails
		}
		var check *eval.CheckError
		if errors.As(err, &check) {
			err = check
		}
		_, restErr := eval.Run(rest, args, options)
		if restErr == nil && err == nil {
			// What has no elements, or hardly any, costs nothing to go through.
			if _, err := eval.Run(all, args, eval.Options{Steps: 40}); err != nil {
				fine++
			}
		}
		if says[0].(ir.Const).Bits == 0 {
			continue
		}
		said++
		if check != nil && restErr == nil {
			t.Fatalf("%v: %v, but it is said that none fails\n%s\n%s", args, err, bounded, all)
		}
	}
	if said < fine/2 {
		t.Errorf("of %d inputs without a failure, %d are said to have none\n%s", fine, said, bounded)
	}
}
