package codegen

import (
	"strings"
	"testing"

	"github.com/surge-ndp/surge/ops/load"
)

// TestMathFunctions checks that the harness knows which functions of package math a kernel calls that it computes in
// its own way on lanes and devices.
func TestMathFunctions(t *testing.T) {
	pkg, err := load.Load(t.Context(), "testdata/flaws", load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := Compile(pkg, Options{Machine: PortableMachine(), Platforms: []string{"goroutine"}})
	if err != nil {
		t.Fatal(err)
	}
	_, src, err := p.Harness()
	if err != nil {
		t.Fatal(err)
	}
	if text := string(src); strings.Count(text, "Math:") != 1 || !strings.Contains(text, `Math: []string{"Exp", "Log"}`) {
		t.Errorf("the harness is\n%s", text)
	}
}
