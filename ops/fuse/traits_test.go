package fuse

import "testing"

// TestStridedTrait checks which level is marked: the inner one, if its reads are at a distance and those of the level
// around it side by side.
func TestStridedTrait(t *testing.T) {
	for _, c := range []struct {
		name, index string
		want        int
	}{
		{"the columns of a row-major matrix", "a: int = mul j width\n    k: int = add a i", 2},
		{"its rows", "a: int = mul i width\n    k: int = add a j", 0},
		{"a diagonal", "a: int = mul j width\n    b: int = add a i\n    c: int = mul i width\n    k: int = add b c", 0},
		{"every second element", "a: int = mul 2:int j\n    k: int = sub a width", 0},
		{"backwards", "a: int = sub width j\n    k: int = add a i", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := compile(t, `func F (x: []float64, width: int) {
  y: []float64 = map i < width {
    s: float64 = reduce j < width init 0:float64 {
    `+c.index+`
    z: float64 = index x k
    yield z
  `+sum+`
    yield s
  }
  yield y
}`)
			if got := k.Computations[0].Sequence.Strided(); got != c.want {
				t.Errorf("level %d is marked, want %d:\n%s", got, c.want, k.Func)
			}
		})
	}
}
