package fuse_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/load"
)

// backwards makes each loop of independent turns a loop that makes them from the last one to the first: where two turns
// need each other, the results are others. Where turns read ahead, they read what was there before the loop.
func backwards(f *ir.Func) *ir.Func {
	f = f.Clone()
	names := ir.NewNamer(f)
	snapshots(f.Body, names)
	ir.Walk(f.Body, func(s *ir.Stmt) {
		loop, ok := s.Op.(*ir.Loop)
		if !ok || !loop.Independent || loop.Ahead {
			return
		}
		integer := ir.Scalar(ir.Int)
		i, last := names.Var("turn", integer), names.Var("last", integer)
		loop.Body.Stmts = append([]*ir.Stmt{
			{Dst: []*ir.Var{last}, Op: &ir.Binary{Fn: ir.Sub, X: loop.Hi, Y: ir.IntConst(ir.Int, 1)}},
			{Dst: []*ir.Var{loop.I}, Op: &ir.Binary{Fn: ir.Sub, X: last, Y: i}},
		}, loop.Body.Stmts...)
		loop.I, loop.Independent = i, false
	})
	return f
}

// snapshots copies the arrays that loops carry whose turns read ahead, before each loop, and lets what turns read of
// the arrays as they get them be read from the copies.
func snapshots(b *ir.Block, names *ir.Namer) {
	var all []*ir.Stmt
	for _, s := range b.Stmts {
		for _, inner := range ir.Blocks(s.Op) {
			snapshots(inner, names)
		}
		loop, ok := s.Op.(*ir.Loop)
		if ok && loop.Ahead {
			for k, p := range loop.Params {
				n, i, e, copied := names.Var("n", ir.Scalar(ir.Int)), names.Var("i", ir.Scalar(ir.Int)), names.Var("e", p.T.Elem()), names.Var("copied", p.T)
				all = append(all, &ir.Stmt{Dst: []*ir.Var{n}, Op: &ir.Len{X: loop.Init[k]}},
					&ir.Stmt{Dst: []*ir.Var{copied}, Op: &ir.Map{N: n, I: i, Body: &ir.Block{
						Stmts: []*ir.Stmt{{Dst: []*ir.Var{e}, Op: &ir.Index{X: loop.Init[k], I: i}}}, Results: []ir.Atom{e}}}})
				ir.Walk(loop.Body, func(s *ir.Stmt) {
					if x, ok := s.Op.(*ir.Index); ok && x.X == ir.Atom(p) {
						x.X = copied
					}
				})
			}
		}
		all = append(all, s)
	}
	b.Stmts = all
}

// independent is how many loops of independent turns a function has.
func independent(f *ir.Func) (n int) {
	ir.Walk(f.Body, func(s *ir.Stmt) {
		if loop, ok := s.Op.(*ir.Loop); ok && loop.Independent {
			n++
		}
	})
	return n
}

// TestRandomUpdates makes loops that update an array at random places that are sums of indices, and compares what the
// turns do that are said to be independent, from the last one to the first, with what plain Go does: rows that overlap,
// strides that are negative or 0, loops without turns.
func TestRandomUpdates(t *testing.T) {
	defer fuse.SetWave(2, 2, 2)()
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(5, 6))
	kernels := 400
	if testing.Short() {
		kernels = 60
	}
	text := "package random\n"
	for k := range kernels {
		text += randomUpdates(r, k)
	}
	module, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"random.go": text, "go.mod": "module random\n\ngo 1.26\n\nrequire github.com/surge-ndp/surge v0.0.0\n\nreplace github.com/surge-ndp/surge => " + module + "\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	pkg, err := load.Load(t.Context(), dir, load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, k := range pkg.Kernels {
		var before, behind *ir.Func
		if _, err := fuse.Compile(k.Func, func(s fuse.Stage) {
			switch s.Name {
			case "load":
				before = s.Func
			case "follow":
				behind = s.Func
			}
		}); err != nil {
			t.Fatal(err)
		}
		if err := ir.Verify(behind); err != nil {
			t.Fatalf("%v\n%s", err, behind)
		}
		if independent(behind) > 0 {
			found++
			sameMeaning(t, before, backwards(behind), 400, 60)
		}
	}
	t.Logf("%d of %d kernels have independent turns", found, len(pkg.Kernels))
	if found < kernels/10 {
		t.Error("hardly any")
	}
}

// randomUpdates is the text of a kernel.
func randomUpdates(r *rand.Rand, number int) string {
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	place := func() string {
		return pick("i*n+j", "i*n+j", "i*n+j", "k*n+j", "i*n+k", "k*n+k", "j*n+i", "j*n+k", "(i-1)*n+j", "i*n+j-1", "i*n+j+1", "(i+1)*n+j", "i*m+j", "i*n+j*m",
			"i", "j", "k", "i+k", "2*i+j", "(n-1-i)*n+j", "2*(i*n+j)", "2*(i*n+j)+1", "(k*n+i)*m+j", "i*n+m", "m", "i*n", "3*i+j%3", "(i*n+j)/2", "i*n+m-j", "n-i", "i*n-j")
	}
	colours := r.IntN(3) == 0
	if colours {
		place = func() string {
			return pick("i*n+j", "i*n+j-1", "i*n+j+1", "(i-1)*n+j", "(i+1)*n+j", "(i-1)*n+j", "(i+1)*n+j", "(i-1)*n+j-1", "(i+1)*n+j+1", "(i-2)*n+j", "(i-1)*n+j+2", "(i+2)*n+j-1")
		}
	}
	update := func() string {
		at := place()
		if colours {
			return "x[i*n+j] = 2*x[" + place() + "] + x[" + place() + "]*i - x[" + place() + "]"
		}
		s := fmt.Sprintf("x[%s] = 2*x[%s] + x[%s]*i - y[%s]", at, pick(at, place()), place(), pick(at, place()))
		switch r.IntN(8) {
		case 0:
			s = fmt.Sprintf("if x[%s] > y[%s] { %s }", place(), place(), s)
		case 5, 6: // what is read depends on where the turn is
			cond := func() string {
				return pick("j > 0", "j < n-1", "j+1 < n", "n-1 > j", "i < n-1", "0 < i", "i >= 1", "j >= k", "j <= m-1", "i != j", "2*j < n", "j-k < m", "i+1 <= m", "n-j > 1")
			}
			is := pick(cond(), cond(), cond()+" && "+cond(), cond()+" || "+cond(), "!("+cond()+")")
			s = fmt.Sprintf("t := x[%s]\nif %s {\nt += x[%s]\n} else {\nt -= x[%s]\n}\nx[%s] = t", pick(at, place()), is, place(), pick(at, place()), at)
		case 1:
			s += fmt.Sprintf("\ny[%s] += j + x[%s]", pick(at, place()), place())
		case 2:
			s = fmt.Sprintf("x[%s], y[%s] = y[%s], x[%s]", at, at, at, at)
		case 3: // a sum in each turn, of elements along a counter of its own
			along := func() string { return strings.ReplaceAll(pick(place(), "i*n+j"), pick("i", "j", "k"), "l") }
			read := pick("x", "y", "y")
			leave := pick("", "", "if t > 40 {\nbreak\n}\n", "if t < l {\ncontinue\n}\n")
			sum := fmt.Sprintf("t := 0\nfor l := %s; l < %s; l++ {\n%st += %s[%s] * y[%s]\n}\n", pick("0", "0", "1", "j", "k"), pick("n", "n", "m", "j", "n-1", "j*j%7"), leave, read, along(), along())
			s = sum + fmt.Sprintf("x[%s] = t - x[%s]", at, pick(at, at, place()))
		case 4: // the loop around it may end
			s = fmt.Sprintf("if y[%s] > %s {\nbreak\n}\n", place(), pick("j", "30")) + s
		}
		return s
	}
	loop := func(v, lo, hi, body string) string {
		if r.IntN(4) == 0 {
			return fmt.Sprintf("for %s := %s; %s %s %s; %s-- {\n%s\n}\n", v, pick(hi, hi+"-1"), v, pick(">", ">=", ">="), lo, v, body)
		}
		step := pick("++", "++", "++", " += 2", " += 3")
		return fmt.Sprintf("for %s := %s; %s < %s; %s%s {\n%s\n}\n", v, lo, v, hi, v, step, body)
	}
	inner := loop("j", pick("0", "0", "1", "k+1", "k", "i", "i+1", "1+i%2", "1+(i+k)%2"), pick("n", "n", "m", "k", "i", "n-1"), update())
	if colours {
		m := pick("2", "2", "3")
		inner = "for j := 1+(" + pick("i", "i+k", "i*2", "i+n", "k-i") + ")%" + m + "; j < " + pick("n-1", "n-1", "m", "n") + "; j += " + m + " {\n" + update() + "\n}\n"
	}
	body := inner
	if r.IntN(4) == 0 && !colours { // an array of the turn's own
		body = "own := make([]int, 8)\nown[k&7] = i\n" + strings.ReplaceAll(inner, " = 2*x[", " = own[(j+1)&7] + 2*x[")
		body = strings.ReplaceAll(body, "x[i*n+j] = ", "own[j&7] += i\nx[i*n+j] = ")
	} else if r.IntN(3) == 0 && !colours {
		body = "j := m\n_ = j\n" + update() + "\n" + strings.ReplaceAll(inner, "j := ", "j = ")
		body = strings.Replace(body, "for j = ", "for j := ", 1)
	}
	outer := loop("i", pick("0", "0", "1", "k+1", "k", "-1"), pick("n", "n", "m", "k", "n-1", "n/2"), body)
	return fmt.Sprintf("\n//surge:kernel\nfunc Random%d(a, b []int, n, m, turns int) ([]int, []int) {\nx, y := make([]int, len(a)), make([]int, len(a))\ncopy(x, a)\ncopy(y, b)\nfor k := 0; k < turns; k++ {\n%s}\nreturn x, y\n}\n",
		number, outer)
}

// TestLeftOut checks that a loop is not divided at a turn that a condition leaves out, and is at another one.
func TestLeftOut(t *testing.T) {
	pkg, err := load.Load(t.Context(), "testdata/updates", load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	divided := map[string]bool{"Pivots": false, "BehindPivots": true}
	for _, k := range pkg.Kernels {
		want, ok := divided[k.Name]
		if !ok {
			continue
		}
		c, err := fuse.Compile(k.Func, nil)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		ir.Walk(c.Func.Body, func(s *ir.Stmt) {
			loop, ok := s.Op.(*ir.Loop)
			found = found || ok && loop.I != nil && strings.HasPrefix(loop.I.Name, "part")
		})
		if found != want {
			t.Errorf("%s is divided: %v\n%s", k.Name, found, c.Func)
		}
	}
}

// TestLengthsOfVolumes checks that a volume may have more elements than any of its sides may be long: only what is
// multiplied with two others has to be small for its turns to be independent.
func TestLengthsOfVolumes(t *testing.T) {
	pkg, err := load.Load(t.Context(), "testdata/updates", load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range pkg.Kernels {
		if k.Name != "Volume" {
			continue
		}
		c, err := fuse.Compile(k.Func, nil)
		if err != nil {
			t.Fatal(err)
		}
		lengths, sides := map[ir.Atom]int64{}, 0
		ir.Walk(c.Func.Body, func(s *ir.Stmt) {
			switch op := s.Op.(type) {
			case *ir.Len:
				lengths[s.Dst[0]] = 0
			case *ir.Binary:
				limit, ok := op.Y.(ir.Const)
				if _, length := lengths[op.X]; length && ok && op.Fn == ir.Lt {
					lengths[op.X] = max(lengths[op.X], limit.Int())
				} else if ok && op.Fn == ir.Lt && limit.Int() == 1<<18 {
					sides++
				}
			}
		})
		if sides == 0 {
			t.Errorf("no side has to be small\n%s", c.Func)
		}
		for a, limit := range lengths {
			if limit != 0 && limit < 1<<28 {
				t.Errorf("the length %v has to be below %d\n%s", a, limit, c.Func)
			}
		}
		return
	}
	t.Error("there is no Volume")
}
