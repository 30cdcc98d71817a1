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

// TestTurnsTrait checks which level is marked: elements of loops that have as many turns for all rows, and read what
// all rows read.
func TestTurnsTrait(t *testing.T) {
	for _, c := range []struct {
		name, last, read string
		want             bool
	}{
		{"a product of matrices", "add width 0:int", "a: int = mul k width\n    at: int = add a j", true},
		{"rows of other lengths", "add i 1:int", "a: int = mul k width\n    at: int = add a j", false},
		{"nothing that rows share", "add width 0:int", "a: int = mul i width\n    at: int = add a k", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := compile(t, `func F (x: []float64, width: int) {
  y: [][]float64 = map i < width {
    last: int = `+c.last+`
    row: []float64 = map j < width {
      s: float64 = loop (p: float64) init 0:float64 for k = 0:int to last {
    `+c.read+`
        e: float64 = index x at
        q: float64 = add p e
        yield q
      }
      yield s
    }
    yield row
  }
  yield y
}`)
			if got := k.Computations[0].Sequence[1].HasTrait(TraitTurns); got != c.want {
				t.Errorf("marked: %v, want %v:\n%s", got, c.want, k.Func)
			}
		})
	}
}
