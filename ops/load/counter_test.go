package load

import (
	"errors"
	"testing"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/eval"
)

// TestStepsThatLeadNowhere checks which loops fail whose step is not positive: those that begin, and that nothing
// leaves. Others do what they do in Go.
func TestStepsThatLeadNowhere(t *testing.T) {
	for _, c := range []struct {
		name, loop string
		n, by      int64
		fails      bool
	}{
		{"no step", "for i := 0; i < n; i += by { s += i }", 5, 0, true},
		{"the wrong way", "for i := 0; i < n; i += by { s += i }", 5, -2, true},
		{"the wrong way down", "for i := n; i > 0; i -= by { s += i }", 5, -1, true},
		{"no step, in a loop", "for j := 0; j < 3; j++ { for i := 0; i < n; i += by { s += i } }", 5, 0, true},
		{"a next turn that begins sooner", "for i := 0; i < n; i += by { if i == 3 { continue }; s += i }", 5, 0, true},
		{"a loop that does not begin", "for i := 0; i < n; i += by { s += i }", 0, 0, false},
		{"a loop that is left", "for i := 0; i < n; i += by { if s++; s > 7 { break } }", 5, 0, false},
		{"a loop that returns", "for i := 0; i < n; i += by { if s++; s > 7 { return s } }", 5, -1, false},
		{"a loop that goes on with another", "out: for j := 0; j < 3; j++ { for i := 0; i < n; i += by { s += j; continue out } }", 5, 0, false},
		{"a step", "for i := 0; i < n; i += by { s += i }", 5, 2, false},
	} {
		ks, ds, err := compileText("k.go", "package p\n\n//surge:kernel\nfunc K(n, by int) (s int) {\n"+c.loop+"\nreturn s\n}\n")
		if err != nil || len(ds) > 0 {
			t.Fatal(c.name, err, ds)
		}
		_, err = eval.Run(ks[0].Func, []any{ir.IntConst(ir.Int, c.n), ir.IntConst(ir.Int, c.by)}, eval.Options{Steps: 1e5})
		var failed *eval.CheckError
		if !c.fails && err != nil || c.fails && (!errors.As(err, &failed) || failed.Check == nil || failed.Check.Op != "for") {
			t.Errorf("%s: %v\n%s", c.name, err, ks[0].Func)
		}
	}
}

// TestLoopsToLengths checks which loops up to a length count, though they assign elements of what has that length.
func TestLoopsToLengths(t *testing.T) {
	for _, c := range []struct {
		name, loop string
		counts     bool
	}{
		{"elements", "for i := 0; i < len(y)-1; i++ { y[i] += y[i+1] }", true},
		{"a sum with the index", "for i := 0; i+1 < len(y); i++ { y[i]++ }", true},
		{"a field", "for i := 0; i < len(s.a)-1; i++ { s.a[i] = y[0]; s.n++ }", true},
		{"another name", "v := y; for i := 0; i < len(v)-1; i++ { v, y = y, v }", false},
		{"append", "for i := 0; i < len(y)-1; i++ { if y[i] > 9 { y = append(y, i) } }", false},
		{"a method that appends", "for i := 0; i < len(s.a)-1; i++ { if y[0] > i { s.push(i) } }", false},
		{"a function literal", "f := func() { y = y[:len(y)-1] }; for i := 0; i < len(y)-1; i++ { f() }", false},
		{"the whole struct", "for i := 0; i < len(s.a)-1; i++ { s = S{a: y} }", false},
		{"a pointer", "p := &s; for i := 0; i < len(s.a)-1; i++ { p.a = p.a[:len(p.a)-1] }", false},
	} {
		ks, _, err := compileText("k.go", `package p

type S struct {
	a []int
	n int
}

func (s *S) push(v int) { s.a = append(s.a, v) }

//surge:kernel
func K(x []int) int {
	y := append([]int(nil), x...)
	s := S{a: make([]int, len(x))}
	`+c.loop+`
	return len(y) + len(s.a) + s.n
}
`)
		if err != nil {
			t.Fatal(c.name, err)
		}
		inOrder, loops := false, 0
		for _, k := range ks {
			if k.Func == nil || len(k.Whole) > 0 { // which plain Go runs
				continue
			}
			ir.Walk(k.Func.Body, func(s *ir.Stmt) {
				if loop, ok := s.Op.(*ir.Loop); ok {
					loops++
					inOrder = inOrder || loop.Cond != nil
				}
			})
		}
		if c.counts && (inOrder || loops == 0) || !c.counts && !inOrder && loops > 1 {
			t.Errorf("%s: %d loops, one with a condition: %t", c.name, loops, inOrder)
		}
	}
}
