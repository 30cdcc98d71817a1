package torture

import (
	"strings"
	"testing"
)

// written is a kernel that somebody wrote: text stands where a generated one has a tree. Parameters are "name type role
// size of", such as "idx []int32 index k n"; see drive.Param.
func written(name string, params []string, body, results string) *Kernel {
	k := &Kernel{Name: name}
	for _, p := range params {
		f := strings.Fields(p)
		v := &Param{Var: Var{Name: f[0], T: typeOf(f[1])}, Role: f[2]}
		if len(f) > 3 {
			v.Size = f[3]
		}
		if len(f) > 4 {
			v.IdxOf = f[4]
		}
		k.Params = append(k.Params, v)
	}
	for _, line := range strings.Split(strings.TrimSpace(body), "\n") {
		k.Body = append(k.Body, &Stmt{Op: strings.TrimSpace(line)})
	}
	if strings.TrimSpace(body) == "" {
		k.Body = nil
	}
	for _, r := range strings.Split(results, ";") {
		expr, typ, _ := strings.Cut(strings.TrimSpace(r), ":")
		k.Results = append(k.Results, &Expr{Op: strings.TrimSpace(expr), T: typeOf(strings.TrimSpace(typ))})
	}
	return k
}

// TestFixed runs all variants of kernels that were written for a purpose.
func TestFixed(t *testing.T) { runWritten(t, fixed()) }

// TestLimits runs kernels with ranges and repetitions up to and beyond what memory holds.
func TestLimits(t *testing.T) {
	if testing.Short() {
		t.Skip("its kernels are many, and large")
	}
	runWritten(t, limits())
}

// TestNames runs kernels whose names generated code might use itself.
func TestNames(t *testing.T) { runWritten(t, names()) }

// codes is how many codes of a kernel that somebody wrote are run.
func codes() int {
	if testing.Short() {
		return writtenCodes / 20
	}
	return writtenCodes
}

// runWritten runs kernels that somebody wrote, a short test every third of them.
func runWritten(t *testing.T, kernels []*Kernel) {
	if testing.Short() {
		var some []*Kernel
		for i := 0; i < len(kernels); i += 3 {
			some = append(some, kernels[i])
		}
		kernels = some
	}
	runWith(t, kernels, Options{PerPackage: 100, Portable: true, Codes: codes(), Under: strings.Fields(*flagUnder), Args: []string{"-sizes=0,1,3,8,17,33,100,257"}})
}

func runWith(t *testing.T, kernels []*Kernel, opt Options) {
	t.Helper()
	out, err := Run(t.Context(), t.TempDir(), kernels, opt)
	if err != nil {
		t.Fatal(err)
	}
	for code, ks := range out.Refused {
		for _, k := range ks {
			t.Errorf("%s is refused with [%s]: %s", k.Name, code, out.Reasons[k])
		}
	}
	seen := map[*Kernel]int{}
	for _, f := range out.Failures {
		if seen[f.Kernel]++; seen[f.Kernel] <= 2 {
			t.Errorf("%s: %s\n%s\n%s", f.Kernel.Name, f.Kind, indent(f.Detail), f.Kernel.Source("p", true))
		}
	}
	t.Logf("%+v", out.Totals)
}
