package ir_test

import (
	"strings"
	"testing"

	"github.com/surge-ndp/surge/ops/ir"
)

const keyedFunc = `func F (k: []int32, x: []float64, n: int) {
  m: int = len k
  h: []float64 = hist i < m into n init 0:float64 {
    b: int32 = index k i
    at: int = convert b
    v: float64 = index x i
    yield at v
  } comb p: float64, q: float64 {
    s: float64 = add p q
    yield s
  }
  order: []int = sort j < m {
    key: int32 = index k j
    yield key
  }
  y: []float64 = scatter l < m into m {
    place: int = index order l
    w: float64 = index x l
    yield place w
  }
  yield h order y
}
`

func TestKeyedText(t *testing.T) {
	f, err := ir.Parse(keyedFunc)
	if err != nil {
		t.Fatal(err)
	}
	if err := ir.Verify(f); err != nil {
		t.Error(err)
	}
	if got := f.String(); got != keyedFunc {
		t.Errorf("printed:\n%s", got)
	}
	if got := f.Clone().String(); got != keyedFunc {
		t.Errorf("cloned:\n%s", got)
	}
	for _, bad := range [][2]string{
		{"yield at v", "yield v at"}, {"yield key", "yield key key"}, {"init 0:float64", "init 0:float32"}, {"yield place w", "yield place"},
	} {
		f, err := ir.Parse(strings.Replace(keyedFunc, bad[0], bad[1], 1))
		if err != nil {
			t.Fatal(err)
		}
		if ir.Verify(f) == nil {
			t.Errorf("%s instead of %s: no error", bad[1], bad[0])
		}
	}
}
