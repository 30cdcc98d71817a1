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
