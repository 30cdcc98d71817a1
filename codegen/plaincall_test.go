package codegen_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/codegen/goroutine"
	"github.com/surge-ndp/surge/examples/spmv"
	"github.com/surge-ndp/surge/ops/load"
)

// TestBoundRunsPlain checks that runs of few elements, which are those of the kernel itself, see what compiled code
// would see: elements that have changed, wrong inputs, and a context that has ended.
func TestBoundRunsPlain(t *testing.T) {
	values, x := []float64{2, 3, 4}, []float64{1, 10, 100}
	b, err := spmv.BindSpMV(values, []int32{0, 1, 2}, []int32{0, 1, 3}, x)
	if err != nil {
		t.Fatal(err)
	}
	run := func(want ...float64) {
		t.Helper()
		if y, err := b.Run(context.Background()); err != nil || !slices.Equal(y, want) {
			t.Errorf("%v (%v), want %v", y, err, want)
		}
	}
	run(2, 430)
	if reason := b.Decisions()[0].Reason; !strings.Contains(reason, "runs take the kernel itself, as plain Go") {
		t.Errorf("the reason is %q", reason)
	}
	values[0] = 5
	run(5, 430)
	first, _ := b.Run(context.Background())
	second, _ := b.Run(context.Background())
	if &first[0] == &second[0] {
		t.Error("two runs return the same memory")
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	if _, err := b.Run(stopped); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended: %v", err)
	}
	if _, err := spmv.BindSpMV(values, []int32{0, 7, 2}, []int32{0, 1, 3}, x); err == nil {
		t.Error("an index that is out of range is bound")
	}
	forced, err := spmv.BindSpMV(values, []int32{0, 1, 2}, []int32{0, 1, 3}, x, exec.Threads(1), exec.Schedule("sequential>sequential"))
	if err != nil {
		t.Fatal(err)
	}
	if reason := forced.Decisions()[0].Reason; strings.Contains(reason, "kernel itself") {
		t.Errorf("a variant was asked for, and %q", reason)
	}
}

// TestKeptArguments checks what later runs of the kernel itself get: copies of what bound code copies, and the caller's
// memory otherwise.
func TestKeptArguments(t *testing.T) {
	const source = `package kernels

import "github.com/surge-ndp/surge/ops"

type P struct{ X, Y float64 }

//surge:kernel
func Lengths(words []string) []int {
	return ops.Map(func(w string) int {
		n := 0
		for i := range len(w) {
			n += int(w[i])
		}
		return n
	}, words)
}

//surge:kernel
func Sums(rows [][]float64) []float64 {
	return ops.Map(func(row []float64) float64 {
		s := 0.0
		for _, v := range row {
			s += v
		}
		return s
	}, rows)
}

//surge:kernel
func Norms(ps []P) []float64 { return ops.Map(func(p P) float64 { return p.X*p.X + p.Y*p.Y }, ps) }

//surge:kernel
func Widths(lines [][]P) []float64 {
	return ops.Map(func(line []P) float64 {
		w := 0.0
		for _, p := range line {
			w = max(w, p.X-p.Y)
		}
		return w
	}, lines)
}

//surge:kernel
func Parts(x []float64, limit float64) [][]float64 {
	var out [][]float64
	from, sum := 0, 0.0
	for i, v := range x {
		if sum += v; sum > limit {
			out = append(out, x[from:i+1])
			from, sum = i+1, 0
		}
	}
	return out
}

//surge:kernel
func Doubled(x []float64) [][]float64 {
	var out [][]float64
	sum := 0.0
	for _, v := range x {
		row := make([]float64, 2)
		if sum += v; sum > 1 {
			out = append(out, row)
			sum--
		}
		out = append(out, row)
	}
	return out
}

//surge:kernel
func Started(x []float64) [][]float64 {
	var out [][]float64
	sum := 0.0
	for i, v := range x {
		row := make([]float64, i)
		if sum += v; sum > 1 {
			out = append(out, row)
			sum--
		}
	}
	return out
}

//surge:kernel
func Counts(x []int, k int) []int {
	counts := make([]int, 1<<k)
	for _, v := range x {
		counts[v]++
	}
	return counts
}

type M struct {
	Data   []float64
	Factor float64
}

//surge:kernel
func Scaled(m *M) []float64 {
	return ops.Map(func(v float64) float64 { return v * m.Factor }, m.Data)
}

//surge:kernel
func Pairs(ps []P) []float64 {
	return ops.Map(func(p P) float64 {
		return ops.Reduce(func(a, b float64) float64 { return a + b }, ops.Map(func(q P) float64 { return q.X - p.Y }, ps), 0)
	}, ps)
}
`
	file, err := filepath.Abs("testdata/structs/structs.go")
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := load.Load(context.Background(), "testdata/structs", load.Options{Overlay: map[string][]byte{file: []byte(source)}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := codegen.Compile(pkg, codegen.Options{Machine: codegen.PortableMachine(), Platforms: []string{goroutine.Platform.Name}})
	if err != nil {
		t.Fatal(err)
	}
	files, err := p.Generated()
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, file := range files {
		text.Write(file)
	}
	all := text.String()
	for kernel, want := range map[string]string{
		"lengths": "\tvar words []string\n\t\tb.plain = func() (r1 []int, ok bool) {\n\t\t\tif words == nil {\n\t\t\t\twords = exec.StringViews[string](b.frame.words, b.frame.wordsRows)\n\t\t\t}\n\t\t\treturn lengthsPlain(words)\n",
		"sums":    "rows = exec.Rows(b.frame.rows, b.frame.rowsRows)\n\t\t\t}\n\t\t\treturn sumsPlain(rows)\n",
		"widths":  "lines = exec.Rows(b.frame.linesStructs, b.frame.lines_XRows)\n\t\t\t}\n\t\t\treturn widthsPlain(lines)\n",
		"counts":  "\tPlain: exec.Plain{Open: true, Exact: true, Unbounded: true},\n",
		"pairs": "RunsPlain(pairsWork(ps) + float64(len(b.frame.ps_X))) {\n\t\tvar ps []P\n\t\tb.plain = func() (r1 []float64, ok bool) {\n\t\t\tif ps == nil {\n" +
			"\t\t\t\tps = make([]P, len(b.frame.ps_X))\n\t\t\t\tfor i := range ps {\n\t\t\t\t\tps[i].X = b.frame.ps_X[i]\n",
		"scaled":           "if b.call.RunsPlain(scaledWork(m)) {\n\t\tm := exec.KeptAt(m)\n\t\tb.plain = func() (r1 []float64, ok bool) {\n\t\t\treturn scaledPlain(m)\n",
		"a call of scaled": "if m == nil {\n\t\treturn nil, exec.NilPointer(&scaledKernel, \"m\")\n\t}\n\tturn := scaledKernel.Turn(ctx, opts, scaledWork(m), 0)\n",
		"norms":            "if b.call.RunsPlain(normsWork(ps)) {\n\t\tb.plain = func() (r1 []float64, ok bool) {\n\t\t\treturn normsPlain(ps)\n",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("the code of %s is without\n%s", kernel, want)
		}
	}
	for function, want := range map[string]bool{"r1 = Parts(x, limit)\n\tr1 = exec.OwnRows(r1)\n": true, "r1 = Doubled(x)\n\tr1 = exec.OwnRows(r1)\n": true,
		"r1 = Started(x)\n\treturn": true, "r1 = Sums(rows)\n\treturn": true} {
		if strings.Contains(all, function) != want {
			t.Errorf("the code has %q: %v", function, !want)
		}
	}
	for text, want := range map[string]bool{"turn := normsKernel.Turn(": true, "defer turn.End()": true, "turn := countsKernel.Turn(": true, "countsKernel.RunsPlain(": false} {
		if strings.Contains(all, text) != want {
			t.Errorf("the code has %q: %v", text, !want)
		}
	}
}
