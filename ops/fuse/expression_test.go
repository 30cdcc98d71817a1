package fuse

import "testing"

// What features are is said over the kernel's parameters, by names of the IR where computations make it.
func TestExpressions(t *testing.T) {
	k := compile(t, `func F (x: []float64, offsets: []int32, width: int, rows: [][]float64) {
  n: int = len x
  more: int = add n width
  half: int = div more 2:int
  count: int = max half 1:int
  last: int = sub count 1:int
  end: int32 = index offsets last
  m: int = convert end
  all: int = mul m more
  r: int = len rows
  y: []float64 = map i < all {
    s: float64 = reduce j < width init 0:float64 {
      k: int = add i j
      l: int = rem k n
      z: float64 = index x l
      yield z
  `+sum+`
    yield s
  }
  totals: []float64 = map i.1 < r {
    row: []float64 = index rows i.1
    l.1: int = len row
    s.1: float64 = reduce j.1 < l.1 init 0:float64 {
      z.1: float64 = index row j.1
      yield z.1
    } comb c: float64, d: float64 {
      e: float64 = add c d
      yield e
    }
    yield s.1
  }
  yield y totals
}`)
	want := map[string]string{
		"length":             "offsets[max((len(x)+width)/2, 1)-1]*(len(x)+width)",
		"aspect_ratio":       "(offsets[max((len(x)+width)/2, 1)-1]*(len(x)+width))/width",
		"average_row_length": "all elements of rows/len(rows)",
		"load_imbalance":     "of the rows of rows",
		"element_row_length": "of the rows of rows",
	}
	for i, c := range k.Computations {
		for _, f := range c.Features {
			expected := want[f.Name]
			if i == 1 && f.Name == "length" {
				expected = "len(rows)"
			}
			if got := k.FeatureExpression(f); got != expected {
				t.Errorf("%s of %s is %q, want %q", f.Name, c.Name, got, expected)
			}
		}
	}
	if len(k.Computations) != 2 || len(k.Computations[0].Features)+len(k.Computations[1].Features) != 6 {
		t.Errorf("%d computations:\n%s", len(k.Computations), k.Func)
	}
}
