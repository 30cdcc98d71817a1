package fuse_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/load"
)

// told compiles the kernels of a folder of testdata, the comments of which have to end with what tell says of them.
func told(t *testing.T, folder string, trace func(k *load.Kernel, s fuse.Stage), tell func(f *fuse.Kernel) string) {
	pkg, err := load.Load(t.Context(), "testdata/"+folder, load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range pkg.Kernels {
		f, err := fuse.Compile(k.Func, func(s fuse.Stage) { trace(k, s) })
		if err != nil {
			t.Fatal(err)
		}
		if got := tell(f); !strings.HasSuffix(strings.TrimSpace(k.Doc), got) {
			t.Errorf("%s: %s\n%s", k.Name, got, f.Func)
		}
	}
}

// TestCostsOfRows checks what rows of nested sequences cost that may be packed, and loops beside those over them.
func TestCostsOfRows(t *testing.T) {
	told(t, "rowcosts", func(*load.Kernel, fuse.Stage) {}, func(f *fuse.Kernel) string {
		var all []string
		for _, c := range f.Computations[len(f.Computations)-1].Costs() {
			all = append(all, fmt.Sprintf("{%.3g %g %.3g %.3g}", c.Operations, c.Runs, c.Scalarised, c.Guessed))
		}
		return fmt.Sprintf("Costs: %v", all)
	})
}

// TestRowSums checks which Maps leave sums in order to one of their own, by the sequences of what comes of a kernel,
// and that the pass changes no result.
func TestRowSums(t *testing.T) {
	before := map[string]*ir.Func{}
	trace := func(k *load.Kernel, s fuse.Stage) {
		switch flat := k.Func.Params[0].T.Rank == 1; {
		case flat && s.Name == "late":
			before[k.Name] = s.Func
		case flat && s.Name == "rowsums":
			sameMeaning(t, before[k.Name], s.Func, 2000, 24)
		}
	}
	told(t, "rowsums", trace, sequences)
}

// TestRowsInPlace checks which rows are computed where others read them by places in all of them, or return them, by
// the sequences of what comes of a kernel, and that results and failures are the same.
func TestRowsInPlace(t *testing.T) {
	before, runs := map[string]*ir.Func{}, 2000
	if testing.Short() {
		runs = 100
	}
	trace := func(k *load.Kernel, s fuse.Stage) {
		switch s.Name {
		case "load":
			before[k.Name] = s.Func
		case "fuse":
			sameMeaning(t, before[k.Name], s.Func, runs, 12)
		}
	}
	told(t, "inrow", trace, sequences)
}

// sequences lists the computations of a kernel.
func sequences(f *fuse.Kernel) string {
	var all []string
	for _, c := range f.Computations {
		all = append(all, c.Sequence.String())
	}
	return "Sequences: " + strings.Join(all, "; ")
}
