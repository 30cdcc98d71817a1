package torture

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/ops/form"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/eval"
	"github.com/surge-ndp/surge/ops/load"
)

// TestStages runs the IR of random kernels behind each pass, which has to give what the IR gives that was loaded. It
// needs neither generated code nor a compiler of Go, so that many kernels are run in little time.
func TestStages(t *testing.T) {
	n := *flagN
	switch {
	case n > 0:
	case testing.Short():
		n = 12
	default:
		n = 400
	}
	for _, g := range []struct {
		name     string
		generate func(name string, seed uint64) *Kernel
	}{{"operators", Generate}, {"loops", GenerateLoops}} {
		t.Run(g.name, func(t *testing.T) {
			var s stages
			for first := 0; first < n; first += 50 {
				var kernels []*Kernel
				for i := first; i < min(n, first+50); i++ {
					kernels = append(kernels, g.generate(fmt.Sprintf("K%03d", i), *flagSeed+uint64(i)))
				}
				s.run(t, kernels)
			}
			t.Logf("%d kernels, %d refused, %d runs of %d stages, %d of other forms, %d fail as they should", n, s.refused, s.runs, s.stages, s.forms, s.fails)
			if s.runs < 20*n {
				t.Errorf("%d runs of the stages of %d kernels", s.runs, n)
			}
		})
	}
}

// TestStagesOfNasty is TestStages for what somebody wrote.
func TestStagesOfNasty(t *testing.T) {
	var s stages
	s.run(t, nasty())
	if s.refused > 0 {
		t.Errorf("%d kernels are refused", s.refused)
	}
}

type stages struct{ refused, stages, runs, forms, fails int }

// run loads kernels as one package and runs each of them.
func (s *stages) run(t *testing.T, kernels []*Kernel) {
	t.Helper()
	b, err := compileBatch(t.Context(), t.TempDir(), nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.write("p/helpers.go", header("p", helperSource(""))+helperSource("")); err != nil {
		t.Fatal(err)
	}
	byName := map[string]*Kernel{}
	for _, k := range kernels {
		byName[k.Name] = k
		if err := b.write("p/"+file(k), k.Source("p", false)); err != nil {
			t.Fatal(err)
		}
	}
	for range kernels {
		pkg, err := b.load(t.Context(), "p")
		var ds load.Diagnostics
		if err == nil {
			for _, k := range pkg.Kernels {
				s.kernel(t, byName[k.Name], k)
			}
			return
		}
		if !errors.As(err, &ds) {
			t.Fatal(err)
		}
		dropped := 0
		for _, d := range ds {
			if d.Code == load.CodeType || d.Code == load.CodeSyntax {
				t.Errorf("generator: %v", d)
			}
			name := filepath.Join(b.dir, "p", filepath.Base(d.Pos.File))
			if strings.HasSuffix(name, "helpers.go") {
				continue
			}
			if os.Remove(name) == nil {
				dropped++
				s.refused++
			}
		}
		if dropped == 0 {
			t.Errorf("%v", err)
			return
		}
	}
}

// kernel runs the stages of both ways in which a kernel is compiled, and the forms of its computations.
func (s *stages) kernel(t *testing.T, k *Kernel, loaded *load.Kernel) {
	t.Helper()
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("%s (seed %d): panic: %v\n%s\n%s", k.Name, k.Seed, r, debug.Stack(), k.Source("p", true))
		}
	}()
	sp := spec(k)
	type input struct {
		args, want []any
		err        error
	}
	var inputs []input
	for _, n := range []int{0, 1, 2, 5, 9, 18, 33} {
		modes := []string{"", "nan", "bad", "bad"}
		if !k.Text { // sizes that are beyond all memory are tiles of sequences, which the interpreter would make
			modes = modes[:2]
		}
		for salt, mode := range modes {
			var args []any
			for _, a := range sp.Inputs(n, mode, uint64(salt)) {
				args = append(args, irValue(reflect.ValueOf(a)))
			}
			want, err := eval.Run(loaded.Func, args, eval.Options{Steps: 2e5})
			if !errors.Is(err, eval.ErrSteps) {
				inputs = append(inputs, input{args, want, err})
			}
		}
	}
	last := loaded.Func.String()
	found := false
	check := func(name string, f *ir.Func) {
		text := f.String()
		if text == last || found {
			return
		}
		last = text
		s.stages++
		if err := ir.Verify(f); err != nil {
			found = true
			t.Errorf("%s (seed %d): after %s: %v\n%s", k.Name, k.Seed, name, err, k.Source("p", true))
			return
		}
		for _, in := range inputs {
			got, err := eval.Run(f, in.args, eval.Options{Steps: 4e6})
			s.runs++
			if in.err != nil {
				s.fails++
				continue // what is not needed may be gone
			}
			if err != nil || !reflect.DeepEqual(got, in.want) && !slices.EqualFunc(got, in.want, sameValue) {
				found = true
				t.Errorf("%s (seed %d): after %s, %v: %v, %v, want %v\n%s\n%s", k.Name, k.Seed, name, in.args, got, err, in.want, k.Source("p", true), text)
				return
			}
		}
	}
	for _, compile := range []func(*ir.Func, func(fuse.Stage)) (*fuse.Kernel, error){fuse.Compile, fuse.CompileTurns} {
		c, err := compile(loaded.Func, func(stage fuse.Stage) { check(stage.Name, stage.Func) })
		var u *fuse.Unsupported
		if errors.As(err, &u) {
			s.refused++
			return
		}
		if err != nil {
			t.Errorf("%s (seed %d): %v\n%s", k.Name, k.Seed, err, k.Source("p", true))
			return
		}
		var args [][]any
		for _, in := range inputs {
			args = append(args, in.args)
		}
		if !found {
			s.forms += sameForms(t, k.Name, c, form.Derive(c), args)
		}
	}
}

var irKinds = map[reflect.Kind]ir.Kind{reflect.Bool: ir.Bool, reflect.Int: ir.Int, reflect.Int8: ir.Int8, reflect.Int16: ir.Int16, reflect.Int32: ir.Int32,
	reflect.Int64: ir.Int64, reflect.Uint8: ir.Uint8, reflect.Uint16: ir.Uint16, reflect.Uint32: ir.Uint32, reflect.Uint64: ir.Uint64,
	reflect.Float32: ir.Float32, reflect.Float64: ir.Float64}

// irValue is a Go value in the IR.
func irValue(v reflect.Value) any {
	if v.Kind() == reflect.Slice {
		all := []any{}
		for i := range v.Len() {
			all = append(all, irValue(v.Index(i)))
		}
		return all
	}
	k := irKinds[v.Kind()]
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

// sameValue tells whether two values of the IR are the same, where no number is like any other.
func sameValue(a, b any) bool {
	x, ok := a.([]any)
	y, ok2 := b.([]any)
	if ok && ok2 {
		return slices.EqualFunc(x, y, sameValue)
	}
	p, ok := a.(ir.Const)
	q, ok2 := b.(ir.Const)
	return ok && ok2 && (p == q || p.Kind == q.Kind && p.Kind.IsFloat() && p.Float() != p.Float() && q.Float() != q.Float())
}
