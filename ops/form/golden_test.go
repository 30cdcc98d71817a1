package form

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
	"github.com/surge-ndp/surge/ops/ir/eval"
)

var update = flag.Bool("update", false, "TestTexts writes what rules make of the texts")

// made ends the name of a section that says what a rule makes of the one before it.
const made = ", made"

// TestTexts applies each rule to the functions of its file in testdata: what comes of them, or why not, stands behind
// them. Each condition of a rule has a text.
func TestTexts(t *testing.T) {
	for i := range Rules {
		r := &Rules[i]
		path := filepath.Join("testdata", r.Name+".txtar")
		a, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatalf("the rule %s has no texts: %v", r.Name, err)
		}
		out := &txtar.Archive{Comment: a.Comment}
		for at, section := range a.Files {
			if strings.HasSuffix(section.Name, made) {
				continue
			}
			got := applied(t, r, section.Name, string(section.Data))
			out.Files = append(out.Files, section, txtar.File{Name: section.Name + made, Data: []byte(got)})
			if *update {
				continue
			}
			if at++; at == len(a.Files) || a.Files[at].Name != section.Name+made || string(a.Files[at].Data) != got {
				t.Errorf("%s, %s: the rule makes\n%s", path, section.Name, got)
			}
		}
		if *update {
			if err := os.WriteFile(path, txtar.Format(out), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// applied is what a rule makes of the last computation of a function.
func applied(t *testing.T, r *Rule, name, text string) string {
	f, err := ir.Parse(text)
	if err == nil {
		err = ir.Verify(f)
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	all := Derive(fuse.Split(f))
	forms := all[len(all)-1]
	var sb strings.Builder
	for _, made := range forms.All[1:] {
		if made.Rule != r || made.From != forms.All[0] {
			continue
		}
		fmt.Fprintf(&sb, "%s: %s\n%s", made.Name, made.Computation.Sequence, made.Code())
		if err := ir.Verify(made.Func); err != nil {
			t.Errorf("%s: %v\n%s", name, err, made.Func)
		}
	}
	for _, no := range forms.Refused {
		if no.Rule == r && no.Of == forms.All[0] {
			fmt.Fprintf(&sb, "no %s: %s\n", no.Name(), no.Reason)
		}
	}
	return sb.String()
}

// TestConditions leaves out the conditions of delinearise, one after the other: what comes of it is no IR, means
// something else, or cannot be stored.
func TestConditions(t *testing.T) {
	forced := func(text string, divisor func(*ir.Map) ir.Atom) (*ir.Func, *ir.Func) {
		f, err := ir.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		last := len(f.Body.Stmts) - 1
		m := f.Body.Stmts[last].Op.(*ir.Map)
		r := rowing{at: Site{f, f.Body.Stmts[last], ir.NewNamer(f)}, m: m, w: divisor(m), subst: ir.Subst{}}
		r.size(analysis.Of(f.Body))
		nest := r.nest()
		g := *f
		g.Body = &ir.Block{Stmts: slices.Concat(f.Body.Stmts[:last], r.before, []*ir.Stmt{nest}), Results: []ir.Atom{nest.Dst[0]}}
		return f, &g
	}
	const head = "func F (a: []int, w: int) {\n  n: int = len a\n  out: []int = map i < n {\n"
	_, form := forced(head+"    e: int = index a i\n    v: int = or e 1:int\n    x: int = rem i v\n    yield x\n  }\n  yield out\n}",
		func(m *ir.Map) ir.Atom { return m.Body.Stmts[1].Dst[0] })
	if ir.Verify(form) == nil {
		t.Errorf("a divisor for each element:\n%s", form)
	}
	args := []any{[]any{eval.Int(5), eval.Int(6), eval.Int(7), eval.Int(8)}, eval.Int(2)}
	for _, c := range []int64{-3, 0} {
		nest, form := forced(head+"    e: int = index a i\n    x: int = rem i 3:int\n    yield x\n  }\n  yield out\n}",
			func(*ir.Map) ir.Atom { return ir.IntConst(ir.Int, c) })
		want, err := eval.Run(nest, args, eval.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := func() (got []any, err error) {
			defer func() {
				if p := recover(); p != nil {
					err = fmt.Errorf("%v", p)
				}
			}()
			return eval.Run(form, args, eval.Options{})
		}()
		if err == nil && fmt.Sprint(got) == fmt.Sprint(want) {
			t.Errorf("rows of %d elements:\n%s", c, form)
		}
	}
	_, form = forced(strings.Replace(head, "[]int =", "[][]int =", 1)+"    x: int = rem i w\n    row: []int = map j < w {\n      yield x\n    }\n    yield row\n  }\n  yield out\n}",
		func(m *ir.Map) ir.Atom { return m.Body.Stmts[0].Op.(*ir.Binary).Y })
	if form.Body.Results[0].Type().Rank != 3 {
		t.Errorf("rows of rows:\n%s", form)
	}
}
