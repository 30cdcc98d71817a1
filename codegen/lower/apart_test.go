package lower_test

import (
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/goroutine"
	"github.com/surge-ndp/surge/codegen/kir"
)

// Indices that grow by two to four from lane to lane load vectors and take them apart, and those that go back by one
// vectors that are turned round; others gather.
func TestApart(t *testing.T) {
	for _, c := range []struct{ index, want string }{
		{"j: int = mul i 2:int", "by 2]"},
		{"j: int = mul 3:int i", "by 3]"},
		{"j: int = shl i 2:int", "by 4]"},
		{"j: int = add i i", "by 2]"},
		{"k: int = mul i 2:int\n    j: int = add k 1:int", "by 2]"},
		{"k: int = mul i 2:int\n    j: int = sub k i", "v: float64x8 = x["},
		{"k: int = mul i 2:int\n    j: int = add k i", "by 3]"},
		{"k: int = mul i 2:int\n    l: int = mul k 2:int\n    j: int = add l y", "by 4]"},
		{"j: int = sub y i", "by -1]"},
		{"k: int = mul i 2:int\n    l: int = mul i 3:int\n    m: int = sub k l\n    j: int = add y m", "by -1]"},
		{"k: int = sub y i\n    j: int = sub n k", "v: float64x8 = x["},
		{"j: int = mul i 5:int", "gather x"},
		{"j: int = mul i y", "gather x"},
		{"k: int = mul i 3:int\n    j: int = add k k", "gather x"},
		{"k: int = mul i 2:int\n    j: int = sub y k", "gather x"},
	} {
		k := compile(t, `func Apart (x: []float64, n: int, y: int) {
  z: []float64 = map i < n {
    `+c.index+`
    v: float64 = index x j
    yield v
  }
  yield z
}
`)
		f, err := goroutine.Lower(k, k.Computations[0], variant(t, "Apart.1/nest/independent/goroutine/execution_resource_1=lane,vector_width_1=8,unroll_1=1"), "f", nil)
		if err != nil {
			t.Fatalf("%s: %v", c.index, err)
		}
		text := f.String()
		if !strings.Contains(text, c.want) {
			t.Errorf("%s: want %q\n%s", c.index, c.want, text)
		}
		again, err := kir.ParseFunc(text)
		if err != nil {
			t.Fatalf("%s: %v", c.index, err)
		}
		if again.String() != text {
			t.Errorf("%s: read and written again it is\n%s", text, again)
		}
	}
}

// Under a condition, where no lane may read what lies between others, the elements are gathered.
func TestApartUnderCondition(t *testing.T) {
	k := compile(t, `func Apart (x: []float64, y: []float64) {
  n: int = len y
  z: []float64 = map i < n {
    w: float64 = index y i
    c: bool = gt w 0:float64
    r: float64 = if c {
      j: int = mul i 2:int
      v: float64 = index x j
      yield v
    } else {
      yield w
    }
    yield r
  }
  yield z
}
`)
	f, err := goroutine.Lower(k, k.Computations[0], variant(t, "Apart.1/nest/independent/goroutine/execution_resource_1=lane,vector_width_1=8,unroll_1=1"), "f", nil)
	if err != nil {
		t.Fatal(err)
	}
	if text := f.String(); !strings.Contains(text, "gather x") || strings.Contains(text, "by 2]") {
		t.Errorf("want a gather\n%s", text)
	}
}
