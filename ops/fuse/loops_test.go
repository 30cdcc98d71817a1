package fuse_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/eval"
	"github.com/surge-ndp/surge/ops/load"
)

// TestLoops checks of each kernel of testdata how many of its loops are left behind a pass that makes operators of
// loops (or how many are independent), and that it gives the same results and fails on the same inputs as before: short
// and empty slices, sizes and positions that are negative, 0 and too large.
func TestLoops(t *testing.T) {
	most := map[string]int{"distribute": 12, "interchange": 20, "collapse": 40, "flatloops": 40, "fills": 12, "inductions": 12, "reductions": 12, "ordered": 40,
		"alternate": 13, "kept": 12, "planefills": 12, "breaks": 12, "rowfills": 40, "refills": 12, "updates": 40, "forward": 12, "late": 12, "soon": 6, "strips": 40, "shared": 12, "sink": 12}
	runs := 3000
	if testing.Short() {
		runs = 20
	}
	defer fuse.SetStripTurns(7)()
	defer fuse.SetWave(2, 3, 2)()
	for pass, counts := range map[string]func(loop *ir.Loop) bool{
		"distribute": func(loop *ir.Loop) bool {
			scalar := func(p *ir.Var) bool { return p.T.Rank == 0 }
			mixed := func(p *ir.Var) bool { return scalar(p) != scalar(loop.Params[0]) }
			return loop.I != nil && slices.ContainsFunc(loop.Params, mixed)
		},
		"interchange": func(loop *ir.Loop) bool {
			return loop.Params[0].T.Rank > 0 && slices.ContainsFunc(loop.Body.Stmts, func(s *ir.Stmt) bool {
				inner, ok := s.Op.(*ir.Loop)
				return ok && len(inner.Params) > 0 && inner.Params[0].T.Rank > 0
			})
		},
		"collapse": func(loop *ir.Loop) bool {
			deep := func(b *ir.Block) bool {
				return slices.ContainsFunc(b.Stmts, func(s *ir.Stmt) bool { return arrayLoop(s) != nil })
			}
			return loop.Params[0].T.Rank > 0 && slices.ContainsFunc(loop.Body.Stmts, func(s *ir.Stmt) bool {
				inner := arrayLoop(s)
				return inner != nil && deep(inner.Body)
			})
		},
		"flatloops": func(loop *ir.Loop) bool {
			found := false
			ir.Walk(loop.Body, func(s *ir.Stmt) {
				b, ok := s.Op.(*ir.Binary)
				found = found || ok && (b.Fn == ir.Div || b.Fn == ir.Rem) && b.X == ir.Atom(loop.I)
			})
			return found
		},
		"fills":      func(loop *ir.Loop) bool { return loop.Params[0].T.Rank > 0 },
		"breaks":     func(loop *ir.Loop) bool { return loop.Cond != nil },
		"kept":       func(loop *ir.Loop) bool { return loop.Params[0].T.Rank > 0 },
		"planefills": func(loop *ir.Loop) bool { return loop.Params[0].T.Rank > 0 },
		"rowfills":   func(loop *ir.Loop) bool { return loop.Params[0].T.Rank > 0 },
		"refills":    func(loop *ir.Loop) bool { return loop.Params[0].T.Rank > 0 },
		"inductions": func(loop *ir.Loop) bool {
			return loop.Cond != nil || slices.ContainsFunc(loop.Params, func(p *ir.Var) bool { return p.T == ir.Scalar(ir.Int) })
		},
		"sink": func(loop *ir.Loop) bool {
			found := false
			ir.Walk(loop.Body, func(s *ir.Stmt) {
				_, chooses := s.Op.(*ir.If)
				found = found || chooses && slices.ContainsFunc(s.Dst, func(v *ir.Var) bool { return v.T.Rank > 0 })
			})
			return found
		},
		"reductions": func(*ir.Loop) bool { return true },
		"ordered": func(loop *ir.Loop) bool {
			exp := false
			ir.Walk(loop.Body, func(s *ir.Stmt) {
				op, ok := s.Op.(*ir.Unary)
				exp = exp || ok && op.Fn == ir.Exp
			})
			return exp && !slices.ContainsFunc(loop.Body.Stmts, func(s *ir.Stmt) bool { return ir.OperatorIndex(s.Op) != nil })
		},
		"alternate": func(loop *ir.Loop) bool {
			last := len(loop.Body.Stmts) - 1
			return loop.I != nil && len(loop.Params) > 1 && loop.Params[1].T.Rank > 0 && last > 0 && len(ir.Blocks(loop.Body.Stmts[last].Op)) == 2
		},
		"updates": func(loop *ir.Loop) bool { return loop.Independent },
		"shared": func(loop *ir.Loop) bool { // does nothing but to read an element, and to update another array by it
			last := len(loop.Body.Stmts) - 1
			put, ok := loop.Body.Stmts[max(last, 0)].Op.(*ir.Update)
			if !ok || last == 0 {
				return false
			}
			_, read := loop.Body.Stmts[last-1].Op.(*ir.Index)
			return read && put.Value == ir.Atom(loop.Body.Stmts[last-1].Dst[0]) && last <= 2
		},
		"strips": func(loop *ir.Loop) bool {
			return slices.ContainsFunc(loop.Body.Stmts, func(s *ir.Stmt) bool { return ir.OperatorName(s.Op) == "map" })
		},
		"soon": func(loop *ir.Loop) bool {
			checks, inner := false, false
			ir.Walk(loop.Body, func(s *ir.Stmt) {
				_, isCheck := s.Op.(*ir.Check)
				_, isLoop := s.Op.(*ir.Loop)
				checks, inner = checks || isCheck, inner || isLoop
			})
			return checks && !inner
		},
		"forward": func(loop *ir.Loop) bool {
			return len(loop.Params) == 2 && loop.Params[0].T.Rank > 0 && loop.Params[1].T.Rank == 0
		},
		"late": func(loop *ir.Loop) bool {
			waits, n := map[ir.Atom]bool{}, 0
			for _, p := range loop.Params {
				waits[p] = p.T.Rank == 0
			}
			for _, s := range loop.Body.Stmts {
				some := slices.ContainsFunc(ir.Operands(s.Op), func(a *ir.Atom) bool { return waits[*a] })
				for _, d := range s.Dst {
					waits[d] = some
				}
				if op, ok := s.Op.(*ir.Binary); ok && (op.Fn == ir.Max || op.Fn == ir.Add) && some {
					n++
				}
			}
			return n == 1
		},
	} {
		around(t, "load", pass, func(t *testing.T, k *load.Kernel, before, behind *ir.Func) {
			loops := 0
			ir.Walk(behind.Body, func(s *ir.Stmt) {
				if loop, ok := s.Op.(*ir.Loop); ok && counts(loop) {
					loops++
				}
			})
			if want := fmt.Sprintf("Loops: %d", loops); !strings.HasSuffix(strings.TrimSpace(k.Doc), want) {
				t.Errorf("%d loops are left:\n%s", loops, behind)
			}
			sameMeaning(t, before, backwards(behind), runs, most[pass])
		})
	}
}

// around runs f with each kernel of the folder of a pass in testdata, behind an earlier stage and behind the pass.
func around(t *testing.T, earlier, pass string, f func(t *testing.T, k *load.Kernel, before, behind *ir.Func)) {
	pkg, err := load.Load(t.Context(), "testdata/"+pass, load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range pkg.Kernels {
		t.Run(pass+"/"+k.Name, func(t *testing.T) {
			var before, behind *ir.Func
			if _, err := fuse.Compile(k.Func, func(s fuse.Stage) {
				switch s.Name {
				case earlier:
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
			f(t, k, before, behind)
		})
	}
}

// arrayLoop is a statement as a loop that carries an array, nil if it is another one.
func arrayLoop(s *ir.Stmt) *ir.Loop {
	if loop, ok := s.Op.(*ir.Loop); ok && len(loop.Params) > 0 && loop.Params[0].T.Rank > 0 {
		return loop
	}
	return nil
}

// specials are floats that are not like others.
var specials = []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1)}

// same compares results: to the bit, but that all NaN are the same, and zeros too if sums were reassociated.
func same(got, want any, reassociated bool) bool {
	switch want := want.(type) {
	case []any:
		other, ok := got.([]any)
		return ok && slices.EqualFunc(other, want, func(g, w any) bool { return same(g, w, reassociated) })
	case ir.Const:
		other, ok := got.(ir.Const)
		if !ok || want.Kind != other.Kind || !want.Kind.IsFloat() {
			return got == any(want)
		}
		x, y := other.Float(), want.Float()
		return x != x && y != y || x == y && (reassociated || other.Bits == want.Bits)
	}
	return reflect.DeepEqual(got, want)
}

// sameMeaning runs both functions on random inputs, sequences of which have fewer than most elements but for a few:
// on so many, or up to four times as many while both fail.
func sameMeaning(t *testing.T, before, behind *ir.Func, runs, most int) {
	r := rand.New(rand.NewPCG(1, 2))
	fails := 0
	for run := range 4 * runs {
		if run >= runs && fails < run { // some input has a result
			break
		}
		// Then all numbers are positions in it. This takes most of the time: a short test does so for half of the kernels.
		long := run == 1 && (len(before.Name)%2 == 0 || !testing.Short()) || !testing.Short() && run%(runs/2) == 1
		args := make([]any, len(before.Params))
		for i, p := range before.Params {
			number := func() any {
				v := r.IntN(9) - 2
				if long {
					v = max(v, 0) + 1
				}
				if p.T.Kind == ir.Bool {
					return ir.BoolConst(v > 2)
				}
				if p.T.Kind.IsFloat() {
					if special := r.IntN(24); special < len(specials) {
						return ir.FloatConst(p.T.Kind, specials[special])
					}
					return ir.FloatConst(p.T.Kind, float64(v))
				}
				return ir.IntConst(p.T.Kind, int64(v))
			}
			if p.T.Rank == 0 && long {
				args[i] = ir.IntConst(p.T.Kind, 9)
				if k := p.T.Kind; k == ir.Bool || k.IsFloat() {
					args[i] = number()
				}
				continue
			}
			if p.T.Rank == 0 {
				args[i] = number()
				continue
			}
			xs := make([]any, r.IntN(most))
			if long {
				xs = make([]any, 520+r.IntN(60))
			}
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
		if leftToPlainGo(err) {
			fails++
			continue
		}
		if (err != nil) != (wantErr != nil) || err == nil && !same(got, want, before.Reassociate) || unchecked(err, wantErr) {
			t.Fatalf("%.200v: %v, %v; before the pass %v, %v\n%s", args, got, err, want, wantErr, behind)
		}
		if err != nil {
			fails++
		}
	}
	if fails == 4*runs {
		t.Error("all inputs fail")
	}
}

// leftToPlainGo reports whether what fails is a check of the sizes of rows, behind which plain Go runs.
func leftToPlainGo(err error) bool {
	var check *eval.CheckError
	return errors.As(err, &check) && check.Check != nil && check.Check.Kind == ir.CheckSize && check.Check.Op == "make"
}

// unchecked reports whether what fails is a read, or an update, outside of an array that no check stands before, as one
// does in what is meant: compiled code would read there.
func unchecked(err, wantErr error) bool {
	var check, wantCheck *eval.CheckError
	return errors.As(err, &check) && check.Check == nil && errors.As(wantErr, &wantCheck) && wantCheck.Check != nil
}
