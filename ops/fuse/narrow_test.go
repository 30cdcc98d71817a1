package fuse

import "testing"

// TestNarrow checks that functions of package math on converted float32 become functions of float32, and only where
// that is the same value.
func TestNarrow(t *testing.T) {
	for _, c := range []struct {
		name, body string
		converts   int
	}{
		{"a function between conversions", `b: float64 = convert a
    c: float64 = exp b
    d: float32 = convert c`, 0},
		{"two arguments, one of them a constant", `b: float64 = convert a
    c: float64 = pow b 2.5:float64
    d: float32 = convert c`, 0},
		{"a constant that is no float32", `b: float64 = convert a
    c: float64 = pow b 0.1:float64
    d: float32 = convert c`, 2},
		{"more work in float64", `b: float64 = convert a
    c: float64 = sqrt b
    e: float64 = div 1:float64 c
    d: float32 = convert e`, 2},
		{"a float64 that was one before", `e: float64 = index z i
    c: float64 = exp e
    d: float32 = convert c`, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := compile(t, `func F (x: []float32, z: []float64) {
  n: int = len x
  y: []float32 = map i < n {
    a: float32 = index x i
    `+c.body+`
    r: float32 = add a d
    yield r
  }
  yield y
}`)
			if got := count(k)["convert"]; got != c.converts {
				t.Errorf("%d conversions are left, want %d:\n%s", got, c.converts, k.Func)
			}
		})
	}
}
