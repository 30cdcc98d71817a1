package form

import (
	"testing"

	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
)

// TestWhyNot asks why there is no form of a name: a rule has no place in a computation, or refuses the argument.
func TestWhyNot(t *testing.T) {
	f, err := ir.Parse(`func F (a: []int, w: int) {
  n: int = len a
  b: []int = map i < n {
    e: int = index a i
    c: int = add e w
    yield c
  }
  d: []int = map j < n {
    x: int = rem j 0:int
    g: int = index b j
    h: int = add g x
    yield h
  }
  yield b d
}`)
	if err != nil {
		t.Fatal(err)
	}
	all := Derive(fuse.Split(f))
	for text, want := range map[string]string{
		"delinearise.w":             "delinearise.w does not apply to F.1: " + delinearise.None,
		"F.2/delinearise.0/x":       "delinearise.0 does not apply to F.2: rows of 0 elements do not exist",
		"nest/independent":          "",
		"F.1/unroll_1=4":            "",
		"delinearised/independent":  "",
		"F.2/delinearise.0+other.1": "",
	} {
		if got := WhyNot(all, text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
