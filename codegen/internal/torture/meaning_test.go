package torture

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/codegen/goroutine"
	"github.com/surge-ndp/surge/codegen/internal/meaning"
	"github.com/surge-ndp/surge/codegen/opencl"
	"github.com/surge-ndp/surge/ops/form"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir/eval"
	"github.com/surge-ndp/surge/selector"
)

// TestMeaning runs the code of random kernels in an interpreter, without a compiler or a driver: a code for each
// schedule, or all of them if -torture.codes is 0. With -torture.n=1 and -torture.seed it runs one kernel.
func TestMeaning(t *testing.T) {
	n := *flagN
	switch {
	case n > 0:
	case testing.Short():
		n = 15
	default:
		n = 200
	}
	shared := meaningOf(t, Generate, n)
	if shared == 0 && n >= 15 {
		t.Error("no kernel has rows whose elements threads can share")
	}
}

// TestMeaningOfLoops is TestMeaning for kernels of plain loops.
func TestMeaningOfLoops(t *testing.T) {
	n := *flagN
	switch {
	case n > 0:
	case testing.Short():
		n = 8
	default:
		n = 100
	}
	meaningOf(t, GenerateLoops, n)
}

// meaningOf runs the code of n kernels in an interpreter. It returns how many codes share the elements of rows.
func meaningOf(t *testing.T, generate func(name string, seed uint64) *Kernel, n int) (shared int) {
	var kernels []*Kernel
	for i := range n {
		kernels = append(kernels, generate(fmt.Sprintf("K%03d", i), *flagSeed+uint64(i)))
	}
	runs, refused, forms := 0, 0, 0
	compiled := func(k *codegen.Kernel) {
		inputs := meaning.Inputs(k.Source, nil, []int{11, 0, 24}, false)
		forms += sameForms(t, k.Source.Name, k.Fused, k.Forms, inputs)
		for _, s := range k.Spaces {
			if s.Form == "flat" && s.Platform == goroutine.Platform {
				shared += len(s.Codes())
			}
		}
		for _, platform := range []string{goroutine.Platform.Name, opencl.Platform.Name} {
			out, err := meaning.Check{Kernel: k, Devices: platform == opencl.Platform.Name, All: *flagCodes == 0,
				Codes: func(c *fuse.Computation) []selector.Code { return k.Codes(platform, c.Name) }}.Run(inputs)
			if err != nil {
				t.Errorf("%s: %v", platform, err)
			}
			runs += out.Runs
			if out.Elements < 8 {
				refused++
			}
		}
	}
	if _, err := compileBatch(t.Context(), t.TempDir(), kernels, Options{PerPackage: 25, Platform: opencl.Platform.Name, Compiled: compiled}); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d kernels, %d runs of codes, %d of other forms, %d codes that share the elements of rows; %d times a kernel refuses all inputs", n, runs, forms, shared, refused)
	if forms == 0 && n >= 10 {
		t.Error("no kernel has another form")
	}
	if runs < 5*n {
		t.Errorf("%d runs of the codes of %d kernels", runs, n)
	}
	return shared
}

// sameForms runs the IR of the forms of a kernel, which has to give what the nest gives, and to fail where that does.
// It returns how often.
func sameForms(t *testing.T, name string, k *fuse.Kernel, all []*form.Forms, inputs [][]any) (runs int) {
	for _, forms := range all {
		for _, args := range inputs {
			if args = meaning.Regular(k, args); args == nil {
				continue
			}
			want, wantErr := eval.Run(forms.All[0].Func, args, eval.Options{Steps: 2e5})
			var check *eval.CheckError
			if wantErr != nil && !errors.As(wantErr, &check) {
				continue // a loop that takes too long
			}
			for _, f := range forms.All[1:] {
				runs++
				got, err := eval.Run(f.Func, args, eval.Options{Steps: 1e6})
				for i := range got {
					if want != nil && f.Func.Body.Results[i].Type() != forms.All[0].Func.Body.Results[i].Type() {
						got[i] = flat(got[i].([]any))
					}
				}
				if (err != nil) != (wantErr != nil) || err == nil && !reflect.DeepEqual(got, want) {
					t.Errorf("%s, %s: %v: %v, %v; as a nest %v, %v\n%s", name, f.Name, args, got, err, want, wantErr, f.Func)
				}
			}
		}
	}
	return runs
}

// flat is what lies in rows.
func flat(rows []any) []any {
	all := []any{}
	for _, row := range rows {
		all = append(all, row.([]any)...)
	}
	return all
}
