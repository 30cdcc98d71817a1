package fuse

import (
	"strings"
	"testing"

	"github.com/surge-ndp/surge/ops/ir"
)

// TestChosenLengths takes lengths out of conditions that yield sequences, where both are known before, and no others.
func TestChosenLengths(t *testing.T) {
	f, err := ir.Parse(`func F (x: []float64, c: bool, n: int) {
  y: []float64, a: int, b: int, d: int32 = if c {
    check nonneg "make" "n" n
    e: int = add n 1:int
    yield x n e 1:int32
  } else {
    yield x 0:int 2:int 2:int32
  }
  g: int, h: int = if c {
    yield n a
  } else {
    yield 0:int b
  }
  yield y a b d g h
}
`)
	if err != nil {
		t.Fatal(err)
	}
	simplify(f)
	if err := ir.Verify(f); err != nil {
		t.Fatal(err)
	}
	text := f.String()
	for _, want := range []string{"y: []float64, b: int, d: int32 = if c", "a: int = select c n 0:int", "g: int, h: int = if c"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
